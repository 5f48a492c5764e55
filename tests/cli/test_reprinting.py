"""`fcb render` copies unchanged prints from the cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.base import cache
from fcbdsl.cli import kept_prints
from fcbdsl.print.pieces.pictures import MOST_BYTES
from fcbdsl.print.typeset import worker_client
from fcbdsl.project.project import load_project

ONE = ("render", "puddle", "-o", "out")
"""Options that print one small piece."""


@pytest.fixture
def asked(project: Shell, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the requests to the typesetting process; the cache is empty."""
    monkeypatch.setenv("FCB_CACHE", str(project.folder.parent / "kept"))
    made: list[str] = []
    real = worker_client.ask
    monkeypatch.setattr(worker_client, "ask", lambda do, *more, **how: (made.append(do), real(do, *more, **how))[1])
    return made


def printed(project: Shell) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((project.folder / "out").rglob("*")) if path.is_file()}


@pytest.mark.long
def test_unchanged_print_is_not_typeset_again(
    project: Shell, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = project.fcb(*ONE)
    assert first.code == 0
    assert asked
    files = printed(project)
    asked.clear()
    for path in (project.folder / "out").rglob("*.pdf"):
        path.unlink()
    assert project.fcb(*ONE) == first
    assert asked == []
    assert printed(project) == files
    monkeypatch.setenv("FCB_CACHE", "")
    assert project.fcb(*ONE) == first
    assert printed(project) == files


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("edited", "more"),
    [
        (("cards/pond.fcb", 'puddle "Puddle"', 'puddle "Pool"'), ()),
        (("fcb.toml", "The Pond", "The Lake"), ()),
        (None, ("--paper", "letter")),
        (None, ("--lang", "fr")),
        (None, ("--ink", "save")),
        (None, ("--cut", "gutter")),
    ],
    ids=["text", "title", "paper", "language", "ink", "cut"],
)
def test_changed_print_is_typeset_again(
    edited: tuple[str, str, str] | None,
    more: tuple[str, ...],
    project: Shell,
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert project.fcb(*ONE).code == 0
    asked.clear()
    if edited is not None:
        path = project.folder / edited[0]
        text = path.read_text(encoding="utf-8")
        assert edited[1] in text
        path.write_text(text.replace(edited[1], edited[2]), encoding="utf-8")
    done = project.fcb(*ONE, *more)
    assert asked
    files = printed(project)
    monkeypatch.setenv("FCB_CACHE", "")
    assert project.fcb(*ONE, *more) == done
    assert printed(project) == files


def test_changed_fcb_code_prints_again(project: Shell, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    project.fcb(*ONE)
    asked.clear()
    monkeypatch.setattr(cache, "code_fingerprint", lambda: b"another version")
    project.fcb(*ONE)
    assert asked


def test_cache_entry_with_other_folder_is_refused(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", str(project.folder.parent / "kept"))
    key = cache.result_key([b"a print"])
    hostile = ("../evil.pdf", "/evil.pdf", f"a{os.sep}evil.pdf", ".evil.pdf", "evil.sh", "evil.pdf\n")
    for name in hostile:
        cache.store_result(key, (key, ((((name, b"%PDF-1.7"),), ()),)))
        assert kept_prints.load_print(key) is None, name
    good = ((("a.pdf", b"%PDF-1.7"),), ("a note",))
    for step in (((("a.pdf", b"#!/bin/sh"),), ()), ((("a.pdf", b"%PDF-1.7"),), (7,)), ()):
        cache.store_result(key, (key, (step,)))
        assert kept_prints.load_print(key) is None
    cache.store_result(key, ("another key", (good,)))
    assert kept_prints.load_print(key) is None
    cache.store_result(key, (key, (good,)))
    entry = kept_prints.load_print(key)
    assert entry is not None
    made = kept_prints.write_print(entry, project.folder / "out")
    assert [path.name for rendered in made for path in rendered.files] == ["a.pdf"]
    assert Path(project.folder, "out", "a.pdf").read_bytes() == b"%PDF-1.7"


def test_cache_key_reads_pictures_up_to_size_limit(project: Shell) -> None:
    source = project.folder / "cards" / "seen.fcb"
    source.write_text('frog seen "Seen":\n  art: "large.png"\n', encoding="utf-8")
    picture = project.folder / "cards" / "large.png"

    def key(data: bytes) -> str | None:
        picture.write_bytes(data)
        os.utime(picture, (1, 1))  # size and time stay the same
        return kept_prints.key_of_print(load_project(root=project.folder), "options")

    large = MOST_BYTES - 1
    first = key(b"a" * large)
    assert first is not None
    assert key(b"b" * large) not in (None, first)
    assert key(b"a" * (MOST_BYTES + 1)) is None
    picture.unlink()  # what looks like a file can be other text, and the key changes when the file is there
    assert kept_prints.key_of_print(load_project(root=project.folder), "options") not in (None, first)
