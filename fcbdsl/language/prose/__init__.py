"""Rules text, generated from the typed tree, so that print and play always agree."""

from fcbdsl.base.native import refuse_changed
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.reading import clause, describe, filled, ground, reminder, reminders, switches, terms
from fcbdsl.language.prose.setups import Seats, Setup
from fcbdsl.language.prose.text import Paragraph, RulesText, Run

refuse_changed("language/prose")

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
