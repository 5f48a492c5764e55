"""Mistakes in a project's own files."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class BadProjectFile(Diagnostic):
    code = "FCB0803"
    title = "Project file not understood"
    cause = "The project file can't be used as it is: {what}."
    help = (
        "It may say `language`, `name`, `title`, `paths`, `tests`, `rules`, `languages`, and `[variants]` with a value "
        "for each variant."
    )
    bad = """
        name = "my-pack"
        path = ["cards"]
    """
    good = """
        name = "my-pack"
        paths = ["cards"]
    """


class MissingPath(Diagnostic):
    code = "FCB0804"
    title = "A path of the project that does not exist"
    cause = "There is no `{name}` in the project, which `{key}` of the project file names."
    help = "Paths are seen from the folder of the project file. Correct the path, or leave it out."
    explanation = """
        What `paths`, `tests` and `rules` name must be there: of a folder that is misspelt nothing would be checked,
        played or printed, and nobody would be told. What they would be without the key (`cards`, `missions` and
        `tests`) may be missing.
    """
    bad = """
        name = "my-pack"
        paths = ["crads"]
    """
    good = """
        name = "my-pack"
        paths = ["cards"]
    """
