"""Generates the page on all commands from their declarations."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from fcbdsl.cli.main import SECTIONS, cli
from fcbdsl.cli.record_command import command as record

HEAD = """# Commands

Made from the commands by `make docs`; `fcb COMMAND --help` shows the same text.

fcb works on your project: the nearest folder upward that contains `fcb.toml`. Without such a file it uses the current
folder and says so. Two options name another project or a part of it:

- `--shipped` uses the games that come with fcb: `fcb play MISSION --shipped`.
- `--game NAME` uses one game of a project with several.

**Exit codes:** 0 fine, 1 problems found, 2 wrong usage or an internal error.

**Environment:** `FCB_CACHE` names the folder of the cache of results; empty, it turns the cache off. The cache holds at
most 500 MB; fcb deletes the oldest results first, and you can delete the folder at any time. The installation contains
results about the shipped games, which fcb uses unless the cache is off. `FCB_STATE` names the folder in which fcb notes
the programs that it has verified. `NO_COLOR` turns colors off. `FCB_TRACEBACK=1` shows where an internal error
happened.
"""
FOLDED = {"--shipped", "--game", "--help"}
"""Options of many commands, which the head of the page explains."""


def reference() -> str:
    """Return docs/cli.md."""
    lines = [HEAD]
    for title, commands in SECTIONS.items():
        rows = [f"| [`fcb {name}`](#fcb-{name}) | {summary} |" for name, summary in commands.items()]
        lines += [f"## {title}", "", "| command | what it does |", "|---|---|", *rows, ""]
        for name in commands:
            context = click.Context(cli, info_name="fcb")
            command = cli.get_command(context, name)
            assert command is not None
            lines += _entry(command, context, name)
    return "\n".join(lines).rstrip("\n") + "\n"


def _entry(command: click.Command, parent: click.Context, name: str, level: str = "###") -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield from (f"{level} {context.command_path}", "", *_prose(command.help or ""))
    example = (command.epilog or "").removeprefix("Example: ").replace("  (your editor runs this)", "")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield from ("```", f"Usage:   {usage}", f"Example: {example}", "```", "")
    options = [
        param
        for param in command.get_params(context)
        if isinstance(param, click.Option) and FOLDED.isdisjoint(param.opts)
    ]
    if options:
        yield from ("| option | what it does |", "|---|---|")
        for option in options:
            names, text = option.get_help_record(context) or ("", "")
            yield f"| `{_cell(names)}` | {_cell(text)} |"
        yield ""
    below = command.commands.items() if isinstance(command, click.Group) else ()
    for inner, option in [*below, *((("record", record),) if name == "test" else ())]:
        yield from _entry(option, click.Context(click.Group(name), info_name=name, parent=parent), inner, level + "#")


def _prose(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text, with Markdown's special characters escaped."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        yield re.sub(r"(?<![`\w])(--[a-z][a-z-]*)", r"`\1`", _plain(" ".join(paragraph.split())))
        yield ""


def _plain(text: str) -> str:
    return "".join(part if at % 2 else re.sub(r"([\[\]*<>])", r"\\\1", part) for at, part in _parts(text))


def _parts(text: str) -> list[tuple[int, str]]:
    """Split a text at its code: odd parts are code."""
    return list(enumerate(re.split(r"(`[^`]*`)", text)))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
