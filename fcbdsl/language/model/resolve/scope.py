"""Names visible to a phrase: locals in their slots, `self`, `this`, the candidate `it`; and which statements are
allowed."""

from __future__ import annotations

from collections.abc import Iterable

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Board
from fcbdsl.language.model.declarations import Event, Field, Kind
from fcbdsl.language.model.ir import NOTHING, Type
from fcbdsl.language.model.whole import Model

SELF, THIS = 0, 1
"""Slots of every body: who acts, and what it is about."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A name of a body: its slot and its type (`NOTHING`: not settled yet)."""

    name: str
    slot: int
    type: Type


class Slots:
    """The slots of one body, shared by all its blocks."""

    def __init__(self, slots: Iterable[tuple[str, Type]] = ()) -> None:
        self.slots: list[tuple[str, Type]] = list(slots)
        self.unsound: set[str] = set()
        """Names bound by lines that could not be read; only asked for membership."""
        self.later: set[str] = set()
        """Names that some line of the body binds; only asked for membership."""

    def new(self, name: str, type: Type) -> int:
        """Allocate a slot."""
        self.slots.append((name, type))
        return len(self.slots) - 1


class Scope:
    """The names visible at one place.

    `mode`: statements, pure (no statement), or test (a test's step). `heard` and `timing`: the event of the listener (a
    before-listener may change its parameters and cancel it). `gives`: the type that `answer` must have; None where it
    is not allowed. `looping`: inside a loop. `flow`: the game's program, where ``repeat:`` without a count is allowed.
    """

    def __init__(
        self,
        self_type: Type | None = None,
        this_type: Type | None = None,
        params: Iterable[tuple[str, Type]] = (),
        mode: str = "statements",
        board: Board | None = None,
        offered: bool = False,
        gives: Type | None = None,
        flow: bool = False,
        parent: Scope | None = None,
    ) -> None:
        if parent is None:
            self.frame = Slots([("self", self_type or NOTHING), ("this", this_type or NOTHING)])
        else:
            self.frame = parent.frame
        self.self_type, self.this_type = self_type, this_type
        self.mode, self.board, self.offered, self.gives, self.flow = mode, board, offered, gives, flow
        self.looping = False
        self.heard: Event | None = None
        self.timing = ""
        self.it: Binding | None = None
        self._parent = parent
        self.locals: dict[str, Binding] = {**parent.locals} if parent is not None else {}
        """The visible locals, by name."""
        self._own: dict[str, None] = {}
        for name, type in params:
            self.bind(name, type)

    def child(self) -> Scope:
        """Return the scope of a nested block, which sees all names bound so far. Its own names end with it."""
        inner = Scope(
            self.self_type, self.this_type, (), self.mode, self.board, self.offered, self.gives, self.flow, self
        )
        inner.looping, inner.heard, inner.timing, inner.it = self.looping, self.heard, self.timing, self.it
        return inner

    def listener(self, event: Event, timing: str, captured: bool = False) -> Scope:
        """Return the body of a listener: `self` and `this`, and all locals too if `captured`, then the event's
        parameters."""
        inner = self.child()
        inner.frame = Slots(self.frame.slots if captured else self.frame.slots[:2])
        inner.frame.later, inner.frame.unsound = self.frame.later, self.frame.unsound
        if not captured:
            inner._parent, inner.locals = None, {}
        inner.heard, inner.timing, inner.looping, inner.gives, inner.it = event, timing, False, None, None
        inner.mode, inner.flow = "statements", False
        for param in event.params:
            inner.bind(param.name, param.type)
        return inner

    def candidate(self, slot: int, type: Type) -> Scope:
        """Return the scope inside a selection, where `it` is the candidate."""
        inner = self.child()
        inner.it = Binding("it", slot, type)
        return inner

    def bind(self, name: str, type: Type) -> Binding:
        """Bind a new name in a new slot."""
        return self.alias(name, self.frame.new(name, type), type)

    def alias(self, name: str, slot: int, type: Type) -> Binding:
        """Bind a name to a slot that exists."""
        binding = Binding(name, slot, type)
        self.locals[name] = binding
        self._own[name] = None
        return binding

    def settle(self, binding: Binding, type: Type) -> Binding:
        """Set the type of a local whose first value (nothing, none) left it open."""
        settled = Binding(binding.name, binding.slot, type)
        self.frame.slots[binding.slot] = (binding.name, type)
        scope: Scope | None = self
        while scope is not None:
            if scope.locals.get(binding.name) is binding:
                scope.locals[binding.name] = settled
            scope = scope._parent
        return settled

    def find(self, name: str) -> Binding | None:
        """Return the local of that name in view."""
        return self.locals.get(name)

    def names(self) -> list[str]:
        """Return all locals in view, innermost first."""
        out: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            out += scope._own
            scope = scope._parent
        return list(dict.fromkeys(out))

    def signature(self) -> tuple[object, ...]:
        """Return everything that the reading of a phrase depends on, except the spaces of its board.

        Equal signatures give equal readings on boards that give equal answers to the reading's questions.
        """
        bindings = tuple(self.locals.values())
        heard = self.heard.id if self.heard is not None else ""
        return (self.self_type, self.this_type, self.it, self.mode, self.timing, heard, self.board is None, bindings)

    def slots(self) -> tuple[tuple[str, Type], ...]:
        """Return the slots of the body so far, for `Body.slots`."""
        return tuple(self.frame.slots)


def own_scope(kind: Kind, model: Model, field: Field | None = None) -> tuple[Type, Type]:
    """Return the types of `self` and `this` in the texts of a kind: its holder and itself; for a part, those of its
    owner. In a `field` with a role, `self` has that kind."""
    if field is not None and field.role:
        return Type("thing", field.role), own_scope(kind, model)[1]
    if kind.part_of is not None and kind.part_of in model.kinds:
        return own_scope(model.kinds[kind.part_of], model)
    above: Kind | None = kind
    while above is not None and not above.held:
        above = above.parent
    this = Type("thing", kind.id)
    return (Type("thing", above.held) if above is not None and above.held else this), this


def scope_of(
    kind: Kind, model: Model, mode: str = "statements", offered: bool = False, field: Field | None = None
) -> Scope:
    """Return a scope for the texts of a kind, or for a `field` of it."""
    self_type, this_type = own_scope(kind, model, field)
    return Scope(self_type, this_type, mode=mode, offered=offered)
