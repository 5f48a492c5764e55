"""Convert between the URIs that clients write and paths of files."""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
from urllib.parse import quote, unquote

WINDOWS = os.name == "nt"

_FILE = re.compile(r"file:(?://([^/\\]*))?([/\\].*)", re.IGNORECASE | re.DOTALL)
_DRIVE = re.compile(r"[/\\]?([A-Za-z])[:|]([/\\].*)?", re.DOTALL)


def path_of(uri: str, windows: bool = WINDOWS) -> str | None:
    """Return the absolute path of a `file:` URI; None if the URI names no file of this machine.

    Clients escape different characters, so all escapes are decoded, and `#` and `?` belong to the path."""
    match = _FILE.fullmatch(uri)
    if match is None:
        return None
    host, path = unquote(match[1] or ""), unquote(match[2], errors="surrogateescape")
    if "\0" in path or not _encodable(path):
        return None
    local = host.lower() in ("", "localhost", "127.0.0.1")
    if not windows:
        return posixpath.normpath("/" + path.lstrip("/")) if local else None
    drive = _DRIVE.fullmatch(path)
    if drive is not None and local:
        return ntpath.normpath(f"{drive[1].upper()}:{drive[2] or '/'}")
    shared = path if local else f"//{host}{path}"
    return ntpath.normpath(shared) if re.match(r"[/\\]{2}[^/\\]", shared) else None


def _encodable(path: str) -> bool:
    """Return whether a path can be the name of a file: a lone surrogate cannot, unless it stands for a byte."""
    try:
        path.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def uri_of(path: str, windows: bool = WINDOWS) -> str:
    """Return the `file:` URI of an absolute path."""
    if not windows:
        return "file://" + quote(path, errors="surrogateescape")
    path = path.replace("\\", "/")
    drive = _DRIVE.fullmatch(path)
    if drive is not None:
        return f"file:///{drive[1].upper()}:{quote(drive[2] or '/', errors='surrogatepass')}"
    return "file:" + quote(path, errors="surrogatepass")
