"""Games are content: the engine contains no word of a game, in code, texts or comments."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from games import GAMES, ROOT, model

from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.project.paths import CORE, shipped_path
from fcbdsl.project.project import check_project

ENGINE = sorted((ROOT / "fcbdsl").rglob("*.py"))

OURS = {
    "aimed": "a jump is aimed at a label",
    "behavior": "listeners, modifiers and effects of a declaration, in American spelling",
    "bleed": "what is printed beyond the edge at which it is cut",
    "blocked": "a barrier has blocked the way",
    "charge": "work is charged",
    "guard": "a guard tests an action",
    "interrupt": "`KeyboardInterrupt`",
    "mine": "mine and yours",
    "pull": "native shoves push or pull",
    "ready": "ready made",
    "spread": "fires that spread",
    "equipment": "an English word without another plural",
    "gear": "an English word without another plural",
    "unit": "what a compiler works on",
    "instruction": "what a code consists of",
    "location": "what SARIF calls a place in a file",
    "script": "what a test hands in: dice, steps",
    "record": "a row of plain data; a game as it went",
    "mutation": "a small change that a test should notice",
    "trial": "trying a mutant",
    "progress": "how far a long command has come",
    "reaction": "what somebody may do when something happens",
    "request": "what an editor asks of the language server",
    "reroll": "a die of a pool is rolled again",
    "tile": "a part of a printed map that is cut by itself",
    "mod": "`ModDate`, when a PDF was changed",
    **dict.fromkeys(
        ("attack", "enemy", "errand", "hero", "loot", "stunt", "weapon"),
        "examples in messages and docstrings must be of some game",
    ),
}
"""Words that the engine uses for something else, each with its meaning there."""

CODE = {"push"}
"""Words that only identifiers may contain: things are pushed on a stack."""

_SEAM = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-zÀ-ÿ]+")


@cache
def of_the_language() -> set[str]:
    """Return the kinds that every game has, or may have."""
    return {TEAM, *check_project([shipped_path("systems") / f"{CORE}.fcb"])[0].kinds}


def vocabulary(model: Model) -> dict[str, str]:
    """Return the words of a game, and what each names: proper names, kinds beyond those of the language, statuses,
    keywords."""
    out: dict[str, str] = {}
    for definition in model.definitions.values():
        if is_proper(words(definition.id), definition):
            out[words(definition.id)] = f"{definition.kind.id} {definition.id}"
    for kind in model.kinds.values():
        if kind.id not in of_the_language():
            out[words(kind.id)] = f"kind {kind.id}"
        for field in kind.fields.values():
            if field.sort in {"status", "token"}:
                out[words(field.id)] = f"{field.sort} {field.id}"
    for form in model.forms:
        if form.sort == "keyword" and form.system != CORE:
            out[words(form.id)] = f"keyword {form.id}"
    return out


def is_proper(name: str, definition: Definition) -> bool:
    """Return whether something has a proper name: one with several words, or the same in every language."""
    titles = definition.name.title
    return " " in name or (len(titles) > 1 and len(set(titles.values())) == 1)


def words(text: str) -> str:
    """Return names and sentences as plain words: ``cinder-quarry`` and ``CinderQuarry`` are ``cinder quarry``."""
    return " ".join(_SEAM.sub(" ", text).lower().split())


@cache
def of_all_games() -> dict[str, str]:
    """Return the words of all games, except those that the engine has as well."""
    words = {word: f"{what} of {game}" for game in GAMES for word, what in vocabulary(model(game)).items()}
    return {word: what for word, what in words.items() if word not in OURS}


def texts_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield every name, text and comment of a Python file in plain words, with its line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = words(token.string)
        if token.type != tokenize.NAME or text not in CODE:
            yield token.start[0], text


@cache
def said_in(path: Path) -> list[tuple[int, str]]:
    """Return the words of a file of the engine, read once."""
    return list(texts_of(path.read_text(encoding="utf-8")))


@cache
def engine_text() -> str:
    """Return the words of all files of the engine."""
    return "\n".join(text for path in ENGINE for _, text in said_in(path))


def game_words(texts: Iterable[tuple[int, str]], forbidden: dict[str, str]) -> list[tuple[int, str]]:
    """Return the forbidden words in a Python file, with their lines."""
    pattern = re.compile(rf"\b({'|'.join(sorted(map(re.escape, forbidden), key=len, reverse=True))})\b")
    return [(line, match.group()) for line, text in texts for match in pattern.finditer(text)]


LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"


@cache
def lanterns() -> dict[str, str]:
    """Return the words of a small game, which proves that words are found."""
    made, problems = check_project([LANTERNS])
    assert problems == []
    return vocabulary(made)


def test_words_are_proper_names_kinds_statuses_and_keywords() -> None:
    words = lanterns()
    assert {"long winter", "thief", "dazed", "shove", "sack"} <= words.keys()
    assert not {"card", "mission", "campaign"} & words.keys()
    assert "gust" not in words


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_words_of_each_sort(game: str) -> None:
    sorts = {what.split()[0] for what in vocabulary(model(game)).values()}
    assert sorts >= {"kind", "keyword", "status"}


@pytest.mark.parametrize("word", OURS)
def test_exception_is_word_of_engine(word: str) -> None:
    assert game_words([(0, engine_text())], {word: ""})


@pytest.mark.parametrize(
    "source",
    [
        "def daze_all(dazed): ...",
        "class ThiefBot: ...",
        "x = 'a Thief'",
        "y = 1  # the counting-house",
        "# sack: A1/F4",
        '"""Dazed."""',
    ],
)
def test_game_words_are_found_in_names_texts_and_comments(source: str) -> None:
    assert game_words(texts_of(source), lanterns())


def test_no_game_word_in_the_engine() -> None:
    words = [
        f"{path.relative_to(ROOT)}:{line}: {word} ({of_all_games()[word]})"
        for path in ENGINE
        for line, word in game_words(said_in(path), of_all_games())
    ]
    assert words == []
