"""What changes is printed again, and nothing else; mistakes are waited out; Ctrl-C is the end. Nothing here sleeps."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_runner import Done, Shell

from fcbdsl.cli import watching
from fcbdsl.cli.watching import changes, still_wanted

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
    """Watch a project while some things happen to it, each between two looks; then Ctrl-C."""
    todo = iter(steps)

    def rest() -> None:
        step = next(todo, None)
        if step is None:
            raise KeyboardInterrupt
        step(project.folder)

    monkeypatch.setattr(watching, "rest", rest)
    return project.fcb("render", "--watch", "-o", "out", *more)


GIFT = "cards/pond.fcb", "Gift of flies", "Gift of gnats"
LOST = "cards/pond.fcb", "use pond\n", "use pond\ntrick\n"


def test_what_prints_otherwise_is_printed_again_and_named(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    crossing = edit("cards/pond.fcb", 'mission crossing "', 'mission crossing "X ')
    done = watched(project, monkeypatch, edit(*GIFT), crossing)
    assert done.code == 0
    first, second, third = done.err.split("Watching")[0], *done.err.split("\nChanged: ")[1:]
    assert "Prints otherwise" not in first
    assert second.endswith("Prints otherwise: trick/gift.")
    assert "Prints otherwise: mission/crossing.\n" in third
    files = [Path(line).name for line in done.out.splitlines() if line.startswith("out")]
    whole, again = files[: len(set(files))], files[len(set(files)) :]
    assert "aid.pdf" in whole
    assert again == ["cards.pdf", "cards.contents.pdf", "mission-crossing.pdf"]
    assert done.err.endswith("No longer watching.\n")


def test_mistakes_are_reported_and_waited_out(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    lost, found = edit(*LOST), edit(LOST[0], LOST[2], "use pond\n# A remark, and another card:\n")

    def mend(folder: Path) -> None:
        found(folder)
        edit(*GIFT)(folder)

    done = watched(project, monkeypatch, lost, mend, more=("puddle", "--to", "html"))
    assert done.code == 0
    _, broken, mended = done.err.split("\nChanged: ")
    assert "nothing was made" in broken
    assert "Nothing prints otherwise." in mended
    assert done.out.count("pond-puddle.html") == 1


def test_files_that_come_change_and_go_are_told(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    states = iter([{one: (1, 1), two: (1, 1)}, {one: (1, 1), two: (1, 1)}, {one: (1, 2), three: (1, 1)}])
    rests = iter([None, None])

    def wait() -> None:
        if next(rests, "end") == "end":
            raise KeyboardInterrupt

    assert [*changes(next(states), lambda: next(states), wait)] == [[one, three, two]]


def test_pieces_share_a_document_and_sheets_have_their_own() -> None:
    chosen = {"a/1": False, "a/2": False, "m/1": True, "m/2": True}
    assert still_wanted(chosen, ["a/2"]) == ["a/1", "a/2"]
    assert still_wanted(chosen, ["m/2"]) == ["m/2"]
    assert still_wanted(chosen, ["aids"]) == []
    assert still_wanted(chosen, ["a/gone", "m/1"]) == ["a/1", "a/2", "m/1"]


def test_what_is_printed_is_not_watched(project: Shell) -> None:
    from fcbdsl.project import load_all

    (project.folder / "cards" / "out").mkdir()
    (project.folder / "cards" / "out" / "cards.pdf").write_bytes(b"")
    os.symlink("nowhere", project.folder / "cards" / "gone.fcb")
    loaders = load_all((), False, project.folder)
    names = [path.name for path in watching.watched(loaders, project.folder / "cards" / "out")]
    assert "pond.fcb" in names
    assert "fcb.toml" in names
    assert not {"cards.pdf", "gone.fcb"} & set(names)


def test_what_was_printed_before_is_another_matter(project: Shell) -> None:
    done = project.fcb("render", "--watch", "--since", "HEAD", "-o", "out")
    assert (done.code, "take one" in done.err) == (2, True)
    assert project.fcb("render", "--watch", "--calibrate", "-o", "out").code == 2
