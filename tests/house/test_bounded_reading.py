"""Files that a project names are read through one bounded reader, and files are written by one atomic writer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from file_access import accesses, changes
from imports import tree_of

import fcbdsl

PACKAGE = Path(fcbdsl.__file__).parent

OWN_DATA = {
    "base/cache.py": "the user's cache, in a folder that others may not write to",
    "base/files.py": "the bounded reader itself",
    "base/shipped_results.py": "code of the package",
    "editor/lsp/server.py": "texts that an editor has open, no files",
    "base/temporary.py": "locks of temporary folders",
    "base/origin.py": "what pip noted about the installation",
    "base/memory.py": "the memory of this process, as Linux reports it",
    "base/resources.py": "files of the package, in a folder or an archive",
    "base/native.py": "the record of the build, and the package's own sources",
    "project/project.py": "packs.toml of the shipped content",
    "cli/common.py": "the first bytes of a file that the user names",
    "cli/baseline.py": "likewise, of a baseline",
    "project/revisions.py": "an archive that git has just made of the user's own repository",
    "cli/main.py": "the null device",
    "cli/new_command.py": "the starters of the package",
    "cli/simulate_command.py": "games that an earlier run of the user kept",
    "tools/docs/topics.py": "pages of the documentation, which the package contains",
    "tools/docs/cookbook.py": "the introduction of the page",
    "tools/docs/language_pages.py": "pages of the documentation, and the game of their examples",
    "editor/live/page.py": "style and script of the package",
    "editor/table/onefile.py": "page, style and scripts of the package, and its texts",
    "print/export/looks_file.py": "parts of an archive, each of bounded size",
    "editor/table/pyodide.py": "the list of files of the standard library, and zips in memory",
    "editor/painter/painter_server.py": "pages, style and script of the package",
    "editor/writer/writer_server.py": "pages, style and script of the package",
    "editor/table/table_server.py": "page, style and scripts of the package",
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

OWN_WRITES = {
    "base/files.py::write_atomically": "the atomic writer itself",
    "base/files.py::begin_beside": "the empty file that it fills",
    "cli/main.py::_let_go": "the null device, in place of an output that nobody reads any more",
    "cli/simulate_command.py::_played": "appends games to the file of --keep; a torn line is left out when it is read",
    "editor/lsp/server.py::_changes.rename": "a rename of a name in texts, no file",
    "play/campaign/store.py::_connect": "SQLite, whose transactions are atomic",
    "play/campaign/store.py::_own_schema": "a database in memory",
    "play/campaign/store.py::create": "renames a whole database into place",
    "print/pieces/pictures.py::_lay_out": "a picture in fcb's own temporary folder",
    "print/export/looks_file.py::_part": "reads a part of an archive",
    "print/typeset/typesetting.py::_lay_templates": "templates in fcb's own temporary folder",
    "print/typeset/typesetting.py::_lay_drawings": "drawings likewise",
    "print/typeset/typesetting.py::_set": "pictures and fonts in fcb's own temporary folder",
    "print/typeset/worker.py::serve": "its own pipe, and the null device",
    "project/analysis/packaged_results.py::starter_packs": "a starter of the package in a temporary folder",
    "project/revisions.py::_at": "an old revision in a temporary folder",
}
"""Functions that write by other means than `base.files.write_atomically`, and what they write."""


OWN_CHANGES = {
    "base/cache.py::load_result": "the time of a file in the user's cache",
    "base/cache.py::_thin_out": "files in the user's cache",
    "base/cache.py::clear": "likewise",
    "base/cache.py::store_result": "the folder of the user's cache",
    "base/cache.py::why_not_written": "likewise",
    "base/files.py::begin_beside": "the folder of an output, after its links were checked, and leftovers in it",
    "base/files.py::write_atomically": "the unfinished file that it has begun",
    "base/resources.py::_removed": "a temporary folder of fcb",
    "base/resources.py::_unpack": "likewise",
    "base/resources.py::package_folder": "likewise",
    "base/shipped_results.py::store_packaged": "a folder in the checkout of fcb",
    "base/temporary.py::claim": "temporary folders of killed processes",
    "cli/new_command.py::_write_all": "what it has written to a folder that was empty",
    "cli/terminal_play.py::_put_back": "the log that it has written, no link",
    "machine/verified.py::_made_key": "the folder of the user's state",
    "play/campaign/store.py::create": "the unfinished file that it has begun",
    "print/pieces/pictures.py::_lay_out": "a folder in fcb's own temporary folder",
    "print/press/press.py::_numbered": "pages of an earlier run, in the folder to which it has just written",
    "print/typeset/typesetting.py::_set": "a folder in fcb's own temporary folder",
    "tools/docs/language_pages.py::_errors_of_settings": "a temporary folder of `make docs`",
    "tools/docs/language_pages.py::_written": "likewise",
}
"""Functions that remove files, or make or remove folders, and which."""


def places() -> Iterator[tuple[str, str, bool]]:
    """Yield the module and the function of each access to a file, and whether it may write."""
    for path in PACKAGE.rglob("*.py"):
        for function, _, writes in accesses(tree_of(path)):
            yield path.relative_to(PACKAGE).as_posix(), function, writes


def test_files_of_projects_are_read_within_bounds() -> None:
    writes = {name.partition("::")[0] for name in OWN_WRITES}
    readers = {module for module, _, wrote in places() if not wrote}
    assert readers - OWN_DATA.keys() == set()
    assert OWN_DATA.keys() - readers - writes == set()


def test_files_are_written_atomically() -> None:
    writers = {f"{module}::{function}" for module, function, writes in places() if writes}
    assert writers - OWN_WRITES.keys() == set()
    assert OWN_WRITES.keys() - writers == set()


def test_files_and_folders_are_removed_in_known_places() -> None:
    removals = {
        f"{path.relative_to(PACKAGE).as_posix()}::{function}"
        for path in PACKAGE.rglob("*.py")
        for function, _ in changes(tree_of(path))
    }
    assert removals - OWN_CHANGES.keys() == set()
    assert OWN_CHANGES.keys() - removals == set()


@pytest.mark.parametrize(
    "text",
    [
        "path.unlink()",
        "remove = path.unlink",
        "shutil.rmtree(path)",
        "from shutil import rmtree",
        "os.remove(path)",
        "from os import remove",
        "getattr(path, 'mkdir')()",
        "folder.mkdir(parents=True)",
    ],
)
def test_every_way_to_change_folders_is_found(text: str) -> None:
    assert len(list(changes(ast.parse(f"def f():\n    {text}\n")))) == 1
    assert not list(changes(ast.parse("names.remove(one); one.replace(a, b)")))


@pytest.mark.parametrize(
    ("text", "name", "writes"),
    [
        ("path.open()", "open", False),
        ("path.open('rb')", "open", False),
        ("open(path)", "open", False),
        ("json.load(open(path))", "open", False),
        ("with open(path, 'r') as file: pass", "open", False),
        ("read = path.read_text", "read_text", False),
        ("map(Path.read_bytes, paths)", "read_bytes", False),
        ("os.open(path, os.O_RDONLY)", "open", False),
        ("io.open(path)", "open", False),
        ("getattr(path, 'read_text')()", "read_text", True),
        ("path.open('w')", "open", True),
        ("path.open(mode='ab')", "open", True),
        ("path.open(mode)", "open", True),
        ("path.open(**how)", "open", True),
        ("open(path, 'x')", "open", True),
        ("open(path, mode='r+')", "open", True),
        ("show = open", "open", True),
        ("opened = path.open", "open", True),
        ("from io import open as show", "open", True),
        ("from shutil import copyfile", "copyfile", True),
        ("from shutil import move as put", "move", True),
        ("write = path.write_text", "write_text", True),
        ("path.write_bytes(b'')", "write_bytes", True),
        ("os.open(path, os.O_WRONLY | os.O_CREAT)", "open", True),
        ("os.fdopen(number, 'wb')", "fdopen", True),
        ("codecs.open(path, 'w')", "open", True),
        ("path.replace(other)", "replace", True),
        ("os.replace(path, other)", "replace", True),
        ("shutil.move(path, other)", "move", True),
        ("getattr(path, 'write_text')('')", "write_text", True),
    ],
)
def test_every_way_to_read_a_file_is_found(text: str, name: str, writes: bool) -> None:
    assert set(accesses(ast.parse(text))) == {("", name, writes)}


@pytest.mark.parametrize(
    "text",
    ["text.replace('a', 'b')", "replace(record, a=1)", "copy.copy(one)", "json.loads(text)", "self._open.remove(one)"],
)
def test_other_calls_are_not_found(text: str) -> None:
    assert list(accesses(ast.parse(text))) == []
