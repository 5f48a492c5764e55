"""The shipped game with additional cards of a test."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import File
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

ROOT = Path(__file__).parents[2]


@cache
def shipped() -> tuple[File, ...]:
    """Return the shipped game and one of its enemies, read."""
    loader = Loader(Project())
    loader.use("core")
    loader.use("far-cry-beyond")
    loader.read(ROOT / "cards" / "far-cry-beyond" / "enemies.fcb")
    return tuple(loader.files())


def made_of(cards: str) -> Model:
    """Return the shipped game, one of its enemies, and some cards."""
    file, problems = parse(Source("cards.fcb", "use far-cry-beyond\n" + cards))
    model, reported = check([*shipped(), file])
    wrong = [problem.message for problem in [*problems, *reported] if problem.span.source.name == "cards.fcb"]
    assert not wrong, wrong
    return model
