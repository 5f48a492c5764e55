"""The frame of a body being lowered: where its slots live, and what surrounds the present statement."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace

from fcbdsl.compiler.assembler import Assembler, Known, Label, Place, Register
from fcbdsl.compiler.unit import Unit
from fcbdsl.model.ir import NOTHING, Expr, Type, Var, shape
from fcbdsl.records import dataclass

SELF, THIS = 0, 1


@dataclass(slots=True)
class BodyFrame:
    """One body being lowered.

    `slots` says where each slot lives; `hoisted` holds loop-invariant expressions that a register already has (by
    identity); `facts` are conditions (by shape) that hold wherever control gets here; `event_params` maps the slots
    that are parameters of the event being heard, where a before-listener may change them; `loops` are the exits of the
    loops around; `answers` is the type that the body answers, if it answers; `locals` counts the registers of the
    body's own slots; `together`: a loop is around whose events are heard when it is over; `tried`: the
    register that is 0 once something of what is being tried could not be done.
    """

    unit: Unit
    code: Assembler
    slots: dict[int, Place]
    hoisted: dict[int, Place] = field(default_factory=dict)
    facts: frozenset[Hashable] = frozenset()
    event_params: dict[int, int] = field(default_factory=dict)
    loops: list[Label] = field(default_factory=list)
    answers: Type | None = None
    depth: int = 0
    locals: int = 0
    together: bool = False
    tried: int | None = None

    def place_of(self, var: Var) -> Place:
        """Where a local lives; a local of an inlined body gets its register at first sight."""
        place = self.slots.get(var.slot)
        if place is None:
            place = self.fresh(var.type.many)
            self.slots[var.slot] = place
        return place

    def register_of(self, var: Var) -> int:
        """The register that a local is written to."""
        place = self.place_of(var)
        if isinstance(place, Known):
            place = self.fresh(var.type.many)
            self.slots[var.slot] = place
        return place.index

    def fresh(self, many: bool) -> Register:
        """Take a register of the bank."""
        return Register(self.code.list_register() if many else self.code.int_register(), many)

    def inlined(self, slots: dict[int, Place]) -> BodyFrame:
        """The frame of a body that is lowered in place of a call to it."""
        return replace(self, slots=slots, hoisted={}, event_params={}, loops=[], answers=None, depth=self.depth + 1)

    def branched(self) -> BodyFrame:
        """A frame that sees the same locals; what it binds is not seen outside."""
        return replace(self, slots=dict(self.slots), event_params={}, loops=[], answers=None)

    def know(self, expr: Expr) -> None:
        """Remember that a condition holds from here on."""
        self.facts |= {self.fact(expr)}

    def fact(self, expr: Expr) -> Hashable:
        """What a condition says of the registers that it speaks about."""
        return shape(expr, self.slots)

    @contextmanager
    def hoisting(self, found: dict[int, Place]) -> Iterator[None]:
        """Let `found` be held by registers inside."""
        before, facts = self.hoisted, self.facts
        self.hoisted = {**before, **found}
        yield
        self.hoisted, self.facts = before, facts


@dataclass(frozen=True, slots=True)
class SlotLayout:
    """The slots of a code and where they live.

    The first `params` registers are written by the caller: self, this, and what begins in slot `first`. The locals
    that were met before that (in a condition that stands above it) come after all others. In a code that belongs to a
    lasting effect the slots before `first` live where they lived in the body that began it (`captured`), whose
    registers come first, `params` included.
    """

    slots: Sequence[tuple[str, Type]]
    params: int = 2
    first: int = 2
    captured: dict[int, Place] | None = None
    shift: int = 0

    def places(self) -> dict[int, Place]:
        """The place of each slot."""
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
"""Of a code that gets self and this and has no locals."""


def open_frame(unit: Unit, name: str, layout: SlotLayout) -> BodyFrame:
    """Begin a code."""
    places = layout.places()
    taken = [place for place in places.values() if isinstance(place, Register)]
    ints = max([layout.params, *(place.index + 1 for place in taken)])
    lists = max([0, *(place.index + 1 for place in taken if place.many)])
    params = tuple(place.index for place in taken if place.many and place.index < layout.params)
    return BodyFrame(unit, Assembler(name, layout.params, params, ints, lists), places, locals=ints)


def held(frame: BodyFrame, expr: Expr) -> Place | None:
    """The place that already holds `expr`, if there is one."""
    if isinstance(expr, Var):
        return frame.place_of(expr)
    return frame.hoisted.get(id(expr))
