"""Conditions: comparisons, relations, `is`, `any`/`no`/`every`, and, or, not."""

from __future__ import annotations

from fcbdsl.diagnostics.phrases import WrongType
from fcbdsl.model import ir
from fcbdsl.model.ir import FLAG, Expr, Type
from fcbdsl.model.resolve import expressions, forms, selections
from fcbdsl.model.resolve.fitting import akin, definition_of, fit
from fcbdsl.model.resolve.reading import NONE, Found, Reading, longest
from fcbdsl.model.resolve.wording import type_words

_COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}


def disjunction(reading: Reading, at: int) -> list[Found]:
    """Conditions at `at`, longest first."""
    key = ("disjunction", at)
    if key not in reading.memo:
        reading.memo[key] = _joined(reading, at, "or")
    return reading.memo[key]


def _joined(reading: Reading, at: int, op: str) -> list[Found]:
    operand = _conjunction if op == "or" else _negation
    out: list[Found] = []
    todo = operand(reading, at)
    while todo:
        out += todo
        grown: list[Found] = []
        for left, end in todo:
            if reading.texts[end] == op:
                for right, after in operand(reading, end + 1) or _repeated(reading, left, end + 1):
                    grown.append((ir.Binary(op, left, right, FLAG, reading.span(at, after)), after))
        todo = grown
    return longest(out)


def _repeated(reading: Reading, left: Expr, at: int) -> list[Found]:
    """``x is a or b``: the second comparison has the subject of the first."""
    last = left.right if isinstance(left, ir.Binary) and left.op == "or" else left
    if not isinstance(last, ir.Binary) or last.op != "=":
        return []
    out: list[Found] = []
    for other, end in expressions.sums(reading, at, last.left.type, NONE):
        out.append((ir.Binary("=", last.left, other, FLAG, reading.span(at, end)), end))
    return out


def _conjunction(reading: Reading, at: int) -> list[Found]:
    return _joined(reading, at, "and")


def _negation(reading: Reading, at: int) -> list[Found]:
    key = ("negation", at)
    if key not in reading.memo:
        if reading.texts[at] == "not":
            found = _negation(reading, at + 1)
            reading.memo[key] = [(ir.Not(expr, FLAG, reading.span(at, end)), end) for expr, end in found]
        else:
            reading.memo[key] = _comparison(reading, at)
    return reading.memo[key]


def _comparison(reading: Reading, at: int) -> list[Found]:
    out: list[Found] = []
    if reading.texts[at] in {"any", "no", "every"}:
        out += _quantified(reading, at)
    for left, end in expressions.sums(reading, at, None, NONE):
        op = reading.texts[end]
        if op in _COMPARISONS:
            out += _compared(reading, at, left, end)
        out += predicate(reading, left, end, at)
        truth = None if _named(reading, left) else fit(reading, left, FLAG)
        if truth is not None:
            out.append((truth, end))
        elif left.type != FLAG:
            _no_condition(reading, at, end, left)
    out += forms.relations(reading, at, None, at, NONE)
    return longest(out)


def _named(reading: Reading, left: Expr) -> bool:
    """Whether a selection begins with a word that means one thing, a subject: a definition's id, or a local."""
    if not isinstance(left, ir.Select) or left.source is not None:
        return False
    return left.noun in reading.words.by_id or reading.scope.find(left.noun) is not None


def _no_condition(reading: Reading, at: int, end: int, left: Expr) -> None:
    reading.fail(
        at,
        1,
        lambda: WrongType(
            reading.span(at, end), phrase=reading.phrase(at, end), found=type_words(left.type), wanted="a condition"
        ),
    )


def _compared(reading: Reading, at: int, left: Expr, end: int) -> list[Found]:
    op = reading.texts[end] or ""
    out: list[Found] = []
    want = left.type if left.type.base != "nothing" else None
    counts = op not in {"=", "!="}
    if counts and left.type.base != "number":
        reading.fail(
            at,
            3,
            lambda: WrongType(
                reading.span(at, end), phrase=reading.phrase(at, end), found=type_words(left.type), wanted="a number"
            ),
        )
        return []
    for right, after in expressions.sums(reading, end + 1, want, NONE):
        out.append((ir.Binary(op, left, right, FLAG, reading.span(at, after)), after))
    if not out and reading.log.failing:
        for right, after in expressions.sums(reading, end + 1, None, NONE)[:1]:
            _mismatch(reading, end + 1, after, right, left.type)
    return out


def _mismatch(reading: Reading, at: int, end: int, right: Expr, want: Type) -> None:
    reading.fail(
        at,
        3,
        lambda: WrongType(
            reading.span(at, end), phrase=reading.phrase(at, end), found=type_words(right.type), wanted=type_words(want)
        ),
    )


# ── what is said of a subject ─────────────────────────────────────────────────────────────────


def predicate(reading: Reading, subject: Expr, at: int, start: int) -> list[Found]:
    """What the words at `at` say about `subject`: ``[is] [not] RELATION …``, ``is [not] VALUE``."""
    copula = reading.texts[at] in {"is", "are", "has"}
    place = at + 1 if copula else at
    denied = reading.texts[place] == "not"
    if denied:
        place += 1
    text = reading.texts[place]
    if text == "" or (subject.type.many and not copula):
        return []
    found = forms.relations(reading, place, subject, start, NONE)
    if copula:
        found = found + _complement(reading, subject, place)
    if denied:
        found = [(ir.Not(expr, FLAG, reading.span(start, end)), end) for expr, end in found]
    return longest(found)


def _complement(reading: Reading, subject: Expr, at: int) -> list[Found]:
    """What follows `is`: a marker, a flag, a kind, a definition, an equal."""
    out: list[Found] = []
    if subject.type.base in {"thing", "definition"} and not subject.type.many and reading.texts[at] is not None:
        out += _marked(reading, subject, at)
        out += _of_kind(reading, subject, at)
        out += _defined(reading, subject, at)
    out += _equal(reading, subject, at)
    return out


def _marked(reading: Reading, subject: Expr, at: int) -> list[Found]:
    word = reading.texts[at] or ""
    if not reading.words.is_attribute(word) or reading.scope.find(word) is not None:
        return []
    out: list[Found] = []
    for expr, end in expressions.attributes(reading, subject, at, at, NONE):
        flag = fit(reading, expr, FLAG)
        if flag is not None and not isinstance(expr, ir.Apply):
            out.append((flag, end))
    return out


def _of_kind(reading: Reading, subject: Expr, at: int) -> list[Found]:
    word = reading.texts[at] or ""
    if (
        not reading.words.is_noun(word)
        or word in reading.words.by_id
        or reading.scope.find(word) is not None
        or reading.tokens.possessive(at)
    ):
        return []
    out: list[Found] = []
    for noun in selections.nouns(reading, at):
        if not akin(reading, noun[0].type, subject.type) or noun[0].type.base != subject.type.base:
            continue
        for selected, end in selections.suffixed(reading, at, noun, NONE):
            span = reading.span(at, end)
            test = selections.belongs(reading, subject, selected, span)
            out.append((test if test is not None else ir.Const(1, FLAG, span, "yes"), end))
    return out


def _defined(reading: Reading, subject: Expr, at: int) -> list[Found]:
    """``x is rat``: whichever instance."""
    word = reading.texts[at] or ""
    if subject.type.base != "thing" or reading.scope.find(word) is not None or reading.tokens.possessive(at):
        return []
    out: list[Found] = []
    span = reading.span(at, at + 1)
    for one in reading.words.definitions(word, subject.type.name):
        mine = definition_of(reading, subject)
        if mine is not None:
            same = ir.Def(one.kind.id, one.id, Type("definition", one.kind.id), span)
            out.append((ir.Binary("=", mine, same, FLAG, span), at + 1))
    return out


def _equal(reading: Reading, subject: Expr, at: int) -> list[Found]:
    out: list[Found] = []
    want = subject.type if subject.type.base != "nothing" else None
    for other, end in expressions.sums(reading, at, want, NONE):
        out.append((ir.Binary("=", subject, other, FLAG, reading.span(at, end)), end))
    if subject.type.base == "thing" and not subject.type.many:
        for other, end in expressions.primaries(reading, at, None, NONE):
            mine = definition_of(reading, subject) if other.type.base == "definition" and not other.type.many else None
            if mine is not None:
                out.insert(0, (ir.Binary("=", mine, other, FLAG, reading.span(at, end)), end))
    return out


def _quantified(reading: Reading, at: int) -> list[Found]:
    """``any rat …``, ``no rat is Tired``, ``every rat is on exit``."""
    quantifier = reading.texts[at] or ""
    out: list[Found] = []
    todo: list[Found] = []
    for selected, end in expressions.primaries(reading, at + 1, None, NONE):
        if selected.type.many:
            todo.append((selected, end))
    for selected, end in todo:
        element = selected.type.one()
        slot = reading.hold("it", element)
        subject = reading.var("it", slot, element, at + 1, end)
        for test, after in predicate(reading, subject, end, at):
            out.append((ir.Quantified(quantifier, selected, slot, test, FLAG, reading.span(at, after)), after))
        if quantifier != "every":
            out.append((ir.Quantified(quantifier, selected, slot, None, FLAG, reading.span(at, end)), end))
    return longest(out)
