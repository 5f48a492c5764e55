"""Texts for reading aloud at a table, as printed: the start and goal of a mission, and the text of a card."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fcbdsl.base.typography import typographic, with_capital
from fcbdsl.play.session.strings import play_text

if TYPE_CHECKING:
    from fcbdsl.language.model.content import Definition
    from fcbdsl.language.model.whole import Model
    from fcbdsl.language.prose import Paragraph
    from fcbdsl.print.layout.views import Card, Chip, GaugeView, Sheet, TrackView

WIDTH = 100
"""Most columns of a line."""
LEAST_WIDTH = 20
"""Least columns of a line."""
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
PLURALS = ("s", "x")
"""Last letters of most plurals: without them a name is tried, too."""
LONGEST = 5
"""Most words of a name in the reference: a longer one is an instruction."""
MOST_NAMED = 12
"""Most cards that are listed if a name is ambiguous."""


class CardReader:
    """Returns the printed text of a game's definitions in a language."""

    def __init__(self, model: Model, language: str) -> None:
        self._model = model
        self._language = language
        self._sheets: dict[str, Sheet | None] = {}

    def mission(self, id: str) -> str:
        """Return the text of a mission's sheet; empty if there is no such mission."""
        definition = self._mission(id)
        view = self._sheet(id)
        if definition is None or view is None:
            return ""
        return "\n".join([*_sheet(view, self._language), *self._named_openly(definition)])

    def _mission(self, id: str) -> Definition | None:
        """Return the mission with an id."""
        missions = (item for item in self._model.definitions.values() if item.id == id and self._is_mission(item))
        return next(missions, None)

    def _sheet(self, id: str) -> Sheet | None:
        """Return the sheet of the mission with an id; it is made once."""
        from fcbdsl.print.layout.views import Sheet
        from fcbdsl.print.press.proofs import render_piece

        if id not in self._sheets:
            definition = self._mission(id)
            view = render_piece(definition, self._model, self._language).view if definition is not None else None
            self._sheets[id] = view if isinstance(view, Sheet) else None
        return self._sheets[id]

    def _named_openly(self, mission: Definition) -> Iterator[str]:
        """Yield the texts of the cards that a mission lists, except those that can be face down."""
        from fcbdsl.language.model import ir
        from fcbdsl.print.layout.views import Card
        from fcbdsl.print.press.proofs import render_piece

        hidden = {zone.holds for zone in self._model.zones.values() if zone.secret}
        hidden |= {zone.holds for kind in self._model.kinds.values() for zone in kind.zones.values() if zone.secret}
        for value in mission.values.values():
            items = value.expr.items if isinstance(value.expr, ir.ListOf) else ()
            for item in dict.fromkeys((item.kind, item.id) for item in items if isinstance(item, ir.Def)):
                named = self._model.definitions.get(item)
                lineage = {kind.id for kind in named.kind.lineage()} if named is not None else set()
                if named is None or "card" not in lineage or lineage & hidden:
                    continue
                view = render_piece(named, self._model, self._language).view
                if isinstance(view, Card) and (view.text or view.condition or view.lines):
                    yield ""
                    yield from _card(view, self._language)

    def card(self, name: str, mission: str = "", places: Mapping[str, str] | None = None) -> list[str]:
        """Return the text of the card or word with a title or an id, or with a part of it.

        The list has one text; the names if there are several; nothing if there is none. A whole name wins against
        parts of other names, and a plural stands for its singular.

        `mission`: the id of the mission that is played, which has tracks and rules of its own. `places`: the titles of
        marks and regions of its map, with their spaces.
        """
        wanted = _plain(name)
        singular = wanted[:-1] if wanted[-1:] in PLURALS else wanted
        for typed, parts in dict.fromkeys([(wanted, False), (singular, False), (wanted, True)]):
            if texts := self._about(typed, mission, places or {}, parts):
                return texts
        return []

    def _about(self, wanted: str, mission: str, places: Mapping[str, str], parts: bool) -> list[str]:
        """Return what `card` returns for a name as somebody types it: only for whole names, or for `parts`, too."""
        from fcbdsl.print.pieces.printables import printable

        names = {
            definition: {_plain(definition.id), _plain(self._title(definition))}
            for definition in printable(self._model)
            if not self._is_mission(definition)
        }
        words = self._words()
        cards = [card for card in names if wanted in names[card]]
        entries = [word for word in words if wanted in words[word]]
        sheet = self._sheet(mission) if mission else None
        of_sheet: Sequence[TrackView | GaugeView] = (*sheet.tracks, *sheet.gauges) if sheet is not None else ()
        tracks = {track.title: track for track in of_sheet}
        scales = [title for title in tracks if _plain(title) == wanted]
        spots = [title for title in places if _plain(title) == wanted]
        if parts and not (cards or entries or scales or spots):
            scales = [title for title in tracks if wanted in _plain(title)]
            spots = [title for title in places if wanted in _plain(title)]
            cards = [card for card in names if any(wanted in title for title in names[card])]
        if parts and not (cards or entries or scales or spots):
            entries = [word for word in words if any(wanted in title for title in words[word])]
        entries = [word for word in entries if word[1]] or entries
        titles = [
            *map(self._title, cards),
            *(with_capital(title) for title in (*(title for title, _ in entries), *scales, *spots)),
        ]
        titles = list({_plain(title): title for title in reversed(titles)}.values())[::-1]
        if len(titles) != 1:
            return titles[:MOST_NAMED]
        texts = [self._card_text(card) for card in cards]
        if entries or spots:
            of_map = [play_text(self._language, "does", with_capital(title), places[title]) for title in spots]
            open_ = bool(spots) or not any(meaning for _, meaning in entries)  # the mission may say more
            named = _naming(sheet, titles[0], self._language) if sheet is not None and open_ and not scales else ()
            more = [*(line for text in of_map for line in _wrapped(text)), *named]
            texts.append(self._word_text(entries or [(titles[0], "")], more))
        texts += ["\n".join(_track(tracks[title], self._language)) for title in scales]
        return ["\n".join(dict.fromkeys(texts))]

    def _card_text(self, definition: Definition) -> str:
        from fcbdsl.print.layout.views import Card
        from fcbdsl.print.press.proofs import render_piece

        view = render_piece(definition, self._model, self._language).view
        lines = [*_card(view, self._language)] if isinstance(view, Card) else [self._title(definition)]
        own: dict[str, list[str]] = {}
        for card in self._model.definitions.values():
            if card.target is definition and card.name.title and not self._is_mission(card):
                sort = card.kind.name.title.get(self._language, "")
                own.setdefault(with_capital(sort), []).append(self._title(card))
        for sort, titles in own.items():
            text = self._listed(titles)
            lines += _wrapped(play_text(self._language, "does", sort, text) if sort else text)
        return "\n".join(lines)

    def _word_text(self, entries: Sequence[tuple[str, str]], more: Sequence[str]) -> str:
        """Return the title of a word with its meanings, each once, and `more` lines."""
        meanings = [typographic(self._language, meaning) for _, meaning in entries if meaning]
        texts = {_plain(meaning): with_capital(meaning) for meaning in meanings}.values()
        lines = [*(line for text in texts for line in _wrapped(text)), *more]
        lines = lines or _wrapped(play_text(self._language, "unexplained"))
        return "\n".join([f"── {with_capital(entries[0][0])}", *lines])

    def text(self, id: str, margin: int = 0) -> str:
        """Return the rules text of a card by its id, without title and figures; empty if it has none.

        `margin`: columns before its lines."""
        from fcbdsl.print.layout.views import Card
        from fcbdsl.print.pieces.printables import printable
        from fcbdsl.print.press.proofs import render_piece

        definition = next(
            (
                definition
                for definition in printable(self._model)
                if definition.id == id and not self._is_mission(definition)
            ),
            None,
        )
        view = render_piece(definition, self._model, self._language).view if definition is not None else None
        if not isinstance(view, Card):
            return ""
        condition = _condition(view.condition, self._language, margin)
        return "\n".join([*condition, *_text(view.text, self._language, margin)])

    def title(self, id: str) -> str:
        """Return the title of a definition by its id; the id if there is none."""
        return next(
            (self._title(definition) for definition in self._model.definitions.values() if definition.id == id), id
        )

    def _words(self) -> dict[tuple[str, str], set[str]]:
        """Return the titles of all words with their meanings, and the names of each, as somebody types them."""
        from fcbdsl.tools.docs.word_reference import vocabulary_entries

        names_of_entries: dict[tuple[str, str], set[str]] = {}
        printed = self._printed()
        for word in vocabulary_entries(self._model):
            title = word.titles.get(self._language) or word.titles.get("en", "")
            if not title or word.sort not in READ:
                continue
            meaning = word.meaning.get(self._language) or (word.doc if self._language == "en" else "")
            if "{" in meaning:  # the name of an argument, which the reference fills in
                meaning = self._reminder(word.id) or meaning
            meaning = meaning or printed.get(_plain(title), "") or self._own_action(word.id)
            if word.sort == "kind" and not meaning:
                meaning = self._members(word.id)
            names_of_entries.setdefault((title, meaning), set()).update((_plain(title), _plain(word.id)))
        for title, meaning in self._zones():
            names_of_entries.setdefault((title, meaning), set()).add(_plain(title))
        explained = {name for (_, meaning), names in names_of_entries.items() if meaning for name in names}
        for name, meaning in printed.items():
            if name not in explained:
                names_of_entries.setdefault((with_capital(name), meaning), {name})
        return names_of_entries

    def _members(self, kind: str) -> str:
        """Return the titles of the cards and pieces of a kind; empty if there are none."""
        titles = [
            self._title(definition)
            for definition in self._model.definitions.values()
            if any(above.id == kind for above in definition.kind.lineage()) and definition.name.title
        ]
        return self._listed(titles)

    def _listed(self, titles: Sequence[str]) -> str:
        """Return titles, each once, with the number of those that are left out of a long list."""
        titles = list(dict.fromkeys(titles))
        named, more = ", ".join(titles[:MOST_NAMED]), len(titles) - MOST_NAMED
        return play_text(self._language, "and-more", named, str(more)) if more > 0 else named

    def _printed(self) -> dict[str, str]:
        """Return what the printed reference says of a word, by its title, and the titles below each heading."""
        from fcbdsl.print.pieces.aids import reference_of

        meanings: dict[str, str] = {}
        aid, _ = reference_of(self._model, self._language)
        for block in aid.blocks:
            for entry in block.entries:
                text = " ".join(paragraph.plain() for paragraph in entry.text)
                head, _, rest = text.partition(". ")
                title, meaning = (entry.title, text) if entry.title else (head, rest)
                if title and meaning and len(title.split()) <= LONGEST:
                    meanings.setdefault(_plain(title), meaning)
            titles = [entry.title for entry in block.entries if entry.title]
            if titles:
                meanings.setdefault(_plain(block.title), ", ".join(titles))
        return meanings

    def _zones(self) -> Iterator[tuple[str, str]]:
        """Yield the titles of the zones for cards and pieces, each with what it holds and who sees that."""
        for owner in (None, *self._model.kinds.values()):
            for zone in (owner.zones if owner is not None else self._model.zones).values():
                title, held = zone.name.title.get(self._language, ""), self._model.kinds.get(zone.holds)
                if not title or held is None:
                    continue
                holds = held.name.plural.get(self._language) or held.name.title.get(self._language)
                seen = (
                    "holds-openly"
                    if not zone.secret
                    else "holds-hidden"
                    if owner is None or zone.unseen
                    else "holds-own"
                )
                yield title, play_text(self._language, seen, holds or play_text(self._language, "cards"))

    def _reminder(self, id: str) -> str:
        """Return the reminder of the form with an id, with words for its arguments; empty if there is none."""
        from fcbdsl.language.prose import reminder

        forms = [form for form in self._model.forms if form.id == id and form.name.reminder.get(self._language)]
        texts = (reminder(form, self._model, self._language).paragraphs for form in forms)
        return next((" ".join(paragraph.plain() for paragraph in text) for text in texts), "")

    def _own_action(self, id: str) -> str:
        """Return the rules text of an action without a reminder; empty if there is no such action."""
        from fcbdsl.language.prose import rules_text

        action = self._model.actions.get(id)
        if action is None or action.body is None:
            return ""
        paragraphs = rules_text(action, self._model, self._language).paragraphs
        title = action.name.title.get(self._language, "")
        return " ".join(paragraph.plain() for paragraph in paragraphs).removeprefix(f"{title}. ")

    def _title(self, definition: Definition) -> str:
        return definition.name.title.get(self._language) or definition.name.title.get("en") or definition.id

    def _is_mission(self, definition: Definition) -> bool:
        from fcbdsl.print.pieces.printables import is_sheet

        return is_sheet(definition)


def _plain(text: str) -> str:
    """Return a name as somebody types it."""
    return re.sub(r"[\W_]+", " ", text.replace("’", "'")).strip().lower()


def _card(card: Card, language: str) -> Iterator[str]:
    yield f"── {card.title} ── {card.type_line}".rstrip(" ─")
    facts = [*card.badges, *map(_chip, [*([card.corner] if card.corner else []), *card.stats, *card.notes])]
    facts += [f"{dial.label} {dial.steps[dial.start]}".strip() for dial in card.dials]
    if facts:
        yield from _wrapped(" · ".join(filter(None, facts)))
    yield from _condition(card.condition, language)
    for line in card.lines:
        yield from _wrapped(" · ".join(map(_chip, line.chips)))
        yield from _text(line.text, language)
    yield from _text(card.text, language)
    yield from _text(card.small, language)


def _condition(paragraphs: Sequence[Paragraph], language: str, margin: int = 0) -> Iterator[str]:
    """Yield the condition under which a card has an effect, or which it asks for."""
    text = " ".join(paragraph.plain() for paragraph in paragraphs)
    yield from _wrapped(play_text(language, "condition", text), margin=margin) if text else ()


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


def _naming(sheet: Sheet, title: str, language: str) -> Iterator[str]:
    """Yield the paragraphs of a mission's sheet that contain a name."""
    whole = re.compile(rf"(?<!\w){re.escape(title)}s?(?!\w)", re.IGNORECASE)
    for section in sheet.sections:
        for paragraph in section.text:
            if whole.search(paragraph.plain()):
                yield from _text([paragraph], language)


def _track(track: TrackView | GaugeView, language: str) -> Iterator[str]:
    yield f"{track.title.upper()}  {' '.join(step.label for step in track.steps)}"
    yield from _text(track.text, language)
    for tier in getattr(track, "tiers", ()):
        yield from _wrapped(
            play_text(
                language, "does", f"{tier.at} {tier.title}", " ".join(paragraph.plain() for paragraph in tier.text)
            )
        )


def _chip(chip: Chip) -> str:
    return f"{chip.label} {chip.value}".strip()


def _text(paragraphs: Iterable[Paragraph], language: str, margin: int = 0) -> Iterator[str]:
    for paragraph in paragraphs:
        text = paragraph.plain()
        if paragraph.label and " | " in text:
            text = play_text(language, "does", *text.split(" | ", 1))
        yield from _wrapped(("• " if paragraph.level else "") + text, "  " * max(paragraph.level, 1), margin)


def _wrapped(text: str, indent: str = "  ", margin: int = 0) -> list[str]:
    """Return a text in lines that fit into the terminal, or else into `WIDTH`, behind a margin."""
    columns = min(WIDTH, shutil.get_terminal_size().columns - margin) if sys.stdout.isatty() else WIDTH
    columns = max(columns, LEAST_WIDTH)
    return textwrap.wrap(text, columns, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
