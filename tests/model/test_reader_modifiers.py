"""Modifiers: the changed field, the changed things, and the condition."""

from __future__ import annotations

import pytest
from phrasebook import lines, sample, show

from fcbdsl.language.model.resolve import modifiers

MODIFIERS = [
    ("always: self has +1 HP", "hero{(it = self)} add 1 HP"),
    (
        (
            "while HP < 3:\n  self has HP 3\n  each enemy within 2 has at most 3 HP\n  enemy has double "
            "HP\n  enemy has + it's HP HP\n  self has shaken"
        ),
        (
            "hero{(it = self)} set 3 HP while (self.HP < 3); enemy{within(it, 2, self)} most 3 HP "
            "while (self.HP < 3); enemy{-} double 2 HP while (self.HP < 3); enemy{-} add it.HP HP "
            "while (self.HP < 3); hero{(it = self)} set yes shaken while (self.HP < 3)"
        ),
    ),
    ("while night is on: hero has at least 1 rank", "hero{-} least 1 rank while (?night = on)"),
]


@pytest.mark.parametrize(("text", "meaning"), MODIFIERS, ids=lambda value: value[:40])
def test_phrase_has_expected_tree(text: str, meaning: str) -> None:
    book = sample()
    assert (
        "; ".join(map(show, modifiers.read_conditional(book.reader, lines(text + "\n")[0], book.scope(params=[]))))
        == meaning
    )
    assert book.codes() == []
