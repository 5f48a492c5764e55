"""Files are written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fcbdsl.base.files import PROJECT_FILE, LinkLeadsOut, rewrite_text, write_atomically


def test_missing_folder_is_created_with_file(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b.txt"
    write_atomically(target, b"whole")
    assert target.read_bytes() == b"whole"
    assert os.listdir(target.parent) == ["b.txt"]


def test_interrupted_write_leaves_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "b.txt"
    target.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["b.txt"]


def test_link_at_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "keys").write_bytes(b"mine")
    (tmp_path / "report.xml").symlink_to("keys")
    write_atomically(tmp_path / "report.xml", b"new")
    assert (tmp_path / "keys").read_bytes() == b"mine"
    assert (tmp_path / "report.xml").read_bytes() == b"new"
    assert not (tmp_path / "report.xml").is_symlink()


def test_dangling_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "report.xml").symlink_to("nowhere/report.xml")
    write_atomically(tmp_path / "report.xml", b"new")
    assert not (tmp_path / "nowhere").exists()
    assert (tmp_path / "report.xml").read_bytes() == b"new"


@pytest.fixture(params=["project", "current directory"])
def pack(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder whose `print` is a link to a folder `victim` beside it."""
    pack = tmp_path / "pack"
    pack.mkdir()
    (tmp_path / "victim").mkdir()
    (pack / "print").symlink_to("../victim")
    if request.param == "project":
        (pack / PROJECT_FILE).touch()
    else:
        monkeypatch.chdir(pack)
    return pack


def test_output_follows_no_folder_link_out_of_project(pack: Path) -> None:
    with pytest.raises(LinkLeadsOut, match="link leads out"):
        write_atomically(pack / "print" / "en" / "cards.pdf", b"new")
    assert os.listdir(pack.parent / "victim") == []


def test_links_within_the_project_are_followed(pack: Path) -> None:
    (pack / "out").mkdir()
    (pack / "short").symlink_to("out")
    write_atomically(pack / "short" / "a.txt", b"new")
    assert (pack / "out" / "a.txt").read_bytes() == b"new"


def test_named_file_outside_of_project_is_written(pack: Path) -> None:
    write_atomically(pack / ".." / "victim" / "a.txt", b"new")
    assert (pack.parent / "victim" / "a.txt").read_bytes() == b"new"


def test_source_is_not_rewritten_through_outside_link(pack: Path) -> None:
    outside = pack.parent / "o.fcb"
    outside.write_bytes(b"old")
    (pack / "z.fcb").symlink_to("../o.fcb")
    with pytest.raises(LinkLeadsOut):
        rewrite_text(pack / "z.fcb", "new")
    assert outside.read_bytes() == b"old"


def test_source_is_rewritten_through_inside_link(pack: Path) -> None:
    (pack / "a.fcb").write_bytes(b"old")
    (pack / "z.fcb").symlink_to("a.fcb")
    rewrite_text(pack / "z.fcb", "new")
    assert (pack / "a.fcb").read_bytes() == b"new"
    assert (pack / "z.fcb").is_symlink()


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (b"a\r\nb\nc\n", "a\nx\ny\nc\n", b"a\r\nx\r\ny\nc\n"),
        (b"a\nb\r\nc", "b\nc", b"b\r\nc"),
        (b"a\r\nb\nc", "a\nb\nc\nd", b"a\r\nb\nc\r\nd"),
        (b"a\r\nb\nc\rd", "a\nb\nc\nD", b"a\r\nb\nc\rD"),
        (b"a\rb\r\nc\n", "a\rb\nC\n", b"a\rb\r\nC\n"),
        (b"", "a\nb", b"a\nb"),
        (b"\xef\xbb\xbfa\r\n", "\n\na\n", b"\xef\xbb\xbf\r\n\r\na\r\n"),
    ],
)
def test_rows_that_stay_keep_their_line_ends(tmp_path: Path, before: bytes, text: str, after: bytes) -> None:
    (tmp_path / "a.fcb").write_bytes(before)
    rewrite_text(tmp_path / "a.fcb", text)
    assert (tmp_path / "a.fcb").read_bytes() == after


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="the system has no /dev/null")
def test_device_is_written_directly(tmp_path: Path) -> None:
    write_atomically(Path("/dev/null"), b"gone")
    (tmp_path / "null").symlink_to("/dev/null")
    write_atomically(tmp_path / "null", b"kept")
    assert (tmp_path / "null").read_bytes() == b"kept"
