"""Statements with their blocks, and listeners. They are one module because each can contain the other.

Their heads are read in `statement_heads`, statements without a block in `simple_statements`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.base.diagnostics.phrases import Incomplete, Misplaced
from fcbdsl.base.words import ENDS, Timing, one_of
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import CHANGE, PERFORMING, Event, Trait
from fcbdsl.language.model.ir import FLAG, NUMBER, Body, Expr, Listener, Modifier, Slot, Stmt, Type, walk
from fcbdsl.language.model.lines import atoms, keyword_of
from fcbdsl.language.model.resolve import actions, dice_phrases, event_phrases, modifiers
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.simple_statements import (
    Statements,
    play_mission,
    simple_statement,
)
from fcbdsl.language.model.resolve.statement_heads import (
    DECLARED,
    begins_with_text,
    bound_names,
    else_if,
    face_of_row,
    foreign_else_if,
    is_any_order,
    is_foreign_else,
    is_may,
    is_then,
    lasting_conditions,
    lead_of,
    loops,
    lost_names,
    names_bound_by,
    reached_ending,
    read_timing,
    repetitions,
    report_incomplete,
    report_misplaced,
    report_unreadable_face,
    rolled_name,
    row_labels,
    split_label,
    winning_team,
)
from fcbdsl.language.model.resolve.terms import Terms, read_candidates, read_terms, reject_terms
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.syntax.tree import Clause, Line, Node, Number, Range, String, Word

_MARGINS = {"win": (1, None), "tie": (0, 0), "lose": (None, -1)}
_ELSEWHERE = (
    "use", "given", "dice", "do", "expect", "refuse", "text", "when", "whenever", "before", "instead", "at", "while",
    "always",
)  # fmt: skip


def lines_body(resolver: Resolver, lines: Sequence[Line], scope: Scope) -> Body:
    """Read the lines of an effect."""
    scope.frame.unsound |= lost_names(lines)
    scope.frame.later |= bound_names(lines)
    return Body(block(resolver, lines, scope), scope.slots())


def clauses_body(
    resolver: Resolver, line: Line, clauses: Sequence[Clause], lines: Sequence[Line], scope: Scope
) -> Body:
    """Read statements after a colon, and the block below them."""
    scope.frame.unsound |= lost_names(lines)
    scope.frame.later |= bound_names(lines) | names_bound_by(clauses)
    return Body(read_inline(resolver, line, clauses, lines, scope), scope.slots())


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
        if is_then(line):
            ways = lines[at - 1 : at + 1] if at < len(lines) and lead_of(lines[at]) == "else" else (line,)
            above = lines[at - 2] if at > 1 else None
            out[before:] = _followed(resolver, ways, above, out[before:], scope)
            at += len(ways) - 1
            continue
        before = len(out)
        if line.head is not None and line.head.lead == "if":
            follow = at
            while follow < len(lines) and (lead_of(lines[follow]) == "else" or is_foreign_else(lines[follow])):
                follow += 1
            out += _conditional(resolver, lines[at - 1 : follow], scope)
            at = follow
        else:
            out += statement(resolver, line, scope)
    return tuple(out)


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
            why, cure = "only a plain `else:` can follow `then:`", "Write `else:`, and the `if` on a line below it."
            report_misplaced(resolver, other, other_clause, why, cure)
        otherwise = body_of(resolver, other, scope.child())
    if above is None or lead_of(above) == "else":
        why = "there is no statement above it" if above is None else _OF_BRANCHES
        report_misplaced(resolver, line, clause, why, _BELOW_STATEMENT)
    elif not out:
        pass  # the statement before it could not be read
    elif not _may_fail(out[-1]):
        why = _OF_BRANCHES if isinstance(out[-1], ir.If) else _ALWAYS_DONE
        report_misplaced(resolver, line, clause, why, _BELOW_STATEMENT)
    else:
        return [*out[:-1], ir.Then(Body((out[-1],)), then, otherwise, line.span_of(clause))]
    return out


_OF_BRANCHES = "it follows a statement, not an `if` or its `else`"
_ALWAYS_DONE = "the statement above it always happens, or ends the effect"
_BELOW_STATEMENT = "Write it directly below a statement that can fail, in the same block."


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


def read_inline(
    resolver: Resolver, line: Line, clauses: Sequence[Clause], lines: Sequence[Line], scope: Scope
) -> Statements:
    """Read statements behind a colon, then the block below."""
    out: list[Stmt] = []
    if clauses:
        resolver.has_read(line)
    for clause in clauses:
        out += simple_statement(resolver, line, clause, scope)
    return (*out, *block(resolver, lines, scope))


def body_of(resolver: Resolver, line: Line, scope: Scope, clauses: Sequence[Clause] | None = None) -> Body:
    """Return the nested body behind the colon of a line."""
    return Body(read_inline(resolver, line, line.tail if clauses is None else clauses, line.block, scope))


_ABOVE_ELSE = "Write `then:` above it, after a statement that can fail; or align it with its `if`."


def statement(resolver: Resolver, line: Line, scope: Scope) -> Statements:
    """Read one line."""
    head = line.head
    if head is None:
        return read_inline(resolver, line, line.tail, line.block, scope)
    handler = _may if is_may(head) else _any_order if is_any_order(resolver, head) else _BLOCKS.get(head.lead or "")
    if handler is not None:
        return handler(resolver, line, head, scope)
    if head.lead == "else":
        why = "directly above it in this block is no `if`, and no `then:`"
        report_misplaced(resolver, line, head, why, _ABOVE_ELSE)
    elif head.lead in _ELSEWHERE:
        report_misplaced(resolver, line, head, "it belongs in a declaration, not in an effect", DECLARED)
    else:
        simple_statement(resolver, line, head, scope)
    return ()


# ── statements with a block ─────────────────────────────────────────────────────────────────────


def _conditional(resolver: Resolver, lines: Sequence[Line], scope: Scope) -> Statements:
    line = lines[0]
    clause = line.head
    assert clause is not None
    alternatives = lines[1:]
    if clause.lead is None:
        resolver.blame(line, clause, scope, foreign_else_if)
        condition = None
    elif clause.lead == "else":
        parts = clause.parts
        if not parts:
            if alternatives and alternatives[0].head is not None:
                why, cure = (
                    "the block above already has an `else`",
                    "Merge the two, or begin with `else if …:`.",
                )
                report_misplaced(resolver, alternatives[0], alternatives[0].head, why, cure)
            return body_of(resolver, line, scope.child()).statements
        condition = resolver.read(line, parts, scope, ("else if",), else_if, FLAG)
    elif not clause.parts:
        report_incomplete(resolver, line, clause, "its condition")
        condition = None
    else:
        condition = resolver.condition(line, clause.parts, scope)
    then = body_of(resolver, line, scope.child())
    otherwise = Body(_conditional(resolver, alternatives, scope)) if alternatives else Body(())
    if condition is None:
        return ()
    return (ir.If(condition, then, otherwise, line.span_of(clause)),)


def _for_each(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    inner = scope.child()
    inner.looping = True
    loop = None
    if not clause.parts:
        report_incomplete(resolver, line, clause, "a list to go through")
    else:
        loop = resolver.read(
            line, clause, scope, ("for",), loops, wanted="a selection", binds=next(iter(names_bound_by((clause,))), "")
        )
    if loop is None:
        name = next(iter(names_bound_by((clause,))), "")
        if name:
            inner.bind(name, Type("thing", name if name in resolver.words.model.kinds else "thing"))
            scope.frame.unsound.add(name)
        body_of(resolver, line, inner)
        return ()
    word, items, together, any_order, by, secret = loop
    binding = inner.bind(word, items.type.one())
    var = ir.Var(word, binding.slot, binding.type, items.span)
    body = body_of(resolver, line, inner)
    if together and body.statements and not _sets_off(body):
        span = line.span_of(clause.parts[-1])
        why, cure = "no statement of this loop is an event", "Remove `at once`."
        resolver.report(Misplaced(span, lead="at once", why=why, cure=cure))
    count = 0
    if secret:
        body, count = _in_secret(resolver, line, clause, var, body)
    return (ir.ForEach(var, items, body, line.span_of(clause), together, any_order, by, count),)


def _in_secret(resolver: Resolver, line: Line, clause: Clause, var: ir.Var, body: Body) -> tuple[Body, int]:
    """Return the body of a loop whose first statements are secret choices, and the number of those statements."""
    span = line.span_of(clause.parts[-1])
    statements = list(body.statements)
    count = 0
    for number, statement in enumerate(statements):
        if isinstance(statement, ir.Choose):
            count = number + 1
        elif not isinstance(statement, ir.Let):
            break
    begins = [below.head for below in line.block if below.head is not None] + list(line.tail)
    if not count and not any(begin.lead == "choose" for begin in begins):
        why, cure = "the loop must begin with a choice", "Begin its block with `choose …`, or remove `in secret`."
        resolver.report(Misplaced(span, lead="in secret", why=why, cure=cure))
    if var.type.base != "thing" or any(resolver.words.is_a(var.type.name, kind) for kind in _CHOOSES_NOTHING):
        why = f"no player chooses for {type_words(var.type)}"
        resolver.report(Misplaced(span, lead="in secret", why=why, cure="Loop over players or teams."))
    for number, statement in enumerate(statements[:count]):
        assert isinstance(statement, ir.Let | ir.Choose)
        if statement.var.slot < var.slot:
            why = "a secret choice needs another name"
            cure = "Choose a name that is not in use above the loop."
            resolver.report(Misplaced(statement.var.span, lead=statement.var.name, why=why, cure=cure))
        if isinstance(statement, ir.Choose) and statement.by is not None:
            why, cure = "each player chooses alone in secret", "Remove `, by …`."
            resolver.report(Misplaced(statement.by.span, lead="by", why=why, cure=cure))
        elif isinstance(statement, ir.Choose) and not statement.chance:
            statements[number] = replace(statement, by=var)
    return Body(tuple(statements), body.slots), count


_CHOOSES_NOTHING = ("space", "side", "region", "mission", "campaign", "track", "game")
"""Kinds of things that no player controls."""


def _sets_off(body: Body) -> bool:
    """Return whether a statement of a body, or of a nested block, is or may cause an event.

    Such statements are verbs with a body, and performed effects.
    """
    return any(
        isinstance(node, ir.Announce | ir.Offer)
        or (isinstance(node, ir.Do) and (bool(node.form.event) or node.form.op is None or node.form.op in PERFORMING))
        for node in walk(body)
    )


def _repeat(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    inner = scope.child()
    inner.looping = True
    times = None
    if clause.parts and not {"times", "time"} & set(resolver.tokens(clause.parts).texts):
        report_incomplete(resolver, line, clause, "the word `times`")
    elif clause.parts:
        times = resolver.read(line, clause, scope, ("repeat",), repetitions, wanted="a number of times")
    elif not scope.flow:
        report_incomplete(resolver, line, clause, "how many times (only a game's `flow:` repeats without end)")
    body = body_of(resolver, line, inner)
    if clause.parts and times is None:
        return ()
    return (ir.Repeat(times, body, line.span_of(clause)),)


def _may(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``may: …`` or ``may, by PLAYER: …``."""
    terms = Terms()
    if clause.lead is None:
        terms = read_terms(resolver, line, clause, scope, "may")
        reject_terms(resolver, line, (clause,), terms, ("or none", "up to", "exactly", "at random"))
    elif clause.parts:
        report_incomplete(resolver, line, clause, "nothing between `may` and its colon")
    body = body_of(resolver, line, scope.child())
    span = line.span_of(clause)
    return (ir.ChooseOne((ir.Option({}, body, span),), terms.by, True, span),)


def _any_order(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``in any order[, by PLAYER]:`` with a step on each line below."""
    terms = read_terms(resolver, line, clause, scope, "in", 3)
    reject_terms(resolver, line, (clause,), terms, ("or none", "up to", "exactly", "at random"))
    if line.tail:
        why, cure = "its steps go on the lines below it", "End the line with a colon, and write each step below it."
        report_misplaced(resolver, line, clause, why, cure)
    steps = tuple(_option(resolver, below, scope) for below in line.block if not below.broken)
    return (ir.AnyOrder(steps, terms.by, line.span_of(clause)),) if steps else ()


def _play(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``play MISSION:`` with rows ``won:``, ``won by TEAM:``, ``won as ENDING:``, ``lost:`` and ``drawn:``."""
    rows: dict[tuple[str, str, str], ir.PlayRow] = {}
    for below in line.block:
        if below.broken:
            continue
        ended = _play_row(resolver, below, scope)
        if ended is None:
            continue
        key = ended.end, _id_of(ended.team), _id_of(ended.ending)
        if key in rows:
            why = "this block already has such a row"
            cure = "Merge the two rows."
            resolver.report(Misplaced(ended.span, lead=keyword_of(below), why=why, cure=cure))
        else:
            rows[key] = ended
    return play_mission(resolver, line, clause, tuple(rows.values()), scope)


def _id_of(thing: ir.Expr | None) -> str:
    """Return the id of a team or an ending; empty for None."""
    return thing.id if isinstance(thing, ir.Instance) else ""


def _play_row(resolver: Resolver, line: Line, scope: Scope) -> ir.PlayRow | None:
    """Read a row of `play`."""
    head = line.head
    end = one_of(ENDS, keyword_of(line))
    phrase = atoms(head)[1:] if head is not None and len(head.parts) == 1 else None
    by = [part for part in head.parts[1:] if part.lead == "by"] if head is not None else []
    if head is None or end is None or phrase is None or by:
        why = "the rows below `play` are `won:`, `won by TEAM:`, `won as ENDING:`, `lost:` and `drawn:`"
        span = line.span_of(head) if head is not None else line.span
        cure = "Write it behind one of these, or outside of `play`."
        resolver.report(Misplaced(span, lead=keyword_of(line) or "this", why=why, cure=cure))
        return None
    team = ending = None
    if phrase and "as" in [getattr(atom, "text", "") for atom in phrase]:
        at = next(at for at, atom in enumerate(phrase) if getattr(atom, "text", "") == "as")
        ending = reached_ending(resolver, line, phrase[at], phrase[at + 1 :])
        if ending is None:
            return None
        phrase = phrase[:at]
    if phrase:
        team = winning_team(resolver, line, phrase) if end == "won" else None
        if team is None and end != "won":
            why, cure = "only `won` can name a team", f"Write `{end}:`."
            resolver.report(Misplaced(line.span_of(head), lead=end, why=why, cure=cure))
        if team is None:
            return None
    return ir.PlayRow(end, team, body_of(resolver, line, scope.child()), line.span_of(head), ending)


# ── choices ─────────────────────────────────────────────────────────────────────────────────────


def read_choose(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
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
    choice = resolver.read(
        line,
        options,
        scope,
        ("options", given.as_tuple()),
        lambda state: read_candidates(state, given),
        wanted="a selection",
    )
    if choice is None:
        scope.bind(name, Type("nothing"))
        scope.frame.unsound.add(name)
        return ()
    candidates, terms = choice[0], Terms(*choice[1:])
    refused = ["by"] if terms.chance else []
    if terms.up_to is not None:
        refused += ["or none"] if terms.exactly else ["at random", "or none"]
    reject_terms(resolver, line, (clause, options), terms, refused)
    type = candidates.type if terms.up_to is not None else candidates.type.one()
    binding = scope.bind(name, type)
    var = ir.Var(name, binding.slot, type, line.span_of(tokens.nodes[0]))
    span = line.span_of(clause)
    choose = ir.Choose(var, candidates, terms.by, terms.optional, terms.up_to, span, terms.chance, terms.exactly)
    return (choose, *read_inline(resolver, line, line.tail[1:], line.block, scope))


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
    if head is not None and head.lead is None and begins_with_text(head):
        state = resolver.begin(line, head, scope)
        label, end = actions.titles_at(state, 0)
        if end == state.count:
            return ir.Option(label, body_of(resolver, line, inner), line.span)
    if head is None and line.tail and begins_with_text(line.tail[0]):
        text, rest = split_label(line.tail[0])
        clauses = (*rest, *line.tail[1:])
        body = Body(read_inline(resolver, line, clauses, line.block, inner))
        return ir.Option({"en": text}, body, line.span)
    return ir.Option({}, Body(block(resolver, (line,), inner)), line.span)


# ── rolls ───────────────────────────────────────────────────────────────────────────────────────


def read_roll(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``roll DICE:`` with rows, ``roll A against B:`` with rows, or ``roll x: DICE``."""
    if not clause.parts:
        report_incomplete(resolver, line, clause, "its dice")
        return ()
    named = bool(line.tail)
    rolled = resolver.read(
        line,
        resolver.strip_lead_keyword(line.tail[0]) if named else clause,
        scope,
        ("roll",),
        dice_phrases.read_dice,
        wanted="dice",
    )
    var = None
    if named:
        name, node = rolled_name(resolver, clause)
        type = dice_phrases.value_type(rolled[0]) if rolled is not None else NUMBER
        binding = scope.bind(name, type)
        if rolled is None:
            scope.frame.unsound.add(name)
        var = ir.Var(name, binding.slot, type, line.span_of(node))
    against = rolled is not None and rolled[1] is not None
    dice_read = rolled[0] if rolled is not None else None
    rows = [
        row for below in line.block if not below.broken for row in _rows(resolver, below, dice_read, against, scope)
    ]
    if rolled is None:
        return ()
    if dice_phrases.is_each(rolled[0]) and line.block:
        why, cure = "`faces of` gives a face for each die, and rows read one", "Use `for each` and `if`."
        report_misplaced(resolver, line, clause, why, cure)
    rest = read_inline(resolver, line, line.tail[1:], (), scope)
    return (ir.Roll(var, rolled[0], rolled[1], tuple(rows), line.span_of(clause)), *rest)


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
    if not all(map(_is_of_row, state.tokens.nodes[: state.count], state.texts)):
        report_unreadable_face(resolver, span)
        return []
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
            face = face_of_row(resolver, line, node, rolled)
            faces += [face] if face is not None else []
        elif isinstance(node, String):
            title, end = actions.titles_at(state, at)
            at = end - 1
        at += 1
    label = " ".join(part for part in row_labels(state))
    rows = [ir.Row(low, high, (), label, title, body, span) for low, high in ranges]
    return rows if not faces else [*rows, ir.Row(None, None, tuple(faces), label, title, body, span)]


def _is_of_row(node: Node, text: str | None) -> bool:
    """Return whether a token can be in the head of a row: a number, a range, a name, a title or a comma."""
    return isinstance(node, Number | Range | String) or text == "," or (isinstance(node, Word) and text is not None)


# ── listeners and modifiers ────────────────────────────────────────────────────────────────────────


def moment(resolver: Resolver, line: Line, scope: Scope) -> Listener | None:
    """Read a listener: a line led by when, before, instead or at."""
    return read_listener_line(resolver, line, scope, captured=False)


def read_listener_line(resolver: Resolver, line: Line, scope: Scope, captured: bool) -> Listener | None:
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
            report_incomplete(resolver, line, head or line.tail[0], "its condition and a colon")
            return None
        usage = f"{'may when' if lead == 'may' else lead} EVENT: …"
        resolver.report(Incomplete(line.span, lead=lead, what="its event and a colon", usage=usage))
        return None
    read = read_timing(resolver, line, head, scope)
    if read is None:
        return None
    timing, start = read
    for event in event_phrases.candidate_events(resolver, resolver.tokens(head), start):
        inner = scope.listener(event, timing, captured)
        first = len(inner.slots()) - len(event.params)
        trigger = event_phrases.read_trigger(resolver, line, head, inner, event, start)
        if trigger is not None:
            return replace(_listener(resolver, line, inner, event, timing, trigger), first=first)
    event_phrases.no_event(resolver, line, head, scope, timing, start, captured)
    return None


def _whenever(resolver: Resolver, line: Line, head: Clause, scope: Scope, captured: bool) -> Listener | None:
    """Read ``whenever CONDITION[, once]:``: what happens when the condition turns true."""
    if scope.offered:
        why = "this kind only has triggers of `answers: offered`"
        report_misplaced(resolver, line, head, why, "Write `when EVENT: …`, or declare the `whenever` as a rule.")
        return None
    inner = scope.listener(CHANGE, "after", captured)
    first = len(inner.slots())
    lasting = resolver.read(line, head, inner, ("whenever",), lasting_conditions, FLAG)
    inner.frame.later |= bound_names(line.block)
    body = Body(read_inline(resolver, line, line.tail, line.block, inner), inner.slots())
    if lasting is None:
        return None
    condition, once = lasting
    return Listener(CHANGE, "after", (), condition, None, False, body, line.span_of(head), once=once, first=first)


def _listener(
    resolver: Resolver, line: Line, scope: Scope, event: Event, timing: Timing, trigger: event_phrases.Heard
) -> Listener:
    bounds, condition, limit, title = trigger
    binds: list[Slot] = []
    for param, bound in zip(event.params, bounds, strict=True):
        binding = scope.find(param.name)
        assert binding is not None
        test = bound.condition
        if bound.value is not None:
            var = ir.Var(param.name, binding.slot, param.type, bound.value.span)
            test = ir.Binary("=", var, bound.value, FLAG, bound.value.span)
        binds.append(Slot(binding.slot, test, bound.word))
    inner = event_phrases.bind_nouns(scope, event, bounds)
    inner.frame.later |= bound_names(line.block)
    statements = read_inline(resolver, line, line.tail, line.block, inner)
    head = line.head
    span = line.span_of(head) if head is not None else line.span
    body = Body(statements, inner.slots())
    may = head is not None and head.lead == "may"
    return Listener(event, timing, tuple(binds), condition, limit, scope.offered or may, body, span, title, may)


def read_until(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``until EVENT[ of X]:``; each line below is a modifier, ``while …:``, or a listener."""
    if not clause.parts:
        report_incomplete(resolver, line, clause, "its event")
        return ()
    if not line.tail and not line.block:
        report_incomplete(resolver, line, clause, "an effect that lasts until then")
        return ()
    ending = event_phrases.subject(resolver, line, clause, scope)
    changes: list[Modifier] = []
    waiting: list[Listener] = []
    for change_clause in line.tail:
        change = modifiers.read_modifier(resolver, line, change_clause, modifiers.owner(scope, captured=True), None)
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
    if lead in event_phrases.TIMINGS or lead in {"may", "whenever"}:
        heard = read_listener_line(resolver, line, scope, captured=True)
        waiting += [heard] if heard is not None else []
    elif lead in {"while", "always"} or (line.head is not None and lead is None):
        changes += modifiers.read_conditional(resolver, line, scope)
    else:
        changes += modifiers.lines(resolver, (line,), None, scope)


_BLOCKS = {
    "if": lambda resolver, line, clause, scope: _conditional(resolver, (line,), scope),
    "for": _for_each,
    "repeat": _repeat,
    "choose": read_choose,
    "may": _may,
    "roll": read_roll,
    "play": _play,
    "until": read_until,
}
