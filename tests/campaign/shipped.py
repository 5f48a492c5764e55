"""The shipped campaign, made and explored once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fcbdsl.campaign.exploration import Explored, explore
from fcbdsl.compiler import lower
from fcbdsl.project import check_project
from fcbdsl.vm.machine import Machine

CAMPAIGN = "last-road"
_ROOT = Path(__file__).parents[2]


@cache
def machine() -> Machine:
    """The machine of all shipped content."""
    model, problems = check_project([_ROOT / "cards" / "far-cry-beyond", _ROOT / "missions" / "far-cry-beyond"])
    assert not [problem for problem in problems if problem.severity == "error"]
    return Machine(lower(model))


@cache
def explored() -> Explored:
    """All courses of the campaign, for as few players as can play it."""
    return explore(machine(), CAMPAIGN)
