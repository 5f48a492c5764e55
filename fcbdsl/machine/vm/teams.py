"""Teams: their players, who decides for them, and who may know secrets.

A decider is a number: a player's from 0, `EVERYBODY`, or that of a team, whose players decide together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fcbdsl.machine.vm.position import Position
    from fcbdsl.machine.vm.program import Field, Zone

EVERYBODY: Final = -1
"""The decider of questions that concern no particular player: all players."""


def voice(g: Position, team: int) -> int:
    """Return the decider number of a team (a thing); `EVERYBODY` if it has no players or is no team."""
    layout = g.layout
    has_members = layout.teams_low <= team < layout.teams_high and members(g, team)
    return EVERYBODY - 1 - (team - layout.teams_low) if has_members else EVERYBODY


def asked_as(g: Position, who: int) -> int:
    """Return the team (a thing) of a decider number; -1 if it is not a team's."""
    team = g.layout.teams_low + EVERYBODY - 1 - who
    return team if who < EVERYBODY and team < g.layout.teams_high else -1


def members(g: Position, team: int) -> tuple[int, ...]:
    """Return the numbers of the players who play for a team, in order."""
    return tuple([player for player in range(g.player_count()) if of_player(g, player) == team])


def of_player(g: Position, player: int) -> int:
    """Return the team (a thing) of a player; -1 if there is none."""
    layout = g.layout
    return g.world.mem[layout.team + layout.players_low + player] if layout.team >= 0 else -1


def deciding_seats(g: Position, who: int) -> tuple[int, ...]:
    """Return the numbers of the players who decide if `who` does, in order; the first of them speaks for all."""
    if who >= 0:
        return (who,)
    return tuple(range(g.player_count())) if who == EVERYBODY else members(g, asked_as(g, who))


def speaker(g: Position, who: int) -> int:
    """Return the number of the first player who decides if `who` does."""
    if who >= 0:
        return who
    return 0 if who == EVERYBODY else members(g, asked_as(g, who))[0]


def insiders(g: Position, thing: int, secret: Field | Zone) -> tuple[int, ...]:
    """Return the players who may know a secret stat of a thing, or the contents of a secret zone of it."""
    if secret.unseen:
        return ()
    if secret.team >= 0:
        return members(g, g.layout.first[secret.team])
    who = g.controller(thing)
    if who == EVERYBODY:
        return ()
    seats = deciding_seats(g, who)
    if secret.allied and who >= 0 and of_player(g, who) >= 0:
        return members(g, of_player(g, who))
    return seats


def is_of(g: Position, who: int, side: int) -> bool:
    """Return whether a result declared for `side` is the result of `who`; teams win and lose with each of their
    players.

    `side` is a player or a team (a thing; -1: everybody).
    """
    if side < 0 or who == EVERYBODY:
        return side < 0
    layout = g.layout
    player = deciding_seats(g, who)[0]
    team = of_player(g, player)
    if layout.players_low <= side < layout.players_high:
        return side == layout.players_low + player or (team >= 0 and team == of_player(g, side - layout.players_low))
    return side == team
