"""What fills a slot: words that know their gender, number and person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from fcbdsl.base.records import dataclass


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Words with their grammar. `person` 2 is the reader (you, vous); `plural` also serves numbers."""

    text: str
    gender: str = "m"
    plural: bool = False
    person: int = 3

    def saying(self, text: str) -> NounPhrase:
        """The same grammar with other words."""
        return replace(self, text=text)


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun with its plural; `collective` if what somebody has of it is said as several (your cards); `proper` if it
    is the name of one thing, which takes no article."""

    one: str
    many: str
    gender: str = "m"
    collective: bool = False
    proper: bool = False


class Agreement(Protocol):
    """How a language picks among the options of a bracket."""

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """Return the option that fits `phrase`."""

    def possessive(self, phrase: NounPhrase) -> str:
        """``your``, ``the hero’s``."""

    def clitic(self, phrase: NounPhrase) -> str | None:
        """What stands at the place of a « vous » that is an object; None: the object stays where it is."""


Slots = Mapping[str, Callable[[], NounPhrase]]
"""What fills the slots of a template, by their names: found out when it is read."""
