"""Checks of teams: whether they can have players."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.teams import NobodyPlays, OthersTwice, UnforeseenWin
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.content import Definition, Test
from fcbdsl.language.model.declaring.context import Context


def check_teams(context: Context, program_facts: Sequence[Facts]) -> None:
    """Report a second team of all other players, teams without players, and missions played without a row for each team
    that may win."""
    declared = [definition for definition in context.model.definitions.values() if definition.kind.id == TEAM]
    first: Definition | None = None
    for team in declared:
        if team.others and first is not None:
            related = [Related(first.span, "these are its players already")]
            context.report(OthersTwice(team.span, name=team.id, other=first.id, related=related))
        first = first or (team if team.others else None)
    if not any(facts.teams for facts in program_facts if not isinstance(facts.owner, Test)):
        for declaration in context.index.of(TEAM):
            if not declaration.broken and (declaration.line.head is None or not declaration.line.tail):
                context.report(NobodyPlays(declaration.span, name=declaration.id))
    for play in (play for facts in program_facts for play in facts.plays):
        winners = [row.team.id for row in play.rows if isinstance(row.team, ir.Instance)]
        silent = [f"`{team.id}` wins" for team in declared if team.id not in winners]
        if not silent and any(facts.shared for facts in program_facts if not isinstance(facts.owner, Test)):
            silent = ["several teams win"]
        if winners and silent and all(row.end != "won" or row.team is not None for row in play.rows):
            context.report(UnforeseenWin(play.span, who=silent[0]))
