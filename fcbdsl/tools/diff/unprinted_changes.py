"""Changes that play differently and print the same: `fcb mutate --print`.

A *printed effect* is a declaration whose printed text fcb generates from its typed tree. These are definitions with a
card or sheet (or parts and stories of these), and actions or rules of a mission's file. They include the costs of
actions, and the effects of statuses, tokens, terrains and barriers without a `reminder`. Verbs, relations, measures and
keywords print the words of their `text` and `reminder` lines, not their bodies: they are no printed effects.

A change of a printed effect *plays differently* if the compiled game differs in more than numbering
(`machine.vm.fingerprint`). It is *silent* in a language if no card, sheet, aid or reference of the game prints
differently in that language, and no new problem with its words is reported.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum
from operator import itemgetter
from typing import Any

from fcbdsl.base.catalog import Catalog
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler import program_without_hash, signature_problems
from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import File, Line
from fcbdsl.machine.vm.fingerprint import ComparedProgram, comparison_form, program_difference
from fcbdsl.print.pieces.printables import printable_languages
from fcbdsl.tools.diff.printing import PAGE, Key, Printing, marker_names, printing
from fcbdsl.tools.mutation.explained import Explained, Unprinted
from fcbdsl.tools.mutation.forked_map import forked_map
from fcbdsl.tools.mutation.mutants import Mutant, mutants, sample_mutants
from fcbdsl.tools.mutation.referents import print_operators
from fcbdsl.tools.mutation.sites import SourceMeanings
from fcbdsl.tools.mutation.workbench import Follower

NAME = "silent.toml"
"""The file of explained silent changes, in the project's folder of mutation."""
WORDED = frozenset(["reminder", "text"])
"""Lines that give an effect the words of its author."""
TERMS = frozenset(["costs", "limit", "once"])
"""Lines of an action that the aid prints from the tree."""
MARKERS, GROUNDS = frozenset(["status", "token"]), frozenset(["terrain", "barrier"])
"""Declarations whose effects or properties the reference prints from the tree, unless a `reminder` words them."""
MINE = frozenset(["action", "rule"])
"""Declarations that a mission's sheet prints from the tree if they are in the mission's file."""

Progress = Callable[[int, int, int], None]
"""Called with the number of changes tried, the number of all, and the number of silent ones."""


class PrintFate(Enum):
    """The result of trying a change."""

    INVALID = "invalid"
    PRINTED = "printed"
    SAME = "same"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Hearing:
    """The result of one change: the languages in which it is silent, and the printed text there, before and after."""

    mutant: Mutant
    outcome: PrintFate
    silent: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class SilenceReport:
    """The results of changes. `possible`: changes of printed effects; `explained`: tried changes with an entry.

    `worded`: changes left alone because the author words their effect, by the first word of the declaration.
    `offpaper`: changes of definitions that are not printed.
    """

    languages: tuple[str, ...]
    possible: int
    worded: dict[str, int]
    offpaper: dict[str, int]
    hearings: list[Hearing]
    explained: list[Mutant] = field(default_factory=list)
    lapsed: list[Explained] = field(default_factory=list)

    @property
    def taken(self) -> int:
        """Return the number of sampled changes."""
        return len(self.hearings) + len(self.explained)

    def count(self, outcome: PrintFate) -> int:
        """Return how many changes had an outcome."""
        return sum(hearing.outcome is outcome for hearing in self.hearings)

    @property
    def silent(self) -> list[Hearing]:
        """Return the silent changes without an explanation, in order."""
        return [hearing for hearing in self.hearings if hearing.outcome is PrintFate.SILENT]

    def to_record(self) -> dict[str, Any]:
        """Return the report as plain data for tools."""
        return {
            "possible": self.possible,
            "taken": self.taken,
            "invalid": self.count(PrintFate.INVALID),
            "printed": self.count(PrintFate.PRINTED),
            "same": self.count(PrintFate.SAME),
            "explained": len(self.explained),
            "silent": {lang: sum(lang in mutation.silent for mutation in self.silent) for lang in self.languages},
            "changes": [
                {
                    "file": mutation.mutant.key.file,
                    "line": mutation.mutant.line,
                    "of": mutation.mutant.key.of,
                    "text": mutation.mutant.key.text,
                    "operator": mutation.mutant.operator,
                    "change": mutation.mutant.key.change,
                    "silent": list(mutation.silent),
                    "prints": dict(mutation.texts),
                }
                for mutation in self.silent
            ],
            "worded": self.worded,
            "off paper": self.offpaper,
            "lapsed": [
                {
                    "file": explained.key.file,
                    "text": explained.key.text,
                    "change": explained.key.change,
                    "entry": explained.line,
                }
                for explained in self.lapsed
            ],
        }


@dataclass(slots=True)
class PrintTrial:
    """A project whose changes are printed. `files`: all of its files without tests; `model`: the unchanged model."""

    files: Sequence[File]
    model: Model
    switches: Mapping[str, str]
    languages: Sequence[str]
    catalogs: Sequence[Catalog] = ()
    _base: Printing = field(init=False)
    _follower: Follower = field(init=False)
    _compared: ComparedProgram | None = None
    _by_name: dict[str, File] = field(init=False)
    _homes: dict[str, list[tuple[int, Key]]] = field(init=False)
    _owners: dict[Key, list[Key]] = field(init=False)
    _hooked: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self._base = printing(self.model)
        self._follower = Follower(self.files, self.switches, self.languages, (), self.catalogs)
        self._by_name = {file.source.name: file for file in self.files}
        self._hooked = marker_names(self.model, self.printed[0]) if self.printed else []
        self._homes = {}
        for key, definition in self.model.definitions.items():
            self._homes.setdefault(definition.span.source.name, []).append((definition.span.line, key))
        self._owners = {}
        for key, definition in self.model.definitions.items():
            for part in definition.parts:
                self._owners.setdefault((part.kind.id, part.id), []).append(key)
            if definition.target is not None:
                self._owners.setdefault(key, []).append((definition.target.kind.id, definition.target.id))

    @property
    def printed(self) -> tuple[str, ...]:
        """Return the languages in which the game is printed."""
        return tuple(printable_languages(self.model))

    def prepare(self) -> None:
        """Print and compile the unchanged game, so that many changes can be compared with it."""
        self._follower.prepare()
        for language in self.printed:
            for key in self._base.everything():
                self._base.of(key, language)
        self._compared = comparison_form(program_without_hash(self.model))

    def sort(self, mutant: Mutant) -> str:
        """Return the sort of a change: `printed`, `worded` (the author's own words) or `off paper`."""
        top, inner = self._lines(mutant)
        head = keyword_of(top)
        keys = self._near(mutant)
        if keys:
            definitions = [self.model.definitions[key] for key in keys]
            if any(keyword_of(line) in WORDED for line in top.block) or all(
                definition.text for definition in definitions
            ):
                return "worded"
            return "printed" if any(self._is_on_paper(key) for key in self._around(keys)) else "off paper"
        reminded = any(keyword_of(line) in WORDED for line in top.block)
        if head in GROUNDS:
            return "worded" if reminded else "printed"
        if head in MARKERS:
            return "printed" if mutant.key.of.partition(" ")[2] in self._hooked else "worded"
        if head in MINE and self._is_of_mission(mutant.key.file):
            return "worded" if reminded and not self._is_terms(inner) else "printed"
        if head == "action" and self._is_terms(inner):
            return "printed"
        return "worded"

    def _is_terms(self, inner: Line) -> bool:
        return keyword_of(inner) in TERMS

    def _is_of_mission(self, name: str) -> bool:
        """Return whether a file contains a mission."""
        return any(
            any(kind.id == "mission" for kind in self.model.definitions[key].kind.lineage())
            for _, key in self._homes.get(name, ())
        )

    def _is_on_paper(self, key: Key) -> bool:
        return self._base.is_printed(key)

    def _lines(self, mutant: Mutant) -> tuple[Line, Line]:
        """Return the line of the declaration, and the line in it that leads to the change."""
        lines = self._by_name[mutant.key.file].lines
        text = self._by_name[mutant.key.file].source.text
        start = mutant.start + len(text[mutant.start :]) - len(text[mutant.start :].lstrip())
        top = lines[max(bisect_right([line.offset for line in lines], start) - 1, 0)]
        inner = [line for line in top.block if line.offset <= start]
        return top, inner[-1] if inner else top

    def _near(self, mutant: Mutant) -> list[Key]:
        """Return the definitions that the changed declaration declares."""
        top, _ = self._lines(mutant)
        end = top.source.position(top.whole.end)[0]
        first = top.span.line
        return [key for line, key in self._homes.get(mutant.key.file, ()) if first <= line <= end]

    def _around(self, keys: Sequence[Key]) -> list[Key]:
        """Return definitions with those that print them: owners of parts, and missions that they are for or with."""
        keys_around = dict.fromkeys(keys)
        for key in list(keys_around):
            keys_around |= dict.fromkeys(self._owners.get(key, ()))
            name = self.model.definitions[key].span.source.name
            keys_around |= {
                other: None
                for _, other in self._homes[name]
                if any(kind.id == "mission" for kind in self.model.definitions[other].kind.lineage())
            }
        return list(keys_around)

    def hear(self, mutant: Mutant) -> Hearing:
        """Check and print the game with a change, and compile it if nothing prints differently. Return the result."""
        files = self._follower.changed(mutant)
        if files is None:
            return Hearing(mutant, PrintFate.INVALID)
        with collector_paused():
            model, problems = self._follower.model(files, whole=False)
            if any(problem.severity == "error" for problem in [*problems, *signature_problems(model)]):
                return Hearing(mutant, PrintFate.INVALID)
            now = printing(model)
            silent = [language for language in self.printed if self._is_silent(now, mutant, language)]
            if not silent:
                return Hearing(mutant, PrintFate.PRINTED)
            _, problems = self._follower.model(files, whole=True)
            if any(problem.severity == "error" for problem in problems):
                return Hearing(mutant, PrintFate.INVALID)
            if self._compared is None:
                self._compared = comparison_form(program_without_hash(self.model))
            other = comparison_form(program_without_hash(model))
            if not program_difference(self._compared, other) and not program_difference(other, self._compared):
                return Hearing(mutant, PrintFate.SAME)
        near = self._around(self._near(mutant))
        texts = {language: "\n".join(self._words(near, language)) for language in silent}
        return Hearing(mutant, PrintFate.SILENT, tuple(silent), texts)

    def _words(self, keys: Sequence[Key], language: str) -> Iterator[str]:
        for key in keys:
            yield from self._base.of(key, language).words

    def _is_silent(self, now: Printing, mutant: Mutant, language: str) -> bool:
        """Return whether a changed game prints and reports the same. It compares what is near the change first."""
        near = self._around(self._near(mutant))
        seen = dict.fromkeys(near or [(PAGE, "reference"), (PAGE, "aid")])
        seen |= dict.fromkeys([*self._base.everything(), *now.everything()])
        return all(self._base.of(key, language) == now.of(key, language) for key in seen)


def changes_of(trial: PrintTrial, names: Sequence[str]) -> tuple[list[Mutant], dict[str, int], dict[str, int]]:
    """Return the changes of printed effects in some files, and the numbers of other changes.

    The others, by the first word of the declaration, change effects that the author words, or definitions that are not
    printed.
    """
    vocabulary = SourceMeanings(trial.model)
    operators = print_operators(vocabulary)
    by_name = {file.source.name: file for file in trial.files}
    unprinted: list[Mutant] = []
    left: dict[str, dict[str, int]] = {"worded": {}, "off paper": {}}
    for name in sorted(names):
        for mutant in mutants(by_name[name], vocabulary, operators):
            sort = trial.sort(mutant)
            if sort == "printed":
                unprinted.append(mutant)
            else:
                word = mutant.key.of.partition(" ")[0]
                left[sort][word] = left[sort].get(word, 0) + 1
    return unprinted, left["worded"], left["off paper"]


def listen(
    trial: PrintTrial,
    names: Sequence[str],
    entries: Sequence[Explained] = (),
    unprinted: Sequence[Unprinted] = (),
    *,
    only: Sequence[str] = (),
    number: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress = lambda done, of, silent: None,
) -> SilenceReport:
    """Try a sample of `number` (None: all) of the changes of printed effects in some files.

    Explained changes are counted and not tried. `only`: names of operators.
    """
    mutants, worded, offpaper = changes_of(trial, names)
    keys = {mutant.key for mutant in mutants}
    lapsed = [entry for entry in entries if entry.key.file in names and entry.key not in keys]
    if only:
        mutants = [mutant for mutant in mutants if mutant.operator in only]
    chosen = sample_mutants(mutants, len(mutants) if number is None else number, seed)
    explained_keys = {entry.key for entry in entries}
    explained_mutants = [
        mutant for mutant in chosen if mutant.key in explained_keys or any(rule.fits(mutant) for rule in unprinted)
    ]
    explained = {mutant.key for mutant in explained_mutants}
    report = SilenceReport(trial.printed, len(mutants), worded, offpaper, [], explained_mutants, lapsed)
    trial.prepare()
    silent = 0
    hearings: dict[int, Hearing] = {}
    tried = [mutant for mutant in chosen if mutant.key not in explained]
    for at, hearing in forked_map(trial.hear, tried, jobs, chunk=4):
        hearings[at] = hearing
        silent += hearing.outcome is PrintFate.SILENT
        progress(len(hearings), len(tried), silent)
    report.hearings = [hearing for _, hearing in sorted(hearings.items(), key=itemgetter(0))]
    return report
