"""Control bots: one that knows every secret, and one that cannot use a secret even by mistake."""

from __future__ import annotations

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.bots import Bot, SensibleBot
from fcbdsl.play.bots.determinize import Hidden, guess


class OpenBot(SensibleBot):
    """The sensible bot with all cards open: it guesses nothing. How much more often it wins than the sensible bot shows
    the value of the hidden information."""

    def _hide(self, game: Game, ask: Ask, hidden: Hidden) -> None:
        """Change nothing: no information is hidden from this bot."""


class BlindBot(Bot):
    """The sensible bot, but it never sees the real game, only a guess of it.

    It should win as often as the sensible bot, which guesses by itself. If it wins less often, the sensible bot uses
    information that it should not have.
    """

    def __init__(self, seed: int) -> None:
        self._chance = Generator(seed, "blind")
        self._bot = SensibleBot(seed)

    def choose(self, game: Game, ask: Ask) -> int:
        if len(ask.options) == 1:
            return 0
        shown = game.clone()
        guess(shown, ask.who, self._chance)
        return self._bot.choose(shown, ask)
