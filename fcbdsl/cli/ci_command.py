"""``fcb ci``."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.records import dataclass
from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics import Diagnostic
    from fcbdsl.base.diagnostics.exchange import TestCase
    from fcbdsl.play.testing.catalogue import Coverage
    from fcbdsl.project.analysis import Analysis
    from fcbdsl.project.project import Loader


@dataclass(slots=True)
class Validation:
    """The results so far: a line for each step, whether it passed, problems, and rows for JUnit reports."""

    steps: list[tuple[str, bool, str]] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    cases: list[TestCase] = field(default_factory=list)

    def add(self, step: str, fine: bool, says: str) -> None:
        """Record the result of a step."""
        self.steps.append((step, fine, says))

    @property
    def fine(self) -> bool:
        """Return whether every step passed."""
        return all(fine for _, fine, _ in self.steps)


@click.command("ci", epilog="Example: fcb ci --strict --format github -o print")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "json"]),
    default="text",
    help="Format of the report. [default: text]",
)
@click.option("--junit", type=common.WRITABLE, help="Also write a JUnit report.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Keep the printed files in this folder."
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Number of test processes. [default: one per core]")
@click.option(
    "--games",
    type=click.IntRange(0),
    default=2,
    show_default=True,
    help="Random games for each mission and number of players.",
)
@click.option("--seconds", type=click.IntRange(1), default=900, help="CPU seconds for each process. [default: 900]")
@click.option(
    "--megabytes", type=click.IntRange(256), default=4096, help="Megabytes of memory for each process. [default: 4096]"
)
@common.strict_option
@common.shipped_option
@click.pass_context
def command(
    ctx: click.Context,
    form: str,
    junit: Path | None,
    output: Path | None,
    jobs: int | None,
    games: int,
    seconds: int,
    megabytes: int,
    strict: bool,
) -> None:
    """Check, test and print a project at once. fcb also reports which rules and lines the tests cover.

    The command prints one report. The exit code is 1 if there is an error (with `--strict`, a warning), a test
    fails, a random game fails, a rule has no test, coverage is below the share in fcb.toml, or a text does not fit
    its card or sheet. `-o` keeps the printed files. fcb reads only the project and its own games, uses no network,
    and limits time and memory. See "Check packs in CI" in the documentation.
    """
    from fcbdsl.cli.resource_limits import TookTooLong, limit_resources

    report = Validation()
    try:
        with limit_resources(seconds, megabytes) as held:
            ways = "" if held else " (this system cannot limit processes)"
            limits = f"at most {seconds} s of processor time and {megabytes} MB for each process{ways}"
            _run(report, jobs, games, strict, output)
    except TookTooLong:
        report.add("limits", False, f"the {seconds} s of processor time were not enough; --seconds allows more")
    except MemoryError:
        report.add("limits", False, f"{megabytes} MB of memory were not enough; --megabytes allows more")
    else:
        report.add("limits", True, limits)
    if junit is not None:
        from fcbdsl.base.diagnostics.exchange import to_junit
        from fcbdsl.base.files import write_atomically

        write_atomically(junit, to_junit("fcb ci", report.cases, [_line(*step) for step in report.steps]).encode())
    if form == "json":
        from fcbdsl.base import bounds
        from fcbdsl.base.diagnostics.report import limit_findings, to_records

        steps = [{"step": step, "fine": fine, "says": says} for step, fine, says in report.steps]
        problems = to_records(limit_findings(report.problems, bounds.LISTED_PROBLEMS))
        data = {"fine": report.fine, "steps": steps, "problems": problems}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        common.report_as(form, report.problems)
        for step in report.steps:
            click.echo(_line(*step))
    ctx.exit(FINE if report.fine else PROBLEMS)


def _line(step: str, fine: bool, says: str) -> str:
    return f"{'ok  ' if fine else 'FAIL'}  {step}: {says}"


def _run(report: Validation, jobs: int | None, games: int, strict: bool, output: Path | None) -> None:
    """Run every step that is possible."""
    from fcbdsl.cli import kept_runs

    loaders = common.load_scope()
    analyses = _check(report, loaders, strict)
    if analyses is None:
        return
    for loader, analysis in zip(loaders, analyses, strict=True):
        whose = f" of {loader.project.game}" if len(loaders) > 1 else ""
        key = kept_runs.key_of_runs(loader, f"{games}{whose}")
        runs = kept_runs.load_runs(key)
        if runs is None:
            own = Validation()
            covered = _test(own, whose, analysis, jobs)
            _play(own, whose, analysis, games)
            _reach(own, whose, loader, analysis, jobs)
            runs = kept_runs.Runs(own.steps, own.cases, covered)
            report.problems += own.problems
            if own.fine and not own.problems:
                kept_runs.store_runs(key, runs)
        else:
            click.echo(f"Tests, games and coverage{whose}: cached from an earlier run of the same sources.", err=True)
        *before, coverage = runs.steps
        report.steps += before
        report.cases += runs.cases
        _cover(report, whose, loader, runs.covered, strict)
        report.steps.append(coverage)
    if output is not None:
        _print(report, loaders, output)


def _check(report: Validation, loaders: Sequence[Loader], strict: bool) -> list[Analysis] | None:
    """Check everything, and whether it fits; return None if there are errors."""
    from fcbdsl.base import bounds
    from fcbdsl.base.diagnostics.exchange import checked_cases
    from fcbdsl.base.diagnostics.report import limit_findings
    from fcbdsl.project.analysis.pipeline import FIT, analysis_of, every_test
    from fcbdsl.project.project import own_sources

    analyses = [analysis_of(loader, [FIT], needed=every_test) for loader in loaders]
    report.problems += common.together(problem for analysis in analyses for problem in analysis.problems)
    files = [name for loader in loaders for name in own_sources(loader)]
    report.cases += checked_cases(limit_findings(report.problems, bounds.LISTED_PROBLEMS), files, strict)
    wrong = [problem for problem in report.problems if strict or problem.severity == "error"]
    says = f"{common.count(len(dict.fromkeys(files)), 'file')}, {common.tally(report.problems) or 'no problems'}"
    errors = any(problem.severity == "error" for problem in report.problems)
    report.add("check", not wrong, says + (": nothing else was done" if errors else ", all fits its paper"))
    return None if errors else analyses


def _test(report: Validation, whose: str, analysis: Analysis, jobs: int | None) -> dict[tuple[str, str], Sequence[str]]:
    """Run the tests; return the rules that passing tests cover, by file and title."""
    from fcbdsl.cli.test_command import case_of, finding_of, run_chosen

    program = common.compile_game(analysis, tests=True)
    results = run_chosen(program, range(len(program.tests)), jobs or common.cores())
    failed = [result for result in results if result.failure is not None]
    report.problems += [finding_of(program, result) for result in failed]
    report.cases += [case_of(program, result) for result in results]
    says = f"{common.count(len(results), 'test')}, {len(failed)} failed"
    report.add(f"tests{whose}", not failed, says if results else "there are none")
    names = [program.files[program.spans[program.tests[result.number].span].file] for result in results]
    return {
        (name, result.title): result.covers
        for name, result in zip(names, results, strict=True)
        if result.failure is None
    }


def _play(report: Validation, whose: str, analysis: Analysis, games: int) -> None:
    """Play random games of each mission with each number of players, `games` of each."""
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.soak import soak
    from fcbdsl.project.analysis.setup_check import missions, player_range

    program = common.compile_for_play(analysis)
    setups = [
        (mission.id, players)
        for mission in missions(analysis.model, program)
        for low, high in [player_range(mission, program)]
        for players in range(low, high + 1)
    ]
    if not games or not setups:
        report.add(f"games{whose}", True, "none were played: " + ("--games 0" if setups else "there are no missions"))
        return
    wrong: list[str] = []
    decisions = 0
    image = Image(program)
    for mission, players in setups:
        for course in soak.random_games(image, mission, players, games):
            decisions += len(course.record.decisions)
            if course.breach is not None:
                wrong.append(
                    f"{mission} with {common.count(players, 'player')}, seed {course.record.seed}: {course.breach.says}"
                )
    says = (
        f"{common.count(games * len(setups), 'random game')}, {games} of each of {common.count(len(setups), 'setup')}"
    )
    silent = "" if decisions else "; no player had a decision in any of them"
    report.add(f"games{whose}", not wrong and not silent, says + silent + "".join(f"; {reason}" for reason in wrong))


def _cover(
    report: Validation, whose: str, loader: Loader, passed: dict[tuple[str, str], Sequence[str]], strict: bool
) -> None:
    """Report which rules of the catalog the tests cover, if there is a catalog.

    `strict`: a proof elsewhere does not count, since it does not run here.
    """
    if not loader.project.rules:
        return
    from fcbdsl.cli.rules_command import catalogue_of, judge_rules

    text, rules = catalogue_of(loader.project)
    verdict = judge_rules(loader, text, rules, passed)
    report_coverage(report, f"rules{whose}", verdict.coverage, verdict.lost, strict)


def report_coverage(report: Validation, step: str, coverage: Coverage, lost: Sequence[str], strict: bool) -> None:
    """Add the step on rules to a report. `lost`: rules and clauses whose proof elsewhere does not count."""
    apart = [rule.id for rule in coverage.rules if coverage.is_named(rule) and not coverage.is_tested(rule)]
    tested = len(coverage.rules) - len(coverage.unproven) - len(apart)
    says = [f"{tested} of {common.count(len(coverage.rules), 'rule')} covered by tests that ran"]
    guarded = sum(coverage.is_guarded(rule) for rule in coverage.rules)
    says += [f"{guarded} guarded in each clause, {tested - guarded} only tested"] if coverage.guarded else []
    says += [f"covered by tests that did not run here: {', '.join(apart)}"] if apart else []
    says += [f"covered by a test that is not in the project: {', '.join(lost)}"] if lost else []
    says += [f"without a test: {', '.join(coverage.unproven)}"] if coverage.unproven else []
    says += [f"missing in the rules catalogue: {', '.join(coverage.unknown)}"] if coverage.unknown else []
    fine = not (coverage.unproven or lost or coverage.unknown or (strict and apart))
    report.add(step, fine, "; ".join(says))


def _reach(report: Validation, whose: str, loader: Loader, analysis: Analysis, jobs: int | None) -> None:
    """Report the coverage of the project's own files by its tests."""
    from fcbdsl.cli import coverage_output
    from fcbdsl.project.settings import AT_LEAST

    wanted = loader.project.coverage.get(AT_LEAST, 0)
    files = coverage_output.measure_coverage(loader, analysis.model, None, jobs or common.cores(), borrowed=False)
    report.add(
        f"coverage{whose}", not coverage_output.short_of(files, wanted), coverage_output.coverage_summary(files, wanted)
    )


def _print(report: Validation, loaders: Sequence[Loader], output: Path) -> None:
    """Print everything in every language."""
    from fcbdsl.cli.render_command import command as render
    from fcbdsl.print.pieces.printables import printable_languages
    from fcbdsl.project.analysis.pipeline import analysis_of

    languages = dict.fromkeys(code for loader in loaders for code in printable_languages(analysis_of(loader).model))
    for language in languages:
        folder = output / language
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                click.get_current_context().invoke(render, ids=(), language=language, output=folder, offset=(0.0, 0.0))
        except click.exceptions.Exit as end:
            files = sum(path.is_file() for path in folder.rglob("*")) if folder.is_dir() else 0
            if end.exit_code != FINE:
                click.echo(printed.getvalue(), err=True)
            report.add(f"print in {language}", end.exit_code == FINE, f"{common.count(files, 'file')} in {folder}")
