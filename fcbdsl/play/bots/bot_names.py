"""Names of bots in options and settings: ``thumb``, ``search:200``, ``foxes=search:50,thumb``."""

from __future__ import annotations

from dataclasses import dataclass

NAMES = ("random", "first", "thumb", "sensible", "search", "blind", "open")
"""All names; a test compares them with the bots that `roster` makes."""
SEARCHING = "search"
"""The only bot with a budget."""
BUDGET, MOST_BUDGET = 100, 100_000
"""Default and maximum of the playouts for each decision."""


@dataclass(frozen=True, slots=True)
class NamedBot:
    """The bot of a `side` (the id of a team; empty: all other sides). `budget`: playouts of each decision."""

    name: str
    side: str = ""
    budget: int = BUDGET


def read_bots(text: str) -> tuple[NamedBot, ...]:
    """Read ``BOT`` or ``SIDE=BOT,SIDE=BOT``; a bot without a side plays all other sides.

    Raise ValueError with the reason if the text is not valid.
    """
    bots = [_read(part.strip()) for part in text.split(",")]
    sides = [bot.side for bot in bots]
    if len(set(sides)) < len(sides):
        raise ValueError(f"{text!r} names two bots for one side.")
    return tuple(bots)


def _read(text: str) -> NamedBot:
    side, is_sided, bot = text.rpartition("=")
    name, is_searching, budget = bot.partition(":")
    if name not in NAMES or (is_sided and not side):
        raise ValueError(f"{bot!r} is not a bot. The bots are {', '.join(NAMES)}.")
    if not is_searching:
        return NamedBot(name, side)
    if name != SEARCHING:
        raise ValueError(f"{name} has no budget; {SEARCHING} has one: {SEARCHING}:200.")
    if not (budget.isascii() and budget.isdigit() and len(budget) < 9 and 0 < int(budget) <= MOST_BUDGET):
        raise ValueError(f"{budget!r} is not a number of playouts from 1 to {MOST_BUDGET}.")
    return NamedBot(name, side, int(budget))
