"""A cache of results by the content they were made from, so that unchanged files are not read twice.

A result is stored in the user's cache folder as a pickle, under the hash of everything it depends on: the content, and
the code of this package. (This reads the largest project in a third of a second.)

A pickle can name any function. So only plain data and the records of `RECORDS` are loaded from it: from these, no
function can be reached, and nothing can be run. If anything is wrong with the cache, the result is computed again, so
the cache can be deleted at any time. `troubles` reports which results could not be loaded or stored, and why.
"""

from __future__ import annotations

import contextlib
import copyreg
import functools
import hashlib
import io
import os
import pickle
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from types import GenericAlias
from typing import Any

from fcbdsl.base import resources
from fcbdsl.base.files import begin_beside, write_atomically
from fcbdsl.base.records import dataclass

MOST = 500_000_000
"""Bytes of all results together; the least recently used ones are removed first."""
LEAST = 1 << 16
"""Bytes that a result counts as at least, so that the number of files stays small enough to scan."""
RESULT, TABLES = ".pickle", ".tables"
"""Endings of file names: of results, and of Lark's parser of the grammar."""
LARGEST = 256 << 20
"""Bytes of the largest result that is read."""

_SEAL = 16
_BUILTINS = {"set", "frozenset"}
_ONLY = {("fcbdsl.language.model.declarations", "CHANGE")}
"""Singletons: references to them must stay references to the same object."""

RECORDS = {
    "fcbdsl.language.compiler.memo_table": ("KeptMade", "Other"),
    "fcbdsl.language.compiler.lowering_context": ("KeptLowering",),
    "fcbdsl.base.source": ("Source", "Span", "Succession"),
    "fcbdsl.language.model.check": ("KeptCheck", "KeptDeclarations"),
    "fcbdsl.language.model.checks.facts": ("Facts",),
    "fcbdsl.language.model.checks.missions.behavior_references": ("References", "Use"),
    "fcbdsl.language.model.whole": ("Model",),
    "fcbdsl.language.model.content": (),
    "fcbdsl.language.model.declarations": (),
    "fcbdsl.language.model.declaring.collect": ("Declaration",),
    "fcbdsl.language.model.declaring.units": ("KeptUnit", "GamePrograms"),
    "fcbdsl.language.model.ir.values": (),
    "fcbdsl.language.model.ir.effects": (),
    "fcbdsl.language.syntax.pieces": ("FilePiece",),
    "fcbdsl.language.syntax.tree": (),
    "fcbdsl.machine.vm.program": (
        "Action",
        "Code",
        "Lasting",
        "Limit",
        "Listener",
        "Modifier",
        "Preference",
        "Requirement",
    ),
}
"""Modules whose records may occur in a result: those named, or all dataclasses and enumerations declared there.

Diagnostics may, too.
"""


def cache_folder() -> Path | None:
    """Return the folder of the cache: ``FCB_CACHE`` (empty: none), else in the user's cache folder.

    Return None also for a folder that belongs to another user or that others may write to. The same holds if the
    package is in an archive: its game systems are unpacked to a new place each time, so their results could not be
    found again.
    """
    chosen = os.environ.get("FCB_CACHE")
    if chosen == "" or resources.archive() is not None:
        return None
    if chosen is not None:
        return private_folder(Path(chosen), "keep results")
    try:
        return private_folder(_of_user() / "fcbdsl", "keep results")
    except RuntimeError:
        return None  # the user has no home folder


def why_no_cache() -> str:
    """Return why results cannot be cached, in words."""
    if os.environ.get("FCB_CACHE") == "":
        return "FCB_CACHE is empty"
    if resources.archive() is not None:
        return "fcb runs from an archive"
    return UNSAFE


UNSAFE = "there is no folder that only you can write to"
"""Reason why nothing is stored for a user without a home, or with a folder that others may write to."""


def _of_user() -> Path:
    """Return the user's folder for caches, as the system defines it."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        base = os.environ.get(name)
        if base and Path(base).is_absolute():
            return Path(base)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def is_private(place: Path) -> bool:
    """Return whether a folder belongs to the user and nobody else may write to it. Raise OSError without access."""
    status = place.stat()
    others = stat.S_IWGRP | stat.S_IWOTH
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & others)


def private_folder(place: Path, purpose: str) -> Path | None:
    """Return the folder, or None if other users could write to it; a warning then names the purpose."""
    try:
        private = is_private(place)
    except OSError:
        return place  # it does not exist or can't be accessed; writing will show which
    if not private:
        if place not in _distrusted:
            _distrusted[place] = None
            print(f"fcb: {str(place)!r} is no place to {purpose}: others may write to it.", file=sys.stderr)
        return None
    return place


_distrusted: dict[Path, None] = {}
"""Folders with a warning already printed."""


def result_key(parts: Iterable[bytes], ending: str = RESULT) -> str:
    """Return the name of a result: the hash of its content and of the code that makes it.

    `ending`: the ending of the file's name, which gives its type.
    """
    return _name((code_fingerprint(), *parts), ending)


def lasting(parts: Iterable[bytes]) -> str:
    """Return the name of a result that does not depend on the code, so the reader must check its content."""
    return _name(parts, RESULT)


def _name(parts: Iterable[bytes], ending: str) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return f"{digest.hexdigest()}{ending}"


_NAME = re.compile(r"\.?([\w-]+\.)?[0-9a-f]{32}\.(pickle|tables)(\..+\.part)?")
"""Names of results, of those of earlier versions, and of unfinished files."""


_NOT_CODE = {"__pycache__", "results"}
"""Folders of the package whose files change no result."""


@functools.cache
def code_fingerprint() -> bytes:
    """Return a fingerprint of the interpreter and of this package's files: its code and data, except `.fcb`."""
    archive = resources.archive()
    listed = [] if archive is None else [(str(archive), archive.stat())]
    open_ = [str(resources.HERE)] if archive is None else []
    while open_:
        with os.scandir(open_.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _NOT_CODE:  # a .pyc elsewhere is a module without a source
                        open_.append(entry.path)
                elif "." in entry.name and not entry.name.endswith(".fcb"):
                    listed.append((entry.path, entry.stat()))
    listed += [(str(path), path.stat()) for path in (resources.HERE.parent / "grammar").glob("fcb.*")]  # in a checkout
    lines = [f"{path} {stat.st_size} {stat.st_mtime_ns}" for path, stat in sorted(listed)]
    return "\n".join([sys.version, *lines]).encode()


class _Names(dict[str, str]):
    """The strings that replace persistent ids."""

    def __missing__(self, pid: object) -> str:
        raise pickle.UnpicklingError(f"there is no file {pid!a}")


class _Unpickler(pickle.Unpickler):
    """Loads only plain data and the records of `RECORDS`. `names`: the strings that replace persistent ids."""

    def __init__(self, file: io.BytesIO, names: Mapping[str, str]) -> None:
        # A large result contains thousands of names.
        self.persistent_load = _Names(names).__getitem__  # type: ignore[method-assign]
        super().__init__(file)

    def find_class(self, module: str, name: str) -> Any:
        if module == "builtins" and name in _BUILTINS:
            return super().find_class(module, name)
        if (module, name) in _ONLY:
            return super().find_class(module, name)
        if "." not in name and (module in RECORDS or module.startswith("fcbdsl.base.diagnostics.")):
            cls = super().find_class(module, name)
            if isinstance(cls, type) and cls.__module__ == module and _is_record(cls, module):
                return cls
        raise pickle.UnpicklingError(f"a cache must not contain {module!a}.{name!a}")


def _is_record(cls: type, module: str) -> bool:
    """Return whether the cache may hold a class: a listed class, a dataclass, an enumeration or a diagnostic."""
    if module.startswith("fcbdsl.base.diagnostics."):
        from fcbdsl.base.diagnostics.base import Diagnostic, Fix, Related

        return issubclass(cls, Diagnostic) or cls in (Fix, Related)
    named = RECORDS[module]
    return cls.__name__ in named if named else hasattr(cls, "__dataclass_fields__") or issubclass(cls, Enum)


def load_result(name: str, fits: Callable[[Any], bool], seen: Callable[[bytes], None] | None = None) -> Any | None:
    """Return the stored result with this name; None if there is none, it is unreadable, or `fits` refuses it. `seen`
    is called with the hash of its content."""
    place = cache_folder()
    if place is None:
        return None
    with contextlib.suppress(OSError):  # missing, or read-only: the content is good, `store_result` reports it
        os.utime(place / name)
    return load_from(place / name, fits, seen=seen)


_NO_NAMES: Mapping[str, str] = {}


def load_from(
    path: Path,
    fits: Callable[[Any], bool],
    names: Mapping[str, str] = _NO_NAMES,
    unpack: Callable[[bytes], bytes] | None = None,
    seen: Callable[[bytes], None] | None = None,
) -> Any | None:
    """Return the result in a file, or None if there is none that can be read and `fits`.

    `names`: the strings that replace persistent ids. `unpack`: decompresses the content. `seen` is called with the
    hash of the content as it is stored.
    """
    try:
        return _loaded(path, fits, names, unpack, seen)
    except FileNotFoundError:
        return None
    except OSError as error:
        count_unusable(f"cannot read the file: {error.strerror}")
    except _Unusable as error:
        count_unusable(str(error))
    return None


def load_or_make(name: str, shape: Any, make: Callable[[], Any]) -> Any:
    """Return the stored result with this name if it has the shape (see `has_shape`); else make it and store it.

    A result None is not stored. Raise what `make` raises."""
    result = load_result(name, shape_check(shape))
    if result is None:
        result = make()
        if result is not None:
            store_result(name, result)
    return result


def has_shape(value: Any, shape: Any) -> bool:
    """Return whether plain data has a shape: a class, an annotation such as ``dict[str, list[int]]``, or a dict with
    the shape of the value of each key."""
    return shape_check(shape)(value)


def shape_check(shape: Any) -> Callable[[Any], bool]:
    """Return a check for `load_result`: whether a result has a shape (see `has_shape`)."""
    if isinstance(shape, dict):
        checks = {key: shape_check(inner) for key, inner in shape.items()}
        return lambda value: (
            isinstance(value, dict)
            and value.keys() == checks.keys()
            and all(check(value[key]) for key, check in checks.items())
        )
    if shape is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(shape, GenericAlias):
        return lambda value: isinstance(value, shape)
    kind: Any = shape.__origin__
    inner = [shape_check(part) for part in shape.__args__ if part is not ...]
    if kind is dict:
        keys, values = inner
        return lambda value: isinstance(value, dict) and all(map(keys, value)) and all(map(values, value.values()))
    if kind is tuple and shape.__args__[-1] is not ...:
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(inner)
            and all(check(item) for check, item in zip(inner, value, strict=True))
        )
    return lambda value: isinstance(value, kind) and all(map(inner[0], value))


class _Unusable(Exception):
    """A result that can't be used, and the reason."""


def _loaded(
    path: Path,
    fits: Callable[[Any], bool],
    names: Mapping[str, str],
    unpack: Callable[[bytes], bytes] | None,
    seen: Callable[[bytes], None] | None,
) -> Any:
    """Return the result in a file. Raises OSError and _Unusable."""
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    seal, data = content[:_SEAL], content[_SEAL:]
    if len(content) > LARGEST:
        raise _Unusable(f"the file has more than {LARGEST} bytes")
    if seal != seal_of(data):
        raise _Unusable("the file is damaged: its checksum differs")
    try:
        loaded = _Unpickler(io.BytesIO(unpack(data) if unpack is not None else data), names).load()
    except Exception as error:  # any bytes can be in the file, and fail in any way
        raise _Unusable(f"the file is refused: {_in_short(error)}") from error
    try:
        fit = fits(loaded)
    except Exception as error:  # `fits` may access attributes that are missing
        raise _Unusable(f"the content is not of the expected form: {_in_short(error)}") from error
    if not fit:
        raise _Unusable("the content is not of the expected form")
    if seen is not None:
        seen(seal)
    return loaded


_TROUBLES: Counter[str] = Counter()
_MOST_TROUBLES = 100
"""Most causes that are remembered."""


def count_unusable(cause: str) -> None:
    """Count a result that could not be loaded or stored, by its cause. It is computed again, so this is no error."""
    if cause in _TROUBLES or len(_TROUBLES) < _MOST_TROUBLES:
        _TROUBLES[cause] += 1


def troubles() -> dict[str, int]:
    """Return why results could not be loaded or stored in this process, with counts, in the order of occurrence."""
    return dict(_TROUBLES)


def _in_short(error: Exception) -> str:
    """Return the error on one line that is safe to print."""
    reason = ascii(str(error))[1:-1] if not isinstance(error, pickle.UnpicklingError) else str(error)
    return f"{type(error).__name__}: {reason[:200]}"


def seal_of(data: bytes) -> bytes:
    """Return the hash at the start of a result file, which detects incomplete files."""
    return hashlib.blake2b(data, digest_size=_SEAL).digest()


def store_result(name: str, result: Any) -> bytes | None:
    """Store a result and return the hash of its content; None if nothing was stored. An unwritable folder, or a result
    nested too deeply, is no error."""
    place = cache_folder()
    if place is None:
        return None
    keep_members_by_value()
    try:
        data = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        seal = seal_of(data)
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(place / name, seal + data)
        _thin_out_at_times(place, len(data))
    except RecursionError:
        count_unusable("cannot keep a result: it is nested too deeply")
    except OSError as error:
        count_unusable(f"cannot keep a result: {error.strerror}")
    else:
        return seal
    return None


def keep_members_by_value() -> None:
    """Have members of enumerations pickled as ``Enumeration(value)``.

    Some versions of Python (3.11.0 to 3.11.3) pickle them as ``getattr(Enumeration, name)``, which is refused: a cache
    that may call `getattr` may reach any function.
    """
    for module in RECORDS:
        if module in sys.modules and module not in _SEEN:
            _SEEN.add(module)
            for member in vars(sys.modules[module]).values():
                if isinstance(member, type) and issubclass(member, Enum) and member.__module__ == module:
                    copyreg.pickle(member, _by_value)


_SEEN: set[str] = set()
"""Modules whose enumerations are pickled by value."""


def _by_value(member: Enum) -> tuple[type[Enum], tuple[object]]:
    return type(member), (member.value,)


@dataclass(frozen=True, slots=True)
class CachedFile:
    """A file of the cache."""

    path: Path
    size: int  # in bytes
    used: int  # when: nanoseconds


def cached_files(place: Path) -> list[CachedFile]:
    """Return the files of the cache, least recently used first; other files in the folder are ignored."""
    cached = []
    with contextlib.suppress(FileNotFoundError), os.scandir(place) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):  # another process has deleted it
                if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    cached.append(CachedFile(Path(entry.path), status.st_size, status.st_mtime_ns))
    return sorted(cached, key=lambda file: (file.used, file.path.name))


def why_not_written(place: Path) -> str | None:
    """Return why no file can be written to a folder of fcb; None if it can. The folder is created."""
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        begin_beside(place.resolve() / "probe").unlink()
    except OSError as error:
        return error.strerror or str(error)
    return None


def clear(place: Path) -> list[CachedFile]:
    """Delete all results; return the deleted files. Raise OSError."""
    files = cached_files(place)
    for file in files:
        file.path.unlink(missing_ok=True)
    return files


_since: dict[Path, int] = {}
"""Bytes that this process has stored in each folder since the last `_thin_out`."""


def _thin_out_at_times(place: Path, size: int) -> None:
    """Thin out after the first result of a process, and after each hundredth of `MOST`."""
    more = _since.get(place, MOST) + max(size, LEAST)
    _since[place] = more
    if more >= MOST // 100:
        _thin_out(place)
        _since[place] = 0


def _thin_out(place: Path) -> None:
    """Delete the results used longest ago, until at most `MOST` remain."""
    files = cached_files(place)
    over = sum(max(file.size, LEAST) for file in files) - MOST
    for file in files:
        if over <= 0:
            return
        file.path.unlink(missing_ok=True)
        over -= max(file.size, LEAST)
