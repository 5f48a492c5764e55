"""Texts for reading aloud at a table, as printed: the start and goal of a mission, and the text of a card."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fcbdsl.play.session.strings import say

if TYPE_CHECKING:
    from fcbdsl.language.model.content import Definition
    from fcbdsl.language.model.whole import Model
    from fcbdsl.language.prose import Paragraph
    from fcbdsl.print.layout.views import Card, Chip, GaugeView, Sheet, TrackView

WIDTH = 100
"""Columns of a line."""
READ = (
    "keyword",
    "status",
    "token",
    "action",
    "field",
    "terrain",
    "barrier",
    "mark",
    "verb",
    "kind",
    "enum",
    "variant",
)
"""Sorts of words that a player may ask about."""
MOST_NAMED = 12
"""Most cards that are listed if a name is ambiguous."""


class CardReader:
    """Returns the printed text of a game's definitions in a language."""

    def __init__(self, model: Model, language: str) -> None:
        self._model = model
        self._language = language

    def mission(self, id: str) -> str:
        """Return the text of a mission's sheet; empty if there is no such mission."""
        from fcbdsl.print.layout.views import Sheet
        from fcbdsl.print.press.proofs import proof_of

        one = next((one for one in self._model.definitions.values() if one.id == id and self._is_mission(one)), None)
        view = proof_of(one, self._model, self._language).view if one is not None else None
        return "\n".join(_sheet(view, self._language)) if isinstance(view, Sheet) else ""

    def card(self, said: str) -> list[str]:
        """Return the text of the card or word with a title or an id, or with a part of it.

        The list has one text; the names if there are several; nothing if there is none.
        """
        from fcbdsl.print.layout.views import Card
        from fcbdsl.print.pieces.printables import printable
        from fcbdsl.print.press.proofs import proof_of

        wanted = _plain(said)
        cards = [one for one in printable(self._model) if not self._is_mission(one)]
        names = {one.id: [_plain(name) for name in (one.id, self._title(one))] for one in cards}
        found = [one for one in cards if wanted in names[one.id]]
        found = found or [one for one in cards if any(wanted in name for name in names[one.id])]
        if not found:
            return self._word(wanted)
        if len(found) != 1:
            return [self._title(one) for one in found][:MOST_NAMED]
        view = proof_of(found[0], self._model, self._language).view
        assert isinstance(view, Card)
        return ["\n".join(_card(view, self._language))]

    def text(self, id: str) -> str:
        """Return the rules text of a card by its id, without title and figures; empty if it has none."""
        from fcbdsl.print.layout.views import Card
        from fcbdsl.print.pieces.printables import printable
        from fcbdsl.print.press.proofs import proof_of

        one = next((one for one in printable(self._model) if one.id == id and not self._is_mission(one)), None)
        view = proof_of(one, self._model, self._language).view if one is not None else None
        if not isinstance(view, Card):
            return ""
        return "\n".join([*_text(view.condition, self._language), *_text(view.text, self._language)])

    def _word(self, wanted: str) -> list[str]:
        """Return the meaning of a keyword, status, action, field or another word of the game; only names if there are
        several."""
        from fcbdsl.tools.docs.words import words_of

        known: dict[tuple[str, str], set[str]] = {}
        for word in words_of(self._model):
            title = word.titles.get(self._language) or word.titles.get("en", "")
            meaning = word.meaning.get(self._language) or word.meaning.get("en") or word.doc
            if title and word.sort in READ:
                known.setdefault((title, meaning), {_plain(title), _plain(word.id)})
        found = [one for one, names in known.items() if wanted in names]
        found = found or [one for one, names in known.items() if any(wanted in name for name in names)]
        found = [one for one in found if one[1]] or found
        titles = list(dict.fromkeys(title for title, _ in found))
        if len(titles) > 1:
            return titles[:MOST_NAMED]
        texts = [meaning for _, meaning in found if meaning]
        return ["\n".join([f"── {titles[0]}", *(line for text in texts for line in _wrapped(text))])] if titles else []

    def _title(self, one: Definition) -> str:
        return one.name.title.get(self._language) or one.name.title.get("en") or one.id

    def _is_mission(self, one: Definition) -> bool:
        from fcbdsl.print.pieces.printables import is_mission

        return is_mission(one)


def _plain(text: str) -> str:
    """Return a name as somebody types it."""
    return re.sub(r"[\W_]+", " ", text.replace("’", "'")).strip().lower()


def _card(card: Card, language: str) -> Iterator[str]:
    yield f"── {card.title} ── {card.type_line}".rstrip(" ─")
    facts = [*card.badges, *map(_chip, [*([card.corner] if card.corner else []), *card.stats, *card.notes])]
    facts += [f"{dial.label} {dial.steps[dial.start]}".strip() for dial in card.dials]
    if facts:
        yield from _wrapped(" · ".join(filter(None, facts)))
    yield from _text(card.condition, language)
    for line in card.lines:
        yield from _wrapped(" · ".join(map(_chip, line.chips)))
        yield from _text(line.text, language)
    yield from _text(card.text, language)
    yield from _text(card.small, language)


def _sheet(sheet: Sheet, language: str) -> Iterator[str]:
    yield f"══ {sheet.title} ══ {sheet.type_line}".rstrip(" ═")
    yield " · ".join(map(_chip, [*sheet.chips, *([sheet.grade] if sheet.grade else [])]))
    for section in sheet.sections:
        yield ""
        yield section.title.upper()
        yield from _text(section.text, language)
    tracks: list[TrackView | GaugeView] = [*sheet.tracks, *sheet.gauges]
    for track in tracks:
        yield ""
        yield from _track(track, language)
    if sheet.map is not None and sheet.map.legend:
        yield ""
        yield sheet.words["map"].upper()
        legend = (words + (f" ×{count}" if count > 1 else "") for _, words, count in sheet.map.legend)
        yield from _wrapped(" · ".join(legend))


def _track(track: TrackView | GaugeView, language: str) -> Iterator[str]:
    yield f"{track.title.upper()}  {' '.join(step.label for step in track.steps)}"
    yield from _text(track.text, language)
    for tier in getattr(track, "tiers", ()):
        yield from _wrapped(
            say(language, "does", f"{tier.at} {tier.title}", " ".join(one.plain() for one in tier.text))
        )


def _chip(chip: Chip) -> str:
    return f"{chip.label} {chip.value}".strip()


def _text(paragraphs: Iterable[Paragraph], language: str) -> Iterator[str]:
    for one in paragraphs:
        said = one.plain()
        if one.label and " | " in said:
            said = say(language, "does", *said.split(" | ", 1))
        yield from _wrapped(("• " if one.level else "") + said, "  " * max(one.level, 1))


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
