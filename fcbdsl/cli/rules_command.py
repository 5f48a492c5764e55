"""``fcb rules``."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.testing.catalogue import CatalogueRule, Coverage, OutsideTest
    from fcbdsl.project.project import Loader
    from fcbdsl.project.settings import Project

EVERY = range(1, 1000)


def _sections(ctx: click.Context, param: click.Parameter, value: str | None) -> range:
    """Read ``7`` or ``2-26``; nothing means every section."""
    if value is None:
        return EVERY
    low, dash, high = value.partition("-")
    if not low.isdecimal() or (dash and not high.isdecimal()):
        raise click.BadParameter(f"{value!r} is not a section or a range of sections, such as 2-26.")
    return range(int(low), int(high or low) + 1)


@click.command("rules", epilog="Example: fcb rules --coverage --sections 2-26")
@click.option("--coverage", "covered", is_flag=True, help="Run the tests and report which rules they cover.")
@click.option("--guarded", "strictly", is_flag=True, help="Like --coverage, and require a guard for every clause.")
@click.option("--sections", callback=_sections, help="Report only these sections, such as 2-26.")
@click.option("--json", "as_json", is_flag=True, help="Print data for tools.")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, covered: bool, strictly: bool, sections: range, as_json: bool) -> None:
    """List rules and the tests that cover them.

    The catalog of rules is the file that fcb.toml names as `rules`. A rule is tested if a passing test covers it. A
    rule is guarded if each of its clauses is: some mutant makes tests of this clause fail, by an expectation. These
    tests have no other clause in common, or an author has read that the mutant breaks the clause. `fcb mutate
    --guards` finds such mutants. The catalog also says which rules are proven elsewhere, because no content can
    show them.

    With --coverage the exit code is 1 if a rule is neither tested nor proven elsewhere, if a test fails, or if a
    named rule or test does not exist. With --guarded it is also 1 if a clause has no valid guard. If fcb.toml lists
    games, fcb reports on each that has a catalog, and --json prints a list.
    """
    if as_json and not (covered or strictly):
        raise click.UsageError("--json prints the report of --coverage or --guarded: add one of them.")
    loaders = common.load_scope()
    chosen = [loader for loader in loaders if loader.project.rules]
    if not chosen:
        raise click.UsageError('fcb.toml names no rules catalogue; add `rules = "docs/rules/…"`.')
    for loader in loaders:
        if loader not in chosen:
            click.echo(f"{loader.project.game} has no catalogue of rules.", err=True)
    pages = [(loader, *catalogue_of(loader.project)) for loader in chosen]
    if not (covered or strictly):
        for loader, _, rules in pages:
            common.heading(chosen, loader.project.game)
            for rule in rules:
                if rule.section in sections:
                    letters = f"  {'-'.join([rule.letters[0], rule.letters[-1]])}" if rule.letters else ""
                    click.echo(f"{rule.id}  {' '.join(rule.tags)}{letters}")
        return
    analyses = common.sound(chosen)
    records: list[dict[str, Any]] = []
    fine = True
    for (loader, text, rules), analysis in zip(pages, analyses, strict=True):
        passed, failed = _run_tests(common.compile_game(analysis, tests=True))
        verdict = judge_rules(loader, text, rules, passed, sections)
        coverage, lost, lapsed = verdict.coverage, verdict.lost, verdict.lapsed
        troubles = {
            "Rules that a test names and the catalogue lacks": coverage.unknown,
            "Proven elsewhere by a test that does not exist": lost,
            "Failed": failed,
        }
        game = {"game": loader.project.game} if loader.project.game else {}
        records.append(game | coverage.to_record(Path(loader.project.rules).name) | {"lapsed": lapsed})
        if not as_json:
            common.heading(chosen, loader.project.game)
            _report(coverage, {**troubles, "No longer guarded": lapsed})
        fine = fine and not coverage.unproven and not any(troubles.values())
        fine = fine and not (strictly and (coverage.unguarded or lapsed))
    if as_json:
        several = any(loader.project.game for loader in chosen)
        click.echo(json.dumps(records if several else records[0], ensure_ascii=False, indent=2))
    ctx.exit(FINE if fine else PROBLEMS)


def catalogue_of(project: Project) -> tuple[str, list[CatalogueRule]]:
    """Return the page with a project's rules, and the rules; leave with PROBLEMS if it can't be read."""
    from fcbdsl.play.testing.catalogue import BadCatalogue, read_catalogue

    text = _read((project.root or Path.cwd()) / project.rules, project.rules)
    try:
        return text, read_catalogue(text)
    except BadCatalogue as error:
        common.leave_with(f"{project.rules}: {error}.")


def elsewhere_of(project: Project, text: str) -> dict[str, list[OutsideTest]]:
    """Return what a catalog and the README beside it list as proven elsewhere.

    Entries of the README for other catalogs in the same folder are left out.
    """
    from fcbdsl.play.testing.catalogue import BadCatalogue, read_catalogue, read_elsewhere

    page = (project.root or Path.cwd()) / project.rules
    beside = page.with_name("README.md")
    tests = read_elsewhere(_read(beside, beside.name)) if beside.is_file() else {}
    for other in sorted(page.parent.glob("*.md")) if tests else []:
        if other not in (page, beside):
            with suppress(BadCatalogue, click.UsageError):  # an unreadable catalog has no entries
                theirs = {rule.id for rule in read_catalogue(_read(other, other.name))}
                tests = {id: proofs for id, proofs in tests.items() if id.rstrip(ascii_lowercase) not in theirs}
    return {**read_elsewhere(text), **tests}


def _read(path: Path, name: str) -> str:
    """Return a page of the catalog."""
    from fcbdsl.base import bounds
    from fcbdsl.base.files import CannotRead, read_regular

    try:
        return read_regular(path, bounds.FILE_BYTES).decode().replace("\r\n", "\n")
    except (CannotRead, UnicodeDecodeError) as error:
        raise click.UsageError(f"{name} can't be read: {error}.") from error


class Judgement(NamedTuple):
    """The evaluation of a catalog. `lost`: rules and clauses whose proof elsewhere does not count, because it is
    missing or outside of the project. `lapsed`: clauses whose guard has lapsed, with the reason."""

    coverage: Coverage
    lost: list[str]
    lapsed: list[str]


def judge_rules(
    loader: Loader,
    text: str,
    rules: list[CatalogueRule],
    passed: Mapping[tuple[str, str], Sequence[str]],
    sections: range = EVERY,
) -> Judgement:
    """Return which rules of a catalog (its `text` and `rules`) are tested, guarded and proven elsewhere.

    `passed`: the ids that passing tests cover, by file and title. Proofs elsewhere do not run here.
    """
    from fcbdsl.play.testing.catalogue import coverage

    project = loader.project
    guarded, lapsed = _guards(loader, passed)
    named = [(title, covers) for (_, title), covers in passed.items()]
    elsewhere = elsewhere_of(project, text)
    root = project.root or Path.cwd()
    lost = [id for id, proofs in elsewhere.items() if not proofs or not all(_is_there(proof, root) for proof in proofs)]
    proven = {id: proofs for id, proofs in elsewhere.items() if id not in lost}
    return Judgement(coverage(rules, sections, named, guarded, proven), lost, lapsed)


def _is_there(proof: OutsideTest, root: Path) -> bool:
    """Return whether a test that is written elsewhere exists, in a file of the project."""
    from fcbdsl.base import bounds
    from fcbdsl.base.files import CannotRead, read_regular
    from fcbdsl.project.paths import lies_in

    path = root / proof.path
    try:
        if not lies_in(path, [root]):
            return False
        text = read_regular(path, bounds.FILE_BYTES).decode()
    except (CannotRead, OSError, RuntimeError, ValueError):
        return False
    return not proof.name or f"def {proof.name}(" in text


def _run_tests(program: Program) -> tuple[dict[tuple[str, str], tuple[str, ...]], list[str]]:
    """Run a game's tests; return the ids that passing ones cover, by file and title, and the titles of failing ones."""
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.testing.content_tests import run_test

    image = Image(program)
    with click.progressbar(range(len(program.tests)), file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        results = [run_test(image, number) for number in shown]
    names = [program.files[program.spans[program.tests[result.number].span].file] for result in results]
    passed = {
        (name, result.title): result.covers
        for name, result in zip(names, results, strict=True)
        if result.failure is None
    }
    return passed, [result.title for result in results if result.failure is not None]


def _guards(loader: Loader, passed: Mapping[tuple[str, str], Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return the guarded clauses, and the lapsed guards with the reason."""
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.project.project import parse_all
    from fcbdsl.tools.mutation.guards import NAME, BadGuards, holding, read_guards

    root = loader.project.root or Path.cwd()
    try:
        guards = read_guards(root / loader.project.mutation / NAME, root)
    except BadGuards as error:
        common.leave_with(f"{error}.")
    if not guards:
        return [], []
    held, lapsed = holding(guards, parse_all(loader.sources, Problems()), loader.project.languages or ("en",), passed)
    return [guard.rule for guard in held], [f"{guard.rule} ({why})" for guard, why in lapsed]


def _report(coverage: Coverage, troubles: dict[str, list[str]]) -> None:
    """Print the coverage by area, then what is missing."""
    areas = coverage.areas()
    total = tuple(sum(row[at] for row in areas.values()) for at in range(4))
    width = max((len(area) for area in (*areas, "area")), default=0)
    click.echo(f"{'area':<{width}}  rules  tested  guarded  elsewhere")
    for area, (rules, named, guarded, elsewhere) in {**areas, "all": total}.items():
        mark = "  <-" if named < rules else ""
        click.echo(f"{area:<{width}}  {rules:>5}  {named:>6}  {guarded:>7}  {elsewhere or '':>9}{mark}".rstrip())
    if coverage.printed:
        proven = sum(coverage.printed.values())
        click.echo(f"{'(print)':<{width}}  {len(coverage.printed):>5}  {proven:>6}  {0:>7}  {proven or '':>9}".rstrip())
    for heading, items in {
        "Rules of print without a test": coverage.unprinted,
        "Without a passing test": coverage.unproven,
        "Tested, not guarded": [rule for rule in coverage.unguarded if coverage.is_clause_tested(rule)],
        **troubles,
    }.items():
        if items:
            click.echo(f"{heading}: {', '.join(items)}")
