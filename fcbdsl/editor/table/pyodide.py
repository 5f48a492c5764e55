"""Pyodide, the Python that runs in a browser: its pinned files, and the part of its standard library that a game needs.

fcb does not contain Pyodide. Its npm package has the files; fcb compares them with the hashes below.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

from fcbdsl.base import resources
from fcbdsl.base.files import PROJECT_FILE, CannotRead, read_regular

VERSION = "314.0.7"
FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
"""The files of this version, with their SHA-256."""
MOST_BYTES = 64 << 20
"""Most bytes of one of these files."""
VARIABLE = "FCB_PYODIDE"
PLACES = ("build/pyodide/node_modules/pyodide", "node_modules/pyodide")
"""Folders below the current folder or the project where `make pyodide` and npm put it."""
_KEPT = "stdlib.txt"


class NoPyodide(Exception):
    """Pyodide is missing, or its files are not those of `VERSION`. The text names the way to get them."""


def pyodide_advice() -> str:
    """Return how to get the files."""
    return (
        f"Run `npm install pyodide@{VERSION}` in this folder, "
        f"or name the folder of its files: --pyodide DIR or {VARIABLE}."
    )


def find_pyodide(chosen: Path | None) -> Path:
    """Return the folder of Pyodide: `chosen`, that of the environment, or one of `PLACES`. Raises NoPyodide."""
    named = chosen or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is not None:
        return named
    for folder in _places():
        if (folder / "pyodide.asm.wasm").is_file():
            return folder
    raise NoPyodide(f"The file needs Pyodide {VERSION}, which is not here. {pyodide_advice()}")


def _places() -> Iterator[Path]:
    here = Path.cwd()
    roots = [here, *(folder for folder in here.parents if (folder / PROJECT_FILE).is_file())]
    for root in roots:
        for place in PLACES:
            yield root / place


def read_pyodide(folder: Path) -> dict[str, bytes]:
    """Return the content of `FILES`. Raises NoPyodide if one is missing or has another hash."""
    files = {}
    for name, seal in FILES.items():
        try:
            data = read_regular(folder / name, MOST_BYTES)
        except CannotRead as error:
            raise NoPyodide(f"Cannot read {folder / name}: {error}. {pyodide_advice()}") from error
        if hashlib.sha256(data).hexdigest() != seal:
            raise NoPyodide(
                f"{folder / name} is not that of Pyodide {VERSION}: its SHA-256 differs. {pyodide_advice()}"
            )
        files[name] = data
    return files


def lock_file(data: bytes) -> bytes:
    """Return the lock file without its packages: a game loads none."""
    content = json.loads(data)
    return json.dumps({**content, "packages": {}}).encode()


def standard_library(data: bytes) -> bytes:
    """Return the zip of the standard library with only the files that a game needs, uncompressed."""
    archive = io.BytesIO()
    needed = kept_files()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as out:
        for name in sorted(set(source.namelist()) & needed):
            out.writestr(zipfile.ZipInfo(name), source.read(name))
    return archive.getvalue()


def kept_files() -> set[str]:
    """Return the files of the standard library that a game needs, as paths in its zip."""
    return set((resources.package_folder() / "editor" / "table" / _KEPT).read_text(encoding="utf-8").split())
