"""The campaigns of the shipped games, each explored once."""

from __future__ import annotations

from functools import cache

import games

from fcbdsl.machine.vm.image import Image
from fcbdsl.play.campaign.exploration import Explored, explore

GAME = "far-cry-beyond"
CAMPAIGN = "last-road"


def image() -> Image:
    """The machine of the game whose campaign is travelled."""
    return games.image(GAME)


@cache
def explored() -> Explored:
    """All courses of the campaign, for as few players as can play it."""
    return explore(image(), CAMPAIGN)
