"""Incremental reading of sources: the game comes from the cache, and sound tests are skipped as long as nothing that
they can mention has changed.

A pack begins with the state of the shipped sources that it uses (`lent_reading`), which all packs of a game share.

Most of a project's text are its tests. The problems of a test depend on its own text and on what it mentions. So fcb
caches which tests have no problems, with a hash of everything that they could mention. Later it reads only tests that
are new or may be affected by a change. Reading itself is the same as without the cache, and so are its results.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.compiler import KeptLowering
from fcbdsl.language.compiler.purity import PureTests
from fcbdsl.language.compiler.walk import Purity
from fcbdsl.language.model.check import Checker, Elsewhere
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.declaring.collect import read_head
from fcbdsl.language.model.declaring.interface import Table, interface_changes
from fcbdsl.language.model.declaring.units import TestUnit, words_in
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.pieces import FilePiece, Pieces, read_pieces
from fcbdsl.machine import verified as records
from fcbdsl.project.analysis.lent_reading import (
    NOTHING_READ,
    ReadingState,
    is_reading,
    packaged_reading,
    shipped_reading,
)
from fcbdsl.project.analysis.source_pieces import (
    Choice,
    Piece,
    in_sources,
    is_test,
    no_test,
    offset_in,
    source_pieces,
    text_hash,
)
from fcbdsl.project.project import Loader, files_of_tests, latest, lent_to, without_consequences

MOST_READ_AGAIN = 24
"""The number of changed pieces of a game after which the cached state is replaced."""

UsesElsewhere = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The statements of a test that concern others: see `Elsewhere`."""


@dataclass(frozen=True, slots=True)
class SoundTests:
    """The tests without problems, by their hashes, with their statements that concern others.

    `interface`: the declarations that they could mention then. `bodies`: the other properties of forms that their
    check used.
    """

    tests: Mapping[str, UsesElsewhere]
    interface: Table
    bodies: str


_NONE = SoundTests({}, {}, "")
_SOUND_TESTS = tuple[dict[str, UsesElsewhere], dict[tuple[object, ...], tuple[tuple[str, ...], tuple[str]]], str]
"""The shape of cached sound tests."""


class Reading:
    """The result of reading: the model, and every problem that was found.

    `lowered`: the cached result of lowering the game, if only bodies have changed and declarations were added since;
    `changed`: the forms whose bodies have changed. `trusted`: its codes were verified when it was made, because it is
    part of the package or this installation has recorded so (`machine.verified`).
    """

    def __init__(
        self,
        model: Model,
        problems: list[Diagnostic],
        lowered: KeptLowering | None,
        changed: Sequence[Form],
        trusted: bool,
        keep: Keep,
        go_on: GoOn,
    ) -> None:
        self.model, self.problems = model, problems
        self.lowered, self.changed, self.trusted = lowered, changed, trusted
        self._keep, self._go_on = keep, go_on

    def keep(self, lowered: KeepsLowering | None, whole: bool) -> None:
        """Cache the result for other runs, unless the cached state is still close to it. `lowered` returns the result
        of lowering the game (None: it was not lowered); `whole`: no cached result was a baseline of it."""
        self._keep(lowered, whole)

    def with_tests(self, loader: Loader) -> tuple[Model, list[Diagnostic]]:
        """Return the model of the same sources and further files of tests, and its problems.

        It shares declarations with the model of this reading, which stays valid. `keep` must have been called before.
        """
        return self._go_on(loader)


GoOn = Callable[[Loader], tuple[Model, list[Diagnostic]]]


KeepsLowering = Callable[[], tuple[KeptLowering, bool]]
"""Returns the result of lowering a game, and whether all of its codes are verified."""

Keep = Callable[[KeepsLowering | None, bool], None]


def read_changed(loader: Loader, needed: Choice, fits: bool = False) -> Reading:
    """Parse and check the loaded sources. Tests that are known to be sound are skipped, except for the `needed`
    ones. `fits`: the state of the shipped sources will be needed, too, so it is made first."""
    project = loader.project
    before = _stored_tests(loader)
    pieces = [piece for piece in source_pieces(loader.sources) if piece.is_test]
    absent = [(piece, before.tests[piece.seal]) for piece in pieces if piece.seal in before.tests]
    if needed is not no_test:
        absent = [test for test in absent if not needed(*_head(test[0]), test[0].source.name)]
    catalogs, lent = loader.translations(), lent_to(loader)
    checker = Checker(project.variants, project.languages, files_of_tests(loader), catalogs, lent)
    own, trusted = _kept_reading(loader)
    packaged = packaged_reading(loader) if own is None else None
    pieces_before, check_state, lowered = own or packaged or shipped_reading(loader, fits) or NOTHING_READ
    if check_state is not None:
        checker.restore(check_state)
    files: dict[str, Pieces] = {}
    while True:
        gone: dict[str, list[int]] = {}
        for piece, _ in absent:
            gone.setdefault(piece.source.name, []).append(piece.start)
        for source in loader.sources:
            name = source.name
            before_it = files[name].pieces if name in files else pieces_before.get(name, ())
            files[name] = read_pieces(source, before_it, frozenset(gone.get(name, ())))
        model = checker.update([file.file() for file in files.values()], elsewhere=_merged(absent))
        mentioned = checker.restored_digests() or (_digests(checker.interface), _of_bodies(checker))
        interface, bodies = mentioned
        stay = _unchanged(absent, before, interface, bodies, checker)
        if len(stay) == len(absent):
            break
        absent = stay
    findings = _problems(loader, files, checker)
    if before is _NONE or (pieces and not _is_broken(findings, pieces)):
        _keep(loader, checker, pieces, absent, findings, mentioned)
    changed = checker.read_since()
    if changed is None:
        lowered = None

    def keep(lower_again: KeepsLowering | None, whole: bool) -> None:
        # Most packs are small. The first check of one keeps no state, because the packaged state is close to it.
        close = own is None and packaged is not None and before is _NONE
        new = not close and (own is None or (lower_again is not None and whole))
        _keep_reading(loader, files, pieces_before, checker, mentioned, lower_again, new)

    def go_on(more: Loader) -> tuple[Model, list[Diagnostic]]:
        all_files = {source.name: files.get(source.name) or read_pieces(source) for source in more.sources}
        model = checker.update([file.file() for file in all_files.values()], files_of_tests(more))
        return model, _problems(more, all_files, checker)

    return Reading(model, findings, lowered, changed or (), trusted or packaged is not None, keep, go_on)


def _problems(loader: Loader, files: Mapping[str, Pieces], checker: Checker) -> list[Diagnostic]:
    """Return all problems of reading some files, at their places in the sources of a loader."""
    problems = Problems(finding for file in files.values() for finding in file.problems())
    problems.extend(without_consequences(checker.problems(), problems))
    return in_sources(problems.sorted(), loader.sources)


def has_test(loader: Loader, chosen: Choice) -> bool:
    """Return whether some test of sources without errors is chosen."""
    pieces = (piece for piece in source_pieces(loader.sources) if piece.is_test)
    return any(chosen(*_head(piece), piece.source.name) for piece in pieces)


_PLAIN_HEAD = re.compile(r'test "([^"\\]*)"(?: covers ([A-Z]\w*(?:-\w+)*(?:, [A-Z]\w*(?:-\w+)*)*))?:')
"""Matches the first line of most tests."""


def _head(piece: Piece) -> tuple[str, Sequence[str]]:
    """Return the title of a sound test, and the rules that it covers."""
    text = piece.source.text[piece.head : piece.end]
    line = text.partition("\n")[0]
    plain = _PLAIN_HEAD.fullmatch(line)
    if plain is not None:
        return plain[1], () if plain[2] is None else plain[2].split(", ")
    file, _ = parse(Source(piece.source.name, line if line.endswith(":") else text))
    declaration = read_head(file.lines[0], "", Problems())
    return ("", ()) if declaration is None else (declaration.title or "", declaration.covers)


def _is_broken(problems: Iterable[Diagnostic], pieces: Sequence[Piece]) -> bool:
    """Return whether something other than a test has problems. The former interface is then kept until that is
    fixed."""
    tests: dict[str, list[Piece]] = {}
    for piece in pieces:
        tests.setdefault(piece.source.name, []).append(piece)
    wrong = [diagnostic.span for diagnostic in problems if diagnostic.severity == "error"]
    return any(not any(piece.holds(span) for piece in tests.get(span.source.name, ())) for span in wrong)


def _keep(
    loader: Loader,
    checker: Checker,
    pieces: Iterable[Piece],
    absent: Sequence[tuple[Piece, UsesElsewhere]],
    problems: Iterable[Diagnostic],
    mentioned: tuple[Table, str],
) -> None:
    """Cache the sound tests, both the skipped and the read ones."""
    passed = {(piece.source.name, piece.start) for piece, _ in absent}
    read = [piece for piece in pieces if (piece.source.name, piece.start) not in passed]
    sound = _sound(checker, read, problems)
    sound_tests = {piece.seal: uses for piece, uses in absent} | sound
    cache.store_result(key_of_tests(loader), (sound_tests, *mentioned))


def _keep_reading(
    loader: Loader,
    files: Mapping[str, Pieces],
    pieces_before: Mapping[str, Sequence[FilePiece]],
    checker: Checker,
    mentioned: tuple[Table, str],
    lowered: KeepsLowering | None,
    new: bool,
) -> None:
    """Cache the result of reading everything but tests, and of lowering it, if that is `new` or the cached state
    differs much."""
    game = {name: [piece for piece in file.pieces if not is_test(piece.source.text)] for name, file in files.items()}
    before = {id(piece) for pieces in pieces_before.values() for piece in pieces}
    now = {id(piece) for pieces in game.values() for piece in pieces}
    if new or len(before ^ now) > (MOST_READ_AGAIN if pieces_before else 0):
        lowering, verified = (None, False) if lowered is None else lowered()
        state = checker.snapshot()
        if state.declared is not None:
            state.declared.digests = mentioned
        seal = cache.store_result(key_of_reading(loader), (game, state, lowering))
        if seal is not None and verified:
            records.record(seal)


def _kept_reading(loader: Loader) -> tuple[ReadingState | None, bool]:
    """Return the cached state of the game, and whether this installation has verified its codes.

    The state contains files in pieces, the check, and the lowering. It may be outdated.
    """
    verified: list[bool] = []
    state: ReadingState | None = cache.load_result(
        key_of_reading(loader), is_reading, lambda seal: verified.append(records.is_known(seal))
    )
    return state, any(verified)


def key_of_reading(loader: Loader) -> str:
    """Return the cache key of the last state of reading."""
    return latest(loader, "what was read")


def key_of_tests(loader: Loader) -> str:
    """Return the cache key of the sound tests."""
    return latest(loader, "sound tests")


def forget_tests(loader: Loader) -> None:
    """Remove all tests from the cache: the next run reads and verifies all of them."""
    cache.store_result(key_of_tests(loader), ({}, {}, ""))


def _stored_tests(loader: Loader) -> SoundTests:
    stored = cache.load_result(key_of_tests(loader), cache.shape_check(_SOUND_TESTS))
    return _NONE if stored is None else SoundTests(*stored)


def _digests(table: Table) -> Table:
    """Return a table with the hash of each signature, which is enough for comparison."""
    return {key: (words, (text_hash(repr(signature)),)) for key, (words, signature) in table.items()}


def _of_bodies(checker: Checker) -> str:
    """Return a hash of the properties of form bodies that the checks of tests use: which need an actor, and which are
    not pure."""
    purity = Purity()
    disturbing = [form for form in checker.model.forms if not purity.of_form(form)]
    named = [(form.sort, form.id, [param.name for param in form.params]) for form in (*disturbing, *checker.needing())]
    return text_hash(repr(named))


def _merged(absent: Iterable[tuple[Piece, UsesElsewhere]]) -> Elsewhere:
    """Return the merged statements of several tests that concern others."""
    areas, announced, tested = ({name: None for _, uses in absent for name in uses[at]} for at in range(3))
    return Elsewhere(tuple(areas), tuple(announced), tuple(tested))


def _unchanged(
    absent: Sequence[tuple[Piece, UsesElsewhere]], before: SoundTests, interface: Table, bodies: str, checker: Checker
) -> list[tuple[Piece, UsesElsewhere]]:
    """Return the tests whose meaning is unchanged."""
    if bodies != before.bodies:
        return []
    changed, strangers = interface_changes(before.interface, interface, checker.context), checker.strangers
    stay = [test for test in absent if test[0].source.name not in strangers]
    return [test for test in stay if not changed.touch(words_in(test[0].text))] if changed else stay


def _sound(checker: Checker, pieces: Iterable[Piece], problems: Iterable[Diagnostic]) -> dict[str, UsesElsewhere]:
    """Return the tests without problems among the pieces that were read."""
    wrong: dict[str, list[Span]] = {}
    for diagnostic in problems:
        wrong.setdefault(diagnostic.span.source.name, []).append(diagnostic.span)
    wholes = {piece.source.name: piece.source for piece in pieces}
    units = {_place(unit, wholes): unit for unit in checker.units() if isinstance(unit, TestUnit)}
    facts = {id(fact.owner): fact for fact in checker.facts()}
    pure, strangers = PureTests(), checker.strangers
    out: dict[str, UsesElsewhere] = {}
    for piece in pieces:
        name = piece.source.name
        unit = units.get((name, piece.head))
        if unit is None or unit.unread or name in strangers or any(piece.holds(span) for span in wrong.get(name, ())):
            continue
        unit_facts = facts[id(unit.owner)]
        if unit_facts.waited or not pure.has(unit.owner):
            continue
        areas = () if unit.owner.board is None else tuple(unit.owner.board.zones)
        out[piece.seal] = areas, tuple(unit_facts.announced), tuple(unit_facts.tested)
    return out


def _place(unit: TestUnit, wholes: Mapping[str, Source]) -> tuple[str, int]:
    line = unit.declaration.line
    name = line.source.name
    return name, offset_in(wholes[name], line.source, line.offset) if name in wholes else -1
