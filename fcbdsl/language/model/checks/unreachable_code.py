"""Checks for unreachable code: statements after an end, and forms that duplicate another."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.dead import CutOff, DoubleForm, NeverReached
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.declaring.context import Context


def dead_ends(context: Context, all: Sequence[Facts]) -> None:
    """Report statements that can never run, and forms that duplicate another."""
    for facts in all:
        for following, end, word in facts.behind:
            related = [Related(end.span, "here it ends")]
            context.report(NeverReached(following.span, word=word, related=related))
        for end, following in facts.cut:
            related = [Related(following.span, "this is left out, too")]
            context.report(CutOff(end.span, related=related))
    _doubles(context)


def _doubles(context: Context) -> None:
    """Report forms with the same words and parameters, which no phrase can distinguish."""
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
