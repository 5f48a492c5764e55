"""What is kept between runs: only what would be made again just so."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from fcbdsl import cache
from fcbdsl.model import check
from fcbdsl.model.dump import dump
from fcbdsl.project import check_project


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a project to work in."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cards").mkdir()
    (tmp_path / "fcb.toml").write_text('language = 2\npaths = ["cards"]\n')
    (tmp_path / "cards" / "a.fcb").write_text("wepon x:\n  a: 1\nmark gate\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


def kept(place: Path) -> list[str]:
    return sorted(path.name for path in place.glob("*")) if place.exists() else []


def test_an_unchanged_project_is_not_checked_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, problems = check_project()
    assert len(kept(place)) == 1
    monkeypatch.setattr(check, "check", None)  # would fail if it were called
    again, same = check_project()
    assert dump(again) == dump(model)
    assert [(p.code, p.message, p.span.line) for p in same] == [(p.code, p.message, p.span.line) for p in problems]
    assert [p.code for p in same] == ["FCB0301"]


@pytest.mark.parametrize("change", ["text", "file", "settings"])
def test_every_change_is_seen(place: Path, change: str) -> None:
    assert [p.code for p in check_project()[1]] == ["FCB0301"]
    if change == "text":
        Path("cards/a.fcb").write_text("mark gate\nmark gate\n")
    elif change == "file":
        Path("cards/b.fcb").write_text("mark gate\n")
    else:
        Path("fcb.toml").write_text('language = 2\npaths = ["cards"]\n[variants]\nweather = "wet"\n')
    wanted = {"text": ["FCB0302"], "file": ["FCB0301", "FCB0302"], "settings": ["FCB0301", "FCB0306"]}
    assert [p.code for p in check_project()[1]] == wanted[change]
    assert len(kept(place)) == 2


@pytest.mark.parametrize(
    "damage", [b"", b"\x80", b"no pickle at all", pickle.dumps(os.getcwd), pickle.dumps(pickle.loads)]
)
def test_what_is_damaged_or_foreign_is_made_afresh(place: Path, damage: bytes) -> None:
    check_project()
    (name,) = kept(place)
    whole = (place / name).read_bytes()
    (place / name).write_bytes(damage)
    assert [p.code for p in check_project()[1]] == ["FCB0301"]
    assert (place / name).read_bytes() == whole


def test_only_our_own_classes_are_loaded(place: Path) -> None:
    for foreign in (os.getcwd, Path("x"), print):
        place.mkdir(exist_ok=True)
        cache.store("k", foreign)
        assert kept(place) == ["k.pickle"]
        assert cache.load("k") is None


def test_an_empty_setting_turns_it_off(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", "")
    check_project()
    assert kept(place) == []


def test_a_folder_that_cannot_be_written_is_no_error(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", str(Path("fcb.toml").resolve() / "below-a-file"))
    assert [p.code for p in check_project()[1]] == ["FCB0301"]


def test_the_oldest_results_go_first(place: Path) -> None:
    for number in range(cache.KEPT + 3):
        cache.store(f"{number:02}", number)
        os.utime(place / f"{number:02}.pickle", (number, number))
    assert kept(place)[0] == "03.pickle"
    assert len(kept(place)) == cache.KEPT
    assert cache.load("05") == 5
