"""What several commands share: finding content, reporting problems, loading programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fcbdsl.cli.main import PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.diagnostics import Diagnostic
    from fcbdsl.model.declarations import Model
    from fcbdsl.vm.program import Program

F = TypeVar("F", bound=Callable[..., Any])


def paths_argument(command: F) -> F:
    """Add the PATHS argument: files or folders; none means the project around the working folder."""
    return click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))(command)


def report(problems: Sequence[Diagnostic], form: str = "text") -> None:
    """Print problems to standard output as text (coloured on a terminal) or JSON."""
    from fcbdsl.diagnostics import report as reports

    if form == "json":
        click.echo(reports.to_json(problems))
        return
    if problems:
        click.echo(reports.to_text(problems, colour=in_colour(sys.stdout)), nl=False)


def in_colour(stream: Any) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def check_paths(paths: Sequence[Path]) -> tuple[Model, Sequence[Diagnostic]]:
    """Load and check the files at `paths` or the project; return the model and every problem."""
    from fcbdsl.project import check_project

    return check_project(paths)


def sound_model(paths: Sequence[Path]) -> Model:
    """Return the checked model; report errors and leave with PROBLEMS if there are any."""
    model, problems = check_paths(paths)
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        report(errors)
        leave_with(f"{count(len(errors), 'error')} found; nothing was made.")
    return model


def sound_program(paths: Sequence[Path], tests: str = "without") -> Program:
    """Compile what is at `paths`; report errors and leave with PROBLEMS if there are any."""
    from fcbdsl.compiler import lower

    return lower(sound_model(paths), tests=tests == "with")


def load_program(file: Path) -> Program:
    """Load a .fcbc file; if it is refused, say why and leave with PROBLEMS."""
    from fcbdsl.vm import fcbc

    loaded = fcbc.load(file.read_bytes())
    if isinstance(loaded, fcbc.Refused):
        leave_with(f"{file}: refused: {loaded.reason}")
    return loaded


def leave_with(message: str) -> Any:
    """Say `message` on standard error and end with the exit code for problems found."""
    click.echo(message, err=True)
    raise click.exceptions.Exit(PROBLEMS)


def count(number: int, noun: str) -> str:
    """Return ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
