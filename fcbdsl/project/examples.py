"""Worked examples of a rules reference: the content tests with an `example`, played and drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base import bounds, cache
from fcbdsl.base.diagnostics.failures import FailedTest
from fcbdsl.base.files import CannotRead, read_regular
from fcbdsl.base.memory import return_memory
from fcbdsl.project.paths import fcb_files, shipped_path
from fcbdsl.project.project import Loader, cached_model, project_key

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics.base import Diagnostic
    from fcbdsl.language.model.content import Board, Test
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.testing.worked_examples import ExampleLog
    from fcbdsl.print.layout.views import AidEntry

_MARKED = re.compile(r"^ +example:", re.MULTILINE)
"""A line that makes an example of a test."""


def example_files(loader: Loader) -> list[Path]:
    """Return the files with examples: those of shipped games, and the project's own tests with such a line."""
    shipped = [shipped_path("examples") / f"{name}.fcb" for name in loader.names_in_use()]
    return [*(path for path in shipped if path.is_file()), *own_example_files(loader)]


def own_example_files(loader: Loader) -> list[Path]:
    """Return the files with examples among the project's own tests."""
    return [path for path in fcb_files(loader.project.folders(loader.project.tests)) if _has_example(path)]


def examples_text(loader: Loader) -> str:
    """Return the text of all files with examples: a part of the key of a print."""
    return "".join(map(_text, example_files(loader)))


def _has_example(path: Path) -> bool:
    return _MARKED.search(_text(path)) is not None


def _text(path: Path) -> str:
    """Return the text of a file; empty if it cannot be read, which the loader reports."""
    try:
        return read_regular(path, bounds.FILE_BYTES).decode("utf-8", "replace")
    except CannotRead:
        return ""


def worked_examples(
    loader: Loader, language: str, read: Callable[[Loader], tuple[Model, list[Diagnostic]]] = cached_model
) -> tuple[tuple[AidEntry, ...], list[Diagnostic]]:
    """Return the worked examples of a game in a language, and the errors that prevent them.

    `read` returns the model and the problems of a copy of the loader that has the examples, too.
    """
    files = example_files(loader)
    if not files:
        return (), []
    reader = loader.copy()
    for path in files:
        reader.read(path, named=True)
    key = project_key(reader, f"examples in {language}")
    cached: tuple[AidEntry, ...] | None = cache.load_result(key, lambda value: isinstance(value, tuple))
    if cached is not None:
        return cached, []
    model, findings = read(reader)
    errors = [problem for problem in [*reader.problems.sorted(), *findings] if problem.severity == "error"]
    if errors:
        return (), errors
    entries, problems = draw_examples(model, language)
    if not problems:
        cache.store_result(key, entries)
    return_memory()
    return entries, problems


def draw_examples(model: Model, language: str) -> tuple[tuple[AidEntry, ...], list[Diagnostic]]:
    """Play and draw the examples among the tests of a model; return them and the problems of their words."""
    from fcbdsl.language.compiler import program_without_hash
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.testing.worked_examples import example_log
    from fcbdsl.print.pieces.example_boards import example_entry

    tests = [test for test in model.tests if test.example.title]
    if not tests:
        return (), []
    program = program_without_hash(replace(model, tests=tests), tests=True)
    image = Image(program)
    problems: list[Diagnostic] = []
    entries = []
    for number, test in enumerate(tests):
        log = example_log(image, number, language)
        if log.failure is not None:
            expected, seen = log.failure.expected, log.failure.seen
            problems.append(FailedTest(test.span, test=test.title, expected=expected, seen=seen))
            continue
        shown, walks = board_before(_board_of(test, model), log, program)
        entries.append(example_entry(test, shown, walks, log.lines, model, language, problems))
    return tuple(entries), problems


def _board_of(test: Test, model: Model) -> Board | None:
    """Return the board of a test, or of its mission."""
    if test.board is not None or test.mission is None:
        return test.board
    return model.definitions[test.mission].board


def board_before(board: Board | None, log: ExampleLog, program: Program) -> tuple[Board | None, list[tuple[str, ...]]]:
    """Return the board with the position before an example, and the walks as ids of spaces."""
    if board is None:
        return None, []
    cells = []
    for cell, there in zip(board.cells, log.spaces, strict=True):
        cells.append(
            replace(
                cell,
                terrain=program.terrains[there.terrain].name if there.terrain >= 0 else "",
                places=[program.definitions[piece].id for piece in there.pieces],
                tokens={program.fields[field].name: count for field, count in there.tokens},
            )
        )
    ids = [cell.id for cell in board.cells]
    return replace(board, cells=cells), [tuple(ids[at] for at in walk) for walk in log.walks]
