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
        (kind, field)
        for kind in made.kinds.values()
        for field in kind.fields.values()
        if field.sort in ("field", "builtin") and not any(field.id in above.fields for above in kind.lineage()[1:])
    ]
    assert len(fields) > 30
    assert [f"{kind.id}.{field.id}" for kind, field in fields if not field.doc] == []
    assert [field.doc for _, field in fields if len(field.doc.split()) > WORDS or not field.doc.endswith(".")] == []


def test_every_map_word_is_explained() -> None:
    assert {line.word for line in MAP_WORDS} == set(MAP_LINES)
    assert {"field", "stat", "part", "zone", "held by", "doc", "reminder"} <= {line.word for line in KIND_WORDS}


@pytest.mark.long
def test_vocab_explains_fields_lead_words_and_map_words() -> None:
    docs = {(entry.sort, entry.id): entry.doc for entry in vocabulary_entries(model("far-cry-beyond"))}
    assert docs["field", "kit"] == "Cards that it has from the start; fcb deals them at set-up."
    assert "Reaction cards" in docs["field", "draws"]
    assert "wins" in docs["field", "objective"]
    assert "letter" in docs["map line", "legend"]
    assert docs["lead word", "when"]
    assert docs["field", "place"] == DOCS["place"]
