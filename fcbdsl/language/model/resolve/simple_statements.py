"""Statements of one clause, without a block."""

from __future__ import annotations

from fcbdsl.base.diagnostics.phrases import Misplaced
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import Body, Stmt, Type
from fcbdsl.language.model.resolve import actions, dice_phrases, event_phrases
from fcbdsl.language.model.resolve.actions import Simple
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.statement_heads import (
    DECLARED,
    IN_ANY_ORDER,
    is_may,
    report_incomplete,
    report_misplaced,
)
from fcbdsl.language.syntax.tree import Clause, Line

Statements = tuple[Stmt, ...]


def play_mission(
    resolver: Resolver, line: Line, clause: Clause, rows: tuple[ir.PlayRow, ...], scope: Scope
) -> Statements:
    """Return the statement that plays a mission, with its rows."""
    if not clause.parts:
        report_incomplete(resolver, line, clause, "its mission")
        return ()
    mission = resolver.expression(line, clause.parts, scope, _MISSION)
    if mission is None:
        return ()
    return (ir.Play(mission, rows, line.span_of(clause)),)


BLOCKS = frozenset({"if", "for", "repeat", "choose", "may", "roll", "play", "until"})
"""Words that begin a statement with a block."""


_MISSION = Type("definition", "mission")


def _bare_roll(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``roll DICE`` without rows; the result is only visible to listeners."""
    pool_read = resolver.read(line, clause, scope, ("roll",), dice_phrases.read_dice, wanted="dice")
    return (ir.Roll(None, pool_read[0], pool_read[1], (), line.span_of(clause)),) if pool_read is not None else ()


def simple_statement(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read one clause as a statement."""
    lead = clause.lead
    if scope.mode == "pure":
        report_misplaced(
            resolver, line, clause, "only a value can be here", "Write a value, or move this to an effect."
        )
        return ()
    if lead is None:
        may, texts = is_may(clause), resolver.tokens(clause.parts).texts
        if may or texts[:3] == IN_ANY_ORDER:
            what = "the actions on offer" if may else "the steps, each on a line below"
            report_incomplete(resolver, line, clause, f"a colon and {what}")
            return ()
        if texts == ("nothing", ""):
            return (ir.Nothing(line.span_of(clause)),)
        return actions.phrase(resolver, line, clause, scope)
    if lead == "play":
        texts = resolver.tokens(resolver.strip_lead_keyword(clause)).texts
        sayings = resolver.words.forms["verb"].get(lead, ())
        if any(len(form.words) > 1 and texts[: len(form.words)] == form.words for form in sayings):
            return actions.phrase(resolver, line, resolver.strip_lead_keyword(clause), scope)
        return play_mission(resolver, line, clause, (), scope)
    if lead in BLOCKS and lead != "may":
        what = "its rows" if lead == "roll" else "a colon and what follows it"
        if lead == "roll" and clause.parts:
            return _bare_roll(resolver, line, clause, scope)
        report_incomplete(resolver, line, clause, what)
        return ()
    handler = _SIMPLE.get(lead)
    if handler is None and lead in resolver.words.forms["verb"]:
        return actions.phrase(resolver, line, resolver.strip_lead_keyword(clause), scope)
    if handler is None:
        report_misplaced(resolver, line, clause, "it belongs in a declaration, not in an effect", DECLARED)
        return ()
    return handler(resolver, line, clause, scope)


def _bare(resolver: Resolver, line: Line, clause: Clause, make: Simple) -> Statements:
    if clause.parts:
        lead = clause.lead or ""
        cure = f"Write `{lead}` alone."
        resolver.report(Misplaced(line.span_of(clause.parts[0]), lead=lead, why="nothing may follow it", cure=cure))
        return ()
    return (make(line.span_of(clause)),)


def _stop(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    return _bare(resolver, line, clause, ir.Stop)


def _break(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not scope.looping:
        cure = "Write it inside of `repeat` or `for each`, or end the effect with `stop`."
        report_misplaced(resolver, line, clause, "there is no loop to leave", cure)
        return ()
    return _bare(resolver, line, clause, ir.Break)


def _cancel(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if scope.timing not in {"before", "instead"}:
        cure = "Write `before EVENT:` instead of `when EVENT:`."
        report_misplaced(resolver, line, clause, "only `before` and `instead` listeners can cancel their event", cure)
        return ()
    return _bare(resolver, line, clause, ir.Cancel)


def _require(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        report_incomplete(resolver, line, clause, "its condition")
        return ()
    condition = resolver.condition(line, clause, scope)
    return (ir.Require(condition, line.span_of(clause)),) if condition is not None else ()


def _answer(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if scope.gives is None:
        report_misplaced(resolver, line, clause, "only relations and measures answer", "End an effect with `stop`.")
        return ()
    if not clause.parts:
        report_incomplete(resolver, line, clause, "its value")
        return ()
    value = resolver.expression(line, clause, scope, scope.gives)
    return (ir.Answer(value, line.span_of(clause)),) if value is not None else ()


def _announce(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        report_incomplete(resolver, line, clause, "its event")
        return ()
    return event_phrases.announcement(resolver, line, clause, scope)


def _one_may(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    if not clause.parts:
        report_incomplete(resolver, line, clause, "the actions on offer")
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
