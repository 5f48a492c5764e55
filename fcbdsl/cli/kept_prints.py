"""Prints that an earlier ``fcb render`` made of the same sources with the same options: PDF files without problems."""

from __future__ import annotations

import hashlib
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base import cache
from fcbdsl.base.files import CannotRead, read_regular, write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.base.versions import installed_version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fcbdsl.print.press.press import Rendered
    from fcbdsl.project.project import Loader

LARGEST = 64 << 20
"""Bytes of the files of a print that is kept at most."""
_NAME = re.compile(r"\w[\w.-]*\.pdf")
"""Names of files that a kept print may write to its folder."""
_PRINTERS = ("typst", "pypdf", "pillow", "fonttools")
"""Packages that the bytes of a print depend on."""


@dataclass(frozen=True, slots=True)
class KeptPrint:
    """The files that one step of a print wrote, by name, and its notes."""

    files: tuple[tuple[str, bytes], ...]
    notes: tuple[str, ...]


def key_of_print(loader: Loader, options: str) -> str | None:
    """Return the key of the print of a project. `options`: all options on which the print depends.

    Return None if a file that its sources name is there and cannot be read as a picture is: then nothing is kept.
    """
    from fcbdsl.print.pieces.pictures import MOST_BYTES
    from fcbdsl.project.project import asset_times, project_key

    printers = [installed_version(printer) for printer in _PRINTERS]
    digest = hashlib.blake2b(repr((loader.project, options, printers)).encode())
    for source in loader.sources:
        for mark in asset_times(source):
            if len(mark) == 2:
                continue  # there is no such file, which is part of the key
            name = Path(str(mark[0])).parent / str(mark[1])
            try:
                digest.update(hashlib.blake2b(read_regular(name, MOST_BYTES)).digest())  # of fixed length
            except CannotRead:
                return None
    return project_key(loader, f"print {digest.hexdigest()}")


def load_print(key: str) -> list[KeptPrint] | None:
    """Return the steps of a print that was kept under a key; None if there is none that may be written."""
    stored = cache.load_result(key, partial(_is_print, key))
    return None if stored is None else [KeptPrint(*step) for step in stored[1]]


def store_print(key: str, prints: Sequence[Rendered], folder: Path) -> None:
    """Keep a print whose steps wrote only PDF files to a folder and found no problem."""
    if any(rendered.problems or rendered.left_out for rendered in prints):
        return
    files = [path for rendered in prints for path in rendered.files]
    if any(path.parent != folder or not _NAME.fullmatch(path.name) for path in files):
        return
    if sum(path.stat().st_size for path in files) <= LARGEST:
        steps = tuple(
            (tuple((path.name, path.read_bytes()) for path in rendered.files), rendered.notes) for rendered in prints
        )
        cache.store_result(key, (key, steps))


def write_print(steps: Sequence[KeptPrint], folder: Path) -> list[Rendered]:
    """Write the files of a kept print to a folder; return what the print returned. Raise OSError if that fails."""
    from fcbdsl.print.press.press import Rendered

    written = []
    for step in steps:
        for name, data in step.files:
            write_atomically(folder / name, data)
        written.append(Rendered(tuple(folder / name for name, _ in step.files), (), (), step.notes))
    return written


def _is_print(key: str, value: object) -> bool:
    """Return whether a cached result is a print of this key, whose files stay in their folder."""
    match value:
        case (str() as stored_key, tuple(steps)) if stored_key == key:
            return all(_is_step(step) for step in steps)
    return False


def _is_step(step: object) -> bool:
    match step:
        case (tuple(files), tuple(notes)):
            return all(isinstance(note, str) for note in notes) and all(
                isinstance(file, tuple) and len(file) == 2 and isinstance(file[0], str) and isinstance(file[1], bytes)
                and _NAME.fullmatch(file[0]) and file[1].startswith(b"%PDF-")
                for file in files
            )  # fmt: skip
    return False
