"""Which definitions have to be put into words again: those of which something may read otherwise than when they were
last without fault.

What is printed of a definition depends on its own text, on those of the definitions that these mention, directly or
through others, and on all that is no definition. Something is mentioned by a word that it is called by; a mission tells
of what is for it, or for what stands on its map, too. Of a definition without fault a hash of all of that is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fcbdsl import cache
from fcbdsl.analysis.pieces import Piece, digest, pieces_of
from fcbdsl.diagnostics.base import Diagnostic
from fcbdsl.model.content import Definition
from fcbdsl.model.declaring.units import words_in
from fcbdsl.model.whole import Model
from fcbdsl.project import Loader, latest
from fcbdsl.prose.templates import template_problems
from fcbdsl.render.proofs import is_mission, once, own_problems


@dataclass(slots=True)
class _Told:
    """A piece with definitions: its seal, what it is called by, whom it is for, and what it mentions."""

    number: int
    seal: str
    text: str
    names: dict[str, None] = field(default_factory=dict)
    targets: dict[str, None] = field(default_factory=dict)
    mission: bool = False
    mentions: list[_Told] = field(default_factory=list)


def wording_problems(loader: Loader, model: Model, definitions: Sequence[Definition]) -> list[Diagnostic]:
    """What is wrong with the words of a sound model: its templates, and some definitions in each of its languages, but
    for those that are known to be without fault."""
    key = latest(loader, "sound wording")
    known = frozenset(cache.load(key, _is_kept) or ())
    marks = marks_of(loader, model)
    found = template_problems(model)
    sound = []
    for definition in definitions:
        mark = marks[id(definition)]
        own = own_problems(model, definition) if mark not in known else []
        found += own
        if not own:
            sound.append(mark)
    if frozenset(sound) != known:
        cache.store(key, sound)
    return list(once(found))


def _is_kept(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def marks_of(loader: Loader, model: Model) -> Mapping[int, str]:
    """Of each definition, by identity, a hash of all that what is printed of it depends on."""
    pieces = [piece for piece in pieces_of(loader.sources) if not piece.is_test]
    told: dict[int, _Told] = {}
    homes = _Homes(pieces)
    of: dict[int, _Told] = {}
    for definition in model.definitions.values():
        number = homes.of(definition)
        if number not in told:
            told[number] = _Told(number, pieces[number].seal, pieces[number].text)
        one = of[id(definition)] = told[number]
        board = definition.board
        shown = () if board is None else (*board.routes, *board.zones, *board.regions)
        tracks = [track.id for track in definition.tracks]
        one.names |= dict.fromkeys(name.lower() for name in (definition.id, *tracks, *shown))
        if definition.target is not None:
            one.targets[definition.target.id.lower()] = None
        one.mission = one.mission or is_mission(definition)
    rest = [piece for number, piece in enumerate(pieces) if number not in told]
    called: dict[str, list[_Told]] = {}
    meant: dict[str, list[_Told]] = {}
    for one in told.values():
        for name in one.names:
            called.setdefault(name, []).append(one)
        for name in one.targets:
            meant.setdefault(name, []).append(one)
    for one in told.values():
        one.mentions = _mentioned(one.text, called)
    common = _reached(_mentioned("\n".join([piece.text for piece in rest]), called), {})
    base = repr((loader.project.title, [piece.seal for piece in rest], _seals(common)))
    marks: dict[int, str] = {}
    for one in told.values():
        marks[one.number] = digest(base + repr(_seals(_reached([one], meant if one.mission else {}))))
    return {
        id(definition): digest(f"{definition.kind.id} {definition.id} {marks[of[id(definition)].number]}")
        for definition in model.definitions.values()
    }


class _Homes:
    """In which piece something stands."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._numbers: dict[tuple[str, int], int] = {}
        for number, piece in enumerate(pieces):
            first = piece.source.position(piece.start)[0]
            for line in range(first, first + piece.text.count("\n") + 1):
                self._numbers.setdefault((piece.source.name, line), number)

    def of(self, definition: Definition) -> int:
        """The number of the piece in which a definition stands."""
        return self._numbers[definition.span.source.name, definition.span.line]


def _mentioned(text: str, called: Mapping[str, Sequence[_Told]]) -> list[_Told]:
    """What a text may mention: all that is called by one of its words."""
    return [one for name in sorted(words_in(text) & called.keys()) for one in called[name]]


def _reached(begun: Iterable[_Told], meant: Mapping[str, Sequence[_Told]]) -> dict[int, _Told]:
    """Some pieces and all that they mention, directly or through others, by their numbers; `meant`: those that are for
    something are reached from that, too."""
    found: dict[int, _Told] = {}
    open_ = list(begun)
    while open_:
        one = open_.pop()
        if one.number in found:
            continue
        found[one.number] = one
        open_ += one.mentions
        for name in one.names if meant else ():
            open_ += meant.get(name, ())
    return found


def _seals(pieces: Mapping[int, _Told]) -> list[str]:
    """What tells pieces from others, in order of declaration."""
    return [pieces[number].seal for number in sorted(pieces)]
