"""Mistakes in a project's own files."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class BadProjectFile(Diagnostic):
    code = "FCB0803"
    title = "Project file not understood"
    cause = "The project file can't be used as it is: {what}."
    help = "It may say `name`, `title`, `paths`, `tests`, `languages`, and `[variants]` with a value for each variant."
    bad = ""
    good = "mark gate"
