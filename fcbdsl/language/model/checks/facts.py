"""Facts about the behavior of each declaration, collected once; checks of the whole model combine them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, fields
from functools import cache
from operator import attrgetter
from typing import TypeGuard

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.checks.amounts import Subtraction, lowered_parameters, subtractions
from fcbdsl.language.model.checks.missions.behavior_references import References, constant_references, references_in
from fcbdsl.language.model.checks.named import NAMES, Named
from fcbdsl.language.model.content import Definition, Invariant, Preference, Rule, Step, Test
from fcbdsl.language.model.declarations import CHANGE, Declared, Event, Field, Form, Kind, Param, Window
from fcbdsl.language.model.ir import ByClass, equal_trees, walk
from fcbdsl.language.model.ir.operators import evaluate_constant, in_range
from fcbdsl.language.model.roots import behavior_owners, behaviour, of_game
from fcbdsl.language.model.whole import Model

NEVER_PLACED = ("mission", "game", "campaign", "team", "ending")
"""Kinds of things that are never on a map."""

Mention = tuple[Span, str, str]
"""The place of a mention, its name, and the name of the file that declares it."""


@dataclass(slots=True)
class Facts:
    """Facts about the behavior of one declaration (`owner` None: of the game's programs).

    `called`: forms used by the body of a form. `waited`: events of listeners, with their first place. `announced`,
    `tested`: events that it announces, and variants that it tests. `behind`: unreachable statements, each with the
    statement before it that ends the body, and the word of that. `cut`: rows and options that only stop, with the
    statement that they prevent. `spaces`: spaces given by coordinates, in a test with a map only its sides.

    `mentions`: the first mention of each declaring file in each file. `named`: the names used in each file, with the
    first place. `files`: files of `named` and `mentions`; of a test, all three are empty until `note_names`.
    `references`: `References` of each part of the behavior, except of tests. `constant`: `References` of fields without
    behavior. `filled`, `target`: the fields of a definition that have values, and the thing that it is for. `teams`: it
    assigns players to teams. `shared`: several teams may win in it together. `plays`: missions that it starts. `ends`:
    the ends of a game in it that name an ending.

    `selfish`: it is a form that uses its caller's `self`. `steps`: steps of a test without an actor, with the forms
    that they use, and whether they use `self` themselves. `ownerless`: uses of forms where `self` is nothing, and
    whether `self` is an argument. `unplaced`: reads of the place of a thing that never has one, with its name and kind.
    `markers`: statuses and tokens that a form gets with the thing that has them: the place, the name, the kind of the
    thing. `lowered`: listeners that subtract from a number of an event. `subtractions`: arguments that may be
    negative. `unread`: the places of locals that are set and never read, with their names. `zeros`: changes by 0.
    `put`: things that go into zones: the place, the verb, the types of the thing and of the zone.
    `zero_arguments`: verbs with a constant argument of 0 or less, with its place and its value.
    `beyond`: numbers outside the range of their parameter, with its name, that range and the number. `listeners`: all
    listeners, except in tests.
    """

    owner: Declared | None
    called: list[Form] = field(default_factory=list)
    waited: dict[str, Span] = field(default_factory=dict)
    announced: dict[str, None] = field(default_factory=dict)
    tested: dict[str, None] = field(default_factory=dict)
    behind: list[tuple[ir.Stmt, ir.Stmt, str]] = field(default_factory=list)
    cut: list[tuple[ir.Stmt, ir.Stmt]] = field(default_factory=list)
    spaces: list[tuple[Span, str]] = field(default_factory=list)
    mentions: dict[tuple[str, str], Mention] = field(default_factory=dict)
    named: dict[tuple[str, Named], Span] = field(default_factory=dict)
    references: list[References] = field(default_factory=list)
    constant: References | None = None
    selfish: bool = False
    steps: list[tuple[Span, list[Form], bool]] = field(default_factory=list)
    ownerless: list[tuple[Span, Form, bool]] = field(default_factory=list)
    unplaced: list[tuple[Span, str, str]] = field(default_factory=list)
    beyond: list[tuple[Span, str, int | None, int | None, int]] = field(default_factory=list)
    markers: list[tuple[Span, str, str]] = field(default_factory=list)
    lowered: list[tuple[ir.Listener, ir.Let, Param]] = field(default_factory=list)
    subtractions: list[Subtraction] = field(default_factory=list)
    unread: list[tuple[Span, str]] = field(default_factory=list)
    put: list[tuple[Span, str, str, str]] = field(default_factory=list)
    zeros: list[Span] = field(default_factory=list)
    zero_arguments: list[tuple[ir.Do, int, int]] = field(default_factory=list)
    filled: tuple[str, ...] = ()
    teams: bool = False
    shared: bool = False
    plays: list[ir.Play] = field(default_factory=list)
    ends: list[ir.End] = field(default_factory=list)
    target: Definition | None = None
    files: tuple[str, ...] = ()
    listeners: list[ir.Listener] = field(default_factory=list)

    def texts(self) -> list[References]:
        """Return the parts of the declaration, each with everything that it mentions."""
        return [*self.references, *([self.constant] if self.constant is not None else [])]


@cache
def _further_facts() -> Callable[[Facts], tuple[object, ...]]:
    """Return a function that reads all facts except spaces."""
    return attrgetter(*[each.name for each in fields(Facts) if each.name not in ("owner", "spaces")])


class FactBook:
    """Caches the facts of a model's declarations."""

    def __init__(self) -> None:
        self._known: dict[int, Facts] = {}  # by the identity of their owners
        self._whole = False  # whether the facts of everything are known
        self._edits: list[tuple[Facts, Facts]] | None = None
        self._restored: list[Facts] = []  # until those of everything are known again

    def snapshot(self) -> list[Facts]:
        """Return all facts except those of tests, for another process."""
        facts = [facts for facts in self._known.values() if self._whole and not isinstance(facts.owner, Test)]
        for references in (references for facts in facts for references in facts.texts()):
            references.forget_bound()
        return facts

    def restore(self, facts_before: list[Facts]) -> None:
        """Start from the facts of an earlier check, after which some bodies have been read again."""
        self._known = {id(facts.owner): facts for facts in facts_before}
        self._restored = facts_before

    def resume(self) -> None:
        """Take over the facts of `restore` as those of everything, because nothing was declared since."""
        self._whole, self._edits, self._restored = True, [], []

    def of(self, model: Model, alone: bool = False) -> list[Facts]:
        """Return all facts, in order of declaration. `alone`: only bodies have changed since `restore`."""
        if not self._whole:
            facts_of: dict[int, Facts] = {}
            steps = _StepBook()
            for owner in behavior_owners(model):
                current = self._known.get(id(owner))
                if current is None or current.owner is not owner:
                    current = steps.facts_of_test(owner) if isinstance(owner, Test) else _facts(owner, model)
                    if owner is None:  # the evaluation function has a `self`: the player who is asked
                        current.ownerless = _ownerless([model.setup, model.flow, model.journey])
                facts_of[id(owner)] = current
            self._known, self._whole = facts_of, True
            self._edits = _edits(self._restored, facts_of.values()) if alone else None
            self._restored = []
        return list(self._known.values())

    def edits(self) -> list[tuple[Facts, Facts]] | None:
        """Return facts that have changed since the last call, as pairs (before, after); None if more than facts has
        changed."""
        edits, self._edits = self._edits, []
        return edits

    def renew(self, before: Declared | None, after: Declared | None) -> None:
        """Record that a declaration was read again, perhaps as a new object."""
        facts = self._known.get(id(before)) if before is not None else None
        if not self._whole or facts is None or after is None:
            self.forget(before)
            self.forget(after)
            return
        renewed = _StepBook().facts_of_test(after) if isinstance(after, Test) else _facts(after)
        if self._edits is not None:
            self._edits.append((facts, renewed))
        if before is after:
            self._known[id(after)] = renewed
        else:
            self._known = {
                id(facts.owner): facts for facts in (renewed if x is facts else x for x in self._known.values())
            }

    def renew_game(self) -> None:
        """Drop the facts of the game's programs, which have been read again."""
        self.forget(None)
        for preference in [facts.owner for facts in self._known.values() if isinstance(facts.owner, Preference)]:
            self.forget(preference)

    def forget(self, owner: Declared | None) -> None:
        """Forget the facts about a declaration."""
        self._known.pop(id(owner), None)
        self._whole = False

    def forget_declared(self) -> None:
        """Forget facts about everything that is always declared again: kinds, columns, windows, and the game's
        programs."""
        self._whole = False
        self._known = {key: facts for key, facts in self._known.items() if not _is_declared_anew(facts.owner)}


def _is_declared_anew(owner: Declared | None) -> bool:
    """Return whether a declaration is read again whenever anything is declared."""
    return owner is None or isinstance(owner, Kind | Field | Preference | Window)


def _edits(before: Iterable[Facts], now: Iterable[Facts]) -> list[tuple[Facts, Facts]] | None:
    """Return changed facts, as pairs (before, after); None if the declarations themselves have changed.

    Tests are left out.
    """
    old, new = list(before), [facts for facts in now if not isinstance(facts.owner, Test)]
    if len(old) != len(new):
        return None
    pairs = [pair for pair in zip(old, new, strict=True) if pair[0] is not pair[1]]
    edits = [pair for pair in pairs if not (_is_declared_anew(pair[1].owner) and _says_the_same(*pair))]
    same = all(before.owner is after.owner and after.owner is not None for before, after in edits)
    return edits if same else None


def _says_the_same(before: Facts, after: Facts) -> bool:
    return equal_trees(
        [references.root for references in before.texts()],
        [references.root for references in after.texts()],
        numbers=True,
    )


def _facts(owner: Declared | None, model: Model | None = None) -> Facts:
    """Return the facts about a declaration other than a test. `owner` None: those about the programs of `model`."""
    facts = Facts(owner)
    all: list[object] = [] if model is None else [of_game(model)]
    if owner is not None:
        all = behaviour(owner)
    for root in all:
        nodes = walk(root)
        _name(facts, nodes)
        _mention(facts, nodes)
        _note(facts, nodes)
        references = references_in(owner, root, nodes)
        facts.references.append(references)
        facts.listeners += [node for node in nodes if isinstance(node, ir.Listener)]
        facts.subtractions += subtractions(root, references.calls)
        facts.unread += _unread(nodes)
    if isinstance(owner, Rule) or (isinstance(owner, Invariant) and owner.kind is None):
        facts.ownerless = _ownerless(all)
    if isinstance(owner, Form):
        nodes = walk(owner.body)
        facts.called = _forms(nodes)
        facts.selfish = _speaks_of_self(nodes)
    elif isinstance(owner, Definition):
        if owner.kind.id == "mission":
            facts.ownerless = _unfit_defaults(all)
        own = walk([value.expr for value in owner.values.values()])
        _name(facts, own)
        facts.constant = constant_references(owner, own)
        facts.filled = tuple(owner.values)
        facts.target = owner.target
        for value in owner.values.values():
            if value.span is not None:
                _mention_at(facts, value.span, value.field)
    _list_files(facts)
    return facts


def _list_files(facts: Facts) -> None:
    facts.files = tuple(dict.fromkeys(file for file, _ in (*facts.named, *facts.mentions)))


@dataclass(frozen=True, slots=True)
class _StepFacts:
    """Facts about a step, which the rows of equal lines share.

    `forms`, `selfish`: the forms that it uses without an actor, and whether it uses `self` itself. `spaces`: see
    `Facts`. `further`: there are facts of other sorts, too.
    """

    forms: list[Form]
    selfish: bool
    spaces: list[tuple[Span, str]]
    further: bool


class _StepBook:
    """Caches facts about steps by their identity."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Step, _StepFacts]] = {}
        self._empty = Facts(None)  # most steps leave it so, except for spaces

    def facts_of_test(self, test: Test) -> Facts:
        """Return the facts about a test, without names."""
        facts, cache = Facts(test), self._known
        source, drawn = test.span.source, test.board is not None
        for row in test.rows:
            step, shift = row
            cached = cache.get(id(step))
            if cached is None:
                cached = cache[id(step)] = step, self._facts_of_step(step)
            noted = cached[1]
            if noted.further:
                _note(facts, _performed(test.step(row)))
            if noted.forms or noted.selfish:
                facts.steps.append((_moved(step.span, step, source, shift), noted.forms, noted.selfish))
            for span, id_ in noted.spaces:
                if not drawn or "/" in id_:  # other names were checked when the test was read
                    facts.spaces.append((_moved(span, step, source, shift), id_))
        return facts

    def _facts_of_step(self, step: Step) -> _StepFacts:
        facts, forms, selfish = self._empty, list[Form](), False
        nodes = _performed(step)
        if nodes:
            _note(facts, nodes)
            if step.sort != "do" or step.who is None:
                forms, selfish = _forms(nodes), _speaks_of_self(nodes)
        spaces, facts.spaces = facts.spaces, []
        further = any(_further_facts()(facts))
        if further:
            self._empty = Facts(None)
            spaces = []  # they are recorded with the other facts
        if step.who is not None or step.references:
            spaces += [
                (node.span, node.id) for node in _referred(step) if isinstance(node, ir.Instance) and _is_place(node)
            ]
        return _StepFacts(forms, selfish, spaces, further)


def _moved(span: Span, step: Step, source: Source, shift: int) -> Span:
    """Return a place in a step as that in a row for an equal line of another test; see `Test.step`."""
    line = step.span
    if span.source is not line.source or not line.start <= span.start <= line.end:
        return span  # a default value is where it is declared
    return Span(source, span.start + shift, span.end + shift)


def note_names(facts: Facts) -> None:
    """Record the names in a test, which are only needed if its file lacks a `use` line."""
    if isinstance(facts.owner, Test) and not facts.files:
        for step in facts.owner.steps:
            nodes = _performed(step)
            _name(facts, [*nodes, *_referred(step)])
            _mention(facts, nodes)
        _list_files(facts)


def is_naming(tree: object) -> bool:
    """Return whether a tree names anything that is declared."""
    facts, nodes = Facts(None), walk(tree)
    _name(facts, nodes)
    _mention(facts, nodes)
    return bool(facts.named or facts.mentions)


def _performed(step: Step) -> Sequence[ir.Node]:
    """Return the nodes of what a step does or expects."""
    return walk(step.body) if step.expr is None else walk([step.body, step.expr])


def _referred(step: Step) -> Sequence[ir.Node]:
    """Return the nodes of the values to which a step refers."""
    return walk([step.who, [reference.expr for reference in step.references]])


def _unread(nodes: Sequence[ir.Node]) -> Iterator[tuple[Span, str]]:
    """Yield the locals that `let` or `choose` sets and nothing reads: the first place that sets each, and the name."""
    setting = [node for node in nodes if isinstance(node, ir.Let | ir.Choose)]
    if not setting:
        return
    own = {id(node.var): None for node in setting}
    read = {node.slot: None for node in nodes if isinstance(node, ir.Var) and id(node) not in own}
    for node in nodes:
        if isinstance(node, ir.Listener):
            read |= {bind.slot: None for bind in node.binds}  # the event reads them
    first: dict[int, None] = {}
    for node in setting:
        if node.var.slot not in read and node.var.slot not in first:
            first[node.var.slot] = None
            yield node.span, node.var.name


def _forms(nodes: Iterable[ir.Node]) -> list[Form]:
    return [node.form for node in nodes if isinstance(node, ir.Do | ir.Apply)]


def _speaks_of_self(nodes: Iterable[ir.Node]) -> bool:
    return any(_is_self(node) for node in nodes if isinstance(node, ir.Var))


def _ownerless(roots: list[object]) -> list[tuple[Span, Form, bool]]:
    """Return the uses of forms in programs without a `self`, and whether an argument (often a default) reads it."""
    uses = [node for node in walk(roots) if isinstance(node, ir.Do | ir.Apply)]
    return [(use.span, use.form, any(_speaks_of_self(walk(argument)) for argument in use.args)) for use in uses]


def _unfit_defaults(roots: list[object]) -> list[tuple[Span, Form, bool]]:
    """Return the uses of forms in a mission whose default arguments need a `self` that is no mission."""
    uses: list[tuple[Span, Form, bool]] = []
    for use in walk(roots):
        if isinstance(use, ir.Do | ir.Apply):
            for param, argument in zip(use.form.params, use.args, strict=False):
                by_default = argument is not None and param.default is not None and equal_trees(argument, param.default)
                fits = _is_self(argument) and param.type.name in ("thing", "mission")
                if by_default and not fits and _speaks_of_self(walk(argument)):
                    uses.append((use.span, use.form, True))
    return uses


def _is_self(node: object) -> bool:
    return isinstance(node, ir.Var) and node.slot == 0 and node.name == "self"


def _name(facts: Facts, nodes: Iterable[ir.Node]) -> None:
    """Record the names in nodes, each at its first place in its file."""
    for node in nodes:
        names = NAMES.get(node.__class__)
        named: Named | None = None if names is None else names(node)
        if named is not None:
            span: Span = node.span  # type: ignore[attr-defined]
            key = span.source.name, named
            earliest = facts.named.get(key)
            if earliest is None or span.precedes(earliest):
                facts.named[key] = span


def _mention(facts: Facts, nodes: Iterable[ir.Node]) -> None:
    """Record the files that declare the forms, fields and events in nodes."""
    for node in nodes:
        mentioned = _MENTION_NOTES.get(node.__class__)
        declared: Form | Field | Event | None = None if mentioned is None else mentioned(node)
        if declared is not None:
            _mention_at(facts, node.span, declared)  # type: ignore[attr-defined]


_MENTION_NOTES = ByClass()
"""Functions that return the form, field or event that a node mentions, by its class."""


@_MENTION_NOTES.of(ir.Do, ir.Apply)
def _form_of(node: ir.Do | ir.Apply) -> Form:
    return node.form


@_MENTION_NOTES.of(ir.Get)
def _field_of(node: ir.Get) -> Field:
    return node.field


@_MENTION_NOTES.of(ir.Listener, ir.Announce)
def _event_of(node: ir.Listener | ir.Announce) -> Event | None:
    return None if node.event is CHANGE else node.event


def _note(facts: Facts, nodes: Iterable[ir.Node]) -> None:
    """Record facts in nodes other than names."""
    for node in nodes:
        note = _NOTES.get(node.__class__)
        if note is not None:
            note(facts, node)


_NOTES = ByClass()
"""Functions that record facts about a node, by its class."""


@_NOTES.of(ir.Do, ir.Apply)
def _note_form(facts: Facts, node: ir.Do | ir.Apply) -> None:
    _note_numbers(facts, node.form.params, node.args)
    _note_markers(facts, node)
    if isinstance(node, ir.Do):
        if node.form.op is not None and len(node.args) == 2:
            _note_put(facts, node.form, *node.args)
        for number, arg in enumerate(node.args):
            if arg is not None and arg.type == ir.NUMBER:
                amount = evaluate_constant(arg)
                if amount is not None and amount <= 0:
                    facts.zero_arguments.append((node, number, amount))


def _note_put(facts: Facts, form: Form, what: ir.Expr | None, pile: ir.Expr | None) -> None:
    if what is not None and pile is not None and (what.type.base, pile.type.base) == ("thing", "zone"):
        kind, held = what.type.name, pile.type.name
        if kind and held and kind != held:
            facts.put.append((what.span, form.id, kind, held))


def _note_markers(facts: Facts, node: ir.Do | ir.Apply) -> None:
    labels = [arg.label for arg in node.args if isinstance(arg, ir.Const) and arg.type.base == "counter"]
    if not labels or not labels[0]:
        return
    pairs = zip(node.form.params, node.args, strict=False)
    what = next((arg for param, arg in pairs if param.preposition in MARKED and param.type.base == "thing"), None)
    if what is not None:
        facts.markers.append((what.span, labels[0], what.type.name))


MARKED = ("on", "from")
"""The prepositions of the thing that gets or loses markers."""


def _note_numbers(facts: Facts, params: Sequence[Param], args: Sequence[ir.Expr | None]) -> None:
    for param, arg in zip(params, args, strict=False):
        if isinstance(arg, ir.Const) and arg.type == ir.NUMBER and not in_range(arg.value, param.low, param.high):
            facts.beyond.append((arg.span, param.name, param.low, param.high, arg.value))


@_NOTES.of(ir.Get)
def _note_get(facts: Facts, node: ir.Get) -> None:
    owner = node.of
    if node.field.id == "place" and isinstance(owner, ir.Var) and owner.type.name in NEVER_PLACED:
        facts.unplaced.append((node.span, owner.name, owner.type.name))


@_NOTES.of(ir.Listener)
def _note_listener(facts: Facts, node: ir.Listener) -> None:
    if node.event is not CHANGE:
        facts.waited.setdefault(node.event.id, node.span)
        facts.lowered += lowered_parameters(node)


@_NOTES.of(ir.Announce)
def _note_announced(facts: Facts, node: ir.Announce) -> None:
    facts.announced[node.event.id] = None
    _note_numbers(facts, node.event.params, node.args)


@_NOTES.of(ir.Variant)
def _note_variant(facts: Facts, node: ir.Variant) -> None:
    facts.tested[node.id] = None


@_NOTES.of(ir.Modifier)
def _note_modifier(facts: Facts, node: ir.Modifier) -> None:
    if node.mode == "add" and _is_zero(node.amount):
        facts.zeros.append(node.span)


def _is_zero(amount: ir.Expr | None) -> TypeGuard[ir.Const]:
    return isinstance(amount, ir.Const) and amount.type == ir.NUMBER and amount.value == 0


@_NOTES.of(ir.Repeat)
def _note_repeat(facts: Facts, node: ir.Repeat) -> None:
    if _is_zero(node.times):
        facts.zeros.append(node.span)


@_NOTES.of(ir.Assign)
def _note_assigned(facts: Facts, node: ir.Assign) -> None:
    column = node.target.field
    if node.op == "+" and _is_zero(node.value):
        facts.zeros.append(node.span)
    facts.teams = facts.teams or (column.kind == "player" and column.id == TEAM)


@_NOTES.of(ir.Instance)
def _note_instance(facts: Facts, node: ir.Instance) -> None:
    if _is_place(node):
        facts.spaces.append((node.span, node.id))


def _is_place(node: ir.Instance) -> bool:
    """Return whether a space or a side is named by its coordinates."""
    return node.kind in ("space", "side") and node.id != node.kind


@_NOTES.of(ir.End)
def _note_end(facts: Facts, node: ir.End) -> None:
    if node.ending is not None:
        facts.ends.append(node)
    facts.shared = facts.shared or (node.is_shared and node.side is not None and node.side.type.name == TEAM)


@_NOTES.of(ir.Play)
def _note_play(facts: Facts, node: ir.Play) -> None:
    facts.plays.append(node)


@_NOTES.of(ir.Body)
def _note_body(facts: Facts, node: ir.Body) -> None:
    if len(node.statements) > 1:
        unreachable = _behind_an_end(node)
        if unreachable is not None:
            facts.behind.append(unreachable)
        facts.cut += _cut_off(node)


def _mention_at(facts: Facts, span: Span, declared: Form | Field | Event) -> None:
    """Keep a mention if it is the first; no file mentions itself."""
    file, home = key = span.source.name, declared.span.source.name
    if file == home:
        return
    earliest = facts.mentions.get(key)
    if earliest is None or span.precedes(earliest[0]):
        facts.mentions[key] = span, declared.id, home


# ── ends ───────────────────────────────────────────────────────────────────────────────────────


def _behind_an_end(body: ir.Body) -> tuple[ir.Stmt, ir.Stmt, str] | None:
    """Return the first statement after one that ends its body, with the ending statement and its word."""
    for statement, following in zip(body.statements, body.statements[1:], strict=False):
        word = ending_word(statement)
        if word:
            return following, statement, word
    return None


def _cut_off(body: ir.Body) -> Iterator[tuple[ir.Stmt, ir.Stmt]]:
    """Yield each `stop` that is all of a row or an option, with the statement after its block.

    In an `if`, a single `stop` is the normal way to continue under a condition, so it is skipped.
    """
    for statement, following in zip(body.statements, body.statements[1:], strict=False):
        for branch in _branches(statement):
            if len(branch.statements) == 1 and isinstance(branch.statements[0], ir.Stop):
                yield branch.statements[0], following


def _branches(statement: ir.Stmt) -> list[ir.Body]:
    """Return the bodies of the rows or options of a statement."""
    rows = _BRANCH_NOTES.get(statement.__class__)
    return [] if rows is None else [row.body for row in rows(statement)]


_BRANCH_NOTES = ByClass()
"""Functions that return the rows or options of a statement, by its class."""


@_BRANCH_NOTES.of(ir.Roll, ir.Play)
def _rows(statement: ir.Roll | ir.Play) -> Sequence[ir.Row | ir.PlayRow]:
    return statement.rows


@_BRANCH_NOTES.of(ir.ChooseOne)
def _options(statement: ir.ChooseOne) -> Sequence[ir.Option]:
    return statement.options


@_BRANCH_NOTES.of(ir.AnyOrder)
def _steps(statement: ir.AnyOrder) -> Sequence[ir.Option]:
    return statement.steps


def ending_word(statement: ir.Stmt) -> str:
    """Return the word of a statement that always ends its body; empty for other statements."""
    word_of = _ENDING_NOTES.get(statement.__class__)
    word: str = "" if word_of is None else word_of(statement)
    return word


_ENDING_NOTES = ByClass()
"""Functions that return the word of a statement that may end its body, by its class."""


@_ENDING_NOTES.of(ir.End)
def _word_of_end(end: ir.End) -> str:
    return "" if end.side is not None and end.side.type.many else end.outcome


@_ENDING_NOTES.of(ir.If, ir.Then)
def _word_of_branches(statement: ir.If | ir.Then) -> str:
    then, otherwise = _last(statement.then), _last(statement.otherwise)
    return then if then and otherwise else ""


@_ENDING_NOTES.of(ir.Stop, ir.Break, ir.Answer)  # `cancel` only calls off the event; its body goes on
def _own_word(statement: ir.Stop | ir.Break | ir.Answer) -> str:
    return type(statement).__name__.lower()


def _last(body: ir.Body) -> str:
    """Return the word that ends a body early; empty if it may continue."""
    return next((word for statement in body.statements if (word := ending_word(statement))), "")
