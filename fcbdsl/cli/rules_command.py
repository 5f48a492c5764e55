"""``fcb rules``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.sim.catalogue import Coverage

EVERY = range(1, 1000)


def _sections(ctx: click.Context, param: click.Parameter, value: str | None) -> range:
    """Read ``7`` or ``2-26``; nothing means every section."""
    if value is None:
        return EVERY
    low, dash, high = value.partition("-")
    if not low.isdecimal() or (dash and not high.isdecimal()):
        raise click.BadParameter(f"{value!r} is neither a section nor a range of them, like 2-26.")
    return range(int(low), int(high or low) + 1)


@click.command("rules", epilog="Example: fcb rules --coverage --sections 2-26")
@click.option("--coverage", "covered", is_flag=True, help="Run the tests and say which rules they prove.")
@click.option("--sections", callback=_sections, help="Only these sections, like 2-26.")
@click.option("--json", "as_json", is_flag=True, help="Print data for tools.")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, covered: bool, sections: range, as_json: bool) -> None:
    """List the rules of the project's catalogue, and which of them its tests prove.

    The catalogue is the file that fcb.toml names as `rules`. A test that fails proves nothing. With --coverage the exit
    code is 1 if a rule is unproven, a test fails, or a test names a rule that does not exist.
    """
    from fcbdsl import bounds
    from fcbdsl.diagnostics.problems import Problems
    from fcbdsl.files import Unreadable, read_regular
    from fcbdsl.project import project_of, read_project
    from fcbdsl.sim.catalogue import coverage, read_catalogue

    chosen = common.scope()
    project = project_of([], Problems()) if chosen.root is None else read_project(chosen.root, Problems())
    if not project.rules or project.root is None:
        raise click.UsageError('fcb.toml names no catalogue; add `rules = "docs/rules/…"`.')
    try:
        text = read_regular(project.root / project.rules, bounds.FILE_BYTES).decode().replace("\r\n", "\n")
    except (Unreadable, UnicodeDecodeError) as trouble:
        raise click.UsageError(f"{project.rules} can't be read: {trouble}.") from trouble
    rules = read_catalogue(text)
    if not covered:
        for rule in rules:
            if rule.section in sections:
                click.echo(f"{rule.id}  {' '.join(rule.tags)}")
        return
    passed, failed = _run_tests()
    found = coverage(rules, sections, passed)
    if as_json:
        click.echo(json.dumps(found.to_record(Path(project.rules).name), ensure_ascii=False, indent=2))
    else:
        _report(found, failed)
    ctx.exit(PROBLEMS if found.unproven or found.unknown or failed else FINE)


def _run_tests() -> tuple[list[tuple[str, tuple[str, ...]]], list[str]]:
    """Run the project's tests: (title, rules) of those that pass, and titles of those that fail."""
    from fcbdsl.sim.content_tests import run_test
    from fcbdsl.vm.machine import Machine

    program = common.tested_program([], strict=False)
    machine = Machine(program)
    with click.progressbar(range(len(program.tests)), file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        results = [run_test(machine, number) for number in shown]
    passed = [(result.title, result.covers) for result in results if result.failure is None]
    return passed, [result.title for result in results if result.failure is not None]


def _report(found: Coverage, failed: list[str]) -> None:
    """Print the coverage by area, then what is missing."""
    areas = found.areas()
    width = max((len(area) for area in areas), default=0)
    for area, (rules, proven) in areas.items():
        click.echo(f"{area:<{width}}  {proven:>3} of {rules:>3}" + ("" if proven == rules else "  <-"))
    total = len(found.rules)
    click.echo(f"{'all':<{width}}  {total - len(found.unproven):>3} of {total:>3}")
    for heading, items in (
        ("Without a passing test", found.unproven),
        ("Named by a test, not in the catalogue", found.unknown),
        ("Failed", failed),
    ):
        if items:
            click.echo(f"{heading}: {', '.join(items)}")
