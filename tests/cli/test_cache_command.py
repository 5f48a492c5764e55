"""`fcb cache` shows what is stored, and why nothing can be stored."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.base import cache
from fcbdsl.machine import verified


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("FCB_STATE", str(tmp_path / "state"))
    return Shell(tmp_path, monkeypatch, capsys)


def lines(shell: Shell, *arguments: str) -> list[str]:
    done = shell.fcb("cache", *arguments)
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


def test_counts_results_and_verified_programs(shell: Shell, tmp_path: Path) -> None:
    cache.store_result(cache.result_key([b"a"]), 1)
    for data in (b"a", b"b", b"b"):
        verified.record(data)
    assert lines(shell) == [
        f"{tmp_path / 'cache'}: 1 result, 0.0 MB of 500.",
        f"{tmp_path / 'state'}: 2 verified programs.",
    ]
    assert lines(shell, "clear") == [f"{tmp_path / 'cache'}: deleted 1 result, 0.0 MB."]
    assert cache.cached_files(tmp_path / "cache") == []
    assert verified.is_known(b"a")


def test_cache_command_reports_that_both_are_off(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", "")
    monkeypatch.setenv("FCB_STATE", "")
    assert lines(shell) == [
        "fcb caches nothing between runs: FCB_CACHE is empty.",
        "fcb does not remember verified programs: FCB_STATE is empty.",
    ]


def test_reports_a_file_where_a_folder_should_be(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    (tmp_path / "state").touch()
    problem, noted = lines(shell)
    assert problem == f"{tmp_path / 'cache'}: fcb cannot use this cache: {os.strerror(errno.EEXIST)}."
    assert noted == f"{tmp_path / 'state'}: fcb cannot remember verified programs there: {os.strerror(errno.EEXIST)}."


def test_reports_a_folder_where_the_secret_should_be(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "state" / "secret" / "inner").mkdir(parents=True)
    verified.record(b"a")
    assert "fcb cannot remember verified programs there" in lines(shell)[1]


def test_read_only_cache_is_used_and_counted(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = cache.result_key([b"a"])
    cache.store_result(name, 1)
    verified.record(b"a")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "utime", refuse)
    assert cache.load_result(name, lambda value: value == 1) == 1
    assert cache.why_not_written(tmp_path / "cache") == os.strerror(errno.EROFS)
    assert verified.why_not_recorded(tmp_path / "state") == os.strerror(errno.EROFS)
