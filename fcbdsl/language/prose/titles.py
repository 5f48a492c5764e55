"""Titles of a model's declarations, as nouns of a language. An internal name is never printed."""

from __future__ import annotations

from dataclasses import field, replace

from fcbdsl.base.diagnostics import Diagnostic, Related
from fcbdsl.base.diagnostics.print import MissingWording, NoSymbol, UnsaidArgument
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Board, Cell, Definition
from fcbdsl.language.model.declarations import ASSUMED_GENDER, Field, Form, GenderTrial, Kind, Name, Param
from fcbdsl.language.model.ir import NUMBER, Type
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import english
from fcbdsl.language.prose.language import Language, has_abbreviation
from fcbdsl.language.prose.phrase import Noun

GAP = "…"
"""The placeholder for missing words."""


@dataclass(slots=True)
class Naming:
    """Looks up names for one text in one language, and collects missing ones.

    `subject` describes the text in messages; `span` is the place for problems of declarations without one.
    """

    model: Model
    language: Language
    subject: str
    span: Span
    problems: list[Diagnostic] = field(default_factory=list)
    bearer: Kind | None = None  # the kind of the thing that a card is for, which its texts refer to
    board: Board | None = None  # the board with the pieces that texts refer to
    at: Span | None = None  # the statement that is being read
    compared: bool = False  # the texts are only compared with others, so no genders are tried

    @property
    def _trial(self) -> GenderTrial | None:
        """Return the trial of genders that the printed words take part in."""
        return None if self.compared else self.model.gender_trial

    def quietly(self) -> Naming:
        """Return a copy for a trial, in which missing words are not reported."""
        return replace(self, problems=[])

    def take_over(self, trial: Naming) -> None:
        """Report the problems of a trial after all, since its words are used."""
        self.at = trial.at
        for problem in trial.problems:
            if not (isinstance(problem, UnsaidArgument) and self._is_reported(problem)):
                self.problems.append(problem)

    def unsaid(self, param: Param, span: Span, called: str) -> None:
        """Report an argument that the text of a form omits, once per place."""
        argument = f"{param.preposition} {param.name}" if param.preposition else param.name
        problem = UnsaidArgument(
            span, argument=argument, slot=param.name, form=called, card=self.subject, language=self.language.code
        )
        if not self._is_reported(problem):
            self.problems.append(problem)

    def _is_reported(self, problem: Diagnostic) -> bool:
        """Return whether an equal problem has been reported."""
        return any(
            (other.code, other.span, other.message) == (problem.code, problem.span, problem.message)
            for other in self.problems
        )

    def declared_noun(self, word: str) -> Noun | None:
        """Return the noun of a `noun` declaration with a title; None for other words."""
        name = self.model.nouns.get(word)
        return self.noun(name, word) if name is not None and name.title else None

    def of_type(self, kind: Type) -> Noun:
        """Return the noun for a value of that type."""
        if kind.base in {"thing", "definition"}:
            return self.kind_called(kind.name)
        return self.language.nouns.get(kind.base) or self.language.nouns["thing"]

    def field(self, field: Field) -> Noun:
        """Return the noun of a stat, field or status; the language has nouns for built-in ones.

        A field with a declared plural counts things, which are worded in the plural (your coins), except for words with
        one form (your Health). Abbreviations (French: vos PV) and words with two forms in the reference language
        (French: vos pas) are worded in the plural, too.
        """
        if not field.name.title and field.id == "place":
            return self.kind_called("space")
        noun = self.counted_noun(field)
        plural = field.name.plural.get(REFERENCE, "")
        several = noun.one != noun.many or has_abbreviation(noun.one)
        several = several or plural not in ("", field.name.title.get(REFERENCE, ""))
        listed = field.type.many and self.is_several(field.name)
        return replace(noun, collective=True) if listed or (several and self.counts(field)) else noun

    def kind_called(self, name: str) -> Noun:
        """Return the noun of a kind by its name."""
        if name in self.model.kinds:
            return self.kind(self.model.kinds[name])
        return self.language.nouns.get(name) or self.language.nouns["thing"]

    def kind(self, kind: Kind) -> Noun:
        """Return the noun of a kind, else the language's own word for a built-in one, else its parent's noun."""
        return self._kind(kind, self._trial)

    def kind_without_gender(self, kind: Kind) -> Noun:
        """Return the noun of a kind for words that do not agree with it."""
        return self._kind(kind, None)

    def _kind(self, kind: Kind, trial: GenderTrial | None) -> Noun:
        ancestor: Kind | None = kind
        while ancestor is not None:
            if self.language.code in ancestor.name.title:
                return self._noun(ancestor.name, ancestor.id, ancestor.span, trial)
            if ancestor.id in self.language.nouns:
                return self.language.nouns[ancestor.id]
            ancestor = ancestor.parent
        return self._noun(kind.name, kind.id, kind.span, trial)

    def is_several(self, name: Name) -> bool:
        """Return whether a title with one form is a plural: the declared one, or that of a plural in the reference
        language (French: tas is one heap)."""
        title = name.title.get(REFERENCE, "")
        return self.language.code in name.plural or not title or english.singular(title) != title

    def heading(self, field: Field) -> str:
        """Return the name of a field for a heading; a count is named in the plural."""
        noun = self._counted_noun(field, None)
        return self.language.finish(without_agreement(noun.many if self.counts(field) else noun.one))

    def single(self, field: Field) -> str:
        """Return the name of a stat, field or status in the singular, for words that do not agree with it."""
        return without_agreement(self._counted_noun(field, None).one)

    def counted_noun(self, field: Field) -> Noun:
        """Return the noun of a stat, field or status by its title; of a title that is a plural the singular is
        derived."""
        return self._counted_noun(field, self._trial)

    def _counted_noun(self, field: Field, trial: GenderTrial | None) -> Noun:
        if not field.name.title and field.id in self.language.nouns:
            return self.language.nouns[field.id]
        noun = self._noun(field.name, field.id, field.span, trial)
        if self.is_plural(field) and self.language.code not in field.name.plural and noun.one != GAP:
            return Noun(self.language.single(noun.one), noun.one, noun.gender)
        return noun

    def counts(self, field: Field) -> bool:
        """Return whether a stat or field counts things: it declares a plural, or its title is one."""
        declared = field.sort in {"stat", "field"} and self.language.code in field.name.plural
        return declared or self.is_plural(field)

    def is_plural(self, field: Field) -> bool:
        """Return whether the title of a number is a plural, although no plural is declared (``stat lights
        "lights"``)."""
        title, name = field.name.title.get(REFERENCE, ""), field.name
        if field.sort not in {"stat", "field"} or field.type != NUMBER or name.plural or not title:
            return False
        return english.singular(title) != title

    def is_noun(self, field: Field) -> bool:
        """Return whether a status is a noun (has a Cold) or an adjective (is Tired): a gender makes it a noun."""
        return bool(field.name.gender)

    def lacking(self, field: Field) -> str:
        """Return the wording for things without that status; empty if it is only the negation."""
        return field.without.title.get(self.language.code, "")

    def measured(self, form: Form) -> Noun | None:
        """Return the noun of a measure with a title: damage, shots."""
        if form.sort != "measure" or self.language.code not in form.name.title:
            return None
        return self.noun(form.name, form.id, form.span)

    def is_only(self, definition: Definition) -> bool:
        """Return whether a definition has a name, and no second copy in the box or on a map."""
        field, own = definition.kind.find("copies"), definition.values.get("copies")
        copies = own.expr if own is not None else field.default if field is not None else None
        if (copies is not None and (evaluate_constant(copies) or 1) > 1) or self.is_common(definition.name):
            return False
        boards = [owner.board for owner in self.model.definitions.values() if owner.board is not None]
        standing = (sum(cell.places.count(definition.id) for cell in board.cells) for board in boards)
        return max(standing, default=0) < 2

    def is_common(self, name: Name) -> bool:
        """Return whether a title is a common noun, which takes an article."""
        code = self.language.code if self.language.capitals_tell else REFERENCE
        return name.title.get(code, "")[:1].islower()

    def place_of(self, piece: str, copy: int) -> str | None:
        """Return the space of piece number `copy` on the board.

        Empty if it is the only one of its sort there; None if it is not there.
        """
        cells = self.board.cells if self.board is not None else []
        places = [self.space(cell) for cell in cells for place in cell.places if place == piece]
        if not 1 <= copy <= len(places):
            return None
        return places[copy - 1] if len(places) > 1 else ""

    def cell(self, id: str) -> Cell | None:
        """Return the place of the map's graph with an id, or None: other spaces have coordinates and no titles."""
        cells = self.board.cells if self.board is not None and self.board.sort == "graph" else []
        return next((cell for cell in cells if cell.id == id), None)

    def space(self, cell: Cell) -> str:
        """Return the name of a space: its title in a graph, else its coordinates."""
        return self.title(cell.name, cell.id, cell.span) if cell.name.title else cell.id

    def mark(self, word: str) -> str:
        """Return the title of a mark of maps: it may be named where its symbol is declared."""
        titles = self.model.titles_on_maps(word)
        if self.language.code in titles:
            return titles[self.language.code]
        declared = self.model.marks.get(word)
        if declared is not None:
            return self.title(declared.name, word, declared.span)
        return self.missing(word, instead=titles.get(REFERENCE, ""))

    def title(self, name: Name, called: str, span: Span | None = None) -> str:
        """Return the bare title, without agreement marks."""
        return without_agreement(self.marked_title(name, called, span))

    def marked_title(self, name: Name, called: str, span: Span | None = None) -> str:
        """Return the title with its agreement marks."""
        return name.title.get(self.language.code) or self._noun(name, called, span, None).one

    def mark_noun(self, word: str) -> Noun | None:
        """Return a mark as a noun for its spaces, if it declares a plural or a gender (a Gate)."""
        declared = self.model.marks.get(word)
        if declared is None or not (declared.name.plural or declared.name.gender):
            return None
        return self.noun(declared.name, word, declared.span)

    def noun(self, name: Name, called: str, span: Span | None = None) -> Noun:
        """Return the noun of a declared name."""
        return self._noun(name, called, span, self._trial)

    def _noun(self, name: Name, called: str, span: Span | None, trial: GenderTrial | None) -> Noun:
        code = self.language.code
        title = name.title.get(code)
        if not title:
            below = f'`{code}: "…"` below its declaration'
            title = f'a title to its declaration: `{called} "…"`' if code == REFERENCE else below
            first = self.missing(called, span, name.title.get(REFERENCE, ""), title)
            return Noun(first, GAP if first == GAP else name.plural.get(REFERENCE) or first)
        gender = name.gender.get(code)
        if gender is None:
            gender = trial.gender_of(name) if trial is not None else ASSUMED_GENDER
        return Noun(title, name.plural.get(code) or self.language.many(title), gender)

    def missing(self, name: str, span: Span | None = None, instead: str = "", line: str = "") -> str:
        """Report that `name` has no words in this language, and return a replacement: `instead` or a gap.

        `instead`: the words in the language of the sources, used if missing words are allowed (`in_progress`). `line`:
        the line that the author should write, if it is neither a `text` nor a title.
        """
        filled = self.in_progress and bool(instead)
        place, related = span or self.span, []
        if span is not None and span is not self.span and self.is_out_of_reach(span):
            place = self.at if self.at is not None and self.at.beside(self.span) else self.span
            related = [Related(span, f"`{name}` is declared here")] if span.source.text else []
        code = self.language.code
        line = line or (
            f'`text {code}: "…"` to its declaration (or `{code}: "…"` beside a title), or write the whole '
            f"`text {code}` on the card"
        )
        problem = MissingWording(
            place, name=name, card=self.subject, language=code, filled=filled, line=line, related=related
        )
        self.problems.append(problem)
        return instead if filled else GAP

    @property
    def in_progress(self) -> bool:
        """Return whether missing words in this language are allowed, so that those of the sources replace them."""
        return self.language.code not in self.model.languages

    def is_out_of_reach(self, span: Span) -> bool:
        """Return whether the author cannot change the declaration at a place, because it is shipped with fcb."""
        return not span.source.text or self.model.is_lent(span)

    def alone(self, mark: str) -> bool:
        """Return whether exactly one space of the map bears a mark."""
        cells = self.board.cells if self.board is not None else []
        return sum(mark in cell.marks for cell in cells) == 1

    def unmarked(self, name: str, span: Span) -> None:
        """Report something on a map that has no symbol."""
        problem = NoSymbol(span, name=name, card=self.subject)
        if not self._is_reported(problem):
            self.problems.append(problem)


def without_agreement(title: str) -> str:
    """Drop the agreement marks of an adjective's title: ``Fatigué[e]`` → ``Fatigué``."""
    head, bracket, _ = title.partition("[")
    return head if bracket else title
