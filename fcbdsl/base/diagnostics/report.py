"""Findings as text for people and as JSON for tools."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.files import UnlistedProblems
from fcbdsl.base.source import Span
from fcbdsl.base.visible import visible

LONGEST = 200
"""Characters of a source line that a report shows at most."""

_RESET = "\x1b[0m"
_STYLES = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "place": "\x1b[34m", "help": "\x1b[36m", "bold": "\x1b[1m"}


class _Paint:
    """Applies terminal styles, or none."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, style: str, text: str) -> str:
        return f"{_STYLES[style]}{text}{_RESET}" if self._colour else text


def limit_findings(findings: Sequence[Diagnostic], most: int) -> Sequence[Diagnostic]:
    """Return the findings that a report for tools lists: the first `most`, and one that counts the others."""
    rest = findings[most:]
    if not rest:
        return findings
    errors = sum(problem.severity == "error" for problem in rest)
    more = UnlistedProblems(rest[0].span, errors=f"{errors:,}", warnings=f"{len(rest) - errors:,}")
    more.severity = "error" if errors else "warning"
    return [*findings[:most], more]


def findings_to_text(findings: Iterable[Diagnostic], colour: bool = False) -> str:
    """Return the findings as text, each with its source line, the place underlined, and the fix."""
    paint = _Paint(colour)
    return "".join(_finding(finding, paint) + "\n" for finding in findings)


def _finding(finding: Diagnostic, paint: _Paint) -> str:
    span = finding.span
    gutter = len(str(max([span.line, *(related.span.line for related in finding.related)])))
    head = paint(finding.severity, f"{finding.severity}[{finding.code}]") + ": " + paint("bold", finding.message)
    lines = [head, *_excerpt(span, "", "^", finding.severity, gutter, None, paint)]
    shown = span.source.name
    for related in finding.related:
        lines += _excerpt(related.span, related.label, "-", "place", gutter, shown, paint)
        shown = related.span.source.name
    if finding.advice:
        lines.append(paint("place", " " * gutter + " = ") + paint("help", "help: ") + finding.advice)
    lines += [f"{' ' * gutter} {paint('place', '|')} {note}".rstrip() for note in finding.notes]
    return "\n".join(lines) + "\n"


def _excerpt(span: Span, label: str, mark: str, style: str, gutter: int, shown: str | None, paint: _Paint) -> list[str]:
    """Return the line of a span, underlined; `shown` is the file whose name is not repeated."""
    line, column = span.source.position(span.start)
    blank = paint("place", " " * gutter + " |")
    lines = [blank]
    if span.source.name != shown:
        lines = [paint("place", " " * gutter + "--> ") + f"{visible(span.source.name)}:{line}:{column}", blank]
    text, start = _window(span.source.line_text(line), column - 1)
    before, marked = text[:start], text[start : start + span.end - span.start]
    under = " " * _width(before) + paint(style, (mark * _width(marked) or mark) + (f" {label}" if label else ""))
    return [*lines, paint("place", f"{line:>{gutter}} |") + f" {visible(text)}".rstrip(), f"{blank} {under}"]


def _window(line: str, start: int) -> tuple[str, int]:
    """Return the visible part of a line around its character `start`, and the position of that character in it.

    Lines of at most `LONGEST` characters are shown completely; in longer ones, ellipses replace the rest.
    """
    if len(line) <= LONGEST:
        return line, start
    first = max(0, min(start - LONGEST // 4, len(line) - LONGEST))
    cut = line[first : first + LONGEST]
    before, after = "…" * (first > 0), "…" * (first + LONGEST < len(line))
    return f"{before}{cut}{after}", start - first + len(before)


def _width(text: str) -> int:
    """Terminal columns of a text: East Asian wide characters take two, combining marks none."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else unicodedata.combining(c) == 0 for c in text)


def to_records(findings: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Return the findings as plain data. Lines and columns count from 1; ends are exclusive."""
    return [
        {
            **_place(finding.span),
            "code": finding.code,
            "severity": finding.severity,
            "message": finding.message,
            "help": finding.advice,
            "suggestion": finding.suggestion,
            "fix": finding.fix and {**_place(finding.fix.span), "replacement": finding.fix.replacement},
            "notes": list(finding.notes),
            "related": [{**_place(related.span), "message": related.label} for related in finding.related],
        }
        for finding in findings
    ]


def findings_to_json(findings: Iterable[Diagnostic]) -> str:
    """Return the findings as a JSON array of `to_records`."""
    return json.dumps(to_records(findings), ensure_ascii=False, indent=2)


def _place(span: Span) -> dict[str, Any]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {"file": span.source.name, "line": line, "column": column, "endLine": end_line, "endColumn": end_column}
