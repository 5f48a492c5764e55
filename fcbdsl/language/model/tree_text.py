"""The typed tree as plain text, which shows authors how fcb has read a phrase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import CHANGE


def type_text(type: ir.Type) -> str:
    """Return a type as in a declaration."""
    name = type.name if type.base in {"thing", "enum"} else f"{type.base} {type.name}".strip()
    return f"many {name}" if type.many else name or type.base


def expr_text(expr: ir.Expr | None) -> str:
    """Return an expression on one line, with all arguments of every application."""
    match expr:
        case None:
            return "_"
        case ir.Const():
            return expr.label or str(expr.value)
        case ir.Text():
            return f'"{expr.value}"'
        case ir.Var():
            return f"{expr.name}:{expr.slot}"
        case ir.Def():
            return expr.id
        case ir.Instance():
            return f"{expr.id}#{expr.copy}" if expr.kind != expr.id else expr.id
        case ir.Variant():
            return f"variant({expr.id})"
        case ir.Get():
            owner = "" if expr.owner is None else f" by {expr_text(expr.owner)}"
            return f"{expr_text(expr.of)}.{expr.field.id}{owner}"
        case ir.ZoneOf():
            return f"{expr_text(expr.of)}.{expr.zone}"
        case ir.Apply():
            return f"{expr.form.id}({_list(expr.args)})"
        case ir.Binary():
            return f"({expr_text(expr.left)} {expr.op} {expr_text(expr.right)})"
        case ir.Not():
            return f"not {expr_text(expr.operand)}"
        case ir.IsA():
            return f"({expr_text(expr.of)} is {a(expr.kind)})"
        case ir.ListOf():
            return f"[{_list(expr.items)}]"
        case ir.Dice():
            return f"{'faces of ' if expr.each else ''}dice({expr_text(expr.count)}, {expr_text(expr.die)})"
        case ir.Select() | ir.Quantified():
            return _selection(expr)


def _list(items: Sequence[ir.Expr | None]) -> str:
    return ", ".join(expr_text(item) for item in items)


def _selection(expr: ir.Select | ir.Quantified) -> str:
    if isinstance(expr, ir.Quantified):
        test = "" if expr.test is None else f": {expr_text(expr.test)}"
        return f"{expr.quantifier} {expr_text(expr.select)}{test}"
    source = type_text(expr.type) if expr.source is None else expr_text(expr.source)
    where = "" if expr.where is None else f" | {expr_text(expr.where)}"
    how = "in order of" if expr.sorted else "by"
    keys = "".join(f", {how} {'most ' if criterion.most else ''}{expr_text(criterion.key)}" for criterion in expr.order)
    return f"{{{expr.it} in {source}{where}{keys}}}"


def body_lines(body: ir.Body | None) -> Iterator[str]:
    """Yield the statements of a body, indented by two spaces for each block."""
    for statement in body.statements if body is not None else ():
        yield from _statement(statement)


def _below(body: ir.Body) -> Iterator[str]:
    return (f"  {line}" for line in body_lines(body))


def _statement(statement: ir.Stmt) -> Iterator[str]:
    match statement:
        case ir.If():
            yield f"if {expr_text(statement.condition)}"
            yield from _below(statement.then)
            if statement.otherwise.statements:
                yield "else"
                yield from _below(statement.otherwise)
        case ir.Then():
            yield "try"
            yield from _below(statement.tried)
            yield "then"
            yield from _below(statement.then)
            if statement.otherwise.statements:
                yield "else"
                yield from _below(statement.otherwise)
        case ir.AnyOrder():
            yield f"in any order{_by(statement.by)}"
            for step in statement.steps:
                yield f"  step {step.label.get('en', '')}".rstrip()
                yield from (f"  {line}" for line in _below(step.body))
        case ir.ForEach():
            at_once = ", at once" if statement.together else ""
            order = f", in any order{_by(statement.by)}" if statement.any_order else ""
            secret = f", in secret {statement.secret}" if statement.secret else ""
            yield f"for each {expr_text(statement.var)} in {expr_text(statement.items)}{order}{at_once}{secret}"
            yield from _below(statement.body)
        case ir.Repeat():
            yield f"repeat {expr_text(statement.times)}"
            yield from _below(statement.body)
        case ir.ChooseOne():
            yield f"choose one{' or none' if statement.optional else ''}{_by(statement.by)}"
            for option in statement.options:
                yield f"  option {option.label.get('en', '')}".rstrip()
                yield from (f"  {line}" for line in _below(option.body))
        case ir.Roll():
            against = "" if statement.against is None else f" against {expr_text(statement.against)}"
            instead = "" if statement.instead is None else f" instead of {expr_text(statement.instead)}"
            yield f"roll {expr_text(statement.var)} = {expr_text(statement.dice)}{against}{instead}"
            for row in statement.rows:
                yield f"  row {row.label}"
                yield from (f"  {line}" for line in _below(row.body))
        case ir.Play():
            yield f"play {expr_text(statement.mission)}"
            for ended in statement.rows:
                by = "" if ended.team is None else f" by {expr_text(ended.team)}"
                yield f"  row {ended.end}{by}"
                yield from (f"  {line}" for line in _below(ended.body))
        case ir.Until():
            yield f"until {statement.until.id} {expr_text(statement.subject)}"
            yield from (f"  {modifier_text(modifier)}" for modifier in statement.modifiers)
            for listener in statement.listeners:
                yield from (f"  {line}" for line in listener_lines(listener))
        case _:
            yield _plain(statement)


def _by(player: ir.Expr | None) -> str:
    return "" if player is None else f" by {expr_text(player)}"


def _plain(statement: ir.Stmt) -> str:
    """Return a statement without a block."""
    match statement:
        case ir.Let():
            return f"let {expr_text(statement.var)} = {expr_text(statement.value)}"
        case ir.Assign():
            return f"{expr_text(statement.target)} {statement.op} {expr_text(statement.value)}"
        case ir.Do():
            return f"{statement.form.id}({_list(statement.args)})"
        case ir.Announce():
            return f"announce {statement.event.id}({_list(statement.args)})"
        case ir.Choose():
            ways = (" or none" if statement.optional else "") + (" at random" if statement.chance else "")
            how = "exactly" if statement.exactly else "up to"
            limit = "" if statement.up_to is None else f" {how} {expr_text(statement.up_to)}"
            options = expr_text(statement.options)
            return f"choose {expr_text(statement.var)} in {options}{limit}{ways}{_by(statement.by)}"
        case ir.Require():
            return f"require {expr_text(statement.condition)}"
        case ir.Answer():
            return f"answer {expr_text(statement.value)}"
        case ir.Offer():
            free = "" if statement.free is None else f" until done if {expr_text(statement.free)}"
            return f"offer {expr_text(statement.actors)}{' once' if statement.once else ''}{_by(statement.by)}{free}"
        case ir.End():
            side = "" if statement.side is None else f" {expr_text(statement.side)}"
            ending = "" if statement.ending is None else f" as {expr_text(statement.ending)}"
            return f"{statement.outcome}{side}{ending}"
        case _:
            return type(statement).__name__.lower()


def listener_lines(listener: ir.Listener) -> Iterator[str]:
    """Yield a listener: its timing, event, conditions, and below it its body."""
    if listener.event is CHANGE:
        yield f"whenever {expr_text(listener.condition)}{', once' if listener.once else ''}"
        yield from _below(listener.body)
        return
    binds = [bind.condition for bind in listener.binds if bind.condition is not None]
    conditions = [*binds, *([listener.condition] if listener.condition is not None else [])]
    conditional = "".join(f", if {expr_text(condition)}" for condition in conditions)
    limit = "" if listener.limit is None else f", once per {listener.limit.id}"
    offered = (", offered" if listener.offered else "") + (" by itself" if listener.may else "")
    yield f"{listener.timing} {listener.event.id}{conditional}{limit}{offered}"
    yield from _below(listener.body)


def modifier_text(modifier: ir.Modifier) -> str:
    """Return a modifier on one line."""
    where = "" if modifier.where is None else f" | {expr_text(modifier.where)}"
    condition = "" if modifier.condition is None else f" while {expr_text(modifier.condition)}"
    subject = f"{{{modifier.it} in {modifier.kind.id}{where}}}"
    return f"{subject}.{modifier.field.id} {modifier.mode} {expr_text(modifier.amount)}{condition}"
