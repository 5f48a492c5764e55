"""Findings in formats of other tools: GitHub's annotations, SARIF 2.1.0, and JUnit's XML.

Errors come first. Findings beyond a reader's limit are left out, and a remark gives their number.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.base.visible import visible

GITHUB_SHOWS = 10
"""Most annotations of each level that GitHub shows for a step."""
SARIF_SHOWS = 5000
"""Most results that GitHub accepts from a SARIF run."""
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def by_weight(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings with errors first, each group in its order."""
    return sorted(findings, key=lambda problem: problem.severity != "error")


# ── GitHub ─────────────────────────────────────────────────────────────────────────────────────


def to_github(findings: Iterable[Diagnostic]) -> str:
    """Return workflow commands that GitHub shows as annotations, errors first; a notice counts the hidden ones."""
    lines: list[str] = []
    hidden: list[str] = []
    ordered = by_weight(findings)
    for severity in ("error", "warning"):
        these = [diagnostic for diagnostic in ordered if diagnostic.severity == severity]
        lines += map(_annotation, these[:GITHUB_SHOWS])
        if len(these) > GITHUB_SHOWS:
            hidden.append(f"{len(these) - GITHUB_SHOWS} more {severity}s")
    if hidden:
        lines.append(f"::notice::{' and '.join(hidden)} not shown here: fcb check tells all.")
    return "".join(f"{line}\n" for line in lines)


def _annotation(finding: Diagnostic) -> str:
    span = finding.span
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    places = {"file": visible(span.source.name), "line": line, "endLine": end_line}
    if line == end_line:  # GitHub accepts columns of a single line only
        places |= {"col": column, "endColumn": end_column}
    properties = ",".join(
        f"{key}={_in_property(str(value))}" for key, value in {**places, "title": finding.code}.items()
    )
    return f"::{finding.severity} {properties}::{_in_message(_full_text(finding))}"


def _full_text(finding: Diagnostic) -> str:
    return "\n".join([finding.message, *([f"Help: {finding.advice}"] if finding.advice else []), *finding.notes])


def _in_message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _in_property(text: str) -> str:
    return _in_message(text).replace(":", "%3A").replace(",", "%2C")


# ── SARIF ──────────────────────────────────────────────────────────────────────────────────────


def to_sarif(findings: Iterable[Diagnostic], version: str) -> str:
    """Return a SARIF 2.1.0 log of one run of fcb; `version` is fcb's. A notification counts omitted findings."""
    ordered = by_weight(findings)
    shown = ordered[:SARIF_SHOWS]
    rules = {problem.code: type(problem) for problem in sorted(shown, key=lambda problem: problem.code)}
    numbers = {code: number for number, code in enumerate(rules)}
    driver = {"name": "fcb", "semanticVersion": version, "rules": [_rule(cls) for cls in rules.values()]}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, numbers[problem.code]) for problem in shown],
    }
    if len(ordered) > len(shown):
        text = f"{len(ordered) - len(shown)} more findings are left out: fcb check --format json lists all."
        run["invocations"] = [
            {"executionSuccessful": True, "toolExecutionNotifications": [{"message": {"text": text}, "level": "note"}]}
        ]
    log = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(cls: type[Diagnostic]) -> dict[str, Any]:
    rule: dict[str, Any] = {
        "id": cls.code,
        "name": cls.__name__,
        "shortDescription": {"text": cls.title},
        "defaultConfiguration": {"level": cls.severity},
    }
    if cls.explanation:
        rule["fullDescription"] = {"text": cls.explanation}
    return rule


def _result(finding: Diagnostic, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": _full_text(finding)},
        "locations": [_location(finding.span)],
        "partialFingerprints": {"fcbFinding/v1": finding_fingerprint(finding)},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(related.span), "message": {"text": related.label}}
            for number, related in enumerate(finding.related, start=1)
        ]
    if finding.fix is not None:
        span = finding.fix.span
        change = {"deletedRegion": _region(span), "insertedContent": {"text": finding.fix.replacement}}
        result["fixes"] = [{"artifactChanges": [{"artifactLocation": _artifact(span), "replacements": [change]}]}]
    return result


def _location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(span), "region": _region(span)}}


def _artifact(span: Span) -> dict[str, str]:
    name = span.source.name
    return {"uri": f"file://{quote(name)}" if Path(name).is_absolute() else quote(name)}


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def finding_fingerprint(finding: Diagnostic) -> str:
    """Return the identity of a finding, even after it has moved within its file: its code, its message and its line."""
    line = finding.span.source.line_text(finding.span.line).strip()
    identity = "\n".join([finding.span.source.name, finding.code, finding.message, line])
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]


# ── JUnit ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TestCase:
    """One row of a JUnit report: the subject of a check, its place, and the failure (empty: none)."""

    __test__ = False  # no test of ours

    place: str
    name: str
    failure: str = ""
    kind: str = ""


def to_junit(suite: str, cases: Sequence[TestCase], remarks: Sequence[str] = ()) -> str:
    """Return a report in JUnit's XML: a row for each case; `remarks` are printed below. Times are always 0."""
    failures = sum(bool(case.failure) for case in cases)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<testsuites>",
        f'<testsuite package="fcb" id="0" name={_attribute(suite)} timestamp="1970-01-01T00:00:00" '
        f'hostname="localhost" tests="{len(cases)}" failures="{failures}" errors="0" time="0">',
        "<properties/>",
    ]
    for case in cases:
        head = f'<testcase classname={_attribute(case.place)} name={_attribute(case.name)} time="0"'
        if not case.failure:
            lines.append(f"{head}/>")
            continue
        first = case.failure.partition("\n")[0]
        failure = f"<failure type={_attribute(case.kind)} message={_attribute(first)}>{_text(case.failure)}</failure>"
        lines.append(f"{head}>{failure}</testcase>")
    lines.append(f"<system-out>{_text(chr(10).join(remarks))}</system-out>")
    lines += ["<system-err/>", "</testsuite>", "</testsuites>"]
    return "\n".join(lines) + "\n"


def checked_cases(findings: Iterable[Diagnostic], files: Iterable[str], strict: bool = False) -> list[TestCase]:
    """Return a row for each finding that fails a check (`strict`: warnings do), and one for each file without any."""
    failing = [diagnostic for diagnostic in by_weight(findings) if strict or diagnostic.severity == "error"]
    places = [f"{visible(problem.span.source.name)}:{problem.span.line}:{problem.span.column}" for problem in failing]
    cases = [
        TestCase(visible(problem.span.source.name), f"{problem.code} at {place}", _full_text(problem), problem.code)
        for problem, place in zip(failing, places, strict=True)
    ]
    wrong = {problem.span.source.name for problem in failing}
    return [*cases, *(TestCase(name, "no problems") for name in dict.fromkeys(files) if name not in wrong)]


def remark(finding: Diagnostic) -> str:
    """Return a finding on one line, as in a report."""
    span = finding.span
    return (
        f"{visible(span.source.name)}:{span.line}:{span.column}: {finding.severity} {finding.code}: {finding.message}"
    )


_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def _text(text: str) -> str:
    from xml.sax.saxutils import escape  # it imports all of HTTP

    return escape(_NOT_XML.sub("�", text))


def _attribute(text: str) -> str:
    from xml.sax.saxutils import quoteattr  # imported late, because few runs need it

    return quoteattr(_NOT_XML.sub("�", text).replace("\n", " ").replace("\t", " ").strip() or "-")
