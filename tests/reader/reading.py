"""Reading texts back: a text becomes sentences, each a packed forest of typed trees (all that its words may mean)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree
from lark.exceptions import LarkError

from fcbdsl.language.model import ir
from fcbdsl.language.model.whole import Model
from reader.grammar import Grammar, titles

Forest = Tree[Token]


class CannotRead(Exception):
    """A sentence that the grammar does not know."""


@dataclass
class Paragraph:
    """Sentences in a row; the items of a list belong to the last of them."""

    level: int
    sentences: list[Forest] = field(default_factory=list)
    items: list[Paragraph] = field(default_factory=list)


class Reader:
    """Reads the texts of a game."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.grammar = Grammar(model)
        self.rules, self.words, self.adjectives = self.grammar.rules, self.grammar.words, self.grammar.adjectives
        columns = [column for kind in model.kinds.values() for column in kind.fields.values()]
        self.headings = {
            title[:1].upper() + title[1:] + ": "
            for column in columns
            if column.type.base == "effect"
            for title in titles(column.name)
        }
        self.headings |= {
            title + ". "
            for definition in model.definitions.values()
            for listener in definition.listeners
            if (title := listener.title.get("en", ""))
        }
        self.said = {
            why.rstrip(".")
            for definition in model.definitions.values()
            for value in definition.values.values()
            for node in ir.walk(value.body)
            if isinstance(node, ir.End)
            for why in [node.why.get("en", "").replace("'", "’")]
            if why
        }
        """The authors' own words for the end of a game."""
        self.known: dict[str, Forest] = {}

    def read(self, text: str) -> list[Paragraph]:
        """Return what a text may mean, by paragraphs. Raises CannotRead."""
        made: list[Paragraph] = []
        open_: list[Paragraph] = []
        for line in text.replace("\u00a0", " ").replace("\u202f", " ").splitlines():
            before, bullet, words = line.partition("• ")
            level = len(before) // 2 + 1 if bullet and not before.strip() else 0
            paragraph = Paragraph(level, list(self.sentences(words if level else line)))
            open_ = open_[:level]
            (open_[-1].items if open_ else made).append(paragraph)
            open_.append(paragraph)
        return made

    def sentences(self, line: str) -> Iterator[Forest]:
        """Yield the sentences of a line, a heading and an author's own words apart."""
        for heading in self.headings:
            if line.startswith(heading):
                yield Tree("heading", [Token("WORDS", heading.rstrip(": ."))])
                line = line.removeprefix(heading)
        for why in self.said:
            at = line.find(why)
            if at > 0:
                yield from self.sentences(line[:at].strip())
                yield Tree("said", [Token("WORDS", why)])
                return
        for sentence in re.split(r"(?<=[.!?…”]) (?=[A-Z“])(?!“[^”]*” and )", line.strip()):
            if sentence:
                yield self.sentence(sentence)

    def sentence(self, sentence: str) -> Forest:
        """Return the forest of a sentence."""
        tree = self.known.get(sentence)
        if tree is None:
            try:
                bare = sentence.rstrip(".")
                tree = self.known[sentence] = self.grammar.parser(bare).parse(bare)
            except LarkError as error:
                raise CannotRead(sentence) from error
        return tree
