"""Mistakes in teams of players."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class OthersTwice(Diagnostic):
    code = "FCB0341"
    title = "Two teams of all other players"
    cause = "The team `{other}` already has all other players."
    help = "Name the players of one team: `team {name}: player 1`."
    explanation = """
        `other players` means everybody who is in no other team. Only one team can have them.
    """
    bad = "team cats: player 1\nteam mice: other players\nteam rats: other players"
    good = "team cats: player 1\nteam mice: other players"


class NobodyPlays(Diagnostic):
    code = "FCB0342"
    severity = "warning"
    title = "Team without players"
    cause = "The team `{name}` has no players, and nothing in the game gives it any."
    help = (
        "Write `team {name}: player 1` or `team {name}: other players`, or set it in the setup: `player's team "
        "becomes {name}`."
    )
    explanation = """
        A team can have fixed players, depend on a variant or on the number of players (`team mice: player where
        number > 2`), or be chosen at setup.
    """
    bad = "team cats: player 1\nteam mice"
    good = "team cats: player 1\nteam mice: other players"


class UnforeseenWin(Diagnostic):
    code = "FCB0343"
    severity = "warning"
    title = "Win without a consequence"
    cause = "Nothing follows in the campaign if {who} this mission."
    help = "Add a row `won:` for every other result of a win, or a row `won by TEAM:` for each team."
    explanation = """
        After a mission, a campaign continues with the row of its result. If this team wins and has no row, nothing
        changes in the campaign. If several teams win together (`win SELECTION`), the row is `won:`.
    """
    bad = """
        team cats: player 1
        team mice: other players
        kind campaign:
          field scene: mission definition
        journey:
          play campaign's scene:
            won by cats: win "Caught."
        """
    good = """
        team cats: player 1
        team mice: other players
        kind campaign:
          field scene: mission definition
        journey:
          play campaign's scene:
            won by cats: win "Caught."
            won by mice: lose "Gone."
        """
