"""No line ends before a closing sign, after an opening one, after a dash, or between a number and its noun."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest
from games import EACH_IN_ITS_LANGUAGES, model
from pypdf import PdfReader
from views import aid_in, card_in, reference_in, sheet_in, supplies_in

from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.rules_text import Paragraph
from fcbdsl.print.pieces.campaign_sheets import campaign_of, is_campaign, story_sheet
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.typeset import typesetting

BREAKS = {
    "before a closing sign": re.compile(r"\w (?=[:;!?»%…)\]”](?:\s|$))"),
    "after an opening sign": re.compile(r"[«“(\[] "),
    "before a dash at the end": re.compile(r" –$"),
    "between a sign and its number": re.compile(r"(?:^| )[+−×] (?=\d)"),
    "before a factor": re.compile(r" (?=×\d)"),
    "after a dash without a space": re.compile(r"[–—](?=[^ \u2060])"),
}
"""Places where a line can end, and must not."""
COUNTED = re.compile(r"(?<![\w’-])[+−-]?\d+ (?=(?P<word>[^\W\d]+))")
"""A number before a word from which a line can part it."""


def words_of(view: object) -> Iterator[str]:
    """Yield all texts of a view; the runs of a paragraph are one text."""
    if isinstance(view, Paragraph):
        yield "".join(run.text if run.style != "icon" else "i" for run in view.runs)
    elif isinstance(view, str):
        yield view
    elif isinstance(view, tuple | list):
        for part in view:
            yield from words_of(part)
    elif isinstance(view, dict):
        yield from words_of(tuple(view.values()))
    elif is_dataclass(view):
        for field in fields(view):
            yield from words_of(getattr(view, field.name))


def texts_of(game: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield every text of everything that a game prints, with the name of the piece."""
    played = model(game)
    for piece in printable(played):
        view = sheet_in(game, piece, language) if piece.kind.id == "mission" else card_in(game, piece, language)
        yield from ((piece.id, text) for text in words_of(view))
        if piece.kind.id == "mission":
            yield from ((piece.id, text) for text in words_of(story_sheet(piece, played, language)[0]))
    for definition in played.definitions.values():
        if is_campaign(definition):
            yield from ((definition.id, text) for text in words_of(campaign_of(definition, played, language)[0]))
    for name, view in (("aid", aid_in), ("reference", reference_in), ("tokens", supplies_in)):
        yield from ((name, text) for text in words_of(view(game, language)[0]))


def bad_breaks(text: str, language: str) -> list[str]:
    """Return the bad places for line ends in a text as Typst gets it."""
    printed = typesetting.typst_literal(text)[1:-1]
    breaks = [f"{place}: {text!r}" for place, pattern in BREAKS.items() if pattern.search(printed)]
    links = LANGUAGES[language].links
    counted = [match for match in COUNTED.finditer(printed) if match["word"].lower() not in links]
    return breaks + [f"after a number: {text!r}" for _ in counted[:1]]


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_no_text_offers_bad_line_end(game: str, language: str) -> None:
    bad = {f"{name}: {place}" for name, text in texts_of(game, language) for place in bad_breaks(text, language)}
    assert sorted(bad) == []


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("Prenez 2 PV", "Prenez 2\u00a0PV"),
        ("Chasseur : avancez", "Chasseur\u00a0: avancez"),
        ("avec « – »", "avec «\u00a0–\u00a0»"),
        ("+1 MP", "+1\u00a0MP"),
        ("Wolf ×3", "Wolf\u00a0×3"),
        ("a pair ( of dice)", "a pair (of dice)"),
    ],
)
def test_bad_line_end_is_found(text: str, good: str) -> None:
    assert bad_breaks(text, "fr")
    assert not bad_breaks(good, "fr")


@pytest.mark.parametrize("text", ["«\u00a0–\u00a0»", "2–3", "A1–B2"])
def test_typeset_dash_stays_with_next_sign(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the narrowest page."""
    page = '#set document(title: "x")\n#set page(width: 3mm, height: 60mm, margin: 1mm)\n#set text(size: 8pt, font: '
    source = f'{page}"Source Sans 3")\n'
    monkeypatch.setattr(typesetting, "typst_source", lambda template, values: values["source"])
    counts = []
    for literal in (typesetting.typst_literal(text), f'"{text}"'):
        made = typesetting.typeset("", {"source": f"{source}#{literal}"}, "pdf")
        page = PdfReader(io.BytesIO(made.files[0])).pages[0]
        counts.append(len(page.extract_text().strip().splitlines()))
    assert counts == [1, 2]
