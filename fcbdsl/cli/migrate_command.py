"""``fcb migrate``."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.tools.migration import Migrated, Outcome


@click.command("migrate", epilog="Example: fcb migrate --check")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--check", "only_look", is_flag=True, help="Write nothing; exit with 1 if anything would change.")
@click.option(
    "--from", "version", type=click.IntRange(1), help="Language version of the sources, if fcb.toml is wrong."
)
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], only_look: bool, version: int | None) -> None:
    """Rewrite sources for the current language version. They keep their meaning.

    The version of a project is the key `language` of fcb.toml, or 1 without that key. fcb shows every change, and
    every place that it can't rewrite. It writes the key when the whole project (no PATHS) is migrated and nothing
    is left to decide. Comments and formatting stay. The documentation lists every change of the language.
    """
    from fcbdsl.base.diagnostics.files import OldLanguage
    from fcbdsl.base.files import PROJECT_FILE
    from fcbdsl.base.versions import FIRST_LANGUAGE, LANGUAGE
    from fcbdsl.tools.migration import migrate, migrations_from, set_language

    loaders = common.load_scope(paths)
    loader = loaders[0]
    root = loader.project.root
    written = root is not None and (root / PROJECT_FILE).is_file()
    if not written and version is None:
        raise click.UsageError(f"No {PROJECT_FILE} says in which language these sources are; name it: --from 1.")
    noted = common.together(problem for each in loaders for problem in each.problems)
    unreadable = [problem for problem in noted if problem.severity == "error" and not isinstance(problem, OldLanguage)]
    if unreadable:
        common.report(unreadable)
        common.leave_with(f"{common.tally(unreadable)} found; nothing was migrated.")
    old = version or loader.project.language or FIRST_LANGUAGE
    within = paths or ((root,) if root is not None else ())
    outcome = _joined([migrate(each, migrations_from(old), within) for each in loaders])
    for file in outcome.files:
        if not only_look:
            file.write()
        click.echo(_changed_lines(file), nl=False)
    left = _left(outcome)
    stated = written and not paths and loader.project.language != LANGUAGE and not left
    if stated and root is not None:
        if not only_look:
            set_language(root)
        click.echo(f"{PROJECT_FILE}: language = {LANGUAGE}")
    places = sum(file.edits for file in outcome.files)
    done = "would be changed" if only_look else "changed"
    summary = f"{common.count(places, 'place')} in {common.count(len(outcome.files), 'file')} {done}."
    click.echo(summary if places else f"Nothing to change in the sources, from language {old} to {LANGUAGE}.")
    ctx.exit(PROBLEMS if left or (only_look and (places or stated)) else FINE)


def _joined(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the joint outcome of migrating several games; a file that they share is changed once."""
    from fcbdsl.tools.migration import Outcome

    files = {file.path: file for outcome in reversed(outcomes) for file in reversed(outcome.files)}
    unclear = dict.fromkeys(unclear for outcome in outcomes for unclear in outcome.unclear)
    errors = common.together(error for outcome in outcomes for error in outcome.errors)
    return Outcome(tuple(reversed(files.values())), tuple(unclear), tuple(errors))


def _changed_lines(file: Migrated) -> str:
    """Return the changed lines of a file, before and after."""
    before, after = (text.splitlines(keepends=True) for text in (file.source.text, file.text))
    name = file.path.as_posix()
    return "".join(
        line if line.endswith("\n") else f"{line}\n" for line in difflib.unified_diff(before, after, name, name, n=0)
    )


def _left(outcome: Outcome) -> bool:
    """Report the places that a person must change; return whether there are any."""
    from fcbdsl.base.diagnostics.files import NotMigrated

    if outcome.unclear:
        common.report([NotMigrated(unclear.span, why=unclear.why) for unclear in outcome.unclear])
    if outcome.errors:
        common.report(outcome.errors)
        click.echo(
            f"{common.tally(outcome.errors)} left: these places may still need a migration. Correct them, and run "
            "`fcb migrate` again.",
            err=True,
        )
    return bool(outcome.unclear or outcome.errors)
