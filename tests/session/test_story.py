"""Stories of games: equal to the goldens in `tests/cases/stories`, and without secrets of others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import click
import pytest

from fcbdsl.cli.stories import render_story, story_text, why
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.playout import Divergence, Record, play_out, replay
from fcbdsl.play.session.story import Heading, Story, retold
from fcbdsl.play.session.view import View
from tests.campaign.small_campaign import program

FORD = Path(__file__).parents[1] / "cases" / "stories" / "ford.fcb"


@cache
def played() -> tuple[Image, Record]:
    """Return a whole game of the ford."""
    image = Image(program(FORD.read_text(encoding="utf-8"), ""))
    record = Record(image.program.hash, "two-fords", 1, 5)
    game = setup.start_game(image, "two-fords", 1, 5, {})
    play_out(game, [make_bot("first", 5)], record)
    return image, record


def story(language: str = "en", seats: tuple[int, ...] | None = None) -> Story:
    image, record = played()
    return retold(image, record, View(image, language, seats))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_story_of_a_game_equals_its_golden(language: str, update: bool) -> None:
    golden = FORD.with_suffix(f".{language}.txt")
    text = story_text(story(language))
    if update:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_causes_are_shown_with_their_source_lines() -> None:
    text = why(story(), "2.5")
    assert text.startswith("2.5  Otto is splashed by Anna\n")
    assert "  because  Anna: Go\n" in text
    assert text.index("Anna: Go") < text.index("verb crossing") < text.index("because  flow")
    assert "small.fcb:" in text


def test_unknown_line_number_is_refused_with_the_lines_of_its_step() -> None:
    with pytest.raises(click.UsageError, match=r"step 1 has 1\.1, 1\.2"):
        why(story(), "1.9")
    with pytest.raises(click.UsageError, match="fcb replay --show"):
        why(story(), "twelve")


def test_selected_steps_keep_headings() -> None:
    entries = list(story().between(3, 3))
    headings = [entry.text for entry in entries if isinstance(entry, Heading)]
    assert headings == ["Turn 1", "The crossing", "Evening", "Drying off: Anna"]
    assert {entry.step for entry in entries if not isinstance(entry, Heading)} == {3}
    assert list(story().between(7, 9)) == []


def test_story_for_a_seat_has_no_secrets_and_no_causes() -> None:
    text = story_text(story(seats=(1,)))  # a seat that has no walker
    assert "pebble → pack of Anna" in text
    assert "Flint" not in text
    assert "Chalk" not in text
    assert [line.causes for line in story(seats=(1,)).lines() if line.causes] == []
    assert "Chalk → pack of Anna" in story_text(story(seats=(0,)))
    assert any(line.causes for line in story().lines())


def test_story_page_has_boards_and_escapes_content() -> None:
    made = render_story(story(), "en")
    assert made.count('class="line"') == len(list(story().lines()))
    assert "Turn 1</h2>" in made
    assert "http" not in made.replace("http-equiv", "")
    wicked = replace(story(), title="</title><script>alert(1)</script>", boards={0: "</script><b>"})
    assert "<script>alert" not in render_story(wicked, "en")
    assert "</script><b>" not in render_story(wicked, "en")


def test_story_does_not_change_game() -> None:
    image, record = played()
    assert replay(image, record).digest() == record.digest
    game = setup.start_game(image, record.mission, 1, record.seed, {})
    game.log_observer = lambda node: None
    assert game.clone().log_observer is None


def test_record_of_other_game_diverges() -> None:
    image, record = played()
    for decisions in ([*record.decisions, 0], [99]):
        with pytest.raises(Divergence):
            retold(image, replace(record, decisions=decisions), View(image))
