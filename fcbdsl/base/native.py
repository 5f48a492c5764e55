"""Which modules of this installation are compiled to native code, and whether their sources are still the same.

A wheel that was built with ``FCB_BUILD=compiled`` (`hatch_build.py`) has compiled modules beside their sources, and a
record of what these were. Editable installs and plain wheels have neither.
"""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import NamedTuple

RECORD = "compiled.json"

PACKAGE = Path(__file__).resolve().parent


class SourceChanged(ImportError):
    """A compiled module would run, and not the source that lies beside it."""


class Build(NamedTuple):
    """What is compiled: by whom, and the sources by their place in the package, with their hashes."""

    by: str
    sources: dict[str, str]


@functools.cache
def build(package: Path = PACKAGE) -> Build | None:
    """What of a package is compiled; None: nothing is."""
    try:
        data = (package / RECORD).read_bytes()
    except (FileNotFoundError, NotADirectoryError):  # the latter in an archive, which can't hold compiled modules
        return None
    import json

    return Build(**json.loads(data))


def refuse_changed(room: str, package: Path = PACKAGE) -> None:
    """Raise SourceChanged if the source of a compiled module of a room (or of one without a room, by its file) is
    another than it was compiled from."""
    made = build(package)
    if made is None:
        return
    import hashlib

    for place, hash_then in made.sources.items():
        path = package / place
        if place.split("/")[0] != room or not path.exists():
            continue
        if hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest() != hash_then:
            raise SourceChanged(
                f"{path} is not what this installation was compiled from: it would not be what runs. "
                "Install fcbdsl anew; to work on it, install it with pip install -e."
            )


def told(package: Path = PACKAGE) -> str:
    """Which modules are compiled, for people: by whom, and how many of each room."""
    made = build(package)
    if made is None:
        return "plain Python: nothing is compiled"
    rooms = Counter(place.rpartition("/")[0] or place.removesuffix(".py") for place in made.sources)
    counts = [f"{room} ({count} module{'' if count == 1 else 's'})" for room, count in sorted(rooms.items())]
    return f"compiled by {made.by}: {', '.join(counts)}"
