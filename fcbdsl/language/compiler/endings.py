"""Results of missions that a campaign has played, derived from the wins, losses and draws in the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from fcbdsl.base.records import dataclass
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


@dataclass(slots=True)
class EndNodes:
    """The nodes of trees that play missions or end games, memoized by the identity of the trees.

    `before`: the nodes from an earlier lowering. Each entry contains its tree, so that no other tree gets its identity.
    Trees are never changed.
    """

    before: dict[int, tuple[object, list[ir.Play | ir.End]]] = field(default_factory=dict)
    nodes: dict[int, tuple[object, list[ir.Play | ir.End]]] = field(default_factory=dict)

    def of(self, tree: object) -> Iterator[ir.Play | ir.End]:
        """Yield the nodes of a tree, or of several."""
        if isinstance(tree, list | tuple):
            for each in tree:
                yield from self.of(each)
        elif tree is not None:
            key = id(tree)
            if key not in self.nodes:
                self.nodes[key] = self.before.get(key) or (tree, _ends_in(tree))
            yield from self.nodes[key][1]


def mission_endings(model: Model, nodes: EndNodes) -> tuple[Ending, ...]:
    """Return the results of missions that are distinguished; empty if no `play` needs more than won and lost.

    Ends in the journey, or in an action of the campaign, are results of the campaign and do not count.
    """
    if all(kind != "campaign" for kind, _ in model.definitions):
        return ()
    rows = [row for play in _plays(model, nodes) for row in play.rows]
    if all(row.team is None and row.end != "drawn" for row in rows):
        return ()
    teams = [id for kind, id in model.definitions if kind == TEAM]
    outcomes = [(end.outcome, end.side is not None) for end in _ends(model, nodes)]
    out: list[Ending] = (
        [("won", team) for team in teams] if ("win", True) in outcomes or ("lose", True) in outcomes else []
    )
    written = {row.end for row in rows if row.team is None}
    shared = any(end.outcome == "win" and end.is_shared for end in _ends(model, nodes))
    if ("win", False) in outcomes or shared or not out:
        out.append(("won", ""))
    if "drawn" in written or ("draw", False) in outcomes:
        out.append(("drawn", ""))
    if "lost" in written or ("lose", False) in outcomes or (("lose", True) in outcomes and len(teams) != 2):
        out.append(("lost", ""))
    return tuple(out)


def _ends_in(tree: object) -> list[ir.Play | ir.End]:
    return [node for node in walk(tree) if isinstance(node, ir.Play | ir.End)]


def _plays(model: Model, nodes: EndNodes) -> Iterator[ir.Play]:
    """Yield the statements that play a mission."""
    bodies = [model.journey, *(form.body for form in model.forms), *(action.body for action in model.actions.values())]
    for definition in model.definitions.values():
        bodies += [value.body for value in definition.values.values() if value.body is not None]
    for body in bodies:
        yield from (node for node in nodes.of(body) if isinstance(node, ir.Play))


def _ends(model: Model, nodes: EndNodes) -> Iterator[ir.End]:
    """Yield the statements that end a game, except those that end a campaign."""
    for owner, root in roots(model):
        if isinstance(owner, Test) or (isinstance(owner, Action) and _is_campaigns(owner)):
            continue
        for node in nodes.of([model.setup, model.flow] if owner is None else root):
            if isinstance(node, ir.End):
                yield node


def _is_campaigns(action: Action) -> bool:
    return action.by is not None and action.by.type.name == "campaign"
