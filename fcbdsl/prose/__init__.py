"""Rules text, read from the typed tree: what is printed is what is played."""

from fcbdsl.native import refuse_changed
from fcbdsl.prose.languages import LANGUAGES
from fcbdsl.prose.reading import clause, describe, filled, ground, reminder, reminders, switches, terms
from fcbdsl.prose.setups import Seats, Setup
from fcbdsl.prose.text import Paragraph, RulesText, Run

refuse_changed("prose")

__all__ = [
    "LANGUAGES",
    "Paragraph",
    "RulesText",
    "Run",
    "Seats",
    "Setup",
    "clause",
    "describe",
    "filled",
    "ground",
    "reminder",
    "reminders",
    "switches",
    "terms",
]
