"""Random journeys through the shipped campaign: missions played or decided at will, rewinding, resuming."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_player import Roamer
from shipped import CAMPAIGN, explored, image

from fcbdsl.machine.vm.world import LOSE, WIN
from fcbdsl.play.campaign.exploration import ENDED, SEED, outlining


@pytest.mark.parametrize(("seed", "players"), [(0, 2), pytest.param(2, 4, marks=pytest.mark.long)])
def test_random_campaigns_with_given_results(tmp_path: Path, seed: int, players: int) -> None:
    result = Roamer(image(), tmp_path / "journey", CAMPAIGN, players, seed, plays=0, turns=4).roam(400)
    assert result.outcome in ("win", "lose")
    assert result.decided > 10


@pytest.mark.long
def test_random_campaign_with_played_missions(tmp_path: Path) -> None:
    result = Roamer(image(), tmp_path / "journey", CAMPAIGN, 3, 3, plays=2, turns=4).roam(25)
    assert result.missions > 1
    assert result.outcome not in ("fault", "stuck")


@pytest.mark.long
def test_random_campaigns_stay_within_explored_courses(tmp_path: Path) -> None:
    exploration, outline = explored(), outlining(image())
    states = {outline(state): number for number, state in enumerate(exploration.states)}
    fewest = image().program.players[0]
    result = Roamer(image(), tmp_path / "journey", CAMPAIGN, fewest, SEED, plays=0, turns=0).roam(400)
    assert result.outcome in ("win", "lose")
    course = [states[outline(station)] for station in result.stations]
    for before, after in zip(course, [*course[1:], ENDED], strict=True):
        assert after in [edge.after for edge in exploration.edges[before] or ()]
    ends = {"win": WIN, "lose": LOSE}
    assert ends[result.outcome] in [edge.outcome for edge in exploration.edges[course[-1]] or () if edge.after == ENDED]
