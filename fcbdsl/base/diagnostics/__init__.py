"""Diagnostics: one class per kind of mistake, collected as values and shown in one way.

To add one, declare a subclass of `Diagnostic` in a module of this package:

    class UnknownName(Diagnostic):
        code = "FCB0301"
        title = "Unknown name"
        cause = "There is no {sort} called `{name}`."
        help = "Declare it, or correct the spelling."
        bad = "weapon club:\\n  hands: Pusj"
        good = "weapon club:\\n  hands: 1"

and record findings with ``problems.add(UnknownName(span, sort="verb", name="Pusj", suggestion=suggest(…)))``.
"""

from fcbdsl.base.diagnostics.base import Diagnostic, Fix, Related
from fcbdsl.base.diagnostics.diagnostic_pages import explain, reference
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.registry import all_diagnostics, known_codes
from fcbdsl.base.diagnostics.suggestions import suggest

__all__ = [
    "Diagnostic",
    "Fix",
    "Problems",
    "Related",
    "all_diagnostics",
    "explain",
    "known_codes",
    "reference",
    "suggest",
]
