"""Every text of a model that players see, each with a stable key: the list that translators work on.

A key is a path: the declaration of the text, and its part there (``mission/curfew/story``). Parts without a name are
numbered within their declaration (``table/weather/row/2``).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal

from fcbdsl.base.catalog import REFERENCE as REFERENCE
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import COMPASS
from fcbdsl.language.model.content import ADDED_LAYOUTS, Definition, Layout, Track
from fcbdsl.language.model.declarations import Declared, Kind, Name, Texts, Wording
from fcbdsl.language.model.roots import behaviour, of_game, of_track
from fcbdsl.language.model.whole import Model

NOWHERE = Span(Source("", ""), 0, 0)

State = Literal["given", "own", "missing"]


@dataclass(slots=True)
class TableText(ABC):
    """One text in all its languages.

    `key`: its name. `sort`: a description of the text for translators. `owner`: the declaration to which it belongs.
    `optional`: the text may be missing.
    """

    key: str
    sort: str
    span: Span
    owner: Declared | None = field(default=None, kw_only=True)
    optional: bool = field(default=False, kw_only=True)

    @abstractmethod
    def text_in(self, language: str) -> str | None:
        """Return the text in a language; None if it has none."""

    @abstractmethod
    def put(self, language: str, text: str, span: Span) -> None:
        """Set the text in a language, with its place in the source."""

    def state_in(self, language: str) -> State:
        """Return whether the text is given in a language, missing there, or made from the language's `own` cases."""
        return "missing" if self.text_in(language) is None else "given"


@dataclass(slots=True)
class PlainText(TableText):
    """A text without cases or placeholders; the title of a `name` may have a plural."""

    texts: Texts
    name: Name | None = None

    def text_in(self, language: str) -> str | None:
        return self.texts.get(language)

    def put(self, language: str, text: str, span: Span) -> None:
        self.texts[language] = text


@dataclass(slots=True)
class TemplateText(TableText):
    """A wording of a form, an event or a variant; `number`: its position in the reference language."""

    texts: list[Wording]
    number: int

    def _case(self, text: Wording) -> str:
        condition = text.condition
        return "" if condition is None else condition_text(condition)

    def _of(self, language: str) -> list[tuple[str, int, Wording]]:
        """Return the wordings of a language with their conditions, each with its number among those of equal
        condition."""
        out: list[tuple[str, int, Wording]] = []
        for text in self.texts:
            if text.language == language:
                case = self._case(text)
                out.append((case, sum(case == entry[0] for entry in out), text))
        return out

    def text_in(self, language: str) -> str | None:
        own = self._of(REFERENCE)[self.number]
        return next((text.template for *case, text in self._of(language) if case == [*own[:2]]), None)

    def put(self, language: str, text: str, span: Span) -> None:
        case, number, reference = self._of(REFERENCE)[self.number]
        mine = {entry[:2]: entry[2] for entry in self._of(language)}
        mine[case, number] = Wording(language, reference.condition, text, span)
        order = [entry[:2] for entry in self._of(REFERENCE)]
        rest = [key for key in mine if key not in order]
        self.texts[:] = [other for other in self.texts if other.language != language]
        self.texts += [mine[key] for key in [*order, *rest] if key in mine]

    def state_in(self, language: str) -> State:
        if self.text_in(language) is not None:
            return "given"
        own = self._of(language)
        return "own" if any(not case for case, _, _ in own) else "missing"


@dataclass(slots=True)
class LayoutText(TableText):
    """A text on a line of a layout, after `begin` parts that are no text. `colours`: names of the pack's colors."""

    layout: Layout
    line: str
    begin: int
    colours: tuple[str, ...] = ()

    def text_in(self, language: str) -> str | None:
        return layout_titles(self.layout.settings[self.line][self.begin :], self.colours).get(language)

    def put(self, language: str, text: str, span: Span) -> None:
        parts = self.layout.settings[self.line]
        others = tuple(part for part in parts if not (len(part) == 2 and part[0] == language))
        self.layout.settings[self.line] = (*others, (language, text))


@dataclass(slots=True)
class TokenText(TableText):
    """A title on a line of `layout tokens:`, or of one of its parts: the other face (`back`) or a caption (`says`)."""

    layout: Layout
    line: str
    part: str

    def text_in(self, language: str) -> str | None:
        parts = self.layout.settings[self.line]
        if self.part:
            behind = _BEHIND[self.part]
            titles = next((layout_titles(_by_twos(part[behind:])) for part in parts if part[0] == self.part), {})
            return titles.get(language)
        return layout_titles([part for part in parts if _is_title(part)]).get(language)

    def put(self, language: str, text: str, span: Span) -> None:
        parts = self.layout.settings[self.line]
        if not self.part:
            others = [part for part in parts if part[0] != language]
            self.layout.settings[self.line] = (*others, (language, text))
            return
        behind = _BEHIND[self.part]
        own = [part for part in parts if part[0] == self.part]
        other = tuple(pair for part in own for pair in _by_twos(part[behind:]) if pair[0] != language)
        words = tuple(word for pair in (*other, (language, text)) for word in pair)
        self.layout.settings[self.line] = tuple((*part[:behind], *words) if part in own else part for part in parts)


_BEHIND = {"back": 2, "says": 1}
"""Number of words before the texts of a part of a line of tokens."""
_WORDS_OF_TOKENS = ("each", "shows", *_BEHIND)
"""First words of parts of a line of tokens that are no titles."""


def _is_title(part: tuple[str, ...]) -> bool:
    """Return whether a part of a line of tokens is a title: no number of tokens, and none of its words."""
    return part[0] not in _WORDS_OF_TOKENS and len(part) < 3 and not part[0].isdecimal()


def _by_twos(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return ``"Tails" fr "Pile"`` as a title and pairs of a language and a title."""
    first = len(words) % 2
    return [words[:first]] * first + [words[at : at + 2] for at in range(first, len(words), 2)]


@dataclass(slots=True)
class GenderText(TableText):
    """The gender of a title, in languages that have genders: one letter (m, f, n)."""

    name: Name

    def text_in(self, language: str) -> str | None:
        return GENDERS if language == REFERENCE else self.name.gender.get(language)

    def put(self, language: str, text: str, span: Span) -> None:
        self.name.gender[language] = text


GENDERS = "m, f or n"
"""Placeholder for a gender in the reference language, which has none."""


def layout_titles(parts: Sequence[tuple[str, ...]], colours: Sequence[str] = ()) -> dict[str, str]:
    """Read ``"Tool", fr "Outil"`` of a layout as titles by language; ``#rrggbb`` and the names in `colours` are
    skipped."""
    titles: dict[str, str] = {}
    for part in parts:
        if len(part) == 1 and not part[0].startswith("#") and part[0] not in colours:
            titles[REFERENCE] = part[0]
        elif len(part) == 2:
            titles[part[0]] = part[1]
    return titles


def condition_text(condition: ir.Expr) -> str:
    """Return a condition as its author wrote it."""
    span = condition.span
    return " ".join(span.source.text[span.start : span.end].split())


def texts_of(model: Model) -> list[TableText]:
    """Return every text of a model, in order of declaration. Texts that tests declare for themselves are left out."""
    tellings = [text for text in _all(model) if text.text_in(REFERENCE) and not model.proof_of(text.span)]
    seen: dict[str, int] = {}
    for telling in tellings:
        seen[telling.key] = seen.get(telling.key, 0) + 1
        if seen[telling.key] > 1:  # two columns of one name, on two kinds of one name in a broken source
            telling.key = f"{telling.key}/{seen[telling.key]}"
    return tellings


def _all(model: Model) -> Iterator[TableText]:
    title = f"system/{model.system}/title"  # a proper name
    yield PlainText(title, "the title of the game", _first_place(model), model.title.title, optional=True)
    for id, name in model.directions.items():
        if id not in COMPASS:
            yield from _name(f"direction/{id}", "a direction", _first_place(model), name, None, noun=True)
    for word, name in model.nouns.items():
        yield from _name(f"noun/{word}", "a noun", _first_place(model), name, None, noun=True)
    for kind in model.kinds.values():
        yield from _kind(kind)
    for zone in model.zones.values():
        yield from _name(f"zone/{zone.id}", "a zone", zone.span, zone.name, zone, noun=True)
    for enum in model.enums.values():
        for value, name in enum.values.items():
            yield from _name(f"enum/{enum.id}/{value}", f"a value of {enum.id}", enum.span, name, None)
    for sort, grounds in (("terrain", model.terrains), ("barrier", model.barriers)):
        for ground in grounds.values():
            yield from _name(f"{sort}/{ground.id}", f"a {sort}", ground.span, ground.name, None, noun=True)
    for mark in model.marks.values():
        yield from _name(f"mark/{mark.id}", "a mark of spaces", mark.span, mark.name, None, noun=True)
    for die in model.dice.values():
        yield from _name(f"die/{die.id}", "a die", die.span, die.name, None, noun=True)
        for symbol, name in die.names.items():
            yield from _name(f"die/{die.id}/{symbol}", "a symbol of dice", die.span, name, None)
    for switch in model.switches.values():
        yield from _name(f"variant/{switch.id}", "a variant", switch.span, switch.name, None)
        yield from _templates(f"variant/{switch.id}", "a ruling", switch.texts, None)
    for event in model.events.values():
        yield from _templates(f"event/{event.id}", "words of an event", event.texts, None)
    for form in model.forms:
        key = f"{form.sort}/{form.id}"
        yield from _name(key, f"a {form.sort}", form.span, form.name, form)
        yield from _templates(key, f"words of a {form.sort}", form.texts, form)
        yield from _behaviour(key, behaviour(form), form)
    for action in model.actions.values():
        yield from _name(f"action/{action.id}", "an action", action.span, action.name, action)
        yield from _behaviour(f"action/{action.id}", behaviour(action), action)
    for rule in model.rules.values():
        yield from _name(f"rule/{rule.id}", "a rule", rule.span, rule.name, rule)
        yield from _behaviour(f"rule/{rule.id}", behaviour(rule), rule)
    yield from _behaviour("game", of_game(model), None)
    for definition in model.definitions.values():
        yield from _definition(f"{definition.kind.id}/{definition.id}", definition)
    own = model.layouts.get("colors")
    colours = tuple(own.settings) if own is not None else ()
    for layout in model.layouts.values():
        if layout is not own:
            yield from _layout(layout, colours)


def _first_place(model: Model) -> Span:
    """Return the span for texts that have no place: the span of the system's first kind."""
    own = [kind.span for kind in model.kinds.values() if kind.system == model.system and kind.span.source.name]
    return own[0] if own else NOWHERE


def _name(
    key: str, sort: str, span: Span, name: Name, owner: Declared | None, *, noun: bool = False
) -> Iterator[TableText]:
    """Yield a title with its plural, its reminder, and its gender if it is a noun or has one in some language."""
    yield PlainText(f"{key}/title", sort, span, name.title, name if noun or name.plural else None, owner=owner)
    if name.title and (noun or name.gender):
        yield GenderText(f"{key}/gender", "a gender", span, name, owner=owner, optional=True)
    yield PlainText(f"{key}/reminder", f"a reminder of {sort}", span, name.reminder, owner=owner)


def _kind(kind: Kind) -> Iterator[TableText]:
    key = f"kind/{kind.id}"
    yield from _name(key, "a kind of thing", kind.span, kind.name, kind, noun=True)
    yield from _behaviour(key, behaviour(kind), kind)
    for column in kind.fields.values():
        if column.kind != kind.id or column.sort in ("builtin", "part"):
            continue
        own = f"{key}/{column.id}"
        adjective = column.sort == "status" or column.type.base == "flag"
        yield from _name(own, f"a {column.sort} of {kind.id}", column.span, column.name, column, noun=not adjective)
        without = f"whoever is without the {column.sort}"
        yield PlainText(f"{own}/without", without, column.span, column.without.title, owner=column)
        yield from _behaviour(own, behaviour(column), column)
    for zone in kind.zones.values():
        yield from _name(f"{key}/{zone.id}", f"a zone of {kind.id}", zone.span, zone.name, zone, noun=True)


def _templates(key: str, sort: str, texts: list[Wording], owner: Declared | None) -> Iterator[TableText]:
    wordings = [text for text in texts if text.language == REFERENCE]
    for number, text in enumerate(wordings):
        yield TemplateText(f"{key}/text/{number + 1}", sort, text.span, texts, number, owner=owner)


def _definition(key: str, definition: Definition) -> Iterator[TableText]:
    kind, span = definition.kind.id, definition.span
    yield from _name(key, f"the title of a {kind}", span, definition.name, definition)
    yield PlainText(f"{key}/text", f"the rules of a {kind}, by hand", span, definition.text, owner=definition)
    yield PlainText(f"{key}/flavour", f"flavour of a {kind}", span, definition.flavour, owner=definition)
    if definition.art is not None:
        yield PlainText(f"{key}/art", "what a picture shows", definition.art.span, definition.art.alt, owner=definition)
    for value in definition.values.values():
        if value.texts is not None:
            named = f"the {value.field.id} of a {kind}"
            yield PlainText(f"{key}/{value.field.id}", named, value.span or span, value.texts, owner=definition)
        if value.body is not None:
            yield from _behaviour(f"{key}/{value.field.id}", [value.body], definition)
    yield from _behaviour(key, [[definition.listeners, definition.modifiers]], definition)
    for track in definition.tracks:
        yield from _track(f"{key}/{track.id}", track)
    for cell in definition.board.cells if definition.board is not None else ():
        yield from _name(f"{key}/map/{cell.id}", "a place of a map", cell.span or span, cell.name, definition)
    for number, part in enumerate(definition.parts, start=1):
        yield from _definition(f"{key}/{part.kind.id}/{number}", part)


def _track(key: str, track: Track) -> Iterator[TableText]:
    yield from _name(key, f"a {track.sort}", track.span, track.name, track)
    for tier in track.tiers:
        yield from _name(f"{key}/{tier.at}", f"a step of a {track.sort}", tier.span, tier.name, track)
    yield from _behaviour(key, list(of_track(track)), track)


def _behaviour(key: str, roots: Sequence[object], owner: Declared | None) -> Iterator[TableText]:
    """Yield the texts in behavior, each numbered among those of its sort."""
    counts: dict[str, int] = {}
    for root in roots:
        for node in ir.walk(root):
            match node:
                case ir.Option(label=texts, span=span):
                    sort, says = "option", "an option of a choice"
                case ir.Row(title=texts, span=span):
                    sort, says = "row", "a row of a table"
                case ir.End(why=texts, span=span):
                    sort, says = "end", "why a game ends"
                case ir.Listener(title=texts, span=span):
                    sort, says = "heading", "the heading of a rule"
                case _:
                    continue
            if texts:
                counts[sort] = counts.get(sort, 0) + 1
                yield PlainText(f"{key}/{sort}/{counts[sort]}", says, span, texts, owner=owner)


_NOT_TITLES = {"back": 0, "losses": 1, "reacts": 0, "setup": 1, "south": 0, "tucked": 0}
"""Number of parts of a line of a layout before its titles."""


def _tokens(layout: Layout) -> Iterator[TableText]:
    for line in layout.settings:
        key, place = f"layout/tokens/{line}", layout.place(line)
        yield TokenText(key, "the title of a token to cut", place, layout, line, "")
        yield TokenText(f"{key}/back", "the title of the other face of a token", place, layout, line, "back")
        yield TokenText(f"{key}/says", "what a token to cut means", place, layout, line, "says")


def _layout(layout: Layout, colours: tuple[str, ...]) -> Iterator[TableText]:
    if layout.kind == "tokens":
        yield from _tokens(layout)
        return
    symbols = layout.kind == "symbols"
    if layout.kind in ADDED_LAYOUTS and not symbols:
        return  # authors choose the names of their lines, which are no settings of a kind
    for line, parts in layout.settings.items():
        begin = 1 if symbols else _NOT_TITLES.get(line, -1)
        if begin < 0 or not layout_titles(parts[begin:], colours):
            continue
        sort = "a title or letter on a map or a piece" if symbols else f"the {line} of a {layout.kind}"
        title = layout_titles(parts[begin:], colours).get(REFERENCE, "")
        short = symbols and not any(letter.islower() for letter in title)  # a letter on a disc may fit every language
        key = f"layout/{layout.kind}/{line}"
        yield LayoutText(key, sort, layout.place(line), layout, line, begin, colours, optional=short)


_COUNTED = re.compile(r"/\d+$")


def key_without_number(key: str) -> str:
    """Return the key without the number of a text that is only counted: its like in the same declaration share it."""
    return _COUNTED.sub("", key)
