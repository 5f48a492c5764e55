"""Findings from running content."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class FailedTest(Diagnostic):
    code = "FCB0650"
    title = "Failed test"
    cause = "The test `{test}` failed. Expected: {expected}. Seen: {seen}."
    help = ""
    explanation = """
        In a test, dice come from its `dice:` lines and piles are not shuffled. Each question needs an answer in a
        `play` or `answer` step, or `decline`. A question without an answer fails the test at the next action, or at its
        end.
    """
    bad = ""
    good = 'test "t":\n  expect 1 = 1'
