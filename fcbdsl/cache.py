"""A cache of results by the content they were made from, so that unchanged files are not read twice.

A result is kept in the user's cache folder as a pickle, under the hash of everything it depends on: the content, and
the code of this package. Only classes of this package are loaded from it. Whatever is wrong with the cache, the
result is made afresh: the cache can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fcbdsl.files import write_atomically

KEPT = 16
"""Results that are kept; the ones used longest ago go first."""

_PACKAGE = Path(__file__).resolve().parent
_SEAL = 16
_BUILTINS = {"set", "frozenset", "dict", "list", "tuple"}


def folder() -> Path | None:
    """Return where results are kept: ``FCB_CACHE`` (empty: nowhere), else in the user's cache folder."""
    chosen = os.environ.get("FCB_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base) / "fcbdsl" if base else Path.home() / ".cache" / "fcbdsl"


def key(parts: Iterable[bytes]) -> str:
    """Return the identity of a result: the hash of what it is made from and of the code that makes it."""
    digest = hashlib.blake2b(_code(), digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _code() -> bytes:
    """A fingerprint of this package's files and of the interpreter."""
    found = [sys.version]
    grammars = (folder / "grammar" for folder in (_PACKAGE, _PACKAGE.parent))  # in a wheel, and in a checkout
    for path in [*sorted(_PACKAGE.rglob("*.py")), *(path for one in grammars for path in sorted(one.glob("*.lark")))]:
        stat = path.stat()
        found.append(f"{path} {stat.st_size} {stat.st_mtime_ns}")
    return "\n".join(found).encode()


class _Unpickler(pickle.Unpickler):
    """Loads nothing but plain data and the classes of this package."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("fcbdsl.") and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        elif module == "builtins" and name in _BUILTINS:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a cache")


def load(name: str) -> Any | None:
    """Return the result of that key, or None."""
    place = folder()
    if place is None:
        return None
    path = place / f"{name}.pickle"
    try:
        content = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    seal, data = content[:_SEAL], content[_SEAL:]
    if seal != _sealed(data):
        return None
    try:
        return _Unpickler(io.BytesIO(data)).load()
    except pickle.UnpicklingError:
        return None  # nothing of ours


def _sealed(data: bytes) -> bytes:
    """The hash that stands before a result, so that half a file is never loaded."""
    return hashlib.blake2b(data, digest_size=_SEAL).digest()


def store(name: str, result: Any) -> None:
    """Keep a result. A folder that can't be written to, or a result too deep to be kept, is no error."""
    place = folder()
    if place is None:
        return
    try:
        data = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(place / f"{name}.pickle", _sealed(data) + data)
        _thin_out(place)
    except (OSError, RecursionError):
        return  # a cache only saves time


def _thin_out(place: Path) -> None:
    """Drop the results used longest ago."""
    found = sorted(place.glob("*.pickle"), key=lambda path: path.stat().st_mtime_ns)
    for path in found[:-KEPT]:
        path.unlink(missing_ok=True)
