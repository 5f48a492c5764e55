"""The layout of a program: the numbers of things and zones, and the positions of their values in memory.

It follows from the program alone, so it is the same in every game. Things are numbered kind by kind, depth first,
spaces last; a program's largest board determines the number of spaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.base import bounds
from fcbdsl.machine.geometry.board import count_sides
from fcbdsl.machine.vm.column_types import Policy
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.program import Board, Program

if TYPE_CHECKING:
    from mypy_extensions import i64

MOST_THINGS: Final = bounds.THINGS
MOST_MEMORY: Final = 1 << 18
MOST_ZONES: Final = 1 << 14

MUTABLE = ("place", "zone", "holder", "controller", "value", "terrain")
"""Built-in fields that are columns of memory."""
FIXED = ("definition", "bearer", "owner", "part-of", "copy", "number")
"""Built-in fields that follow from a thing's number."""
PLAYED: tuple[Policy, ...] = ("mission", "campaign")
"""Policies of kinds of which one definition is being played."""


ENDING_KIND = "ending"
"""The kind of named endings; only games that declare an ending have it."""

LAST = ("space", "side")
"""Kinds whose things have the last numbers, in this order; movable things come before them."""


class TooLarge(Exception):
    """A program whose number of things or memory exceeds the limits."""


class MemoryLayout:
    """Numbers of kinds' things (`low[k] <= t < high[k]` is "t is a k"), of zones, and the memory's columns."""

    __slots__ = (
        "barriers", "base", "body", "children", "controller", "controllers", "definition_of", "field_high",
        "field_low", "first", "high", "holder", "instances", "kind_of", "low", "memory", "named", "of_kind",
        "owner_of", "parents", "parts", "parts_of", "place", "players_high", "players_low", "program", "secret",
        "secret_zones", "sides", "sides_high", "sides_low", "spaces", "spaces_high", "spaces_low", "team",
        "teams_high", "teams_low", "terrain", "things", "value", "zone", "zone_base", "zone_owner", "zone_row",
        "zones", "zones_of",
    )  # fmt: skip

    def __init__(self, program: Program) -> None:
        self.program = program
        self.children = _children(program)
        count = len(program.kinds)
        self.parents = [kind.parent for kind in program.kinds]
        self.parts = [kind.policy == "parts" for kind in program.kinds]
        """Per kind, whether its things are created with those that they are parts of."""
        self.controllers = [row.sort == "builtin" and row.name == "controller" for row in program.fields]
        """Per field, whether it is the built-in `controller`, whose value also depends on holders."""
        self.named = {kind.name: number for number, kind in enumerate(program.kinds)}
        self.low = [0] * count
        self.high = [0] * count
        self.kind_of: list[int] = []
        self.definition_of: list[int] = []
        self.owner_of = numbers([])
        """The thing that a part or a mission's track belongs to, or -1."""
        self.first = [-1] * len(program.definitions)
        self.instances = [0] * len(program.definitions)
        self.of_kind: list[list[int]] = [[] for _ in range(count)]
        for number, definition in enumerate(program.definitions):
            self.of_kind[definition.kind].append(number)
        self.spaces = max([len(board.cells) for board in program.boards], default=0)
        self.sides = max([_sides_of(board) for board in program.boards], default=0)
        for root in self.children[-1]:
            self._number(root)
        self.things = len(self.kind_of)
        self.parts_of: list[list[int]] = [[] for _ in range(self.things)]
        self._own()
        self._zones()
        self._columns()

    # ── things ─────────────────────────────────────────────────────────────────────────────────

    def _number(self, kind: int) -> None:
        """Number the things of a kind and its descendants."""
        self.low[kind] = len(self.kind_of)
        row = self.program.kinds[kind]
        plain = {
            "players": self.program.players[1],
            "spaces": self.spaces,
            "sides": self.sides,
            "single": 1,
            "records": row.pool,
        }
        self._add(kind, -1, plain.get(row.policy, 0))
        for number in self.of_kind[kind]:
            copies = self._copies(number)
            self.first[number] = len(self.kind_of)
            self.instances[number] = copies
            self._add(kind, number, copies)
        for child in self.children[kind]:
            self._number(child)
        self.high[kind] = len(self.kind_of)

    def _add(self, kind: int, definition: int, count: int) -> None:
        if count < 0 or len(self.kind_of) + count > MOST_THINGS:
            raise TooLarge(f"there would be more than {MOST_THINGS} things")
        self.kind_of += [kind] * count
        self.definition_of += [definition] * count

    def _copies(self, number: int) -> int:
        """Return the number of instances of a definition: its copies, per instance of the thing that it is a part
        of."""
        copies = 1
        for _ in range(8):
            definition = self.program.definitions[number]
            copies *= min(definition.copies, MOST_THINGS)
            if copies > MOST_THINGS:
                raise TooLarge(f"there would be more than {MOST_THINGS} things")
            if definition.owner < 0 or not self.parts[definition.kind]:
                return copies
            number = definition.owner
        raise TooLarge("parts of parts go deeper than 8")

    def _own(self) -> None:
        self.owner_of = numbers([-1] * self.things)
        for number, definition in enumerate(self.program.definitions):
            if definition.owner < 0:
                continue
            each = max(1, self.instances[number] // max(1, self.instances[definition.owner]))
            for i in range(self.instances[number]):
                owner = self.first[definition.owner] + i // each
                if i // each < self.instances[definition.owner]:
                    self.owner_of[self.first[number] + i] = owner
                    self.parts_of[owner].append(self.first[number] + i)

    def range_of(self, name: str) -> tuple[int, int]:
        """Return the first number of the things of a kind, by name, and the last + 1; an empty range if there is no
        such kind."""
        kind = self.named.get(name, -1)
        return (self.low[kind], self.high[kind]) if kind >= 0 else (0, 0)

    def is_a(self, thing: int, kind: int) -> bool:
        """Return whether a thing is of a kind or of one of its descendants."""
        return self.low[kind] <= thing < self.high[kind]

    def lineage(self, kind: int) -> list[int]:
        """Return a kind and its ancestors, from below."""
        lineage = []
        while kind >= 0:
            lineage.append(kind)
            kind = self.program.kinds[kind].parent
        return lineage

    def descends(self, kind: int, ancestor: int) -> bool:
        """Return whether a kind is another or below it."""
        while kind >= 0:
            if kind == ancestor:
                return True
            kind = self.parents[kind]
        return False

    # ── zones ──────────────────────────────────────────────────────────────────────────────────

    def _zones(self) -> None:
        """Number the zones: 0 is the box, then the instances of each declared zone."""
        self.zone_base: list[int] = []
        self.zone_row: list[int] = [-1]
        self.zone_owner: list[int] = [-1]
        for row, zone in enumerate(self.program.zones):
            owners = [-1] if zone.kind < 0 else range(self.low[zone.kind], self.high[zone.kind])
            self.zone_base.append(len(self.zone_row) - (0 if zone.kind < 0 else self.low[zone.kind]))
            if len(self.zone_row) + len(owners) > MOST_ZONES:
                raise TooLarge(f"there would be more than {MOST_ZONES} zones")
            self.zone_row += [row] * len(owners)
            self.zone_owner += owners
        self.zones = len(self.zone_row)
        self.secret = [row >= 0 and self.program.zones[row].secret for row in self.zone_row]
        """Whether a zone's contents are hidden."""
        self.secret_zones = [zone for zone, secret in enumerate(self.secret) if secret]
        self.zones_of: dict[int, list[int]] = {}
        for number, owner in enumerate(self.zone_owner):
            self.zones_of.setdefault(owner, []).append(number)

    # ── memory ─────────────────────────────────────────────────────────────────────────────────

    def _columns(self) -> None:
        """Give each mutable field its column, and sides their barriers.

        `base[f] + t` is the place of thing t's value: `base[f]` already subtracts the number of the kind's first thing.
        """
        program = self.program
        self.memory = 0
        spaces, players = self.range_of("space"), self.range_of("player")
        self.spaces_low: i64 = spaces[0]
        self.spaces_high: i64 = spaces[1]
        self.players_low: i64 = players[0]
        self.players_high: i64 = players[1]
        self.teams_low, self.teams_high = _range_of_teams(self)
        low, high = self.range_of("side")
        self.sides_low, self.sides_high = (low, high) if low < high else (self.things, self.things)
        self.body: i64 = self.spaces_low if self.spaces_high == self.sides_low and self.spaces else self.things
        """Things below this number can be moved: all except the spaces and their sides."""
        ranges = {"value": self.range_of("track"), "terrain": (self.spaces_low, self.spaces_high)}
        builtin = {name: self._column(*ranges.get(name, (0, self.body))) for name in MUTABLE}
        self.place: i64 = builtin["place"]
        self.zone: i64 = builtin["zone"]
        self.holder: i64 = builtin["holder"]
        self.controller: i64 = builtin["controller"]
        self.value: i64 = builtin["value"]
        self.terrain: i64 = builtin["terrain"]
        self.base = numbers([-1] * len(program.fields))
        self.field_low = numbers([0] * len(program.fields))
        self.field_high = numbers([0] * len(program.fields))
        for number, row in enumerate(program.fields):
            low, high = self.low[row.kind], self.high[row.kind]
            if row.sort == "builtin" and row.name in builtin:
                low, high = ranges.get(row.name, (0, self.body))
                self.base[number] = builtin[row.name]
            elif row.sort not in ("const", "builtin"):
                self.base[number] = self._column(low, high)
            self.field_low[number], self.field_high[number] = low, high
        self.team = self._teams_column()
        """The memory position of the players' teams; -1 if there are no teams."""
        self.barriers = self.memory
        """The memory position of the barriers; a game's memory ends with those of its board."""

    def _teams_column(self) -> int:
        player = self.named.get("player", -1)
        for number, row in enumerate(self.program.fields):
            if self.teams_high > self.teams_low and row.name == "team" and row.kind == player and row.sort == "stat":
                return self.base[number]
        return -1

    def _column(self, low: int, high: int) -> int:
        start = self.memory
        self._grow(high - low)
        return start - low

    def _grow(self, by: int) -> None:
        self.memory += by
        if self.memory > MOST_MEMORY:
            raise TooLarge(f"a game would take more than {MOST_MEMORY} numbers of memory")


def _range_of_teams(layout: MemoryLayout) -> tuple[int, int]:
    """Return the number of the first team, and that of the last + 1."""
    kinds = layout.program.kinds
    team_kinds = [number for number, kind in enumerate(kinds) if kind.policy == "teams" and kind.name == "team"]
    return (layout.low[team_kinds[0]], layout.high[team_kinds[0]]) if team_kinds else (0, 0)


def _sides_of(board: Board) -> int:
    return count_sides(board.sort, [cell.x for cell in board.cells], [cell.y for cell in board.cells], board.links)


def _children(program: Program) -> dict[int, list[int]]:
    """Return the children of each kind (-1: the roots) in order; branches with the spaces and their sides come last."""
    out: dict[int, list[int]] = {number: [] for number in range(-1, len(program.kinds))}
    late = [LAST.index(kind.name) + 1 if kind.name in LAST else 0 for kind in program.kinds]
    for number in range(len(program.kinds) - 1, -1, -1):
        if late[number] and program.kinds[number].parent >= 0:
            late[program.kinds[number].parent] = max(late[program.kinds[number].parent], late[number])
    for number, kind in enumerate(program.kinds):
        out[kind.parent].append(number)
    for row in out.values():
        row.sort(key=late.__getitem__)
    return out
