"""Types of the columns of a program's tables: the table to which each number refers, and the allowed words.

The verifier derives from them: see `verify`. Types like `TextOrNone` are numbers that may also be -1.
"""

from __future__ import annotations

from typing import Annotated, Literal

# ── numbers ────────────────────────────────────────────────────────────────────────────────────


class Ref:
    """An index into a table of the program. `optional`: it may also be -1.

    For an index of a code, `pure` means that it must not change or ask anything. It gets only self and this, unless its
    parameters and permissions depend on the rest of its row (`by_row`: see `verify_codes`).
    """

    __slots__ = ("by_row", "optional", "pure", "table")

    def __init__(self, table: str, *, optional: bool = False, pure: bool = False, by_row: bool = False) -> None:
        self.table = table
        self.optional = optional
        self.pure = pure
        self.by_row = by_row


class Plain:
    """A number that is no index. `by_row`: its allowed values depend on the rest of its row; see `verify`."""

    __slots__ = ("by_row",)

    def __init__(self, by_row: bool = False) -> None:
        self.by_row = by_row


Number = Annotated[int, Plain()]
ByRow = Annotated[int, Plain(by_row=True)]
KindIndex = Annotated[int, Ref("kinds")]
KindOrNone = Annotated[int, Ref("kinds", optional=True)]
FieldIndex = Annotated[int, Ref("fields")]
FieldOrNone = Annotated[int, Ref("fields", optional=True)]
DefinitionIndex = Annotated[int, Ref("definitions")]
DefinitionOrNone = Annotated[int, Ref("definitions", optional=True)]
EventIndex = Annotated[int, Ref("events")]
EventOrNone = Annotated[int, Ref("events", optional=True)]
LimitOrNone = Annotated[int, Ref("limits", optional=True)]
SwitchIndex = Annotated[int, Ref("switches")]
SwitchOrNone = Annotated[int, Ref("switches", optional=True)]
ActionOrNone = Annotated[int, Ref("actions", optional=True)]
DieIndex = Annotated[int, Ref("dice")]
DieOrNone = Annotated[int, Ref("dice", optional=True)]
TrackIndex = Annotated[int, Ref("tracks")]
TerrainOrNone = Annotated[int, Ref("terrains", optional=True)]
BarrierOrNone = Annotated[int, Ref("barriers", optional=True)]
MarkIndex = Annotated[int, Ref("marks")]
AreaIndex = Annotated[int, Ref("areas")]
EnumOrNone = Annotated[int, Ref("enums", optional=True)]
BoardOrNone = Annotated[int, Ref("boards", optional=True)]
TextOrNone = Annotated[int, Ref("texts", optional=True)]
FileIndex = Annotated[int, Ref("files")]
SpanOrNone = Annotated[int, Ref("spans", optional=True)]
CodeIndex = Annotated[int, Ref("codes")]
CodeOrNone = Annotated[int, Ref("codes", optional=True)]
LookIndex = Annotated[int, Ref("codes", pure=True)]
LookOrNone = Annotated[int, Ref("codes", optional=True, pure=True)]
CodeByRow = Annotated[int, Ref("codes", by_row=True)]
CodeByRowOrNone = Annotated[int, Ref("codes", optional=True, by_row=True)]

# ── words ──────────────────────────────────────────────────────────────────────────────────────

Policy = Literal[
    "definitions", "players", "spaces", "single", "records", "parts", "mission", "campaign", "teams", "regions",
    "sides",
]  # fmt: skip
Sort = Literal["const", "stat", "status", "token", "builtin"]
Holding = Literal["", "pure", "effect"]
Scope = Literal["rule", "kind", "definition", "counter", "tier", "lasting"]
Tag = Literal[
    "none", "thing", "number", "flag", "text", "definition", "die", "face", "side", "direction", "zone", "terrain",
    "barrier", "mark", "area", "kind", "field", "enum", "effect", "label", "action", "listener", "done", "won", "lost",
    "drawn",
]  # fmt: skip
"""The meaning of the other numbers of an option, given by its first one; values of types use the tags of the same
name."""
