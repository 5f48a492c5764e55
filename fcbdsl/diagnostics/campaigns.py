"""What playing all the courses of a campaign finds."""

from __future__ import annotations

from textwrap import dedent

from fcbdsl.diagnostics.base import Diagnostic

_SMALL = dedent(
    """
    system s "S":
      board: square
    kind campaign:
      field first: many place definition
    kind place is card:
      field opens: many place definition, optional
      stat visits: number 0..9, kept
    zone chart of place: any, kept
    zone past of place: any, kept
    place mill "Mill":
      copies: 1
    campaign trip "Trip":
      first: mill
    """
).lstrip()
"""What the examples begin with."""

_GO = dedent(
    """
    journey:
      if no place in chart and no place in past:
        for each sort in campaign's first: put (instance of sort) into chart
      choose next: place in chart
      put next into past
      for each sort in next's opens: put (instance of sort) into chart
    """
).lstrip()

_HOME = '  if no place in chart: win "Home."\n'

_RESTLESS = """\
  choose one:
    "Back": next's visits becomes 1
    "On":
      if next's visits > 3: next's visits -2
"""

_OPEN = 'prospect open "is never opened" for place: self in past\n'


class NeverComes(Diagnostic):
    code = "FCB1001"
    title = "Something in a campaign that never comes about"
    cause = "The {kind} `{id}` {says}: no course of the campaign brings it about."
    help = "See what should bring it about, and whether that can be reached."
    explanation = """
        A `prospect` of the system says what each thing of a kind must come to in some course of a campaign: that a
        place is unlocked, a lock opened, a card gained, a gate passed. All courses were played, each mission won
        and lost, and in none of them it came true. In missions nothing that is kept changes while courses are played.
        """
    bad = _SMALL + _GO + _HOME + _OPEN + 'place dam "Dam":\n  copies: 1\n'
    good = _SMALL.replace("mill", "ford") + _GO + _HOME + _OPEN


class DeadEnd(Diagnostic):
    code = "FCB1002"
    title = "Dead end of a campaign"
    cause = "After this the campaign `{campaign}` has not ended, yet nothing is left to do. The way there: {course}."
    help = "End the campaign there, or leave something to do."
    explanation = """
        All courses of the campaign were played. One of them comes to a step that asks nothing and changes nothing that
        is kept, or whose every way leads back to where it began.
        """
    bad = _SMALL + _GO
    good = _SMALL + _GO + _HOME


class NoWayOut(Diagnostic):
    code = "FCB1003"
    title = "Part of a campaign without an end"
    cause = "After this the campaign `{campaign}` can't be brought to an end any more. The way there: {course}."
    help = "Let something that can be done there lead to an end of the campaign."
    bad = _SMALL + _GO.replace("put next into past", "next's visits +1") + _RESTLESS
    good = _SMALL + _GO + _HOME


class ForcedLoop(Diagnostic):
    code = "FCB1004"
    title = "Circle of a campaign with a single way"
    cause = "After this the campaign `{campaign}` goes round in {length} steps without end. The way there: {course}."
    help = "Let one of the steps lead on."
    bad = _SMALL + _GO.replace("put next into past", "next's visits becomes 1 - next's visits")
    good = _SMALL + _GO + _HOME


class BrokenOnTheWay(Diagnostic):
    code = "FCB1005"
    title = "Invariant that a campaign breaks"
    cause = "The campaign `{campaign}` breaks the invariant “{says}” The way there: {course}."
    help = "An invariant holds whenever somebody is asked, between missions too, and when a step is over."
    bad = _SMALL + _GO + _HOME + 'invariant quiet "Nobody goes far.": no place in past\n'
    good = _SMALL + _GO + _HOME


class FaultOnTheWay(Diagnostic):
    code = "FCB1006"
    title = "Fault in a step of a campaign"
    cause = "A step of the campaign `{campaign}` ends in a fault: {reason}. The way there: {course}."
    help = "Something loops, recurses or grows without end, or can't be computed."
    bad = _SMALL + _GO + "  next's visits becomes 1 / next's visits\n" + _HOME
    good = _SMALL + _GO + _HOME


class TooManyCourses(Diagnostic):
    code = "FCB1007"
    severity = "warning"
    title = "Campaign with too many courses to see them all"
    cause = "`{campaign}` has too many courses to play them all; after {states} states this was not met: {due}."
    help = "Nothing is claimed of what was not met. Gates, and fewer numbers that are kept, make for fewer courses."
    bad = ""
    good = _SMALL + _GO + _HOME
