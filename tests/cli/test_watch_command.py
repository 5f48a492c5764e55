"""`fcb watch` checks and tests what has changed. No test sleeps."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_runner import Done, Shell

from fcbdsl.cli.reprinting import still_wanted
from fcbdsl.editor.live import background_runner
from fcbdsl.project import file_watcher
from fcbdsl.project.file_watcher import file_changes

Step = Callable[[Path], None]


def edit(file: str, before: str, after: str) -> Step:
    """Rewrite a part of a file."""

    def step(folder: Path) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")

    return step


def watched(project: Shell, monkeypatch: pytest.MonkeyPatch, *steps: Step, more: tuple[str, ...] = ()) -> Done:
    """Watch a project; make each change between two checks of the files; then interrupt."""
    todo = iter(steps)

    def rest() -> None:
        step = next(todo, None)
        if step is None:
            raise KeyboardInterrupt
        step(project.folder)

    monkeypatch.setattr(file_watcher, "rest", rest)
    return project.fcb("render", "--watch", "-o", "out", *more)


GIFT = "cards/pond.fcb", "Gift of flies", "Gift of gnats"
LOST = "cards/pond.fcb", "use pond\n", "use pond\ntrick\n"


@pytest.mark.long
def test_watch_prints_and_names_changed_pieces(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    crossing = edit("cards/pond.fcb", 'mission crossing "', 'mission crossing "X ')
    done = watched(project, monkeypatch, edit(*GIFT), crossing)
    assert done.code == 0
    first, second, third = done.err.split("Watching")[0], *done.err.split("\nChanged: ")[1:]
    assert "Prints differently" not in first
    assert second.endswith("Prints differently: trick/gift.")
    assert "Prints differently: mission/crossing.\n" in third
    files = [Path(line).name for line in done.out.splitlines() if line.startswith("out")]
    whole, again = files[: len(set(files))], files[len(set(files)) :]
    assert "aid.pdf" in whole
    assert again == ["cards.pdf", "cards.contents.pdf", "mission-crossing.pdf"]
    assert done.err.endswith("No longer watching.\n")


@pytest.mark.long
def test_watch_reports_mistakes_and_waits(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    lost, harmless = edit(*LOST), edit(LOST[0], LOST[2], "use pond\n# A remark, and another card:\n")

    def mend(folder: Path) -> None:
        harmless(folder)
        edit(*GIFT)(folder)

    done = watched(project, monkeypatch, lost, mend, more=("puddle", "--to", "html"))
    assert done.code == 0
    _, broken, mended = done.err.split("\nChanged: ")
    assert "fcb wrote nothing" in broken
    assert "Nothing prints differently." in mended
    assert done.out.count("pond-puddle.html") == 1


def test_watch_reports_added_changed_and_removed_files(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    states = iter([{one: (1, 1), two: (1, 1)}, {one: (1, 1), two: (1, 1)}, {one: (1, 2), three: (1, 1)}])
    rests = iter([None, None])

    def wait() -> None:
        if next(rests, "end") == "end":
            raise KeyboardInterrupt

    assert [*file_changes(file_watcher.Watcher(lambda: next(states)), wait)] == [[one, three, two]]


def test_pieces_share_document_and_sheets_have_own() -> None:
    chosen = {"a/1": False, "a/2": False, "m/1": True, "m/2": True}
    assert still_wanted(chosen, ["a/2"]) == ["a/1", "a/2"]
    assert still_wanted(chosen, ["m/2"]) == ["m/2"]
    assert still_wanted(chosen, ["aids"]) == []
    assert still_wanted(chosen, ["a/gone", "m/1"]) == ["a/1", "a/2", "m/1"]


def test_printed_files_are_not_watched(project: Shell) -> None:
    from fcbdsl.project.project import load_all

    (project.folder / "cards" / "out").mkdir()
    (project.folder / "cards" / "out" / "cards.pdf").write_bytes(b"")
    os.symlink("nowhere", project.folder / "cards" / "gone.fcb")
    loaders = load_all((), False, project.folder)
    names = [path.name for path in file_watcher.files_state(loaders, project.folder / "cards" / "out")]
    assert "pond.fcb" in names
    assert "fcb.toml" in names
    assert not {"cards.pdf", "gone.fcb"} & set(names)


def test_earlier_prints_are_left_alone(project: Shell) -> None:
    done = project.fcb("render", "--watch", "--since", "HEAD", "-o", "out")
    assert (done.code, "Use either --watch" in done.err) == (2, True)
    assert project.fcb("render", "--watch", "--calibrate", "-o", "out").code == 2


# ── checks, tests and games ──────────────────────────────────────────────────────────────────────


def seen(project: Shell, monkeypatch: pytest.MonkeyPatch, *steps: Step, more: tuple[str, ...] = ()) -> list[str]:
    """Return the output of `fcb watch` at the start and after each change; then interrupt. Both streams are one."""
    todo = iter(steps)
    monkeypatch.setattr(background_runner, "MOST_GAMES", 3)
    monkeypatch.setattr("click.echo", lambda text="", nl=True, err=False: print(text, end="\n" if nl else ""))

    def rest() -> None:
        step = next(todo, None)
        if step is None:
            raise KeyboardInterrupt
        step(project.folder)

    monkeypatch.setattr(file_watcher, "rest", rest)
    done = project.fcb("watch", *more)
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("No longer watching.\n")
    return done.out.removesuffix("No longer watching.\n").split("Changed: ")


HOP = '\ntest "One more hop":\n  map square:\n    art: |\n      +--+--+\n      |.  . |\n      +--+--+\n'
HOP += "  given green-frog at A1\n  play green-frog hops to B1\n  expect green-frog's energy = 1\n"


@pytest.fixture
def calm(project: Shell) -> Shell:
    """Return the project without its endless loop."""
    edit("systems/pond.fcb", "1000000 times", "1 times")(project.folder)
    return project


@pytest.mark.long
def test_watch_checks_and_tests_only_affected_parts(calm: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    dares = edit("systems/pond.fcb", "gust: mark Wet on self", "gust: self's temper becomes gruff")
    new = edit("tests/pond.fcb", "use pond\n", f"use pond\n{HOP}")
    first, broken, mended, retitled, dared, added = seen(
        calm, monkeypatch, edit(*LOST), edit(LOST[0], LOST[2], LOST[1]), edit(*GIFT), dares, new, more=("--no-games",)
    )
    assert "No problems.\n2 of 2 tests to run.\n2 tests: 2 passed, 0 failed.\n" in first
    assert "error[FCB" in broken
    assert "1 error" in broken
    assert "tests" not in broken
    assert mended == "pond.fcb.\nNo problems.\n0 of 2 tests to run.\n2 tests: 2 passed, 0 failed.\n"
    assert "0 of 2 tests to run" in retitled, "no test plays a title"
    assert "1 of 2 tests to run" in dared
    assert "The test `The breeze wets` failed. Expected: the condition holds" in dared
    assert "2 tests: 1 passed, 1 failed." in dared
    assert "2 of 3 tests to run" in added, "the new one, and what differs from the game that all tests have run in"
    assert added.count("error[FCB0650]") == 2
    assert "3 tests: 1 passed, 2 failed." in added


def test_failing_games_are_reported_once_and_can_be_replayed(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    edit("systems/pond.fcb", "1000000 times: leaps becomes leaps + 0", "1 times: leaps becomes 1 / 0")(project.folder)
    first, then = seen(project, monkeypatch, edit(*GIFT), more=("--lost", "lost"))
    for output in (first, then):
        assert output.count("A random game of crossing went wrong (1 player, seed 1, ") == 1
        assert output.count("went wrong") == 1, "another that goes wrong in the same way is no news"
        assert "  fault: a number is divided by 0 (" in output
    assert then.endswith("  fcb replay lost/crossing-1.log.json --show\n")
    replayed = project.fcb("replay", "lost/crossing-1.log.json")
    assert (replayed.code, "fault" in replayed.out) == (0, True)


def test_watch_waits_for_readable_project(calm: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    games = edit("fcb.toml", 'name = "pond"', 'games = ["one", "two"]')
    back = edit("fcb.toml", 'games = ["one", "two"]', 'name = "pond"')
    _, gone, here = seen(calm, monkeypatch, games, back, more=("--no-games",))
    assert gone == "fcb.toml.\nfcb.toml has changed (one of one, two): stop fcb watch and start it again.\n"
    assert "2 tests: 2 passed" in here


def test_frequent_polls_do_not_read_files_each_time() -> None:
    states = iter([{}, {Path("a"): (1, 1)}, {Path("a"): (1, 1)}])
    times = iter([0, file_watcher.PAUSE / 2, file_watcher.PAUSE, file_watcher.PAUSE, 1.2 * file_watcher.PAUSE])
    watcher = file_watcher.Watcher(lambda: next(states), lambda: next(times))
    assert [watcher.stale(), watcher.stale(), watcher.stale()] == [False, True, True]
    assert watcher.take() == [Path("a")]
