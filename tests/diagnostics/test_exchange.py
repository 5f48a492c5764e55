"""Findings in the formats of other tools follow the schemas that these publish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st

from fcbdsl.base.diagnostics import Diagnostic, Fix, Related
from fcbdsl.base.diagnostics.declarations import ForgottenUse
from fcbdsl.base.diagnostics.exchange import (
    GITHUB_SHOWS,
    SARIF_SHOWS,
    TestCase,
    checked_cases,
    remark,
    to_github,
    to_junit,
    to_sarif,
)
from fcbdsl.base.diagnostics.text import ByteOrderMark, NameBeginsWithDigit
from fcbdsl.base.source import Source, Span

SCHEMAS = Path(__file__).parent / "schemas"
SARIF: dict[str, Any] = json.loads((SCHEMAS / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
JUNIT = xmlschema.XMLSchema(SCHEMAS / "junit.xsd")
SOURCE = Source("cards/a, b: 100 %.fcb", 'weapon club "Club":\n  hands: 9mm\n')


def error(text: str = "9mm", source: Source = SOURCE) -> Diagnostic:
    span = Span(source, 29, 32) if source is SOURCE else Span(source, 0, len(source.text))
    related = [Related(Span(source, 0, 6), "of this")]
    return NameBeginsWithDigit(span, text=text, related=related, fix=Fix(span, "9"), notes=["so", "it stands"])


def warning() -> Diagnostic:
    return ForgottenUse(Span(SOURCE, 0, 6), word="weapon", unit="chess")


def sarif(findings: list[Diagnostic]) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(to_sarif(findings, "1.0.0"))
    jsonschema.Draft4Validator(SARIF, format_checker=jsonschema.FormatChecker()).validate(log)
    run: dict[str, Any] = log["runs"][0]
    return run


def test_github_annotation_keeps_place_and_lines() -> None:
    first, second = to_github([warning(), error()]).splitlines()
    place = "file=cards/a%2C b%3A 100 %25.fcb,line=2,endLine=2,col=10,endColumn=13,title=FCB0110"
    assert first.startswith(f"::error {place}::`9mm` is neither")
    assert first.endswith("%0Aso%0Ait stands")
    assert second.startswith("::warning ")


def test_github_report_puts_errors_first_and_counts_hidden_findings() -> None:
    lines = to_github([*(warning() for _ in range(GITHUB_SHOWS)), *(error() for _ in range(GITHUB_SHOWS + 3))])
    kinds = [line.split()[0].split("::")[1] for line in lines.splitlines()]
    assert kinds == ["error"] * GITHUB_SHOWS + ["warning"] * GITHUB_SHOWS + ["notice"]
    assert lines.splitlines()[-1] == "::notice::3 more errors not shown here: fcb check tells all."
    assert to_github([]) == ""


def test_sarif_contains_rules_places_and_fixes() -> None:
    run = sarif([warning(), error()])
    wrong, warned = run["results"]
    assert (wrong["level"], warned["level"]) == ("error", "warning")
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["FCB0110", "FCB0330"]
    assert [run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] for result in run["results"]] == [
        "FCB0110",
        "FCB0330",
    ]
    place = wrong["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 13}
    assert place["artifactLocation"]["uri"] == "cards/a%2C%20b%3A%20100%20%25.fcb"
    assert wrong["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {"text": "9"}
    lower = Source(SOURCE.name, "\n" + SOURCE.text)
    moved = NameBeginsWithDigit(Span(lower, 30, 33), text="9mm")
    assert sarif([moved])["results"][0]["partialFingerprints"] == wrong["partialFingerprints"]
    assert sarif([])["results"] == []
    assert sarif([ByteOrderMark(Span(Source("/tmp/é.fcb", "x"), 0, 1))])["results"][0]["locations"][0][
        "physicalLocation"
    ]["artifactLocation"] == {"uri": "file:///tmp/%C3%A9.fcb"}


def test_sarif_reports_omitted_results() -> None:
    log = json.loads(to_sarif([*([warning()] * SARIF_SHOWS), error()], "1.0.0"))["runs"][0]
    assert len(log["results"]) == SARIF_SHOWS
    assert log["results"][0]["level"] == "error"
    assert log["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].startswith("1 more finding")


def test_junit_has_case_per_file_and_failure() -> None:
    findings = [warning(), error()]
    text = to_junit("fcb check", checked_cases(findings, [SOURCE.name, "cards/fine.fcb"]), [remark(findings[0])])
    JUNIT.validate(text)
    assert 'tests="2" failures="1"' in text
    assert 'classname="cards/fine.fcb" name="no problems"' in text
    assert "warning FCB0330" in text
    assert 'failures="2"' in to_junit("fcb check", checked_cases(findings, [], strict=True))


@given(st.text(), st.text(min_size=1))
def test_any_text_survives_every_format(message: str, text: str) -> None:
    finding = error(message, Source("a.fcb", text))
    assert to_github([finding]).count("\n") == 1
    json.loads(to_sarif([finding], "1").encode("utf-8", "surrogatepass"))
    JUNIT.validate(to_junit(message, [TestCase(message, message, message or "x", "FCB0110")], [message]))


@pytest.mark.parametrize("name", ["sarif-2.1.0.schema.json", "junit.xsd"])
def test_schemas_refuse_invalid_reports(name: str) -> None:
    if name.endswith("json"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft4Validator(SARIF).validate({"version": "2.1.0"})
    else:
        assert not JUNIT.is_valid("<testsuites><testsuite/></testsuites>")
