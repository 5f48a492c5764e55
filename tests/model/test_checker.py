"""A checker that follows edits knows at every moment what one that begins afresh finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from edits import edited, words_of
from hypothesis import given, settings
from hypothesis import strategies as st

from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.diagnostics.report import to_records, to_text
from fcbdsl.model.check import Checker
from fcbdsl.model.dump import dump
from fcbdsl.model.roots import roots
from fcbdsl.project import CORE, load, proofs_of
from fcbdsl.source import Source
from fcbdsl.syntax.pieces import Pieces, read_pieces

SYSTEMS = Path(__file__).parents[1] / "systems"


class Desk:
    """Files that are edited, and the checker that follows."""

    def __init__(self, texts: Mapping[str, str], proofs: Sequence[str]) -> None:
        self.pieces = {name: read_pieces(Source(name, text)) for name, text in texts.items()}
        self.files = {name: pieces.file() for name, pieces in self.pieces.items()}
        self.checker = Checker({}, (), proofs)
        self.checker.update(list(self.files.values()))

    def write(self, name: str, text: str) -> None:
        """Give a file another text."""
        self.pieces[name] = read_pieces(Source(name, text), self.pieces[name].pieces)
        self.files[name] = self.pieces[name].file()
        self.checker.update(list(self.files.values()))

    def seen(self) -> tuple[str, list[object], list[object]]:
        """The model, where everything in it stands, and the problems."""
        model = self.checker.model
        places: list[object] = [one.span.place for one in model.definitions.values()]
        places += [test.span.place for test in model.tests]
        places += [getattr(owner, "span", None) and owner.span.place for owner, _ in roots(model) if owner is not None]
        return dump(model), places, problems_of(self.pieces, self.checker.problems())


def problems_of(pieces: Mapping[str, Pieces], found: Sequence[Diagnostic]) -> list[object]:
    """Problems as they are printed; those of reading lines, too."""
    read = [problem for one in pieces.values() for problem in one.problems()]
    return [*to_records(read), *to_records(found), to_text(found)]


def texts_of(system: str) -> tuple[dict[str, str], list[str]]:
    """The files of one of the systems for tests, with `core`, and the names of those that hold tests."""
    loader = load(root=SYSTEMS / system)
    texts = {source.name: source.text for source in loader.sources}
    return texts, proofs_of(loader)


@pytest.mark.parametrize("system", ["pond", "lanterns"])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_after_any_edits_it_knows_what_a_fresh_one_finds(system: str, seed: int) -> None:
    follows(system, Random(seed), 6)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_after_many_edits_it_knows_what_a_fresh_one_finds(seed: int) -> None:
    follows("lanterns", Random(seed), 25)


def follows(system: str, random: Random, edits: int) -> None:
    texts, proofs = texts_of(system)
    own = [name for name in texts if f"/{CORE}" not in name]
    words = [word for name in own for word in words_of(texts[name])]
    desk = Desk(texts, proofs)
    before: dict[str, list[str]] = {name: [text] for name, text in texts.items()}
    for _ in range(edits):
        name = random.choice(own)
        texts[name] = edited(texts[name], random, words, before[name])
        before[name].append(texts[name])
        desk.write(name, texts[name])
        assert desk.seen() == Desk(texts, proofs).seen()
