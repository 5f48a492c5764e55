"""Checking of files: `check` makes a model, and `Checker` updates it incrementally after an edit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from fcbdsl.base import bounds
from fcbdsl.base.catalog import Catalog
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.suggestions import comparing
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source
from fcbdsl.language.model.builtins import declare_builtins
from fcbdsl.language.model.checks.acting import needing
from fcbdsl.language.model.checks.blank_texts import blank_texts
from fcbdsl.language.model.checks.dropped import dropped_clauses
from fcbdsl.language.model.checks.facts import FactBook, Facts
from fcbdsl.language.model.checks.lints import lint
from fcbdsl.language.model.checks.missions.mission_checks import MissionBook, SoundMission
from fcbdsl.language.model.checks.using import Uses
from fcbdsl.language.model.content import Board, Test
from fcbdsl.language.model.declarations import Field, Form
from fcbdsl.language.model.declaring.boards import check_sort, declare_ground, shared_words
from fcbdsl.language.model.declaring.collect import Declaration, Heads, Index, check_heads, collect_heads, read_head
from fcbdsl.language.model.declaring.components import declare_components, declare_systems, languages
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.definitions import declare_definitions, read_boards, read_player_ranges
from fcbdsl.language.model.declaring.interface import (
    Changes,
    Table,
    actions_of,
    ground_of,
    interface_changes,
    interface_of,
)
from fcbdsl.language.model.declaring.kinds import declare_columns, declare_kinds, declare_nouns
from fcbdsl.language.model.declaring.plays import declare_actions
from fcbdsl.language.model.declaring.scripts import declare_test, declared_again
from fcbdsl.language.model.declaring.signatures import declare_forms, read_signatures, read_variant_texts
from fcbdsl.language.model.declaring.units import (
    PROGRAMS,
    CheckUnit,
    DefinitionUnit,
    FormUnit,
    GamePrograms,
    KeptUnit,
    PlayUnit,
    TestUnit,
    head_of,
    is_broken,
    read_game,
    unread,
)
from fcbdsl.language.model.declaring.windows import declare_windows
from fcbdsl.language.model.identity_cache import Entry, IdentityCache, Key
from fcbdsl.language.model.ir import Node
from fcbdsl.language.model.ir.node import restore_walks, walks_of
from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.model.overlay import name_language, overlay
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.language.model.roots import game_roots
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import Clause, File, Line


def check(
    files: Sequence[File],
    *,
    switches: Mapping[str, str] | None = None,
    spoken: Sequence[str] = (),
    proofs: Sequence[str] = (),
    catalogs: Sequence[Catalog] = (),
    lent: Sequence[str] = (),
) -> tuple[Model, list[Diagnostic]]:
    """Return the model of files (`core` among them) and all diagnostics about them.

    `switches`: values of variants in the project settings. `spoken`: languages of the project (empty: those of its
    systems). `proofs`: names of the files that contain tests. `catalogs`: translations that are not in the sources.
    `lent`: names of the files that are shipped with fcb and that the project uses.

    Never raises for a mistake of an author.
    """
    checker = Checker(switches or {}, spoken, proofs, catalogs, lent)
    return checker.update(files), checker.problems()


@dataclass(frozen=True, slots=True)
class _Place:
    """Mission, map and number of players of a test, as read from its line, with the problems of that line."""

    line: Line
    mission: tuple[str, str] | None
    board: Board | None
    players: int
    problems: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Contributions of tests outside of these files: names of areas on their maps, events that they announce, variants
    that they set."""

    areas: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()
    tested: tuple[str, ...] = ()


@dataclass(slots=True)
class KeptDeclarations:
    """Everything that was declared of sources without problems in their declarations, so that another process can
    renew single bodies.

    `model`: without tests. `nouns`: see `Vocabulary`. `files`: the lines of each file without tests, by name.
    `digests`: what the caller has found of the declarations and of the bodies of forms.
    """

    model: Model
    languages: tuple[str, ...]
    nouns: dict[str, tuple[Line, Clause]]
    areas: tuple[str, ...]
    required: dict[str, tuple[Field, ...]]
    files: dict[str, tuple[Line, ...]]
    digests: tuple[Table, str] | None = None


@dataclass(slots=True)
class KeptCheck:
    """Serializable state of a checker, without tests, that another checker can start from.

    It contains heads of declarations, bodies, the interface, facts about declarations, missions without problems, and
    the nodes of each piece of behavior.
    """

    heads: list[Declaration]
    units: list[KeptUnit]
    entries: list[tuple[Key, Entry]]
    ground: Table
    interface: Table
    actions: Table
    game: GamePrograms | None
    facts: list[Facts]
    missions: tuple[list[SoundMission], list[SoundMission]]
    walks: list[tuple[Node, ...]]
    declared: KeptDeclarations | None


@dataclass(slots=True)
class Done:
    """Counts of what an update has done.

    `units`: number of bodies. `read`: bodies that were read in this update. `declared`: whether everything was declared
    again. `missions`: missions that were checked when the problems were requested.
    """

    units: int = 0
    read: int = 0
    missions: int = 0
    declared: bool = False


class Checker:
    """Incremental checker: a model of files that is updated when the files change.

    It has three layers: the lines of files; the interface (kinds, columns, forms, events, ids and everything else that
    bodies can mention); and the bodies, each a `CheckUnit`. An edit inside a body reads only that body again. Any other
    edit declares everything again with the same `IdentityCache`, and reads the bodies with a word whose meaning has
    changed. A body with a mistake is read every time, because its suggestions may come from any declaration.
    """

    def __init__(
        self,
        switches: Mapping[str, str],
        spoken: Sequence[str],
        proofs: Sequence[str],
        catalogs: Sequence[Catalog] = (),
        lent: Sequence[str] = (),
    ) -> None:
        self._switches, self._spoken, self._proofs = switches, spoken, tuple(proofs)
        self._catalogs, self._lent = tuple(catalogs), tuple(lent)
        self._entries = IdentityCache()
        self._context: Context | None = None
        self._files: Sequence[File] = ()
        self._units: dict[int, CheckUnit] = {}  # by the identity of their lines, in the order of reading
        self._places: dict[int, _Place] = {}  # of tests, by the identity of their lines
        self._ground: Table = {}
        self._interface: Table = {}
        self._actions: Table = {}
        self._declaring: list[Diagnostic] = []  # problems found while everything was declared
        self._unread: dict[int, tuple[Line, list[Line]]] = {}  # outside of units: lines with unread clauses
        self._game: GamePrograms | None = None
        self._begun: KeptCheck | None = None
        self._facts = FactBook()
        self._uses = Uses()
        self._missions = MissionBook()
        self._broken: dict[int, tuple[Line, bool]] = {}  # whether lines are broken, of a declaration by its line
        self._heads: Heads = {}
        self._elsewhere = Elsewhere()
        self._restored: dict[int, KeptUnit] = {}  # units restored from the cache, by their line
        self.done = Done()

    def snapshot(self, with_words: bool = False) -> KeptCheck:
        """Return the state of the checker, without tests, for another process. `with_words`: it will begin with other
        declarations, so that it needs the words of all texts."""
        units = [unit.snapshot(with_words) for unit in self._units.values() if not isinstance(unit, TestUnit)]
        heads = [declaration for _, declaration in self._heads.values() if declaration.sort != "test"]
        entries = list(self._entries.items())
        facts, missions = self._facts.snapshot(), self._missions.snapshot()
        mentioned = self._ground, self._interface, self._actions
        trees = [root for _, root in game_roots(self.model)]
        walks = list(walks_of(trees))
        declared = self._declarations() if facts else None
        return KeptCheck(heads, units, entries, *mentioned, self._game, facts, missions, walks, declared)

    def _declarations(self) -> KeptDeclarations | None:
        """Return what was declared; None if some declaration has a problem."""
        context = self.context
        if self._declaring or self._unread or context.broken_kinds or context.vocabulary.unsound:
            return None
        tests = {id(declaration.line): None for declaration in context.index.of("test")}
        if len(self._heads) != len(context.index.all):
            return None
        files = {
            file.source.name: tuple([line for line in file.lines if id(line) not in tests]) for file in self._files
        }
        return KeptDeclarations(
            replace(context.model, tests=[]),
            context.known_languages,
            context.vocabulary.nouns,
            self._elsewhere.areas,
            context.required,
            files,
        )

    def _resume(self, files: Sequence[File]) -> None:
        """Take over what an earlier check has declared, if only bodies have changed since."""
        begun = self._begun
        declared = None if begun is None else begun.declared
        if begun is None or declared is None or declared.areas != self._elsewhere.areas:
            return
        model = declared.model
        proofs = dict.fromkeys((*model.proofs, *self._proofs)) if tuple(self._proofs) != model.proofs else {}
        if self._lent != model.lent or any(head.line.source.name in proofs for head in begun.heads):
            return
        before = {name: lines for name, lines in declared.files.items() if not all(map(_is_use, lines))}
        now = [file for file in files if not all(map(_is_use, file.lines))]
        if [file.source.name for file in now] != list(before):
            return
        heads = {id(head.line): head for head in begun.heads}
        for file in now:
            lines = before[file.source.name]
            if len(lines) != len(file.lines):
                return
            for old, new in zip(lines, file.lines, strict=True):
                if old is not new and (id(old) not in heads or _redeclared(heads[id(old)], new) is None):
                    return
        problems = Problems()
        vocabulary = Vocabulary(model)
        vocabulary.nouns.update(declared.nouns)
        vocabulary.add_areas(declared.areas)
        vocabulary.settle()
        index = Index()
        for head in begun.heads:
            index.add(head)
        self._context = Context(
            model,
            problems,
            index,
            vocabulary,
            Resolver(vocabulary, problems),
            self._switches,
            known_languages=declared.languages,
            required=declared.required,
            entries=self._entries,
        )
        model.proofs = self._proofs
        self._files = [File(Source(name, ""), lines) for name, lines in before.items()]
        self._units = {id(unit.declaration.line): unit.unit() for unit in begun.units}
        self._restored = {}
        self._facts.resume()

    def restore(self, snapshot: KeptCheck) -> None:
        """Restore the state of another checker with the same settings. Unchanged texts of its files are not read
        again."""
        self._heads = {id(head.line): (head.line, head) for head in snapshot.heads}
        self._restored = {id(unit.declaration.line): unit for unit in snapshot.units}
        self._entries = IdentityCache(snapshot.entries)
        self._ground, self._interface, self._actions = snapshot.ground, snapshot.interface, snapshot.actions
        self._game, self._begun = snapshot.game, snapshot
        self._facts.restore(snapshot.facts)
        self._missions.restore(snapshot.missions)
        restore_walks(snapshot.walks)

    def restored_digests(self) -> tuple[Table, str] | None:
        """Return the digests in the restored state; None if declarations or bodies of forms have changed since."""
        begun = self._begun
        declared = None if begun is None else begun.declared
        if begun is None or declared is None or self._interface is not begun.interface:
            return None
        return declared.digests if self._actions == begun.actions and self.read_since() == [] else None

    def read_since(self) -> list[Form] | None:
        """Return the forms whose bodies were read since the saved state was restored.

        None if no state was restored, or if an entry of its interface has changed or is gone. New entries may be there.
        """
        begun = self._begun
        if begun is None or not (begun.interface.items() <= self._interface.items()):
            return None
        if not (begun.actions.items() <= self._actions.items()):
            return None
        stay = {id(unit.made) for unit in begun.units}
        return [
            unit.owner for unit in self._units.values() if isinstance(unit, FormUnit) and id(unit.found) not in stay
        ]

    @property
    def context(self) -> Context:
        """Return the context that the passes of the last update shared."""
        assert self._context is not None, "there is no model before the first update"
        return self._context

    @property
    def model(self) -> Model:
        """Return the current model.

        An update changes it in place, or creates a new model that shares entries with the old one.
        """
        return self.context.model

    def units(self) -> Iterator[CheckUnit]:
        """Yield the bodies of the model, in order of reading."""
        yield from self._units.values()

    @property
    def interface(self) -> Table:
        """Return the table of everything that bodies can mention, actions included."""
        return self._interface | self._actions

    @property
    def strangers(self) -> Collection[str]:
        """Return the names of the files that don't `use` all systems and packs that there are."""
        return self._uses.strangers(self._files)

    def facts(self) -> list[Facts]:
        """Return facts about the behavior of each declaration."""
        return self._facts.of(self.model, self._bodies_alone())

    def _bodies_alone(self) -> bool:
        """Return whether only bodies that other declarations cannot see have changed since the saved state was
        restored."""
        begun = self._begun
        if begun is None or self._declaring or self._interface != begun.interface or self._actions != begun.actions:
            return False
        now = [declaration for declaration in self.context.index.all if declaration.sort != "test"]
        pairs = zip(begun.heads, now, strict=False)
        return len(begun.heads) == len(now) and all(a is b or head_of(a) == head_of(b) for a, b in pairs)

    def needing(self) -> list[Form]:
        """Return the forms that need an acting figure or player."""
        needing_forms = needing(self.facts())
        return [form for form in self.model.forms if id(form) in needing_forms]

    def update(
        self, files: Sequence[File], proofs: Sequence[str] | None = None, elsewhere: Elsewhere | None = None
    ) -> Model:
        """Update the model to `files`; lines that are the same objects as before are not read again.

        `proofs`: names of the files with tests, if they have changed. `elsewhere`: likewise.
        """
        if proofs is not None and tuple(proofs) != self._proofs:
            self._proofs, self._files = tuple(proofs), ()
        if elsewhere is not None and elsewhere != self._elsewhere:
            self._files = self._files if elsewhere.areas == self._elsewhere.areas else ()
            self._elsewhere = elsewhere
        with collector_paused(), comparing(bounds.LETTERS_COMPARED):
            if self._context is None:
                self._resume(files)
            edits = self._edits(files) if self._context is not None else None
            self._files = tuple(files)
            self.done = Done()
            if self._context is not None:
                self._context.reader.pondered = 0
            if edits is None or not self._renewed(edits):
                self._declare()
            overlay(self.model, self._catalogs)
            name_language(self.model)
            self.done.units = len(self._units)
        return self.model

    def problems(self, whole: bool = True) -> list[Diagnostic]:
        """Return all problems, by place; without `whole`, only those that do not need the whole model."""
        assert self._context is not None
        diagnostics = [*self._declaring, *(self._game.problems if self._game is not None else ())]
        for unit in self._units.values():
            diagnostics += unit.problems
        problems = self._context.problems
        problems.taken()
        problems.extend(diagnostics)
        if whole:
            lost = dict(self._unread)
            lost |= {key: (unit.declaration.line, unit.unread) for key, unit in self._units.items() if unit.unread}
            if lost:
                problems.extend(list(dropped_clauses(lost, problems)))
            problems.extend(blank_texts(self._files, self._context.model.lent))
            with collector_paused(), comparing(bounds.LETTERS_COMPARED):
                facts = self.facts()
                announced, tested = map(dict.fromkeys, (self._elsewhere.announced, self._elsewhere.tested))
                lint(self._context, [*facts, Facts(None, announced=announced, tested=tested)])
                self._uses.check(self._context, self._files, facts)
                broken = any(self._is_broken(declaration.line) for declaration in self._context.index.all)
                self.done.missions = self._missions.check(self._context, self._facts, broken)
        return problems.sorted()

    def _is_broken(self, line: Line) -> bool:
        cached = self._broken.get(id(line))
        if cached is None or cached[0] is not line:
            cached = self._broken[id(line)] = line, is_broken(line)
        return cached[1]

    # ── an edit of bodies ─────────────────────────────────────────────────────────────────────

    def _edits(self, files: Sequence[File]) -> list[tuple[Line, Line]] | None:
        """Return pairs of lines (old, new) at the same position; None if files or lines were added or removed."""
        declaring = [file for file in files if not all(map(_is_use, file.lines))]
        declaring_before = [file for file in self._files if not all(map(_is_use, file.lines))]
        if len(declaring) != len(declaring_before):
            return None
        out: list[tuple[Line, Line]] = []
        for old, new in zip(declaring_before, declaring, strict=True):
            if old is new:
                continue
            if old.source.name != new.source.name or len(old.lines) != len(new.lines):
                return None
            out += [pair for pair in zip(old.lines, new.lines, strict=True) if pair[0] is not pair[1]]
        return out

    def _renewed(self, edits: Sequence[tuple[Line, Line]]) -> bool:
        """Read only the bodies that were edited.

        Return False if something besides bodies was edited, if declarations were moved, or if they have problems
        (which may point at any line).
        """
        context = self.context
        if self._declaring or any(context.index.at(new) is not None for _, new in edits):
            return False
        pairs: list[tuple[Declaration, Declaration]] = []
        for old, new in edits:
            declaration = context.index.at(old)
            if declaration is None:
                return False
            again = _redeclared(declaration, new)
            if again is None:
                return False
            pairs.append((declaration, again))
        context.problems.taken()
        context.lines.clear()
        for old_declaration, again in pairs:
            context.index.replace(old_declaration, again)
        replaced = {id(old.line): again for old, again in pairs}
        programs = any(again.sort in PROGRAMS for _, again in pairs)
        for key, unit in [(key, unit) for key, unit in self._units.items() if key in replaced or unit.problems]:
            self._reread(context, key, unit, replaced.get(key, unit.declaration))
        if programs or self._game is None or self._game.problems:
            self._game = read_game(context)
            self._facts.renew_game()
        actions = actions_of(context)
        changed = interface_changes(self._actions, actions, context)
        self._actions = actions
        for key, unit in list(self._units.items()) if changed else ():
            if isinstance(unit, TestUnit) and changed.touch(unit.words):
                self._reread(context, key, unit, unit.declaration)
        self._ordered(context)
        return True

    def _reread(self, context: Context, key: int, unit: CheckUnit, declaration: Declaration) -> None:
        """Read a unit again; it keeps its place in the order."""
        before = unit.owner
        if not isinstance(unit, TestUnit):
            context.lines.clear()  # they may mention what is read now
        again = unit.renew(context, declaration)
        context.problems.taken()  # problems of its head have already been reported
        again.read(context)
        self._facts.renew(before, again.owner)
        self.done.read += 1
        new = id(declaration.line)
        if new == key:
            self._units[key] = again
            return
        self._units = {new if at == key else at: again if at == key else other for at, other in self._units.items()}
        if key in self._places:
            self._places[new] = self._places.pop(key)

    def _ordered(self, context: Context) -> None:
        """Put rules, invariants and prospects into the order of their declarations."""
        for sort, declared in (("rule", context.model.rules), ("invariant", context.model.invariants),
                            ("prospect", context.model.prospects)):  # fmt: skip
            units = [unit for unit in self._units.values() if unit.declaration.sort == sort and unit.owner is not None]
            in_order = {unit.declaration.id: unit.owner for unit in units}
            if list(in_order.items()) != list(declared.items()):
                declared.clear()
                declared.update(in_order)  # type: ignore[arg-type]

    # ── everything ────────────────────────────────────────────────────────────────────────────

    def _declare(self) -> None:
        """Declare everything, and read the bodies that this may have changed."""
        problems = Problems()
        self._entries.begin()
        context = _context(self._files, problems, self._switches, self._spoken, self._entries, self._heads, self._lent)
        context.model.lent = self._lent
        self._context = context
        context.model.proofs = self._proofs
        index = context.index
        declare_systems(context)
        declare_kinds(context)
        declare_components(context)
        declare_ground(context.model)
        context.model.legends = tuple(dict.fromkeys(shared_words(context)))
        drafts = declare_definitions(context)
        declare_columns(context)
        boards = read_boards(context, drafts)
        read_player_ranges(context, drafts)
        ground = ground_of(context)
        context.vocabulary.add_areas(self._elsewhere.areas)
        tests = self._placed(context, interface_changes(self._ground, ground, context))
        check_sort(context, [*boards, *(test.board for test, _ in tests if test.board is not None)])
        declare_nouns(context)
        declare_actions(context)
        forms = declare_forms(context)
        read_signatures(context, forms)
        read_variant_texts(context)
        declare_windows(context)
        for reading in context.later:
            reading()
        context.vocabulary.settle()
        interface = interface_of(context)
        changed = interface_changes(self._interface, interface, context)
        self._facts.forget_declared()
        self._declaring = problems.taken()
        before = {key: unit.snapshot() for key, unit in self._units.items()} | self._restored
        self._units, self._restored = {}, {}
        self._read([FormUnit(draft.declaration, draft=draft) for draft in forms], before, changed)
        self._read([PlayUnit(declaration) for declaration in index.of("action")], before, changed)
        actions = actions_of(context)
        of_actions = interface_changes(self._actions, actions, context)
        self._read(
            [PlayUnit(declaration) for declaration in index.of("rule", "invariant", "prospect")], before, changed
        )
        self._game = read_game(context, self._game, Changes(changed.words | of_actions.words, changed.everything))
        self._read([DefinitionUnit(draft.declaration, draft=draft) for draft in drafts], before, changed)
        changed.words |= of_actions.words
        self._read([TestUnit(declaration, test=test) for test, declaration in tests], before, changed)
        self._ground, self._interface, self._actions = ground, interface, actions
        self._unread = {}
        for line in (line for file in self._files for line in file.lines if id(line) not in self._units):
            lines = unread(line, context.reader)
            if lines:
                self._unread[id(line)] = line, lines
        stay = {id(declaration.line) for declaration in index.all}
        self._broken = {key: cached for key, cached in self._broken.items() if key in stay}
        context.model.tests = [unit.owner for unit in self._units.values() if isinstance(unit, TestUnit)]
        self.done.declared = True

    def _placed(self, context: Context, changed: Changes) -> list[tuple[Test, Declaration]]:
        """Return all tests with their settings, which are read again if anything affecting them has changed."""
        out: list[tuple[Test, Declaration]] = []
        places: dict[int, _Place] = {}
        for declaration in context.index.of("test"):
            key = id(declaration.line)
            placed, unit = self._places.get(key), self._units.get(key)
            if placed is None or unit is None or placed.problems or changed.touch(unit.words):
                before = context.problems.taken()
                test = declare_test(context, declaration)
                placed = _Place(
                    declaration.line, test.mission, test.board, test.players, tuple(context.problems.taken())
                )
                context.problems.extend(before)
            else:
                test = declared_again(context, declaration, placed.mission, placed.board, placed.players)
            context.problems.extend(placed.problems)
            context.model.tests.append(test)
            places[key] = placed
            out.append((test, declaration))
        self._places = places
        return out

    def _read(self, units: Sequence[CheckUnit], before: Mapping[int, KeptUnit], changed: Changes) -> None:
        """Read units, or keep what was read of them before."""
        assert self._context is not None
        for unit in units:
            key = id(unit.declaration.line)
            old = before.get(key)
            if old is not None and old.declaration is not unit.declaration:
                old = None
            if old is None or old.problems or changed.everything or (changed and changed.touch(old.words)):
                self._facts.forget(unit.owner)
                unit.read(self._context)
                self.done.read += 1
                if old is not None and not old.problems and not unit.problems:
                    unit.settle(self._context, old)
            else:
                unit.keep(self._context, old)
            self._units[key] = unit


def _is_use(line: Line) -> bool:
    """Return whether a line only uses a system or a pack, and is well formed: it declares nothing."""
    problems = Problems()
    return keyword_of(line) == "use" and read_head(line, "", problems) is None and not problems.taken()


def _redeclared(declaration: Declaration, line: Line) -> Declaration | None:
    """Return the declaration of a line if others see the same of it as of an earlier one; else None."""
    problems = Problems()
    again = read_head(line, declaration.system, problems)
    return None if again is None or problems.taken() or head_of(declaration) != head_of(again) else again


def _context(
    files: Sequence[File],
    problems: Problems,
    switches: Mapping[str, str],
    spoken: Sequence[str],
    entries: IdentityCache,
    heads: Heads,
    lent: Sequence[str],
) -> Context:
    """Begin to declare: collect the declarations, and make an empty model with its resolver."""
    model = Model()
    declare_builtins(model, entries)
    index = collect_heads(files, problems, heads, lent)
    vocabulary = Vocabulary(model)
    resolver = Resolver(vocabulary, problems)
    context = Context(model, problems, index, vocabulary, resolver, switches, entries=entries)
    languages(context, spoken)
    check_heads(index, problems)
    return context
