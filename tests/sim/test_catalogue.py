"""Rules catalogues are read, and matched with the tests that prove their rules."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.sim.catalogue import coverage, read_catalogue

PAGE = """
## 1. Overview
- **ABC-MOVE-01** Not of section two. [engine]
## 2. Moves
- **ABC-MOVE-02** A step costs 1. [engine][choice]
  - OPEN: who pays. RULING: the mover.
- **ABC-MOVE-03 Look**: shown on the card. [print]
- **ABC-KW-PUSH-01** Push. [engine]
"""


def test_rules_have_ids_sections_and_tags() -> None:
    rules = read_catalogue(PAGE)
    assert [(rule.id, rule.section, rule.tags, rule.area) for rule in rules] == [
        ("ABC-MOVE-01", 1, ("engine",), "MOVE"),
        ("ABC-MOVE-02", 2, ("engine", "choice"), "MOVE"),
        ("ABC-MOVE-03", 2, ("print",), "MOVE"),
        ("ABC-KW-PUSH-01", 2, ("engine",), "KW-PUSH"),
    ]


def test_only_engine_rules_of_the_sections_are_wanted() -> None:
    tests = [("one", ["ABC-MOVE-02", "ABC-MOVE-01"]), ("two", ["ABC-MOVE-02", "ABC-NONE-01"])]
    found = coverage(read_catalogue(PAGE), range(2, 3), tests)
    assert found.to_record("abc.md") == {
        "catalogue": "abc.md",
        "engine": 2,
        "proven": 1,
        "areas": {"MOVE": {"engine": 1, "proven": 1}, "KW-PUSH": {"engine": 1, "proven": 0}},
        "unproven": ["ABC-KW-PUSH-01"],
        "tests": {"ABC-MOVE-02": ["one", "two"]},
    }
    assert found.unknown == ["ABC-NONE-01"]


def test_the_shipped_catalogues_can_be_read() -> None:
    folder = Path(__file__).parents[2] / "docs" / "rules"
    pages = [page for page in sorted(folder.glob("*.md")) if page.name != "README.md"]
    assert len(pages) == 4
    for page in pages:
        rules = read_catalogue(page.read_text(encoding="utf-8"))
        assert len(rules) > 100
        assert len({rule.id for rule in rules}) == len(rules)
