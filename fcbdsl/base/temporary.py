"""Temporary folders: each is locked while its process lives, and the next process removes those of killed ones."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

DESK = "fcb-desk-"
"""Prefix of the names of folders in which Typst runs."""
UNPACKED = "fcb-unpacked-"
"""Prefix of the names of folders with the files of a zip archive."""
REVISION = "fcb-revision-"
"""Prefix of the names of folders with a project as it was at a revision."""
UNLOCKED = ("win32", "emscripten", "wasi")
"""Systems where Python cannot lock a folder."""
FRESH = 3600
"""Seconds for which a folder is left alone in any case: its process may not have locked it yet."""


def temporary_folder(prefix: str) -> tempfile.TemporaryDirectory[str]:
    """Return an empty folder that is removed when the process ends. Its name begins with one of ours."""
    folder = tempfile.TemporaryDirectory(prefix=prefix)
    claim(folder.name)
    return folder


def claim(folder: str) -> None:
    """Lock a folder until this process ends, however it ends. Remove the folders of killed processes."""
    if sys.platform not in UNLOCKED:
        import fcntl

        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)
    for left in abandoned_folders(os.stat(folder).st_mtime):
        shutil.rmtree(left, ignore_errors=True)


def abandoned_folders(now: float) -> Iterator[Path]:
    """Yield the folders of this user that no process has locked any more; none where folders cannot be locked.

    `now`: the time of change of a folder that was just made.
    """
    if sys.platform not in UNLOCKED:
        import fcntl

        for entry in os.scandir(tempfile.gettempdir()):
            if not entry.name.startswith((DESK, UNPACKED, REVISION)) or not entry.is_dir(follow_symlinks=False):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
                if status.st_uid != os.getuid() or now - status.st_mtime < FRESH:
                    continue
                handle = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
            except OSError:  # another process has removed it
                continue
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield Path(entry.path)
            except BlockingIOError:
                pass  # it is in use
            finally:
                os.close(handle)
