"""The page on the pipeline names functions that exist, and the glossary has one sentence for each term."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from clarity import split

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "pipeline.md").read_text(encoding="utf-8")
PACKAGES = ("base", "machine", "language", "print", "play", "project", "tools", "editor", "cli")
NAMES = sorted(set(re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", PAGE)))
TERMS = re.findall(r"^\| ([a-z][\w -]*) \| (.+) \|$", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
HEADER = ("term", "meaning")


def exists(name: str) -> bool:
    """Return whether a dotted name below `fcbdsl` is a module, or something in one."""
    parts = f"fcbdsl.{name}".split(".")
    for length in range(len(parts), 0, -1):
        try:
            item: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            item = getattr(item, part, None)
        return item is not None
    return False


@pytest.mark.parametrize("name", NAMES)
def test_named_function_exists(name: str) -> None:
    assert exists(name)


def test_missing_function_is_found() -> None:
    assert exists("language.syntax.parser.parse")
    assert not exists("language.syntax.parser.prase")
    assert not exists("language.sintax.parser.parse")


def test_page_has_seven_steps_that_each_name_a_function() -> None:
    _, *steps = re.split(r"^## (?=\d\. )", PAGE, flags=re.MULTILINE)
    assert [int(step[0]) for step in steps] == list(range(1, 8))
    assert all(any(f"`{name}`" in step for name in NAMES) for step in steps)


def test_glossary_explains_forty_terms_in_one_sentence_each() -> None:
    terms = [row for row in TERMS if row != HEADER]
    assert len({term for term, _ in terms}) == len(terms) == 40
    assert [term for term, meaning in terms if not meaning.endswith(".") or len(list(split(meaning))) > 1] == []
