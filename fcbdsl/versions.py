"""The versions of everything that is kept in files: the language, and the formats of what fcb writes.

A file says by which version it was written. One that is not read any more is refused with the version that reads it.
"""

from __future__ import annotations

LANGUAGE = 2
"""The version of the language that is read; `language` in a project file says which one its sources are in."""
FIRST_LANGUAGE = 1
"""The version of sources that were written before any project file said one."""
