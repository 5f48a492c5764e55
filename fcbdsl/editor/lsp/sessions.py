"""The projects that an editor has open: the files of each, and their state with unsaved edits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.records import dataclass
from fcbdsl.editor.lsp.symbols import ProjectNames
from fcbdsl.project.paths import find_project, lies_in, shown_name
from fcbdsl.project.project import NoProject, SeveralGames, UnknownGame
from fcbdsl.project.settings import read_projects
from fcbdsl.project.workspace import Workspace


class NotOpened(Exception):
    """A file without a project that can be opened; the message gives the reason."""


@dataclass(slots=True, eq=False)
class EditorSession:
    """An open project, or one game of it, with a cache of its names that edits update."""

    space: Workspace
    reported_files: set[str] = field(default_factory=set)
    _names: ProjectNames | None = None
    _edited: bool = False
    _redeclared: bool = False

    @property
    def names(self) -> ProjectNames:
        """Return the names of the project in its present state."""
        if self._names is None:
            self._names = ProjectNames(self.space)
        elif self._edited:
            self._names.edited(self._redeclared)
        self._edited = self._redeclared = False
        return self._names

    def change(self, name: str, text: str | None) -> None:
        """Set the unsaved text of a file; None: the file on the disk counts. Raise NotOpened if it can't be read."""
        if text is not None and name in self.space.files and self.space.text(name) == text:
            return
        try:
            self.space.change(name, text)
        except (NoProject, SeveralGames, UnknownGame) as error:
            raise NotOpened(str(error)) from error
        self._edited = True
        self._redeclared |= self.space.redeclared

    def refresh(self) -> None:
        """Read the disk again. Raise NotOpened if it can't be read."""
        try:
            self.space.refresh()
        except (NoProject, SeveralGames, UnknownGame) as error:
            raise NotOpened(str(error)) from error
        self._edited = True
        self._redeclared |= self.space.redeclared

    def problems(self) -> dict[str, list[Diagnostic]]:
        """Return the problems by file; with empty lists for files that had some at the last call."""
        by_file: dict[str, list[Diagnostic]] = {name: [] for name in self.reported_files}
        for problem in self.space.problems():
            by_file.setdefault(problem.span.source.name, []).append(problem)
        self.reported_files = {name for name, each in by_file.items() if each}
        return by_file


class Sessions:
    """Opens each project once, when a client asks for one of its files."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], EditorSession] = {}

    def __iter__(self) -> Iterator[EditorSession]:
        return iter(list(self._open.values()))

    def of(self, path: Path) -> EditorSession:
        """Return the session of a file: one that has it open, or else that of its project. Raise NotOpened if there is
        none."""
        name = shown_name(path)
        for session in self:
            if name in session.space.files:
                return session
        root = find_project(path.parent)
        key = (str(root or path), "" if root is None else self._game(root, path))
        if key not in self._open:
            try:
                space = Workspace([path]) if root is None else Workspace(root=root, game=key[1])
            except (NoProject, SeveralGames, UnknownGame, OSError) as error:
                raise NotOpened(f"{name}: {error}") from error
            self._open[key] = EditorSession(space)
        return self._open[key]

    def _game(self, root: Path, path: Path) -> str:
        """Return the game of a project that a file belongs to: its own, or the first."""
        projects = read_projects(root, Problems())
        return next((project.game for project in projects if lies_in(path, project.places())), projects[0].game)
