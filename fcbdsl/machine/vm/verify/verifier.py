"""Verification of a program before it may run: its tables here, its codes in `verify_codes`.

`verify_program` finds everything that could crash the machine. A program that passes runs within limits.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from fcbdsl.base import bounds
from fcbdsl.base.words import GRIDS
from fcbdsl.machine.vm.column_types import Policy
from fcbdsl.machine.vm.layout import ENDING_KIND, FIXED, MUTABLE, PLAYED, MemoryLayout, TooLarge
from fcbdsl.machine.vm.ops import OPS
from fcbdsl.machine.vm.program import Board, Field, Program, Step
from fcbdsl.machine.vm.verify import codes, column_checks
from fcbdsl.machine.vm.verify.tags import Finding
from fcbdsl.machine.vm.world import OUTCOMES

MOST_CELLS = bounds.SPACES
MOST_COORDINATE = bounds.COORDINATE
MOST_COST = bounds.STEP_COST
MOST_PLAYERS = bounds.PLAYERS
MOST_DIRECTIONS = bounds.DIRECTIONS
MOST_CAPTURED = 1024

BUILT_IN: dict[str, Policy] = {
    "thing": "definitions", "piece": "definitions", "card": "definitions", "track": "definitions",
    "countdown": "definitions", "gauge": "definitions", "space": "spaces", "player": "players", "side": "sides",
    "game": "single", "record": "records", "region": "regions", "team": "teams", "mission": "mission",
    "campaign": "campaign",
}  # fmt: skip
"""Built-in kinds, by name, and their policies."""
COUNTED = {"spaces": "space", "players": "player", "sides": "side"}
"""Policies that only the kind of that name may have: a board or a mission determines the number of its things."""
SCOPES = {"kind": "kinds", "definition": "definitions", "counter": "fields", "tier": "tiers", "lasting": "lastings"}
"""The table to which a scope's owner refers; a ``rule`` has none."""
ANNOUNCED = {"acted": 1, "track_moved": 3, "won": 1, "lost": 1, "changed": 0}
"""Events that the machine announces by itself, and how many parameters they have."""


def verify_program(program: Program, verified: Container[int] = ()) -> list[Finding]:
    """Return everything that is wrong with a program; it may run if the list is empty.

    `verified`: numbers of codes that have been verified before. Never run a program whose codes only a cache declares
    sound.
    """
    findings = list(_tables(program))
    if findings:
        return findings  # the rest relies on tables that hold together
    findings += _kinds(program)
    if findings:
        return findings  # what follows walks from kinds to their parents
    findings += _rows(program)
    if findings:
        return findings
    try:
        layout = MemoryLayout(program)
    except TooLarge as error:
        return [Finding("program", str(error))]
    findings += _placed(program, layout)
    findings += _winners(program, layout)
    if findings:
        return findings
    return list(codes.verify_codes(program, verified))


# ── indices and words ──────────────────────────────────────────────────────────────────────────


_ROW = re.compile(r"(\w+)\[(\d+)\]")


def written_at(program: Program, place: str) -> int:
    """Return the span (a number of the program) of the row of a finding; -1 if unknown."""
    match = _ROW.match(place)
    table = getattr(program, match[1], None) if match is not None else None
    if match is None or not isinstance(table, list | tuple) or int(match[2]) >= len(table):
        return -1
    row = table[int(match[2])]
    number = getattr(row, "span", -1)
    if number == -1:
        number = next((span for span in getattr(row, "spans", ()) if span >= 0), -1)
    return int(number)


def _tables(program: Program) -> Iterator[Finding]:
    """Check that every index is inside its table, and that every word is known."""
    for number, name in enumerate(program.ops):
        if name not in OPS:
            yield Finding(f"ops[{number}]", f"there is no op `{name}`")
    yield from (Finding(place, reason) for place, reason in column_checks.flaws(program))


# ── rows that must make sense ──────────────────────────────────────────────────────────────────


def _kinds(program: Program) -> Iterator[Finding]:
    """Check that kinds come after their parents, have unique names, and have the policies that their names require."""
    for number, kind in enumerate(program.kinds):
        if kind.parent >= number:
            yield Finding(f"kinds[{number}].parent", "a kind must come after its parent")
    yield from _levels(program)
    names = [kind.name for kind in program.kinds]
    if len(set(names)) != len(names):
        yield Finding("kinds", "two kinds have the same name")
    for number, kind in enumerate(program.kinds):
        if BUILT_IN.get(kind.name, kind.policy) != kind.policy:
            yield Finding(f"kinds[{number}].policy", f"the policy of a {kind.name} is {BUILT_IN[kind.name]}")
        elif COUNTED.get(kind.policy, kind.name) != kind.name:
            yield Finding(f"kinds[{number}].policy", f"only the kind {COUNTED[kind.policy]} may be of {kind.policy}")


def _placed(program: Program, layout: MemoryLayout) -> Iterator[Finding]:
    """Check that movable things have memory columns, so that their numbers are below those of spaces and sides."""
    for number, kind in enumerate(program.kinds):
        if kind.policy in ("spaces", "sides"):
            continue
        things = [thing for thing in range(layout.low[number], layout.high[number]) if layout.kind_of[thing] == number]
        if things and things[-1] >= layout.body:
            yield Finding(f"kinds[{number}].parent", "its things would be numbered among spaces and sides")
    for name in ("piece", "track"):
        low, high = layout.range_of(name)
        if low < high and high > layout.body:
            yield Finding("kinds", f"a {name} would be numbered among spaces and sides")


def _winners(program: Program, layout: MemoryLayout) -> Iterator[Finding]:
    """Check that the winners of missions are teams, which a saved question names."""
    for number, ending in enumerate(program.endings):
        if ending.team >= 0 and not layout.teams_low <= layout.first[ending.team] < layout.teams_high:
            yield Finding(f"endings[{number}].team", "it is not a team")
        low, high = layout.range_of(ENDING_KIND)
        if ending.ending >= 0 and not low <= layout.first[ending.ending] < high:
            yield Finding(f"endings[{number}].ending", "it is not an ending")


def _rows(program: Program) -> Iterator[Finding]:
    fewest, most = program.players
    if not 0 <= fewest <= most <= MOST_PLAYERS:
        yield Finding("players", f"a game is for 0 to {MOST_PLAYERS} players, fewest first")
    yield from _rows_of_one_length(program)
    yield from _fields(program)
    yield from _zones(program)
    yield from _definitions(program)
    yield from _barriers(program)
    for number, lasting in enumerate(program.lastings):
        if not 2 <= lasting.captured <= MOST_CAPTURED:
            yield Finding(f"lastings[{number}].captured", f"2 to {MOST_CAPTURED} registers can be captured")
        if any(not 0 <= at < lasting.captured for at in lasting.things):
            yield Finding(f"lastings[{number}].things", "a register is not captured")
    for number, die in enumerate(program.dice):
        if not die.values:
            yield Finding(f"dice[{number}].values", "a die needs a face")
    for number, switch in enumerate(program.switches):
        if not 0 <= switch.default < len(switch.values):
            yield Finding(f"switches[{number}].default", "it is not one of the values")
    for number, terrain in enumerate(program.terrains):
        if terrain.switch >= 0 and not 0 <= terrain.setting < len(program.switches[terrain.switch].values):
            yield Finding(f"terrains[{number}].setting", "it is not one of the variant's values")
    for number, terrain in enumerate(program.terrains):
        if not 0 <= terrain.cost <= MOST_COST:
            yield Finding(f"terrains[{number}].cost", f"a space costs 0 to {MOST_COST}")
    yield from _scopes(program)
    yield from _tracks(program)
    for number, board in enumerate(program.boards):
        yield from _board(program, f"boards[{number}]", board)
    yield from _announced(program)
    yield from _triggers(program)
    for number, test in enumerate(program.tests):
        yield from _test(program, number, test.overrides)


def _rows_of_one_length(program: Program) -> Iterator[Finding]:
    """Check rows that give one item per value for their length."""
    for number, event in enumerate(program.events):
        is_worded = bool(event.words or event.tags)
        if is_worded and not len(event.tags) == len(event.lists) == len(event.enums or event.lists):
            yield Finding(f"events[{number}]", "it does not say of each parameter what it is")
        slots = {f"{{{parameter}}}" for parameter in range(len(event.tags))}
        if any(word not in slots and ("{" in word or "}" in word) for word in event.words):
            yield Finding(f"events[{number}].words", "a slot names no parameter")
    for number, enum in enumerate(program.enums):
        if len(enum.titles) != len(enum.values):
            yield Finding(f"enums[{number}].titles", "not each value has its title")
    for number, die in enumerate(program.dice):
        if die.shows and len(die.shows) != len(die.values):
            yield Finding(f"dice[{number}].shows", "not each face shows something")
    for number, test in enumerate(program.tests):
        for index, step in enumerate(test.steps):
            if len(step.dice) > len(step.values):
                yield Finding(f"tests[{number}].steps[{index}]", "it says something of what it does not have")


def _levels(program: Program) -> Iterator[Finding]:
    """Check the depth of the hierarchy of kinds, because recursive functions descend as deep."""
    levels: list[int] = []
    for number, kind in enumerate(program.kinds):
        levels.append(1 + (levels[kind.parent] if 0 <= kind.parent < number else 0))
        if levels[number] > bounds.KIND_LEVELS:
            yield Finding(f"kinds[{number}].parent", f"more than {bounds.KIND_LEVELS} kinds descend from one another")
            return


def _fields(program: Program) -> Iterator[Finding]:
    for number, row in enumerate(program.fields):
        place = f"fields[{number}]"
        if row.sort == "builtin" and row.name not in {*MUTABLE, *FIXED}:
            yield Finding(place, f"there is no built-in field `{row.name}`")
        if row.many and row.sort != "const":
            yield Finding(place, "only a const field can be a list")
        if row.codes and (row.sort != "const" or row.many):
            yield Finding(place, "only a const field of single values can hold codes")
        if row.starts and row.sort in ("const", "builtin"):
            yield Finding(place, "only a stat has a first value")
        if row.owned >= 0 and row.sort not in ("status", "token"):
            yield Finding(place, "only a marker can have owners")
        if row.kept and not _keepable(program, row):
            yield Finding(place, "it can't be kept from mission to mission")


KEPT = ("number", "flag", "enum", "thing", "definition", "die")
"""Tags of values whose names are valid in every mission, so that they can be kept."""


def _keepable(program: Program, row: Field) -> bool:
    """Return whether the things that keep a field have it, and its values can be kept."""
    fit = row.sort in ("stat", "status") and row.owned < 0 and row.tag in KEPT
    return fit and all(_lasts(program, kind, row.kind) for kind in row.kept)


LASTING = ("definitions", "players", "single", "teams")
"""Policies of kinds whose things are the same in every mission."""


def _lasts(program: Program, kind: int, ancestor: int) -> bool:
    """Return whether things of a kind are of `ancestor`, and are the same in every mission."""
    return _below(program, kind, ancestor) and program.kinds[kind].policy in LASTING


def _below(program: Program, kind: int, ancestor: int) -> bool:
    while kind > ancestor:
        kind = program.kinds[kind].parent
    return kind == ancestor


def _zones(program: Program) -> Iterator[Finding]:
    for number, row in enumerate(program.zones):
        if row.starts >= 0 and (row.kind < 0 or not program.fields[row.starts].many):
            yield Finding(f"zones[{number}].starts", f"{program.fields[row.starts].name} is no list of its owners")
        if not all(kind == -1 if row.kind < 0 else _lasts(program, kind, row.kind) for kind in row.kept):
            yield Finding(f"zones[{number}].kept", "it can't be kept from mission to mission")


def _definitions(program: Program) -> Iterator[Finding]:
    for number, row in enumerate(program.definitions):
        place = f"definitions[{number}]"
        policy = program.kinds[row.kind].policy
        if policy not in {"definitions", "parts", "teams", "regions", *PLAYED}:
            yield Finding(place, f"things of the kind {program.kinds[row.kind].name} are not defined")
        if row.copies < 0 or (policy in {"regions", *PLAYED} and row.copies != 1):
            yield Finding(f"{place}.copies", f"{row.copies} instances make no sense")
        if policy == "parts" and (row.owner < 0 or number not in program.definitions[row.owner].parts):
            yield Finding(f"{place}.owner", "a part must belong to a definition that lists it")
        for field, value in row.values:
            if program.fields[field].sort != "const" or program.fields[field].many:
                yield Finding(f"{place}.values", f"{program.fields[field].name} is no const field of single values")
            elif program.fields[field].codes and not -1 <= value < len(program.codes):
                yield Finding(f"{place}.values", f"{program.fields[field].name} points at no code")
        for field, _ in row.lists:
            if not program.fields[field].many:
                yield Finding(f"{place}.lists", f"{program.fields[field].name} is no list")
        yield from _settings(program, place, row.overrides)


def _settings(program: Program, place: str, overrides: tuple[tuple[int, int], ...]) -> Iterator[Finding]:
    for switch, value in overrides:
        if not 0 <= value < len(program.switches[switch].values):
            yield Finding(f"{place}.overrides", "a variant is set to what it can't be")


def _scopes(program: Program) -> Iterator[Finding]:
    for table in ("listeners", "modifiers"):
        for number, row in enumerate(getattr(program, table)):
            place = f"{table}[{number}].owner"
            if row.scope == "rule":
                continue
            if not 0 <= row.owner < len(getattr(program, SCOPES[row.scope])):
                yield Finding(place, f"{row.owner} points nowhere")
                continue
            if row.scope == "counter" and program.fields[row.owner].sort not in ("status", "token"):
                yield Finding(place, "the field is no counter")
            first = program.lastings[row.owner].captured if row.scope == "lasting" else 2
            if table == "listeners" and row.first != first:
                yield Finding(f"{table}[{number}].first", f"the parameters must begin at register {first}")
            if table == "modifiers" and row.it < first:
                yield Finding(f"{table}[{number}].it", f"the candidate must be in register {first} or above")


def _tracks(program: Program) -> Iterator[Finding]:
    names = [kind.name for kind in program.kinds]
    for number, row in enumerate(program.tracks):
        kind = program.definitions[row.definition].kind
        while kind >= 0 and names[kind] != "track":
            kind = program.kinds[kind].parent
        if kind < 0 or program.definitions[row.definition].copies != 1:
            yield Finding(f"tracks[{number}].definition", "it must be a definition below the kind track, in one copy")
        if row.low > row.high:
            yield Finding(f"tracks[{number}]", "its lowest value is above its highest")


def _announced(program: Program) -> Iterator[Finding]:
    for column, params in ANNOUNCED.items():
        event = getattr(program, column)
        if event >= 0 and program.events[event].lists != (False,) * params:
            yield Finding(column, f"the event must have {params} single parameters")


def _triggers(program: Program) -> Iterator[Finding]:
    """Check that listeners to changes have a condition and a separate limit, and are automatic."""
    for number, row in enumerate(program.listeners):
        if row.event != program.changed:
            if row.rearms:
                yield Finding(f"listeners[{number}].rearms", "only what listens to changes is armed again")
            continue
        limit = program.limits[row.limit] if row.limit >= 0 else None
        if limit is None or limit.event != program.changed or limit.per != "instance":
            yield Finding(f"listeners[{number}].limit", "what listens to changes needs a limit that keeps it has run")
        if row.timing != "after" or row.condition < 0 or row.offered:
            yield Finding(f"listeners[{number}]", "what listens to changes runs after them, by itself, on a condition")


def _test(program: Program, number: int, overrides: tuple[tuple[int, int], ...]) -> Iterator[Finding]:
    fewest, most = program.players
    if program.tests[number].players != 0 and not fewest <= program.tests[number].players <= most:
        yield Finding(f"tests[{number}].players", "so many can't play")
    for index, step in enumerate(program.tests[number].steps):
        lacks = _lacking(step)
        if lacks:
            yield Finding(f"tests[{number}].steps[{index}]", f"`{step.sort}` lacks {lacks}")
    yield from _settings(program, f"tests[{number}]", overrides)


def _lacking(step: Step) -> str:
    """Return the missing data of a step; empty if it is complete."""
    if step.sort in ("known", "unknown"):
        return "" if step.code >= 0 and step.who >= 0 and len(step.tags) == 1 else "what is known, or to whom"
    if step.sort == "counted":
        whole = step.code >= 0 and step.who >= 0 and step.tags == ("zone",) and len(step.values) == 1
        return "" if whole else "a zone, who looks at it, or how many lie there"
    if step.sort == "outcome":
        return "" if step.words and step.words[0] in OUTCOMES else "how the game ends"
    if step.sort in ("given", "do", "opening", "expect"):
        return ""
    if step.sort in ("told", "untold"):
        return "" if step.who >= 0 and len(step.words) == 1 else "a player, or what the player is told"
    if step.sort == "happened" and (not step.words or len(step.values) != 2 * len(step.tags)):
        return "an event, or the parameter of what it names"
    if len(step.tags) != len(step.questions) or (step.code < 0) != (not step.tags):
        return "a tag, a question or a code for what it names"
    return "" if step.tags or step.sort not in ("play", "refuse", "lot") else "somebody who acts, or what is drawn"


# ── boards ─────────────────────────────────────────────────────────────────────────────────────


def _is_stat_of(program: Program, field: int, policy: str) -> bool:
    row = program.fields[field]
    return row.sort == "stat" and program.kinds[row.kind].policy == policy


def _barriers(program: Program) -> Iterator[Finding]:
    for number, barrier in enumerate(program.barriers):
        fields = [*(field for field, _ in barrier.values), *([barrier.hinge] if barrier.hinge >= 0 else [])]
        if not all(_is_stat_of(program, field, "sides") for field in fields):
            yield Finding(f"barriers[{number}]", "it depends on what is no stat of sides")


def _board(program: Program, place: str, board: Board) -> Iterator[Finding]:
    size = len(board.cells)
    if size > MOST_CELLS:
        yield Finding(place, f"it has more than {MOST_CELLS} spaces")
    if board.sort in GRIDS:
        spots = {(cell.x, cell.y) for cell in board.cells}
        if len(spots) != size:
            yield Finding(place, "two spaces have the same coordinates")
        if any(max(abs(x), abs(y)) > MOST_COORDINATE for x, y in spots):
            yield Finding(place, f"coordinates go from -{MOST_COORDINATE} to {MOST_COORDINATE}")
    for number, cell in enumerate(board.cells):
        if any(program.fields[field].sort != "token" for field, _ in cell.tokens):
            yield Finding(f"{place}.cells[{number}].tokens", "a field that is no token lies there")
        if any(not _is_stat_of(program, field, "spaces") for field, _ in cell.values):
            yield Finding(f"{place}.cells[{number}].values", "a field that is no stat of spaces has a value there")
    squares = [square for cell in board.cells for square in cell.covers]
    if len(set(squares)) != len(squares) or not all(
        0 <= min(square) <= max(square) <= MOST_COORDINATE for square in squares
    ):
        yield Finding(f"{place}.cells", "two areas cover the same, or more than there may be")
    if squares and not (board.sort == "areas" and all(cell.covers for cell in board.cells)):
        yield Finding(f"{place}.cells", "some areas cover something, and some spaces nothing")
    for a, b, _ in board.sides:
        if not (0 <= a < size and 0 <= b < size):
            yield Finding(f"{place}.sides", "a barrier stands nowhere")
    for a, b, field, _ in board.side_values:
        if not (0 <= a < size and 0 <= b < size and _is_stat_of(program, field, "sides")):
            yield Finding(f"{place}.side_values", "it is no stat of a side")
    for a, b, direction in board.links:
        if not (0 <= a < size and 0 <= b < size and a != b and -1 <= direction < MOST_DIRECTIONS):
            yield Finding(f"{place}.links", "a path leads nowhere")
    for a, b, _ in board.joins:
        if not (0 <= a < size and 0 <= b < size and a != b):
            yield Finding(f"{place}.joins", "a mark joins nothing")
    for a, b, c, d in board.corners:
        if not (0 <= a < size and 0 <= b < size and -1 <= c < size and -1 <= d < size):
            yield Finding(f"{place}.corners", "spaces meet that are not there")
    for region, cells in board.regions:
        if program.kinds[program.definitions[region].kind].policy != "regions":
            yield Finding(f"{place}.regions", f"{program.definitions[region].id} is no region")
        if not all(0 <= cell < size for cell in cells):
            yield Finding(f"{place}.regions", "a region has spaces that are not there")
    for _, cells in board.areas:
        if not all(0 <= cell < size for cell in cells):
            yield Finding(f"{place}.areas", "a group has spaces that are not there")
