"""Commands that a page shows: where they are, and what does not exist in one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from fcbdsl.cli.main import cli

_BLOCK = re.compile(r"^ *```(\w*)[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_SHELLS = ("", "sh", "console", "powershell", "yaml")
_PLACEHOLDER = re.compile(r"[A-Z]{2,}|…|[AB]$")
"""Placeholders of an example: `MISSION`, `GAME`, `A`."""


def commands_on(page: Path, program: str) -> Iterator[str]:
    """Yield each command of a program on a page, in blocks and within sentences, without comments and redirections."""
    text = page.read_text(encoding="utf-8")
    lines = [line for language, block in _BLOCK.findall(text) if language in _SHELLS for line in _joined(block)]
    lines += [" ".join(code.split()) for code in _INLINE.findall(_BLOCK.sub("", text))]
    for line in lines:
        for part in re.split(r" && | \|\| |; ", re.sub(r"^(?:\$|- run:) |\s+#.*", "", line.strip())):
            if part.startswith(f"{program} "):
                yield part.partition(" > ")[0].replace("${{ matrix.game }}", "GAME")


def _joined(block: str) -> list[str]:
    return block.replace("\\\n", " ").splitlines()


def fault_of_fcb(command: str) -> str:
    """Return what a command of fcb uses that does not exist: a command, an option, or a value; empty if all exists."""
    words = [word for word in shlex.split(command)[1:] if word != "…"]
    inner: click.Command = cli
    context = click.Context(cli)
    while isinstance(inner, click.Group) and words and not words[0].startswith("-"):
        subcommand = inner.get_command(context, words[0])
        if subcommand is None:
            return "" if inner.invoke_without_command else f"{command}: no command {words[0]}"
        inner, words = subcommand, words[1:]
    if not words or words == [""]:
        return ""
    try:
        values, _, _ = inner.make_parser(click.Context(inner)).parse_args(list(words))
    except click.BadOptionUsage as error:
        if error.option_name == words[-1]:  # a sentence about the option shows it without a value
            return ""
        return f"{command}: {error.message}"
    except click.UsageError as error:
        return f"{command}: {error.message}"
    return "".join(_faults_of_values(command, inner, values))


def _faults_of_values(command: str, inner: click.Command, values: dict[str, object]) -> Iterator[str]:
    for parameter in inner.params:
        if isinstance(parameter, click.Option) and isinstance(parameter.type, click.Choice | click.IntRange):
            value = values.get(str(parameter.name))
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str) and not _PLACEHOLDER.match(item):
                    try:
                        parameter.type.convert(item, parameter, None)
                    except click.BadParameter as error:
                        yield f"{command}: {error.message}"
