"""Numbers that `fcb tune` may change: an author marks them with a comment that gives their bounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fcbdsl.base.diagnostics.allowing import NothingTunable
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.project.analysis.source_pieces import source_pieces

_SIGN = "fcb: tunable"
_MARK = re.compile(r"^(?P<code>.*?)(?P<mark>#[ ]+fcb:[ ]*tunable\b(?P<bounds>.*))$", re.MULTILINE)
_BOUNDS = re.compile(r"([0-9]{1,6})\.\.([0-9]{1,6})")
_LEFT_ALONE = "-"
_NUMBER = re.compile(r"(?<![\w#-])[0-9]{1,6}(?![\w])")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_MISSION = re.compile(r"mission[ ]+([\w-]+)")


@dataclass(frozen=True, slots=True)
class Tunable:
    """A number that may be from `low` to `high`, with its place. `mission`: the mission that contains it, if any."""

    span: Span
    value: int
    low: int
    high: int
    mission: str = ""

    @property
    def values(self) -> range:
        """Return all values that the number may have."""
        return range(self.low, self.high + 1)

    @property
    def line(self) -> str:
        """Return the text of its line, without comments."""
        return self.span.source.line_text(self.span.line).partition("#")[0].strip()

    @property
    def place(self) -> str:
        """Return the place of the number: ``FILE:LINE:COLUMN``."""
        return f"{self.span.source.name}:{self.span.line}:{self.span.column}"


def tunables_in(source: Source) -> Iterator[Tunable | Diagnostic]:
    """Yield the marked numbers of a file, in order, and the problems of marks.

    A mark has bounds for the last number of its line or, separated by commas, for as many of the last ones, in order. A
    ``-`` leaves a number unchanged.
    """
    if _SIGN not in source.text:
        return
    missions = [(piece, _MISSION.match(source.text, piece.head)) for piece in source_pieces([source])]
    for line_mark in _MARK.finditer(source.text):
        mark = Span(source, line_mark.start("mark"), line_mark.end("mark"))
        code = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), line_mark["code"])
        numbers = [
            (Span(source, line_mark.start() + match.start(), line_mark.start() + match.end()), int(match[0]))
            for match in _NUMBER.finditer(code)
        ]
        wrong, marked = _marked(line_mark["bounds"], numbers)
        if wrong:
            yield NothingTunable(mark, why=wrong)
            continue
        for span, value, low, high in marked:
            within = next((head[1] for piece, head in missions if head is not None and piece.holds(span)), "")
            yield Tunable(span, value, low, high, within)


def _marked(mark: str, numbers: Sequence[tuple[Span, int]]) -> tuple[str, list[tuple[Span, int, int, int]]]:
    """Return the problem of a mark, or an empty text and its numbers with their bounds."""
    parts = [part.strip() for part in mark.split(",")]
    bounds = [_BOUNDS.fullmatch(part) for part in parts]
    if any(bound is None and part != _LEFT_ALONE for bound, part in zip(bounds, parts, strict=True)) or not any(bounds):
        return "it gives no range such as `6..10`", []
    if not numbers:
        return "its line has no number", []
    if len(parts) > len(numbers):
        return f"it gives {len(parts)} ranges, but its line has {len(numbers)} numbers", []
    marked = []
    for bound, (span, value) in zip(bounds, numbers[-len(parts) :], strict=True):
        if bound is None:
            continue
        low, high = int(bound[1]), int(bound[2])
        if not low <= value <= high or low == high:
            return f"{value} is not one of several numbers from {low} to {high}", []
        marked.append((span, value, low, high))
    return "", marked


def apply_tunables(sources: Iterable[Source], values: Mapping[Tunable, int]) -> dict[str, str]:
    """Return the texts of the files, by name, with other values for some numbers."""
    out: dict[str, str] = {}
    for source in sources:
        text = source.text
        own = [value for value in values if value.span.source is source]
        for tunable in sorted(own, key=lambda tunable: -tunable.span.start):
            text = text[: tunable.span.start] + str(values[tunable]) + text[tunable.span.end :]
        if text != source.text:
            out[source.name] = text
    return out
