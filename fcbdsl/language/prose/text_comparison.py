"""Comparison of an author's text with the effect that it describes: the parts that it does not mention."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Event, Field, Form, Kind, Param
from fcbdsl.language.prose.listeners import Reader
from fcbdsl.language.prose.rules_text import author_paragraphs
from fcbdsl.language.prose.text_templates import template_words
from fcbdsl.language.prose.titles import without_agreement

STEM = 5
"""Common letters that make two words forms of one (spawn, spawns; apparaître, apparaissent)."""
MOST_DIGITS = 10
"""Length of a word that is too long to be a number."""
UNSPOKEN = {"builtin", "part"}
"""Sorts of columns without words."""


@dataclass(frozen=True, slots=True)
class Matter:
    """A subject of an effect: its name in the source, its words in a language, and its place."""

    name: str
    words: tuple[str, ...]
    span: Span


class AuthorText:
    """The words, numbers and subjects of a definition's text, to compare them with its effects, triggers and
    changes."""

    def __init__(self, definition: Definition, text: str, reader: Reader) -> None:
        self._definition = definition
        self._reader = reader
        self._words = plain_words(" ".join(paragraph.plain() for paragraph in author_paragraphs(text)))
        self._numbers = numbers_in(self._words, reader)
        self._matters = list(_Matters(reader, definition.span).of(_behaviour(definition)))

    def missing_subjects(self) -> list[Matter]:
        """Return the subjects of the definition that its text does not mention, without duplicates."""
        absent: dict[str, Matter] = {}
        for matter in self._matters:
            if not _mentioned(matter, self._words, self._numbers, self._reader):
                absent.setdefault(matter.name, matter)
        return list(absent.values())

    def strays(self, generated: Callable[[], str]) -> list[int]:
        """Return the numbers above 1 in the text that occur neither in the definition nor in its generated text.

        A definition without an effect is skipped, because its numbers belong to other things. The generated text is
        only made for numbers that nothing else explains.
        """
        numbers = [number for number in self._numbers if number > 1]
        if not numbers or not any(_behaviour(self._definition)):
            return []
        printed = {int(matter.name): None for matter in self._matters if matter.name.isdecimal()}
        for value in self._definition.values.values():
            printed |= {abs(node.value): None for node in ir.walk(value.expr) if isinstance(node, ir.Const)}
        if any(number not in printed for number in numbers):
            printed |= numbers_in(plain_words(generated()), self._reader)
        return [number for number in numbers if number not in printed]


def _behaviour(definition: Definition) -> tuple[object, ...]:
    """Return the effects, triggers and changes of a definition."""
    bodies = [
        value.body.statements
        for value in definition.values.values()
        if value.body is not None and value.field.type.base == "effect"
    ]
    return (*bodies, tuple(definition.listeners), tuple(definition.modifiers))


def numbers_in(words: Sequence[str], reader: Reader) -> dict[int, None]:
    """Return the numbers among some words, be they figures or written out."""
    numerals = reader.language.numerals
    numbers = [int(word) if word.isdecimal() else numerals.get(word, 0) for word in words if len(word) < MOST_DIGITS]
    return dict.fromkeys(number for number in numbers if number)


def _mentioned(matter: Matter, words: list[str], numbers: Mapping[int, None], reader: Reader) -> bool:
    if matter.name.isdecimal():
        return int(matter.name) in numbers
    telling = [word for word in matter.words if len(word) > 2 and word not in reader.language.fillers]
    return not telling or any(begin_alike(word, other) for word in telling for other in words)


def begin_alike(one: str, other: str) -> bool:
    """Return whether two words begin alike."""
    length = min(STEM, len(one), len(other))
    return length > 2 and one[:length] == other[:length]


def plain_words(text: str) -> list[str]:
    """Return the words of a text without case and accents."""
    plain = unicodedata.normalize("NFD", text.casefold().replace("œ", "oe"))
    return re.findall(r"[a-z0-9]+", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def _is_default(arg: ir.Expr | None, param: Param) -> bool:
    """Return whether an argument is its parameter's default.

    They are compared by place, because the form may have been declared again since the call was read. No argument of an
    author has the place of a default.
    """
    default = param.default
    return arg is default or (arg is not None and default is not None and arg.span.place == default.span.place)


class _Matters:
    """Walks a tree in the same way as the reader; omitted words need not be mentioned."""

    def __init__(self, reader: Reader, home: Span) -> None:
        self.reader = reader
        self.naming = reader.naming
        self.at = home  # the last place in the file of the definition

    def of(self, node: object) -> Iterator[Matter]:
        match node:
            case tuple():
                for item in node:
                    yield from self.of(item)
            case ir.Do() | ir.Apply():
                yield from self.form(node)
            case ir.Announce():
                yield from self.event(node.event, node.span)
                yield from self.of(node.args)
            case ir.Listener():
                yield from self.event(node.event, node.span)
                yield from self.of((node.binds, node.condition, node.body))
            case ir.Until():
                yield from self.event(node.until, node.span)
                yield from self.of((node.modifiers, node.listeners))
            case ir.Modifier():
                yield from self.column(node.field, node.span)
                yield from self.of((node.where, node.amount, node.condition))
            case ir.Get():
                yield from self.column(node.field, node.span)
                yield from self.of((node.of, node.owner))
            case ir.Def() | ir.Instance():
                yield from self.titled(node.id, self.reader.value(node).text, node.span)
            case ir.Const():
                yield from self.constant(node)
            case ir.IsA():
                yield from self.kind(self.naming.model.kinds.get(node.kind), node.span)
                yield from self.of(node.of)
            case ir.Select():
                noun = self.naming.declared_noun(node.noun) if node.noun else None
                if noun is not None:
                    yield from self.titled(node.noun, noun.one, node.span)
                elif node.source is None:
                    yield from self.kind(self.naming.model.kinds.get(node.type.name), node.span)
                yield from self.of((node.source, node.where, node.order))
            case ir.Node():
                yield from self.of(tuple(ir.children(node)))

    def form(self, node: ir.Do | ir.Apply) -> Iterator[Matter]:
        """Yield the subjects of a form and its arguments, unless it needs no words."""
        form: Form = node.form
        text = self.reader.wording(form.texts, form, node.args)
        if text is not None and not text.template:
            return
        words = template_words(text.template) if text is not None else form.id
        title = without_agreement(form.name.title.get(self.reader.language.code, ""))
        named = any((isinstance(arg, ir.Const) and arg.label) or isinstance(arg, ir.Def) for arg in node.args)
        if isinstance(node, ir.Do) or not named:  # of a space marked gate, it is the gate that must be mentioned
            yield from self.titled(form.id, f"{title} {words}", node.span)
        given = [arg for param, arg in zip(form.params, node.args, strict=True) if not _is_default(arg, param)]
        yield from self.of(tuple(given))

    def event(self, event: Event, span: Span) -> Iterator[Matter]:
        text = self.reader.event_wording(event)
        if text is not None and text.template:
            yield from self.titled(event.id, template_words(text.template), span)

    def column(self, field: Field, span: Span) -> Iterator[Matter]:
        if field.sort in UNSPOKEN or field.type.base in {"thing", "definition"}:
            return
        titled = self.reader.language.code in field.name.title
        yield from self.titled(field.id, without_agreement(self.naming.field(field).one) if titled else field.id, span)

    def kind(self, kind: Kind | None, span: Span) -> Iterator[Matter]:
        if kind is not None and self.reader.language.code in kind.name.title:
            noun = self.naming.kind(kind)
            yield from self.titled(kind.id, f"{noun.one} {noun.many}", span)

    def constant(self, node: ir.Const) -> Iterator[Matter]:
        if node.type.base == "number":
            if node.value > 1:
                yield Matter(str(node.value), (str(node.value),), self.place(node.span))
        elif node.type.base != "flag" and node.label:
            yield from self.titled(node.label, self.reader.value(node).text, node.span)

    def titled(self, name: str, words: str, span: Span) -> Iterator[Matter]:
        title_words = tuple(plain_words(words))
        if title_words:
            yield Matter(name, title_words, self.place(span))

    def place(self, span: Span) -> Span:
        """Return a span in the definition's file: for a span elsewhere, the last one in that file."""
        if span.beside(self.at):
            self.at = span
        return self.at
