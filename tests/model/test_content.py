"""The shipped content is sound, and has the intended meaning."""

from __future__ import annotations

import pytest
from games import GAMES, ROOT, looked_through, model

from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.ir import Type
from fcbdsl.language.model.whole import Model
from fcbdsl.project.project import check_project

GAME = "far-cry-beyond"


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def content(game: str) -> Model:
    """Return each game with its tests, which must have no problem."""
    made, problems = looked_through(game, tests=True)
    assert problems == []
    return made


@pytest.fixture(scope="module")
def beyond() -> Model:
    return model(GAME, tests=True)


@pytest.mark.sampled(4)
def test_content_tests_cover_rules_and_have_steps(content: Model) -> None:
    assert len(content.tests) > 50
    """Preferences of bots are no rules: their tests are in `bots.fcb`."""
    assert all(test.steps for test in content.tests)
    assert all((test.span.source.name.endswith("/bots.fcb")) != bool(test.covers) for test in content.tests)


def test_forms_have_body_or_op_and_kinds_follow_parents(content: Model) -> None:
    assert all((form.op is None) != (form.body is None) for form in content.forms)
    seen: list[str] = []
    for kind in content.kinds.values():
        assert kind.parent is None or kind.parent.id in seen
        seen.append(kind.id)


def test_held_card_refers_to_holder(beyond: Model) -> None:
    chains = beyond.definitions["weapon", "chains"]
    body = chains.parts[0].values["On-hit"].body
    assert body is not None
    assert body.slots[:2] == (("self", Type("thing", "unit")), ("this", Type("thing", "weapon")))


def test_mission_has_board_and_tracks(beyond: Model) -> None:
    ridge = beyond.definitions["mission", "ridge-signal"]
    assert ridge.board is not None
    assert [(track.id, track.low, track.high) for track in ridge.tracks] == [("dawn", 0, 8), ("alert", 0, 6)]
    assert [(tier.at, tier.locked) for tier in ridge.tracks[1].tiers] == [(2, False), (4, True), (6, False)]
    assert ridge.players == (2, 4)


def test_dump_shows_whole_model(content: Model) -> None:
    text = dump(content)
    assert text.count("\ntest ") == len(content.tests)
    assert all(f"{form.sort} {form.id}(" in text for form in content.forms)
    assert not any(line != line.rstrip() for line in text.split("\n"))


def test_dump_names_card_with_fields(beyond: Model) -> None:
    assert 'weapon machete  en "Machete", fr "Machette"\n  family: blade\n' in dump(beyond)


@pytest.mark.long
def test_two_checks_give_equal_models(game: str, content: Model) -> None:
    anew, _ = check_project(root=ROOT, game=game)
    assert anew is not content
    assert dump(content) == dump(anew)
