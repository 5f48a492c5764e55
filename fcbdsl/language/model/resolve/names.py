"""Names of declared things: definitions, values of enums, dice, zones, tracks, spaces …"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl.base.diagnostics import Fix, suggest
from fcbdsl.base.diagnostics.phrases import UnknownId, UnknownSpace, UnknownWord
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, has_endings
from fcbdsl.language.model.ir import SPACE, Expr, Type
from fcbdsl.language.model.resolve.parse_state import ParseState
from fcbdsl.language.model.resolve.vocabulary import COORDINATE, SINGLETONS, Vocabulary
from fcbdsl.language.syntax.tree import Copy

_INDEXED = ("mark", "terrain", "barrier", "area", "kind", "counter", "direction")


NAMED = {"definition", "die", "zone", "mark", "terrain", "barrier", "area", "direction"}
"""Types whose values are all declared by name, so that an unknown word is an undeclared name."""


def values(words: Vocabulary, want: Type) -> list[str]:
    """Return the names of the values of a type; empty if they have no names."""
    if want not in words.named:
        words.named[want] = _values(words, want)
    return words.named[want]


def _values(words: Vocabulary, want: Type) -> list[str]:
    model = words.model
    match want.base:
        case "enum":
            return words.enum_values(want.name)
        case "definition":
            related = (
                definition
                for definition in model.definitions.values()
                if words.related(definition.kind.id, want.name or "thing")
            )
            return list(dict.fromkeys(definition.id for definition in related))
        case "die":
            return list(model.dice)
        case "face":
            return words.symbols()
        case "zone":
            return list(model.zones)
        case "mark":
            return list(model.marks)
        case "terrain":
            return list(model.terrains)
        case "barrier":
            return list(model.barriers)
        case "area":
            return list(words.areas)
        case "direction":
            return list(model.directions)
    return []


def list_names(names: Sequence[str], most: int = 8) -> str:
    """Return names for a message, at most `most` of them."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def unknown_name(words: Vocabulary, name: str, want: Type, span: Span) -> UnknownId:
    """Return the problem of a word that is not a value of a type with named values."""
    names = values(words, want)
    sort = {"definition": want.name or "definition", "enum": f"value of {want.name}", "area": "group of spaces"}
    nearest = suggest(name, names)
    return UnknownId(
        span,
        sort=sort.get(want.base, want.base),
        name=name,
        known=f"{'There are' if len(names) > 1 else 'There is only'} {list_names(names)}."
        if names
        else _declare(want, name),
        suggestion=nearest,
        fix=Fix(span, nearest) if nearest is not None else None,
    )


def _declare(want: Type, name: str) -> str:
    """Return the help for a name of a sort of which nothing is declared."""
    if want.base == "definition" and want.name:
        return f'The game has none yet. Declare it: `{want.name} {name} "…":`.'
    return "The game has none yet: declare one, or add the `use` line of a pack that has it."


def constants_named(state: ParseState, word: str, want: Type | None, span: Span) -> list[Expr]:
    """Return the values of type `want` with a declared name (None: of every type that needs no hint)."""
    if want is None:
        return list(_unhinted(state, word, span))
    return list(_hinted(state, word, want.one() if want.many else want, span))


def _hinted(state: ParseState, word: str, want: Type, span: Span) -> Iterator[Expr]:
    words, model = state.words, state.words.model
    if want.base == "enum":
        values = words.enum_values(want.name)
        if word in values:
            yield ir.Const(values.index(word), want, span, word)
        if word == want.name and word in model.switches:
            yield ir.Variant(word, want, span)
    elif want.base == "definition":
        for definition in words.definitions(word, want.name or "thing", span.source.name):
            yield ir.Def(definition.kind.id, definition.id, Type("definition", definition.kind.id), span)
    elif want.base == "die":
        if word in model.dice:
            yield ir.Def("die", word, want, span)
    elif want.base == "face":
        if word in words.symbols():
            yield ir.Const(words.symbols().index(word), want, span, word)
    elif want.base in _INDEXED:
        yield from _indexed(state, word, want, span)
    elif want.base == "zone":
        if word in model.zones:
            yield ir.Instance("zone", word, 1, Type("zone", model.zones[word].holds), span)
    elif want.base == "thing":
        yield from _things(state, word, span)


def _indexed(state: ParseState, word: str, want: Type, span: Span) -> Iterator[Expr]:
    words, model = state.words, state.words.model
    if want.base == "counter":
        if words.counter(word) is not None:
            yield ir.Const(0, want, span, word)
        return
    tables: dict[str, list[str]] = {
        "mark": list(model.marks),
        "terrain": list(model.terrains),
        "barrier": list(model.barriers),
        "area": list(words.areas),
        "kind": list(model.kinds),
        "direction": list(model.directions),
    }
    table = tables[want.base]
    if word in table:
        yield ir.Const(table.index(word), want, span, word)


def _unhinted(state: ParseState, word: str, span: Span) -> Iterator[Expr]:
    words, model = state.words, state.words.model
    if word in model.switches:
        yield ir.Variant(word, Type("enum", word), span)
    if word in model.zones:
        yield ir.Instance("zone", word, 1, Type("zone", model.zones[word].holds), span)
    yield from _things(state, word, span)
    if word in model.dice:
        yield ir.Def("die", word, Type("die"), span)
    if word in words.areas:
        yield ir.Const(list(words.areas).index(word), Type("area"), span, word)
    if word in model.directions:
        yield from _indexed(state, word, Type("direction"), span)


def _things(state: ParseState, word: str, span: Span) -> Iterator[Expr]:
    words, model = state.words, state.words.model
    for definition in words.called(word, span.source.name):
        if definition.kind.id not in SINGLETONS:
            yield ir.Instance(definition.kind.id, definition.id, 1, Type("thing", definition.kind.id), span)
    if word in words.tracks:
        track = words.tracks[word]
        yield ir.Instance(track.sort, word, 1, Type("thing", track.sort), span)
    if (word in SINGLETONS and word in model.kinds) or (word == ENDING and has_endings(model)):
        yield ir.Instance(word, word, 1, Type("thing", word), span)
    yield from _spaces(state, word, span)


def _spaces(state: ParseState, word: str, span: Span) -> Iterator[Expr]:
    board = state.scope.board
    if board is not None:
        if state.is_cell(board, word):
            yield ir.Instance("space", word, 1, SPACE, span)
        elif COORDINATE.fullmatch(word):
            place = next((i for i, text in enumerate(state.texts) if text == word), 0)
            state.fail(place, 5, lambda: UnknownSpace(span, space=word))
    elif word in state.words.places or (COORDINATE.fullmatch(word) and word not in state.words.words()):
        yield ir.Instance("space", word, 1, SPACE, span)


def instances_named(state: ParseState, node: Copy, span: Span) -> Iterator[Expr]:
    """Yield one instance of a definition (``rat#2``); in a test also a player (``player#2``)."""
    if node.name == "player" and state.scope.mode == "test":
        yield ir.Instance("player", "player", node.number, Type("thing", "player"), span)
        return
    definitions = state.words.called(node.name, span.source.name)
    for definition in definitions:
        yield ir.Instance(definition.kind.id, definition.id, node.number, Type("thing", definition.kind.id), span)
    if not definitions:
        place = next((i for i, other in enumerate(state.tokens.nodes) if other is node), 0)
        is_seat = node.name == "player"  # outside of tests
        nearest = f"player {node.number}" if is_seat else suggest(node.name, state.words.by_id)
        state.fail(place, 5, lambda: UnknownWord(span, word=node.name, suggestion=nearest))
