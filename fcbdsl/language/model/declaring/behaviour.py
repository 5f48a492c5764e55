"""Listeners and modifiers, and limits on their use."""

from __future__ import annotations

from typing import Literal

from fcbdsl.base.words import Per, one_of
from fcbdsl.language.model.declarations import Event
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir import Listener, Modifier
from fcbdsl.language.model.lines import atoms, tail_clause
from fcbdsl.language.model.resolve import event_phrases, modifiers, statements
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.syntax.tree import Line, Phrase, Word

WAITING = ("when", "before", "instead", "at", "after", "may", "whenever")
MODIFYING = ("while", "always")

_PARTIES: tuple[Per, ...] = ("player", "figure", "game")


def read_listener(context: Context, line: Line, scope: Scope, into: list[Listener]) -> None:
    """Read a moment and what happens then."""
    listener = statements.moment(context.reader, line, scope)
    if listener is not None:
        into.append(listener)


def read_modifiers(context: Context, line: Line, scope: Scope, into: list[Modifier]) -> None:
    """Read ``while COND:`` or ``always:`` and its modifiers."""
    into += modifiers.read_conditional(context.reader, line, scope)


def limit_of(context: Context, line: Line, scope: Scope) -> tuple[Event | None, Per | Literal[""]]:
    """Read ``limit: once per EVENT[ per player|figure|game]``; return the event that refreshes it, and its scope."""
    clause = tail_clause(line)
    clause_atoms = list(atoms(clause)) if clause is not None and len(clause.parts) == 1 else []
    words = [atom.text if isinstance(atom, Word) else "" for atom in clause_atoms]
    if words[:2] != ["once", "per"] or len(words) < 3:
        context.malformed(line.span, "a limit", "limit: once per EVENT per player")
        return None, ""
    party: Per | None = None
    if len(words) > 4 and words[-2] == "per":
        party = one_of(_PARTIES, words[-1])
        if party is None:
            context.unknown(line.span_of(clause_atoms[-1]), "party of a limit", words[-1], _PARTIES)
        clause_atoms = clause_atoms[:-2]
    phrase = Phrase(clause_atoms[2].start, clause_atoms[-1].end, tuple(clause_atoms[2:]))
    return event_phrases.event_named(context.reader, line, phrase, scope), party or ""
