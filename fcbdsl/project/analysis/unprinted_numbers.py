"""Finds numbers that the game reads and no page prints.

Such a number is a value or default of a field, or the start of a stat. fcb changes it, prints the pages near it again,
and compares them: a number is unprinted if no page changes. Nothing prints the limit of a zone or counter by itself:
an author's text must contain it, beside the title.

Tables and effects are not examined: fcb prints them from their trees, or in the words of their author.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field as column
from dataclasses import replace
from functools import cached_property, partial

from fcbdsl.base.diagnostics.print import UnprintedNumber
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Invariant, Preference, Prospect, Rule, Test, Value
from fcbdsl.language.model.declarations import Action, Field, Form, Kind, Name, Zone
from fcbdsl.language.model.roots import behavior_owners, behaviour
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.campaign_sheets import story_sheet
from fcbdsl.print.pieces.printables import is_sheet, printable, printable_languages
from fcbdsl.print.press.proofs import CheckedPages

Change = Callable[[], AbstractContextManager[None]]
"""Returns a context in which a number of the model is another one."""
Make = Callable[[Model, str], tuple[object, object]]
"""Returns a page of a model in a language, and its problems."""
FORMULA = "formula"
COPIES = "copies"
"""The field with the number of copies, which the contents print."""
_OTHER = 71
"""A number in place of one that is not constant."""
_SHEETS = 2
"""How many missions are printed again for a number that belongs to no definition."""


@dataclass(frozen=True, slots=True)
class KnownPages:
    """Facts about pages from before a search.

    `hashes`: a hash of everything that the page of a definition depends on, by identity. `shown`: the names of numbers,
    each after the hash of a page that prints it.
    """

    hashes: Mapping[int, str]
    shown: Collection[str]


NOTHING_KNOWN = KnownPages({}, ())


def unprinted_numbers(
    model: Model,
    allowed: Collection[tuple[str, int]] = (),
    earlier: KnownPages = NOTHING_KNOWN,
    pages: CheckedPages | None = None,
) -> tuple[list[UnprintedNumber], list[str]]:
    """Return the project's own numbers that the game reads and no page prints, once for each field and sort of
    value; and the numbers that a page of a definition prints, for `KnownPages`.

    `allowed`: files and lines whose findings an author allows. There only the pages of the definition and of what it
    belongs to are examined, and the finding is returned if none of these prints the number.
    """
    languages = printable_languages(model)
    if not languages:
        return [], []
    search = _Search(model, languages[0], allowed, earlier, pages or CheckedPages(model))
    return list(search.unprinted()), search.shown


@dataclass(slots=True)
class _Search:
    """The search for unprinted numbers of a model in one language. `shown`: see `KnownPages`."""

    model: Model
    language: str
    allowed: Collection[tuple[str, int]]
    known: KnownPages
    pages: CheckedPages
    shown: list[str] = column(default_factory=list)
    _printed: dict[int, None] = column(init=False)
    _index: NearPages = column(init=False)
    _before: dict[str, object] = column(default_factory=dict)
    _texts: list[str] = column(default_factory=list)
    _read: frozenset[int] | None = None

    def __post_init__(self) -> None:
        self._printed = {id(definition): None for definition in printable(self.model)}
        self._index = NearPages(self.model, self._printed)

    def unprinted(self) -> Iterator[UnprintedNumber]:
        """Yield the numbers that no page prints."""
        for kind in self.model.kinds.values():
            for field in kind.fields.values():
                if field.id != COPIES and self._is_own(field) and not field.unseen and self._is_read(field):
                    yield from self._of_stat(kind, field) if field.sort == "stat" else self._of_field(kind, field)
        yield from self._of_limits()

    def _is_read(self, field: Field) -> bool:
        """Return whether the game reads a field."""
        if self._read is None:
            self._read = _fields_read(self.model)
        return id(field) in self._read

    def _of_limits(self) -> Iterator[UnprintedNumber]:
        """Yield the limits above 1 that no text of an author states, once for each zone and counter."""
        limits: dict[str, tuple[Zone | Field, int, list[Name]]] = {}
        zones = [zone for kind in self.model.kinds.values() for zone in kind.zones.values()]
        for zone in [*zones, *self.model.zones.values()]:
            held = self.model.kinds.get(zone.holds)
            titled = [zone.name] if held is None else [zone.name, held.name]
            limits.setdefault(f"zone {zone.id}", (zone, _constant(zone.limit) or 0, titled))
        for kind in self.model.kinds.values():
            for field in kind.fields.values():
                if field.sort in ("status", "token"):
                    limits.setdefault(f"{field.sort} {field.id}", (field, field.limit or 0, [field.name]))
        for name, (declared, most, titled) in limits.items():
            if most > 1 and self._is_own(declared) and not declared.unseen and not self._is_stated(most, titled):
                todo = f"State it in a `reminder {self.language}:` or in a text: “at most {most}”"
                sort, _, called = name.partition(" ")
                yield UnprintedNumber(declared.span, name="limit", thing=f"{sort} `{called}`", value=most, todo=todo)

    def _is_stated(self, number: int, named: Sequence[Name]) -> bool:
        """Return whether a text of an author contains a number and one of some titles."""
        words = [texts.get(self.language, "") for name in named for texts in (name.title, name.plural)]
        titles = [title.casefold() for title in words if title]
        if not self._texts:
            self._texts = [text.casefold() for text in _authored(self.model, self.language)]
        stated = re.compile(rf"(?<!\d){number}(?!\d)")
        return any(stated.search(text) and any(title in text for title in titles) for text in self._texts)

    def _is_own(self, declared: Field | Zone) -> bool:
        return bool(declared.span.source.text) and not self.model.is_lent(declared.span)

    def _of_stat(self, kind: Kind, field: Field) -> Iterator[UnprintedNumber]:
        """Yield the start of a stat that is a number and not zero."""
        start = _constant(field.default)
        if field.type != ir.NUMBER or not start:
            return
        if not self._shows(
            self._index.of_kind(kind)[:1], lambda: _other_default(field), field.span, f"{kind.id} {field.id}"
        ):
            value = f"which starts at {start}"
            todo = f"Give `{field.id}` a title: the reference prints with what things start"
            yield UnprintedNumber(field.span, name=field.id, thing=f"`{kind.id}`", value=value, todo=todo)

    def _of_field(self, kind: Kind, field: Field) -> Iterator[UnprintedNumber]:
        """Yield a value of each sort that is not printed, and the default."""
        if field.sort != "field" or field.type.many or field.type.base not in (ir.NUMBER.base, FORMULA):
            return
        things = [definition for definition in self._index.of_kind(kind) if not definition.text]
        given: dict[int, tuple[Definition, Value]] = {}
        for thing in things:
            value = thing.values.get(field.id)
            if value is not None and value.span is not None and not self.model.is_lent(value.span):
                number = _constant(value.expr)
                sort = 2 if number is None else (number > 0) - (number < 0)
                given.setdefault(sort, (thing, value))
        if len(given) > 1:
            given.pop(0, None)  # a zero may be left out
        for thing, value in given.values():
            if value.span is None or self._is_named(thing, value):
                continue
            change: Change = lambda thing=thing, value=value: _other_value(thing, value)  # type: ignore[misc]  # noqa: E731
            if not self._shows([thing], change, value.span, f"{thing.kind.id} {thing.id} {field.id}"):
                number = _constant(value.expr)
                value_text = "a formula" if number is None else f"{number}"
                todo = _fix(field, thing.kind)
                yield UnprintedNumber(value.span, name=field.id, thing=f"`{thing.id}`", value=value_text, todo=todo)
        lacking = [thing for thing in things if field.id not in thing.values]
        start = _constant(field.default)
        default: Change = lambda: _other_default(field)  # noqa: E731
        if start and lacking and not self._shows(lacking[:1], default, field.span, f"{kind.id} {field.id}"):
            todo = _fix(field, lacking[0].kind)
            value_text = f"{start} by default"
            yield UnprintedNumber(field.span, name=field.id, thing=f"`{kind.id}`", value=value_text, todo=todo)

    def _is_named(self, definition: Definition, value: Value) -> bool:
        """Return whether the title of a definition contains the number."""
        title = definition.name.title.get(self.language, "")
        return str(_constant(value.expr)) in re.findall(r"\d+", title)

    def _shows(self, things: Sequence[Definition], change: Change, span: Span, number: str) -> bool:
        """Return whether a page prints a change of a number of some things; `number` names it."""
        near = self._near(things)
        for page in near if self.known.shown else ():
            note = self._note(page, number)
            if note in self.known.shown:
                self.shown.append(note)
                return True
        for page in near:
            if self._changes(page, things, change):
                note = self._note(page, number)
                self.shown += [note] if note else []
                return True
        if (span.source.name, span.line) in self.allowed:
            return False
        if not any(map(is_sheet, near)) and any(self._changes(sheet, things, change) for sheet in self._first_sheets()):
            return True
        return any(self._differs(f"page {name}", make, change) for name, make in _pages().items())

    def _note(self, page: Definition, number: str) -> str:
        """Return the note that a page prints a number; empty if the hash of the page is not known."""
        return f"{self.known.hashes[id(page)]} {number}" if id(page) in self.known.hashes else ""

    def _changes(self, page: Definition, things: Sequence[Definition], change: Change) -> bool:
        """Return whether the card of a definition, or its sheet and story, differ after a change of some things."""
        self.pages.view(page, self.language, keep=True)
        with change():
            if self.pages.is_changed(page, self.language, things):
                return True
        return is_sheet(page) and self._differs(f"story {page.id}", partial(story_sheet, page), change)

    def _differs(self, name: str, make: Make, change: Change) -> bool:
        """Return whether a page differs after a change."""
        if name not in self._before:
            self._before[name] = make(self.model, self.language)[0]
        with change():
            return make(self.model, self.language)[0] != self._before[name]

    def _near(self, things: Sequence[Definition]) -> list[Definition]:
        """Return the definitions with pages near some things, nearest first."""
        near: dict[int, Definition] = {}
        for thing in things:
            near[id(thing)] = thing
            near |= {id(other): other for other in self._index.around(thing)}
        return [definition for definition in near.values() if id(definition) in self._printed]

    def _first_sheets(self) -> list[Definition]:
        """Return the first missions whose sheets are printed."""
        missions = [definition for definition in self.model.definitions.values() if is_sheet(definition)]
        return [mission for mission in missions[:_SHEETS] if id(mission) in self._printed]


class NearPages:
    """Finds the definitions of a kind and near a definition."""

    def __init__(self, model: Model, printed: Mapping[int, None]) -> None:
        self._definitions = list(model.definitions.values())
        self._printed = printed  # the printed definitions, by identity

    def of_kind(self, kind: Kind) -> Sequence[Definition]:
        """Return the definitions of a kind, printed ones first."""
        return self._by_kind.get(id(kind), ())

    @cached_property
    def _by_kind(self) -> dict[int, list[Definition]]:
        by_kind: dict[int, list[Definition]] = {}
        for definition in sorted(self._definitions, key=lambda definition: id(definition) not in self._printed):
            for kind in definition.kind.lineage():
                by_kind.setdefault(id(kind), []).append(definition)
        return by_kind

    def around(self, definition: Definition) -> Iterator[Definition]:
        """Yield the owners of a part, what a definition is for, and the missions in its file."""
        if definition.target is not None:
            yield definition.target
        owners, missions = (self._near.get(id(thing), {}) for thing in (definition, definition.span.source))
        for at in sorted(owners | missions):
            yield self._definitions[at]
            if at in owners:
                yield from self.around(self._definitions[at])

    @cached_property
    def _near(self) -> dict[int, dict[int, None]]:
        """Return the numbers of the definitions with a part and of the missions in a file: by identity of these."""
        near: dict[int, dict[int, None]] = {}
        for at, whole in enumerate(self._definitions):
            beside = [whole.span.source] if is_sheet(whole) else []
            for name in map(id, (*whole.parts, *beside)):
                near.setdefault(name, {})[at] = None
        return near


def _pages() -> dict[str, Make]:
    """Return the pages of a game. Few numbers need them."""
    from fcbdsl.print.pieces.aids import aid_of, reference_of
    from fcbdsl.print.pieces.token_pieces import supplies_of

    return {"reference": reference_of, "aid": aid_of, "tokens": supplies_of}


def _authored(model: Model, language: str) -> Iterator[str]:
    """Yield the texts of authors in a language: reminders, words of forms and rulings, texts of definitions."""
    kinds = model.kinds.values()
    named: list[Kind | Field | Zone | Form | Action | Rule] = [*kinds, *model.zones.values(), *model.forms]
    named += [*model.actions.values(), *model.rules.values()]
    for kind in kinds:
        named += [*kind.fields.values(), *kind.zones.values()]
    for declared in named:
        yield declared.name.reminder.get(language, "")
    worded = [text for form in model.forms for text in form.texts]
    worded += [text for switch in model.switches.values() for text in switch.texts]
    yield from (text.template for text in worded if text.language == language)
    for definition in model.definitions.values():
        yield definition.text.get(language, "")
        yield definition.name.reminder.get(language, "")
        for value in definition.values.values():
            yield (value.texts or {}).get(language, "")


def _fix(field: Field, kind: Kind) -> str:
    """Return what prints a field of a kind."""
    line = "notes" if field.type.base == FORMULA else "stats"
    add = f"dd `{field.id}` to `{line}:` in `layout {kind.id}`"
    return f"A{add}" if field.name.title else f"Give `{field.id}` a title, and a{add}"


def _fields_read(model: Model) -> frozenset[int]:
    """Return the fields that the game reads, by identity. The reads of bots, tests and invariants do not count."""
    unplayed = Form | Preference | Invariant | Prospect | Test
    open_: list[object] = [model.setup, model.flow, model.journey]
    for owner in behavior_owners(model):
        if owner is not None and not isinstance(owner, unplayed):
            open_ += behaviour(owner)
    fields: dict[int, None] = {}
    forms: dict[int, None] = {}
    while open_:
        for node in ir.walk(open_.pop()):
            if isinstance(node, ir.Get):
                fields[id(node.field)] = None
            elif isinstance(node, ir.Apply | ir.Do) and id(node.form) not in forms:
                forms[id(node.form)] = None
                open_.append(node.form.body)
    return frozenset(fields)


@contextmanager
def _other_value(definition: Definition, value: Value) -> Iterator[None]:
    """Give a definition another number while the context lasts."""
    definition.values[value.field.id] = replace(value, expr=_other(value.expr, value.field), body=None)
    try:
        yield
    finally:
        definition.values[value.field.id] = value


@contextmanager
def _other_default(field: Field) -> Iterator[None]:
    """Give a field another default while the context lasts."""
    default = field.default
    field.default = _other(default, field)
    try:
        yield
    finally:
        field.default = default


def _other(expr: ir.Expr | None, field: Field) -> ir.Const:
    """Return a number next to that of an expression, within the range of the field."""
    number = _constant(expr)
    if number is None:
        return ir.Const(_OTHER, ir.NUMBER, field.span)
    step = -1 if number < 0 or number == field.high else 1
    return ir.Const(number + step, ir.NUMBER, field.span)


def _constant(expr: ir.Expr | None) -> int | None:
    """Return the number of a constant expression."""
    return expr.value if isinstance(expr, ir.Const) and isinstance(expr.value, int) else None
