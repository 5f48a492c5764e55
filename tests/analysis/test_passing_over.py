"""Reading again: tests that were sound are passed over, and what is found is what a fresh check finds."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from edits import edited, words_of

from fcbdsl import cache
from fcbdsl.analysis import Analysis, analyse, analysis_of, no_test, reading
from fcbdsl.analysis.pieces import pieces_of
from fcbdsl.campaign.exploration import Explored, explore
from fcbdsl.diagnostics.report import to_json, to_text
from fcbdsl.project import load
from fcbdsl.vm.image import Image

LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(LANTERNS, tmp_path / "lanterns")
    monkeypatch.chdir(tmp_path / "lanterns")
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "lanterns"


def checked() -> Analysis:
    """The project as `fcb check` checks it."""
    return analysis_of(load(), needed=no_test)


def fresh(monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """The same, with nothing known."""
    with monkeypatch.context() as patch:
        patch.setenv("FCB_CACHE", "")
        return checked()


def agree(monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """Check with what is known and without: the same is found, in the same order and words, with the same places."""
    known, own = checked(), fresh(monkeypatch)
    assert to_text(known.problems, colour=False) == to_text(own.problems, colour=False)
    assert to_json(known.problems) == to_json(own.problems)
    assert known.made == own.made
    return known


def read_tests(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list to which each reading adds how many tests it reads at last."""
    read: list[int] = []
    before = reading.read_changed

    def watched(loader, needed):
        model, found = before(loader, needed)
        read.append(len(model.tests))
        return model, found

    monkeypatch.setattr(reading, "read_changed", watched)
    return read


def files_of_tests(folder: Path) -> list[Path]:
    return sorted((folder / "tests").rglob("*.fcb"))


def test_only_the_test_that_was_changed_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_tests(monkeypatch)
    checked()
    (path, *_) = files_of_tests(folder)
    text = path.read_text()
    path.write_text(text.replace('test "', '# a remark\ntest "so ', 1))
    how = {one.name: one.how for one in checked().passes}
    assert read[0] == len([one for one in pieces_of(load().sources) if one.is_test])
    assert read[1:] == [1]
    assert {name for name, one in how.items() if one == "run"} == {"reading", "looking"}


def test_what_is_known_of_the_game_is_told_where_it_stands_now(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path, *_) = files_of_tests(folder)
    text = path.read_text()
    path.write_text(f'{text}\nverb hush:\n  effect: stop\n  text fr: "{{il}} se tait"\n')
    assert {one.code for one in agree(monkeypatch).problems} != set()
    path.write_text(path.read_text().replace('test "', '# a remark\ntest "so ', 1))
    known = agree(monkeypatch)
    assert {one.name for one in known.passes if one.how == "run"} == {"reading", "looking"}


def test_a_number_in_a_card_has_no_test_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_tests(monkeypatch)
    checked()
    path = folder / "cards" / "tricks.fcb"
    path.write_text(path.read_text().replace("steps +2", "steps +3", 1))
    agree(monkeypatch)
    assert read[1] == 0


def test_what_is_declared_otherwise_has_the_tests_read_that_say_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked()
    for path in sorted((folder / "systems").rglob("*.fcb")):
        text = path.read_text()
        for line in [line for line in text.split("\n") if line.startswith(("status ", "token ", "verb ", "action "))]:
            path.write_text(text.replace(line, line.replace(" ", " un", 1), 1))
            agree(monkeypatch)
        path.write_text(text)
    assert agree(monkeypatch).problems == ()


def test_a_test_with_a_mistake_is_read_every_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path, *_) = files_of_tests(folder)
    path.write_text(path.read_text() + '\ntest "odd" covers X-1:\n  given nonsense\n')
    assert {one.code for one in agree(monkeypatch).problems} != set()
    card = folder / "cards" / "tricks.fcb"
    card.write_text("# a remark\n" + card.read_text())
    assert agree(monkeypatch).problems


def test_the_program_has_the_tests_that_are_needed(folder: Path) -> None:
    checked()
    titles = [test.title for test in analyse().program(tests=True).tests]
    wanted = titles[3], titles[-1]
    some = analysis_of(load(), needed=lambda title, covers, file: title in wanted)
    assert [test.title for test in some.program(tests=True).tests] == [title for title in titles if title in wanted]
    assert some.refused(tests=True) == []


def test_heads_are_told_without_reading_what_is_below(folder: Path) -> None:
    checked()
    told: list[tuple[str, tuple[str, ...], str]] = []

    def chosen(title: str, covers: Sequence[str], file: str) -> bool:
        told.append((title, tuple(covers), file))
        return True

    assert analysis_of(load(), needed=chosen).model.tests
    program = analyse().program(tests=True)
    files = [program.files[program.spans[test.span].file] for test in program.tests]
    assert told == [(test.title, test.covers, file) for test, file in zip(program.tests, files, strict=True)]


@pytest.mark.parametrize("kept", [5, ({}, {}), ({1: ()}, {}, ""), ({"a": ((), (), 5)}, {}, ""), ({}, {"a": 1}, "")])
def test_records_that_are_none_do_no_harm(folder: Path, monkeypatch: pytest.MonkeyPatch, kept: object) -> None:
    cache.store(reading.key_of_tests(load()), kept)
    assert agree(monkeypatch).problems == ()


@pytest.mark.parametrize("seed", range(6))
def test_edits_are_found_as_a_fresh_check_finds_them(folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    random = Random(seed)
    own = [
        path for part in ("systems", "cards", "missions", "tests") for path in sorted((folder / part).rglob("*.fcb"))
    ]
    right = {path: path.read_text() for path in own}
    words = [word for text in right.values() for word in words_of(text)]
    checked()
    for _ in range(6):
        path = random.choice(own)
        path.write_text(edited(path.read_text(), random, words, [right[path]]))
        agree(monkeypatch)
        if random.random() < 0.5:
            path.write_text(right[path])


# ── campaigns ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def explored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The campaigns that were explored."""
    found: list[str] = []

    def watched(image: Image, campaign: str, **settings: Any) -> Explored:
        found.append(campaign)
        return explore(image, campaign, **settings)

    monkeypatch.setattr("fcbdsl.campaign.review.explore", watched)
    return found


def changed(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def test_a_campaign_is_explored_again_if_something_that_it_runs_has_changed(folder: Path, explored: list[str]) -> None:
    checked()
    assert explored == ["long-winter"]
    changed(folder / "cards" / "tricks.fcb", "steps +2", "steps +3")
    checked()
    assert explored == ["long-winter"]
    changed(folder / "systems" / "lanterns" / "winter.fcb", "failures = 3", "failures = 2")
    checked()
    assert explored == ["long-winter", "long-winter"]


def test_a_campaign_in_which_something_is_wrong_is_explored_every_time(
    folder: Path, explored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(folder / "systems" / "lanterns" / "winter.fcb", "hoard = 0 and any", "hoard = 9 and any")
    first = agree(monkeypatch)
    assert first.problems
    changed(folder / "cards" / "tricks.fcb", "steps +2", "steps +3")
    assert agree(monkeypatch).problems
