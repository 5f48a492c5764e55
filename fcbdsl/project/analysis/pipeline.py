"""The pipeline of checks, in order: whoever makes something of sources asks for all of them first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.declarations import MissingTranslation
from fcbdsl.base.diagnostics.files import RefusedProgram
from fcbdsl.base.diagnostics.print import gaps_as_errors, is_gap
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.project.analysis.pieces import Choice, no_test
from fcbdsl.project.analysis.severity import judged
from fcbdsl.project.project import CORE, key_of, latest, lent_to, model_of, proofs_of

if TYPE_CHECKING:
    from fcbdsl.language.compiler import BothLowerings
    from fcbdsl.language.model.content import Definition
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.machine.vm.verify.tags import Finding
    from fcbdsl.project.analysis.incremental import Reading
    from fcbdsl.project.project import Loader


class Subject:
    """What is checked: what a loader has read, and its model, which is made (or loaded) when it is asked for.

    `needed`: which tests, by their title, rules and file, the model has at least; None: all. Others, if they are known
    to be sound, are not in it then, and the model is not kept. `read`: the model and what was found when it was made,
    if somebody has it. `tell`: is told what a slow check looks at."""

    def __init__(
        self,
        loader: Loader,
        needed: Choice | None = None,
        read: tuple[Model, list[Diagnostic]] | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.loader = loader
        self.tell = tell
        self._needed = needed
        self._read = read
        self._reading: Reading | None = None
        self._lowered: dict[bool, Program] = {}
        self._refused: dict[int, list[Finding]] = {}  # by the identity of programs, which stay
        self._both: BothLowerings | None = None
        self._fit = False  # whether what is played was found to be fit

    def program(self, tests: bool) -> Program:
        """What is compiled of it, with its tests or without them; it has no hash yet. One with only some tests may have
        other numbers than one with all."""
        if tests not in self._lowered:
            from fcbdsl.language.compiler import unsealed

            with collector_paused():
                if tests and self._needed is not None:
                    self._lowered[tests] = self._both_lowered().tested()
                elif not tests and self._both is not None and self._both.whole:
                    self._lowered[tests] = self._both.program
                else:
                    self._lowered[tests] = unsealed(self.model, tests)
        return self._lowered[tests]

    def played(self) -> Program:
        """What plays like its program without tests, compiled as far as something has changed since an earlier run: its
        numbers may be others."""
        with collector_paused():
            return self._both_lowered().program

    def _both_lowered(self) -> BothLowerings:
        if self._both is None:
            from fcbdsl.language.compiler import BothLowerings

            model, reading = self.model, self._reading
            known = () if reading is None else (reading.lowered, reading.changed)
            self._both = BothLowerings(model, *known)
        return self._both

    def unfit(self) -> list[Finding]:
        """What the verifier finds wrong with what is played, but in codes that an earlier run has found to be sound."""
        from fcbdsl.machine.vm.verify.verifier import verify

        program, known = self.played(), self._both_lowered().taken_up
        with collector_paused():
            found = verify(program, known)
        self._fit = not found
        if not known:
            self._refused[id(program)] = found
        return found

    def unfit_tests(self) -> list[Finding]:
        """What the verifier finds wrong with the program that has the tests.

        Codes of the game that are verified already are not verified again. Refused tests are read again in the next
        run."""
        from fcbdsl.machine.vm.verify.verifier import verify

        program = self.program(True)
        known = self._both.shared if self._both is not None and self._fit else frozenset[int]()
        with collector_paused():
            found = verify(program, known)
        if not known:
            self._refused[id(program)] = found
        if found and self._reading is not None:
            from fcbdsl.project.analysis.incremental import forget_tests

            forget_tests(self.loader)
        return found

    def refused(self, program: Program) -> list[Finding]:
        """What the verifier finds wrong with a program of its own."""
        known = self._refused.get(id(program))
        if known is None:
            from fcbdsl.machine.vm.verify.verifier import verify

            with collector_paused():
                known = self._refused[id(program)] = verify(program)
        return known

    @property
    def model(self) -> Model:
        """The model, with all that could be made of it."""
        model = self._made()[0]
        model.lent = lent_to(self.loader)
        return model

    def misread(self) -> list[Diagnostic]:
        """What was found when the model was made."""
        return self._made()[1]

    def _made(self) -> tuple[Model, list[Diagnostic]]:
        if self._read is None and self._needed is None:
            self._read = model_of(self.loader)
        elif self._read is None:
            from fcbdsl.project.analysis.incremental import read_changed

            self._reading = read_changed(self.loader, self._needed or no_test)
            self._read = self._reading.model, self._reading.problems
        return self._read

    def keep(self) -> None:
        """Keep what was made for other runs."""
        if self._reading is not None:
            self._reading.keep(self._both.kept if self._both is not None and self._fit else None)

    def printed(self) -> list[Definition]:
        """What is printed of it: everything of its own but what files of tests declare for themselves."""
        from fcbdsl.print.pieces.printables import own

        proofs = dict.fromkeys(proofs_of(self.loader))
        return [one for one in own(self.model) if one.span.source.name not in proofs]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the pipeline.

    `sound`: it needs a model without errors, and is left out where those before it found any. `asked`: it is slow, and
    is left out unless asked for by its name. `tests`: it looks at tests, too; what others find is the same, whatever
    tests say."""

    name: str
    says: str
    run: Callable[[Subject], Iterable[Diagnostic]]
    sound: bool = True
    asked: bool = False
    tests: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """How a check of the pipeline went: it was `run`; its result was `known` from an earlier run; it was left out as
    nobody had `asked` for it, or as there were `errors`. `seconds`: by the clock of whoever wanted to know."""

    name: str
    how: Literal["run", "known", "asked", "errors"]
    seconds: float = 0


class Analysis:
    """A checked project: every problem by file and place, how each check went, in order, and its game ("": the project
    is of one). Its model is only made (or loaded) if somebody wants it."""

    def __init__(self, subject: Subject, problems: Sequence[Diagnostic], passes: Sequence[Pass]) -> None:
        self._subject = subject
        self.problems = tuple(problems)
        self.passes = tuple(passes)
        self.game = subject.loader.project.game

    @property
    def model(self) -> Model:
        """The model that was checked."""
        return self._subject.model

    def program(self, tests: bool = False, hashed: bool = True) -> Program:
        """What is compiled of it, with its tests if asked for. What its checks have compiled is not compiled again."""
        program = self._subject.program(tests)
        return program.sealed() if hashed else program

    def tested(self) -> Program:
        """Its program with tests, to run these at once. No hash."""
        return self._subject.program(True)

    def played(self) -> Program:
        """What plays like its program without tests, and was made in less time: its numbers may be others. No hash."""
        return self._subject.played()

    def refused(self, tests: bool = False) -> list[Finding]:
        """What the verifier finds wrong with that program: it may run if that is nothing."""
        return self._subject.refused(self._subject.program(tests))

    @property
    def made(self) -> tuple[str, ...]:
        """The names of the checks that were made, be it in an earlier run."""
        return tuple(one.name for one in self.passes if one.how in ("run", "known"))

    def errors(self, strict: bool = False) -> list[Diagnostic]:
        """The problems that forbid making something of the project; `strict`: warnings count, too.

        What lacks words can be played: only `strict` counts it. `fcb render` leaves it out by itself."""
        return [one for one in self.problems if strict or (one.severity == "error" and not is_gap(one))]


def analysis_of(
    loader: Loader,
    asked: Sequence[str] = (),
    clock: Callable[[], float] = lambda: 0,
    needed: Choice | None = None,
    tell: Callable[[str], None] | None = None,
) -> Analysis:
    """Check what a loader has read. What checks have found is kept as a record of its own: of unchanged sources
    nothing else is loaded. `clock`: seconds, to tell how long each check took. `needed`: see `Subject`; the fewer tests
    anybody wants to have, the less has to be read. `tell`: is told what a slow check looks at."""
    from fcbdsl.project.analysis.pieces import in_sources

    subject = Subject(loader, needed, tell=tell)
    key, key_of_game = key_of(loader, FOUND), ""
    known: dict[str, list[Diagnostic]] = cache.load(key, _are_results) or {}
    if not known:
        key_of_game = _key_of_game(loader)
        known = _known_of_game(loader, key_of_game)
    before = tuple(known)
    problems = Problems(loader.problems)
    lent = lent_to(loader)
    untitled: dict[tuple[object, ...], None] = {}
    passes = []
    with collector_paused():
        for check in (_READING, *CHECKS):
            if check.asked and check.name not in asked:
                passes.append(Pass(check.name, "asked"))
                continue
            if check.sound and problems.errors:
                passes.append(Pass(check.name, "errors"))
                continue
            begin = clock()
            if check.name not in known:
                known[check.name] = in_sources(check.run(subject), loader.sources)
            found = known[check.name]
            passes.append(Pass(check.name, "known" if check.name in before else "run", clock() - begin))
            problems.extend(one for one in _ours(found, lent) if _place(one) not in untitled)  # that is one gap
            if check is _READING:
                untitled = {_place(one): None for one in found if isinstance(one, MissingTranslation)}
        if len(known) > len(before):
            cache.store(key, known)
            of_game = {one.name: known[one.name] for one in CHECKS if one.name in known and not one.tests}
            if not of_game.keys() <= set(before):
                cache.store(key_of_game or _key_of_game(loader), of_game)
            subject.keep()
    return Analysis(subject, _judged(loader, problems, lent, passes), passes)


def analysis_of_model(loader: Loader, model: Model, misread: Sequence[Diagnostic]) -> Analysis:
    """Make the checks after the first of a model that somebody follows as it changes; nothing is kept. `misread`: what
    the first has found."""
    subject = Subject(loader, _every_test, (model, list(misread)))
    problems = Problems(misread)
    lent = lent_to(loader)
    untitled = {_place(one): None for one in misread if isinstance(one, MissingTranslation)}
    passes = [Pass(_READING.name, "run")]
    with collector_paused():
        for check in CHECKS:
            how: Literal["run", "asked", "errors"] = "asked" if check.asked else "run"
            if check.sound and problems.errors:
                how = "errors"
            if how == "run":
                problems.extend(one for one in _ours(check.run(subject), lent) if _place(one) not in untitled)
            passes.append(Pass(check.name, how))
    return Analysis(subject, _judged(loader, problems, lent, passes), passes)


def _every_test(title: str, covers: Sequence[str], file: str) -> bool:
    return True


def _ours(found: Iterable[Diagnostic], lent: Sequence[str]) -> Iterator[Diagnostic]:
    """Findings but warnings of what is merely used: nobody can mend these."""
    return (one for one in found if one.severity == "error" or one.span.source.name not in lent)


def _judged(loader: Loader, problems: Problems, lent: Sequence[str], passes: Sequence[Pass]) -> list[Diagnostic]:
    """What a project makes of what its checks have found, in order."""
    own = [one for one in loader.sources if one.name not in lent]
    whole = all(one.how != "errors" for one in passes)
    found = problems.sorted()
    if any(one.severity == "error" for one in found):
        from fcbdsl.project.analysis.packs import with_packs

        found = list(with_packs(found, loader))
    return Problems(judged(gaps_as_errors(found), own, loader.project.severity, whole)).sorted()


def _known_of_game(loader: Loader, key: str) -> dict[str, list[Diagnostic]]:
    """What an earlier run has found in just this game, whatever its tests were."""
    from fcbdsl.project.analysis.pieces import in_game

    known: dict[str, list[Diagnostic]] = cache.load(key, _are_results) or {}
    return {name: in_game(found, loader.sources) for name, found in known.items()}


def _key_of_game(loader: Loader) -> str:
    """The cache's key for what is found in all that stands in the sources but tests."""
    from fcbdsl.project.analysis.pieces import pieces_of

    pieces = [piece for piece in pieces_of(loader.sources) if not piece.is_test]
    return key_of(loader, f"{FOUND} of the game", [f"{one.source.name}\n{one.text}" for one in pieces])


def _place(problem: Diagnostic) -> tuple[object, ...]:
    span = problem.span
    return span.source.name, span.line, problem.arguments.get("language")


def _are_results(found: object) -> bool:
    """Whether what was kept are lists of problems, by the names of checks."""
    return isinstance(found, dict) and all(
        isinstance(name, str) and isinstance(each, list) and all(isinstance(one, Diagnostic) for one in each)
        for name, each in found.items()
    )


FOUND = "found"
"""The purpose for which the findings of all checks are kept."""


# ── the checks ─────────────────────────────────────────────────────────────────────────────────


def _natives(subject: Subject) -> Iterable[Diagnostic]:
    if all(form.op is None or form.system == CORE for form in subject.model.forms):
        return []  # core is held by a test
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

    return idle(subject.model)


def _outcomes(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.language.model.checks.outcomes import outcomes

    return outcomes(subject.model)


def _looking(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.language.compiler import looking_problems

    return looking_problems(subject.model)


def _looks(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.pieces.looks import check_looks

    return check_looks(subject.model)


def _pictures(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.pieces.pictures import picture_problems
    from fcbdsl.print.pieces.printables import spoken

    if all(definition.art is None for definition in subject.model.definitions.values()):
        return []
    return list(picture_problems(subject.model, spoken(subject.model)))


def _wording(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.pieces.piece import PieceRegister, too_many
    from fcbdsl.print.pieces.printables import is_mission
    from fcbdsl.project.analysis.wording import wording_problems

    printed = subject.printed()
    pieces = [one for one in printed if not is_mission(one)]
    many = too_many(PieceRegister(subject.model, printed), pieces)
    return [*wording_problems(subject.loader, subject.model, printed), *many]


def _program(subject: Subject) -> Iterable[Diagnostic]:
    program = subject.played()  # before it runs for somebody, all of it is verified
    yield from _refusals(subject, program, subject.unfit())


def _tested(subject: Subject) -> Iterable[Diagnostic]:
    if not subject.model.tests:
        return
    yield from _refusals(subject, subject.program(True), subject.unfit_tests())


def _refusals(subject: Subject, program: Program, unfit: Sequence[Finding]) -> Iterator[Diagnostic]:
    """Return the findings of the verifier at the lines of the sources."""
    if not unfit:
        return
    from fcbdsl.machine.vm.verify.verifier import written_at
    from fcbdsl.play.campaign.review import place

    sources = {source.name: source for source in subject.loader.sources}
    for finding in unfit:
        span = place(program, sources, written_at(program, finding.place))
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
    from fcbdsl.project.analysis.setup_check import starting_problems

    model, sources, proofs = subject.model, subject.loader.sources, proofs_of(subject.loader)
    allowed = repr([(one.id, one.players) for one in model.definitions.values() if one.kind.id == MISSION])
    return _run(
        subject,
        "missions that begin",
        allowed,
        lambda program, image: list(starting_problems(model, program, image, sources, proofs)),
    )


def _run(
    subject: Subject, purpose: str, terms: str, look: Callable[[Program, Image], list[Diagnostic]]
) -> list[Diagnostic]:
    """Return what `look` finds in games of what is played; nothing if it found nothing in an earlier run, and nothing
    has changed since of what its games ran, nor of `terms`."""
    from fcbdsl.machine.vm.fingerprint import code_names, meaning
    from fcbdsl.project.analysis.pieces import digest

    program, key = subject.played(), latest(subject.loader, purpose)
    kept = cache.load(key, _is_what_ran)
    if kept is not None and digest(terms + meaning(program, kept[0])) == kept[1]:
        return []  # nothing has changed of what they run
    if subject.refused(program):
        return []  # games run it: that a cache knows its codes to be sound is not enough
    from fcbdsl.machine.vm.image import Image

    image = Image(program)
    found = look(program, image)
    if not found:
        names = code_names(program)
        ran = tuple(names[number] for number in image.ran())
        cache.store(key, (ran, digest(terms + meaning(program, ran))))
    return found


def _is_what_ran(found: object) -> bool:
    """Whether what was kept are names of codes, and a digest of them."""
    match found:
        case (tuple(names), str()):
            return all(isinstance(name, str) for name in names)
    return False


def _fit(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.print.press.proofs import fit_problems, silent
    from fcbdsl.print.press.table_sheets import table_problems

    printed, tell = subject.printed(), subject.tell or silent
    return [*fit_problems(subject.model, printed, tell), *table_problems(subject.model, printed, tell)]


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
"""The slow check of whether everything fits its paper."""

CHECKS: tuple[Check, ...] = (
    Check("natives", "forms bind native ops as those are", _natives, sound=False),
    Check("translations", "translations are of what is said now, and fit to be printed", _translations),
    Check("idle", "cards come into play, conditions and choices are such, events happen", _idle),
    Check("outcomes", "what the game needs can happen, and leaves no value out", _outcomes),
    Check("looking", "what is only looked at asks, rolls and changes nothing", _looking, tests=True),
    Check("looks", "layouts name what exists", _looks, sound=False),
    Check("pictures", "pictures are there, draw and nothing else, and say whose they are", _pictures, sound=False),
    Check("wording", "all that is printed has words and glyphs in every language, and is not too much", _wording),
    Check("program", "what is compiled of the game may run", _program),
    Check("tests", "what is compiled of the tests may run", _tested, tests=True),
    Check("missions", "missions can be set up for each number of players, and somebody decides in them", _missions),
    Check("campaigns", "campaigns come to an end, and to all that they promise", _campaigns),
    Check(FIT, "cards, sheets and aids fit their paper", _fit, asked=True),
)
"""Every check after the first, in order."""
