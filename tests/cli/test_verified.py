"""A program that this installation has verified is not verified again; copied records do not count."""

from __future__ import annotations

import os
import shutil
from collections.abc import Container
from pathlib import Path

import pytest
from cli_runner import Done, Shell
from pond_game import pond

from fcbdsl.base import cache
from fcbdsl.machine import verified
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify.codes import Finding

PLAY = ("play", "crossing", "--program", "a.fcbc", "--bot", "first", "--seed", "1")


class Watched:
    """A shell with a program, which records whether fcb verifies the program."""

    def __init__(self, shell: Shell, patch: pytest.MonkeyPatch) -> None:
        from fcbdsl.machine.vm.verify import verifier

        self.shell = shell
        self.file = shell.folder / "a.fcbc"
        self.file.write_bytes(fcbc.dump(pond()))
        self.seen = 0
        genuine = verifier.verify_program

        def watching(program: Program, known: Container[int] = ()) -> list[Finding]:
            self.seen += 1
            return genuine(program, known)

        patch.setattr(verifier, "verify_program", watching)

    def verifies(self, *arguments: str) -> bool:
        """Return whether a successful command verifies the program."""
        self.seen = 0
        done = self.run(*arguments)
        assert done.code == 0, done
        return self.seen > 0

    def run(self, *arguments: str) -> Done:
        return self.shell.fcb(*(arguments or PLAY))


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty folder of the records of verified programs."""
    monkeypatch.setenv("FCB_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def watched(shell: Shell, state: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(shell, monkeypatch)


def test_program_is_verified_once(watched: Watched, state: Path) -> None:
    assert watched.verifies()
    first = watched.run()
    assert not watched.verifies()
    assert watched.run() == first
    assert state.stat().st_mode & 0o77 == 0


def test_compiled_program_is_verified_at_compilation(project: Shell, state: Path, watched: Watched) -> None:
    watched.shell = project
    assert watched.verifies("compile", "-o", "a.fcbc")
    assert not watched.verifies()


def test_verify_command_always_verifies(watched: Watched) -> None:
    assert watched.verifies()
    assert watched.verifies("verify", "a.fcbc")


@pytest.mark.parametrize("share", [0.001, 0.3, 0.6, 0.999])
def test_changed_byte_is_verified_again(watched: Watched, share: float) -> None:
    assert watched.verifies()
    data = bytearray(watched.file.read_bytes())
    at = next(n for n in range(int(share * len(data)), len(data)) if 0x30 <= data[n] <= 0x39 or chr(data[n]).isalpha())
    data[at] ^= 1
    watched.file.write_bytes(data)
    done = watched.run()
    assert (done.code, "refused" in done.err) == (1, True)


def test_refused_program_is_refused_again(watched: Watched) -> None:
    watched.file.write_bytes(watched.file.read_bytes().replace(b'"hash":"', b'"hash":"0', 1))
    assert [watched.run().code for _ in range(3)] == [1, 1, 1]


def test_result_cache_cannot_vouch_for_program(
    watched: Watched, state: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"
    monkeypatch.setenv("FCB_CACHE", str(theirs))
    assert watched.verifies()
    shutil.copytree(state, theirs, dirs_exist_ok=True)
    shutil.copytree(theirs, tmp_path / "restored")
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "restored"))
    monkeypatch.setenv("FCB_STATE", str(tmp_path / "mine"))
    assert watched.verifies()


def test_copied_record_cannot_vouch_for_program(
    watched: Watched, state: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert watched.verifies()
    shutil.copytree(state, tmp_path / "copy")
    monkeypatch.setenv("FCB_STATE", str(tmp_path / "copy"))
    assert watched.verifies()
    assert not watched.verifies(), "it goes on with what it verifies itself"


def test_restored_record_cannot_vouch_for_program(watched: Watched, state: Path, tmp_path: Path) -> None:
    assert watched.verifies()
    shutil.copytree(state, tmp_path / "backup")
    (state / "secret").unlink()
    (state / "other").write_bytes(b"takes the number that was free")
    shutil.copytree(tmp_path / "backup", state, dirs_exist_ok=True)
    assert watched.verifies()


@pytest.mark.skipif(not hasattr(os, "link"), reason="no hard links here")
def test_hard_link_cannot_vouch_for_program(
    watched: Watched, state: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert watched.verifies()
    shutil.copytree(state, tmp_path / "linked", copy_function=os.link)
    monkeypatch.setenv("FCB_STATE", str(tmp_path / "linked"))
    assert watched.verifies()


def test_other_code_version_verifies_again(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched.verifies()
    monkeypatch.setattr(cache, "code_fingerprint", lambda: b"the next release")
    assert watched.verifies()


def test_folder_writable_by_others_is_not_used(watched: Watched, state: Path) -> None:
    assert watched.verifies()
    state.chmod(0o777)
    watched.seen = 0
    assert "is no place to remember what was verified" in watched.run().err
    assert watched.seen


@pytest.mark.parametrize("name", ["secret", "verified"])
@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 32, b"a" * 1_000_000])
def test_invalid_record_cannot_vouch_for_program(watched: Watched, state: Path, name: str, content: bytes) -> None:
    assert watched.verifies()
    (state / name).write_bytes(content)
    assert watched.verifies()
    assert not watched.verifies()


def test_linked_secret_is_refused(watched: Watched, state: Path, tmp_path: Path) -> None:
    assert watched.verifies()
    (state / "secret").rename(tmp_path / "elsewhere")
    (state / "secret").symlink_to(tmp_path / "elsewhere")
    assert watched.verifies()


def test_disabled_records_write_nothing(watched: Watched, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_STATE", "")
    assert watched.verifies()
    assert watched.verifies()
    assert not state.exists()


def test_read_only_folder_verifies_again(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_STATE", str(watched.file / "below-a-file"))
    assert watched.verifies()
    assert watched.verifies()


def test_oldest_records_are_removed(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verified, "MOST", 3)
    for number in [0, 1, 2, 0, 3]:
        verified.record(b"%d" % number)
    assert [verified.is_known(b"%d" % number) for number in range(4)] == [True, False, True, True]


def test_records_have_one_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("FCB_STATE", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert verified.records_folder() == tmp_path / ".local" / "state" / "fcbdsl"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    assert verified.records_folder() == tmp_path / "xdg" / "fcbdsl"
    monkeypatch.setenv("FCB_STATE", str(tmp_path / "own"))
    assert verified.records_folder() == tmp_path / "own"
