"""Finds the definitions whose printed words must be checked again, since something in them may have changed.

The printed text of a definition depends on three things. These are its own text, everything that is no definition, and
the titles, data and parts (never the effects) of definitions that it mentions. A definition is mentioned by a word of
its name, in the text of a definition or of one that this mentions.

A mission depends on more: on all definitions that are for it or in its file, and on the titles of those that name it.
It also depends on the keywords of those on its map or mentioned there.

The cache contains a hash of all this for each definition without problems, and for each page that prints a number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from operator import itemgetter

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.print import UnprintedNumber
from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declaring.units import words_in
from fcbdsl.language.model.ir import shape
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.ambiguity import ambiguities
from fcbdsl.language.prose.text_templates import slot_problems
from fcbdsl.print.pieces.looks import look_of_kind
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.print.pieces.printables import has_own_rules, is_sheet, printable_languages
from fcbdsl.print.press.genders import logged_genders
from fcbdsl.print.press.proofs import CheckedPages, once, own_problems
from fcbdsl.project.analysis.severity import allowances_in
from fcbdsl.project.analysis.source_pieces import Piece, source_pieces, text_hash
from fcbdsl.project.analysis.unprinted_numbers import KnownPages, unprinted_numbers
from fcbdsl.project.project import Loader, asset_times, latest

_NUMBER = re.compile(r"(?<![\w#-])\d+(?!\w)")
"""Matches a number that is no part of a name."""
COPIES = "copies"
"""The field with the number of copies."""


@dataclass(slots=True)
class _PieceFacts:
    """A piece with definitions: its names, and the names that it is for.

    `called`: the pieces by their names. `named_in`: finds the names in a piece.
    """

    number: int
    piece: Piece
    model: Model
    called: Mapping[str, Sequence[_PieceFacts]]
    named_in: _NamesIn
    definitions: list[Definition] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)
    targets: dict[str, None] = field(default_factory=dict)
    mission: bool = False
    _mentions: list[_PieceFacts] | None = None
    _named: str = ""
    _shown: str = ""

    @property
    def seal(self) -> str:
        """Return the hash of all of its text."""
        return self.piece.seal

    @property
    def mentions(self) -> list[_PieceFacts]:
        """Return the pieces that it mentions."""
        if self._mentions is None:
            self._mentions = _mentioned([self.piece], self.called, self.named_in)
        return self._mentions

    @property
    def named(self) -> str:
        """Return the hash of what other definitions print of it: everything but its effects."""
        if not self._named:
            maps = any(definition.board is not None for definition in self.definitions)
            self._named = (
                self.seal
                if maps
                else text_hash(repr([_directly_printed(definition, self.model) for definition in self.definitions]))
            )
        return self._named

    @property
    def shown(self) -> str:
        """Return the hash of what a sheet prints of it, keywords included; these do not depend on numbers."""
        if not self._shown:
            self._shown = text_hash(self.named + _NUMBER.sub("0", self.piece.text))
        return self._shown


def _directly_printed(definition: Definition, model: Model) -> tuple[object, ...]:
    """Return what other definitions print of a definition: its fields that print directly.

    Numbers are left out, except for its grade and the number of copies.
    """
    target, counted = definition.target, (*look_of_kind(definition.kind, model).fields.get("grade", ()), COPIES)
    shown: list[object] = []
    for name, value in definition.values.items():
        expr = value.expr
        if value.texts is not None:
            shown.append((name, value.texts))
        elif isinstance(expr, ir.Def | ir.ListOf | ir.Text | ir.Const) and (expr.type != ir.NUMBER or name in counted):
            shown.append((name, shape(expr, {})))
    return (
        *(definition.kind.id, definition.id, definition.span.source.name, definition.name, definition.flags),
        target and (target.kind.id, target.id),
        shown,
        [_directly_printed(part, model) for part in definition.parts],
        [(track.id, track.sort, track.name) for track in definition.tracks],
    )


def wording_problems(loader: Loader, model: Model, definitions: Sequence[Definition]) -> list[Diagnostic]:
    """Return the problems with the words of a model without errors: of its templates, of its numbers, and of
    definitions in each language.

    Definitions that the cache knows to be without problems are skipped, and numbers that an unchanged page prints.
    """
    key = latest(loader, "sound wording")
    sound_before = frozenset(cache.load_result(key, cache.shape_check(list[str])) or ())
    marks, pages = wording_hashes(loader, model), CheckedPages(model)
    problems = ambiguities(model, printable_languages(model), definitions)
    sound = []
    if marks[id(model)] in sound_before:
        sound.append(marks[id(model)])
    elif of_game := _problems_of_game(model, pages.facts):
        problems += of_game
    else:
        sound.append(marks[id(model)])
    for language in printable_languages(model):
        problems += logged_genders(model, language)
    hidden, shown = unprinted_numbers(model, _allowed_lines(loader), KnownPages(marks, sound_before), pages)
    problems += hidden
    sound += shown
    for definition in definitions:
        mark = marks[id(definition)]
        own = own_problems(model, definition, pages) if mark not in sound_before else []
        problems += own
        if not own:
            sound.append(mark)
    if frozenset(sound) != sound_before:
        cache.store_result(key, sound)
    marks.named_in.keep(piece for piece in source_pieces(loader.sources) if not piece.is_test)
    return list(once(problems))


def _problems_of_game(model: Model, facts: ModelFacts) -> list[Diagnostic]:
    """Return the problems with the words of everything that is no definition."""
    problems = slot_problems(model)
    if has_own_rules(model):
        from fcbdsl.print.pieces.aids import check_reference

        problems += check_reference(model, facts)
    return problems


def _allowed_lines(loader: Loader) -> frozenset[tuple[str, int]]:
    """Return the files and lines of a project where an author allows unprinted numbers."""
    allowances = [allowance for source in loader.sources for allowance in allowances_in(source)]
    return frozenset((each.source.name, each.line) for each in allowances if each.code == UnprintedNumber.code)


def wording_hashes(loader: Loader, model: Model) -> _WordingHashes:
    """Return a hash of everything that the words of each definition, and of the rules of `model`, depend on, by
    identity. Each is made on demand."""
    pieces = [piece for piece in source_pieces(loader.sources) if not piece.is_test]
    facts: dict[int, _PieceFacts] = {}
    homes = _Homes(pieces)
    of: dict[int, tuple[Definition, _PieceFacts]] = {}
    ids: dict[str, list[str]] = {}
    called: dict[str, list[_PieceFacts]] = {}
    named_in = _NamesIn(loader, called)
    for definition in model.definitions.values():
        number = homes.of(definition)
        if number not in facts:
            facts[number] = _PieceFacts(number, pieces[number], model, called, named_in)
        piece_facts = facts[number]
        of[id(definition)] = definition, piece_facts
        board = definition.board
        shown = () if board is None else (*board.routes, *board.zones, *board.regions)
        tracks = [track.id for track in definition.tracks]
        piece_facts.definitions.append(definition)
        piece_facts.names |= dict.fromkeys(name.lower() for name in (definition.id, *tracks, *shown))
        if definition.target is not None:
            piece_facts.targets[definition.target.id.lower()] = None
        piece_facts.mission = piece_facts.mission or is_sheet(definition)
        ids.setdefault(definition.kind.id, []).append(definition.id)
    rest = [piece for number, piece in enumerate(pieces) if number not in facts]
    meant: dict[str, list[_PieceFacts]] = {}
    for piece_facts in facts.values():
        for name in piece_facts.names:
            called.setdefault(name, []).append(piece_facts)
        for name in piece_facts.targets:
            meant.setdefault(name, []).append(piece_facts)
    common = _reached(_mentioned(rest, called, named_in), {})
    files = [mark for source in loader.sources for mark in asset_times(source)]
    base = text_hash(
        repr(
            (loader.project.title, files, [piece.seal for piece in rest], [piece_facts.named for piece_facts in common])
        )
    )
    return _WordingHashes(model, base, list(facts.values()), of, meant, ids, named_in)


@dataclass(slots=True)
class _WordingHashes(Mapping[int, str]):
    """See `wording_hashes`. `base`: the hash for the rules of the model. `of`: definitions and their pieces, by the
    identity of the definition. `meant`: pieces that are for a name. `ids`: names of definitions, by kind."""

    model: Model
    base: str
    facts: Sequence[_PieceFacts]
    of: Mapping[int, tuple[Definition, _PieceFacts]]
    meant: Mapping[str, Sequence[_PieceFacts]]
    ids: Mapping[str, Sequence[str]]
    named_in: _NamesIn
    _marks: dict[int, str] = field(default_factory=dict)
    _naming: dict[bool, dict[int, list[_PieceFacts]]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[int]:
        yield id(self.model)
        yield from self.of

    def __len__(self) -> int:
        return 1 + len(self.of)

    def __contains__(self, key: object) -> bool:
        return key == id(self.model) or key in self.of

    def __getitem__(self, key: int) -> str:
        if key == id(self.model):
            return self.base
        definition, piece_facts = self.of[key]
        mark = self._marks.get(piece_facts.number)
        if mark is None:
            mark = self._marks[piece_facts.number] = text_hash(self.base + repr(self._seen(piece_facts)))
        return text_hash(f"{definition.kind.id} {definition.id} {mark}")

    def _seen(self, piece_facts: _PieceFacts) -> list[str]:
        """Return the hashes of what the words of a piece depend on."""
        if not piece_facts.mission:
            return [other.seal if other is piece_facts else other.named for other in _reached([piece_facts], {})]
        seen = [
            other.seal if _is_on_sheet(other, piece_facts) else other.shown
            for other in _reached([piece_facts], self.meant)
        ]
        naming = self._naming_pieces(piece_facts)
        stages = naming.get(piece_facts.number, [])
        above = [*stages, *(other for stage in stages for other in naming.get(stage.number, ()))]
        seen += [other.shown for other in above]
        seen += [repr(self.ids[definition.kind.id]) for stage in stages for definition in stage.definitions]
        return seen

    def _naming_pieces(self, mission: _PieceFacts) -> dict[int, list[_PieceFacts]]:
        """Return the pieces that may name each piece; shipped ones do not name a mission of the project."""
        lent = self._is_lent(mission)
        if lent not in self._naming:
            naming = self._naming[lent] = {}
            for piece_facts in self.facts:
                for other in piece_facts.mentions if lent or not self._is_lent(piece_facts) else ():
                    naming.setdefault(other.number, []).append(piece_facts)
        return self._naming[lent]

    def _is_lent(self, piece_facts: _PieceFacts) -> bool:
        return piece_facts.piece.source.name in self.model.lent


def _is_on_sheet(piece_facts: _PieceFacts, mission: _PieceFacts) -> bool:
    """Return whether the sheet of a mission may print all of a piece: it is in the mission's file, or is for the
    mission."""
    return piece_facts.piece.source is mission.piece.source or not piece_facts.targets.keys().isdisjoint(mission.names)


class _Homes:
    """Finds the piece of a definition."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._begun: dict[str, list[tuple[int, int]]] = {}  # of each file, the first lines of pieces, and their numbers
        for number, piece in enumerate(pieces):
            self._begun.setdefault(piece.source.name, []).append((piece.source.position(piece.start)[0], number))

    def of(self, definition: Definition) -> int:
        """Return the number of the piece that contains a definition."""
        begun = self._begun[definition.span.source.name]
        return begun[bisect_right(begun, definition.span.line, key=itemgetter(0)) - 1][1]


class _NamesIn:
    """Finds the names of pieces in the texts of others. An earlier run has found them in unchanged texts."""

    def __init__(self, loader: Loader, called: Mapping[str, object]) -> None:
        self._key, self._called = latest(loader, "names in pieces"), called
        self._known: dict[str, tuple[str, ...]] | None = None
        self._new = False

    def __call__(self, piece: Piece) -> tuple[str, ...]:
        """Return the names in the text of a piece. All pieces with names must be known."""
        if self._known is None:
            stored = cache.load_result(self._key, _NAMES_IN)
            self._known = stored[1] if stored is not None and stored[0] == self._among else {}
        names = self._known.get(piece.seal)
        if names is None:
            names = self._known[piece.seal] = tuple(sorted(words_in(piece.text) & self._called.keys()))
            self._new = True
        return names

    @property
    def _among(self) -> str:
        return text_hash(repr(sorted(self._called)))

    def keep(self, pieces: Iterable[Piece]) -> None:
        """Cache what was found in some pieces, if any of it is new."""
        if self._known is not None and self._new:
            seals = {piece.seal: None for piece in pieces}
            cache.store_result(
                self._key, (self._among, {seal: names for seal, names in self._known.items() if seal in seals})
            )


_NAMES_IN = cache.shape_check(tuple[str, dict[str, tuple[str, ...]]])


def _mentioned(
    pieces: Iterable[Piece], called: Mapping[str, Sequence[_PieceFacts]], named_in: _NamesIn
) -> list[_PieceFacts]:
    """Return the pieces that some texts may mention: those with one of their words as a name."""
    names = {name: None for piece in pieces for name in named_in(piece)}
    return [piece_facts for name in sorted(names) for piece_facts in called[name]]


def _reached(begun: Iterable[_PieceFacts], meant: Mapping[str, Sequence[_PieceFacts]]) -> list[_PieceFacts]:
    """Return some pieces and all that they mention, directly or through others, in order of declaration.

    `meant`: pieces that are for something are reached from that, too.
    """
    reached: dict[int, _PieceFacts] = {}
    open_ = list(begun)
    while open_:
        piece_facts = open_.pop()
        if piece_facts.number in reached:
            continue
        reached[piece_facts.number] = piece_facts
        open_ += piece_facts.mentions
        for name in piece_facts.names if meant else ():
            open_ += meant.get(name, ())
    return [reached[number] for number in sorted(reached)]
