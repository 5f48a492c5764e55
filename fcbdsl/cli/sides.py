"""The two sides of a comparison: folders, and revisions of a project's repository."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.model.whole import Model


@contextmanager
def model_of(said: str) -> Iterator[Model]:
    """What a folder with a project, or a revision, says; its files are there as long as this lasts. Leaves if it is
    neither, or not sound."""
    path = Path(said)
    if path.is_dir():
        yield _model_in(path)
        return
    from fcbdsl.cli.history import NoHistory, opened_at

    project = common.single(common.loaded(tests=False)).project
    with ExitStack() as stack:
        try:
            model = stack.enter_context(opened_at(project, said))
        except NoHistory as nothing:
            raise click.UsageError(f"{said} is no folder, no file, and no revision: {nothing}.") from nothing
        yield model


def _model_in(folder: Path) -> Model:
    from fcbdsl.project import UnknownGame, check_project, find_project

    if find_project(folder.resolve()) != folder.resolve():
        raise click.UsageError(f"{folder} holds no fcb.toml.")
    meta = click.get_current_context().meta
    try:
        model, problems = check_project(tests=False, root=folder, game=meta.get(common.GAME) or "")
    except UnknownGame as trouble:
        raise click.UsageError(f"{folder}: {trouble}") from trouble
    errors = [one for one in problems if one.severity == "error"]
    if errors:
        common.report(errors, err=True)
        common.leave_with(f"{folder} has errors.")
    return model
