"""The interface words of a report, in each language. All other words are texts of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.typography import NARROW

if TYPE_CHECKING:
    from fcbdsl.play.simulation.ablation import Worth
    from fcbdsl.play.simulation.games import Matchup


def report_text(language: str, word: str, *parts: str) -> str:
    """Return a phrase of a report, in English where the language is not known."""
    return interface_texts("report", language)[word].format(*parts)


def story_command(cell: Matchup, seed: int) -> str:
    """Return the command that shows a game of a setup at the table."""
    switches = "".join(f" --variant {name}={value}" for name, value in cell.switches)
    return f"fcb table {cell.mission} --players {cell.players} --bot {cell.bot} --seed {seed}{switches} --story"


def number_with_noun(language: str, word: str, number: int) -> str:
    """Return a number with its noun. French uses the singular for 0, too."""
    single = number == 1 or (language == "fr" and number == 0)
    return interface_texts("counts", language)[f"{word} one" if single else word].format(
        group_thousands(language, number)
    )


def group_thousands(language: str, number: int) -> str:
    """Return a number with its thousands separated."""
    return f"{number:,}".replace(",", NARROW) if language == "fr" else f"{number:,}"


def whole_percent(language: str, share: float) -> str:
    """Return a share in whole percent."""
    return f"{share * 100:.0f}{NARROW if language == 'fr' else ''}%"


def average(language: str, value: float) -> str:
    """Return a number with one decimal."""
    return f"{value:.1f}".replace(".", ",") if language == "fr" else f"{value:.1f}"


def points(language: str, worth: Worth) -> str:
    """Return the value of a name in percentage points, with its interval."""
    shift = worth.wins
    return report_text(language, "points", *(signed_points(share) for share in (shift.value, shift.low, shift.high)))


def worths_note(language: str, names: int, side: str) -> str:
    """Return the note on the values of so many names, for the side that abstains (its title; empty: all)."""
    by = report_text(language, "by-side", side) if side else report_text(language, "by-everybody")
    return report_text(language, "worth-says", number_with_noun(language, "names", names), by)


def signed_points(share: float) -> str:
    """Return a difference in whole percentage points, with its sign."""
    return f"{'+' if share > 0 else '−' if share < 0 else '±'}{abs(round(100 * share))}"
