"""Results of missions that a campaign has played, derived from the wins, losses and draws in the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from fcbdsl.base.records import dataclass
from fcbdsl.base.words import End
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, TEAM, has_endings
from fcbdsl.language.model.checks.named_endings import applicable_missions, is_plain_ending
from fcbdsl.language.model.declarations import Action, Declared, Form
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.roots import game_roots
from fcbdsl.language.model.whole import Model


class MissionResult(NamedTuple):
    """A result of a mission: the id of the winning team (""), of its named ending, and of the only mission that can end
    so; each may be empty."""

    end: End
    team: str = ""
    ending: str = ""
    mission: str = ""


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


def mission_endings(model: Model, nodes: EndNodes) -> tuple[MissionResult, ...]:
    """Return the results of missions that are distinguished; empty if no `play` needs more than won and lost.

    Ends in the journey, or in an action of the campaign, are results of the campaign and do not count.
    """
    if all(kind != "campaign" for kind, _ in model.definitions):
        return ()
    if has_endings(model):
        return tuple(dict.fromkeys(_named_results(model, nodes)))
    rows = [row for play in _plays(model, nodes) for row in play.rows]
    if all(row.team is None and row.end != "drawn" for row in rows):
        return ()
    teams = _teams(model)
    outcomes = [(end.outcome, end.side is not None) for _, end in _ends(model, nodes)]
    out = (
        [MissionResult("won", team) for team in teams]
        if ("win", True) in outcomes or ("lose", True) in outcomes
        else []
    )
    written = {row.end for row in rows if row.team is None}
    shared = any(end.outcome == "win" and end.is_shared for _, end in _ends(model, nodes))
    if ("win", False) in outcomes or shared or not out:
        out.append(MissionResult("won"))
    if "drawn" in written or ("draw", False) in outcomes:
        out.append(MissionResult("drawn"))
    if "lost" in written or ("lose", False) in outcomes or (("lose", True) in outcomes and len(teams) != 2):
        out.append(MissionResult("lost"))
    return tuple(out)


def _named_results(model: Model, nodes: EndNodes) -> Iterator[MissionResult]:
    """Yield the results that the ends in a game with named endings have, by mission."""
    endings = {name: definition for (kind, name), definition in model.definitions.items() if kind == ENDING}
    apart = _forms_of_campaigns(model)
    for owner, end in _ends(model, nodes):
        if id(owner) in apart:
            continue
        where = applicable_missions(model, owner)
        for result in _results(model, end):
            if end.ending is None:
                yield from (result._replace(mission=mission) for mission in where or ("",))
                continue
            for name in (end.ending.id,) if is_plain_ending(end.ending) else endings:
                target = endings[name].target if name in endings else None
                for mission in (target.id,) if target is not None else where or ("",):
                    yield result._replace(ending=name, mission=mission)


def _forms_of_campaigns(model: Model) -> dict[int, None]:
    """Return the identities of the forms that only the journey and the actions of campaigns use."""
    used: dict[int, dict[int, None]] = {}
    outside: list[int] = []
    inside = _forms_in(model.journey)
    for owner, root in game_roots(model):
        if isinstance(owner, Form):
            used.setdefault(id(owner), {}).update(dict.fromkeys(_forms_in(root)))
        elif isinstance(owner, Action) and _is_campaigns(owner):
            inside += _forms_in(root)
        else:
            outside += _forms_in([model.setup, model.flow] if owner is None else root)
    elsewhere = _closure(outside, used)
    return {form: None for form in _closure(inside, used) if form not in elsewhere}


def _forms_in(tree: object) -> list[int]:
    """Return the identities of the forms that a tree uses."""
    return [id(node.form) for node in walk(tree) if isinstance(node, ir.Do | ir.Apply)]


def _closure(forms: Iterable[int], used: Mapping[int, Mapping[int, None]]) -> dict[int, None]:
    """Return some forms, and those that they use in turn."""
    closure: dict[int, None] = {}
    todo = list(forms)
    while todo:
        form = todo.pop()
        if form not in closure:
            closure[form] = None
            todo += used.get(form, ())
    return closure


def _results(model: Model, end: ir.End) -> Iterator[MissionResult]:
    """Yield the results for the campaign of one end of a game, without names."""
    teams = _teams(model)
    if end.outcome == "draw":
        yield MissionResult("drawn")
        return
    if end.side is not None and (end.outcome == "win" or len(teams) == 2):
        yield from (MissionResult("won", team) for team in teams)
    if end.outcome == "win" and (end.side is None or end.is_shared or not teams):
        yield MissionResult("won")
    if end.outcome == "lose" and (end.side is None or len(teams) != 2):
        yield MissionResult("lost")


def _teams(model: Model) -> list[str]:
    return [id for kind, id in model.definitions if kind == TEAM]


def _ends_in(tree: object) -> list[ir.Play | ir.End]:
    return [node for node in walk(tree) if isinstance(node, ir.Play | ir.End)]


def _plays(model: Model, nodes: EndNodes) -> Iterator[ir.Play]:
    """Yield the statements that play a mission."""
    bodies = [model.journey, *(form.body for form in model.forms), *(action.body for action in model.actions.values())]
    for definition in model.definitions.values():
        bodies += [value.body for value in definition.values.values() if value.body is not None]
    for body in bodies:
        yield from (node for node in nodes.of(body) if isinstance(node, ir.Play))


def _ends(model: Model, nodes: EndNodes) -> Iterator[tuple[Declared | None, ir.End]]:
    """Yield the statements that end a game, with their declarations, except those that end a campaign."""
    for owner, root in game_roots(model):
        if isinstance(owner, Action) and _is_campaigns(owner):
            continue
        for node in nodes.of([model.setup, model.flow] if owner is None else root):
            if isinstance(node, ir.End):
                yield owner, node


def _is_campaigns(action: Action) -> bool:
    return action.by is not None and action.by.type.name == "campaign"
