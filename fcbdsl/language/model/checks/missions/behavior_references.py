"""References in the behavior of a model: names of the map, definitions, tracks, forms; each root is walked once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Declared, Form, Trait
from fcbdsl.language.model.ir import ByClass, walk

Name = tuple[str, str]
"""Sort (mark, area, terrain, barrier, counter) and name of something that a map may show."""

Bound = Mapping[int, list[ir.Expr]]
"""Slots of a body's locals, and their values or the lists they are chosen from."""

_OF_MAPS = ("mark", "area", "terrain", "barrier", "counter")
_MAKES = {Trait.SETS_TERRAIN: "terrain", Trait.SETS_BARRIER: "barrier", Trait.SETS_COUNTER: "counter"}
"""Traits of forms that add names to a map, and the sort of these names."""
SELF_AND_THIS = 2
"""Slots of a form's body before its parameters."""


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a track: it is argument number `at` of a form, or its value is read (no form)."""

    track: ir.Expr
    form: Form | None = None
    at: int = 0
    args: tuple[ir.Expr | None, ...] = ()


@dataclass(slots=True)
class References:
    """References in one piece of behavior. `owner`: the declaration it belongs to, None for the system itself.

    `asked`: names that a condition tests for, so that the text allows for a map without them.
    """

    owner: Declared | None
    root: object
    names: dict[Name, ir.Expr] = field(default_factory=dict)
    asked: dict[Name, None] = field(default_factory=dict)
    forms: dict[Form, None] = field(default_factory=dict)
    definitions: dict[Name, None] = field(default_factory=dict)  # (kind, id)
    calls: list[ir.Do] = field(default_factory=list)
    tracks: list[Use] = field(default_factory=list)
    hears_tracks: bool = False  # listens to tracks that move
    announces: list[str] = field(default_factory=list)
    makes: dict[Name, None] = field(default_factory=dict)  # names that it may add to a map; no name: any of that sort
    sorts: dict[str, None] = field(default_factory=dict)  # kinds of which it may mean any definition
    _bound: dict[int, list[Bound]] | None = None

    def bound(self, call: ir.Do) -> Sequence[Bound]:
        """Return the values to which the locals around a statement are bound, for each body around it."""
        if self._bound is None:
            self._bound = {}
            for body in walk(self.root) if self.calls else ():
                if isinstance(body, ir.Body) and body.slots:
                    bound = bound_in(body)
                    for node in walk(body):
                        if isinstance(node, ir.Do):
                            self._bound.setdefault(id(node), []).append(bound)
        return self._bound.get(id(call), ())

    def forget_bound(self) -> None:
        """Drop the cached locals, which are stored by the identity of statements."""
        self._bound = None


def constant_references(definition: Definition, own: tuple[ir.Node, ...]) -> References:
    """Return the references in the constant fields of a definition.

    `own`: the nodes of the definition itself.
    """
    of_parts = [_constants(part) for part in definition.parts]
    return references_in(definition, _constants(definition), own + walk(of_parts) if of_parts else own)


def _constants(definition: Definition) -> list[object]:
    """Return the values of fields that are no behavior."""
    values: list[object] = [value.expr for value in definition.values.values()]
    for part in definition.parts:
        values += _constants(part)
    return values


def references_in(owner: Declared | None, root: object, nodes: Iterable[ir.Node]) -> References:
    """Return the references in a piece of behavior; `nodes`: those of its tree."""
    references = References(owner, root)
    for node in nodes:
        note = _NOTES.get(node.__class__)
        if note is not None:
            note(references, node)
    return references


_NOTES = ByClass()
"""Functions that record the references in a node, by its class."""


@_NOTES.of(ir.Const)
def _note_constant(references: References, node: ir.Const) -> None:
    if node.type.base in _OF_MAPS:
        references.names.setdefault((node.type.base, node.label), node)


@_NOTES.of(ir.Get)
def _note_get(references: References, node: ir.Get) -> None:
    column = node.field
    if column.sort == "token":
        references.names.setdefault(("counter", column.id), node)
    elif column.sort == "builtin" and column.id == "value":
        references.tracks.append(Use(node.of))


@_NOTES.of(ir.Def, ir.Instance)
def _note_defined(references: References, node: ir.Def | ir.Instance) -> None:
    references.definitions[node.kind, node.id] = None


@_NOTES.of(ir.Apply)
def _note_applied(references: References, node: ir.Apply) -> None:
    references.forms[node.form] = None
    references.tracks += _handed(node.form, node.args)


@_NOTES.of(ir.Do)
def _note_done(references: References, node: ir.Do) -> None:
    references.forms[node.form] = None
    references.calls.append(node)
    references.tracks += _handed(node.form, node.args)
    for sort in [_MAKES[trait] for trait in node.form.traits if trait in _MAKES]:
        named = [arg.label for arg in node.args if isinstance(arg, ir.Const) and arg.type.base == sort]
        references.makes.update({(sort, label): None for label in named or [""]})


@_NOTES.of(ir.If, ir.Require)
def _note_asked(references: References, node: ir.If | ir.Require) -> None:
    references.asked.update(dict.fromkeys(map_names_in(node.condition)))


@_NOTES.of(ir.Quantified)
def _note_quantified(references: References, node: ir.Quantified) -> None:
    references.asked.update(dict.fromkeys(map_names_in(node.select)))


@_NOTES.of(ir.Listener, ir.Until)
def _note_heard(references: References, node: ir.Listener | ir.Until) -> None:
    event = node.event if isinstance(node, ir.Listener) else node.until
    references.hears_tracks = references.hears_tracks or event.id == "track moved"


@_NOTES.of(ir.Assign)
def _note_assigned(references: References, node: ir.Assign) -> None:
    if node.target.field.sort == "token":
        references.makes["counter", node.target.field.id] = None


@_NOTES.of(ir.Announce)
def _note_announced(references: References, node: ir.Announce) -> None:
    references.announces.append(node.event.id)


@_NOTES.of(ir.Select)
def _note_selected(references: References, node: ir.Select) -> None:
    if node.source is None and node.type.base == "definition":
        references.sorts[node.type.name] = None


def _handed(form: Form, args: tuple[ir.Expr | None, ...]) -> Iterator[Use]:
    """Yield the tracks among the arguments of a phrase."""
    for at, arg in enumerate(args):
        if arg is not None and not arg.type.many and arg.type.name in _TRACKS:
            yield Use(arg, form, at, args)


_TRACKS = ("track", "countdown", "gauge")


def map_names_in(node: object) -> Iterator[Name]:
    """Yield the names of the map in an expression."""
    for below in walk(node):
        if isinstance(below, ir.Const) and below.type.base in _OF_MAPS:
            yield below.type.base, below.label
        elif isinstance(below, ir.Get) and below.field.sort == "token":
            yield "counter", below.field.id


def bound_in(body: ir.Body) -> Bound:
    """Return the values to which the locals of a body are bound."""
    out: dict[int, list[ir.Expr]] = {}
    for node in walk(body):
        if isinstance(node, ir.Let | ir.Choose | ir.ForEach):
            value = (
                node.value if isinstance(node, ir.Let) else node.options if isinstance(node, ir.Choose) else node.items
            )
            out.setdefault(node.var.slot, []).append(value)
    return out


# ── effects on a track that is an argument of a form ──────────────────────────────────────────

_MOVES = {Trait.RAISES: 1, Trait.LOWERS: -1}


@dataclass(slots=True)
class Effect:
    """Changes of a track: whether it may rise or fall, and whether its value is read."""

    up: bool = False
    down: bool = False
    read: bool = False

    def join(self, other: Effect) -> bool:
        """Add more effects; return whether any of them is new."""
        before = (self.up, self.down, self.read)
        self.up, self.down, self.read = self.up or other.up, self.down or other.down, self.read or other.read
        return before != (self.up, self.down, self.read)


Handed = dict[tuple[int, int], Effect]
"""Effects of forms (by identity) on the track that is their argument of that number."""


def effects_on_tracks(all: list[References]) -> Handed:
    """Return the effects of forms on their arguments that are tracks, directly or through other forms."""
    out: Handed = {}
    grown = True
    while grown:
        grown = False
        for references in all:
            for use in references.tracks if isinstance(references.owner, Form) else ():
                at = parameter(references, use.track)
                if at is not None:
                    grown |= out.setdefault((id(references.owner), at), Effect()).join(effect_of(use, out))
    return out


def parameter(references: References, expr: ir.Expr) -> int | None:
    """Return the number of the parameter if an expression is a parameter of its form; else None."""
    if not isinstance(references.owner, Form) or not isinstance(expr, ir.Var):
        return None
    at = expr.slot - SELF_AND_THIS
    return at if 0 <= at < len(references.owner.params) else None


def effect_of(use: Use, effects: Handed) -> Effect:
    """Return the effect of a use of a track."""
    form = use.form
    if form is None:
        return Effect(read=True)
    if form.op is None:
        return effects.get((id(form), use.at), Effect())
    sign = next((_MOVES[trait] for trait in form.traits if trait in _MOVES), 0)
    if not sign:
        return Effect(read=True)
    amount = use.args[1] if len(use.args) > 1 else None
    if not isinstance(amount, ir.Const):
        return Effect(up=True, down=True)
    return Effect(up=amount.value * sign > 0, down=amount.value * sign < 0)
