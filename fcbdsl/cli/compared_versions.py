"""The two sides of a comparison: folders, and revisions of a project's repository."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model


@contextmanager
def version_model(side: str) -> Iterator[Model]:
    """Yield the model of a folder with a project, or of a revision. Its files exist as long as the context does.

    Leave if it is neither, or has errors.
    """
    path = Path(side)
    if path.is_dir():
        yield _model_in(path)
        return
    from fcbdsl.project.revisions import NoHistory, opened_at

    project = common.only_loader(common.load_scope(tests=False)).project
    with ExitStack() as stack:
        try:
            model = stack.enter_context(opened_at(project, side))
        except NoHistory as nothing:
            raise click.UsageError(f"{side} is not a folder, a file or a revision: {nothing}.") from nothing
        yield model


def games_to_compare(sides: Sequence[str]) -> list[str]:
    """Return the games to compare: the game of --game, else the games of the first side that is a folder, else those of
    the project.

    An empty name means a project of one game. Compiled programs as sides need no name.
    """
    from fcbdsl.project.project import load_all

    game: str = click.get_current_context().meta.get(common.GAME) or ""
    if game or all(Path(path).is_file() for path in sides):
        return [game]
    folder = next((Path(path) for path in sides if Path(path).is_dir()), None)
    if folder is None:
        return [loader.project.game for loader in common.load_scope(tests=False)]
    _holds_project(folder)
    return [loader.project.game for loader in load_all((), False, folder)]


def game_with(missions: Sequence[str], sides: Sequence[str]) -> str:
    """Return the game of the sides that has the first of some missions. Refuse none and several."""
    from fcbdsl.project.project import load_all

    games = games_to_compare(sides)
    if len(games) == 1:
        return games[0]
    folder = next((Path(path) for path in sides if Path(path).is_dir()), None)
    loaders = common.load_scope(tests=False) if folder is None else load_all((), False, folder)
    return (common.having(loaders, "mission", missions[0]) if missions else common.only_loader(loaders)).project.game


def select_game(game: str) -> None:
    """Select the game of the running command."""
    click.get_current_context().meta[common.GAME] = game


def _holds_project(folder: Path) -> None:
    from fcbdsl.project.paths import find_project

    if find_project(folder.resolve()) != folder.resolve():
        raise click.UsageError(f"{folder} contains no fcb.toml.")


def _model_in(folder: Path) -> Model:
    from fcbdsl.project.project import UnknownGame, check_project

    _holds_project(folder)
    meta = click.get_current_context().meta
    try:
        model, problems = check_project(tests=False, root=folder, game=meta.get(common.GAME) or "")
    except UnknownGame as error:
        raise click.UsageError(f"{folder}: {error}") from error
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        common.report(errors, err=True)
        common.leave_with(f"{folder} has errors.")
    return model
