"""Log texts of events: templates that are filled in during play (see `vm.program.Event`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import get_args

from fcbdsl.base.records import dataclass
from fcbdsl.base.words import Comparison, one_of
from fcbdsl.language.model.declarations import Event, Form, Name
from fcbdsl.language.model.ir import Binary, Const, Expr, Var
from fcbdsl.language.prose.language import Language
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.rules_text import BOLD, LIGHT
from fcbdsl.language.prose.text_templates import fill_template

FEMININE, OPENS, SEVERAL = "f", "e", "s"
"""Grammatical marks of a title: it is feminine; a word before it elides. The last one is that of a number: a noun
behind it is plural."""


def event_clause(event: Event, language: Language) -> str:
    """Return the clause of an event; empty if it has none, or is a mere point in time."""
    for text in event.wordings(language.code):
        clause = text.template.split(" / ")[0]
        if text.condition is None and clause:
            return "" if language.is_moment(clause) else _Teller(language).clause(event, clause)
    return ""


Choice = tuple[int, Comparison, int]
"""A condition of a text: a parameter, by number, a comparison, and the number with which it is compared."""


def chosen_clauses(event: Event, language: Language) -> dict[Choice, str]:
    """Return the clauses of an event for certain values of a parameter, in order; those above its general clause."""
    out: dict[Choice, str] = {}
    for text in event.wordings(language.code):
        clause = text.template.split(" / ")[0]
        if text.condition is None:
            break
        choice = _choice(text.condition, event)
        if choice is not None and clause and not language.is_moment(clause):
            out.setdefault(choice, _Teller(language).clause(event, clause))
    return out


def _choice(condition: Expr, event: Event) -> Choice | None:
    """Return the comparison of a parameter with a constant; None for other conditions."""
    match condition:
        case Binary(op=op, left=Var(slot=slot), right=Const(value=value)):
            number, comparison = slot - 2, one_of(COMPARISONS, op)
            is_single = 0 <= number < len(event.params) and not event.params[number].type.many
            return (number, comparison, value) if is_single and comparison is not None else None
    return None


COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)


def relation_clause(form: Form, language: Language, denied: bool) -> str:
    """Return the clause for the result of a relation; empty if it has none. A predicate gets its verb."""
    for text in form.texts:
        template = text.template.split(" / ")[0]
        if text.language == language.code and text.condition is None and template:
            if not template.startswith("{"):
                template = language.words["result"].format(a=f"{{{form.params[0].name}}}", quality=template)
            return _Teller(language).clause(form, template, denied)
    return ""


def grammar_of(name: Name, language: Language) -> str:
    """Return the marks of a title in a language."""
    title = name.title.get(language.code, "")
    feminine = name.gender.get(language.code) == "f"
    return FEMININE * feminine + OPENS * (bool(title) and language.opens(title))


def quality(title: str, language: Language) -> str:
    """Return the title of a stat; where it agrees with its owner (slot 0), both variants are kept."""
    teller, bearer = _Teller(language), NounPhrase("{0}")
    return re.sub(r"\[([^\[\]]*)\]", lambda match: teller.agree(match[1].split("|"), bearer), title)


_AGREEMENT = re.compile(rf"\{{(\d+)\?{FEMININE}:([^|{{}}]*)\|([^{{}}]*)\}}")
"""Words that agree with the thing in a slot: the slot, the feminine words, the masculine ones."""


def agreeing_slots(clause: str) -> list[int]:
    """Return the slots with whose things the words of a clause agree."""
    return [int(match[1]) for match in _AGREEMENT.finditer(clause)]


def masculine_clause(clause: str, slot: int, title: str) -> str:
    """Return a clause with the title of a masculine thing in a slot, and ellipses in the others."""
    text = _AGREEMENT.sub(r"\3", clause).replace(f"{{{slot}}}", title)
    text = re.sub(rf"\{{\d+\?[{OPENS}{SEVERAL}]:[^|{{}}]*\|([^{{}}]*)\}}", r"\1", text)
    return re.sub(r"\{\d+\}", "…", text)


@dataclass(frozen=True, slots=True)
class _Teller:
    """Fills a template with the numbers of its parameters; where it agrees with one, both variants are kept."""

    language: Language

    def clause(self, event: Event | Form, template: str, denied: bool = False) -> str:
        slots = {
            param.name: NounPhrase(f"{{{number}}}", gender=_NUMBER if param.type.base == "number" else "m")
            for number, param in enumerate(event.params)
        }
        text = fill_template(template, {name: _fixed(phrase) for name, phrase in slots.items()}, self, denied=denied)
        for word in self.language.openings:
            text = re.sub(rf"\b({word[:-1]}){word[-1]} \{{(\d+)\}}", rf"{{\2?{OPENS}:\1’|{word} }}{{\2}}", text)
        return self.language.unmarked(text).replace(BOLD, "").replace(LIGHT, "").replace("'", "’")

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        if phrase.gender == _NUMBER:
            phrase = replace(phrase, gender="m")
            single, several = (self.language.agree(options, replace(phrase, plural=plural)) for plural in (False, True))
            return single if single == several else f"{phrase.text[:-1]}?{SEVERAL}:{several}|{single}}}"
        masculine = self.language.agree(options, phrase)
        feminine = self.language.agree(options, replace(phrase, gender="f"))
        return masculine if masculine == feminine else f"{phrase.text[:-1]}?{FEMININE}:{feminine}|{masculine}}}"

    def possessive(self, phrase: NounPhrase) -> str:
        return self.language.possessive(phrase)

    def clitic(self, phrase: NounPhrase) -> str | None:
        return self.language.clitic(phrase)


_NUMBER = "number"
"""The gender of a slot for a number: words agree with its value."""


def _fixed(phrase: NounPhrase) -> Callable[[], NounPhrase]:
    """Return a slot with a phrase."""
    return lambda: phrase
