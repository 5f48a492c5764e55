"""Rules catalogs are read, and matched with the tests that prove their rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.play.testing.catalogue import BadCatalogue, OutsideTest, coverage, read_catalogue, read_elsewhere

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


def test_sections_select_engine_rules() -> None:
    tests = [("one", ["ABC-MOVE-02", "ABC-MOVE-01"]), ("two", ["ABC-MOVE-02", "ABC-NONE-01"])]
    report = coverage(read_catalogue(PAGE), range(2, 3), tests)
    assert report.to_record("abc.md") == {
        "catalogue": "abc.md",
        "engine": 2,
        "proven": 1,
        "guarded": 0,
        "elsewhere": 0,
        "printed": {"rules": 1, "elsewhere": 0},
        "areas": {
            "MOVE": {"engine": 1, "proven": 1, "guarded": 0, "elsewhere": 0},
            "KW-PUSH": {"engine": 1, "proven": 0, "guarded": 0, "elsewhere": 0},
        },
        "unproven": ["ABC-KW-PUSH-01"],
        "unguarded": ["ABC-MOVE-02", "ABC-KW-PUSH-01"],
        "unprinted": ["ABC-MOVE-03"],
        "tests": {"ABC-MOVE-02": ["one", "two"]},
    }
    assert report.unknown == ["ABC-NONE-01"]


LETTERED = """
## 2. Moves
- **ABC-MOVE-02** **a** A step costs 1; **b** a leap 2. [engine]
  - OPEN: who pays. RULING: **c** the mover.
- **ABC-MOVE-03** A walk ends at a wall. [engine]
- **ABC-MOVE-04** Lots are drawn. [engine]

## Proven elsewhere
| rule | why | proven by |
|---|---|---|
| ABC-MOVE-02c | Nobody sees it | `tests/session/test_payers.py::test_the_mover_pays`, `tests/session/test_more.py` |
| ABC-MOVE-04 | Chance | `tests/session/test_lots.py` |
"""


def test_rules_can_have_lettered_clauses() -> None:
    rules = read_catalogue(LETTERED)
    assert [rule.clauses for rule in rules] == [
        ("ABC-MOVE-02a", "ABC-MOVE-02b", "ABC-MOVE-02c"),
        ("ABC-MOVE-03",),
        ("ABC-MOVE-04",),
    ]


@pytest.mark.parametrize("wrong", ["**b** One thing.", "**a** One; **c** another.", "**a** One; **a** another."])
def test_clause_letters_are_consecutive(wrong: str) -> None:
    with pytest.raises(BadCatalogue, match="ABC-MOVE-02"):
        read_catalogue(f"## 2. Moves\n- **ABC-MOVE-02** {wrong} [engine]\n")


def test_catalog_lists_python_tests_of_rules() -> None:
    assert read_elsewhere(LETTERED) == {
        "ABC-MOVE-02c": [
            OutsideTest("tests/session/test_payers.py", "test_the_mover_pays"),
            OutsideTest("tests/session/test_more.py", ""),
        ],
        "ABC-MOVE-04": [OutsideTest("tests/session/test_lots.py", "")],
    }
    assert read_elsewhere(PAGE) == {}


def test_rule_is_covered_by_id_or_all_letters() -> None:
    rules, elsewhere = read_catalogue(LETTERED), read_elsewhere(LETTERED)

    def unproven(*covers: str) -> list[str]:
        return coverage(rules, range(2, 3), [("one", covers)], (), elsewhere).unproven

    assert unproven() == ["ABC-MOVE-02", "ABC-MOVE-03"]
    assert unproven("ABC-MOVE-02a", "ABC-MOVE-03") == ["ABC-MOVE-02"]
    assert unproven("ABC-MOVE-02a", "ABC-MOVE-02b", "ABC-MOVE-03") == []
    assert unproven("ABC-MOVE-02", "ABC-MOVE-03") == []


def test_rule_is_guarded_if_every_clause_is() -> None:
    rules, elsewhere = read_catalogue(LETTERED), read_elsewhere(LETTERED)
    tests = [("one", ["ABC-MOVE-02", "ABC-MOVE-03", "ABC-MOVE-09", "ABC-MOVE-02d"])]

    def figures(*guarded: str) -> tuple[dict[str, tuple[int, int, int, int]], list[str]]:
        report = coverage(rules, range(2, 3), tests, guarded, elsewhere)
        assert report.unknown == ["ABC-MOVE-09", "ABC-MOVE-02d"]
        return report.areas(), report.unguarded

    assert figures() == ({"MOVE": (3, 3, 0, 1)}, ["ABC-MOVE-02a", "ABC-MOVE-02b", "ABC-MOVE-03"])
    assert figures("ABC-MOVE-02a") == ({"MOVE": (3, 3, 0, 1)}, ["ABC-MOVE-02b", "ABC-MOVE-03"])
    assert figures("ABC-MOVE-02a", "ABC-MOVE-02b") == ({"MOVE": (3, 3, 1, 1)}, ["ABC-MOVE-03"])
    every = [clause for rule in rules for clause in rule.clauses]
    assert figures(*every) == ({"MOVE": (3, 3, 2, 1)}, [])


def test_shipped_catalogues_are_valid() -> None:
    folder = Path(__file__).parents[2] / "docs" / "rules"
    pages = [page for page in sorted(folder.glob("*.md")) if page.name != "README.md"]
    assert pages
    for page in pages:
        rules = read_catalogue(page.read_text(encoding="utf-8"))
        assert len(rules) > 100
        assert len({rule.id for rule in rules}) == len(rules)


def test_rules_of_print_are_counted_separately() -> None:
    rows = ["**YARD-PRINT-01** A name. [print]", "**YARD-PRINT-02** A number. [print]", "**YARD-GO-01** Go. [engine]"]
    page = "\n".join(["## 4. Print", *(f"- {row}" for row in rows)])
    report = coverage(read_catalogue(page), range(1, 9), [("it goes", ["YARD-GO-01"])], (), {"YARD-PRINT-02": []})
    assert (report.printed, report.unprinted) == ({"YARD-PRINT-01": False, "YARD-PRINT-02": True}, ["YARD-PRINT-01"])
    assert [rule.id for rule in report.rules] == ["YARD-GO-01"]
    assert report.to_record("yard.md")["printed"] == {"rules": 2, "elsewhere": 1}
    assert report.unproven == []
