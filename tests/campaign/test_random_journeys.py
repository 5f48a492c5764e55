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
    told = Roamer(image(), tmp_path / "journey", CAMPAIGN, players, seed, plays=0, turns=4).roam(400)
    assert told.outcome in ("win", "lose")
    assert told.decided > 10


@pytest.mark.long
def test_random_campaign_with_played_missions(tmp_path: Path) -> None:
    told = Roamer(image(), tmp_path / "journey", CAMPAIGN, 3, 3, plays=2, turns=4).roam(25)
    assert told.missions > 1
    assert told.outcome not in ("fault", "stuck")


@pytest.mark.long
def test_random_campaigns_stay_within_explored_courses(tmp_path: Path) -> None:
    found, outline = explored(), outlining(image())
    states = {outline(kept): number for number, kept in enumerate(found.states)}
    fewest = image().program.players[0]
    told = Roamer(image(), tmp_path / "journey", CAMPAIGN, fewest, SEED, plays=0, turns=0).roam(400)
    assert told.outcome in ("win", "lose")
    course = [states[outline(kept)] for kept in told.stations]
    for before, after in zip(course, [*course[1:], ENDED], strict=True):
        assert after in [edge.after for edge in found.edges[before] or ()]
    ends = {"win": WIN, "lose": LOSE}
    assert ends[told.outcome] in [edge.outcome for edge in found.edges[course[-1]] or () if edge.after == ENDED]
