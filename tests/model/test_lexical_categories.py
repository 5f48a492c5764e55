"""The cached lexical categories of a word hide no reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import ROOT, first_few
from small import checked

from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.project.project import cached_model, load_project

ERRORS = sorted((Path(__file__).parents[1] / "cases" / "errors").glob("*.fcb"))
SMALL = "escape"


@pytest.fixture
def trying(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Make every word have all categories, by replacing `settle`."""
    monkeypatch.setenv("FCB_CACHE", "")
    return monkeypatch


def try_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Vocabulary, "settle", lambda self: None)


@pytest.mark.long
@pytest.mark.parametrize("part", first_few(range(3), 1))
def test_mistake_has_the_same_message_with_and_without_the_cache(trying: pytest.MonkeyPatch, part: int) -> None:
    texts = [path.read_text(encoding="utf-8") for path in ERRORS[part::3]]
    before = [[(problem.span.line, problem.code, problem.message) for problem in checked(text)[1]] for text in texts]
    try_everything(trying)
    assert [
        [(problem.span.line, problem.code, problem.message) for problem in checked(text)[1]] for text in texts
    ] == before
    assert len([text for text in before if text]) == len(texts) > 33


def test_both_readers_agree_on_game(trying: pytest.MonkeyPatch) -> None:
    def read() -> str:
        model, problems = cached_model(load_project(root=ROOT, game=SMALL))
        assert problems == []
        return dump(model)

    before = read()
    try_everything(trying)
    assert read() == before


def test_word_can_have_several_meanings() -> None:
    model, _ = checked('kind rat: piece\nterrain mud "Mud":\n  blocks: sight\n')
    words = Vocabulary(model)
    words.settle()
    assert words.senses("mud") == (False, False, True, True)
    assert words.senses("rat") == (False, False, True, True)
    assert words.senses("place").attribute
    assert words.senses("nonsense") == (False, False, False, False)
    words.add_areas(["nonsense"])
    assert words.senses("nonsense") == (False, False, True, True)
