"""What several commands share: finding content, reporting problems, loading programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from fcbdsl.cli.main import PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.analysis import Analysis
    from fcbdsl.diagnostics import Diagnostic
    from fcbdsl.model.whole import Model
    from fcbdsl.sim.playout import Record
    from fcbdsl.vm.machine import Machine
    from fcbdsl.vm.program import Definition, Program
    from fcbdsl.vm.world import World

F = TypeVar("F", bound=Callable[..., Any])

BOT_NAMES = ("random", "first", "sensible")
"""Keys of `sim.bots.BOTS`, which would load the machine for a mere `--help`; a test compares them."""


def paths_argument(command: F) -> F:
    """Add the PATHS argument: files or folders; none means the project around the working folder."""
    return click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))(shipped_option(command))


def shipped_option(command: F) -> F:
    """Add the --shipped option, which `scope` heeds: the content that comes with fcb, instead of a project's."""
    return click.option(
        "--shipped",
        is_flag=True,
        expose_value=False,
        callback=_note_shipped,
        help="Take the content that comes with fcb.",
    )(command)


def _note_shipped(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[SHIPPED] = value


SHIPPED = "fcbdsl.shipped"
"""Key of click's context: whether --shipped was given."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a command works on: some paths of a project (none: all of it), and its folder if it isn't looked for."""

    paths: tuple[Path, ...] = ()
    root: Path | None = None


def scope(paths: Sequence[Path] = ()) -> Scope:
    """What the running command is to work on. If no project file says so, say what is taken, on standard error.

    Leaves with USAGE where there is nothing to work on."""
    from fcbdsl.diagnostics.problems import Problems
    from fcbdsl.project import PROJECT_FILE, NoProject, project_of, shipped

    if click.get_current_context().meta.get(SHIPPED):
        if paths:
            raise click.UsageError("--shipped takes all the content that comes with fcb: name no paths with it.")
        root = shipped(PROJECT_FILE).parent
        _tell(f"Taking the content that comes with fcb, in {root}.")
        return Scope(root=root)
    try:
        project = project_of(paths, Problems())
    except NoProject as nothing:
        raise click.UsageError(
            f"There is no project here: no {PROJECT_FILE} in {nothing} or above it, and no .fcb files in it or its "
            f"folders `cards`, `missions` and `tests`. --shipped takes the content that comes with fcb."
        ) from nothing
    if project.bare:
        _tell(f"There is no {PROJECT_FILE} in {project.root} or above it: taking that folder as a project.")
    elif project.root is None:
        _tell(f"There is no {PROJECT_FILE} above: taking what PATHS name as a project.")
    return Scope(tuple(paths))


def _tell(note: str) -> None:
    """Say something on standard error, once in a run."""
    told = click.get_current_context().meta.setdefault(TOLD, [])
    if note not in told:
        told.append(note)
        click.echo(note, err=True)


TOLD = "fcbdsl.told"
"""Key of click's context: the notes that have been given."""


def strict_option(command: F) -> F:
    """Add the --strict option."""
    return click.option("--strict", is_flag=True, help="Warnings count as errors do.")(command)


def program_option(command: F) -> F:
    """Add the options --program, a compiled program to work with instead of the project, and --shipped."""
    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    option = click.option("--program", "program_file", type=file, help="A .fcbc program; else the project is compiled.")
    return option(shipped_option(command))


def variant_option(command: F) -> F:
    """Add the --variant option: other settings than the program's, as a dict of names and values."""
    return click.option(
        "--variant", "settings", metavar="NAME=VALUE", multiple=True, callback=_settings, help="Another setting."
    )(command)


def _settings(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Read variants and their values: ``NAME=VALUE``."""
    out: dict[str, str] = {}
    for value in values:
        name, _, setting = value.partition("=")
        if not (name and setting):
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE.", ctx, param)
        out[name] = setting
    return out


def report(problems: Sequence[Diagnostic], form: str = "text") -> None:
    """Print problems to standard output as text (coloured on a terminal) or JSON."""
    from fcbdsl import bounds
    from fcbdsl.diagnostics import report as reports

    if form == "json":
        click.echo(reports.to_json(problems))
        return
    if problems:
        click.echo(reports.to_text(problems[: bounds.SHOWN_PROBLEMS], colour=in_colour(sys.stdout)), nl=False)
    if len(problems) > bounds.SHOWN_PROBLEMS:
        rest = problems[bounds.SHOWN_PROBLEMS :]
        click.echo(f"… and {count(len(rest), 'more problem')}: fcb check --format json lists all.\n")


def in_colour(stream: Any) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def analysed(paths: Sequence[Path], tests: bool = True, asked: Sequence[str] = ()) -> Analysis:
    """Make every check of what `scope` takes. `tests`, `asked`: see `analysis.analyse`."""
    from fcbdsl.analysis import analyse

    chosen = scope(paths)
    return analyse(chosen.paths, tests=tests, root=chosen.root, asked=asked)


def sound_model(paths: Sequence[Path], tests: bool = False, strict: bool = False) -> Model:
    """Return the checked model; report errors and leave with PROBLEMS if there are any. What files of tests declare
    for themselves is no part of a game, unless it is asked for (`tests`). `strict`: warnings count."""
    analysis = analysed(paths, tests)
    errors = analysis.errors(strict)
    if errors:
        report(errors)
        leave_with(f"{tally(errors)} found; nothing was made.")
    return analysis.model


def sound_program(paths: Sequence[Path], strict: bool = False) -> Program:
    """Compile what is at `paths`; report errors and leave with PROBLEMS if there are any."""
    return compiled(sound_model(paths, strict=strict))


def tested_program(paths: Sequence[Path], strict: bool) -> Program:
    """Compile the project with its tests, and with the files at `paths` if they lie outside of it."""
    return compiled(sound_model(paths, tests=True, strict=strict), tests=True)


def compiled(model: Model, tests: bool = False) -> Program:
    """Compile a sound model, with its tests if asked for, and verify what came out: nothing unverified runs.

    What is refused after all leaves with PROBLEMS, and with the line that it came from where that is known."""
    from fcbdsl.compiler import lower
    from fcbdsl.vm.verify import verify

    program = lower(model, tests)
    findings = verify(program)
    if findings:
        more = "" if len(findings) == 1 else f" (and {len(findings) - 1} more)"
        leave_with(f"The compiled program is refused: {findings[0]}{more}.{_origin(program, findings[0].place)}")
    return program


def _origin(program: Program, place: str) -> str:
    """Where what stands at a place of a program was written, as a sentence; empty if it is not known."""
    from fcbdsl.vm.verify import written_at

    number = written_at(program, place)
    if number < 0:
        return ""
    span = program.spans[number]
    return f" It was written in {program.files[span.file]}, line {span.line}."


def load_program(file: Path) -> Program:
    """Load a .fcbc file; if it is refused, say why and leave with PROBLEMS."""
    from fcbdsl.vm import fcbc

    loaded = fcbc.load(read_up_to(file, fcbc.MOST_BYTES + 1))
    if isinstance(loaded, fcbc.Refused):
        leave_with(f"{file}: refused: {loaded.reason}")
    return loaded


def read_up_to(file: Path, most: int) -> bytes:
    """Read a file, or its first `most` bytes: enough to refuse one that is too large."""
    with file.open("rb") as data:
        return data.read(most)


def program_of(file: Path | None) -> Program:
    """Return the program in `file`, or of the project if there is none."""
    if file is None:
        return sound_program([])
    if click.get_current_context().meta.get(SHIPPED):
        raise click.UsageError("Name a --program, or take what is --shipped: not both.")
    return load_program(file)


def missions_of(program: Program) -> list[Definition]:
    """Return the missions of a program, in order."""
    return [row for row in program.definitions if program.kinds[row.kind].policy == "mission"]


def known_mission(program: Program, mission: str) -> None:
    """Refuse a mission that the program does not have, with the nearest ones it has."""
    known = [row.id for row in missions_of(program)]
    if mission not in known:
        from fcbdsl.diagnostics import suggest

        near = suggest(mission, known)
        hint = f"Did you mean {near}?" if near else f"There are: {', '.join(known) or 'none'}."
        raise click.UsageError(f"There is no mission {mission!r}. {hint}")


def started(machine: Machine, record: Record) -> World:
    """Set up the game that a record describes; refuse terms that the program does not allow."""
    from fcbdsl.vm.setup import CannotStart

    try:
        return machine.start(record.mission, record.players, record.seed, record.switches)
    except CannotStart as trouble:
        raise click.UsageError(f"This game can't begin: {trouble}.") from trouble


def replayed(machine: Machine, log: Path) -> tuple[Record, World]:
    """Play the game in a log again, as far as it goes; say why if it can't be, and leave with PROBLEMS."""
    from fcbdsl.sim.playout import MOST_BYTES, BadRecord, Divergence, read_record, replay
    from fcbdsl.vm.setup import CannotStart

    try:
        record = read_record(read_up_to(log, MOST_BYTES + 1))
    except BadRecord as trouble:
        leave_with(f"{log} can't be replayed: {trouble}.")
    try:
        return record, replay(machine, record)
    except (Divergence, CannotStart) as difference:
        leave_with(f"{log} does not replay: {difference}.")


def ending(machine: Machine, world: World, record: Record, language: str) -> str:
    """Say in one line how a game ended."""
    from fcbdsl.sim.view import View

    made = count(len(record.decisions), "decision")
    said = View(machine, language).outcome(world)
    return f"{record.mission}: {said} ({made}, seed {record.seed}, state {record.digest})"


def leave_with(message: str) -> NoReturn:
    """Say `message` on standard error and end with the exit code for problems found."""
    click.echo(message, err=True)
    raise click.exceptions.Exit(PROBLEMS)


def tally(problems: Sequence[Diagnostic]) -> str:
    """Return ``1 error``, ``2 errors, 1 warning``, ``1 warning``."""
    errors = sum(problem.severity == "error" for problem in problems)
    found = [(errors, "error"), (len(problems) - errors, "warning")]
    return ", ".join(count(number, noun) for number, noun in found if number)


def count(number: int, noun: str) -> str:
    """Return ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
