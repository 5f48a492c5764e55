"""Records of program files that this installation has verified, so that loading them again skips verification.

These records decide which files run unverified, so they are not part of the cache, which may be shared, copied or
restored. They are in the user's state folder, as hashes of whole files and of this package's code. Each record has an
HMAC, whose key includes a secret and the identity of the file that contains the secret: its device, inode and time of
change. A copy, an archive or a restored folder does not preserve that identity, so records in it are ignored and all
files are verified again.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import sys
from pathlib import Path

from fcbdsl.base import cache
from fcbdsl.base.files import CannotRead, read_regular, write_atomically

MOST = 1000
"""Number of files that are recorded; the oldest records are removed first."""

_SECRET, _SEALS = "secret", "verified"
_LENGTH = 32  # bytes of the secret, and of an HMAC


def records_folder() -> Path | None:
    """Return the folder of the records: ``FCB_STATE`` (empty: none), else in the user's state folder.

    Return None also for a folder that belongs to another user or that others may write to.
    """
    chosen = os.environ.get("FCB_STATE")
    if chosen is not None:
        return cache.private_folder(Path(chosen), "remember what was verified") if chosen else None
    try:
        return cache.private_folder(_of_user() / "fcbdsl", "remember what was verified")
    except RuntimeError:
        return None  # the user has no home folder


def _of_user() -> Path:
    """Return the user's state folder, as the system defines it."""
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        base = os.environ.get(name)
        if base and Path(base).is_absolute():
            return Path(base) / "state" if name == "LOCALAPPDATA" else Path(base)
    return Path.home() / ("Library/Application Support" if sys.platform == "darwin" else ".local/state")


def is_known(data: bytes) -> bool:
    """Return whether a file with exactly these bytes was recorded by this user and this code."""
    place = records_folder()
    key = None if place is None else _key(place)
    return place is not None and key is not None and _seal(key, data) in _seals(place)


def record(data: bytes) -> None:
    """Record that a file with these bytes was verified.

    A failure to write the record is no error: the file is verified again, and `why_not_recorded` gives the reason.
    """
    place = records_folder()
    if place is None:
        return
    try:
        key = _made_key(place)
        if key is None:
            return
        seal = _seal(key, data)
        others = [earlier for earlier in _seals(place) if earlier != seal]
        write_atomically(place / _SEALS, "\n".join([*others[1 - MOST :], seal]).encode())
    except OSError:
        return


def why_not_recorded(place: Path) -> str | None:
    """Return why no record can be written to a folder; None if it can."""
    try:
        if _made_key(place) is None:
            return f"{_SECRET!r} is no file that belongs to you"
    except OSError as error:
        return error.strerror or str(error)
    return cache.why_not_written(place)


def _made_key(place: Path) -> bytes | None:
    """Return the key of the HMACs; create the secret if there is none. Raises OSError."""
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = _key(place)
    if key is None:
        write_atomically(place / _SECRET, os.urandom(_LENGTH))
        key = _key(place)
    return key


def why_no_records() -> str:
    """Return why verified programs cannot be recorded, in words."""
    return "FCB_STATE is empty" if os.environ.get("FCB_STATE") == "" else cache.UNSAFE


def record_count(place: Path) -> int:
    """Return the number of records in a folder. Records that this installation can't have written do not count."""
    return 0 if _key(place) is None else sum(len(seal) == 2 * _LENGTH for seal in _seals(place))


def _key(place: Path) -> bytes | None:
    """Return the key of the HMACs, from the secret and the identity of its file; None if there is no secret."""
    path = place / _SECRET
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != os.getuid()):
            return None
        secret = read_regular(path, _LENGTH)
    except (OSError, CannotRead):
        return None
    identity = f"{status.st_dev} {status.st_ino} {status.st_ctime_ns}"
    return hashlib.blake2b(secret + identity.encode()).digest() if len(secret) == _LENGTH else None


def _seal(key: bytes, data: bytes) -> str:
    """Return the HMAC of a file, which covers its bytes and the code that has verified them."""
    code, content = (hashlib.blake2b(part, digest_size=_LENGTH).digest() for part in (cache.code_fingerprint(), data))
    return hmac.new(key, code + content, hashlib.sha256).hexdigest()


def _seals(place: Path) -> list[str]:
    """Return all HMACs, the oldest first."""
    try:
        return read_regular(place / _SEALS, 2 * MOST * (2 * _LENGTH + 1)).decode("ascii").split("\n")
    except (CannotRead, ValueError):
        return []
