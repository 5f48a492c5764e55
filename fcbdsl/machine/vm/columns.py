"""What the columns of a program's tables hold: every number says what it points at, every word which ones there are.

The verifier follows from it: see `verify`. `TextOrNone` and its like are numbers that may also be -1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

# ── numbers ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Ref:
    """An index into a table of the program. `optional`: it may also be -1.

    Of an index of a code: `pure` is one that must change and ask nothing. It gets self and this, and no more, unless
    what it gets and may do hangs on the rest of its row (`by_row`: `verify_codes` says how)."""

    table: str
    optional: bool = False
    pure: bool = False
    by_row: bool = False


@dataclass(frozen=True, slots=True)
class Plain:
    """A number that points nowhere. `by_row`: what it may be hangs on the rest of its row; `verify` says how."""

    by_row: bool = False


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
"""What the first number of an option says about the others; values of types use the tags of the same name."""
