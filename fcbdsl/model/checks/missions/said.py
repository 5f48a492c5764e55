"""What the behaviour of a model speaks of: names of the map, definitions, tracks, forms; each root is walked once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fcbdsl.model import ir
from fcbdsl.model.content import Definition
from fcbdsl.model.declarations import Declared, Form
from fcbdsl.model.ir import walk

Name = tuple[str, str]
"""Sort (mark, area, terrain, barrier, counter) and name of something that a map may show."""

_OF_MAPS = ("mark", "area", "terrain", "barrier", "counter")
SELF_AND_THIS = 2
"""Slots of a form's body before its parameters."""


@dataclass(frozen=True, slots=True)
class Use:
    """A track that is spoken of: handed to a form as its argument number `at`, or its value is read (no form)."""

    track: ir.Expr
    form: Form | None = None
    at: int = 0
    args: tuple[ir.Expr | None, ...] = ()


@dataclass(slots=True)
class Said:
    """What one piece of behaviour speaks of. `owner`: the declaration it belongs to, None for the system itself.

    `asked`: names that a condition asks for, so that the text knows that the map may lack them."""

    owner: Declared | None
    root: object
    names: dict[Name, ir.Expr] = field(default_factory=dict)
    asked: dict[Name, None] = field(default_factory=dict)
    forms: dict[int, Form] = field(default_factory=dict)  # by identity
    definitions: dict[Name, None] = field(default_factory=dict)  # (kind, id)
    calls: list[ir.Do] = field(default_factory=list)
    tracks: list[Use] = field(default_factory=list)
    hears_tracks: bool = False  # listens to tracks that move
    announces: list[str] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)  # tokens whose number it changes
    sorts: dict[str, None] = field(default_factory=dict)  # kinds of which it may mean any definition


def constants_said(definition: Definition) -> Said:
    """What the fields of a definition speak of that are no behaviour."""
    root = _constants(definition)
    return said_by(definition, root, walk(root))


def _constants(definition: Definition) -> list[object]:
    """The values of fields that are no behaviour."""
    values: list[object] = [value.expr for value in definition.values.values()]
    for part in definition.parts:
        values += _constants(part)
    return values


def said_by(owner: Declared | None, root: object, nodes: Iterable[object]) -> Said:
    """What a piece of behaviour speaks of; `nodes`: those of its tree."""
    said = Said(owner, root)
    for node in nodes:
        _note(said, node)
    return said


def _note(said: Said, node: object) -> None:
    match node:
        case ir.Const(type=type, label=label) if type.base in _OF_MAPS:
            said.names.setdefault((type.base, label), node)
        case ir.Get(field=column) if column.sort == "token":
            said.names.setdefault(("counter", column.id), node)
        case ir.Get(of=of, field=column) if column.sort == "builtin" and column.id == "value":
            said.tracks.append(Use(of))
        case ir.Def(kind=kind, id=name) | ir.Instance(kind=kind, id=name):
            said.definitions[kind, name] = None
        case ir.Apply(form=form, args=args):
            said.forms[id(form)] = form
            said.tracks += _handed(form, args)
        case ir.Do(form=form, args=args):
            said.forms[id(form)] = form
            said.calls.append(node)
            said.tracks += _handed(form, args)
        case ir.If(condition=asked) | ir.Require(condition=asked) | ir.Quantified(select=asked):
            said.asked.update(dict.fromkeys(names_in(asked)))
        case ir.Listener(event=event) | ir.Until(until=event):
            said.hears_tracks = said.hears_tracks or event.id == "track moved"
        case ir.Assign(target=target) if target.field.sort == "token":
            said.sets.append(target.field.id)
        case ir.Announce(event=event):
            said.announces.append(event.id)
        case ir.Select(source=None, type=type) if type.base == "definition":
            said.sorts[type.name] = None
        case _:
            pass


def _handed(form: Form, args: tuple[ir.Expr | None, ...]) -> Iterator[Use]:
    """The tracks that a phrase hands to a form."""
    for at, arg in enumerate(args):
        if arg is not None and not arg.type.many and arg.type.name in _TRACKS:
            yield Use(arg, form, at, args)


_TRACKS = ("track", "countdown", "gauge")


def names_in(node: object) -> Iterator[Name]:
    """Names of the map that an expression speaks of."""
    for below in walk(node):
        if isinstance(below, ir.Const) and below.type.base in _OF_MAPS:
            yield below.type.base, below.label
        elif isinstance(below, ir.Get) and below.field.sort == "token":
            yield "counter", below.field.id


Bound = Mapping[int, list[ir.Expr]]
"""Slots of a body's locals, and what they are bound to or chosen from."""


def bound_calls(said: Said, calls: Sequence[ir.Do]) -> Iterator[tuple[ir.Do, Bound]]:
    """Some of the statements that are said, each with what the locals of its body are bound to."""
    wanted = {id(call): None for call in calls}
    for body in walk(said.root) if calls else ():
        if isinstance(body, ir.Body) and body.slots:
            bound = bound_in(body)
            for call in walk(body):
                if isinstance(call, ir.Do) and id(call) in wanted:
                    yield call, bound


def bound_in(body: ir.Body) -> Bound:
    """What the locals of a body are bound to."""
    out: dict[int, list[ir.Expr]] = {}
    for node in walk(body):
        if isinstance(node, ir.Let | ir.Choose | ir.ForEach):
            value = (
                node.value if isinstance(node, ir.Let) else node.options if isinstance(node, ir.Choose) else node.items
            )
            out.setdefault(node.var.slot, []).append(value)
    return out
