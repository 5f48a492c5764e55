"""Did you mean …?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_left: ContextVar[list[int] | None] = ContextVar("letters that may still be compared", default=None)


@contextmanager
def comparing(letters: int) -> Iterator[None]:
    """Limit how many pairs of letters `suggest` may compare in this context; beyond that it suggests nothing.

    So a file with thousands of misspelled names, in a project with thousands of correct ones, is still checked quickly.
    """
    token = _left.set([letters])
    try:
        yield
    finally:
        _left.reset(token)


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that is most likely meant by a misspelled `name`, or None.

    The nearest by edit distance (a swap of neighbors counts as one edit) wins, case being half an edit; ties go to the
    first in alphabetical order. A third of the letters may be wrong, at least one and at most three. Return None, too,
    when the limit of `comparing` is reached.
    """
    left = _left.get()
    if left is not None and left[0] <= 0:
        return None
    allowed = 2 * min(3, max(1, len(name) // 3))
    best: tuple[int, str] | None = None
    for candidate in sorted(set(candidates)):
        if candidate == name or 2 * abs(len(candidate) - len(name)) > allowed:
            continue
        if left is not None:
            left[0] -= len(name) * len(candidate)
        distance = _distance(name, candidate)
        if distance <= allowed and (best is None or distance < best[0]):
            best = (distance, candidate)
    return best[1] if best else None


def _distance(a: str, b: str) -> int:
    """Return twice the restricted Damerau–Levenshtein distance, where a change of case costs one.

    F. J. Damerau, "A technique for computer detection and correction of spelling errors", CACM 7(3), 1964.
    """
    before: list[int] = []
    row = [2 * j for j in range(len(b) + 1)]
    for i, x in enumerate(a, 1):
        current = [2 * i]
        for j, y in enumerate(b, 1):
            change = 0 if x == y else 1 if x.lower() == y.lower() else 2
            cost = min(row[j] + 2, current[j - 1] + 2, row[j - 1] + change)
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 2)
            current.append(cost)
        before, row = row, current
    return row[-1]
