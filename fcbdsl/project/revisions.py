"""Earlier revisions of a project in its git repository."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base import temporary
from fcbdsl.base.records import dataclass

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.project.settings import Project


class NoHistory(Exception):
    """A revision is not available; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A revision: its short name, its day, and its subject."""

    name: str
    day: str
    subject: str


def _git(folder: Path, *arguments: str) -> bytes:
    """Run git in the repository around a folder and return its output. Raise NoHistory if it fails."""
    try:
        done = subprocess.run(["git", "--no-pager", "-C", str(folder), *arguments], capture_output=True, check=False)
    except OSError as error:
        raise NoHistory("git can't be run, and earlier revisions are known to it alone") from error
    if done.returncode:
        raise NoHistory(done.stderr.decode(errors="replace").strip().splitlines()[0] if done.stderr else "git failed")
    return done.stdout


def repository(project: Project) -> Path:
    """Return the repository that contains a project. Raise NoHistory if there is none."""
    if project.root is None:
        raise NoHistory("loose files have no history: name a project")
    return Path(_git(project.root, "rev-parse", "--show-toplevel").decode().strip())


def commit_of(project: Project, revision: str) -> Commit:
    """Return the commit of a revision. Raise NoHistory if there is none."""
    top = repository(project)
    try:
        commit = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except NoHistory as nothing:
        raise NoHistory(f"there is no revision {revision!r} in {top}") from nothing
    return next(_commits(top, commit.decode().strip(), 1, ()))


def commits_of(project: Project, most: int) -> list[Commit]:
    """Return the latest commits that touched the project, newest first. Raise NoHistory if there is no repository."""
    top = repository(project)
    places = [path for path in (*project.content(), *project.systems()) if path.exists()]
    inside = [str(path.resolve()) for path in places if path.resolve().is_relative_to(top.resolve())]
    return list(_commits(top, "HEAD", most, inside))


def _commits(top: Path, start: str, most: int, paths: Sequence[str]) -> Iterator[Commit]:
    log = _git(top, "log", f"--max-count={most}", "--format=%h%x09%cs%x09%s", start, "--", *paths).decode(
        errors="replace"
    )
    for line in log.splitlines():
        yield Commit(*line.split("\t", 2))


@contextmanager
def _at(project: Project, revision: str) -> Iterator[Path]:
    """Yield the folder of a project at a revision, as a temporary folder."""
    from fcbdsl.project.paths import shipped_path

    top, root = repository(project), project.root
    assert root is not None
    with temporary.temporary_folder(temporary.REVISION) as name:
        folder = Path(name)
        with tarfile.open(fileobj=io.BytesIO(_git(top, "archive", "--format=tar", revision))) as archive:
            if hasattr(tarfile, "data_filter"):
                archive.extractall(folder, filter="data")
            else:  # Python before 3.11.4 lacks the filter; git names only files and folders inside the folder
                archive.extractall(folder, [info for info in archive if info.isfile() or info.isdir()])
        old = folder / root.resolve().relative_to(top.resolve())
        systems = shipped_path("systems").resolve()
        if systems.is_relative_to(top.resolve()) and not (old / "systems").exists():
            systems_there = folder / systems.relative_to(top.resolve())  # the repository is that of fcb itself
            if systems_there.is_dir() and old.is_dir():
                systems_there.rename(old / "systems")
        yield old


@contextmanager
def opened_at(project: Project, revision: str) -> Iterator[Model]:
    """Yield the model of the project at a revision, checked by this version of fcb, while the files that it names
    exist.

    Raise NoHistory if it has errors.
    """
    from fcbdsl.project.project import UnknownGame, check_project

    with _at(project, revision) as folder:
        if not folder.is_dir():
            raise NoHistory(f"there was no {folder.name} at {revision}")
        try:
            model, problems = check_project(tests=False, root=folder, game=project.game)
        except (UnknownGame, OSError) as nothing:
            raise NoHistory(f"the project can't be read at {revision}") from nothing
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors:
            raise NoHistory(f"this fcb finds {len(errors)} errors in the project at {revision}: {errors[0].message}")
        yield model


def model_at(project: Project, revision: str) -> Model:
    """Return the model of the project at a revision. Raise NoHistory as `opened_at` does."""
    with opened_at(project, revision) as model:
        return model
