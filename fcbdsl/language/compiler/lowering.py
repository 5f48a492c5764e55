"""Lowering of a whole model to a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace

from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import mypyc_attr
from fcbdsl.language.compiler import action_rows, bodies, definition_rows, offer_code, rows, value_codes
from fcbdsl.language.compiler.instrumentation import Probes, WatchedNode
from fcbdsl.language.compiler.linking import LinkedMemory, linked_unit
from fcbdsl.language.compiler.lowering_context import KeptLowering, Unit
from fcbdsl.language.compiler.memo_table import Memory
from fcbdsl.language.model.content import Test
from fcbdsl.language.model.declarations import CHANGE, Form
from fcbdsl.language.model.declaring.windows import ANY
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.ops import NAMES


@collector_paused()
def lower(model: Model, tests: bool = False) -> vm.Program:
    """Return the program of a checked model, with its content tests if `tests`.

    The same model gives the same program, byte for byte.
    """
    return program_without_hash(model, tests).sealed()


@collector_paused()
def program_without_hash(model: Model, tests: bool = False) -> vm.Program:
    """Return the program without its hash, for immediate use without caching."""
    return _program(Unit(model), tests)


def instrumented_program(model: Model, watched: Iterable[WatchedNode]) -> tuple[vm.Program, dict[tuple[int, int], int]]:
    """Return the program of a model with its tests, unsealed, and the watched node of each probe, per code and op.

    Nodes are given by their position in `watched`. The program plays like the one that `lower` returns, but slower,
    because relations and measures are called and not inlined.
    """
    probes = Probes({(id(node), way): number for number, (node, way) in enumerate(watched)})
    return _program(Unit(model, probes), True), probes.places


def linked_program(
    model: Model, before: KeptLowering, changed: Iterable[Form]
) -> tuple[vm.Program, frozenset[int]] | None:
    """Return the program that `program_without_hash` makes, and the numbers of the codes that an earlier lowering made.

    Only what differs from that lowering is lowered: see `BothLowerings`. Return None if its numbering does not fit.
    """
    unit = linked_unit(model, before, changed)
    if unit is None:
        return None
    program = _program(unit, False)
    assert isinstance(unit.memory, LinkedMemory)
    return program, frozenset(unit.memory.moved)


class BothLowerings:
    """Lowers a model without its tests, with some, or both, and shares the common results.

    `before`: the results of an earlier process, used as the baseline; at most the forms in `changed` may have other
    bodies, other changed things must be new objects, and new declarations must come last. Numbers may differ from those
    of `program_without_hash`.
    """

    def __init__(self, model: Model, before: KeptLowering | None = None, changed: Iterable[Form] = ()) -> None:
        self._model, self._before, self._changed = model, before, tuple(changed)
        self._done: tuple[_Game, vm.Program, bool] | None = None
        self._of_program: frozenset[int] = frozenset()  # the numbers of codes that `program` uses
        self._explained: tuple[vm.Action, ...] | None = None
        self.shared: frozenset[int] = frozenset()
        """The numbers of codes that the programs of `tested` and `program` share."""

    @property
    def _lowered(self) -> tuple[_Game, vm.Program, bool]:
        """Return the lowered model without tests, its program, and whether no baseline was used."""
        if self._done is None:
            followed = self._from_before(tests=False)
            if followed is not None:
                self._done = *followed, False
            else:
                unit = Unit(self._model)
                unit.memory = Memory()
                unit.recorded()
                game = _game(unit)
                self._done = game, game.program(), True
            memory = self._done[0].unit.memory
            assert memory is not None
            self._of_program = frozenset(memory.standing)
        return self._done

    def _from_before(self, tests: bool) -> tuple[_Game, vm.Program] | None:
        """Return the model lowered from the baseline, and its program; None if there is no baseline, or it does not
        fit."""
        before = self._before
        unit = None if before is None else Unit.from_snapshot(self._model, before, self._changed)
        if before is None or unit is None or unit.memory is None:
            return None
        unit.memory.records = not tests  # no later lowering starts from one with tests
        if not tests:
            unit.recorded()
        game = _game(unit)
        program = game.with_tests(self._model.tests) if tests else game.program()
        # A fresh lowering numbers areas by their first mention, and players see them in this order.
        return (game, program) if not before.areas or unit.areas.values() == before.areas else None

    @property
    def program(self) -> vm.Program:
        """Return the program without tests; it plays like the one that `program_without_hash` makes."""
        return self._lowered[1]

    @property
    def whole(self) -> bool:
        """Return whether the program equals that of `program_without_hash`, because no baseline was used."""
        return self._lowered[2]

    @property
    def restored(self) -> frozenset[int]:
        """Return the numbers of codes that were reused from the baseline."""
        game, _, whole = self._lowered
        memory = game.unit.memory
        return frozenset() if whole or memory is None else memory.taken_over

    @collector_paused()
    def snapshot(self) -> KeptLowering:
        """Return the results for another process, with the reasons why actions are not available.

        The program of `without_tests` made afterwards contains all of its codes.
        """
        self._explaining()
        return self._lowered[0].unit.snapshot()

    def _explaining(self) -> tuple[vm.Action, ...]:
        """Return the rows of actions with the reasons why they are not available."""
        if self._explained is None:
            game = self._lowered[0]
            self._explained = game.explained()
            _write_forms(game.unit)
        return self._explained

    def tested(self) -> vm.Program:
        """Return the program with its tests, unsealed. It plays like the one that `lower` makes; its numbers may
        differ."""
        followed = self._from_before(tests=True) if self._done is None else None
        if followed is not None:
            return followed[1]  # without lowering the program without tests first
        return self._with_tests(self._model.tests)

    def with_sample_steps(self) -> vm.Program:
        """Return a program like that of `tested`, with a sample of the steps that is enough to verify all codes of
        tests."""
        from fcbdsl.language.compiler.step_samples import sample_steps

        return self._with_tests(sample_steps(self._model.tests))

    def without_tests(self) -> vm.Program:
        """Return a program like that of `tested`, but without the tests themselves."""
        return self._with_tests(())

    def _with_tests(self, tests: Iterable[Test]) -> vm.Program:
        """Return the program with some tests, which extends the one without tests."""
        actions = self._explaining()
        self.shared = self._of_program
        return self._lowered[0].extended().with_tests(tests, actions)


class Relowering:
    """Lowers a model with its tests incrementally while some of its bodies change.

    `program`: the program of the model at the start.
    """

    def __init__(self, model: Model) -> None:
        self._unit = Unit(model)
        self._unit.memory = Memory()
        self.program = _program(self._unit, True)

    def again(self, changed: Iterable[Form]) -> vm.Program | None:
        """Return the unsealed program of the current model after the bodies of some forms have changed.

        Bodies of actions, rules and programs may have changed, too, if they are new objects. The program plays like the
        one that `lower` returns. Its numbers may differ, and it lacks the reasons why an action is not available.
        Return None if the model must be lowered from scratch.
        """
        unit = self._unit.again(changed)
        program = _program(unit, True, telling=False)
        return program if len(unit.lastings) == len(self._unit.lastings) else None


class FollowedLowering:
    """A model that is lowered after each edit of its bodies, to the same program as `program_without_hash` makes.

    Parts that an edit does not touch are lowered once if the others can keep their numbers. If not, the whole model is
    lowered.
    `whole`: whether the last program was made that way. A redeclared model needs a new object."""

    def __init__(self, model: Model, tests: bool) -> None:
        self.model = model
        self.whole = False
        self._tests = tests
        self._unit: Unit | None = None
        self._numbered = ""
        self._bodies: list[tuple[Form, object]] = []

    @collector_paused()
    def program(self) -> vm.Program:
        """Return the program of the model as it is now, without its hash."""
        followed = self._followed()
        self.whole = followed is None
        if followed is None:
            unit = Unit(self.model)
            unit.memory = Memory()
            unit.traced()
            self._numbered = unit.numbered()
            followed = unit, _program(unit, self._tests)
        self._unit = followed[0]
        self._bodies = [(form, form.body) for form in self.model.forms]
        return followed[1]

    def _followed(self) -> tuple[Unit, vm.Program] | None:
        """Lower what an edit has touched; None if that would give other numbers than lowering everything."""
        before, bodies = self._unit, self._bodies
        if before is None or [id(form) for form in self.model.forms] != [id(form) for form, _ in bodies]:
            return None
        unit = before.followed([form for form, body in bodies if form.body is not body])
        if unit.numbered() != self._numbered:
            return None
        program = _program(unit, self._tests)
        same_codes = len(unit.codes) == len(before.codes) and unit.is_current()
        return (unit, program) if same_codes and unit.follows() else None


def _program(unit: Unit, tests: bool, telling: bool = True) -> vm.Program:
    """Return the program of a unit's model. `telling`: failing tests can show the requirements that an action lacks."""
    game = _game(unit)
    return game.with_tests(unit.model.tests, None if telling else game.actions) if tests else game.program()


@collector_paused()
def _game(unit: Unit) -> _Game:
    """Return the lowered game of a unit's model."""
    return _Game(unit)


@mypyc_attr(serializable=True)  # it is copied
class _Game:
    """The rows of a program that come from the game, without its tests.

    Requirements and tests are lowered later: the numbers of the game's codes and lasting effects do not depend on them.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        model = unit.model
        _behaviour(unit)
        self._written = definition_rows.lower_definitions(unit)
        self._offers = offer_code.offers_code(unit)
        self.actions = tuple([action_rows.action_row(unit, declared) for declared in model.actions.values()])
        self._setup = tuple([bodies.effect(unit, "setup", body) for body in model.setup])
        self._flow = value_codes.NONE if model.flow is None else bodies.effect(unit, "flow", model.flow)
        self._journey = value_codes.NONE if model.journey is None else bodies.effect(unit, "journey", model.journey)
        self._outlook = value_codes.NONE if model.outlook is None else bodies.answering(unit, "outlook", model.outlook)
        self._preferences = tuple([action_rows.preference(unit, declared) for declared in model.preferences])
        self._invariants = tuple([action_rows.invariant_row(unit, declared) for declared in model.invariants.values()])
        self._prospects = tuple([action_rows.prospect(unit, declared) for declared in model.prospects.values()])
        self._columns = rows.column_rows(unit)
        self._zones = tuple(rows.zones(unit))
        self._windows = _windows(unit)
        for kind in model.kinds.values():
            if kind.supposing is not None:
                name = f"{kind.id}, supposing"
                unit.suppositions[kind.id] = bodies.supposition(unit, name, kind.supposing)
        self._verbs: list[vm.Verb] = []
        self._guards = 0
        self._finish()

    def extended(self) -> _Game:
        """Return a copy for lowering tests after the game; this object stays as it is."""
        out = copy(self)
        out.unit = self.unit.extended()
        written = self._written
        out._written = replace(written, definitions=[*written.definitions], boards=[*written.boards])
        out._verbs = [*self._verbs]
        return out

    def explained(self) -> tuple[vm.Action, ...]:
        """Return the rows of actions with the reasons why they are not available."""
        pairs = zip(self.actions, self.unit.model.actions.values(), strict=True)
        return tuple([replace(row, requires=offer_code.requirements(self.unit, declared)) for row, declared in pairs])

    @collector_paused()
    def with_tests(self, tests: Iterable[Test], actions: Sequence[vm.Action] | None = None) -> vm.Program:
        """Return the program with some tests. `actions`: their rows; None: explain why they are not available."""
        if actions is None:
            actions = self.explained()
        tested = tuple([_test(self.unit, test, self._written.boards) for test in tests])
        self._finish()
        return self.program(actions, tested)

    def _finish(self) -> None:
        """Write the codes that were only mentioned so far (forms, event verbs, guards), until no new one is
        mentioned."""
        unit, verbs, definitions = self.unit, self._verbs, self._written.definitions
        while unit.pending or len(verbs) < len(unit.verbs) or self._guards < len(unit.guard_fields()):
            _write_forms(unit)
            for form in unit.verbs[len(verbs) :]:
                body = unit.form_code(form) if form.body is not None else bodies.native(unit, form)
                assert form.event is not None
                verbs.append(vm.Verb(form.id, body, unit.event(form.event)))
            guards_before, self._guards = self._guards, len(unit.guard_fields())
            for number, values in definition_rows.guard_values(unit, guards_before, self._guards).items():
                row = definitions[number]
                definitions[number] = replace(row, values=(*row.values, *values))

    @collector_paused()
    def program(self, actions: Sequence[vm.Action] | None = None, tests: tuple[vm.Test, ...] = ()) -> vm.Program:
        """Return the program of everything that is lowered. `actions`: their rows, if they are explained."""
        unit, written = self.unit, self._written
        model = unit.model
        dice, ladders = rows.dice_and_ladders(unit)
        return vm.Program(
            name=model.system,
            ops=NAMES,
            players=model.players,
            loss_first=model.loss_first,
            language=model.languages[0],
            kinds=tuple(rows.kinds(unit)),
            fields=(*self._columns, *rows.guard_columns(unit, self._columns)),
            zones=self._zones,
            definitions=tuple(written.definitions),
            codes=unit.finished(),
            args=unit.args.values(),
            labels=unit.labels.values(),
            verbs=tuple(self._verbs),
            stages=tuple(rows.stages(unit)),
            relations=rows.told_relations(unit),
            events=tuple(rows.event(unit, event) for event in unit.events),
            listeners=tuple(unit.listeners),
            windows=self._windows,
            modifiers=tuple(unit.modifiers),
            lastings=tuple(unit.lastings),
            limits=tuple(limit for limit, _ in unit.limits.values()),
            actions=self.actions if actions is None else tuple(actions),
            dice=tuple(dice),
            ladders=tuple(ladders),
            switches=tuple(vm.Switch(s.id, tuple(s.values), s.set_to) for s in model.switches.values()),
            offers=self._offers,
            tracks=tuple(written.tracks),
            tiers=tuple(written.tiers),
            terrains=tuple(rows.terrains(unit)),
            barriers=tuple(rows.barriers(unit)),
            marks=unit.marks.values(),
            mark_titles=rows.mark_titles(unit),
            areas=unit.areas.values(),
            symbols=rows.symbol_titles(unit),
            directions=tuple(rows.title(unit, name) for name in model.directions.values()),
            enums=tuple(rows.enums(unit)),
            boards=tuple(written.boards),
            setup=self._setup,
            flow=self._flow,
            journey=self._journey,
            outlook=self._outlook,
            preferences=self._preferences,
            invariants=self._invariants,
            prospects=self._prospects,
            endings=tuple(rows.ending(unit, ending) for ending in unit.endings),
            acted=_event_number(unit, "acted"),
            track_moved=_event_number(unit, "track moved"),
            won=_event_number(unit, "game won"),
            lost=_event_number(unit, "game lost"),
            changed=unit.event_numbers.get(id(CHANGE), value_codes.NONE),
            tests=tests,
            texts=unit.texts.rows(),
            files=unit.spans.files.values(),
            proofs=tuple(n for n, name in enumerate(unit.spans.files.values()) if name in model.proofs),
            homes=_homes(unit),
            spans=unit.spans.rows(),
        )


def _homes(unit: Unit) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the files of missions that declare actions or rules, each with its missions.

    Files of systems and tests are left out.
    """
    model = unit.model
    own = [*model.actions.values(), *model.rules.values()]
    general = {action.span.source.name for action in model.actions.values() if action.system} | set(model.proofs)
    general |= {kind.span.source.name for kind in model.kinds.values() if kind.system}
    general |= {form.span.source.name for form in model.forms if form.system}
    by_source: dict[str, list[int]] = {}
    for definition in model.definitions.values():
        if any(kind.id == "mission" for kind in definition.kind.lineage()):
            number = unit.entry(definition.kind.id, definition.id)
            by_source.setdefault(definition.span.source.name, []).append(number)
    names = {declared.span.source.name for declared in own} & by_source.keys() - general
    files = enumerate(unit.spans.files.values())
    return tuple([(n, tuple(sorted(by_source[name]))) for n, name in files if name in names])


def _test(unit: Unit, test: Test, boards: list[vm.Board]) -> vm.Test:
    """Return the row of a content test; a reused one may have its board at another number."""
    if unit.memory is None:
        return action_rows.test(unit, test, boards)
    first = len(boards)

    def made(unit: Unit, test: Test) -> vm.Test:
        return action_rows.test(unit, test, boards)

    tables = unit.listeners, unit.modifiers, unit.lastings, boards
    row: vm.Test = unit.memory.result(unit, made, tables, (test,), called="test")
    return replace(row, board=first) if len(boards) > first and row.board != first else row


def _windows(unit: Unit) -> tuple[vm.Window, ...]:
    """Return the windows of events: the order in which players answer an event or order its listeners.

    An event without its own window has that of `any`.
    """
    if not unit.model.windows:
        return ()
    out: list[vm.Window] = []
    offered = {row.event for row in unit.listeners if row.offered}
    for number in sorted({row.event for row in unit.listeners}):
        event = unit.events[number]
        window = unit.model.windows.get(event.id) or unit.model.windows.get(ANY)
        if event is not CHANGE and window is not None and (number in offered or window.forced is not None):
            params = len(event.params) if window.event else 0
            order = forced = value_codes.NONE
            if window.order is not None:
                order = bodies.number_code(unit, f"window {event.id}, order", window.order, params)
            if window.forced is not None:
                forced = bodies.number_code(unit, f"window {event.id}, forced", window.forced, params)
            general = window.event is None and (window.order is not None or window.forced is not None)
            out.append(vm.Window(number, window.per, order, window.in_turn, general, forced))
    return tuple(out)


def _behaviour(unit: Unit) -> None:
    """Lower rules, the listeners of kinds, and the hooks of statuses and tokens."""
    owners = [
        (rule, bodies.Owner("rule", -1, f"rule {rule.id}", condition=rule.condition))
        for rule in unit.model.rules.values()
    ]
    for rule, owner in owners:
        for modifier in rule.modifiers:
            bodies.modifier(unit, modifier, owner)
        for listener in rule.listeners:
            bodies.add_listener(unit, listener, owner)
    for kind in unit.model.kinds.values():
        of_kind = bodies.Owner("kind", unit.kind(kind.id), f"kind {kind.id}", kind=kind)
        for modifier in kind.modifiers:
            bodies.modifier(unit, modifier, of_kind)
        for listener in kind.listeners:
            bodies.add_listener(unit, listener, of_kind)
    for number, column in enumerate(unit.columns):
        counter = bodies.Owner("counter", number, f"{column.field.sort} {column.field.id}")
        for modifier in column.field.modifiers:
            bodies.modifier(unit, modifier, counter)
        for listener in column.field.listeners:
            bodies.add_listener(unit, listener, counter)


def _write_forms(unit: Unit) -> None:
    """Write the codes of forms that were only mentioned so far."""
    while unit.pending:
        form, number = unit.pending.pop(0)
        unit.written.append((form, number))
        bodies.form(unit, form, number)


def _event_number(unit: Unit, name: str) -> int:
    """Return the number of an event of the prelude that the machine announces itself; -1 without the prelude."""
    event = unit.model.events.get(name)
    return value_codes.NONE if event is None else unit.event(event)
