"""The folder of a process that Typst sees, and what is left of those of processes that were killed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

DESK = "fcb-desk-"
"""How the names of such folders begin."""
FRESH = 3600
"""Seconds for which a folder is left alone, whoever seems to use it: it may be just being made."""


def make_desk() -> tempfile.TemporaryDirectory[str]:
    """An empty folder that is removed when the process ends; what others have left behind is removed now.

    The folder is locked as long as the process lives, however it ends, and whatever number it has where others look."""
    made = tempfile.TemporaryDirectory(prefix=DESK)
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(os.open(made.name, os.O_RDONLY), fcntl.LOCK_EX)
    for folder in left_behind(os.stat(made.name).st_mtime):
        shutil.rmtree(folder, ignore_errors=True)
    return made


def left_behind(now: float) -> Iterator[Path]:
    """The folders of this user that nobody has locked any more. Where folders can't be locked, none is named.
    `now`: when a folder was changed that was just made."""
    if sys.platform != "win32":
        import fcntl

        for entry in os.scandir(tempfile.gettempdir()):
            if not entry.name.startswith(DESK) or not entry.is_dir(follow_symlinks=False):
                continue
            try:
                known = entry.stat(follow_symlinks=False)
                if known.st_uid != os.getuid() or now - known.st_mtime < FRESH:
                    continue
                handle = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
            except OSError:  # it has gone meanwhile
                continue
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield Path(entry.path)
            except BlockingIOError:
                pass  # somebody prints there
            finally:
                os.close(handle)
