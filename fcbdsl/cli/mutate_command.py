"""``fcb mutate``."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.base.diagnostics.base import Diagnostic
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.testing.impact import TestCoverage
    from fcbdsl.project.project import Loader
    from fcbdsl.project.source_hashes import Seals
    from fcbdsl.tools.diff.unprinted_changes import SilenceReport
    from fcbdsl.tools.mutation.mutants import Mutant
    from fcbdsl.tools.mutation.sites import SourceMeanings
    from fcbdsl.tools.mutation.testing import Report
    from fcbdsl.tools.mutation.trial import Trial


@click.command("mutate", epilog="Example: fcb mutate systems/ --sample 300 --seed 2")
@common.paths_argument
@click.option(
    "--sample", "number", type=click.IntRange(1), help="Try this many mutants, chosen at random. [default: all]"
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Random seed for --sample.")
@click.option("--operator", "only", multiple=True, metavar="NAME", help="Use only this operator; may be repeated.")
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Number of processes. [default: one per core]"
)
@click.option("--entries", is_flag=True, help="Print survivors as entries for equivalent.toml.")
@click.option("--guards", "guarding", is_flag=True, help="Find what guards each clause of the rules, and save it.")
@click.option("--print", "printing", is_flag=True, help="Report changes that play differently but print the same.")
@click.option("--json", "as_json", is_flag=True, help="Print data for tools.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    number: int | None,
    seed: int,
    only: tuple[str, ...],
    jobs: int,
    entries: bool,
    guarding: bool,
    printing: bool,
    as_json: bool,
) -> None:
    """Find changes that your tests miss. fcb makes small changes (mutants) and lists those that no test notices.

    PATHS are files or folders of the project's content and systems. By default fcb changes all of the project's own
    files. A mutant that the check refuses is invalid. For each survivor, write a test, or explain it in
    `equivalent.toml` in the folder that fcb.toml names as `mutation`. The exit code is 1 if a mutant survives or an
    explanation has lapsed. See "Mutation testing" in the documentation for the operators.

    With --guards fcb looks for a guard of each clause in your rule catalog: a change that a test of this clause
    notices. It stores the guards in `guards.json` beside `equivalent.toml` and does not search again for valid ones.

    With --print fcb runs no test. The report lists *silent* changes of printed effects: the compiled game differs, but
    every card, sheet, aid and reference reads the same in a language. `silent.toml` beside `equivalent.toml` explains
    the known ones. The exit code is 1 if a silent change is not explained.
    """
    from fcbdsl.tools.mutation.explained import BadExplanations, outdated_entries, read_explained
    from fcbdsl.tools.mutation.mutation_operators import OPERATORS
    from fcbdsl.tools.mutation.testing import mutate, possible

    if printing:
        if guarding:
            raise click.UsageError("Use either --print or --guards.")
        _listen(ctx, paths, number, seed, only, jobs, entries, as_json)
        return
    names = [operator.name for operator in OPERATORS]
    unknown = [name for name in only if name not in names]
    if unknown:
        raise click.UsageError(f"There is no operator {unknown[0]!r}. There are: {', '.join(names)}.")
    trial, loader, vocabulary = _trial(paths)
    folder = _folder(loader)
    try:
        explained = read_explained(folder / "equivalent.toml", loader.project.root)
    except BadExplanations as error:
        common.leave_with(str(error))
    files = _files(loader, paths)
    mutants = possible(trial, vocabulary, files)
    gone = outdated_entries(explained, mutants, files)
    if only:
        mutants = [mutant for mutant in mutants if mutant.operator in only]
    if guarding:
        _guard(trial, loader, mutants, vocabulary, as_json)
        return
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=min(number or len(mutants), len(mutants)), file=sys.stderr, hidden=hidden) as shown:

        def progress(done: int, survived: int) -> None:
            shown.label = f"{survived} survived"
            shown.update(1)
            _keep_past(trial, loader)

        with _ending_in_order():
            report = mutate(trial, mutants, explained, number=number, seed=seed, jobs=jobs, progress=progress)
    report.lapsed = gone
    if as_json:
        click.echo(json.dumps(report.to_record(), ensure_ascii=False, indent=2))
    elif entries:
        _print_entries(report, loader.project.root)
    else:
        _print(report)
    ctx.exit(PROBLEMS if report.survivors or report.lapsed else FINE)


def _listen(
    ctx: click.Context,
    paths: tuple[Path, ...],
    number: int | None,
    seed: int,
    only: tuple[str, ...],
    jobs: int,
    entries: bool,
    as_json: bool,
) -> None:
    """Report the changes of printed effects that play differently and print the same."""
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.project.analysis import analysis_of
    from fcbdsl.project.project import parse_all
    from fcbdsl.tools.diff.unprinted_changes import NAME, PrintTrial, listen
    from fcbdsl.tools.mutation.explained import BadExplanations, as_entry, read_explained, read_unprinted
    from fcbdsl.tools.mutation.referents import PRINT_OPERATORS
    from fcbdsl.tools.mutation.workbench import Workbench

    unknown = [name for name in only if name not in PRINT_OPERATORS]
    if unknown:
        raise click.UsageError(f"There is no operator {unknown[0]!r}. There are: {', '.join(PRINT_OPERATORS)}.")
    loader = _loader(paths, tests=False)
    project = loader.project
    analysis = analysis_of(loader)
    _refuse_errors(analysis.errors())
    path = _folder(loader) / NAME
    try:
        explained = read_explained(path, project.root, "silent")
        unprinted = read_unprinted(path)
    except BadExplanations as error:
        common.leave_with(str(error))
    files = parse_all(loader.sources, Problems())
    catalogs = loader.translations()
    model = Workbench(files, project.variants, project.languages, (), catalogs).model
    trial = PrintTrial(files, model, project.variants, project.languages, catalogs)
    if not trial.printed:
        common.leave_with("The project has no language that fcb prints.")
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=number or 1, file=sys.stderr, hidden=hidden) as shown:

        def progress(done: int, of: int, silent: int) -> None:
            shown.length = of
            shown.label = f"{silent} silent"
            shown.update(1)

        with _ending_in_order():
            report = listen(
                trial, _files(loader, paths), explained, unprinted,
                only=only, number=number, seed=seed, jobs=jobs, progress=progress,
            )  # fmt: skip
    if as_json:
        click.echo(json.dumps(report.to_record(), ensure_ascii=False, indent=2))
    elif entries:
        for mutation in report.silent:
            click.echo(as_entry(mutation.mutant, project.root, "silent"))
    else:
        _print_silence(report)
    ctx.exit(PROBLEMS if report.silent or report.lapsed else FINE)


def _print_silence(report: SilenceReport) -> None:
    """Print silent changes by place, with the printed text, then the figures."""
    from fcbdsl.tools.diff.unprinted_changes import PrintFate

    for mutation in report.silent:
        mutant = mutation.mutant
        click.echo(
            f"{mutant.key.file}:{mutant.line}: {mutant.operator}: {mutant.key.change} ({', '.join(mutation.silent)})"
        )
        click.echo(f"    {mutant.key.text}")
        for language, words in mutation.texts.items():
            click.echo(f"    prints in {language}: {' / '.join(words.split(chr(10))) or 'nothing'}")
    for entry in report.lapsed:
        click.echo(
            f"Outdated: the explanation on line {entry.line} matches no mutant: {entry.key.file}: {entry.key.text}"
        )
    invalid, printed, same = (report.count(fate) for fate in (PrintFate.INVALID, PrintFate.PRINTED, PrintFate.SAME))
    click.echo(
        f"{report.taken} of {common.count(report.possible, 'change')} of printed effects: {invalid} invalid, "
        f"{printed} printed, {same} with the same play, {len(report.explained)} explained."
    )
    for language in report.languages:
        click.echo(f"Silent in {language}: {sum(language in mutation.silent for mutation in report.silent)}.")
    worded, off = sum(report.worded.values()), sum(report.offpaper.values())
    click.echo(f"Not tried: {worded} in effects that the author words, {off} in definitions that no paper prints.")


def _trial(paths: Sequence[Path]) -> tuple[Trial, Loader, SourceMeanings]:
    """Return a trial of the whole project around some paths, with the coverage of its tests."""
    from fcbdsl.base import cache
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.language.compiler import program_without_hash
    from fcbdsl.project.analysis import analysis_of
    from fcbdsl.project.project import parse_all
    from fcbdsl.project.source_hashes import hash_sources
    from fcbdsl.tools.mutation.result_cache import Past
    from fcbdsl.tools.mutation.sites import SourceMeanings
    from fcbdsl.tools.mutation.trial import Trial

    loader = _loader(paths, tests=True)
    project = loader.project
    analysis = analysis_of(loader)
    _refuse_errors(analysis.errors())
    model = analysis.model
    files = parse_all(loader.sources, Problems())
    settings = repr((project.game, project.languages, sorted(project.variants.items()), loader.project.tests))
    seals = hash_sources(files, model.proofs, cache.code_fingerprint() + settings.encode())
    game = program_without_hash(model, tests=False)
    reach = _reach(loader, model, seals)
    failing = [test for test in reach.tests if not test.passed]
    if failing:
        excluded = f"{common.count(len(failing), 'test')} left out, failing without any change: “{failing[0].title}”"
        click.echo(f"{excluded}{' and others' if len(failing) > 1 else ''}.", err=True)
    if len(failing) == len(reach.tests):
        common.leave_with("There is no test that could notice a change.")
    past = Past(seals, reach.tests, cache.load_result(_past_key(loader), Past.fits))
    trial = Trial(files, model.proofs, project.variants, project.languages, reach, game, past, loader.translations())
    return trial, loader, SourceMeanings(trial.model)


def _loader(paths: Sequence[Path], *, tests: bool) -> Loader:
    """Return the loader of the whole project around some paths, with its tests or without."""
    from fcbdsl.project.project import load_all

    chosen = common.scope(paths)
    loader = common.only_loader(load_all(chosen.paths, tests, chosen.root, chosen.game))
    project = loader.project
    if project.bare:
        return load_all((), tests)[0]
    if project.root is not None:
        return common.only_loader(load_all((), tests, project.root, project.game))
    return loader


def _refuse_errors(errors: Sequence[Diagnostic]) -> None:
    """Leave if the unchanged game has errors."""
    if errors:
        common.report(errors)
        common.leave_with(f"{common.tally(errors)} found; nothing was changed.")


def _reach(loader: Loader, model: Model, seals: Seals) -> TestCoverage:
    """Return the coverage of the project's tests. It is cached, and only new tests are played."""
    from fcbdsl.language.compiler import program_without_hash
    from fcbdsl.play.campaign.review import review
    from fcbdsl.project.recorded_coverage import cached_coverage

    sources = {source.name: source for source in loader.sources}

    def with_progress(program: Program) -> Iterator[int]:
        hidden = not sys.stderr.isatty()
        with click.progressbar(range(len(program.tests)), label="Tests", file=sys.stderr, hidden=hidden) as numbers:
            yield from numbers

    return cached_coverage(
        "reach",
        seals,
        lambda: program_without_hash(model, tests=True),
        with_progress,
        lambda image: review(image.program, sources, image=image),
    )


def _past_key(loader: Loader) -> str:
    """Return the cache key of the results on a project's mutants."""
    from fcbdsl.base import cache

    place = (loader.project.root or Path.cwd()).resolve()
    return cache.lasting([b"mutants", str(place).encode(), loader.project.game.encode()])


def _keep_past(trial: Trial, loader: Loader) -> None:
    """Store the results, merged with those that another run has stored since this one began."""
    from fcbdsl.base import cache
    from fcbdsl.tools.mutation.result_cache import Past

    key = _past_key(loader)
    assert trial.past is not None
    other = cache.load_result(key, Past.fits)
    if other is not None:
        trial.past.learn(other)
    cache.store_result(key, trial.past.to_record())


def _guard(trial: Trial, loader: Loader, mutants: Sequence[Mutant], vocabulary: SourceMeanings, as_json: bool) -> None:
    """Look for guards of the clauses that have none, and store them."""
    from fcbdsl.base.files import output_path, write_atomically
    from fcbdsl.cli.rules_command import catalogue_of, elsewhere_of
    from fcbdsl.tools.mutation.guards import NAME, BadGuards, Guard, find_guards, guards_to_json, holding, read_guards

    root, rules = loader.project.root, loader.project.rules
    if root is None or not rules:
        raise click.UsageError('fcb.toml names no rules catalogue; add `rules = "docs/rules/…"`.')
    path = _folder(loader) / NAME
    try:
        text, catalogue = catalogue_of(loader.project)
        guards = read_guards(path, root)
    except BadGuards as error:
        common.leave_with(f"{error}.")
    passed = {(test.key[0], test.title): test.covers for test in trial.reach.tests if test.passed}
    held, lapsed = holding(guards, trial.files, vocabulary.model.languages, passed)
    elsewhere = elsewhere_of(loader.project, text)
    rules_here = [rule for rule in catalogue if "engine" in rule.tags and rule.id not in elsewhere]
    clauses = [clause for rule in rules_here for clause in rule.clauses if clause not in elsewhere]
    held = [guard for guard in held if guard.rule in clauses]
    open_ = [clause for clause in clauses if clause not in {guard.rule for guard in held}]
    once = {guard.rule: guard.key for guard, _ in lapsed if guard.rule in open_}
    new: dict[str, Guard] = {}
    done: set[str] = set()
    trial.prepare()
    output_path(path)  # a link out of the project is refused before hours of work
    try:
        hidden = not sys.stderr.isatty()
        with _ending_in_order(), click.progressbar(length=len(open_), file=sys.stderr, hidden=hidden) as shown:
            for clause in find_guards(trial, mutants, open_, new, once):
                done.add(clause)
                shown.update(1)
    finally:  # results found before an interruption are stored
        left = [guard for guard, _ in lapsed if guard.rule in once and guard.rule not in {*done, *new}]
        write_atomically(path, guards_to_json([*held, *new.values(), *left], root).encode())
    lacking = [clause for clause in open_ if clause not in new]
    if as_json:
        record = {"clauses": len(clauses), "held": len(held), "found": len(new), "unguarded": lacking}
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
        return
    click.echo(f"{common.count(len(clauses), 'clause')}: {len(held)} guarded before, {len(new)} found.")
    if lacking:
        click.echo(f"Not guarded: {', '.join(lacking)}")


@contextmanager
def _ending_in_order() -> Iterator[None]:
    """In this context, a request to terminate the process acts as an interrupt."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _folder(loader: Loader) -> Path:
    """Return the project's folder of mutation."""
    return (loader.project.root or Path.cwd()) / loader.project.mutation


def _files(loader: Loader, paths: Sequence[Path]) -> list[str]:
    """Return the names of the project's sources at some paths; by default its own, without the language's prelude."""
    from fcbdsl.project.paths import CORE, lies_in

    root = loader.project.root or Path.cwd()
    tests = [root / name for name in loader.project.tests]
    names = [
        source.name
        for source in loader.sources
        if not lies_in(Path(source.name), tests) and Path(source.name).stem != CORE
    ]
    names_within = [name for name in names if lies_in(Path(name), paths or [root])]
    lost = [path for path in paths if not any(lies_in(Path(name), [path]) for name in names)]
    if lost:
        raise click.UsageError(f"{lost[0]} contains no content or system of the project.")
    return names_within


def _print(report: Report) -> None:
    """Print survivors by place, lapsed explanations, and the figures."""
    from fcbdsl.tools.mutation.result_cache import Fate

    for survivor in report.survivors:
        mutant = survivor.mutant
        click.echo(f"{mutant.key.file}:{mutant.line}: {mutant.operator}: {mutant.key.change}")
        click.echo(f"    {mutant.key.text}")
    for entry in report.lapsed:
        click.echo(
            f"Outdated: the explanation on line {entry.line} matches no mutant: {entry.key.file}: {entry.key.text}"
        )
    killed, survived = len(report.of(Fate.KILLED)), len(report.survivors)
    share = f" ({100 * killed / (killed + survived):.1f} % noticed)" if killed + survived else ""
    click.echo(
        f"{report.taken} of {common.count(report.possible, 'mutant')}: {len(report.of(Fate.INVALID))} invalid, "
        f"{killed} killed, {survived} survived, {report.equivalent} equivalent{share}."
    )
    if report.known:
        click.echo(f"{report.known} cached from an earlier run: the changed game is the same, and so are the tests.")


def _print_entries(report: Report, root: Path | None) -> None:
    from fcbdsl.tools.mutation.explained import as_entry

    for survivor in report.survivors:
        click.echo(as_entry(survivor.mutant, root))
