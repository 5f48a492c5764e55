"""A file read in pieces equals the file read as a whole, and an edit keeps the pieces that it does not touch."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from games import ROOT
from random_edits import edited, words_of

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.lines import lines_of
from fcbdsl.language.syntax.dump import dump
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.pieces import cut_pieces, read_pieces

SHIPPED = sorted(
    [*(ROOT / "fcbdsl" / "content" / "systems").rglob("*.fcb"), *(ROOT / "tests" / "cases").rglob("*.fcb")]
)


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_pieces_cover_file(path: object) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    whole, reported = parse(Source("a.fcb", text))
    pieces = read_pieces(Source("a.fcb", text))
    assert "".join(cut_pieces(text)) == text
    assert dump(pieces.file()) == dump(whole)
    assert [problem.span.place for problem in pieces.problems()] == [problem.span.place for problem in reported]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_block_stored_alone_is_parsed_again(path: object) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    pieces, random = read_pieces(Source("a.fcb", text)), Random(text)
    lines = [line for top in pieces.file().lines for line in lines_of(top)]
    alone = [line for line in lines if line.block and random.randrange(2)]
    for line in alone:
        line.stored_alone = True
    stored = pickle.dumps(pieces)
    assert dump(pickle.loads(stored).file()) == dump(pieces.file())
    again = [line for top in pickle.loads(stored).file().lines for line in lines_of(top)]
    assert [line.span.place for line in again] == [line.span.place for line in lines]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(200))
def test_edit_keeps_other_pieces(seed: int) -> None:
    random = Random(seed)
    path = random.choice(SHIPPED)
    text = path.read_text(encoding="utf-8")
    before = read_pieces(Source("a.fcb", text))
    changed = edited(text, random, words_of(text) or ["a"], [])
    after = read_pieces(Source("a.fcb", changed), before.pieces)
    assert "".join(piece.source.text for piece in after.pieces) == changed
    whole, _ = parse(Source("a.fcb", changed))
    assert [line.span.place for line in after.file().lines] == [line.span.place for line in whole.lines]
    unchanged = sum(piece in before.pieces for piece in after.pieces)
    texts = [piece.source.text for piece in before.pieces]
    assert unchanged >= sum(texts.count(text) == 1 for text in {piece.source.text for piece in after.pieces})


def test_text_around_change_keeps_place() -> None:
    old = 'weapon knife "Knife":\n  family: blade\n  On-hit: Push target 2\n  cost: 1\n'
    first = read_pieces(Source("a.fcb", old))
    piece = first.pieces[0].source
    knife = Span(piece, old.index("knife"), old.index("knife") + 5)
    cost = Span(piece, old.index("cost"), old.index("cost") + 4)
    new = old.replace("Push target 2\n", "Push target 2\n  On-hit: Bleed target\n")
    second = read_pieces(Source("a.fcb", new), first.pieces)
    assert (knife.line, knife.column) == (1, 8)
    assert (cost.line, cost.column) == (5, 3)
    read_pieces(Source("a.fcb", "# above\n\n" + new), second.pieces)
    assert (knife.line, knife.column) == (3, 8)
    assert (cost.line, cost.column) == (7, 3)
