"""Modifiers: ``while CONDITION:``, ``always:``, and their lines ``SUBJECT has +1 STAT``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from fcbdsl.base.diagnostics.declarations import WrongPlace
from fcbdsl.base.diagnostics.phrases import Incomplete, WrongType
from fcbdsl.base.words import Mode, one_of
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import FLAG, NUMBER, Expr, Modifier, Renamed, Substitution, Type, substitute
from fcbdsl.language.model.lines import clause_words
from fcbdsl.language.model.resolve import expressions, failing, selections
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.parse_state import NONE, ParseState
from fcbdsl.language.model.resolve.scope import Scope, Slots
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.model.resolve.vocabulary import read_type
from fcbdsl.language.syntax.tree import Clause, Line, Number

if TYPE_CHECKING:
    from fcbdsl.language.model.declarations import Field

_USAGE = "SUBJECT has +1 STAT"
_Said = tuple[Expr, "Field", Mode, Expr]
"""Subject, column, mode and amount."""


def read_conditional(resolver: Resolver, line: Line, scope: Scope) -> list[Modifier]:
    """Read ``while CONDITION:`` or ``always:`` with the modifiers after and below it."""
    head = line.head
    if head is None or line.broken:
        return _all(resolver, line, line.tail if head is None else (), scope, None, None)
    clause = head if head.parts and head.lead == "while" else None
    if head.lead == "while" and not head.parts:
        usage = "while CONDITION: …"
        resolver.report(Incomplete(line.span_of(head), lead="while", what="its condition", usage=usage))
        return []
    if clause_words(head) == ("while", "here"):
        cure = "Write `always: …` for an effect without a condition, or `while CONDITION: …`."
        resolver.report(WrongPlace(line.span_of(head), what="`while here:` is a line of a tier.", cure=cure))
        return []
    return _all(resolver, line, line.tail, scope, clause, None)


def _all(
    resolver: Resolver, line: Line, tail: Sequence[Clause], scope: Scope, condition: Clause | None, ready: Expr | None
) -> list[Modifier]:
    out: list[Modifier] = []
    places = [(line, clause) for clause in tail]
    places += [(below, clause) for below in line.block if not below.broken for clause in _clauses(below)]
    if condition is not None and not places:
        resolver.condition(line, condition, owner(scope))
    for where, clause in places:
        frame = owner(scope)
        test = ready
        if condition is not None:
            test = resolver.condition(line, condition, frame)
            if test is None:
                return out
        modifier = read_modifier(resolver, where, clause, frame, test)
        out += [modifier] if modifier is not None else []
    return out


def _clauses(line: Line) -> Sequence[Clause]:
    return line.tail if line.head is None else (line.head,)


def lines(resolver: Resolver, below: Sequence[Line], condition: Expr | None, scope: Scope) -> list[Modifier]:
    """Read modifiers, one or more a line, under a condition read before."""
    out: list[Modifier] = []
    for line in below:
        if line.broken:
            continue
        for clause in _clauses(line):
            modifier = read_modifier(resolver, line, clause, owner(scope), condition)
            out += [modifier] if modifier is not None else []
    return out


def owner(scope: Scope, captured: bool = False) -> Scope:
    """Return a scope with a separate frame: `self` and `this` only, or all locals if `captured`."""
    inner = scope.child()
    inner.frame = Slots(scope.frame.slots if captured or len(scope.frame.slots) > 2 else scope.frame.slots[:2])
    inner.mode = "pure"
    return inner


def read_modifier(
    resolver: Resolver, line: Line, clause: Clause, scope: Scope, condition: Expr | None
) -> Modifier | None:
    """Read one modifier in a new frame; report it and return None if it can't be read."""
    tokens = resolver.tokens(clause)
    if clause.lead is not None or ("has" not in tokens.texts and "have" not in tokens.texts):
        resolver.report(Incomplete(line.span_of(clause), lead="A modifier", what="`has` and what it has", usage=_USAGE))
        return None
    state = resolver.begin(line, clause, scope)
    parts = next((modifier for modifier, end in _modifiers(state) if end == len(tokens.nodes)), None)
    if parts is None:
        resolver.blame(line, clause, scope, _modifiers)
        return None
    subject, field, mode, amount = parts
    if isinstance(subject, ir.Var):  # the candidate itself
        captures = state.log.captures.items()
        state.log.captures = {span: capture for span, capture in captures if capture.rival != subject.name}
    slot = scope.frame.new("it", subject.type.one())
    it = ir.Var("it", slot, subject.type.one(), subject.span)
    where = _where(state, it, subject)
    pair: tuple[Expr | None, Expr] = (where, amount)
    settled = substitute(resolver.settled(state, pair, scope), Substitution(slots=Renamed({CANDIDATE: slot})))
    kind = resolver.words.model.kinds[subject.type.name]
    span = line.span_of(clause)
    noun = subject.noun if isinstance(subject, ir.Select) else ""
    return Modifier(field, kind, slot, settled[0], mode, settled[1], condition, scope.slots(), span, noun)


CANDIDATE = -7
"""Placeholder for the candidate's slot until the modifier has one."""


def _where(state: ParseState, it: ir.Var, subject: Expr) -> Expr | None:
    if subject.type.many:
        return selections.belongs(state, it, subject, subject.span)
    return ir.Binary("=", it, subject, FLAG, subject.span)


def _modifiers(state: ParseState) -> list[tuple[_Said, int]]:
    """Read a subject, ``has``, an amount and a stat."""
    start = 1 if state.texts[0] in {"each", "every", "all"} else 0
    out: list[tuple[_Said, int]] = []
    for subject, end in expressions.primaries(state, start, None, NONE):
        if state.texts[end] not in {"has", "have"}:
            continue
        if subject.type.base != "thing":
            _no_bearer(state, start, end, subject)
            continue
        inner = state.about(CANDIDATE, subject.type.one())
        for (field, mode, amount), after in _changes(inner, subject.type.name, end + 1):
            out.append(((subject, field, mode, amount), after))
    return out


def _no_bearer(state: ParseState, start: int, end: int, subject: Expr) -> None:
    state.fail(
        start,
        3,
        lambda: WrongType(
            state.span(start, end),
            phrase=state.phrase(start, end),
            found=type_words(subject.type),
            wanted="a thing that has stats",
        ),
    )


_BOUNDS: tuple[Literal["least", "most"], ...] = ("least", "most")
_Change = tuple["Field", Mode, Expr]


def _changes(state: ParseState, kind: str, at: int) -> list[tuple[_Change, int]]:
    """Read ``+1 STAT``, ``STAT 3``, ``double STAT``, ``at least 1 STAT``, ``at most 3 STAT`` or ``FLAG``."""
    texts, nodes = state.texts, state.tokens.nodes
    out: list[tuple[_Change, int]] = []
    if at >= len(nodes):
        return out
    node = nodes[at]
    if isinstance(node, Number) and node.signed:
        step = ir.Const(node.value, NUMBER, state.span(at, at + 1))
        return _stat(state, kind, at + 1, "add", step)
    if texts[at] in ("+", "-"):
        for amount, end in expressions.primaries(state, at + 1, NUMBER, NONE):
            zero = ir.Const(0, NUMBER, amount.span)
            signed = amount if texts[at] == "+" else ir.Binary("-", zero, amount, NUMBER, amount.span)
            out += _stat(state, kind, end, "add", signed)
        return out
    if texts[at] == "double":
        return _stat(state, kind, at + 1, "double", ir.Const(2, NUMBER, state.span(at, at + 1)))
    bound = one_of(_BOUNDS, texts[at + 1] or "") if texts[at] == "at" else None
    if bound is not None:
        for amount, end in expressions.sums(state, at + 2, NUMBER, NONE):
            out += _stat(state, kind, end, bound, amount)
        return out
    return _fixed(state, kind, at)


def _fixed(state: ParseState, kind: str, at: int) -> list[tuple[_Change, int]]:
    """Read a stat with its value, or a flag."""
    out: list[tuple[_Change, int]] = []
    word = state.texts[at]
    for field in state.words.fields(kind, word)[:1] if word is not None else []:
        type = read_type(field)
        for value, end in _value(state, at + 1, type):
            out.append(((field, "set", value), end))
        if type == FLAG:
            out.append(((field, "set", ir.Const(1, FLAG, state.span(at, at + 1), "yes")), at + 1))
    for amount, end in expressions.sums(state, at, NUMBER, NONE):
        out += _stat(state, kind, end, "set", amount)
    if not out and word is not None:
        _no_stat(state, kind, at, word)
    return sorted(out, key=lambda candidate: -candidate[1])


def _value(state: ParseState, at: int, type: Type) -> list[tuple[Expr, int]]:
    if at >= state.count:
        return []
    return expressions.disjunction(state, at) if type == FLAG else expressions.sums(state, at, type, NONE)


def _stat(state: ParseState, kind: str, at: int, mode: Mode, amount: Expr) -> list[tuple[_Change, int]]:
    word = state.texts[at]
    if not word:
        return []
    fields = [field for field in state.words.fields(kind, word) if read_type(field) == NUMBER]
    if not fields:
        _no_stat(state, kind, at, word)
    return [((field, mode, amount), at + 1) for field in fields[:1]]


def _no_stat(state: ParseState, kind: str, at: int, word: str) -> None:
    state.fail(at, 4, lambda: failing.unknown_stat(state, at, kind, word, numbers=True))
