"""Files that a project names are read through one bounded reader."""

from __future__ import annotations

import ast
from pathlib import Path

from imports import nodes_of

import fcbdsl

PACKAGE = Path(fcbdsl.__file__).parent

OWN_DATA = {
    "base/cache.py": "the user's cache, in a folder that others may not write to",
    "base/files.py": "the bounded reader itself",
    "editor/lsp/server.py": "texts that an editor has open, no files",
    "base/temporary.py": "locks of temporary folders",
    "base/origin.py": "what pip noted about the installation",
    "base/resources.py": "files of the package, in a folder or an archive",
    "base/native.py": "the record of the build, and the package's own sources",
    "project/project.py": "packs.toml of the shipped content",
    "cli/common.py": "the first bytes of a file that the user names",
    "cli/baseline.py": "likewise, of a baseline",
    "project/revisions.py": "an archive that git has just made of the user's own repository",
    "cli/main.py": "the null device",
    "cli/new_command.py": "the starters of the package",
    "cli/simulate_command.py": "games that an earlier run of the user kept",
    "tools/docs/cookbook.py": "the introduction of the page",
    "tools/docs/language_pages.py": "pages of the documentation, and the game of their examples",
    "editor/live/page.py": "style and script of the package",
    "editor/table/onefile.py": "page, style and scripts of the package, and its texts",
    "editor/table/pyodide.py": "the list of files of the standard library, and zips in memory",
    "editor/table/server.py": "page, style and scripts of the package",
    "cli/replay_command.py": "style and script of the package",
    "cli/kept_prints.py": "files that fcb itself has just printed, and its own modules",
    "base/locales/__init__.py": "words of the package",
    "print/layout/formats.py": "sizes of the package",
    "print/typeset/glyphs.py": "an index of the package's fonts",
    "print/typeset/ink_separation.py": "a picture that fcb itself has drawn",
    "print/press/shops.py": "shops of the package",
    "print/typeset/typesetting.py": "fonts and templates of the package, and pictures of bounded size",
    "print/typeset/worker.py": "bytes of pictures that fcb sends it",
    "print/pieces/looks.py": "templates of the package",
    "print/pieces/web.py": "icons of the package, and pictures likewise",
    "print/export/webpage.py": "style and script of the package",
    "language/syntax/grammar.py": "the grammar of the package",
}
"""Modules that open files in another way, and what they read or lock."""

OPENING = ("read_text", "read_bytes", "open")


def test_files_of_projects_are_read_within_bounds() -> None:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in nodes_of(path):
            if isinstance(node, ast.Call):
                called = node.func
                opens = isinstance(called, ast.Attribute) and called.attr in OPENING
                if opens or (isinstance(called, ast.Name) and called.id == "open"):
                    found.add(path.relative_to(PACKAGE).as_posix())
    assert found - OWN_DATA.keys() == set()
    assert OWN_DATA.keys() - found == set()
