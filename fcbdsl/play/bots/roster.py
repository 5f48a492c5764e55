"""Makes bots from their names."""

from __future__ import annotations

from collections.abc import Collection

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.teams import deciding_seats, of_player
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.bots.bot_names import NamedBot, read_bots
from fcbdsl.play.bots.bots import Bot, FirstBot, RandomBot, SensibleBot
from fcbdsl.play.bots.control import BlindBot, OpenBot
from fcbdsl.play.bots.search import SearchBot
from fcbdsl.play.bots.thumb import ThumbBot


class SidesBot(Bot):
    """Several bots, one for each side."""

    def __init__(self, bots: dict[str, Bot]) -> None:
        """Take the bots by the id of their team. The bot of "", or else the first one, plays all other sides."""
        self._bots = bots
        self._other = bots[""] if "" in bots else next(iter(bots.values()))

    def choose(self, game: Game, ask: Ask) -> int:
        return self._bots.get(asked_side(game, ask), self._other).choose(game, ask)


def asked_side(game: Game, ask: Ask) -> str:
    """Return the id of the team that is asked; empty if the asked player has no team."""
    team = of_player(game, deciding_seats(game, ask.who)[0])
    return game.program.definitions[game.layout.definition_of[team]].id if team >= 0 else ""


def make_bot(name: str, seed: int) -> Bot:
    """Return a new bot by its name (see `bot_names`). Raise ValueError as `read_bots` does."""
    named = read_bots(name)
    if len(named) == 1 and not named[0].side:
        return _bot_of(named[0], seed)
    return SidesBot({bot.side: _bot_of(bot, seed) for bot in named})


def bots_beside_persons(name: str, players: int, persons: Collection[int], seed: int) -> dict[int, Bot]:
    """Return bots for all seats but those of `persons`, with a different seed for each.

    Raise ValueError as `make_bot` does.
    """
    return {seat: make_bot(name, seed + seat) for seat in range(players) if seat not in persons}


def _bot_of(bot: NamedBot, seed: int) -> Bot:
    if bot.name == "random":
        return RandomBot(seed)
    if bot.name == "first":
        return FirstBot(seed)
    if bot.name == "thumb":
        return ThumbBot(seed)
    if bot.name == "search":
        return SearchBot(seed, bot.budget)
    if bot.name == "blind":
        return BlindBot(seed)
    if bot.name == "open":
        return OpenBot(seed)
    return SensibleBot(seed)


def unknown_side(program: Program, name: str) -> str:
    """Return an error text if a side of the bots' names is no team of the program, or a team has no bot; else empty."""
    named = read_bots(name)
    teams = [row.id for row in program.definitions if program.kinds[row.kind].policy == "teams"]
    sides = [bot.side for bot in named]
    strange = [side for side in sides if side and side not in teams]
    if strange:
        teams_listed = f"its teams are {', '.join(teams)}" if teams else "it has no teams"
        return f"The game has no team {strange[0]!r}: {teams_listed}."
    missing = [team for team in teams if team not in sides]
    return "" if "" in sides or not missing else f"No bot decides for {missing[0]!r}."
