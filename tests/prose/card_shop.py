"""The shipped game with cards that a test brings."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.model.check import check
from fcbdsl.model.whole import Model
from fcbdsl.project import Loader, Project
from fcbdsl.source import Source
from fcbdsl.syntax.parser import parse

ROOT = Path(__file__).parents[2]


def made_of(cards: str) -> Model:
    """The shipped game, one of its enemies, and some cards."""
    loader = Loader(Project())
    loader.use("core")
    loader.use("far-cry-beyond")
    loader.read(ROOT / "cards" / "far-cry-beyond" / "enemies.fcb")
    file, problems = parse(Source("cards.fcb", "use far-cry-beyond\n" + cards))
    model, found = check([*loader.files(), file])
    wrong = [one.message for one in [*problems, *found] if one.span.source.name == "cards.fcb"]
    assert not wrong, wrong
    return model
