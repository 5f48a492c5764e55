"""Dice: one or several, added up with numbers, perhaps against others."""

from __future__ import annotations

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Die
from fcbdsl.language.model.ir import NUMBER, Expr, Type
from fcbdsl.language.model.resolve import expressions
from fcbdsl.language.model.resolve.parse_state import NONE, Found, ParseState

DIE, FACE = Type("die"), Type("face")
Against = tuple[Expr, Expr | None]


def read_dice(state: ParseState) -> list[tuple[Against, int]]:
    """Read dice, optionally with ``against`` other dice."""
    out = read_faces(state)
    for left, end in pool(state, 0):
        if state.texts[end] == "against":
            out += [((left, right), after) for right, after in pool(state, end + 1)]
        out.append(((left, None), end))
    return sorted(out, key=lambda candidate: -candidate[1])


def read_faces(state: ParseState) -> list[tuple[Against, int]]:
    """Read ``faces of 3 gravel``: the results of these dice, as a list."""
    if state.texts[0:2] != ("faces", "of"):
        return []
    pools = [(dice, end) for dice, end in _term(state, 2) if isinstance(dice, ir.Dice)]
    return [((_each(dice), None), end) for dice, end in pools]


def _each(rolled: ir.Dice) -> Expr:
    return ir.Dice(rolled.count, rolled.die, rolled.type.one().several(), rolled.span, each=True)


def is_each(rolled: Expr | None) -> bool:
    """Return whether a roll gives what each die shows."""
    return isinstance(rolled, ir.Dice) and rolled.each


def one_die(state: ParseState, at: int) -> list[Found]:
    """Return a die that is rolled alone."""
    return [
        (_typed(state, ir.Dice(None, die, NUMBER, state.span(at, end))), end)
        for die, end in expressions.primaries(state, at, DIE, NONE)
    ]


def pool(state: ParseState, at: int) -> list[Found]:
    """Read a sum of dice and numbers with at least one die: ``2 d6 + HP``."""
    return [term for term in _added(state, at) if _has_dice(term[0])]


def _added(state: ParseState, at: int) -> list[Found]:
    out: list[Found] = []
    todo = _term(state, at)
    while todo:
        out += todo
        grown: list[Found] = []
        for left, end in todo:
            op = state.texts[end]
            if op in ("+", "-"):
                for right, after in _term(state, end + 1):
                    grown.append((ir.Binary(op, left, right, NUMBER, state.span(at, after)), after))
        todo = grown
    return expressions.longest(out)


def _term(state: ParseState, at: int) -> list[Found]:
    """Read one kind of dice, or a number."""
    out: list[Found] = []
    for die, end in expressions.primaries(state, at, DIE, NONE):
        out.append((ir.Dice(None, die, NUMBER, state.span(at, end)), end))
    for count, end in expressions.primaries(state, at, NUMBER, NONE):
        for die, after in expressions.primaries(state, end, DIE, NONE):
            out.append((ir.Dice(count, die, NUMBER, state.span(at, after)), after))
        out.append((count, end))
    typed: list[Found] = [(_typed(state, expr), end) for expr, end in out]
    return sorted(typed, key=lambda candidate: -candidate[1])


def _typed(state: ParseState, expr: Expr) -> Expr:
    if not isinstance(expr, ir.Dice) or _numbered(state.words.model.dice, expr.die):
        return expr
    several = expr.count is not None
    return ir.Dice(expr.count, expr.die, FACE.several() if several else FACE, expr.span)


def _numbered(dice: dict[str, Die], die: Expr) -> bool:
    """Return whether a die has numbers; for a die that is only known in play: whether all dice do."""
    if isinstance(die, ir.Def) and die.id in dice:
        return dice[die.id].numbered
    return all(other.numbered for other in dice.values())


def _has_dice(expr: Expr) -> bool:
    if isinstance(expr, ir.Binary):
        return _has_dice(expr.left) or _has_dice(expr.right)
    return isinstance(expr, ir.Dice)


def value_type(rolled: Expr) -> Type:
    """Return the type of the result of a roll."""
    return rolled.type if isinstance(rolled, ir.Dice) else NUMBER
