"""Mutants: single edits of single files, in one canonical order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.language.syntax.tree import File
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.tools.mutation.mutation_operators import OPERATORS, Edit, Operator
from fcbdsl.tools.mutation.sites import Sites, SourceMeanings, Spot


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """Identifies a mutant in stored files: its file, the head of its declaration, the text of its line, and the change.

    `which` numbers equal lines of a declaration from 1. Changes of other lines do not affect a key.
    """

    file: str
    of: str
    text: str
    which: int
    change: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """An edit of a file: `new` replaces its text from `start` to `end`. `line`: counted from 1; `first` and `last`: the
    first and the last line that the edit touches."""

    key: Key
    operator: str
    line: int
    first: int
    last: int
    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """Return the text of the file after the mutation."""
        return text[: self.start] + self.new + text[self.end :]


def mutants(file: File, vocabulary: SourceMeanings, operators: Sequence[Operator] = OPERATORS) -> list[Mutant]:
    """Return every mutant of a file, ordered by place and then by operator. Only the first of equal edits is
    returned."""
    sites = Sites(file, vocabulary)
    seen: dict[tuple[str, str], int] = {}
    out: dict[tuple[int, int, str], tuple[tuple[int, int, int], Mutant]] = {}
    for spot in sites.spots:
        which = seen[spot.of, spot.text] = seen.get((spot.of, spot.text), 0) + 1
        for rank, operator in enumerate(operators):
            for edit in operator.find(sites, spot):
                order = edit.start, rank, edit.end
                mutant = _mutant(sites, spot, which, operator.name, edit)
                out.setdefault((edit.start, edit.end, edit.new), (order, mutant))
    return [mutant for _, mutant in sorted(out.values(), key=lambda each: each[0])]


def _mutant(sites: Sites, spot: Spot, which: int, operator: str, edit: Edit) -> Mutant:
    source = sites.file.source
    key = Key(source.name, spot.of, spot.text, which, _described(sites, spot, edit))
    old = source.text[edit.start : edit.end]
    first = source.position(edit.start + len(old) - len(old.lstrip()))[0]
    last = source.position(max(edit.start, edit.start + len(old.rstrip()) - 1))[0]
    return Mutant(key, operator, spot.line.span.line, first, last, edit.start, edit.end, edit.new)


def _described(sites: Sites, spot: Spot, edit: Edit) -> str:
    """Return the change in words: `2` → `3`, or: without `judge`. Words that occur several times in their line have a
    number."""
    if edit.removed:
        return f"without `{_flat(edit.removed)}`"
    old = _flat(sites.text[edit.start : edit.end])
    before = _flat(sites.text[spot.line.offset : edit.start])
    count = before.count(old) + 1
    nth = f" ({count})" if count > 1 else ""
    return f"`{old}`{nth} → `{_flat(edit.new)}`" if edit.new else f"without `{old}`{nth}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def sample_mutants(mutants: Iterable[Mutant], number: int, seed: int) -> list[Mutant]:
    """Return a random sample of that size, in canonical order. The same seed gives the same sample."""
    every = list(mutants)
    chance = Generator(seed, "mutants")
    order = list(range(len(every)))
    chance.shuffle(order)
    return [every[at] for at in sorted(order[:number])]
