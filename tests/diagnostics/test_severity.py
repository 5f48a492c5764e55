"""Missing words are errors where they would be printed, else warnings."""

from __future__ import annotations

from fcbdsl.base.diagnostics import Problems
from fcbdsl.base.diagnostics.print import MissingWording, gaps_as_errors
from fcbdsl.base.source import Source, Span
from fcbdsl.print.press.proofs import include


def missing(filled: bool) -> MissingWording:
    span = Span(Source("frogs.fcb", "card frog:\n"), 0, 4)
    return MissingWording(span, name="hop", card="`card/frog`", language="fr", filled=filled, line="`fr: …`")


def test_gaps_as_errors_keeps_findings() -> None:
    findings = [missing(filled=False), missing(filled=True)]
    assert [finding.severity for finding in gaps_as_errors(findings)] == ["error", "warning"]
    assert [finding.severity for finding in findings] == ["warning", "warning"]


def test_piece_with_gap_is_left_out_and_findings_stay() -> None:
    gap, problems, left_out = missing(filled=False), Problems(), list[str]()
    assert not include("card/frog", [gap], problems, left_out)
    assert (left_out, [finding.severity for finding in problems]) == (["card/frog"], ["error"])
    assert gap.severity == "warning"


def test_piece_with_replacement_words_is_printed() -> None:
    problems, left_out = Problems(), list[str]()
    assert include("card/frog", [missing(filled=True)], problems, left_out)
    assert (left_out, [finding.severity for finding in problems]) == ([], ["warning"])
