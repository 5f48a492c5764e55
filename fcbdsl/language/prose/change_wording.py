"""Wording of values that change: locals, stats and statuses."""

from __future__ import annotations

from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir.operators import evaluate_constant, reads_slot
from fcbdsl.language.prose.antecedents import Referent
from fcbdsl.language.prose.changing import Dependence
from fcbdsl.language.prose.clauses import Clauses, SpokenClause
from fcbdsl.language.prose.equality import as_change, as_loss
from fcbdsl.language.prose.filters import is_game, is_slot
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.qualified_nouns import COUNTERS
from fcbdsl.language.prose.statement_patterns import doubling_key
from fcbdsl.language.prose.text_templates import fill_template
from fcbdsl.language.prose.titles import without_agreement


class ChangeWording(Clauses):
    """Words the statements that set a local, a stat or a status."""

    def let(self, statement: ir.Let) -> list[SpokenClause]:
        """Return the clauses of a local. Usually there are none, because its value is read in its place, unless it
        changes."""
        slot = statement.var.slot
        before = self.scope.referents.get(slot)
        if before is not None and before.value is None:
            text = self.added(statement) or self.removed(statement) or self.rewritten(statement, before)
            return [SpokenClause(self.explained(text))]
        changes = Dependence(self.meant)
        if not reads_slot(statement.value, slot) and not changes.spoils(self.ahead, slot, statement.value):
            self.scope.referents[slot] = Referent(value=statement.value, gone=self.gone)
            return []
        kind = self.becomes_of(statement)
        noun = self.language.nouns["noted"]
        if kind.base == "thing":
            noun = self.with_word("noted", self.naming.of_type(kind.one()))
        noted = Referent(noun=noun, many=kind.many, definite=True)
        if isinstance(statement.value, ir.ListOf) and not statement.value.items:  # until something is added to it
            self.scope.meet(slot, noted)
            return []
        text = self.explained(self.say("let", value=self.value(statement.value, many=kind.many)))
        self.scope.meet(slot, noted)
        return [SpokenClause(text)]

    def becomes_of(self, statement: ir.Let) -> ir.Type:
        """Return the type of a local; for an empty list, that of the elements added later."""
        later = [node for node in ir.walk(tuple(self.ahead)) if isinstance(node, ir.Let)]
        own = [binding for binding in later if binding.var.slot == statement.var.slot]
        added = [item.type for binding in own if isinstance(binding.value, ir.ListOf) for item in binding.value.items]
        types = [replace(kind, many=True) for kind in added] + [binding.var.type for binding in own]
        return next((kind for kind in (statement.var.type, *types) if kind.base == "thing"), statement.var.type)

    def added(self, statement: ir.Let) -> str:
        """Return the addition to a list; empty if the list is replaced."""
        value = statement.value
        if not isinstance(value, ir.ListOf) or len(value.items) < 2 or not is_slot(value.items[0], statement.var.slot):
            return ""
        more = replace(value, items=value.items[1:])
        return self.say("add", value=self.value(more), what=self.variable(statement.var))

    def removed(self, statement: ir.Let) -> str:
        """Return the removal from a list; empty if the list is replaced."""
        value, slot = statement.value, statement.var.slot
        if not (isinstance(value, ir.Select) and value.source is not None and is_slot(value.source, slot)):
            return ""
        where = value.where
        if not (isinstance(where, ir.Binary) and where.op == "!=" and is_slot(where.left, value.it)) or value.order:
            return ""
        if reads_slot(where.right, value.it) or reads_slot(where.right, slot):
            return ""
        return self.say("take out", value=self.value(where.right), what=self.variable(statement.var))

    def rewritten(self, statement: ir.Let, before: Referent) -> str:
        """Return the change of a known local to another thing, or of a number."""
        slot, value = statement.var.slot, statement.value
        if not reads_slot(value, slot):
            text = self.say("turns to", what=self.variable(statement.var), value=self.number_or_value(value))
            if isinstance(value, ir.Var) and not before.definite:
                self.scope.referents[slot] = Referent(noun=before.noun, value=value)
            return text
        factor = doubling_key(value, statement.var)
        if factor:
            return self.say(factor, what=self.variable(statement.var))
        if not (
            isinstance(value, ir.Binary)
            and value.op in {"+", "-"}
            and is_slot(value.left, slot)
            and not reads_slot(value.right, slot)
        ):
            many = value.type.many
            return self.say("turns to", what=self.variable(statement.var), value=self.value(value, many=many))
        constant = evaluate_constant(value.right)
        lowers = (value.op == "-") != (constant is not None and constant < 0)
        amount = self.amount(value.right) if constant is None else self.number(abs(constant))
        return self.say("lower" if lowers else "raise", what=self.variable(statement.var), amount=amount)

    def assign(self, statement: ir.Assign) -> str:
        """Return the clause for a change of a stat or status."""
        statement = as_change(statement)
        target, field = statement.target, statement.target.field
        value = evaluate_constant(statement.value)
        if field.type.base == "flag" and value is not None:
            return self.property(target, denied=not value)
        if is_game(target.of) and field.type.base == "number" and field.sort not in COUNTERS:
            return self.shifted(statement)
        introduces = isinstance(target.of, ir.Var) and self.scope.pending(target.of.slot)
        owner = self.value(target.of)  # once: only the first mention introduces the owner
        noun = self.naming.field(field)
        if field.sort in COUNTERS:
            title, noun = without_agreement(noun.one), self.column(target)
            adjective = field.sort == "status" and not self.naming.is_noun(field)
            if adjective:
                noun = replace(noun, many=noun.one)
            if statement.op == "=" and value == 0:
                return self.say("lose status", subject=owner, status=title, whose=self.whose(target))
            if adjective and (statement.op == "=" or value is None or value > 0):
                return self.turned(statement, owner)
        factor = doubling_key(statement.value, target) if statement.op == "=" and field.sort not in COUNTERS else ""
        if factor:
            return self.say(factor, what=self.language.owned(owner, noun))
        lost = as_loss(statement) if field.sort not in COUNTERS else None
        if lost is not None:
            amount = NounPhrase(f"{self.amount(lost).text} {noun.many}")
            return self.say("you lose" if owner.person == 2 else "suffer", subject=owner, amount=amount)
        if statement.op == "=":
            if field.type.base == "number":
                return self.say("becomes", what=self.language.owned(owner, noun), value=self.set_to(statement.value))
            if field.type.base == "direction":
                what = self.language.owned(owner, self.column(target))
                return self.say("turns to", what=what, value=self.value(statement.value))
            if statement.value.type == ir.NOTHING and not is_game(target.of):
                what = self.language.determined("a", noun)
                return self.say("has no more", owner=owner, what=what, bare=NounPhrase(noun.one, noun.gender))
            what = self.language.owned(owner, self.column(target)) if introduces else self.value(target)
            return self.say("becomes thing", what=what, value=self.value(statement.value))
        loss = value is not None and value < 0
        if value is None:
            amount = self.unknown(self.value(statement.value))
            amount = amount.saying(f"{amount.text} {noun.many}")
        else:
            amount = self.language.counted(abs(value), noun)
        if owner.person == 2:
            return self.say("you lose" if loss else "you gain", amount=amount)
        return self.say("suffer" if loss else "gain", subject=owner, amount=amount)

    def shifted(self, statement: ir.Assign) -> str:
        """Return the change of a number of the game, which has no owner."""
        what, value = self.value(statement.target), evaluate_constant(statement.value)
        factor = doubling_key(statement.value, statement.target) if statement.op == "=" else ""
        if factor:
            return self.say(factor, what=what)
        lost = as_loss(statement)
        if lost is not None:
            return self.say("lowers", what=what, amount=self.amount(lost))
        if statement.op == "=":
            return self.say("becomes", what=what, value=self.set_to(statement.value))
        amount = self.amount(statement.value) if value is None else self.number(abs(value))
        return self.say("lowers" if value is not None and value < 0 else "raises", what=what, amount=amount)

    def set_to(self, value: ir.Expr) -> NounPhrase:
        """Return the number to which something is set: a stat or a named number directly, another one as X."""
        return self.value(value) if isinstance(value, ir.Get | ir.Var) else self.amount(value)

    def turned(self, statement: ir.Assign, owner: NounPhrase) -> str:
        """Return the gain of a status that is an adjective, with its count unless it is one."""
        title = self.naming.field(statement.target.field).one
        status = fill_template(title, {"subject": lambda: owner}, self.language)
        whose = self.whose(statement.target)
        if evaluate_constant(statement.value) == 1:
            return self.say("gain status", subject=owner, status=status, whose=whose)
        key = "gain status more" if statement.op == "+" else "gain status times"
        return self.say(key, subject=owner, status=status, count=self.amount(statement.value), whose=whose)
