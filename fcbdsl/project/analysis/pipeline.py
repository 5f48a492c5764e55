"""The pipeline of checks, in order: compile, print and play run all of them first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.project.analysis.packaged_findings import package_findings, packaged_findings
from fcbdsl.project.analysis.severity import apply_severities
from fcbdsl.project.analysis.source_pieces import Choice, no_test
from fcbdsl.project.analysis.unused_systems import unused_problems
from fcbdsl.project.paths import CORE
from fcbdsl.project.project import cached_model, files_of_tests, known_model, latest, lent_to, project_key, store_model

if TYPE_CHECKING:
    from fcbdsl.language.compiler import BothLowerings, KeptLowering
    from fcbdsl.language.model.checks.number_values import Numbers
    from fcbdsl.language.model.content import Definition
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.machine.vm.verify.tags import Finding
    from fcbdsl.project.analysis.incremental import Reading
    from fcbdsl.project.project import Loader


class Subject:
    """The input of the checks: the sources of a loader, and the model, which is made (or loaded) on demand.

    `needed`: the tests that the model must contain, by title, rules and file; None: all. Other tests that are known to
    be sound are left out then, and the model is not cached. `read`: the model and its problems, if the caller has them.
    `tell` is called with the progress of a slow check. `whole`: the program without tests is needed with its own
    numbers, so an incremental lowering before it would only take time. `fits`: the check of fit will run.
    `keeps_model`: other runs will need the model of the same sources, so it is cached, too.
    """

    def __init__(
        self,
        loader: Loader,
        needed: Choice | None = None,
        read: tuple[Model, list[Diagnostic]] | None = None,
        tell: Callable[[str], None] | None = None,
        whole: bool = False,
        fits: bool = False,
        keeps_model: bool = False,
    ) -> None:
        self.loader = loader
        self.tell = tell
        self._whole = whole
        self._fits = fits
        self._keeps_model = keeps_model
        self._needed = needed
        self._read = read
        self._reading: Reading | None = None
        self._lowered: dict[bool, Program] = {}
        self._refused: dict[int, list[Finding]] = {}  # by the identity of programs, which stay
        self._both: BothLowerings | None = None
        self._numbers: Numbers | None = None
        self._fit = False  # whether the verifier has accepted the program for play
        self._fit_with_reasons = False  # whether it has accepted the reasons why actions are not available, too

    def program(self, tests: bool) -> Program:
        """Return the compiled program, with its tests or without, and without a hash. Its numbers depend on the tests
        that it contains."""
        if tests not in self._lowered:
            from fcbdsl.language.compiler import program_without_hash

            with collector_paused():
                if tests and self._needed is not None:
                    self._lowered[tests] = self._both_lowered().tested()
                elif not tests and self._both is not None and self._both.whole:
                    self._lowered[tests] = self._both.program
                elif not tests and self._linked is not None:
                    self._lowered[tests] = self._linked[0]
                else:
                    self._lowered[tests] = program_without_hash(self.model, tests)
        return self._lowered[tests]

    def played(self) -> Program:
        """Return a program that plays like the one without tests. It is lowered incrementally, so its numbers may
        differ, unless the one without tests is needed anyway."""
        with collector_paused():
            if self._whole and self._linked is not None:
                return self._linked[0]
            return self._both_lowered().program

    @cached_property
    def _linked(self) -> tuple[Program, frozenset[int]] | None:
        """Return the program without tests, and the numbers of its codes that an earlier lowering made; None without
        such a lowering."""
        model, reading = self.model, self._reading
        if reading is None or reading.lowered is None:
            return None
        from fcbdsl.language.compiler import linked_program

        return linked_program(model, reading.lowered, reading.changed)

    def _both_lowered(self) -> BothLowerings:
        if self._both is None:
            from fcbdsl.language.compiler import BothLowerings

            model, reading = self.model, self._reading
            lowered_before = () if reading is None else (reading.lowered, reading.changed)
            self._both = BothLowerings(model, *lowered_before)
        return self._both

    def unfit(self) -> list[Finding]:
        """Return the verifier's findings in the program for play, except in codes that an earlier run has verified.

        Games run without another verification only if those codes are part of the package, or are recorded as verified
        outside of the cache, which can be changed.
        """
        from fcbdsl.machine.vm.verify.verifier import verify_program

        program = self.played()
        if self._whole and self._linked is not None:
            verified = self._linked[1] if self._is_trusted else frozenset[int]()
        else:
            verified = self._both_lowered().restored
        with collector_paused():
            findings = verify_program(program, verified)
        self._fit = not findings
        if not verified or self._is_trusted:
            self._refused[id(program)] = findings
        return findings

    @property
    def _is_trusted(self) -> bool:
        """Return whether nobody can have changed codes since they were verified."""
        return self._reading is not None and self._reading.trusted

    def unfit_tests(self) -> list[Finding]:
        """Return the verifier's findings in the program with the tests.

        Codes of the game that are verified already are skipped. If no test will run, a sample of the steps is
        verified. Refused tests are read again in the next run.
        """
        from fcbdsl.machine.vm.verify.verifier import verify_program

        if self._needed is no_test and not self._unfit_steps():
            return []
        program = self.program(True)
        verified = self._both.shared if self._both is not None and self._fit else frozenset[int]()
        with collector_paused():
            findings = verify_program(program, verified)
        if not verified or self._is_trusted:
            self._refused[id(program)] = findings
        if findings and self._reading is not None:
            from fcbdsl.project.analysis.incremental import forget_tests

            forget_tests(self.loader)
        return findings

    def _unfit_steps(self) -> list[Finding]:
        """Return the verifier's findings in a sample of the steps of tests; nothing will run these."""
        from fcbdsl.machine.vm.verify.verifier import verify_program

        both = self._both_lowered()
        with collector_paused():
            program = both.with_sample_steps()
            findings = verify_program(program, both.shared if self._fit else frozenset[int]())
        self._fit_with_reasons = self._fit and bool(both.shared) and not findings
        return findings

    def refused(self, program: Program) -> list[Finding]:
        """Return the verifier's findings in another program; memoized."""
        findings = self._refused.get(id(program))
        if findings is None:
            from fcbdsl.machine.vm.verify.verifier import verify_program

            with collector_paused():
                findings = self._refused[id(program)] = verify_program(program)
        return findings

    @property
    def model(self) -> Model:
        """Return the model, as far as the sources allow."""
        model = self._made()[0]
        model.lent = self._lent
        return model

    @cached_property
    def _lent(self) -> tuple[str, ...]:
        return lent_to(self.loader)

    def numbers(self) -> Numbers:
        """Return the numbers of the model, which several checks examine."""
        if self._numbers is None:
            from fcbdsl.language.model.checks.number_values import Numbers

            self._numbers = Numbers(self.model)
        return self._numbers

    def misread(self) -> list[Diagnostic]:
        """Return the problems that were found while making the model."""
        return self._made()[1]

    def _made(self) -> tuple[Model, list[Diagnostic]]:
        if self._read is None and self._needed is None:
            self._read = cached_model(self.loader)
        elif self._read is None:
            self._read = known_model(self.loader) if self._keeps_model else None
        if self._read is None:
            from fcbdsl.project.analysis.incremental import read_changed

            self._reading = read_changed(self.loader, self._needed or no_test, self._fits)
            self._read = self._reading.model, self._reading.problems
            if self._keeps_model:
                store_model(self.loader, *self._read)
        return self._read

    def model_with_tests(self, loader: Loader) -> tuple[Model, list[Diagnostic]]:
        """Return the model of a loader with more files of tests, and its problems; what was read is not read again."""
        if self._reading is None:
            return cached_model(loader)
        with collector_paused():
            model, problems = self._reading.with_tests(loader)
        project = loader.project
        model.pack, model.revision, model.lent = project.title, project.revision, lent_to(loader)
        return model, problems

    def keep(self) -> None:
        """Cache the results for other runs."""
        if self._reading is not None:
            whole = self._both is not None and self._both.whole and not self._whole
            self._reading.keep(self._kept_lowering if self._fit else None, self._fit and whole)

    def _kept_lowering(self) -> tuple[KeptLowering, bool]:
        """Return the results of lowering, and whether all of its codes were verified, now or before.

        They are not verified here if that cannot be recorded.
        """
        from fcbdsl.machine import verified
        from fcbdsl.machine.vm.verify.verifier import verify_program

        both = self._both_lowered()
        snapshot = both.snapshot()
        if verified.records_folder() is None or not (self._is_trusted or not both.restored):
            return snapshot, False
        if self._fit_with_reasons:
            return snapshot, True
        program = both.without_tests()
        return snapshot, bool(both.shared) and not verify_program(program, both.shared)

    def forget_programs(self) -> None:
        """Forget all programs."""
        self._both, self._numbers, self._fit, self._fit_with_reasons = None, None, False, False
        self._lowered.clear()
        self._refused.clear()

    def printed(self) -> list[Definition]:
        """Return the printed definitions: all of the project's own, without declarations in test files."""
        from fcbdsl.print.pieces.printables import own

        proofs = dict.fromkeys(files_of_tests(self.loader))
        return [definition for definition in own(self.model) if definition.span.source.name not in proofs]


@dataclass(frozen=True, slots=True)
class Check:
    """A check of the pipeline.

    `sound`: it needs a model without errors, and is left out if checks before it found any. `prints`: its errors only
    prevent printing, so that they hide no finding of a check of play. `asked`: it is slow, and runs only if its name is
    given. `tests`: it checks tests, too; the findings of other checks do not depend on tests.
    """

    name: str
    says: str
    run: Callable[[Subject], Iterable[Diagnostic]]
    sound: bool = True
    asked: bool = False
    tests: bool = False
    prints: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """How a check went: it was `run`; its result was `known` from the cache; it was left out because it must be `asked`
    for, or because of `errors`. `seconds`: its time by the clock of the caller."""

    name: str
    how: Literal["run", "known", "asked", "errors"]
    seconds: float = 0


class Analysis:
    """A checked project: every problem by file and place, how each check went, in order, and its game ("": the project
    has a single one). The model is made (or loaded) on demand."""

    def __init__(self, subject: Subject, problems: Sequence[Diagnostic], passes: Sequence[Pass]) -> None:
        self._subject = subject
        self.problems = tuple(problems)
        self.passes = tuple(passes)
        self.game = subject.loader.project.game

    @property
    def model(self) -> Model:
        """Return the model that was checked."""
        return self._subject.model

    def forget_programs(self) -> None:
        """Forget what the checks have compiled. The model stays, and programs are compiled again if they are needed."""
        self._subject.forget_programs()

    def model_with_tests(self, loader: Loader) -> tuple[Model, list[Diagnostic]]:
        """Return the model of a copy of the loader with more files of tests, and its problems."""
        return self._subject.model_with_tests(loader)

    def program(self, tests: bool = False, hashed: bool = True) -> Program:
        """Return the compiled program, with its tests if wanted. It reuses what the checks have compiled."""
        program = self._subject.program(tests)
        return program.sealed() if hashed else program

    def tested(self) -> Program:
        """Return the program with tests, to run these at once; without a hash."""
        return self._subject.program(True)

    def played(self) -> Program:
        """Return a program that plays like the one without tests, without a hash. It is made faster; its numbers may
        differ."""
        return self._subject.played()

    def refused(self, tests: bool = False) -> list[Finding]:
        """Return the verifier's findings in that program: it may run only if there are none."""
        return self._subject.refused(self._subject.program(tests))

    def refused_for_play(self) -> list[Finding]:
        """Return the verifier's findings in the program of `played`: it may run only if there are none."""
        return self._subject.refused(self._subject.played())

    @property
    def made(self) -> tuple[str, ...]:
        """Return the names of the checks with a result, cached or not."""
        return tuple(run.name for run in self.passes if run.how in ("run", "known"))

    def errors(self, strict: bool = False) -> list[Diagnostic]:
        """Return the problems that forbid using the project; `strict`: warnings count, too.

        A missing translation does not prevent play: it counts only if `strict`. `fcb render` leaves such pieces out.
        """
        if strict or not self.problems:
            return list(self.problems)
        from fcbdsl.base.diagnostics.print import is_gap

        return [problem for problem in self.problems if problem.severity == "error" and not is_gap(problem)]


def analysis_of(
    loader: Loader,
    asked: Sequence[str] = (),
    clock: Callable[[], float] = lambda: 0,
    needed: Choice | None = None,
    tell: Callable[[str], None] | None = None,
    whole: bool = False,
    keeps_model: bool = False,
) -> Analysis:
    """Check the sources of a loader. The findings are cached separately, so that unchanged sources need no model.

    `asked`: slow checks to run; `clock`: returns seconds, to measure the checks. `needed`, `whole`, `keeps_model`: see
    `Subject`; with fewer tests, fcb reads fewer files. `tell` is called with the progress of a slow check.
    """
    from fcbdsl.project.analysis.source_pieces import in_sources

    subject = Subject(loader, needed, tell=tell, whole=whole, fits=FIT in asked, keeps_model=keeps_model)
    key, key_of_game = project_key(loader, FOUND), ""
    by_check: dict[str, list[Diagnostic]] = cache.load_result(key, cache.shape_check(_RESULTS)) or {}
    if not by_check:
        by_check = packaged_findings(loader, cache.shape_check(_RESULTS)) or {}
    if not by_check:
        key_of_game = _key_of_game(loader)
        by_check = _known_of_game(loader, key_of_game)
    before = tuple(by_check)
    problems = Problems(loader.problems)
    lent = lent_to(loader)
    untitled: dict[tuple[object, ...], None] = {}
    unsound = bool(problems.errors)
    passes = []
    with collector_paused():
        for check in (_READING, *CHECKS):
            if check.asked and check.name not in asked:
                passes.append(Pass(check.name, "asked"))
                continue
            if check.sound and (problems.errors if check.prints else unsound):
                passes.append(Pass(check.name, "errors"))
                continue
            begin = clock()
            if check.name not in by_check:
                by_check[check.name] = in_sources(check.run(subject), loader.sources)
            findings = by_check[check.name]
            passes.append(Pass(check.name, "known" if check.name in before else "run", clock() - begin))
            problems.extend(_titled(_ours(findings, lent), untitled))
            unsound = unsound or (not check.prints and _has_errors(findings))
            if check is _READING:
                untitled = _untitled(findings)
        problems.extend(unused_problems(loader))
        if len(by_check) > len(before):
            cache.store_result(key, by_check)
            package_findings(loader, by_check)
            names_of_game = {check.name for check in CHECKS if not check.tests}
            of_game = {name: findings for name, findings in by_check.items() if name in names_of_game}
            if not of_game.keys() <= set(before):
                cache.store_result(key_of_game or _key_of_game(loader), of_game)
            subject.keep()
    return Analysis(subject, _final_findings(loader, problems, lent, passes), passes)


def analysis_of_model(loader: Loader, model: Model, misread: Sequence[Diagnostic]) -> Analysis:
    """Run the checks after the first one on a model that is edited; nothing is cached. `misread`: the findings of the
    first one."""
    subject = Subject(loader, every_test, (model, list(misread)))
    problems = Problems(misread)
    lent = lent_to(loader)
    untitled = _untitled(misread)
    passes = [Pass(_READING.name, "run")]
    unsound = bool(problems.errors)
    with collector_paused():
        for check in CHECKS:
            how: Literal["run", "asked", "errors"] = "asked" if check.asked else "run"
            if check.sound and (problems.errors if check.prints else unsound):
                how = "errors"
            if how == "run":
                findings = list(check.run(subject))
                problems.extend(_titled(_ours(findings, lent), untitled))
                unsound = unsound or (not check.prints and _has_errors(findings))
            passes.append(Pass(check.name, how))
    return Analysis(subject, _final_findings(loader, problems, lent, passes), passes)


def _has_errors(problems: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.severity == "error" for diagnostic in problems)


def every_test(title: str, covers: Sequence[str], file: str) -> bool:
    """Choose all tests."""
    return True


def _untitled(findings: Sequence[Diagnostic]) -> dict[tuple[object, ...], None]:
    """Return the places of findings about missing translations of titles."""
    if not findings:
        return {}
    from fcbdsl.project.analysis.consequences import untitled_places

    return untitled_places(findings)


def _titled(findings: Iterable[Diagnostic], untitled: Mapping[tuple[object, ...], None]) -> Iterable[Diagnostic]:
    """Return the findings that are not about a title whose translation is missing anyway."""
    if not untitled:
        return findings
    from fcbdsl.project.analysis.consequences import beside_untitled

    return beside_untitled(findings, untitled)


def _ours(problems: Iterable[Diagnostic], lent: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield the findings without warnings in shared sources, which the user cannot fix."""
    return (
        diagnostic
        for diagnostic in problems
        if diagnostic.severity == "error" or diagnostic.span.source.name not in lent
    )


def _final_findings(
    loader: Loader, problems: Problems, lent: Sequence[str], passes: Sequence[Pass]
) -> list[Diagnostic]:
    """Return the findings in order, with the severities and allowances of the project."""
    own = [source for source in loader.sources if source.name not in lent]
    whole = all(run.how != "errors" for run in passes)
    findings = problems.sorted()
    if findings:
        from fcbdsl.base.diagnostics.print import gaps_as_errors
        from fcbdsl.project.analysis.consequences import drop_explained

        findings = drop_explained(findings)
        if any(problem.severity == "error" for problem in findings):
            from fcbdsl.project.analysis.packs import with_packs

            findings = list(with_packs(findings, loader))
        findings = gaps_as_errors(findings)
    return Problems(apply_severities(findings, own, loader.project.severity, whole)).sorted()


def _known_of_game(loader: Loader, key: str) -> dict[str, list[Diagnostic]]:
    """Return the cached findings for this game with any tests."""
    from fcbdsl.project.analysis.source_pieces import in_game

    by_check: dict[str, list[Diagnostic]] = cache.load_result(key, cache.shape_check(_RESULTS)) or {}
    return {name: in_game(problems, loader.sources) for name, problems in by_check.items()}


def _key_of_game(loader: Loader) -> str:
    """Return the cache key for the findings in all sources except tests."""
    from fcbdsl.project.analysis.source_pieces import source_pieces

    pieces = [piece for piece in source_pieces(loader.sources) if not piece.is_test]
    return project_key(loader, f"{FOUND} of the game", [f"{piece.source.name}\n{piece.text}" for piece in pieces])


_RESULTS = dict[str, list[Diagnostic]]
"""The shape of cached results: findings by the name of their check."""
FOUND = "found"
"""The purpose in the cache key for the findings of all checks."""


# ── the checks ─────────────────────────────────────────────────────────────────────────────────


def _natives(subject: Subject) -> Iterable[Diagnostic]:
    if all(form.op is None or form.system == CORE for form in subject.model.forms):
        return []  # a test checks core
    from fcbdsl.language.compiler import signature_problems

    return signature_problems(subject.model)


def _translations(subject: Subject) -> Iterable[Diagnostic]:
    loader = subject.loader
    if not loader.catalogs and not loader.seals:
        return []
    from fcbdsl.base.catalog import read_seals
    from fcbdsl.language.model.overlay import overlay, stale

    problems = Problems()
    problems.extend(overlay(subject.model, loader.translations(problems)))
    for source in loader.seals:
        problems.extend(stale(subject.model, read_seals(source, problems)))
    return problems.sorted()


def _idle(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.language.model.checks.idle import idle

    return idle(subject.model, subject.numbers())


def _outcomes(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.language.model.checks.outcomes import outcomes

    return outcomes(subject.model, subject.numbers())


def _looking(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.language.compiler import looking_problems

    return looking_problems(subject.model, subject.numbers().walked)


def _looks(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.pieces.looks import check_looks

    return check_looks(subject.model)


def _pictures(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.pieces.pictures import picture_problems
    from fcbdsl.print.pieces.printables import printable_languages

    if all(definition.art is None for definition in subject.model.definitions.values()):
        return []
    return list(picture_problems(subject.model, printable_languages(subject.model)))


def _wording(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.pieces.piece import PieceRegister, too_many
    from fcbdsl.print.pieces.printables import is_sheet
    from fcbdsl.project.analysis.changed_wording import wording_problems

    printed = subject.printed()
    pieces = [definition for definition in printed if not is_sheet(definition)]
    many = too_many(PieceRegister(subject.model, printed), pieces)
    return [*wording_problems(subject.loader, subject.model, printed), *many, *_campaign_sheets(subject.model, printed)]


def _campaign_sheets(model: Model, printed: Sequence[Definition]) -> Iterator[Diagnostic]:
    """Yield what prevents the map and the log of a campaign from being printed."""
    from fcbdsl.print.pieces.campaign_sheets import campaign_of, is_campaign
    from fcbdsl.print.pieces.printables import printable_languages

    for campaign in filter(is_campaign, printed):
        for language in printable_languages(model):
            yield from campaign_of(campaign, model, language)[1]


def _program(subject: Subject) -> Iterable[Diagnostic]:
    program = subject.played()  # all of it is verified before it runs for a user
    yield from _refusals(subject, program, subject.unfit())


def _tested(subject: Subject) -> Iterable[Diagnostic]:
    if not subject.model.tests:
        return
    unfit = subject.unfit_tests()
    if unfit:
        yield from _refusals(subject, subject.program(True), unfit)


def _refusals(subject: Subject, program: Program, unfit: Sequence[Finding]) -> Iterator[Diagnostic]:
    """Yield the findings of the verifier as problems at the lines of the sources."""
    if not unfit:
        return
    from fcbdsl.base.diagnostics.files import RefusedProgram
    from fcbdsl.machine.vm.verify.verifier import written_at
    from fcbdsl.play.session.source_spans import source_span

    sources = {source.name: source for source in subject.loader.sources}
    for finding in unfit:
        span = source_span(program, sources, written_at(program, finding.place))
        yield RefusedProgram(span or NOWHERE, finding=finding)


def _campaigns(subject: Subject) -> Iterable[Diagnostic]:
    if not any(kind == CAMPAIGN for kind, _ in subject.model.definitions):
        return []
    from fcbdsl.play.campaign.review import review

    sources = {source.name: source for source in subject.loader.sources}
    return _run(subject, "sound campaigns", "", lambda program, image: review(program, sources, image=image))


def _missions(subject: Subject) -> Iterable[Diagnostic]:
    if not any(kind == MISSION for kind, _ in subject.model.definitions):
        return []

    def look(program: Program, image: Image) -> list[Diagnostic]:
        from fcbdsl.project.analysis.setup_check import starting_problems

        return list(starting_problems(model, program, image, sources, proofs))

    model, sources, proofs = subject.model, subject.loader.sources, files_of_tests(subject.loader)
    allowed = repr(
        [
            (definition.id, definition.players)
            for definition in model.definitions.values()
            if definition.kind.id == MISSION
        ]
    )
    return _run(subject, "missions that begin", allowed, look)


def _run(
    subject: Subject, purpose: str, terms: str, look: Callable[[Program, Image], list[Diagnostic]]
) -> list[Diagnostic]:
    """Return the problems that `look` finds in games of the program for play.

    It returns none without running if an earlier run found none, and neither `terms` nor any code that its games ran
    has changed.
    """
    from fcbdsl.machine.vm.fingerprint import code_names, meaning
    from fcbdsl.project.analysis.source_pieces import text_hash

    program, key = subject.played(), latest(subject.loader, purpose)
    stored = cache.load_result(key, cache.shape_check(tuple[tuple[str, ...], str]))
    if stored is not None and text_hash(terms + meaning(program, stored[0])) == stored[1]:
        return []  # no code that they run has changed
    if subject.refused(program):
        return []  # games run the code, so a cached verification is not enough
    from fcbdsl.machine.vm.image import Image

    image = Image(program)
    problems = look(program, image)
    if not problems:
        names = code_names(program)
        ran = tuple(names[number] for number in image.ran())
        cache.store_result(key, (ran, text_hash(terms + meaning(program, ran))))
    return problems


def _fit(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.pieces.printables import languages_on_request
    from fcbdsl.print.press.proofs import fit_problems, silent
    from fcbdsl.print.press.table_sheets import table_problems
    from fcbdsl.project.analysis.lent_aids import unchanged_aids

    model, printed, tell = subject.model, subject.printed(), subject.tell or silent
    lent = unchanged_aids(subject.loader, model, languages_on_request(model))
    return [*fit_problems(model, printed, tell), *table_problems(model, printed, tell, lent)]


NOWHERE = Span(Source("program", ""), 0, 0)
CAMPAIGN = "campaign"
"""The kind of campaigns."""
MISSION = "mission"
"""The kind of missions."""

_READING = Check(
    "reading",
    "text, lines, names, phrases, types, lints, missions, the project file: what makes the model",
    lambda subject: subject.misread(),
    sound=False,
    tests=True,
)
"""The first check."""
FIT = "fit"
"""The slow check of whether everything fits its card or sheet."""

CHECKS: tuple[Check, ...] = (
    Check("natives", "forms bind native ops as those are", _natives, sound=False),
    Check("translations", "translations are of what is said now, and fit to be printed", _translations),
    Check("idle", "cards come into play, conditions and choices are such, events happen", _idle),
    Check("outcomes", "what the game needs can happen, and leaves no value out", _outcomes),
    Check("looking", "what is only looked at asks, rolls and changes nothing", _looking, tests=True),
    Check("looks", "layouts name what exists", _looks, sound=False, prints=True),
    Check(
        "pictures",
        "pictures are there, draw and nothing else, and say whose they are",
        _pictures,
        sound=False,
        prints=True,
    ),
    Check(
        "wording",
        "all that is printed has words and glyphs in every language, and is not too much",
        _wording,
        prints=True,
    ),
    Check("program", "what is compiled of the game may run", _program),
    Check("tests", "what is compiled of the tests may run", _tested, tests=True),
    Check("missions", "missions can be set up for each number of players, and somebody decides in them", _missions),
    Check("campaigns", "campaigns come to an end, and to all that they promise", _campaigns),
    Check(FIT, "cards, sheets and aids fit their paper", _fit, asked=True, prints=True),
)
"""Every check after the first, in order."""
