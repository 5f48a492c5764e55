"""Numbers that an author leaves to be tuned: marked by a comment, with the bounds between which they may lie."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from fcbdsl.analysis.pieces import pieces_of
from fcbdsl.diagnostics.allowing import NothingTunable
from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.records import dataclass
from fcbdsl.source import Source, Span

_SIGN = "fcb: tunable"
_MARK = re.compile(r"^(?P<code>.*?)(?P<mark>#[ ]+fcb:[ ]*tunable\b(?P<bounds>.*))$", re.MULTILINE)
_BOUNDS = re.compile(r"[ ]+([0-9]{1,6})\.\.([0-9]{1,6})[ ]*")
_NUMBER = re.compile(r"(?<![\w#-])[0-9]{1,6}(?![\w])")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_MISSION = re.compile(r"mission[ ]+([\w-]+)")


@dataclass(frozen=True, slots=True)
class Tunable:
    """A number that may lie from `low` to `high`, and where it stands. `mission`: in whose declaration, if in one's."""

    span: Span
    value: int
    low: int
    high: int
    mission: str = ""

    @property
    def values(self) -> range:
        """All that it may be."""
        return range(self.low, self.high + 1)

    @property
    def line(self) -> str:
        """What its line says, without remarks."""
        return self.span.source.line_text(self.span.line).partition("#")[0].strip()

    @property
    def place(self) -> str:
        """Where it stands: ``FILE:LINE``."""
        return f"{self.span.source.name}:{self.span.line}"


def tunables_in(source: Source) -> Iterator[Tunable | Diagnostic]:
    """The numbers of a file that are marked, each the last of its line, in order; and what is wrong with marks."""
    if _SIGN not in source.text:
        return
    missions = [(piece, _MISSION.match(source.text, piece.head)) for piece in pieces_of([source])]
    for found in _MARK.finditer(source.text):
        mark = Span(source, found.start("mark"), found.end("mark"))
        bounds = _BOUNDS.fullmatch(found["bounds"])
        code = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), found["code"])
        numbers = list(_NUMBER.finditer(code))
        if bounds is None:
            yield NothingTunable(mark, why="It does not say from where to where")
            continue
        low, high = int(bounds[1]), int(bounds[2])
        if not numbers:
            yield NothingTunable(mark, why="There is no number in its line")
            continue
        number = numbers[-1]
        value = int(number[0])
        if not low <= value <= high or low == high:
            yield NothingTunable(mark, why=f"{value} is not one of several numbers from {low} to {high}")
            continue
        span = Span(source, found.start() + number.start(), found.start() + number.end())
        within = next((head[1] for piece, head in missions if head is not None and piece.holds(span)), "")
        yield Tunable(span, value, low, high, within)


def retuned(sources: Iterable[Source], values: Mapping[Tunable, int]) -> dict[str, str]:
    """The texts of those files, by name, in which numbers become others."""
    out: dict[str, str] = {}
    for source in sources:
        text = source.text
        own = [one for one in values if one.span.source is source]
        for one in sorted(own, key=lambda one: -one.span.start):
            text = text[: one.span.start] + str(values[one]) + text[one.span.end :]
        if text != source.text:
            out[source.name] = text
    return out
