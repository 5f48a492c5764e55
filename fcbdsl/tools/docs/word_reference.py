"""The words of a game, as its system declares them: their syntax, meaning and printed text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.declarations import NOWHERE, Event, Field, Form, Kind, Name, Param
from fcbdsl.language.model.tree_text import type_text
from fcbdsl.language.model.whole import Model
from fcbdsl.tools.docs.line_reference import LINES

SORTS = (
    "kind", "verb", "keyword", "relation", "measure", "action", "event", "status", "token", "mark", "terrain",
    "barrier", "die", "enum", "variant", "symbol", "field", "lead word", "kind line", "track line", "map line",
)  # fmt: skip
"""Sorts of words, in the order of the list."""
ALONE = ("field", "lead word", "kind line", "track line", "map line")
"""Sorts without a table on a page: a kind lists its fields, the language its words."""


@dataclass(frozen=True, slots=True)
class VocabEntry:
    """A word: its sort, its syntax, where it is declared, its titles, reminders and printed words by language.

    `holds`: fields of a kind or values of an enum; `example`: a line of content with the word; `doc`: its purpose.
    """

    sort: str
    id: str
    written: str
    place: str
    titles: Mapping[str, str] = field(default_factory=dict)
    meaning: Mapping[str, str] = field(default_factory=dict)
    printed: tuple[tuple[str, str], ...] = ()
    holds: tuple[str, ...] = ()
    example: str = ""
    doc: str = ""


def vocabulary_entries(model: Model, content: Sequence[Source] = ()) -> list[VocabEntry]:
    """Return every word of a model, by sort and then in order of declaration; examples are taken from `content`."""
    entries = sorted(_words(model), key=lambda entry: SORTS.index(entry.sort))
    lines = [line.strip() for source in content for line in source.text.split("\n")]
    lines = [line for line in lines if line and not line.startswith(("#", "use ", "fr:", "text ", "flavour"))]
    return [_with_example(word, lines) for word in entries]


def _words(model: Model) -> Iterator[VocabEntry]:
    for kind in model.kinds.values():
        yield _word(
            "kind",
            kind.id,
            _kind(kind),
            kind.span,
            kind.name,
            holds=[*map(_field, _plain(kind)), *_zones(kind), *_inherited(kind)],
        )
        for declared in kind.fields.values():
            if declared.sort in ("status", "token"):
                yield _word(declared.sort, declared.id, declared.id, declared.span, declared.name, doc=declared.doc)
            elif declared.sort != "part" and not _is_default(declared, kind):
                written = f"{_field(replace(declared, doc=''))} (of {kind.id})"
                yield _word("field", declared.id, written, declared.span, declared.name, doc=declared.doc)
    for form in model.forms:
        yield _word(
            form.sort, form.id, _form(form), form.span, form.name, [(t.language, t.template) for t in form.texts]
        )
    for action in model.actions.values():
        written = f"{action.id}: {' '.join(action.words)}" if action.words else action.id
        yield _word("action", action.id, written, action.span, action.name)
    for event in model.events.values():
        texts = [(text.language, text.template) for text in event.texts]
        yield _word("event", event.id, _event(event), event.span, Name(), texts)
    for mark in model.marks.values():
        yield _word("mark", mark.id, mark.id, mark.span, mark.name)
    for sort, grounds in (("terrain", model.terrains), ("barrier", model.barriers)):
        for ground in grounds.values():
            yield _word(sort, ground.id, ground.id, ground.span, ground.name)
    for die in model.dice.values():
        shown = [[str(side) if die.numbered else die.symbols[side] for side in face] for face in die.faces]
        faces = [" ".join(face) or "nothing" for face in shown]
        yield _word("die", die.id, die.id, die.span, die.name, holds=faces)
    for enum in model.enums.values():
        yield _word("enum", enum.id, enum.id, enum.span, Name(), holds=list(enum.values))
    for switch in model.switches.values():
        texts = [(text.language, text.template) for text in switch.texts]
        yield _word("variant", switch.id, switch.id, switch.span, switch.name, texts, switch.values)
    layout = model.layouts.get("symbols")
    for symbol, parts in layout.settings.items() if layout is not None else ():
        place = layout.spans.get(symbol, layout.span) if layout is not None else None
        if place is not None:
            yield _word("symbol", symbol, f"{symbol}: {', '.join(' '.join(part) for part in parts)}", place, Name())

    for line in LINES:
        yield _word(line.sort, line.word, line.written, NOWHERE, Name(), doc=line.doc)


def _is_default(field: Field, kind: Kind) -> bool:
    """Return whether a kind only changes the default of a field that it inherits."""
    return any(field.id in above.fields for above in kind.lineage()[1:])


def _word(
    sort: str,
    id: str,
    written: str,
    span: Span,
    name: Name,
    printed: Iterable[tuple[str, str]] = (),
    holds: Iterable[str] = (),
    doc: str = "",
) -> VocabEntry:
    place = f"{span.source.name}:{span.line}" if span.source.text else span.source.name
    return VocabEntry(sort, id, written, place, name.title, name.reminder, tuple(printed), tuple(holds), doc=doc)


def _kind(kind: Kind) -> str:
    return f"{kind.id} is {kind.parent.id}" if kind.parent is not None else kind.id


def _plain(kind: Kind) -> list[Field]:
    return [field for field in kind.fields.values() if field.sort not in ("status", "token")]


def _field(field: Field) -> str:
    bounds = f" {field.low if field.low is not None else ''}..{field.high if field.high is not None else ''}"
    limits = bounds if field.low is not None or field.high is not None else ""
    need = ", required" if field.required else ""
    title = f" “{field.name.title['en']}”" if "en" in field.name.title else ""
    doc = f" – {field.doc}" if field.doc else ""
    return f"{field.sort} {field.id}{title}: {type_text(field.type)}{limits}{need}{doc}"


def _inherited(kind: Kind) -> Iterator[str]:
    """Yield the fields that a kind inherits, as written."""
    listed = dict.fromkeys(kind.fields)
    for above in kind.lineage()[1:]:
        for declared in _plain(above):
            if declared.sort == "field" and declared.id not in listed:
                listed[declared.id] = None
                yield f"{_field(declared)} (as every {above.id})"


def _zones(kind: Kind) -> Iterator[str]:
    for zone in kind.zones.values():
        yield f"zone {zone.id} of {zone.holds}"


def _form(form: Form) -> str:
    params = list(form.params)
    subject = f"{_param(params.pop(0))} " if form.sort == "relation" and params else ""
    gives = f" -> {type_text(form.gives)}" if form.sort == "measure" else ""
    return subject + " ".join([form.id, *map(_param, params)]) + gives


def _event(event: Event) -> str:
    return " ".join(event.pattern) or event.id


def _param(param: Param) -> str:
    text = f"{f'{param.preposition} ' if param.preposition else ''}{param.name} ({type_text(param.type)})"
    return f"[{text}]" if param.default is not None or param.optional else text


def _with_example(word: VocabEntry, lines: Sequence[str]) -> VocabEntry:
    """Return a word with the shortest line of content that contains it, preferably not a mere head of a definition."""
    whole = re.compile(rf"(?<![\w-]){re.escape(word.id)}(?![\w-])")
    matching = [line for line in lines if whole.search(line)]
    if not matching:
        return word
    best = min(matching, key=lambda line: (len(line) < len(word.id) + 8, len(line)))
    return replace(word, example=best)


def entry_text(word: VocabEntry) -> str:
    """Return a word as a paragraph for a terminal."""
    lines = [f"{word.written if word.sort in ALONE else f'{word.sort} {word.written}'}   ({word.place})"]
    lines += [f"  {word.doc}"] if word.doc else []
    lines += [f"  {language}: {title}" for language, title in word.titles.items()]
    lines += [f"  means ({language}): {text}" for language, text in word.meaning.items()]
    lines += [f"  prints ({language}): {text}" for language, text in word.printed]
    lines += [f"  {hold}" for hold in word.holds]
    lines += [f"  as in: {word.example}"] if word.example else []
    return "\n".join(lines)


def as_page(title: str, words: Sequence[VocabEntry]) -> str:
    """Return words as a page of Markdown: a heading for each word, below one for each sort."""
    lines = [
        f"# Vocabulary of {title}",
        "",
        f"The words that {title} adds to the [language](../language/index.md). `fcb vocab WORD` shows the same in the",
        "terminal. `make docs` generates this page from the system.",
        "",
    ]
    for sort in (sort for sort in SORTS if sort not in ALONE):
        entries: dict[str, list[VocabEntry]] = {}
        for word in words:
            if word.sort == sort:
                entries.setdefault(word.id, []).append(word)
        if entries:
            lines += [f"## {_PLURALS.get(sort, f'{sort}s').capitalize()}", ""]
        for id, forms in entries.items():
            lines += [f"### {sort.capitalize()} `{id}`", ""]
            for form in forms:
                lines += _entry(form)
    return "\n".join(lines).rstrip() + "\n"


_PLURALS = {"die": "dice", "status": "statuses"}
_INHERITED = re.compile(r" \(as every [^()]+\)$")
"""Matches the end of an inherited field's line."""


def _entry(word: VocabEntry) -> Iterator[str]:
    """Yield the lines of a word on a page; inherited fields are folded."""
    yield f"`{word.written}`" + (f" – {word.doc}" if word.doc else "")
    yield ""
    titles = [f"{text} ({language})" for language, text in word.titles.items() if text]
    if titles:
        yield from (f"Title: {', '.join(titles)}", "")
    shown = [f"- {text} ({language})" for language, text in word.meaning.items() if text]
    shown += [f"- Prints `{text}` ({language})" for language, text in word.printed if text]
    if shown:
        yield from (*shown, "")
    own = [hold for hold in word.holds if not _INHERITED.search(hold)]
    above = [hold for hold in word.holds if _INHERITED.search(hold)]
    if own:
        yield from (*map(_item_of, own), "")
    if above:
        yield from (
            f"<details><summary>Inherited fields ({len(above)})</summary>",
            "",
            *map(_item_of, above),
            "",
            "</details>",
            "",
        )
    if word.example:
        yield from (f"Example: `{word.example}`", "")


def _item_of(line: str) -> str:
    """Return a field of a kind, or a value of an enum, as an item of a list."""
    written, dash, doc = line.partition(" – ")
    return f"- `{written}`{dash}{doc}"
