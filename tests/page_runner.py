"""Runs a page of the documentation: writes each block of code, runs each command, and compares the output with the
page.

A block is a file if the line above it contains its name. A block of `diff` changes the file named above it. In a block
of `console` the lines below a command are its whole output, except for blank lines and the width of gaps; `…` marks
lines, or a part of one, that the page leaves out.
"""

from __future__ import annotations

import math
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_runner import Shell

BLOCK = re.compile(r"(?:^`([^`\n]+)`\n)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHELL = "sh"
"""The language of blocks that are not run: they need more than this project."""


def run_page(page: Path, shell: Shell) -> int:
    """Run a page in the shell's folder, and return the number of commands. No lines of progress are printed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fcbdsl.cli.common.SILENT_SECONDS", math.inf)
        return _run_blocks(page, shell)


def _run_blocks(page: Path, shell: Shell) -> int:
    commands = 0
    for name, language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            for command, shown in _commands(text):
                verb, *arguments = shlex.split(command)
                if verb == "cd":
                    shell.folder = shell.folder / arguments[0]
                    continue
                if verb == "rm":
                    for name in arguments:
                        (shell.folder / name).unlink()
                    continue
                if verb == "cp":
                    option, *paths = arguments
                    assert option == "-r", command
                    shutil.copytree(*(shell.folder / path for path in paths))
                    continue
                assert verb == "fcb", command
                done = shell.fcb(*arguments)
                commands += 1
                assert fits(shown, (done.out + done.err).splitlines()), f"$ {command}\n{done.out}{done.err}"
        elif language != SHELL:
            assert name, text
            path = shell.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(
                changed(path.read_text(encoding="utf-8"), text) if language == "diff" else text, encoding="utf-8"
            )
    return commands


def _commands(block: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a block, each with its expected output."""
    out: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            out.append((line[2:], []))
        else:
            out[-1][1].append(line)
    return out


def fits(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Return whether a page shows an output, except for what it leaves out."""
    parts = []
    for line in _plain(shown):
        parts.append(r"(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n")
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in _plain(printed))) is not None


def _plain(lines: Sequence[str]) -> list[str]:
    return [" ".join(line.split()) for line in lines if line.strip()]


def changed(text: str, diff: str) -> str:
    """Return a file's text after a diff, whose lines must occur in it exactly once, together."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    assert text.count(old) == 1, old
    return text.replace(old, "".join(line[1:] for line in lines if line[0] in " +"))
