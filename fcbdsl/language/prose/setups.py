"""Setup of a game, with a table of the parts that depend on the number of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Event, Form, Kind
from fcbdsl.language.model.ir import same
from fcbdsl.language.model.ir.operators import calculate, evaluate_constant
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.clauses import SpokenClause
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.reading import laid_out, reader_of, subject_of
from fcbdsl.language.prose.rules_text import Paragraph, RulesText, paragraph
from fcbdsl.language.prose.titles import Naming


class Seats:
    """Evaluation of what depends only on the number of players."""

    def __init__(self, model: Model) -> None:
        self.kinds = [kind for kind in model.kinds.values() if kind.seated]

    def tells(self, measure: Form, kind: Kind, players: tuple[int, int]) -> bool:
        """Return whether a measure gives a list of definitions that depends only on the number of players."""
        if not (measure.sort == "measure" and measure.gives.many and measure.gives.base == "definition"):
            return False
        taken = [param.type for param in measure.params]
        numbers = range(players[0], players[1] + 1)
        return taken == [ir.Type("thing", kind.id)] and all(
            self._answer(measure, number) is not None for number in numbers
        )

    def listed(self, measure: Form, of: Definition, number: int) -> Sequence[ir.Expr]:
        """Return the elements of the list that a measure gives for a definition and a number of players."""
        answer = self._answer(measure, number)
        if isinstance(answer, ir.Get):
            value = of.values.get(answer.field.id)
            answer = value.expr if value is not None and isinstance(value.expr, ir.ListOf) else None
        return answer.items if answer is not None else ()

    def _answer(self, measure: Form, number: int) -> ir.ListOf | ir.Get | None:
        """Return the answer of a measure for a number of players: a literal list, or a list field of its argument."""
        statements = measure.body.statements if measure.body is not None else ()
        match next(self.resolved(statements, number), None):
            case ir.Answer(value=ir.ListOf() as listed):
                return listed
            case ir.Answer(value=ir.Get(of=ir.Var(), type=ir.Type(many=True)) as held):
                return held
            case _:
                return None

    def resolved(self, statements: Sequence[ir.Stmt], number: int) -> Iterator[ir.Stmt]:
        """Yield the statements for a number of players, with the taken branches of conditions on that number."""
        for statement in statements:
            if isinstance(statement, ir.If) and (holds := self.decided(statement.condition, number)) is not None:
                yield from self.resolved((statement.then if holds else statement.otherwise).statements, number)
            else:
                yield statement

    def decided(self, expr: ir.Expr, number: int) -> int | None:
        """Return the value of an expression for a number of players; None if it depends on more."""
        match expr:
            case ir.Const():
                return expr.value
            case ir.Not():
                inner = self.decided(expr.operand, number)
                return None if inner is None else int(not inner)
            case ir.Binary():
                left, right = self.decided(expr.left, number), self.decided(expr.right, number)
                return None if left is None or right is None else calculate(expr.op, left, right)
            case ir.Quantified(quantifier="number", select=ir.Select(source=None, where=None, type=kind)):
                return number if kind.name in {"player", *(asked.id for asked in self.kinds)} else None
            case _:
                return None


class Setup:
    """Effects of a definition when its game begins with `event`, and their variation by the number of players."""

    def __init__(self, definition: Definition, event: Event | None, model: Model) -> None:
        self.definition = definition
        self.model = model
        self.seats = Seats(model)
        self.listeners = [
            listener for listener in definition.listeners if event is not None and self._begins(listener, event)
        ]
        self.modifiers = [
            modifier for modifier in definition.modifiers if event is not None and self._hangs(modifier.condition)
        ]

    @property
    def described(self) -> list[ir.Listener | ir.Modifier]:
        """Return the behavior that the text of the setup describes; the definition's main text omits it."""
        return [*self.listeners, *self.modifiers]

    def _begins(self, listener: ir.Listener, event: Event) -> bool:
        asked = listener.condition is None or self._hangs(listener.condition)
        return listener.event is event and listener.timing == "after" and asked and not listener.may

    def text(self, language: str) -> RulesText:
        """Return sentences for all numbers of players, then a row for each number; equal rows are merged."""
        definition, spoken = self.definition, LANGUAGES[language]
        naming = Naming(self.model, spoken, subject_of(definition), definition.span, board=definition.board)
        paragraphs: list[Paragraph] = []
        for listener in self.listeners:
            if listener.condition is None:
                fixed = tuple(statement for statement in listener.body.statements if not self._by_number(statement))
                reader = reader_of(naming, listener.body.slots, definition.kind)
                paragraphs += laid_out(reader.body(fixed), spoken)
        low, high = definition.players or self.model.players
        rows = [(number, tuple(self._row(number, naming))) for number in range(low, high + 1)]
        noun = naming.kind(self.seats.kinds[0]) if self.seats.kinds else spoken.nouns["player"]
        for setup, alike in groupby(rows if any(row for _, row in rows) else [], lambda row: row[1]):
            numbers = [number for number, _ in alike]
            label = spoken.counted(numbers[-1], noun).text
            label = spoken.finish(label if len(numbers) == 1 else f"{numbers[0]}–{label}")
            first, *rest = setup or (paragraph(spoken.words["no change"]),)
            paragraphs += [
                replace(first, level=1, label=label),
                *(replace(paragraph, level=paragraph.level + 1) for paragraph in rest),
            ]
        return RulesText(tuple(paragraphs), tuple(naming.problems))

    def _row(self, number: int, naming: Naming) -> list[Paragraph]:
        """Return the text for a number of players, with changes of the same field added up."""
        kind, clauses = self.definition.kind, list[SpokenClause]()
        statements = [stmt for listener in self.listeners for stmt in self._done(listener, number)]
        if statements:
            reader = reader_of(naming, self.listeners[0].body.slots, kind)
            clauses += reader.body(statements)
        changes = add_up_changes(
            [
                modifier
                for modifier in self.modifiers
                if modifier.condition and self.seats.decided(modifier.condition, number)
            ]
        )
        if changes:
            reader = reader_of(naming, changes[0].slots, kind)
            clauses.append(SpokenClause(reader.explained(reader.modifiers(changes))))
        return laid_out(clauses, naming.language)

    def _done(self, listener: ir.Listener, number: int) -> Iterator[ir.Stmt]:
        """Yield the effects of a listener for a number of players that do not occur for all numbers."""
        if listener.condition is None:
            statements = [statement for statement in listener.body.statements if self._by_number(statement)]
        else:
            statements = list(listener.body.statements) if self.seats.decided(listener.condition, number) else []
        yield from self.seats.resolved(statements, number)

    def _by_number(self, statement: ir.Stmt) -> bool:
        return isinstance(statement, ir.If) and self._hangs(statement.condition)

    def _hangs(self, condition: ir.Expr | None) -> bool:
        return condition is not None and self.seats.decided(condition, 0) is not None


def add_up_changes(modifiers: Sequence[ir.Modifier]) -> list[ir.Modifier]:
    """Return changes without their conditions; those that add numbers to the same field of the same things are
    merged."""
    totals: list[ir.Modifier] = []
    for modifier in modifiers:
        plain = replace(modifier, condition=None)
        amount = evaluate_constant(plain.amount)
        for at, other in enumerate(totals):
            alike = other.field is plain.field and other.kind is plain.kind and other.mode == plain.mode == "add"
            before = evaluate_constant(other.amount)
            where = (other.where, plain.where)
            same_things = where == (None, None) or (where[0] and where[1] and same(where[0], where[1]))
            if alike and same_things and before is not None and amount is not None:
                totals[at] = replace(other, amount=ir.Const(before + amount, ir.NUMBER, plain.span))
                break
        else:
            totals.append(plain)
    return totals
