"""The commands of all handwritten pages exist, with their options and the values of these."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from documented_commands import commands_on, fault_of_fcb
from games import ROOT

GENERATED = ("bytecode.md", "cli.md", "diagnostics.md")
PAGES = [
    *(ROOT / name for name in ("README.md", "README.fr.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in GENERATED),
    *sorted((ROOT / "docs" / "fr").glob("*.md")),
]
SORTS_OF_EXAMPLES = ("fcb system", "fcb effect", "fcb card", "fcb kind", "fcb mission", "fcb game")
"""Words of the grammar page that look like commands: they mark blocks of code."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_of_page_exist(page: Path) -> None:
    commands = [command for command in commands_on(page, "fcb") if command not in SORTS_OF_EXAMPLES]
    assert [fault for command in commands if (fault := fault_of_fcb(command))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_modules_and_targets_of_page_exist(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+)(?=[\w -]*:)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert [command for command in commands_on(page, "make") if command.split()[1] not in targets] == []
    modules = [command.split()[2] for command in commands_on(page, "python") if command.split()[1] == "-m"]
    own = [module.replace(".", "/") for module in modules if module.split(".")[0] in ("benchmarks", "tests", "fcbdsl")]
    assert [module for module in own if not (ROOT / f"{module}.py").exists() and not (ROOT / module).is_dir()] == []


@pytest.mark.parametrize(
    "command",
    [
        "fcb chekc",
        "fcb check --fits",
        "fcb check --format saarif",
        "fcb i18n sael fr",
        "fcb render --to pdff",
        "fcb render --dpi many",
        "fcb campaign start last-road team.campaign --playrs 2",
    ],
)
def test_missing_command_option_or_value_is_found(command: str) -> None:
    assert fault_of_fcb(command)


def test_most_pages_show_commands() -> None:
    assert sum(any(commands_on(page, "fcb")) for page in PAGES) > len(PAGES) / 2


def test_documented_positions_belong_to_one_content_test() -> None:
    """The title after `--from` is a part of one title of a shipped test."""
    parts = [
        part
        for page in PAGES
        for command in commands_on(page, "fcb")
        for part in re.findall('--from "([^":]+)', command)
    ]
    files = sorted((ROOT / "tests" / "cases" / "play").rglob("*.fcb"))
    titles = [title for file in files for title in re.findall(r'^test "(.+?)"', file.read_text("utf-8"), re.MULTILINE)]
    assert parts
    assert [part for part in parts if sum(part in title for title in titles) != 1] == []
