"""The list of `fcb --help`, suggestions for misspelled names, and references in help texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from cli_runner import Shell
from games import ROOT

from fcbdsl.cli.groups import summary_of
from fcbdsl.cli.main import COMMANDS, SECTIONS, cli
from fcbdsl.cli.record_command import command as record

LONGEST = 8
"""The most words of a summary."""


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Return every command and subcommand, as a user types it after `fcb`."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", subcommand) for inner, subcommand in command.commands.items())
    yield "test record", record


EVERY = dict(all_commands())


def test_every_command_is_in_one_section() -> None:
    listed = [name for commands in SECTIONS.values() for name in commands]
    there = {path.stem.removesuffix("_command") for path in (ROOT / "fcbdsl" / "cli").glob("*_command.py")}
    assert sorted(listed) == sorted(there - {"record"})


def test_overview_has_sections_in_order(shell: Shell) -> None:
    shown = shell.fcb("--help").out
    assert [title for title in re.findall(r"^(\S.*):$", shown, re.MULTILINE) if title in SECTIONS] == list(SECTIONS)


@pytest.mark.parametrize("name", EVERY)
def test_summaries_are_short_and_start_help(name: str) -> None:
    summary = summary_of(EVERY[name])
    assert len(summary.split()) <= LONGEST
    assert COMMANDS.get(name, summary) == summary


@pytest.mark.parametrize("name", EVERY)
def test_help_names_no_uninstalled_file(name: str) -> None:
    command = EVERY[name]
    context = click.Context(command, info_name=name)
    texts = [
        command.help or "",
        command.epilog or "",
        *(str(parameter.get_help_record(context)) for parameter in command.params),
    ]
    assert re.findall(r"docs/\S+", " ".join(texts)) == []
    titles = {page.read_text(encoding="utf-8").partition("\n")[0] for page in (ROOT / "docs").glob("*.md")}
    for text in texts:
        named = (
            re.findall(r'"([^"]+)"', " ".join(text.split())) if "the documentation" in " ".join(text.split()) else []
        )
        assert {f"# {title}" for title in named} <= titles


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["chek"], "check"),
        (["rendr"], "render"),
        (["simualte", "--help"], "simulate"),
        (["campaign", "statsu", "x"], "status"),
        (["campaign", "strat"], "start"),
        (["i18n", "exprot"], "export"),
    ],
    ids=" ".join,
)
def test_misspelled_command_is_suggested(shell: Shell, typed: list[str], meant: str) -> None:
    done = shell.fcb(*typed)
    assert (done.code, done.out) == (2, "")
    assert f"Did you mean `{meant}`?" in done.err


def test_unlike_command_has_no_suggestion(shell: Shell) -> None:
    done = shell.fcb("zzzz")
    assert done.code == 2
    assert "Did you mean" not in done.err


def test_misspelled_cache_action_is_suggested(shell: Shell) -> None:
    done = shell.fcb("cache", "claer")
    assert done.code == 2
    assert "'clear'" in done.err


def test_misspelled_option_is_suggested(project: Shell) -> None:
    assert "--strict" in project.fcb("check", "--strit").err


def test_subcommand_shows_whole_summary(shell: Shell) -> None:
    for group in ("campaign", "i18n"):
        rows = shell.fcb(group, "--help").out.partition("Commands:")[2]
        assert "..." not in rows


def test_command_page_lists_every_command() -> None:
    page = Path(ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^#{3,4} fcb (.+)$", page, re.MULTILINE)) == set(EVERY)
