"""The figures of guards in the documentation are those of the stored guards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games import GAMES, PROJECTS, ROOT

from fcbdsl.base.source import Source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.tools.mutation.guards import NAME, Proof, holding, read_guards

FIGURES = ROOT / "docs" / "mutation-figures.md"
TITLES = {"beast": "BEAST", "escape": "ESCAPE", "far-cry-beyond": "Far Cry: Beyond", "fireteam-zero": "Fireteam Zero"}
HEAD = re.compile(r'^test "((?:[^"\\]|\\.)*)"(?: covers ([^:]+))?:', re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_page_counts_valid_guards(game: str) -> None:
    """`fcb rules --coverage` counts the same guards while all content tests pass."""
    guards = read_guards(ROOT / PROJECTS[game].mutation / NAME, ROOT)
    names = {guard.key.file for guard in guards} | {guard.test[0] for guard in guards}
    files = [parse(Source(name, (ROOT / name).read_text(encoding="utf-8")))[0] for name in sorted(names)]
    passed = {proof: covers for name in names for proof, covers in clauses_by_test(name).items()}
    held, _ = holding(guards, files, ("en", "fr"), passed)
    section = FIGURES.read_text(encoding="utf-8").split("## Guards of rules")[1].split("\n## ")[0]
    row = re.search(rf"^\| {TITLES[game]} \| (\d+) \| (\d+) \| (\d+) \|", section, re.MULTILINE)
    assert row is not None
    clauses, guarded, tested = map(int, row.groups())
    assert (guarded, tested) == (len(held), clauses - len(held))


def clauses_by_test(name: str) -> dict[Proof, list[str]]:
    """The clauses that each test of a file covers."""
    text = Path(ROOT, name).read_text(encoding="utf-8")
    return {(name, title): re.findall(r"[\w-]+", covers) for title, covers in HEAD.findall(text)}
