"""Checks of named endings: whether they are reached, whether a campaign continues after them, and in which missions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import TakenName
from fcbdsl.base.diagnostics.mission_endings import EndingElsewhere, EndingNeverReached, RowNeverRuns, UnforeseenEnding
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, TEAM, has_endings
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.content import Definition, Rule, Test
from fcbdsl.language.model.declarations import Action, Declared
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.whole import Model

RESULTS = {"win": "won", "lose": "lost", "draw": "drawn"}
"""Results of a mission for its campaign, by the word that ends it."""
TAKEN = "this is the ending that was reached"


def is_plain_ending(expr: ir.Expr) -> TypeGuard[ir.Instance]:
    """Return whether an expression is the name of an ending."""
    return isinstance(expr, ir.Instance) and expr.kind == ENDING and expr.id != ENDING


def applicable_missions(model: Model, owner: Declared | None) -> tuple[str, ...]:
    """Return the missions in which alone the behavior of a declaration applies; empty: in any."""
    if isinstance(owner, Definition):
        alone = owner if is_mission_definition(owner) else owner.target
        return (alone.id,) if alone is not None and is_mission_definition(alone) else ()
    if not isinstance(owner, Action | Rule):
        return ()
    missions = (definition for definition in model.definitions.values() if is_mission_definition(definition))
    return tuple([mission.id for mission in missions if owner.span.beside(mission.span)])


def check_endings(context: Context, program_facts: Sequence[Facts]) -> None:
    """Report endings that nothing reaches or that a campaign does not continue after, rows that never run, and endings
    of other missions."""
    if not has_endings(context.model):
        return
    endings = {id: definition for (kind, id), definition in context.model.definitions.items() if kind == ENDING}
    facts = [each for each in program_facts if not isinstance(each.owner, Test)]
    results = _results(endings, facts)
    is_broken = bool(context.problems.errors)
    for ending in endings.values():
        if ending.id == ENDING:
            context.report(TakenName(ending.span, sort=ENDING, name=ENDING, why=TAKEN))
        elif ending.target is not None and not is_mission_definition(ending.target):
            why = f"`{ending.target.id}` is no mission"
            context.report(EndingElsewhere(ending.span, name=ending.id, why=why))
        elif not results[ending.id] and not is_broken:
            context.report(EndingNeverReached(ending.span, name=ending.id))
    for each in facts:
        for end in each.ends:
            _check_mission(context, endings, each.owner, end)
        for play in each.plays:
            _check_rows(context, endings, results, play)


def _results(endings: dict[str, Definition], facts: Sequence[Facts]) -> dict[str, dict[str, bool]]:
    """Return the results with which each ending is reached; True: only by single teams or players."""
    out: dict[str, dict[str, bool]] = {id: {} for id in endings}
    for end in (end for each in facts for end in each.ends):
        if end.ending is None:
            continue
        for id in [end.ending.id] if is_plain_ending(end.ending) else endings:
            if id in out:
                is_sided = end.side is not None
                result = RESULTS[end.outcome]
                out[id][result] = is_sided and out[id].get(result, True)
    return out


def _check_mission(context: Context, endings: dict[str, Definition], owner: Declared | None, end: ir.End) -> None:
    """Report the end of a mission with an ending of another one."""
    if end.ending is None or not is_plain_ending(end.ending) or end.ending.id not in endings:
        return
    target = endings[end.ending.id].target
    here = applicable_missions(context.model, owner)
    if target is not None and here and target.id not in here:
        why = f"it belongs to `{target.id}`, and this applies in {_listed(here)}"
        related = [Related(endings[end.ending.id].span, "it is declared here")]
        context.report(EndingElsewhere(end.ending.span, name=end.ending.id, why=why, related=related))


def _check_rows(
    context: Context, endings: dict[str, Definition], results: dict[str, dict[str, bool]], play: ir.Play
) -> None:
    """Report the endings of a played mission without a row, and rows that never run."""
    if not play.rows:
        return
    mission = play.mission.id if isinstance(play.mission, ir.Def) else ""
    teams = [id for kind, id in context.model.definitions if kind == TEAM]
    silent: list[str] = []
    for ending in endings.values():
        if mission and ending.target is not None and ending.target.id != mission:
            continue
        for result, is_sided in results[ending.id].items():
            if not _is_covered(play, ending.id, result, is_sided, teams):
                silent.append(f"`{result} as {ending.id}`")
    if silent:
        first = silent[0].strip("`")
        context.report(UnforeseenEnding(play.span, results=_listed(silent, ""), row=first, general=first.split()[0]))
    for row in play.rows:
        if row.ending is None or not is_plain_ending(row.ending):
            continue
        ending = endings[row.ending.id]
        if mission and ending.target is not None and ending.target.id != mission:
            why = f"`{ending.id}` is an ending of `{ending.target.id}`"
            context.report(RowNeverRuns(row.span, why=why))
        elif results[ending.id] and row.end not in results[ending.id]:
            reached = _listed([f"{result} as {ending.id}" for result in results[ending.id]])
            context.report(RowNeverRuns(row.span, why=f"the mission can only be {reached}"))


def _is_covered(play: ir.Play, ending: str, result: str, is_sided: bool, teams: Sequence[str]) -> bool:
    """Return whether a row runs after a result with a named ending."""
    if any(row.ending is not None and row.end == result and _id_of(row.ending) == ending for row in play.rows):
        return True
    plain = [row for row in play.rows if row.ending is None]
    winners = {row.team.id for row in plain if isinstance(row.team, ir.Instance)}
    ends = {row.end for row in plain if row.team is None}
    if result == "drawn" and "drawn" not in ends:
        return "lost" in ends
    if is_sided and (winners >= {*teams} if teams else False):
        return True
    if result == "lost" and is_sided and len(teams) == 2:
        return "won" in ends  # the other team wins
    return result in ends


def _id_of(expr: ir.Expr) -> str:
    return expr.id if isinstance(expr, ir.Instance) else ""


def _listed(names: Sequence[str], mark: str = "`") -> str:
    return " or ".join(f"{mark}{name}{mark}" for name in names)
