"""Reading files that may be anything, and writing so that a failure leaves the old one, never half of a new one."""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
import platform
import re
import stat
from pathlib import Path


class CannotRead(Exception):
    """A file that is not read, and why."""


def read_regular(path: Path, most: int) -> bytes:
    """Read a regular file of at most so many bytes. Raises Unreadable: devices, pipes and the like could go on, or
    wait, for ever."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise CannotRead("it is no ordinary file")
            with open(handle, "rb", closefd=False) as file:
                data = file.read(most + 1)
        finally:
            os.close(handle)
    except (OSError, ValueError) as trouble:
        raise CannotRead(getattr(trouble, "strerror", None) or str(trouble)) from trouble
    if len(data) > most:
        raise CannotRead(f"it has more than {most:,} bytes")
    return data


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` beside `path` and rename it into place.

    The folder is created if it is missing. Raises OSError (no space, no permission, a folder in the way);
    nothing is left behind then, and an existing file keeps its content. A device or pipe is written to directly.
    """
    path = path.resolve()
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    beside = begin_beside(path)
    try:
        with beside.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def begin_beside(path: Path) -> Path:
    """Make an empty file beside `path` (absolute), to be filled and renamed; the folder is created if it is missing.

    What processes of this machine that are dead have left of theirs is removed: their names tell who they belong to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own = f".{path.name}.{_machine()}-"
    for left in path.parent.glob(f"{glob.escape(own)}*{PART}*"):
        number = left.name.removeprefix(own).partition("-")[0]
        if number.isdecimal() and not _alive(int(number)):
            with contextlib.suppress(OSError):
                left.unlink()
    for attempt in itertools.count():  # another thread may have one under way, or a dead process have left one
        beside = path.parent / f"{own}{os.getpid()}-{attempt}{PART}"
        with contextlib.suppress(FileExistsError):
            os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            return beside
    raise AssertionError("numbers end")


PART = ".part"
"""How the name of a file ends that is being written."""


def _machine() -> str:
    """The name of this machine, as a part of a file's name."""
    return re.sub(r"\W", "_", platform.node(), flags=re.ASCII)


def _alive(process: int) -> bool:
    """Whether there may be a process of that number."""
    if os.name != "posix":
        return True  # asking would end it
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


def rewrite_text(path: Path, text: str, before: bytes) -> None:
    """Write a file whole or not at all, with the line ends and the byte-order mark that it had."""
    ends = [end.decode() for end in re.findall(rb"\r\n|\r|\n", before)]
    lines = text.split("\n")
    if len(lines) != len(ends) + 1:
        ends = (ends[:1] or ["\n"]) * (len(lines) - 1)
    whole = "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))
    mark = b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b""
    write_atomically(path, mark + whole.encode())
