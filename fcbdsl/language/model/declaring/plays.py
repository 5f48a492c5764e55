"""The playable parts of a system: actions, rules, setup, flow, journey, evaluation, invariants and prospects."""

from __future__ import annotations

from collections.abc import Callable

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.declarations import MissingField
from fcbdsl.language.model.content import Invariant, Prospect, Rule
from fcbdsl.language.model.declarations import Action
from fcbdsl.language.model.declaring.behaviour import MODIFYING, WAITING, limit_of, read_listener, read_modifiers
from fcbdsl.language.model.declaring.blocks import no_block, read_block
from fcbdsl.language.model.declaring.collect import INVARIANT, PROSPECT, Declaration
from fcbdsl.language.model.declaring.context import THING, Context
from fcbdsl.language.model.ir import NUMBER, Type
from fcbdsl.language.model.lines import atoms, keyword_of, tail_clause, tail_parts, tail_words
from fcbdsl.language.model.resolve import statements
from fcbdsl.language.model.resolve.scope import THIS, Scope, scope_of
from fcbdsl.language.syntax.tree import Clause, Line, Part, Phrase, Word

_ASKED = Type("thing", "player")
"""The type of `self` in the evaluation function: the player who is asked."""

# ── actions ────────────────────────────────────────────────────────────────────────────────────


def declare_actions(context: Context) -> None:
    """Declare all actions by name, with the words of their forms."""
    for declaration in context.index.of("action"):
        action = Action(declaration.id, declaration.span, declaration.named(), system=declaration.system)
        context.model.actions[action.id] = action


def read_action(context: Context, declaration: Declaration) -> None:
    """Read an action. In its lines, `self` is the actor, and the subject is `this` and its noun."""
    action = context.model.actions[declaration.id]
    lines: dict[str, Line] = {}

    def keep(key: str) -> Callable[[Line], None]:
        return lambda line: lines.__setitem__(key, line)

    keys = ("by", "with", "costs", "limit", "needs", "form", "listed", "effect")
    read_block(context, declaration.line, "an action", {key: keep(key) for key in keys}, name=action.name)
    actor = THING
    if (by := _clause(lines, "by")) is not None:
        action.by = context.reader.selection(lines["by"], by, Scope(mode="pure"))
        actor = action.by.type.one() if action.by is not None else THING
    elif not any(line.broken for line in declaration.line.block):
        cure = "`by: KIND` (who can do it)"
        context.report(MissingField(action.span, kind="The action", id=action.id, fields="`by`", lines=cure))
    subject: Type | None = None
    if (subjects := _clause(lines, "with")) is not None:
        selected = context.reader.selection(lines["with"], subjects, Scope(actor, mode="pure"))
        if selected is not None:
            action.subject, action.subject_word, subject = selected, selected.noun, selected.type.one()
    scope = Scope(actor, subject)
    if subject is not None:
        scope.alias(action.subject_word, THIS, subject)
    _terms(context, action, lines, scope, actor)
    if "effect" in lines:
        line = lines["effect"]
        action.body = statements.clauses_body(context.reader, line, line.tail, line.block, scope)
    elif not any(line.broken for line in declaration.line.block):
        context.malformed(action.span, "an action", "effect: STATEMENT")


def _clause(lines: dict[str, Line], key: str) -> Clause | None:
    return tail_clause(lines[key]) if key in lines else None


def _terms(context: Context, action: Action, lines: dict[str, Line], scope: Scope, actor: Type) -> None:
    """Read costs, limit, needs, form, and the place in the list."""
    for part in tail_parts(lines["costs"]) if "costs" in lines else ():
        _cost(context, action, lines["costs"], part, scope, actor)
    if "limit" in lines:
        action.limit, action.limit_per = limit_of(context, lines["limit"], scope)
    if (needs := _clause(lines, "needs")) is not None:
        action.needs = context.reader.condition(lines["needs"], needs, scope)
    if "form" in lines:
        action.words = tail_words(lines["form"])
    if "listed" in lines:
        action.listed_last = tail_words(lines["listed"]) == ("last",)
        if not action.listed_last:
            context.malformed(lines["listed"].span, "the place of an action", "listed: last")


def _cost(context: Context, action: Action, line: Line, part: Part, scope: Scope, actor: Type) -> None:
    """Read ``2 MP`` or ``card's cost MP``: an amount and a stat of the actor."""
    cost_atoms = atoms(part)
    last = cost_atoms[-1] if cost_atoms else None
    if len(cost_atoms) < 2 or not isinstance(last, Word):
        context.malformed(line.span_of(part), "a cost", "costs: 2 STAT")
        return
    fields = context.vocabulary.fields(actor.name, last.text)
    if not fields:
        columns = context.vocabulary.columns(actor.name)
        context.unknown(line.span_of(last), f"stat of {a(actor.name)}", last.text, columns)
        return
    amount = Phrase(cost_atoms[0].start, cost_atoms[-2].end, cost_atoms[:-1])
    value = context.reader.expression(line, amount, scope, NUMBER)
    if value is not None:
        action.costs.append((fields[0], value))


# ── rules, setup, flow ─────────────────────────────────────────────────────────────────────────


def read_rule(context: Context, declaration: Declaration) -> None:
    """Read a rule: listeners and modifiers, perhaps under a condition ``while: COND``."""
    rule = Rule(declaration.id, declaration.span, declaration.named(), list(declaration.covers))
    context.model.rules[rule.id] = rule

    def listen(line: Line) -> None:
        read_listener(context, line, Scope(), rule.listeners)

    def modify(line: Line) -> None:
        clause = tail_clause(line)
        if keyword_of(line) == "while" and line.head is not None and not line.head.parts and clause is not None:
            rule.condition = context.reader.condition(line, clause, Scope(mode="pure"))
        else:
            read_modifiers(context, line, Scope(), rule.modifiers)

    often = {**dict.fromkeys(WAITING, listen), **dict.fromkeys(MODIFYING, modify)}
    read_block(context, declaration.line, "a rule", {}, often, rule.name)


def read_invariant(context: Context, declaration: Declaration) -> None:
    """Read ``invariant NAME "What must hold"[ for KIND]: CONDITION``."""
    line = declaration.line
    if declaration.broken:
        return
    clause = tail_clause(line)
    no_block(context, line, "an invariant")
    if declaration.title is None or clause is None:
        context.malformed(declaration.span, "an invariant", INVARIANT)
        return
    kind = None
    if declaration.target is not None:
        kind = context.kind(declaration.target.text, line.span_of(declaration.target))
        if kind is None:
            return
    scope = Scope(mode="pure") if kind is None else scope_of(kind, context.model, "pure")
    condition = context.reader.condition(line, clause, scope)
    says, covers = declaration.title, list(declaration.covers)
    invariant = Invariant(declaration.id, declaration.span, says, covers, condition, kind)
    context.model.invariants[declaration.id] = invariant


def read_prospect(context: Context, declaration: Declaration) -> None:
    """Read ``prospect NAME "never comes to it" for KIND: CONDITION``."""
    line, target = declaration.line, declaration.target
    if declaration.broken:
        return
    clause = tail_clause(line)
    no_block(context, line, "a prospect")
    if declaration.title is None or clause is None or target is None:
        context.malformed(declaration.span, "a prospect", PROSPECT)
        return
    kind = context.kind(target.text, line.span_of(target))
    if kind is None:
        return
    condition = context.reader.condition(line, clause, scope_of(kind, context.model, "pure"))
    says, covers = declaration.title, list(declaration.covers)
    prospect = Prospect(declaration.id, kind, declaration.span, says, covers, condition)
    context.model.prospects[declaration.id] = prospect


def read_programs(context: Context) -> None:
    """Read setup, flow, journey and outlook."""
    model = context.model
    for declaration in context.index.of("setup"):
        line = declaration.line
        model.setup.append(statements.clauses_body(context.reader, line, line.tail, line.block, _program_scope()))
    for declaration in context.index.of("flow"):
        line = declaration.line
        model.flow = statements.clauses_body(context.reader, line, line.tail, line.block, _program_scope())
    for declaration in context.index.of("journey"):
        line = declaration.line
        scope = Scope(None, Type("thing", "campaign"))
        model.journey = statements.clauses_body(context.reader, line, line.tail, line.block, scope)
    for declaration in context.index.of("system"):
        for line in declaration.line.block:
            clause = tail_clause(line)
            if keyword_of(line) == "outlook" and clause is not None:
                model.outlook = context.reader.answer(line, clause, Scope(_ASKED, mode="pure"), NUMBER)


def _program_scope() -> Scope:
    return Scope(None, Type("thing", "mission"), flow=True)
