"""Finds titles without a gender where a printed text, or a line of the game log, depends on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from typing import TypeVar

from fcbdsl.base.diagnostics.base import Diagnostic, Fix
from fcbdsl.base.diagnostics.print import MissingGender
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import (
    ASSUMED_GENDER,
    Die,
    Field,
    Form,
    GenderTrial,
    Kind,
    Mark,
    Name,
    Switch,
    Terrain,
    Zone,
)
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.event_text import agreeing_slots, event_clause, masculine_clause, quality
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.titles import without_agreement

V = TypeVar("V")
_MOST_WORDS = 6
"""Most words of an excerpt."""


def with_genders(
    model: Model, language: str, card: str, make: Callable[[], tuple[V, list[Diagnostic]]]
) -> tuple[V, list[Diagnostic], list[Diagnostic]]:
    """Return the view of a card or sheet, its problems, and one for each title whose missing gender changes it.

    `make` returns the view and its problems; `card` names it in messages.
    """
    genders = LANGUAGES[language].genders
    missing: list[Diagnostic] = []
    if not genders:
        return *make(), missing
    trial = model.gender_trial = GenderTrial()
    try:
        printed, problems = make()
        for other in genders:
            if other != ASSUMED_GENDER:
                for name, text in _changing(trial, [*trial.asked.values()], other, printed, lambda: make()[0]):
                    missing.extend(_missing(model, name, language, card, text))
    finally:
        model.gender_trial = None
    return printed, problems, missing


def _changing(
    trial: GenderTrial, names: Sequence[Name], gender: str, printed: object, make: Callable[[], object]
) -> Iterator[tuple[Name, str]]:
    """Yield the names that change a print if they have another gender, and the words that change. Many names are tried
    at once, and halved if they change something."""
    if not names:
        return
    trial.genders = dict.fromkeys(map(id, names), gender)
    text = _excerpt(printed, make())
    if text and len(names) == 1:
        yield names[0], text
    elif text:
        middle = len(names) // 2
        yield from _changing(trial, names[:middle], gender, printed, make)
        yield from _changing(trial, names[middle:], gender, printed, make)


def logged_genders(model: Model, language: str) -> Iterator[Diagnostic]:
    """Yield a problem for each definition whose missing gender changes lines of the log of a game."""
    spoken = LANGUAGES[language]
    if not spoken.genders:
        return
    lines: dict[str, tuple[str, int]] = {}  # by the id of a kind, a line that agrees with its things, and their slot
    for event in model.events.values():
        clause = event_clause(event, spoken)
        for slot in agreeing_slots(clause):
            lines.setdefault(event.params[slot].type.name, (clause, slot))
    for kind in model.kinds.values():
        for column in kind.fields.values():
            adjective = quality(column.name.title.get(language, ""), spoken)
            if agreeing_slots(adjective):
                lines.setdefault(column.kind, (f"{{0}} ({adjective})", 0))
    for definition in model.definitions.values():
        name = definition.name
        if name.title.get(language) and language not in name.gender:
            line, slot = next((lines[kind.id] for kind in definition.kind.lineage() if kind.id in lines), ("", 0))
            if line:
                clause = masculine_clause(line, slot, without_agreement(name.title[language]))
                yield from _missing(model, name, language, "the log of a game", clause)


def _missing(model: Model, name: Name, language: str, card: str, text: str) -> Iterator[Diagnostic]:
    """Yield the problem of a title without a gender, if the project declares it."""
    place_of_title = next((span for each, span in _named(model) if each is name), None)
    if place_of_title is None or not place_of_title.source.text or model.is_lent(place_of_title):
        return
    if model.proof_of(place_of_title):
        return  # titles that exist only in tests are not printed
    from fcbdsl.language.syntax.formatting import quote

    title = name.title[language]
    line = re.compile(rf"\b{language}:? *(?P<title>{re.escape(quote(title))})").search(
        place_of_title.source.text, place_of_title.start
    )
    genders = LANGUAGES[language].genders
    if line is None:
        lines, span, fix = f"`{'` or `'.join(genders)}` as the translation of its gender", place_of_title, None
    else:
        span = Span(place_of_title.source, line.start(), line.end())
        lines = " or ".join(f"`{line[0]}, {gender}`" for gender in genders)
        fix = Fix(Span(span.source, span.end, span.end), f", {ASSUMED_GENDER}")
    yield MissingGender(span, name=title, language=language, card=card, text=text, lines=lines, fix=fix)


def _named(model: Model) -> Iterator[tuple[Name, Span]]:
    """Yield the titles of declarations with a place of their own, and that place."""
    things: list[Field | Zone | Form | Kind | Mark | Die | Terrain | Switch | Definition] = [*model.zones.values()]
    things += [*model.marks.values(), *model.dice.values(), *model.forms, *model.switches.values()]
    things += [*model.terrains.values(), *model.barriers.values()]
    for kind in model.kinds.values():
        things += [kind, *kind.fields.values(), *kind.zones.values()]
    for definition in model.definitions.values():
        things += [definition, *definition.parts]
    yield from ((thing.name, thing.span) for thing in things)
    for definition in model.definitions.values():
        cells = definition.board.cells if definition.board is not None else ()
        yield from ((cell.name, cell.span) for cell in cells if cell.span is not None)


def _excerpt(printed: object, other: object) -> str:
    """Return the words of a print that differ in another one, with those behind them; empty if there are none."""
    if printed == other:
        return ""
    for one, two in zip_longest(_texts(printed), _texts(other), fillvalue=""):
        if one != two:
            same = next((at for at, (left, right) in enumerate(zip(one, two, strict=False)) if left != right), len(two))
            start = one.rfind(" ", 0, same) + 1
            words = re.split(r"(?<=[.:;!?])\s", one[start:])[0].split()
            return " ".join(words[:_MOST_WORDS])
    return ""


def _texts(printed: object) -> Iterator[str]:
    """Yield the texts in a print, in order."""
    if isinstance(printed, str):
        yield printed
    elif isinstance(printed, Mapping):
        for each in printed.values():
            yield from _texts(each)
    elif isinstance(printed, list | tuple):
        for each in printed:
            yield from _texts(each)
    elif is_dataclass(printed):
        for column in fields(printed):
            yield from _texts(getattr(printed, column.name))
