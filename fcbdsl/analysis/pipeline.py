"""The pipeline of checks, in order: whoever makes something of sources asks for all of them first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl import cache
from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.diagnostics.declarations import MissingTranslation
from fcbdsl.diagnostics.files import RefusedProgram
from fcbdsl.diagnostics.problems import Problems
from fcbdsl.project import CORE, checked, key_of, lies_in, load
from fcbdsl.source import Source, Span

if TYPE_CHECKING:
    from fcbdsl.model.content import Definition
    from fcbdsl.model.whole import Model
    from fcbdsl.project import Loader


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: a model, and what it was read from."""

    model: Model
    loader: Loader

    def printed(self) -> list[Definition]:
        """What is printed of it: everything printable but what files of tests declare for themselves."""
        from fcbdsl.render.proofs import printable

        project = self.loader.project
        proofs = project.folders(project.tests)
        return [one for one in printable(self.model) if not lies_in(Path(one.span.source.name), proofs)]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the pipeline.

    `sound`: it needs a model without errors, and is left out where those before it found any. `asked`: it is slow, and
    is left out unless asked for by its name. `kept`: its result is kept in the cache."""

    name: str
    says: str
    run: Callable[[Subject], Iterable[Diagnostic]]
    sound: bool = True
    asked: bool = False
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Analysis:
    """A checked project: its model, every problem by file and place, the checks that were made, by name, and its game
    ("": the project is of one)."""

    model: Model
    problems: tuple[Diagnostic, ...]
    made: tuple[str, ...]
    game: str = ""

    def errors(self, strict: bool = False) -> list[Diagnostic]:
        """The problems that forbid making something of the project; `strict`: warnings count, too."""
        return [problem for problem in self.problems if strict or problem.severity == "error"]


def analyse(
    paths: Sequence[Path] = (),
    *,
    tests: bool = True,
    root: Path | None = None,
    asked: Sequence[str] = (),
    game: str = "",
) -> Analysis:
    """Check the files at `paths`, or the whole project, and return the model with every problem.

    `tests`, `root`, `game`: see `project.load`. `asked`: names of slow checks to make as well. Raises what `load`
    raises, and OSError for files that can't be read."""
    return analysis_of(load(paths, tests, root, game), asked)


def analysis_of(loader: Loader, asked: Sequence[str] = ()) -> Analysis:
    """Check what a loader has read."""
    model, found = checked(loader)
    problems = Problems(found)
    untitled = {_place(one) for one in found if isinstance(one, MissingTranslation)}
    subject = Subject(model, loader)
    made = [READING]
    for check in CHECKS:
        if (check.asked and check.name not in asked) or (check.sound and problems.errors):
            continue
        problems.extend(one for one in _made(check, subject) if _place(one) not in untitled)  # that is one gap
        made.append(check.name)
    return Analysis(model, tuple(problems.sorted()), tuple(made), loader.project.game)


def _place(problem: Diagnostic) -> tuple[object, ...]:
    span = problem.span
    return span.source.name, span.line, problem.arguments.get("language")


def _made(check: Check, subject: Subject) -> Iterable[Diagnostic]:
    """What a check finds; of an unchanged project it is known already."""
    if not check.kept:
        return check.run(subject)
    key = key_of(subject.loader, check.name)
    found: list[Diagnostic] | None = cache.load(key, _is_result)
    if found is None:
        found = list(check.run(subject))
        cache.store(key, found)
    return found


def _is_result(found: object) -> bool:
    """Whether what was kept is a list of problems."""
    return isinstance(found, list) and all(isinstance(problem, Diagnostic) for problem in found)


# ── the checks ─────────────────────────────────────────────────────────────────────────────────


def _natives(subject: Subject) -> Iterable[Diagnostic]:
    if all(form.op is None or form.system == CORE for form in subject.model.forms):
        return []  # core is held by a test
    from fcbdsl.compiler import signature_problems

    return signature_problems(subject.model)


def _looking(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.compiler import looking_problems

    return looking_problems(subject.model)


def _looks(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.render.looks import check_looks

    return check_looks(subject.model)


def _wording(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.render.proofs import wording_problems

    return wording_problems(subject.model, subject.printed())


def _program(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.campaign.review import place
    from fcbdsl.compiler import lower
    from fcbdsl.vm.verify import verify, written_at

    program = lower(subject.model, tests=True)
    sources = {source.name: source for source in subject.loader.sources}
    for finding in verify(program):
        span = place(program, sources, written_at(program, finding.place))
        yield RefusedProgram(span or NOWHERE, finding=finding)


def _campaigns(subject: Subject) -> Iterable[Diagnostic]:
    if not any(kind == CAMPAIGN for kind, _ in subject.model.definitions):
        return []
    from fcbdsl.campaign.review import review
    from fcbdsl.compiler import lower

    return review(lower(subject.model), {source.name: source for source in subject.loader.sources})


def _fit(subject: Subject) -> Iterable[Diagnostic]:
    from fcbdsl.render.proofs import fit_problems

    return fit_problems(subject.model, subject.printed())


NOWHERE = Span(Source("program", ""), 0, 0)
CAMPAIGN = "campaign"
"""The kind of campaigns."""

READING = "reading"
"""The first check, which makes the model: text, lines, names, phrases, types, lints, missions, the project file."""
FIT = "fit"
"""The slow check of whether everything fits its paper."""

CHECKS: tuple[Check, ...] = (
    Check("natives", "forms bind native ops as those are", _natives, sound=False, kept=False),
    Check("looking", "what is only looked at asks, rolls and changes nothing", _looking),
    Check("looks", "layouts name what exists", _looks, sound=False, kept=False),
    Check("wording", "all that is printed has words and glyphs in every language", _wording),
    Check("program", "what is compiled of it may run", _program),
    Check("campaigns", "campaigns come to an end, and to all that they promise", _campaigns),
    Check(FIT, "cards and sheets fit their paper", _fit, asked=True),
)
"""Every check after the first, in order."""
