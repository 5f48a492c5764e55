"""Markers: the lines of `layout tokens:` for the round pieces that a game needs besides its figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Layout
from fcbdsl.language.model.declarations import Name
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES

TOKENS = "tokens"
MOST_OF_ONE = 99
"""Most tokens of one line."""
NUMBERS = 20
"""The highest number of numbered markers."""
FORMS = "`12`, `6 of 3`, `each KIND`, `shows FIELD`, `back NAME`, `says TEXT` or a title"
"""The valid parts of a line."""


@dataclass(frozen=True, slots=True)
class MarkerLine:
    """A line of `layout tokens:`. `lots`: pairs of a count and a value (0: none).

    `each`: kinds with one marker for each definition, and a keyword that it must use (empty: none). `shows`: the field
    printed on it; `back`: the symbol's name, or the field, on its other face; `back_titles`: titles of that face, if
    they differ. `says`: its explanation, by language.
    """

    name: str
    span: Span
    lots: tuple[tuple[int, int], ...] = ()
    each: tuple[tuple[str, str], ...] = ()
    shows: str = ""
    back: str = ""
    titles: dict[str, str] = field(default_factory=dict)
    back_titles: dict[str, str] = field(default_factory=dict)
    says: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Misread:
    """A name in a line that does not exist: the index of its part (-1: the whole line), what was expected, and the
    known names."""

    at: int
    name: str
    expected: str
    known: Sequence[str] = ()


def marker_lines(model: Model) -> list[MarkerLine]:
    """Return all lines, in order; `misread` reports their invalid parts."""
    layout = model.layouts.get(TOKENS)
    return [_read(name, layout) for name in layout.settings] if layout is not None else []


def _read(name: str, layout: Layout) -> MarkerLine:
    lots: list[tuple[int, int]] = []
    each: list[tuple[str, str]] = []
    words = {"shows": "", "back": ""}
    titles: dict[str, str] = {}
    back_titles: dict[str, str] = {}
    says: dict[str, str] = {}
    for part in layout.settings[name]:
        match part:
            case (count,) if count.isdecimal():
                lots.append((int(count), 0))
            case (count, "of", value) if count.isdecimal() and value.isdecimal():
                lots.append((int(count), int(value)))
            case ("each", kind, "with", keyword):
                each.append((kind, keyword))
            case ("each", kind):
                each.append((kind, ""))
            case ("shows", word):
                words["shows"] = word
            case ("back", word, *rest):
                words["back"] = word
                back_titles = _titles(rest)
            case ("says", *rest):
                says = _titles(rest)
            case (title,):
                titles["en"] = title
            case (language, title) if language in LANGUAGES:
                titles[language] = title
    of = (tuple(lots), tuple(each), words["shows"], words["back"])
    return MarkerLine(name, layout.spans[name], *of, titles=titles, back_titles=back_titles, says=says)


def _titles(words: Sequence[str]) -> dict[str, str]:
    """Read ``"Tails" fr "Pile"``: titles by language."""
    titles = {"en": words[0]} if len(words) % 2 else {}
    return titles | dict(zip(words[len(words) % 2 :: 2], words[len(words) % 2 + 1 :: 2], strict=True))


def marker_name(model: Model, called: str) -> Name | None:
    """Return the name of a status, token, stat, ground or mark; None if it has none."""
    named = [kind.fields[called].name for kind in model.kinds.values() if called in kind.fields]
    named += [table[called].name for table in (model.terrains, model.marks) if called in table]
    return next((name for name in named if name.title), None)


def misread(layout: Layout, model: Model, symbols: Sequence[str]) -> Iterator[tuple[str, Misread]]:
    """Yield the unknown names in lines of `layout tokens:`, and lines that lack a part. `symbols`: names with a
    symbol."""
    for name, parts in layout.settings.items():
        line = _read(name, layout)
        for at, part in enumerate(parts):
            wrong = _wrong(at, part, line, model, symbols)
            if wrong is not None:
                yield name, wrong
        if not line.each and name not in symbols:
            yield name, Misread(-1, name, "something with a symbol", symbols)
        elif not line.each and not line.lots:
            yield name, Misread(-1, name, "given a number (`12`)")
        elif not line.each and not line.titles and marker_name(model, name) is None:
            yield name, Misread(-1, name, 'something with a title; give it one (`"Coin", fr "Pièce"`)')


def _wrong(at: int, part: tuple[str, ...], line: MarkerLine, model: Model, symbols: Sequence[str]) -> Misread | None:
    """Return what is wrong with a part of a line."""
    kinds = [model.kinds[kind] for kind, _ in line.each if kind in model.kinds]
    columns = [name for kind in kinds for ancestor in kind.lineage() for name in ancestor.fields]
    keywords = [form.id for form in model.forms if form.sort == "keyword"]
    numbers = [word for word in part if word.isdecimal()]
    misread: tuple[str, str, Sequence[str]] | None = None
    match part:
        case ("each", *words):
            if words[0] not in model.kinds:
                misread = words[0], "a kind", list(model.kinds)
            elif words[1:] and words[-1] not in keywords:
                misread = words[-1], "a keyword", keywords
        case ("shows", word) if word not in columns:
            misread = word, "a field of what there is one each of", columns
        case ("back", word, *_) if word not in (*symbols, *columns):
            misread = word, "something with a symbol", symbols
        case ("shows", _) | ("back", _, *_) | ("says", _, *_):
            pass
        case (word,) | (word, "of", _) if word.isdecimal():
            if not 0 < int(word) <= MOST_OF_ONE or len(numbers) + len(part) // 3 != len(part):
                misread = " ".join(part), f"a number from 1 to {MOST_OF_ONE}, or `6 of 3`", ()
        case (_,):
            pass
        case (language, _) if language in LANGUAGES:
            pass
        case _:
            misread = " ".join(part), FORMS, ()
    return Misread(at, *misread) if misread is not None else None
