"""The data of a definition as chips: its field values, in words and symbols."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.counts import number_of_copies
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Field, Name
from fcbdsl.language.model.ir import NUMBER
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.rules_text import author_paragraphs
from fcbdsl.language.prose.text_templates import fill_template
from fcbdsl.language.prose.titles import Naming, without_agreement
from fcbdsl.print.layout.views import Chip, Symbol
from fcbdsl.print.pieces.looks import BEARER, DEFAULT_COLOUR, Look, is_colour, look_of_kind, symbol_of, symbol_title

_CHOICE = re.compile(r"\[([^\[\]|]*\|[^\[\]]*|e|s)\]")
"""Matches forms of a title to choose from, as in a text: ``[offensif|offensive]``, ``fabriqué[e]``."""


def of_missions(words: Mapping[str, str], naming: Naming) -> dict[str, str]:
    """Return interface words with the game's noun for missions: `{the}` with article, `{one}` and `{many}` without."""
    language, noun = naming.language, naming.kind_called("mission")
    phrases = {"the": language.determined("the", noun), "many": language.determined("count", noun)}
    phrases["one"] = NounPhrase(noun.one, noun.gender)
    slots = {name: lambda phrase=phrase: phrase for name, phrase in phrases.items()}
    texts = dict(words)
    for key, word in words.items():
        if any(f"{{{name}}}" in word for name in slots):
            text = language.finish(fill_template(word, slots, language))
            texts[key] = with_capital(text)
    return texts


class PrintedFields:
    """Reads the fields of one definition in one language; missing titles are added to `problems`."""

    def __init__(self, definition: Definition, model: Model, language: str) -> None:
        self.definition = definition
        self.model = model
        self.language = language
        self.naming = Naming(model, LANGUAGES[language], f"{definition.kind.id} `{definition.id}`", definition.span)

    @property
    def problems(self) -> list[Diagnostic]:
        """Return the problems with names so far."""
        return self.naming.problems

    def title(self, name: Name, called: str) -> str:
        """Return a declared title, set for print."""
        return self.naming.language.finish(self.naming.title(name, called))

    def headline(self, named: Definition) -> str:
        """Return the title of a definition for the head of a card or a list."""
        return self.naming.language.headline(self.title(named.name, named.id))

    def agreeing(self, name: Name, called: str) -> str:
        """Return a declared title that agrees with the printed thing: ``une carte … offensive``."""
        language, naming = self.naming.language, self.naming
        agrees = _CHOICE.search(name.title.get(language.code, ""))
        kind = (naming.kind if agrees else naming.kind_without_gender)(self.definition.kind)
        subject = NounPhrase(kind.one, kind.gender)
        title = naming.marked_title(name, called)
        return language.finish(_CHOICE.sub(lambda match: language.agree(match[1].split("|"), subject), title))

    def field(self, word: str) -> Field | None:
        """Return the field with that name."""
        return self.definition.kind.find(word)

    def expr(self, word: str) -> ir.Expr | None:
        """Return the expression of a field, or its default unless it is a stat; None if there is neither."""
        value = self.definition.values.get(word)
        if value is not None:
            return value.expr
        field = self.field(word)
        return field.default if field is not None and field.sort != "stat" else None

    def holds(self, word: str) -> bool:
        """Return whether a flag is set."""
        expr = self.expr(word)
        return word in self.definition.flags or (isinstance(expr, ir.Const) and expr.value == 1)

    def symbol(self, name: str, alt: str) -> Symbol | None:
        """Return the declared symbol of a name."""
        return symbol_of(self.model, name, alt, self.language)

    def text(self, word: str) -> str:
        """Return the words of a text field."""
        value = self.definition.values.get(word)
        if value is None:
            return ""
        if value.texts is not None:
            text = value.texts.get(self.language)
            if text is None:
                text = self.naming.missing(
                    word, value.span, value.texts.get(REFERENCE, ""), f'`{word} {self.language}: "…"` below this line'
                )
            return self.naming.language.finish(text)
        return self.naming.language.finish(value.expr.value) if isinstance(value.expr, ir.Text) else ""

    def _source_text(self, word: str) -> str:
        """Return the words of a text field in the source language, which symbols are declared for."""
        value = self.definition.values[word]
        return (value.texts or {}).get(REFERENCE, "")

    def chip(self, word: str) -> Chip | None:
        """Return a field as a chip; None if it is not set or has no visible value."""
        field = self.field(word)
        if field is None:
            return None
        short = symbol_title(self.model, word, self.language)
        label = short or (self.naming.heading(field) if field.name.title else "")
        symbol = self.symbol(word, label)
        if field.type.base == "flag":
            return Chip(label, label, symbol) if self.holds(word) else None
        if field.type.base == "text":
            text = self.text(word)
            if not text:
                return None
            symbol = self.symbol(self._source_text(word), text) or symbol
            runs = tuple(run for paragraph in author_paragraphs(text) for run in paragraph.runs)
            marked = any(run.style == "keyword" for run in runs)
            plain = "".join(run.text for run in runs) if marked else text
            return Chip(label, plain, symbol, runs if marked else ())
        expr = self.expr(word)
        if expr is None:
            return None
        chip = self._valued(label, expr, symbol)
        value = evaluate_constant(expr)
        if value is not None and value < 0 and field.type == NUMBER and word in self.definition.values:
            chip = Chip(label, f"−{-value}", symbol)  # a default below 0 means no value
        if chip is None or short or value is None or not self.naming.counts(field):
            return chip
        if value == 0 and field.type.base == "number" and word not in self.definition.values:  # none was given
            value, chip = 2, replace(chip, value="–")
        noun = self.naming.field(field)  # the label agrees with the number beside it
        noun_text = noun.many if self.naming.language.several(value) else noun.one
        return replace(chip, label=self.naming.language.finish(without_agreement(noun_text)))

    def _graded(self, named: Definition) -> str:
        """Return the title of a definition and its grade in words, if it has one."""
        title = self.headline(named)
        grade = grade_of(named, self.model, self.language)
        return f"{title} ({grade.value})" if grade is not None else title

    def _counted(self, named: Definition) -> str:
        """Return the title of a definition, and how many of it there are if fewer are printed."""
        title, copies = self._graded(named), number_of_copies(named)
        return f"{title}\u00a0×{copies}" if 0 < look_of_kind(named.kind, self.model).copies < copies else title

    def colour(self, named: str) -> str:
        """Return a color that a look names, see `colour_of`. The thing that a field names must have a color of its
        kind."""
        if is_colour(named):
            return named
        expr = self.expr(named)
        lender = self.definition.target if named == BEARER else None
        if isinstance(expr, ir.Def):
            lender = self.model.definitions.get((expr.kind, expr.id))
        if lender is not None:
            return _own_colour(lender, self.model, look_of_kind(lender.kind, self.model)) or DEFAULT_COLOUR
        chip = self.chip(named)
        return chip.symbol.colour if chip is not None and chip.symbol is not None else DEFAULT_COLOUR

    def _valued(self, label: str, expr: ir.Expr, symbol: Symbol | None) -> Chip | None:
        match expr:
            case ir.Const() if expr.type.base == "enum":
                enum = self.model.enums[expr.type.name]
                name = list(enum.values)[expr.value]
                title = self.agreeing(enum.values[name], name)
                return Chip(label, title, self.symbol(name, title))
            case ir.Const() if expr.type.base in {"number", "flag"}:
                return Chip(label, str(expr.value), symbol) if expr.value >= 0 else None
            case ir.Const(label=name) if expr.type.base in {"terrain", "barrier"}:
                table = self.model.terrains if expr.type.base == "terrain" else self.model.barriers
                title = self.title(table[name].name, name)
                return Chip(label, title, self.symbol(name, title))
            case ir.Def(kind="die"):
                title = self.title(self.model.dice[expr.id].name, expr.id)
                return Chip(label, title, self.symbol(expr.id, title))
            case ir.Def():
                definition = self.model.definitions.get((expr.kind, expr.id))
                return Chip(label, self._counted(definition)) if definition is not None else None
            case ir.ListOf():
                chips = [self._valued("", item, None) for item in expr.items]
                words = [chip.value for chip in chips if chip is not None]
                return Chip(label, ", ".join(map(bind_short_words, words))) if words else None
            case ir.Text():
                words_of = self.naming.language.finish(expr.value)
                return Chip(label, words_of, self.symbol(expr.value, words_of) or symbol)
        return None


def grade_of(definition: Definition, model: Model, language: str) -> Chip | None:
    """Return the grade of a definition, from the field in its look; None if it has none."""
    words = look_of_kind(definition.kind, model).fields.get("grade")
    return _grade(PrintedFields(definition, model, language), words) if words else None


def _grade(data: PrintedFields, words: Sequence[str]) -> Chip | None:
    chips = (data.chip(word) for word in words)
    return next((chip for chip in chips if chip is not None), None)


def colour_of(definition: Definition, model: Model) -> str:
    """Return the color of a card or sheet as ``#rrggbb``: the color of its grade, else of its look.

    A look gives a color, the name of a field (the color of its value's symbol, or of the definition that it names), or
    `bearer` (the color of the thing that the card is for).
    """
    look = look_of_kind(definition.kind, model)
    own = _own_colour(definition, model, look)
    return own or PrintedFields(definition, model, "en").colour(look.colour)


def _own_colour(definition: Definition, model: Model, look: Look) -> str:
    """Return the color that a definition has without others; empty if it has none."""
    words = look.fields.get("grade")
    grade = _grade(PrintedFields(definition, model, "en"), words) if words else None
    if grade is not None and grade.symbol is not None:
        return grade.symbol.colour
    return look.colour if is_colour(look.colour) else ""


def bind_short_words(title: str) -> str:
    """Return a title for running text: no line ends after a short first word of it (an article) or before a short last
    one."""
    words = title.split(" ")
    if len(words) > 1 and len(words[0]) <= SHORT:
        words[:2] = ["\u00a0".join(words[:2])]
    if len(words) > 1 and len(words[-1]) <= SHORT:
        words[-2:] = ["\u00a0".join(words[-2:])]
    return " ".join(words)


SHORT = 3
"""Most letters of a word that does not stay alone at the end of a line."""
