"""Everything that ships fits its card or sheet with all its words: each piece, each language, each paper."""

from __future__ import annotations

import pytest
from games import GAMES, model, shared_cache

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.pieces.printables import own
from fcbdsl.print.press.proofs import fit_problems
from fcbdsl.print.press.table_sheets import table_problems
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project


def shop(source: str) -> Model:
    """Return the model of a small system without problems."""
    loader = Loader(Project())
    loader.use("core")
    file, wrong = parse(Source("shop.fcb", source))
    made, reported = check([*loader.files(), file])
    assert [*wrong, *reported] == []
    return made


def messages_of(problems: list[Diagnostic]) -> list[str]:
    return [f"{problem.code} {problem.message}" for problem in problems]


@pytest.mark.long
@pytest.mark.last
@pytest.mark.parametrize("game", GAMES)
def test_every_card_board_and_sheet_fits(game: str) -> None:
    """Last: what others have printed is measured."""
    with shared_cache():
        assert messages_of(fit_problems(model(game), own(model(game)))) == []


@pytest.mark.long
@pytest.mark.last
@pytest.mark.parametrize("game", GAMES)
def test_aids_tokens_maps_stories_and_campaigns_fit(game: str) -> None:
    with shared_cache():
        assert messages_of(table_problems(model(game), own(model(game)))) == []


def test_piece_that_does_not_fit_is_named_for_each_paper() -> None:
    title = "Rindfleischetikettierung" * 12
    source = f"""
system shop "Shop":
  players: 1
  board: hex
kind hand is piece:
  name: "hand", plural "hands"
action stare "{title}":
  by: hand
  effect: stop
"""
    messages = " ".join(messages_of(table_problems(shop(source), [])))
    assert all(f"(en, {paper.title})" in messages for paper in papers().values())


@pytest.mark.parametrize(("title", "fits"), [("Crossroads", True), ("Crossroads of the Kings", False)])
def test_place_name_stays_inside_place(title: str, fits: bool) -> None:
    source = f"""
system shop "Shop":
  players: 1
  board: graph
kind hand is piece:
  name: "hand", plural "hands"
mission stall "Stall":
  map graph:
    places:
      inn "Inn"
      cross "{title}"
    paths:
      inn E cross
"""
    made = shop(source)
    messages = messages_of(fit_problems(made, own(made)))
    assert (
        messages == []
        if fits
        else all(message.startswith(f"FCB0707 The word “{title}”") for message in messages) and messages
    )
