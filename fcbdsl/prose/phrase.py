"""What fills a slot: words that know their gender, number and person; and the templates with slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from fcbdsl.prose.text import BOLD, END_ICON, ICON, LIGHT
from fcbdsl.records import dataclass


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
    """A common noun with its plural; `collective` if what somebody has of it is said as several (your cards)."""

    one: str
    many: str
    gender: str = "m"
    collective: bool = False


class Agreement(Protocol):
    """How a language picks among the options of a bracket."""

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """Return the option that fits `phrase`."""

    def possessive(self, phrase: NounPhrase) -> str:
        """``your``, ``the hero’s``."""

    def clitic(self, phrase: NounPhrase) -> str | None:
        """What stands at the place of a « vous » that is an object; None: the object stays where it is."""


Slots = Mapping[str, Callable[[], NounPhrase]]

_LEADS = ("a ", "title ", "many ")
SHORT = 3
"""Words of an object that still stands before what follows its verb: « attirez la cible de 2 cases »."""
TACIT = "-"
"""Begins the name of a slot that stands for no words: what is given there goes without saying."""
_SIDE = r"((?:[^<>|\[\]]|\[[^\[\]]*\])*)"
_CHOICE = re.compile(rf"<{_SIDE}\|{_SIDE}>")
_TOKEN = re.compile(r"\{(\^?)([^{}]+)\}|\[([^\[\]]*)\]|\*([^*]+)\*")


def fill(template: str, slots: Slots, grammar: Agreement, *, denied: bool = False) -> str:
    """Fill a template.

    ``{name}`` is a slot, ``{name's}`` its possessive, ``{a name}`` one of a list, ``{title name}`` a title alone,
    ``{many name}`` its plural, ``{^name}`` the place of a « vous »
    that is its verb's object, ``{name>}`` the place of an object of SHORT words at most, ``{>name}`` of a longer one,
    ``{#icon}`` a drawing, ``{-name}`` nothing; ``[…]`` agrees with the
    nearest slot on its left, or with the slot called ``subject`` (else the first one) if none is; ``<a|b>`` is `a`,
    or `b` when denied; ``*…*`` is bold. Slots are evaluated in the order of reading, each once.
    """
    known: dict[str, NounPhrase] = {}
    raised: list[str] = []
    last: list[str] = ["subject" if "subject" in slots else next(iter(slots), "")]

    def value(name: str) -> NounPhrase:
        if name not in known:
            known[name] = slots[name]()
        return known[name]

    def token(found: re.Match[str]) -> str:
        clitic, name, options, bold = found.groups()
        if bold is not None:
            return BOLD + _TOKEN.sub(token, bold) + LIGHT
        if options is not None:
            anchor = value(last[0]) if last[0] in slots else NounPhrase("")
            return grammar.agree(options.split("|"), anchor)
        if name.startswith(TACIT):
            return ""
        if name.startswith("#"):
            return ICON + name[1:] + END_ICON
        if ">" in name:
            name, late = name.strip(">"), name.startswith(">")
            if (len(value(name).text.split()) > SHORT) != late:
                return ""
        owning = name.endswith("'s")
        name = name.removesuffix("'s") if name not in slots else name
        if name not in slots:
            return found.group(0)
        if owning:
            return grammar.possessive(value(name))
        if clitic:
            moved = grammar.clitic(value(name))
            if moved is None:
                return ""
            raised.append(name)
            return moved
        if name in raised:
            return ""
        last[0] = name
        return value(name).text

    chosen = _CHOICE.sub(lambda found: found.group(2 if denied else 1), template)
    return re.sub(r" {2,}", " ", _TOKEN.sub(token, chosen)).strip()


@lru_cache(maxsize=2048)  # asked of each template whenever it is told; a project has some hundreds
def slot_names(template: str) -> frozenset[str]:
    """The names of a template's slots, those in bold and those left out on purpose among them."""
    found = _TOKEN.findall(template)
    names = [name.removesuffix("'s").removeprefix(TACIT).strip(">") for _, name, _, _ in found if name]
    own = frozenset(name.partition(" ")[2] if name.startswith(_LEADS) else name for name in names)
    return own.union(*(slot_names(bold) for _, _, _, bold in found if bold))


def untemplated(template: str) -> str:
    """The words of a template, those of both its wordings, without slots and agreement."""
    return re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]|[<>|*]", " ", template)


def emboldened(template: str) -> str:
    """A keyword's template with its bold part marked: what its author starred, else all before the first slot."""
    if "*" in template:
        return template
    head, brace, rest = template.partition("{")
    kept = head.rstrip()
    return f"*{kept}*{head[len(kept) :]}{brace}{rest}" if kept else template
