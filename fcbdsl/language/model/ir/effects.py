"""Statements and bodies of the typed tree, and listeners and modifiers."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.base.words import End as Ending
from fcbdsl.base.words import Mode, Timing
from fcbdsl.language.model.ir.node import Node, SlotNumber, Spelling
from fcbdsl.language.model.ir.values import Expr, Get, ListOf, Type, Var

if TYPE_CHECKING:
    from fcbdsl.language.model.declarations import Event, Field, Form, Kind


# ── statements ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Let(Node):
    """Give a local a value."""

    var: Var
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """Set (`=`) or change (`+`) a stat, status or token count; `target.field` is mutable."""

    target: Get
    op: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Do(Node):
    """A verb with its arguments. `text` etc. of the form give its printed wording."""

    form: Form
    args: tuple[Expr | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Announce(Node):
    """Announce an event that has no effect by itself."""

    event: Event
    args: tuple[Expr | None, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class If(Node):
    """Run a body if a condition holds, else another."""

    condition: Expr
    then: Body
    otherwise: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Then(Node):
    """Run `tried`; then run `then` if all of it was done, else `otherwise`."""

    tried: Body
    then: Body
    otherwise: Body
    span: Span


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """Run a body for each item.

    `together`: listeners run after the events of all rounds have happened. `any_order`: `by` chooses the next item
    (None: the default chooser of the body). `secret`: number of leading statements whose choices are made in secret;
    the rest of the body runs after everyone has chosen (0: none).
    """

    var: Var
    items: Expr
    body: Body
    span: Span
    together: bool = False
    any_order: bool = False
    by: Expr | None = None
    secret: int = 0


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """Repeat a body. `times` None: until the game is over (flow only)."""

    times: Expr | None
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Choose(Node):
    """Bind one element of `options`, or a list of up to `up_to` (`exactly`: that many), chosen by `by`.

    `by` is a player; None: the default chooser of the body. `optional`: the player may decline; then `var` holds
    nothing (-1) or an empty list.
    """

    var: Var
    options: Expr
    by: Expr | None
    optional: bool
    up_to: Expr | None
    span: Span
    chance: bool = False  # `, at random`: nobody is asked
    exactly: bool = False


@dataclass(frozen=True, slots=True)
class Option(Node):
    """One option of a choice: its label, and its body."""

    label: dict[str, str]  # language -> text; empty: generated from the body
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class ChooseOne(Node):
    """Pick one option and do it; `may` is a ChooseOne with one option and `optional`."""

    options: tuple[Option, ...]
    by: Expr | None
    optional: bool
    span: Span


@dataclass(frozen=True, slots=True)
class AnyOrder(Node):
    """Do all `steps` that can be done, in an order chosen by `by` (None: the default chooser of the body)."""

    steps: tuple[Option, ...]
    by: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Row(Node):
    """A row of a roll: `low..high` of the value (high None: open), a set of faces, or else."""

    low: int | None
    high: int | None
    faces: tuple[int, ...]
    label: str
    title: dict[str, str]
    body: Body
    span: Span


@dataclass(frozen=True, slots=True)
class Roll(Node):
    """Roll, bind the value to `var` (if any), and run the first row that fits.

    With `against`, the value is the margin, and rows are win (1..), tie (0..0), lose (..-1). With `instead`, `var` is a
    list, and the roll replaces one such value in it; if there is none, nothing is rolled.
    """

    var: Var | None
    dice: Expr
    against: Expr | None
    rows: tuple[Row, ...]
    span: Span
    instead: Expr | None = None


@dataclass(frozen=True, slots=True)
class PlayRow(Node):
    """The body to run if a played mission ends with `end` and, unless None, is won by `team` or has that `ending`."""

    end: Ending
    team: Expr | None
    body: Body
    span: Span
    ending: Expr | None = None


@dataclass(frozen=True, slots=True)
class Play(Node):
    """Play a mission (a definition) in a separate world; then run the row for its result."""

    mission: Expr
    rows: tuple[PlayRow, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Require(Node):
    """End the effect, as not done, unless a condition holds."""

    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """Do nothing: an explicit empty row, option or branch."""

    span: Span


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """End this effect."""

    span: Span


@dataclass(frozen=True, slots=True)
class Break(Node):
    """Leave the innermost loop."""

    span: Span


@dataclass(frozen=True, slots=True)
class Cancel(Node):
    """Cancel the event being listened to."""

    span: Span


@dataclass(frozen=True, slots=True)
class Answer(Node):
    """End the body with its answer."""

    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Until(Node):
    """Modifiers and listeners that last until `until` is announced; they see the locals as they are now.

    Their bodies start with the slots of the enclosing body (captured), then their own."""

    until: Event
    subject: Expr | None  # `until end of turn of X`: only for that first argument
    modifiers: tuple[Modifier, ...]
    listeners: tuple[Listener, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Offer(Node):
    """Let `actors` take actions until they are done (asked of `by`, else of the controllers)."""

    actors: Expr
    by: Expr | None
    once: bool  # a single action, not a stream
    free: Expr | None  # they may be done only while this holds, or if they have no action left
    span: Span


@dataclass(frozen=True, slots=True)
class End(Node):
    """End the game: outcome win, lose or draw (for `side`, if given), with a named `ending`, if given."""

    outcome: str
    side: Expr | None
    why: dict[str, str]
    span: Span
    ending: Expr | None = None

    @property
    def is_shared(self) -> bool:
        """Return whether it may be the end of several players or teams at once."""
        side = self.side
        return side is not None and side.type.many and not (isinstance(side, ListOf) and len(side.items) == 1)


Stmt = (
    Let
    | Assign
    | Do
    | Announce
    | If
    | Then
    | ForEach
    | Repeat
    | Choose
    | ChooseOne
    | AnyOrder
    | Roll
    | Play
    | Require
    | Nothing
    | Stop
    | Break
    | Cancel
    | Answer
    | Until
    | Offer
    | End
)


@dataclass(frozen=True, slots=True)
class Body(Node):
    """Statements with their locals: `slots[i]` is the (name, type) of slot i; nested bodies share the
    outermost body's slots."""

    statements: tuple[Stmt, ...]
    slots: tuple[tuple[str, Type], ...] = ()


# ── listeners and modifiers ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Slot(Node):
    """How a listener binds one parameter of an event: a `slot` of its body and a condition on it."""

    slot: SlotNumber
    condition: Expr | None
    noun: Spelling


@dataclass(frozen=True, slots=True)
class Listener(Node):
    """A listener of an event, or a ``whenever`` if the event is `builtins.CHANGE`.

    `timing`: before, instead, after. Slots 0 and 1 of the body are `self` and `this`; then come the event's parameters
    in order (`binds[i]` describes parameter i). `condition` is read in the body's slots. `limit`: an event that
    refreshes it (once per turn) or None. `offered`: the holder may decline. `may`: the listener itself is marked so,
    not its kind. A ``whenever`` runs when `condition` becomes true, only the first time if `once`. `first`: the first
    slot after the locals that it captures.
    """

    event: Event
    timing: Timing
    binds: tuple[Slot, ...]
    condition: Expr | None
    limit: Event | None
    offered: bool
    body: Body
    span: Span
    title: dict[str, str] = field(default_factory=dict)
    may: bool = False
    once: bool = False
    first: SlotNumber = 2


@dataclass(frozen=True, slots=True)
class Modifier(Node):
    """While `condition` holds, `field` of each `subject` (candidate in slot `it`) is changed.

    Slots 0 and 1 are `self` and `this`; `mode`: set, add, double, least (floor), most (cap). `noun` is the word that
    the author used for the subject."""

    field: Field
    kind: Kind
    it: SlotNumber
    where: Expr | None
    mode: Mode
    amount: Expr
    condition: Expr | None
    slots: tuple[tuple[str, Type], ...]
    span: Span
    noun: Spelling = ""
