"""Results about shipped content that are part of the package, so that a project reads no shipped game again.

A wheel contains them. In a checkout, the first run that needs one writes it. Each is stored like a result of the cache,
under the hash of everything that it depends on: the texts of the sources, the settings, and the code that reads them.
The names of source files differ between installations, so a result contains their places in the package instead.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import zlib
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from fcbdsl.base import cache, resources
from fcbdsl.base.files import write_atomically
from fcbdsl.base.native import describe_build

FOLDER = "results"
"""The folder of these results in the package."""
ENDING = ".result"
READERS = ("base", "language", "machine", "project/analysis", "grammar")
"""The folders whose code and data make a model and a program."""
PRESS = ("print/pieces", "print/layout", "print/press", "print/typeset", "print/icons")
"""The folders whose code and data make views of pieces from a model."""
_LENGTH = 8
"""The number of letters of a file's name that identify the code of `READERS`."""


_elsewhere: list[Path] = []
"""The folder that the build of a wheel chose instead, if any."""


def write_to(folder: Path) -> None:
    """Use another folder in this process."""
    _elsewhere[:] = [folder]


def results_folder() -> Path:
    """Return the folder of the packaged results."""
    return _elsewhere[0] if _elsewhere else resources.HERE / FOLDER


def available() -> bool:
    """Return whether results of the package are used: not in an archive, and not if the cache is turned off."""
    return resources.archive() is None and os.environ.get("FCB_CACHE") != ""


def writable() -> bool:
    """Return whether missing results are written: only into a checkout to which nobody else can write."""
    if not available() or _folder("grammar").parent == resources.HERE:
        return False
    folder = results_folder()
    places = (folder.parent, folder) if folder.exists() else (folder.parent,)
    return all(os.access(place, os.W_OK) and cache.is_private(place) for place in places)


def _folder(name: str) -> Path:
    """Return a folder of the package, or beside it in a checkout."""
    inside = resources.HERE / name
    return inside if inside.exists() else resources.HERE.parent / name


@functools.cache
def code_hash(folders: tuple[str, ...]) -> str:
    """Return a hash of the files in some folders of the package, and of the build that runs."""
    digest = hashlib.blake2b(describe_build().encode(), digest_size=16)
    for root in map(_folder, folders):
        for folder, below, files in os.walk(root):
            below[:] = sorted(name for name in below if name != "__pycache__")
            for name in sorted(files):
                place = os.path.join(folder, name)
                with open(place, "rb") as file:
                    content = file.read().replace(b"\r\n", b"\n")
                digest.update(f"{os.path.relpath(place, root)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def result_name(parts: Iterable[str], more_code: tuple[str, ...] = ()) -> str:
    """Return the name of a result: the hash of its content, after the start of that of the code that reads.

    `more_code`: other folders of the package that it depends on.
    """
    read_by = code_hash(READERS)
    digest = hashlib.blake2b(read_by.encode(), digest_size=16)
    for part in (code_hash(more_code), *parts):
        content = part.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big") + content)
    return f"{read_by[:_LENGTH]}-{digest.hexdigest()}{ENDING}"


class _Pickler(pickle.Pickler):
    """Writes the places of source files instead of their names."""

    def __init__(self, file: BytesIO, places: Mapping[str, str]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._places = places

    def persistent_id(self, value: Any) -> str | None:
        return self._places.get(value) if type(value) is str else None


def load_packaged(name: str, fits: Callable[[Any], bool], places: Mapping[str, str]) -> Any | None:
    """Return the result of that name, or None if there is none that can be read and `fits`.

    `places`: the places in the package of the source files, by the names that they have in this run.
    """
    if not available():
        return None
    names = {place: name for name, place in places.items()}
    return cache.load_from(results_folder() / name, fits, names, _unpacked)


def _unpacked(content: bytes) -> bytes:
    return zlib.decompressobj().decompress(content, cache.LARGEST)


def store_packaged(name: str, result: Any, places: Mapping[str, str]) -> bool:
    """Store a result and delete those of other code; return whether that succeeded. `places`: see `load_packaged`."""
    data, folder = BytesIO(), results_folder()
    cache.keep_members_by_value()
    try:
        _Pickler(data, places).dump(result)
        content = zlib.compress(data.getvalue(), 9)
        folder.mkdir(exist_ok=True)
        write_atomically(folder / name, cache.seal_of(content) + content)
        for other in folder.glob(f"*{ENDING}"):
            if not other.name.startswith(name[:_LENGTH]):
                other.unlink(missing_ok=True)
    except RecursionError:
        cache.count_unusable("cannot keep a result: it is nested too deeply")
        return False
    except OSError as error:
        cache.count_unusable(f"cannot keep a result: {error.strerror}")
        return False
    return True
