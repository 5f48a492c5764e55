"""Everything that ships fits its card or sheet with all its words: each piece, each language, each paper."""

from __future__ import annotations

import pytest
from games import GAMES, model

from fcbdsl.diagnostics import Diagnostic
from fcbdsl.model.check import check
from fcbdsl.project import Loader, Project
from fcbdsl.render.formats import papers
from fcbdsl.render.proofs import fit_problems, own
from fcbdsl.render.table import table_problems
from fcbdsl.source import Source
from fcbdsl.syntax.parser import parse


def told(problems: list[Diagnostic]) -> list[str]:
    return [f"{one.code} {one.message}" for one in problems]


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_card_board_and_sheet_fits(game: str) -> None:
    assert told(fit_problems(model(game), own(model(game)))) == []


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_aids_tokens_maps_stories_and_campaigns_fit(game: str) -> None:
    assert told(table_problems(model(game), own(model(game)))) == []


def test_what_does_not_fit_is_named_for_each_paper() -> None:
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
    loader = Loader(Project())
    loader.use("core")
    file, wrong = parse(Source("shop.fcb", source))
    made, found = check([*loader.files(), file])
    assert [*wrong, *found] == []
    said = " ".join(told(table_problems(made, [])))
    assert all(f"(en, {paper.title})" in said for paper in papers().values())
