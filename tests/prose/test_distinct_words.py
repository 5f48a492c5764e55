"""Effects that do different things print different words, in each language: pairs written by a seeded author.

Each pair is an effect and a neighbor: the same decisions of the author but for one (another referent, operator,
bracket, bound, kind, condition, or order). The words of each effect are compared with those of all others of the run.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import dataclass, field

import pytest
from copse import Author, Tape, cards_of
from normal_form import normal

from fcbdsl.language.prose import rules_text

LANGUAGES = ("en", "fr")
NEIGHBORS = 8
BATCH = 40
FEW, MANY, RUNS = 300, 2500, 8
"""Pairs in `make test`, pairs in each run of `make test-all`, and the number of these runs."""
OPEN: tuple[tuple[list[str], list[str]], ...] = ()
"""Pairs of cards with a known collision, by their lines. The list may only shrink."""


@dataclass
class Found:
    """The result of a run: pairs with different normal forms, and effects with the same words, by those words."""

    pairs: int = 0
    unworded: int = 0
    collisions: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    known: dict[str, dict[Hashable, list[str]]] = field(default_factory=dict)


def written(chance: random.Random) -> tuple[list[list[str]], list[tuple[int, int]]]:
    """Return cards, and the numbers of those that are pairs."""
    cards: list[list[str]] = []
    pairs: list[tuple[int, int]] = []
    for _ in range(BATCH):
        tape = Tape([], chance.randrange)
        base = len(cards)
        cards.append(Author(tape).card())
        for _ in range(NEIGHBORS):
            at = chance.randrange(len(tape.made))
            made, below = tape.made[at]
            if below > 1:
                given = [value for value, _ in tape.made]
                given[at] = (made + 1 + chance.randrange(below - 1)) % below
                pairs.append((base, len(cards)))
                cards.append(Author(Tape(given, chance.randrange)).card())
    return cards, pairs


def compared(seed: int, most: int) -> dict[str, Found]:
    """Compare at least that many pairs in each language."""
    chance = random.Random(seed)
    by_language = {language: Found() for language in LANGUAGES}
    while min(result.pairs for result in by_language.values()) < most:
        cards, pairs = written(chance)
        model, good = cards_of(cards)
        forms = {number: normal(definition) for number, definition in good.items()}
        for language, report in by_language.items():
            words: dict[int, str] = {}
            for number, definition in good.items():
                text = rules_text(definition, model, language)
                report.unworded += bool(text.problems)
                if not text.problems:  # the check reports missing words
                    words[number] = text.plain()
            report.pairs += sum(a in words and b in words and forms[a] != forms[b] for a, b in pairs)
            for number, printed in words.items():
                others = report.known.setdefault(printed, {})
                others.setdefault(forms[number], cards[number])
                if len(others) > 1:
                    first, second, *_ = others.values()
                    report.collisions[printed] = first, second
    return by_language


def report(result: Found) -> str:
    """Return the collisions, the shortest first."""
    shown = sorted(result.collisions.items(), key=lambda pair: len(pair[0]))
    return "\n".join(f"{text}\n{chr(10).join(a)}\n--\n{chr(10).join(b)}\n" for text, (a, b) in shown)


def check_run(seed: int, most: int) -> None:
    for language, result in compared(seed, most).items():
        print(f"{language}: {result.pairs} pairs, {result.unworded} without words, {len(result.collisions)} collisions")
        assert result.pairs >= most
        new = {text: pair for text, pair in result.collisions.items() if pair not in OPEN}
        assert not new, f"{language}\n{report(result)}"


def test_neighboring_effects_print_different_words() -> None:
    check_run(1, FEW)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 100 + RUNS))
def test_twenty_thousand_neighboring_effects_print_different_words(seed: int) -> None:
    check_run(seed, MANY)


@pytest.mark.parametrize("language", LANGUAGES)
def test_condition_that_is_never_true_prints_other_words(language: str) -> None:
    """The type of `self` is known: the first test always holds, the second never does."""
    model, good = cards_of([["  effect:", f"    if self is {what}: chase self"] for what in ("fox", "not fox")])
    always, never = (rules_text(good[number], model, language).plain() for number in (0, 1))
    assert always != never


def test_normal_form_separates_different_play() -> None:
    """One pair for each kind of difference, and pairs that play alike."""
    different = [
        ("nip self 1", "nip self 2"),
        ("nip self (self's HP)", "nip self (self's MP)"),
        ("nip self ((self's HP + 1) * 2)", "nip self (self's HP + 1 * 2)"),
        ("choose pick: beast\n    chase pick", "choose pick: beast\n    chase self"),
        ("choose pick: beast near self", "choose pick: beast except self"),
        (
            "let sum = self's HP\n    nip self 1\n    nip self sum",
            "nip self 1\n    let sum = self's HP\n    nip self sum",
        ),
    ]
    alike = [
        ("let sum = self's HP\n    nip self sum", "nip self (self's HP)"),
        ("let sum = self's HP\n    chase self\n    nip self sum", "chase self\n    nip self (self's HP)"),
        ("if self is hurt:\n      if self is Cold: chase self", "if self is hurt and self is Cold: chase self"),
        ("chase self\n    chase self", "repeat 2 times: chase self"),
        ("nip self (self's HP + (self's MP + 1))", "nip self (self's HP + self's MP + 1)"),
    ]
    lines = [[f"  effect:\n    {text}"] for pair in [*different, *alike] for text in pair]
    _, good = cards_of([text.split("\n") for (text,) in lines])
    forms = {number: normal(definition) for number, definition in good.items()}
    assert len(forms) == len(lines)
    same = [forms[2 * at] == forms[2 * at + 1] for at in range(len(different) + len(alike))]
    assert same == [False] * len(different) + [True] * len(alike)
