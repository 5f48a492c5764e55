"""The entries of explained mutants of the shipped games are in the right files, and their lines exist."""

from __future__ import annotations

import re

import pytest
from games import GAMES, PROJECTS, ROOT

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.cli.rules_command import catalogue_of, elsewhere_of
from fcbdsl.language.syntax.parser import parse
from fcbdsl.project.project import load_project, parse_all
from fcbdsl.tools.mutation.explained import Explained, read_explained
from fcbdsl.tools.mutation.guards import holding, read_guards
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
    spots = [spot for spot in spots_of(file, ("en", "fr")) if (spot.of, spot.text) == (entry.key.of, entry.key.text)]
    return len(spots) >= entry.key.which


TEST = re.compile(r'^test "([^"]*)" covers ([^:]*):$', re.M)
NAMES = {
    "beast": "BEAST",
    "fireteam-zero": "Fireteam Zero",
    "escape": "ESCAPE",
    "far-cry-beyond": "Far Cry: Beyond",
}


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_page_states_the_valid_guards(game: str) -> None:
    """The table of `docs/mutation-figures.md` gives the numbers of `fcb rules --coverage`, if all tests pass."""
    loader = load_project(root=ROOT, game=game, tests=True)
    files = parse_all(loader.sources, Problems())
    passed = {
        (file.source.name, title): covers.split(", ")
        for file in files
        for title, covers in TEST.findall(file.source.text)
    }
    text, rules = catalogue_of(loader.project)
    elsewhere = elsewhere_of(loader.project, text)
    here = [rule for rule in rules if "engine" in rule.tags and rule.id not in elsewhere]
    clauses = {clause for rule in here for clause in rule.clauses if clause not in elsewhere}
    guards = read_guards(ROOT / loader.project.mutation / "guards.json", ROOT)
    held, _ = holding(guards, files, loader.project.languages, passed)
    guarded = len(clauses.intersection(guard.rule for guard in held))
    row = f"| {NAMES[game]} | {len(clauses)} | {guarded} | {len(clauses) - guarded} |"
    assert row in (ROOT / "docs" / "mutation-figures.md").read_text(encoding="utf-8")
