"""Mistakes in teams of players."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class OthersTwice(Diagnostic):
    code = "FCB0341"
    title = "Two teams of all other players"
    cause = "Those who play for no other team play for `{other}` already."
    help = "Say who plays for one of them: `team {name}: player 1`."
    bad = "team cats: player 1\nteam mice: other players\nteam rats: other players"
    good = "team cats: player 1\nteam mice: other players"


class NobodyPlays(Diagnostic):
    code = "FCB0342"
    severity = "warning"
    title = "Nobody plays for a team"
    cause = "No player is of `{name}` when a game begins, and nothing in the game says who is later."
    help = (
        "Write `team {name}: player 1` or `team {name}: other players`, or let the set-up say "
        "`player's team becomes {name}`."
    )
    explanation = """
        Teams may be fixed, hang on a switch or on how many play (`team {name}: player where number > 2`), or be chosen
        when the game is set up; then no player is of them before.
        """
    bad = "team cats: player 1\nteam mice"
    good = "team cats: player 1\nteam mice: other players"


class UnforeseenWin(Diagnostic):
    code = "FCB0343"
    severity = "warning"
    title = "A win of which nothing is said"
    cause = "Nothing follows if `{name}` wins the mission."
    help = "Add a row `won by {name}:`, or `won:` for whoever else wins."
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
