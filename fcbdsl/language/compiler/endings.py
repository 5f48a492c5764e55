"""Results of missions that a campaign has played, derived from the wins, losses and draws in the game."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.base.words import End
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.content import Test
from fcbdsl.language.model.declarations import Action
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model

Ending = tuple[End, str]
"""A result, and the id of the winning team, or ""."""


def mission_endings(model: Model) -> tuple[Ending, ...]:
    """Return the results of missions that are distinguished; empty if no `play` needs more than won and lost.

    Ends in the journey, or in an action of the campaign, are results of the campaign and do not count.
    """
    if all(kind != "campaign" for kind, _ in model.definitions):
        return ()
    rows = [row for play in _plays(model) for row in play.rows]
    if all(row.team is None and row.end != "drawn" for row in rows):
        return ()
    teams = [id for kind, id in model.definitions if kind == TEAM]
    outcomes = [(end.outcome, end.side is not None) for end in _ends(model)]
    out: list[Ending] = (
        [("won", team) for team in teams] if ("win", True) in outcomes or ("lose", True) in outcomes else []
    )
    written = {row.end for row in rows if row.team is None}
    shared = any(end.outcome == "win" and end.is_shared for end in _ends(model))
    if ("win", False) in outcomes or shared or not out:
        out.append(("won", ""))
    if "drawn" in written or ("draw", False) in outcomes:
        out.append(("drawn", ""))
    if "lost" in written or ("lose", False) in outcomes or (("lose", True) in outcomes and len(teams) != 2):
        out.append(("lost", ""))
    return tuple(out)


def _plays(model: Model) -> Iterator[ir.Play]:
    """Yield the statements that play a mission."""
    bodies = [model.journey, *(form.body for form in model.forms), *(action.body for action in model.actions.values())]
    for definition in model.definitions.values():
        bodies += [value.body for value in definition.values.values() if value.body is not None]
    for body in bodies:
        yield from (node for node in walk(body) if isinstance(node, ir.Play))


def _ends(model: Model) -> Iterator[ir.End]:
    """Yield the statements that end a game, except those that end a campaign."""
    for owner, root in roots(model):
        if isinstance(owner, Test) or (isinstance(owner, Action) and _is_campaigns(owner)):
            continue
        for node in walk([model.setup, model.flow] if owner is None else root):
            if isinstance(node, ir.End):
                yield node


def _is_campaigns(action: Action) -> bool:
    return action.by is not None and action.by.type.name == "campaign"
