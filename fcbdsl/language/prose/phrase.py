"""Contents of slots: words with gender, number and person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from fcbdsl.base.records import dataclass


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Words with their grammar. `person` 2 is the reader (you, vous); `plural` also serves numbers.

    `with_you`: a list of the reader and others, with which verbs agree in the second person (vous et lui pouvez)."""

    text: str
    gender: str = "m"
    plural: bool = False
    person: int = 3
    with_you: bool = False

    def saying(self, text: str) -> NounPhrase:
        """Return a phrase with the same grammar and other words."""
        return NounPhrase(text, self.gender, self.plural, self.person, self.with_you)


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with its plural.

    `collective`: possessions of it are worded in the plural (your cards). `proper`: it is the name of one thing,
    without an article.
    """

    one: str
    many: str
    gender: str = "m"
    collective: bool = False
    proper: bool = False


class Agreement(Protocol):
    """The rules by which a language selects among the options of a bracket."""

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """Return the option that fits `phrase`."""

    def possessive(self, phrase: NounPhrase) -> str:
        """Return the possessive: ``your``, ``the hero’s``."""

    def clitic(self, phrase: NounPhrase) -> str | None:
        """Return the words at the place of an object that is the reader (« vous »); None: the object stays in place."""


Slots = Mapping[str, Callable[[], NounPhrase]]
"""The contents of a template's slots, by name, computed when they are read."""
