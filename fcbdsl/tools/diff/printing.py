"""Everything that a game prints, so that two versions of it can be compared text by text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.aids import AidMaker, aid_of, reference_of
from fcbdsl.print.pieces.campaign_sheets import campaign_of, is_campaign, story_sheet
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.pieces.token_pieces import supplies_of
from fcbdsl.print.press.proofs import render_piece
from fcbdsl.tools.diff.piece_facts import campaign_facts, facts_of, story_facts

Key = tuple[str, str]
"""Kind and id of a definition; the pages of a whole game have the kind `page`."""
PAGE = "page"
PAGES: dict[str, Callable[[Model, str], tuple[object, list[Diagnostic]]]] = {
    "aid": aid_of,
    "reference": reference_of,
    "tokens": supplies_of,
}


@dataclass(frozen=True, slots=True)
class Printed:
    """The printed form of something in a language: the whole view, the number of copies, its words, and the problems
    that the check reports about them."""

    views: tuple[object, ...]
    copies: int
    words: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(slots=True)
class Printing:
    """The printed form of one version of a game. Each text is made on demand and cached."""

    model: Model
    _printable: dict[Key, Definition]
    _made: dict[tuple[Key, str], Printed]
    _register: PieceRegister | None = None

    def everything(self) -> Iterator[Key]:
        """Yield the key of everything that is printed: definitions in order of declaration, then the pages of the
        game."""
        yield from self.model.definitions
        yield from ((PAGE, name) for name in PAGES)

    @property
    def register(self) -> PieceRegister:
        """Return the number of copies of each card."""
        if self._register is None:
            self._register = PieceRegister(self.model, self._printable.values())
        return self._register

    def is_printed(self, key: Key) -> bool:
        """Return whether a definition has a card or sheet."""
        return key in self._printable

    def of(self, key: Key, language: str) -> Printed:
        """Return the printed form of a definition, or of a page; an empty one if the game does not have it."""
        printed = self._made.get((key, language))
        if printed is None:
            printed = self._made[key, language] = self._print(key, language)
        return printed

    def _print(self, key: Key, language: str) -> Printed:
        if key[0] == PAGE:
            page, page_problems = PAGES[key[1]](self.model, language)
            return Printed((page,), 1, (), _messages(page_problems))
        definition = self.model.definitions.get(key)
        if definition is None:
            return Printed((), 0, (), ())
        views: list[object] = []
        words: list[str] = []
        problems: list[Diagnostic] = []
        if key in self._printable:
            proof = render_piece(definition, self.model, language)
            views.append(proof.view)
            words += [fact.text for fact in facts_of(proof.view) if fact.sort == "text"]
            problems += proof.problems
            if is_sheet(definition):
                sheet, page_problems = story_sheet(definition, self.model, language)
                views.append(sheet)
                words += [fact.text for fact in story_facts(sheet)]
                problems += page_problems
        if is_campaign(definition):
            journey, page_problems = campaign_of(definition, self.model, language)
            views.append(journey)
            words += [fact.text for fact in campaign_facts(journey)]
            problems += page_problems
        copies = self.register.copies(definition) if key in self._printable else 0
        return Printed(tuple(views), copies, tuple(words), _messages(problems))


def printing(model: Model) -> Printing:
    """Return the printed form of a model."""
    return Printing(model, {(definition.kind.id, definition.id): definition for definition in printable(model)}, {})


def marker_names(model: Model, language: str) -> list[str]:
    """Return the names of the markers whose effects the reference prints from the tree.

    Neither they nor a keyword with their title have a `reminder`.
    """
    maker = AidMaker(model, language)
    forms = [form for form in model.forms if form.sort == "keyword" and form.name.reminder]
    titles = [maker.title(form.name, form.id, form.span) for form in forms]
    return [
        counter.id
        for counter in maker.counters()
        if not counter.name.reminder and maker.title(counter.name, counter.id, counter.span) not in titles
    ]


def _messages(problems: list[Diagnostic]) -> tuple[str, ...]:
    return tuple(f"{type(problem).__name__}: {problem.message}" for problem in problems)
