"""The shipped game with cards that a test brings."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fcbdsl.model.check import check
from fcbdsl.model.whole import Model
from fcbdsl.project import Loader, Project
from fcbdsl.source import Source
from fcbdsl.syntax.parser import parse
from fcbdsl.syntax.tree import File

ROOT = Path(__file__).parents[2]


@cache
def shipped() -> tuple[File, ...]:
    """The shipped game and one of its enemies, read."""
    loader = Loader(Project())
    loader.use("core")
    loader.use("far-cry-beyond")
    loader.read(ROOT / "cards" / "far-cry-beyond" / "enemies.fcb")
    return tuple(loader.files())


def made_of(cards: str) -> Model:
    """The shipped game, one of its enemies, and some cards."""
    file, problems = parse(Source("cards.fcb", "use far-cry-beyond\n" + cards))
    model, found = check([*shipped(), file])
    wrong = [one.message for one in [*problems, *found] if one.span.source.name == "cards.fcb"]
    assert not wrong, wrong
    return model
