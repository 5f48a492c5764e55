"""Selections of a game to print, and the names of their files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from fcbdsl.base.diagnostics import Problems, suggest
from fcbdsl.base.diagnostics.print import UnknownPrintable
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.reading import NOWHERE
from fcbdsl.print.pieces.piece import titled_kind
from fcbdsl.print.pieces.printables import own, printable, printable_languages

_RANGE = re.compile(r"([1-9][0-9]{0,4})(?:-([1-9][0-9]{0,4}))?")
USUAL_PAPER = "a4"
_LONGEST = 60
"""Most letters of a selection in the name of a file."""


def matching(everything: Sequence[Definition], wanted: str) -> list[Definition]:
    """Return the definitions that a word selects.

    It is an id (``rope``, ``tool/rope``), printed numbers of the pieces of a kind (``tool/3``, ``tool/3-7``), or a kind
    with all kinds below it (``tool/``).
    """
    kind, slash, name = wanted.rpartition("/")
    if not slash:
        return [definition for definition in everything if definition.id == name]
    numbers = _RANGE.fullmatch(name)
    below = [definition for definition in everything if any(each.id == kind for each in definition.kind.lineage())]
    if numbers is not None:
        first = int(numbers[1])
        called = next(
            (titled_kind(definition.kind).id for definition in everything if definition.kind.id == kind), kind
        )
        alike = [definition for definition in everything if titled_kind(definition.kind).id == called]
        return [definition for definition in alike[first - 1 : int(numbers[2] or first)] if definition in below]
    return below if not name else [definition for definition in below if definition.id == name]


def selected_definitions(model: Model, wanted: Sequence[str], problems: Problems) -> list[Definition]:
    """Return the selected definitions, each once, in the order of their names; without names all of the project's own.

    Report names that select nothing.
    """
    if not wanted:
        return own(model)
    everything = printable(model)
    selected: dict[tuple[str, str], Definition] = {}
    names = [definition.id for definition in everything]
    for word in wanted:
        these = matching(everything, word)
        if not these:
            problems.add(UnknownPrintable(NOWHERE, name=word, suggestion=suggest(word.rpartition("/")[2], names)))
        selected |= {(definition.kind.id, definition.id): definition for definition in these}
    return list(selected.values())


def selection_name(wanted: Sequence[str], since: str = "", everything: str = "cards") -> str:
    """Return the name of files with a selection of cards: ``cards``, or ``cards-rope+tool.3-7``.

    Each selection has a different name. `since`: the revision, if only changes since then are printed; `everything`:
    the name of a file without a selection.
    """
    if not wanted and not since:
        return everything
    words = [*([f"since~{since}"] if since else []), *(re.sub("/$", "~all", word).replace("/", ".") for word in wanted)]
    name = "+".join(dict.fromkeys(words))
    if len(name) > _LONGEST:
        name = f"{name[: _LONGEST - 9]}~{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return f"{everything}-{name}"


def edition_of(model: Model, language: str, paper: str) -> str:
    """Return the suffix of the names of files in another language than the first of a model (``.fr``), or on another
    paper than the default (``.letter``).

    So no run overwrites the files of another one.
    """
    other = [language] if language != next(iter(printable_languages(model)), language) else []
    return "".join(f".{word}" for word in (*other, *([paper] if paper != USUAL_PAPER else [])))
