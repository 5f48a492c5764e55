"""Checks of words make pages without places on maps. These have the words, problems and changes of printed pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from games import EACH_IN_ITS_LANGUAGES
from games import model as shipped

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.views import Card, CellView, MapView, Sheet
from fcbdsl.print.pieces.initials import figure_marks
from fcbdsl.print.pieces.map_drawing import Drawer
from fcbdsl.print.pieces.maps import map_of, worded_map
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.print.pieces.printables import own
from fcbdsl.print.press.proofs import CheckedPages, view_of
from fcbdsl.print.typeset.glyphs import texts


def facts_of(cell: CellView) -> object:
    """Return what a space has without its place."""
    return cell.id, cell.name, cell.style, cell.symbols, cell.ground


def letters_of(view: object) -> set[str]:
    """Return the letters of a view that are not in ASCII; every font has the others."""
    return {letter for text in texts(view) for letter in text if not letter.isascii()}


def compare(drawn: MapView | None, worded: MapView | None) -> None:
    """Assert that two maps have the same words."""
    assert (drawn is None) == (worded is None)
    if drawn is None or worded is None:
        return
    assert [*map(facts_of, drawn.cells)] == [*map(facts_of, worded.cells)]
    for name in ("alt", "legend", "lines", "south", "squares", "unit", "grounds", "ground"):
        assert getattr(drawn, name) == getattr(worded, name)
    assert [route.letter for route in drawn.routes] == [route.letter for route in worded.routes]
    assert sorted(side.letter for side in drawn.sides if side.letter) == sorted(
        side.letter for side in worded.sides if side.letter
    )
    assert len(drawn.ropes) == len(worded.ropes)
    assert letters_of(drawn) == letters_of(worded)


def boards(game: str) -> Iterator[Definition]:
    """Yield the definitions with a board."""
    yield from (definition for definition in shipped(game).definitions.values() if definition.board is not None)


def naming_of(game: str, language: str, mission: Definition) -> Naming:
    return Naming(shipped(game), LANGUAGES[language], "a map", mission.span)


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_worded_map_has_words_and_problems_of_drawn_map(game: str, language: str) -> None:
    model = shipped(game)
    facts = ModelFacts(model)
    for mission in boards(game):
        assert mission.board is not None
        for lacking in (False, True):  # with and without words for the things on the map
            titles = [ground.name for ground in (*model.terrains.values(), *model.barriers.values())] if lacking else []
            before = [dict(name.title) for name in titles]
            for name in titles:
                name.title.pop(language, None)
            one, other = naming_of(game, language, mission), naming_of(game, language, mission)
            try:
                compare(map_of(mission.board, model, one), worded_map(mission.board, model, other, facts))
            finally:
                for name, title in zip(titles, before, strict=True):
                    name.title.update(title)
            assert [(p.code, p.message, p.span) for p in one.problems] == [
                (p.code, p.message, p.span) for p in other.problems
            ]


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_checked_page_has_words_and_problems_of_printed_page(game: str, language: str) -> None:
    model = shipped(game)
    pages = CheckedPages(model)
    for definition in own(model):
        printed, problems = view_of(definition, model, language)
        checked, noted = pages.view(definition, language)
        assert [(p.code, p.message, p.span) for p in problems] == [(p.code, p.message, p.span) for p in noted]
        if isinstance(printed, Sheet) and isinstance(checked, Sheet):
            compare(printed.map, checked.map)
            assert replace(printed, map=None) == replace(checked, map=None)
        else:
            assert isinstance(printed, Card)
            assert printed == checked


def numbers_of(model: Model) -> list[tuple[Definition, str]]:
    """Return the numbers of the definitions of a model: their definitions and fields."""
    return [
        (definition, name)
        for definition in own(model)
        for name, value in definition.values.items()
        if isinstance(value.expr, ir.Const) and value.expr.type == ir.NUMBER
    ]


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_changed_number_changes_checked_page_as_printed_page(game: str, language: str) -> None:
    model = shipped(game)
    pages = CheckedPages(model)
    sheets = [definition for definition in own(model) if definition.kind.id == "mission"][:2]
    seen: dict[bool, int] = {False: 0, True: 0}
    for definition, name in numbers_of(model)[:: max(1, len(numbers_of(model)) // 12)]:
        for page in (definition, *sheets):
            printed = view_of(page, model, language)[0]
            pages.view(page, language, keep=True)
            value = definition.values[name]
            assert isinstance(value.expr, ir.Const)
            definition.values[name] = replace(value, expr=replace(value.expr, value=value.expr.value + 1))
            try:
                changed = view_of(page, model, language)[0] != printed
                assert pages.is_changed(page, language, [definition]) == changed
            finally:
                definition.values[name] = value
            seen[changed] += 1
    assert all(seen.values())


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_facts_are_those_of_the_model(game: str, language: str) -> None:
    model = shipped(game)
    facts = ModelFacts(model)
    mission = next(boards(game))
    for _ in range(2):
        assert facts.marks(naming_of(game, language, mission)) == figure_marks(
            model, naming_of(game, language, mission)
        )
    for place in boards(game):
        if place.board is not None and place.board.sort != "graph":
            drawer = Drawer(place.board, model, naming_of(game, language, place))
            assert facts.sides(place.board) == [owners for _, owners in drawer.borders()]
    for definition in model.definitions.values():
        assert list(facts.cards_for(definition)) == [d for d in model.definitions.values() if d.target is definition]


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_each_map_reports_figures_without_title(game: str, language: str) -> None:
    model = shipped(game)
    facts = ModelFacts(model)
    figure = next(d for d in model.definitions.values() if any(k.id == "piece" for k in d.kind.lineage()))
    title = figure.name.title
    figure.name.title = {}
    try:
        for _ in range(2):
            naming = naming_of(game, language, figure)
            facts.marks(naming)
            assert [problem.arguments["name"] for problem in naming.problems] == [figure.id]
    finally:
        figure.name.title = title
