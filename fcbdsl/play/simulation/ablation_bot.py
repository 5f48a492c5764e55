"""A bot that abstains from a name: the same games without a card or action show its value."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import ACTION, LISTENER, Ask, Option
from fcbdsl.play.bots.bot_names import read_bots
from fcbdsl.play.bots.bots import Bot
from fcbdsl.play.bots.roster import asked_side
from fcbdsl.play.simulation.observing import card_names, use_names

ABLE = ("random", "first", "thumb")
"""Bots that decide from the offered options alone, and so work with fewer options."""


class AbstainingBot:
    """Decides as another bot, but takes no action and no reaction of a name, unless there is no other option."""

    def __init__(self, bot: Bot, name: str, side: str = "") -> None:
        """Take the `name` of an action, or the id of a definition that actions and reactions use. `side`: the id of the
        team that abstains (empty: all)."""
        self._bot = bot
        self._side = side
        self._names = {f"action {name}", f"card {name}"}

    def choose(self, game: Game, ask: Ask) -> int:
        """Return the index of the option taken; `game` is not changed."""
        if self._side and asked_side(game, ask) != self._side:
            return self._bot.choose(game, ask)
        left = [index for index, option in enumerate(ask.options) if not self._is_left_be(game, option)]
        if not left:
            return self._bot.choose(game, ask)
        shown = replace(ask, options=tuple(ask.options[index] for index in left))
        return left[self._bot.choose(game, shown)]

    def _is_left_be(self, game: Game, option: Option) -> bool:
        if option[0] == ACTION:
            return not self._names.isdisjoint(use_names(game, option[1], option[3]))
        return option[0] == LISTENER and not self._names.isdisjoint(card_names(game, option[3]))


def what_is_wrong(program: Program, name: str, bots: str) -> str:
    """Return why bots (see `bot_names`) can't abstain from that name; empty if they can."""
    names = {row.name for row in program.actions} | {row.id for row in program.definitions}
    return unable(bots) if name in names else f"The game has no action and no card {name!r}."


def unable(bots: str) -> str:
    """Return why bots can't abstain from any name; empty if they can."""
    names = [bot.name for bot in read_bots(bots) if bot.name not in ABLE]
    return f"{names[0]} can't leave anything be; {', '.join(ABLE)} can." if names else ""
