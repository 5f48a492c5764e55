"""Projects: finding them, their systems and packs, and errors with these."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fcbdsl.base.diagnostics import Problems
from fcbdsl.base.versions import LANGUAGE
from fcbdsl.project import paths
from fcbdsl.project.paths import fcb_files, find_project, shipped_path
from fcbdsl.project.project import check_project, load_project
from fcbdsl.project.settings import read_projects

SYSTEM = 'system chess "Chess":\n  players: 2\nkind man is piece:\n  field worth: number\n'
STYLES = "part of chess\nvariant style: slow, fast\nrelation late:\n  is: style is slow\n"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write files below a new working folder."""
    monkeypatch.chdir(tmp_path)

    def write(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            if name == "fcb_dot_toml":
                text = f"language = {LANGUAGE}\n{text}"
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def problems_here() -> list[tuple[str, int, str]]:
    """Return file, line and code of each problem of the project around the working folder."""
    return [(p.span.source.name, p.span.line, p.code) for p in check_project()[1]]


def test_project_is_found_from_subfolder(write: Write) -> None:
    root = write(fcb_dot_toml='name = "mine"\n', cards__deep__a_dot_fcb="mark gate\n")
    assert find_project(root / "cards" / "deep") == root
    assert find_project(root.parent) is None


def test_project_reads_own_systems_packs_and_settings(write: Write) -> None:
    write(
        fcb_dot_toml='name = "mine"\ntitle = "My Chess"\npaths = ["cards"]\nlanguages = ["en", "fr"]\n'
        '[variants]\nstyle = "fast"\n',
        systems__chess__system_dot_fcb=SYSTEM,
        systems__chess__more_dot_fcb=STYLES,
        packs__extra__men_dot_fcb='use chess\nman rook "Rook":\n  fr: "Tour"\n  worth: 5\n',
        cards__men_dot_fcb='use chess\nuse extra\nman pawn "Pawn":\n  fr: "Pion"\n  worth: 1\n',
    )
    model, problems = check_project()
    assert problems == []
    assert model.system == "chess"
    assert model.pack == "My Chess"
    assert model.languages == ("en", "fr")
    assert model.switches["style"].set_to == 1
    assert [id for _, id in model.definitions] == ["rook", "pawn"]


def test_files_are_named_relative_to_working_folder(write: Write) -> None:
    write(fcb_dot_toml="", cards__a_dot_fcb="wepon x:\n  a: 1\n")
    assert problems_here() == [("cards/a.fcb", 1, "FCB0301")]


def test_loose_file_is_checked_with_its_dependencies(write: Write) -> None:
    root = write(a_dot_fcb="use far-cry-beyond\nweapon club:\n  family: club\n  hands: 3\n")
    model, problems = check_project([root / "a.fcb"])
    assert [problem.code for problem in problems if problem.severity == "error"] == ["FCB0502"]
    assert ("weapon", "club") in model.definitions


def test_unknown_system_is_reported_with_suggestion(write: Write) -> None:
    write(fcb_dot_toml="", cards__a_dot_fcb="use far-cry-beyont\nmark gate\n")
    _, problems = check_project()
    assert [(p.code, p.suggestion) for p in problems] == [("FCB0304", "far-cry-beyond")]


def test_circular_systems_are_reported_once(write: Write) -> None:
    write(
        fcb_dot_toml="",
        systems__a_dot_fcb='system a "A":\n  players: 2\nuse b\n',
        systems__b_dot_fcb="use a\npart of a\nmark gate\n",
        cards__x_dot_fcb="use a\n",
    )
    assert [(file, code) for file, _, code in problems_here()] == [("systems/b.fcb", "FCB0305")]


def test_parts_of_system_can_use_each_other(write: Write) -> None:
    write(
        fcb_dot_toml="",
        systems__chess__system_dot_fcb=SYSTEM,
        systems__chess__more_dot_fcb="part of chess\nuse chess\nmark gate\n",
        cards__x_dot_fcb="use chess\nman pawn:\n  worth: 1\n",
    )
    assert [(file, code) for file, _, code in problems_here()] == [("systems/chess/more.fcb", "FCB0332")]


@pytest.mark.parametrize("text", ["name = ", 'colour = "red"\n', "paths = 3\n", "[variants]\nstyle = 3\n"])
def test_wrong_project_file_is_reported_and_rest_is_checked(write: Write, text: str) -> None:
    write(fcb_dot_toml=text, cards__a_dot_fcb="wepon x:\n  a: 1\n")
    codes = [code for _, _, code in problems_here()]
    assert codes == ["FCB0301", "FCB0803"]


def test_binary_file_is_reported(write: Write) -> None:
    root = write(fcb_dot_toml="", cards__a_dot_fcb="mark gate\n")
    (root / "cards" / "b.fcb").write_bytes(b"\xff\xfe\x00")
    assert [file for file, _, _ in problems_here()] == ["cards/b.fcb"]


def test_each_file_is_read_once(write: Write) -> None:
    root = write(fcb_dot_toml="", cards__a_dot_fcb="use core\nmark gate\n")
    loader = load_project([root / "cards", root / "cards" / "a.fcb"])
    assert [source.name for source in loader.sources].count("cards/a.fcb") == 1
    assert len(loader.problems) == 0


def test_shipped_folders_are_found_in_checkout_and_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (shipped_path("systems") / "core.fcb").is_file()
    assert fcb_files([shipped_path("cards")])
    (tmp_path / "fcbdsl" / "cards").mkdir(parents=True)
    monkeypatch.setattr(paths, "PACKAGE", tmp_path / "fcbdsl")
    assert shipped_path("cards") == tmp_path / "fcbdsl" / "cards"
    assert shipped_path("missions") == tmp_path / "missions"


FORGOTTEN = {
    "kind": ('man queen "Queen":\n  fr: "Dame"\n  worth: 9\n', 1, "man"),
    "form": ('rule hurry "Hurry":\n  fr: "Vite"\n  when any has acted, if late: lose "Slow."\n', 3, "late"),
}


@pytest.mark.parametrize(("text", "line", "word"), FORGOTTEN.values(), ids=list(FORGOTTEN))
def test_use_line_of_other_file_does_not_count(write: Write, text: str, line: int, word: str) -> None:
    write(
        fcb_dot_toml='name = "mine"\npaths = ["cards"]\nlanguages = ["en", "fr"]\n',
        systems__chess__system_dot_fcb=SYSTEM,
        systems__chess__more_dot_fcb=STYLES,
        cards__men_dot_fcb='use chess\nman pawn "Pawn":\n  fr: "Pion"\n  worth: 1\n',
        cards__more_dot_fcb=text,
    )
    (finding,) = [problem for problem in check_project()[1] if problem.code == "FCB0330"]
    assert (finding.span.source.name, finding.span.line) == ("cards/more.fcb", line)
    assert f"`{word}` from `chess`, but has no `use chess`" in finding.message
    assert finding.fix is not None
    assert finding.fix.replacement == "use chess\n"
    write(cards__more_dot_fcb="use chess\n" + text)
    assert "FCB0330" not in [code for _, _, code in problems_here()]


def test_use_lines_are_transitive(write: Write) -> None:
    write(
        fcb_dot_toml='name = "mine"\npaths = ["cards"]\nlanguages = ["en", "fr"]\n',
        systems__chess__system_dot_fcb=SYSTEM + STYLES.partition("\n")[2],
        packs__extra__kinds_dot_fcb="use chess\nkind noble is man:\n  field rank: number\n",
        cards__men_dot_fcb='use extra\nman pawn "Pawn":\n  fr: "Pion"\n  worth: 1\n',
        cards__more_dot_fcb='use chess\nnoble king "King":\n  fr: "Roi"\n  worth: 9\n  rank: 1\n',
    )
    assert [row for row in problems_here() if row[2] == "FCB0330"] == [("cards/more.fcb", 2, "FCB0330")]


PACK = (
    'use chess\nman duke "Duke":\n  fr: "Duc"\n  worth: 5\nkind noble is man\nenum mood: calm, cross\n'
    'terrain moat "moat":\n  fr: "douve"\ntoken trap "trap":\n  fr: "piège"\nmark throne "throne":\n  fr: "trône"\n'
    'die bone "bone":\n  fr: "os"\n  faces: 1..4\nvariant rite: old, new\n  text en: "Old."\n  text fr: "Vieux."\n'
    "relation fair:\n  is: rite is new\n"
)
"""A pack that declares one of each thing that can be mentioned by its name alone."""

FRIEND = "  field friend: man definition, optional\n"

RULE = 'rule r "R":\n  fr: "R"\n  when any has acted'
TEST = 'test "t":\n  map square:\n    art: |\n      +--+\n      |. |\n      +--+\n'
NAMED_ALONE = {
    "a definition": (f'{RULE}, if any duke: lose "No."\n', "duke"),
    "a definition as a value": ('man page "Page":\n  fr: "Page"\n  worth: 1\n  friend: duke\n', "duke"),
    "a bearer": ('man page "Page" for duke:\n  fr: "Page"\n  worth: 1\n', "duke"),
    "a kind": (f'{RULE}, if any noble: lose "No."\n', "noble"),
    "a kind of a field": ("kind squire is man:\n  field lord: noble, optional\n", "noble"),
    "a parent": ("kind squire is noble\n", "noble"),
    "a value of an enum": ("kind squire is man:\n  field temper: mood, default calm\n", "mood"),
    "grounds on a map": (TEST.replace(". ", "~ ") + '    legend:\n      "~": moat\n', "moat"),
    "a piece on a map": (TEST.replace(". ", "d ") + '    legend:\n      "d": duke\n', "duke"),
    "a counter": (f"{RULE}: for each space: mark trap on space\n", "trap"),
    "a mark": (f'{RULE}, if any space marked throne: lose "No."\n', "throne"),
    "a die": (f"{RULE}: roll bone\n", "bone"),
    "a scripted die": (f"{TEST}  dice: bone 3\n", "bone"),
    "a switch": (f'{RULE}, if rite is new: lose "No."\n', "rite"),
    "a switch that is set": (f"{TEST}  given variant rite is new\n", "rite"),
    "an answer in a test": (f"{TEST}  answer duke\n", "duke"),
    "a relation in a test": (f"{TEST}  expect fair\n", "fair"),
}


@pytest.mark.parametrize(("text", "word"), NAMED_ALONE.values(), ids=list(NAMED_ALONE))
def test_diagnostic_about_unused_system_names_it(write: Write, text: str, word: str) -> None:
    write(
        fcb_dot_toml='name = "mine"\npaths = ["cards"]\nlanguages = ["en", "fr"]\n',
        systems__chess__system_dot_fcb=SYSTEM.replace("  players", "  board: square\n  players") + FRIEND,
        packs__court__men_dot_fcb=PACK,
        cards__all_dot_fcb="use court\n",
        cards__more_dot_fcb="use chess\n" + text,
    )
    problems = check_project()[1]
    assert [problem for problem in problems if problem.severity == "error"] == []
    (finding,) = [problem for problem in problems if problem.code == "FCB0330"]
    assert finding.span.source.name == "cards/more.fcb"
    assert f"`{word}` from `court`, but has no `use court`" in finding.message
    write(cards__more_dot_fcb="use court\n" + text)
    assert "FCB0330" not in [code for _, _, code in problems_here()]


def test_default_value_that_only_a_test_of_another_file_uses_is_named(write: Write) -> None:
    write(
        fcb_dot_toml='name = "mine"\npaths = ["cards"]\nlanguages = ["en", "fr"]\n',
        systems__chess__system_dot_fcb=SYSTEM.replace("  players", "  board: square\n  players"),
        packs__court__men_dot_fcb=PACK,
        cards__all_dot_fcb="use court\n" + TEST + "  expect honor = 5\n",
        cards__more_dot_fcb="use chess\nmeasure honor:\n  takes: of lord (man definition, default duke)\n"
        "  gives: number\n  value: lord's worth\n",
    )
    (finding,) = [problem for problem in check_project()[1] if problem.code == "FCB0330"]
    assert (finding.span.source.name, finding.span.line) == ("cards/more.fcb", 3)
    assert "`duke` from `court`" in finding.message


def test_toml_error_is_shown_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "fcb.toml").write_text('language = 2\nname = "a"\ntitle = Blackout\n', encoding="utf-8")
    problems = Problems()
    read_projects(tmp_path, problems)
    (problem,) = problems.sorted()
    assert (problem.code, problem.span.line, problem.span.column) == ("FCB0803", 3, 9)
    assert "in quotes" in problem.advice
