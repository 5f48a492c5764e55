"""Reading texts back, and comparing what was read with the tree that they were printed from.

The normal form of an effect holds three things: its verbs in order, the numbers that its words mention, and the
relations and measures that it names. Verbs in a row count once. Numbers and relations have no order, and their count
is not compared: the text may only mention those that the tree has, and must mention the numbers that a verb's words
have a place for.

The normal form leaves out determiners, referents (you, this, that), statuses, tokens, stats, titles, connectives, the
extent of loops and branches, and what the system leaves unsaid. A text that is wrong in one of these alone agrees with
its tree. `tests/prose/test_distinct_words.py` samples such differences in a small game; it proves nothing about the
texts of the shipped games.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice, product

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from fcbdsl.model import ir
from fcbdsl.model.content import Definition
from fcbdsl.model.declarations import Form
from fcbdsl.model.ir import walk
from fcbdsl.model.whole import Model
from reader.grammar import Rules, grammar_of

MOST_READINGS, MOST_WHOLES = 24, 200


@dataclass
class Reading:
    """What a text says in normal form. A verb is the set of declarations that its words may mean."""

    verbs: list[frozenset[str]] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    """Numbers, and words of relations, measures and counters."""
    numbers: Counter[int] = field(default_factory=Counter)

    def followed(self, other: Reading) -> Reading:
        """Return this reading, and another after it."""
        return Reading([*self.verbs, *other.verbs], self.others + other.others, self.numbers + other.numbers)


class CannotRead(Exception):
    """A sentence that the grammar does not know."""


class Reader:
    """Reads the texts of a game."""

    def __init__(self, model: Model) -> None:
        self.model = model
        parser, rules = grammar_of(model)
        self.parser: Lark = parser
        self.rules: Rules = rules
        self.forms: dict[str, list[Form]] = {}
        for form in model.forms:
            for text in form.texts:
                if text.language == "en":
                    self.forms.setdefault(text.template.split(" / ")[0], []).append(form)
        self._known: dict[str, list[Reading]] = {}

    def read(self, text: str) -> list[Reading]:
        """Return what a text may say: several readings if its words are ambiguous. Raises CannotRead."""
        wholes = [Reading()]
        for line in text.replace("\u00a0", " ").replace("\u202f", " ").splitlines():
            for sentence in re.split(r"(?<=[.!?…]) (?=[A-Z“])", line.strip()):
                if sentence:
                    wholes = [one.followed(other) for one in wholes for other in self.sentence(sentence)]
                    wholes = wholes[:MOST_WHOLES]
        return wholes

    def sentence(self, sentence: str) -> list[Reading]:
        found = self._known.get(sentence)
        if found is None:
            try:
                tree = self.parser.parse(sentence)
            except LarkError as error:
                raise CannotRead(sentence) from error
            made = [self.reading(one) for one in islice(derivations(tree), MOST_READINGS)]
            found = self._known[sentence] = [one for at, one in enumerate(made) if one not in made[:at]]
        return found

    def reading(self, tree: Tree[Token]) -> Reading:
        made = Reading()
        for node in tree.iter_subtrees_topdown():
            name = str(node.data)
            sort, template = self.rules.templates.get(name, ("", ""))
            if sort == "do":
                made.verbs.append(frozenset(form.id for form in self.forms[template]))
            elif sort in ("qual", "says", "measure"):
                made.others[template_key(template)] += 1
            for token in node.children:
                if isinstance(token, Token) and token.type in ("INT", "SIGNED"):
                    made.numbers[int(str(token).replace("−", "-"))] += 1
        return made


def derivations(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    """Yield the readings of an ambiguous sentence, as they come."""
    if tree.data == "_ambig":
        for child in tree.children:
            if isinstance(child, Tree):
                yield from derivations(child)
        return
    sides = [list(islice(derivations(one), MOST_READINGS)) if isinstance(one, Tree) else [one] for one in tree.children]
    for chosen in product(*sides):
        yield Tree(tree.data, [one for one in chosen if one is not None])


def template_key(template: str) -> str:
    return re.sub(r"[\[\]*<>|]", "", template)


def roots_of(definition: Definition) -> Iterator[object]:
    """Yield what a definition's text is printed from, in the order in which it is printed."""
    for value in definition.values.values():
        if value.body is not None and value.field.type.base == "effect":
            yield value.body
    yield from definition.modifiers
    yield from definition.listeners


class Expected:
    """The normal form of a tree, as far as it can be compared with a reading."""

    def __init__(self, definition: Definition, model: Model) -> None:
        self.verbs: list[Form] = []
        self.numbers: Counter[int] = Counter()
        self.required: Counter[int] = Counter()
        """Numbers that the words of verbs have a place for."""
        self.relations: list[Form] = []
        for root in roots_of(definition):
            for node in walk(root):
                if isinstance(node, ir.Do) and said(node.form):
                    self.verbs.append(node.form)
                    self.required += printed_numbers(node)
                elif isinstance(node, ir.Const) and node.type.base == "number" and node.span.start < node.span.end:
                    self.numbers[node.value] += 1
                elif isinstance(node, ir.Apply):
                    self.relations.append(node.form)


def said(form: Form) -> bool:
    """Whether a form has words of its own."""
    return any(text.language == "en" and text.template for text in form.texts)


def printed_numbers(node: ir.Do) -> Counter[int]:
    """Return the numbers that each text of a verb has a place for."""
    texts = [text.template for text in node.form.texts if text.language == "en"]
    found: Counter[int] = Counter()
    for param, arg in zip(node.form.params, node.args, strict=True):
        if isinstance(arg, ir.Const) and arg.type.base == "number" and all(f"{{{param.name}}}" in one for one in texts):
            found[arg.value] = 1
    return found


def differences(readings: list[Reading], tree: Expected) -> list[str]:
    """Return how the readings of a text differ from its tree in normal form; nothing if one does not differ."""
    return min((difference(one, tree) for one in readings), key=len)


def difference(read: Reading, tree: Expected) -> list[str]:
    found = []
    verbs = [form.id for form, _ in groupby(form for form in tree.verbs)]
    mine = [some for some, _ in groupby(read.verbs)]
    if len(mine) != len(verbs) or not all(one in some for one, some in zip(verbs, mine, strict=True)):
        found.append(f"verbs: read {[sorted(one)[0] for one in mine]}, tree {verbs}")
    extra = [number for number in read.numbers if number not in tree.numbers]
    if extra:
        found.append(f"numbers that the tree does not have: {sorted(extra)}")
    lost = [number for number in tree.required if number not in read.numbers]
    if lost:
        found.append(f"numbers that the text does not have: {sorted(lost)}")
    relations = {template_key(text.template.split(" / ")[0]) for form in tree.relations for text in form.texts}
    strange = [one for one in read.others if one not in relations]
    if strange:
        found.append(f"relations that the tree does not have: {strange}")
    return found
