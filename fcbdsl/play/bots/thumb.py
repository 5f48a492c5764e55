"""The heuristic bot: it follows the program's preferences without looking ahead."""

from __future__ import annotations

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.program import Preference
from fcbdsl.machine.vm.teams import EVERYBODY, deciding_seats
from fcbdsl.machine.vm.world import DONE, LABEL, LISTENER, NONE, TAGS, Ask, Frame, Option
from fcbdsl.play.bots.bots import Bot
from fcbdsl.play.bots.determinize import guess

UNSAID = 0
"""The value of an answer that no preference covers."""


class ThumbBot(Bot):
    """Takes the answer that the program's preferences value most, and chooses at random among equals.

    The first preference that matches an answer and whose condition is true gives its value; without one the value is 0.
    The option "done" is preferred to actions that are worth no more. Other questions are declined only if every answer
    has a negative value. The player's unknowns are guessed before anything is read, so preferences see no hidden cards.
    """

    def __init__(self, seed: int) -> None:
        self._chance = Generator(seed, "bot")

    def choose(self, game: Game, ask: Ask) -> int:
        if len(ask.options) == 1:
            return 0
        if not game.program.preferences:
            return best_answer(game, ask, self._chance)
        seen = game.clone()
        guess(seen, ask.who, self._chance)
        return best_answer(seen, ask, self._chance)


def best_answer(game: Game, ask: Ask, chance: Generator) -> int:
    """Return the answer that preferences value most in a world that may be read completely."""
    rows = preferences_for(game, ask)
    best: list[int] = []
    best_value = 0
    declining = -1
    for index, option in enumerate(ask.options):
        if option[0] in (NONE, DONE):
            declining = index
            continue
        value = worth(game, ask, rows, option)
        if not best or value > best_value:
            best, best_value = [index], value
        elif value == best_value:
            best.append(index)
    if declining >= 0 and (not best or best_value < (1 if ask.kind == "action" else 0)):
        return declining
    return best[chance.below(len(best))]


def preferences_for(game: Game, ask: Ask) -> list[Preference]:
    """Return the preferences that may apply to the answers of a question, in order."""
    layout, mission = game.layout, game.world.mission
    played = layout.definition_of[mission] if mission >= 0 else -1
    rows = tuple([row for row in game.program.preferences if row.mission < 0 or row.mission == played])
    if ask.kind == "action":
        return [row for row in rows if row.sort == "act"]
    if ask.kind == "react":
        return [row for row in rows if row.sort == "answer"]
    running = {item.code for item in game.world.stack if isinstance(item, Frame)}
    rows = tuple([row for row in rows if row.action < 0 or game.program.actions[row.action].body in running])
    if ask.kind == "option":
        return [row for row in rows if row.sort == "label"]
    called = game.program.texts[ask.why].get("en", "") if ask.why >= 0 else ""
    return [row for row in rows if row.sort == "choose" and row.name == called]


def worth(game: Game, ask: Ask, rows: list[Preference], option: Option) -> int:
    """Return the value of an answer: that of the first preference that matches it."""
    for row in rows:
        if not _fits(game, row, option):
            continue
        given = _given(game, ask, row, option)
        if row.condition < 0 or game.test(row.condition, given[0], given[1], given[2:]):
            return game.test(row.worth, given[0], given[1], given[2:])
    return UNSAID


def _fits(game: Game, row: Preference, option: Option) -> bool:
    """Return whether a preference covers an answer of a question to which it may apply."""
    if option[0] in (NONE, DONE):
        return False
    if row.sort == "act":
        return option[1] == row.action
    if row.sort == "label":
        return option[0] == LABEL and option[1] >= 0 and game.program.texts[option[1]].get("en", "") == row.name
    if row.sort == "choose" and TAGS[option[0]] != row.tag:
        return False
    thing = option[3] if option[0] == LISTENER else option[1]
    return row.kind < 0 or game.layout.low[row.kind] <= thing < game.layout.high[row.kind]


def _given(game: Game, ask: Ask, row: Preference, option: Option) -> tuple[int, ...]:
    """Return the arguments for the codes of a preference: self, this, and the thing that is chosen or answers."""
    if row.sort == "act":
        return option[2], option[3], -1
    if row.sort == "answer":
        return option[2], option[3], option[3]
    if row.action >= 0:
        body = game.program.actions[row.action].body
        for item in reversed(game.world.stack):
            if isinstance(item, Frame) and item.code == body:
                return item.r[0], item.r[1], option[1]
    asked = -1 if ask.who == EVERYBODY else game.layout.players_low + deciding_seats(game, ask.who)[0]
    return asked, -1, option[1]
