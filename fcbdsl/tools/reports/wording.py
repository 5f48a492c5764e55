"""The words of a report's own, in each language. Games are named by their program's texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.base.locales import words
from fcbdsl.base.typography import NARROW

if TYPE_CHECKING:
    from fcbdsl.play.simulation.ablation import Worth


def say(language: str, word: str, *parts: str) -> str:
    """Return a phrase of a report, in English where the language is not known."""
    return words("report", language)[word].format(*parts)


def counted(language: str, word: str, number: int) -> str:
    """Return a number with what it counts. French has the singular for 0, too."""
    single = number == 1 or (language == "fr" and number == 0)
    return words("counts", language)[f"{word} one" if single else word].format(grouped(language, number))


def grouped(language: str, number: int) -> str:
    """A number with its thousands set apart."""
    return f"{number:,}".replace(",", NARROW) if language == "fr" else f"{number:,}"


def percent(language: str, share: float) -> str:
    """A share in whole per cent."""
    return f"{share * 100:.0f}{NARROW if language == 'fr' else ''}%"


def average(language: str, value: float) -> str:
    """A number with one decimal."""
    return f"{value:.1f}".replace(".", ",") if language == "fr" else f"{value:.1f}"


def points(language: str, worth: Worth) -> str:
    """What a name is worth in points of a hundred, with its interval."""
    shift = worth.wins
    return say(language, "points", *(signed(share) for share in (shift.value, shift.low, shift.high)))


def worths_note(language: str, names: int, side: str) -> str:
    """What is to be known of what so many names are worth, left be by a side (its title; empty: by everybody)."""
    by = say(language, "by-side", side) if side else say(language, "by-everybody")
    return say(language, "worth-says", counted(language, "names", names), by)


def signed(share: float) -> str:
    """A difference in whole points of a hundred, with its sign."""
    return f"{'+' if share > 0 else '−' if share < 0 else '±'}{abs(round(100 * share))}"
