"""A collection of diagnostics, sorted and without repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fcbdsl.base.diagnostics.base import Diagnostic


class Problems:
    """Findings of one run. Iteration yields them by file and place, without duplicates.

    For errors with `once_per_line` (of reading text and lines), only the first on a line is kept, because later ones
    are most often follow-on errors.
    """

    def __init__(self, findings: Iterable[Diagnostic] = ()) -> None:
        self._found: list[Diagnostic] = list(findings)

    def add(self, finding: Diagnostic) -> None:
        """Record a finding."""
        self._found.append(finding)

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Record several findings."""
        self._found.extend(findings)

    @property
    def recorded(self) -> int:
        """Return the number of findings that were added, repetitions included."""
        return len(self._found)

    def taken(self) -> list[Diagnostic]:
        """Return the findings in the order in which they were added, and remove them."""
        problems, self._found = self._found, []
        return problems

    def sorted(self) -> list[Diagnostic]:
        """Return the findings by file name, place and code, without repetitions."""
        unique: list[Diagnostic] = []
        seen: set[tuple[object, ...]] = set()
        for finding in sorted(self._found, key=_place):
            key = _identity(finding)
            if key not in seen:
                seen.add(key)
                unique.append(finding)
        return unique

    @property
    def errors(self) -> list[Diagnostic]:
        """Return the findings that are errors, in order."""
        return [finding for finding in self.sorted() if finding.severity == "error"]

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.sorted())

    def __len__(self) -> int:
        return len(self.sorted())


def _place(finding: Diagnostic) -> tuple[str, int, int, str]:
    return *finding.span.place, finding.code


def _identity(finding: Diagnostic) -> tuple[object, ...]:
    """Return the identity of a finding; duplicates have equal ones."""
    span = finding.span
    if finding.once_per_line and finding.severity == "error":
        return span.source.name, "line", span.line
    return *span.place, finding.code, finding.message
