"""``fcb test record``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.base.source import Source
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.testing.moments import Moment
    from fcbdsl.play.testing.spelling import Spelling
    from fcbdsl.project.project import Loader

ROUNDS = 4
"""How often a test is written again without the lines that can't be parsed."""
NAME = "recorded.fcb"
"""The name of the file in which a test is tried."""


@click.command("record", epilog="Example: fcb test record game.log.json:12 -o tests/moments.fcb")
@click.argument("log", metavar="LOG[:STEP]")
@common.shipped_option
@click.option("-o", "--output", type=common.WRITABLE, help="Write the test to this file.")
def command(log: str, output: Path | None) -> None:
    """Record a test from a game. It tests the action in which decision STEP of LOG was taken. [default: the last
    action]

    LOG is a file that `fcb play --log` or `fcb soak --log` wrote. The test sets up the position before the action,
    fixes its dice, takes it, and expects what it changed. fcb removes each line that the test does not need, and
    lists what a test can't contain.
    """
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.setup import CannotStart
    from fcbdsl.play.session.playout import Divergence
    from fcbdsl.play.testing.moments import NoMoment, moment_of

    path, step = _place(log)
    record = common.record_of_log(path)
    loaders = common.load_scope(tests=False)
    loader = common.having(loaders, "mission", record.mission) if record.mission else common.only_loader(loaders)
    analysis = common.sound([loader])[0]
    program = common.compile_game(analysis)
    if record.program != program.hash:
        common.leave_with(f"{path}: the content has changed since it was kept; play it again.")
    spelling = _spelling(Image(program), analysis.model)
    try:
        moment = moment_of(spelling.image, record, step, spelling)
        text, left = _tested(loader, program.name, moment)
    except (NoMoment, Divergence, CannotStart) as error:
        common.leave_with(f"{log}: fcb cannot make a test of it: {error}.")
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text.encode())
    lines = common.count(text.count("\n  "), "line")
    where = f"{output}: a" if output is not None else "A"
    click.echo(f"{where} test of {lines}; it passes.{left}", err=True)


def _place(log: str) -> tuple[Path, int | None]:
    """Return the file of a log, and the number of the decision."""
    name, _, step = log.rpartition(":")
    path, number = (
        (Path(name), int(step)) if name and step.isdecimal() and not Path(log).exists() else (Path(log), None)
    )
    if not path.is_file():
        raise click.UsageError(f"There is no log {path}.")
    return path, number


def _spelling(image: object, model: Model) -> Spelling:
    from fcbdsl.machine.geometry.coordinates import HEX_COMPASS, SQUARE_COMPASS
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.testing.spelling import Spelling

    assert isinstance(image, Image)
    grids = {"hex": HEX_COMPASS, "square": SQUARE_COMPASS, "square-8": SQUARE_COMPASS}
    symbols = [*model.symbols(), *model.faces_shown()]
    seated = [kind.id for kind in model.kinds.values() if any(above.seated for above in kind.lineage())]
    return Spelling(image, symbols, grids.get(model.board, model.ways()), seated)


def _tested(loader: Loader, system: str, moment: Moment) -> tuple[str, str]:
    """Return the shortest passing test of a moment, formatted, and the notes on it."""
    from fcbdsl.language.syntax.formatting import format_source
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.testing.content_tests import mend_test, run_test
    from fcbdsl.play.testing.moments import NoMoment, TestLine, passing

    source, program, number = _compiled(loader, system, moment)
    mends, _ = mend_test(Image(program), number)  # the limit is used up there, so only the test asks this
    for mend in reversed(mends):
        at = program.spans[mend.span].line - _first(source) if mend.span >= 0 else len(moment.lines)
        moment.lines.insert(at, TestLine("play", mend.text))
    if mends:
        source, program, number = _compiled(loader, system, moment)
    moment, failure = passing(Image(program), number, moment, _first(source))
    if failure is not None:
        at = program.spans[failure.span].line if failure.span >= 0 else 0
        wanted = source.line_text(at).strip() if at else "the end"
        missing = _missing(moment)
        raise NoMoment(f"`{wanted}` fails in the position as it can be staged: expected {failure.expected}, seen"
                       f" {failure.seen}{missing and f' ({missing})'}")  # fmt: skip
    if not any(line.sort == "expect" for line in moment.lines):
        raise NoMoment("it changed nothing that a test can check")
    comments = [f"Not in the test: {_missing(moment)}."] if moment.untold else []
    source, program, number = _compiled(loader, system, moment, comments)
    failure = run_test(Image(program), number).failure
    assert failure is None, f"the shortened test fails: {failure}"
    return format_source(source), f" {comments[0]}" if comments else ""


def _missing(moment: Moment) -> str:
    """Return what a test can't express, in words."""
    return ", ".join(f"{count} × {what}" for what, count in moment.untold.items())


def _first(source: Source) -> int:
    """Return the number of the line with the first line of the test."""
    return source.text[: source.text.index("\ntest ") + 1].count("\n") + 2


def _compiled(loader: Loader, system: str, moment: Moment, comments: Sequence[str] = ()) -> tuple[Source, Program, int]:
    """Return the program with the test, its source, and its number. Lines that can't be parsed are removed from the
    moment."""
    from fcbdsl.base.source import Source
    from fcbdsl.language.compiler import lower
    from fcbdsl.machine.vm.verify.verifier import verify_program
    from fcbdsl.play.testing.moments import NoMoment, source_of_test
    from fcbdsl.project.paths import shown_name
    from fcbdsl.project.project import cached_model, load_project

    project = loader.project
    path = (project.root or Path.cwd()) / NAME  # not among the tests, which need not be read
    for _ in range(ROUNDS):
        source = Source(shown_name(path), source_of_test(moment, system, comments))
        read = load_project([*project.content(), path], False, project.root, project.game, {source.name: source.text})
        model, problems = cached_model(read)
        wrong = {
            problem.span.line
            for problem in problems
            if problem.severity == "error" and problem.span.source.name == source.name
        }
        if not wrong:
            break
        first = _first(source)
        understood = [line for at, line in enumerate(moment.lines) if at + first not in wrong]
        if len(understood) == len(moment.lines):
            break
        for at, line in enumerate(moment.lines):
            if at + first in wrong:
                if line.sort == "play":
                    raise NoMoment(f"`{line.text}` can't be read as a step")
                moment.miss(f"`{line.text}`")
        moment.lines = understood
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise NoMoment(f"{errors[0].message} ({errors[0].span.source.name}:{errors[0].span.line})")
    program = lower(model, tests=True)
    findings = verify_program(program)
    assert not findings, f"the program with the test is refused: {findings[0]}"
    number = next(
        n for n, test in enumerate(program.tests) if program.files[program.spans[test.span].file] == source.name
    )
    return source, program, number
