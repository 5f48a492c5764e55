"""The looks of missions at a table agree with their programs."""

from __future__ import annotations

import json
import re
from functools import cache

import games
import pytest

from fcbdsl.cli.replay_command import drawn_boards, replay_story
from fcbdsl.cli.stories import render_story
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.playout import Record, play_out
from fcbdsl.play.table.scene import SceneMaker
from fcbdsl.print.export.dressing import Dressing, dressing_of
from fcbdsl.print.pieces.printables import is_sheet


@cache
def dressed(game: str, language: str = "en") -> Dressing:
    model = games.model(game)
    mission = next(definition for definition in model.definitions.values() if is_sheet(definition))
    return dressing_of(mission, model, language)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", games.GAMES)
def test_board_drawing_has_spaces_and_looks_of_program(game: str) -> None:
    image, dressing = games.image(game), dressed(game)
    playing = setup.start_game(image, dressing.mission, max(2, image.program.players[0]), 1, {})
    ask = playing.run()
    assert isinstance(ask, Ask)
    board = image.program.boards[playing.world.board]
    assert dressing.board is not None
    assert [cell.id for cell in dressing.board.cells] == [cell.name for cell in board.cells]
    view = SceneMaker(image, "en", (0,)).look(playing, ask)
    edges = {(edge.first, edge.second) for edge in dressing.board.edges}
    for side in view.sides:
        assert side.look in dressing.barriers
        assert tuple(sorted((side.first, side.second))) in edges
    for piece in view.pieces:
        assert piece.space is None or piece.look in dressing.looks
    for space in view.spaces:
        assert {token.name for token in space.tokens} <= set(dressing.tokens)
    for track in view.tracks:
        steps = {at for step in dressing.tracks[track.look] for at in step.at}
        assert set(track.marks) <= steps


@pytest.mark.parametrize("game", games.GAMES)
def test_board_drawing_has_no_start_position(game: str) -> None:
    dressing = dressed(game)
    assert dressing.board is not None
    drawn = re.sub(r"<defs>.*?</defs>", "", dressing.board.svg, flags=re.DOTALL)  # grounds are patterns
    drawn = re.sub(r'<g transform="[^"]*"><rect [^>]*/></g>', "", drawn)  # plates below names
    assert "<g transform" not in re.sub(r'<g [^>]*aria-hidden="true"[^>]*>', "", drawn)
    assert [passage.title for passage in dressing.passages if passage.goal]
    assert sum(bool(look.face) for look in dressing.looks.values()) > 20


@pytest.mark.parametrize("game", games.GAMES)
def test_sprite_contains_every_drawing(game: str) -> None:
    dressing = dressed(game)
    drawings = set(re.findall(r'id="drawing-([\w-]+)"', dressing.sprite))
    shown = [*dressing.looks.values(), *dressing.tokens.values()]
    assert {look.drawing for look in shown} - drawings <= {"die"}
    used = {name for look in shown for name in re.findall(r'href="#drawing-([\w-]+)"', look.face)}
    assert used <= drawings


def test_board_drawing_is_named_by_content() -> None:
    assert dressed("escape").name() == dressed("escape").name() != dressed("escape", "fr").name()
    assert dressed("escape", "fr").title != ""


def test_story_shows_board_of_each_step() -> None:
    image = games.image("escape")
    record = Record(image.program.hash, games.missions(image.program)[0], 2, 1)
    play_out(setup.start_game(image, record.mission, 2, 1, {}), [make_bot("random", seat) for seat in range(2)], record)
    boards = drawn_boards(image, record, "en", None)
    story = replay_story(image, record, "en", None, boards.note)
    looks = boards.looks(games.model("escape"))
    assert looks is not None
    html = render_story(story, "en", drawn=looks)
    scenes = json.loads(re.findall(r'id="scenes">(.*?)</script>', html, re.DOTALL)[0])
    assert len(scenes) > len(record.decisions) / 3
    assert "class Board" in html
    assert "export " not in html
    assert len(re.findall(r"<script>", html)) == 1
