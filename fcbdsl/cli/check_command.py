"""``fcb check``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics import Diagnostic
    from fcbdsl.cli.apply_fixes import FixedFile
    from fcbdsl.project.analysis import Analysis
    from fcbdsl.project.project import Loader


@click.command("check", epilog="Example: fcb check cards/ --format github")
@common.paths_argument
@click.option(
    "--format", "form", type=click.Choice(common.FORMATS), default="text", help="Format of the report. [default: text]"
)
@click.option("--fit", is_flag=True, help="Also check that everything fits its cards and sheets.")
@click.option(
    "--select",
    "selected",
    metavar="CODE",
    multiple=True,
    help="Report only these codes; FCB07 selects all of that group.",
)
@click.option("--ignore", "ignored", metavar="CODE", multiple=True, help="Do not report these codes.")
@click.option("--baseline", type=common.READABLE, help="Do not report the problems in this file.")
@click.option(
    "--write-baseline", "written", type=common.WRITABLE, help="Write the present problems to a file for --baseline."
)
@click.option("--fix", is_flag=True, help="Apply the proposed fixes, then check again.")
@click.option("--diff", is_flag=True, help="Show the proposed fixes as a diff; write nothing.")
@click.option("--explain-passes", "explain", is_flag=True, help="Show which passes ran, and their CPU time.")
@common.strict_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    form: str,
    fit: bool,
    selected: tuple[str, ...],
    ignored: tuple[str, ...],
    baseline: Path | None,
    written: Path | None,
    fix: bool,
    diff: bool,
    explain: bool,
    strict: bool,
) -> None:
    """Report every problem in your files. One run finds all of them.

    With PATHS fcb checks the whole project and reports only problems in these files. `fcb check` also finds what
    compile, test, play and render would refuse. `--fit` adds the question whether text fits its card or sheet.

    The project is the nearest folder upward with a fcb.toml. Without one, fcb uses the files of the current folder
    and of its folders cards, missions and tests, and says so. In a project of several games, fcb checks each and
    prints one summary line per game.

    `[severity]` in fcb.toml makes a warning an error, or turns it off. A comment `# fcb: allow CODE` behind a line
    or above it allows one warning there. The formats github, sarif and junit are for other tools; see "Check packs
    in CI" in the documentation.

    `--explain-passes` prints one line per pass on standard error: whether it ran, came from the cache, or was left
    out, and its CPU seconds. With `--fit` it counts the documents that fcb typeset or found in the cache. It then
    lists cached results that could not be read or written, with the reason.
    """
    from fcbdsl.base.pausing import gc_disabled_until_exit
    from fcbdsl.project.analysis.pipeline import FIT, analysis_of
    from fcbdsl.project.analysis.source_pieces import no_test
    from fcbdsl.project.paths import lies_in
    from fcbdsl.project.project import own_sources

    if selected or ignored:
        _known_codes((*selected, *ignored))
    asked = [FIT] if fit else []
    before = _documents() if fit else {}
    tell = partial(_is_selected, selected=selected, ignored=ignored)
    fixed = 0
    while True:
        loaders = common.load_scope(paths)
        with gc_disabled_until_exit():
            analyses = [analysis_of(loader, asked, time.process_time, no_test, common.progress) for loader in loaders]
        if fit:
            common.progress("")
        problems_by_loader = [
            [
                problem
                for problem in analyse.problems
                if tell(problem) and (not paths or lies_in(Path(problem.span.source.name), paths))
            ]
            for analyse in analyses
        ]
        if not (fix or diff):
            break
        changes = _changes(loaders, common.together(problem for each in problems_by_loader for problem in each))
        if diff:
            click.echo("".join(change.difference() for change in changes), nl=False)
            ctx.exit(PROBLEMS if changes else FINE)
        for change in changes:
            change.write()
        fixed += sum(change.count for change in changes)
        if not changes or fixed > MOST_FIXES:
            break
    problems = common.together(problem for each in problems_by_loader for problem in each)
    if written is not None:
        from fcbdsl.cli.baseline import write_baseline

        write_baseline(written, problems)
        click.echo(f"{written}: {common.count(len(problems), 'problem')} recorded.")
        ctx.exit(FINE)
    gone = 0
    if baseline is not None:
        from fcbdsl.cli.baseline import new_since

        problems, gone = new_since(baseline, problems)
        problems_by_loader = [[problem for problem in each if problem in problems] for each in problems_by_loader]
    files = [name for loader in loaders for name in own_sources(loader)]
    common.report_as(form, problems, files, strict)
    for analysis, each in zip(analyses, problems_by_loader, strict=True):
        if form == "text":
            whose = f"{analysis.game or 'Files of no game'}: " if len(analyses) > 1 else ""
            click.echo(f"{whose}{_sums(each)}.")
    if fixed:
        click.echo(f"{common.count(fixed, 'change')} made.", err=True)
    if gone:
        click.echo(
            f"{common.count(gone, 'problem')} of {baseline} no longer occurs. --write-baseline updates the file.",
            err=True,
        )
    if explain:
        for analysis in analyses:
            _explain(analysis, len(analyses) > 1)
        _explain_documents(before)
        _explain_cache()
    if fit and not all(FIT in analysis.made for analysis in analyses):
        click.echo("fcb can check what fits only when there are no errors.", err=True)
    wrong = any(problem.severity == "error" or strict for problem in problems)
    ctx.exit(PROBLEMS if wrong else FINE)


MOST_FIXES = 10_000
"""The limit of fixes in one run."""


def _changes(loaders: Sequence[Loader], problems: Sequence[Diagnostic]) -> list[FixedFile]:
    """Return the files of the project with the proposed fixes applied."""
    from fcbdsl.cli.apply_fixes import fixed_files
    from fcbdsl.project.paths import lies_in

    sources = {
        source.name: source
        for loader in loaders
        for source in loader.sources
        if loader.project.root is None or lies_in(Path(source.name), [loader.project.root])
    }
    return fixed_files(problems, list(sources.values()))


def _known_codes(codes: Sequence[str]) -> None:
    """Refuse selections that match no code."""
    from fcbdsl.base.diagnostics import known_codes, suggest

    codes_known = known_codes()
    for code in codes:
        if not any(item.startswith(code) for item in codes_known):
            near = suggest(code, codes_known)
            raise click.UsageError(f"There is no code {code!r}." + (f" Did you mean {near}?" if near else ""))


def _is_selected(finding: Diagnostic, selected: Sequence[str], ignored: Sequence[str]) -> bool:
    """Return whether a finding is to be reported."""
    return (not selected or finding.code.startswith(tuple(selected))) and not finding.code.startswith(tuple(ignored))


def _explain(analysis: Analysis, several: bool) -> None:
    """Print how each pass went."""
    if several:
        click.echo(f"{analysis.game or 'Files of no game'}:", err=True)
    width = max(len(run.name) for run in analysis.passes)
    for run in analysis.passes:
        took = f"{run.seconds:8.3f} s  " if run.how in ("run", "known") else " " * 12
        click.echo(f"{run.name:<{width}}{took}{HOW[run.how]}", err=True)


def _documents() -> dict[str, int]:
    """Return how many documents this process has typeset, and how many it has found in the cache."""
    from fcbdsl.print.typeset.typesetting import COUNTS

    return dict(COUNTS)


def _explain_documents(before: dict[str, int]) -> None:
    """Report how many documents were typeset since then, and how many were in the cache."""
    now = _documents() if before else {}
    documents = {how: now[how] - count for how, count in before.items()}
    if any(documents.values()):
        click.echo(
            f"{common.count(documents['typeset'], 'document')} typeset, {documents['cached']} from the cache.", err=True
        )


def _explain_cache() -> None:
    """Print the cached results that could not be read or written."""
    from fcbdsl.base import cache

    if cache.cache_folder() is None:
        click.echo(f"fcb caches nothing between runs: {cache.why_no_cache()}.", err=True)
    for cause, times in cache.troubles().items():
        click.echo(f"{common.count(times, 'result')} of the cache not used: {cause}", err=True)


HOW = {
    "run": "run",
    "known": "cached from an earlier run",
    "asked": "left out: only when asked for",
    "errors": "left out: there are errors",
}
"""The words for the state of a pass."""


def _sums(problems: Sequence[Diagnostic]) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    sums = f"{common.count(errors, 'error')}, {common.count(len(problems) - errors, 'warning')}"
    return sums if problems else "No problems"
