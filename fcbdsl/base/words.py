"""The words that a source says and a program holds: what the checker reads and the machine knows are the same ones."""

from __future__ import annotations

from typing import Literal, TypeVar, get_args

Word = TypeVar("Word", bound=str)

Timing = Literal["before", "instead", "after"]
"""When somebody hears of an event, in order."""
TIMINGS: tuple[Timing, ...] = get_args(Timing)
Share = Literal["player", "team", "game"]
SHARES: tuple[Share, ...] = get_args(Share)
"""Who may answer an event once, where that is limited."""
Mode = Literal["set", "add", "double", "least", "most"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""How modifiers change a value, in the order in which they are applied."""
Per = Literal["player", "figure", "instance", "game"]
"""Whose allowance a limit counts."""
End = Literal["won", "lost", "drawn"]
ENDS: tuple[End, ...] = get_args(End)
"""How a mission may have ended for who had it played."""
Shape = Literal["hex", "square", "square-8", "graph", "areas"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
"""How the spaces of a board lie. On `square-8` spaces that meet at a corner only are neighbours, too."""
GRIDS: tuple[Shape, ...] = ("hex", "square", "square-8")
"""Those whose spaces have coordinates."""
NETS: tuple[Shape, ...] = tuple(shape for shape in SHAPES if shape not in GRIDS)
"""Those whose spaces have names of their own, and links."""
PreferenceSort = Literal["act", "choose", "label", "answer"]
"""What a preference is about: an action on offer, something that is chosen, an option by its label, a card that may
answer an event."""
StepSort = Literal[
    "given", "dice", "play", "do", "answer", "decline", "refuse", "expect", "outcome", "asks", "options", "offered",
    "withheld", "quiet", "unchanged", "known", "unknown", "counted", "carry", "faces",
    "lot", "opening", "told", "untold", "happened", "fault",
]  # fmt: skip
"""The sorts of steps. Lot answers a question of chance; opening is a do that sets the game up; told and untold look at
what a player was shown; happened at the order of events; fault at what has stopped the effect.

Given to decline act, and carry: a campaign's next part begins, in a world that knows nothing but
what is kept. The others look and change nothing: refuse, whether an action can't be taken; expect, at a condition;
outcome, at how the game has ended; asks, at who is asked; options, offered, withheld, at the options of the question
(exactly these, these among others, these not); quiet, that nothing is asked; unchanged, that the last action changed
nothing; known and unknown, whether a player may know something; counted, at how many things he sees of a zone
into which he may not look; faces, at all that a die shows."""


def one_of(words: tuple[Word, ...], said: str) -> Word | None:
    """The one of some words that was said; None if it is none of them."""
    return next((word for word in words if word == said), None)
