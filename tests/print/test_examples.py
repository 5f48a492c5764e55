"""Worked examples of the rules reference: tests with an `example`, played and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import EACH_IN_ITS_LANGUAGES, ROOT, shared_cache
from test_aids import HEAD, model_of

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.layout.views import AidEntry
from fcbdsl.print.pieces.aids import reference_of
from fcbdsl.project.analysis import analysis_of, no_test
from fcbdsl.project.examples import draw_examples, example_files, own_example_files, worked_examples
from fcbdsl.project.project import Loader, load_project
from fcbdsl.project.settings import Project

HOP = """
hand ann "Ann"
hand bob "Bob"
test "Ann goes two spaces":
  example: "A walk"
  map hex:
    art: |
      . . . .
  given ann at A1
  given bob at D1
  do place ann on B1
  do place ann on C1
  expect ann is on C1
test "Bob goes, too":
  map hex:
    art: |
      . .
  given bob at A1
  do place bob on B1
  expect bob is on B1
"""


def walk() -> AidEntry:
    (entry,), problems = draw_examples(model_of(HOP), "en")
    assert problems == []
    return entry


def test_an_example_has_the_title_and_the_log_of_its_test() -> None:
    entry = walk()
    assert entry.title == "Example: A walk"
    assert [text.plain() for text in entry.text] == ["Ann\xa0→ C1."]


def test_its_board_shows_the_position_before_and_an_arrow_to_the_end() -> None:
    drawn = walk().map
    assert drawn is not None
    spaces = {cell.name: cell for cell in drawn.cells}
    assert {name: [mark.alt for mark in cell.symbols] for name, cell in spaces.items() if cell.symbols} == {
        "B1": ["Ann"],
        "D1": ["Bob"],
    }
    (route,) = drawn.routes
    ((tip, angle),) = route.arrows
    assert (route.points, angle) == ((spaces["B1"].centre, tip), 0.0)
    assert spaces["B1"].centre.x < tip.x < spaces["C1"].centre.x


def test_a_reference_prints_its_examples_after_the_rules() -> None:
    entry = walk()
    aid, _ = reference_of(model_of(HOP), "en", examples=(entry,))
    assert [block.entries for block in aid.blocks if block.style == "examples"] == [(entry,)]
    assert reference_of(model_of(HOP), "en")[0].blocks == tuple(b for b in aid.blocks if b.style != "examples")


def test_a_failed_example_is_reported_and_left_out() -> None:
    made, problems = draw_examples(model_of(HOP.replace("expect ann is on C1", "expect ann is on A1")), "en")
    assert made == ()
    assert [problem.code for problem in problems] == ["FCB0650"]


def test_a_title_that_cannot_be_read_is_reported() -> None:
    file, _ = parse(Source("hop.fcb", HEAD + HOP.replace('"A walk"', "walk") + "\n"))
    loader = Loader(Project())
    loader.use("core")
    _, reported = check([*loader.files(), file])
    assert [problem.code for problem in reported] == ["FCB0303"]


@pytest.mark.long
@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_each_game_has_two_examples_or_more(game: str, language: str) -> None:
    with shared_cache():
        made, problems = worked_examples(load_project((), False, ROOT, game), language)
    assert problems == []
    assert len(made) >= 2
    assert all(entry.map is not None and entry.text for entry in made)


def test_a_pack_has_the_examples_of_its_game_and_its_own(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "cards").mkdir()
    (tmp_path / "fcb.toml").write_text('language = 2\nlanguages = ["en"]\n', encoding="utf-8")
    (tmp_path / "cards" / "own.fcb").write_text("use beast\n", encoding="utf-8")
    (tmp_path / "tests" / "own.fcb").write_text(f"use beast\n{HOP}", encoding="utf-8")
    files = example_files(load_project((), False, tmp_path))
    assert [path.name for path in files] == ["beast.fcb", "own.fcb"]


def test_examples_are_read_into_what_a_check_has_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", "")
    write_project(tmp_path, {"hop": HOP})
    loader = load_project((), False, tmp_path)
    analysis = analysis_of(loader, needed=no_test)
    before = [*analysis.model.definitions], len(analysis.model.tests)
    made, problems = worked_examples(loader, "en", analysis.model_with_tests)
    assert [entry.title for entry in made] == ["Example: A walk"]
    assert (made, problems) == worked_examples(loader, "en")
    assert ([*analysis.model.definitions], len(analysis.model.tests)) == before
    again, _ = analysis.model_with_tests(loader)
    assert again.tests == []


def test_only_files_of_tests_with_a_title_are_read(tmp_path: Path) -> None:
    write_project(tmp_path, {"hop": HOP, "skip": 'test "Nothing":\n  expect 1 = 1\n'})
    loader = load_project((), False, tmp_path)
    assert [path.name for path in own_example_files(loader)] == ["hop.fcb"]
    (entry,), problems = worked_examples(loader, "en")
    assert (entry.title, problems) == ("Example: A walk", [])


def write_project(folder: Path, tests: dict[str, str]) -> None:
    """Write a project with a system and some files of tests."""
    (folder / "systems").mkdir()
    (folder / "tests").mkdir()
    (folder / "fcb.toml").write_text('language = 2\nlanguages = ["en"]\n', encoding="utf-8")
    (folder / "systems" / "shop.fcb").write_text(HEAD, encoding="utf-8")
    (folder / "cards").mkdir()
    (folder / "cards" / "own.fcb").write_text('use shop\nhand cid "Cid"\n', encoding="utf-8")
    for name, text in tests.items():
        (folder / "tests" / f"{name}.fcb").write_text(f"use shop\n{text}", encoding="utf-8")
