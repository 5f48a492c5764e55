"""Writing files so that a failure leaves the old one, never half of a new one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` beside `path` and rename it into place.

    The folder is created if it is missing. Raises OSError (no space, no permission, a folder in the way);
    nothing is left behind then, and an existing file keeps its content. A device or pipe is written to directly.
    """
    path = path.resolve()
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _umask() -> int:
    """Read the process's umask; there is no way to ask without setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
