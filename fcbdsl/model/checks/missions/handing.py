"""What becomes of a track that is handed to a form: whether it is moved, or asked for its value."""

from __future__ import annotations

from dataclasses import dataclass

from fcbdsl.model import ir
from fcbdsl.model.checks.missions.said import SELF_AND_THIS, Said, Use
from fcbdsl.model.declarations import Form, Trait

_MOVES = {Trait.RAISES: 1, Trait.LOWERS: -1}


@dataclass(slots=True)
class Effect:
    """What is done to a track: whether it may rise or fall, and whether anything asks for its value."""

    up: bool = False
    down: bool = False
    read: bool = False

    def join(self, other: Effect) -> bool:
        """Add what else is done; whether that is anything new."""
        before = (self.up, self.down, self.read)
        self.up, self.down, self.read = self.up or other.up, self.down or other.down, self.read or other.read
        return before != (self.up, self.down, self.read)


Handed = dict[tuple[int, int], Effect]
"""What forms (by identity) do to a track that is their argument of some number."""


def handed(all: list[Said]) -> Handed:
    """What forms do to the tracks that they are given, through other forms, too."""
    out: Handed = {}
    grown = True
    while grown:
        grown = False
        for said in all:
            for use in said.tracks if isinstance(said.owner, Form) else ():
                at = parameter(said, use.track)
                if at is not None:
                    grown |= out.setdefault((id(said.owner), at), Effect()).join(effect_of(use, out))
    return out


def parameter(said: Said, expr: ir.Expr) -> int | None:
    """The number of the parameter of the form that says it, if an expression is one."""
    if not isinstance(said.owner, Form) or not isinstance(expr, ir.Var):
        return None
    at = expr.slot - SELF_AND_THIS
    return at if 0 <= at < len(said.owner.params) else None


def effect_of(use: Use, known: Handed) -> Effect:
    """What happens to a track where it is used."""
    form = use.form
    if form is None:
        return Effect(read=True)
    if form.op is None:
        return known.get((id(form), use.at), Effect())
    sign = next((_MOVES[trait] for trait in form.traits if trait in _MOVES), 0)
    if not sign:
        return Effect(read=True)
    amount = use.args[1] if len(use.args) > 1 else None
    if not isinstance(amount, ir.Const):
        return Effect(up=True, down=True)
    return Effect(up=amount.value * sign > 0, down=amount.value * sign < 0)
