"""What ships is printed without a problem, and reads as it was last approved (`--update` approves anew)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

import pytest
from pypdf import PdfReader

from fcbdsl.model.content import Definition
from fcbdsl.model.whole import Model
from fcbdsl.project import check_project
from fcbdsl.prose import LANGUAGES as READ_IN
from fcbdsl.prose import describe
from fcbdsl.render import printable, render
from fcbdsl.render.cards import card_of
from fcbdsl.render.imposition import impose
from fcbdsl.render.sheets import sheet_of
from fcbdsl.render.views import Sheet
from fcbdsl.render.web import page

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "print"
LANGUAGES = ["en", "fr"]


@cache
def model() -> Model:
    """The shipped systems and content."""
    made, problems = check_project([ROOT / "cards", ROOT / "missions"])
    assert not [problem for problem in problems if problem.severity == "error"]
    return made


def compare(path: Path, said: str, update: bool) -> None:
    """Hold a text against its file."""
    if update:
        path.write_text(said, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == said


def told(definition: Definition, language: str) -> str:
    """The rules text of a card and its parts, under its name."""
    texts = [describe(thing, model(), language, bearer=definition.target) for thing in (*definition.parts, definition)]
    lines = [line for text in texts for line in text.marked().splitlines()]
    return "\n".join([f"# {definition.kind.id}/{definition.id}", *lines, ""])


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_text_of_everything_that_is_printed(language: str, update: bool) -> None:
    said = "\n".join(told(definition, language) for definition in printable(model()))
    compare(CASES / f"rules.{language}.txt", said, update)


def lines_of(sheet: Sheet) -> list[str]:
    """All words of a sheet, from the top to the bottom."""
    made = [f"# {sheet.key}: {sheet.title}"]
    for section in sheet.sections:
        made += [f"== {section.title}", *(told.plain() for told in section.text)]
    if sheet.map is not None:
        made += [f"== {sheet.words['map']}", ", ".join(f"{words} ×{count}" for _, words, count in sheet.map.legend)]
        made.append(", ".join(f"{title} ({sheet.words[style]})" for style, title in sheet.map.lines))
    for track in (*sheet.tracks, *sheet.gauges):
        made += [f"== {track.title}", *(told.plain() for told in track.text)]
    for tier in (tier for gauge in sheet.gauges for tier in gauge.tiers):
        lock = f" ({sheet.words['locked']})" if tier.locked else ""
        made.append(" ".join([f"{tier.at}. {tier.title}{lock}:", *(told.plain() for told in tier.text)]))
    return [*made, ", ".join(["==", *(word for word, _ in sheet.keywords)]), ""]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_every_sheet(language: str, update: bool) -> None:
    missions = [definition for definition in printable(model()) if definition.kind.id == "mission"]
    sheets = [sheet_of(mission, model(), language)[0] for mission in missions]
    compare(CASES / f"sheets.{language}.txt", "\n".join(line for sheet in sheets for line in lines_of(sheet)), update)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_symbol_of_a_map_is_in_its_legend_and_the_reverse(language: str) -> None:
    for mission in printable(model()):
        if mission.board is not None and mission.kind.id == "mission":
            drawn = sheet_of(mission, model(), language)[0].map
            assert drawn is not None
            on_map = [symbol for cell in drawn.cells for symbol in cell.symbols]
            assert {symbol: on_map.count(symbol) for symbol in on_map} == {
                symbol: count for symbol, _, count in drawn.legend
            }, mission.id
            assert len({(symbol.drawing, symbol.letter) for symbol, _, _ in drawn.legend}) == len(drawn.legend), (
                f"two legend entries of {mission.id} look alike"
            )
            styles = {cell.style for cell in drawn.cells} - {"plain"}
            told = {style for style, _ in drawn.lines} | ({"hatched"} if "bold" in dict(drawn.lines) else set())
            shown = {cell.style for cell in drawn.cells if cell.symbols}
            assert styles <= told | shown, mission.id


def strings(view: object) -> Iterator[str]:
    """Every string that a view holds."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, tuple):
        for part in view:
            yield from strings(part)
    elif is_dataclass(view):
        yield from strings(tuple(getattr(view, field.name) for field in fields(view)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_ends_between_a_number_and_its_noun(language: str) -> None:
    loose: list[str] = []
    for definition in printable(model()):
        make = sheet_of if definition.kind.id == "mission" else card_of
        loose += [said for said in strings(make(definition, model(), language)[0]) if _bound(said, language) != said]
    assert loose == []


def _bound(said: str, language: str) -> str:
    return READ_IN[language].bound(said)


def test_a_card_in_html(update: bool) -> None:
    definition = next(d for d in printable(model()) if d.parts)
    card, _ = card_of(definition, model(), "en")
    compare(
        CASES / "card.html", page("cards.html.j2", {"title": "One card", "language": "en", "cards": [card]}), update
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_printed_without_a_problem(language: str, tmp_path: Path) -> None:
    made = render(model(), (), language, "letter", "pdf", tmp_path)
    assert made.problems == ()
    missions = [d for d in printable(model()) if d.kind.id == "mission"]
    assert len(made.files) == 1 + len(missions)
    assert [len(PdfReader(path).pages) for path in made.files[1:]] == [1] * len(missions)


def test_the_missions_are_printed_as_pages_of_html(tmp_path: Path) -> None:
    mission = next(d for d in printable(model()) if d.board is not None)
    made = render(model(), (mission.id,), "fr", "a4", "html", tmp_path)
    html = made.files[0].read_text(encoding="utf-8")
    assert html.count("<polygon") == len(mission.board.cells if mission.board else ())
    assert 'lang="fr"' in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_card_is_empty(language: str) -> None:
    for definition in printable(model()):
        if definition.kind.id != "mission":
            card, _ = card_of(definition, model(), language)
            assert card.stats or card.dials or card.lines or card.text or card.notes, card.key


def test_every_card_has_the_back_of_its_kind() -> None:
    cards = [card_of(d, model(), "en")[0] for d in printable(model()) if d.kind.id != "mission"]
    assert all(card.back.title for card in cards)
    for sheet in impose(cards, "a4").pages:
        assert len({(slot.x, slot.y) for slot in sheet.slots}) == len(sheet.slots)


class Balance(HTMLParser):
    """Checks that every element that is opened is closed in its turn."""

    VOID: ClassVar[set[str]] = {"meta", "link", "br", "img"}

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def test_html_is_well_formed(tmp_path: Path) -> None:
    made = render(model(), (), "en", "a4", "html", tmp_path)
    pages = [path for path in made.files if path.suffix == ".html"]
    assert len(pages) > 1
    for path in pages:
        checked = Balance()
        checked.feed(path.read_text(encoding="utf-8"))
        assert (checked.open, checked.wrong) == ([], []), path.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_backs_and_cards_carry_what_play_needs(language: str) -> None:
    cards = {
        one.id: card_of(one, model(), language)[0] for one in printable(model()) if one.kind.id in {"tile", "loot"}
    }
    assert cards["moored-boat"].back.number == "3"
    backs = {cards[word].back.words for word in ("firebrand", "field-dressing", "jumping-mines")}
    assert len(backs) == 3  # offense, support, crafted, each in a word
    recipe = {"en": "Pocket rocket, Tin mine", "fr": "Fusée de poche, Mine de fortune"}[language]
    assert recipe in [note.value for note in cards["jumping-mines"].notes]
    crafted = [one for one in printable(model()) if "recipe" in one.values]
    assert len(crafted) >= 8
    assert all(cards[one.id].notes for one in crafted)
