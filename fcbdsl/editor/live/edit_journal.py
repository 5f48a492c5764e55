"""The files that the pages of `fcb serve --write` have changed: each change can be taken back byte for byte."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.base.files import CannotRead, read_regular, rewrite_text, write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.editor.live.project_state import Desk

MOST_EDITS = 200
"""Most changes that can be taken back."""


class FileHasChanged(Exception):
    """A file whose text on the disk is not the one that was edited."""

    def __init__(self, file: str) -> None:
        super().__init__(f"{file} has changed since.")


class CannotTakeBack(Exception):
    """A change that can't be taken back; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A change of a file: its bytes before and after."""

    file: str
    before: bytes
    after: bytes


class EditJournal:
    """Writes files of an open project, and remembers what they were."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.done: list[FileEdit] = []
        self.undone: list[FileEdit] = []

    def write(self, file: str, edited: str, text: str) -> None:
        """Write a text that was `edited`; rows that stay keep their line ends.

        Raise FileHasChanged if the disk has another text than `edited`, OSError or CannotRead. Then the file is
        unchanged.
        """
        path = Path(file)
        before = read_regular(path)
        if plain_text(before) != with_plain_ends(edited):
            raise FileHasChanged(file)
        rewrite_text(path, text)
        self.done.append(FileEdit(file, before, read_regular(path)))
        del self.done[:-MOST_EDITS]
        self.undone.clear()
        self._note(file, text)

    def take_back(self, again: bool = False) -> None:
        """Take back the last change, or make the last one `again` that was taken back.

        Raise CannotTakeBack if there is none, or if the file has another content now. Raise OSError or CannotRead.
        """
        taken, given = (self.undone, self.done) if again else (self.done, self.undone)
        if not taken:
            raise CannotTakeBack("There is nothing to do again." if again else "There is nothing to take back.")
        step = taken[-1]
        old, new = (step.before, step.after) if again else (step.after, step.before)
        if read_regular(Path(step.file)) != old:
            taken.clear()
            given.clear()
            raise CannotTakeBack("The file has changed since, so the change cannot be taken back.")
        write_atomically(Path(step.file), new)
        given.append(taken.pop())
        self._note(step.file, new.decode("utf-8-sig"))

    def _note(self, file: str, text: str) -> None:
        """Pass the written text to the open project. The watcher of files notifies everything else."""
        for game in self._desk.games:
            if game.space.owns(file):
                game.space.change(file, text)
                game.space.note_saved(file)


def plain_text(data: bytes) -> str:
    """Return the text of a file, with ``\\n`` as each line end. Raise CannotRead if it is not UTF-8."""
    try:
        return with_plain_ends(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CannotRead(f"it is not UTF-8: {error.reason} at byte {error.start}") from error


def with_plain_ends(text: str) -> str:
    """Return a text with ``\\n`` as each line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
