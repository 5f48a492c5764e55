"""The entries of explained mutants of the shipped games are in the right files, and their lines exist."""

from __future__ import annotations

from games import PROJECTS, ROOT

from fcbdsl.base.source import Source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.tools.mutation.explained import Explained, read_explained
from fcbdsl.tools.mutation.sites import spots_of

NAME = "equivalent.toml"
HOMES = {(ROOT / project.mutation / NAME).resolve(): project for project in PROJECTS.values()}


def test_every_file_of_explained_mutants_is_read() -> None:
    assert [path for path in (ROOT / "tests" / "mutation").rglob(NAME) if path.resolve() not in HOMES] == []


def test_explained_lines_exist() -> None:
    entries = [(home, entry) for home in HOMES for entry in read_explained(home, ROOT)]
    assert entries
    lost = [f"{home}:{entry.line}: {entry.key.text}" for home, entry in entries if not stands(entry)]
    assert lost == []


def stands(entry: Explained) -> bool:
    """Return whether the line of an entry is in its file, as often as the entry states."""
    text = (ROOT / entry.key.file).read_text(encoding="utf-8") if (ROOT / entry.key.file).is_file() else ""
    file, _ = parse(Source(entry.key.file, text))
    found = [spot for spot in spots_of(file, ("en", "fr")) if (spot.of, spot.text) == (entry.key.of, entry.key.text)]
    return len(found) >= entry.key.which
