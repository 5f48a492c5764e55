"""The projects that an editor has open: which file belongs to which, and what is known of each as it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.records import dataclass
from fcbdsl.editor.lsp.symbols import ProjectNames
from fcbdsl.project.project import (
    NoProject,
    SeveralGames,
    UnknownGame,
    find_project,
    lies_in,
    read_projects,
    shown_name,
)
from fcbdsl.project.workspace import Workspace


class NotOpened(Exception):
    """A file that no project can be opened for; the message says why."""


@dataclass(slots=True, eq=False)
class EditorSession:
    """A project, or a game of it, that is open; its names, of which what an edit does not touch is kept."""

    space: Workspace
    told: set[str] = field(default_factory=set)
    _names: ProjectNames | None = None
    _edited: bool = False
    _redeclared: bool = False

    @property
    def names(self) -> ProjectNames:
        """The names of the project as it is now."""
        if self._names is None:
            self._names = ProjectNames(self.space)
        elif self._edited:
            self._names.edited(self._redeclared)
        self._edited = self._redeclared = False
        return self._names

    def change(self, name: str, text: str | None) -> None:
        """Let a file have a text that is not saved; None: what lies on the disk counts. Raises NotOpened."""
        if text is not None and name in self.space.files and self.space.text(name) == text:
            return
        try:
            self.space.change(name, text)
        except (NoProject, SeveralGames, UnknownGame) as trouble:
            raise NotOpened(str(trouble)) from trouble
        self._edited = True
        self._redeclared |= self.space.redeclared

    def refresh(self) -> None:
        """Look at the disk again. Raises NotOpened."""
        try:
            self.space.refresh()
        except (NoProject, SeveralGames, UnknownGame) as trouble:
            raise NotOpened(str(trouble)) from trouble
        self._edited = True
        self._redeclared |= self.space.redeclared

    def problems(self) -> dict[str, list[Diagnostic]]:
        """What is wrong, by file; with empty lists for files of which something was told before."""
        found: dict[str, list[Diagnostic]] = {name: [] for name in self.told}
        for one in self.space.problems():
            found.setdefault(one.span.source.name, []).append(one)
        self.told = {name for name, each in found.items() if each}
        return found


class Sessions:
    """Opens projects when a file of theirs is asked for, each once."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], EditorSession] = {}

    def __iter__(self) -> Iterator[EditorSession]:
        return iter(list(self._open.values()))

    def of(self, path: Path) -> EditorSession:
        """The project of a file: that which has it open, or else its own. Raises NotOpened."""
        name = shown_name(path)
        for session in self:
            if name in session.space.files:
                return session
        root = find_project(path.parent)
        key = (str(root or path), "" if root is None else self._game(root, path))
        if key not in self._open:
            try:
                space = Workspace([path]) if root is None else Workspace(root=root, game=key[1])
            except (NoProject, SeveralGames, UnknownGame, OSError) as trouble:
                raise NotOpened(f"{name}: {trouble}") from trouble
            self._open[key] = EditorSession(space)
        return self._open[key]

    def _game(self, root: Path, path: Path) -> str:
        """The game of a project that a file belongs to: its own, or the first."""
        projects = read_projects(root, Problems())
        return next((one.game for one in projects if lies_in(path, one.places())), projects[0].game)
