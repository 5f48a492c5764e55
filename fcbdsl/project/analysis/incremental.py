"""Reading sources again: of the game, what was read is taken up; of its tests, those that were sound are passed over as
long as nothing that they can mention has changed.

Most of a project's text are its tests. What is wrong with one depends on its own text and on what it mentions; so of
those in which nothing was wrong a record is kept, beside what could be mentioned then, and only what is new or may
read otherwise now is read. Whatever is read is read as ever, and what is found is the same.
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
from fcbdsl.language.compiler.purity import steps_looked_at
from fcbdsl.language.compiler.walk import Purity
from fcbdsl.language.model.check import Checker, Elsewhere, KeptCheck
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.declaring.collect import Declaration, read_head
from fcbdsl.language.model.declaring.interface import Table, changes
from fcbdsl.language.model.declaring.units import KeptUnit, TestUnit, words_in
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.pieces import FilePiece, Pieces, read_pieces
from fcbdsl.project.analysis.pieces import Choice, Piece, digest, in_sources, is_test, no_test, offset_in, pieces_of
from fcbdsl.project.project import Loader, latest, lent_to, proofs_of, without_consequences

MOST_READ_AGAIN = 24
"""How many pieces of a game are read again and again, before what was read is kept once more."""

Told = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""What a test says that concerns others: see `Elsewhere`."""


@dataclass(frozen=True, slots=True)
class SoundTests:
    """The tests in which nothing was wrong, by their seals, with what they say that concerns others; what they could
    mention then; and what else was asked of forms (`bodies`)."""

    tests: Mapping[str, Told]
    interface: Table
    bodies: str


_NONE = SoundTests({}, {}, "")


class Reading:
    """What was read: the model, and every problem that was found by that.

    `lowered`: what lowering the game came to when what was read was kept, if nothing has become another since but
    bodies; `changed`: of which forms."""

    def __init__(
        self,
        model: Model,
        problems: list[Diagnostic],
        lowered: KeptLowering | None,
        changed: Sequence[Form],
        keep: Keep,
    ) -> None:
        self.model, self.problems = model, problems
        self.lowered, self.changed = lowered, changed
        self._keep = keep

    def keep(self, lowered: Callable[[], KeptLowering] | None) -> None:
        """Keep what was read for other runs, unless nearly all of it is kept, and what lowering the game came to (None:
        that was not done)."""
        self._keep(lowered)


Keep = Callable[[Callable[[], KeptLowering] | None], None]


def read_changed(loader: Loader, needed: Choice) -> Reading:
    """Parse and check what was read. Tests that are known to be sound are not in it, but for the `needed` ones."""
    project = loader.project
    before = _kept(loader)
    pieces = [piece for piece in pieces_of(loader.sources) if piece.is_test]
    absent = [(piece, before.tests[piece.seal]) for piece in pieces if piece.seal in before.tests]
    if needed is not no_test:
        absent = [one for one in absent if not needed(*_head(one[0]), one[0].source.name)]
    catalogs, lent = loader.translations(), lent_to(loader)
    checker = Checker(project.variants, project.languages, proofs_of(loader), catalogs, lent)
    known, kept, lowered = _kept_reading(loader)
    if kept is not None:
        checker.take_up(kept)
    files: dict[str, Pieces] = {}
    while True:
        gone: dict[str, list[int]] = {}
        for piece, _ in absent:
            gone.setdefault(piece.source.name, []).append(piece.start)
        for source in loader.sources:
            name = source.name
            before_it = files[name].pieces if name in files else known.get(name, ())
            files[name] = read_pieces(source, before_it, frozenset(gone.get(name, ())))
        model = checker.update([file.file() for file in files.values()], elsewhere=_merged(absent))
        interface, bodies = _digests(checker.interface), _of_bodies(checker)
        stay = _unchanged(absent, before, interface, bodies, checker)
        if len(stay) == len(absent):
            break
        absent = stay
    problems = Problems(finding for file in files.values() for finding in file.problems())
    problems.extend(without_consequences(checker.problems(), problems))
    found = in_sources(problems.sorted(), loader.sources)
    if pieces and (before is _NONE or not _is_broken(found, pieces)):
        _keep(loader, checker, pieces, absent, found, (interface, bodies))
    changed = checker.read_since()
    if changed is None:
        lowered = None

    def keep(made: Callable[[], KeptLowering] | None) -> None:
        _keep_reading(loader, files, known, checker, made, new=made is not None and lowered is None)

    return Reading(model, found, lowered, changed or (), keep)


def has_test(loader: Loader, chosen: Choice) -> bool:
    """Whether some test of sound sources is chosen."""
    pieces = (piece for piece in pieces_of(loader.sources) if piece.is_test)
    return any(chosen(*_head(piece), piece.source.name) for piece in pieces)


_PLAIN_HEAD = re.compile(r'test "([^"\\]*)"(?: covers ([A-Z]\w*(?:-\w+)*(?:, [A-Z]\w*(?:-\w+)*)*))?:')
"""The line of a test as most are."""


def _head(piece: Piece) -> tuple[str, Sequence[str]]:
    """The title of a test that is known to be sound, and the rules that it covers."""
    text = piece.source.text[piece.head : piece.end]
    line = text.partition("\n")[0]
    plain = _PLAIN_HEAD.fullmatch(line)
    if plain is not None:
        return plain[1], () if plain[2] is None else plain[2].split(", ")
    file, _ = parse(Source(piece.source.name, line if line.endswith(":") else text))
    declaration = read_head(file.lines[0], "", Problems())
    return ("", ()) if declaration is None else (declaration.title or "", declaration.covers)


def _is_broken(found: Iterable[Diagnostic], pieces: Sequence[Piece]) -> bool:
    """Whether something is wrong in what is no test: what tests could mention before is worth more than what they can
    until that is mended."""
    tests: dict[str, list[Piece]] = {}
    for piece in pieces:
        tests.setdefault(piece.source.name, []).append(piece)
    wrong = [one.span for one in found if one.severity == "error"]
    return any(not any(piece.holds(span) for piece in tests.get(span.source.name, ())) for span in wrong)


def _keep(
    loader: Loader,
    checker: Checker,
    pieces: Iterable[Piece],
    absent: Sequence[tuple[Piece, Told]],
    found: Iterable[Diagnostic],
    mentioned: tuple[Table, str],
) -> None:
    """Keep which tests are sound: those that were passed over, and those that were read."""
    passed = {(piece.source.name, piece.start) for piece, _ in absent}
    read = [piece for piece in pieces if (piece.source.name, piece.start) not in passed]
    sound = _sound(checker, read, found)
    known = {piece.seal: told for piece, told in absent} | sound
    cache.store(key_of_tests(loader), (known, *mentioned))


def _keep_reading(
    loader: Loader,
    files: Mapping[str, Pieces],
    known: Mapping[str, Sequence[FilePiece]],
    checker: Checker,
    lowered: Callable[[], KeptLowering] | None,
    new: bool,
) -> None:
    """Keep what was read of all but tests, and what lowering that came to, if that is `new`, or unless nearly all of it
    is kept."""
    game = {name: [one for one in file.pieces if not is_test(one.source.text)] for name, file in files.items()}
    before = {id(one) for pieces in known.values() for one in pieces}
    now = {id(one) for pieces in game.values() for one in pieces}
    if new or len(before ^ now) > (MOST_READ_AGAIN if known else 0):
        cache.store(key_of_reading(loader), (game, checker.kept(), None if lowered is None else lowered()))


def _kept_reading(
    loader: Loader,
) -> tuple[Mapping[str, Sequence[FilePiece]], KeptCheck | None, KeptLowering | None]:
    """What was read of the game before, its files in pieces, whatever has become of it."""
    kept = cache.load(key_of_reading(loader), _is_reading)
    return ({}, None, None) if kept is None else kept


def key_of_reading(loader: Loader) -> str:
    """The cache's key for what was read last."""
    return latest(loader, "what was read")


def _is_reading(found: object) -> bool:
    """Whether what was kept are files in pieces, what a checker has read of them, and what lowering that came to."""
    match found:
        case (dict(files), KeptCheck() as kept, None | KeptLowering()):
            pieces = all(isinstance(one, FilePiece) for file in files.values() for one in file)
            declared = all(isinstance(one, Declaration) for one in kept.heads)
            return pieces and declared and all(isinstance(one, KeptUnit) for one in kept.units)
    return False


def key_of_tests(loader: Loader) -> str:
    """The cache's key for which tests are sound."""
    return latest(loader, "sound tests")


def forget_tests(loader: Loader) -> None:
    """Keep no test as sound: the next run reads and verifies all of them."""
    cache.store(key_of_tests(loader), ({}, {}, ""))


def _kept(loader: Loader) -> SoundTests:
    kept = cache.load(key_of_tests(loader), _is_kept)
    return _NONE if kept is None else SoundTests(*kept)


def _is_kept(found: object) -> bool:
    """Whether what was kept tells of sound tests, and of what they could mention."""
    match found:
        case (dict(tests), dict(interface), str()):
            return all(map(_is_told, tests.items())) and all(map(_is_named, interface.items()))
    return False


def _is_told(found: object) -> bool:
    match found:
        case (str(), (tuple(areas), tuple(announced), tuple(tested))):
            return all(isinstance(one, str) for one in (*areas, *announced, *tested))
    return False


def _is_named(found: object) -> bool:
    match found:
        case (tuple(), (tuple(words), (str(),))):
            return all(isinstance(one, str) for one in words)
    return False


def _digests(table: Table) -> Table:
    """A table with a hash in the place of each signature, which is all that is asked of it."""
    return {key: (words, (digest(repr(signature)),)) for key, (words, signature) in table.items()}


def _of_bodies(checker: Checker) -> str:
    """What the checks of tests ask of the bodies of forms: which of them need somebody who acts, and which disturb."""
    purity = Purity()
    disturbing = [form for form in checker.model.forms if not purity.of_form(form)]
    named = [(form.sort, form.id, [param.name for param in form.params]) for form in (*disturbing, *checker.needing())]
    return digest(repr(named))


def _merged(absent: Iterable[tuple[Piece, Told]]) -> Elsewhere:
    """What several tests say that concerns others."""
    areas, announced, tested = ({one: None for _, told in absent for one in told[at]} for at in range(3))
    return Elsewhere(tuple(areas), tuple(announced), tuple(tested))


def _unchanged(
    absent: Sequence[tuple[Piece, Told]], before: SoundTests, interface: Table, bodies: str, checker: Checker
) -> list[tuple[Piece, Told]]:
    """The tests that read as they did."""
    if bodies != before.bodies:
        return []
    changed, strangers = changes(before.interface, interface, checker.context), checker.strangers
    stay = [one for one in absent if one[0].source.name not in strangers]
    return [one for one in stay if not changed.touch(words_in(one[0].text))] if changed else stay


def _sound(checker: Checker, pieces: Iterable[Piece], found: Iterable[Diagnostic]) -> dict[str, Told]:
    """The tests of some pieces, which were read, in which nothing is wrong."""
    wrong: dict[str, list[Span]] = {}
    for one in found:
        wrong.setdefault(one.span.source.name, []).append(one.span)
    wholes = {piece.source.name: piece.source for piece in pieces}
    units = {_place(unit, wholes): unit for unit in checker.units() if isinstance(unit, TestUnit)}
    facts = {id(one.owner): one for one in checker.facts()}
    purity, strangers = Purity(), checker.strangers
    out: dict[str, Told] = {}
    for piece in pieces:
        name = piece.source.name
        unit = units.get((name, piece.head))
        if unit is None or unit.unread or name in strangers or any(piece.holds(span) for span in wrong.get(name, ())):
            continue
        said = facts[id(unit.owner)]
        if said.waited or not all(purity.of(expr) for _, expr in steps_looked_at(unit.owner)):
            continue
        areas = () if unit.owner.board is None else tuple(unit.owner.board.zones)
        out[piece.seal] = areas, tuple(said.announced), tuple(said.tested)
    return out


def _place(unit: TestUnit, wholes: Mapping[str, Source]) -> tuple[str, int]:
    line = unit.declaration.line
    name = line.source.name
    return name, offset_in(wholes[name], line.source, line.offset) if name in wholes else -1
