"""Templates of texts: words with slots for the arguments of a form or an event."""

from __future__ import annotations

import re
from functools import lru_cache

from fcbdsl.base.diagnostics import Diagnostic, suggest
from fcbdsl.base.diagnostics.print import UnknownSlot
from fcbdsl.language.model.declarations import Event, Form, Wording
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.phrase import Agreement, NounPhrase, Slots
from fcbdsl.language.prose.rules_text import BOLD, END_ICON, ICON, LIGHT, single_spaces

_LEADS = ("a ", "title ", "many ")
SHORT = 3
"""Most words of an object before the complement of its verb: « attirez la cible de 2 cases »."""
TACIT = "-"
"""Prefix of a slot without words, for an argument that is understood."""
_SIDE = r"((?:[^<>|\[\]]|\[[^\[\]]*\])*)"
_CHOICE = re.compile(rf"<{_SIDE}\|{_SIDE}>")
_TOKEN = re.compile(r"\{(\^?)([^{}]+)\}|\[([^\[\]]*)\]|\*([^*]+)\*")


def fill_template(template: str, slots: Slots, grammar: Agreement, *, denied: bool = False) -> str:
    """Return a filled template.

    ``{name}`` is a slot, ``{name's}`` its possessive, ``{a name}`` one of a list, ``{title name}`` a title alone,
    ``{many name}`` its plural. ``{^name}`` is the place of a « vous » that is its verb's object, ``{name>}`` the place
    of an object of SHORT words at most, ``{>name}`` of a longer one. ``{#icon}`` is a drawing, ``{-name}`` nothing.

    ``[…]`` agrees with the nearest slot on its left, or with the slot called ``subject`` (else the first one) if none
    is. ``<a|b>`` is `a`, or `b` when denied; ``*…*`` is bold. Slots are evaluated in the order of reading, each once.
    """
    phrases: dict[str, NounPhrase] = {}
    raised: list[str] = []
    last: list[str] = ["subject" if "subject" in slots else next(iter(slots), "")]

    def value(name: str) -> NounPhrase:
        if name not in phrases:
            phrases[name] = slots[name]()
        return phrases[name]

    def token(match: re.Match[str]) -> str:
        clitic, name, options, bold = match.groups()
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
            return match.group(0)
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

    chosen = _CHOICE.sub(lambda match: match.group(2 if denied else 1), template) if "<" in template else template
    return single_spaces(_TOKEN.sub(token, chosen)).strip()


def slot_order(template: str) -> list[str]:
    """Return the names of the slots of a template in the order in which they are read; its bold parts among them."""
    names: list[str] = []
    for _, name, _, bold in _TOKEN.findall(template):
        if bold:
            names += slot_order(bold)
        elif name:
            plain = name.removesuffix("'s").removeprefix(TACIT).strip(">")
            names.append(plain.partition(" ")[2] if plain.startswith(_LEADS) else plain)
    return names


def template_words(template: str) -> str:
    """Return the words of a template, those of both its wordings, without slots and agreement."""
    return re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]|[<>|*]", " ", template)


def mark_keyword(template: str) -> str:
    """Return a keyword's template with its bold part marked: what its author starred, else all before the first
    slot."""
    if "*" in template:
        return template
    head, brace, rest = template.partition("{")
    leading = head.rstrip()
    return f"*{leading}*{head[len(leading) :]}{brace}{rest}" if leading else template


def lower_first_letter(template: str) -> str:
    """Return a template with a lower-case first letter; keywords, initials, and names of several words stay."""
    if re.match(r"[^\W\d_]\w* [A-Z]", template):
        return template
    if len(template) > 1 and template[0].isupper() and (template[1].islower() or template[1] == " "):
        return template[0].lower() + template[1:]
    return template


def slot_problems(model: Model) -> list[Diagnostic]:
    """Return a problem for each slot that no parameter fills, in all forms and events, even unused ones."""
    texts: list[tuple[Wording, Form | Event]] = []
    texts += [(text, form) for form in model.forms for text in form.texts]
    texts += [(text, event) for event in model.events.values() for text in event.texts]
    return [slot for text, of in texts if text.language in LANGUAGES for slot in unknown_slots(text, of)]


def unknown_slots(text: Wording, of: Form | Event) -> list[Diagnostic]:
    """Return the slots of a text that no parameter of its form or event fills."""
    params = [param.name for param in of.params]
    others = slot_names(text.template).difference(params)
    unknown = sorted([slot for slot in others if not slot.startswith("#")]) if others else []
    return [
        UnknownSlot(
            text.span,
            name=slot,
            form=of.id,
            parameters=", ".join(params) or "none",
            suggestion=suggest(slot, params),
        )
        for slot in unknown
    ]


@lru_cache(maxsize=2048)  # used for every text; a project has some hundreds of templates
def slot_names(template: str) -> frozenset[str]:
    """Return the names of a template's slots, those in bold and those left out on purpose among them."""
    tokens = _TOKEN.findall(template)
    names = [name.removesuffix("'s").removeprefix(TACIT).strip(">") for _, name, _, _ in tokens if name]
    own = frozenset(name.partition(" ")[2] if name.startswith(_LEADS) else name for name in names)
    return own.union(*(slot_names(bold) for _, _, _, bold in tokens if bold))
