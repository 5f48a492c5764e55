"""Comments that say something to the tools: which warnings are allowed, and which numbers may be tuned."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class NothingAllowed(Diagnostic):
    code = "FCB0815"
    severity = "warning"
    title = "A comment that allows nothing"
    cause = "No {code} is found at this line any more, so there is nothing to allow."
    help = "Take the comment away."
    explanation = """
        A comment `# fcb: allow FCB0611` behind a line, or on a line of its own above, says that the warning there is
        known and meant. Once the line has changed it would hide the next one, too.
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
    title = "Nothing that can be allowed"
    cause = "`{code}` is the code of no warning."
    help = "Only warnings can be allowed, by their codes; errors have to be mended."
    bad = """
        mark gate "Gate"  # fcb: allow FCB0301
    """
    good = """
        mark gate "Gate"  # fcb: allow FCB0315
    """


class NothingTunable(Diagnostic):
    code = "FCB0817"
    severity = "warning"
    title = "A mark that leaves nothing to be tuned"
    cause = "{why}, so `fcb tune` leaves this mark alone."
    help = (
        "Write the mark behind the number that it means: `length: 8  # fcb: tunable 6..10`; "
        "`at 3, 6:  # fcb: tunable 2..4, -` means the 3."
    )
    explanation = """
        A comment `# fcb: tunable 6..10` says that the last number of its line may be any from 6 to 10: `fcb tune` looks
        for the one with which bots win as often as is wanted. `# fcb: tunable 6..10, -` means the last number but one,
        and `# fcb: tunable 6..10, 1..3` both: bounds stand in the order of the numbers, and `-` leaves one alone.
    """
    bad = """
        kind box is card:
          field size: number, default 3  # fcb: tunable 4..8
    """
    good = """
        kind box is card:
          field size: number, default 3  # fcb: tunable 2..8
    """
