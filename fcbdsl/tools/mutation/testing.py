"""A run of mutation testing: it tries a sample of a project's mutants and reports the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from operator import itemgetter
from typing import Any

from fcbdsl.base.records import dataclass
from fcbdsl.tools.mutation.explained import Explained
from fcbdsl.tools.mutation.forked_map import forked_map
from fcbdsl.tools.mutation.mutants import Mutant, mutants, sample_mutants
from fcbdsl.tools.mutation.mutation_operators import OPERATORS
from fcbdsl.tools.mutation.result_cache import Fate, Verdict
from fcbdsl.tools.mutation.sites import SourceMeanings
from fcbdsl.tools.mutation.trial import Trial

FATES = {Fate.INVALID: "invalid", Fate.KILLED: "killed", Fate.SURVIVED: "survived"}
"""The names of fates in figures; all others count as equivalent."""

MANY = 12
"""The number of mutants from which the preparation saves time."""

Progress = Callable[[int, int], None]
"""Called with the number of mutants tried, and the number of survivors among them."""


@dataclass(slots=True)
class Report:
    """The results of sampled mutants. `possible`: the number of all mutants; `explained`: the sampled ones with
    an entry."""

    possible: int
    verdicts: list[Verdict]
    explained: list[tuple[Mutant, Explained]] = field(default_factory=list)
    lapsed: list[Explained] = field(default_factory=list)

    @property
    def taken(self) -> int:
        """Return the number of sampled mutants."""
        return len(self.verdicts) + len(self.explained)

    def of(self, fate: Fate) -> list[Verdict]:
        """Return the mutants with that result, in order."""
        return [verdict for verdict in self.verdicts if verdict.fate is fate]

    @property
    def known(self) -> int:
        """Return how many results come from the cache."""
        return sum(verdict.known for verdict in self.verdicts)

    @property
    def equivalent(self) -> int:
        """Return how many mutants can't be noticed: they are explained, or compile to the same game."""
        return len(self.explained) + len(self.of(Fate.SAME))

    @property
    def survivors(self) -> list[Verdict]:
        """Return the mutants that no test noticed, in order."""
        return self.of(Fate.SURVIVED)

    def operators(self) -> dict[str, dict[str, int]]:
        """Return for each sampled operator, in canonical order, the number of each result."""
        out: dict[str, dict[str, int]] = {}
        rows = [(verdict.mutant.operator, FATES.get(verdict.fate, "equivalent")) for verdict in self.verdicts]
        rows += [(mutant.operator, "equivalent") for mutant, _ in self.explained]
        for operator in OPERATORS:
            fates = [fate for name, fate in rows if name == operator.name]
            if fates:
                names = [*FATES.values(), "equivalent"]
                out[operator.name] = {"taken": len(fates), **{name: fates.count(name) for name in names}}
        return out

    def to_record(self) -> dict[str, Any]:
        """Return the report as plain data for tools."""
        return {
            "taken": self.taken,
            "invalid": len(self.of(Fate.INVALID)),
            "killed": len(self.of(Fate.KILLED)),
            "survived": len(self.survivors),
            "equivalent": self.equivalent,
            "survivors": [
                {"file": survivor.mutant.key.file, "line": survivor.mutant.line, "change": survivor.mutant.key.change}
                for survivor in self.survivors
            ],
            "same": len(self.of(Fate.SAME)),
            "known": self.known,
            "possible": self.possible,
            "operators": self.operators(),
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


def possible(trial: Trial, vocabulary: SourceMeanings, files: Sequence[str]) -> list[Mutant]:
    """Return every mutant of some of a trial's files, in canonical order."""
    by_name = {file.source.name: file for file in trial.files}
    return [mutant for name in sorted(files) for mutant in mutants(by_name[name], vocabulary)]


def mutate(
    trial: Trial,
    mutants: Sequence[Mutant],
    entries: Sequence[Explained] = (),
    *,
    number: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    progress: Progress = lambda done, survived: None,
) -> Report:
    """Try a sample of `number` (None: all) of the mutants found; explained ones are counted and not tried.

    `jobs`: number of processes, which does not affect the results. Where processes can't fork, there is one.
    """
    chosen = sample_mutants(mutants, len(mutants) if number is None else number, seed)
    explained = {entry.key: entry for entry in entries}
    report = Report(len(mutants), [])
    report.explained = [(mutant, explained[mutant.key]) for mutant in chosen if mutant.key in explained]
    if len(chosen) >= MANY:
        trial.prepare()
    survived = 0
    verdicts: dict[int, Verdict] = {}
    tried = [mutant for mutant in chosen if mutant.key not in explained]
    for at, verdict in forked_map(trial.verdict, tried, jobs):
        verdicts[at] = verdict
        if trial.past is not None:
            trial.past.note(verdict)
        survived += verdict.fate is Fate.SURVIVED
        progress(len(verdicts), survived)
    report.verdicts = [verdict for _, verdict in sorted(verdicts.items(), key=itemgetter(0))]
    return report
