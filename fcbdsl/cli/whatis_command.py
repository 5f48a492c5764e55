"""``fcb whatis``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fcbdsl.base import cache
from fcbdsl.cli import common

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fcbdsl.language.model.whole import Model
    from fcbdsl.print.press.proofs import RenderedPiece
    from fcbdsl.project.revisions import Commit
    from fcbdsl.project.settings import Project


@click.command("whatis", epilog="Example: fcb whatis k3m9qa")
@click.argument("stamp")
@click.option(
    "--revisions", type=click.IntRange(0, 1000), default=20, help="Number of earlier revisions to search. [default: 20]"
)
@common.shipped_option
def command(stamp: str, revisions: int) -> None:
    """Find a printed piece by its stamp. STAMP is the six letters at the foot of the piece.

    If no present piece has the stamp, fcb searches the latest revisions of the git repository and shows what has
    changed on the piece since. The first search takes some seconds for each revision.
    """
    from fcbdsl.print.pieces.stamps import read_stamp
    from fcbdsl.project.revisions import NoHistory, commits_of

    wanted = read_stamp(stamp)
    if not wanted:
        raise click.UsageError(
            f"{stamp!r} is not a stamp. A stamp has six letters and digits; it is at the foot of a piece."
        )
    loaders = common.load_scope(tests=False)
    models = common.sound_models(loaders)
    for model in models:
        for proof in _bearing(model, wanted):
            click.echo(f"{_named(proof)}: {proof.definition.span.source.name}:{proof.definition.span.line}")
            click.echo("It has not changed since.")
            return
    tried = 0
    for loader, model in zip(loaders, models, strict=True):
        try:
            commits = commits_of(loader.project, revisions)
        except NoHistory as nothing:
            click.echo(f"fcb cannot search earlier revisions: {nothing}.", err=True)
            break
        tried += len(commits)
        earlier = _earlier(loader.project, commits, wanted)
        if earlier is not None:
            before, commit = earlier
            click.echo(f"{_named(before)}, as of {commit.name} ({commit.day}, {commit.subject}).")
            _report_changes(before, model)
            return
    common.leave_with(f"No piece has the stamp {wanted}, now or in {common.count(tried, 'earlier revision')}.")


def _earlier(project: Project, commits: list[Commit], stamp: str) -> tuple[RenderedPiece, Commit] | None:
    """Return the piece with a stamp in the latest of some revisions that had it; progress is shown on a terminal
    only."""
    from fcbdsl.project.revisions import NoHistory, model_at

    hidden = not sys.stderr.isatty()
    with click.progressbar(commits, label=project.game or None, file=sys.stderr, hidden=hidden) as latest_first:
        for commit in latest_first:
            name = _stamps_key(project, commit)
            stamps_stored = cache.load_result(name, cache.shape_check(list[str]))
            if stamps_stored is not None and stamp not in stamps_stored:
                continue
            stamps: list[str] = []
            try:
                before = next(_bearing(model_at(project, commit.name), stamp, stamps), None)
            except NoHistory as nothing:
                click.echo(f"Left out: {nothing}.", err=True)
                continue
            if before is not None:
                return before, commit
            cache.store_result(name, stamps)
    return None


def _stamps_key(project: Project, commit: Commit) -> str:
    """Return the cache key for the stamps of a revision of a game."""
    return cache.result_key(part.encode() for part in ("stamps", str(project.root), str(project.game), commit.name))


def _report_changes(before: RenderedPiece, model: Model) -> None:
    """Report what has changed on a piece since."""
    from fcbdsl.print.pieces.printables import printable
    from fcbdsl.print.pieces.stamps import changed_lines
    from fcbdsl.print.press.proofs import render_piece

    view = before.view
    now = next(
        (definition for definition in printable(model) if f"{definition.kind.id}/{definition.id}" == view.key), None
    )
    if now is None:
        click.echo("It is no longer printed.")
        return
    click.echo("Changed since:")
    for line in changed_lines(view, render_piece(now, model, view.language).view):
        click.echo(f"  {line}")


def _bearing(model: Model, stamp: str, met: list[str] | None = None) -> Iterator[RenderedPiece]:
    """Yield the pieces of a game with a stamp, in any of its languages; each stamp on the way is added to `met`."""
    from fcbdsl.print.pieces.printables import languages_on_request, printable
    from fcbdsl.print.pieces.stamps import stamp_of
    from fcbdsl.print.press.proofs import render_piece

    for language in languages_on_request(model):
        for definition in printable(model):
            proof = render_piece(definition, model, language)
            borne = stamp_of(proof.view)
            if met is not None:
                met.append(borne)
            if borne == stamp:
                yield proof


def _named(proof: RenderedPiece) -> str:
    return f"{proof.view.key}, “{proof.view.title}” ({proof.view.language})"
