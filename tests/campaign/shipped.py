"""The campaigns of the shipped games, each explored once."""

from __future__ import annotations

from functools import cache

import games

from fcbdsl.machine.vm.image import Image
from fcbdsl.play.campaign.exploration import Explored, explore

GAME = "far-cry-beyond"
CAMPAIGN = "last-road"


def image() -> Image:
    """Return the image of the game with the campaign."""
    return games.image(GAME)


@cache
def explored() -> Explored:
    """Return all courses of the campaign, for the fewest players."""
    return explore(image(), CAMPAIGN)
