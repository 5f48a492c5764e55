"""Setting up a game: things as they are defined, the board of its mission, then the setup codes and the flow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fcbdsl.game.generator import stream_state
from fcbdsl.vm import changes
from fcbdsl.vm.keeping import CarryOver, give, taken
from fcbdsl.vm.layout import PLAYED
from fcbdsl.vm.world import FAULT, NOWHERE, OPENING, STAGED, STREAMS, Fault, VMFault, World

if TYPE_CHECKING:
    from fcbdsl.vm.machine import Machine


class CannotStart(ValueError):
    """A game was asked for that the program does not have."""


def start(m: Machine, mission: str, players: int, seed: int, switches: Mapping[str, str], flow: bool) -> World:
    """Make the world of a new game; see `Machine.start`."""
    number = _mission(m, mission)
    fewest, most = m.program.players
    if not fewest <= players <= most:
        raise CannotStart(f"{players} players: {fewest} to {most} can play")
    overrides = m.program.definitions[number].overrides if number >= 0 else ()
    board = m.program.definitions[number].board if number >= 0 else -1
    origin = m.origin_of(m.program.definitions[number].span) if number >= 0 else -1
    world = _new(m, number, board, players, seed, [*overrides, *_chosen(m, switches)], origin=origin)
    if number >= 0 and m.program.kinds[m.program.definitions[number].kind].policy == "campaign":
        world.flags |= STAGED
        _begin(m, world, [m.program.journey] if flow else [])
    elif flow:
        world.flags |= OPENING
        _begin(m, world, [m.program.flow, *reversed(m.program.setup)])
    else:
        world.flags |= STAGED
    return world


def embark(m: Machine, home: World, mission: int, seed: int) -> World:
    """Make the world of a mission of a campaign; see `Machine.embark`."""
    row = m.program.definitions[mission]
    switches = [*enumerate(home.switches), *row.overrides]
    world = _new(m, mission, row.board, home.players, seed, switches, taken(m, home), origin=home.origin)
    world.flags |= OPENING
    _begin(m, world, [m.program.flow, *reversed(m.program.setup)])
    return world


def _begin(m: Machine, world: World, codes: Sequence[int]) -> None:
    """Put codes on the stack of a new world; the last one runs first."""
    if world.outcome:
        return
    try:
        for code in codes:
            if code >= 0:
                m.push(m.frame(code, [-1, world.mission], [], NOWHERE))
    except VMFault as trouble:
        _refuse(world, trouble)


def stage(m: Machine, test: int, seed: int) -> World:
    """Make the world of a content test; see `Machine.stage`."""
    row = m.program.tests[test]
    board = row.board
    if board < 0 and row.mission >= 0:
        board = m.program.definitions[row.mission].board
    overrides = list(m.program.definitions[row.mission].overrides) if row.mission >= 0 else []
    switches = [*overrides, *row.overrides]
    world = _new(m, row.mission, board, m.program.players[1], seed, switches, origin=m.origin_of(row.span))
    world.flags |= STAGED
    return world


def _mission(m: Machine, name: str) -> int:
    """The number of a mission or campaign by its id (-1 for the empty one)."""
    if not name:
        return -1
    for number, definition in enumerate(m.program.definitions):
        if definition.id == name and m.program.kinds[definition.kind].policy in PLAYED:
            return number
    raise CannotStart(f"there is no mission `{name}`")


def _chosen(m: Machine, switches: Mapping[str, str]) -> list[tuple[int, int]]:
    """Switches by name as numbers."""
    table = {switch.name: number for number, switch in enumerate(m.program.switches)}
    out: list[tuple[int, int]] = []
    for name, value in switches.items():
        if name not in table:
            raise CannotStart(f"there is no variant `{name}`")
        number = table[name]
        if value not in m.program.switches[number].values:
            raise CannotStart(f"the variant `{name}` has no value `{value}`")
        out.append((number, m.program.switches[number].values.index(value)))
    return out


def _new(
    m: Machine,
    mission: int,
    board: int,
    players: int,
    seed: int,
    switches: list[tuple[int, int]],
    kept: CarryOver | None = None,
    *,
    origin: int,
) -> World:
    """A world with everything in the box but what was kept and what the board shows."""
    layout = m.layout
    w = World()
    w.origin = origin
    w.mission = layout.first[mission] if mission >= 0 else -1
    w.board = board
    w.players = players
    w.rng = [stream_state(seed, name) for name in STREAMS]
    w.switches = [switch.default for switch in m.program.switches]
    for number, value in switches:
        w.switches[number] = value
    sides = len(m.atlas(board).shape.sides) if board >= 0 else 0
    w.mem = [0] * layout.barriers + [-1] * sides
    w.zones = [()] * layout.zones
    m.enter(w)
    _fill(m)
    m.wake_all()
    try:
        _start_values(m)
        if kept is not None:
            give(m, w, kept)
            w.log = None
        if board >= 0:
            _lay_out(m)
    except VMFault as trouble:
        _refuse(w, trouble)
    return w


def _refuse(w: World, trouble: VMFault) -> None:
    """Keep trouble met in setting up; it ends the game before it begins."""
    w.stack.clear()
    w.fault = w.fault or Fault(str(trouble), -1, -1, -1)
    w.outcome = FAULT


def _fill(m: Machine) -> None:
    """Write what a column holds before anything has happened."""
    layout, mem = m.layout, m.w.mem
    for base in (layout.place, layout.holder, layout.controller):
        mem[base : base + layout.body] = [-1] * layout.body
    for thing in range(layout.body):
        if not m.movable(thing):
            mem[layout.zone + thing] = -1
    for track in m.program.tracks:
        mem[layout.value + layout.first[track.definition]] = track.low
    low, high = layout.terrain + layout.spaces_low, layout.terrain + layout.spaces_high
    mem[low:high] = [-1] * (high - low)
    for number, row in enumerate(m.program.fields):
        if layout.base[number] >= 0 and row.sort != "builtin":
            low, high = layout.field_low[number], layout.field_high[number]
            base = layout.base[number]
            mem[base + low : base + high] = [row.empty] * (high - low)


def _start_values(m: Machine) -> None:
    """Give every stat of every thing its first value."""
    for number, row in enumerate(m.program.fields):
        if row.starts:
            codes = m.start_codes(number)
            for thing in range(m.layout.field_low[number], m.layout.field_high[number]):
                _start_value(m, number, thing, codes[thing - m.layout.field_low[number]])


def _start_value(m: Machine, field: int, thing: int, code: int) -> None:
    if code >= 0:
        value = m.call(code, m.selves(thing) if not m.held[thing] else [thing, thing], [])
        m.w.mem[m.layout.base[field] + thing] = changes.clamp(m.program.fields[field], value)


def renew(m: Machine, thing: int) -> None:
    """Give a thing its first values again."""
    for number, row in enumerate(m.program.fields):
        low, high = m.layout.field_low[number], m.layout.field_high[number]
        if m.layout.base[number] < 0 or row.sort == "builtin" or not low <= thing < high:
            continue
        m.w.mem[m.layout.base[number] + thing] = row.empty
        if row.starts:
            _start_value(m, number, thing, m.start_codes(number)[thing - low])


def _lay_out(m: Machine) -> None:
    """Write the board's terrain, barriers and tokens, and place what stands on it."""
    layout, w = m.layout, m.w
    board = m.program.boards[w.board]
    shape = m.shape()
    for number, cell in enumerate(board.cells):
        w.mem[layout.terrain + layout.spaces_low + number] = cell.terrain
    for a, b, barrier in board.sides:
        side = shape.side(a, b)
        if side >= 0:
            w.mem[layout.barriers + side] = barrier
    for number, cell in enumerate(board.cells):
        space = layout.spaces_low + number
        for field, count in cell.tokens:
            changes.set_value(m, field, space, count, -1)
        for definition in cell.places:
            thing = m.spare(definition)
            if thing >= 0:
                changes.place(m, thing, space, -1)
