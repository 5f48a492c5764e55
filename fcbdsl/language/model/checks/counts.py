"""Number of things in a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.phrases import NoBearer, WrongZone
from fcbdsl.base.diagnostics.values import OutOfRange
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Kind
from fcbdsl.language.model.ir.operators import bounds_of, evaluate_constant
from fcbdsl.language.model.whole import Model

if TYPE_CHECKING:  # counting copies must work without the modules that read phrases
    from fcbdsl.language.model.checks.facts import Facts
    from fcbdsl.language.model.declaring.context import Context


def count_things(context: Context) -> None:
    """Report definitions with too many copies, and the first definition that exceeds the limit of all things."""
    model = context.model
    played = [definition.players[1] for definition in model.definitions.values() if definition.players is not None]
    boards = [definition.board for definition in model.definitions.values() if definition.board is not None]
    things = max([model.players[1], *played]) + max([len(board.cells) for board in boards], default=0)
    for kind in model.kinds.values():
        if "record" in (above.id for above in kind.lineage()) and kind.id != "record":
            number, own = instances(kind), kind.fields.get("copies")
            span = kind.span if own is None else own.span
            if context.within(span, bounds.THINGS, f"Of `{kind.id}` there would be", number, "records"):
                things += number
    begun = begun_with(model)
    for (kind_id, id), definition in model.definitions.items():
        number = max(number_of_copies(definition), begun[kind_id, id])
        value = definition.values.get("copies")
        span = definition.span if value is None or value.span is None else value.span
        if not context.within(span, bounds.THINGS, f"Of `{definition.id}` there would be", number, "copies"):
            continue
        things += number * (1 + sum(number_of_copies(part) for part in definition.parts)) + len(definition.tracks)
        if not context.within(span, bounds.THINGS, "With these the game would have", things, "things"):
            return


def numbers_in_range(context: Context, all: Sequence[Facts]) -> None:
    """Report numbers that are written as arguments outside the range of their parameter."""
    for facts in all:
        for span, name, low, high, value in facts.beyond:
            context.report(OutOfRange(span, field=name, bounds=bounds_of(low, high), value=value))


def markers_on_things(context: Context, all: Sequence[Facts]) -> None:
    """Report statuses and tokens that are put on, or taken from, things that can never have them."""
    words = context.vocabulary
    for facts in all:
        for span, name, kind in facts.markers:
            bearers = [kind.id for kind in context.model.kinds.values() if name in kind.fields]
            if kind in context.model.kinds and not any(words.related(kind, bearer) for bearer in bearers):
                phrase = span.source.text[span.start : span.end]
                sort = context.model.kinds[bearers[0]].fields[name].sort
                cure = (
                    f"Write the space, such as `{phrase}'s place`."
                    if bearers == ["space"]
                    else f"Write {a(bearers[0])}."
                )
                context.report(
                    NoBearer(span, sort=sort, name=name, bearer=a(bearers[0]), phrase=phrase, kind=a(kind), cure=cure)
                )


def begun_with(model: Model) -> Counter[tuple[str, str]]:
    """Return the number of copies of each definition that begin in zones filled from a list."""
    out: Counter[tuple[str, str]] = Counter()
    starts = {id: [zone.starts for above in kind.lineage() for zone in above.zones.values() if zone.starts is not None]
              for id, kind in model.kinds.items()}  # fmt: skip
    for definition in model.definitions.values():
        for column in starts[definition.kind.id]:
            value = definition.values.get(column.id)
            listed = column.default if value is None else value.expr
            for item in () if listed is None else ir.walk(listed):
                if isinstance(item, ir.Def):
                    out[item.kind, item.id] += number_of_copies(definition)
    return out


def number_of_copies(definition: Definition) -> int:
    """Return the number of instances of a definition; for a part, per thing that it belongs to."""
    value = definition.values.get("copies")
    if value is None or value.expr is None:
        return instances(definition.kind)
    number = evaluate_constant(value.expr)
    return 1 if number is None else number


def instances(kind: Kind) -> int:
    """Return the default number of instances per definition of a kind, or the number of its records."""
    column = kind.find("copies")
    return (evaluate_constant(column.default) if column is not None and column.default is not None else None) or 1


def zones_of_things(context: Context, all: Sequence[Facts]) -> None:
    """Report things that go into a zone for things of other kinds."""
    lent = dict.fromkeys(context.model.lent)
    for facts in all:
        for span, verb, what, pile in facts.put:
            if span.source.name in lent:
                continue
            if not context.vocabulary.related(what, pile):
                phrase = span.source.text[span.start : span.end]
                context.report(WrongZone(span, verb=verb, phrase=phrase, kind=what, held=pile))
