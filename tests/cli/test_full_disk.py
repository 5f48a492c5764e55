"""The disk becomes full in the middle of each write: an old file stays complete, and fcb names the file."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest
from cli_runner import Shell
from pond_game import POND
from test_hostile_folders import OUTPUTS

from fcbdsl.base import cache, files
from fcbdsl.base.source import Span
from fcbdsl.base.versions import LANGUAGE
from fcbdsl.cli.watch_command import Teller
from fcbdsl.editor.live.background_runner import GamePlayed, Lost
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import File
from fcbdsl.play.campaign.store import AnswerRecord, Store, create
from fcbdsl.tools.migration import Migration, TextEdit, run

FULL = os.strerror(errno.ENOSPC)
COMMANDS = {**OUTPUTS, "new folder": ["new print/pack"]}


class Disk:
    """A disk on which write number `last` fails in its middle. The cache is on another disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.last = self.writes = 0
        self.written: dict[Path, bytes] = {}
        monkeypatch.setattr(files, "_write_out", self._write_out)

    def fill_up(self, last: int) -> None:
        """Count the writes from now on."""
        self.last, self.writes, self.written = last, 0, {}

    def _write_out(self, out: BinaryIO, data: bytes) -> None:
        place = Path(out.name)
        own = cache.cache_folder()
        if own is None or not place.is_relative_to(own):
            self.writes += 1
            if self.writes == self.last:
                out.write(data[: len(data) // 2])
                raise OSError(errno.ENOSPC, FULL)
            self.written[place.with_name(place.name[1:].rpartition(".")[0].rpartition(".")[0])] = data
        out.write(data)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Return the disk of a test."""
    return Disk(monkeypatch)


def contents(folder: Path) -> dict[Path, bytes]:
    """Return the files below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def failures_at_each_write(shell: Shell, disk: Disk, command: str, most: int = 40) -> int:
    """Run a command repeatedly, until no write fails, or `most` writes have failed. Return the number of failures."""
    before = contents(shell.folder)
    for last in range(1, most + 1):
        disk.fill_up(last)
        done = shell.fcb(*command.split())
        if disk.writes < last:
            assert FULL not in done.err
            return last - 1
        assert done.code == 2, (command, done.out)
        assert done.err.count(f"fcb: {FULL}: '") == 1, (command, done.err)
        name = done.err.rpartition(f"{FULL}: '")[2].partition("'")[0]
        assert Path(name).name not in done.out, (command, done.out)
        after = contents(shell.folder)
        for path, data in after.items():
            assert data in (before.get(path), disk.written.get(path)), (command, path)
        assert before.keys() - after.keys() == set(), command
        for path in after.keys() - before.keys():
            path.unlink()
        for path, data in before.items():
            path.write_bytes(data)
    return most


LONG = ("ci ", "render ")
"""Beginnings of commands that typeset, or play many games."""


@pytest.mark.sampled(17)
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(one, marks=pytest.mark.long if one.startswith(LONG) else ())
        for commands in COMMANDS.values()
        for one in commands
        if "--keep" not in one
    ],
)
def test_full_disk_leaves_output_whole_or_unchanged(project: Shell, disk: Disk, command: str) -> None:
    (project.folder / "report.xml").write_text("old\n")
    (project.folder / "a.json").write_text('{"kind": "frog", "id": "tim", "title": {"en": "Tim"}}')
    assert project.fcb("play", "crossing", "--bot", "random", "--seed", "1", "--log", "game.json").code == 0
    most = 2 if command.startswith(LONG) else 40
    assert failures_at_each_write(project, disk, command, most) > 0


@pytest.mark.parametrize("command", ["fmt", "check --fix"])
def test_full_disk_leaves_rewritten_files_whole_or_unchanged(project: Shell, disk: Disk, command: str) -> None:
    for name in ("y", "z"):
        (project.folder / "cards" / f"{name}.fcb").write_text(f'frog {name} "{name.title()}":\n  speed:    3\n\n\n\n')
    (project.folder / "cards" / "y.fcb").write_text('frog y "Y":\n    speed: 3\n' if "fix" in command else "")
    assert failures_at_each_write(project, disk, command) > 0


def test_full_disk_leaves_migrated_files_whole_or_unchanged(
    project: Shell, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version in fcb.toml is written last, so that an interrupted migration can run again."""

    def rename(file: File, _: Model) -> Iterator[TextEdit]:
        for found in re.finditer("Heron (?=[yz])", file.source.text):
            yield TextEdit(Span(file.source, found.start(), found.end()), "Stork ")

    monkeypatch.setattr(run, "MIGRATIONS", (Migration("rename", 2, "a new name", rename),))
    settings = project.folder / "fcb.toml"
    settings.write_text(settings.read_text().replace(f"language = {LANGUAGE}\n", ""))
    for name in ("y", "z"):
        (project.folder / "cards" / f"{name}.fcb").write_text(f"# Heron {name}\n")
    assert failures_at_each_write(project, disk, "migrate") == 3
    assert f"language = {LANGUAGE}" in settings.read_text()


def test_full_disk_leaves_comparison_and_translation_whole_or_unchanged(project: Shell, disk: Disk) -> None:
    other = project.folder / "other"
    shutil.copytree(POND, other)
    cards = other / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace("length: 4", "length: 12"), encoding="utf-8")
    (project.folder / "report.txt").write_text("old\n")
    games = "--games 2 --bot random --players 2 -j 1"
    assert failures_at_each_write(project, disk, f"compare . other crossing {games} -o report.txt") == 1
    shutil.rmtree(other)
    disk.fill_up(0)
    assert project.fcb("i18n", "export", "de", "-o", "de.po").code == 0
    text = (project.folder / "de.po").read_text(encoding="utf-8")
    text = text.replace('msgid "Puddle"\nmsgstr ""', 'msgid "Puddle"\nmsgstr "Pfütze"')
    (project.folder / "de.po").write_text(text, encoding="utf-8")
    assert failures_at_each_write(project, disk, "i18n import de.po") == 1


def test_full_disk_leaves_campaign_history_whole_or_unchanged(project: Shell, disk: Disk) -> None:
    create(project.folder / "team.campaign", [(-1, {"turn": -1}, "hash")])
    (project.folder / "team.json").write_text("old\n")
    assert failures_at_each_write(project, disk, "campaign export team.campaign -o team.json") == 1


@pytest.mark.long
def test_full_disk_leaves_campaign_map_whole_or_unchanged(project: Shell, disk: Disk) -> None:
    shutil.rmtree(project.folder)
    shutil.copytree(POND.parent / "lanterns", project.folder)
    (project.folder / "map.svg").write_text("old\n")
    assert failures_at_each_write(project, disk, "campaign graph long-winter -o map.svg") == 1


def test_full_disk_leaves_log_of_watch_whole_or_unchanged(tmp_path: Path, disk: Disk) -> None:
    place = tmp_path / "crossing-3.log.json"
    place.write_bytes(b"old")
    disk.fill_up(1)
    with pytest.raises(OSError, match=FULL) as trouble:
        Teller(tmp_path, []).tell(GamePlayed("", 1, (), Lost(3, "crossing", 1, 0, "", b"{}", "")))
    assert trouble.value.filename == str(place)
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]


def test_simulation_continues_after_torn_line(project: Shell) -> None:
    """`--keep` adds lines to a file, so it is the one output that is not written whole."""
    keep = project.folder / "games.jsonl"
    command = ("simulate", "crossing", "--games", "3", "-j", "1", "--keep", "games.jsonl")
    with limited(700):
        done = project.fcb(*command)
    assert (done.code, "games.jsonl" in done.err) == (2, True), done.err
    torn = keep.read_bytes()
    assert torn
    assert not torn.endswith(b"\n")
    assert project.fcb(*command).code == 0
    lines = keep.read_bytes().splitlines()
    assert lines[: len(torn.splitlines())] == torn.splitlines()


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Limit the size of files: writes beyond it fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


# ── games and campaigns ────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize("options", [("--log", "game.log"), ("--resume", "game.log")])
def test_full_disk_keeps_game_up_to_last_saved_decision(project: Shell, disk: Disk, options: tuple[str, str]) -> None:
    log = project.folder / "game.log"
    start = ["play", *(["crossing", "--seed", "1"] if options[0] == "--log" else []), *options]
    if options[0] == "--resume":
        assert project.fcb("play", "crossing", "--seed", "1", "--log", "game.log", stdin="s\n").code == 0
    before = log.read_bytes() if log.exists() else None
    for last in (1, 2, 3):
        disk.fill_up(last)
        done = project.fcb(*start, stdin="1\n4\n4\ns\n")
        assert (done.code, done.err) == (2, f"fcb: {FULL}: {str(log)!r}\n")
        assert "game.log" not in done.out
        if last == 1:
            assert (log.read_bytes() if log.exists() else None) == before
        else:
            assert len(json.loads(log.read_bytes())["decisions"]) == last - 1
            disk.fill_up(0)
            assert project.fcb("play", "--resume", "game.log", "--bot", "random").code == 0
        if before is None:
            log.unlink(missing_ok=True)
        else:
            log.write_bytes(before)


@pytest.mark.long
def test_full_disk_of_cache_changes_no_result(project: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))

    def fail(out: BinaryIO, data: bytes) -> None:
        out.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, FULL)

    expected = project.fcb("check")
    monkeypatch.setattr(files, "_write_out", fail)
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "other"))
    done = project.fcb("check")
    assert (done.code, done.out) == (expected.code, expected.out)
    assert [path for path in (tmp_path / "other").rglob("*") if path.is_file()] == []
    assert f"cannot keep a result: {FULL}" in project.fcb("check", "--explain-passes").err


@pytest.mark.parametrize("room", range(0, 4 * 4096, 2048))
def test_full_disk_keeps_confirmed_campaign(tmp_path: Path, room: int) -> None:
    path = tmp_path / "team.campaign"
    create(path, [(-1, {"turn": -1}, "hash")])
    confirmed = -1
    with contextlib.suppress(sqlite3.Error), limited(path.stat().st_size + room), Store(path) as store:
        for turn in range(120):
            store.answer(AnswerRecord("x" * 200, chosen=0), ({"turn": turn}, "hash"))
            confirmed = turn
    assert confirmed < 119
    with Store(path) as store:
        assert store.point().state == {"turn": confirmed}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("room", [0, 512, 4096, 8192, 20_000])
def test_full_disk_leaves_no_partial_campaign(tmp_path: Path, room: int) -> None:
    path = tmp_path / "team.campaign"
    with limited(room), pytest.raises((OSError, sqlite3.Error)):
        create(path, [(-1, {"turn": -1}, "hash")])
    assert list(tmp_path.iterdir()) == []
