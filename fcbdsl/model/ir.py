"""The typed tree: what an author's text means once the vocabulary has been applied.

The compiler lowers it, the prose room reads it aloud. Every node carries its span; every expression its
type. Locals are numbered per body (`Var.slot`); the first slots are the parameters in order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcbdsl.model.declarations import Event, Field, Form, Kind
    from fcbdsl.source import Span


# ── types ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the language.

    `base` is one of number, flag, text, thing (an instance of kind `name`), definition (a definition of
    kind `name`), enum (`name`), die, face, side, direction, zone, effect, condition, form, nothing.
    Words of the vocabulary as arguments have bases counter, mark, terrain, barrier, area and kind; a zone's
    `name` is the kind it holds. A `many` type is an ordered list of the same.
    """

    base: str
    name: str = ""
    many: bool = False

    def one(self) -> Type:
        """The type of a single element."""
        return Type(self.base, self.name)

    def several(self) -> Type:
        """The type of a list of these."""
        return Type(self.base, self.name, True)


NUMBER = Type("number")
FLAG = Type("flag")
TEXT = Type("text")
NOTHING = Type("nothing")
SPACE = Type("thing", "space")


# ── expressions ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Const:
    """A number, flag (0/1), enum value (its index), direction, or face index of a die."""

    value: int
    type: Type
    span: Span
    label: str = ""  # the name it was written by, for prose


@dataclass(frozen=True, slots=True)
class Text:
    """A literal text."""

    value: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Var:
    """A local, parameter, `self`, `this`, `it` or a bound noun: slot `slot` of its body."""

    name: str
    slot: int
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Def:
    """A definition as a value (`rat` in `spawn rat`); dice are definitions of kind ``die``."""

    kind: str
    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Instance:
    """The instance number `copy` (from 1) of a definition; also singletons such as the game,
    tracks and top-level zones (base ``zone``)."""

    kind: str
    id: str
    copy: int
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Variant:
    """The current value (an index) of a variant switch."""

    id: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Get:
    """A stat, field, status count or token count of a thing (or a field of a definition).

    `owner` is set for a status `owned by` somebody: count of that owner's markers only."""

    of: Expr
    field: Field
    type: Type
    span: Span
    owner: Expr | None = None


@dataclass(frozen=True, slots=True)
class ZoneOf:
    """The zone `zone` of a thing (a kind's zone)."""

    of: Expr
    zone: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Apply:
    """A relation or measure applied to its arguments, one per declared parameter (None: not given,
    and the parameter has no default expression)."""

    form: Form
    args: tuple[Expr | None, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """op: + - * / = != < <= > >= and or min max."""

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    """Negation of a flag."""

    operand: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class IsA:
    """Whether a thing is of kind `kind` (or of a descendant of it)."""

    of: Expr
    kind: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Criterion:
    """An ordering key over the candidate; `most` for the highest first."""

    key: Expr
    most: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Select:
    """Candidates in order that satisfy `where`; with `order`, all that tie for best.

    `source` None: every instance of the kind of `type` that is in play (on a space or in a zone);
    else the list it draws from. `it` is the slot of the candidate. `definitions` when candidates are definitions.
    `noun` is the word the author used."""

    source: Expr | None
    it: int
    where: Expr | None
    order: tuple[Criterion, ...]
    type: Type
    span: Span
    noun: str = ""


@dataclass(frozen=True, slots=True)
class Quantified:
    """`any`/`no`/`every` over a selection (`every`: `test` holds for each candidate), or `number of` it."""

    quantifier: str  # any, no, every, number
    select: Expr
    it: int
    test: Expr | None
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class ListOf:
    """An explicit list (`A1, B2`), or the empty list. An item that is itself `many` is spliced."""

    items: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice (None: one) rolled together; only inside Roll. Value: a number for numbered dice
    (their sum), a face index for one symbol die, a list of face indices for several."""

    count: Expr | None
    die: Expr
    type: Type
    span: Span


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


# ── statements ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Let:
    var: Var
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """Set (`=`) or change (`+`) a stat, status or token count; `target.field` is mutable."""

    target: Get
    op: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Do:
    """A verb with its arguments. `text` etc. of the form give its printed wording."""

    form: Form
    args: tuple[Expr | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Announce:
    event: Event
    args: tuple[Expr | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Body
    otherwise: Body
    span: Span


@dataclass(frozen=True, slots=True)
class ForEach:
    var: Var
    items: Expr
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Repeat:
    """`times` None: until the game is over (flow only)."""

    times: Expr | None
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Choose:
    """Bind one element of `options` (or a list of up to `up_to`), chosen by `by` (a player; None: the
    default chooser of the body). `optional`: may decline, then `var` holds nothing (-1) or an empty list."""

    var: Var
    options: Expr
    by: Expr | None
    optional: bool
    up_to: Expr | None
    span: Span
    chance: bool = False  # `, at random`: nobody is asked


@dataclass(frozen=True, slots=True)
class Option:
    label: dict[str, str]  # language -> text; empty: generated from the body
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class ChooseOne:
    """Pick one option and do it; `may` is a ChooseOne with one option and `optional`."""

    options: tuple[Option, ...]
    by: Expr | None
    optional: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a roll: `low..high` of the value (high None: open), a set of faces, or else."""

    low: int | None
    high: int | None
    faces: tuple[int, ...]
    label: str
    title: dict[str, str]
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll; bind the value to `var` (if any); do the first row that fits. With `against`, value is the
    margin and rows are win (1..), tie (0..0), lose (..-1)."""

    var: Var | None
    dice: Expr
    against: Expr | None
    rows: tuple[Row, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Play:
    """Have a mission (a definition) played in a world of its own; then what follows if it is won, or else."""

    mission: Expr
    won: Body
    lost: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Require:
    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Stop:
    """End this effect."""

    span: Span


@dataclass(frozen=True, slots=True)
class Break:
    span: Span


@dataclass(frozen=True, slots=True)
class Cancel:
    """Cancel the event being listened to."""

    span: Span


@dataclass(frozen=True, slots=True)
class Answer:
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Until:
    """Modifiers and listeners that last until `until` is announced; they see the locals as they are now.

    Their bodies start with the slots of the enclosing body (captured), then their own."""

    until: Event
    subject: Expr | None  # `until end of turn of X`: only for that first argument
    modifiers: tuple[Modifier, ...]
    listeners: tuple[Listener, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Offer:
    """Let `actors` take actions until they are done (asked of `by`, else of the controllers)."""

    actors: Expr
    by: Expr | None
    once: bool  # a single action, not a stream
    span: Span


@dataclass(frozen=True, slots=True)
class End:
    """End the game: outcome win, lose or draw (for `side`, if given)."""

    outcome: str
    side: Expr | None
    why: dict[str, str]
    span: Span


Stmt = (
    Let
    | Assign
    | Do
    | Announce
    | If
    | ForEach
    | Repeat
    | Choose
    | ChooseOne
    | Roll
    | Play
    | Require
    | Stop
    | Break
    | Cancel
    | Answer
    | Until
    | Offer
    | End
)


@dataclass(frozen=True, slots=True)
class Body:
    """Statements with their locals: `slots[i]` is the (name, type) of slot i; nested bodies share the
    outermost body's slots."""

    statements: tuple[Stmt, ...]
    slots: tuple[tuple[str, Type], ...] = ()


# ── behaviour that waits ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Slot:
    """How a listener binds one parameter of an event: `slot` of its body and a condition on it."""

    slot: int
    condition: Expr | None
    noun: str


@dataclass(frozen=True, slots=True)
class Listener:
    """`timing`: before, instead, after. Slots 0 and 1 of the body are `self` and `this`; then the
    event's parameters in order (`binds[i]` describes parameter i). `condition` is read in the body's slots.
    `limit`: an event that refreshes it (once per turn) or None. `offered`: the holder may decline."""

    event: Event
    timing: str
    binds: tuple[Slot, ...]
    condition: Expr | None
    limit: Event | None
    offered: bool
    body: Body
    span: Span
    title: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Modifier:
    """While `condition` holds, `field` of each `subject` (candidate in slot `it`) is changed.

    Slots 0 and 1 are `self` and `this`; `mode`: set, add, double, least (floor), most (cap)."""

    field: Field
    kind: Kind
    it: int
    where: Expr | None
    mode: str
    amount: Expr
    condition: Expr | None
    slots: tuple[tuple[str, Type], ...]
    span: Span
