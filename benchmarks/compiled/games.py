"""Digests of the states of games of every shipped mission."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.bots.bots import Bot

SEEDS = (1, 2)
THINKERS = ("sensible", "thumb", "search:5")
DECISIONS = 12
"""The number of decisions of bots that search."""
MOST_DECISIONS = 100
"""The number of decisions of random bots after which the builds are compared. Whole games would take longer than the
C compiler."""


def digests(
    image: Image, seeds: Sequence[int] = SEEDS, thinkers: Sequence[str] = THINKERS, most: int = sys.maxsize
) -> list[str]:
    """Return the states in which games between random bots end, or are after `most` decisions: every mission of a game,
    seed by seed, with most players.

    Add the states of its first mission after some decisions of other bots.
    """
    from fcbdsl.machine.vm import setup
    from fcbdsl.play.bots.bots import RandomBot
    from fcbdsl.play.bots.roster import make_bot

    out = []
    program = image.program
    missions = [row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"]
    for mission in missions:
        for seed in seeds:
            bots = [RandomBot(seed + n) for n in range(program.players[1])]
            out.append(_digest_after(setup.start_game(image, mission, len(bots), seed, {}), bots, most))
    for name in thinkers:
        game = setup.start_game(image, missions[0], program.players[1], 1, {})
        out.append(_digest_after(game, [make_bot(name, 1)], DECISIONS))
    return out


def _digest_after(game: Game, bots: Sequence[Bot], most: int) -> str:
    """Return the state of a game after some decisions, or at its end."""
    from fcbdsl.machine.vm.teams import speaker

    ask = game.run()
    while ask is not None and most > 0:
        game.answer(bots[speaker(game, ask.who) % len(bots)].choose(game, ask))
        ask = game.run()
        most -= 1
    return game.digest()
