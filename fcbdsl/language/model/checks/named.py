"""References by name alone, and the files that declare those names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Definition, Test
from fcbdsl.language.model.declarations import Kind
from fcbdsl.language.model.ir import ByClass
from fcbdsl.language.model.whole import Model

Named = tuple[str, str]
"""Something that has a name: its table in the model (or `definitions/KIND`, or `columns`), and its id."""

_LABELS = {
    "enum": "enums",
    "counter": "columns",
    "mark": "marks",
    "terrain": "terrains",
    "barrier": "barriers",
    "kind": "kinds",
}
"""Bases of constants that are named, and their tables."""


NAMES = ByClass()
"""Functions that return the name in a node of the typed tree, by its class."""


@NAMES.of(ir.Instance)
def _defined(node: ir.Def | ir.Instance) -> Named:
    return f"definitions/{node.kind}", node.id


@NAMES.of(ir.Def)
def _definition(node: ir.Def) -> Named:
    return ("dice", node.id) if node.kind == "die" else _defined(node)


@NAMES.of(ir.IsA)
def _kind(node: ir.IsA) -> Named:
    return "kinds", node.kind


@NAMES.of(ir.Select)
def _selected(node: ir.Select) -> Named | None:
    return ("kinds", node.type.name) if node.source is None and node.type.base in ("thing", "definition") else None


@NAMES.of(ir.Const)
def _constant(node: ir.Const) -> Named | None:
    base = node.type.base
    table = _LABELS.get(base)
    return None if table is None else (table, node.type.name if base == "enum" else node.label)


@NAMES.of(ir.Variant)
def _switch(node: ir.Variant) -> Named:
    return "switches", node.id


def named_beside(model: Model, files: Mapping[str, object]) -> Iterator[tuple[Named, Span]]:
    """Yield the names in the declarations of some files, outside of behavior: parents, types, bearers, maps,
    settings."""
    for kind in model.kinds.values():
        if kind.span.source.name in files and kind.parent is not None:
            yield ("kinds", kind.parent.id), kind.span
        for column in kind.fields.values():
            if column.span.source.name in files:
                yield from _typed(column.type, column.span)
    for form in model.forms:
        for param in form.params if form.span.source.name in files else ():
            yield from _typed(param.type, form.span)
    for event in model.events.values():
        for param in event.params if event.span.source.name in files else ():
            yield from _typed(param.type, event.span)
    for terrain in model.terrains.values():
        if terrain.span.source.name in files and terrain.switch:
            yield ("switches", terrain.switch), terrain.span
    for definition in model.definitions.values():
        if definition.span.source.name in files:
            yield from _set_up(definition, model)
    for test in model.tests:
        if test.span.source.name in files:
            yield from _tested(test, model)


def declared_in(model: Model, named: Named) -> str:
    """Return the name of the source that declares something; empty if it is built in or undeclared."""
    table, id = named
    declared: object
    if table.startswith("definitions/"):
        declared = model.definitions.get((table.partition("/")[2], id))
    elif table == "columns":
        declared = next((kind.fields[id] for kind in model.kinds.values() if id in kind.fields), None)
    else:
        declared = getattr(model, table).get(id)
    span: Span | None = getattr(declared, "span", None)
    return span.source.name if span is not None else ""


def _typed(type: ir.Type, span: Span) -> Iterator[tuple[Named, Span]]:
    if type.base in ("thing", "definition") and type.name:
        yield ("kinds", type.name), span
    elif type.base == "enum":
        yield ("enums", type.name), span


def _set_up(definition: Definition, model: Model) -> Iterator[tuple[Named, Span]]:
    if definition.target is not None:
        yield (f"definitions/{definition.target.kind.id}", definition.target.id), definition.span
    for switch in definition.overrides:
        yield ("switches", switch), definition.span
    if definition.board is not None:
        yield from names_on_map(definition.board, model)


def _tested(test: Test, model: Model) -> Iterator[tuple[Named, Span]]:
    if test.mission is not None:
        yield (f"definitions/{test.mission[0]}", test.mission[1]), test.span
    for switch in test.overrides:
        yield ("switches", switch), test.span
    for step in test.steps:
        for face in step.faces:
            if face.die:
                yield ("dice", face.die), step.span
    if test.board is not None:
        yield from names_on_map(test.board, model)


def names_on_map(board: Board, model: Model) -> Iterator[tuple[Named, Span]]:
    """Yield the names on a map."""
    placed = {id: cell.span or board.span for cell in reversed(board.cells) for id in cell.places}
    placed.update(dict.fromkeys(board.regions, board.span))
    for kind, id in model.definitions if placed else ():
        if id in placed and _is_placed(model.kinds[kind]):
            yield (f"definitions/{kind}", id), placed[id]
    for cell in board.cells:
        span = cell.span or board.span
        yield ("terrains", cell.terrain), span
        for token in cell.tokens:
            yield ("columns", token), span
        for mark in cell.marks:
            yield ("marks", mark), span
    for barrier in board.sides.values():
        yield ("barriers", barrier), board.span
    for _, _, mark in board.joins:
        yield ("marks", mark), board.span


def _is_placed(kind: Kind) -> bool:
    """Return whether things of a kind are pieces on a map, or regions of it."""
    return any(ancestor.id in ("piece", "region") for ancestor in kind.lineage())
