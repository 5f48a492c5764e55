"""Selections: a noun or list, its filters, exceptions, condition and order."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.model import ir
from fcbdsl.model.ir import FLAG, NUMBER, SPACE, Change, Expr, Type, rewrite
from fcbdsl.model.resolve import conditions, expressions, forms
from fcbdsl.model.resolve.fitting import definition_of, fit
from fcbdsl.model.resolve.reading import NONE, Found, Reading, Stops, longest
from fcbdsl.model.resolve.scope import Scope
from fcbdsl.model.resolve.tokens import flatten
from fcbdsl.model.resolve.vocabulary import SINGLETONS
from fcbdsl.source import Span

_GROUND = (("terrains", "terrain", "terrain-is"), ("marks", "mark", "marked"))


def nouns(reading: Reading, at: int) -> list[Found]:
    """The bare nouns at `at`: all of a kind, of a declared noun, or all spaces of a terrain or mark."""
    return reading.once("nouns", at, make=lambda: _nouns(reading, at))


def _nouns(reading: Reading, at: int) -> list[Found]:
    word, model = reading.texts[at], reading.words.model
    if word is None:
        return []
    span = reading.span(at, at + 1)
    out: list[Found] = []
    if word in model.kinds:
        if reading.texts[at + 1] == "definition" and not reading.tokens.possessive(at):
            type = Type("definition", word, True)
            slot = reading.hold("it", type.one())
            out.append((ir.Select(None, slot, None, (), type, reading.span(at, at + 2), word), at + 2))
        type = Type("thing", word, True)
        out.append((ir.Select(None, reading.hold(word, type.one()), None, (), type, span, word), at + 1))
    if word in reading.words.nouns:
        out += _declared(reading, at, word)
    out += _copies(reading, at, word)
    for table, base, op in _GROUND:
        known = list(getattr(model, table))
        form = reading.words.by_op.get(op)
        if word in known and form is not None:
            slot = reading.hold("space", SPACE)
            name = ir.Const(known.index(word), Type(base), span, word)
            where = ir.Apply(form, (ir.Var("it", slot, SPACE, span), name), FLAG, span)
            out.append((ir.Select(None, slot, where, (), SPACE.several(), span, word), at + 1))
    if word in reading.words.areas and "group" in reading.words.by_op:
        area = ir.Const(list(reading.words.areas).index(word), Type("area"), span, word)
        out.append((ir.Apply(reading.words.by_op["group"], (area,), SPACE.several(), span), at + 1))
    return out


def _copies(reading: Reading, at: int, word: str) -> list[Found]:
    """All instances of a definition: ``number of rat``."""
    out: list[Found] = []
    span = reading.span(at, at + 1)
    for one in reading.words.by_id.get(word, ()):
        type = Type("thing", one.kind.id)
        slot = reading.hold(word, type)
        mine = definition_of(reading, ir.Var("it", slot, type, span))
        if mine is not None and one.kind.id not in SINGLETONS:
            same = ir.Def(one.kind.id, one.id, Type("definition", one.kind.id), span)
            where = ir.Binary("=", mine, same, FLAG, span)
            out.append((ir.Select(None, slot, where, (), type.several(), span, word), at + 1))
    return out


def _declared(reading: Reading, at: int, word: str) -> list[Found]:
    """What the author declared a noun to mean, read where it is used."""
    if word in reading.log.expanding:
        return []
    line, clause = reading.words.nouns[word]
    scope = reading.scope
    outer = Scope(scope.self_type, scope.this_type, mode="pure")
    inner = Reading(reading.words, outer, flatten(clause), line.source, line.offset, reading.log)
    reading.log.expanding.add(word)
    failing, reading.log.failing = reading.log.failing, False
    meanings = [expr for expr, end in expressions.whole(inner, None) if end == len(inner.tokens) and expr.type.many]
    reading.log.failing = failing
    reading.log.expanding.discard(word)
    out: list[Found] = []
    for meaning in meanings[:1]:
        slot = reading.hold(word, meaning.type.one())
        out.append((ir.Select(meaning, slot, None, (), meaning.type, reading.span(at, at + 1), word), at + 1))
    return out


def suffixed(reading: Reading, at: int, base: Found, stops: Stops) -> list[Found]:
    """A list with as many of the filters, exceptions, conditions and criteria that follow as make sense."""
    expr, end = base
    return reading.once("selection", at, end, expr, stops, make=lambda: _suffixed(reading, at, base, stops))


def _suffixed(reading: Reading, at: int, base: Found, stops: Stops) -> list[Found]:
    expr, end = base
    select = expr if isinstance(expr, ir.Select) and not expr.order else None
    if select is None:
        slot = reading.hold("it", expr.type.one())
        select = ir.Select(expr, slot, None, (), expr.type, expr.span, "")
    inner = reading.about(select.it, select.type.one())
    filtered: dict[int, ir.Select] = {}
    _filters(inner, at, select, end, stops, filtered)
    out: list[Found] = []
    for after, one in filtered.items():
        out += _ordered(reading, inner, at, one, after)
    out = longest(out)
    return [base if after == end else (one, after) for one, after in out]


def _filters(inner: Reading, at: int, select: ir.Select, end: int, stops: Stops, reached: dict[int, ir.Select]) -> None:
    """Note where the selection may end, and with which filters it gets there: with those that the longer nouns
    inside them leave to it, for a filter belongs to the nearest noun."""
    if end in reached:
        return
    reached[end] = select
    for test, after in _filter(inner, select, end, stops):
        _filters(inner, at, _narrowed(inner, at, select, test, after), after, stops, reached)
    text = inner.texts[end]
    skip = end + 1 if text == "," and inner.texts[end + 1] == "except" else end
    if inner.texts[skip] == "except" and "except" not in stops:
        for test, after in _except(inner, select, skip + 1, stops):
            _filters(inner, at, _narrowed(inner, at, select, test, after), after, stops, reached)
    if text == "where":
        for test, after in conditions.disjunction(inner, end + 1):
            reached.setdefault(after, _narrowed(inner, at, select, test, after))


def _narrowed(inner: Reading, at: int, select: ir.Select, test: Expr, after: int) -> ir.Select:
    span = inner.span(at, after)
    both = test if select.where is None else ir.Binary("and", select.where, test, FLAG, span)
    return replace(select, where=both, span=span)


def _candidate(inner: Reading, at: int) -> ir.Var:
    it = inner.scope.it
    assert it is not None
    return inner.var("it", it.slot, it.type, at, at + 1)


def _filter(inner: Reading, select: ir.Select, at: int, stops: Stops) -> list[Found]:
    """A relation, ``not`` a relation, or ``with`` a counter, about the candidate."""
    text = inner.texts[at]
    if text is None or text in stops or text in {"", ",", "where"}:
        return []
    it = _candidate(inner, at)
    if text == "not":
        found = forms.relations(inner, at + 1, it, at + 1, stops)
        return [(ir.Not(expr, FLAG, inner.span(at, end)), end) for expr, end in found]
    out = forms.relations(inner, at, it, at, stops)
    if text == "with":
        out = out + _bearing(inner, it, at + 1)
    return out


def _bearing(inner: Reading, it: ir.Var, at: int) -> list[Found]:
    """``with Tired``, ``with no Tired``."""
    lacking = inner.texts[at] == "no"
    start = at + 1 if lacking else at
    if start >= len(inner.tokens):
        return []
    out: list[Found] = []
    for expr, end in expressions.attributes(inner, it, start, start, NONE):
        test = fit(inner, expr, FLAG)
        if test is not None:
            out.append((ir.Not(test, FLAG, inner.span(at, end)) if lacking else test, end))
    return out


def _except(inner: Reading, select: ir.Select, at: int, stops: Stops) -> list[Found]:
    it = _candidate(inner, at)
    out: list[Found] = []
    for other, end in expressions.primaries(inner, at, select.type.one(), stops):
        out.append((ir.Binary("!=", it, other, FLAG, inner.span(at, end)), end))
    if not out:
        for others, end in expressions.primaries(inner, at, select.type, stops):
            slot = inner.hold("it", others.type.one())
            var = ir.Var("it", slot, others.type.one(), others.span)
            same = ir.Binary("=", var, it, FLAG, others.span)
            out.append((ir.Quantified("no", others, slot, same, FLAG, inner.span(at, end)), end))
    return out


# ── order ─────────────────────────────────────────────────────────────────────────────────────


def _ordered(reading: Reading, inner: Reading, at: int, select: ir.Select, end: int) -> list[Found]:
    out: list[Found] = [(select, end)]
    if reading.texts[end] != "," or reading.texts[end + 1] != "by":
        return out
    for criterion, after in _criterion(inner, end + 2):
        order, stop = [criterion], after
        while reading.texts[stop] == "," and reading.texts[stop + 1] == "then":
            more = _criterion(inner, stop + 2)
            if not more:
                break
            order.append(more[0][0])
            stop = more[0][1]
        out.append((replace(select, order=tuple(order), span=reading.span(at, stop)), stop))
    return out


def _criterion(inner: Reading, at: int) -> list[tuple[ir.Criterion, int]]:
    most = inner.texts[at] == "most"
    start = at + 1 if inner.texts[at] in {"most", "fewest"} else at
    out: list[tuple[ir.Criterion, int]] = []
    for key, end in expressions.sums(inner, start, None, NONE):
        if key.type in (NUMBER, FLAG) or key.type.base == "enum":
            out.append((ir.Criterion(key, most, inner.span(at, end)), end))
    return out


# ── membership ────────────────────────────────────────────────────────────────────────────────


def belongs(reading: Reading, thing: Expr, selection: Expr, span: Span) -> Expr | None:
    """The condition that `thing` is one of `selection`; None if nothing more than its type is needed."""
    if not isinstance(selection, ir.Select):
        slot = reading.hold("it", selection.type.one())
        var = ir.Var("it", slot, selection.type.one(), span)
        return ir.Quantified("any", selection, slot, ir.Binary("=", var, thing, FLAG, span), FLAG, span)
    tests: list[Expr] = []
    if selection.source is not None:
        inner = belongs(reading, thing, selection.source, span)
        tests += [inner] if inner is not None else []
    elif selection.noun not in reading.words.by_id and not reading.words.is_a(thing.type.name, selection.type.name):
        tests.append(ir.IsA(thing, selection.type.name, FLAG, span))
    if selection.where is not None:
        tests.append(rewrite(selection.where, Change(values={selection.it: thing})))
    if not tests:
        return None
    out = tests[0]
    for test in tests[1:]:
        out = ir.Binary("and", out, test, FLAG, span)
    return out
