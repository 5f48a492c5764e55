"""Selections, built without reading other expressions: nouns, the candidate, filters and membership."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.ir import FLAG, SPACE, Expr, Substitution, Type, substitute
from fcbdsl.language.model.resolve.fitting import definition_expr
from fcbdsl.language.model.resolve.parse_state import Capture, Found, ParseState
from fcbdsl.language.model.resolve.vocabulary import SINGLETONS


def is_list(expr: Expr) -> bool:
    """Return whether an expression is a list itself, and not a single value in place of a list."""
    return expr.type.many and not (isinstance(expr, ir.ListOf) and len(expr.items) == 1)


_GROUND = (
    ("terrains", "terrain", "terrain-is", SPACE),
    ("marks", "mark", "marked", SPACE),
    ("barriers", "barrier", "bears", ir.SIDE),
)
"""Names that select all spaces or sides of that sort: the attribute that declares them, their type, and their test."""


def ground_nouns(state: ParseState, at: int, word: str, span: Span) -> list[Found]:
    """Return the spaces or sides of a terrain, mark or barrier, or the spaces of an area."""
    out: list[Found] = []
    for table, base, op, of in _GROUND:
        names = getattr(state.words.model, table)
        form = state.words.by_op.get(op)
        if word in names and form is not None:
            slot = state.hold(of.name, of)
            name = ir.Const(list(names).index(word), Type(base), span, word)
            where = ir.Apply(form, (ir.Var("it", slot, of, span), name), FLAG, span)
            out.append((ir.Select(None, slot, where, (), of.several(), span, word), at + 1))
    if word in state.words.areas and "group" in state.words.by_op:
        area = ir.Const(list(state.words.areas).index(word), Type("area"), span, word)
        out.append((ir.Apply(state.words.by_op["group"], (area,), SPACE.several(), span), at + 1))
    return out


def all_definitions(state: ParseState, kind: str, span: Span) -> ir.Select:
    """Return all definitions of a kind: ``weapon definition``; where definitions are expected, just ``weapon``."""
    type = Type("definition", kind, True)
    return ir.Select(None, state.hold("it", type.one()), None, (), type, span, kind)


def all_directions(state: ParseState, span: Span) -> ir.Select:
    """Return all directions of steps between neighbors."""
    way = Type("direction")
    ways = [ir.Const(number, way, span, name) for number, name in enumerate(state.words.model.ways())]
    every = ir.ListOf(tuple(ways), way.several(), span)
    return ir.Select(every, state.hold("direction", way), None, (), way.several(), span, "direction")


def instances_of(state: ParseState, at: int, word: str, span: Span) -> list[Found]:
    """Return all instances of a definition: ``number of rat``."""
    out: list[Found] = []
    for definition in state.words.called(word, span.source.name):
        type = Type("thing", definition.kind.id)
        slot = state.hold(word, type)
        mine = definition_expr(state, ir.Var("it", slot, type, span))
        if mine is not None and definition.kind.id != TEAM and definition.kind.id not in SINGLETONS:
            same = ir.Def(definition.kind.id, definition.id, Type("definition", definition.kind.id), span)
            where = ir.Binary("=", mine, same, FLAG, span)
            out.append((ir.Select(None, slot, where, (), type.several(), span, word), at + 1))
    return out


def note_itself(inner: ParseState, at: int, select: ir.Select, test: Expr, after: int) -> None:
    """Note a filter that holds the candidate against `it`, which is the candidate."""
    while isinstance(test, ir.Not):
        test = test.operand
    if isinstance(test, ir.Apply) and any(_is_it(arg, select.it) for arg in test.args[1:]):
        capture = Capture(inner.phrase(at, after), select.noun or select.type.name, itself=True)
        inner.log.captures[test.span] = capture


def _is_it(expr: Expr | None, slot: int) -> bool:
    """Return whether an argument is the candidate, or its place where that is needed."""
    while isinstance(expr, ir.ListOf | ir.Get):
        inside = expr.of if isinstance(expr, ir.Get) else expr.items[0] if len(expr.items) == 1 else None
        if inside is None or inside.span != expr.span:
            return False
        expr = inside
    if not isinstance(expr, ir.Var) or expr.slot != slot:
        return False
    span = expr.span  # a bare column is read as the candidate's without the word
    return span.source.text[span.start : span.end] == "it"


def add_condition(inner: ParseState, at: int, select: ir.Select, test: Expr, after: int) -> ir.Select:
    """Return a selection with one more condition of its candidate."""
    span = inner.span(at, after)
    both = test if select.where is None else ir.Binary("and", select.where, test, FLAG, span)
    return replace(select, where=both, span=span)


def candidate_var(inner: ParseState, at: int) -> ir.Var:
    """Return the candidate of the selection that is being read."""
    it = inner.scope.it
    assert it is not None
    return inner.var("it", it.slot, it.type, at, at + 1)


def belongs(state: ParseState, thing: Expr, selection: Expr, span: Span) -> Expr | None:
    """Return the condition that `thing` is one of `selection`; None if nothing more than its type is needed."""
    if not isinstance(selection, ir.Select):
        slot = state.hold("it", selection.type.one())
        var = ir.Var("it", slot, selection.type.one(), span)
        return ir.Quantified("any", selection, slot, ir.Binary("=", var, thing, FLAG, span), FLAG, span)
    tests: list[Expr] = []
    if selection.source is not None:
        inner = belongs(state, thing, selection.source, span)
        tests += [inner] if inner is not None else []
    elif selection.noun not in state.words.by_id and not state.words.is_a(thing.type.name, selection.type.name):
        tests.append(ir.IsA(thing, selection.type.name, FLAG, span))
    if selection.where is not None:
        tests.append(substitute(selection.where, Substitution(values={selection.it: thing})))
    if not tests:
        return None
    out = tests[0]
    for test in tests[1:]:
        out = ir.Binary("and", out, test, FLAG, span)
    return out
