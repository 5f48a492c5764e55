"""Columns of kinds: stats, fields, zones; and their types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import DuplicateDeclaration, UnfitColumn, ValuelessField
from fcbdsl.base.diagnostics.values import NothingToKeep, OutOfRange, RangeBackwards
from fcbdsl.base.source import Span
from fcbdsl.language.model.builtins import TEAM, is_undefined
from fcbdsl.language.model.declarations import Field, Kind, Name, Zone
from fcbdsl.language.model.declaring.blocks import doc_of, read_block
from fcbdsl.language.model.declaring.context import THING, Context
from fcbdsl.language.model.declaring.setting import require_constant
from fcbdsl.language.model.ir import FLAG, NUMBER, Type
from fcbdsl.language.model.ir.operators import bounds_of, evaluate_constant
from fcbdsl.language.model.lines import (
    atoms,
    first_word,
    head_atoms,
    leading,
    read_more_titles,
    single_word,
    tail_parts,
    without_first_word,
)
from fcbdsl.language.model.resolve import parameters
from fcbdsl.language.model.resolve.scope import Scope, own_scope
from fcbdsl.language.syntax.tree import Atom, Line, Part, Phrase, Range, String, Word

_OPTIONS = {"default", "starts", "optional", "secret", "kept", "attainable", "spent", "heads", "for"}
HEADS = ["heads", "stories"]
_USAGE = (
    "default X, starts X, optional, secret, secret to TEAM (or nobody), kept, attainable (a condition), for KIND (an "
    "effect), spent by VERB (a list of definitions) or heads stories (a number of the game that has a title)"
)


def declare_column(context: Context, kind: Kind, line: Line, sort: str) -> None:
    """Read ``stat HP "HP": number 0.., starts max-HP`` or ``field hands: number 1..2`` into a kind."""
    match head_atoms(line)[1:]:
        case (Word(text=id) as word, String(value=title)):
            name = Name({"en": title})
        case (Word(text=id) as word,):
            name = Name()
        case _:
            context.malformed(line.span, a(sort), f'{sort} NAME "Title": TYPE')
            return
    if not _more_titles(name, line):
        context.malformed(line.span, "a title", f'{sort} {id} "title", plural "titles": TYPE')
    typed, options = _split(tail_parts(line))
    if not typed:
        context.malformed(line.span, f"the type of {a(sort)}", f"{sort} {id}: number, default 1")
        return
    span = line.span_of(word)
    fresh = Field(id, kind.id, sort, Type("nothing"), span, name, required=sort == "field")
    field = context.entries.current(fresh)
    if not add_column(context, kind, field):
        return
    low_high = _range(context, line, typed[0])
    if low_high is not None:
        field.low, field.high = low_high
    type = parameters.type_of(context.reader, line, _without_range(typed), f"{kind.id}.{id}")
    if type is not None:
        field.type = type
        if sort == "field" and is_undefined(kind):
            unfit = _unfit_without_definition(type, kind)
        else:
            unfit = _unfit_for_maps(type) if kind.id in PLACED and sort == "field" else _unfit(sort, type)
        if unfit is not None:
            context.report(UnfitColumn(line.span_of(typed[0]), name=id, what=unfit[0], why=unfit[1]))
    _options(context, kind, field, line, options)
    if sort == "field" and type is not None and unfit is None:
        context.later.append(partial(_valueless, context, kind, field))
    read_block(context, line, a(sort), doc_of(context, field), name=name)


def _more_titles(name: Name, line: Line) -> bool:
    """Read the rest of a head behind a title, such as its plural; False if it has another form."""
    head = leading(line)
    parts = head.parts[1:] if head is not None else ()
    return not parts or (bool(name.title) and read_more_titles(name, parts, "en"))


PLACED = ("space", "side")
"""Kinds whose things belong to a map, which also gives the values of their fields."""
_COMPUTED = {"condition", "formula", "effect"}
"""Types of fields that contain a code instead of a value."""


def _unfit(sort: str, type: Type) -> tuple[str, str] | None:
    """Return the type of a column and why it is not allowed; None if it is."""
    if sort == "stat" and type.base in _COMPUTED:
        return a(type.base), "a stat is one value that changes, and fcb computes this"
    if sort == "stat" and type.many:
        return "a list", "a stat is one value"
    if type.many and type.base in _COMPUTED:
        return "a list", "a computed value is one value"
    return None


def _unfit_for_maps(type: Type) -> tuple[str, str] | None:
    """Return the type of a field with values on maps and why it is not allowed; None if it is."""
    if type.many or type.base in {*_COMPUTED, "text"}:
        return "a list" if type.many else a(type.base), "the legend of a map gives its value: one number or name"
    return None


def _unfit_without_definition(type: Type, kind: Kind) -> tuple[str, str] | None:
    """Return the type of a field of things without definitions and why it is not allowed; None if it is."""
    if type.many or type.base in {*_COMPUTED, "text"}:
        why = f"its default must be one number or name, because {a(kind.id)} has no definition"
        return "a list" if type.many else a(type.base), why
    return None


def _valueless(context: Context, kind: Kind, field: Field) -> None:
    """Report a field that has no value in some things of its kind."""
    if is_undefined(kind) and field.default is None:
        context.report(ValuelessField(field.span, name=field.id, kind=kind.id))


def add_column(context: Context, kind: Kind, field: Field) -> bool:
    """Give a kind a column; reports one that is there already."""
    other = kind.fields.get(field.id)
    if other is None:
        kind.fields[field.id] = field
        context.vocabulary.add(kind)
        return True
    related = [Related(other.span, "it is declared here first")] if other.sort != "builtin" else []
    sort = f"{field.sort} of {a(kind.id)}"
    context.report(DuplicateDeclaration(field.span, sort=sort, name=field.id, related=related))
    return False


def _split(parts: Sequence[Part]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Separate the type from the options after it: ``default X``, ``starts X``, ``optional``."""
    for at, part in enumerate(parts):
        first = first_word(part)
        if first in _OPTIONS:
            return tuple(parts[:at]), tuple(parts[at:])
    return tuple(parts), ()


def _range(context: Context, line: Line, part: Part) -> tuple[int, int | None] | None:
    """Return the range in a type such as ``number 0..5``."""
    for atom in atoms(part):
        if isinstance(atom, Range):
            if atom.high is not None and atom.high < atom.low:
                context.report(RangeBackwards(line.span_of(atom), low=atom.low, high=atom.high))
            return atom.low, atom.high
    return None


def _without_range(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return the parts, with the range removed from the first."""
    first = parts[0]
    part_atoms = atoms(first)
    if not any(isinstance(atom, Range) for atom in part_atoms):
        return parts
    remaining: tuple[Atom, ...] = tuple(atom for atom in part_atoms if not isinstance(atom, Range))
    if not remaining:
        return parts
    phrase = Phrase(remaining[0].start, remaining[-1].end, remaining)
    return (Part(first.start, first.end, first.lead, phrase), *parts[1:])


def _options(context: Context, kind: Kind, field: Field, line: Line, options: Sequence[Part]) -> None:
    """Read ``default X``, ``starts X``, ``optional``, ``secret``, ``kept``, ``attainable``, ``heads stories``, and
    ``spent by VERB``."""
    for part in options:
        word = first_word(part)
        rest = without_first_word(part)
        if word == "optional" and rest is None:
            field.required = False
        elif word == "secret" and field.sort == "stat" and (rest is None or first_word(rest) == "to"):
            _secret(context, field, line, part)
        elif word == "kept" and rest is None and field.sort == "stat":
            keep(context, kind, field, line.span_of(part))
        elif word == "attainable" and rest is None and field.type.base == "condition":
            field.attainable = True
        elif word == "for" and rest is not None and field.type.base == "effect":
            _role(context, field, line, rest)
        elif [atom.text for atom in atoms(part) if isinstance(atom, Word)] == HEADS and _counts(kind, field):
            field.heads = True
        elif word == "spent" and rest is not None and first_word(rest) == "by" and field.type.base == "definition":
            context.later.append(partial(_spent_by, context, field, line, rest))
        elif word in {"default", "starts"} and rest is not None and (word == "default") == (field.sort == "field"):
            field.required = False
            context.later.append(partial(_default, context, kind, field, line, rest))
        else:
            context.malformed(line.span_of(part), "an option of a column", _USAGE)


def _role(context: Context, field: Field, line: Line, part: Part) -> None:
    """Read ``for player``: the kind of the `self` of an effect, which ``perform … for WHO`` gives."""
    match atoms(part):
        case (Word(text=name),) if name in context.model.kinds:
            field.role = name
        case (Word(text=name) as word,):
            context.unknown(line.span_of(word), "kind", name, context.model.kinds)
        case _:
            context.malformed(line.span_of(part), "the kind that an effect is for", "for KIND")


def _counts(kind: Kind, field: Field) -> bool:
    """Return whether a column may divide the story of a game into parts."""
    return kind.id == "game" and field.sort == "stat" and field.type == NUMBER and bool(field.name.title)


def _secret(context: Context, column: Field | Zone, line: Line, part: Part) -> None:
    """Read ``secret``, ``secret to team`` (the controller's), ``secret to TEAM`` or ``secret to nobody``."""
    column.secret = True
    rest = without_first_word(part)
    if rest is None:
        return
    teams = [id for kind, id in context.model.definitions if kind == TEAM]
    match atoms(rest):
        case (Word(), Word(text="nobody")):
            column.unseen = True
        case (Word(), Word(text=name) as word) if name == TEAM and teams:
            column.allied = True
            if isinstance(column, Zone) and column.kind is None:
                what = "the secret of a zone that nobody controls"
                context.malformed(line.span_of(word), what, f"secret to {teams[0]}")
        case (Word(), Word(text=name)) if name in teams:
            column.team = name
        case (Word(), Word(text=name) as word):
            context.unknown(line.span_of(word), TEAM, name, teams)
        case _:
            context.malformed(line.span_of(part), "the team that may see a secret", "secret to TEAM (or nobody)")


def _spent_by(context: Context, field: Field, line: Line, part: Part) -> None:
    """Read ``spent by reveal event``: the verb that uses up the copies of a list of definitions one by one."""
    words = tuple(atom.text for atom in atoms(part) if isinstance(atom, Word))[1:]
    verbs = [form.id for form in context.model.forms if form.sort in {"verb", "keyword"}]
    if " ".join(words) in verbs:
        field.spent_by = words
    else:
        context.unknown(line.span_of(part), "verb", " ".join(words), verbs)


def _default(context: Context, kind: Kind, field: Field, line: Line, node: Part) -> None:
    """Read a default value: for a stat with the thing as `self`, for a formula in the scope of its texts."""
    this = Type("thing", kind.id)
    types = (this, this) if field.sort != "field" else own_scope(kind, context.model)
    scope = Scope(*types, mode="pure")
    wanted = {"condition": FLAG, "formula": NUMBER}.get(field.type.base, field.type)
    if field.type.base == "condition":
        field.default = context.reader.condition(line, node, scope)
    else:
        field.default = context.reader.expression(line, node, scope, wanted)
        if field.sort == "field" and field.type.base != "formula":
            field.default = require_constant(context, field, field.default)


# ── zones ──────────────────────────────────────────────────────────────────────────────────────


def declare_zone(context: Context, kind: Kind | None, line: Line) -> None:
    """Read ``zone hand of weapon: limit 2, secret`` into a kind, or the game if `kind` is None."""
    head = head_atoms(line)[1:]
    name = Name()
    if len(head) >= 2 and isinstance(head[1], String):
        name.title["en"] = head[1].value
        head = (head[0], *head[2:])
    match head:
        case (Word(text=id) as word, Word(text="of"), Word(text=held) as held_word):
            holds = context.kind(held, line.span_of(held_word))
        case (Word(text=id) as word,):
            holds = context.model.kinds["thing"]
        case _:
            context.malformed(line.span, "a zone", "zone NAME of KIND: any")
            return
    if not _more_titles(name, line):
        context.malformed(line.span, "a title", f'zone {id} "title" of KIND: any')
    zone = Zone(id, kind.id if kind else None, holds.id if holds else "thing", line.span_of(word), name)
    into = context.model.zones if kind is None else kind.zones
    if id in into:
        related = [Related(into[id].span, "it is declared here first")]
        context.report(DuplicateDeclaration(zone.span, sort="zone", name=id, related=related))
        return
    into[id] = zone
    context.vocabulary.add(zone)
    for part in tail_parts(line):
        _zone_option(context, kind, zone, line, part)
    read_block(context, line, "a zone", {}, name=name)


def _zone_option(context: Context, kind: Kind | None, zone: Zone, line: Line, part: Part) -> None:
    word, rest = first_word(part), without_first_word(part)
    if word == "limit" and rest is not None:

        def limit() -> None:
            self_type = Type("thing", kind.id) if kind else THING
            zone.limit = context.reader.expression(line, rest, Scope(self_type, self_type, mode="pure"), NUMBER)
            most = None if zone.limit is None else evaluate_constant(zone.limit)
            if most is not None and most < 1:
                context.report(OutOfRange(line.span, field="limit", bounds=bounds_of(1, None), value=most))

        context.later.append(limit)
    elif word == "secret" and (rest is None or first_word(rest) == "to"):
        _secret(context, zone, line, part)
    elif word in {"any", "public", "ordered"} and rest is None:
        pass
    elif word == "starts" and rest is not None and kind is not None:
        context.later.append(partial(_starts, context, kind, zone, line, rest))
    elif word == "kept" and rest is None:
        if kind is None:
            zone.kept.append("")
        else:
            keep(context, kind, zone, line.span_of(part))
    else:
        usage = "any, limit N, starts FIELD (of a kind), secret, secret to TEAM (or nobody), public, ordered or kept"
        context.malformed(line.span_of(part), "a property of a zone", usage)


def _starts(context: Context, kind: Kind, zone: Zone, line: Line, node: Part) -> None:
    """Read ``starts gifts``: the list of definitions, one copy of each of which begins in the zone."""
    word = single_word(node)
    column = kind.find(word.text) if word is not None else None
    if column is not None and column.type.many and column.type.base == "definition" and column.sort == "field":
        listed = context.model.kinds[column.type.name]
        copies = listed.find("copies")
        comes_once = copies is not None and copies.high == 1
        if any(above.id == zone.holds for above in listed.lineage()) and not comes_once:
            zone.starts = column
            return
    if context.complete(kind):
        what = f"the first cards of `{zone.id}`"
        context.malformed(line.span_of(node), what, f"starts FIELD, a field of type many {zone.holds} definition")


# ── columns that are kept from mission to mission ──────────────────────────────────────────────

_NAMED = {"number", "flag", "enum", "thing", "definition", "die"}
"""Types whose values have names that mean the same in every mission."""
_PASSING = {"space", "side", "record", "region", "mission", "campaign", "track"}
"""Kinds whose things are different ones in another mission, or do not exist there."""


def keep(context: Context, kind: Kind, column: Field | Zone, span: Span) -> None:
    """Mark a stat, a status or a zone: things of `kind` keep it from mission to mission."""
    if kind.part_of is not None or any(above.id in _PASSING for above in kind.lineage()):
        context.report(NothingToKeep(span, what=f"{a(kind.id)} is not the same thing in another mission"))
        return
    if isinstance(column, Field) and column.owned_by is not None:
        context.report(NothingToKeep(span, what=f"`{column.id}` belongs to things that another mission may lack"))
        return
    if kind.id not in column.kept:
        column.kept.append(kind.id)
    if isinstance(column, Field):
        context.later.append(lambda: _keepable(context, column, span))


def _keepable(context: Context, column: Field, span: Span) -> None:
    """Report a stat whose values mean something else in another mission."""
    fleeting = column.type.base == "thing" and column.type.name in {*_PASSING, "thing"}
    if column.type.base not in {*_NAMED, "nothing"} or fleeting:
        name = column.type.name if column.type.base == "thing" else column.type.base
        context.report(NothingToKeep(span, what=f"{a(name)} is not the same in another mission"))


def read_keeps(context: Context, kind: Kind, line: Line) -> None:
    """Read ``keeps: HP, weapons``: the stats, statuses and zones that things of a kind keep."""
    for part in tail_parts(line):
        word = single_word(part)
        column = None if word is None else _column_of(kind, word.text)
        if word is None:
            context.malformed(line.span_of(part), "a list of kept stats", "keeps: STAT, ZONE")
        elif column is not None:
            keep(context, kind, column, line.span_of(word))
        elif context.complete(kind):
            names = [name for above in kind.lineage() for name in (*above.fields, *above.zones)]
            context.unknown(line.span_of(word), f"stat, status or zone of {a(kind.id)}", word.text, names)


def _column_of(kind: Kind, name: str) -> Field | Zone | None:
    """Return the stat, status or zone of a kind with that name."""
    for above in kind.lineage():
        field = above.fields.get(name)
        if field is not None and field.sort in {"stat", "status"}:
            return field
        if name in above.zones:
            return above.zones[name]
    return None
