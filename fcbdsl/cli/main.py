"""The command line's door: global options, lazily loaded commands, and one place for failures."""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys
from typing import TextIO

import click

from fcbdsl import __version__
from fcbdsl.native import SourceChanged

FINE, PROBLEMS, USAGE = 0, 1, 2
"""Exit codes: nothing wrong; problems found; wrong usage, an unusable file, or an internal error."""

COMMANDS = {
    "cache": "Show or clear what is kept between runs.",
    "campaign": "Play a campaign that a file keeps.",
    "check": "Check files and report every problem.",
    "ci": "Validate a project: check, test, cover, print.",
    "compare": "Play the same games before and after a change, and say what it does.",
    "compile": "Compile to a bytecode program.",
    "diff": "Say what the table will see before and after a change.",
    "disasm": "Show the code of a program.",
    "dump": "Show what a stage made of a file.",
    "explain": "Explain a diagnostic code.",
    "export": "Write definitions as JSON.",
    "fmt": "Lay out files in the one way.",
    "i18n": "Translate: texts out to gettext and back, and how far that is.",
    "import": "Make a source of JSON, YAML or CSV records.",
    "lsp": "Serve editors by the Language Server Protocol.",
    "migrate": "Rewrite sources in an older version of the language.",
    "missions": "List the missions of a project.",
    "mutate": "Change the content in small ways and see whether tests notice.",
    "new": "Begin a project.",
    "play": "Play a mission, at the terminal or by bots.",
    "render": "Print cards, boards and sheets.",
    "replay": "Play a log again and confirm its end.",
    "rules": "List the rules of a game and the tests that prove them.",
    "schema": "Write the JSON Schema of a kind's records.",
    "serve": "Show in the browser what one writes, as it is saved.",
    "simulate": "Let bots play many games, and say how often they win, why they lose, and what they use.",
    "soak": "Play random games and confirm that they keep every invariant.",
    "test": "Run the tests written in the content.",
    "tune": "Look for numbers with which missions are won as often as is wanted.",
    "verify": "Verify a bytecode program.",
    "vocab": "Tell the words of a game.",
    "watch": "Check, test and play again whenever a file is saved.",
    "whatis": "Say where a printed piece comes from, by its stamp.",
}
"""Command name to its line in the overview; `fcbdsl.cli.NAME` holds the command itself."""


class ReaderGone(Exception):
    """Nobody reads our output any more; not a `BrokenPipeError`, which click would end as a failure."""


class LazyGroup(click.Group):
    """A group that imports a command only when it is called, so that starting stays cheap."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as trouble:
            raise ReaderGone from trouble

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"fcbdsl.cli.{cmd_name}_command")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _say_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    """Tell the version, and with --verbose what runs: which rooms are compiled, or none."""
    if not asked:
        return
    click.echo(f"fcb, version {__version__}")
    if ctx.params["verbose"]:
        from fcbdsl import native

        click.echo(f"{native.told()}\nPython {sys.version.split()[0]}; {native.PACKAGE}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: fcb check && fcb play MISSION --bot sensible",
)
@click.option("--verbose", is_flag=True, is_eager=True, help="With --version: also which build runs.")
@click.option("--version", is_flag=True, expose_value=False, callback=_say_version, help="Show the version and exit.")
def cli(verbose: bool) -> None:
    """Missions and cards for tabletop games: check, compile, play, test and print them.

    Without PATHS a command works on the project: the nearest folder upward that holds fcb.toml. Where there is none,
    the working folder is taken for one, and that is said; --shipped takes the content that comes with fcb.
    Exit codes: 0 fine, 1 problems found, 2 wrong usage or an internal error.
    """
    if verbose:
        raise click.UsageError("--verbose goes with --version only")


atexit.register(gc.freeze)  # or the interpreter would look for garbage once more before it throws all of it away


def main() -> None:
    """Run the command line; every failure becomes one message and an exit code."""
    try:
        code = _outcome()
    except OSError:
        code = USAGE  # the message could not be written either: the code is all that is left to say
    for stream in (sys.stdout, sys.stderr):
        _let_go(stream)
    sys.exit(code)


def _outcome() -> int:
    """Run the command and write out all it says; return the exit code, with the failure told."""
    try:
        code = cli(prog_name="fcb", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else FINE
    except click.ClickException as complaint:
        complaint.show()
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped.", err=True)
    except (ReaderGone, BrokenPipeError):
        return FINE
    except OSError as trouble:
        click.echo(f"fcb: {describe(trouble)}", err=True)
    except SourceChanged as refused:
        click.echo(f"fcb: {refused}", err=True)
    except Exception as bug:
        if os.environ.get("FCB_TRACEBACK"):
            raise
        click.echo(
            f"fcb: internal error: {type(bug).__name__}: {bug}\n"
            "This is a bug in fcb, not in your files. FCB_TRACEBACK=1 shows where.",
            err=True,
        )
    return USAGE


def _let_go(stream: TextIO | None) -> None:
    """Write out what a stream still holds, or drop it: the interpreter would try once more at exit, complain in its
    own words and leave with a code of its own."""
    if stream is None:
        return  # closed by whoever called us
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def describe(trouble: OSError) -> str:
    """Say what went wrong with a file, in words: ``No space left on device: 'out/a.pdf'``."""
    where = f": {trouble.filename!r}" if trouble.filename else ""
    return f"{trouble.strerror or trouble}{where}"
