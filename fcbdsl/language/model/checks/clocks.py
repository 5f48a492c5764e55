"""Counters of the game that only rise, such as the number of the round, and the value at which each mission ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.circles import may_end
from fcbdsl.language.model.checks.facts import ending_word
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.content import Definition, Track
from fcbdsl.language.model.declarations import Field, Form, Trait
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.roots import game_roots
from fcbdsl.language.model.whole import Model

FIRST: Final = 2
"""The slot of a form's first parameter, after `self` and `this`."""
DEEPEST: Final = 8
_GAME: Final = "game"
_MISSION: Final = "mission"
_TRACK: Final = "countdown"
_REACHES: Final = (">=", "=", ">")

Changes = Mapping[Field, Sequence[tuple[ir.Assign, object, int]]]
"""The changes of each stat, each with the whole behavior around it and its first slot after the parameters."""


@dataclass(slots=True)
class Clocks:
    """The greatest values of counters in missions, memoized.

    A mission ends with a counter in two ways. A rule of the system compares the counter with a field of the mission, or
    each step of the counter moves a countdown whose end is the end of the game.
    """

    model: Model
    assigned: Changes
    _rising: dict[Field, bool] = field(default_factory=dict)
    _known: dict[tuple[Field, int], int | None] = field(default_factory=dict)
    _moved: dict[str, None] | None = None

    def rises(self, column: Field) -> bool:
        """Return whether a stat of the game is a counter: effects only add 1 to it, or set it to a constant."""
        if column.kind != _GAME or column.sort != "stat" or column.type != ir.NUMBER:
            return False
        if column not in self._rising:
            changes = self.assigned.get(column, ())
            steps = [_is_step(assign) for assign, _, _ in changes]
            resets = [assign for (assign, _, _), step in zip(changes, steps, strict=True) if not step]
            begun = 0 if column.default is None else evaluate_constant(column.default)
            constants = [evaluate_constant(assign.value) if assign.op == "=" else None for assign in resets]
            self._rising[column] = any(steps) and all(value is not None and value >= 0 for value in (begun, *constants))
        return self._rising[column]

    def most(self, column: Field, mission: Definition | None) -> int | None:
        """Return the greatest value of a counter in a mission (None: in any); None if that is unknown."""
        if not self.rises(column):
            return None
        key = column, id(mission)
        if key not in self._known:
            self._known[key] = self._most(column, mission)
        return self._known[key]

    def _most(self, column: Field, mission: Definition | None) -> int | None:
        if mission is not None:
            return min((*self._limits(column, mission), *self._countdowns(column, mission)), default=None)
        every = [
            self.most(column, definition)
            for definition in self.model.definitions.values()
            if is_mission_definition(definition) and not self.model.proof_of(definition.span)
        ]
        return None if None in every else max((value for value in every if value is not None), default=None)

    def _limits(self, column: Field, mission: Definition) -> Iterator[int]:
        """Yield the values at which a rule of the system ends the game, by a comparison with a constant or a field."""
        for form in self.model.forms:
            for statement in form.body.statements if form.system and form.body is not None else ():
                if isinstance(statement, ir.If) and _ends(statement.then):
                    limit = _limit(statement.condition, column, mission)
                    if limit is not None:
                        yield limit

    def _countdowns(self, column: Field, mission: Definition) -> Iterator[int]:
        """Yield the lengths of the countdowns that move with a counter, and whose end is the end of the game."""
        begun = 0 if column.default is None else evaluate_constant(column.default) or 0
        steps = [root for assign, root, _ in self.assigned.get(column, ()) if _is_step(assign)]
        if len(steps) != len(self.assigned.get(column, ())) or not all(_moves_countdowns(root) for root in steps):
            return
        for track in mission.tracks:
            if track.sort == _TRACK and track.id not in self._held() and "" not in self._held():
                yield from (begun + value - track.low for value in _last_values(track))

    def _held(self) -> dict[str, None]:
        """Return the ids of the tracks that some effect moves back or sets; empty: any track."""
        if self._moved is None:
            self._moved = {}
            for _, root in game_roots(self.model):
                for node in walk(root):
                    if isinstance(node, ir.Do) and Trait.LOWERS in node.form.traits and node.args[0] is not None:
                        self._moved[_track_of(node.args[0])] = None
                    elif isinstance(node, ir.Assign) and node.target.of.type.name in ("track", _TRACK):
                        self._moved[_track_of(node.target.of)] = None
        return self._moved


def _track_of(expr: ir.Expr) -> str:
    return expr.id if isinstance(expr, ir.Instance) else ""


def _is_step(assign: ir.Assign) -> bool:
    """Return whether a statement adds 1 to a stat."""
    if assign.op == "+":
        return evaluate_constant(assign.value) == 1
    match assign.value:
        case ir.Binary(op="+", left=ir.Get(field=column), right=right):
            return assign.op == "=" and column is assign.target.field and evaluate_constant(right) == 1
    return False


def _ends(body: ir.Body) -> bool:
    """Return whether a body always ends the game."""
    for statement in body.statements:
        if isinstance(statement, ir.End):
            return bool(ending_word(statement))
        if may_end(statement):
            return False
    return False


def _last_values(track: Track) -> Iterator[int]:
    """Yield the values of a track at which the game ends."""
    if track.end is not None and _ends(track.end):
        yield track.high
    for values, body in track.steps:
        if _ends(body):
            yield min(values)


def _limit(condition: ir.Expr, column: Field, mission: Definition) -> int | None:
    """Return the value of a counter from which a condition holds; None if that is unknown."""
    match condition:
        case ir.Apply(form=Form(body=ir.Body(statements=(ir.Answer(value=value),)))):
            return _limit(value, column, mission)
        case ir.Binary(op=op, left=ir.Get(field=counter), right=right) if counter is column and op in _REACHES:
            limit = evaluate_constant(right)
            if isinstance(right, ir.Get) and right.of.type.name == _MISSION:
                own = mission.values.get(right.field.id)
                written = own.expr if own is not None else right.field.default
                limit = None if written is None else evaluate_constant(written)
            return limit if limit is None or op != ">" else limit + 1
    return None


def _moves_countdowns(root: object) -> bool:
    """Return whether a body that steps a counter also moves each countdown on by 1 or more, in any case."""
    return isinstance(root, ir.Body) and any(_advances_all(statement) for statement in _certain(root, {}, 0))


def _advances_all(statement: ir.Stmt) -> bool:
    match statement:
        case ir.ForEach(items=ir.Select(source=None, where=None, type=type), body=ir.Body(statements=(ir.Do() as do,))):
            amount = 1 if len(do.args) < 2 or do.args[1] is None else evaluate_constant(do.args[1])
            return type.name == _TRACK and Trait.RAISES in do.form.traits and amount is not None and amount > 0
    return False


def _certain(body: ir.Body, given: Mapping[int, int | None], depth: int) -> Iterator[ir.Stmt]:
    """Yield the statements that a body always runs, itself or by its verbs. `given`: constants of parameters."""
    for statement in body.statements:
        yield statement
        match statement:
            case ir.Do(form=form, args=args) if form.body is not None and form.event is None and depth < DEEPEST:
                constants = {
                    FIRST + number: None if arg is None else evaluate_constant(arg, given)
                    for number, arg in enumerate(args)
                }
                yield from _certain(form.body, constants, depth + 1)
            case ir.Repeat(times=times, body=inner) if times is not None:
                count = evaluate_constant(times, given)
                if count is not None and count > 0:
                    yield from _certain(inner, given, depth)
            case _:
                pass
        if may_end(statement):
            return
