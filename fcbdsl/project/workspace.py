"""A project that is open: its files as they lie on the disk or are being written, and what is known of them.

Whoever answers while somebody types stands on this: an edit costs what it touches, not what there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.pausing import settle
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import lower
from fcbdsl.language.model import ir
from fcbdsl.language.model.check import Checker
from fcbdsl.language.model.content import Definition, Rule, Test, Track
from fcbdsl.language.model.declarations import Action, Declared, Form
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.ir.node import Node
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.pieces import Pieces, read_pieces
from fcbdsl.language.syntax.tree import File
from fcbdsl.machine.vm.program import Program
from fcbdsl.project.project import Project, is_own, lent_to, load, proofs_of, used, without_consequences

if TYPE_CHECKING:
    from fcbdsl.language.prose import RulesText
    from fcbdsl.play.testing.impact import TestCoverage
    from fcbdsl.project.source_hashes import Seals


class Workspace:
    """A project, or a game of it, that is open.

    Files are called by their names as problems call them: relative to the working folder if they lie below it."""

    def __init__(
        self, paths: Sequence[Path] = (), *, tests: bool = True, root: Path | None = None, game: str = ""
    ) -> None:
        """Open what `paths`, `tests`, `root` and `game` mean to `project.load`; raises what it raises."""
        self._asked = paths, tests, root, game
        self._unsaved: dict[str, str] = {}
        self._pieces: dict[str, Pieces] = {}
        self._files: dict[str, File] = {}
        self._problems: list[Diagnostic] | None = None
        self._coverage: tuple[Seals, TestCoverage] | None = None
        self._laid: list[str] = []
        self._load()
        self.problems()
        # what was made just now lives as long as this: to look for garbage in it again and again would take longer
        # than any edit
        settle()

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its files, in order of need."""
        return tuple(self._files)

    @property
    def model(self) -> Model:
        """The model as it is now; an edit changes it, or puts another one in its place."""
        return self._checker.model

    @property
    def reread(self) -> int:
        """How many declarations the last edit has had read again."""
        return self._checker.done.read

    @property
    def redeclared(self) -> bool:
        """Whether the last edit has had everything declared anew: it was not only of bodies."""
        return self._checker.done.declared

    def text(self, name: str) -> str:
        """The text of a file as it is now. Raises KeyError for a file that isn't there."""
        return self._files[name].source.text

    def tree(self, name: str) -> File:
        """The tree of a file as it is now. Raises KeyError for a file that isn't there."""
        return self._files[name]

    def declarations(self, *sorts: str) -> list[Declaration]:
        """The declarations of some sorts (none: all), as their head lines say."""
        index = self._checker.context.index
        return list(index.of(*sorts)) if sorts else list(index.all)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that mean something now."""
        return self._checker.context.vocabulary

    def change(self, name: str, text: str | None) -> None:
        """Let a file have a text that is not saved; None: what lies on the disk counts again."""
        if text is None:
            self._unsaved.pop(name, None)
        else:
            self._unsaved[name] = text.replace("\r\n", "\n").replace("\r", "\n")
        known = self._files.get(name)
        if text is None or known is None or used(known.source.text) != used(self._unsaved[name]):
            self.refresh()
            return
        sources = self.loader.sources
        at = next(at for at, source in enumerate(sources) if source.name == name)
        sources[at] = Source(name, self._unsaved[name])
        self._update()

    def refresh(self) -> None:
        """Look at the disk again: files, and the project file among them, may have come, gone or changed. Raises what
        `project.load` raises."""
        self._load(self.loader.project)

    def _load(self, before: Project | None = None) -> None:
        """Read all files. Under other settings than those of the project `before`, nothing is known any more."""
        self.loader = load(*self._asked, unsaved=self._unsaved)
        project = self.loader.project
        self._proofs = proofs_of(self.loader)
        laid = [source.text for source in self.loader.catalogs]
        same = before is not None and (project.variants, project.languages) == (before.variants, before.languages)
        if not same or laid != self._laid:
            catalogs = self.loader.translations()
            self._laid = laid
            self._checker = Checker(project.variants, project.languages, self._proofs, catalogs, lent_to(self.loader))
        self._update()

    def _update(self) -> None:
        """Read what has changed."""
        pieces: dict[str, Pieces] = {}
        files: dict[str, File] = {}
        for source in self.loader.sources:
            name = source.name
            known = self._pieces.get(name)
            if known is not None and known.source.text == source.text:
                pieces[name], files[name] = known, self._files[name]
            else:
                pieces[name] = read_pieces(source, known.pieces if known is not None else ())
                files[name] = pieces[name].file()
        self._pieces, self._files = pieces, files
        self._checker.update(list(files.values()), self._proofs)
        self._checker.model.pack = self.loader.project.title
        self._checker.model.revision = self.loader.project.revision
        self._checker.model.lent = lent_to(self.loader)
        self._problems = None

    # ── what is known ─────────────────────────────────────────────────────────────────────────

    def problems(self, name: str | None = None) -> list[Diagnostic]:
        """What is wrong: with one file, or with all, by place. What must be compiled, drawn or played to be found
        (`analysis.pipeline`) is not among it."""
        if self._problems is None:
            problems = Problems(self.loader.problems)
            for pieces in self._pieces.values():
                problems.extend(pieces.problems())
            problems.extend(without_consequences(self._checker.problems(), list(problems)))
            self._problems = problems.sorted()
        return [one for one in self._problems if name is None or one.span.source.name == name]

    def trial(self, texts: Mapping[str, str]) -> tuple[Model, list[Diagnostic]]:
        """What the model and its problems would be if some files had other texts; nothing changes."""
        project = self.loader.project
        problems = Problems(self.loader.problems)
        files: list[File] = []
        for name, pieces in self._pieces.items():
            if name in texts:
                file, found = parse(Source(name, texts[name]))
                problems.extend(found)
            else:
                file = self._files[name]
                problems.extend(pieces.problems())
            files.append(file)
        catalogs, lent = self.loader.translations(), lent_to(self.loader)
        checker = Checker(project.variants, project.languages, self._proofs, catalogs, lent)
        model = checker.update(files, self._proofs)
        problems.extend(without_consequences(checker.problems(), list(problems)))
        return model, problems.sorted()

    def owns(self, name: str) -> bool:
        """Whether a file is the project's, to be changed by it: not one that comes with fcb, unless it ships that."""
        return name in self._files and is_own(Path(name), self.loader.project)

    def at(self, name: str, line: int, column: int) -> list[Node]:
        """The nodes of the typed tree at a place of a file (line and column from 1), the innermost first."""
        here = line, column
        found: list[tuple[tuple[int, int], Node]] = []
        for node in self._nodes(name):
            span = node.span
            if span.source.name != name:
                continue
            start, end = span.source.position(span.start), span.source.position(span.end)
            if start <= here < end:
                found.append(((end[0] - start[0], span.end - span.start), node))
        return [node for _, node in sorted(found, key=lambda one: one[0])]

    def _nodes(self, name: str) -> Iterator[ir.Expr | ir.Stmt]:
        """The nodes with a place that belong to declarations of a file."""
        for owner, root in roots(self.model):
            span = getattr(owner, "span", None)
            if span is None or span.source.name == name:
                for node in ir.walk(root):
                    if hasattr(node, "span"):
                        yield node  # type: ignore[misc]

    def declared(self, name: str, line: int) -> Declared | None:
        """The declaration with a body that stands at a line (from 1) of a file: a card, a verb, a rule, a test …"""
        found = [one for one in self._owners(name) if one.span.line <= line]
        owner = max(found, key=lambda one: one.span.line, default=None)
        return owner if owner is not None and line <= self._lines(owner)[1] else None

    def rules_text(self, declared: Declared, language: str = "en") -> RulesText:
        """What is printed of a declaration in a language; what has no words there is a problem of the text. Empty for
        what is no card, action, rule, track or form. Raises KeyError for a language that isn't spoken."""
        from fcbdsl.language.prose import LANGUAGES, RulesText, describe

        if language not in LANGUAGES:
            raise KeyError(language)
        if not isinstance(declared, Action | Definition | Form | Rule | Track):
            return RulesText(())
        return describe(declared, self.model, language)

    def tests_of(self, declared: Declared) -> list[Test]:
        """The tests that run something of a declaration, in order; a test reaches itself.

        For that each test is played: once, and again when the game has changed; of a changed test file only what is new
        in it. Raises ValueError if there are errors."""
        if isinstance(declared, Test):
            return [declared]
        name, (first, last) = declared.span.source.name, self._lines(declared)
        numbers = self._played().of_lines(name, first, last)
        return [self.model.tests[number] for number in numbers or ()]

    def _played(self) -> TestCoverage:
        """What each test runs of the game as it is now."""
        from fcbdsl.play.testing.impact import test_keys, watch
        from fcbdsl.project.source_hashes import sealed

        seals = sealed(self._files.values(), self._proofs, repr(self.loader.project.variants).encode())
        known = self._coverage
        if known is not None and known[0] == seals:
            return known[1]
        program = self.program(tests=True)
        before, same = None, {}
        if known is not None and known[0].game == seals.game:
            before, then = known[1], {seal: place for place, seal in known[0].tests.items()}
            same = {place: then[seals.tests[place]] for place in test_keys(program) if seals.tests[place] in then}
        coverage = watch(program, range(len(program.tests)), lambda image: None, before, same)
        self._coverage = seals, coverage
        return coverage

    def _owners(self, name: str) -> Iterator[Declared]:
        """The declarations with bodies of a file."""
        for unit in self._checker.units():
            if unit.owner is not None and unit.owner.span.source.name == name:
                yield unit.owner

    def _lines(self, declared: Declared) -> tuple[int, int]:
        """The first and the last line of a declaration in its file."""
        source = declared.span.source
        text = source.text.rstrip()
        return declared.span.line, source.position(len(text))[0]

    def program(self, tests: bool = False) -> Program:
        """What is compiled of it. Raises ValueError if there are errors."""
        if any(one.severity == "error" for one in self.problems()):
            raise ValueError("what has errors is not compiled")
        return lower(self.model, tests=tests)
