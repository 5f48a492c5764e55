"""Bots at a table: they answer until the game is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fcbdsl.machine.vm.teams import speaker

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.world import Ask
    from fcbdsl.play.bots.bots import Bot


def answer_all(
    game: Game, bots: Sequence[Bot], decisions: list[int] | None, seen: Callable[[Ask], object] | None
) -> int:
    """Let bots answer every question until the game is over. Return the number of questions.

    `bots[p]` answers for player p; if several players are asked together, the bot of the first one answers. The answers
    are appended to `decisions`. `seen` is called with each question.
    """
    seated = list(bots)
    count = 0
    ask = game.run()
    while ask is not None:
        if seen is not None:
            seen(ask)
        index = seated[speaker(game, ask.who) % len(seated)].choose(game, ask)
        if decisions is not None:
            decisions.append(index)
        game.answer(index)
        count += 1
        ask = game.run()
    return count
