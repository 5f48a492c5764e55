"""The origin of a printed piece, and its changes since a revision."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_runner import Shell

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")

WHO = ("-c", "user.name=Frog", "-c", "user.email=frog@pond.example", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *WHO, "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(project: Shell) -> Shell:
    """Return the pond in a repository.

    Since the revision `first` the gift brings three flies, not two; one trick was added and one removed.
    """
    git(project.folder, "init", "-q")
    write(project, "up to 2", "up to 2")
    git(project.folder, "add", ".")
    git(project.folder, "commit", "-qm", "The pond as it was")
    git(project.folder, "tag", "first")
    write(project, "up to 2", "up to 3")
    write(project, 'trick puddle "Puddle"', 'trick pool "Pool"')
    git(project.folder, "commit", "-qam", "More flies")
    return project


def write(project: Shell, before: str, after: str) -> None:
    path = project.folder / "cards" / "pond.fcb"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def stamps(project: Shell, *ids: str) -> list[str]:
    """Return the stamps of printed pieces."""
    done = project.fcb("render", *ids, "--to", "html", "-o", "seen")
    page = next(line for line in done.out.splitlines() if line.endswith(".html"))
    html = (project.folder / page).read_text(encoding="utf-8")
    faces = html.split('face" lang="en"')[1:]  # the stamp of each English face
    return [re.findall(r'print-mark">[^<]*([0-9a-z]{6})<', face)[0] for face in faces]


def test_stamp_shows_source_line_of_piece(repository: Shell) -> None:
    (stamp,) = stamps(repository, "gift")
    done = repository.fcb("whatis", stamp.upper())
    assert done.code == 0
    assert "trick/gift, “Gift of flies” (en): cards/pond.fcb:" in done.out
    assert "It has not changed since" in done.out


def test_old_stamp_shows_changes_since(repository: Shell) -> None:
    now = stamps(repository, "gift")
    git(repository.folder, "checkout", "-q", "first")
    (then,) = stamps(repository, "gift")
    (gone,) = stamps(repository, "puddle")
    git(repository.folder, "checkout", "-q", "-")
    assert [then] != now
    done = repository.fcb("whatis", then)
    assert done.code == 0
    assert "trick/gift, “Gift of flies” (en), as of " in done.out
    assert "The pond as it was)." in done.out
    changed = [line.strip() for line in done.out.splitlines() if line.startswith("  ")]
    assert len(changed) == 2
    assert changed[0].startswith("- text: ")
    assert changed[1].startswith("+ text: ")
    assert "3" in changed[1]
    assert "3" not in changed[0]
    assert "It is no longer printed." in repository.fcb("whatis", gone).out
    none = repository.fcb("whatis", then, "--revisions", "1")
    assert (none.code, "now or in 1 earlier revision" in none.err) == (1, True)


@pytest.mark.long
def test_stamps_of_a_revision_are_cached(repository: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fcbdsl.project import revisions

    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "repository"))
    opened: list[str] = []
    model_at = revisions.model_at
    monkeypatch.setattr(revisions, "model_at", lambda project, name: (opened.append(name), model_at(project, name))[1])
    git(repository.folder, "checkout", "-q", "first")
    (then,) = stamps(repository, "gift")
    git(repository.folder, "checkout", "-q", "-")
    assert repository.fcb("whatis", "000000").code == 1
    assert len(opened) == 2
    assert repository.fcb("whatis", "000000").code == 1
    assert len(opened) == 2
    assert "trick/gift" in repository.fcb("whatis", then).out
    assert len(opened) == 3  # only the piece with the stamp


@pytest.mark.parametrize("stamp", ["abc", "abcdeu!", "ABC-DE"])
def test_invalid_stamp_is_refused(repository: Shell, stamp: str) -> None:
    done = repository.fcb("whatis", stamp)
    assert (done.code, "is not a stamp" in done.err) == (2, True)


def test_stamp_without_a_piece_is_reported(project: Shell) -> None:
    done = project.fcb("whatis", "000000")
    assert done.code == 1
    assert "No piece has the stamp 000000" in done.err


def test_since_prints_only_changed_pieces(repository: Shell) -> None:
    done = repository.fcb("render", "--since", "first", "--to", "html", "-o", "out")
    assert done.code == 0
    pages = [Path(line).name for line in done.out.splitlines() if line.endswith(".html")]
    assert len(pages) == 1
    assert re.fullmatch(r"pond-since~[0-9a-f]{7,}\.html", pages[0])
    html = (repository.folder / "out" / pages[0]).read_text(encoding="utf-8")
    assert re.findall(r'<section class="piece" id="([^"]+)"', html) == ["trick/pool", "trick/gift"]
    assert "Not printed any more since" in done.err
    assert "trick/puddle" in done.err


def test_since_skips_change_without_effect_on_print(repository: Shell) -> None:
    write(repository, "use pond", "use pond\n# a remark")
    done = repository.fcb("render", "--since", "HEAD", "--to", "html", "-o", "out")
    assert (done.code, "Nothing has changed since HEAD." in done.err) == (1, True)


@pytest.mark.parametrize(
    ("revision", "says"), [("nowhere", "there is no revision 'nowhere'"), ("--all", "no revision")]
)
def test_unknown_revision_is_refused(repository: Shell, revision: str, says: str) -> None:
    done = repository.fcb("render", f"--since={revision}", "-o", "out")
    assert (done.code, says in done.err) == (2, True), done


def test_since_without_repository_is_refused(project: Shell) -> None:
    done = project.fcb("render", "--since", "HEAD", "-o", "out")
    assert done.code == 2
    assert "--since HEAD" in done.err


def test_revision_with_errors_is_reported(repository: Shell) -> None:
    write(repository, "use pond", "use pnod")
    git(repository.folder, "commit", "-qam", "Broken")
    git(repository.folder, "tag", "broken")
    write(repository, "use pnod", "use pond")
    done = repository.fcb("render", "--since", "broken", "-o", "out")
    assert (done.code, "errors in the project at" in done.err) == (2, True), done
