"""Lowering of actions, invariants and the steps of tests to rows of the program."""

from __future__ import annotations

from itertools import takewhile
from typing import Literal

from fcbdsl.base.words import StepSort
from fcbdsl.language.compiler import bodies, definition_rows, rows, value_codes
from fcbdsl.language.compiler.lowering_context import Unit
from fcbdsl.language.compiler.walk import free_slots, source_text
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.content import Invariant, Preference, Prospect, Step, Test
from fcbdsl.language.model.declarations import Action
from fcbdsl.language.model.ir import walk
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.column_types import Tag
from fcbdsl.machine.vm.layout import PLAYED

NOWHERE = (*PLAYED, TEAM)
"""Kinds whose things never have a place."""


def action_row(unit: Unit, declared: Action) -> vm.Action:
    """Return the row of an action; the code of `offers` decides when it is available."""
    subject = declared.subject
    return vm.Action(
        name=declared.id,
        body=bodies.action_code(unit, f"action {declared.id}", declared.body, declared.costs),
        limit=limit(unit, declared),
        words=declared.words,
        title=rows.title(unit, declared.name),
        span=unit.spans.number(declared.span),
        subject=unit.kind(subject.type.name)
        if subject is not None and subject.type.base == "thing"
        else value_codes.NONE,
        listed_last=declared.listed_last,
    )


def limit(unit: Unit, declared: Action) -> int:
    """Return the number of an action's limit; -1: no limit."""
    return unit.limit(declared.limit, declared.limit_per or "figure", f"action {declared.id}")


def invariant_row(unit: Unit, declared: Invariant) -> vm.Invariant:
    """Return the row of an invariant."""
    assert declared.condition is not None  # only a model without errors is lowered
    return vm.Invariant(
        name=declared.id,
        code=value_codes.truth_code(unit, f"invariant {declared.id}", declared.condition),
        title=unit.texts.number({"en": declared.says}),
        span=unit.spans.number(declared.span),
        kind=value_codes.NONE if declared.kind is None else unit.kind(declared.kind.id),
    )


def preference(unit: Unit, declared: Preference) -> vm.Preference:
    """Return the row of a term of the heuristic bot's score."""
    names = ("preference", declared.action.id if declared.action is not None else "", declared.name)
    name, type_, test, mission = " ".join(filter(None, names)), declared.type, declared.condition, declared.mission
    definition_rows.place_board(unit, mission.board if mission is not None else None)
    row = vm.Preference(
        sort=declared.sort,
        worth=bodies.number_code(unit, name, declared.worth, 1),
        condition=value_codes.NONE if test is None else bodies.number_code(unit, f"{name}, if", test, 1),
        action=value_codes.NONE if declared.action is None else list(unit.model.actions).index(declared.action.id),
        tag=rows.tag_name(unit, type_) if type_ is not None else "thing",
        kind=unit.kind(type_.name) if type_ is not None and type_.base == "thing" else value_codes.NONE,
        name=declared.name if declared.sort in ("choose", "label") else "",
        mission=value_codes.NONE if mission is None else unit.entry(mission.kind.id, mission.id),
        span=unit.spans.number(declared.span),
    )
    definition_rows.place_board(unit, None)
    return row


def prospect(unit: Unit, declared: Prospect) -> vm.Prospect:
    """Return the row of a prospect, which each thing of a kind must meet in some course of a campaign."""
    assert declared.condition is not None  # only a model without errors is lowered
    return vm.Prospect(
        name=declared.id,
        kind=unit.kind(declared.kind.id),
        code=value_codes.truth_code(unit, f"prospect {declared.id}", declared.condition),
        title=unit.texts.number({"en": declared.says}),
        span=unit.spans.number(declared.span),
    )


def test(unit: Unit, declared: Test, boards: list[vm.Board]) -> vm.Test:
    """Return the row of a content test: its steps, and the board on which it runs."""
    mission = -1 if declared.mission is None else unit.entry(*declared.mission)
    drawn = declared.board
    board = -1
    if drawn is not None:
        board = len(boards)
        boards.append(rows.board(unit, drawn))
    elif mission >= 0:
        source = unit.entries[mission].source
        drawn = getattr(source, "board", None)
    definition_rows.place_board(unit, drawn)
    steps = tuple(_step(unit, step, f"test {declared.title}, step {n}") for n, step in enumerate(declared.steps, 1))
    definition_rows.place_board(unit, None)
    return vm.Test(
        title=declared.title,
        covers=tuple(declared.covers),
        mission=mission,
        board=board,
        steps=steps,
        overrides=tuple((unit.variant(switch), value) for switch, value in declared.overrides.items()),
        players=declared.players,
        span=unit.spans.number(declared.span),
    )


def _step(unit: Unit, step: Step, name: str) -> vm.Step:
    span = unit.spans.number(step.span)
    if step.outcome:
        endings = [reference.expr for reference in step.references]
        return vm.Step(
            "outcome",
            value_codes.references(unit, name, endings) if endings else value_codes.NONE,
            (step.outcome,),
            tags=tuple(rows.tag_name(unit, expr.type) for expr in endings),
            questions=("",) * len(endings),
            who=_who(unit, step, name),
            span=span,
        )
    if step.sort in {"given", "do"}:
        code = value_codes.NONE if step.body is None else bodies.effect(unit, name, step.body)
        sort: StepSort = "opening" if step.sort == "do" and _opens(unit, step.body) else step.sort
        return vm.Step(sort, code, who=_who(unit, step, name), span=span)
    if step.sort == "expect":
        assert step.expr is not None
        return vm.Step(
            "expect", value_codes.truth_code(unit, name, step.expr), reads=_reads(unit, name, step.expr), span=span
        )
    if step.sort in {"known", "unknown", "counted"}:
        return _look(unit, step, name)
    exprs = [reference.expr for reference in step.references]
    return vm.Step(
        step.sort,
        value_codes.references(unit, name, exprs) if exprs else value_codes.NONE,
        step.words or tuple(event.id for event in step.events if unit.event(event) >= 0),
        values=(
            *(unit.symbols.number(face.symbol) if face.symbol else face.number for face in step.faces),
            *(number for spot in step.spots for number in spot),
        ),
        dice=tuple(unit.dice.find(face.die) for face in step.faces),
        tags=tuple(rows.tag_name(unit, expr.type) for expr in exprs),
        questions=tuple(reference.question for reference in step.references),
        who=_who(unit, step, name),
        absent=step.absent,
        span=span,
    )


def _opens(unit: Unit, body: ir.Body | None) -> bool:
    """Return whether an effect is a verb with which the flow sets the game up, before any repetition or offer."""
    flow = unit.model.flow
    match body.statements if body is not None else ():
        case (ir.Do(form=form),) if flow is not None:
            before = takewhile(lambda statement: not isinstance(statement, ir.Repeat | ir.Offer), flow.statements)
            return any(isinstance(statement, ir.Do) and statement.form is form for statement in before)
    return False


def _who(unit: Unit, step: Step, name: str) -> int:
    """Return the code that gives the player who acts, is asked or watches; NONE if the step names none."""
    return value_codes.NONE if step.who is None else value_codes.value_code(unit, f"{name}, who", step.who)


def _look(unit: Unit, step: Step, name: str) -> vm.Step:
    """Return the step that tests whether a player may know a stat, a thing or a zone, or how much of a zone they
    see."""
    assert step.expr is not None
    expr, field = step.expr, value_codes.NONE
    if isinstance(expr, ir.Get):
        field, expr = unit.field(expr.field), expr.of
    return vm.Step(
        step.sort,
        value_codes.value_code(unit, name, expr),
        values=(step.count,) if step.sort == "counted" else (),
        tags=(rows.tag_name(unit, expr.type),),
        who=_who(unit, step, name),
        field=field,
        span=unit.spans.number(step.span),
    )


def _reads(unit: Unit, name: str, expr: ir.Expr) -> tuple[vm.Read, ...]:
    """Return the reads of an expectation that do not depend on a local: values, and places of things that it names."""
    reads: dict[str, vm.Read] = {}
    for node in walk(expr):
        if isinstance(node, ir.Instance) and node.type.base == "thing" and node.kind not in NOWHERE:
            tag: Tag | Literal["place"] = "place"
        elif isinstance(node, ir.Get | ir.Apply) and node.type.base not in {"condition", "flag"}:
            tag = rows.tag_name(unit, node.type)
        else:
            continue
        text = source_text(node)
        if text and text not in reads and not free_slots(node):
            code = value_codes.value_code(unit, f"{name}, {text}", node, many=node.type.many)
            reads[text] = vm.Read(text, code, tag, rows.enum_number(unit, node.type), node.type.many)
    return tuple(reads.values())
