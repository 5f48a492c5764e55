"""Setup of a game: its things, the board of its mission, then the setup codes and the flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fcbdsl.machine.geometry.generator import stream_states
from fcbdsl.machine.vm import changes, subscribers
from fcbdsl.machine.vm.carry_over import CarryOver, carry_over, give
from fcbdsl.machine.vm.frames import new_frame, push
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image, Scene
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops import OPS
from fcbdsl.machine.vm.ops.flow import Jmp
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.saving import clone
from fcbdsl.machine.vm.world import (
    DICE_SCRIPTED,
    FAULT,
    NOWHERE,
    OPENING,
    ORDER_KEPT,
    RANDOM_ASKED,
    SINGLES_ASKED,
    STAGED,
    STREAMS,
    Fault,
    VMFault,
    World,
)

MOST_OPENINGS: Final = 64
"""Number of scenes whose start position an image caches: the last ones requested."""


class CannotStart(ValueError):
    """A game that cannot begin: its mission, players or variants do not fit the program."""


def start_game(
    image: Image,
    mission: str,
    players: int,
    seed: int,
    switches: Mapping[str, str] | None = None,
    *,
    flow: bool = True,
) -> Game:
    """Set up a game of a mission, or a step of a campaign (its id; empty: none). `switches`: variants by name.

    `flow`: false for a world as it is before anything is set up or played. Raises CannotStart."""
    program = image.program
    number = _mission(image, mission)
    fewest, most = program.players
    if not fewest <= players <= most:
        raise CannotStart(f"{players} players: {fewest} to {most} can play")
    overrides = program.definitions[number].overrides if number >= 0 else ()
    board = program.definitions[number].board if number >= 0 else -1
    origin = image.origin_of(program.definitions[number].span) if number >= 0 else -1
    game = _new(image, number, board, players, seed, [*overrides, *_chosen(program, switches or {})], origin=origin)
    if number >= 0 and program.kinds[program.definitions[number].kind].policy == "campaign":
        game.world.flags |= STAGED
        _begin(game, [program.journey] if flow else [])
    elif flow:
        game.world.flags |= OPENING
        _begin(game, [program.flow, *reversed(program.setup)])
    else:
        game.world.flags |= STAGED
    return game


def embark(home: Game, mission: int, seed: int) -> Game:
    """Return the game of a mission (a definition's number) in the campaign `home`, with its carried-over state."""
    world, program = home.world, home.program
    row = program.definitions[mission]
    switches = [*enumerate(world.switches), *row.overrides]
    game = _new(home.image, mission, row.board, world.players, seed, switches, carry_over(home), origin=world.origin)
    game.world.flags |= OPENING
    _begin(game, [program.flow, *reversed(program.setup)])
    return game


def _begin(g: Game, codes: Sequence[int]) -> None:
    """Put codes on the stack of a new game; the last one runs first."""
    if g.world.outcome:
        return
    try:
        for code in codes:
            if code >= 0:
                push(g, new_frame(g, code, [-1, g.world.mission], [], NOWHERE))
    except VMFault as error:
        _refuse(g.world, error)


def stage(image: Image, test: int, seed: int = 0) -> Game:
    """Set up a content test (its number): things and board, but no setup codes and no flow."""
    program = image.program
    row = program.tests[test]
    board = row.board
    if board < 0 and row.mission >= 0:
        board = program.definitions[row.mission].board
    overrides = list(program.definitions[row.mission].overrides) if row.mission >= 0 else []
    switches = [*overrides, *row.overrides]
    players = row.players or program.players[1]
    game = _new(image, row.mission, board, players, seed, switches, origin=image.origin_of(row.span))
    game.world.flags |= STAGED
    return game


def go_on(game: Game, seed: int) -> None:
    """Continue a staged game as a real one: with random numbers, and with the next round of its flow below the stack.

    Raises CannotStart.
    """
    world, program = game.world, game.program
    at = _round_of(program)
    world.script.clear()
    world.flags &= ~(STAGED | RANDOM_ASKED | ORDER_KEPT | DICE_SCRIPTED | SINGLES_ASKED)
    world.rng = stream_states(seed, STREAMS)
    flow = new_frame(game, program.flow, [-1, world.mission], [], NOWHERE)
    flow.pc = at
    world.stack.insert(0, flow)


def _round_of(program: Program) -> int:
    """Return the op at which the flow begins its rounds: the target of its last backward jump. Raises CannotStart."""
    if program.flow < 0:
        raise CannotStart("the game has no flow to go on with")
    code, names = program.codes[program.flow], program.ops
    ints = code.ints
    ops: list[tuple[type[Op], tuple[int, ...]]] = []
    at = 0
    while at < len(ints):
        op = OPS[names[ints[at]]]
        ops.append((op, ints[at + 1 : at + 1 + len(op.operands)]))
        at += 1 + len(op.operands)
    heads = [values[0] for number, (op, values) in enumerate(ops) if op is Jmp and values[0] <= number]
    if not heads:
        raise CannotStart("the flow of the game has no rounds to go on with")
    constants = range(code.n_r - len(code.constants), code.n_r)
    written = {("r", 0), ("r", 1), *[("r", number) for number in constants]}  # self, this, and constants
    for op, values in ops[heads[-1] :]:
        for operand, value in zip(op.operands, values, strict=True):
            if operand.kind in ("r", "s") and operand.reads and (operand.kind, value) not in written:
                raise CannotStart("the rounds of the flow use what it notes before them")
        written |= {(operand.kind, value) for operand, value in zip(op.operands, values, strict=True) if operand.writes}
    return heads[-1]


def _mission(image: Image, name: str) -> int:
    """Return the number of a mission or campaign by its id (-1 for an empty one)."""
    if not name:
        return -1
    number = image.missions.get(name)
    if number is None:
        raise CannotStart(f"there is no mission `{name}`")
    return number


def _chosen(program: Program, switches: Mapping[str, str]) -> list[tuple[int, int]]:
    """Return switches by number instead of name."""
    table = {switch.name: number for number, switch in enumerate(program.switches)}
    out: list[tuple[int, int]] = []
    for name, value in switches.items():
        if name not in table:
            raise CannotStart(f"there is no variant `{name}`")
        number = table[name]
        if value not in program.switches[number].values:
            raise CannotStart(f"the variant `{name}` has no value `{value}`")
        out.append((number, program.switches[number].values.index(value)))
    return out


def _new(
    image: Image,
    mission: int,
    board: int,
    players: int,
    seed: int,
    switches: list[tuple[int, int]],
    carried: CarryOver | None = None,
    *,
    origin: int,
) -> Game:
    """Return a game with everything in the box except carried-over state and the content of the board.

    The start position of a scene is cached, unless ops are traced.
    """
    overridden = tuple(switches)
    scene = (mission, board, players, overridden, origin)
    opening = image.openings.get(scene) if carried is None and image.marks is None else None
    if opening is not None:  # the start position depends on nothing else
        game = Game(image, clone(opening[0]))
        game.fuel = opening[1]
    else:
        game = _furnished(image, scene, carried)
        if carried is None and image.marks is None:
            if len(image.openings) >= MOST_OPENINGS:
                del image.openings[next(iter(image.openings))]
            image.openings[scene] = clone(game.world), game.fuel
    game.world.rng = stream_states(seed, STREAMS)
    return game


def _furnished(image: Image, scene: Scene, carried: CarryOver | None) -> Game:
    """Return a new game of a scene, without chance: every stat has its start value, and the board is as drawn."""
    mission, board, players, overridden, origin = scene
    layout = image.layout
    w = World()
    w.origin = origin
    w.mission = layout.first[mission] if mission >= 0 else -1
    w.board = board
    w.players = players
    w.switches = [switch.default for switch in image.program.switches]
    for number, value in overridden:
        w.switches[number] = value
    sides = len(image.atlas(board).shape.sides) if board >= 0 else 0
    w.mem = numbers(_blank(image, sides))
    w.zones = [()] * layout.zones
    game = Game(image, w)
    subscribers.refresh_all(game)
    try:
        _start_values(game)
        _start_contents(game)
        if carried is not None:
            give(game, carried)
            w.log, w.happened = [], 0
        if board >= 0:
            _lay_out(game)
    except VMFault as error:
        _refuse(w, error)
    return game


def _refuse(w: World, fault: VMFault) -> None:
    """Record an error of the setup; it ends the game before it begins."""
    w.stack.clear()
    w.fault = w.fault or Fault(str(fault), -1, -1, -1)
    w.outcome = FAULT


def _blank(image: Image, sides: int) -> list[int]:
    """Return the initial memory for a board with that number of sides."""
    layout = image.layout
    mem = [0] * layout.barriers + [-1] * sides
    for base in (layout.place, layout.holder, layout.controller):
        mem[base : base + layout.body] = [-1] * layout.body
    for thing in range(layout.body):
        if not image.movable[thing]:
            mem[layout.zone + thing] = -1
    for track in image.program.tracks:
        mem[layout.value + layout.first[track.definition]] = track.low
    low, high = layout.terrain + layout.spaces_low, layout.terrain + layout.spaces_high
    mem[low:high] = [-1] * (high - low)
    for number, row in enumerate(image.program.fields):
        if layout.base[number] >= 0 and row.sort != "builtin":
            low, high = layout.field_low[number], layout.field_high[number]
            base = layout.base[number]
            mem[base + low : base + high] = [row.empty] * (high - low)
    return mem


def _start_values(g: Game) -> None:
    """Set every stat of every thing to its start value; values of the map come before those computed by codes."""
    layout, mem = g.layout, g.world.mem
    cells = g.program.boards[g.world.board].cells if g.world.board >= 0 else ()
    given: dict[tuple[int, int], int] = {}
    for cell, shown in enumerate(cells):
        given |= {(field, layout.spaces_low + cell): value for field, value in shown.values}
    given |= _given_of_sides(g)
    for (field, place), value in given.items():
        mem[layout.base[field] + place] = value
    for number, row in enumerate(g.program.fields):
        if row.starts:
            codes = g.image.start_codes(number)
            for thing in range(g.layout.field_low[number], g.layout.field_high[number]):
                if (number, thing) not in given:
                    changes.start_value(g, number, thing, codes[thing - g.layout.field_low[number]])


def _start_contents(g: Game) -> None:
    """Fill zones with their start contents: an instance of each definition that their owner lists."""
    layout = g.layout
    for number, row in enumerate(g.program.zones):
        if row.starts < 0:
            continue
        for owner in range(layout.low[row.kind], layout.high[row.kind]):
            for definition in g.image.lists[row.starts].get(layout.definition_of[owner], ()):
                thing = g.spare(definition)
                if thing < 0:
                    raise VMFault(f"there is no copy of definition {definition} for all that begin with one")
                changes.lay(g, thing, layout.zone_base[number] + owner, -1)


def _given_of_sides(g: Game) -> dict[tuple[int, int], int]:
    """Return the stats of sides given by the map, by stat and side: those of barriers, overridden by individual
    ones."""
    if g.world.board < 0:
        return {}
    board, shape = g.program.boards[g.world.board], g.shape()
    given: dict[tuple[int, int], int] = {}
    for a, b, barrier in board.sides:
        side = shape.side(a, b)
        if side >= 0 and barrier >= 0:
            given |= {(field, g.side(side)): value for field, value in g.program.barriers[barrier].values}
    for a, b, field, value in board.side_values:
        if shape.side(a, b) >= 0:
            given[field, g.side(shape.side(a, b))] = value
    return given


def _lay_out(g: Game) -> None:
    """Write the board's terrain, barriers and tokens, and place its pieces."""
    layout, w = g.layout, g.world
    board = g.program.boards[w.board]
    shape = g.shape()
    for number, cell in enumerate(board.cells):
        w.mem[layout.terrain + layout.spaces_low + number] = cell.terrain
    for a, b, barrier in board.sides:
        side = shape.side(a, b)
        if side >= 0:
            w.mem[layout.barriers + side] = barrier
    for number, cell in enumerate(board.cells):
        space = layout.spaces_low + number
        for field, count in cell.tokens:
            changes.set_value(g, field, space, count, -1)
        for definition in cell.places:
            thing = g.spare(definition)
            if thing >= 0:
                changes.place_thing(g, thing, space, -1)
