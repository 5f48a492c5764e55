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
    from fcbdsl.analysis import Analysis
    from fcbdsl.cli.fixing import FixedFile
    from fcbdsl.diagnostics import Diagnostic
    from fcbdsl.project import Loader


@click.command("check", epilog="Example: fcb check cards/ --format github")
@common.paths_argument
@click.option("--format", "form", type=click.Choice(common.FORMATS), default="text", help="How to report.")
@click.option("--fit", is_flag=True, help="Also typeset everything, to see whether it fits its cards and sheets.")
@click.option(
    "--select", "selected", metavar="CODE", multiple=True, help="Tell only of these codes (FCB07: all of them)."
)
@click.option("--ignore", "ignored", metavar="CODE", multiple=True, help="Do not tell of these codes.")
@click.option("--baseline", type=common.READABLE, help="Do not tell of what this file knows.")
@click.option("--write-baseline", "written", type=common.WRITABLE, help="Write down what is found, for --baseline.")
@click.option("--fix", is_flag=True, help="Make the changes that findings propose, then check again.")
@click.option("--diff", is_flag=True, help="Show those changes, and make none.")
@click.option("--explain-passes", "explain", is_flag=True, help="Tell of each check whether it ran, and how long.")
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

    Files of a project are checked as parts of it; with PATHS only what is found there is reported. What compile, test,
    play and render would refuse is found here, whether texts fit their cards and sheets with --fit.

    The project is the nearest folder upward that holds fcb.toml. Where there is none, the working folder is taken with
    its files and its folders cards, missions and tests, and that is said; --shipped takes the content that comes with
    fcb. Of several games each is checked, and summed up on a line of its own.

    `[severity]` in fcb.toml says of codes of warnings whether they are an error, a warning, or off; a comment
    `# fcb: allow CODE` behind a line, or above it, allows a warning there. --format github, sarif and junit are for
    other tools: see "Check packs in CI" in the documentation.

    --explain-passes tells on standard error of each check, in order: whether it ran, was known from an earlier run
    (nothing has changed), or was left out; and how many seconds of the processor that took. A check that needs the
    model waits for it to be made or loaded, which is told with the first that does. Then it reports how many results of
    earlier runs could not be loaded or kept, and why.
    """
    from fcbdsl.analysis.pieces import no_test
    from fcbdsl.analysis.pipeline import FIT, analysis_of
    from fcbdsl.pausing import made_to_last
    from fcbdsl.project import lies_in, own_sources

    if selected or ignored:
        _known_codes((*selected, *ignored))
    asked = [FIT] if fit else []
    tell = partial(_is_told, selected=selected, ignored=ignored)
    fixed = 0
    while True:
        loaders = common.loaded(paths)
        with made_to_last():
            analyses = [analysis_of(loader, asked, time.process_time, no_test, common.progress) for loader in loaders]
        if fit:
            common.progress("")
        found = [
            [one for one in each.problems if tell(one) and (not paths or lies_in(Path(one.span.source.name), paths))]
            for each in analyses
        ]
        if not (fix or diff):
            break
        changes = _changes(loaders, common.together(one for each in found for one in each))
        if diff:
            click.echo("".join(one.difference() for one in changes), nl=False)
            ctx.exit(PROBLEMS if changes else FINE)
        for one in changes:
            one.write()
        fixed += sum(one.count for one in changes)
        if not changes or fixed > MOST_FIXES:
            break
    problems = common.together(one for each in found for one in each)
    if written is not None:
        from fcbdsl.cli.baseline import write_baseline

        write_baseline(written, problems)
        click.echo(f"{written}: {common.count(len(problems), 'problem')} written down.")
        ctx.exit(FINE)
    gone = 0
    if baseline is not None:
        from fcbdsl.cli.baseline import new_since

        problems, gone = new_since(baseline, problems)
        found = [[one for one in each if one in problems] for each in found]
    files = [name for loader in loaders for name in own_sources(loader)]
    common.report_as(form, problems, files, strict)
    for analysis, each in zip(analyses, found, strict=True):
        if form == "text":
            whose = f"{analysis.game or 'Files of no game'}: " if len(analyses) > 1 else ""
            click.echo(f"{whose}{_sums(each)}.")
    if fixed:
        click.echo(f"{common.count(fixed, 'change')} made.", err=True)
    if gone:
        click.echo(f"{common.count(gone, 'problem')} of {baseline} is there no more: --write-baseline.", err=True)
    if explain:
        for analysis in analyses:
            _explain(analysis, len(analyses) > 1)
        _explain_cache()
    if fit and not all(FIT in analysis.made for analysis in analyses):
        click.echo("Whether everything fits can be seen when there are no errors.", err=True)
    wrong = any(problem.severity == "error" or strict for problem in problems)
    ctx.exit(PROBLEMS if wrong else FINE)


MOST_FIXES = 10_000
"""How many changes a run makes at most."""


def _changes(loaders: Sequence[Loader], problems: Sequence[Diagnostic]) -> list[FixedFile]:
    """The files of the project with the changes that findings propose."""
    from fcbdsl.cli.fixing import fixed_files
    from fcbdsl.project import lies_in

    sources = {
        source.name: source
        for loader in loaders
        for source in loader.sources
        if loader.project.root is None or lies_in(Path(source.name), [loader.project.root])
    }
    return fixed_files(problems, list(sources.values()))


def _known_codes(codes: Sequence[str]) -> None:
    """Refuse what begins no code."""
    from fcbdsl.diagnostics import known_codes, suggest

    known = known_codes()
    for code in codes:
        if not any(one.startswith(code) for one in known):
            near = suggest(code, known)
            raise click.UsageError(f"There is no code {code!r}." + (f" Did you mean {near}?" if near else ""))


def _is_told(finding: Diagnostic, selected: Sequence[str], ignored: Sequence[str]) -> bool:
    """Whether a finding is one of those that are to be told."""
    return (not selected or finding.code.startswith(tuple(selected))) and not finding.code.startswith(tuple(ignored))


def _explain(analysis: Analysis, several: bool) -> None:
    """Tell how each check went."""
    if several:
        click.echo(f"{analysis.game or 'Files of no game'}:", err=True)
    width = max(len(one.name) for one in analysis.passes)
    for one in analysis.passes:
        took = f"{one.seconds:8.3f} s  " if one.how in ("run", "known") else " " * 12
        click.echo(f"{one.name:<{width}}{took}{HOW[one.how]}", err=True)


def _explain_cache() -> None:
    """Report which results of the cache were of no use."""
    from fcbdsl import cache

    if cache.folder() is None:
        click.echo(f"Nothing is kept between runs: {cache.why_off()}.", err=True)
    for cause, times in cache.troubles().items():
        click.echo(f"{common.count(times, 'result')} of the cache not used: {cause}", err=True)


HOW = {
    "run": "run",
    "known": "known from an earlier run",
    "asked": "left out: only when asked for",
    "errors": "left out: there are errors",
}
"""How a check went, in words."""


def _sums(problems: Sequence[Diagnostic]) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    sums = f"{common.count(errors, 'error')}, {common.count(len(problems) - errors, 'warning')}"
    return sums if problems else "No problems"
