"""Which bots there are, by name."""

from __future__ import annotations

from fcbdsl.bots.bots import Bot, FirstBot, RandomBot, SensibleBot
from fcbdsl.bots.thumb import ThumbBot

BOTS: dict[str, type[RandomBot] | type[FirstBot] | type[ThumbBot] | type[SensibleBot]] = {
    "random": RandomBot,
    "first": FirstBot,
    "thumb": ThumbBot,
    "sensible": SensibleBot,
}
"""Bots by the name `fcb play --bot` takes."""


def make_bot(name: str, seed: int) -> Bot:
    """Return a new bot by its name (a key of BOTS)."""
    return BOTS[name](seed)
