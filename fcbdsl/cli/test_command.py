"""``fcb test``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.analysis import Choice
    from fcbdsl.diagnostics import Diagnostic
    from fcbdsl.diagnostics.exchange import TestCase
    from fcbdsl.testing.content_tests import Result
    from fcbdsl.vm.program import Program


@click.command("test", epilog='Example: fcb test -k "shove and not wall"')
@common.paths_argument
@click.option("-k", "expression", help="Only tests whose title, rules or file contain this; and, or, not combine.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to report.")
@click.option("--junit", type=common.WRITABLE, help="Write a report for JUnit's readers, too.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), help="How many processes run tests; one for each core unless said."
)
@common.strict_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    expression: str | None,
    form: str,
    junit: Path | None,
    jobs: int | None,
    strict: bool,
) -> None:
    """Run the tests written in the content; with PATHS only those written there.

    Each test is played, and once more with a save and a load at every decision. Of several games each is tested.
    What is told is the same whatever the number of --jobs.
    """
    choice = _choice(paths, expression)
    found = common.tested_programs(paths, strict, choice if paths or expression else None)
    programs = [(loader.project.game, program) for loader, program in found]
    records: list[dict[str, object]] = []
    failures = 0
    cases: list[TestCase] = []
    for game, program in programs:
        results = run_chosen(program, _chosen(program, choice), jobs or common.cores()) if program is not None else []
        failed = [result for result in results if result.failure is not None]
        failures += len(failed)
        cases += [case_of(program, result) for result in results] if program is not None else []
        if form == "json":
            told = [_record(program, result) for result in results] if program is not None else []
            records += [one | ({"game": game} if game else {}) for one in told]
        else:
            whose = f"{game or 'Files of no game'}: " if len(programs) > 1 else ""
            common.report([finding_of(program, result) for result in failed] if program is not None else [])
            passed = len(results) - len(failed)
            click.echo(f"{whose}{common.count(len(results), 'test')}: {passed} passed, {len(failed)} failed.")
    if junit is not None:
        from fcbdsl.diagnostics.exchange import to_junit
        from fcbdsl.files import write_atomically

        write_atomically(junit, to_junit("fcb test", cases).encode())
    if form == "json":
        click.echo(json.dumps(records, ensure_ascii=False, indent=2))
    ctx.exit(PROBLEMS if failures else FINE)


def _chosen(program: Program, choice: Choice) -> list[int]:
    """The numbers of the tests that are chosen."""
    files = [program.files[program.spans[test.span].file] for test in program.tests]
    tests = enumerate(zip(program.tests, files, strict=True))
    return [number for number, (test, file) in tests if choice(test.title, test.covers, file)]


def _choice(paths: Sequence[Path], expression: str | None) -> Choice:
    """Choose the tests written at `paths` (none: anywhere) that match the expression."""
    from fcbdsl.cli.matching import BadExpression, matcher
    from fcbdsl.project import lies_in

    try:
        matches = matcher(expression or "")
    except BadExpression as trouble:
        raise click.UsageError(f"-k {expression!r}: {trouble}.") from trouble
    lies = cache(lambda file: not paths or lies_in(Path(file), paths))

    def chosen(title: str, covers: Sequence[str], file: str) -> bool:
        return lies(file) and matches("\n".join([title, *covers, file]))

    return chosen


def run_chosen(program: Program, numbers: Sequence[int], jobs: int) -> list[Result]:
    """Run the tests; progress is shown on a terminal only."""
    from fcbdsl.testing.workers import run_tests

    with click.progressbar(length=len(numbers), file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        return run_tests(program, numbers, jobs, shown.update)


def case_of(program: Program, result: Result) -> TestCase:
    """A test as a row of a report for JUnit's readers."""
    from fcbdsl.diagnostics.exchange import TestCase

    place = program.files[program.spans[program.tests[result.number].span].file]
    why = f"Expected: {result.failure.expected}\nSeen: {result.failure.seen}" if result.failure else ""
    return TestCase(place, result.title, why, "FCB0650")


def finding_of(program: Program, result: Result) -> Diagnostic:
    """A failed test as a finding in its source."""
    from fcbdsl.diagnostics.failures import FailedTest
    from fcbdsl.source import Source, Span

    assert result.failure is not None
    row = program.spans[result.failure.span]
    name = program.files[row.file]
    source = Source(name, Path(name).read_text(encoding="utf-8-sig").replace("\r\n", "\n"))
    source.position(0)
    start = sum(len(line) + 1 for line in source.text.split("\n")[: row.line - 1]) + row.column - 1
    span = Span(source, start, start + max(row.end - row.column, 1))
    failure = result.failure
    return FailedTest(span, test=result.title, expected=failure.expected, seen=failure.seen, notes=failure.notes)


def _record(program: Program, result: Result) -> dict[str, object]:
    """A test's result as plain data."""
    test = program.tests[result.number]
    row = program.spans[test.span]
    failure = result.failure
    shown = failure and {
        "line": program.spans[failure.span].line,
        "column": program.spans[failure.span].column,
        "expected": failure.expected,
        "seen": failure.seen,
        "notes": list(failure.notes),
    }
    return {
        "title": result.title,
        "file": program.files[row.file],
        "line": row.line,
        "covers": list(result.covers),
        "status": "passed" if failure is None else "failed",
        "decisions": result.decisions,
        "failure": shown,
    }
