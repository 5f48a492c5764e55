"""What running content finds."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class FailedTest(Diagnostic):
    code = "FCB0650"
    title = "Failed test"
    cause = "The test `{test}` fails. Expected: {expected}. Seen: {seen}."
    help = ""
    explanation = """
        A test was played and one of its steps did not go as it is written. A test is a staged game: dice come from its
        `dice:` lines only, piles are not shuffled, and every question is answered by the references of a `play` or
        `answer` step. A question that is still open when somebody acts next, or when the test ends, fails it: `decline`
        says that nothing is taken. `expect` only looks.
        """
    bad = ""
    good = 'test "t":\n  expect 1 = 1'
