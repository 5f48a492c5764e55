"""The file with the looks of a program: the dressings of its missions in all languages, as one zip beside a ``.fcbc``.

Dressings share most of their parts, so the file contains each part once, by the hash of its content.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fcbdsl.base.cache import result_key
from fcbdsl.machine.vm import serialization
from fcbdsl.print.export.dressing import Dressing

INDEX = "index.json"
MOST_BYTES = 16 << 20
"""Most bytes of a part; fcb reads no larger one."""
SUFFIX = ".looks.zip"


_DAMAGES = (
    OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, RecursionError, ValueError, KeyError,
    AttributeError, TypeError, serialization.Mismatch,
)  # fmt: skip


class BadLooks(Exception):
    """A file that has no usable looks for a program. Its text is the reason."""


def beside(program: Path) -> Path:
    """Return the path of the looks of a program file."""
    return program.with_name(program.name.removesuffix(".fcbc") + SUFFIX)


def looks_file(program: str, dressings: Iterable[Dressing]) -> bytes:
    """Return the content of the file. `program`: the hash of the program."""
    parts: dict[str, bytes] = {}
    missions: dict[str, dict[str, dict[str, str]]] = {}
    for dressing in dressings:
        encoded = serialization.encode(dressing)
        assert isinstance(encoded, dict)
        row = missions.setdefault(dressing.mission, {}).setdefault(dressing.language, {})
        for name, value in encoded.items():
            data = serialization.canonical(value)
            row[name] = result_key([data])[:20]
            parts[row[name]] = data
    index: Any = {"program": program, "missions": missions}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in ((INDEX, serialization.canonical(index)), *sorted(parts.items())):
            out.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def dressing_from(path: Path, program: str, mission: str) -> Callable[[str], Dressing | None]:
    """Return a function that reads the dressing of a mission in a language; None without that language. Raises BadLooks
    if the file does not belong to the program with this hash, or is damaged."""
    try:
        with zipfile.ZipFile(path) as file:
            index = _part(file, INDEX)
            if index["program"] != program:
                raise BadLooks(f"{path} belongs to another version of the program.")
            rows = index["missions"].get(mission, {})
            dressings: dict[str, Dressing] = {}
            for language, row in rows.items():
                data = {str(name): _part(file, part) for name, part in row.items()}
                dressings[str(language)] = serialization.decode_record(Dressing, data)
    except _DAMAGES as error:
        raise BadLooks(f"{path} cannot be read: {error}.") from error
    if not dressings:
        raise BadLooks(f"{path} has no looks of {mission}.")
    return dressings.get


def _part(file: zipfile.ZipFile, name: str) -> Any:
    with file.open(name) as part:
        data = part.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"{name} has more than {MOST_BYTES} bytes")
    return json.loads(data)
