"""Wording of types and forms in diagnostics."""

from __future__ import annotations

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import Type

_BASES = {
    "number": "a number",
    "flag": "yes or no",
    "condition": "a condition",
    "formula": "a number",
    "text": "a text",
    "die": "a die",
    "face": "a face of a die",
    "direction": "a direction",
    "zone": "a zone",
    "effect": "an effect",
    "counter": "a status or token",
    "mark": "a mark of the map",
    "terrain": "a terrain",
    "barrier": "a barrier",
    "area": "a named group of spaces",
    "kind": "a kind",
    "nothing": "nothing",
}


def type_words(type: Type) -> str:
    """Return a type as a noun phrase: ``a unit``, ``several things (`space`)``."""
    if type.many:
        return f"several things (`{type.name or type.base}`)"
    if type.base == "thing":
        return a(type.name)
    if type.base == "definition":
        return f"a definition of {type.name}"
    if type.base == "zone" and type.name not in ("", "thing"):
        return f"a zone of {type.name}"
    if type.base == "enum":
        return f"a value of {type.name}"
    return _BASES.get(type.base, type.base)


def usage(form: Form) -> str:
    """Return the usage of a form: ``Nudge TARGET [DISTANCE] [from ORIGIN]``."""
    words: list[str] = []
    params = list(form.params)
    if form.sort == "relation" and params and params[0].preposition is None:
        words.append(params.pop(0).name.upper())
    words += form.words
    for param in params:
        word = f"{param.preposition} {param.name.upper()}" if param.preposition else param.name.upper()
        words.append(f"[{word}]" if param.default is not None or param.optional else word)
    return " ".join(words)
