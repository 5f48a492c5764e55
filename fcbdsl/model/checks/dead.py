"""What can never be reached, whatever is played: statements behind an end, and forms behind their double."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Related
from fcbdsl.diagnostics.dead import DoubleForm, NeverReached
from fcbdsl.model import ir
from fcbdsl.model.declarations import Form
from fcbdsl.model.declaring.context import Context
from fcbdsl.model.roots import nodes


def dead_ends(context: Context) -> None:
    """Report statements that no run can come to, and forms that another one equals."""
    for node in nodes(context.model):
        if isinstance(node, ir.Body):
            _behind_an_end(context, node)
    _doubles(context)


def _behind_an_end(context: Context, body: ir.Body) -> None:
    """Report the first statement of a body that stands behind one that ends it."""
    for statement, following in zip(body.statements, body.statements[1:], strict=False):
        word = ending(statement)
        if word:
            related = [Related(statement.span, "here it ends")]
            context.report(NeverReached(following.span, word=word, related=related))
            return


def ending(statement: ir.Stmt) -> str:
    """The word by which a statement ends its body in any case; empty if it does not."""
    if isinstance(statement, ir.End):
        return statement.outcome
    if isinstance(statement, ir.If):
        then, otherwise = _last(statement.then), _last(statement.otherwise)
        return then if then and otherwise else ""
    # `cancel` only calls off the event; its body goes on
    return type(statement).__name__.lower() if isinstance(statement, ir.Stop | ir.Break | ir.Answer) else ""


def _last(body: ir.Body) -> str:
    """The word by which a body ends before it is through; empty if it may go on."""
    return next((word for statement in body.statements if (word := ending(statement))), "")


def _doubles(context: Context) -> None:
    """Report forms of the same words that take the same: no phrase could tell them apart."""
    seen: dict[tuple[object, ...], Form] = {}
    for form in context.model.forms:
        if form.words[0] in context.vocabulary.unsound:
            continue
        sort = "verb" if form.sort == "keyword" else form.sort
        key = (sort, form.words, tuple((param.type, param.preposition) for param in form.params))
        first = seen.setdefault(key, form)
        if first is not form:
            related = [Related(first.span, "it is declared here first")]
            context.report(DoubleForm(form.span, sort=form.sort, name=form.id, related=related))
