"""The effect of a change on campaigns under way.

A saved campaign stores names (`play.campaign.saved`). It is refused if one of them no longer exists.
"""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.declarations import Zone
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Field, Program
from fcbdsl.play.campaign.journey import campaigns


@dataclass(frozen=True, slots=True)
class CampaignBreak:
    """A name in saved campaigns that the change removes, and why the save is refused."""

    name: str
    reason: str


def breaks(before: Model, after: Model, old: Program, new: Program) -> list[CampaignBreak]:
    """Return the parts of campaigns begun with `old` that do not exist in `new`; empty if there are no campaigns."""
    a, b = Image(old), Image(new)
    if not campaigns(a):
        return []
    return list(
        dict.fromkeys(
            [*_terms(a, b), *_columns(a, b), *_zones(a, b), *_things(before, after, _copies(old), _copies(new))]
        )
    )


def _terms(a: Image, b: Image) -> Iterator[CampaignBreak]:
    """Yield the breaks in the settings with which campaigns begin."""
    old, new = a.program, b.program
    if old.name != new.name:
        yield CampaignBreak(f"system {old.name}", f"the game is called {new.name} now")
    for name in campaigns(a):
        if name not in campaigns(b):
            yield CampaignBreak(f"campaign {name}", "the campaign is gone")
    values = {switch.name: switch.values for switch in new.switches}
    for switch in old.switches:
        for value in switch.values:
            if value not in values.get(switch.name, ()):
                yield CampaignBreak(
                    f"variant {switch.name} is {value}", "a campaign that was begun with it knows it no more"
                )
    (low, high), (least, most) = old.players, new.players
    if least > low or most < high:
        yield CampaignBreak(f"campaigns for {low} to {high} players", f"{least} to {most} can play now")


def _columns(a: Image, b: Image) -> Iterator[CampaignBreak]:
    """Yield the breaks in kept stats, statuses and tokens, by the kind of their bearers."""
    old, new = a.program, b.program
    there = {(new.kinds[kind].name, row.name): row for row in new.fields for kind in row.kept}
    kinds = {kind.name for kind in new.kinds}
    for row in old.fields:
        for kind in row.kept:
            holder = old.kinds[kind].name
            name = f"{row.name} of {holder}"
            other = there.get((holder, row.name))
            if holder not in kinds:
                yield CampaignBreak(name, f"there is no kind {holder} any more")
            elif other is None:
                named = any(field.name == row.name for field in new.fields)
                yield CampaignBreak(name, "it is not kept any more" if named else "there is no such field any more")
            else:
                yield from _narrower(name, old, new, row, other)


def _narrower(name: str, old: Program, new: Program, row: Field, other: Field) -> Iterator[CampaignBreak]:
    """Yield the values of a kept column that can no longer be read."""
    if row.tag != other.tag:
        yield CampaignBreak(name, f"its values are of another type: {row.tag} before, {other.tag} now")
    elif row.tag == "number":
        if other.low is not None and (row.low is None or other.low > row.low):
            yield CampaignBreak(name, f"values below {other.low} are out of bounds now")
        before, now = ((field.limit if field.sort == "status" else field.high) for field in (row, other))
        if now is not None and (before is None or now < before):
            yield CampaignBreak(name, f"values above {now} are out of bounds now")
    elif row.tag == "enum":
        for value in old.enums[row.enum].values:
            if value not in new.enums[other.enum].values:
                yield CampaignBreak(f"{value} ({name})", "the value is gone")
    elif row.tag == "die":
        for die in old.dice:
            if die.name not in [die.name for die in new.dice]:
                yield CampaignBreak(f"{die.name} ({name})", "the die is gone")


def _zones(a: Image, b: Image) -> Iterator[CampaignBreak]:
    old, new = a.program, b.program
    there = {(_holder(new, kind), row.name) for row in new.zones for kind in row.kept}
    for row in old.zones:
        for kind in row.kept:
            holder = _holder(old, kind)
            if (holder, row.name) not in there:
                yield CampaignBreak(f"zone {row.name} of {holder}", "there is no such kept zone any more")


def _holder(program: Program, kind: int) -> str:
    return program.kinds[kind].name if kind >= 0 else "table"


# ── things and definitions ─────────────────────────────────────────────────────────────────────


Copies = dict[tuple[str, str], int]


def _copies(program: Program) -> Copies:
    return {(program.kinds[row.kind].name, row.id): row.copies for row in program.definitions}


def _things(before: Model, after: Model, many: Copies, left: Copies) -> Iterator[CampaignBreak]:
    """Yield the removed definitions that saves refer to: as bearer, as content of a zone, or as value."""
    zones = [*before.zones.values(), *(zone for kind in before.kinds.values() for zone in kind.zones.values())]
    stats = [column for kind in before.kinds.values() for column in kind.fields.values() if column.kept]
    piles: list[Zone] = [zone for zone in zones if zone.kept]
    for key, definition in before.definitions.items():
        if before.proof_of(definition.span):
            continue
        lineage = [kind.id for kind in definition.kind.lineage()]
        why = [f"it keeps {column.id}" for column in stats if any(kind in lineage for kind in column.kept)]
        why += [f"it keeps what lies in its {zone.id}" for zone in piles if any(kind in lineage for kind in zone.kept)]
        why += [f"it may lie in {zone.id}" for zone in piles if zone.holds in lineage]
        why += [
            f"{column.id} of {column.kind} may name it"
            for column in stats
            if column.type.base in ("thing", "definition") and column.type.name in lineage
        ]
        name = f"{definition.kind.id} {definition.id}"
        if why and key not in after.definitions:
            yield CampaignBreak(name, f"it is gone or has another id, and {', '.join(why)}")
        elif why and left.get(key, 0) < many.get(key, 0):
            yield CampaignBreak(f"{name}#{many[key]}", f"there are {left.get(key, 0)} copies now, not {many[key]}")
