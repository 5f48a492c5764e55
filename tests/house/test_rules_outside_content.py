"""Rules that no content test can show name an existing Python test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from fcbdsl.play.testing.catalogue import read_catalogue

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"


def rows() -> list[tuple[str, str]]:
    """Return each rule of the table, with the cell that names its tests."""
    page = (RULES / "README.md").read_text(encoding="utf-8").partition("## Proven elsewhere")[2]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:1] == "|"]
    return [(rule, row[-1]) for row in cells[2:] for rule in re.findall(r"[A-Z]+(?:-[A-Z0-9]+)+[a-z]?", row[0])]


def docstrings_of(path: Path) -> dict[str, str]:
    """Return the docstrings of a file's tests by name; "" is that of the file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return {"": ast.get_docstring(tree) or ""} | {node.name: ast.get_docstring(node) or "" for node in tests}


def test_table_of_proofs_is_parsed() -> None:
    written = re.findall(r"^\| [A-Z]+-[^|]*\|", (RULES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows()) == len(written) > 0


@pytest.mark.parametrize(("rule", "proof"), rows(), ids=[rule for rule, _ in rows()])
def test_rule_proven_elsewhere_has_test(rule: str, proof: str) -> None:
    pages = [page for page in RULES.glob("*.md") if page.name != "README.md"]
    every = [each for page in pages for each in read_catalogue(page.read_text(encoding="utf-8"))]
    assert rule in {id for each in every for id in (each.id, *each.clauses)}
    names = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", proof)
    assert names
    for file, name in names:
        proofs = docstrings_of(ROOT / file)
        assert name in proofs
        assert rule in proofs[name], f"{file} {name} does not say that it proves {rule}"
