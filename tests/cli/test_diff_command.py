"""`fcb diff`: folders and revisions."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_runner import Shell


@pytest.fixture
def other(project: Shell) -> Path:
    """Return a copy of the project in which the gift has three flies."""
    folder = project.folder.with_name("other")
    shutil.copytree(project.folder, folder)
    cards = folder / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace("up to 2", "up to 3"), encoding="utf-8")
    return folder


def test_diff_reports_in_each_format(project: Shell, other: Path) -> None:
    done = project.fcb("diff", ".", other)
    assert (done.code, done.err) == (0, "")
    assert "trick/gift “Gift of flies”: plays and prints differently" in done.out
    assert project.fcb("diff", ".", other, "--exit-code").code == 1
    assert project.fcb("diff", ".", ".", "--exit-code").code == 0
    (one,) = json.loads(project.fcb("diff", ".", other, "--format", "json").out)["changed"]
    assert (one["key"], one["changes"][0]["words"][1:3]) == ("trick/gift", [["gone", "2"], ["new", "3"]])
    assert project.fcb("diff", ".", other, "--format", "markdown", "-o", "out.md").out == "out.md\n"
    assert "<del>[-2-]</del>" in (project.folder / "out.md").read_text(encoding="utf-8")
    assert project.fcb("diff", ".", other, "--format", "html", "-o", "out.html").code == 0
    html = (project.folder / "out.html").read_text(encoding="utf-8")
    assert "<del>2</del><ins>3</ins>" in html
    assert html.count('face" lang="en"') == html.count('face" lang="fr"') == 2
    assert "http-equiv" in html
    assert 'src="http' not in html


@pytest.mark.long
def test_diff_accepts_revision(project: Shell, other: Path) -> None:
    for line in ("init -q", "add -A", "-c user.name=A -c user.email=a@b.c commit -q -m First"):
        subprocess.run(["git", *line.split()], cwd=project.folder, check=True)
    output = project.fcb("diff", ".", other).out
    shutil.copy(other / "cards" / "pond.fcb", project.folder / "cards" / "pond.fcb")
    assert project.fcb("diff", "HEAD", ".").out == output
    assert "Nothing changes" in project.fcb("diff", "HEAD", "HEAD").out


def test_invalid_side_is_refused(project: Shell, other: Path) -> None:
    done = project.fcb("diff", ".", "nowhere")
    assert (done.code, "is not a folder, a file or a revision" in done.err) == (2, True)
    (other / "cards" / "pond.fcb").write_text("use pond\nfrog (\n", encoding="utf-8")
    done = project.fcb("diff", ".", other)
    assert (done.code, "has errors" in done.err) == (1, True)
