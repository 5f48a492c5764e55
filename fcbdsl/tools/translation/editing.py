"""Finds the quoted texts of a language in sources, for edits that change only the text between quotes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.lines import atoms, head_atoms, leading_words, lines_of
from fcbdsl.language.syntax.tree import Clause, File, Line, String, Word


@dataclass(frozen=True, slots=True)
class QuotedText:
    """A text in a language in a source; `plural`: whether it is the plural of the one before it."""

    text: str
    span: Span
    plural: bool


def spots(file: File, language: str) -> Iterator[QuotedText]:
    """Yield the texts of a language in a file, in order."""
    for top in file.lines:
        for line in lines_of(top):
            yield from _of_line(line, language)


def _of_line(line: Line, language: str) -> Iterator[QuotedText]:
    head = leading_words(head_atoms(line)) if line.head is not None else ()
    lead = (line.head.lead,) if line.head is not None and line.head.lead else ()
    own = language in (*lead, *head)[:2]
    for clause in [*([line.head] if line.head is not None else []), *line.tail]:
        yield from _of_clause(line, clause, language, own and clause is not line.head)


def _of_clause(line: Line, clause: Clause, language: str, own: bool) -> Iterator[QuotedText]:
    for part in clause.parts:
        match atoms(part):
            case (String(value=text) as string,):
                if own:
                    yield QuotedText(text, line.span_of(string), False)
            case (Word(text="feminine"), String()):
                pass
            case (Word(text="plural"), String(value=text) as string):
                if own:
                    yield QuotedText(text, line.span_of(string), True)
            case (Word(text=word), String(value=text) as string):
                own = word == language
                if own:
                    yield QuotedText(text, line.span_of(string), False)
            case (Word(), Word(), *parts):  # of two faces: `back tails "Tails" fr "Pile"`
                yield from _in_a_part(line, parts, language)


def _in_a_part(line: Line, parts: Sequence[object], language: str) -> Iterator[QuotedText]:
    for word, string in pairwise(parts):
        if isinstance(word, Word) and word.text == language and isinstance(string, String):
            yield QuotedText(string.value, line.span_of(string), False)


def nearest_text(
    texts: Sequence[QuotedText], text: str, begin: int, end: int, *, plural: bool = False
) -> QuotedText | None:
    """Return the first text between two places that consists of these words."""
    near = (
        quoted
        for quoted in texts
        if begin <= quoted.span.start < end and quoted.text == text and quoted.plural == plural
    )
    return next(near, None)
