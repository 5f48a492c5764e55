"""Definitions: cards, figures, missions and their parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import (
    DuplicateDeclaration,
    MissingField,
    RepeatedLine,
    UndefinedThings,
    UnknownDeclaration,
    UnknownField,
    UnknownFlag,
    WrongPlace,
)
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.diagnostics.values import WrongPartLine, WrongValue
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.builtins import ENDING, TEAM
from fcbdsl.language.model.content import Art, Board, Definition, Track, Value
from fcbdsl.language.model.declarations import Field, Kind
from fcbdsl.language.model.declaring.behaviour import MODIFYING, WAITING, read_listener, read_modifiers
from fcbdsl.language.model.declaring.blocks import read_text
from fcbdsl.language.model.declaring.boards import MAP_LINES, read_board
from fcbdsl.language.model.declaring.collect import META, Declaration
from fcbdsl.language.model.declaring.components import read_players
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.setting import names_of_values, proposal, read_constant, set_field, type_name
from fcbdsl.language.model.declaring.track_declarations import (
    TRACKS,
    declare_track,
    read_track,
    unexpected_ending,
    unexpected_track,
)
from fcbdsl.language.model.declaring.variants import override
from fcbdsl.language.model.identity_cache import become
from fcbdsl.language.model.ir import FLAG, Const, Type
from fcbdsl.language.model.lines import atoms, clause_words, head_atoms, keyword_of, tail_parts, without_first_word
from fcbdsl.language.model.resolve import statements
from fcbdsl.language.model.resolve.scope import Scope, scope_of
from fcbdsl.language.syntax.tree import Line, Number, Part, String, Word


@dataclass(slots=True)
class Draft:
    """A definition that is declared, but whose block is not read yet."""

    definition: Definition
    declaration: Declaration
    tracks: list[tuple[Track, Line]] = field(default_factory=list)
    misspelt: set[str] = field(default_factory=set)  # fields that unknown ones were probably typed for


TEAM_FORM = "team NAME: player 1, or other players"
"""Usage of the line that assigns players to a team."""

NOT_DEFINED = {
    "space": "spaces come with the map",
    "side": "sides come with the map",
    "player": "each person at the table is one",
    "game": "there is one game",
    "record": "the game makes records in play",
}
"""Built-in kinds without definitions, and the origin of their things."""


def declare_definitions(context: Context) -> list[Draft]:
    """Declare all definitions and the tracks of missions by name."""
    drafts: list[Draft] = []
    model = context.model
    reported: set[str] = set()
    for declaration in context.index.all:
        sort = declaration.sort
        if sort in META:
            continue
        kind = model.kinds.get(sort)
        if kind is None or kind.part_of is not None:
            suggestion = suggest(sort, [*META, *model.kinds])
            if sort not in reported and (suggestion is not None or not declaration.broken):
                reported.add(sort)
                context.report(UnknownDeclaration(_first_word(declaration), word=sort, suggestion=suggestion))
            kind = model.kinds.get(suggestion or "")
        if kind is None or kind.part_of is not None:
            continue
        above = next((ancestor.id for ancestor in kind.lineage() if ancestor.id in NOT_DEFINED), "")
        if above and sort not in reported:
            reported.add(sort)
            why = NOT_DEFINED[above]
            context.report(UndefinedThings(_first_word(declaration), kind=kind.id, above=above, why=why))
        definition = context.entries.current(_declared(declaration, kind))
        model.definitions[kind.id, definition.id] = definition
        draft = Draft(definition, declaration)
        drafts.append(draft)
        if _is_mission(kind):
            _declare_tracks(context, draft)
        context.vocabulary.add(definition)
    return drafts


def _declared(declaration: Declaration, kind: Kind) -> Definition:
    """Return a definition with nothing but its head."""
    return Definition(
        declaration.id, kind, declaration.span, declaration.named(), covers=list(declaration.covers),
        system=declaration.system,
    )  # fmt: skip


def redeclare_definition(context: Context, draft: Draft, declaration: Declaration) -> Draft:
    """Declare a definition again whose map, and the heads of whose tracks, are unchanged."""
    definition = draft.definition
    fresh = _declared(declaration, definition.kind)
    fresh.board = definition.board
    _read_player_range(context, fresh, declaration)
    own = [track.id for track in definition.tracks]
    become(definition, fresh)
    again = Draft(definition, declaration)
    for line in declaration.line.block:
        track = None if line.broken or keyword_of(line) not in TRACKS else declare_track(context, line)
        if track is not None and track.id in own:
            own.remove(track.id)
            definition.tracks.append(track)
            again.tracks.append((track, line))
            context.vocabulary.tracks[track.id] = track
    return again


def _first_word(declaration: Declaration) -> Span:
    line = declaration.line
    if declaration.broken:
        return Span(line.source, line.offset, line.offset + len(declaration.sort))
    head = head_atoms(line)
    return line.span_of(head[0]) if head else line.span


def _is_mission(kind: Kind) -> bool:
    return any(above.id == "mission" for above in kind.lineage())


def is_played(kind: Kind) -> bool:
    """Return whether a kind is a kind of missions or campaigns."""
    return any(above.id in {"mission", "campaign"} for above in kind.lineage())


def _declare_tracks(context: Context, draft: Draft) -> None:
    for line in draft.declaration.line.block:
        if line.broken or keyword_of(line) not in TRACKS:
            continue
        track = declare_track(context, line)
        if track is None:
            continue
        other = context.vocabulary.tracks.get(track.id)
        if other is not None:
            related = [Related(other.span, "it is declared here first")]
            context.report(DuplicateDeclaration(track.span, sort="track", name=track.id, related=related))
            continue
        draft.definition.tracks.append(track)
        draft.tracks.append((track, line))
        context.vocabulary.add(track)


def read_boards(context: Context, drafts: Sequence[Draft]) -> list[Board]:
    """Read the maps of missions; their named groups of spaces become words."""
    boards: list[Board] = []
    for draft in drafts:
        if not _is_mission(draft.definition.kind):
            continue
        for line in draft.declaration.line.block:
            if line.broken or keyword_of(line) != "map":
                continue
            if draft.definition.board is not None:
                context.report(RepeatedLine(line.span, name="map"))
                continue
            board = read_board(context, line)
            if board is not None:
                draft.definition.board = board
                context.vocabulary.add_board(board)
                boards.append(board)
    return boards


def read_player_ranges(context: Context, drafts: Sequence[Draft]) -> None:
    """Read the numbers of players of missions and campaigns."""
    for draft in drafts:
        _read_player_range(context, draft.definition, draft.declaration)


def _read_player_range(context: Context, definition: Definition, declaration: Declaration) -> None:
    """Read ``players: 2..4`` of a mission or campaign."""
    if not is_played(definition.kind) or definition.kind.find("players") is not None:
        return
    for line in declaration.line.block:
        if line.broken or keyword_of(line) != "players":
            continue
        if definition.players_span is not None:
            context.report(RepeatedLine(line.span, name="players"))
            continue
        definition.players, definition.players_span = read_players(context, line), line.span


# ── blocks ─────────────────────────────────────────────────────────────────────────────────────


def read_definition(context: Context, draft: Draft) -> None:
    """Read a definition's head and block."""
    definition, declaration = draft.definition, draft.declaration
    _head(context, definition, declaration)
    if definition.kind.id == TEAM and not declaration.broken:
        _members(context, definition, declaration.line)
    seen: dict[str, Line] = {}
    broken = False
    for line in declaration.line.block:
        if line.broken:
            broken = True
        else:
            _line(context, draft, line, seen)
    for track, line in draft.tracks:
        read_track(context, track, line, definition.kind)
    if broken or declaration.broken:
        definition.name.broken = True
    else:
        _check_missing(context, definition, definition.kind.id, draft.misspelt)


def _head(context: Context, definition: Definition, declaration: Declaration) -> None:
    """Read the flags after the title, and ``for OTHER``."""
    for word in declaration.flags:
        column = definition.kind.find(word.text)
        if column is None and not context.complete(definition.kind):
            continue
        if column is None or column.type != FLAG or column.sort != "field":
            flags = [f.id for kind in definition.kind.lineage() for f in kind.fields.values() if f.type == FLAG]
            span = declaration.line.span_of(word)
            suggestion = suggest(word.text, flags)
            context.report(UnknownFlag(span, kind=definition.kind.id, name=word.text, suggestion=suggestion))
            continue
        span = declaration.line.span_of(word)
        definition.flags.append(word.text)
        definition.values[column.id] = Value(column, Const(1, FLAG, span, "yes"), span=span)
    target = declaration.target
    if target is not None:
        definitions = context.vocabulary.called(target.text, declaration.line.source.name)
        if definitions:
            definition.target = definitions[0]
        else:
            context.unknown(declaration.line.span_of(target), "definition", target.text, context.vocabulary.by_id)
    if declaration.parent is not None:
        context.malformed(declaration.line.span, a(declaration.sort), f'{declaration.sort} NAME "Title":')


_PLAYERS = Type("thing", "player", True)


def _members(context: Context, definition: Definition, line: Line) -> None:
    """Read the players of a team after its colon, or ``other players``; empty: none yet."""
    if line.head is None or not line.tail:
        return
    clause = line.tail[0]
    if len(line.tail) > 1 or clause.lead is not None:
        context.malformed(line.span_of(clause), "the players of a team", TEAM_FORM)
    elif clause_words(clause) == ("other", "players") and len(clause.parts) == 1:
        definition.others = True
    else:
        definition.members = context.reader.expression(line, clause.parts, Scope(mode="pure"), _PLAYERS)


def _line(context: Context, draft: Draft, line: Line, seen: dict[str, Line]) -> None:
    """Read one line of a definition's block."""
    definition = draft.definition
    kind = definition.kind
    key = keyword_of(line)
    column = kind.find(key) if line.head is not None else None
    if column is not None and column.sort in {"field", "part"}:
        if column.sort == "part":
            _part(context, definition, column, line)
        elif _first_time(context, column, line, seen):
            set_field(context, definition, column, line)
    elif context.title_line(line, definition.name, key):
        return
    elif key == "flavour":
        read_text(context, line, definition.flavour)
    elif key == "art":
        _art(context, definition, line)
    elif key == "text":
        read_text(context, line, definition.text)
    elif key == "untold":
        _untold(context, definition, line)
    elif key in WAITING:
        offered = any(above.offered for above in kind.lineage())
        read_listener(context, line, scope_of(kind, context.model, offered=offered), definition.listeners)
    elif key in MODIFYING:
        read_modifiers(context, line, scope_of(kind, context.model), definition.modifiers)
    elif not _mission_line(context, draft, line, key):
        _unknown(context, kind, line, key, draft.misspelt)


def _art(context: Context, definition: Definition, line: Line) -> None:
    """Read ``art: "fox.svg", "A fox", fr "Un renard", credit "A. Maker, CC BY 4.0"``: a picture and its words.

    ``crop "10 0 80 60"`` and ``focus "50 30"`` may follow, in percent.
    """
    parts = [atoms(part) for part in tail_parts(line)]
    labelled = [
        (part[0].text if len(part) == 2 and isinstance(part[0], Word) else "", part[-1]) for part in parts if part
    ]
    strings = [(word, string.value) for word, string in labelled if isinstance(string, String)]
    words = [word or "en" for word, _ in strings[1:]]
    languages = [word for word in words if word != "credit" and word not in IN_PERCENT]
    sound = (
        len(dict.fromkeys(words)) == len(words)
        and len(strings) == len(parts)
        and bool(strings)
        and not strings[0][0]
        and not line.block
    )
    if not sound or len(line.tail) != 1 or any(word not in context.known_languages for word in languages):
        context.malformed(line.span, "a picture", 'art: "FILE", "what it shows", fr "…", credit "A. Maker, CC BY 4.0"')
    elif definition.art is not None:
        context.report(RepeatedLine(line.span, name="art"))
    else:
        texts = dict(zip(words, (text for _, text in strings[1:]), strict=True))
        shown: dict[str, tuple[int, ...]] = {}
        for word, form in IN_PERCENT.items():
            if word in texts:
                shown[word] = _percents(texts[word], len(form.split()))
                if not shown[word]:
                    context.malformed(line.span, f"a {word}", f'{word} "{form}", in percent of the picture')
                    return
        alt = {language: texts[language] for language in languages}
        definition.art = Art(strings[0][1], line.span_of(tail_parts(line)[0]), alt, texts.get("credit", ""), **shown)


IN_PERCENT = {"crop": "LEFT TOP WIDTH HEIGHT", "focus": "ACROSS DOWN"}
"""The parts of `art:` that are numbers in percent."""


def _percents(text: str, count: int) -> tuple[int, ...]:
    """Return `count` numbers from 0 to 100, or none if the text is anything else or goes beyond the picture."""
    numbers = tuple(int(number) for number in text.split() if re.fullmatch("[0-9]{1,3}", number))
    if len(numbers) != count or len(text.split()) != count or max(numbers) > 100:
        return ()
    if count == len(IN_PERCENT["crop"].split()):
        left, top, width, height = numbers
        if not width or not height or left + width > 100 or top + height > 100:
            return ()
    return numbers


def _untold(context: Context, definition: Definition, line: Line) -> None:
    """Read ``untold: spawn, wolf, 3``: parts of the effect that the definition's text omits on purpose."""
    for part in tail_parts(line):
        words = [str(atom.value) if isinstance(atom, Number) else getattr(atom, "text", "") for atom in atoms(part)]
        if not all(words) or line.block or len(line.tail) != 1:
            context.malformed(line.span, "a list of things that a text leaves out", "untold: NAME, NAME")
            return
        name = " ".join(words)
        if name in definition.untold:
            context.report(RepeatedLine(line.span_of(part), name=name))
        definition.untold.setdefault(name, line.span_of(part))


def _first_time(context: Context, column: Field, line: Line, seen: dict[str, Line]) -> bool:
    """Return whether a field is given for the first time; texts can be given once in each language."""
    if column.type.base == "text":
        return True
    if column.id in seen:
        related = [Related(seen[column.id].span, "it is given here first")]
        context.report(RepeatedLine(line.span, name=column.id, related=related))
        return False
    seen[column.id] = line
    return True


def _mission_line(context: Context, draft: Draft, line: Line, key: str) -> bool:
    """Read a line that only missions or campaigns have; return False for other lines."""
    definition = draft.definition
    if key in TRACKS or key == "map":
        if not _is_mission(definition.kind):
            unexpected_track(context, line, definition.kind)
        return True
    if key == ENDING and _is_mission(definition.kind) and definition.kind.find(ENDING) is None:
        unexpected_ending(context, line, definition.kind)
        return True
    if not is_played(definition.kind) or key not in {"players", "variant"}:
        return False
    if key == "variant":
        override(context, line, definition.overrides)
    return True


def _unknown(context: Context, kind: Kind, line: Line, key: str, misspelt: set[str]) -> None:
    """Report a line that a definition can't have; `misspelt` collects the names of the probably intended fields."""
    if not context.complete(kind):
        return
    names = [f.id for above in kind.lineage() for f in above.fields.values() if f.sort in {"field", "part"}]
    if key and line.head is not None:
        head = head_atoms(line)
        span = line.span_of(head[0]) if head else line.span
        model = context.model
        if _is_mission(kind) and (key in MAP_LINES or key in model.barriers or key in model.marks):
            what = f"`{key}` is a line of a mission's `map`."
            context.report(WrongPlace(span, what=what, cure="Indent it below the line `map …:`."))
            return
        others = [*context.known_languages, *_OTHER_LINES, *(_MISSION_LINES if _is_mission(kind) else ())]
        suggestion = suggest(key, names) or suggest(key, others)
        misspelt.add(suggestion or "")
        context.report(UnknownField(span, kind=kind.id, name=key, suggestion=suggestion))
    else:
        context.unexpected(line, a(kind.id), [*names, "flavour", "art", "text", "untold", *WAITING, *MODIFYING])


_OTHER_LINES = ("name", "flavour", "art", "text", *WAITING, *MODIFYING)
_MISSION_LINES = ("map", "players", "variant", *TRACKS)
"""First words of lines that are no fields: of all definitions, and of missions."""


def _check_missing(context: Context, definition: Definition, called: str, misspelt: set[str]) -> None:
    """Report required fields that are not given."""
    missing = _required(context, definition.kind)
    absent = [column for column in missing if column.id not in definition.values and column.id not in misspelt]
    if absent:
        fields = ", ".join(f"`{column.id}`" for column in absent)
        lines = _join([proposal(context, column) for column in absent])
        context.report(MissingField(definition.span, kind=called, id=definition.id, fields=fields, lines=lines))


def _join(lines: Sequence[str]) -> str:
    return lines[0] if len(lines) == 1 else f"{', '.join(lines[:-1])} and {lines[-1]}"


def _required(context: Context, kind: Kind) -> tuple[Field, ...]:
    """Fields of a kind that every definition must give."""
    required = context.required.get(kind.id)
    if required is None:
        names = {column.id: column for above in reversed(kind.lineage()) for column in above.fields.values()}
        required = tuple(column for column in names.values() if column.required)
        context.required[kind.id] = required
    return required


# ── parts ──────────────────────────────────────────────────────────────────────────────────────


def _part(context: Context, owner: Definition, column: Field, line: Line) -> None:
    """Read ``attack: ranged, yellow, 1, reach 3`` and the block below it."""
    kind = context.model.kinds[column.type.name]
    earlier = sum(part.kind is kind for part in owner.parts)
    if earlier and not kind.part_many:
        context.report(RepeatedLine(line.span, name=kind.id))
        return
    id = f"{owner.id}.{kind.id}-{earlier + 1}"
    part = Definition(id, kind, line.span, covers=[], system=owner.system)
    owner.parts.append(part)
    parts = tail_parts(line)
    wanted = kind.part_line
    if len(line.tail) > 1 or len(parts) < len(wanted):
        names = ", ".join(wanted)
        context.report(WrongPartLine(line.span, part=kind.id, wanted=len(wanted), names=names, found=len(parts)))
        return
    columns = [(name, kind.find(name)) for name in wanted]
    form = f"{kind.id}: {', '.join(name.upper() for name in wanted)}"
    declared = [column for _, column in columns if column is not None]
    swapped = _swapped(context, line, kind, declared, form)
    for (name, typed), value in zip(columns, parts, strict=False):
        if typed is not None:
            expr = None if swapped else read_constant(context, typed, line, (value,), None, kind, form)
            part.values[name] = Value(typed, expr, span=line.span_of(value))
    for value in parts[len(wanted) :]:
        _named_value(context, part, line, value)
    broken = _part_block(context, part, line)
    if not broken:
        _check_missing(context, part, f"The {kind.id} of", set())


def _swapped(context: Context, line: Line, kind: Kind, columns: Sequence[Field], form: str) -> bool:
    """Report the first value of a part's line that fits another position; return whether there is one."""
    names = {column.id: names_of_values(context, column.type) for column in columns}
    for column, value in zip(columns, tail_parts(line), strict=False):
        value_atoms = atoms(value)
        word = value_atoms[0] if len(value_atoms) == 1 and isinstance(value_atoms[0], Word) else None
        if word is None or not names[column.id] or word.text in names[column.id]:
            continue
        other = next((field for field in columns if word.text in names[field.id]), None)
        if other is not None:
            wanted, cure = type_name(context, column.type), f"Write the values in the order `{form}`."
            what = f"`{word.text}`, which is {type_name(context, other.type)}"
            span = line.span_of(value)
            context.report(WrongValue(span, field=column.id, wanted=wanted, found=what, cure=cure))
            return True
    return False


def _named_value(context: Context, part: Definition, line: Line, value: Part) -> None:
    """Read ``reach 3`` after the values of a part's line, or the bare name of a flag."""
    value_atoms = atoms(value)
    word = value_atoms[0] if value_atoms and isinstance(value_atoms[0], Word) else None
    column = part.kind.find(word.text) if word is not None else None
    if column is None or column.sort != "field" or word is None:
        name = word.text if word is not None else "this"
        suggestion = suggest(name, part.kind.fields)
        if not context.complete(part.kind):
            return
        context.report(UnknownField(line.span_of(value), kind=part.kind.id, name=name, suggestion=suggestion))
        return
    if column.id in part.values:
        context.report(RepeatedLine(line.span_of(value), name=column.id))
        return
    rest = without_first_word(value)
    if rest is None:
        if column.type != FLAG:
            context.malformed(line.span_of(value), f"a value of {column.id}", f"{column.id} VALUE")
            return
        part.values[column.id] = Value(column, Const(1, FLAG, line.span_of(value), "yes"), span=line.span_of(value))
        return
    expr = read_constant(context, column, line, (rest,), None, part.kind)
    part.values[column.id] = Value(column, expr, span=line.span_of(value))


def _part_block(context: Context, part: Definition, line: Line) -> bool:
    """Read fields of a part, or statements that are its `effect`; return True if a line is broken."""
    broken = False
    statements: list[Line] = []
    seen: dict[str, Line] = {}
    for inner in line.block:
        if inner.broken:
            broken = True
            continue
        single = inner.head is not None and len(clause_words(inner.head)) == 1
        column = part.kind.find(keyword_of(inner)) if single else None
        if column is not None and column.sort == "field":
            if column.id in part.values and column.id not in seen:
                context.report(RepeatedLine(inner.span, name=column.id))
            elif _first_time(context, column, inner, seen):
                set_field(context, part, column, inner)
        else:
            statements.append(inner)
    if statements:
        _effect(context, part, statements)
    return broken


def _effect(context: Context, part: Definition, lines: list[Line]) -> None:
    column = part.kind.find("effect")
    if column is None or column.type.base != "effect":
        for line in lines:
            _unknown(context, part.kind, line, keyword_of(line), set())
    elif "effect" in part.values:
        context.report(RepeatedLine(lines[0].span, name="effect"))
    else:
        scope = scope_of(part.kind, context.model, field=column)
        body = statements.lines_body(context.reader, lines, scope)
        part.values["effect"] = Value(column, body=body, span=lines[0].span)
