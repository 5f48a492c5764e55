"""A piece without words in a language is not printed in it: no gap and no internal name is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pond_game import copy_pond
from pypdf import PdfReader

from fcbdsl.language.prose import rules_text
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.press.table_sheets import render_aids
from fcbdsl.project.analysis import analysis_of
from fcbdsl.project.analysis.pipeline import FIT
from fcbdsl.project.project import check_project, load_project

SWAP = """
trick swap "Swap":
  fr: "Échange"
  effect: put (top of pile) into heap
"""


def pond_where(folder: Path, *changes: tuple[str, str]) -> Path:
    """Return a copy of the pond with a card that names zones, and with other words of its system."""
    root = copy_pond(folder)
    cards, system = root / "cards" / "pond.fcb", root / "systems" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8") + SWAP, encoding="utf-8")
    text = system.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    system.write_text(text, encoding="utf-8")
    return root


def words_in(files: tuple[Path, ...]) -> str:
    words = " ".join(page.extract_text() for file in files for page in PdfReader(file).pages)
    return " ".join(words.split())


UNTITLED = ('zone pile "pile" of trick: secret, ordered\n  fr: "pioche", f\n', "zone pile of trick: secret, ordered\n")
NOT_IN_FRENCH = (
    'zone pile "pile" of trick: secret, ordered\n  fr: "pioche", f\n',
    'zone pile "pile" of trick: secret, ordered\n',
)


@pytest.mark.parametrize(("change", "lacking"), [(UNTITLED, ("en", "fr")), (NOT_IN_FRENCH, ("fr",))])
def test_card_without_words_is_left_out(change: tuple[str, str], lacking: tuple[str, ...], tmp_path: Path) -> None:
    made, problems = check_project(root=pond_where(tmp_path, change), tests=False)
    assert not [problem for problem in problems if problem.severity == "error"], (
        "who is still writing may check and play"
    )
    for language in ("en", "fr"):
        printed = render(made, ("swap", "gift"), language, "a4", "pdf", tmp_path, Options())
        reported = [(problem.code, problem.severity) for problem in printed.problems if problem.code == "FCB0701"]
        assert (printed.left_out, reported) == (
            (("trick/swap",), [("FCB0701", "error")]) if language in lacking else ((), [])
        )
        assert "…" not in words_in(printed.files)
    page = render_page(made, ("swap", "gift"), "en", tmp_path)
    assert page.left_out == ("trick/swap",)


@pytest.mark.parametrize("asked", [(), pytest.param((FIT,), marks=pytest.mark.long)], ids=["check", "fit"])
def test_shipped_gap_is_reported_at_using_card(tmp_path: Path, asked: tuple[str, ...]) -> None:
    (tmp_path / "fcb.toml").write_text('language = 2\npaths = ["cards"]\nlanguages = ["en", "fr"]\n', encoding="utf-8")
    (tmp_path / "cards").mkdir()
    card = 'loot {0} "{0}":\n  fr: "{0}"\n  type: offense\n  effect:\n    Heal self\n    burn self\n'
    (tmp_path / "cards" / "own.fcb").write_text(
        "use far-cry-beyond\n" + card.format("Pyre") + card.format("Stake"), encoding="utf-8"
    )
    analysis = analysis_of(load_project(root=tmp_path), asked)
    gaps = [problem for problem in analysis.problems if problem.code == "FCB0701"]
    assert analysis.errors() == [], "it can be played"
    assert [(problem.severity, Path(problem.span.source.name).name, problem.span.line) for problem in gaps] == [
        ("error", "own.fcb", 7)
    ] * 2
    assert [gap.arguments["language"] for gap in gaps] == ["en", "fr"]
    assert all(gap.notes == ("also printed on loot `Stake`",) for gap in gaps)
    assert [Path(gap.related[0].span.source.name).name for gap in gaps] == ["flow.fcb"] * 2


@pytest.mark.long
def test_aid_without_words_is_left_out(tmp_path: Path) -> None:
    root = pond_where(tmp_path)
    system = root / "systems" / "pond.fcb"
    with system.open("a", encoding="utf-8") as more:
        more.write('verb duck:\n  name: "Duck"\n  fr: "Plonger"\n  reminder: "Under water."\n  effect: stop\n')
    made, _ = check_project(root=root, tests=False)
    assert render_aids(made, "en", "pdf", tmp_path, Options()).left_out == ()
    assert render_aids(made, "fr", "pdf", tmp_path, Options()).left_out == ("aid/pond", "reference/pond")


def test_translated_language_falls_back_to_source_words(tmp_path: Path) -> None:
    root = pond_where(tmp_path)
    (root / "translations").mkdir()
    (root / "translations" / "de.po").write_text(
        'msgid ""\nmsgstr "Language: de\\n"\n\nmsgctxt "trick/gift/title"\nmsgid "Gift of flies"\nmsgstr "Fliegen"\n',
        encoding="utf-8",
    )
    made, _ = check_project(root=root, tests=False)
    printed = render(made, ("swap",), "de", "a4", "pdf", tmp_path, Options())
    assert printed.left_out == ()
    assert {problem.severity for problem in printed.problems} == {"warning"}
    words = words_in(printed.files)
    assert rules_text(made.definitions["trick", "swap"], made, "en").plain() in words
    assert "…" not in words


@pytest.mark.sampled(4)
@pytest.mark.parametrize("changes", [(), (UNTITLED,), (NOT_IN_FRENCH,)])
@pytest.mark.parametrize("allowed", ["", "off", "comment"])
def test_check_reports_pieces_that_render_omits(
    changes: tuple[tuple[str, str], ...], allowed: str, tmp_path: Path
) -> None:
    root = pond_where(tmp_path, *changes)
    if allowed == "off":
        with (root / "fcb.toml").open("a", encoding="utf-8") as more:
            more.write('\n[severity]\nFCB0701 = "off"\n')
    if allowed == "comment":
        cards = root / "cards" / "pond.fcb"
        text = cards.read_text(encoding="utf-8").replace(
            'trick swap "Swap":', 'trick swap "Swap":  # fcb: allow FCB0701'
        )
        cards.write_text(text, encoding="utf-8")
    analysis = analysis_of(load_project(root=root))
    reported = {(str(problem.arguments["card"]), problem.arguments["language"]) for problem in analysis.problems
                if problem.code == "FCB0701" and problem.severity == "error"}  # fmt: skip
    refused = set()
    for language in ("en", "fr"):
        printed = render(analysis.model, ("swap", "gift"), language, "a4", "pdf", tmp_path, Options())
        refused |= {
            (str(problem.arguments["card"]), language) for problem in printed.problems if problem.code == "FCB0701"
        }
        assert bool(printed.left_out) == any(code == language for _, code in reported)
    assert reported == refused
    assert analysis.errors() == []
