"""Rolls: dice, opposed dice, and rows of results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fcbdsl.diagnostics import suggest
from fcbdsl.diagnostics.phrases import UnknownFace
from fcbdsl.model import ir
from fcbdsl.model.declarations import Die
from fcbdsl.model.ir import NUMBER, Expr, Stmt, Type
from fcbdsl.model.resolve import actions, expressions, statements
from fcbdsl.model.resolve.reading import NONE, Found, Reading, longest
from fcbdsl.model.resolve.scope import Scope
from fcbdsl.syntax.tree import Clause, Line, Number, Range, Word

if TYPE_CHECKING:
    from fcbdsl.model.resolve.reader import Reader

DIE, FACE = Type("die"), Type("face")
_MARGINS = {"win": (1, None), "tie": (0, 0), "lose": (None, -1)}
Against = tuple[Expr, Expr | None]


def roll(reader: Reader, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """``roll DICE:`` with rows, ``roll A against B:`` with rows, or ``roll x: DICE``."""
    if not clause.parts:
        statements.incomplete(reader, line, clause, "its dice")
        return ()
    named = bool(line.tail)
    found = reader.read(line, reader.unled(line.tail[0]) if named else clause, scope, ("roll",), dice, wanted="dice")
    var = None
    if named:
        name, node = _name(reader, clause)
        type = value_type(reader, found[0]) if found is not None else NUMBER
        binding = scope.bind(name, type)
        if found is None:
            scope.frame.unsound.add(name)
        var = ir.Var(name, binding.slot, type, line.span_of(node))
    against = found is not None and found[1] is not None
    dice_read = found[0] if found is not None else None
    rows = [row for below in line.block if not below.broken for row in _rows(reader, below, dice_read, against, scope)]
    if found is None:
        return ()
    rest = statements.inline(reader, line, line.tail[1:], (), scope)
    return (ir.Roll(var, found[0], found[1], tuple(rows), line.span_of(clause)), *rest)


def bare(reader: Reader, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """``roll DICE`` whose result nobody looks at (listeners may)."""
    found = reader.read(line, clause, scope, ("roll",), dice, wanted="dice")
    return (ir.Roll(None, found[0], found[1], (), line.span_of(clause)),) if found is not None else ()


def _name(reader: Reader, clause: Clause) -> tuple[str, Word]:
    node = reader.tokens(clause).nodes[0]
    if isinstance(node, Word):
        return node.text, node
    return "", Word(node.start, node.end, "")


# ── dice ──────────────────────────────────────────────────────────────────────────────────────


def dice(reading: Reading) -> list[tuple[Against, int]]:
    """Readings of dice, perhaps with ``against`` other dice."""
    out: list[tuple[Against, int]] = []
    for left, end in pool(reading, 0):
        if reading.texts[end] == "against":
            out += [((left, right), after) for right, after in pool(reading, end + 1)]
        out.append(((left, None), end))
    return sorted(out, key=lambda one: -one[1])


def pool(reading: Reading, at: int) -> list[Found]:
    """Dice and numbers added up: ``2 d6 + HP``. There is a die among them."""
    return [one for one in _added(reading, at) if _has_dice(one[0])]


def _added(reading: Reading, at: int) -> list[Found]:
    out: list[Found] = []
    todo = _term(reading, at)
    while todo:
        out += todo
        grown: list[Found] = []
        for left, end in todo:
            op = reading.texts[end]
            if op in ("+", "-"):
                for right, after in _term(reading, end + 1):
                    grown.append((ir.Binary(op, left, right, NUMBER, reading.span(at, after)), after))
        todo = grown
    return longest(out)


def _term(reading: Reading, at: int) -> list[Found]:
    """One kind of dice, or a number."""
    out: list[Found] = []
    for die, end in expressions.primaries(reading, at, DIE, NONE):
        out.append((ir.Dice(None, die, NUMBER, reading.span(at, end)), end))
    for count, end in expressions.primaries(reading, at, NUMBER, NONE):
        for die, after in expressions.primaries(reading, end, DIE, NONE):
            out.append((ir.Dice(count, die, NUMBER, reading.span(at, after)), after))
        out.append((count, end))
    typed: list[Found] = [(_typed(reading, one), end) for one, end in out]
    return sorted(typed, key=lambda one: -one[1])


def _typed(reading: Reading, expr: Expr) -> Expr:
    if not isinstance(expr, ir.Dice) or _numbered(reading.words.model.dice, expr.die):
        return expr
    several = expr.count is not None
    return ir.Dice(expr.count, expr.die, FACE.several() if several else FACE, expr.span)


def _numbered(known: dict[str, Die], die: Expr) -> bool:
    """Whether a die shows numbers; of a die that is only known in play: whether all dice do."""
    if isinstance(die, ir.Def) and die.id in known:
        return known[die.id].numbered
    return all(one.numbered for one in known.values())


def _has_dice(expr: Expr) -> bool:
    if isinstance(expr, ir.Binary):
        return _has_dice(expr.left) or _has_dice(expr.right)
    return isinstance(expr, ir.Dice)


def value_type(reader: Reader, rolled: Expr) -> Type:
    """The type of what a roll gives."""
    return rolled.type if isinstance(rolled, ir.Dice) else NUMBER


# ── rows ──────────────────────────────────────────────────────────────────────────────────────


def _rows(reader: Reader, line: Line, rolled: Expr | None, against: bool, scope: Scope) -> list[ir.Row]:
    """The row of a line; several for a list of numbers."""
    body = statements.body_of(reader, line, scope.child()) if line.head is not None else ir.Body(())
    head = line.head
    if head is None:
        statements.statement(reader, line, scope.child())
        return []
    span = line.span_of(head)
    if head.lead == "else" and not head.parts:
        return [ir.Row(None, None, (), "else", {}, body, span)]
    reading = reader.reading(line, head.parts, scope)
    title: dict[str, str] = {}
    faces: list[int] = []
    ranges: list[tuple[int | None, int | None]] = []
    at = 0
    while at < len(reading.tokens):
        node, text = reading.tokens.nodes[at], reading.texts[at]
        if isinstance(node, Number):
            ranges.append((node.value, node.value))
        elif isinstance(node, Range):
            ranges.append((node.low, node.high))
        elif against and text in _MARGINS:
            ranges.append(_MARGINS[text])
        elif isinstance(node, Word) and text is not None:
            face = _face(reader, line, node, rolled)
            faces += [face] if face is not None else []
        elif text != ",":
            title, at = actions.titles(reading, at)
            at -= 1
        at += 1
    label = " ".join(part for part in _labels(reading))
    found = [ir.Row(low, high, (), label, title, body, span) for low, high in ranges]
    return found if not faces else [*found, ir.Row(None, None, tuple(faces), label, title, body, span)]


def _labels(reading: Reading) -> Iterable[str]:
    for at, node in enumerate(reading.tokens.nodes):
        if isinstance(node, Number | Range | Word):
            yield reading.phrase(at, at + 1)


def _face(reader: Reader, line: Line, node: Word, rolled: Expr | None) -> int | None:
    """The symbol of a row; it must be on the die, if it is known which one is rolled."""
    words = reader.words
    all_symbols = words.symbols()
    die = rolled.die if isinstance(rolled, ir.Dice) else None
    on_die, name = all_symbols, "the dice"
    if isinstance(die, ir.Def) and die.id in words.model.dice:
        on_die, name = words.model.dice[die.id].symbols, die.id
    if node.text in on_die:
        return all_symbols.index(node.text)
    nearest = suggest(node.text, on_die)
    reader.report(UnknownFace(line.span_of(node), die=name, face=node.text, suggestion=nearest))
    return None
