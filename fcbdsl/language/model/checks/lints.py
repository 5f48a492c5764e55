"""Checks that need the whole model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fcbdsl.base.diagnostics.dead import ChangeByZero, UnreadLocal
from fcbdsl.base.diagnostics.declarations import (
    MissingTranslation,
    SameInTwoLanguages,
    UnheardEvent,
    UnmarkedRecursion,
    UntestedVariant,
)
from fcbdsl.base.source import Span
from fcbdsl.language.model.checks.acting import nobody_acts, nothing_is_self
from fcbdsl.language.model.checks.alike import lookalikes, same_titles
from fcbdsl.language.model.checks.amounts import amounts_below_zero
from fcbdsl.language.model.checks.circles import endless_effects, endless_events
from fcbdsl.language.model.checks.coordinate_names import coordinates
from fcbdsl.language.model.checks.counts import count_things, markers_on_things, numbers_in_range, zones_of_things
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.checks.named_endings import check_endings
from fcbdsl.language.model.checks.team_checks import check_teams
from fcbdsl.language.model.checks.unreachable_code import dead_ends
from fcbdsl.language.model.checks.zero_amounts import Amounts, Dose
from fcbdsl.language.model.content import Test
from fcbdsl.language.model.declarations import Event, Form, Kind, Name
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.whole import Model


def lint(context: Context, all: Sequence[Facts]) -> None:
    """Check a model as a whole; `all`: the facts of everything."""
    _recursion(context, all)
    _unused(context, all)
    nobody_acts(context, all)
    nothing_is_self(context, all)
    count_things(context)
    numbers_in_range(context, all)
    lowered = [row for facts in all for row in facts.lowered]
    amounts_below_zero(context, lowered, [row for facts in all for row in facts.subtractions])
    markers_on_things(context, all)
    zones_of_things(context, all)
    _useless(context, all)
    endless_effects(context)
    endless_events(context, all)
    dead_ends(context, all)
    coordinates(context, all)
    check_teams(context, all)
    check_endings(context, all)
    lookalikes(context)
    same_titles(context)
    _translations(context)


# ── recursion ──────────────────────────────────────────────────────────────────────────────────


def _recursion(context: Context, all: Sequence[Facts]) -> None:
    """Report cycles of forms without one marked `recursive`; each cycle once."""
    calls = {id(facts.owner): facts.called for facts in all if isinstance(facts.owner, Form)}
    done: set[int] = set()
    for form in context.model.forms:
        if id(form) not in done:
            _visit(context, form, calls, done)


def _visit(context: Context, first: Form, calls: dict[int, list[Form]], done: set[int]) -> None:
    """Search for cycles depth first; forms marked `recursive` break them. Chains of forms may have any length."""
    path: dict[int, Form] = {}
    ways: list[Iterator[Form]] = [iter([first])]
    while ways:
        form = next(ways[-1], None)
        if form is None:
            ways.pop()
            if path:
                done.add(path.popitem()[0])
        elif id(form) in path:
            numbers = list(path)
            circle = [path[number] for number in numbers[numbers.index(id(form)) :]] + [form]
            chain = " → ".join(step.id for step in circle)
            context.report(UnmarkedRecursion(form.span, name=form.id, chain=chain))
        elif id(form) not in done and not form.recursive:
            path[id(form)] = form
            ways.append(iter(calls[id(form)]))


# ── events and variants that nothing uses ──────────────────────────────────────────────────────


def _unused(context: Context, all: Sequence[Facts]) -> None:
    """Report events with listeners that are never announced, and variants that are never tested."""
    model = context.model
    own = {declaration.id for declaration in context.index.of("event") if declaration.system == "core"}
    waited: dict[str, Span] = {}
    announced: dict[str, None] = {}
    tested: dict[str, None] = {terrain.switch: None for terrain in model.terrains.values()}
    for facts in all:
        for id, span in facts.waited.items():
            waited.setdefault(id, span)
        announced.update(facts.announced)
        tested.update(facts.tested)
    for id, span in waited.items():
        event: Event = model.events[id]
        if event.verb is None and id not in announced and id not in own:
            context.report(UnheardEvent(span, name=id))
    for switch in model.switches.values():
        if switch.id not in tested and len(switch.values) > 1:
            context.report(UntestedVariant(switch.span, name=switch.id, value=switch.values[1]))


def _useless(context: Context, all: Sequence[Facts]) -> None:
    """Report locals that nothing reads, unless their file has a phrase with a mistake, and changes by 0."""
    unread = any(facts.unread for facts in all)
    problems = context.problems.sorted() if unread else ()
    broken = {
        problem.span.source.name: None
        for problem in problems
        if problem.severity == "error" or problem.code[3:5] == "04"
    }
    amounts = Amounts()
    for facts in all:
        for span, name in facts.unread:
            if name and span.source.name not in broken:
                context.report(UnreadLocal(span, name=name))
        for span in facts.zeros:
            context.report(ChangeByZero(span, phrase=_phrase(span), amount="0"))
        if not isinstance(facts.owner, Test):
            for call, number, amount in facts.zero_arguments:
                dose = amounts.dose(call.form, number)
                if dose is Dose.COUNTED or (dose is Dose.SIGNED and amount == 0):
                    context.report(ChangeByZero(call.span, phrase=_phrase(call.span), amount=str(amount)))


def _phrase(span: Span) -> str:
    """Return the first line of a text, without a colon at its end."""
    return span.source.text[span.start : span.end].split("\n")[0].rstrip(" :")


# ── translations ───────────────────────────────────────────────────────────────────────────────


def _translations(context: Context) -> None:
    """Report names that have a title in some languages only, and texts that are equal in two languages.

    Names in shipped packs are skipped.
    """
    model = context.model
    if len(model.languages) < 2:
        return
    lent = dict.fromkeys(model.lent)
    for sort, called, span, name in _titled(model):
        if span.source.name in lent:
            continue
        if is_untranslated(name.title, model.languages):
            context.report(SameInTwoLanguages(span, name=called, language=model.languages[1]))
        for language in model.languages if name.title and not name.broken else ():
            if language not in name.title:
                context.report(MissingTranslation(span, sort=sort, name=called, language=language))
    for called, span, texts in _texts(model, lent):
        if is_untranslated(texts, model.languages):
            context.report(SameInTwoLanguages(span, name=called, language=model.languages[1]))


def _texts(model: Model, lent: Mapping[str, None]) -> Iterator[tuple[str, Span, Mapping[str, str]]]:
    """Yield the texts in the fields of cards and missions, except of those in `lent` files."""
    for definition in model.definitions.values():
        if definition.span.source.name in lent:
            continue
        for value in definition.values.values():
            if value.texts is not None:
                yield value.field.id, value.span or definition.span, value.texts


FEWEST_WORDS: Final = 4
"""Fewest words of a text that differs in two languages: shorter ones are often names."""


def is_untranslated(texts: Mapping[str, str], languages: Sequence[str]) -> bool:
    """Return whether a text of several words is the same in the first two languages of a project."""
    first, second = texts.get(languages[0], ""), texts.get(languages[1], "")
    return first == second and len(first.split()) >= FEWEST_WORDS


def _titled(model: Model) -> Iterator[tuple[str, str, Span, Name]]:
    for kind in model.kinds.values():
        yield "The kind", kind.id, kind.span, kind.name
        yield from _columns(kind)
    for sort, declared in (("Terrain", model.terrains), ("Barrier", model.barriers)):
        for id, terrain in declared.items():
            yield sort, id, terrain.span, terrain.name
    for die in model.dice.values():
        yield "The die", die.id, die.span, die.name
    for zone in model.zones.values():
        yield "The zone", zone.id, zone.span, zone.name
    for mark in model.marks.values():
        yield "The mark", mark.id, mark.span, mark.name
    for switch in model.switches.values():
        yield "The variant", switch.id, switch.span, switch.name
    for form in model.forms:
        yield f"The {form.sort}", form.id, form.span, form.name
    for action in model.actions.values():
        yield "The action", action.id, action.span, action.name
    for rule in model.rules.values():
        yield "The rule", rule.id, rule.span, rule.name
    for definition in model.definitions.values():
        yield f"The {definition.kind.id}", definition.id, definition.span, definition.name
        for track in definition.tracks:
            yield f"The {track.sort}", track.id, track.span, track.name
            for tier in track.tiers:
                yield "The tier", str(tier.at), tier.span, tier.name


def _columns(kind: Kind) -> Iterator[tuple[str, str, Span, Name]]:
    for column in kind.fields.values():
        if column.kind == kind.id and column.sort != "part":
            yield f"The {column.sort}", column.id, column.span, column.name
            yield f"Whoever is without the {column.sort}", column.id, column.span, column.without
    for zone in kind.zones.values():
        yield "The zone", zone.id, zone.span, zone.name
