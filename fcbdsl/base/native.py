"""The modules of this installation that are compiled to native code, and a check that their sources are unchanged.

A wheel built with ``FCB_BUILD=compiled`` (`hatch_build.py`) has compiled modules beside their sources, and a record of
those sources. Editable installs and plain wheels have neither.
"""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import NamedTuple

RECORD = "compiled.json"

PACKAGE = Path(__file__).resolve().parents[1]


class SourceChanged(ImportError):
    """A compiled module would run although its source has changed."""


class Build(NamedTuple):
    """A compiled build: the compiler, and the sources by their place in the package, with their hashes."""

    by: str
    sources: dict[str, str]


@functools.cache
def compiled_build(package: Path = PACKAGE) -> Build | None:
    """Return the compiled build of a package; None if nothing is compiled."""
    try:
        data = (package / RECORD).read_bytes()
    except (FileNotFoundError, NotADirectoryError):  # the latter in an archive, which can't hold compiled modules
        return None
    import json

    return Build(**json.loads(data))


def refuse_changed(place: str, package: Path = PACKAGE) -> None:
    """Raise SourceChanged if a compiled module differs from its source.

    `place` is a package or a file below `package`, as `machine/vm` or `base/source.py`."""
    build = compiled_build(package)
    if build is None:
        return
    import hashlib

    for source, hash_then in build.sources.items():
        path = package / source
        if not (source == place or source.startswith(f"{place}/")) or not path.exists():
            continue
        if hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest() != hash_then:
            raise SourceChanged(
                f"{path} is not what this installation was compiled from: it would not be what runs. "
                "Install fcbdsl anew; to work on it, install it with pip install -e."
            )


def describe_build(package: Path = PACKAGE) -> str:
    """Return a description of the compiled build: the compiler, and the number of modules per package."""
    build = compiled_build(package)
    if build is None:
        return "plain Python: nothing is compiled"
    packages = Counter(place.rpartition("/")[0] or place.removesuffix(".py") for place in build.sources)
    counts = [f"{name} ({count} module{'' if count == 1 else 's'})" for name, count in sorted(packages.items())]
    return f"compiled by {build.by}: {', '.join(counts)}"
