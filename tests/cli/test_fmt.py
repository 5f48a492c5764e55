"""``fcb fmt``: files, folders, a project, standard input."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell

BEFORE = 'use pond\n\n\nlily big "Big" :\n  # wide\n  size:2\n'
AFTER = 'use pond\n\nlily big "Big":\n  # wide\n  size: 2\n'


@pytest.fixture
def file(shell: Shell) -> Path:
    """Return an unformatted file in the shell's folder."""
    path = shell.folder / "cards" / "a.fcb"
    path.parent.mkdir()
    path.write_text(BEFORE)
    return path


def test_fmt_is_idempotent(shell: Shell, file: Path) -> None:
    done = shell.fcb("fmt")
    assert (done.code, done.out) == (0, "Changed cards/a.fcb.\n")
    assert done.err.endswith("1 file changed, 0 already formatted.\n")
    assert file.read_text() == AFTER
    again = shell.fcb("fmt")
    assert (again.code, again.out) == (0, "")
    assert again.err.endswith("0 files changed, 1 already formatted.\n")


def test_check_and_diff_write_nothing(shell: Shell, file: Path) -> None:
    looked = shell.fcb("fmt", "--check", "cards")
    assert (looked.code, looked.out) == (1, "Would change cards/a.fcb.\n")
    shown = shell.fcb("fmt", "--diff", file)
    assert shown.code == 1
    assert '-lily big "Big" :\n+lily big "Big":\n' in shown.out
    assert file.read_text() == BEFORE
    shell.fcb("fmt")
    assert shell.fcb("fmt", "--check").code == shell.fcb("fmt", "--diff").code == 0


def test_fmt_reads_standard_input(shell: Shell) -> None:
    assert shell.fcb("fmt", "-", stdin=BEFORE) == shell.fcb("fmt", "-", stdin=AFTER)
    done = shell.fcb("fmt", "-", stdin=BEFORE)
    assert (done.code, done.out, done.err) == (0, AFTER, "")
    checked = shell.fcb("fmt", "--check", "-", stdin=BEFORE)
    assert (checked.code, checked.out) == (1, "")
    assert shell.fcb("fmt", "--diff", "-", stdin=BEFORE).out.startswith("--- <stdin>\n")
    assert shell.fcb("fmt", "-", ".", stdin=BEFORE).code == 2
    broken = shell.fcb("fmt", "-", stdin="lily (big\n")
    assert broken.code == 1
    assert broken.out == ""  # an editor replaces the text by this output
    assert "FCB0210" in broken.err


def test_fmt_reports_and_keeps_lines_that_do_not_parse(shell: Shell, file: Path) -> None:
    broken = file.with_name("b.fcb")
    broken.write_text("lily  (big\n")
    (file.parent / "c.fcb").write_bytes(b"\xff")
    done = shell.fcb("fmt", "cards")
    assert done.code == 1
    assert "FCB0210" in done.out
    assert "FCB0101" in done.out or "FCB0102" in done.out
    assert done.err.endswith("1 file changed, 0 already formatted, 2 with syntax errors.\n")
    assert broken.read_text() == "lily  (big\n"
    assert file.read_text() == AFTER


def test_fmt_keeps_line_endings(shell: Shell, file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + BEFORE.replace("\n", "\r\n").encode())
    shell.fcb("fmt", file)
    assert file.read_bytes() == AFTER.replace("\n", "\r\n").encode()
    assert shell.fcb("fmt", "--check", file).code == 0


def test_hidden_and_installed_folders_are_not_searched(shell: Shell, file: Path) -> None:
    for folder in (".keep", "lib/site-packages"):
        other = shell.folder / folder / "a.fcb"
        other.parent.mkdir(parents=True)
        other.write_text(BEFORE)
        shell.fcb("fmt", ".")
        assert other.read_text() == BEFORE
    assert file.read_text() == AFTER


def test_fmt_leaves_shipped_content_alone(project: Shell) -> None:
    done = project.fcb("fmt", "--check")
    assert done.code == 0
    assert "systems" not in done.out
