"""What a project makes of findings: how grave they are to it, and where it allows them.

Errors are errors: what cannot be compiled is not for a project to decide. Warnings it may raise, drop, or allow at a
line by a comment there, which is warned of itself once it allows nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fcbdsl.base.diagnostics import suggest
from fcbdsl.base.diagnostics.allowing import NothingAllowed, NotToBeAllowed
from fcbdsl.base.diagnostics.base import Diagnostic, Fix
from fcbdsl.base.diagnostics.registry import find, known_codes
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.project.analysis.tunables import tunables_in

OFF = "off"
_SIGN = "fcb: allow"
_ALLOWING = re.compile(
    r"^(?P<before>.*?)(?P<comment>#[ ]+fcb:[ ]*allow[ ]+(?P<codes>\w+(?:,[ ]*\w+)*).*)$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """A comment that allows a code at a line of a file. `span`: of the code; `comment`: what goes if it goes."""

    source: Source
    line: int
    code: str
    span: Span
    comment: Span


def judged(
    found: Sequence[Diagnostic], sources: Sequence[Source], severity: Mapping[str, str], whole: bool
) -> list[Diagnostic]:
    """Findings as a project sees them: `severity` names codes and ``error``, ``warning`` or ``off``; comments in its
    `sources` allow some at their lines. `whole`: all checks were made, so that what allows nothing can be told."""
    allowances = [one for source in sources for one in allowances_in(source)]
    marks = [one for source in sources for one in tunables_in(source)]
    found = [*found, *(one for one in marks if isinstance(one, Diagnostic))]
    at = {(one.source.name, one.line, one.code): one for one in allowances}
    used: dict[Allowance, None] = {}
    out: list[Diagnostic] = []
    for finding in found:
        allowed = at.get((finding.span.source.name, finding.span.line, finding.code))
        if finding.severity == "error":
            out.append(finding)
        elif allowed is not None:
            used[allowed] = None
        elif severity.get(finding.code) != OFF:
            out.append(finding.as_error() if severity.get(finding.code) == "error" else finding)
    for one in allowances:
        cls = find(one.code)
        if cls is None or cls.severity == "error":
            out.append(NotToBeAllowed(one.span, code=one.code, suggestion=_near(one.code)))
        elif whole and one not in used:
            out.append(NothingAllowed(one.span, code=one.code, fix=Fix(one.comment, "")))
    return out


def allowances_in(source: Source) -> Iterator[Allowance]:
    """The comments of a file that allow something: behind a line for that line, on a line of their own for the next
    one that says something."""
    if _SIGN not in source.text:
        return
    for found in _ALLOWING.finditer(source.text):
        line = source.position(found.start())[0]
        alone = not found["before"].strip()
        if alone:
            line = _next_line(source, line)
        start = found.start() if alone else found.start() + len(found["before"].rstrip())
        comment = Span(source, start, min(found.end() + alone, len(source.text)))
        for code in re.finditer(r"\w+", found["codes"]):
            begin = found.start("codes") + code.start()
            yield Allowance(source, line, code[0], Span(source, begin, begin + len(code[0])), comment)


def _next_line(source: Source, line: int) -> int:
    """The number of the next line that is neither empty nor a comment."""
    lines = source.text.split("\n")
    rest = range(line - source.above, len(lines))
    return next(
        (at + 1 + source.above for at in rest if lines[at].strip() and not lines[at].lstrip().startswith("#")), 0
    )


def _near(code: str) -> str | None:
    return suggest(code, known_codes()) if find(code) is None else None
