"""The interface of a model: what bodies can mention, by name, and what has changed since the last check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.declarations import Action, Event, Field, Form, Name, Wording, Zone
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.units import line_text, words_in
from fcbdsl.language.model.identity_cache import Entry, Signature, entry_signature

Named = tuple[tuple[str, ...], Signature]
"""Words of an entry, one of which every body that mentions it contains; and the signature of the entry."""
Table = dict[tuple[object, ...], Named]

EVERYTHING: tuple[object, ...] = ("everything",)
"""Key of dependencies that no word shows: if it changes, everything is read again."""


@dataclass(slots=True)
class Changes:
    """The words of changed entries, in lower case; or everything has changed."""

    words: set[str] = field(default_factory=set)
    everything: bool = False

    def __bool__(self) -> bool:
        return self.everything or bool(self.words)

    def touch(self, words: frozenset[str]) -> bool:
        """Return whether the changes affect a body that contains these words."""
        return self.everything or not self.words.isdisjoint(words)


def interface_changes(before: Table, now: Table, context: Context) -> Changes:
    """Return the differences between two tables, including nouns that are defined by changed words.

    Maps do not name the entries of the common legend. So a change of one of them counts as a change of everything.
    """
    if EVERYTHING in now and EVERYTHING not in before:
        return Changes(everything=True)
    out = Changes()
    for key in {**before, **now}:
        old, new = before.get(key), now.get(key)
        if old == new:
            continue
        if key == EVERYTHING or (key[0] == "kind" and old is not None and new is not None):
            out.everything = True
        for entry in (old, new):
            out.words.update(word.lower() for word in (entry[0] if entry is not None else ()))
    nouns = {noun.lower(): words_in(line_text(line)) for noun, (line, _) in context.vocabulary.nouns.items()}
    if any(out.touch(words_in(line_text(declaration.line))) for declaration in context.index.of("legend")):
        out.everything = True
    grown = not out.everything
    while grown:
        more = {noun for noun, words in nouns.items() if not out.words.isdisjoint(words)} - out.words
        out.words |= more
        grown = bool(more)
    return out


UNNAMED = "given"
"""Pseudo-word of test lines that put a card into the first matching zone without naming the zone."""


def ground_of(context: Context) -> Table:
    """Return everything that maps can mention: all entries declared before they are read."""
    model = context.model
    out: Table = {}
    for key, entry in context.entries.items():
        out[key] = _words(entry, context), entry_signature(entry)
    for sort, declared in (("terrain", model.terrains), ("barrier", model.barriers), ("mark", model.marks)):
        for id, ground in declared.items():
            out[sort, id] = (id,), _plain(ground)
    for kind in model.kinds.values():
        for zone in kind.zones.values():
            out["zone", kind.id, zone.id] = (zone.id, UNNAMED), _zone(zone)
    for zone in model.zones.values():
        out["zone", "", zone.id] = (zone.id,), _zone(zone)
    legends = tuple(line_text(declaration.line) for declaration in context.index.of("legend"))
    components = [
        tuple(_plain(component) for component in all.values())
        for all in (model.enums, model.dice, model.ladders, model.switches)
    ]
    rules = (
        model.system,
        model.players,
        model.board,
        tuple(model.directions),
        model.loss_first,
        model.languages,
        context.known_languages,
        tuple(
            declaration.line.source.name
            for declaration in context.index.of("preferences")
            if declaration.line.source.name in model.proofs
        ),
    )
    out[EVERYTHING] = (), (*rules, *components, legends, tuple(sorted(context.broken_kinds)))
    return out


def _zone(zone: Zone) -> Signature:
    return (
        zone.holds,
        zone.secret,
        zone.allied,
        zone.team,
        zone.unseen,
        zone.limit is None,
        zone.starts and zone.starts.id,
    )


def interface_of(context: Context) -> Table:
    """Return everything that bodies can mention, except actions."""
    vocabulary, model = context.vocabulary, context.model
    out = ground_of(context)
    for noun, (line, _) in vocabulary.nouns.items():
        out["noun", noun] = (noun,), (line_text(line),)
    for track in vocabulary.tracks.values():
        out["track", track.id] = (track.id,), (track.sort,)
    for sort, names in (("area", vocabulary.areas), ("place", vocabulary.places), ("lost", vocabulary.unsound)):
        for name in names:
            out[sort, name] = (name,), ()
    for (kind, id), definition in model.definitions.items():
        if definition.board is not None:
            board = definition.board
            cells = tuple(
                (cell.id, cell.terrain, *cell.marks, *cell.tokens, *cell.places, *cell.values) for cell in board.cells
            )
            sides = (*board.sides.items(), *board.links, *board.joins, *board.routes, *board.zones, *board.regions)
            sides += tuple((*side, *values) for side, values in board.side_values.items())
            out["board", kind, id] = (id,), (board.sort, cells, sides)
    return out


def actions_of(context: Context) -> Table:
    """Return everything about actions that tests can mention."""
    return {("action", action.id): ((*action.words[:1], action.id), _action(action)) for action in
            context.model.actions.values()}  # fmt: skip


def _action(action: Action) -> Signature:
    return action.words, action.by and action.by.type, action.subject and action.subject.type


def _words(entry: Entry, context: Context) -> tuple[str, ...]:
    """Return the words by which an entry is mentioned.

    A mention of a form contains all of its words, so the longest one is enough: few other bodies contain it.
    Fields of a part can be given without their name, by position, so they include the part's name. A required field
    affects all definitions of its kind, so the ids of that kind and of the kinds below it are included.
    """
    match entry:
        case Form(words=words):
            return (max(words, key=len),)
        case Event():
            names = {param.name for param in entry.params}
            return (*entry.id.split(), *(word for word in entry.pattern if word not in names))
        case Field():
            kinds = context.model.kinds
            owner = kinds.get(entry.kind)
            part = () if owner is None or owner.part_of is None else (owner.id,)
            if not entry.required:
                return entry.id, *part
            must = [kind.id for kind in kinds.values() if entry.kind in [ancestor.id for ancestor in kind.lineage()]]
            return entry.id, *part, *must
        case _:
            return (entry.id,)


def _plain(declared: object) -> Signature:
    """Return the values of a declaration without places and titles."""
    plain: list[object] = []
    for slot in fields(declared):  # type: ignore[arg-type]
        value = getattr(declared, slot.name)
        if not isinstance(value, Span | Name):
            plain.append(_comparable(value))
    return tuple(plain)


def _comparable(value: object) -> object:
    if isinstance(value, Wording):
        return value.language, value.template
    if isinstance(value, Mapping):
        return tuple(value)
    if isinstance(value, list | tuple):
        return tuple(_comparable(item) for item in value)
    return value
