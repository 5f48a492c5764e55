"""Everything that ships is printed without a problem, and equals the approved text (`--update` approves it again)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

import pytest
from games import EACH_IN_ITS_LANGUAGES, GAMES, PROJECTS, ROOT, SMALLEST_FIRST, first_few, model, shared_cache
from pypdf import PdfReader
from views import card_in, sheet_in

from fcbdsl.base import locales
from fcbdsl.language.model.content import Definition
from fcbdsl.language.prose import LANGUAGES as READ_IN
from fcbdsl.language.prose import rules_text
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.layout.views import Card, MapView, Sheet, Symbol
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render

CASES = ROOT / "tests" / "cases" / "print"
in_each_language = pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
TRANSLATED = ("escape", "de")
"""A game in a language that has only gettext translations."""
in_each_language_and_one_more = pytest.mark.parametrize(("game", "language"), [*EACH_IN_ITS_LANGUAGES, TRANSLATED])


def compare(path: Path, text: str, update: bool) -> None:
    """Compare a text with its file."""
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def told(game: str, definition: Definition, language: str) -> str:
    """Return the rules text of a card and its parts, under its name."""
    texts = [
        rules_text(thing, model(game), language, bearer=definition.target) for thing in (*definition.parts, definition)
    ]
    lines = [line for text in texts for line in text.marked().splitlines()]
    return "\n".join([f"# {definition.kind.id}/{definition.id}", *lines, ""])


@in_each_language_and_one_more
def test_rules_text_of_shipped_content_is_approved(game: str, language: str, update: bool) -> None:
    text = "\n".join(told(game, definition, language) for definition in printable(model(game)))
    compare(CASES / game / f"rules.{language}.txt", text, update)


def face_of(card: Card) -> list[str]:
    """Return all words of a card except its rules text and the small print."""
    chips = [card.corner] if card.corner is not None else []
    chips += [*card.stats, *(chip for line in card.lines for chip in line.chips), *card.notes, *card.areas]
    data = [f"{chip.label}: {chip.value}" if chip.label else chip.value for chip in chips]
    back = " · ".join([card.back.title, *card.back.words])
    lines = [f"# {card.title}", " | ".join([card.type_line, *card.badges]), *(line.plain() for line in card.condition)]
    lines += [", ".join([*data, *(dial.label for dial in card.dials)]), card.flavour, f"({back})"]
    return [line for line in lines if line]


@in_each_language_and_one_more
def test_face_text_of_shipped_content_is_approved(game: str, language: str, update: bool) -> None:
    things = [definition for definition in printable(model(game)) if definition.kind.id != "mission"]
    cards = [card_in(game, definition, language) for definition in things]
    small = sorted({line.plain() for card in cards for line in card.small}, key=str.casefold)
    text = "\n".join(["\n".join([*face_of(card), ""]) for card in cards] + ["== small print", *small, ""])
    compare(CASES / game / f"faces.{language}.txt", text, update)


def lines_of(sheet: Sheet) -> list[str]:
    """Return all words of a sheet, from the top to the bottom."""
    made = [f"# {sheet.key}: {sheet.title}"]
    for section in sheet.sections:
        made += [f"== {section.title}", *(paragraph.plain() for paragraph in section.text)]
    if sheet.map is not None:
        made += [f"== {sheet.words['map']}", ", ".join(f"{words} ×{count}" for _, words, count in sheet.map.legend)]
        made.append(", ".join(f"{title} ({sheet.words[style]})" for style, title in sheet.map.lines))
    for track in (*sheet.tracks, *sheet.gauges):
        made += [f"== {track.title}", *(paragraph.plain() for paragraph in track.text)]
    for tier in (tier for gauge in sheet.gauges for tier in gauge.tiers):
        lock = f" ({sheet.words['locked']})" if tier.locked else ""
        made.append(" ".join([f"{tier.at}. {tier.title}{lock}:", *(paragraph.plain() for paragraph in tier.text)]))
    return [*made, ", ".join(["==", *(word for word, _ in sheet.keywords)]), ""]


@in_each_language_and_one_more
def test_sheet_text_of_shipped_content_is_approved(game: str, language: str, update: bool) -> None:
    missions = [definition for definition in printable(model(game)) if definition.kind.id == "mission"]
    sheets = [sheet_in(game, mission, language) for mission in missions]
    compare(
        CASES / game / f"sheets.{language}.txt", "\n".join(line for sheet in sheets for line in lines_of(sheet)), update
    )


@in_each_language
def test_map_symbols_and_legend_match(game: str, language: str) -> None:
    for mission in printable(model(game)):
        if mission.board is not None and mission.kind.id == "mission":
            drawn = sheet_in(game, mission, language).map
            assert drawn is not None
            on_map = [symbol for cell in drawn.cells for symbol in cell.symbols]
            assert {symbol: on_map.count(symbol) for symbol in on_map} == legend_of(drawn), mission.id
            assert len({(symbol.drawing, symbol.letter) for symbol, _, _ in drawn.legend}) == len(drawn.legend), (
                f"two legend entries of {mission.id} look alike"
            )
            assert {cell.ground for cell in drawn.cells if cell.ground is not None} <= set(drawn.grounds), mission.id
            styles = {cell.style for cell in drawn.cells if cell.ground is None} - {"plain"}
            explained = {style for style, _ in drawn.lines} | ({"hatched"} if "bold" in dict(drawn.lines) else set())
            shown = {cell.style for cell in drawn.cells if cell.symbols}
            assert styles <= explained | shown, mission.id


def legend_of(drawn: MapView) -> dict[Symbol, int]:
    """Return the entries of a legend with their counts on the map; a row of many numbers gives each of them."""
    counts: dict[Symbol, int] = {}
    for symbol, words, count in drawn.legend:
        row = re.fullmatch(r"(.*\D)(\d+)–(\d+)", words)
        for number in range(int(row[2]), int(row[3]) + 1) if row is not None else ():
            counts[replace(symbol, letter=str(number), alt=f"{row[1] if row is not None else ''}{number}")] = 1
        if row is None:
            counts[symbol] = count
    return counts


def strings(view: object) -> Iterator[str]:
    """Return every string of a view."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, tuple):
        for part in view:
            yield from strings(part)
    elif is_dataclass(view):
        yield from strings(tuple(getattr(view, field.name) for field in fields(view)))


@in_each_language
def test_no_line_breaks_between_number_and_noun(game: str, language: str) -> None:
    loose: list[str] = []
    for definition in printable(model(game)):
        make = sheet_in if definition.kind.id == "mission" else card_in
        loose += [text for text in strings(make(game, definition, language)) if _bound(text, language) != text]
    assert loose == []


def _bound(text: str, language: str) -> str:
    return READ_IN[language].bound(text)


ONCE = Options(paper="letter", copies="one")  # copies are alike


@pytest.mark.long
@pytest.mark.parametrize("game", first_few(SMALLEST_FIRST, 2))
def test_sample_of_everything_prints_without_problem(game: str, tmp_path: Path) -> None:
    """Each kind's first, and the mission that is the last: pieces are set one by one."""
    pieces = {definition.kind.id: definition.id for definition in reversed(printable(model(game)))}
    mission = [definition.id for definition in printable(model(game)) if definition.kind.id == "mission"][-1]
    made = render(model(game), (*pieces.values(), mission), "en", "letter", "pdf", tmp_path, ONCE)
    assert (made.problems, made.left_out) == ((), ())
    assert f"mission-{mission}.letter.pdf" in {path.name for path in made.files}


def map_word(language: str) -> str:
    return "· " + locales.interface_texts("sheets", language)["map"].upper()


@pytest.mark.parametrize("paper", ["a4", pytest.param("letter", marks=pytest.mark.long)])
def test_too_small_map_gets_own_page(paper: str, tmp_path: Path) -> None:
    """The fullest sheet, whose spaces would be 6 mm wide, and one that has words enough, but room for its map."""
    options = Options(paper=paper, copies="one")
    made = render(model("far-cry-beyond"), ("quiet-floor", "assembly-hall"), "fr", paper, "pdf", tmp_path, options)
    assert made.problems == ()
    full, roomy = (
        PdfReader(next(tmp_path.rglob(f"mission-{name}*.pdf"))).pages for name in ("quiet-floor", "assembly-hall")
    )
    assert (len(full), len(roomy)) == (2, 1)
    assert map_word("fr") in full[1].extract_text()
    assert map_word("fr") not in full[0].extract_text()
    wide, high = full[1].mediabox.width, full[1].mediabox.height
    assert wide > high  # across: the map is larger that way


@pytest.mark.long
@in_each_language
def test_everything_prints_without_problem(game: str, language: str, tmp_path: Path) -> None:
    with shared_cache():  # another test checks whether it fits
        made = render(model(game), (), language, "letter", "pdf", tmp_path, ONCE)
    assert made.problems == ()
    missions = [d for d in printable(model(game)) if d.kind.id == "mission"]
    assert len([path for path in made.files if ".sealed" not in path.name]) == 2 + len(missions)
    sheets = [PdfReader(path).pages for path in made.files if path.name.startswith("mission-")]
    assert len(sheets) == len(missions)
    with_maps = [pages for pages in sheets if len(pages) > 1]  # where its map would be too small: a separate page
    assert all(len(pages) == 2 and map_word(language) in pages[1].extract_text() for pages in with_maps)
    assert len(with_maps) <= 1


@in_each_language
def test_no_card_is_empty(game: str, language: str) -> None:
    for definition in printable(model(game)):
        if definition.kind.id != "mission":
            card = card_in(game, definition, language)
            assert card.stats or card.dials or card.condition or card.lines or card.text or card.notes, card.key


@pytest.mark.parametrize("game", GAMES)
def test_every_card_has_back_of_its_kind(game: str) -> None:
    cards = [card_in(game, d, "en") for d in printable(model(game)) if d.kind.id != "mission"]
    assert all(card.back.title for card in cards)


class Balance(HTMLParser):
    """Checks that elements are closed in the right order."""

    VOID: ClassVar[set[str]] = {"meta", "link", "br", "img", "input"}

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


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES)
def test_mission_page_is_well_formed_in_each_language(game: str, tmp_path: Path) -> None:
    mission = next(d for d in printable(model(game)) if d.board is not None)
    assert mission.board is not None
    card = next(d for d in printable(model(game)) if d.parts or d.kind.id != "mission")
    made = render_page(model(game), (mission.id, card.id), "en", tmp_path, aids=True)
    (path,) = made.files
    html = path.read_text(encoding="utf-8")
    languages = PROJECTS[game].languages
    assert html.count('<path class="space"') == len(mission.board.cells) * len(languages)
    assert [f'<article class="sheet" lang="{language}"' in html for language in languages] == [True] * len(languages)
    checked = Balance()
    checked.feed(html)
    assert (checked.open, checked.wrong) == ([], [])


@pytest.mark.parametrize("language", PROJECTS["far-cry-beyond"].languages)
def test_backs_and_cards_show_values_needed_in_play(language: str) -> None:
    game = "far-cry-beyond"
    cards = {
        definition.id: card_in(game, definition, language)
        for definition in printable(model(game))
        if definition.kind.id in {"tile", "loot"}
    }
    assert cards["moored-boat"].back.number == "3"
    backs = {cards[word].back.words for word in ("firebrand", "field-dressing", "jumping-mines")}
    assert len(backs) == 3  # offense, support, crafted, each in a word
    recipe = {"en": "Pocket Rocket, Tin\u00a0Mine", "fr": "Fusée de poche, Mine de fortune"}[language]
    assert recipe in [note.value for note in cards["jumping-mines"].notes]
    crafted = [definition for definition in printable(model(game)) if "recipe" in definition.values]
    assert len(crafted) >= 8
    assert all(cards[card.id].notes for card in crafted)
