"""Terms of a choice: who chooses, how many, and whether they may decline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from fcbdsl.base.diagnostics.phrases import Misplaced, WrongType
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.ir import NUMBER, Expr, Type
from fcbdsl.language.model.resolve import expressions, failing
from fcbdsl.language.model.resolve.actions import PLAYER
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.parse_state import NONE, Found, ParseState
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.syntax.tree import Clause, Line


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a choice."""

    by: Expr | None = None
    optional: bool = False
    up_to: Expr | None = None
    chance: bool = False
    exactly: bool = False

    def as_tuple(self) -> tuple[Expr | None, bool, Expr | None, bool, bool]:
        """Return the terms as a tuple."""
        return (self.by, self.optional, self.up_to, self.chance, self.exactly)


def _terms(state: ParseState, at: int, so_far: Terms) -> list[tuple[Terms, int]]:
    """Read ``, or none``, ``, by PLAYER``, ``, up to N``, ``, exactly N``, ``, at random``, in any order."""
    out = [(so_far, at)]
    texts = state.texts
    if texts[at] != ",":
        return out
    pair = texts[at + 1 : at + 3]
    if pair == ("or", "none"):
        out += _terms(state, at + 3, replace(so_far, optional=True))
    elif pair == ("at", "random"):
        out += _terms(state, at + 3, replace(so_far, chance=True))
    elif pair == ("up", "to"):
        for count, end in expressions.sums(state, at + 3, NUMBER, NONE):
            out += _terms(state, end, replace(so_far, up_to=count))
    elif pair[:1] == ("exactly",):
        for count, end in expressions.sums(state, at + 2, NUMBER, NONE):
            out += _terms(state, end, replace(so_far, up_to=count, exactly=True))
    else:
        out += [term for by, end in read_chooser(state, at) for term in _terms(state, end, replace(so_far, by=by))]
    return sorted(out, key=lambda candidate: -candidate[1])


def read_chooser(state: ParseState, at: int) -> list[tuple[Expr, int]]:
    """Read ``, by PLAYER``, or a thing whose player chooses."""
    if state.texts[at : at + 2] != (",", "by"):
        return []
    out = expressions.primaries(state, at + 2, PLAYER, NONE)
    out = out + expressions.primaries(state, at + 2, Type("thing", "thing"), NONE)
    if not out and state.log.failing:
        for expr, end in expressions.primaries(state, at + 2, None, NONE)[:1]:
            failing.wrong(state, at + 2, at + 2, end, expr, PLAYER)
    return out


def read_terms(resolver: Resolver, line: Line, clause: Clause, scope: Scope, after: str, words: int = 1) -> Terms:
    """Return the terms that follow the first word, or words, of a clause."""
    head = resolver.read(
        line, clause, scope, (after,), lambda r: [(t.as_tuple(), e) for t, e in _terms(r, words, Terms())]
    )
    return Terms(*head) if head is not None else Terms()


_CLASHES = {
    "by": "chance decides, so no player is asked",
    "or none": "this choice may always be none",
    "at random": "chance picks one thing of a selection",
    "up to": "this is a choice of one thing",
    "exactly": "this is a choice of one thing",
}
"""Reasons why a term can't be used in a context."""


def reject_terms(
    resolver: Resolver, line: Line, clauses: Sequence[Clause], terms: Terms, refused: Sequence[str]
) -> None:
    """Report terms that have no effect here."""
    several = terms.up_to is not None
    flags = {"or none": terms.optional, "at random": terms.chance, "up to": several, "exactly": several}
    for part in (part for clause in clauses for part in clause.parts[1:]):
        span = line.span_of(part)
        words = " ".join(span.source.text[span.start : span.end].split())
        name = next((name for name in refused if flags.get(name) and words.startswith(name)), None)
        if name is not None:
            resolver.report(Misplaced(span, lead=name, why=_CLASHES[name], cure=f"Remove `, {words}`."))
    if "by" in refused and terms.by is not None:
        resolver.report(Misplaced(terms.by.span, lead="by", why=_CLASHES["by"], cure="Remove `, by …`."))


def read_candidates(state: ParseState, given: Terms) -> list[tuple[tuple[object, ...], int]]:
    """Read the candidates of a choice, with the terms after them in addition to those `given`."""
    out: list[tuple[tuple[object, ...], int]] = []
    several: list[Found] = [primary for primary in expressions.primaries(state, 0, None, NONE) if primary[0].type.many]
    several += expressions.lists(state, 0, None, NONE)
    for candidates, end in sorted(several, key=lambda candidate: -candidate[1]):
        for terms, after in _terms(state, end, given):
            out.append(((candidates, *terms.as_tuple()), after))
    if not out and state.log.failing:
        for expr, end in expressions.primaries(state, 0, None, NONE)[:1]:
            state.fail(end, 3, partial(_not_several, state, expr, end))
    return out


def _not_several(state: ParseState, expr: Expr, end: int) -> WrongType:
    written = type_words(expr.type)
    return WrongType(state.span(0, end), phrase=state.phrase(0, end), found=written, wanted="a selection")
