"""Lowering of declarations to rows of the program's tables: kinds, columns, zones, dice, boards."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping

from fcbdsl.language.compiler import value_codes
from fcbdsl.language.compiler.endings import MissionResult
from fcbdsl.language.compiler.lowering_context import Unit
from fcbdsl.language.compiler.numbering import Column
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, TEAM, is_undefined
from fcbdsl.language.model.checks.counts import instances
from fcbdsl.language.model.content import Board, Value
from fcbdsl.language.model.declarations import Die, Event, Form, Kind, Name
from fcbdsl.language.model.geometry import links_of, numbers_of
from fcbdsl.language.model.ir import Expr, Type
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.prose.event_text import (
    Choice,
    chosen_clauses,
    event_clause,
    grammar_of,
    quality,
    relation_clause,
)
from fcbdsl.language.prose.language import Language
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.column_types import Policy, Sort, Tag
from fcbdsl.machine.vm.layout import PLAYED
from fcbdsl.machine.vm.world import TAGS

POLICIES: dict[str, Policy] = {"player": "players", "space": "spaces", "game": "single", "record": "records"}
POLICIES |= {kind: kind for kind in PLAYED}
POLICIES |= {TEAM: "teams", "region": "regions", "side": "sides"}
"""Built-in kinds whose instances do not come from definitions alone (see `vm.program.Kind`)."""
SORTS: dict[str, Sort] = {
    "field": "const", "stat": "stat", "status": "status", "token": "token", "builtin": "builtin"
}  # fmt: skip
"""The sort in a program of each sort of column."""
MAPPED = ("space", "side")
"""Kinds whose things belong to a map, which gives the values of their columns."""
PURE = frozenset({"condition", "formula"})
FIRST_PARAM = 2
"""The register of the first parameter of a form; the actor and the subject come before it."""
ABSENT_IS_ZERO = frozenset({"number", "flag", "condition", "formula"})


def title(unit: Unit, name: Name) -> int:
    """Return the number of a declaration's title."""
    return unit.texts.number(name.title)


def grammar(unit: Unit, name: Name) -> int:
    """Return the number of the grammatical marks that texts need to agree with a declaration's title."""
    marks = {language.code: grammar_of(name, language) for language in _log_languages(unit)}
    return unit.texts.number({code: marks for code, marks in marks.items() if marks})


def _log_languages(unit: Unit) -> list[Language]:
    """Return the languages of the log: those of the project, and the fallback."""
    return _with_fallback(tuple(unit.model.languages))


@functools.cache
def _with_fallback(own: tuple[str, ...]) -> list[Language]:
    codes = dict.fromkeys([*own, REFERENCE])
    return [LANGUAGES[code] for code in codes if code in LANGUAGES]


def _qualities(name: Name) -> dict[str, str]:
    """Return the titles of a stat, in the form of `prose.event_text.quality`."""
    return {code: quality(title, LANGUAGES[code]) if code in LANGUAGES else title for code, title in name.title.items()}


def stages(unit: Unit) -> Iterable[vm.Stage]:
    """Yield the verbs with titles, which appear as stages in the log, and the keywords."""
    for form in unit.model.forms:
        code = unit.coded(form)
        if form.sort in ("verb", "keyword") and form.name.title and code is not None:
            params = enumerate(form.params, FIRST_PARAM)
            bearers = tuple(at for at, param in params if param.type.base == "thing" and not param.type.many)
            yield vm.Stage(code, title(unit, form.name), bearers, form.sort == "keyword")


def event(unit: Unit, source: Event) -> vm.Event:
    """Return the row of an event, with its log text in each language."""
    slots = {param.name: f"{{{number}}}" for number, param in enumerate(source.params)}
    enums = tuple(enum_number(unit, param.type) for param in source.params)
    clauses = {language.code: event_clause(source, language) for language in _log_languages(unit)}
    return vm.Event(
        name=source.id,
        lists=tuple(param.type.many for param in source.params),
        tags=tuple(tag_name(unit, param.type) for param in source.params),
        words=tuple(slots.get(word, word) for word in source.pattern),
        enums=enums if any(number >= 0 for number in enums) else (),
        told=unit.texts.number({code: text for code, text in clauses.items() if text}),
        choices=tuple(_text_choices(unit, source)),
        has_line=source.is_told,
    )


def _text_choices(unit: Unit, source: Event) -> Iterator[vm.TextChoice]:
    """Yield the log texts of an event for certain values of its parameters."""
    texts: dict[Choice, dict[str, str]] = {}
    for language in _log_languages(unit):
        for choice, text in chosen_clauses(source, language).items():
            texts.setdefault(choice, {})[language.code] = text
    for (parameter, comparison, value), translated in texts.items():
        yield vm.TextChoice(parameter, comparison, value, unit.texts.number(translated))


def told_relations(unit: Unit) -> tuple[vm.Relation, ...]:
    """Return the relations whose results the log shows. Rows of others, which come before one, are empty."""
    shown = [number for number, form in enumerate(unit.worded) if unit.is_told(form)]
    forms = unit.worded[: shown[-1] + 1] if shown else []
    return tuple([_relation(unit, form) if unit.is_told(form) else vm.Relation() for form in forms])


def _relation(unit: Unit, form: Form) -> vm.Relation:
    enums = tuple(enum_number(unit, param.type) for param in form.params)
    affirmed, denied = [
        {language.code: relation_clause(form, language, denied=no) for language in _log_languages(unit)}
        for no in (False, True)
    ]
    return vm.Relation(
        lists=tuple(param.type.many for param in form.params),
        tags=tuple(tag_name(unit, param.type) for param in form.params),
        enums=enums if any(number >= 0 for number in enums) else (),
        told=unit.texts.number({code: text for code, text in affirmed.items() if text}),
        denied=unit.texts.number({code: text for code, text in denied.items() if text}),
    )


def enums(unit: Unit) -> Iterable[vm.Enum]:
    """Return the enums with the titles of their values."""
    for enum in unit.model.enums.values():
        yield vm.Enum(enum.id, tuple(enum.values), tuple(title(unit, name) for name in enum.values.values()))


def ending(unit: Unit, result: MissionResult) -> vm.Ending:
    """Return the row of a result of missions."""
    named = {TEAM: result.team, ENDING: result.ending, "mission": result.mission}
    team, ending, mission = [unit.entry(kind, id) if id else -1 for kind, id in named.items()]
    return vm.Ending(result.end, team, ending, mission)


def kinds(unit: Unit) -> Iterable[vm.Kind]:
    """Return the kinds, each followed by its descendants."""
    for kind_id in unit.kinds.values():
        kind = unit.model.kinds[kind_id]
        where = policy(kind)
        yield vm.Kind(
            name=kind.id,
            parent=unit.kind(kind.parent.id) if kind.parent else -1,
            policy=where,
            pool=instances(kind) if where == "records" and kind.id != "record" else 0,
            held=any(above.held for above in kind.lineage()),
            title=title(unit, kind.name),
            supposes=unit.suppositions.get(kind.id, -1),
            blocks_movement=kind.stops("movement"),
            blocks_sight=kind.stops("sight"),
            grammar=grammar(unit, kind.name) if kind.name.title else -1,
        )


def policy(kind: Kind) -> Policy:
    """Return the origin of the things of a kind."""
    if kind.part_of is not None:
        return "parts"
    return next((POLICIES[above.id] for above in kind.lineage() if above.id in POLICIES), "definitions")


def column_rows(unit: Unit) -> list[vm.Field]:
    """Return the columns that were declared."""
    return [_field(unit, column) for column in unit.columns]


def guard_columns(unit: Unit, declared: list[vm.Field]) -> list[vm.Field]:
    """Return the hidden columns that hold the guards of effect fields: may the effect begin?"""
    of = [declared[effect] for effect, _ in unit.guard_fields()]
    return [vm.Field(f"{field.name}?", field.kind, "const", "effect", codes="pure", empty=1) for field in of]


def _field(unit: Unit, column: Column) -> vm.Field:
    field = column.field
    base = field.type.base
    starts: tuple[tuple[int, int], ...] = ()
    placed = field.sort == "field" and (field.kind in MAPPED or is_undefined(unit.model.kinds[field.kind]))
    if field.sort == "stat" or placed:
        starts = tuple(
            (unit.kind(other.kind), value_codes.value_code(unit, f"{other.kind}'s {other.id}, start", other.default))
            for other in column.declared
            if other.default is not None
        )
        if field.kind == "player" and field.id == TEAM and field.type == Type("thing", TEAM):
            starts = ((unit.kind("player"), value_codes.team_of(unit, "player's team, start", _teams(unit))),)
    return vm.Field(
        name=field.id,
        kind=unit.kind(field.kind),
        sort="stat" if placed else SORTS[field.sort],
        tag=tag_name(unit, field.type),
        many=field.type.many,
        codes="pure" if base in PURE else "effect" if base == "effect" else "",
        empty=0 if base in ABSENT_IS_ZERO or field.sort in {"status", "token"} else -1,
        low=field.low,
        high=field.high,
        limit=field.limit,
        owned=unit.kind(field.owned_by) if field.owned_by else -1,
        starts=starts,
        title=unit.texts.number(_qualities(field.name)),
        enum=enum_number(unit, field.type),
        secret=field.secret,
        kept=tuple(unit.kind(kind) for kind in field.kept),
        allied=field.allied,
        team=unit.entry(TEAM, field.team) if field.team else -1,
        unseen=field.unseen,
        heads=field.heads,
    )


def _teams(unit: Unit) -> list[tuple[int, Expr | None]]:
    """Return the teams that have players from the beginning, in the form of `value_codes.team_of`."""
    declared = [definition for definition in unit.model.definitions.values() if definition.kind.id == TEAM]
    peopled = [team for team in declared if team.others or team.members is not None]
    rows = [(unit.entry(TEAM, team.id), team.members) for team in peopled]
    return sorted(rows, key=lambda row: row[1] is None)


def tag_name(unit: Unit, type_: Type) -> Tag:
    """Return the tag of a type's values."""
    return TAGS[unit.tag(type_)]


def enum_number(unit: Unit, type_: Type) -> int:
    """Return the number of the enum of a type; -1: the type is not an enum."""
    return list(unit.model.enums).index(type_.name) if type_.base == "enum" else -1


def zones(unit: Unit) -> Iterable[vm.Zone]:
    """Return the zones of the game, then those of kinds."""
    for kind_id, name in unit.zones.values():
        zone = unit.model.kinds[kind_id].zones[name] if kind_id else unit.model.zones[name]
        limit = value_codes.NONE
        if zone.limit is not None:
            limit = value_codes.value_code(unit, f"zone {name}, limit", zone.limit)
        kinds_kept = tuple(unit.kind(kind) if kind else -1 for kind in zone.kept)
        team = unit.entry(TEAM, zone.team) if zone.team else -1
        of = unit.kind(kind_id) if kind_id else -1
        starts = unit.field(zone.starts) if zone.starts is not None else -1
        holds = unit.kind(zone.holds) if zone.holds != "thing" else -1
        named = title(unit, zone.name)
        yield vm.Zone(name, of, limit, zone.secret, named, kinds_kept, zone.allied, team, zone.unseen, starts, holds)


def _die(unit: Unit, die: Die) -> vm.Die:
    """Return the row of a die; a face with no symbol, or several, gets a separate number among the symbols."""
    if die.numbered:
        return vm.Die(die.id, tuple(face[0] for face in die.faces), True, title(unit, die.name))
    faces = [[die.symbols[at] for at in face] for face in die.faces]
    values = tuple(unit.symbols.number(unit.model.shown(face)) for face in faces)
    shows: tuple[tuple[int, ...], ...] = ()
    if any(len(face) != 1 for face in faces):
        shows = tuple(tuple(unit.symbols.number(symbol) for symbol in face) for face in faces)
    return vm.Die(die.id, values, False, title(unit, die.name), shows)


def dice_and_ladders(unit: Unit) -> tuple[list[vm.Die], list[vm.Ladder]]:
    """Return the dice (those of the game, then the sure dice beyond the ends of ladders), and the ladders."""
    dice = []
    for die in unit.model.dice.values():
        dice.append(_die(unit, die))
    ladders = []
    for ladder in unit.model.ladders.values():
        ends = []
        for where, symbol in (("above", ladder.above), ("below", ladder.below)):
            ends.append(len(dice))
            dice.append(vm.Die(f"{where} {ladder.id}", (unit.symbols.number(symbol),)))
        ladders.append(vm.Ladder(tuple(unit.dice.number(die) for die in ladder.dice), ends[0], ends[1]))
    return dice, ladders


def terrains(unit: Unit) -> Iterable[vm.Terrain]:
    """Yield the rows of terrains."""
    for name in unit.terrains.values():
        of = unit.model.terrains[name]
        flags = (of.blocks_movement, of.blocks_sight, of.gives_cover, of.on_board, of.footing)
        switch = unit.variant(of.switch) if of.switch else -1
        yield vm.Terrain(name, of.cost, *flags, title(unit, of.name), of.shuts_corners, switch, of.setting)


def barriers(unit: Unit) -> Iterable[vm.Barrier]:
    """Yield the rows of barriers."""
    for name in unit.barriers.values():
        of = unit.model.barriers[name]
        hinge = unit.field(unit.model.kinds["side"].fields[of.hinge]) if of.hinge else -1
        values = tuple((unit.field(field), _fixed(unit, expr)) for field, expr in of.values)
        named, marks = title(unit, of.name), grammar(unit, of.name)
        blocks = (of.blocks_movement, of.blocks_sight)
        yield vm.Barrier(name, *blocks, named, hinge, of.ajar, values, marks)


def mark_titles(unit: Unit) -> tuple[int, ...]:
    """Return the titles of marks on maps."""
    model = unit.model
    named = [model.marks[mark].name.title | model.titles_on_maps(mark) for mark in unit.marks.values()]
    return tuple(unit.texts.number(title) for title in named)


def symbol_titles(unit: Unit) -> tuple[int, ...]:
    """Return the title of each symbol: as the first die that bears it names it."""
    out = []
    for shown in unit.symbols.values():
        parts = [_symbol_title(unit, symbol) for symbol in shown.split()]
        languages = dict.fromkeys(language for part in parts for language in part)
        texts = {language: ", ".join(part.get(language, part["en"]) for part in parts) for language in languages}
        out.append(unit.texts.number(texts))
    return tuple(out)


def _symbol_title(unit: Unit, symbol: str) -> dict[str, str]:
    named = [die.names[symbol].title for die in unit.model.dice.values() if symbol in die.names]
    return {"en": symbol} | (named[0] if named else {})


def board(unit: Unit, drawn: Board) -> vm.Board:
    """Return a map; spaces are numbered in the order they were read."""
    numbers = numbers_of(drawn)
    cells = tuple(
        vm.Cell(
            name=cell.id,
            x=cell.x,
            y=cell.y,
            terrain=unit.terrains.find(cell.terrain),
            marks=tuple(unit.marks.number(mark) for mark in cell.marks),
            tokens=tuple((unit.counter(token), count) for token, count in cell.tokens.items()),
            places=tuple(unit.entry("piece", place) for place in cell.places),
            values=_given(unit, cell.values),
            covers=cell.covers if drawn.sort == "areas" else (),
            title=title(unit, cell.name),
        )
        for cell in drawn.cells
    )
    return vm.Board(
        sort=drawn.sort,
        cells=cells,
        sides=tuple((numbers[a], numbers[b], unit.barriers.number(barrier)) for (a, b), barrier in drawn.sides.items()),
        links=tuple(links_of(drawn)),
        areas=tuple(
            (unit.areas.number(area), tuple(numbers[cell] for cell in cells)) for area, cells in drawn.zones.items()
        ),
        joins=tuple((numbers[a], numbers[b], unit.marks.number(mark)) for a, b, mark in drawn.joins),
        regions=tuple(
            (unit.entry("region", region), tuple(numbers[cell] for cell in cells))
            for region, cells in drawn.regions.items()
        ),
        corners=tuple((numbers[a], numbers[b], numbers.get(c, -1), numbers.get(d, -1)) for a, b, c, d in drawn.corners),
        side_values=tuple(
            (numbers[a], numbers[b], *row)
            for (a, b), values in drawn.side_values.items()
            for row in _given(unit, values)
        ),
    )


def _given(unit: Unit, values: Mapping[str, Value]) -> tuple[tuple[int, int], ...]:
    """Return (field number, value) pairs of values that a map gives."""
    return tuple((unit.field(value.field), _fixed(unit, value.expr)) for value in values.values())


def _fixed(unit: Unit, expr: Expr | None) -> int:
    """Return the number of a value that is a single name or number."""
    assert isinstance(expr, ir.Const | ir.Def)
    return unit.constant(expr) if isinstance(expr, ir.Const) else unit.definition_number(expr)
