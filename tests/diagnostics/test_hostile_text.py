"""Hostile text commands neither a terminal nor a CI runner, in any diagnostic or output."""

from __future__ import annotations

import io
import json
import re
from string import Formatter
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fcbdsl.base.diagnostics import Diagnostic, all_diagnostics
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.exchange import checked_cases, to_github, to_junit, to_sarif
from fcbdsl.base.diagnostics.report import findings_to_json, findings_to_text
from fcbdsl.base.source import Source, Span
from fcbdsl.base.visible import visible
from fcbdsl.cli.output import SafeOutput

HOSTILE = "a\n::error::b\r##[add-mask]c \x1b]0;d\x07\x9b31m\u2028::stop-commands::e \u202e"
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")


def commands(text: str) -> list[str]:
    """Return the commands that GitHub's runner would obey in these lines of a log."""
    return [line for line in text.split("\n") if line.strip().startswith("::") or "##[" in line]


def hostile(cls: type[Diagnostic]) -> Diagnostic:
    """Return a finding in which every text from a file is hostile."""
    fields = [field for part in (cls.cause, cls.help) for field in Formatter().parse(part)]
    values = {name: 7 if spec not in ("", "a", "A") else HOSTILE for _, name, spec, _ in fields if name}
    span = Span(Source(HOSTILE, "one ##[two]"), 0, 3)
    related = [Related(Span(Source(HOSTILE, "x"), 0, 1), HOSTILE)]
    return cls(span, related=related, suggestion=HOSTILE, notes=[HOSTILE], **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("cls", all_diagnostics(), ids=lambda cls: cls.code)
def test_no_report_format_emits_hostile_text(cls: type[Diagnostic]) -> None:
    finding = hostile(cls)
    text = findings_to_text([finding])
    assert not RAW.search(text)
    assert commands(text) == []
    assert all(line[0] in f"{cls.severity[0]} 1" for line in text.splitlines() if line)

    annotation = to_github([finding])
    assert commands(annotation) == [line for line in annotation.splitlines() if line.startswith(f"::{cls.severity} ")]
    assert annotation.count("\n") == 1
    assert not RAW.search(annotation)

    for report in (json.loads(findings_to_json([finding])), json.loads(to_sarif([finding], "1"))):
        message = (
            report[0]["message"] if isinstance(report, list) else report["runs"][0]["results"][0]["message"]["text"]
        )
        assert not RAW.search(message)
        assert commands(message) == []
    rows = ElementTree.fromstring(to_junit("check", checked_cases([finding], [], strict=True)))
    for element in rows.iter():
        assert commands(element.text or "") == []
        assert not RAW.search(element.text or "")


def test_visible_text_has_one_line_and_the_same_length() -> None:
    shown = visible(HOSTILE)
    assert len(shown) == len(HOSTILE)
    assert not RAW.search(shown)
    assert "\n" not in shown
    assert "##[" not in shown
    assert visible("Fouiller : « un lieu », 5\N{NO-BREAK SPACE}%") == "Fouiller : « un lieu », 5\N{NO-BREAK SPACE}%"


@example([":\r ", ":", ":"])
@given(st.lists(st.text("ab:# [\n\r\t\x1b]m\x00\u2028", max_size=6)))
def test_split_output_contains_no_workflow_command(pieces: list[str]) -> None:
    stream = io.StringIO(newline="")
    output = SafeOutput(stream)
    for piece in pieces:
        output.write(piece)
    written = stream.getvalue()
    assert len(written) == len("".join(pieces))
    assert all(commands(part) == [] for part in written.split("\r"))
    assert not re.search(r"\x00|\u2028|\x1b(?!\[[0-9;]*m)", written)


def test_output_keeps_own_terminal_codes() -> None:
    stream = io.StringIO(newline="")
    SafeOutput(stream).write("\r\x1b[K\x1b[1;31merror\x1b[0m\t: 5\N{NO-BREAK SPACE}%\n  a::b #[x]\n")
    assert stream.getvalue() == "\r\x1b[K\x1b[1;31merror\x1b[0m\t: 5\N{NO-BREAK SPACE}%\n  a::b #[x]\n"
