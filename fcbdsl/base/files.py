"""Reading of arbitrary files, and atomic writing: a failure leaves the old file, never half of a new one."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import platform
import re
import stat
import time
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from fcbdsl.base.bounds import FILE_BYTES


class CannotRead(Exception):
    """A file that is not read, and why."""


def read_utf8(path: Path, most: int = FILE_BYTES) -> str:
    """Return the text of a regular file in UTF-8, without a byte-order mark. Raises CannotRead as `read_regular`."""
    try:
        return read_regular(path, most).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise CannotRead(f"it is not UTF-8: {error.reason} at byte {error.start}") from error


def read_regular(path: Path, most: int = FILE_BYTES) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    Raises CannotRead if it is longer, missing or no regular file: a device or a pipe can be endless, or wait forever.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise CannotRead("it is not an ordinary file")
            with open(handle, "rb", closefd=False) as file:
                data = file.read(most + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise CannotRead(getattr(error, "strerror", None) or str(error)) from error
    if len(data) > most:
        raise CannotRead(f"it has more than {most:,} bytes")
    return data


PROJECT_FILE = "fcb.toml"
"""Name of the file that marks the root folder of a project."""


class LinkLeadsOut(OSError):
    """A path that a link takes out of the folder that it was named in."""

    def __init__(self, path: Path, folder: Path) -> None:
        super().__init__(errno.ELOOP, f"a link leads out of {folder}; name the folder that it leads to", str(path))


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` beside `path` and rename it into place.

    Creates the folder if it is missing. A link at `path` is replaced, not followed. A device or pipe is written to
    directly. Raises LinkLeadsOut as `output_path` does, and OSError (no space, no permission, a folder in the way);
    nothing is left behind then, and an existing file keeps its content.
    """
    path = output_path(path)
    if _is_device(path):
        try:
            path.write_bytes(data)
        except OSError as error:
            error.filename = str(path)
            raise
        return
    beside = begin_beside(path)
    try:
        with beside.open("wb") as out:
            _write_out(out, data)
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error  # a failed write names no file
        raise


def _write_out(out: BinaryIO, data: bytes) -> None:
    """Write `data` to the disk, before the file gets its name."""
    out.write(data)
    out.flush()
    os.fsync(out.fileno())


def output_path(path: Path) -> Path:
    """Return the absolute path of a file to write, its folder free of links.

    A project can hold links that a stranger made. So a path below the current directory, or below the root of a
    project, must not leave that folder through a link. The last part of the path is not resolved: a link there is
    replaced. Links to devices such as ``/dev/stdout`` are followed if the path itself is in ``/dev``.
    Raises LinkLeadsOut.
    """
    folder = Path(os.path.abspath(path)).parent.resolve()
    if folder in (Path("/dev"), Path("/proc")):
        return (folder / path.name).resolve()
    return _kept_inside(path, folder / path.name)


def source_path(path: Path) -> Path:
    """Return the file that `path` names, links followed, to read or change it in place.

    Raises LinkLeadsOut if a link takes it out of the current directory or of the project."""
    return _kept_inside(path, Path(os.path.abspath(path)).resolve())


def _kept_inside(path: Path, real: Path) -> Path:
    """Return `real`, the target of `path`. Raises LinkLeadsOut if it is outside a folder that contains `path`."""
    here = Path.cwd()
    for folder in Path(os.path.abspath(path)).parents:
        if (folder == here or (folder / PROJECT_FILE).is_file()) and not real.is_relative_to(folder.resolve()):
            raise LinkLeadsOut(path, folder)
    return real


def _is_device(path: Path) -> bool:
    """Return whether `path` itself is a device or a pipe. A link to one is not."""
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def begin_beside(path: Path) -> Path:
    """Create an empty file beside `path` (absolute), to be filled and renamed; create a missing folder.

    The first time that a process writes to a folder, it removes the files that killed processes have left there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.parent not in _CLEARED:
        _CLEARED.add(path.parent)
        for left in unfinished_files(path.parent):
            with contextlib.suppress(OSError):
                left.unlink()
    own = f".{path.name}.{_machine()}-"
    for attempt in itertools.count():  # another thread or a dead process may have such a file
        beside = path.parent / f"{own}{os.getpid()}-{attempt}{PART}"
        with contextlib.suppress(FileExistsError):
            os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            return beside
    raise AssertionError("numbers end")


PART = ".part"
"""Ending of the name of a file that is being written."""
_CLEARED: set[Path] = set()
"""Folders from which this process has removed the files of killed processes."""
_DAY = 86_400
"""Seconds after which no file is still being written."""


def unfinished_files(folder: Path) -> list[Path]:
    """Return the unfinished files in a folder that killed processes of this machine have left, journals included.

    The name of such a file contains the machine and the process. A file older than a day counts as left, too: on
    Windows fcb cannot ask for a process, and another process may have the same number.
    """
    own = re.compile(rf"\..+\.{re.escape(_machine())}-(\d+)-\d+{re.escape(PART)}(-journal)?", re.DOTALL)
    unfinished = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            named = own.fullmatch(entry.name) if entry.name.startswith(".") else None
            if named is None or int(named[1]) == os.getpid() or not entry.is_file(follow_symlinks=False):
                continue
            age = time.time() - entry.stat(follow_symlinks=False).st_mtime
            if not _alive(int(named[1])) or age > _DAY:
                unfinished.append(Path(entry.path))
    return unfinished


def _machine() -> str:
    """Return the name of this machine, as part of a file name."""
    return re.sub(r"\W", "_", platform.node(), flags=re.ASCII)


def _alive(process: int) -> bool:
    """Return whether a process with this number may exist."""
    if os.name != "posix":
        return True  # on Windows, `os.kill` would end it
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _umask() -> int:
    """Read the process's umask; there is no way to ask without setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def rewrite_text(path: Path, text: str) -> None:
    """Write a file completely or not at all, with its previous byte-order mark, and line ends where rows stay.

    A link within the project is followed. Raises LinkLeadsOut as `source_path` does, and OSError.
    """
    path = source_path(path)
    try:
        before = read_regular(path)
    except CannotRead as error:
        raise OSError(errno.EIO, str(error), str(path)) from error
    lines = text.split("\n")
    ends = _line_ends(before.decode("utf-8-sig", "replace"), lines, _RETURN_IN_ROW if "\r" in text else _LINE_END)
    whole = "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))
    mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
    write_atomically(path, mark + whole.encode())


_LINE_END = re.compile(r"\r\n|\r|\n")
_RETURN_IN_ROW = re.compile(r"\r\n|\n")
"""Line ends of a text in which a carriage return alone belongs to its row."""


def _line_ends(before: str, lines: Sequence[str], line_end: re.Pattern[str]) -> list[str]:
    """Return the end of each of `lines` except the last: those of the text `before`, its first one for added lines."""
    rows, ends = line_end.split(before), line_end.findall(before)
    old, new = len(rows) - 1, len(lines) - 1
    first = last = 0  # equal rows at the beginning and at the end
    while first < min(old, new) and rows[first] == lines[first]:
        first += 1
    while last < min(old, new) - first and rows[old - last] == lines[new - last]:
        last += 1
    changed = ends[first : old - last]
    count = new - first - last
    changed = [*changed[:count], *(ends[:1] or ["\n"]) * (count - len(changed))]
    return [*ends[:first], *changed, *ends[old - last :]]
