"""The entry point: global options, lazily loaded commands, and the handling of all failures."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys
import threading
from typing import TextIO, cast

import click

from fcbdsl import __version__
from fcbdsl.cli.groups import SuggestingGroup

FINE, PROBLEMS, USAGE = 0, 1, 2
"""Exit codes: nothing wrong; problems found; wrong usage, an unusable file, or an internal error."""

SECTIONS = {
    "Write": {
        "new": "Start a new project",
        "serve": "Preview cards in the browser as you save",
        "watch": "Check and test whenever you save",
        "fmt": "Format files",
        "vocab": "Look up the words of a game",
        "explain": "Explain a diagnostic code",
        "help": "Read the documentation",
        "import": "Import cards from JSON, YAML or CSV",
        "migrate": "Rewrite sources for the current language version",
    },
    "Check and test": {
        "check": "Report every problem in your files",
        "test": "Run the tests in your files",
        "ci": "Check, test and print a project at once",
        "rules": "List rules and the tests that cover them",
        "mutate": "Find changes that your tests miss",
        "soak": "Play random games to find crashes",
    },
    "Play": {
        "play": "Play a mission yourself or with bots",
        "table": "Play a mission in the browser",
        "campaign": "Play a campaign that a file keeps",
        "missions": "List the missions of a project",
        "replay": "Replay a game log, or show it",
    },
    "Balance": {
        "simulate": "Measure win rates with bots",
        "compare": "Compare win rates of two versions",
        "tune": "Find numbers for a target win rate",
    },
    "Print": {
        "render": "Print cards, boards, sheets and player aids",
        "whatis": "Find a printed piece by its stamp",
    },
    "Share": {
        "share": "Write a mission as an offline web page",
        "diff": "Compare two versions of a game",
        "i18n": "Translate a game with PO files",
        "export": "Export cards and other definitions as JSON",
        "schema": "Write the JSON Schema of a kind",
    },
    "For tool makers": {
        "compile": "Compile a game to bytecode",
        "verify": "Verify a bytecode program",
        "disasm": "Show the bytecode of a program",
        "dump": "Show what the compiler makes of a file",
        "lsp": "Start the language server for editors",
        "cache": "Show or clear the cache of results",
    },
}
"""The sections of the overview, with the summary of each command; `fcbdsl.cli.NAME_command` holds the command."""
COMMANDS = {name: summary for commands in SECTIONS.values() for name, summary in commands.items()}


class ReaderGone(Exception):
    """The reader of our output is gone; not a `BrokenPipeError`, which click would end as a failure."""


class LazyGroup(SuggestingGroup):
    """A group that imports a command only when it is called, to start quickly."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGone from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands that this installation has."""
        from importlib.util import find_spec

        return [name for name in COMMANDS if find_spec(_module(name)) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(_module(cmd_name)).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        installed = self.list_commands(ctx)
        width = max(map(len, installed))
        for title, commands in SECTIONS.items():
            rows = [(name.ljust(width), text) for name, text in commands.items() if name in installed]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _module(command: str) -> str:
    """Return the name of the module with a command."""
    return f"fcbdsl.cli.{command}_command"


def _say_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the version, and with --verbose which packages are compiled."""
    if not asked:
        return
    click.echo(f"fcb, version {__version__}")
    if ctx.params["verbose"]:
        from fcbdsl.base import native, origin

        click.echo(native.describe_build())
        if native.compiled_build() is None and origin.may_be_compiled():
            click.echo(
                "A compiled fcb plays about ten times faster: install the wheel of the release for your Python, "
                f"or build one with FCB_BUILD=compiled. See {origin.INSTALL_PAGE}"
            )
        click.echo(f"Python {sys.version.split()[0]}; {native.PACKAGE}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: fcb check && fcb play MISSION --bot sensible",
)
@click.option("--verbose", is_flag=True, is_eager=True, help="With --version, also show which build runs.")
@click.option("--version", is_flag=True, expose_value=False, callback=_say_version, help="Show the version and exit.")
def cli(verbose: bool) -> None:
    """Missions and cards for tabletop games: check, compile, play, test and print them.

    fcb works on your project: the nearest folder upward that contains fcb.toml. Without such a file it uses the current
    folder and says so. With --shipped it uses the games that come with fcb. Every command has --help with an example.

    Exit codes: 0 fine, 1 problems found, 2 wrong usage or an internal error.
    """
    if verbose:
        raise click.UsageError("Use --verbose together with --version.")


atexit.register(gc.freeze)  # or the interpreter would collect garbage once more before it frees everything


def main_of_process() -> None:
    """Run the command line and end the process.

    The interpreter would first free each object, which takes 3 % of a short command. A profiler, a debugger or another
    thread needs that end.
    """
    try:
        main()
    except SystemExit as end:
        if threading.active_count() > 1 or sys.getprofile() is not None or sys.gettrace() is not None:
            raise
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            _let_go(stream)
        os._exit(end.code if isinstance(end.code, int) else USAGE)


def main() -> None:
    """Run the command line; every failure becomes one message and an exit code."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 -- None: the caller has closed it
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_guarded, streams)
    try:
        code = _outcome()
    except OSError:
        code = USAGE  # the message could not be written either: only the code remains
    finally:
        sys.stdout, sys.stderr = streams
    for stream in streams:
        _let_go(stream)
    sys.exit(code)


def _guarded(stream: TextIO) -> TextIO:
    """Return `stream` wrapped in a `SafeOutput`; None (a stream that the caller has closed) stays None."""
    from fcbdsl.cli.output import SafeOutput

    return stream and cast(TextIO, SafeOutput(stream))


def _outcome() -> int:
    """Run the command and flush its output. Report a failure, and return the exit code."""
    try:
        code = cli(prog_name="fcb", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else FINE
    except click.ClickException as complaint:
        complaint.show()
    except (click.Abort, KeyboardInterrupt) as stop:
        # click makes an Abort of an EOFError, too, as of a module that is cut off
        click.echo(_damage(stop.__cause__) or "Stopped.", err=True)
    except (ReaderGone, BrokenPipeError):
        return FINE
    except OSError as error:
        click.echo(f"fcb: {describe_error(error)}", err=True)
    except Exception as bug:
        from fcbdsl.base.files import CannotRead
        from fcbdsl.base.native import SourceChanged
        from fcbdsl.base.origin import PLAYER_ONLY, is_player

        if isinstance(bug, (CannotRead, SourceChanged)):
            click.echo(f"fcb: {bug}", err=True)
            return USAGE
        if isinstance(bug, ModuleNotFoundError) and is_player():
            click.echo(f"fcb: {PLAYER_ONLY}", err=True)
            return USAGE
        if os.environ.get("FCB_TRACEBACK"):
            raise
        click.echo(
            _damage(bug)
            or f"fcb: internal error: {type(bug).__name__}: {bug}\n"
            "This is a bug in fcb, not in your files. FCB_TRACEBACK=1 shows where.",
            err=True,
        )
    return USAGE


def _damage(error: BaseException | None) -> str:
    """Return advice if Python could not read a module that it has compiled, else "".

    Python 3.11 keeps such a file incomplete if the disk was full when it wrote it.
    """
    step = None if error is None else error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_name == "_compile_bytecode":
            return f"fcb: {step.tb_frame.f_locals.get('bytecode_path')} is damaged. Delete it: Python makes it again."
        step = step.tb_next
    return ""


def _let_go(stream: TextIO | None) -> None:
    """Flush a stream, or discard what it cannot write.

    Without this the interpreter flushes again at exit, prints its own message and sets its own exit code.
    """
    if stream is None:
        return  # closed by the caller
    try:
        stream.flush()
    except ValueError:
        pass  # closed by the command
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def describe_error(error: OSError) -> str:
    """Return the error with a file in words: ``No space left on device: 'out/a.pdf'``."""
    where = f": {error.filename!r}" if error.filename else ""
    return f"{error.strerror or error}{where}"
