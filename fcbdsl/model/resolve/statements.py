"""Statements and their blocks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fcbdsl.diagnostics.phrases import Incomplete, Misplaced
from fcbdsl.model import ir
from fcbdsl.model.ir import FLAG, NUMBER, Body, Stmt, Type, walk
from fcbdsl.model.lines import first_word, key_of
from fcbdsl.model.resolve import actions, blame, choices, forms, lasting, listeners, rolls
from fcbdsl.model.resolve.actions import Simple
from fcbdsl.model.resolve.conditions import disjunction
from fcbdsl.model.resolve.expressions import primaries, sums
from fcbdsl.model.resolve.reading import NONE, Reading
from fcbdsl.model.resolve.scope import Scope
from fcbdsl.model.resolve.tokens import flatten
from fcbdsl.syntax.tree import Clause, Line, Node

if TYPE_CHECKING:
    from fcbdsl.model.resolve.reader import Reader

Statements = tuple[Stmt, ...]

_USAGE = {
    "if": "if CONDITION: …",
    "for": "for each NOUN: …",
    "repeat": "repeat N times: …",
    "choose": "choose NAME: SELECTION",
    "may": "may STATEMENT",
    "roll": "roll DICE: …",
    "play": "play MISSION: with rows `won:` and `lost:`",
    "until": "until EVENT: …",
    "let": "let NAME = VALUE",
    "require": "require CONDITION",
    "answer": "answer VALUE",
    "announce": "announce EVENT",
    "offer": "offer ACTORS",
}
_ELSEWHERE = (
    "use", "given", "dice", "do", "expect", "refuse", "text", "when", "before", "instead", "at", "while",
    "always",
)  # fmt: skip


VALUED = ("require", "answer", "while", "if")
"""Lead words that a value follows."""


def bound(lines: Sequence[Line]) -> set[str]:
    """Names that some line binds, however deep; to tell a local used too early from an unknown word."""
    names: set[str] = set()
    for line in lines:
        names |= bound_by(line.tail) | bound(line.block)
        if line.head is not None:
            names |= bound_by((line.head,))
    return names


def bound_by(clauses: Sequence[Clause]) -> set[str]:
    """Names that some clause binds."""
    names: set[str] = set()
    for clause in clauses:
        if clause.lead in {"let", "choose", "roll", "for"} and clause.parts:
            first = flatten(clause).texts[0]
            if first:
                names.add(first)
    return names


_BINDING = re.compile(r"(?:let|choose|roll|for[ ]+each)\s+([^\W\d][\w-]*)")


def lost(lines: Sequence[Line]) -> set[str]:
    """Names that lines bind which could not be read: nothing can be said of what follows from them."""
    names: set[str] = set()
    for line in lines:
        if line.broken:
            names |= set(_BINDING.findall(line.source.text, line.offset, line.end))
        names |= lost(line.block)
    return names


# ── blocks ────────────────────────────────────────────────────────────────────────────────────


def block(reader: Reader, lines: Sequence[Line], scope: Scope) -> Statements:
    """Read lines of statements; an `if` takes the `else` lines that follow it."""
    out: list[Stmt] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.broken:
            continue
        if line.head is not None and line.head.lead == "if":
            follow = at
            while follow < len(lines) and (_lead(lines[follow]) == "else" or _is_foreign_else(lines[follow])):
                follow += 1
            out += _conditional(reader, lines[at - 1 : follow], scope)
            at = follow
        else:
            out += statement(reader, line, scope)
    return tuple(out)


def _lead(line: Line) -> str | None:
    clause = line.head if line.head is not None else next(iter(line.tail), None)
    return clause.lead if clause is not None else None


def _is_foreign_else(line: Line) -> bool:
    """Whether a line begins an ``else if`` as other languages spell it."""
    head = line.head
    if head is None or head.lead is not None or not head.parts:
        return False
    return blame.FOREIGN.get(first_word(head.parts[0])) == "else if"


def inline(reader: Reader, line: Line, clauses: Sequence[Clause], lines: Sequence[Line], scope: Scope) -> Statements:
    """Read statements behind a colon, then the block below."""
    out: list[Stmt] = []
    if clauses:
        reader.has_read(line)
    for clause in clauses:
        out += simple(reader, line, clause, scope)
    return (*out, *block(reader, lines, scope))


def body_of(reader: Reader, line: Line, scope: Scope, clauses: Sequence[Clause] | None = None) -> Body:
    """The nested body behind the colon of a line."""
    return Body(inline(reader, line, line.tail if clauses is None else clauses, line.block, scope))


def statement(reader: Reader, line: Line, scope: Scope) -> Statements:
    """Read one line."""
    head = line.head
    if head is None:
        return inline(reader, line, line.tail, line.block, scope)
    handler = _BLOCKS.get(head.lead or "")
    if handler is not None:
        return handler(reader, line, head, scope)
    if head.lead == "else":
        misplaced(reader, line, head, "there is no `if` above it in this block")
    elif head.lead in _ELSEWHERE:
        misplaced(reader, line, head, "it belongs in a declaration, not in an effect")
    else:
        simple(reader, line, head, scope)
    return ()


def misplaced(reader: Reader, line: Line, clause: Clause, why: str) -> None:
    """Report a statement that can't stand where it stands."""
    lead = clause.lead or ""
    span = line.span_of(Node(clause.start, clause.start + len(lead)))
    reader.report(Misplaced(span, lead="for each" if lead == "for" else lead, why=why))


def incomplete(reader: Reader, line: Line, clause: Clause, what: str) -> None:
    """Report a statement that lacks something; an empty block is reported when lines are read."""
    if line.opens and not line.block:
        return
    lead = clause.lead or ""
    reader.report(Incomplete(line.span_of(clause), lead=lead, what=what, usage=_USAGE.get(lead, f"{lead} …")))


# ── statements with a block ───────────────────────────────────────────────────────────────────


def _conditional(reader: Reader, lines: Sequence[Line], scope: Scope) -> Statements:
    line = lines[0]
    clause = line.head
    assert clause is not None
    alternatives = lines[1:]
    if clause.lead is None:
        reader.blame(line, clause, scope, _foreign_else_if)
        condition = None
    elif clause.lead == "else":
        parts = clause.parts
        if not parts:
            if alternatives and alternatives[0].head is not None:
                misplaced(reader, alternatives[0], alternatives[0].head, "an `else` stands above it already")
            return body_of(reader, line, scope.child()).statements
        condition = reader.read(line, parts, scope, ("else if",), _else_if, FLAG)
    elif not clause.parts:
        incomplete(reader, line, clause, "its condition")
        condition = None
    else:
        condition = reader.condition(line, clause.parts, scope)
    then = body_of(reader, line, scope.child())
    otherwise = Body(_conditional(reader, alternatives, scope)) if alternatives else Body(())
    if condition is None:
        return ()
    return (ir.If(condition, then, otherwise, line.span_of(clause)),)


def _else_if(reading: Reading) -> list[tuple[ir.Expr, int]]:
    return disjunction(reading, 1) if reading.texts[0] == "if" else []


def _foreign_else_if(reading: Reading) -> list[tuple[ir.Expr, int]]:
    return disjunction(reading, 1)


def _for_each(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    inner = scope.child()
    inner.looping = True
    found = None
    if not clause.parts:
        incomplete(reader, line, clause, "what to go through")
    else:
        found = reader.read(
            line, clause, scope, ("for",), _loops, wanted="a selection", binds=next(iter(bound_by((clause,))), "")
        )
    if found is None:
        name = next(iter(bound_by((clause,))), "")
        if name:
            inner.bind(name, Type("thing", name if name in reader.words.model.kinds else "thing"))
            scope.frame.unsound.add(name)
        body_of(reader, line, inner)
        return ()
    word, items, together = found
    binding = inner.bind(word, items.type.one())
    var = ir.Var(word, binding.slot, binding.type, items.span)
    body = body_of(reader, line, inner)
    if together and body.statements and not _sets_off(body):
        span = line.span_of(clause.parts[-1])
        reader.report(Misplaced(span, lead="at once", why="no statement of this loop is an event, so nobody hears it"))
    return (ir.ForEach(var, items, body, line.span_of(clause), together),)


def _sets_off(body: Body) -> bool:
    """Whether a statement of a body, or of a block in it, is an event."""
    return any(isinstance(node, ir.Announce) or (isinstance(node, ir.Do) and node.form.event) for node in walk(body))


def _loops(reading: Reading) -> list[tuple[tuple[str, ir.Expr, bool], int]]:
    """``x in LIST`` or a selection whose noun is the name; then perhaps ``, at once``."""
    out: list[tuple[tuple[str, ir.Expr, bool], int]] = []
    for (word, items), end in _gone_through(reading):
        out.append(((word, items, False), end))
        if reading.texts[end : end + 3] == (",", "at", "once"):
            out.append(((word, items, True), end + 3))
    return out


def _gone_through(reading: Reading) -> list[tuple[tuple[str, ir.Expr], int]]:
    word = reading.texts[0]
    out: list[tuple[tuple[str, ir.Expr], int]] = []
    if word and reading.texts[1] == "in":
        for items, end in primaries(reading, 2, None, NONE):
            if items.type.many:
                kind = Type("thing", word, True)
                narrower = word in reading.words.model.kinds and items.type.base == "thing"
                if narrower and not reading.words.related(word, items.type.name):
                    continue
                if narrower and reading.words.is_a(word, items.type.name):
                    items = _as_kind(reading, items, kind)
                out.append(((word, items), end))
    for items, end in primaries(reading, 0, None, NONE):
        if items.type.many and word:
            out.append(((word, items), end))
    return out


def _as_kind(reading: Reading, items: ir.Expr, kind: Type) -> ir.Expr:
    """``for each enemy in figures``: those of the figures that are enemies."""
    if items.type == kind:
        return items
    slot = reading.hold(kind.name, items.type.one())
    var = ir.Var("it", slot, items.type.one(), items.span)
    return ir.Select(items, slot, ir.IsA(var, kind.name, FLAG, items.span), (), kind, items.span, "")


def _repeat(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    inner = scope.child()
    inner.looping = True
    times = None
    if clause.parts:
        times = reader.read(line, clause, scope, ("repeat",), _times, wanted="a number of times")
    elif not scope.flow:
        incomplete(reader, line, clause, "how many times (only a game's `flow:` repeats without end)")
    body = body_of(reader, line, inner)
    if clause.parts and times is None:
        return ()
    return (ir.Repeat(times, body, line.span_of(clause)),)


def _times(reading: Reading) -> list[tuple[ir.Expr, int]]:
    found = sums(reading, 0, NUMBER, NONE)
    if not found and reading.log.failing:
        for expr, end in primaries(reading, 0, None, NONE)[:1]:
            forms.wrong(reading, 0, 0, end, expr, NUMBER)
    return [(count, end + 1) for count, end in found if reading.texts[end] in {"times", "time"}]


# Choices, rolls and lasting effects hold blocks themselves, so that their modules and this one import each other:
# their functions are looked up when they are called.


def _choose(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    return choices.choose(reader, line, clause, scope)


def _may(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    if clause.parts:
        incomplete(reader, line, clause, "nothing between `may` and its colon")
    body = body_of(reader, line, scope.child())
    span = line.span_of(clause)
    return (ir.ChooseOne((ir.Option({}, body, span),), None, True, span),)


def _roll(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    return rolls.roll(reader, line, clause, scope)


def _until(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    return lasting.until(reader, line, clause, scope)


def _play(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    """``play MISSION:`` with rows ``won:`` and ``lost:``."""
    rows: dict[str, Body] = {}
    for below in line.block:
        if below.broken:
            continue
        word = key_of(below)
        if word not in _ENDS or below.head is None:
            span = below.span_of(below.head) if below.head is not None else below.span
            reader.report(Misplaced(span, lead=word or "this", why="below `play` stand the rows `won:` and `lost:`"))
        elif word in rows:
            reader.report(Misplaced(below.span_of(below.head), lead=word, why="there is such a row above it already"))
        else:
            rows[word] = body_of(reader, below, scope.child())
    return _played(reader, line, clause, rows, scope)


def _played(reader: Reader, line: Line, clause: Clause, rows: Mapping[str, Body], scope: Scope) -> Statements:
    """The mission that is played, with its rows."""
    if not clause.parts:
        incomplete(reader, line, clause, "its mission")
        return ()
    mission = reader.expression(line, clause.parts, scope, _MISSION)
    if mission is None:
        return ()
    none = Body(())
    return (ir.Play(mission, rows.get("won", none), rows.get("lost", none), line.span_of(clause)),)


_MISSION, _ENDS = Type("definition", "mission"), ("won", "lost")

_BLOCKS = {"for": _for_each, "repeat": _repeat, "choose": _choose, "may": _may, "roll": _roll, "until": _until}
_BLOCKS["play"] = _play
_BLOCKS["if"] = lambda reader, line, clause, scope: _conditional(reader, (line,), scope)


# ── statements of one clause ──────────────────────────────────────────────────────────────────


def simple(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read one clause as a statement."""
    lead = clause.lead
    if scope.mode == "pure":
        misplaced(reader, line, clause, "only a value may stand here")
        return ()
    if lead is None:
        return actions.phrase(reader, line, clause, scope)
    if lead == "play":
        texts = reader.tokens(reader.unled(clause)).texts
        sayings = reader.words.forms["verb"].get(lead, ())
        if any(len(form.words) > 1 and texts[: len(form.words)] == form.words for form in sayings):
            return actions.phrase(reader, line, reader.unled(clause), scope)
        return _played(reader, line, clause, {}, scope)
    if lead in _BLOCKS and lead != "may":
        what = "its rows" if lead == "roll" else "a colon and what follows it"
        if lead == "roll" and clause.parts:
            return rolls.bare(reader, line, clause, scope)
        incomplete(reader, line, clause, what)
        return ()
    handler = _SIMPLE.get(lead)
    if handler is None and lead in reader.words.forms["verb"]:
        return actions.phrase(reader, line, reader.unled(clause), scope)
    if handler is None:
        misplaced(reader, line, clause, "it belongs in a declaration, not in an effect")
        return ()
    return handler(reader, line, clause, scope)


def _bare(reader: Reader, line: Line, clause: Clause, make: Simple) -> Statements:
    if clause.parts:
        reader.report(Misplaced(line.span_of(clause.parts[0]), lead=clause.lead or "", why="nothing may follow it"))
        return ()
    return (make(line.span_of(clause)),)


def _stop(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    return _bare(reader, line, clause, ir.Stop)


def _break(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not scope.looping:
        misplaced(reader, line, clause, "there is no loop to leave")
        return ()
    return _bare(reader, line, clause, ir.Break)


def _cancel(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    if scope.timing not in {"before", "instead"}:
        misplaced(reader, line, clause, "only `before` and `instead` listeners can cancel their event")
        return ()
    return _bare(reader, line, clause, ir.Cancel)


def _require(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        incomplete(reader, line, clause, "its condition")
        return ()
    condition = reader.condition(line, clause, scope)
    return (ir.Require(condition, line.span_of(clause)),) if condition is not None else ()


def _answer(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    if scope.gives is None:
        misplaced(reader, line, clause, "only relations and measures answer")
        return ()
    if not clause.parts:
        incomplete(reader, line, clause, "its value")
        return ()
    value = reader.expression(line, clause, scope, scope.gives)
    return (ir.Answer(value, line.span_of(clause)),) if value is not None else ()


def _announce(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        incomplete(reader, line, clause, "its event")
        return ()
    return listeners.announcement(reader, line, clause, scope)


def _one_may(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        incomplete(reader, line, clause, "what may be done")
        return ()
    span = line.span_of(clause)
    body = Body(actions.phrase(reader, line, clause, scope.child()))
    return (ir.ChooseOne((ir.Option({}, body, span),), None, True, span),)


def _let(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    return actions.let(reader, line, clause, scope)


def _offer(reader: Reader, line: Line, clause: Clause, scope: Scope) -> Statements:
    return choices.offer(reader, line, clause, scope)


_SIMPLE = {
    "stop": _stop,
    "break": _break,
    "cancel": _cancel,
    "require": _require,
    "answer": _answer,
    "announce": _announce,
    "may": _one_may,
    "let": _let,
    "offer": _offer,
}
