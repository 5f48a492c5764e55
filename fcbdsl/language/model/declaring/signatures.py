"""Heads of forms and events: their words, parameters, types, texts; and then their bodies."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import DuplicateDeclaration, NoBody, TwoBodies
from fcbdsl.base.records import dataclass
from fcbdsl.base.words import one_of
from fcbdsl.language.model.declarations import Event, Form, Trait, Wording
from fcbdsl.language.model.declaring.blocks import read_block, read_wording
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.context import THING, Context
from fcbdsl.language.model.identity_cache import become
from fcbdsl.language.model.ir import FLAG, Body
from fcbdsl.language.model.lines import (
    clause_words,
    keyword_of,
    single_word,
    tail_clause,
    tail_parts,
    tail_words,
    without_lead_keyword,
)
from fcbdsl.language.model.resolve import parameters, statements
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.syntax.tree import Clause, Line

BODIES = ("is", "value", "effect")
"""Lines with the body of a form."""
_BODIES = {"verb": "`effect:`", "keyword": "`effect:`", "relation": "`is:`", "measure": "`value:`"}


@dataclass(slots=True)
class FormDraft:
    """A form whose lines have been sorted, but not read yet."""

    form: Form
    declaration: Declaration
    lines: dict[str, Line] = field(default_factory=dict)
    texts: list[Line] = field(default_factory=list)


def declare_forms(context: Context) -> list[FormDraft]:
    """Declare all forms and events by their words; their parameters are read when all are declared."""
    drafts: list[FormDraft] = []
    for declaration in context.index.of("measure", "relation", "verb", "keyword", "table"):
        sort = "verb" if declaration.sort == "table" else declaration.sort
        words = tuple(declaration.id.split())
        fresh = Form(sort, words, declaration.span, declaration.named(), system=declaration.system)
        form = context.entries.current(fresh)
        context.model.forms.append(form)
        if declaration.broken or any(line.broken for line in declaration.line.block):
            context.vocabulary.unsound |= {form.words[0], *_named(declaration.line)}
        draft = FormDraft(form, declaration)
        drafts.append(draft)
        if declaration.sort != "table":
            _sort_lines(context, draft)
        if sort == "relation":
            form.gives = FLAG
    for declaration in context.index.of("event"):
        event = context.entries.current(Event(declaration.id, [], tuple(declaration.id.split()), declaration.span))
        context.model.events[event.id] = event
    return drafts


def redeclare_form(context: Context, form: Form, declaration: Declaration) -> FormDraft:
    """Declare a form again of which only the lines of the body and the texts have changed."""
    fresh = Form(
        form.sort, form.words, declaration.span, declaration.named(), form.params, form.gives, form.op,
        event=form.event, recursive=form.recursive, system=form.system,
    )  # fmt: skip
    become(form, fresh)
    draft = FormDraft(form, declaration)
    if declaration.sort != "table":
        _sort_lines(context, draft)
    return draft


_PARAM = re.compile(r"([^\W\d][\w-]*) \(")


def _named(line: Line) -> set[str]:
    """Return the names in the broken lines of a form that may be parameters."""
    names: set[str] = set()
    for inner in line.block:
        if inner.broken:
            names |= set(_PARAM.findall(inner.source.text, inner.offset, inner.end))
    return names


def _sort_lines(context: Context, draft: FormDraft) -> None:
    """Sort the lines of a form by their first words."""
    sort = draft.form.sort

    def keep(key: str) -> Callable[[Line], None]:
        return lambda line: draft.lines.__setitem__(key, line)

    keys = ["takes", "op", "traits", "effect", "recursive"]
    keys += {"relation": ["is"], "measure": ["gives", "value"]}.get(sort, ["event"])
    often: dict[str, Callable[[Line], None]] = {"text": draft.texts.append}
    read_block(context, draft.declaration.line, a(sort), {key: keep(key) for key in keys}, often, draft.form.name)
    draft.form.recursive = "recursive" in draft.lines


def read_signatures(context: Context, drafts: list[FormDraft]) -> None:
    """Read the parameters and results of forms; then the events' parameters and the verbs' own events."""
    for draft in drafts:
        gives = draft.lines.get("gives")
        clause = tail_clause(gives) if gives is not None else None
        if gives is not None and clause is not None:
            type = parameters.type_of(context.reader, gives, clause)
            if type is not None:
                draft.form.gives = type
        elif draft.form.sort == "measure" and not any(line.broken for line in draft.declaration.line.block):
            context.malformed(draft.form.span, "a measure", "gives: TYPE")
    for draft in drafts:
        context.vocabulary.add(draft.form)
    for draft in drafts:
        takes = draft.lines.get("takes")
        clause = tail_clause(takes) if takes is not None else None
        if takes is not None and clause is not None:
            draft.form.params = parameters.params(context.reader, takes, without_lead_keyword(clause))
        event = draft.lines.get("event")
        if event is not None:
            _own_event(context, draft.form, event)
        if "op" in draft.lines:
            _op(context, draft.form, draft.lines["op"])
    for declaration in context.index.of("event"):
        _event(context, declaration, context.model.events[declaration.id])


def _own_event(context: Context, form: Form, line: Line) -> None:
    """Read ``event: target takes damage from source``: the event of a verb."""
    clause = tail_clause(line)
    if clause is None or len(clause.parts) > 1:
        context.malformed(line.span, "the event of a verb", "event: PARAMETER verb PARAMETER")
        return
    other = context.model.events.get(form.id)
    if other is not None:
        related = [Related(other.span, "it is declared here first")]
        context.report(DuplicateDeclaration(form.span, sort="event", name=form.id, related=related))
        return
    form.event = context.entries.current(Event(form.id, form.params, clause_words(clause), form.span, verb=form))
    context.model.events[form.id] = form.event
    context.vocabulary.add(form.event)


def _event(context: Context, declaration: Declaration, event: Event) -> None:
    texts: list[Line] = []

    def takes(line: Line) -> None:
        clause = tail_clause(line)
        if clause is not None:
            event.params = parameters.params(context.reader, line, without_lead_keyword(clause))

    def form(line: Line) -> None:
        clause = tail_clause(line)
        if clause is None or len(clause.parts) > 1:
            context.malformed(line.span, "the form of an event", "form: PARAMETER verb PARAMETER")
        else:
            event.pattern = clause_words(clause)

    def telling(line: Line) -> None:
        event.is_told = tail_words(line) != ("no",)
        if event.is_told:
            context.malformed(line.span, "whether a story tells an event", "told: no")

    handlers = {"takes": takes, "form": form, "told": telling}
    read_block(context, declaration.line, "an event", handlers, {"text": texts.append}, declaration.named())
    context.vocabulary.add(event)
    params = [(param.name, param.type) for param in event.params]
    context.later.append(lambda: _texts(context, texts, Scope(params=params, mode="pure"), event.texts))


# ── bodies ─────────────────────────────────────────────────────────────────────────────────────


def read_form(context: Context, draft: FormDraft) -> None:
    """Read the body and the texts of a form."""
    form = draft.form
    if draft.declaration.sort == "table":
        form.body = _table(context, draft.declaration, form)
        return
    _texts(context, draft.texts, Scope(THING, THING, [(p.name, p.type) for p in form.params], "pure"), form.texts)
    given = [key for key in ("op", *BODIES) if key in draft.lines]
    if len(given) > 1:
        line = draft.lines[given[1]]
        context.report(TwoBodies(line.span, first=given[0], second=given[1], name=form.id))
    elif not given:
        if not form.name.broken and not any(line.broken for line in draft.declaration.line.block):
            context.report(NoBody(form.span, sort=form.sort, name=form.id, body=_BODIES[form.sort]))
    elif given[0] != "op":
        form.body = read_body(context, form, draft.lines[given[0]], given[0])
    if "traits" in draft.lines:
        _traits(context, draft)


def _op(context: Context, form: Form, line: Line) -> None:
    words = tail_words(line)
    if len(words) != 1:
        context.malformed(line.span, "the name of a native op", "op: NAME")
        return
    form.op = words[0]
    context.vocabulary.add(form)


def _traits(context: Context, draft: FormDraft) -> None:
    """Read ``traits: asks-mark``: properties of a native form for checks."""
    line = draft.lines["traits"]
    words = [word for part in tail_parts(line) if (word := single_word(part)) is not None]
    if "op" not in draft.lines or not words or len(words) < len(tail_parts(line)):
        context.malformed(line.span, "the traits of a form that binds an op", "traits: asks-mark")
        return
    for word in words:
        trait = one_of(tuple(Trait), word.text)
        if trait is None:
            context.unknown(line.span_of(word), "trait", word.text, list(Trait))
        elif trait not in draft.form.traits:
            draft.form.traits += (trait,)


def read_body(context: Context, form: Form, line: Line, key: str) -> Body | None:
    """Read the effect or the value of a form."""
    gives = None if form.sort in {"verb", "keyword"} else form.gives
    scope = Scope(THING, THING, [(param.name, param.type) for param in form.params], gives=gives)
    if key == "effect":
        return statements.clauses_body(context.reader, line, line.tail, line.block, scope)
    clause = tail_clause(line)
    if clause is None or len(line.tail) > 1 or line.block or gives is None:
        context.malformed(line.span, f"the value of `{form.id}`", f"{key}: EXPRESSION")
        return None
    return context.reader.answer(line, clause, scope, gives)


def _texts(context: Context, lines: list[Line], scope: Scope, into: list[Wording]) -> None:
    for line in lines:
        wording = read_wording(context, line, scope)
        if wording is not None:
            into.append(wording)


def _table(context: Context, declaration: Declaration, form: Form) -> Body | None:
    """Read ``table NAME: 2d6`` with rows as the body of a verb: ``roll 2d6:`` with these rows."""
    line = declaration.line
    clause = tail_clause(line)
    if clause is None or len(line.tail) > 1 or not line.block:
        context.malformed(line.span, "a table", 'table NAME "Title": 2d6')
        return None
    head = Clause(clause.start, clause.end, "roll", clause.parts)
    rows = tuple(row for row in line.block if not context.title_line(row, form.name, keyword_of(row)))
    roll = Line(line.source, line.offset, line.end, head, (), opens=True, below=rows)
    return statements.lines_body(context.reader, [roll], Scope(THING, THING))


def read_variant_texts(context: Context) -> None:
    """Read titles and texts of variants."""
    for declaration in context.index.of("variant"):
        switch = context.model.switches[declaration.id]
        texts: list[Line] = []
        read_block(context, declaration.line, "a variant", {}, {"text": texts.append}, switch.name)
        _texts(context, texts, Scope(mode="pure"), switch.texts)
