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
    from fcbdsl.sim.catalogue import Coverage, Proof

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
@click.option("--guarded", "strictly", is_flag=True, help="As --coverage; every clause must be guarded.")
@click.option("--sections", callback=_sections, help="Only these sections, like 2-26.")
@click.option("--json", "as_json", is_flag=True, help="Print data for tools.")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, covered: bool, strictly: bool, sections: range, as_json: bool) -> None:
    """List the rules of the project's catalogue, and which of them its tests name and guard.

    The catalogue is the file that fcb.toml names as `rules`. A rule is named if a passing test covers it. It is guarded
    if for each of its clauses some change of the content is noticed by an expectation of a test that covers the clause,
    as `fcb mutate --guards` has found. What no content can show is proven elsewhere, as the catalogue tells.

    With --coverage the exit code is 1 if a rule is neither named nor proven elsewhere, a test fails, or a rule or test
    that is named does not exist; with --guarded also if a clause is not guarded, or is no longer.
    """
    from fcbdsl.diagnostics.problems import Problems
    from fcbdsl.project import project_of, read_project
    from fcbdsl.sim.catalogue import BadCatalogue, coverage, read_catalogue, read_elsewhere

    chosen = common.scope()
    project = project_of([], Problems()) if chosen.root is None else read_project(chosen.root, Problems())
    if not project.rules or project.root is None:
        raise click.UsageError('fcb.toml names no catalogue; add `rules = "docs/rules/…"`.')
    page = project.root / project.rules
    text = _read(page, project.rules)
    try:
        rules = read_catalogue(text)
    except BadCatalogue as trouble:
        common.leave_with(f"{project.rules}: {trouble}.")
    if not (covered or strictly):
        for rule in rules:
            if rule.section in sections:
                letters = f"  {'-'.join([rule.letters[0], rule.letters[-1]])}" if rule.letters else ""
                click.echo(f"{rule.id}  {' '.join(rule.tags)}{letters}")
        return
    beside = page.with_name("README.md")
    elsewhere = {**read_elsewhere(text), **(read_elsewhere(_read(beside, beside.name)) if beside.is_file() else {})}
    lost = _missing(elsewhere, project.root)
    passed, failed = _run_tests()
    guarded, lapsed = _guards(project.root, project.mutation, passed)
    named = [(title, covers) for (_, title), covers in passed.items()]
    proven = {id: proofs for id, proofs in elsewhere.items() if id not in lost}
    found = coverage(rules, sections, named, guarded, proven)
    troubles = {
        "Named by a test or as proven elsewhere, not in the catalogue": found.unknown,
        "Proven elsewhere by a test that is not there": lost,
        "Failed": failed,
    }
    if as_json:
        record = found.to_record(Path(project.rules).name) | {"lapsed": lapsed}
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        _report(found, {**troubles, "Not guarded any more": lapsed})
    fine = not found.unproven and not any(troubles.values()) and not (strictly and (found.unguarded or lapsed))
    ctx.exit(FINE if fine else PROBLEMS)


def _read(path: Path, name: str) -> str:
    """A page of the catalogue."""
    from fcbdsl import bounds
    from fcbdsl.files import Unreadable, read_regular

    try:
        return read_regular(path, bounds.FILE_BYTES).decode().replace("\r\n", "\n")
    except (Unreadable, UnicodeDecodeError) as trouble:
        raise click.UsageError(f"{name} can't be read: {trouble}.") from trouble


def _missing(elsewhere: dict[str, list[Proof]], root: Path) -> list[str]:
    """What is said to be proven elsewhere by a test that does not exist, or by none."""
    out = []
    for id, proofs in elsewhere.items():
        files = [(root / proof.path, proof.name) for proof in proofs]
        if not files or not all(
            path.is_file() and (not name or f"def {name}(" in path.read_text(encoding="utf-8")) for path, name in files
        ):
            out.append(id)
    return out


def _run_tests() -> tuple[dict[tuple[str, str], tuple[str, ...]], list[str]]:
    """Run the project's tests: what those that pass cover, by file and title, and the titles of those that fail."""
    from fcbdsl.sim.content_tests import run_test
    from fcbdsl.vm.machine import Machine

    program = common.tested_program([], strict=False)
    machine = Machine(program)
    with click.progressbar(range(len(program.tests)), file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        results = [run_test(machine, number) for number in shown]
    names = [program.files[program.spans[program.tests[result.number].span].file] for result in results]
    passed = {(name, one.title): one.covers for name, one in zip(names, results, strict=True) if one.failure is None}
    return passed, [result.title for result in results if result.failure is not None]


def _guards(root: Path, folder: str, passed: dict[tuple[str, str], tuple[str, ...]]) -> tuple[list[str], list[str]]:
    """The clauses that are guarded, and those that were, with the reason why that does not hold any more."""
    from fcbdsl.diagnostics.problems import Problems
    from fcbdsl.mutation.guards import NAME, BadGuards, holding, read_guards
    from fcbdsl.project import load, parsed

    try:
        guards = read_guards(root / folder / NAME, root)
    except BadGuards as trouble:
        common.leave_with(f"{trouble}.")
    if not guards:
        return [], []
    loader = load((), root=root)
    held, lapsed = holding(guards, parsed(loader.sources, Problems()), loader.project.languages or ("en",), passed)
    return [guard.rule for guard in held], [f"{guard.rule} ({why})" for guard, why in lapsed]


def _report(found: Coverage, troubles: dict[str, list[str]]) -> None:
    """Print the coverage by area, then what is missing."""
    areas = found.areas()
    total = tuple(sum(row[at] for row in areas.values()) for at in range(4))
    width = max((len(area) for area in (*areas, "area")), default=0)
    click.echo(f"{'area':<{width}}  rules  named  guarded  elsewhere")
    for area, (rules, named, guarded, elsewhere) in {**areas, "all": total}.items():
        mark = "  <-" if named < rules else ""
        click.echo(f"{area:<{width}}  {rules:>5}  {named:>5}  {guarded:>7}  {elsewhere or '':>9}{mark}".rstrip())
    for heading, items in {
        "Without a passing test": found.unproven,
        "Named, not guarded": found.unguarded,
        **troubles,
    }.items():
        if items:
            click.echo(f"{heading}: {', '.join(items)}")
