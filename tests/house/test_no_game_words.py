"""Games are content: no word of a game stands in the engine, be it in code, texts or comments."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fcbdsl.model.whole import Model
from fcbdsl.project import CORE, check_project

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "fcbdsl").rglob("*.py"))

ENGLISH = {
    "aimed", "blocked", "chains", "charge", "exit", "gap", "gate", "guard", "interrupt", "logbook", "mine", "pull",
    "ready", "shove", "spread", "start", "swap", "verdict", "wheel",
}  # fmt: skip
"""Names of cards, marks, markers and keywords that are also words of the engine, in a meaning of its own: a jump is
aimed at a label, a barrier has blocked the way, chains join spaces, work is charged, exit codes, gaps between boxes, a
campaign's gates and its logbook, a guard tests an action, what starts, the wheel that is installed,
`KeyboardInterrupt`, mine and yours, the native shoves that push or pull, ready made, fires that spread, two letters
that swap, the verdict on a phrase or a game."""

CODE = {"push"}
"""Words that only names of code may use: things are pushed on a stack."""

_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-zÀ-ÿ]+")


def vocabulary(model: Model) -> dict[str, str]:
    """Each word (or words) that names something of the games, and what it names."""
    out: dict[str, str] = {}
    for definition in model.definitions.values():
        out[words(definition.id)] = f"{definition.kind.id} {definition.id}"
    for kind in model.kinds.values():
        for field in kind.fields.values():
            if field.sort in {"status", "token"}:
                out[words(field.id)] = f"{field.sort} {field.id}"
    for mark in model.marks:
        out[words(mark)] = f"mark {mark}"
    for form in model.forms:
        if form.sort == "keyword" and form.system != CORE:
            out[words(form.id)] = f"keyword {form.id}"
    return out


def words(text: str) -> str:
    """Names and sentences as plain words: ``cinder-quarry`` and ``CinderQuarry`` are ``cinder quarry``."""
    return " ".join(_SEAM.sub(" ", text).lower().split())


@cache
def shipped() -> dict[str, str]:
    model, problems = check_project([ROOT / "cards", ROOT / "missions"])
    assert not [problem for problem in problems if problem.severity == "error"]
    return vocabulary(model)


def said(source: str) -> Iterator[tuple[int, str]]:
    """Every name, text and comment of a Python file in plain words, with its line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = words(token.string)
        if token.type != tokenize.NAME or text not in CODE:
            yield token.start[0], text


def game_words(source: str, forbidden: dict[str, str]) -> list[tuple[int, str]]:
    """The forbidden words in a Python file, with their lines."""
    pattern = re.compile(rf"\b({'|'.join(sorted(map(re.escape, forbidden), key=len, reverse=True))})\b")
    return [(line, match.group()) for line, text in said(source) for match in pattern.finditer(text)]


def test_the_vocabulary_is_that_of_the_games() -> None:
    assert {"gunner", "poison", "taunt", "cinder quarry"} <= shipped().keys()
    assert shipped().keys() >= ENGLISH, "an exception that excepts nothing"


@pytest.mark.parametrize(
    "source",
    [
        "def taunt_all(): ...",
        "class GunnerBot: ...",
        "x = 'a Gunner'",
        "y = 1  # the cinder-quarry",
        "# zipline: A1/F4",
        '"""Poison."""',
    ],
)
def test_game_words_are_found_wherever_they_stand(source: str) -> None:
    assert game_words(source, shipped())


def test_no_game_word_in_the_engine() -> None:
    forbidden = {word: what for word, what in shipped().items() if word not in ENGLISH}
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word} ({forbidden[word]})"
        for path in ENGINE
        for line, word in game_words(path.read_text(encoding="utf-8"), forbidden)
    ]
    assert found == []
