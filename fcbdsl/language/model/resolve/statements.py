"""Statements with their blocks, and listeners. They are one module because each can contain the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fcbdsl.base.diagnostics import suggest
from fcbdsl.base.diagnostics.phrases import Incomplete, Misplaced, UnknownFace, UnknownId
from fcbdsl.base.words import ENDS, Timing, one_of
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.declarations import CHANGE, Event, Trait
from fcbdsl.language.model.ir import FLAG, NUMBER, Body, Expr, Listener, Modifier, Slot, Stmt, Type, walk
from fcbdsl.language.model.lines import atoms, first_word, key_of
from fcbdsl.language.model.resolve import actions, dice, error_selection, events, expressions, failing, modifiers
from fcbdsl.language.model.resolve.actions import Simple
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.expressions import disjunction, primaries, sums
from fcbdsl.language.model.resolve.parse_state import NONE, ParseState
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.terms import Terms, chosen, decided, read_terms, reject_terms
from fcbdsl.language.model.resolve.tokens import flatten
from fcbdsl.language.model.resolve.wording import type_words
from fcbdsl.language.syntax.tree import Atom, Clause, Line, Node, Number, Part, Phrase, Range, String, Word

Statements = tuple[Stmt, ...]

_MARGINS = {"win": (1, None), "tie": (0, 0), "lose": (None, -1)}
_USAGE = {
    "if": "if CONDITION: …",
    "for": "for each NOUN: …",
    "repeat": "repeat N times: …",
    "choose": "choose NAME: SELECTION",
    "may": "may STATEMENT, or may[, by PLAYER]: …",
    "in": "in any order: with a step on each line below",
    "roll": "roll DICE: …",
    "play": "play MISSION: with rows `won:`, `lost:` or `drawn:`",
    "until": "until EVENT: …",
    "let": "let NAME = VALUE",
    "require": "require CONDITION",
    "answer": "answer VALUE",
    "announce": "announce EVENT",
    "offer": "offer ACTORS",
}
_ELSEWHERE = (
    "use", "given", "dice", "do", "expect", "refuse", "text", "when", "whenever", "before", "instead", "at", "while",
    "always",
)  # fmt: skip


def lines_body(resolver: Resolver, lines: Sequence[Line], scope: Scope) -> Body:
    """Read the lines of an effect."""
    scope.frame.unsound |= lost(lines)
    scope.frame.later |= bound(lines)
    return Body(block(resolver, lines, scope), scope.slots())


def clauses_body(
    resolver: Resolver, line: Line, clauses: Sequence[Clause], lines: Sequence[Line], scope: Scope
) -> Body:
    """Read statements after a colon, and the block below them."""
    scope.frame.unsound |= lost(lines)
    scope.frame.later |= bound(lines) | bound_by(clauses)
    return Body(inline(resolver, line, clauses, lines, scope), scope.slots())


def bound(lines: Sequence[Line]) -> set[str]:
    """Return the names that any line binds, at any depth.

    They distinguish a local used too early from an unknown word.
    """
    names: set[str] = set()
    for line in lines:
        names |= bound_by(line.tail) | bound(line.block)
        if line.head is not None:
            names |= bound_by((line.head,))
    return names


def bound_by(clauses: Sequence[Clause]) -> set[str]:
    """Return the names that some clause binds."""
    names: set[str] = set()
    for clause in clauses:
        if clause.lead in {"let", "choose", "roll", "for"} and clause.parts:
            first = flatten(clause).texts[0]
            if first:
                names.add(first)
    return names


_BINDING = re.compile(r"(?:let|choose|roll|for[ ]+each)\s+([^\W\d][\w-]*)")


def lost(lines: Sequence[Line]) -> set[str]:
    """Return the names bound by lines that could not be read; uses of these names are not reported."""
    names: set[str] = set()
    for line in lines:
        if line.broken:
            names |= set(_BINDING.findall(line.source.text, line.offset, line.end))
        names |= lost(line.block)
    return names


# ── blocks ──────────────────────────────────────────────────────────────────────────────────────


def block(resolver: Resolver, lines: Sequence[Line], scope: Scope) -> Statements:
    """Read lines of statements; an `if` takes the `else` lines that follow it, a `then:` the statement above it."""
    out: list[Stmt] = []
    at = before = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.broken:
            before = len(out)
            continue
        if _is_then(line):
            ways = lines[at - 1 : at + 1] if at < len(lines) and _lead(lines[at]) == "else" else (line,)
            above = lines[at - 2] if at > 1 else None
            out[before:] = _followed(resolver, ways, above, out[before:], scope)
            at += len(ways) - 1
            continue
        before = len(out)
        if line.head is not None and line.head.lead == "if":
            follow = at
            while follow < len(lines) and (_lead(lines[follow]) == "else" or _is_foreign_else(lines[follow])):
                follow += 1
            out += _conditional(resolver, lines[at - 1 : follow], scope)
            at = follow
        else:
            out += statement(resolver, line, scope)
    return tuple(out)


def _lead(line: Line) -> str | None:
    clause = line.head if line.head is not None else next(iter(line.tail), None)
    return clause.lead if clause is not None else None


def _is_then(line: Line) -> bool:
    """Return whether a line begins with a lone ``then:``."""
    head = line.head
    if head is None or head.lead is not None or len(head.parts) != 1:
        return False
    expr = head.parts[0].expr
    return isinstance(expr, Phrase) and len(expr.atoms) == 1 and first_word(head.parts[0]) == "then"


def _followed(
    resolver: Resolver, ways: Sequence[Line], above: Line | None, out: list[Stmt], scope: Scope
) -> list[Stmt]:
    """Read ``then:`` and an optional ``else:``, which continue the last statement of the line above.

    `out`: the statements of that line.
    """
    line = ways[0]
    clause = line.head
    assert clause is not None
    then, otherwise = body_of(resolver, line, scope.child()), Body(())
    for other in ways[1:]:
        other_clause = other.head if other.head is not None else other.tail[0]
        if other_clause.parts:
            misplaced(resolver, other, other_clause, "only a plain `else:` can follow `then:`")
        otherwise = body_of(resolver, other, scope.child())
    if above is None or _lead(above) == "else":
        why = "it continues the line above, but there is none" if above is None else _OF_BRANCHES
        misplaced(resolver, line, clause, why)
    elif not out:
        pass  # the statement before it could not be read
    elif not _may_fail(out[-1]):
        misplaced(resolver, line, clause, _OF_BRANCHES if isinstance(out[-1], ir.If) else _ALWAYS_DONE)
    else:
        return [*out[:-1], ir.Then(Body((out[-1],)), then, otherwise, line.span_of(clause))]
    return out


_OF_BRANCHES = "write it in the branch whose statement it follows"
_ALWAYS_DONE = "the statement above it always happens, or ends the effect"


def _may_fail(statement: Stmt) -> bool:
    """Return whether a statement may turn out not to be done without ending the effect."""
    if isinstance(statement, ir.If):
        return False
    for node in walk(statement):
        if isinstance(node, ir.Do) and (node.form.op is None or node.form.event is not None):
            return True
        if isinstance(node, ir.Do) and Trait.FAILS in node.form.traits:
            return True
        if isinstance(node, ir.Choose) and (node.optional or (node.up_to is not None and not node.exactly)):
            return True
        if isinstance(node, ir.ChooseOne | ir.AnyOrder | ir.Announce):
            return True
    return False


def _is_foreign_else(line: Line) -> bool:
    """Return whether a line begins with an ``else if`` in the spelling of another language."""
    head = line.head
    if head is None or head.lead is not None or not head.parts:
        return False
    return error_selection.FOREIGN.get(first_word(head.parts[0])) == "else if"


def inline(
    resolver: Resolver, line: Line, clauses: Sequence[Clause], lines: Sequence[Line], scope: Scope
) -> Statements:
    """Read statements behind a colon, then the block below."""
    out: list[Stmt] = []
    if clauses:
        resolver.has_read(line)
    for clause in clauses:
        out += simple(resolver, line, clause, scope)
    return (*out, *block(resolver, lines, scope))


def body_of(resolver: Resolver, line: Line, scope: Scope, clauses: Sequence[Clause] | None = None) -> Body:
    """Return the nested body behind the colon of a line."""
    return Body(inline(resolver, line, line.tail if clauses is None else clauses, line.block, scope))


def statement(resolver: Resolver, line: Line, scope: Scope) -> Statements:
    """Read one line."""
    head = line.head
    if head is None:
        return inline(resolver, line, line.tail, line.block, scope)
    handler = _may if _is_may(head) else _any_order if _is_any_order(resolver, head) else _BLOCKS.get(head.lead or "")
    if handler is not None:
        return handler(resolver, line, head, scope)
    if head.lead == "else":
        misplaced(resolver, line, head, "there is no `if` above it in this block")
    elif head.lead in _ELSEWHERE:
        misplaced(resolver, line, head, "it belongs in a declaration, not in an effect")
    else:
        simple(resolver, line, head, scope)
    return ()


def misplaced(resolver: Resolver, line: Line, clause: Clause, why: str) -> None:
    """Report a statement that is not allowed at its place."""
    lead = clause.lead or (first_word(clause.parts[0]) if clause.parts else "")
    span = line.span_of(Node(clause.start, clause.start + len(lead)))
    resolver.report(Misplaced(span, lead="for each" if lead == "for" else lead, why=why))


def incomplete(resolver: Resolver, line: Line, clause: Clause, what: str) -> None:
    """Report a statement that lacks something; an empty block is reported when lines are read."""
    if line.opens and not line.block:
        return
    lead = clause.lead or first_word(clause.parts[0])
    resolver.report(Incomplete(line.span_of(clause), lead=lead, what=what, usage=_USAGE.get(lead, f"{lead} …")))


# ── statements with a block ─────────────────────────────────────────────────────────────────────


def _conditional(resolver: Resolver, lines: Sequence[Line], scope: Scope) -> Statements:
    line = lines[0]
    clause = line.head
    assert clause is not None
    alternatives = lines[1:]
    if clause.lead is None:
        resolver.blame(line, clause, scope, _foreign_else_if)
        condition = None
    elif clause.lead == "else":
        parts = clause.parts
        if not parts:
            if alternatives and alternatives[0].head is not None:
                misplaced(resolver, alternatives[0], alternatives[0].head, "the block above already has an `else`")
            return body_of(resolver, line, scope.child()).statements
        condition = resolver.read(line, parts, scope, ("else if",), _else_if, FLAG)
    elif not clause.parts:
        incomplete(resolver, line, clause, "its condition")
        condition = None
    else:
        condition = resolver.condition(line, clause.parts, scope)
    then = body_of(resolver, line, scope.child())
    otherwise = Body(_conditional(resolver, alternatives, scope)) if alternatives else Body(())
    if condition is None:
        return ()
    return (ir.If(condition, then, otherwise, line.span_of(clause)),)


def _else_if(state: ParseState) -> list[tuple[ir.Expr, int]]:
    return disjunction(state, 1) if state.texts[0] == "if" else []


def _foreign_else_if(state: ParseState) -> list[tuple[ir.Expr, int]]:
    return disjunction(state, 1)


def _for_each(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    inner = scope.child()
    inner.looping = True
    found = None
    if not clause.parts:
        incomplete(resolver, line, clause, "a list to go through")
    else:
        found = resolver.read(
            line, clause, scope, ("for",), _loops, wanted="a selection", binds=next(iter(bound_by((clause,))), "")
        )
    if found is None:
        name = next(iter(bound_by((clause,))), "")
        if name:
            inner.bind(name, Type("thing", name if name in resolver.words.model.kinds else "thing"))
            scope.frame.unsound.add(name)
        body_of(resolver, line, inner)
        return ()
    word, items, together, any_order, by, secret = found
    binding = inner.bind(word, items.type.one())
    var = ir.Var(word, binding.slot, binding.type, items.span)
    body = body_of(resolver, line, inner)
    if together and body.statements and not _sets_off(body):
        span = line.span_of(clause.parts[-1])
        resolver.report(Misplaced(span, lead="at once", why="no statement of this loop is an event"))
    count = 0
    if secret:
        body, count = _in_secret(resolver, line, clause, var, body)
    return (ir.ForEach(var, items, body, line.span_of(clause), together, any_order, by, count),)


def _in_secret(resolver: Resolver, line: Line, clause: Clause, var: ir.Var, body: Body) -> tuple[Body, int]:
    """Return the body of a loop whose first statements are secret choices, and the number of those statements."""
    span = line.span_of(clause.parts[-1])
    statements = list(body.statements)
    count = 0
    for number, one in enumerate(statements):
        if isinstance(one, ir.Choose):
            count = number + 1
        elif not isinstance(one, ir.Let):
            break
    begins = [below.head for below in line.block if below.head is not None] + list(line.tail)
    if not count and not any(one.lead == "choose" for one in begins):
        resolver.report(Misplaced(span, lead="in secret", why="the loop must begin with a choice"))
    if var.type.base != "thing" or any(resolver.words.is_a(var.type.name, kind) for kind in _CHOOSES_NOTHING):
        why = f"no player chooses for {type_words(var.type)}"
        resolver.report(Misplaced(span, lead="in secret", why=why))
    for number, one in enumerate(statements[:count]):
        assert isinstance(one, ir.Let | ir.Choose)
        if one.var.slot < var.slot:
            why = "a secret choice needs another name"
            resolver.report(Misplaced(one.var.span, lead=one.var.name, why=why))
        if isinstance(one, ir.Choose) and one.by is not None:
            resolver.report(Misplaced(one.by.span, lead="by", why="each player chooses alone in secret"))
        elif isinstance(one, ir.Choose) and not one.chance:
            statements[number] = replace(one, by=var)
    return Body(tuple(statements), body.slots), count


_CHOOSES_NOTHING = ("space", "side", "region", "mission", "campaign", "track", "game")
"""Kinds of things that no player controls."""


def _sets_off(body: Body) -> bool:
    """Return whether a statement of a body, or of a nested block, is or may cause an event.

    Such statements are verbs with a body, and performed effects.
    """
    return any(
        isinstance(node, ir.Announce | ir.Offer)
        or (isinstance(node, ir.Do) and bool(node.form.event or node.form.op in (None, "perform")))
        for node in walk(body)
    )


_Loop = tuple[str, Expr, bool, bool, Expr | None, bool]
"""The local, its items, whether all is one happening, whether the order is chosen, who chooses it, and whether the loop
begins with secret choices."""


def _loops(state: ParseState) -> list[tuple[_Loop, int]]:
    """Read ``x in LIST``, or a selection whose noun becomes the name.

    After it may come ``, at once``, ``, in secret`` or ``, in any order``.
    """
    out: list[tuple[_Loop, int]] = []
    for (word, items), end in _gone_through(state):
        out.append(((word, items, False, False, None, False), end))
        if state.texts[end : end + 3] == (",", "at", "once"):
            out.append(((word, items, True, False, None, False), end + 3))
        if state.texts[end : end + 3] == (",", "in", "secret"):
            out.append(((word, items, False, False, None, True), end + 3))
        if state.texts[end : end + 4] == (",", "in", "any", "order"):
            out.append(((word, items, False, True, None, False), end + 4))
            out += [((word, items, False, True, by, False), after) for by, after in decided(state, end + 4)]
    return out


def _gone_through(state: ParseState) -> list[tuple[tuple[str, ir.Expr], int]]:
    word = state.texts[0]
    out: list[tuple[tuple[str, ir.Expr], int]] = []
    if word and state.texts[1] == "in":
        for items, end in primaries(state, 2, None, NONE):
            if items.type.many:
                kind = Type("thing", word, True)
                narrower = word in state.words.model.kinds and items.type.base == "thing"
                if narrower and not state.words.related(word, items.type.name):
                    continue
                if narrower and state.words.is_a(word, items.type.name):
                    items = _as_kind(state, items, kind)
                out.append(((word, items), end))
    for items, end in primaries(state, 0, None, NONE):
        if items.type.many and word:
            out.append(((word, items), end))
    return out


def _as_kind(state: ParseState, items: ir.Expr, kind: Type) -> ir.Expr:
    """Return the items of a list that are of a kind: ``for each enemy in figures``."""
    if items.type == kind:
        return items
    slot = state.hold(kind.name, items.type.one())
    var = ir.Var("it", slot, items.type.one(), items.span)
    return ir.Select(items, slot, ir.IsA(var, kind.name, FLAG, items.span), (), kind, items.span, "")


def _repeat(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    inner = scope.child()
    inner.looping = True
    times = None
    if clause.parts:
        times = resolver.read(line, clause, scope, ("repeat",), _times, wanted="a number of times")
    elif not scope.flow:
        incomplete(resolver, line, clause, "how many times (only a game's `flow:` repeats without end)")
    body = body_of(resolver, line, inner)
    if clause.parts and times is None:
        return ()
    return (ir.Repeat(times, body, line.span_of(clause)),)


def _times(state: ParseState) -> list[tuple[ir.Expr, int]]:
    found = sums(state, 0, NUMBER, NONE)
    if not found and state.log.failing:
        for expr, end in primaries(state, 0, None, NONE)[:1]:
            failing.wrong(state, 0, 0, end, expr, NUMBER)
    return [(count, end + 1) for count, end in found if state.texts[end] in {"times", "time"}]


def _is_may(clause: Clause) -> bool:
    """Return whether a clause is a ``may`` with terms, which is an ordinary word before a comma."""
    first = clause.parts[0].expr if clause.lead is None and len(clause.parts) > 1 else None
    return isinstance(first, Phrase) and len(first.atoms) == 1 and first_word(clause.parts[0]) == "may"


def _may(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``may: …`` or ``may, by PLAYER: …``."""
    terms = Terms()
    if clause.lead is None:
        terms = read_terms(resolver, line, clause, scope, "may")
        reject_terms(resolver, line, (clause,), terms, ("or none", "up to", "exactly", "at random"))
    elif clause.parts:
        incomplete(resolver, line, clause, "nothing between `may` and its colon")
    body = body_of(resolver, line, scope.child())
    span = line.span_of(clause)
    return (ir.ChooseOne((ir.Option({}, body, span),), terms.by, True, span),)


_IN_ANY_ORDER = ("in", "any", "order")


def _is_any_order(resolver: Resolver, clause: Clause) -> bool:
    """Return whether a clause is ``in any order``, with or without a chooser."""
    return clause.lead is None and resolver.tokens(clause.parts).texts[:3] == _IN_ANY_ORDER


def _any_order(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``in any order[, by PLAYER]:`` with a step on each line below."""
    terms = read_terms(resolver, line, clause, scope, "in", 3)
    reject_terms(resolver, line, (clause,), terms, ("or none", "up to", "exactly", "at random"))
    if line.tail:
        misplaced(resolver, line, clause, "its steps go on the lines below it")
    steps = tuple(_option(resolver, below, scope) for below in line.block if not below.broken)
    return (ir.AnyOrder(steps, terms.by, line.span_of(clause)),) if steps else ()


def _play(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``play MISSION:`` with rows ``won:``, ``won by TEAM:``, ``lost:`` and ``drawn:``."""
    rows: dict[tuple[str, str], ir.PlayRow] = {}
    for below in line.block:
        if below.broken:
            continue
        ended = _play_row(resolver, below, scope)
        if ended is None:
            continue
        by = ended.team.id if isinstance(ended.team, ir.Instance) else ""
        if (ended.end, by) in rows:
            why = "this block already has such a row"
            resolver.report(Misplaced(ended.span, lead=key_of(below), why=why))
        else:
            rows[ended.end, by] = ended
    return _played(resolver, line, clause, tuple(rows.values()), scope)


def _play_row(resolver: Resolver, line: Line, scope: Scope) -> ir.PlayRow | None:
    """Read a row of `play`."""
    head = line.head
    end = one_of(ENDS, key_of(line))
    said = atoms(head)[1:] if head is not None and len(head.parts) == 1 else None
    by = [part for part in head.parts[1:] if part.lead == "by"] if head is not None else []
    if head is None or end is None or said is None or by:
        why = "the rows below `play` are `won:`, `won by TEAM:`, `lost:` and `drawn:`"
        span = line.span_of(head) if head is not None else line.span
        resolver.report(Misplaced(span, lead=key_of(line) or "this", why=why))
        return None
    team = None
    if said:
        team = _winner(resolver, line, said) if end == "won" else None
        if team is None and end != "won":
            why = "only `won` can name a team"
            resolver.report(Misplaced(line.span_of(head), lead=end, why=why))
        if team is None:
            return None
    return ir.PlayRow(end, team, body_of(resolver, line, scope.child()), line.span_of(head))


def _winner(resolver: Resolver, line: Line, said: Sequence[Atom]) -> Expr | None:
    """Return the team in ``won by TEAM``; report a phrase that is not a team."""
    teams = [one.id for one in resolver.words.model.definitions.values() if one.kind.id == TEAM]
    match said:
        case (Word(text="by"), Word(text=name)) if name in teams:
            return ir.Instance(TEAM, name, 1, Type("thing", TEAM), line.span_of(said[1]))
        case (Word(text="by"), Word(text=name)):
            known = f"There are {', '.join(f'`{one}`' for one in teams)}." if teams else "There is none."
            nearest = suggest(name, teams)
            resolver.report(UnknownId(line.span_of(said[1]), sort=TEAM, name=name, known=known, suggestion=nearest))
        case _:
            resolver.report(Misplaced(line.span_of(said[0]), lead="won", why="only `by TEAM` can follow it"))
    return None


def _played(resolver: Resolver, line: Line, clause: Clause, rows: tuple[ir.PlayRow, ...], scope: Scope) -> Statements:
    """Return the statement that plays a mission, with its rows."""
    if not clause.parts:
        incomplete(resolver, line, clause, "its mission")
        return ()
    mission = resolver.expression(line, clause.parts, scope, _MISSION)
    if mission is None:
        return ()
    return (ir.Play(mission, rows, line.span_of(clause)),)


_MISSION = Type("definition", "mission")


# ── choices ─────────────────────────────────────────────────────────────────────────────────────


def choose(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``choose x: SELECTION`` or ``choose one:`` with option lines."""
    tokens = resolver.tokens(clause)
    name = tokens.texts[0] if len(tokens.nodes) else None
    if name == "one" and not line.tail:
        return _choose_one(resolver, line, clause, scope)
    if name is None or not line.tail:
        usage = "choose NAME: SELECTION"
        scope.bind(name or "", Type("thing", "thing"))
        scope.frame.unsound.add(name or "")
        if line.opens and not line.block:
            return ()
        what = "a name" if name is None else "what to choose from"
        resolver.report(Incomplete(line.span_of(clause), lead="choose", what=what, usage=usage))
        return ()
    given = read_terms(resolver, line, clause, scope, "choose")
    options = resolver.strip_lead_keyword(line.tail[0])
    found = resolver.read(
        line, options, scope, ("options", given.said()), lambda state: chosen(state, given), wanted="a selection"
    )
    if found is None:
        scope.bind(name, Type("nothing"))
        scope.frame.unsound.add(name)
        return ()
    candidates, terms = found[0], Terms(*found[1:])
    refused = ["by"] if terms.chance else []
    if terms.up_to is not None:
        refused += ["or none"] if terms.exactly else ["at random", "or none"]
    reject_terms(resolver, line, (clause, options), terms, refused)
    type = candidates.type if terms.up_to is not None else candidates.type.one()
    binding = scope.bind(name, type)
    var = ir.Var(name, binding.slot, type, line.span_of(tokens.nodes[0]))
    span = line.span_of(clause)
    made = ir.Choose(var, candidates, terms.by, terms.optional, terms.up_to, span, terms.chance, terms.exactly)
    return (made, *inline(resolver, line, line.tail[1:], line.block, scope))


def _choose_one(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    terms = read_terms(resolver, line, clause, scope, "one")
    reject_terms(resolver, line, (clause,), terms, ("up to", "exactly", "at random"))
    if not line.block:
        if line.opens:
            return ()
        usage = "choose one: with an option on each line below"
        resolver.report(Incomplete(line.span_of(clause), lead="choose one", what="its options", usage=usage))
        return ()
    options = tuple(_option(resolver, below, scope) for below in line.block if not below.broken)
    return (ir.ChooseOne(options, terms.by, terms.optional, line.span_of(clause)),)


def _option(resolver: Resolver, line: Line, scope: Scope) -> ir.Option:
    """Read a line ``"Label": statements``, ``"Label" statement`` or just a statement."""
    head = line.head
    inner = scope.child()
    if head is not None and head.lead is None and _begins_with_text(head):
        state = resolver.begin(line, head, scope)
        label, end = actions.titles(state, 0)
        if end == state.count:
            return ir.Option(label, body_of(resolver, line, inner), line.span)
    if head is None and line.tail and _begins_with_text(line.tail[0]):
        text, rest = _split(line.tail[0])
        clauses = (*rest, *line.tail[1:])
        body = Body(inline(resolver, line, clauses, line.block, inner))
        return ir.Option({"en": text}, body, line.span)
    return ir.Option({}, Body(block(resolver, (line,), inner)), line.span)


def _begins_with_text(clause: Clause) -> bool:
    expr = clause.parts[0].expr if clause.parts else None
    return clause.lead is None and isinstance(expr, Phrase) and isinstance(expr.atoms[0], String)


def _split(clause: Clause) -> tuple[str, tuple[Clause, ...]]:
    """Return the label of an option, and the statement after it."""
    first = clause.parts[0]
    assert isinstance(first.expr, Phrase)
    label, atoms = first.expr.atoms[0], first.expr.atoms[1:]
    assert isinstance(label, String)
    if not atoms:
        return label.value, ()
    phrase = Phrase(atoms[0].start, first.expr.end, atoms)
    parts = (Part(phrase.start, first.end, None, phrase), *clause.parts[1:])
    return label.value, (Clause(phrase.start, clause.end, None, parts),)


# ── rolls ───────────────────────────────────────────────────────────────────────────────────────


def roll(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``roll DICE:`` with rows, ``roll A against B:`` with rows, or ``roll x: DICE``."""
    if not clause.parts:
        incomplete(resolver, line, clause, "its dice.dice")
        return ()
    named = bool(line.tail)
    found = resolver.read(
        line, resolver.strip_lead_keyword(line.tail[0]) if named else clause, scope, ("roll",), dice.dice, wanted="dice"
    )
    var = None
    if named:
        name, node = _rolled_name(resolver, clause)
        type = dice.value_type(found[0]) if found is not None else NUMBER
        binding = scope.bind(name, type)
        if found is None:
            scope.frame.unsound.add(name)
        var = ir.Var(name, binding.slot, type, line.span_of(node))
    against = found is not None and found[1] is not None
    dice_read = found[0] if found is not None else None
    rows = [
        row for below in line.block if not below.broken for row in _rows(resolver, below, dice_read, against, scope)
    ]
    if found is None:
        return ()
    if dice.is_each(found[0]) and line.block:
        misplaced(resolver, line, clause, _OF_SEVERAL)
    rest = inline(resolver, line, line.tail[1:], (), scope)
    return (ir.Roll(var, found[0], found[1], tuple(rows), line.span_of(clause)), *rest)


_OF_SEVERAL = "`faces of` gives a face for each die, and rows read one; use `for each` and `if`"


def _bare_roll(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``roll DICE`` without rows; the result is only visible to listeners."""
    found = resolver.read(line, clause, scope, ("roll",), dice.dice, wanted="dice")
    return (ir.Roll(None, found[0], found[1], (), line.span_of(clause)),) if found is not None else ()


def _rolled_name(resolver: Resolver, clause: Clause) -> tuple[str, Word]:
    node = resolver.tokens(clause).nodes[0]
    if isinstance(node, Word):
        return node.text, node
    return "", Word(node.start, node.end, "")


def _rows(resolver: Resolver, line: Line, rolled: Expr | None, against: bool, scope: Scope) -> list[ir.Row]:
    """Read the row of a line, or several rows for a list of numbers."""
    body = body_of(resolver, line, scope.child()) if line.head is not None else ir.Body(())
    head = line.head
    if head is None:
        statement(resolver, line, scope.child())
        return []
    span = line.span_of(head)
    if head.lead == "else" and not head.parts:
        return [ir.Row(None, None, (), "else", {}, body, span)]
    state = resolver.begin(line, head.parts, scope)
    title: dict[str, str] = {}
    faces: list[int] = []
    ranges: list[tuple[int | None, int | None]] = []
    at = 0
    while at < state.count:
        node, text = state.tokens.nodes[at], state.texts[at]
        if isinstance(node, Number):
            ranges.append((node.value, node.value))
        elif isinstance(node, Range):
            ranges.append((node.low, node.high))
        elif against and text in _MARGINS:
            ranges.append(_MARGINS[text])
        elif isinstance(node, Word) and text is not None:
            face = _face(resolver, line, node, rolled)
            faces += [face] if face is not None else []
        elif text != ",":
            title, at = actions.titles(state, at)
            at -= 1
        at += 1
    label = " ".join(part for part in _labels(state))
    found = [ir.Row(low, high, (), label, title, body, span) for low, high in ranges]
    return found if not faces else [*found, ir.Row(None, None, tuple(faces), label, title, body, span)]


def _labels(state: ParseState) -> Iterable[str]:
    for at, node in enumerate(state.tokens.nodes):
        if isinstance(node, Number | Range | Word):
            yield state.phrase(at, at + 1)


def _face(resolver: Resolver, line: Line, node: Word, rolled: Expr | None) -> int | None:
    """Return the symbol of a row, which must be on the die if the die is known."""
    words = resolver.words
    all_symbols = words.symbols()
    die = rolled.die if isinstance(rolled, ir.Dice) else None
    on_die, name = all_symbols, "the dice.dice"
    if isinstance(die, ir.Def) and die.id in words.model.dice:
        on_die, name = words.model.dice[die.id].symbols, die.id
    if node.text in on_die:
        return all_symbols.index(node.text)
    nearest = suggest(node.text, on_die)
    resolver.report(UnknownFace(line.span_of(node), die=name, face=node.text, suggestion=nearest))
    return None


# ── listeners and modifiers ────────────────────────────────────────────────────────────────────────


def moment(resolver: Resolver, line: Line, scope: Scope) -> Listener | None:
    """Read a listener: a line led by when, before, instead or at."""
    return listener(resolver, line, scope, captured=False)


def listener(resolver: Resolver, line: Line, scope: Scope, captured: bool) -> Listener | None:
    """Read ``when EVENT[, if CONDITION][, once per EVENT]:`` with its body; ``may when …`` can be declined.

    Also read ``whenever CONDITION[, once]:``.
    """
    head = line.head
    if line.broken:
        return None
    if head is not None and head.lead == "whenever" and head.parts:
        return _whenever(resolver, line, head, scope, captured)
    if head is None or not head.parts:
        lead = (head or line.tail[0]).lead or "when"
        if lead == "whenever":
            incomplete(resolver, line, head or line.tail[0], "its condition and a colon")
            return None
        usage = f"{'may when' if lead == 'may' else lead} EVENT: …"
        resolver.report(Incomplete(line.span, lead=lead, what="its event and a colon", usage=usage))
        return None
    read = _timing(resolver, line, head, scope)
    if read is None:
        return None
    timing, start = read
    for event in events.candidates(resolver, resolver.tokens(head), start):
        inner = scope.listener(event, timing, captured)
        first = len(inner.slots()) - len(event.params)
        found = events.heard(resolver, line, head, inner, event, start)
        if found is not None:
            return replace(_listener(resolver, line, inner, event, timing, found), first=first)
    events.no_event(resolver, line, head, scope, timing, start, captured)
    return None


def _whenever(resolver: Resolver, line: Line, head: Clause, scope: Scope, captured: bool) -> Listener | None:
    """Read ``whenever CONDITION[, once]:``: what happens when the condition turns true."""
    if scope.offered:
        misplaced(resolver, line, head, "this kind only has triggers of `answers: offered`")
        return None
    inner = scope.listener(CHANGE, "after", captured)
    first = len(inner.slots())
    found = resolver.read(line, head, inner, ("whenever",), _states, FLAG)
    inner.frame.later |= bound(line.block)
    body = Body(inline(resolver, line, line.tail, line.block, inner), inner.slots())
    if found is None:
        return None
    condition, once = found
    return Listener(CHANGE, "after", (), condition, None, False, body, line.span_of(head), once=once, first=first)


def _states(state: ParseState) -> list[tuple[tuple[Expr, bool], int]]:
    """Read conditions from the first token on, each with whether `once` follows."""
    out: list[tuple[tuple[Expr, bool], int]] = []
    for condition, end in expressions.disjunction(state, 0):
        once = state.texts[end] == "," and state.texts[end + 1] == "once"
        out.append(((condition, once), end + 2 * once))
    return out


def _timing(resolver: Resolver, line: Line, head: Clause, scope: Scope) -> tuple[Timing, int] | None:
    """Return the timing of a listener and the token where its event begins; None (and a report) if it has no timing
    word."""
    texts = resolver.tokens(head).texts
    word, start = head.lead or "when", 0
    if word == "may":
        word, start = texts[0] or "", 1
        if scope.offered:
            misplaced(
                resolver, line, head, "this kind only has triggers of `answers: offered`, which players may decline"
            )
            return None
        if scope.self_type is None:
            misplaced(resolver, line, head, "a rule asks no player; write the `may` in its effect")
            return None
    timing = events.TIMINGS.get(word)
    if word == "after":
        misplaced(resolver, line, head, "an effect after an event begins with `when`")
    elif timing is None:
        resolver.report(Incomplete(line.span_of(head), lead="may", what="its event", usage="may when EVENT: …"))
    if timing is None:
        return None
    return timing, start + (word == "instead" and texts[start] == "of")


def _listener(
    resolver: Resolver, line: Line, scope: Scope, event: Event, timing: Timing, found: events.Heard
) -> Listener:
    bounds, condition, limit, title = found
    binds: list[Slot] = []
    for param, one in zip(event.params, bounds, strict=True):
        binding = scope.find(param.name)
        assert binding is not None
        test = one.condition
        if one.value is not None:
            var = ir.Var(param.name, binding.slot, param.type, one.value.span)
            test = ir.Binary("=", var, one.value, FLAG, one.value.span)
        binds.append(Slot(binding.slot, test, one.word))
    inner = events.aliased(scope, event, bounds)
    inner.frame.later |= bound(line.block)
    said = inline(resolver, line, line.tail, line.block, inner)
    head = line.head
    span = line.span_of(head) if head is not None else line.span
    body = Body(said, inner.slots())
    may = head is not None and head.lead == "may"
    return Listener(event, timing, tuple(binds), condition, limit, scope.offered or may, body, span, title, may)


def until(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``until EVENT[ of X]:``; each line below is a modifier, ``while …:``, or a listener."""
    if not clause.parts:
        incomplete(resolver, line, clause, "its event")
        return ()
    if not line.tail and not line.block:
        incomplete(resolver, line, clause, "an effect that lasts until then")
        return ()
    ending = events.subject(resolver, line, clause, scope)
    changes: list[Modifier] = []
    waiting: list[Listener] = []
    for said in line.tail:
        change = modifiers.one(resolver, line, said, modifiers.owner(scope, captured=True), None)
        changes += [change] if change is not None else []
    for below in line.block:
        _lasting(resolver, below, scope, changes, waiting)
    if ending is None:
        return ()
    event, subject = ending
    return (ir.Until(event, subject, tuple(changes), tuple(waiting), line.span_of(clause)),)


def _lasting(resolver: Resolver, line: Line, scope: Scope, changes: list[Modifier], waiting: list[Listener]) -> None:
    lead = line.head.lead if line.head is not None else None
    if line.broken:
        return
    if lead in events.TIMINGS or lead in {"may", "whenever"}:
        heard = listener(resolver, line, scope, captured=True)
        waiting += [heard] if heard is not None else []
    elif lead in {"while", "always"} or (line.head is not None and lead is None):
        changes += modifiers.waiting(resolver, line, scope)
    else:
        changes += modifiers.lines(resolver, (line,), None, scope)


_BLOCKS = {
    "if": lambda resolver, line, clause, scope: _conditional(resolver, (line,), scope),
    "for": _for_each,
    "repeat": _repeat,
    "choose": choose,
    "may": _may,
    "roll": roll,
    "play": _play,
    "until": until,
}


# ── statements of one clause ────────────────────────────────────────────────────────────────────


def simple(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read one clause as a statement."""
    lead = clause.lead
    if scope.mode == "pure":
        misplaced(resolver, line, clause, "only a value can be here")
        return ()
    if lead is None:
        may, texts = _is_may(clause), resolver.tokens(clause.parts).texts
        if may or texts[:3] == _IN_ANY_ORDER:
            what = "the actions on offer" if may else "the steps, each on a line below"
            incomplete(resolver, line, clause, f"a colon and {what}")
            return ()
        if texts == ("nothing", ""):
            return (ir.Nothing(line.span_of(clause)),)
        return actions.phrase(resolver, line, clause, scope)
    if lead == "play":
        texts = resolver.tokens(resolver.strip_lead_keyword(clause)).texts
        sayings = resolver.words.forms["verb"].get(lead, ())
        if any(len(form.words) > 1 and texts[: len(form.words)] == form.words for form in sayings):
            return actions.phrase(resolver, line, resolver.strip_lead_keyword(clause), scope)
        return _played(resolver, line, clause, (), scope)
    if lead in _BLOCKS and lead != "may":
        what = "its rows" if lead == "roll" else "a colon and what follows it"
        if lead == "roll" and clause.parts:
            return _bare_roll(resolver, line, clause, scope)
        incomplete(resolver, line, clause, what)
        return ()
    handler = _SIMPLE.get(lead)
    if handler is None and lead in resolver.words.forms["verb"]:
        return actions.phrase(resolver, line, resolver.strip_lead_keyword(clause), scope)
    if handler is None:
        misplaced(resolver, line, clause, "it belongs in a declaration, not in an effect")
        return ()
    return handler(resolver, line, clause, scope)


def _bare(resolver: Resolver, line: Line, clause: Clause, make: Simple) -> Statements:
    if clause.parts:
        resolver.report(Misplaced(line.span_of(clause.parts[0]), lead=clause.lead or "", why="nothing may follow it"))
        return ()
    return (make(line.span_of(clause)),)


def _stop(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    return _bare(resolver, line, clause, ir.Stop)


def _break(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not scope.looping:
        misplaced(resolver, line, clause, "there is no loop to leave")
        return ()
    return _bare(resolver, line, clause, ir.Break)


def _cancel(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if scope.timing not in {"before", "instead"}:
        misplaced(resolver, line, clause, "only `before` and `instead` listeners can cancel their event")
        return ()
    return _bare(resolver, line, clause, ir.Cancel)


def _require(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        incomplete(resolver, line, clause, "its condition")
        return ()
    condition = resolver.condition(line, clause, scope)
    return (ir.Require(condition, line.span_of(clause)),) if condition is not None else ()


def _answer(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if scope.gives is None:
        misplaced(resolver, line, clause, "only relations and measures answer")
        return ()
    if not clause.parts:
        incomplete(resolver, line, clause, "its value")
        return ()
    value = resolver.expression(line, clause, scope, scope.gives)
    return (ir.Answer(value, line.span_of(clause)),) if value is not None else ()


def _announce(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        incomplete(resolver, line, clause, "its event")
        return ()
    return events.announcement(resolver, line, clause, scope)


def _one_may(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        incomplete(resolver, line, clause, "the actions on offer")
        return ()
    span = line.span_of(clause)
    body = Body(actions.phrase(resolver, line, clause, scope.child()))
    return (ir.ChooseOne((ir.Option({}, body, span),), None, True, span),)


_SIMPLE = {
    "stop": _stop,
    "break": _break,
    "cancel": _cancel,
    "require": _require,
    "answer": _answer,
    "announce": _announce,
    "may": _one_may,
    "let": actions.let,
    "offer": actions.offer,
}
