"""Failures of readings: the phrase that was found, and the type that is needed there."""

from __future__ import annotations

from functools import partial

from fcbdsl.base.diagnostics import Fix, suggest
from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.phrases import (
    MissingPreposition,
    NeverOfKind,
    NothingMeant,
    OneNeeded,
    UnknownStat,
    WrongType,
)
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import NUMBER, Expr, Type
from fcbdsl.language.model.resolve.fitting import fit
from fcbdsl.language.model.resolve.names import list_names
from fcbdsl.language.model.resolve.parse_state import PROVISIONAL, ParseState
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.model.resolve.vocabulary import read_type


def meaningless(state: ParseState, at: int, word: str, why: str) -> None:
    """Record that a word has no meaning at this place."""
    state.fail(at, 4, lambda: NothingMeant(state.span(at, at + 1), word=word, why=why))


def lacks(state: ParseState, owner: Expr, word: str, at: int) -> None:
    """Note that `owner` has no column, zone or measure of that name; or that one of several things must be chosen."""
    kind = owner.type.name if owner.type.base in {"thing", "definition"} else type_words(owner.type)
    columns_of_kind = state.words.columns(kind)
    if owner.type.many and word in columns_of_kind and state.tokens.possessive[at - 1]:
        phrase = state.phrase(at - 1, at)
        state.fail(at, 5, lambda: OneNeeded(state.span(at - 1, at), phrase=phrase, wanted=f"one {kind}"))
        return
    state.fail(at, 4, lambda: unknown_stat(state, at, kind, word))


def unknown_stat(state: ParseState, at: int, kind: str, word: str, numbers: bool = False) -> UnknownStat:
    """Return the problem of a word that is not a column of a kind, with the columns or numbers of the kind."""
    columns = state.words.columns(kind)
    if numbers:
        fitting = [
            name for name in columns if any(read_type(field) == NUMBER for field in state.words.fields(kind, name))
        ]
        available = f"Its numbers are {list_names(fitting)}." if fitting else "It has no numbers."
    else:
        names = list_names(columns, most=12)
        available = f"Stats, fields and zones of `{kind}`: {names}." if columns else f"`{kind}` has none."
    span = state.span(at, at + 1)
    return UnknownStat(span, owner=kind, name=word, known=available, suggestion=suggest(word, columns))


def no_condition(state: ParseState, at: int, end: int, left: Expr) -> None:
    """Record that a value is no condition."""
    state.fail(
        at,
        1,
        lambda: WrongType(
            state.span(at, end), phrase=state.phrase(at, end), found=type_words(left.type), wanted="a condition"
        ),
    )


def mismatch(state: ParseState, at: int, end: int, right: Expr, want: Type, meant: str | None = None) -> None:
    """Note that a value has another type than the one it is compared with; `meant`: the correct text."""
    state.fail(
        at,
        3,
        lambda: WrongType(
            state.span(at, end),
            phrase=state.phrase(at, end),
            found=type_words(right.type),
            wanted=type_words(want),
            suggestion=meant,
        ),
    )


def phrase_for_number(state: ParseState, at: int, end: int, type: Type) -> str | None:
    """Return the phrase for the number of a thing that mainly holds a number: the value of a track."""
    kind = state.words.model.kinds.get(type.name) if type.base == "thing" and not type.many else None
    field = kind.find("value") if kind is not None else None
    return f"{state.phrase(at, end)}'s value" if field is not None and field.type == NUMBER else None


def missing_preposition(state: ParseState, at: int, end: int, preposition: str, usage: str) -> None:
    """Note that a preposition is missing before the tokens from `at` to `end`."""
    word = state.phrase(at, end)
    span = state.span(at, end)
    report = partial(MissingPreposition, span, preposition=preposition, word=word, usage=usage)
    state.fail(at, 3, partial(report, fix=Fix(span, f"{preposition} {word}")))


def never_of_kind(state: ParseState, at: int, subject: Type, phrase: str, kind: str) -> None:
    """Note that a thing can never be of a kind, or never the thing `phrase` of that kind."""
    words = f"`{phrase}`, which is {a(kind)}" if phrase else a(kind)
    span = state.span(at, at + 1)
    state.fail(at, 4, lambda: NeverOfKind(span, kind=subject.name, phrase=words, other=kind))


def any_candidate(expr: Expr) -> Expr:
    """Return a variable for any element of a list."""
    return ir.Var("it", PROVISIONAL, expr.type.one(), expr.span)


def wrong(state: ParseState, place: int, first: int, after: int, expr: Expr, want: Type) -> None:
    """Note that `expr`, read from the tokens `first` to `after`, does not fit at token `place`."""
    several = expr.type.many and not want.many and fit(state, any_candidate(expr), want) is not None
    mistake = OneNeeded if several else WrongType
    fixed = want.base == "counter" and after == first + 1 and state.texts[first] in state.words.model.marks
    state.fail(
        place,
        3,
        lambda: mistake(
            state.span(first, after),
            phrase=state.phrase(first, after),
            found="a mark of the map, which never changes" if fixed else type_words(expr.type),
            wanted=type_words(want),
        ),
    )
