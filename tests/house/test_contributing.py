"""The commands of CONTRIBUTING.md exist: make targets, fcb commands and options, and the paths given to pytest."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from fcbdsl.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^ *```sh\n(.*?)^ *```$", PAGE, re.MULTILINE | re.DOTALL)
SHOWN = [line.strip() for block in BLOCKS for line in block.splitlines()]
SPOKEN = [
    " ".join(code.split())
    for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL))
]
COMMANDS = sorted({code for code in (*SHOWN, *SPOKEN) if code.split(" ")[0] in ("make", "fcb", "pytest")})
OWN_FLAGS = ("--update", "--long", "--durations=25", "-k")
PLACEHOLDER = re.compile(r"\b[A-Z]{3,}\b")


def make_targets() -> set[str]:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    rules = re.findall(r"^([a-z][a-z -]*):", text, re.MULTILINE)
    return {target for rule in rules for target in rule.split()}


def wrong_with(command: str) -> str:
    """Return what does not exist in a command; empty if all of it does."""
    program, *words = shlex.split(command)
    if program == "make":
        return "" if words and words[0] in make_targets() else f"no target in {command}"
    if program == "fcb":
        shown = cli.get_command(click.Context(cli), words[0]) if words else None
        if shown is None:
            return f"no command in {command}"
        options = {name for option in shown.params for name in (*option.opts, *option.secondary_opts)}
        return "".join(f"no option {word}" for word in words[1:] if word.startswith("-") and word not in options)
    paths = [word for word in words if "/" in word and not PLACEHOLDER.search(word)]
    unknown = [word for word in words if word.startswith("-") and word not in OWN_FLAGS]
    return "".join(f"no {word}" for word in unknown + [path for path in paths if not (ROOT / path).exists()])


@pytest.mark.parametrize("command", COMMANDS)
def test_documented_command_exists(command: str) -> None:
    assert wrong_with(command) == ""


@pytest.mark.parametrize(
    "command",
    ["make nothing", "fcb chekc", "fcb check --fits", "pytest tests/nowhere", "pytest --updated tests/print"],
)
def test_missing_command_is_found(command: str) -> None:
    assert wrong_with(command)


def test_line_of_first_change_is_in_its_file() -> None:
    file, line = re.findall(r"Open `([^`]+)` and change a word in this line:\n\n *```fcb\n *(.+)\n", PAGE)[0]
    assert (ROOT / file).read_text(encoding="utf-8").count(line) == 1


def test_page_shows_commands_of_each_program() -> None:
    assert {command.split()[0] for command in COMMANDS} == {"make", "fcb", "pytest"}
    assert len(SHOWN) >= 7
