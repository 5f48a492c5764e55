"""The data files of the package: grammar, game systems, templates, fonts; and the files of its code.

Python can import the package from a folder or from an archive (``PYTHONPATH=fcbdsl.zip``, zipapp, pex). Typst, Jinja
and the reader of sources open real files, so the data files of an archive are unpacked. Each process that needs them
does this once, into a temporary folder that is removed when the process ends.
"""

from __future__ import annotations

import atexit
import functools
import os
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
"""The package as Python found it; in an archive this folder does not exist."""

BESIDE = ("grammar", "cards", "missions", "translations", "fcb.toml")
"""Files that are inside the package in a wheel, and beside it in a checkout."""

_SOURCE, _BYTECODE, _NEXT_TO_SOURCES = ".py", ".pyc", "__pycache__"
_HEADER = 16
"""Length of the header of a .pyc file, in bytes; it contains the time of the source."""


class NoFiles(Exception):
    """The package was imported from something that is neither a folder nor a zip archive."""


def archive() -> Path | None:
    """Return the archive that the package was imported from; None if it is in a folder."""
    place = getattr(globals().get("__loader__"), "archive", None)
    return Path(place) if isinstance(place, str) and not HERE.is_dir() else None


@functools.cache
def package_folder() -> Path:
    """Return a folder that has the files of the package, as in a wheel or in a checkout. Raises NoFiles."""
    if HERE.is_dir():
        return HERE
    packed = archive()
    if packed is None:
        raise NoFiles(f"fcbdsl was imported from {HERE}, which is neither a folder nor in a zip archive.")
    import tempfile

    from fcbdsl.base import temporary

    place = Path(tempfile.mkdtemp(prefix=temporary.UNPACKED)).resolve()
    temporary.claim(str(place))
    atexit.register(_removed, place, os.getpid())
    _unpack(packed, place)
    return place / HERE.name


def code_files(package: Path = HERE) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package's code in order, by their place in it: sources, or bytecode if there are no
    sources."""
    files: dict[str, bytes] = {}
    packed = archive() if package == HERE else None
    if packed is not None:
        import zipfile

        with zipfile.ZipFile(packed) as opened:
            for name in opened.namelist():
                inside = name.removeprefix(_prefix())
                if inside != name and inside.endswith((_SOURCE, _BYTECODE)) and _NEXT_TO_SOURCES not in inside:
                    files[inside] = opened.read(name)
    else:
        for path in package.rglob("*.py*"):
            if path.suffix in (_SOURCE, _BYTECODE) and _NEXT_TO_SOURCES not in path.parts:
                files[path.relative_to(package).as_posix()] = path.read_bytes()
    for name in sorted(files):
        if name.endswith(_SOURCE):
            yield name, files[name].replace(b"\r\n", b"\n")
        elif name.removesuffix("c") not in files:
            yield name, files[name][_HEADER:]


def _prefix() -> str:
    """Return the prefix of the package's files in its archive."""
    packed = archive()
    assert packed is not None
    return HERE.relative_to(packed.resolve()).as_posix() + "/"


def _unpack(packed: Path, place: Path) -> None:
    """Unpack the data files of an archive, so that the package is in the folder `place`."""
    import zipfile

    own = _prefix()
    above = own.removesuffix(f"{HERE.name}/")
    with zipfile.ZipFile(packed) as opened:
        for entry in opened.infolist():
            name = entry.filename.removeprefix(above)
            beside = name.split("/")[0] in BESIDE
            if not entry.filename.startswith(above) or not (beside or name.startswith(f"{HERE.name}/")):
                continue
            if not name.endswith((_SOURCE, _BYTECODE)):
                entry.filename = name
                opened.extract(entry, place)
    (place / HERE.name).mkdir(exist_ok=True)


def _removed(place: Path, process: int) -> None:
    """Remove the folder `place` if this process unpacked it, and not its parent."""
    if os.getpid() == process:
        import shutil

        shutil.rmtree(place, ignore_errors=True)
