"""The texts of an open project, as the editor in the page reads and saves them.

A page gets a text with its hash. It can save only on top of that text: what another program has written meanwhile is
never lost.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

from fcbdsl.base.files import CannotRead, read_regular
from fcbdsl.editor.live.edit_journal import CannotTakeBack, EditJournal, FileHasChanged, plain_text, with_plain_ends
from fcbdsl.editor.live.project_state import Choice, Desk, piece_key
from fcbdsl.editor.lsp.uris import uri_of
from fcbdsl.project.analysis.source_pieces import text_hash


class CannotSave(Exception):
    """A text that is not saved; the message gives the reason."""


class Conflict(Exception):
    """A text that is not saved because the file has another text than the page has read.

    `text` and `seal` are those of the file now.
    """

    def __init__(self, file: str, text: str, seal: str) -> None:
        super().__init__(f"{file} has changed since.")
        self.text = text
        self.seal = seal


class TextFiles:
    """Reads and saves the texts of a project. Its methods may be called from several threads."""

    def __init__(self, desk: Desk, writes: bool) -> None:
        self._desk = desk
        self.writes = writes
        self._journal = EditJournal(desk)

    def overview(self) -> list[dict[str, Any]]:
        """Return the files of each game by folder."""
        with self._desk:
            return [
                {
                    "name": game.name,
                    "title": game.space.loader.project.title or game.name,
                    "files": [
                        {"file": name, "folder": PurePath(name).parent.as_posix(), "name": PurePath(name).name}
                        for name in self._desk.files(game)
                    ],
                }
                for game in self._desk.games
            ]

    def first(self, asked: str) -> tuple[str, int]:
        """Return the file and the line to begin with: of `asked` if the project has it, else what was saved last."""
        with self._desk as desk:
            if asked != desk.saved.file and self._desk.game_of(asked) is not None:
                return asked, 0
            game, choice = desk.shown(Choice())
            file = choice.file or next(iter(desk.files(game)), "")
            pieces = desk.pieces(game, file)
            return file, next((piece.line.span.line for piece in pieces if piece_key(piece) == choice.piece), 0)

    def seal(self, file: str) -> str:
        """Return the hash of the text of a file on the disk; empty if it can't be read."""
        try:
            return text_hash(plain_text(read_regular(Path(file))))
        except CannotRead:
            return ""

    def read(self, file: str) -> dict[str, Any]:
        """Return a text and all that the page needs to edit it. Raise CannotRead if it is no file of the project."""
        with self._desk:
            game = self._desk.game_of(file)
            if game is None:
                raise CannotRead(f"{file} is no text of this project")
            text = plain_text(read_regular(Path(file)))
            return {
                "file": file,
                "game": game.name,
                "text": text,
                "seal": text_hash(text),
                "uri": uri_of(str(Path(file).absolute())),
                "writable": self.writes and game.space.owns(file),
                "undo": self._can_take_back(file),
            }

    def save(self, file: str, seal: str, text: str) -> dict[str, Any]:
        """Save a text on top of the one with this hash. Raise Conflict, CannotSave, OSError or CannotRead: then no file
        has changed."""
        with self._desk:
            game = self._desk.game_of(file)
            if game is None or not self.writes or not game.space.owns(file):
                raise CannotSave(f"{file} is no text that this page may change.")
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise CannotSave("The text has half of a character, which no file can contain.") from error
            now = plain_text(read_regular(Path(file)))
            if text_hash(now) != seal:
                raise Conflict(file, now, text_hash(now))
            text = with_plain_ends(text)
            if text != now:
                try:
                    self._journal.write(file, now, text)
                except FileHasChanged as error:
                    raise CannotSave(f"{error} Save it again.") from error
            return {"seal": text_hash(text), "undo": self._can_take_back(file)}

    def take_back(self, file: str) -> dict[str, Any]:
        """Take back the last save, of this file, byte for byte; return the text. Raise CannotSave, OSError or
        CannotRead."""
        with self._desk:
            if not self._can_take_back(file):
                raise CannotSave(f"The last save was not of {file}.")
            try:
                self._journal.take_back()
            except CannotTakeBack as error:
                raise CannotSave(str(error)) from error
            return self.read(file)

    def _can_take_back(self, file: str) -> bool:
        done = self._journal.done
        return bool(done) and done[-1].file == file
