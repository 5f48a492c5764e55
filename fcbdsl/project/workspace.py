"""An open project: its files, saved or being edited, with its model and problems.

Editor and preview use it: the cost of an edit depends on what it touches, not on the size of the project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.pausing import settle
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import FollowedLowering
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
from fcbdsl.project.project import files_of_tests, is_own_file, lent_to, load_project, names_used, without_consequences
from fcbdsl.project.settings import Project

if TYPE_CHECKING:
    from fcbdsl.language.prose import RulesText
    from fcbdsl.play.testing.impact import TestCoverage
    from fcbdsl.project.source_hashes import Seals


class Workspace:
    """An open project, or one game of it.

    Files have the names that problems show: relative to the working folder if they are inside.
    """

    def __init__(
        self, paths: Sequence[Path] = (), *, tests: bool = True, root: Path | None = None, game: str = ""
    ) -> None:
        """Open the project that `project.load_project` would read for these arguments; raise what it raises."""
        self._asked = paths, tests, root, game
        self._unsaved: dict[str, str] = {}
        self._pieces: dict[str, Pieces] = {}
        self._files: dict[str, File] = {}
        self._problems: list[Diagnostic] | None = None
        self._coverage: tuple[Seals, TestCoverage] | None = None
        self._lowerings: dict[bool, FollowedLowering] = {}
        self._laid: list[str] = []
        self._load()
        self.problems()
        # these objects live as long as the workspace; scanning them for garbage would take longer than any edit
        settle()

    def reopened(self) -> Workspace:
        """Return another workspace of the same project, without unsaved texts; raise what `load_project` raises."""
        paths, tests, root, game = self._asked
        return Workspace(paths, tests=tests, root=root, game=game)

    @property
    def files(self) -> tuple[str, ...]:
        """Return the names of its files, in order of dependence."""
        return tuple(self._files)

    @property
    def model(self) -> Model:
        """Return the present model; an edit changes it or replaces it."""
        return self._checker.model

    @property
    def reread(self) -> int:
        """Return how many declarations the last edit has invalidated."""
        return self._checker.done.read

    @property
    def redeclared(self) -> bool:
        """Return whether the last edit has invalidated all declarations: it concerned more than bodies."""
        return self._checker.done.declared

    def text(self, name: str) -> str:
        """Return the present text of a file. Raise KeyError for an unknown file."""
        return self._files[name].source.text

    def tree(self, name: str) -> File:
        """Return the present tree of a file. Raise KeyError for an unknown file."""
        return self._files[name]

    def declarations(self, *sorts: str) -> list[Declaration]:
        """Return the declarations of some sorts (none: all), from their head lines."""
        index = self._checker.context.index
        return list(index.of(*sorts)) if sorts else list(index.all)

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the present vocabulary."""
        return self._checker.context.vocabulary

    def change(self, name: str, text: str | None) -> None:
        """Set the unsaved text of a file; None: the file on the disk counts again."""
        if text is None:
            self._unsaved.pop(name, None)
        else:
            self._unsaved[name] = text.replace("\r\n", "\n").replace("\r", "\n")
        parsed = self._files.get(name)
        if text is None or parsed is None or names_used(parsed.source.text) != names_used(self._unsaved[name]):
            self.refresh()
            return
        sources = self.loader.sources
        at = next(at for at, source in enumerate(sources) if source.name == name)
        sources[at] = Source(name, self._unsaved[name])
        self._update()

    def note_saved(self, name: str) -> None:
        """Record that the file on the disk now has the unsaved text."""
        self._unsaved.pop(name, None)

    def refresh(self) -> None:
        """Read the disk again, where files and the project file may have changed.

        Raise what `project.load_project` raises.
        """
        self._load(self.loader.project)

    def _load(self, before: Project | None = None) -> None:
        """Read all files. If the settings differ from those of the project `before`, the whole cache is invalid."""
        self.loader = load_project(*self._asked, unsaved=self._unsaved)
        project = self.loader.project
        self._proofs = files_of_tests(self.loader)
        laid = [source.text for source in self.loader.catalogs]
        same = before is not None and (project.variants, project.languages) == (before.variants, before.languages)
        if not same or laid != self._laid:
            catalogs = self.loader.translations()
            self._laid = laid
            self._checker = Checker(project.variants, project.languages, self._proofs, catalogs, lent_to(self.loader))
        self._update()

    def _update(self) -> None:
        """Read the changed files."""
        pieces: dict[str, Pieces] = {}
        files: dict[str, File] = {}
        for source in self.loader.sources:
            name = source.name
            cached = self._pieces.get(name)
            if cached is not None and cached.source.text == source.text:
                pieces[name], files[name] = cached, self._files[name]
            else:
                pieces[name] = read_pieces(source, cached.pieces if cached is not None else ())
                files[name] = pieces[name].file()
        self._pieces, self._files = pieces, files
        self._checker.update(list(files.values()), self._proofs)
        self._checker.model.pack = self.loader.project.title
        self._checker.model.revision = self.loader.project.revision
        self._checker.model.lent = lent_to(self.loader)
        self._problems = None

    # ── results ───────────────────────────────────────────────────────────────────────────────

    def problems(self, name: str | None = None) -> list[Diagnostic]:
        """Return the problems of one file, or of all, by place.

        Problems that are only found by compiling, drawing or playing (`analysis.pipeline`) are not included.
        """
        if self._problems is None:
            problems = Problems(self.loader.problems)
            for pieces in self._pieces.values():
                problems.extend(pieces.problems())
            problems.extend(without_consequences(self._checker.problems(), list(problems)))
            self._problems = problems.sorted()
        return [problem for problem in self._problems if name is None or problem.span.source.name == name]

    def trial(self, texts: Mapping[str, str]) -> tuple[Model, list[Diagnostic]]:
        """Return the model and the problems with other texts for some files, without changing anything."""
        project = self.loader.project
        problems = Problems(self.loader.problems)
        files: list[File] = []
        for name, pieces in self._pieces.items():
            if name in texts:
                file, parse_problems = parse(Source(name, texts[name]))
                problems.extend(parse_problems)
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
        """Return whether a file belongs to the project: it does not come with fcb, or this is fcb's own project."""
        return name in self._files and is_own_file(Path(name), self.loader.project)

    def at(self, name: str, line: int, column: int) -> list[Node]:
        """Return the nodes of the typed tree at a place of a file (line and column from 1), the innermost first."""
        here = line, column
        nodes: list[tuple[tuple[int, int], Node]] = []
        for node in self._nodes(name):
            span = node.span
            if span.source.name != name:
                continue
            start, end = span.source.position(span.start), span.source.position(span.end)
            if start <= here < end:
                nodes.append(((end[0] - start[0], span.end - span.start), node))
        return [node for _, node in sorted(nodes, key=lambda pair: pair[0])]

    def _nodes(self, name: str) -> Iterator[ir.Expr | ir.Stmt]:
        """Yield the nodes with a place that belong to declarations of a file."""
        for owner, root in roots(self.model):
            span = getattr(owner, "span", None)
            if span is None or span.source.name == name:
                for node in ir.walk(root):
                    if hasattr(node, "span"):
                        yield node  # type: ignore[misc]

    def declared(self, name: str, line: int) -> Declared | None:
        """Return the declaration with a body at a line (from 1) of a file: a card, a verb, a rule, a test …"""
        above = [declared for declared in self._owners(name) if declared.span.line <= line]
        owner = max(above, key=lambda declared: declared.span.line, default=None)
        return owner if owner is not None and line <= self._lines(owner)[1] else None

    def rules_text(self, declared: Declared, language: str = "en") -> RulesText:
        """Return the printed text of a declaration in a language, with missing words as problems of the text.

        The text is empty for other things than a card, action, rule, track or form. Raise KeyError for an unknown
        language.
        """
        from fcbdsl.language.prose import LANGUAGES, RulesText, rules_text

        if language not in LANGUAGES:
            raise KeyError(language)
        if not isinstance(declared, Action | Definition | Form | Rule | Track):
            return RulesText(())
        return rules_text(declared, self.model, language)

    def tests_of(self, declared: Declared) -> list[Test]:
        """Return the tests that run code of a declaration, in order; a test reaches itself.

        This plays each test: once, and again when the game has changed; after a change of a test file only its new
        tests. Raise ValueError if there are errors.
        """
        if isinstance(declared, Test):
            return [declared]
        name, (first, last) = declared.span.source.name, self._lines(declared)
        numbers = self._played().of_lines(name, first, last)
        return [self.model.tests[number] for number in numbers or ()]

    def _played(self) -> TestCoverage:
        """Return the code that each test of the present game runs; memoized."""
        from fcbdsl.project.recorded_coverage import recorded_coverage
        from fcbdsl.project.source_hashes import hash_sources

        seals = hash_sources(self._files.values(), self._proofs, repr(self.loader.project.variants).encode())
        coverage = recorded_coverage(seals, lambda: self.program(tests=True), self._coverage)
        self._coverage = seals, coverage
        return coverage

    def _owners(self, name: str) -> Iterator[Declared]:
        """Yield the declarations with bodies of a file."""
        for unit in self._checker.units():
            if unit.owner is not None and unit.owner.span.source.name == name:
                yield unit.owner

    def _lines(self, declared: Declared) -> tuple[int, int]:
        """Return the first and the last line of a declaration in its file."""
        source = declared.span.source
        text = source.text.rstrip()
        return declared.span.line, source.position(len(text))[0]

    def program(self, tests: bool = False) -> Program:
        """Return the compiled program. Raise ValueError if there are errors."""
        if any(problem.severity == "error" for problem in self.problems()):
            raise ValueError("what has errors is not compiled")
        lowering = self._lowerings.get(tests)
        if lowering is None or lowering.model is not self.model:
            lowering = self._lowerings[tests] = FollowedLowering(self.model, tests)
        return lowering.program().sealed()

    def is_lowered_whole(self, tests: bool = False) -> bool:
        """Return whether the last program was lowered whole, and not only what an edit had touched."""
        return self._lowerings[tests].whole
