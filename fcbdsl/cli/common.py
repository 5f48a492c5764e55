"""Shared helpers of the commands: loading content, reporting problems, loading programs."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from fcbdsl.base.records import dataclass
from fcbdsl.base.visible import visible
from fcbdsl.cli.main import PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics import Diagnostic
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.program import Definition, Program
    from fcbdsl.machine.vm.verify.tags import Finding
    from fcbdsl.play.session.playout import Record
    from fcbdsl.project.analysis import Analysis, Choice
    from fcbdsl.project.project import Loader
    from fcbdsl.project.workspace import Workspace

F = TypeVar("F", bound=Callable[..., Any])


class ReadablePath(click.Path):
    """The type of a file to read. It refuses a pipe outside of /dev, which could wait forever; the shell's
    ``<(command)`` is in /dev."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or fail."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if (path.is_fifo() or path.is_socket()) and path.absolute().parts[1] not in ("dev", "proc"):
            self.fail(f"File {visible(str(path))!r} is not an ordinary file.", param, ctx)
        return path


READABLE = ReadablePath()
WRITABLE = click.Path(dir_okay=False, path_type=Path)
"""Types of options that name a file to read or to write."""


BOTS = "Bots: random, first, thumb, sensible, search or search:PLAYOUTS, blind, open; SIDE=BOT,BOT names one per side."


DEFAULT_BOT = "sensible"
"""The bot of simulate, its gate, compare and tune. It beat `thumb` in one of four games, no difference was shown in the
others, and it needs no preferences (docs/bots.md)."""


def bot_option(help: str, default: str | None = None, name: str = "bot", flag: str = "--bot") -> Callable[[F], F]:
    """Add the option --bot, the name of a bot. Its sides can only be checked when the program is loaded."""
    return click.option(
        flag, name, metavar="BOT", callback=_bots, default=default, show_default=True, help=f"{help} {BOTS}"
    )


def _bots(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    from fcbdsl.play.bots.bot_names import read_bots

    try:
        read_bots(value or "random")
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error
    return value


def known_sides(program: Program, bot: str | None) -> None:
    """Raise UsageError if the bots' sides do not match the sides of the game."""
    if bot is None:
        return
    from fcbdsl.play.bots.roster import unknown_side

    mistake = unknown_side(program, bot)
    if mistake:
        raise click.UsageError(mistake)


def winning_side(program: Program, side: str | None) -> str:
    """Return the side whose wins are counted: a team by its id, or the first one; empty for a game without teams.

    Raise UsageError if there is no such team.
    """
    teams = [row.id for row in program.definitions if program.kinds[row.kind].policy == "teams"]
    if side is not None and side not in teams:
        raise click.UsageError(f"The game has no team {side!r}; its teams are {', '.join(teams) or 'none'}.")
    return side or next(iter(teams), "")


def paths_argument(command: F) -> F:
    """Add the PATHS argument: files or folders; none means the project around the working folder."""
    return click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))(shipped_option(command))


def shipped_option(command: F) -> F:
    """Add the options --shipped (the content that comes with fcb) and --game (one game of the project); `scope` reads
    both."""
    command = click.option("--game", metavar="NAME", expose_value=False, callback=_note(GAME), help=GAME_HELP)(command)
    return click.option(
        "--shipped",
        is_flag=True,
        expose_value=False,
        callback=_note(SHIPPED),
        help="Use the games that come with fcb.",
    )(command)


def _note(key: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Return a callback that stores an option's value under a key of click's context."""

    def note(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        ctx.meta[key] = value

    return note


SHIPPED = "fcbdsl.shipped"
"""Key of click's context: whether --shipped was given."""
GAME = "fcbdsl.game"
"""Key of click's context: the name that --game gave."""
GAME_HELP = "Use this game of fcb.toml."


def language_option(help: str) -> Callable[[F], F]:
    """Add the --lang option; `checked_language` checks it against the content."""
    return click.option("--lang", "language", metavar="LANGUAGE", help=f"{help} [default: first in fcb.toml]")


def checked_language(wanted: str | None, available: Sequence[str]) -> str:
    """Return the wanted language, or by default the first of the content. Refuse others than those of the content."""
    if wanted is None:
        return available[0]
    if wanted not in available:
        raise click.UsageError(f"There is no language {wanted!r} here. There are: {', '.join(available)}.")
    return wanted


def program_languages(program: Program) -> list[str]:
    """Return the result of `shared_languages`. Print a note on standard error if it lacks the program's first
    language."""
    shared = shared_languages(program)
    if program.language not in shared:
        available = f"Games and reports are in {' or '.join(shared)} only, not in {visible(program.language)}"
        click.echo(f"{available}: choose one of these with --lang.", err=True)
    return shared


def shared_languages(program: Program) -> list[str]:
    """Return the languages that both a program and fcb itself have, the program's first language first."""
    from fcbdsl.base import locales

    offered = dict.fromkeys([program.language, "en", *(language for texts in program.texts for language in texts)])
    return [language for language in offered if language in locales.languages_with("play")]


@dataclass(frozen=True, slots=True)
class CommandScope:
    """The scope of a command: some paths of a project (none: all of it), its folder if it is known, and the name of a
    game ("": none was given)."""

    paths: tuple[Path, ...] = ()
    root: Path | None = None
    game: str = ""


def scope(paths: Sequence[Path] = ()) -> CommandScope:
    """Return the scope of the running command. Without a project file, print on standard error which files it uses.

    Leave with USAGE if there is nothing to work on, or the project does not have the given game.
    """
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.base.files import PROJECT_FILE
    from fcbdsl.project.paths import shipped_path
    from fcbdsl.project.project import NoProject, projects_of
    from fcbdsl.project.settings import read_projects

    meta = click.get_current_context().meta
    game: str = meta.get(GAME) or ""
    if meta.get(SHIPPED):
        if paths:
            raise click.UsageError("--shipped uses all content that comes with fcb; give no paths with it.")
        root = shipped_path(PROJECT_FILE).parent
        _print_once(f"Using the games that come with fcb, in {root}.")
        _known_game(game, [project.game for project in read_projects(root, Problems())])
        return CommandScope(root=root, game=game)
    try:
        projects = projects_of(paths, Problems())
    except NoProject as nothing:
        raise click.UsageError(
            f"There is no project here: no {PROJECT_FILE} in {nothing} or above it, and no .fcb files in it or its "
            f"folders `cards`, `missions` and `tests`. --shipped uses the games that come with fcb."
        ) from nothing
    if projects[0].bare:
        _print_once(f"There is no {PROJECT_FILE} in {projects[0].root} or above it. Using that folder as the project.")
    elif projects[0].root is None:
        _print_once(f"There is no {PROJECT_FILE} above. Using PATHS as the project.")
    _known_game(game, [project.game for project in projects])
    return CommandScope(tuple(paths), game=game)


def _known_game(game: str, games: Sequence[str]) -> None:
    """Refuse a game that the project does not have."""
    from fcbdsl.base.diagnostics import suggest

    if game and not any(games):
        raise click.UsageError("--game needs a project with several `games` in fcb.toml; this project has one.")
    if game and game not in games:
        near = suggest(game, games)
        hint = f"Did you mean {near}?" if near else f"There are: {', '.join(games)}."
        raise click.UsageError(f"There is no game {game!r}. {hint}")


def load_scope(paths: Sequence[Path] = (), tests: bool = True) -> list[Loader]:
    """Return a loader with the files of each game in the `scope`."""
    from fcbdsl.project.project import load_all

    chosen = scope(paths)
    return load_all(chosen.paths, tests, chosen.root, chosen.game)


def open_scope(chosen: CommandScope) -> list[Workspace]:
    """Open each game in a scope, to follow its changes."""
    from fcbdsl.project.project import load_all
    from fcbdsl.project.workspace import Workspace

    loaders = load_all((), True, chosen.root, chosen.game)
    return [Workspace(root=chosen.root, game=loader.project.game) for loader in loaders]


def only_loader(loaders: Sequence[Loader]) -> Loader:
    """Return the only loader; refuse several, which need a choice of the game."""
    if len(loaders) != 1:
        games = ", ".join(loader.project.game or "files of none" for loader in loaders)
        raise click.UsageError(f"Choose a game with --game: {games}.")
    return loaders[0]


def having(loaders: Sequence[Loader], noun: str, id: str) -> Loader:
    """Return the game that has a mission or a campaign (`noun`) with that id. Refuse several, and none."""
    from fcbdsl.base.diagnostics import suggest

    if len(loaders) == 1:
        return loaders[0]
    names = {loader.project.game: _heads(loader) for loader in loaders}
    loaders_with = [loader for loader in loaders if id in names[loader.project.game]]
    loaders_with = loaders_with or [loader for loader in loaders if f'"{as_typed(id)}' in names[loader.project.game]]
    if len(loaders_with) > 1:
        games = " and in ".join(loader.project.game for loader in loaders_with)
        raise click.UsageError(f"{id!r} exists in {games}: choose one with --game.")
    if not loaders_with:
        heads_of_all = {name for heads in names.values() for name in heads}
        near = suggest(id, sorted(heads_of_all)) or suggest(f'"{as_typed(id)}', sorted(heads_of_all))
        hint = f" Did you mean {near.removeprefix(chr(34))}?" if near else ""
        raise click.UsageError(f"There is no {noun} {id!r} in {', '.join(names)}.{hint}")
    return loaders_with[0]


_HEAD = re.compile(
    r'^[^\W\d][\w-]*[ ]+([^\W\d]\w*(?:-\w+)*)(?:[ ]+"([^"\n]*)")?(?:[^\n]*\n[ ]+fr:[ ]*"([^"\n]*)")?', re.MULTILINE
)


def _heads(loader: Loader) -> dict[str, None]:
    """Return the ids of all declarations in a game's own files, and their titles (small letters, after a quote).

    They are read from the text, so that finding a game needs no check.
    """
    from fcbdsl.project.paths import lies_in

    places = loader.project.places()
    own = [source for source in loader.sources if lies_in(Path(source.name), places)]
    heads = [match for source in own for match in _HEAD.finditer(source.text)]
    titles = [f'"{as_typed(title)}' for match in heads for title in match.groups()[1:] if title]
    return dict.fromkeys([*(match[1] for match in heads), *titles])


KEYS = str.maketrans("’\u00a0\u202f", "'  ")
"""Characters of printed names, and those that people type for them."""


def as_typed(title: str) -> str:
    """Return a title in small letters, with the apostrophes and spaces of a keyboard."""
    return title.casefold().translate(KEYS)


def heading(games: Sequence[object], game: str) -> None:
    """Print the name of the game before its output, if there are several games."""
    if len(games) > 1:
        click.echo(f"{game or 'Files of no game'}:")


def _print_once(note: str) -> None:
    """Print a note on standard error, once in a run."""
    shown = click.get_current_context().meta.setdefault(TOLD, [])
    if note not in shown:
        shown.append(note)
        click.echo(note, err=True)


TOLD = "fcbdsl.told"
"""Key of click's context: the notes that were printed."""


def strict_option(command: F) -> F:
    """Add the --strict option."""
    return click.option("--strict", is_flag=True, help="Treat warnings as errors.")(command)


def program_option(command: F) -> F:
    """Add the options --program, a compiled program to work with instead of the project, --shipped and --game."""
    file = READABLE
    option = click.option(
        "--program", "program_file", type=file, help="Use this .fcbc program. [default: compile the project]"
    )
    return option(shipped_option(command))


def read_player_numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Read numbers of players such as ``2,3,4``."""
    return tuple(seat + 1 for seat in read_seats(ctx, param, value) or ())


def players_option(command: F) -> F:
    """Add --players: the numbers of players of a mission."""
    return click.option(
        "--players", callback=read_player_numbers, metavar="N,N", help="Numbers of players, such as 2,3. [default: all]"
    )(command)


def games_option(help: str, default: int, least: int = 1) -> Callable[[F], F]:
    """Add --games: how many games are played."""
    return click.option("--games", type=click.IntRange(least), default=default, show_default=True, help=help)


def first_seed_option(command: F) -> F:
    """Add --seed: the seed of the first of several games."""
    return click.option(
        "--seed",
        type=click.IntRange(0),
        default=1,
        show_default=True,
        help="Seed of the first game; the next games count up.",
    )(command)


def side_option(name: str = "side") -> Callable[[F], F]:
    """Add --side: the team whose wins count."""
    return click.option(
        "--side", name, metavar="TEAM", help="Team whose wins count, in games with sides. [default: the first]"
    )


def jobs_option(command: F) -> F:
    """Add --jobs: the number of processes."""
    return click.option("-j", "--jobs", type=click.IntRange(1), help="Number of processes. [default: one per core]")(
        command
    )


def variant_option(command: F) -> F:
    """Add the --variant option: settings that differ from the program's, as a dict of names and values."""
    return click.option(
        "--variant",
        "settings",
        metavar="NAME=VALUE",
        multiple=True,
        callback=_settings,
        help="Change a variant of the game; may be repeated.",
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


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def player_number_option(command: F) -> F:
    """Add --players: the number of players of one game."""
    help = "Number of players. [default: the fewest]"
    return click.option("--players", type=click.IntRange(1), help=help)(command)


def human_option(help: str) -> Callable[[F], F]:
    """Add --human: the seats that people play."""
    return click.option("--human", "humans", metavar="SEATS", callback=read_seats, help=help)


def read_seats(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Read numbers of players: ``1,3``."""
    if value is None:
        return None
    seats = value.split(",")
    if not all(seat.strip().isdecimal() and int(seat) > 0 for seat in seats):
        raise click.BadParameter(f"{value!r} is not a list of player numbers, such as 1,3.", ctx, param)
    return tuple(sorted({int(seat) - 1 for seat in seats}))


def report(problems: Sequence[Diagnostic], form: str = "text", err: bool = False) -> None:
    """Print problems as text (colored on a terminal) or JSON to standard output, or to standard error (`err`)."""
    from fcbdsl.base import bounds
    from fcbdsl.base.diagnostics import report as reports

    if form == "json":
        click.echo(reports.findings_to_json(reports.limit_findings(problems, bounds.LISTED_PROBLEMS)), err=err)
        return
    colour = in_colour(sys.stderr if err else sys.stdout)
    if problems:
        click.echo(reports.findings_to_text(problems[: bounds.SHOWN_PROBLEMS], colour=colour), nl=False, err=err)
    if len(problems) > bounds.SHOWN_PROBLEMS:
        rest = problems[bounds.SHOWN_PROBLEMS :]
        most = bounds.LISTED_PROBLEMS
        lists = "all" if len(problems) <= most else f"the first {most:,}"
        click.echo(f"… and {count(len(rest), 'more problem')}: fcb check --format json lists {lists}.\n", err=err)


FORMATS = ("text", "json", "github", "sarif", "junit")
"""Formats of findings."""


def report_as(form: str, problems: Sequence[Diagnostic], files: Sequence[str] = (), strict: bool = False) -> None:
    """Print problems to standard output in one of `FORMATS`.

    A JUnit report has a row for each of the checked `files`; with `strict`, warnings fail there.
    """
    if form in ("text", "json"):
        report(problems, form)
        return
    from fcbdsl import __version__
    from fcbdsl.base import bounds
    from fcbdsl.base.diagnostics import exchange
    from fcbdsl.base.diagnostics.report import limit_findings

    if form == "github":
        commands(exchange.to_github(problems))
        return
    problems = limit_findings(problems, bounds.LISTED_PROBLEMS)
    if form == "sarif":
        click.echo(exchange.to_sarif(problems, __version__), nl=False)
    else:
        remarks = [exchange.remark(problem) for problem in problems if problem.severity != "error" and not strict]
        cases = exchange.checked_cases(problems, files, strict)
        click.echo(exchange.to_junit("fcb check", cases, remarks), nl=False)


def commands(text: str) -> None:
    """Print commands for GitHub's runner, one per line. All other output has such commands disabled."""
    from fcbdsl.cli.output import SafeOutput

    if isinstance(sys.stdout, SafeOutput):
        sys.stdout.write_commands(text)
    else:
        click.echo(text, nl=False)


def in_colour(stream: Any) -> bool:
    """Return whether to use colors: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return bool(stream.isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def progress(text: str) -> None:
    """Show the progress of a command on one line of a terminal, which replaces the former text; an empty text clears
    it.

    In a pipe, print a line every ten seconds.
    """
    if sys.stderr.isatty():
        import shutil  # slow to import

        shown = text[: shutil.get_terminal_size().columns - 1]
        click.echo(f"\r\033[K{shown}", nl=False, err=True)
    elif text:
        context = click.get_current_context(silent=True)
        if context is None:
            return
        due = context.meta.setdefault(DUE, monotonic() + SILENT_SECONDS)
        if monotonic() >= due:
            context.meta[DUE] = monotonic() + SILENT_SECONDS
            click.echo(text, err=True)


DUE = "fcbdsl.due"
"""Key of click's context: when the next line of progress is due in a pipe."""
SILENT_SECONDS = 10
"""Seconds between lines of progress in a pipe."""


def analyze(
    loaders: Sequence[Loader], needed: Choice | None = None, whole: bool = False, keeps_model: bool = False
) -> list[Analysis]:
    """Run every check on what was read. `needed`: the tests to compile; None: all. `whole`, `keeps_model`: see
    `Subject`."""
    from fcbdsl.base.pausing import gc_disabled_until_exit
    from fcbdsl.project.analysis import analysis_of

    with gc_disabled_until_exit():
        return [analysis_of(loader, needed=needed, whole=whole, keeps_model=keeps_model) for loader in loaders]


def together(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the problems of several games in order, with shared ones (of the project file, of common sources) once."""
    from fcbdsl.base.diagnostics.problems import Problems

    return Problems(problems).sorted()


def sound(
    loaders: Sequence[Loader],
    strict: bool = False,
    needed: Choice | None = None,
    whole: bool = False,
    keeps_model: bool = False,
) -> list[Analysis]:
    """Check what was read; report errors and leave with PROBLEMS if there are any. `strict`: warnings count; `needed`,
    `whole`, `keeps_model`: see `analyze`."""
    analyses = analyze(loaders, needed, whole, keeps_model)
    errors = together(error for analysis in analyses for error in analysis.errors(strict))
    if errors:
        report(errors)
        leave_with(f"{tally(errors)} found; fcb wrote nothing.")
    return analyses


def sound_models(loaders: Sequence[Loader], strict: bool = False) -> list[Model]:
    """Return the checked models; leave as `sound` does."""
    return [analysis.model for analysis in sound(loaders, strict)]


def sound_game(paths: Sequence[Path] = (), strict: bool = False) -> Analysis:
    """Return the one game in the scope, checked as `sound` does. It does not include declarations of test files."""
    return sound([only_loader(load_scope(paths, tests=False))], strict)[0]


def sound_program(paths: Sequence[Path], strict: bool = False) -> Program:
    """Compile the sources at `paths`; report errors and leave with PROBLEMS if there are any."""
    return compile_game(sound_game(paths, strict))


def tested_programs(
    paths: Sequence[Path], strict: bool, needed: Choice | None
) -> list[tuple[Loader, Analysis, Program | None]]:
    """Check and compile each game with its tests (at least the `needed` ones; None: all), and with the files at `paths`
    outside of it. The program is None if no test of the game is needed."""
    from fcbdsl.project.analysis.incremental import has_test
    from fcbdsl.project.analysis.pipeline import every_test
    from fcbdsl.project.project import lent_to

    loaders = load_scope(paths)
    # The model of a whole game takes longer to read than to load. That of a pack does not, so it is not cached.
    keeps_model = needed is None and not any(map(lent_to, loaders))
    analyses = sound(loaders, strict, every_test if needed is None else needed, keeps_model=keeps_model)
    return [
        (loader, analysis, compile_game(analysis, tests=True) if needed is None or has_test(loader, needed) else None)
        for loader, analysis in zip(loaders, analyses, strict=True)
    ]


def compile_game(analysis: Analysis, tests: bool = False, hashed: bool = True) -> Program:
    """Compile and verify a game without errors: no unverified code runs.

    `tests`: compile its tests, too; `hashed`: include the hash. If the verifier refuses the program, report the source
    line if it is known, and leave with PROBLEMS.
    """
    program = analysis.tested() if tests else analysis.program(hashed=hashed)
    _leave_if_refused(program, analysis.refused(tests))
    return program


def compile_for_play(analysis: Analysis) -> Program:
    """Compile and verify a game as `compile_game` does, to play it at once: see `Analysis.played`."""
    program = analysis.played()
    _leave_if_refused(program, analysis.refused_for_play())
    return program


def _leave_if_refused(program: Program, findings: Sequence[Finding]) -> None:
    if findings:
        more = "" if len(findings) == 1 else f" (and {len(findings) - 1} more)"
        leave_with(f"The compiled program is refused: {findings[0]}{more}.{_origin(program, findings[0].place)}")


def _origin(program: Program, place: str) -> str:
    """Return a sentence with the source of a place in a program; empty if it is unknown."""
    from fcbdsl.machine.vm.verify.verifier import written_at

    number = written_at(program, place)
    if number < 0:
        return ""
    span = program.spans[number]
    return f" The source is {program.files[span.file]}, line {span.line}."


def load_program(file: Path, again: bool = False) -> Program:
    """Load a .fcbc file; if it is refused, print the reason and leave with PROBLEMS.

    A file that this installation has verified for this user is verified only if `again` is set.
    """
    from fcbdsl.machine import verified
    from fcbdsl.machine.vm import fcbc

    data = read_up_to(file, fcbc.MOST_BYTES + 1)
    verified_before = not again and verified.is_known(data)
    loaded = fcbc.load_fcbc(data, verified_before)
    if isinstance(loaded, fcbc.Refused):
        leave_with(f"{file}: refused: {loaded.reason}")
    if not verified_before:
        verified.record(data)
    return loaded


def read_up_to(file: Path, most: int) -> bytes:
    """Return a file's bytes, at most `most`: enough to refuse one that is too large."""
    with file.open("rb") as data:
        return data.read(most)


def program_of(file: Path | None, noun: str = "mission", id: str = "") -> Program:
    """Return the program in `file`, or that of the project.

    In a project of several games, it is the game with a mission or a campaign (`noun`) with that `id`, or the only one.
    """
    return game_of(file, noun, id)[0]


def game_of(
    file: Path | None, noun: str = "mission", id: str = "", hashed: bool = True
) -> tuple[Program, Analysis | None]:
    """Return the program as `program_of` does, and its analysis; None if it comes from a file. `hashed`: include its
    hash, which only records of games need."""
    if file is not None:
        return of_file(file), None
    from fcbdsl.project.analysis import no_test

    loaders = load_scope(tests=False)
    analysis = sound([having(loaders, noun, id) if id else only_loader(loaders)], needed=no_test, whole=True)[0]
    return compile_game(analysis, hashed=hashed), analysis


def programs_of(file: Path | None) -> list[tuple[str, Program]]:
    """Return the program in `file`, or those of all games of the project, each with the game's name."""
    if file is not None:
        return [("", of_file(file))]
    loaders = load_scope(tests=False)
    programs = map(compile_game, sound(loaders))
    return [(loader.project.game, program) for loader, program in zip(loaders, programs, strict=True)]


def of_file(file: Path) -> Program:
    """Load a program; refuse options that name another one."""
    meta = click.get_current_context().meta
    for key, option in ((SHIPPED, "--shipped"), (GAME, "--game")):
        if meta.get(key):
            raise click.UsageError(f"Use either --program or {option}.")
    return load_program(file)


def missions_of(program: Program) -> list[Definition]:
    """Return the missions of a program, in order."""
    return [row for row in program.definitions if program.kinds[row.kind].policy == "mission"]


def known_mission(program: Program, mission: str) -> str:
    """Return the id of a mission, given its id or its title. Refuse one that the program does not have, with
    suggestions."""
    ids = [row.id for row in missions_of(program)]
    if mission not in ids:
        titled = [
            row.id
            for row in missions_of(program)
            if row.title >= 0 and as_typed(mission) in map(as_typed, program.texts[row.title].values())
        ]
        if len(titled) == 1:
            return titled[0]
        from fcbdsl.base.diagnostics import suggest

        if any(row.id == mission and program.kinds[row.kind].policy == "campaign" for row in program.definitions):
            raise click.UsageError(
                f"{mission!r} is a campaign, and this command plays single missions: {', '.join(ids) or 'none'}. "
                f"To play it: fcb campaign start {mission} FILE"
            )
        titles = {
            as_typed(text): row.id
            for row in missions_of(program)
            if row.title >= 0
            for text in program.texts[row.title].values()
        }
        near = suggest(mission, ids) or titles.get(suggest(as_typed(mission), sorted(titles)) or "")
        hint = f"Did you mean {near}?" if near else f"There are: {', '.join(ids) or 'none'}."
        raise click.UsageError(f"There is no mission {mission!r}. {hint}")
    return mission


def start_record(image: Image, record: Record) -> Game:
    """Set up the game that a record describes; refuse settings that the program does not allow."""
    from fcbdsl.machine.vm.setup import CannotStart, start_game

    try:
        return start_game(image, record.mission, record.players, record.seed, record.switches)
    except CannotStart as error:
        raise click.UsageError(f"This game can't start: {error}.") from error


def record_of_log(log: Path) -> Record:
    """Read a log; if that is impossible, print the reason and leave with PROBLEMS."""
    from fcbdsl.play.session.playout import MOST_BYTES, BadRecord, read_record

    try:
        return read_record(read_up_to(log, MOST_BYTES + 1))
    except BadRecord as error:
        leave_with(f"{log} can't be replayed: {error}.")


def replay_log(image: Image, log: Path, record: Record) -> Game:
    """Replay the game in a log as far as possible; if it diverges, print the reason and leave with PROBLEMS."""
    from fcbdsl.machine.vm.setup import CannotStart
    from fcbdsl.play.session.playout import Divergence, replay

    try:
        return replay(image, record)
    except (Divergence, CannotStart) as difference:
        leave_with(f"{log} gives another game when replayed: {difference}.")


def ending_line(game: Game, record: Record, language: str) -> str:
    """Return a line on how a game ended."""
    from fcbdsl.play.session.view import View

    view = View(game.image, language)
    facts = (str(len(record.decisions)), str(record.seed), record.digest)
    return view.names.say("over", view.mission(record.mission), view.outcome(game), *facts)


def outcome_of(game: Game | None, record: Record, language: str) -> str:
    """Return how a game ended, in a word, with the team: ``win (hounds)``. `game` is None if it never began."""
    from fcbdsl.play.session.view import View

    whose = View(game.image, language).winner(game) if game is not None else ""
    return f"{record.outcome} ({whose})" if whose else record.outcome


def leave_with(message: str) -> NoReturn:
    """Print `message` on standard error and end with the exit code for problems found."""
    click.echo(message, err=True)
    raise click.exceptions.Exit(PROBLEMS)


def tally(problems: Sequence[Diagnostic]) -> str:
    """Return ``1 error``, ``2 errors, 1 warning``, ``1 warning``."""
    errors = sum(problem.severity == "error" for problem in problems)
    counts = [(errors, "error"), (len(problems) - errors, "warning")]
    return ", ".join(count(number, noun) for number, noun in counts if number)


def count(number: int, noun: str) -> str:
    """Return ``1 error``, ``2 errors``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
