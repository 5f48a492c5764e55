"""Files that a test edits, and a checker that updates its problems after each edit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import Checker
from fcbdsl.language.syntax.pieces import read_pieces
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project


class EditedFiles:
    """Texts by the names of their files. `proofs`: the names of the files with tests."""

    def __init__(self, texts: Mapping[str, str], proofs: Sequence[str] = ()) -> None:
        self.texts = dict(texts)
        self.pieces = {name: read_pieces(Source(name, text)) for name, text in texts.items()}
        self.files = {name: pieces.file() for name, pieces in self.pieces.items()}
        self.checker = Checker({}, (), proofs)
        self.checker.update(list(self.files.values()))

    def write(self, name: str, text: str) -> None:
        """Replace the text of a file."""
        self._write(name, text)
        self.checker.update(list(self.files.values()))

    def _write(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.pieces[name] = read_pieces(Source(name, text), self.pieces[name].pieces)
        self.files[name] = self.pieces[name].file()

    @contextmanager
    def trying(self, changed: Mapping[str, str]) -> Iterator[tuple[list[Diagnostic], list[Diagnostic]]]:
        """Return the findings with other texts of some files: in their lines, and all. The texts are restored
        afterwards."""
        before = {name: self.texts[name] for name in changed}
        for name, text in changed.items():
            self._write(name, text)
        self.checker.update(list(self.files.values()))
        yield [problem for name in changed for problem in self.pieces[name].problems()], list(self.checker.problems())
        for name, text in before.items():
            self._write(name, text)
        self.checker.update(list(self.files.values()))


def edited_shipped_game(game: str) -> EditedFiles:
    """Return a shipped game without its tests: system files by their names, cards and missions by their stems."""
    loader = Loader(Project())
    for name in ("core", game):
        loader.use(name)
    texts = {source.name: source.text for source in loader.sources}
    for folder in ("cards", "missions"):
        for path in sorted((shipped_path(folder) / game).glob("*.fcb")):
            texts[path.stem] = path.read_text(encoding="utf-8")
    return EditedFiles(texts)
