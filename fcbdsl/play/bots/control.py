"""Controls: what a bot would do that knew more, or that could not know more even by mistake."""

from __future__ import annotations

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.bots import Bot, SensibleBot
from fcbdsl.play.bots.determinize import Hidden, guess


class OpenBot(SensibleBot):
    """The sensible bot, but all cards lie open to it: it guesses nothing. How much more often it wins than one who
    guesses is what it is worth to know what is hidden."""

    def _hide(self, game: Game, ask: Ask, hidden: Hidden) -> None:
        """Nothing is hidden from it."""


class BlindBot(Bot):
    """The sensible bot, but it never sees the game: what it is shown has been guessed before. It wins as often as one
    who sees the game and guesses for himself; were it less often, that one would make use of what he may not know."""

    def __init__(self, seed: int) -> None:
        self._chance = Generator(seed, "blind")
        self._bot = SensibleBot(seed)

    def choose(self, game: Game, ask: Ask) -> int:
        if len(ask.options) == 1:
            return 0
        shown = game.clone()
        guess(shown, ask.who, self._chance)
        return self._bot.choose(shown, ask)
