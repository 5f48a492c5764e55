"""Programs, logs and disks that are damaged."""

from __future__ import annotations

import json
import os
import random
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Shell
from pond_game import pond

from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.program import content_hash

SOUND = fcbc.dump(pond())


def resigned(change: Any) -> bytes:
    """Return the program with a change and a fitting hash."""
    data = json.loads(SOUND)
    change(data["program"])
    data["hash"] = content_hash(data["program"])
    return json.dumps(data).encode()


def first_code(program: dict[str, Any]) -> Any:
    return next(code for code in program["codes"] if len(code["ints"]) > 3)


PROGRAMS: dict[str, bytes] = {
    "empty": b"",
    "text": b"hello\n",
    "another JSON": b'{"format": "other"}',
    "truncated": SOUND[: len(SOUND) // 2],
    "one byte short": SOUND[:-2],
    "more behind it": SOUND + b"{}",
    "another version": SOUND.replace(b"fcbc/2", b"fcbc/9"),
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "huge number": SOUND.replace(b'"codes":', b'"x": 1e999999, "codes":', 1),
    "resigned: unknown op": resigned(lambda program: first_code(program)["ints"].__setitem__(0, 9_999)),
    "resigned: negative op": resigned(lambda program: first_code(program)["ints"].__setitem__(0, -1)),
    "resigned: cut code": resigned(lambda program: first_code(program)["ints"].pop()),
    "resigned: no registers": resigned(lambda program: first_code(program).__setitem__("n_r", 0)),
    "resigned: many registers": resigned(lambda program: first_code(program).__setitem__("n_r", 1 << 40)),
    "resigned: many copies": resigned(lambda program: program["definitions"][0].__setitem__("copies", 1 << 40)),
    "resigned: unknown kind": resigned(lambda program: program["definitions"][0].__setitem__("kind", 9_999)),
    "resigned: more fields": resigned(lambda program: program.__setitem__("evil", 1)),
    "resigned: flow elsewhere": resigned(lambda program: program.__setitem__("flow", 9_999)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_damaged_program_is_refused(shell: Shell, name: str) -> None:
    (shell.folder / "a.fcbc").write_bytes(PROGRAMS[name])
    done = shell.fcb("verify", "a.fcbc")
    assert done.code == 1
    assert done.err.startswith("a.fcbc: refused: ")
    assert shell.fcb("missions", "--program", "a.fcbc").code == 1


def test_undamaged_program_is_accepted(shell: Shell) -> None:
    (shell.folder / "a.fcbc").write_bytes(SOUND)
    assert shell.fcb("verify", "a.fcbc").code == 0


def test_flipped_bits_are_refused(shell: Shell) -> None:
    lot = random.Random(1)
    for _ in range(12):
        data = bytearray(SOUND)
        data[lot.randrange(len(data))] ^= 1 << lot.randrange(8)
        (shell.folder / "a.fcbc").write_bytes(data)
        assert shell.fcb("verify", "a.fcbc").code == 1


def test_huge_file_is_refused_without_full_read(shell: Shell) -> None:
    path = shell.folder / "a.fcbc"
    with path.open("wb") as file:
        file.truncate(1 << 34)
    done = shell.fcb("verify", "a.fcbc")
    assert done.code == 1
    assert "refused" in done.err


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"[]", b"{}"])
def test_damaged_log_is_refused(project: Shell, content: bytes) -> None:
    (project.folder / "game.log").write_bytes(content)
    done = project.fcb("replay", "game.log")
    assert done.code == 1
    assert "can't be replayed" in done.err


def test_log_of_other_content_is_reported(project: Shell) -> None:
    project.fcb("play", "crossing", "--bot", "random", "--seed", "1", "--log", "game.log")
    cards = project.folder / "cards" / "pond.fcb"
    cards.write_text(cards.read_text().replace("goal: 4", "goal: 5"))
    done = project.fcb("replay", "game.log")
    assert done.code == 1
    assert "the content has changed since" in done.err


# ── disks ──────────────────────────────────────────────────────────────────────────────────────

WRITERS = {
    "compile": ["compile", "-o"],
    "play": ["play", "crossing", "--bot", "random", "--seed", "1", "--log"],
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_where_a_folder_is_meant(project: Shell, name: str) -> None:
    (project.folder / "taken").write_text("kept")
    done = project.fcb(*WRITERS[name], Path("taken") / "out")
    assert done.code == 2
    assert done.err.startswith("fcb: ")
    assert (project.folder / "taken").read_text() == "kept"


@pytest.mark.long
def test_output_folder_that_is_a_file_is_refused(project: Shell) -> None:
    (project.folder / "taken").write_text("kept")
    assert project.fcb("render", "puddle", "--to", "html", "-o", "taken").code == 2
    assert project.fcb("render", "puddle", "--to", "html", "-o", "taken/out").code == 2
    assert (project.folder / "taken").read_text() == "kept"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("name", WRITERS)
def test_full_device_is_reported(project: Shell, name: str) -> None:
    done = project.fcb(*WRITERS[name], "/dev/full")
    assert done.code == 2
    assert "No space left on device: '/dev/full'" in done.err
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@pytest.mark.parametrize("name", WRITERS)
def test_full_disk_keeps_old_file(project: Shell, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    target = project.folder / "out" / "file"
    target.parent.mkdir()
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = project.fcb(*WRITERS[name], target)
    assert done.code == 2
    assert f"No space left on device: '{target}'" in done.err
    assert target.read_bytes() == b"old"
    assert os.listdir(target.parent) == ["file"]


@pytest.mark.parametrize("name", WRITERS)
def test_interrupted_write_keeps_old_file(project: Shell, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    target = project.folder / "out" / "file"
    target.parent.mkdir()
    target.write_bytes(b"old")

    def stopped(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stopped)
    done = project.fcb(*WRITERS[name], target)
    assert done.code == 2
    assert done.err.strip() == "Stopped."
    assert target.read_bytes() == b"old"
    assert os.listdir(target.parent) == ["file"]


# ── other processes ────────────────────────────────────────────────────────────────────────────

FCB = [sys.executable, "-c", "from fcbdsl.cli.main import main; main()"]


@pytest.mark.long
def test_process_with_other_hash_seed_confirms_game(project: Shell) -> None:
    options = ["--bot", "sensible", "--seed", "1", "--players", "2"]
    first = project.fcb("play", "crossing", *options, "--log", "game.log")
    assert first.code == 0
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [*FCB, "replay", "game.log"], env=environment, capture_output=True, text=True, cwd=project.folder
        )
        assert done.returncode == 0, done.stderr
        assert json.loads((project.folder / "game.log").read_bytes())["digest"] in done.stdout


def test_closed_pipe_is_no_failure(project: Shell) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*FCB, "explain", "FCB0650"], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("command", [["explain", "FCB0650"], ["--help"]], ids=" ".join)
def test_full_standard_output_is_reported(command: list[str], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*FCB, *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 2
    assert done.stderr == "fcb: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize(
    "command", [["explain", "FCB9999"], ["check", "nowhere"], ["explain", "FCB0650"]], ids=" ".join
)
def test_read_only_file_system_is_reported(command: list[str], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*FCB, *command], stdout=full, stderr=full, env={**os.environ, "PYTHONUNBUFFERED": unbuffered}
        )
    assert done.returncode == 2


def test_closed_streams_are_no_failure() -> None:
    done = subprocess.run(f"{shlex.join([*FCB, 'explain', 'FCB0650'])} >&- 2>&-", shell=True)
    assert done.returncode == 0


def test_internal_error_is_reported_without_a_traceback(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from fcbdsl.cli import common

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("our own")

    monkeypatch.setattr(common, "load_scope", broken)
    done = shell.fcb("check")
    assert done.code == 2
    assert "internal error: ZeroDivisionError" in done.err
