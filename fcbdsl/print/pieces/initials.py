"""Initials: short marks that identify figures and tokens, the same on discs, standees and maps."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator

from fcbdsl.base.typography import with_capital
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.pieces.markers import marker_lines

FIGURE = "piece"
"""The kind of all pieces on boards."""


def figure_marks(model: Model, naming: Naming) -> dict[str, str]:
    """Return the marks of figures, and of things with a disc each by `layout tokens:`, by id.

    The first declared one has its initials; others with the same initials get another mark. Figures come first.
    """
    cut = {kind for line in marker_lines(model) for kind, _ in line.each}
    titles: dict[str, str] = {}
    figures = [definition for definition in model.definitions.values() if is_figure(definition)]
    others = [
        definition
        for definition in model.definitions.values()
        if any(kind.id in cut for kind in definition.kind.lineage())
    ]
    marks: dict[str, str] = {}
    taken: dict[str, str] = {}  # the title of each mark
    for some in (figures, others):
        for definition in some:
            titles.setdefault(definition.id, _title(definition, naming))
        for id, title in titles.items():
            if id not in marks and taken.setdefault(initials(title), title) == title:
                marks[id] = initials(title)
        for id, title in titles.items():
            if id not in marks:
                marks[id] = next((mark for mark, titled in taken.items() if titled == title), "") or other_initials(
                    title, taken
                )
                taken.setdefault(marks[id], title)
    return marks


def other_initials(title: str, taken: Collection[str]) -> str:
    """Return the first free mark of a title: its initials, its first letter with a later one, or a number."""
    return next(mark for mark in _marks(title) if mark not in taken)


def _marks(title: str) -> Iterator[str]:
    first = title[:1].upper()
    yield initials(title)
    yield from (first + other for other in title[1:].lower() if other.isalnum())
    number = 2
    while True:
        yield f"{first}{number}"
        number += 1


def initials(title: str) -> str:
    """Return a short mark: the number at the end of a title, the initials of several words, else the first two
    letters."""
    number = title.split()[-1] if title.split() else ""
    if number.isdecimal() and len(number) <= 2:
        return number
    words = [word for word in title.replace("-", " ").split() if word[:1].isalpha()]
    return "".join(word[0] for word in words[:2]).upper() if len(words) > 1 else title[:2].capitalize()


def is_figure(definition: Definition) -> bool:
    """Return whether a definition is a piece on boards."""
    return any(kind.id == FIGURE for kind in definition.kind.lineage())


def _title(definition: Definition, naming: Naming) -> str:
    title = naming.language.finish(naming.title(definition.name, definition.id, definition.span))
    title = naming.language.own_article.sub("", title, count=1)
    return with_capital(title)


def sort_key(title: str) -> str:
    """Return a title as a sort key of dictionaries: without case and accents, and with ligatures split."""
    plain = title.casefold().replace("œ", "oe").replace("æ", "ae")
    return "".join(letter for letter in unicodedata.normalize("NFD", plain) if not unicodedata.combining(letter))
