"""Mistakes in named endings of missions."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic

_GAME = """
kind campaign:
  field scene: mission definition
mission storm "Storm":
  map hex:
    art: |
      . .
"""


class EndingNeverReached(Diagnostic):
    code = "FCB0344"
    severity = "warning"
    title = "Ending that no effect reaches"
    cause = "No effect ends a game as `{name}`."
    help = "Write `win as {name}`, `lose as {name}` or `draw as {name}` in an effect, or remove the ending."
    explanation = """
        A named ending is reached by `win as NAME`, `lose as NAME` or `draw as NAME`. Tests do not count.
    """
    bad = 'ending ashes "Ashes"'
    good = 'ending ashes "Ashes"\nflow: lose as ashes "The house burns."'


class UnforeseenEnding(Diagnostic):
    code = "FCB0345"
    severity = "warning"
    title = "Ending without a consequence"
    cause = "Nothing follows in the campaign after {results}."
    help = "Add a row `{row}:`, or a row `{general}:` for every other result of this sort."
    explanation = """
        After a mission, a campaign continues with the row of its result. If the mission ends with this ending and
        neither the ending nor its result has a row, nothing changes in the campaign.
    """
    bad = f"""{_GAME}
ending ashes "Ashes" for storm
ending dusk "Dusk" for storm
flow:
  choose one:
    "Burn": lose as ashes
    "Wait": lose as dusk
journey:
  play campaign's scene:
    lost as ashes: lose "The house is gone."
"""
    good = f"""{_GAME}
ending ashes "Ashes" for storm
ending dusk "Dusk" for storm
flow:
  choose one:
    "Burn": lose as ashes
    "Wait": lose as dusk
journey:
  play campaign's scene:
    lost as ashes: lose "The house is gone."
    lost: lose "The night is over."
"""


class RowNeverRuns(Diagnostic):
    code = "FCB0346"
    severity = "warning"
    title = "Row for a result that never occurs"
    cause = "This row never runs: {why}."
    help = "Correct the result or the ending, or remove the row."
    explanation = """
        A row such as `won as NAME:` runs if an effect of the mission wins with this ending: `win as NAME`.
    """
    bad = f"""{_GAME}
ending ashes "Ashes" for storm
flow: lose as ashes
journey:
  play campaign's scene:
    won as ashes: win "Over."
    lost: lose "Gone."
"""
    good = f"""{_GAME}
ending ashes "Ashes" for storm
flow: lose as ashes
journey:
  play campaign's scene:
    lost as ashes: lose "Gone."
"""


class EndingElsewhere(Diagnostic):
    code = "FCB0347"
    title = "Ending of another mission"
    cause = "The ending `{name}` cannot be reached here: {why}."
    help = "Declare an ending for this mission, or one without `for` that holds in all missions."
    explanation = """
        `ending NAME "Title" for MISSION:` belongs to that mission. An ending without `for` belongs to all missions.
    """
    bad = """
        mission storm "Storm":
          map hex:
            art: |
              . .
          when round end: lose as ashes
        mission calm "Calm":
          map hex:
            art: |
              . .
          when round end: lose as ashes
        ending ashes "Ashes" for storm
        event round end:
          form: round ends
        flow: announce round end
        """
    good = """
        mission storm "Storm":
          map hex:
            art: |
              . .
          when round end: lose as ashes
        ending ashes "Ashes" for storm
        event round end:
          form: round ends
        flow: announce round end
        """
