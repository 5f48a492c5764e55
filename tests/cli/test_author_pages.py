"""Pages for authors work as written: each block is a file, and each command runs and prints what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import Shell
from documented_commands import commands_on
from games import ROOT, shared_cache
from page_runner import run_page

NOT_RUN = re.compile(
    r"--(?:dask|diff|game|gate|json|open|wanted|watch|without)\b|play --views$|fcb (?:share|serve|watch|whatis)\b"
    r"|\b[A-Z]{2,}\b|…"
)
"""Commands that need more than a new project: a browser, a network, a revision, other content, or a value."""
SMALLER = ((r"--games \d+", "--games 2"), (r"--worth \d+", "--worth 2"), ("search:50", "search:2"))
"""Replacements that make a command fast; the number of games is the only difference."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "commands"),
    [("own-keyword", 6), ("own-campaign", 7), ("share-pack", 10), ("stories", 4), ("fr/tutoriel", 13)],
)
def test_page_works_as_written(shell: Shell, page: str, commands: int) -> None:
    with shared_cache():
        assert run_page(ROOT / "docs" / f"{page}.md", shell) == commands


def runnable(page: Path) -> Iterator[list[str]]:
    """Yield the arguments of each command of a page that runs in a new project."""
    for command in dict.fromkeys(commands_on(page, "fcb")):
        if not NOT_RUN.search(command) and len(command.split()) > 2:
            for pattern, smaller in SMALLER:
                command = re.sub(pattern, smaller, command)
            yield shlex.split(command)[1:]


@pytest.mark.long
@pytest.mark.parametrize(
    "page",
    [
        "bots",
        "ci",
        "coverage",
        "playing",
        "print-shop",
        "print-table",
        "print-web",
        "printing",
        "simulating",
        "translating",
    ],
)
def test_commands_of_page_run_in_new_project(shell: Shell, page: str) -> None:
    commands = list(runnable(ROOT / "docs" / f"{page}.md"))
    assert commands
    with shared_cache():
        assert shell.fcb("new", "my-pack", "--lang", "en,fr").code == 0
        shell.folder = shell.folder / "my-pack"
        for arguments in commands:
            done = shell.fcb(*arguments)
            assert done.code in (0, 1), (arguments, done.out, done.err)
