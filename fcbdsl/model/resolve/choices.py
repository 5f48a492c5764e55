"""Decisions: `choose x: …`, `choose one:`, `offer`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from fcbdsl.diagnostics.phrases import Incomplete, WrongType
from fcbdsl.model import ir
from fcbdsl.model.ir import NUMBER, Body, Expr, Stmt, Type
from fcbdsl.model.resolve import actions, expressions, statements
from fcbdsl.model.resolve.reading import NONE, Found, Reading
from fcbdsl.model.resolve.scope import Scope
from fcbdsl.model.resolve.wording import type_words
from fcbdsl.syntax.tree import Clause, Line, Part, Phrase, String

if TYPE_CHECKING:
    from fcbdsl.model.resolve.reader import Reader

PLAYER = Type("thing", "player")


@dataclass(frozen=True, slots=True)
class _Terms:
    """How a choice is made."""

    by: Expr | None = None
    optional: bool = False
    up_to: Expr | None = None
    chance: bool = False

    def said(self) -> tuple[Expr | None, bool, Expr | None, bool]:
        """The terms one by one, as a reading keeps them."""
        return (self.by, self.optional, self.up_to, self.chance)


def _terms(reading: Reading, at: int, so_far: _Terms) -> list[tuple[_Terms, int]]:
    """``, or none``, ``, by PLAYER``, ``, up to N``, ``, at random``, in any order."""
    out = [(so_far, at)]
    texts = reading.texts
    if texts[at] != ",":
        return out
    pair = texts[at + 1 : at + 3]
    if pair == ("or", "none"):
        out += _terms(reading, at + 3, replace(so_far, optional=True))
    elif pair == ("at", "random"):
        out += _terms(reading, at + 3, replace(so_far, chance=True))
    elif pair == ("up", "to"):
        for count, end in expressions.sums(reading, at + 3, NUMBER, NONE):
            out += _terms(reading, end, replace(so_far, up_to=count))
    elif pair[:1] == ("by",):
        for player, end in expressions.primaries(reading, at + 2, PLAYER, NONE):
            out += _terms(reading, end, replace(so_far, by=player))
        for figure, end in expressions.primaries(reading, at + 2, Type("thing", "thing"), NONE):
            out += _terms(reading, end, replace(so_far, by=figure))
    return sorted(out, key=lambda one: -one[1])


# ── choose NAME ───────────────────────────────────────────────────────────────────────────────


def choose(reader: Reader, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """``choose x: SELECTION`` or ``choose one:`` with option lines."""
    tokens = reader.tokens(clause)
    name = tokens.texts[0] if len(tokens) else None
    if name == "one" and not line.tail:
        return _choose_one(reader, line, clause, scope)
    if name is None or not line.tail:
        usage = "choose NAME: SELECTION"
        scope.bind(name or "", Type("thing", "thing"))
        scope.frame.unsound.add(name or "")
        if line.opens and not line.block:
            return ()
        what = "a name" if name is None else "what to choose from"
        reader.report(Incomplete(line.span_of(clause), lead="choose", what=what, usage=usage))
        return ()
    head = reader.read(line, clause, scope, ("choose",), lambda r: [(t.said(), e) for t, e in _terms(r, 1, _Terms())])
    given = _Terms(*head) if head is not None else _Terms()
    options = reader.unled(line.tail[0])
    found = reader.read(
        line, options, scope, ("options", head), lambda reading: _chosen(reading, given), wanted="a selection"
    )
    if found is None:
        scope.bind(name, Type("nothing"))
        scope.frame.unsound.add(name)
        return ()
    candidates, terms = found[0], _Terms(*found[1:])
    type = candidates.type if terms.up_to is not None else candidates.type.one()
    binding = scope.bind(name, type)
    var = ir.Var(name, binding.slot, type, line.span_of(tokens.nodes[0]))
    made = ir.Choose(var, candidates, terms.by, terms.optional, terms.up_to, line.span_of(clause), terms.chance)
    return (made, *statements.inline(reader, line, line.tail[1:], line.block, scope))


def _chosen(reading: Reading, given: _Terms) -> list[tuple[tuple[object, ...], int]]:
    out: list[tuple[tuple[object, ...], int]] = []
    several: list[Found] = [one for one in expressions.primaries(reading, 0, None, NONE) if one[0].type.many]
    several += expressions.lists(reading, 0, None, NONE)
    for candidates, end in sorted(several, key=lambda one: -one[1]):
        for terms, after in _terms(reading, end, given):
            out.append(((candidates, *terms.said()), after))
    if not out and reading.log.failing:
        for expr, end in expressions.primaries(reading, 0, None, NONE)[:1]:
            reading.fail(end, 3, partial(_not_several, reading, expr, end))
    return out


def _not_several(reading: Reading, expr: Expr, end: int) -> WrongType:
    found = type_words(expr.type)
    return WrongType(reading.span(0, end), phrase=reading.phrase(0, end), found=found, wanted="a selection")


# ── choose one ────────────────────────────────────────────────────────────────────────────────


def _choose_one(reader: Reader, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    found = reader.read(line, clause, scope, ("one",), lambda r: [(t.said(), e) for t, e in _terms(r, 1, _Terms())])
    if not line.block:
        if line.opens:
            return ()
        usage = "choose one: with an option on each line below"
        reader.report(Incomplete(line.span_of(clause), lead="choose one", what="its options", usage=usage))
        return ()
    options = tuple(_option(reader, below, scope) for below in line.block if not below.broken)
    terms = _Terms(*found) if found is not None else _Terms()
    return (ir.ChooseOne(options, terms.by, terms.optional, line.span_of(clause)),)


def _option(reader: Reader, line: Line, scope: Scope) -> ir.Option:
    """A line ``"Label": statements``, ``"Label" statement`` or just a statement."""
    head = line.head
    inner = scope.child()
    if head is not None and head.lead is None and _begins_with_text(head):
        reading = reader.reading(line, head, scope)
        label, end = actions.titles(reading, 0)
        if end == len(reading.tokens):
            return ir.Option(label, statements.body_of(reader, line, inner), line.span)
    if head is None and line.tail and _begins_with_text(line.tail[0]):
        text, rest = _split(line.tail[0])
        clauses = (*rest, *line.tail[1:])
        body = Body(statements.inline(reader, line, clauses, line.block, inner))
        return ir.Option({"en": text}, body, line.span)
    return ir.Option({}, Body(statements.block(reader, (line,), inner)), line.span)


def _begins_with_text(clause: Clause) -> bool:
    expr = clause.parts[0].expr if clause.parts else None
    return clause.lead is None and isinstance(expr, Phrase) and isinstance(expr.atoms[0], String)


def _split(clause: Clause) -> tuple[str, tuple[Clause, ...]]:
    """The label of an option, and the statement behind it."""
    first = clause.parts[0]
    assert isinstance(first.expr, Phrase)
    label, atoms = first.expr.atoms[0], first.expr.atoms[1:]
    assert isinstance(label, String)
    if not atoms:
        return label.value, ()
    phrase = Phrase(atoms[0].start, first.expr.end, atoms)
    parts = (Part(phrase.start, first.end, None, phrase), *clause.parts[1:])
    return label.value, (Clause(phrase.start, clause.end, None, parts),)


# ── offer ─────────────────────────────────────────────────────────────────────────────────────


def offer(reader: Reader, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """``offer ACTORS[, by PLAYER][, until done]``."""
    if not clause.parts:
        reader.report(
            Incomplete(line.span_of(clause), lead="offer", what="who may act", usage="offer ACTORS, until done")
        )
        return ()
    found = reader.read(line, clause, scope, ("offer",), _offers, wanted="those who may act")
    if found is None:
        return ()
    actors, by, stream = found
    return (ir.Offer(actors, by, not stream, line.span_of(clause)),)


def _offers(reading: Reading) -> list[tuple[tuple[Expr, Expr | None, bool], int]]:
    out: list[tuple[tuple[Expr, Expr | None, bool], int]] = []
    for actors, end in expressions.lists(reading, 0, Type("thing", "thing", True), NONE):
        ways: list[tuple[Expr | None, int]] = [(None, end)]
        if reading.texts[end] == "," and reading.texts[end + 1] == "by":
            ways += expressions.primaries(reading, end + 2, PLAYER, NONE)
        for by, after in ways:
            out.append(((actors, by, False), after))
            if reading.texts[after : after + 3] == (",", "until", "done"):
                out.append(((actors, by, True), after + 3))
    return sorted(out, key=lambda one: -one[1])
