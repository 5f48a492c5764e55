"""Findings from playing all courses of a campaign."""

from __future__ import annotations

from textwrap import dedent

from fcbdsl.base.diagnostics.base import Diagnostic

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
"""The beginning of the examples."""

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
    title = "Content that a campaign never reaches"
    cause = "In every course of the campaign, the {kind} `{id}` {says}."
    help = "Find what should lead to `{id}`, and check that players can reach it."
    explanation = """
        A `prospect` of the system requires something of each card of a kind: for example, that the campaign can unlock
        each place. fcb played every course of the campaign, with each mission won and lost. Stats that are kept do not
        change during a mission in this check.
    """
    bad = _SMALL + _GO + _HOME + _OPEN + 'place dam "Dam":\n  copies: 1\n'
    good = _SMALL.replace("mill", "ford") + _GO + _HOME + _OPEN


class DeadEnd(Diagnostic):
    code = "FCB1002"
    title = "Dead end of a campaign"
    cause = "The campaign `{campaign}` stops here without an end. Course: {course}."
    help = "Write `win` or `lose` where the campaign should end, or give it another step, such as a mission to play."
    explanation = """
        fcb played every course of the campaign. One of them reaches a step that asks nothing and changes nothing, so
        the campaign cannot go on.
    """
    bad = _SMALL + _GO
    good = _SMALL + _GO + _HOME


class NoWayOut(Diagnostic):
    code = "FCB1003"
    title = "Campaign that can no longer end"
    cause = "From here, the campaign `{campaign}` can no longer reach an end. Course: {course}."
    help = "Give one of the next steps a way to a `win` or `lose` of the campaign."
    explanation = """
        fcb played every course of the campaign. From one of its steps, every way leads back to the same steps, and none
        leads to an end.
    """
    bad = _SMALL + _GO.replace("put next into past", "next's visits +1") + _RESTLESS
    good = _SMALL + _GO + _HOME


class ForcedLoop(Diagnostic):
    code = "FCB1004"
    title = "Endless loop in a campaign"
    cause = "The campaign `{campaign}` repeats the same {length} steps without end. Course: {course}."
    help = "Let one of these steps lead to another step or to an end."
    explanation = """
        fcb played every course of the campaign. One of them enters steps that offer no choice and repeat.
    """
    bad = _SMALL + _GO.replace("put next into past", "next's visits becomes 1 - next's visits")
    good = _SMALL + _GO + _HOME


class BrokenOnTheWay(Diagnostic):
    code = "FCB1005"
    title = "Invariant that a campaign breaks"
    cause = "The campaign `{campaign}` breaks the invariant “{says}” Course: {course}."
    help = "Correct the step that breaks it, or the condition of the invariant."
    explanation = """
        An invariant must hold at every decision, between missions, and at the end of each step. fcb played every course
        of the campaign and checked the invariants there.
    """
    bad = _SMALL + _GO + _HOME + 'invariant quiet "Nobody goes far.": no place in past\n'
    good = _SMALL + _GO + _HOME


class FaultOnTheWay(Diagnostic):
    code = "FCB1006"
    title = "Runtime error in a step of a campaign"
    cause = "A step of the campaign `{campaign}` stops with an error: {reason}. Course: {course}."
    help = "Look for a loop without end, an effect that repeats itself, or a division by 0."
    explanation = """
        fcb played every course of the campaign. A runtime error stops the campaign at the table in the same way.
    """
    bad = _SMALL + _GO + "  next's visits becomes 1 / next's visits\n" + _HOME
    good = _SMALL + _GO + _HOME


class TooManyCourses(Diagnostic):
    code = "FCB1007"
    severity = "warning"
    title = "Campaign with too many courses to check"
    cause = "`{campaign}` has too many courses; {states} states were checked without reaching: {due}."
    help = "Add a condition to a step, so that fewer courses reach it, or keep fewer numbers between missions."
    explanation = """
        fcb checks a campaign by playing all of its courses, up to a limit. This campaign exceeds
        the limit, so fcb does not know whether it can reach what the message lists.
    """
    bad = ""
    good = _SMALL + _GO + _HOME
