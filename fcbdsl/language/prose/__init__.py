"""Rules text, generated from the typed tree, so that print and play always agree."""

from fcbdsl.base.native import refuse_changed
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.reading import (
    clause,
    fill_sentence,
    ground,
    reminder,
    reminders,
    rules_text,
    switches,
    terms_text,
)
from fcbdsl.language.prose.rules_text import Paragraph, RulesText, Run
from fcbdsl.language.prose.setups import Seats, Setup

refuse_changed("language/prose")

__all__ = [
    "LANGUAGES",
    "Paragraph",
    "RulesText",
    "Run",
    "Seats",
    "Setup",
    "clause",
    "fill_sentence",
    "ground",
    "reminder",
    "reminders",
    "rules_text",
    "switches",
    "terms_text",
]
