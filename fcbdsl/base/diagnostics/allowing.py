"""Diagnostics about comments for fcb: those that allow a warning, and those that let `fcb tune` change a number."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class NothingAllowed(Diagnostic):
    code = "FCB0815"
    severity = "warning"
    title = "Unused `# fcb: allow` comment"
    cause = "This comment allows {code}, but fcb does not report {code} here."
    help = "Remove the comment."
    explanation = """
        A comment `# fcb: allow FCB0611` at the end of a line, or on the line above it, hides that warning on this line.
        Without the warning, the comment would only hide the next one.
    """
    bad = """
        # fcb: allow FCB0611
        mark gate "Gate"
    """
    good = """
        mark gate "Gate"
    """


class NotToBeAllowed(Diagnostic):
    code = "FCB0816"
    severity = "warning"
    title = "Code that a comment cannot allow"
    cause = "`{code}` is not the code of a warning."
    help = "Write the code of a warning, as in `# fcb: allow FCB0315`, or remove the comment and correct the error."
    explanation = """
        A comment can allow a warning by its code. Errors always have to be corrected.
    """
    bad = """
        mark gate "Gate"  # fcb: allow FCB0301
    """
    good = """
        mark gate "Gate"  # fcb: allow FCB0315
    """


class NothingTunable(Diagnostic):
    code = "FCB0817"
    severity = "warning"
    title = "Unusable `# fcb: tunable` comment"
    cause = "`fcb tune` ignores this comment: {why}."
    help = (
        "Write it behind the number: `length: 8  # fcb: tunable 6..10`. In `at 3, 6:  # fcb: tunable 2..4, -` it "
        "means the 3."
    )
    explanation = """
        With `# fcb: tunable 6..10`, `fcb tune` may change the last number of the line to any value from 6 to 10. `#
        fcb: tunable 6..10, 1..3` gives ranges for the last two numbers, in their order. Write `-` for a number that
        stays as it is.
    """
    bad = """
        kind box is card:
          field size: number, default 3  # fcb: tunable 4..8
    """
    good = """
        kind box is card:
          field size: number, default 3  # fcb: tunable 2..8
    """
