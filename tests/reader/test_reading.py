"""The printed texts of the shipped games, read back: what is read is what they were printed from, in normal form."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import GAMES, looked_through

from fcbdsl.prose import describe
from reader.reading import CannotRead, Expected, Reader, differences

UNREAD = Path(__file__).parent / "unread"
FLOOR = {"far-cry-beyond": 128, "fireteam-zero": 49, "escape": 26, "beast": 129}
"""How many texts are read as their trees, at least. It may only rise."""
OTHERWISE = {"far-cry-beyond": 1, "fireteam-zero": 0, "escape": 0, "beast": 0}
"""How many texts the grammar reads as something else than their trees, at most. It may only fall."""


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_texts_are_read_back_as_their_trees(game: str, update: bool) -> None:
    model, _ = looked_through(game)
    reader = Reader(model)
    agreeing: list[str] = []
    unread: list[str] = []
    otherwise: list[str] = []
    for definition in model.definitions.values():
        text = describe(definition, model, "en").plain() if not definition.text.get("en") else ""
        if not text or definition.board is not None:
            continue
        name = f"{definition.kind.id} {definition.id}"
        try:
            found = differences(reader.read(text), Expected(definition, model))
        except CannotRead as sentence:
            unread.append(f"{name}: {sentence}")
            continue
        (otherwise if found else agreeing).append(f"{name}: {'; '.join(found)}" if found else name)
    total = len(agreeing) + len(unread) + len(otherwise)
    print(f"{game}: {len(agreeing)} of {total} texts agree ({100 * len(agreeing) / total:.0f} %)")
    path = UNREAD / f"{game}.txt"
    made = "\n".join(
        ["# Sentences that the grammar cannot read.", *unread, "# Read as something else.", *otherwise, ""]
    )
    if update:
        path.parent.mkdir(exist_ok=True)
        path.write_text(made, encoding="utf-8")
    assert len(agreeing) >= FLOOR[game], made
    assert len(otherwise) <= OTHERWISE[game], made


def test_reader_tells_other_numbers_and_other_verbs_apart() -> None:
    """A text agrees with its own tree, and not with that of another card."""
    model, _ = looked_through("beast")
    reader = Reader(model)
    effects = {}
    for definition in model.definitions.values():
        text = "" if definition.text.get("en") else describe(definition, model, "en").plain()
        if text in ("Move\u00a02.", "Gain 1\u00a0grudge.", "Gain 2\u00a0grudges.", "Gain 1\u00a0Ancient Power."):
            effects[text] = definition
    assert len(effects) >= 2
    for text in effects:
        for other, definition in effects.items():
            assert (differences(reader.read(text), Expected(definition, model)) == []) == (text == other)
