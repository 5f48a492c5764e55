"""Ops: one class each. Decoding, verification and display derive from their signatures."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, ClassVar, get_args, get_origin

if TYPE_CHECKING:
    from types import ModuleType

    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.world import Ask, Frame


class Access:  # no dataclass, like `Operand`: every command imports them, and generating methods takes longer
    """The use of an operand.

    It has a kind (``r``, ``s``, ``i``, ``label``, ``tag``, ``outcome`` or a table's), is read or written, and `fit` is
    the required property of a field.
    """

    __slots__ = ("fit", "kind", "reads", "writes")

    def __init__(self, kind: str, reads: bool = True, writes: bool = False, fit: str = "") -> None:
        self.kind = kind
        self.reads = reads
        self.writes = writes
        self.fit = fit


Reg = Annotated["i64", Access("r")]
RegOut = Annotated["i64", Access("r", reads=False, writes=True)]
RegInOut = Annotated["i64", Access("r", writes=True)]
List = Annotated["i64", Access("s")]
ListOut = Annotated["i64", Access("s", reads=False, writes=True)]
ListInOut = Annotated["i64", Access("s", writes=True)]
Int = Annotated["i64", Access("i")]
Label = Annotated["i64", Access("label")]
TagNo = Annotated["i64", Access("tag")]
Outcome = Annotated["i64", Access("outcome")]
ReadField = Annotated["i64", Access("field", fit="read")]
ConstField = Annotated["i64", Access("field", fit="const")]
ListField = Annotated["i64", Access("field", fit="lists")]
WrittenField = Annotated["i64", Access("field", fit="written")]
OwnedField = Annotated["i64", Access("field", fit="owned")]
LookField = Annotated["i64", Access("field", fit="pure")]
EffectField = Annotated["i64", Access("field", fit="effect")]
KindNo = Annotated["i64", Access("kind")]
ZoneNo = Annotated["i64", Access("zone")]
DefinitionNo = Annotated["i64", Access("def")]
CodeNo = Annotated["i64", Access("code")]
ArgsNo = Annotated["i64", Access("args")]
VerbNo = Annotated["i64", Access("verb")]
EventNo = Annotated["i64", Access("event")]
LastingNo = Annotated["i64", Access("lasting")]
LabelsNo = Annotated["i64", Access("labels")]
TextNo = Annotated["i64", Access("text")]
SwitchNo = Annotated["i64", Access("switch")]
LimitNo = Annotated["i64", Access("limit")]
RelationNo = Annotated["i64", Access("relation")]
ActionNo = Annotated["i64", Access("action")]

ACCESS: dict[str, Access] = {
    name: get_args(alias)[1] for name, alias in list(globals().items()) if get_origin(alias) is Annotated
}
"""The annotations above, by name."""

TABLES = {
    "field": "fields",
    "kind": "kinds",
    "zone": "zones",
    "def": "definitions",
    "code": "codes",
    "args": "args",
    "verb": "verbs",
    "event": "events",
    "lasting": "lastings",
    "labels": "labels",
    "text": "texts",
    "switch": "switches",
    "limit": "limits",
    "action": "actions",
    "relation": "relations",
}
"""Operand kinds that are indices, and the table of the program they point into. A ``text`` may also be -1."""

TAKING = ("code", "verb", "event")
"""Operand kinds that take arguments: those of the ``args`` that follow; without any, a code or verb gets self, this."""


class Operand:
    """An operand of an op."""

    __slots__ = ("fit", "kind", "name", "reads", "writes")

    def __init__(self, name: str, access: Access) -> None:
        self.name = name
        self.kind = access.kind
        self.reads = access.reads
        self.writes = access.writes
        self.fit = access.fit

    def __str__(self) -> str:
        register = self.kind in ("r", "s")
        mode = ":io" if register and self.reads and self.writes else ":out" if self.writes else ""
        return f"{self.kind}{mode} {self.name}"


class Op:
    """An op of a code. The first sentence of a class's docstring is its reference.

    Its annotated attributes (`Reg`, `ListOut`, `Label` …) are its operands, in order. Decoding, verification,
    disassembly and documentation derive from this signature. `pure`: it changes nothing, asks nothing, and uses no
    random number. `ends`: control never continues to the next op. `unjumped`: operands that are not written when the op
    jumps. `charges`: it uses fuel whenever it runs; `charges_back`: when it jumps backward. A backward jump, or the op
    at its target, must charge. `opposite`: the jump that jumps exactly when this one does not.

    For an op that tests a relation between two things, `lister` is the op that lists all related things, and perhaps
    more; `lists_exactly`: no more. For an op that answers a list, `cheap`: it does not search; `lists`: the kind of the
    listed things (empty: the kind of its argument); `lists_by_number`: they are sorted, distinct, and in play.

    `presumes`: for an op that tests nearness, which few things pass, the op that tests whether the thing is on the
    board. If that holds, this op cannot fault.

    `sees`: the further inputs of its answer besides registers, operands, and data that is constant during a game. It
    contains "zone" for the zones of things (of its kind, if it has one), "place" for their places, and "ground" for
    terrain and barriers. None: unknown (see `vm.linker`).
    Plain Python runs ops with slots faster, so `__slots__` of a class names its operands and the attributes that `link`
    sets.

    `answers`: the tag of all values that it writes; empty: they have no single tag. `answers_field`: they have the tag
    of its field. `passes`: the operand that it fills, and the operand from which the values come.

    `at` is its number in the code, `next` the following one's, `span` its span. `then` is the op that follows, `there`
    the one at the target of its first label.
    """

    __slots__ = ("at", "next", "round", "span", "then", "there")
    name: ClassVar[str]
    pure: ClassVar[bool] = False
    ends: ClassVar[bool] = False
    charges: ClassVar[bool] = False
    charges_back: ClassVar[bool] = False
    unjumped: ClassVar[tuple[str, ...]] = ()
    opposite: ClassVar[type[Op] | None] = None
    lister: ClassVar[type[Op] | None] = None
    lists_exactly: ClassVar[bool] = False
    presumes: ClassVar[type[Op] | None] = None
    cheap: ClassVar[bool] = False
    lists: ClassVar[str] = ""
    lists_by_number: ClassVar[bool] = False
    sees: ClassVar[tuple[str, ...] | None] = None
    answers: ClassVar[str] = ""
    answers_field: ClassVar[bool] = False
    passes: ClassVar[tuple[str, ...]] = ()
    operands: ClassVar[tuple[Operand, ...]] = ()
    jumps: ClassVar[bool] = False  # an operand of the op is a label
    label_names: ClassVar[tuple[str, ...]] = ()  # its operands that are labels
    places: ClassVar[dict[str, tuple[int, ...]]] = {}  # the places of its operands, by their kind
    operand_names: ClassVar[tuple[str, ...]] = ()  # the names of its operands

    def __init__(self) -> None:
        self.at: i64 = 0
        self.next: i64 = 0
        self.span = -1
        self.round = 0
        """Fuel for a round of the longest loop that begins at this op."""
        self.then: Op = self
        self.there: Op = self

    def link(self, image: Image) -> Op:
        """Prepare for running in games of an image; may return another op to run instead."""
        return self

    def join(self, ops: list[Op]) -> None:
        """Resolve the ops to which this one leads, given all linked ops of the code."""
        self.then = ops[self.next] if self.next < len(ops) else self
        if self.label_names:
            self.there = ops[getattr(self, self.label_names[0])]

    def run(self, g: Game, f: Frame) -> Op | None:
        """Run the op; return the next op.

        Return None after setting `f.pc` when another item is on top of the stack, a question is pending, or the frame
        has ended.
        """
        raise NotImplementedError

    def wrapped(self) -> Op:
        """Return the op that this one runs before it does more; itself if it is none of these."""
        return self

    def failed(self, f: Frame) -> None:
        """Handle a failed requirement of the effect that the previous op has begun."""


class Lookup(Op):
    """An op that computes one number, changes and charges nothing else and continues with the next op.

    `boardless`: it cannot fault in a game without a board.
    """

    __slots__ = ("out",)
    boardless: ClassVar[bool] = False
    out: i64

    def read(self, g: Game, f: Frame) -> i64:
        """Return the number that the op computes."""
        raise NotImplementedError

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = self.read(g, f)
        return self.then


class Asking(Op):
    """An op that asks; `f.pc` stays at it until `answer` has processed the chosen option. `asks`: the kind of
    question."""

    __slots__ = ()
    asks: ClassVar[str] = "choose"

    def answer(self, g: Game, f: Frame, ask: Ask, choice: int) -> None:
        """Take option number `choice` and set `f.pc`."""
        raise NotImplementedError

    def is_by_chance(self) -> bool:
        """Return whether chance answers its question, and not a player."""
        return False


def round_cost(ops: int) -> int:
    """Return the fuel for a round of a loop, or a call, of that many ops."""
    return 1 + (ops >> 5)


class DuplicateOp(Exception):
    """Two ops of the same name."""


class Misdeclared(Exception):
    """An op that declares arguments, but no callee."""


def operands_of(cls: type[Op]) -> tuple[Operand, ...]:
    """Return the operands that an op class declares by its own annotations, in order."""
    return tuple([Operand(name, ACCESS[hint]) for name, hint in inspect.get_annotations(cls).items() if hint in ACCESS])


def collect(*modules: ModuleType) -> dict[str, type[Op]]:
    """Return the named ops of the modules in order of their names. Raises DuplicateOp, Misdeclared."""
    ops: dict[str, type[Op]] = {}
    for module in modules:
        for cls in vars(module).values():
            if not (isinstance(cls, type) and issubclass(cls, Op)) or "name" not in vars(cls):
                continue
            if getattr(cls, "__module__", "") != module.__name__:
                continue
            if cls.name in ops:
                raise DuplicateOp(cls.name)
            cls.operands = operands_of(cls)
            cls.operand_names = tuple([operand.name for operand in cls.operands])
            cls.label_names = tuple([operand.name for operand in cls.operands if operand.kind == "label"])
            cls.jumps = bool(cls.label_names)
            cls.places = {}
            for at, operand in enumerate(cls.operands):
                cls.places[operand.kind] = (*cls.places.get(operand.kind, ()), at)
            for before, operand in zip((None, *cls.operands), cls.operands, strict=False):
                if operand.kind == "args" and (before is None or before.kind not in TAKING):
                    raise Misdeclared(f"{cls.name} {operand.name}")
            ops[cls.name] = cls
    return dict(sorted(ops.items()))
