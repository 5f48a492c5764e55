"""Checks for unused content: cards that nothing brings into play, conditions that never change, choices with one
option, events that never happen.

They report only what can be proved from the whole game. Uses in tests do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from pathlib import PurePath

from fcbdsl.base.diagnostics.base import Diagnostic, Fix, Related
from fcbdsl.base.diagnostics.dead import (
    ChangeByZero,
    DeadBranch,
    NeverHappens,
    OnlyOption,
    StrayCondition,
    UnusedCard,
    UnusedForm,
)
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.checks.number_values import Numbers
from fcbdsl.language.model.checks.picking import may_pick
from fcbdsl.language.model.checks.ranges import Interval, Ranges, add_ranges, compare_ranges, range_hull
from fcbdsl.language.model.checks.stock import copies_in_box
from fcbdsl.language.model.checks.unused_names import unused_names
from fcbdsl.language.model.checks.zero_amounts import Amounts, Dose
from fcbdsl.language.model.content import Board, Definition
from fcbdsl.language.model.declarations import CHANGE, Declared, Kind
from fcbdsl.language.model.ir import ByClass, conjuncts, walk
from fcbdsl.language.model.ir.operators import evaluate_constant, reads_slot
from fcbdsl.language.model.roots import Walked, system_files
from fcbdsl.language.model.texts import condition_text
from fcbdsl.language.model.whole import Model

ELSEWHERE = ("player", "space", "side", "region", "game", "record", "mission", "campaign", "team", "ending")
"""Kinds whose things always exist, or that are played themselves."""

CORE = "core"
THIS = 1
"""The slot of the thing that has an effect."""


@dataclass(slots=True)
class _Uses:
    """Uses in the behavior of a game, outside of tests.

    `named`: definitions, by id, with the identities of the definitions that name them (None: something else). `picked`:
    selections of definitions. `done`: forms. `announced`, `waited`: events, the latter with their first place. `ifs`,
    `heard`: branches, and conditions of triggers and modifiers, with their owners. `picks`: selections of loops and
    choices, with their owners.
    """

    named: dict[str, dict[int, None]] = field(default_factory=dict)
    picked: list[ir.Select] = field(default_factory=list)
    done: dict[int, None] = field(default_factory=dict)
    announced: dict[str, None] = field(default_factory=dict)
    waited: dict[str, Span] = field(default_factory=dict)
    ifs: list[tuple[ir.If, Declared | None]] = field(default_factory=list)
    heard: list[tuple[ir.Expr, Declared | None]] = field(default_factory=list)
    picks: list[tuple[ir.Select, Declared | None]] = field(default_factory=list)
    choices: list[tuple[Span, str]] = field(default_factory=list)
    strays: list[tuple[ir.Expr, str]] = field(default_factory=list)  # with the quantifiers around them in a `where`


def idle(model: Model, numbers: Numbers | None = None) -> Iterator[Diagnostic]:
    """Yield diagnostics for unused declarations of a game without errors. `numbers`: those of the model, if the caller
    has them."""
    numbers = Numbers(model) if numbers is None else numbers
    uses = _uses(model, numbers.walked)
    for span, what in uses.choices:
        yield OnlyOption(span, what=what)
    for part, quantifier in uses.strays:
        yield StrayCondition(part.span, part=condition_text(part), quantifier=quantifier)
    content = _Content(model, numbers)
    yield from _constant(model, uses, content)
    yield from _never_above_zero(model, numbers.walked, content)
    yield from _unused(model, uses)
    yield from _unused_forms(model, uses)
    if _has_system(model):
        yield from unused_names(model, numbers.walked, uses.named)
    yield from _silent(model, uses)


def _uses(model: Model, walked: Sequence[Walked]) -> _Uses:
    out = _Uses()
    for owner, _, nodes in walked:
        if nodes and (owner is None or not _is_proof(model, owner)):
            _note(out, nodes, owner)
    for definition in model.definitions.values():
        if _is_proof(model, definition):
            continue
        for value in definition.values.values():
            _note(out, walk(value.expr), definition)
        if definition.target is not None:
            out.named.setdefault(definition.target.id, {})[0] = None
        if definition.board is not None:
            _note_map(out, definition.board)
    return out


def _is_proof(model: Model, declared: object) -> bool:
    span = getattr(declared, "span", None)
    return span is not None and bool(model.proof_of(span))


def _note(out: _Uses, nodes: Sequence[ir.Node], owner: Declared | None) -> None:
    """Record the uses in nodes of a declaration."""
    for node in nodes:
        note = _NOTES.get(node.__class__)
        if note is not None:
            note(out, node, owner)


_NOTES = ByClass()
"""Functions that record what a node uses, by its class."""


@_NOTES.of(ir.Def, ir.Instance)
def _note_named(out: _Uses, node: ir.Def | ir.Instance, owner: Declared | None) -> None:
    out.named.setdefault(node.id, {})[id(owner)] = None


@_NOTES.of(ir.Select)
def _note_select(out: _Uses, node: ir.Select, owner: Declared | None) -> None:
    if node.source is None and node.type.base == "definition":
        out.picked.append(node)


@_NOTES.of(ir.Do, ir.Apply)
def _note_form(out: _Uses, node: ir.Do | ir.Apply, owner: Declared | None) -> None:
    out.done[id(node.form)] = None


@_NOTES.of(ir.Announce)
def _note_announced(out: _Uses, node: ir.Announce, owner: Declared | None) -> None:
    out.announced[node.event.id] = None


@_NOTES.of(ir.Listener)
def _note_listener(out: _Uses, node: ir.Listener, owner: Declared | None) -> None:
    if node.event is not CHANGE:
        out.waited.setdefault(node.event.id, node.span)
    if node.condition is not None:
        out.heard.append((node.condition, owner))


@_NOTES.of(ir.Modifier)
def _note_modifier(out: _Uses, node: ir.Modifier, owner: Declared | None) -> None:
    if node.condition is not None:
        out.heard.append((node.condition, owner))
    elif node.where is not None:
        kind = ir.Type("thing", node.kind.id, True)
        out.picks.append((ir.Select(None, node.it, node.where, (), kind, node.span), owner))


@_NOTES.of(ir.Until)
def _note_until(out: _Uses, node: ir.Until, owner: Declared | None) -> None:
    out.waited.setdefault(node.until.id, node.span)


@_NOTES.of(ir.If)
def _note_if(out: _Uses, node: ir.If, owner: Declared | None) -> None:
    out.ifs.append((node, owner))


@_NOTES.of(ir.ForEach)
def _note_loop(out: _Uses, node: ir.ForEach, owner: Declared | None) -> None:
    if isinstance(node.items, ir.Select):
        out.picks.append((node.items, owner))


@_NOTES.of(ir.ChooseOne)
def _note_options(out: _Uses, node: ir.ChooseOne, owner: Declared | None) -> None:
    if len(node.options) == 1 and not node.optional:
        out.choices.append((node.span, "option"))


@_NOTES.of(ir.AnyOrder)
def _note_steps(out: _Uses, node: ir.AnyOrder, owner: Declared | None) -> None:
    if len(node.steps) == 1:
        out.choices.append((node.span, "step"))


@_NOTES.of(ir.Choose)
def _note_choice(out: _Uses, node: ir.Choose, owner: Declared | None) -> None:
    if isinstance(node.options, ir.Select):
        out.picks.append((node.options, owner))
    elif isinstance(node.options, ir.ListOf) and not node.optional:
        items = node.options.items
        if len(items) == 1 and not items[0].type.many:
            out.choices.append((node.span, "answer"))


@_NOTES.of(ir.Quantified)
def _note_quantified(out: _Uses, node: ir.Quantified, owner: Declared | None) -> None:
    select = node.select
    if node.quantifier in ("no", "every", "number") and isinstance(select, ir.Select):
        about = [(part, reads_slot(part, select.it)) for part in conjuncts(select.where)]
        if about and about[0][1]:
            quantifier = "number of" if node.quantifier == "number" else node.quantifier
            out.strays += [(part, quantifier) for part, of_it in about if not of_it]


def _note_map(out: _Uses, board: Board) -> None:
    """Note what a map shows."""
    for cell in board.cells:
        for name in cell.places:
            out.named.setdefault(name, {})[0] = None
        for value in cell.values.values():
            _note(out, walk(value.expr), None)
    for values in board.side_values.values():
        for value in values.values():
            _note(out, walk(value.expr), None)


# ── conditions ─────────────────────────────────────────────────────────────────────────────────


def _constant(model: Model, uses: _Uses, content: _Content) -> Iterator[Diagnostic]:
    """Yield conditions that always hold, or never do."""
    bounds = _bounds(model)
    inner: dict[int, None] = {}
    for top, owner in uses.ifs:
        if id(top) in inner:
            continue
        asked: list[ir.If] = []
        branch: ir.If | None = top
        while branch is not None:
            inner[id(branch)] = None
            before = next((other for other in asked if ir.same(other.condition, branch.condition)), None)
            holds = constant_truth(branch.condition, bounds)
            limit = None if holds is not None else content.beyond(branch.condition, owner)
            if before is not None:
                related = [Related(before.condition.span, "the same condition is here")]
                why = "an `if` above it in the chain has the same condition"
                fix = _without(branch.condition.span)
                yield DeadBranch(branch.condition.span, always="never", why=why, related=related, fix=fix)
            elif holds is not None:
                always = "always" if holds else "never"
                fix = _plain(branch.condition.span) if holds else _without(branch.condition.span)
                why = content.limits(branch.condition, owner) if not holds else ""
                yield DeadBranch(branch.condition.span, always=always, why=why or FIXED, fix=fix)
            elif limit is not None:
                yield DeadBranch(branch.condition.span, always="never", why=limit, fix=_without(branch.condition.span))
            asked.append(branch)
            rest = branch.otherwise.statements
            branch = rest[0] if len(rest) == 1 and isinstance(rest[0], ir.If) else None
    needed = [(action.needs, action) for action in model.actions.values() if action.needs is not None]
    for condition, owner in (*((branch.condition, owner) for branch, owner in uses.ifs), *uses.heard, *needed):
        parts = conjuncts(condition) if content.has(owner) else []
        for part in parts if len(parts) > 1 else ():
            if constant_truth(part, bounds) is True or content.always(part, owner):
                yield DeadBranch(part.span, always="always", why=FIXED)
    for condition, owner in uses.heard:
        if content.has(owner) and (constant_truth(condition, bounds) is True or content.always(condition, owner)):
            yield DeadBranch(condition.span, always="always", why=FIXED)
            continue
        limit = content.beyond(condition, owner)
        if limit is not None:
            yield DeadBranch(condition.span, always="never", why=limit)
    for select, owner in uses.picks:
        limit = content.beyond(select, owner) if select.where is not None and select.type.base == "thing" else None
        if limit is not None and select.where is not None:
            yield DeadBranch(select.where.span, always="never", why=limit)


class _Content:
    """Conditions of the project's own missions and cards that want more things than exist.

    A system is made for the content of other projects, too, and so are packs that come with fcb: these are skipped.
    """

    def __init__(self, model: Model, numbers: Numbers) -> None:
        self._model, self._ranges = model, Ranges(numbers)
        self._systems = system_files(model)

    def has(self, owner: Declared | None) -> bool:
        """Return whether a declaration is a mission, a card or anything else of the project's own content."""
        return not (owner is None or owner.span.source.name in self._systems or self._model.is_lent(owner.span))

    def range_of(self, number: ir.Expr, owner: Declared | None) -> Interval:
        """Return the range of a number in the behavior of a declaration."""
        ranges = self._ranges_in(owner)
        out = ranges.of(number, {THIS: owner} if isinstance(owner, Definition) else {})
        ranges.numbers.mission = None
        return out

    def always(self, condition: ir.Expr, owner: Declared | None) -> bool:
        """Return whether a condition that compares numbers holds for all of their values."""
        if not isinstance(condition, ir.Binary) or condition.left.type != ir.NUMBER:
            return False
        ranges = self._ranges_in(owner)
        holds = ranges.truth(condition, {}) is True
        ranges.numbers.mission = None
        return holds

    def limits(self, condition: ir.Expr, owner: Declared | None) -> str:
        """Return the ranges of the numbers in a condition, in words."""
        ranges = self._ranges_in(owner)
        out = ranges.limits(condition, {})
        ranges.numbers.mission = None
        return out

    def _ranges_in(self, owner: Declared | None) -> Ranges:
        """Return the ranges of the mission to which a declaration belongs, or of all missions."""
        mission = owner if isinstance(owner, Definition) and is_mission_definition(owner) else None
        self._ranges.numbers.mission = mission
        return self._ranges

    def beyond(self, condition: ir.Expr, owner: Declared | None) -> str | None:
        """Return why a condition never holds, by the number of things that there can be; None if it may hold."""
        if not self.has(owner):
            return None
        numbers = self._ranges_in(owner).numbers
        limits_asked = numbers.raising.asked
        holds = self._truth(condition)
        if holds is None and numbers.raising.asked > limits_asked:
            numbers.raising.estimates = True
            holds = self._truth(condition)
        limit = self._ranges.limits(condition, {}) if holds is False else ""
        numbers.mission, numbers.raising.estimates = None, False
        return None if holds is not False else limit or FIXED

    def _truth(self, condition: ir.Expr) -> bool | None:
        """Return whether a condition always holds or never does. A selection holds if it has anything."""
        numbers = self._ranges.numbers
        if isinstance(condition, ir.Select):
            is_defined = bool(numbers.things(replace(condition, where=None), {}))
            return False if is_defined and numbers.is_empty(condition, {}) else None
        return False if self._ranges.never(condition, {}) else self._ranges.truth(condition, {})


def _never_above_zero(model: Model, walked: Sequence[Walked], content: _Content) -> Iterator[Diagnostic]:
    """Yield verbs of the project's own content with a calculated amount that is never above 0."""
    amounts = Amounts()
    for owner, _, nodes in walked:
        if not content.has(owner) or _is_proof(model, owner):
            continue
        for call in (node for node in nodes if isinstance(node, ir.Do)):
            for number, arg in enumerate(call.args):
                if arg is None or arg.type != ir.NUMBER or evaluate_constant(arg) is not None:
                    continue
                dose = amounts.dose(call.form, number)
                low, high = content.range_of(arg, owner) if dose is not Dose.NO else (None, None)
                if high is not None and high <= 0 and (dose is Dose.COUNTED or low == 0):
                    amount = "0" if low == high == 0 else "never above 0"
                    phrase = call.span.source.text[call.span.start : call.span.end].split("\n")[0]
                    yield ChangeByZero(call.span, phrase=phrase, amount=amount)


FIXED = "its numbers cannot have other values"


IF, ELSE_IF = "if ", "else if "


def _without(condition: Span) -> Fix | None:
    """Return a fix that removes a branch which never runs; None if that would change the code around it."""
    text = condition.source.text
    start, lead, end, beyond = _branch(condition)
    if not text.startswith(ELSE_IF, lead):
        if not text.startswith(IF, lead) or beyond.startswith("else"):
            return None
        before = [row for row in text[:start].split("\n") if row.strip() and not row.lstrip().startswith("#")]
        if not beyond and (not before or _indent(before[-1]) < lead - start):
            return None  # the block has no other line
    first, last = (start, end + 1) if end < len(text) else (max(start - 1, 0), end)
    return Fix(Span(condition.source, first, last), "")


def _plain(condition: Span) -> Fix | None:
    """Return a fix that turns the condition of a last branch, which always holds, into `else`; None if it is no last
    branch."""
    _, lead, _, beyond = _branch(condition)
    if not condition.source.text.startswith(ELSE_IF, lead) or beyond.startswith("else"):
        return None
    return Fix(Span(condition.source, lead, condition.end), "else")


def _branch(condition: Span) -> tuple[int, int, int, str]:
    """Return the start of the line of a condition, the start of its first word, the end of its branch, and the next
    line at the same indentation.

    The last is empty if the block ends there.
    """
    text = condition.source.text
    start = text.rfind("\n", 0, condition.start) + 1
    lead = start + _indent(text[start:])
    at = end = _line_end(text, condition.end)
    while at < len(text):
        following = _line_end(text, at + 1)
        row = text[at + 1 : following]
        if row.strip():
            deep = _indent(row)
            if deep <= lead - start:
                return start, lead, end, row.strip() if deep == lead - start else ""
            end = following
        at = following
    return start, lead, end, ""


def _line_end(text: str, at: int) -> int:
    line_break = text.find("\n", at)
    return len(text) if line_break < 0 else line_break


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))


Bounds = dict[str, Interval]
"""Ranges of the columns of a name, over all kinds that declare it."""


def _bounds(model: Model) -> Bounds:
    out: Bounds = {}
    for kind in model.kinds.values():
        for column in kind.fields.values():
            if column.type.base != "number" or column.type.many:
                limits: Interval = (None, None)
            elif column.sort in ("status", "token"):
                limits = (0, column.limit)
            elif column.sort in ("stat", "field"):
                limits = (column.low, column.high)
            else:
                limits = (None, None)
            out[column.id] = range_hull(out[column.id], limits) if column.id in out else limits
    return out


def constant_truth(condition: ir.Expr, bounds: Bounds) -> bool | None:
    """Return whether a condition always holds (True), never does (False), or may do either."""
    match condition:
        case ir.Const(type=type, value=value) if type == ir.FLAG:
            return bool(value)
        case ir.Not(operand=operand):
            inner = constant_truth(operand, bounds)
            return None if inner is None else not inner
        case ir.Binary(op="and" | "or" as op, left=left, right=right):
            sides = [constant_truth(left, bounds), constant_truth(right, bounds)]
            decisive = op == "or"
            if decisive in sides:
                return decisive
            return None if None in sides else not decisive
        case ir.Binary(op=op, left=left, right=right) if left.type.base == "number" and right.type.base == "number":
            return compare_ranges(op, _reach(left, bounds), _reach(right, bounds))
        case ir.Binary(op="=" | "!=" as op, left=ir.Const() as left, right=ir.Const() as right):
            return (left.value == right.value) == (op == "=") if left.type == right.type else None
        case _:
            return None


def _reach(expr: ir.Expr, bounds: Bounds) -> Interval:
    """Return the range of a number. Reading a column of nothing gives 0."""
    match expr:
        case ir.Const(value=value):
            return value, value
        case ir.Get(field=column):
            return range_hull(bounds.get(column.id, (None, None)), (0, 0))
        case ir.Quantified(quantifier="number"):
            return 0, None
        case ir.Binary(op="+", left=left, right=right):
            return add_ranges(_reach(left, bounds), _reach(right, bounds))
        case _:
            return None, None


# ── cards ──────────────────────────────────────────────────────────────────────────────────────


def _unused(model: Model, uses: _Uses) -> Iterator[Diagnostic]:
    """Yield definitions that nothing brings into play, although others of their kinds are."""
    used: dict[str, None] = {}
    idle: list[Definition] = []
    for definition in model.definitions.values():
        if _is_proof(model, definition) or not _is_thing(definition.kind):
            continue
        if _is_named(definition, uses) or any(may_pick(select, definition) for select in uses.picked):
            used[definition.kind.id] = None
        else:
            idle.append(definition)
    for definition in idle:
        if definition.kind.id in used and copies_in_box(model, (definition.kind.id, definition.id)) != 0:  # FCB0668
            yield UnusedCard(definition.span, kind=definition.kind.id, name=definition.id)


def _is_thing(kind: Kind) -> bool:
    return kind.part_of is None and not any(above.id in ELSEWHERE for above in kind.lineage())


def _is_named(definition: Definition, uses: _Uses) -> bool:
    """Return whether something other than the definition itself names it."""
    return any(owner != id(definition) for owner in uses.named.get(definition.id, {}))


def _unused_forms(model: Model, uses: _Uses) -> Iterator[Diagnostic]:
    """Yield forms in the project's own content that nothing uses. A game without a system is read as a whole system."""
    if not _has_system(model):
        return
    for form in model.forms:
        own = not form.system and not model.proof_of(form.span) and not model.is_lent(form.span)
        if own and id(form) not in uses.done and PACKS not in PurePath(form.span.source.name).parts[:-2]:
            yield UnusedForm(form.span, sort=form.sort, name=form.id)


def _has_system(model: Model) -> bool:
    """Return whether a game has a system. Without one, all of its content is read as a whole system."""
    return any(kind.system not in ("", CORE) for kind in model.kinds.values())


PACKS = "packs"
"""The folder of packs, which declare words for others."""


# ── events ─────────────────────────────────────────────────────────────────────────────────────


def _silent(model: Model, uses: _Uses) -> Iterator[Diagnostic]:
    """Yield events that nothing announces outside of tests, and listeners of verbs that nothing uses.

    Listeners of events that nothing announces at all are reported elsewhere (FCB0317).
    """
    core = {form.span.source.name for form in model.forms if form.system == CORE}
    for event in model.events.values():
        if event.span.source.name in core or model.proof_of(event.span):
            continue
        where = uses.waited.get(event.id)
        if event.verb is not None:
            if where is not None and id(event.verb) not in uses.done:
                what, why = f"This waits for `{event.id}`", "nothing does that outside of tests"
                yield NeverHappens(where, what=what, why=why, related=[Related(event.verb.span, "the verb")])
        elif event.id not in uses.announced and where is None:
            yield NeverHappens(event.span, what=f"The event `{event.id}` is declared", why="nothing announces it")
