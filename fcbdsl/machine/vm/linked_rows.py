"""Rows of a program that games read all the time, as objects with plain attributes.

A compiled build reads these attributes directly, but the columns of a record by name.
"""

from __future__ import annotations

from typing import Final

from fcbdsl.machine.vm.program import Action, Field, Listener, Modifier, Tier, Track
from fcbdsl.machine.vm.serialization import BOUND

UNBOUNDED: Final = 1 << 53
"""Larger than every number in a game."""
assert UNBOUNDED == BOUND


PER_GAME: Final = 0
PER_PLAYER: Final = 1
PER_FIGURE: Final = 2
PER_INSTANCE: Final = 3
LIMITS: Final = {"game": PER_GAME, "player": PER_PLAYER, "figure": PER_FIGURE, "instance": PER_INSTANCE}
"""Numbers of the scopes of a limit."""


class LinkedField:
    """Attributes of a field for reads and writes.

    `least`, `most`: bounds of written values; counters are also bounded by zero and their limit. `low`, `high`: bounds
    of modified values. `builtin`: its name if it is built in, else empty. `starts`: it has codes that give start
    values.
    """

    __slots__ = ("builtin", "counter", "empty", "high", "least", "limit", "low", "most", "owned", "starts")

    def __init__(self, row: Field) -> None:
        self.empty = row.empty
        self.owned = row.owned
        self.starts = bool(row.starts)
        self.counter = row.sort in ("status", "token")
        self.builtin = row.name if row.sort == "builtin" else ""
        self.low: int = -UNBOUNDED if row.low is None else row.low
        self.high: int = UNBOUNDED if row.high is None else row.high
        self.limit: int = UNBOUNDED if row.limit is None else row.limit
        self.least = self._counted(self.within(-UNBOUNDED))
        self.most = self._counted(self.within(UNBOUNDED))

    def within(self, value: int) -> int:
        """Clamp a value to the declared bounds of the field."""
        if value < self.low:
            value = self.low
        return self.high if value > self.high else value

    def _counted(self, value: int) -> int:
        """Clamp a counter to zero and its limit."""
        if not self.counter:
            return value
        value = max(value, 0)
        return value if self.owned >= 0 else min(value, self.limit)

    def clamp(self, value: int) -> int:
        """Clamp a value to `least` and `most`."""
        if value < self.least:
            return self.least
        return self.most if value > self.most else value


class ResettableStat:
    """A stat of the things of a kind: its field, its column of the memory, its value without a start value, and the
    code of that (-1: none)."""

    __slots__ = ("base", "code", "field", "value")

    def __init__(self, field: int, base: int, row: LinkedField, code: int) -> None:
        self.field = field
        self.base = base
        self.value = row.clamp(row.empty)
        self.code = code


class LinkedTier:
    """A tier, with the columns of its row. `thing`: its track, as a thing."""

    __slots__ = ("at", "enter", "leave", "locked", "thing")

    def __init__(self, row: Tier, thing: int) -> None:
        self.thing = thing
        self.at = row.at
        self.locked = row.locked
        self.enter = row.enter
        self.leave = row.leave


class LinkedTrack:
    """A track, with the columns of its row, and its tiers."""

    __slots__ = ("end", "high", "low", "steps", "tiers")

    def __init__(self, row: Track, thing: int, tiers: list[LinkedTier]) -> None:
        self.low = row.low
        self.high = row.high
        self.steps = list(row.steps)
        self.end = row.end
        self.tiers = [tier for tier in tiers if tier.thing == thing]


class LinkedAction:
    """An action, with the columns of its row that are needed when it is taken."""

    __slots__ = ("body", "limit", "span")

    def __init__(self, row: Action) -> None:
        self.limit = row.limit
        self.span = row.span
        self.body = row.body


class LinkedListener:
    """A listener. `of_tier`, `of_counter`: it belongs to a tier of a track, or to markers of some sort."""

    __slots__ = (
        "body", "condition", "guard", "limit", "of_counter", "of_tier", "offered", "owner", "rearms", "span",
        "spends", "usable",
    )  # fmt: skip

    def __init__(self, row: Listener) -> None:
        self.of_tier = row.scope == "tier"
        self.of_counter = row.scope == "counter"
        self.owner = row.owner
        self.condition = row.condition
        self.body = row.body
        self.span = row.span
        self.offered = row.offered
        self.usable = row.usable
        self.guard = row.guard
        self.spends = row.spends
        self.limit = row.limit
        self.rearms = row.rearms


OF_RULE: Final = 0
OF_LASTING: Final = 1
OF_TIER: Final = 2
OF_COUNTER: Final = 3
OF_THINGS: Final = 4
"""The owner of a modifier: a rule, a lasting effect, a tier of a track, markers of some sort, or all things of a kind
or a definition."""
SCOPES: Final = {
    "rule": OF_RULE,
    "lasting": OF_LASTING,
    "tier": OF_TIER,
    "counter": OF_COUNTER,
    "kind": OF_THINGS,
    "definition": OF_THINGS,
}


class LinkedModifier:
    """A modifier, with the columns of its row.

    `low`, `high`: the range of the things that it modifies. `first`, `last`: the range of its owners, if these are
    things.
    """

    __slots__ = (
        "amount", "condition", "first", "high", "it", "last", "low", "mode", "own", "owner", "scope", "where",
    )  # fmt: skip

    def __init__(self, row: Modifier, modified: tuple[int, int], bearers: tuple[int, int]) -> None:
        self.low, self.high = modified
        self.first, self.last = bearers
        self.mode: str = row.mode
        self.amount = row.amount
        self.scope: int = SCOPES[row.scope]
        self.owner = row.owner
        self.own = row.own
        self.condition = row.condition
        self.where = row.where
        self.it = row.it
