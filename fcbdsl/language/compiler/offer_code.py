"""Offers: one code that lists, for an actor, every available action with every possible subject.

Each action has conditions on its actor alone (`by`, costs, needs) and, per subject, the rest of its guard. Conditions
that several actions share are tested once: the code is a tree of tests with the most shared ones on top. The actions of
other missions are skipped.
"""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Hashable
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler import action_rows, expression_lowering, preconditions, value_codes
from fcbdsl.language.compiler.assembler import SELF, SELF_THIS, THIS, BodyFrame, Label, Register, open_frame
from fcbdsl.language.compiler.lowering_context import Unit, memoize
from fcbdsl.language.compiler.peephole import finish_code
from fcbdsl.language.compiler.planning import candidate_loop
from fcbdsl.language.compiler.walk import free_slots, slots_read, source_text
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Action
from fcbdsl.language.model.ir import FLAG, Expr, Substitution, Type, conjuncts, equal_in_place, shape, substitute
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.ops.calls import Rets
from fcbdsl.machine.vm.ops.flow import Jf
from fcbdsl.machine.vm.ops.happenings import Free, JumpElsewhere, Offered
from fcbdsl.machine.vm.ops.registers import Lnew


@dataclass(slots=True)
class Offering:
    """An action with its number, the conditions on its actor, and those on its subject."""

    number: int
    action: Action
    tests: dict[Hashable, Expr] = field(default_factory=dict)
    rest: list[Expr] = field(default_factory=list)


def offers_code(unit: Unit) -> int:
    """Return the code that answers (action, subject) pairs for self; -1 if there are no actions.

    The code of earlier actions is used again if only later parts of their effects have changed.
    """
    declared = tuple(unit.model.actions.values())
    if unit.memory is not None:
        unit.memory.use_again(_code.__name__, (declared,), lambda before: _are_offered_alike(before[0], declared))
    return _code(unit, declared)


def _are_offered_alike(before: object, now: tuple[Action, ...]) -> bool:
    """Return whether the same code offers some actions and earlier ones."""
    return (
        isinstance(before, tuple)
        and len(before) == len(now)
        and all(one is other or _is_offered_alike(one, other) for one, other in zip(before, now, strict=True))
    )


def _is_offered_alike(before: Action, now: Action) -> bool:
    """Return whether two actions differ only in parts that do not decide when they are on offer."""
    costs, new_costs = ([column for column, _ in action.costs] for action in (before, now))
    return (
        (before.id, before.limit_per, before.system) == (now.id, now.limit_per, now.system)
        and before.limit is now.limit
        and len(costs) == len(new_costs)
        and all(map(operator.is_, costs, new_costs))
        and equal_in_place(_deciding_parts(before), _deciding_parts(now))
    )


def _deciding_parts(action: Action) -> list[object]:
    """Return the parts of an action that decide when it is on offer, and its place."""
    conditions = (action.by, action.subject, action.needs, *(amount for _, amount in action.costs))
    return [ir.Nothing(action.span), *conditions, preconditions.beginning(action.body.statements)]


@memoize
def _code(unit: Unit, declared: tuple[Action, ...]) -> int:
    offered = [_offered(unit, number, action) for number, action in enumerate(declared)]
    if not offered:
        return -1
    frame = open_frame(unit, "offers", SELF_THIS)
    offers = frame.code.list_register()
    frame.code.emit(Lnew, offers)
    _tree(frame, offers, offered)
    frame.code.emit(Rets, offers)
    return finish_code(unit, frame.code)


def _offered(unit: Unit, number: int, action: Action) -> Offering:
    out = Offering(number, action)
    kind, tests = actors(action)
    me = ir.Var("self", SELF, Type("thing", kind), action.span)
    tests = [*tests, ir.IsA(me, kind, FLAG, action.span)]
    for stat, amount in action.costs:
        has = ir.Get(me, stat, stat.type, amount.span)
        tests.append(ir.Binary(">=", has, amount, FLAG, amount.span))
    if action.needs is not None:
        tests.append(action.needs)
    for test in tests:
        for part in conjuncts(unit.inliner.expanded(test), negated=True):
            if THIS in slots_read(part):
                out.rest.append(part)
            else:
                out.tests.setdefault(shape(part, {}), part)
    return out


def conditions_on_actor(unit: Unit, action: Action) -> list[Expr]:
    """Return the conditions of an action on its actor, part by part: the kind of actors first, its subjects last."""
    kind, tests = actors(action)
    whose = action.span if action.by is None else action.by.span
    out = [ir.IsA(ir.Var("self", SELF, Type("thing", kind), whose), kind, FLAG, whose), *tests]
    for stat, cost in action.costs:
        me = ir.Var("self", SELF, Type("thing", kind), cost.span)
        out.append(ir.Binary(">=", ir.Get(me, stat, stat.type, cost.span), cost, FLAG, cost.span))
    out += conjuncts(action.needs, negated=True) if action.needs is not None else []
    if action.subject is not None:
        it = unit.inliner.fresh()
        out.append(ir.Quantified("any", action.subject, it, None, FLAG, action.subject.span))
    for statement in action.body.statements:
        if isinstance(statement, ir.Require) and unit.purity.of(statement.condition):
            out += conjuncts(statement.condition, negated=True)
    return [test for test in out if not free_slots(test) - {SELF}]


@memoize
def requirements(unit: Unit, action: Action) -> tuple[vm.Requirement, ...]:
    """Return the requirements of an action: the conditions on its actor, and for one without a subject that it can
    begin."""
    out = []
    for number, test in enumerate(conditions_on_actor(unit, action), 1):
        name = f"action {action.id}, requirement {number}"
        source = source_text(test)
        out.append(vm.Requirement(source, value_codes.truth_code(unit, name, test), unit.spans.number(test.span)))
    if action.subject is None:
        begins = value_codes.guard_code(unit, f"action {action.id}, can begin", (), action.body.statements)
        if begins >= 0:
            out.append(vm.Requirement("its effect can begin", begins, unit.spans.number(action.span)))
    return tuple(out)


def actors(action: Action) -> tuple[str, list[Expr]]:
    """Return the kind of an action's actors, and the conditions on `self` for being one of them."""
    tests: list[Expr] = []
    by = action.by
    while isinstance(by, ir.Select) and (by.source is None or isinstance(by.source, ir.Select)):
        if by.where is not None:
            me = ir.Var("self", SELF, by.type.one(), by.span)
            tests.append(substitute(by.where, Substitution(values={by.it: me})))
        if by.source is None:
            return by.type.name, tests
        by = by.source
    assert by is None, "the actors of an action are a filtered noun"
    return "piece", tests


Branch = tuple[Hashable, list[Offering]]
"""The options that share a test, by its key; or a single option without tests (None)."""


def _tree(frame: BodyFrame, offers: int, offered: list[Offering], home: str = "") -> None:
    """Emit code that lists the options of `offered` whose tests are true. The test that most options share runs
    first. The options of another mission are skipped together. `home`: the file of content that declares them all."""
    for declared_in, group in itertools.groupby(_branches(offered), key=_home):
        branches, elsewhere = list(group), frame.code.label()
        if declared_in not in {"", home}:
            frame.code.emit(JumpElsewhere, branches[0][1][0].number, elsewhere)
        for key, having in branches:
            if key is None:
                _list(frame, offers, having[0])
            else:
                _branch(frame, offers, key, having, declared_in)
        frame.code.place(elsewhere)


def _branches(offered: list[Offering]) -> list[Branch]:
    """Return the branches at one level of the tree, the largest first."""
    branches: list[Branch] = []
    while shared := Counter(key for offering in offered for key in offering.tests):
        key, _ = shared.most_common(1)[0]
        branches.append((key, [offering for offering in offered if key in offering.tests]))
        offered = [offering for offering in offered if key not in offering.tests]
    return [*branches, *[(None, [offering]) for offering in offered]]


def _home(branch: Branch) -> str:
    """Return the file of content that declares all options of a branch; empty if there is none."""
    homes = {"" if offering.action.system else offering.action.span.source.name for offering in branch[1]}
    return homes.pop() if len(homes) == 1 else ""


def _branch(frame: BodyFrame, offers: int, key: Hashable, having: list[Offering], home: str) -> None:
    """Emit code that lists options that share a test, if it is true."""
    test = having[0].tests[key]
    other, facts = frame.code.label(), frame.facts
    expression_lowering.branch(frame, test, other, False)
    frame.know(test)
    for offering in having:
        del offering.tests[key]
    _tree(frame, offers, having, home)
    frame.facts = facts
    frame.code.place(other)


def _list(frame: BodyFrame, offers: int, offering: Offering) -> None:
    """List an action with each subject for which the rest of its guard holds."""
    code, action = frame.code, offering.action
    inner = frame.branched()
    limit = action_rows.limit(frame.unit, action)
    skip = code.label()
    with code.scratch(action.span):
        inner.slots[THIS] = Register(THIS)  # nothing, until a subject takes its place
        _free(inner, limit, skip)
        if action.subject is None:
            _subject(inner, offers, offering, skip)
        else:

            def attempt(_: int) -> None:
                other = code.label()
                _subject(inner, offers, offering, other)
                code.place(other)

            loop = candidate_loop(inner, action.subject)
            expression_lowering.emit_loop(
                inner, loop, attempt, it=THIS, reads=offering.rest[0] if offering.rest else None
            )
        code.place(skip)


def _free(frame: BodyFrame, limit: int, skip: Label) -> None:
    """Go to `skip` if a limit is used up; it counts players, figures or games, never subjects."""
    if limit >= 0:
        with frame.code.scratch():
            free = frame.code.int_register()
            frame.code.emit(Free, free, limit, SELF, expression_lowering.slot_register(frame, THIS).index)
            frame.code.emit(Jf, free, skip)


def _subject(frame: BodyFrame, offers: int, offering: Offering, skip: Label) -> None:
    """List an action with the subject in the slot of `this`, or go to `skip`."""
    for part in offering.rest:
        expression_lowering.branch(frame, part, skip, False)
        frame.know(part)
    preconditions.check_can_begin(frame, offering.action.body.statements, skip)
    with frame.code.scratch():
        frame.code.emit(Offered, offers, offering.number, expression_lowering.slot_register(frame, THIS).index)
