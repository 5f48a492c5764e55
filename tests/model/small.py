"""Checking small texts: with `core`, without a project."""

from __future__ import annotations

from functools import cache

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.pieces import read_pieces
from fcbdsl.language.syntax.tree import File
from fcbdsl.project.project import Loader, without_consequences
from fcbdsl.project.settings import Project


@cache
def core() -> tuple[File, ...]:
    """Return the files of `core`."""
    loader = Loader(Project())
    loader.use("core")
    assert not loader.problems.sorted()
    return tuple(loader.files())


def checked(text: str, **options: object) -> tuple[Model, list[Diagnostic]]:
    """Parse and check a text; return the model and every problem."""
    file, problems = parse(Source("small.fcb", text))
    model, reported = check([*core(), file], **options)  # type: ignore[arg-type]
    return model, [*problems, *without_consequences(reported, problems)]


def checked_in_pieces(text: str) -> list[Diagnostic]:
    """Return every problem of a text that is parsed in pieces, as commands do."""
    pieces = read_pieces(Source("small.fcb", text))
    problems = pieces.problems()
    return [*problems, *without_consequences(check([*core(), pieces.file()])[1], problems)]


def sound(text: str, **options: object) -> Model:
    """Return the model of a text without problems."""
    model, problems = checked(text, **options)
    assert problems == []
    return model


def codes(text: str, **options: object) -> list[tuple[int, str]]:
    """Return line and code of each problem."""
    return [(problem.span.line, problem.code) for problem in checked(text, **options)[1]]
