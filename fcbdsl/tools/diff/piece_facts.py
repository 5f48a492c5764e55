"""The facts on a card or a sheet, so that two versions of it can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Literal

from fcbdsl.base.records import dataclass
from fcbdsl.language.prose import Paragraph, RulesText
from fcbdsl.print.layout.views import CampaignSheet, Card, Chip, Sheet, StepView, StorySheet
from fcbdsl.print.pieces.stamps import without_marks

Sort = Literal["title", "number", "text", "track", "map", "look", "told"]
"""The sort of a fact: a name; a datum; rules or other words; a countdown or gauge; the board; the appearance; a text
shown during play."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A printed statement. `group`: its place, in no language; `label`: its name there."""

    sort: Sort
    group: str
    label: str
    text: str


def facts_of(view: Card | Sheet) -> list[Fact]:
    """Return all facts of a card or a sheet, in printed order."""
    return list(_card(view) if isinstance(view, Card) else _sheet(view))


def story_facts(sheet: StorySheet) -> list[Fact]:
    """Return the texts that are read aloud before and after a mission."""
    facts = [*_text("read before", "read aloud before", sheet.before)]
    for section in sheet.after:
        facts += _text("read after", f"read aloud after: {section.title}", section.text)
    return facts


def campaign_facts(sheet: CampaignSheet) -> list[Fact]:
    """Return the facts of the map and the log of a campaign."""
    facts = list(_text("story", "its story", sheet.story))
    for site in sheet.sites:
        parts = [site.title, site.grade, *(f"{chip.label} {chip.value}".strip() for chip in site.chips)]
        facts.append(Fact("number", "site", f"place {site.number} of its map", ", ".join(filter(None, parts)) or "?"))
    for block in sheet.blocks:
        facts.append(Fact("text", "log", f"in the log: {block.title}", ", ".join(line.title for line in block.lines)))
    return facts


def _card(card: Card) -> Iterator[Fact]:
    yield Fact("title", "title", "title", card.title)
    yield Fact("title", "type", "type line", card.type_line)
    yield from (Fact("number", "badge", badge, badge) for badge in card.badges)
    yield from _chips("corner", [card.corner] if card.corner is not None else [])
    yield from _chips("stats", card.stats)
    for dial in card.dials:
        yield Fact("number", "dial", dial.label, f"{dial.steps[dial.start]} ({' '.join(dial.steps)})")
    yield from _text("condition", "condition", card.condition)
    for number, line in enumerate(card.lines, 1):
        yield from _chips(f"line {number}", line.chips)
        yield from _text(f"line {number} text", f"text of line {number}", line.text)
    yield from _text("text", "rules text", card.text)
    yield from _chips("notes", card.notes)
    yield from _chips("areas", card.areas)
    yield from _text("small", "small print", card.small)
    yield from ([Fact("text", "flavor", "flavor", card.flavour)] if card.flavour else [])
    yield from ([Fact("text", "tucked", "tucked", card.tucked)] if card.tucked else [])
    yield from (Fact("text", f"around {side}", f"at its {side} side", words) for side, words in card.around)


def _sheet(sheet: Sheet) -> Iterator[Fact]:
    yield Fact("title", "title", "title", sheet.title)
    yield Fact("title", "type", "type line", sheet.type_line)
    yield from _chips("grade", [sheet.grade] if sheet.grade is not None else [])
    yield from _chips("chips", sheet.chips)
    for section in sheet.sections:
        yield from _text("section", section.title, section.text)
    for track in sheet.tracks:
        yield Fact("track", "track", track.title, _steps(track.steps))
        yield from _text("track text", f"text of {track.title}", track.text)
    for gauge in sheet.gauges:
        yield Fact("track", "gauge", gauge.title, _steps(gauge.steps))
        yield from _text("gauge text", f"text of {gauge.title}", gauge.text)
        for tier in gauge.tiers:
            yield Fact("track", "tier", f"{gauge.title}, tier {tier.title}", tier.at + (" 🔒" if tier.locked else ""))
            yield from _text("tier text", f"text of tier {tier.title}", tier.text)
    for word, text in sheet.keywords:
        yield from _text("keyword", f"keyword {word}", text)


def _chips(group: str, chips: Iterable[Chip]) -> Iterator[Fact]:
    for chip in chips:
        yield Fact("number", group, chip.label, chip.value or chip.label)


def _text(group: str, label: str, paragraphs: tuple[Paragraph, ...]) -> Iterator[Fact]:
    if paragraphs:
        yield Fact("text", group, label, RulesText(paragraphs).plain())


def _steps(steps: Sequence[StepView]) -> str:
    """Return the spaces of a track as text, with a mark on those with an effect."""
    return " ".join(f"[{step.label}]" if step.marked else step.label for step in steps)


_SAID = {
    Card: ("title", "type_line", "badges", "corner", "stats", "dials", "condition", "lines", "text", "notes", "areas",
           "small", "flavour", "tucked", "around"),
    Sheet: ("title", "type_line", "grade", "chips", "sections", "tracks", "gauges", "keywords"),
}  # fmt: skip
"""The fields of views whose words are facts."""


def looks_changed(before: Card | Sheet, after: Card | Sheet) -> list[str]:
    """Return the names of a view's other changed fields: colors, pictures, backs, the map."""
    old, new = without_marks(before), without_marks(after)
    if type(old) is not type(new):
        return ["all of it: a card is a sheet now, or the reverse"]
    if isinstance(old, Card) and isinstance(new, Card):
        old = replace(old, back=replace(old.back, title="", words=()))
        new = replace(new, back=replace(new.back, title="", words=()))
    compared = _SAID[type(old)]
    return [
        field.name
        for field in fields(old)
        if field.name not in compared and getattr(old, field.name) != getattr(new, field.name)
    ]
