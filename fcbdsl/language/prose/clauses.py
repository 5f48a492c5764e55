"""Clauses, and how they are joined: in one sentence, or as a lead with a list."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.prose.conditions import Conditions
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.rules_text import join_with_last, mark_bold

CONDITIONAL = ("if", "if chosen", "if chosen by", "if declined", "if declined by", "otherwise", "done",
               "done if willing")  # fmt: skip
"""Leads to which an « otherwise » in their content could seem to belong."""


@dataclass(frozen=True, slots=True)
class SpokenClause:
    """A clause (`items` empty) or the lead of a list; an item is its own pieces."""

    text: str
    items: tuple[tuple[SpokenClause, ...], ...] = ()
    third_person: bool = False  # the action of a third person, not an instruction
    contrary: bool = False  # it begins with « otherwise », about the condition before it
    governs: bool = False  # it has a lead, to which later words of the sentence could seem to belong
    willing: bool = False  # it is optional


class Clauses(Conditions):
    """Joins the clauses of statements, and reads the statements of a branch."""

    ahead: Sequence[ir.Stmt] = ()  # the statements of the same body that have not been read

    @abstractmethod
    def simple(self, statement: ir.Stmt) -> str:
        """Return the clause of a simple statement."""

    def in_branch(self, body: ir.Body) -> list[SpokenClause]:
        """Read a branch: what it introduces is forgotten after it."""
        outer = self.scope.fork()
        pieces = self.governed(body.statements)
        outer.unknowns = self.scope.unknowns
        self.scope = outer
        return pieces

    def governed(self, statements: Sequence[ir.Stmt]) -> list[SpokenClause]:
        """Return the clauses after a lead such as “if”; unknown values of the lead are not explained again."""
        held, unknowns = self.scope.held, self.scope.unknowns
        self.scope.held, self.scope.unknowns = [*held, *unknowns], []
        pieces = self.body(statements)
        self.scope.held, self.scope.unknowns = held, [*unknowns, *self.scope.unknowns]
        return pieces

    @abstractmethod
    def body(self, statements: Sequence[ir.Stmt]) -> list[SpokenClause]:
        """Return the clauses of statements in order."""

    def led(self, key: str, pieces: Sequence[SpokenClause], **slots: NounPhrase) -> SpokenClause:
        """Return a lead with its content: in one clause if that is short enough, else as a list.

        The lead of content without words has no words, either.
        """
        if not pieces:
            self.scope.unknowns = []
            return SpokenClause("")
        flat = self.flat(pieces)
        unclear = key in CONDITIONAL and any(piece.contrary for piece in pieces)  # which condition would it negate?
        unclear = unclear or runs_together(pieces)
        unclear = unclear or (len(pieces) > 1 and bool(self.scope.unknowns))  # the lead's own X is explained there
        if flat is not None and len(pieces) <= 3 and not unclear:
            return SpokenClause(self.explained(self.say_with(key, {"then": flat, **slots})), governs=True)
        lead = self.say_with(f"{key} block", slots)
        text = lead.rstrip(":").rstrip()
        lead = self.explained(text) + lead[len(text) :]
        return SpokenClause(lead, tuple((piece,) for piece in pieces))

    def at_will(self, pieces: list[SpokenClause], by: ir.Expr | None) -> SpokenClause:
        """Return the wording of something optional."""
        if not pieces:
            return SpokenClause("")
        flat = self.flat(pieces)
        nested = len(pieces) > 1 and any(piece.willing for piece in pieces)  # « you may …; you may … » is two options
        if flat is None or nested or runs_together(pieces):
            return SpokenClause(self.say_by("may block", by), tuple((piece,) for piece in pieces))
        offer = self.language.optional(flat) if by is None else ""
        return SpokenClause(offer or self.say_by("may", by, then=flat), willing=True)

    def flat(self, pieces: Sequence[SpokenClause]) -> str | None:
        """Return pieces as one clause, or None if they contain a list."""
        if any(piece.items for piece in pieces):
            return None
        clauses = [piece.text for piece in pieces]
        words = self.language.words
        if any(piece.third_person for piece in pieces) or any(", " in clause or ":" in clause for clause in clauses):
            return words["semicolon"].join(clauses)
        return join_with_last(clauses, words["comma"], words["then"])

    def explained(self, clause: str) -> str:
        """Return a clause with the explanations of its X and Y."""
        unknowns, self.scope.unknowns = self.scope.unknowns, []
        clause = self.language.impersonal(clause) if self.impersonal else clause
        for letter, meaning in unknowns:
            clause = self.say("where", clause=clause, letter=letter, meaning=meaning)
        return clause

    def say_by(self, key: str, by: ir.Expr | None, **slots: NounPhrase | str) -> str:
        """Return a filled template of the language. If the chooser is not the reader, use the variant that names the
        chooser."""
        who = self.value(by) if by is not None else None
        if who is None or who.person == 2:
            return self.say_with(key, slots)
        return self.say_with(f"{key} by", {"by": who, **slots})

    def authored(self, texts: Mapping[str, str], span: Span) -> str:
        """Return an author's own words in the language; empty if there are none in any."""
        words = texts.get(self.language.code, "")
        if not words and texts.get(REFERENCE):
            line = f'`, {self.language.code} "…"` behind `"{texts[REFERENCE]}"`'
            words = self.naming.missing(texts[REFERENCE], span, texts[REFERENCE], line)
        return mark_bold(words)

    def nothing_happens(self) -> list[SpokenClause]:
        """Return the clause of an effect without words."""
        return [SpokenClause(self.say("nothing happens"))]


def runs_together(pieces: Sequence[SpokenClause]) -> bool:
    """Return whether a clause could seem to belong to the lead of the previous one in the same sentence."""
    return any(one.governs and not other.contrary for one, other in pairwise(pieces))
