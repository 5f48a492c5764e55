"""State shared while one model is lowered: the numbers of its declarations, and the codes written so far."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from fcbdsl.base.records import dataclass, mypyc_attr
from fcbdsl.base.source import Span
from fcbdsl.base.words import Per
from fcbdsl.language.compiler import numbering
from fcbdsl.language.compiler.access_paths import choose_access_path
from fcbdsl.language.compiler.endings import EndNodes, mission_endings
from fcbdsl.language.compiler.inlining import DEEPEST, Inliner
from fcbdsl.language.compiler.instrumentation import Probes
from fcbdsl.language.compiler.interning import Interned, Spans, TextRow, TextTable, Trace
from fcbdsl.language.compiler.memo_table import KeptMade, Memory
from fcbdsl.language.compiler.walk import Purity, SelfUse
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.declarations import CHANGE, Event, Field, Form, Kind
from fcbdsl.language.model.resolve.scope import own_scope
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.ops import NAMES, tag
from fcbdsl.machine.vm.ops.calls import Ret

P = ParamSpec("P")
T = TypeVar("T")

NOTHING = vm.Code("", (NAMES.index(Ret.name),), n_r=2, n_s=0, spans=(-1,))
"""An empty code, for numbers that are no longer used."""
TAG_OF = {"counter": "field", "formula": "number", "condition": "flag", "nothing": "none"}
"""Tags of types whose values have the names of another type's values."""


@dataclass(slots=True)
class KeptLowering:
    """Serializable result of a lowering, used as the baseline of an incremental one in another process.

    `numbered`: hash of the numbering that another lowering must share; `numbers`: see `Unit.extensible`. `made`:
    memoized results; the tables to which these refer come after it. `places`: see `Spans.snapshot`. `written`: forms
    with the number of their code. `guards`: guard columns of fields with effects.
    """

    numbered: str
    numbers: tuple[tuple[object, ...], ...]
    made: list[KeptMade]
    texts: tuple[TextRow, ...]
    files: tuple[str, ...]
    places: list[Span]
    args: tuple[tuple[tuple[int, int], ...], ...]
    labels: tuple[tuple[int, ...], ...]
    limits: tuple[tuple[vm.Limit, str], ...]
    areas: tuple[str, ...]
    codes: tuple[vm.Code, ...]
    verbs: list[Form]
    written: list[tuple[Form, int]]
    guards: list[tuple[int, int]]
    hears_changes: bool


@dataclass(frozen=True, slots=True)
class ColumnOfKind:
    """A column with a field of a kind: its number, the declaration that applies, and whether a holder uses its
    effects."""

    number: int
    declared: Field
    owned: bool


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)  # it is copied
class Unit:
    """Numbers of a model's declarations in its program, and the program's growing tables.

    A form's code gets its number at the first mention; `pending` contains the forms whose code is not written yet.
    """

    def __init__(self, model: Model, probes: Probes | None = None, end_nodes: EndNodes | None = None) -> None:
        """`end_nodes`: the nodes that the unit before has found."""
        self.model = model
        self.probes = probes
        """Coverage probes. If there are any, calls are not inlined, because inlined code has no probes."""
        self.kinds = Interned(numbering.family_order(model))
        self.columns = numbering.number_columns(model, list(self.kinds.values()))
        self.column_numbers = {id(field): n for n, column in enumerate(self.columns) for field in column.declared}
        self.zones = Interned(numbering.zone_keys(model, list(self.kinds.values())))
        self.entries = numbering.definition_entries(model)
        self.entry_numbers = {id(entry.source): n for n, entry in enumerate(self.entries)}
        self.dice = Interned(model.dice)
        self.symbols = Interned([*model.symbols(), *model.faces_shown()])
        self.terrains = Interned(model.terrains)
        self.barriers = Interned(model.barriers)
        self.marks = Interned(model.marks)
        self.areas: Interned[str] = Interned()
        self.switches = Interned(model.switches)
        self.events: list[Event] = list(model.events.values())
        self.event_numbers = {id(event): n for n, event in enumerate(self.events)}
        self.texts = TextTable()
        self.spans = Spans()
        self.args: Interned[tuple[tuple[int, int], ...]] = Interned()
        self.labels: Interned[tuple[int, ...]] = Interned()
        self.limits: Interned[tuple[vm.Limit, str]] = Interned()
        """Limits with their owners, so that equal limits of two actions are counted separately."""
        self.codes: list[vm.Code | None] = []
        self.verbs: list[Form] = []
        self.pending: list[tuple[Form, int]] = []
        self.lastings: list[vm.Lasting] = []
        self.listeners: list[vm.Listener] = []
        self.modifiers: list[vm.Modifier] = []
        self.written: list[tuple[Form, int]] = []
        """Forms whose code has been written, with its number, in order."""
        self.memory: Memory | None = None
        self.trace: Trace | None = None
        self.recorder: Memory | None = None
        """The memo table, if it records the rows that codes mention."""
        self.purity = Purity()
        self.self_use = SelfUse()
        self.inliner = Inliner(partial(choose_access_path, self), self.is_told, DEEPEST if probes is None else 0)
        self.end_nodes = EndNodes({} if end_nodes is None else end_nodes.nodes)
        self.endings = mission_endings(model, self.end_nodes)
        """Results of missions that a campaign distinguishes; empty: only won and lost."""
        self.worded = [form for form in model.forms if form.sort == "relation" and form.texts and form.op is None]
        """Relations with words. The log shows the results of those that are no mere queries."""
        self.suppositions: dict[str, int] = {}
        """Per kind, the code that constrains the hidden facts about its things (determinization)."""
        self.prices: dict[str, tuple[int, int]] = {}
        self.cells: dict[str, int] = {}
        self._form_codes: dict[int, int] = {}
        self._verb_numbers: dict[int, int] = {}
        self._ids = {(e.kind.id, e.id): n for n, e in reversed(list(enumerate(self.entries)))}
        self._guards: dict[int, int] = {}
        self._lineages: dict[str, frozenset[str]] = {}
        self._columns_of: dict[str, list[ColumnOfKind]] = {}

    def again(self, changed: Iterable[Form]) -> Unit:
        """Return a unit for lowering the model again after the bodies of some forms have changed.

        Other things may have new bodies, too. Numbers that are assigned stay.
        """
        assert self.memory is not None
        out = copy(self)
        out.memory = self.memory.again(self.model.forms, changed)
        out._copy_tables()
        out.pending, out.written = [*self.written], []
        out.lastings, out.listeners, out.modifiers = [], [], []
        out.purity, out.self_use = Purity(), SelfUse()
        out.inline_again(form for form, _ in self.written)
        out.prices, out.cells, out.suppositions = {}, {}, {}
        return out

    def extended(self) -> Unit:
        """Return a unit for lowering more content, such as tests, after that of this unit, which stays as it is.

        Nothing must be pending. Numbers that are assigned stay, and no later lowering can follow.
        """
        assert self.memory is not None
        out = copy(self)
        out.memory = self.memory.extended()
        out._copy_tables()
        out.pending = []
        out.lastings, out.listeners, out.modifiers = [*self.lastings], [*self.listeners], [*self.modifiers]
        out.inline_again(form for form, _ in self.written)
        out.written, out.prices = [*self.written], {**self.prices}
        return out

    def _copy_tables(self) -> None:
        """Make the tables that number their rows by first mention independent of those of the unit before."""
        self.recorder = None
        self.texts, self.spans = self.texts.copied(), self.spans.copied()
        self.args, self.labels = self.args.copied(), self.labels.copied()
        self.limits, self.areas = self.limits.copied(), self.areas.copied()
        self.codes, self.verbs = [*self.codes], [*self.verbs]
        self._form_codes, self._verb_numbers = {**self._form_codes}, {**self._verb_numbers}
        self._guards = {**self._guards}

    def inline_again(self, earlier: Iterable[Form]) -> None:
        """Inline as an earlier lowering did, which has written the codes of some forms.

        The memo table forgets the rests of relations whose statements have changed.
        """
        self.inliner = Inliner(partial(choose_access_path, self), self.is_told, earlier=earlier)
        renewed = self.inliner.renew_rests(self.model.forms)
        if self.memory is not None:
            self.memory.forget(renewed)

    def traced(self, before: Sequence[object] = ()) -> None:
        """Record all rows of tables that are mentioned. `before`: the trace of the run before."""
        assert self.memory is not None
        trace = self.trace = self.memory.trace = Trace(before)
        self.texts.traced(trace)
        self.spans.traced(trace)
        for name in ("args", "labels", "limits", "areas"):
            table: Interned[Any] = getattr(self, name)
            table.traced(trace, name)

    def recorded(self) -> None:
        """Record the rows that each memoized result mentions, so that another lowering can renumber them."""
        assert self.memory is not None
        recorder = self.recorder = self.memory
        self.texts.traced(recorder)
        self.spans.traced(recorder)
        for name in ("args", "labels", "limits"):
            table: Interned[Any] = getattr(self, name)
            table.traced(recorder, name)

    def followed(self, changed: Iterable[Form]) -> Unit:
        """Return a unit for lowering the same model after an edit of bodies. `changed`: the forms whose bodies were
        edited.

        Numbers that are assigned stay. Both units have traces.
        """
        assert self.memory is not None
        assert self.trace is not None
        out = Unit(self.model, end_nodes=self.end_nodes)
        out.memory = self.memory.again(self.model.forms, changed)
        out.texts, out.spans = self.texts.copied(), self.spans.again()
        out.args, out.labels = self.args.copied(), self.labels.copied()
        out.limits, out.areas = self.limits.copied(), self.areas.copied()
        out.codes, out._form_codes = [*self.codes], {**self._form_codes}
        out.inline_again(form for form, _ in self.written)
        if id(CHANGE) in self.event_numbers:
            out.event(CHANGE)
        out.traced(self.trace.entries)
        return out

    def follows(self) -> bool:
        """Return whether an incremental lowering gave the tables that a full lowering would give."""
        return self.trace is not None and self.trace.follows() and self.spans.distinct

    def is_current(self) -> bool:
        """Return whether the model still needs every code of the unit."""
        return self.memory is None or len(self.memory.standing) == len(self.codes)

    def snapshot(self) -> KeptLowering:
        """Return the results for another process."""
        assert self.memory is not None
        files, places = self.spans.snapshot()
        return KeptLowering(
            numbered=self._common_numbers(),
            numbers=self.extensible(),
            made=self.memory.snapshot(self.model.forms),
            texts=self.texts.snapshot(),
            files=files,
            places=places,
            args=self.args.values(),
            labels=self.labels.values(),
            limits=self.limits.values(),
            areas=self.areas.values(),
            codes=self.finished(),
            verbs=self.verbs,
            written=self.written,
            guards=list(self._guards.items()),
            hears_changes=id(CHANGE) in self.event_numbers,
        )

    @classmethod
    def from_snapshot(cls, model: Model, snapshot: KeptLowering, changed: Iterable[Form]) -> Unit | None:
        """Return a unit that starts from the results of an earlier lowering; None if the numbering has changed.

        The model may have other bodies, and more declarations after the known ones. `changed` are the forms whose
        bodies differ. Numbers that are assigned stay.
        """
        out = cls(model)
        if not out.extends(snapshot):
            return None
        out.memory = Memory.from_snapshot(snapshot.made).again(model.forms, changed)
        out.texts, out.spans = TextTable(snapshot.texts), Spans.of(snapshot.files, snapshot.places)
        out.args, out.labels = Interned(snapshot.args), Interned(snapshot.labels)
        out.limits, out.areas = Interned(snapshot.limits), Interned(snapshot.areas)
        out.codes, out.verbs, out.pending = [*snapshot.codes], [*snapshot.verbs], [*snapshot.written]
        out._form_codes = {id(form): number for form, number in snapshot.written}
        out.inline_again(form for form, _ in snapshot.written)
        out._verb_numbers = {id(form): number for number, form in enumerate(snapshot.verbs)}
        out._guards = dict(snapshot.guards)
        if snapshot.hears_changes:
            out.event(CHANGE)
        return out

    def numbered(self) -> str:
        """Return a hash of everything with a number from the start, and of the content of codes except their bodies."""
        return _hash_of((self._common_numbers(), self.extensible()))

    def extensible(self) -> tuple[tuple[object, ...], ...]:
        """Return the tables of declarations that may grow at their ends without changing codes that are made."""
        return (
            tuple([(entry.kind.id, entry.id, entry.owner) for entry in self.entries]),
            *(table.values() for table in (self.terrains, self.barriers, self.marks)),
            tuple(self.model.events),
            tuple(self.model.actions),
        )

    def extends(self, snapshot: KeptLowering) -> bool:
        """Return whether the numbering of an earlier lowering is the start of this one."""
        now = self.extensible()
        more_events = len(self.model.events) > len(snapshot.numbers[-2])
        return (
            self._common_numbers() == snapshot.numbered
            and all(new[: len(old)] == old for old, new in zip(snapshot.numbers, now, strict=True))
            and not (snapshot.hears_changes and more_events)  # the change of a value has the number after theirs
        )

    def _common_numbers(self) -> str:
        model = self.model
        texts = (
            model.system,
            self.kinds.values(),
            [model.kinds[name].name.title for name in self.kinds.values()],
            [(column.field.id, [field.kind for field in column.declared]) for column in self.columns],
            self.zones.values(),
            [table.values() for table in (self.dice, self.symbols)],
            [(switch.id, switch.values) for switch in model.switches.values()],
            [id for kind, id in model.definitions if kind == TEAM],
            list(model.directions),
            self.endings,
            [(number, form.id) for number, form in enumerate(self.worded) if self.is_told(form)],
        )
        return _hash_of(texts)

    def relation(self, form: Form) -> int:
        """Return the row of a relation whose results the log shows; -1 for other forms."""
        if not self.is_told(form):
            return -1
        return next(number for number, worded in enumerate(self.worded) if worded is form)

    def is_told(self, form: Form) -> bool:
        """Return whether the log shows the results of a form: it is a relation with words, and not a mere query."""
        return form.sort == "relation" and bool(form.texts) and not self.purity.of_form(form)

    # ── numbers ────────────────────────────────────────────────────────────────────────────────

    def kind(self, name: str) -> int:
        """Return the number of a kind."""
        return _existing(self.kinds.find(name), name)

    def field(self, field: Field) -> int:
        """Return the number of a field's column."""
        return self.column_numbers[id(field)]

    def guard_field(self, field: Field) -> int:
        """Return the number of the hidden column that holds the guards of an effect field."""
        number = self.field(field)
        column = self._guards.setdefault(number, len(self.columns) + len(self._guards))
        if self.trace is not None:
            self.trace.is_first("guard", field, column)
            self.trace.note("guard", column)
        elif self.recorder is not None:
            self.recorder.note("guard", column)
        return column

    def guard_fields(self) -> list[tuple[int, int]]:
        """Return (effect field, its guard field) pairs, by the number of the guard field."""
        return list(self._guards.items())

    def zone(self, name: str, kind: str) -> int:
        """Return the number of a zone of a kind, its ancestors or its descendants."""
        owner: Kind | None = self.model.kinds.get(kind)
        while owner is not None:
            number = self.zones.find((owner.id, name))
            if number >= 0:
                return number
            owner = owner.parent
        for number, (kind_id, zone) in enumerate(self.zones.values()):
            if zone == name and kind_id and self.descends(kind_id, kind):
                return number
        raise AssertionError(f"{kind} has no zone {name}")

    def descends(self, kind: str, ancestor: str) -> bool:
        """Return whether `kind` is `ancestor` or a descendant of it."""
        lineage = self._lineages.get(kind)
        if lineage is None:
            lineage = self._lineages[kind] = frozenset(above.id for above in self.model.kinds[kind].lineage())
        return ancestor in lineage

    def fresh(self) -> int:
        """Return a slot that nothing else uses."""
        return self.inliner.fresh()

    def columns_of(self, kind: Kind) -> list[ColumnOfKind]:
        """Return the columns with the fields of a kind's definitions, those of its ancestors too."""
        columns = self._columns_of.get(kind.id)
        if columns is None:
            columns = [
                self._column_of(kind, number, column.field)
                for number, column in enumerate(self.columns)
                if column.field.sort == "field" or column.field.id == "copies"
                if self.descends(kind.id, column.field.kind)
            ]
            self._columns_of[kind.id] = columns
        return columns

    def _column_of(self, kind: Kind, number: int, field: Field) -> ColumnOfKind:
        declared = kind.find(field.id) or field
        self_type, this_type = own_scope(kind, self.model, declared)
        return ColumnOfKind(number, declared, self_type != this_type)

    def entry(self, kind: str, id_: str) -> int:
        """Return the number of a definition, looked for among the kind and its descendants."""
        number = self._ids.get((kind, id_), -1)
        if number < 0:
            for (other, other_id), candidate in self._ids.items():
                if other_id == id_ and (self.descends(other, kind) or self.descends(kind, other)):
                    return candidate
        return _existing(number, f"{kind} {id_}")

    def team_number(self, name: str) -> int:
        """Return the number of a team among all teams."""
        return [id for kind, id in self.model.definitions if kind == TEAM].index(name)

    def event(self, event: Event) -> int:
        """Return the number of an event. `CHANGE` gets its number only if something listens to it."""
        if event is CHANGE and id(event) not in self.event_numbers:
            self.event_numbers[id(event)] = len(self.events)
            self.events.append(event)
        return self.event_numbers[id(event)]

    def variant(self, name: str) -> int:
        """Return the number of a switch."""
        return _existing(self.switches.find(name), name)

    def constant(self, const: ir.Const) -> int:
        """Return the number of a constant; names of declared things are looked up."""
        match const.type.base:
            case "mark":
                return _existing(self.marks.find(const.label), const.label)
            case "terrain":
                return self.terrains.find(const.label)
            case "barrier":
                return self.barriers.find(const.label)
            case "area":
                self._fix()
                return self.areas.number(const.label)
            case "kind":
                return self.kind(const.label)
            case "counter":
                return self.counter(const.label)
            case _:
                return const.value

    def counter(self, name: str) -> int:
        """Return the number of a status or token by its name."""
        for number, column in enumerate(self.columns):
            if column.field.id == name and column.field.sort in {"status", "token"}:
                return number
        raise AssertionError(f"no counter {name}")

    def definition_number(self, expr: ir.Def) -> int:
        """Return the number of a definition used as a value; dice have separate numbers."""
        if expr.kind == "die":
            return _existing(self.dice.find(expr.id), expr.id)
        return self.entry(expr.kind, expr.id)

    # ── tables ─────────────────────────────────────────────────────────────────────────────────

    def text(self, text: str) -> int:
        """Return the number of a text that is equal in every language, as a value."""
        self._fix()
        return self.texts.number({"en": text})

    def _fix(self) -> None:
        """Note that a code contains a number by first mention as a value."""
        if self.memory is not None:
            self.memory.fix()

    def tag(self, type_: ir.Type) -> int:
        """Return the number of the tag for options of a type."""
        return tag(TAG_OF.get(type_.base, type_.base))

    def cell(self, name: str) -> int:
        """Return the number of a space of the current board, by its name."""
        return self.cells[name]

    def option_labels(self, options: Sequence[ir.Option]) -> int:
        """Return the number of the texts of some options; an unlabelled one of several uses its source text."""
        labels = [option.label or ({"en": _written(option)} if len(options) > 1 else {}) for option in options]
        return self.labels.number(tuple(self.texts.number(label) for label in labels))

    def limit(self, event: Event | None, per: Per, whose: str) -> int:
        """Return the number of the limit of an action, listener or kind; -1 for none. No two of them share one."""
        return -1 if event is None else self.limits.number((vm.Limit(self.event(event), per), whose))

    # ── codes ──────────────────────────────────────────────────────────────────────────────────

    def form_code(self, form: Form) -> int:
        """Return the number of the code of a form's body."""
        number = self._form_codes.get(id(form))
        new = number is None
        if number is None:
            number = self._form_codes[id(form)] = len(self.codes)
            self.codes.append(None)
        if self.trace is not None:
            new = self.trace.is_first("form", form, number)
            self.trace.note("form", number)
        elif self.recorder is not None:
            self.recorder.note("form", number)
        if new:
            self.pending.append((form, number))
        return number

    def coded(self, form: Form) -> int | None:
        """Return the number of the code of a form's body, if anything has asked for it."""
        return self._form_codes.get(id(form))

    def verb(self, form: Form) -> int:
        """Return the number of an event verb."""
        number = self._verb_numbers.get(id(form))
        if number is None:
            number = self._verb_numbers[id(form)] = len(self.verbs)
            self.verbs.append(form)
        if self.trace is not None:
            self.trace.is_first("verb", form, number)
            self.trace.note("verb", number)
        elif self.recorder is not None:
            self.recorder.note("verb", number)
        return number

    def mention(self, kind: str, thing: Form | Field, number: int) -> None:
        """Repeat the mention of a form, a verb or a guarded field by a code that is reused instead of lowered again.

        If it now gets another number than `number`, the trace records that the reused codes differ.
        """
        if isinstance(thing, Field):
            current = self.guard_field(thing)
        else:
            current = self.form_code(thing) if kind == "form" else self.verb(thing)
        assert self.trace is not None
        self.trace.differs = self.trace.differs or current != number

    def reserve(self) -> int:
        """Return a number for a code that is written later."""
        number = None if self.trace is None else self.trace.replaced("code")
        if number is None:
            number = len(self.codes)
            self.codes.append(None)
        if self.trace is not None:
            self.trace.note("code", number)
        elif self.recorder is not None:
            self.recorder.note("code", number)
        return number

    def finished(self) -> tuple[vm.Code, ...]:
        """Return all codes, once each that was mentioned has been written.

        After an incremental lowering, codes that are no longer used are replaced by an empty one.
        """
        codes = tuple(code for code in self.codes if code is not None)
        assert len(codes) == len(self.codes), "a code was mentioned and never written"
        if self.memory is None:
            return codes
        standing = self.memory.standing
        return tuple([code if number in standing else NOTHING for number, code in enumerate(codes)])

    def write(self, code: vm.Code, instructions: Sequence[object], number: int | None = None) -> int:
        """Add a finished code, and return its number. `instructions`: those from which it was made."""
        if number is None:
            number = self.reserve()
        self.codes[number] = code
        if self.memory is not None:
            self.memory.written(number)
        if self.probes is not None:
            self.probes.written(number, instructions)
        return number


def _hash_of(content: object) -> str:
    return hashlib.blake2b(repr(content).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _written(option: ir.Option) -> str:
    """Return the source line of an option."""
    span = option.span
    return " ".join(span.source.text[span.start : span.end].split())


def _existing(number: int, name: str) -> int:
    assert number >= 0, f"{name} has no number"
    return number


def memoize(make: Callable[Concatenate[Unit, P], T]) -> Callable[Concatenate[Unit, P], T]:
    """Decorator: memoize a function that writes a code."""

    @wraps(make)
    def remembering(unit: Unit, *arguments: P.args, **named: P.kwargs) -> T:
        if unit.memory is None:
            return make(unit, *arguments, **named)
        tables = (unit.listeners, unit.modifiers, unit.lastings)
        result: T = unit.memory.result(unit, make, tables, arguments, named)
        return result

    return cast("Callable[Concatenate[Unit, P], T]", remembering)
