"""Assembly of one code: its instructions with their spans, its registers, and the places of its body's slots."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.compiler.lowering_context import Unit
from fcbdsl.language.model.ir import NOTHING, Expr, Type, Var, constructs, shape
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops.registers import Lit


@dataclass(eq=False, slots=True)
class Label:
    """A jump target; `at` is the number of the instruction after it, once placed."""

    at: int = -1


@dataclass(frozen=True, slots=True)
class Register:
    """A register of the int bank, or of the list bank when `many`."""

    index: int
    many: bool = False


Operand = int | Label | tuple[Register, ...]
"""An operand of an instruction: a number, a jump target, or the registers of a call's arguments."""
BANKS = {"r": 0, "s": 1}
"""Register banks, by the kind of operand."""
CONSTANTS = 1 << 20
"""First provisional number of int registers for constants, until the number of other registers is known."""
MOST_CONSTANTS = 128
"""Constants of a code that get registers; each frame is initialized with all of them."""


@dataclass(frozen=True, slots=True)
class Known:
    """A constant value, which needs no register."""

    value: int


Place = Register | Known
"""The place of a value."""


@dataclass(slots=True)
class Instruction:
    """An op with its operands, labels still symbolic."""

    op: type[Op]
    operands: list[Operand]
    span: Span | None


@dataclass(slots=True)
class Assembler:
    """Collects the instructions of one code and allocates its registers.

    Registers 0.. of both banks belong to the slots of the body. Temporaries are a stack above them, so that `scratch`
    frees everything that was allocated inside it. The constants follow above.
    """

    name: str
    params: int  # registers that the caller writes
    list_params: tuple[int, ...]  # those of them in the list bank
    ints: int  # first free int register
    lists: int  # first free list register
    instructions: list[Instruction] = field(default_factory=list)
    span: Span | None = None
    constants: list[int] = field(default_factory=list)
    first_constant: int = 0

    def emit(self, op: type[Op], *operands: Operand) -> None:
        """Append an instruction with the current span."""
        self.instructions.append(Instruction(op, list(operands), self.span))

    def label(self) -> Label:
        """Return a label that must be placed later."""
        return Label()

    def place(self, label: Label) -> None:
        """Place `label` before the next instruction."""
        label.at = len(self.instructions)

    def here(self) -> Label:
        """Return a label placed before the next instruction."""
        return Label(len(self.instructions))

    def int_register(self) -> int:
        """Take a fresh int register."""
        self.ints += 1
        return self.ints - 1

    def constant(self, number: int) -> int:
        """Return an int register that holds `number`; do not write to it.

        It holds the number from the start of the code or, if the code has too many constants, from here on.
        """
        if number in self.constants:
            return CONSTANTS + self.constants.index(number)
        if len(self.constants) == MOST_CONSTANTS:
            register = self.int_register()
            self.emit(Lit, register, number)
            return register
        self.constants.append(number)
        return CONSTANTS + len(self.constants) - 1

    def list_register(self) -> int:
        """Take a fresh list register."""
        self.lists += 1
        return self.lists - 1

    def scratch(self, span: Span | None = None) -> Scratch:
        """Return a context that frees its registers at the end, and sets the span of its instructions if one is
        given."""
        return Scratch(self, span)

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Set the span of the instructions that are emitted inside."""
        before, self.span = self.span, span
        yield
        self.span = before

    def reachable_end(self) -> bool:
        """Return whether control may reach the current end."""
        end = len(self.instructions)
        if not end or not self.instructions[-1].op.ends:
            return True
        for instruction in self.instructions:
            if instruction.op.jumps:
                for operand in instruction.operands:
                    if isinstance(operand, Label) and operand.at == end:
                        return True
        return False


# ── bodies ──────────────────────────────────────────────────────────────────────────────────────


SELF, THIS = 0, 1


class Scratch:
    """A context of a code (see `Assembler.scratch`).

    It is a class because there are twenty of them for each card. A generator with `contextlib`, which stays Python in
    the compiled build, took a tenth of the time of lowering.
    """

    __slots__ = ("code", "ints", "lists", "span")

    def __init__(self, code: Assembler, span: Span | None) -> None:
        self.code, self.span = code, code.span
        self.ints, self.lists = code.ints, code.lists
        if span is not None:
            code.span = span

    def __enter__(self) -> None:
        """Enter the context, which has already begun."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        code = self.code
        code.ints, code.lists, code.span = self.ints, self.lists, self.span


Changed = tuple[int, int | None, int | None]
"""A parameter of the current event: its number, and the bounds to which it is clamped (None: none)."""


@dataclass(frozen=True, slots=True)
class KnownCondition:
    """A condition that holds, and the places of its slots. `outside`: its construct, without its parts, which most
    other conditions differ in."""

    outside: list[Hashable]
    condition: Expr
    slots: dict[int, Place]


@dataclass(slots=True)
class BodyFrame:
    """The state of lowering one body: its code, locals and known facts.

    `slots` maps each slot to its place. `hoisted` contains loop-invariant expressions that are in a register (by
    identity). `facts` are conditions that hold whenever control gets here. `event_params` maps slots to
    parameters of the event that a before-listener may change. `loops` are the exits of the enclosing loops. `answers`
    is the type that the body answers, if any. `locals` counts the registers of the body's own slots. `together`: an
    enclosing loop delays its events until it is over. `tried`: the register that is set to 0 when something in a `then`
    statement could not be done. `pure`: the body must not change anything. `relation`: the
    row of the relation whose result the log shows (-1: none).
    """

    unit: Unit
    code: Assembler
    slots: dict[int, Place]
    hoisted: dict[int, Place] = field(default_factory=dict)
    facts: tuple[KnownCondition, ...] = ()
    event_params: dict[int, Changed] = field(default_factory=dict)
    loops: list[Label] = field(default_factory=list)
    answers: Type | None = None
    depth: int = 0
    locals: int = 0
    things: tuple[int, ...] = ()
    together: bool = False
    tried: int | None = None
    pure: bool = False
    relation: int = -1

    def place_of(self, var: Var) -> Place:
        """Return the place of a local; a local of an inlined body gets its register at first use."""
        place = self.slots.get(var.slot)
        if place is None:
            place = self.fresh(var.type.many)
            self.slots[var.slot] = place
        return place

    def register_of(self, var: Var) -> int:
        """Return the register for writes to a local."""
        place = self.place_of(var)
        if isinstance(place, Known):
            place = self.fresh(var.type.many)
            self.slots[var.slot] = place
        return place.index

    def fresh(self, many: bool) -> Register:
        """Allocate a temporary register, in the list bank if `many`, else in the int bank."""
        return Register(self.code.list_register() if many else self.code.int_register(), many)

    def inlined(self, slots: dict[int, Place]) -> BodyFrame:
        """Return the frame of a body that is lowered in place of a call to it."""
        return replace(self, slots=slots, hoisted={}, event_params={}, loops=[], answers=None, depth=self.depth + 1)

    def branched(self) -> BodyFrame:
        """Return a frame that sees the same locals; what it binds is not seen outside."""
        return replace(self, slots=dict(self.slots), event_params={}, loops=[], answers=None)

    def know(self, expr: Expr) -> None:
        """Record that a condition holds from here on."""
        self.facts = (*self.facts, KnownCondition(constructs((expr,)), expr, dict(self.slots)))

    def knows(self, expr: Expr) -> bool:
        """Return whether a condition is known to hold for the registers that it reads."""
        if not self.facts:
            return False
        outside = constructs((expr,))
        alike = [fact for fact in self.facts if fact.outside == outside]
        return bool(alike) and shape(expr, self.slots) in [shape(fact.condition, fact.slots) for fact in alike]

    @contextmanager
    def hoisting(self, hoisted: dict[int, Place]) -> Iterator[None]:
        """Within this context, read hoisted values from the registers in `hoisted`."""
        before, facts = self.hoisted, self.facts
        self.hoisted = {**before, **hoisted}
        yield
        self.hoisted, self.facts = before, facts


@dataclass(frozen=True, slots=True)
class SlotLayout:
    """The slots of a code and their places.

    The caller writes the first `params` registers: self, this, and the values from slot `first` on. Locals with lower
    slots (of an enclosing condition) come after all others. In a code of a lasting effect, the slots before `first`
    keep the places that they had in the body that began it (`captured`); their registers come first, and `params`
    includes them.
    """

    slots: Sequence[tuple[str, Type]]
    params: int = 2
    first: int = 2
    captured: dict[int, Place] | None = None
    shift: int = 0

    def places(self) -> dict[int, Place]:
        """Return the place of each slot."""
        if self.captured is None:
            late = len(self.slots) - self.first
            return {
                i: Register(i if i < 2 else i + late if i < self.first else i + 2 - self.first, type_.many)
                for i, (_, type_) in enumerate(self.slots)
            }
        places = {i: place for i, place in self.captured.items() if i < self.first}
        for i, (_, type_) in enumerate(self.slots[self.first :], start=self.first):
            places[i] = Register(i + self.shift, type_.many)
        return places


SELF_THIS = SlotLayout((("self", NOTHING), ("this", NOTHING)))
"""The layout of a code with self and this and without locals."""
_SELF_THIS_PLACES = SELF_THIS.places()


def open_frame(unit: Unit, name: str, layout: SlotLayout) -> BodyFrame:
    """Return the frame of a new code."""
    if layout is SELF_THIS:
        return BodyFrame(unit, Assembler(name, 2, (), 2, 0), dict(_SELF_THIS_PLACES), locals=2, things=(0, 1))
    places = layout.places()
    ints, lists = layout.params, 0
    params: list[int] = []
    for place in places.values():
        if not isinstance(place, Register):
            continue
        ints = max(ints, place.index + 1)
        if place.many:
            lists = max(lists, place.index + 1)
            if place.index < layout.params:
                params.append(place.index)
    held = {0, 1}
    for slot, (_, type_) in enumerate(layout.slots):
        home = places.get(slot)
        if type_.base == "thing" and isinstance(home, Register):
            held.add(home.index)
    assembler = Assembler(name, layout.params, tuple(params), ints, lists)
    return BodyFrame(unit, assembler, places, locals=ints, things=tuple(sorted(held)))
