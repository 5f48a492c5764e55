"""``fcb test``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS
from fcbdsl.cli.output import without_commands

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics import Diagnostic
    from fcbdsl.base.diagnostics.exchange import TestCase
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.testing.content_tests import Result
    from fcbdsl.project.analysis import Analysis, Choice
    from fcbdsl.project.project import Loader
    from fcbdsl.tools.reports.failure_page import TestedGame


RECORD = "record"
"""The argument that makes a test from a played game; a folder of that name is ``./record``."""
FORMATS = ("text", "html", "lcov", "json")
"""Formats of coverage reports."""


class TestCommand(click.Command):
    """``fcb test``, and ``fcb test record``, which has different options."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Start the command, or the one that its first argument names."""
        if args[:1] == [RECORD]:
            from fcbdsl.cli.record_command import command

            return command.make_context(f"{info_name} {RECORD}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command("test", cls=TestCommand, epilog='Example: fcb test -k "shove and not wall"')
@common.paths_argument
@click.option("-k", "expression", help="Run tests whose title, rules or file contain this; combine with and, or, not.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Format of the report. [default: text]",
)
@click.option("--html", type=common.WRITABLE, help="Also write a web page of the failing tests with their boards.")
@click.option("--junit", type=common.WRITABLE, help="Also write a JUnit report.")
@common.jobs_option
@click.option("--coverage", is_flag=True, help="Also report the coverage of your sources.")
@click.option(
    "--coverage-format",
    "coverage_form",
    type=click.Choice(FORMATS),
    help="Format of the coverage report. [default: text]",
)
@click.option("--coverage-all", is_flag=True, help="Also measure the games and packs that the project uses.")
@click.option("-o", "--output", type=common.WRITABLE, help="Write the coverage report to this file.")
@common.strict_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    expression: str | None,
    form: str,
    html: Path | None,
    junit: Path | None,
    jobs: int | None,
    coverage: bool,
    coverage_form: str | None,
    coverage_all: bool,
    output: Path | None,
    strict: bool,
) -> None:
    """Run the tests in your files. With PATHS fcb runs only the tests written there.

    fcb plays each test, and once more with a save and a load at every decision. In a project of several games, it
    tests each. The report does not depend on the number of `--jobs`.

    `fcb test record LOG` makes a test from a moment of a game: see `fcb test record --help`.

    `--coverage` shows which lines, branches, cards, tiers, events and listeners the tests reach. The exit code is 1
    if coverage is below the share in fcb.toml. See "Test coverage" in the documentation.
    """
    if not coverage and (coverage_form or coverage_all or output):
        raise click.UsageError("--coverage-format, --coverage-all and -o need --coverage.")
    if coverage and form == "json" and output is None:
        raise click.UsageError("With --format json, coverage needs a file: add -o FILE.")
    choice = _choice(paths, expression)
    wanted = choice if paths or expression else None
    tested = common.tested_programs(paths, strict, wanted)
    programs = [(loader.project.game, program) for loader, _, program in tested]
    alone = coverage and coverage_form not in (None, "text") and output is None  # the coverage fills standard output
    records: list[dict[str, object]] = []
    failures = 0
    any_chosen = False
    cases: list[TestCase] = []
    pages: list[TestedGame] = []
    for game, program in programs:
        results = run_chosen(program, _chosen(program, choice), jobs or common.cores()) if program is not None else []
        any_chosen = any_chosen or bool(results)
        failed = [result for result in results if result.failure is not None]
        failures += len(failed)
        cases += [case_of(program, result) for result in results] if program is not None else []
        if form == "json":
            rows = [_record(program, result) for result in results] if program is not None else []
            records += [record | ({"game": game} if game else {}) for record in rows]
        findings = [finding_of(program, result) for result in failed] if program is not None else []
        if html is not None:
            from fcbdsl.tools.reports.failure_page import tested_game

            pages.append(tested_game(game, program, results, findings))
        if form != "json":
            whose = f"{game or 'Files of no game'}: " if len(programs) > 1 else ""
            common.report(findings, err=alone)
            passed = len(results) - len(failed)
            summary = f"{whose}{common.count(len(results), 'test')}: {passed} passed, {len(failed)} failed."
            click.echo(summary, err=alone)
    nothing = bool(expression) and not any_chosen
    if nothing:
        click.echo(f"No test matches -k {expression!r}.", err=True)
    if html is not None:
        from fcbdsl.base.files import write_atomically
        from fcbdsl.tools.reports.failure_page import render_failure_page

        write_atomically(html, render_failure_page(pages).encode())
    if junit is not None:
        from fcbdsl.base.diagnostics.exchange import to_junit
        from fcbdsl.base.files import write_atomically

        write_atomically(junit, to_junit("fcb test", cases).encode())
    if form == "json":
        click.echo(json.dumps(records, ensure_ascii=False, indent=2))
    short = coverage and _cover(tested, wanted, jobs or common.cores(), coverage_form or "text", coverage_all, output)
    ctx.exit(PROBLEMS if failures or short or nothing else FINE)


def _cover(
    tested: Sequence[tuple[Loader, Analysis, Program | None]],
    chosen: Choice | None,
    jobs: int,
    form: str,
    borrowed: bool,
    output: Path | None,
) -> bool:
    """Report the coverage; return whether it is below the share that the project wants."""
    from fcbdsl.cli import coverage_output
    from fcbdsl.project.settings import AT_LEAST

    measured = {
        loader.project.game: coverage_output.measure_coverage(loader, analysis.model, chosen, jobs, borrowed)
        for loader, analysis, _ in tested
    }
    texts = {source.name: source.text for loader, _, _ in tested for source in loader.sources}
    text = coverage_output.format_coverage(measured, form, texts)
    if output is None:
        click.echo(text, nl=False)
    else:
        from fcbdsl.base.files import write_atomically

        write_atomically(output, (without_commands(text) if form == "text" else text).encode())
    wanting = False
    for loader, _, _ in tested:
        files, wanted = measured[loader.project.game], loader.project.coverage.get(AT_LEAST, 0)
        short = coverage_output.short_of(files, wanted)
        wanting = wanting or short
        if short or output is not None:
            whose = f"{loader.project.game or 'Files of no game'}: " if len(tested) > 1 else ""
            click.echo(f"{whose}{coverage_output.coverage_summary(files, wanted)}.", err=True)
    return wanting


def _chosen(program: Program, choice: Choice) -> list[int]:
    """Return the numbers of the chosen tests."""
    files = [program.files[program.spans[test.span].file] for test in program.tests]
    tests = enumerate(zip(program.tests, files, strict=True))
    return [number for number, (test, file) in tests if choice(test.title, test.covers, file)]


def _choice(paths: Sequence[Path], expression: str | None) -> Choice:
    """Return a filter for the tests written at `paths` (none: anywhere) that match the expression."""
    from fcbdsl.cli.test_filter import BadExpression, matcher
    from fcbdsl.project.paths import lies_in

    try:
        matches = matcher(expression or "")
    except BadExpression as error:
        raise click.UsageError(f"-k {expression!r}: {error}.") from error
    lies = cache(lambda file: not paths or lies_in(Path(file), paths))

    def chosen(title: str, covers: Sequence[str], file: str) -> bool:
        return lies(file) and matches("\n".join([title, *covers, file]))

    return chosen


def run_chosen(program: Program, numbers: Sequence[int], jobs: int) -> list[Result]:
    """Run the tests; progress is shown on a terminal only."""
    from fcbdsl.play.testing.workers import run_tests

    with click.progressbar(length=len(numbers), file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        return run_tests(program, numbers, jobs, shown.update)


def case_of(program: Program, result: Result) -> TestCase:
    """Return a test as a row of a JUnit report."""
    from fcbdsl.base.diagnostics.exchange import TestCase

    place = program.files[program.spans[program.tests[result.number].span].file]
    why = f"Expected: {result.failure.expected}\nSeen: {result.failure.seen}" if result.failure else ""
    return TestCase(place, result.title, why, "FCB0650")


def finding_of(program: Program, result: Result) -> Diagnostic:
    """Return a failed test as a finding in its source."""
    from fcbdsl.base.diagnostics.failures import FailedTest
    from fcbdsl.base.files import read_utf8
    from fcbdsl.base.source import Source, Span

    assert result.failure is not None
    row = program.spans[result.failure.span]
    name = program.files[row.file]
    source = Source(name, read_utf8(Path(name)))
    source.position(0)
    start = sum(len(line) + 1 for line in source.text.split("\n")[: row.line - 1]) + row.column - 1
    span = Span(source, start, start + max(row.end - row.column, 1))
    failure = result.failure
    return FailedTest(span, test=result.title, expected=failure.expected, seen=failure.seen, notes=failure.notes)


def _record(program: Program, result: Result) -> dict[str, object]:
    """Return a test's result as plain data."""
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
