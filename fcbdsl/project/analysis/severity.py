"""Severities and allowances of a project for findings.

Errors are always errors: such a project cannot be compiled. A project may raise warnings, turn them off, or allow one
at a line by a comment there. A comment that allows nothing is a warning itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fcbdsl.base.diagnostics import suggest
from fcbdsl.base.diagnostics.allowing import NothingAllowed, NotToBeAllowed
from fcbdsl.base.diagnostics.base import Diagnostic, Fix
from fcbdsl.base.diagnostics.registry import find_diagnostic, known_codes
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
    """A comment that allows a code at a line of a file. `span`: the code; `comment`: the text to remove with it."""

    source: Source
    line: int
    code: str
    span: Span
    comment: Span


def apply_severities(
    problems: Sequence[Diagnostic], sources: Sequence[Source], severity: Mapping[str, str], whole: bool
) -> list[Diagnostic]:
    """Return findings with the severities of a project: `severity` maps codes to ``error``, ``warning`` or ``off``.

    Comments in its `sources` allow some findings at their lines. `whole`: all checks ran, so that unused comments can
    be reported.
    """
    allowances = [allowance for source in sources for allowance in allowances_in(source)]
    marks = [tunable for source in sources for tunable in tunables_in(source)]
    problems = [*problems, *(mark for mark in marks if isinstance(mark, Diagnostic))]
    at = {(allowance.source.name, allowance.line, allowance.code): allowance for allowance in allowances}
    used: dict[Allowance, None] = {}
    out: list[Diagnostic] = []
    for finding in problems:
        allowed = at.get((finding.span.source.name, finding.span.line, finding.code))
        if finding.severity == "error":
            out.append(finding)
        elif allowed is not None:
            used[allowed] = None
        elif severity.get(finding.code) != OFF:
            out.append(finding.as_error() if severity.get(finding.code) == "error" else finding)
    for allowance in allowances:
        cls = find_diagnostic(allowance.code)
        if cls is None or cls.severity == "error":
            out.append(NotToBeAllowed(allowance.span, code=allowance.code, suggestion=_near(allowance.code)))
        elif whole and allowance not in used:
            out.append(NothingAllowed(allowance.span, code=allowance.code, fix=Fix(allowance.comment, "")))
    return out


def allowances_in(source: Source) -> Iterator[Allowance]:
    """Yield the allowing comments of a file: after a line for that line, on a separate line for the next line with
    code."""
    if _SIGN not in source.text:
        return
    for match in _ALLOWING.finditer(source.text):
        line = source.position(match.start())[0]
        alone = not match["before"].strip()
        if alone:
            line = _next_line(source, line)
        start = match.start() if alone else match.start() + len(match["before"].rstrip())
        comment = Span(source, start, min(match.end() + alone, len(source.text)))
        for code in re.finditer(r"\w+", match["codes"]):
            begin = match.start("codes") + code.start()
            yield Allowance(source, line, code[0], Span(source, begin, begin + len(code[0])), comment)


def _next_line(source: Source, line: int) -> int:
    """Return the number of the next line that is neither empty nor a comment."""
    lines = source.text.split("\n")
    rest = range(line - source.above, len(lines))
    return next(
        (at + 1 + source.above for at in rest if lines[at].strip() and not lines[at].lstrip().startswith("#")), 0
    )


def _near(code: str) -> str | None:
    return suggest(code, known_codes()) if find_diagnostic(code) is None else None
