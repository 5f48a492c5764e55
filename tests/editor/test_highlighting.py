"""The highlighting of the extension covers the words of the grammar and of the language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fcbdsl.language.model.declaring.collect import META
from fcbdsl.language.syntax.grammar import line_parser

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
RULES = json.loads((EXTENSION / "syntaxes" / "fcb.tmLanguage.json").read_text(encoding="utf-8"))["repository"]


def words(pattern: str) -> list[str]:
    """Return the alternatives of a pattern."""
    return re.findall(r"(?<![\\\w])[a-z]{2,}", pattern)


def test_highlighting_knows_structure_words() -> None:
    lead = next(terminal.pattern.value for terminal in line_parser().terminals if terminal.name == "LEAD")
    shown = next(
        pattern["match"] for pattern in RULES["phrase"]["patterns"] if pattern.get("name") == "keyword.control.fcb"
    )
    assert sorted(words(lead)) == sorted(words(shown))


def test_highlighting_knows_declarations() -> None:
    shown = RULES["head"]["captures"]["1"]["patterns"][0]["match"]
    assert sorted(words(shown)) == sorted(META)


OWN = [*EXTENSION.glob("*.json"), *EXTENSION.glob("s*/*.json")]


@pytest.mark.parametrize("path", sorted(OWN), ids=lambda path: path.name)
def test_extension_names_existing_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    json.loads(text)
    if path.name == "package.json":
        for name in re.findall(r'"(\./[^"]+)"', text):
            assert (EXTENSION / name).is_file()
