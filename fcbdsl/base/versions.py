"""The versions of everything that is kept in files: the language, and the formats of what fcb writes.

A file says by which version it was written. One that is not read any more is refused with the version that reads it.
"""

from __future__ import annotations

LANGUAGE = 2
"""The version of the language that is read; `language` in a project file says which one its sources are in."""
FIRST_LANGUAGE = 1
"""The version of sources that were written before any project file said one."""

PROGRAM = "fcbc/2"
"""The format of compiled programs (`.fcbc`)."""
WORLD = "fcb-world/2"
"""The format of a game that is saved, in a campaign or by a test."""
LOG = "fcb-log/1"
"""The format of the log of a game."""
TABLE = "fcb-table/1"
"""The format of what was done at a real table."""
CAMPAIGN = "fcb-campaign/1"
"""The format of what a campaign keeps from step to step."""
STORE = 1
"""The format of the file that holds a campaign and its history."""

READ_BY = {"fcbc/1": "of release 0.1", "fcb-world/1": "of release 0.1"}
"""Formats of the past, and which fcb reads them."""


def refusal(found: object, current: str) -> str:
    """Say that a file has another format than the current one, and who reads it."""
    name = str(found)[:40]
    release = READ_BY.get(name)
    family, _, number = name.partition("/")
    if release is None and number.isdecimal() and family == current.partition("/")[0]:
        release = "of a later release" if int(number) > int(current.partition("/")[2]) else None
    reader = f", which an fcb {release} reads" if release is not None else ""
    return f"it has the format {name!r}{reader}; this fcb reads {current!r}"
