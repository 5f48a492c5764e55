"""Fields of the shipped games and of the language, and words that begin lines, have a description."""

from __future__ import annotations

import pytest
from games import GAMES, model

from fcbdsl.language.model.builtins import DOCS
from fcbdsl.language.model.declaring.boards import MAP_LINES
from fcbdsl.tools.docs.line_reference import KIND_WORDS, MAP_WORDS
from fcbdsl.tools.docs.word_reference import vocabulary_entries

WORDS = 25
"""The most words of a sentence."""


@pytest.mark.parametrize("game", GAMES)
def test_every_field_has_doc_line(game: str) -> None:
    made = model(game)
    fields = [
        (kind, one)
        for kind in made.kinds.values()
        for one in kind.fields.values()
        if one.sort in ("field", "builtin") and not any(one.id in above.fields for above in kind.lineage()[1:])
    ]
    assert len(fields) > 30
    assert [f"{kind.id}.{one.id}" for kind, one in fields if not one.doc] == []
    assert [one.doc for _, one in fields if len(one.doc.split()) > WORDS or not one.doc.endswith(".")] == []


def test_every_map_word_is_explained() -> None:
    assert {one.word for one in MAP_WORDS} == set(MAP_LINES)
    assert {"field", "stat", "part", "zone", "held by", "doc", "reminder"} <= {one.word for one in KIND_WORDS}


@pytest.mark.long
def test_vocab_explains_fields_lead_words_and_map_words() -> None:
    found = {(one.sort, one.id): one.doc for one in vocabulary_entries(model("far-cry-beyond"))}
    assert found["field", "kit"] == "Cards that it has from the start; fcb deals them at set-up."
    assert "Reaction cards" in found["field", "draws"]
    assert "wins" in found["field", "objective"]
    assert "letter" in found["map line", "legend"]
    assert found["lead word", "when"]
    assert found["field", "place"] == DOCS["place"]
