"""The rules of a whole game as text: its actions, the steps of its flow, and its ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Action, Form
from fcbdsl.language.model.ir.node import rebuilt
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.filters import conjunction
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.reading import laid_out, reader_of, rules_text
from fcbdsl.language.prose.rules_text import RulesText, capitalize, paragraph
from fcbdsl.language.prose.titles import Naming

DEEPEST = 8
"""Deepest nesting of verbs that are written out."""
_PER_BODY = 1000
"""The slots of each body that is written out begin at a multiple of this."""


def action_text(action: Action, model: Model, language: str) -> RulesText:
    """Return what an action needs and does, without its title and its cost."""
    rules = rules_text(action, model, language)
    paragraphs = list(rules.paragraphs)
    if paragraphs and paragraphs[0].runs and paragraphs[0].runs[0].style == "heading":
        paragraphs[0] = replace(paragraphs[0], runs=paragraphs[0].runs[1:])
    return RulesText(tuple(paragraph for paragraph in paragraphs if paragraph.runs), rules.problems)


def statements_text(statements: Sequence[ir.Stmt], model: Model, language: str) -> RulesText:
    """Return the words of some statements of a flow."""
    spoken = LANGUAGES[language]
    naming = Naming(model, spoken, "flow", statements[0].span)
    return RulesText(tuple(laid_out(reader_of(naming, ()).body(statements), spoken)), tuple(naming.problems))


def written_out(
    statements: Sequence[ir.Stmt], model: Model, depth: int = 0, steps: bool = False
) -> tuple[ir.Stmt, ...]:
    """Return statements in which a verb without title and words is replaced by its body.

    With `steps` a verb with a reminder stays, because the reminder explains the step.
    """
    statements_out: list[ir.Stmt] = []
    for statement in statements:
        if (
            isinstance(statement, ir.Do)
            and depth < DEEPEST
            and is_open(statement)
            and not (steps and statement.form.name.reminder)
        ):
            statements_out += written_out(verb_body(statement, (depth + 1) * _PER_BODY), model, depth + 1, steps)
        else:
            statements_out.append(cast(ir.Stmt, _below(statement, model, depth)))
    return tuple(statements_out)


def is_nameless(form: Form) -> bool:
    """Return whether a verb has no name in print."""
    return form.sort == "verb" and form.body is not None and not form.texts and not form.name.title


def is_open(call: ir.Do) -> bool:
    """Return whether the body of a nameless verb can replace its call.

    Its arguments must not change meanwhile, and it must never end early, because that would end only the verb.
    """
    form = call.form
    if not is_nameless(form) or form.recursive:
        return False
    inside = ir.walk(form.body)
    changed = {statement.var.slot for statement in inside if isinstance(statement, ir.Let | ir.Choose)}
    steady = all(arg is None or isinstance(arg, ir.Var | ir.Const | ir.Def) for arg in call.args)
    early = any(isinstance(node, ir.Stop | ir.Require | ir.Answer) for node in inside)
    return steady and not early and not any(2 + at in changed for at in range(len(call.args)))


def is_silent(statement: ir.Stmt) -> bool:
    """Return whether a statement changes only invisible things: values without a title, moments without words."""
    match statement:
        case ir.Assign():
            return not statement.target.field.name.title and statement.target.field.sort != "builtin"
        case ir.Announce():
            return True
        case ir.ForEach() | ir.Repeat():
            return all(is_silent(inner) for inner in statement.body.statements)
        case ir.If():
            return all(is_silent(inner) for inner in (*statement.then.statements, *statement.otherwise.statements))
        case _:
            return False


def _below(node: Any, model: Model, depth: int) -> Any:
    """Return a statement with the bodies in it written out."""

    def child(part: Any) -> Any:
        if isinstance(part, ir.Body):
            return replace(part, statements=written_out(part.statements, model, depth))
        return _below(part, model, depth) if isinstance(part, ir.Option | ir.Row) else part

    return rebuilt(node, child)


def verb_body(call: ir.Do, base: int = 100 * _PER_BODY) -> tuple[ir.Stmt, ...]:
    """Return the body of a called verb, with the arguments in place of its parameters."""
    form = call.form
    assert form.body is not None
    given = {2 + at: arg for at, arg in enumerate(call.args) if arg is not None}

    def moved(node: Any) -> Any:
        if isinstance(node, ir.Var) and node.slot in given:
            return given[node.slot]
        return rebuilt(node, moved, lambda slot: slot if slot < 2 else slot + base)

    return tuple(moved(statement) for statement in form.body.statements)


def ends_in(tree: object) -> list[ir.End]:
    """Return the ends of the game in a tree, without those in called verbs."""
    return [node for node in ir.walk(tree) if isinstance(node, ir.End)]


def ending_texts(body: ir.Body, model: Model, language: str) -> Iterator[tuple[RulesText, bool]]:
    """Yield the wording of each end of the game in a body, and whether it names all conditions.

    It does not if they depend on choices, rolls or values in the body, whose own text gives more detail.
    """
    for end, conditions, whole in _ends(body.statements, (), True):
        naming = Naming(model, LANGUAGES[language], "flow", end.span)
        reader = reader_of(naming, body.slots)
        whole = whole and not any(_hangs_on_locals(condition) for condition in conditions)
        text = reader.end(end)
        if whole and conditions:
            asked = reader.condition(conjunction(conditions))
            text = reader.say_with("if", {"condition": NounPhrase(asked), "then": text})
        words = LANGUAGES[language].finish(capitalize(text) if whole else text)
        words = words if words.endswith((".", "!", "?", "…")) else words + "."
        yield RulesText((paragraph(words),), tuple(naming.problems)), whole


def _hangs_on_locals(condition: ir.Expr) -> bool:
    """Return whether a condition reads a local of its body."""
    own = {node.it for node in ir.walk(condition) if isinstance(node, ir.Select)}
    return any(node.slot > 1 and node.slot not in own for node in ir.walk(condition) if isinstance(node, ir.Var))


def _ends(
    statements: Sequence[ir.Stmt], asked: tuple[ir.Expr, ...], whole: bool
) -> Iterator[tuple[ir.End, tuple[ir.Expr, ...], bool]]:
    """Yield the ends in some statements, the conditions before each, and whether those are all."""
    for statement in statements:
        if isinstance(statement, ir.End):
            yield statement, asked, whole
        elif isinstance(statement, ir.If):
            yield from _ends(statement.then.statements, (*asked, statement.condition), whole)
            rest = ir.Not(statement.condition, ir.FLAG, statement.condition.span)
            yield from _ends(statement.otherwise.statements, (*asked, rest), whole)
        else:
            for end in ends_in(statement):
                yield end, (), False
        left = [below for below in ir.walk(statement) if isinstance(below, ir.Stop | ir.Break | ir.Require)]
        whole = whole and not left
