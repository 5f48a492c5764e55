"""A small model built by hand, and short functions that build typed trees."""

from __future__ import annotations

from fcbdsl.base.source import Source, Span
from fcbdsl.language.compiler import lower
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Value
from fcbdsl.language.model.declarations import Action, Event, Field, Form, Kind, Param
from fcbdsl.language.model.ir import FLAG, NOTHING, NUMBER, SPACE, Body, Expr, Stmt, Type
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.disasm import disassemble
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify.verifier import verify_program

AT = Span(Source("hand.fcb", "nothing to see\n"), 0, 7)
HERO = Type("thing", "hero")
SLOTS = (("self", HERO), ("this", NOTHING))


class Little:
    """Heroes with HP on spaces, a few native forms and an event."""

    def __init__(self) -> None:
        model = self.model = Model(system="little")
        parents = {"thing": "", "space": "thing", "piece": "thing", "hero": "piece", "card": "thing", "game": "thing"}
        for name, parent in parents.items():
            model.kinds[name] = Kind(name, model.kinds.get(parent), AT)
        self.place = self.field("thing", "place", SPACE, "builtin")
        self.hp = self.field("hero", "HP", NUMBER, "stat")
        self.effect = self.field("card", "effect", Type("effect"), "field")
        self.adjacent = self.native("relation", "adjacent to", "linked", [HERO, HERO])
        self.range = self.native("measure", "range", "range", [HERO, HERO], NUMBER)
        self.remove = self.native("verb", "remove", "remove", [HERO])
        self.dies = Event("dies", [Param("who", HERO)], ("who", "dies"), AT)
        model.events["dies"] = self.dies

    def field(self, kind: str, name: str, type_: Type, sort: str) -> Field:
        field = Field(name, kind, sort, type_, AT)
        self.model.kinds[kind].fields[name] = field
        return field

    def native(self, sort: str, name: str, op: str, types: list[Type], gives: Type = FLAG) -> Form:
        params = [Param(f"p{n}", type_) for n, type_ in enumerate(types)]
        form = Form(sort, tuple(name.split()), AT, params=params, gives=gives, op=op)
        self.model.forms.append(form)
        return form

    def verb(self, name: str, types: list[Type], *statements: Stmt, more: int = 0) -> Form:
        params = [Param(f"p{n}", type_) for n, type_ in enumerate(types)]
        form = Form("verb", (name,), AT, params=params, body=body(*statements, types=types, more=more))
        self.model.forms.append(form)
        return form

    def event_of(self, verb: Form) -> Event:
        """Make a verb an event."""
        event = verb.event = Event(f"{verb.id} happens", verb.params, (), AT, verb=verb)
        self.model.events[event.id] = event
        return event

    def card(self, name: str, effect: Body) -> Definition:
        card = Definition(name, self.model.kinds["card"], AT, values={"effect": Value(self.effect, body=effect)})
        self.model.definitions["card", name] = card
        return card

    def action(self, name: str, effect: Body, needs: Expr | None = None) -> Action:
        action = Action(name, AT, by=select(), body=effect, needs=needs, system="little")
        self.model.actions[name] = action
        return action

    def program(self) -> Program:
        program = lower(self.model)
        problems = list(verify_program(program))
        assert not problems, problems
        return program

    def listing(self, name: str) -> str:
        """Return the disassembly of the codes whose names contain `name`."""
        return disassemble(self.program(), name)


def body(*statements: Stmt, types: list[Type] | None = None, more: int = 0) -> Body:
    """Return a body with slots for self, this, parameters and `more` heroes."""
    params = tuple((f"p{n}", type_) for n, type_ in enumerate(types or ()))
    return Body(statements, SLOTS + params + tuple((f"x{n}", HERO) for n in range(more)))


def number(value: int) -> ir.Const:
    return ir.Const(value, NUMBER, AT)


def var(slot: int, type_: Type = HERO) -> ir.Var:
    return ir.Var(f"x{slot}", slot, type_, AT)


def binary(op: str, left: Expr, right: Expr) -> ir.Binary:
    return ir.Binary(op, left, right, NUMBER if op in "+-*/" else FLAG, AT)


def get(field: Field, of: int = 0) -> ir.Get:
    return ir.Get(var(of), field, field.type, AT)


def apply(form: Form, *args: Expr) -> ir.Apply:
    return ir.Apply(form, args, form.gives, AT)


def select(where: Expr | None = None, it: int = 9, order: tuple[ir.Criterion, ...] = ()) -> ir.Select:
    return ir.Select(None, it, where, order, HERO.several(), AT, "hero")


def quantified(word: str, of: ir.Select, test: Expr | None = None) -> ir.Quantified:
    return ir.Quantified(word, of, of.it, test, NUMBER if word == "number" else FLAG, AT)


def choose(slot: int, options: Expr, optional: bool = False) -> ir.Choose:
    return ir.Choose(var(slot), options, None, optional, None, AT)


def do(form: Form, *args: Expr) -> ir.Do:
    return ir.Do(form, args, AT)
