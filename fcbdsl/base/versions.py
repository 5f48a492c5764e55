"""Versions of the language and of the file formats that fcb writes.

A file contains the version that wrote it. A format that is no longer read is refused, with the release that reads it.
"""

from __future__ import annotations

LANGUAGE = 2
"""The current version of the language; `language` in a project file gives the version of its sources."""
FIRST_LANGUAGE = 1
"""The version of sources whose project file gives none."""

PROGRAM = "fcbc/2"
"""The format of compiled programs (`.fcbc`)."""
WORLD = "fcb-world/2"
"""The format of a saved game, in a campaign or by a test."""
LOG = "fcb-log/1"
"""The format of the log of a game."""
TABLE = "fcb-table/1"
"""The format of records of a game at a real table."""
CAMPAIGN = "fcb-campaign/1"
"""The format of a campaign's saved state."""
STORE = 1
"""The format of the file that holds a campaign and its history."""

READ_BY = {"fcbc/1": "of release 0.1", "fcb-world/1": "of release 0.1"}
"""Former formats, and the releases that read them."""


def refusal(written: object, current: str) -> str:
    """Return the message that a file has another format than the current one, and which release reads it."""
    name = str(written)[:40]
    release = READ_BY.get(name)
    family, _, number = name.partition("/")
    if release is None and number.isdecimal() and family == current.partition("/")[0]:
        release = "of a later release" if int(number) > int(current.partition("/")[2]) else None
    reader = f", which an fcb {release} reads" if release is not None else ""
    return f"it has the format {name!r}{reader}; this fcb reads {current!r}"


def installed_version(package: str) -> str:
    """Return the version of an installed package. Raise importlib.metadata.PackageNotFoundError without it."""
    from importlib.metadata import version  # slow to import

    return version(package)
