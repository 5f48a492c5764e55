"""Words of the language that also occur in programs, shared by the checker and the machine."""

from __future__ import annotations

from typing import Literal, TypeVar, get_args

Word = TypeVar("Word", bound=str)

Timing = Literal["before", "instead", "after"]
"""Timings of listeners, in order."""
TIMINGS: tuple[Timing, ...] = get_args(Timing)
Share = Literal["player", "team", "game"]
SHARES: tuple[Share, ...] = get_args(Share)
"""The units whose answers to an event are limited to one: each player, each team, or the whole game."""
Mode = Literal["set", "add", "double", "least", "most"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""Modes of modifiers, in the order of application."""
Per = Literal["player", "figure", "instance", "game"]
"""Units for which a limit counts separately."""
End = Literal["won", "lost", "drawn"]
ENDS: tuple[End, ...] = get_args(End)
"""Results of a mission for the campaign that played it."""
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Shape = Literal["hex", "square", "square-8", "graph", "areas"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
"""Arrangements of spaces on a board. On `square-8`, spaces that meet only at a corner are neighbors, too."""
GRIDS: tuple[Shape, ...] = ("hex", "square", "square-8")
"""Shapes with coordinates."""
NETS: tuple[Shape, ...] = tuple(shape for shape in SHAPES if shape not in GRIDS)
"""Shapes whose spaces have names and links."""
PreferenceSort = Literal["act", "choose", "label", "answer"]
"""Subjects of a preference: an available action, a chosen value, an option by its label, a card that may answer an
event."""
StepSort = Literal[
    "given", "dice", "play", "do", "answer", "decline", "refuse", "expect", "outcome", "asks", "options", "offered",
    "withheld", "quiet", "unchanged", "known", "unknown", "counted", "carry", "faces",
    "lot", "opening", "told", "untold", "happened", "fault",
]  # fmt: skip
"""The sorts of test steps.

Steps from given to decline act. So do carry (the campaign's next part begins with only the kept data), lot (answers a
random choice) and opening (a do that sets the game up).

The others only check: refuse, that an action is not available; expect, a condition; outcome, the end of the game; asks,
who is asked. Options, offered and withheld check the options of the question: exactly these, at least these, none of
these. Quiet checks that nothing is asked; unchanged, that the last action changed nothing; known and unknown, whether a
player may know something; counted, how many things a player sees in a hidden zone; faces, all faces of a die. Told and
untold check the lines that a player was shown; happened, the order of events; fault, the cause that stopped the effect.
"""


WAIT = "wait for each other"
"""A verb for several checks: effects that need each other's results."""


def one_of(words: tuple[Word, ...], text: str) -> Word | None:
    """Return `text` if it is one of the words, else None."""
    return next((word for word in words if word == text), None)
