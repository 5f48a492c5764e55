"""A pack begins with the state of its game, which all packs share, and is checked as if it were read alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fcbdsl.base.diagnostics.report import findings_to_json
from fcbdsl.cli.main import main
from fcbdsl.machine.vm.fingerprint import comparison_form, program_difference
from fcbdsl.project.analysis import Analysis, analysis_of, no_test
from fcbdsl.project.analysis.lent_reading import is_reading, shipped_reading
from fcbdsl.project.analysis.pipeline import every_test
from fcbdsl.project.analysis.source_pieces import Choice
from fcbdsl.project.project import lent_to, load_project

GAME = "beast"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new pack, and a cache in which another pack has stored the state of the game."""
    folder = tmp_path_factory.mktemp("lent")
    (folder / "cache").mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FCB_CACHE", str(folder / "cache"))
        patch.setattr("sys.argv", ["fcb", "new", str(folder / "pack"), "--game", GAME, "--template", "mission"])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 0
        plain = load_project(root=folder / "pack", tests=False)
        assert shipped_reading(plain, make=True) is not None
    return folder


@pytest.fixture
def pack(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the pack."""
    shutil.copytree(made / "pack", tmp_path / "pack")
    shutil.copytree(made / "cache", tmp_path / "cache")
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "pack"


def checked(pack: Path, needed: Choice = no_test) -> Analysis:
    return analysis_of(load_project(root=pack), needed=needed)


def agree(pack: Path, monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """Check with the cached game and without a cache. Assert equal findings, and programs that play alike."""
    reported = checked(pack, every_test)
    with monkeypatch.context() as patch:
        patch.setenv("FCB_CACHE", "")
        fresh = checked(pack, every_test)
        assert findings_to_json(reported.problems) == findings_to_json(fresh.problems)
        if not reported.errors():
            assert reported.program() == fresh.program()
            assert not program_difference(comparison_form(fresh.program()), comparison_form(reported.played()))
            assert not program_difference(comparison_form(fresh.program(True)), comparison_form(reported.tested()))
    return reported


@pytest.mark.long
def test_the_first_check_of_a_pack_takes_up_the_codes_of_its_game(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = agree(pack, monkeypatch)
    both = analysis._subject._both
    assert both is not None
    assert not both.whole
    assert len(both.restored) > len(analysis.played().codes) // 2


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("measure space of the camp:\n  gives: number\n  effect:\n    answer 1\n", id="words of the game"),
        pytest.param('token mud "Mud"\n', id="token", marks=pytest.mark.long),
        pytest.param("measure camp:\n  gives: nothing at all\n", id="mistake", marks=pytest.mark.long),
    ],
)
def test_a_pack_that_declares_more_is_checked_as_without_a_cache(
    more: str, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = next((pack / "missions").glob("*.fcb"))
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{more}", encoding="utf-8")
    agree(pack, monkeypatch)


def test_shipped_files_come_before_those_of_a_pack(pack: Path) -> None:
    (pack / "cards").mkdir()
    (pack / "cards" / "first.fcb").write_text(f"use {GAME}\n", encoding="utf-8")
    mission = next((pack / "missions").glob("*.fcb"))
    mission.write_text(f"use {GAME}-gains\n{mission.read_text(encoding='utf-8')}", encoding="utf-8")

    def names() -> list[str]:
        return [source.name for source in load_project(root=pack, tests=False).sources]

    lent = lent_to(load_project(root=pack))
    assert any(name.endswith("gains.fcb") for name in lent)
    assert names()[: len(lent)] == [*lent]
    (pack / "systems").mkdir()
    (pack / "systems" / "own.fcb").write_text("", encoding="utf-8")
    (pack / "cards" / "first.fcb").write_text(f"use {GAME}\nuse own\n", encoding="utf-8")
    assert names()[: len(lent)] != [*lent]


STATES: tuple[object, ...] = ((), ({}, None, None), ({}, 1, 2), "text")


def test_state_in_other_format_is_refused() -> None:
    assert not any(map(is_reading, STATES))


def test_a_project_with_a_system_of_its_own_has_no_such_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    shutil.copytree(Path(__file__).parents[1] / "systems" / "lanterns", tmp_path / "lanterns")
    assert shipped_reading(load_project(root=tmp_path / "lanterns"), make=True) is None
