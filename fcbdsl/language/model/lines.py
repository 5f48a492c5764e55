"""Reading lines of declarations: their first word, their atoms, their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fcbdsl.language.model.declarations import Name
from fcbdsl.language.syntax.tree import (  # fmt: skip
    Atom,
    Binary,
    Clause,
    Expr,
    Line,
    Negation,
    Number,
    Part,
    Phrase,
    Range,
    String,
    Where,
    Word,
)

WORD = re.compile(r"[^\W\d][\w-]*")
"""A word of a source text, also within strings and comments."""


def leading(line: Line) -> Clause | None:
    """Return the clause a line begins with: its head, or the line itself if it has no colon."""
    if line.head is not None:
        return line.head
    return line.tail[0] if line.tail else None


def leading_parts(line: Line) -> tuple[Part, ...]:
    """Return the comma-separated parts of the clause a line begins with."""
    clause = leading(line)
    return clause.parts if clause is not None else ()


def keyword_of(line: Line) -> str:
    """Return the first word of a line (a lead word counts); empty if there is none or the line is broken."""
    clause = line.head
    if clause is None:
        if not line.tail:
            return ""
        clause = line.tail[0]
    if clause.lead is not None:
        return clause.lead
    expr = clause.parts[0].expr if clause.parts else None
    first = expr.atoms[0] if isinstance(expr, Phrase) else None
    return first.text if isinstance(first, Word) else ""


def lines_of(line: Line) -> Iterator[Line]:
    """Yield a line and those of its block."""
    left = [line]
    while left:
        line = left.pop()
        yield line
        block = line.block
        if block:
            left += reversed(block)


def lines_with_clauses(top: Line) -> Iterator[Line]:
    """Yield the lines with more than one clause."""
    return (line for line in lines_of(top) if len(line.tail) > 1)


def atoms(readable: Clause | Part) -> tuple[Atom, ...]:
    """Return the atoms of a part, or of the first part of a clause; none if there are operators in it."""
    if isinstance(readable, Clause):
        if not readable.parts:
            return ()
        readable = readable.parts[0]
    return readable.expr.atoms if isinstance(readable.expr, Phrase) else ()


def head_atoms(line: Line) -> tuple[Atom, ...]:
    """Return the atoms a line begins with."""
    clause = leading(line)
    return atoms(clause) if clause is not None else ()


def leading_words(phrase_atoms: Sequence[Atom]) -> tuple[str, ...]:
    """Return the words at the start of some atoms."""
    out: list[str] = []
    for atom in phrase_atoms:
        if not isinstance(atom, Word):
            break
        out.append(atom.text)
    return tuple(out)


def clause_words(clause: Clause) -> tuple[str, ...]:
    """Return all words of a clause's first part, its lead word included."""
    words = tuple(atom.text for atom in atoms(clause) if isinstance(atom, Word))
    return (clause.lead, *words) if clause.lead else words


def tail_clause(line: Line) -> Clause | None:
    """Return the clause after the colon, or None."""
    return line.tail[0] if line.head is not None and line.tail else None


def without_lead_keyword(clause: Clause) -> Clause:
    """Return a clause whose lead word is an ordinary first word, for places where no statement can begin."""
    if clause.lead is None:
        return clause
    word = Word(clause.start, clause.start + len(clause.lead), clause.lead)
    if not clause.parts:
        part = Part(word.start, word.end, None, Phrase(word.start, word.end, (word,)))
        return Clause(clause.start, clause.end, None, (part,))
    first = clause.parts[0]
    expr = _prepended(word, first.expr)
    return Clause(clause.start, clause.end, None, (Part(word.start, first.end, first.lead, expr), *clause.parts[1:]))


def _prepended(word: Word, expr: Expr) -> Expr:
    """Return an expression with an additional word at its start."""
    match expr:
        case Phrase(end=end, atoms=phrase_atoms):
            return Phrase(word.start, end, (word, *phrase_atoms))
        case Binary(end=end, op=op, left=left, right=right):
            return Binary(word.start, end, op, _prepended(word, left), right)
        case Where(end=end, base=base, condition=condition):
            return Where(word.start, end, _prepended(word, base), condition)
        case Negation():
            return expr  # a negation never follows a lead word directly


def without_first_word(part: Part) -> Part | None:
    """Return a part without its first word; None if nothing is left."""
    expr = _shortened(part.expr)
    return None if expr is None else Part(expr.start, part.end, None, expr)


def _shortened(expr: Expr) -> Expr | None:
    """Return an expression without its first atom."""
    match expr:
        case Phrase(end=end, atoms=phrase_atoms):
            return Phrase(phrase_atoms[1].start, end, phrase_atoms[1:]) if len(phrase_atoms) > 1 else None
        case Binary(end=end, op=op, left=left, right=right):
            inner = _shortened(left)
            return None if inner is None else Binary(inner.start, end, op, inner, right)
        case Where(end=end, base=base, condition=condition):
            inner = _shortened(base)
            return None if inner is None else Where(inner.start, end, inner, condition)
        case Negation():
            return None


def first_word(part: Part) -> str:
    """Return the first word of a part, or an empty text."""
    expr = part.expr
    while not isinstance(expr, Phrase):
        match expr:
            case Binary(left=inner) | Where(base=inner) | Negation(operand=inner):
                expr = inner
    return expr.atoms[0].text if isinstance(expr.atoms[0], Word) else ""


def tail_parts(line: Line) -> tuple[Part, ...]:
    """Return the comma-separated parts after the colon."""
    clause = tail_clause(line)
    return clause.parts if clause is not None else ()


def tail_words(line: Line) -> tuple[str, ...]:
    """Return the words of the first part after the colon."""
    clause = tail_clause(line)
    return clause_words(clause) if clause is not None else ()


def single_word(part: Part) -> Word | None:
    """Return the word that a part consists of, or None."""
    part_atoms = atoms(part)
    return part_atoms[0] if len(part_atoms) == 1 and isinstance(part_atoms[0], Word) else None


def single_string(readable: Clause | Part) -> String | None:
    """Return the string that a part (or a clause's first part) consists of, or None."""
    readable_atoms = atoms(readable)
    return readable_atoms[0] if len(readable_atoms) == 1 and isinstance(readable_atoms[0], String) else None


def single_number(readable: Clause | Part) -> int | None:
    """Return the number that a part (or a clause's first part) consists of, or None."""
    readable_atoms = atoms(readable)
    return readable_atoms[0].value if len(readable_atoms) == 1 and isinstance(readable_atoms[0], Number) else None


def single_range(readable: Clause | Part) -> Range | None:
    """Return the range that a part consists of, or None; a lone number is a range of one."""
    readable_atoms = atoms(readable)
    if len(readable_atoms) != 1:
        return None
    if isinstance(readable_atoms[0], Number):
        return Range(readable_atoms[0].start, readable_atoms[0].end, readable_atoms[0].value, readable_atoms[0].value)
    return readable_atoms[0] if isinstance(readable_atoms[0], Range) else None


def read_titles(name: Name, parts: Sequence[Part], language: str) -> bool:
    """Read ``"title", f, plural "titles", fr "titre"`` into a name; False if it does not read so."""
    string = single_string(parts[0]) if parts else None
    if string is None:
        return False
    name.title[language] = string.value
    return read_more_titles(name, parts[1:], language)


def read_more_titles(name: Name, parts: Sequence[Part], language: str) -> bool:
    """Read ``f, plural "titles", fr "titre", m`` behind a title; False if it does not read so. Gender and plural belong
    to the title before them, the first of them to that of `language`."""
    for part in parts:
        match atoms(part):
            case (Word(text="plural"), String(value=value)):
                name.plural[language] = value
            case (Word(text="feminine"), String(value=value)):
                name.feminine[language] = value
            case (Word(text=("m" | "f" | "n") as gender),):
                name.gender[language] = gender
            case (Word(text=other), String(value=value)) if len(other) == 2:
                language = other
                name.title[other] = value
            case _:
                return False
    return True
