"""Types, and the expressions of the typed tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.base.records import PlainRecord, dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.ir.node import Node, SlotNumber, Spelling

if TYPE_CHECKING:
    from fcbdsl.language.model.declarations import Field, Form


# ── types ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Type(PlainRecord):
    """A type of the language.

    `base` is one of number, flag, text, thing (an instance of kind `name`), definition (a definition of
    kind `name`), enum (`name`), die, face, direction, zone, effect, condition, form, nothing.
    Words of the vocabulary as arguments have bases counter, mark, terrain, barrier, area and kind; a zone's
    `name` is the kind it holds. A `many` type is an ordered list of the same.
    """

    base: str
    name: str = ""
    many: bool = False

    def one(self) -> Type:
        """Return the type of a single element."""
        return Type(self.base, self.name)

    def several(self) -> Type:
        """Return the type of a list of this type."""
        return Type(self.base, self.name, True)


NUMBER = Type("number")
FLAG = Type("flag")
TEXT = Type("text")
NOTHING = Type("nothing")
SPACE = Type("thing", "space")
SIDE = Type("thing", "side")


# ── expressions ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Const(Node):
    """A number, flag (0/1), enum value (its index), direction, or face index of a die."""

    value: int
    type: Type
    span: Span
    label: str = ""  # the name it was written by, for prose


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A literal text."""

    value: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Var(Node):
    """A local, parameter, `self`, `this`, `it` or a bound noun: slot `slot` of its body."""

    name: Spelling
    slot: SlotNumber
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Def(Node):
    """A definition as a value (`rat` in `spawn rat`); dice are definitions of kind ``die``."""

    kind: str
    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Instance(Node):
    """The instance number `copy` (from 1) of a definition; also singletons such as the game,
    tracks and top-level zones (base ``zone``)."""

    kind: str
    id: str
    copy: int
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Variant(Node):
    """The current value (an index) of a variant switch."""

    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Get(Node):
    """A stat, field, status count or token count of a thing (or a field of a definition).

    `owner` is set for a status with an owner: only markers of that owner count.
    """

    of: Expr
    field: Field
    type: Type
    span: Span
    owner: Expr | None = None


@dataclass(frozen=True, slots=True)
class ZoneOf(Node):
    """The zone `zone` of a thing (a kind's zone)."""

    of: Expr
    zone: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A relation or measure applied to its arguments, one per declared parameter (None: not given,
    and the parameter has no default expression)."""

    form: Form
    args: tuple[Expr | None, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """op: + - * / = != < <= > >= and or min max."""

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Not(Node):
    """Negation of a flag."""

    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class IsA(Node):
    """Whether a thing is of kind `kind` (or of a descendant of it)."""

    of: Expr
    kind: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Criterion(Node):
    """An ordering key over the candidate; `most` for the highest first."""

    key: Expr
    most: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Select(Node):
    """Candidates in order that satisfy `where`.

    With `order`, all that tie for best, or all of them `sorted` by it. `source`: the list it draws from; None: every
    instance of the kind of `type` that is in play (on a space or in a zone). `it`: the slot of the candidate.
    `definitions`: candidates are definitions. `noun`: the word the author used.
    """

    source: Expr | None
    it: SlotNumber
    where: Expr | None
    order: tuple[Criterion, ...]
    type: Type
    span: Span
    noun: Spelling = ""
    sorted: bool = False


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`any`/`no`/`every` over a selection (`every`: `test` holds for each candidate), or `number of` it."""

    quantifier: str  # any, no, every, number
    select: Expr
    it: SlotNumber
    test: Expr | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class ListOf(Node):
    """An explicit list (`A1, B2`), or the empty list. An item that is itself `many` is spliced."""

    items: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Dice(Node):
    """`count` dice (None: one) rolled together; only inside Roll. Value: a number for numbered dice
    (their sum), a face index for one symbol die, a list of symbols for several; `each`: a list of what each shows."""

    count: Expr | None
    die: Expr
    type: Type
    span: Span
    each: bool = False


Expr = (
    Const
    | Text
    | Var
    | Def
    | Instance
    | Variant
    | Get
    | ZoneOf
    | Apply
    | Binary
    | Not
    | IsA
    | Select
    | Quantified
    | ListOf
    | Dice
)
