"""In each game cards of one kind look different, and figures differ by their outline."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from games import GAMES, model
from views import supplies_in

from fcbdsl.print.pieces.assets import our_drawings
from fcbdsl.print.pieces.cards import card_of, drawing_for
from fcbdsl.print.pieces.chips import PrintedFields
from fcbdsl.print.pieces.initials import figure_marks, is_figure
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.pieces.sets import needed_for

FEW = 3
"""Up to this number of cards of a kind, titles are enough to distinguish them."""
SHARE = 0.16
"""The largest share of the cards of a kind with the same drawing; two cards are always allowed."""


@cache
def drawn(game: str) -> dict[tuple[str, str], str]:
    """Return the drawing of each printed definition of a game, by its kind and id."""
    made = model(game)
    pieces = [definition for definition in printable(made) if not is_sheet(definition)]
    return {
        (definition.kind.id, definition.id): drawing_for(definition, PrintedFields(definition, made, "en"))
        for definition in pieces
    }


@pytest.mark.parametrize("game", GAMES)
def test_drawings_are_not_shared_by_many_cards_of_a_kind(game: str) -> None:
    kinds: dict[str, Counter[str]] = {}
    for (kind, _), drawing in drawn(game).items():
        kinds.setdefault(kind, Counter())[drawing] += 1
    crowded = {
        kind: [(drawing, count) for drawing, count in counts.items() if count > max(2, SHARE * counts.total())]
        for kind, counts in kinds.items()
        if counts.total() > FEW
    }
    assert {kind: many for kind, many in crowded.items() if many} == {}


@pytest.mark.parametrize("game", GAMES)
def test_figures_of_mission_differ_in_outline_or_mark(game: str) -> None:
    made = model(game)
    marks = figure_marks(made, PrintedFields(next(iter(made.definitions.values())), made, "en").naming)
    for mission in (definition for definition in made.definitions.values() if is_sheet(definition)):
        figures = [
            definition
            for definition in needed_for(mission, made)
            if is_figure(definition) and (definition.kind.id, definition.id) in drawn(game)
        ]
        twice = Counter((drawn(game)[figure.kind.id, figure.id], marks[figure.id]) for figure in figures)
        assert [pair for pair, count in twice.items() if count > 1] == [], mission.id


@pytest.mark.parametrize("game", GAMES)
def test_selectable_figures_have_distinct_drawings(game: str) -> None:
    """Each figure with a board or a card has its own drawing within its kind."""
    made = model(game)
    kinds: dict[str, Counter[str]] = {}
    for (kind, id), drawing in drawn(game).items():
        if is_figure(made.definitions[kind, id]):
            kinds.setdefault(kind, Counter())[drawing] += 1
    alike = {kind: [drawing for drawing, count in counts.items() if count > 1] for kind, counts in kinds.items()}
    assert {kind: many for kind, many in alike.items() if many} == {}


def test_card_shows_declared_drawing() -> None:
    game = GAMES[0]
    made = model(game)
    layout = made.layouts["drawings"]
    for id, parts in layout.settings.items():
        card = next(definition for definition in made.definitions.values() if definition.id == id)
        assert card_of(card, made, "en")[0].drawing == parts[0][0]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_tokens_differ_in_shape(game: str, language: str) -> None:
    """What is to be cut differs in its drawing, its letters or its number, and not by its colour alone."""
    titles: dict[tuple[str, str, str], set[str]] = {}
    letters: dict[str, set[str]] = {}
    for disc in supplies_in(game, language)[0].discs:
        titles.setdefault((disc.symbol.drawing, disc.symbol.letter, disc.number), set()).add(disc.title)
        if len(disc.symbol.letter) > 1 and not disc.symbol.letter.isdecimal():
            letters.setdefault(disc.symbol.letter, set()).add(disc.title)
    assert [sorted(some) for some in (*titles.values(), *letters.values()) if len(some) > 1] == []


def words_in(parts: object) -> Iterator[str]:
    """Return all words of a setting at any depth."""
    for part in parts if isinstance(parts, tuple) else (parts,):
        if isinstance(part, str):
            yield part
        else:
            yield from words_in(part)


def test_every_drawing_is_used() -> None:
    """A game, its texts or the renderer uses each drawing."""
    used: set[str] = set()
    for game in GAMES:
        made = model(game)
        for layout in made.layouts.values():
            used.update(word for parts in layout.settings.values() for word in words_in(parts))
        texts = [text.template for form in made.forms for text in form.texts]
        used.update(name for text in texts for name in re.findall(r"\{#([^{}]*)\}", text))
    press = Path(drawing_for.__code__.co_filename).parents[1]
    for path in (*press.rglob("*.py"), *(press / "templates").iterdir()):
        used.update(re.findall(r'"([\w-]+)"', path.read_text(encoding="utf-8")))
    assert [name for name in our_drawings() if name not in used] == []
