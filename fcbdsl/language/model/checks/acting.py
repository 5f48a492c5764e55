"""Uses of `self` where it is nothing: in steps of tests, in programs of a game, and in formulas of missions."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.diagnostics.steps import NeverPlaced, NobodyActs, NothingIsSelf
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.declaring.context import Context


def nobody_acts(context: Context, all: Sequence[Facts]) -> None:
    """Report each step that uses a form which needs a `self`, but does not name who acts."""
    needed_by = needing(all)
    for facts in all:
        for span, forms, itself in facts.steps:
            if itself or not needed_by.isdisjoint(map(id, forms)):
                needed = next((form for form in forms if id(form) in needed_by), None)
                context.report(NobodyActs(span, name="self" if needed is None else needed.id))


def nothing_is_self(context: Context, all: Sequence[Facts]) -> None:
    """Report each use of a form that needs a `self` in set-up, flow, journey, rules and invariants."""
    needed_by = needing(all)
    for facts in all:
        for span, form, given in facts.ownerless:
            if given or id(form) in needed_by:
                context.report(NothingIsSelf(span, name=form.id))
        for span, name, kind in facts.unplaced:
            context.report(NeverPlaced(span, name=name, kind=kind))


def needing(facts: Sequence[Facts]) -> set[int]:
    """Return the ids of the forms that use their caller's `self`, directly or through other forms.

    `facts`: those of the whole model.
    """
    forms = [fact for fact in facts if isinstance(fact.owner, Form)]
    callers: dict[int, list[int]] = {}
    for form_facts in forms:
        for form in form_facts.called:
            callers.setdefault(id(form), []).append(id(form_facts.owner))
    reached: set[int] = set()
    queue = [id(form_facts.owner) for form_facts in forms if form_facts.selfish]
    while queue:
        caller = queue.pop()
        if caller not in reached:
            reached.add(caller)
            queue += callers.get(caller, [])
    return reached
