"""Texts that people read while they play the shipped games are grammatical."""

from __future__ import annotations

import re
from random import Random

import pytest
from games import GAMES, image

from fcbdsl.machine.vm import setup
from fcbdsl.play.session.log_text import happenings, occasion
from fcbdsl.play.session.view import View

DECISIONS = 30
FAULTS = {
    "fr": r"\brien\b|[^\s0-9][:;](\s|$)|\[[a-z]\]|\{|\w+\?\w:|^(\S+) : \1$|\bunplugged\b|\bdie [ri]\b",
    "en": r"\bnothing\b|\[[a-z]\]|\{|^(\S+): \1$|\bunplugged\b|\bdie [ri]\b",
}
"""Patterns of faults: names of absent things, punctuation of another language, templates, self-references, codes."""


def lines_of_game(game: str, mission: str, language: str) -> list[str]:
    """Return everything that is shown in the first decisions of a random game of two."""
    playing, lots = setup.start_game(image(game), mission, 2, 1, {}), Random(1)
    view, lines, heard = View(image(game), language), list[str](), 0
    playing.run()
    lines += view.set_up(playing)
    for _ in range(DECISIONS):
        ask = playing.world.ask
        if ask is None:
            break
        lines += [*view.table(playing).splitlines(), *happenings(view, playing, heard)]
        lines += [*view.asked(playing, ask, occasion(view, playing, ask)).splitlines(), *view.options(playing, ask)]
        heard = playing.world.happened
        playing.answer(lots.randrange(len(ask.options)))
        playing.run()
    return list(dict.fromkeys(lines))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("language", FAULTS)
@pytest.mark.parametrize("game", GAMES)
def test_play_texts_have_no_placeholders_and_no_missing_names(game: str, language: str) -> None:
    program = image(game).program
    missions = [row.id for row in program.definitions if row.board >= 0][:2]
    assert missions
    for mission in missions:
        faults = [line for line in lines_of_game(game, mission, language) if re.search(FAULTS[language], line)]
        assert faults == []


@pytest.mark.parametrize("language", FAULTS)
@pytest.mark.parametrize("game", GAMES)
def test_map_marks_have_printed_names(game: str, language: str) -> None:
    names = View(image(game), language).names
    program = image(game).program
    ids = {mark for board in program.boards for cell in board.cells for mark in cell.marks}
    called = [names.mark(mark) for mark in sorted(ids)]
    assert any(called) or not ids
    assert not {name for name in called if name} & {mark for mark in program.marks if "-" in mark}
