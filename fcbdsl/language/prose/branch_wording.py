"""Wording of branches, loops, and the rows of rolls and missions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import conjuncts
from fcbdsl.language.prose.antecedents import Referent
from fcbdsl.language.prose.choice_wording import ChoiceWording
from fcbdsl.language.prose.clauses import SpokenClause
from fcbdsl.language.prose.filters import exclusion_slot, is_slot
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.rules_text import join_with_last
from fcbdsl.language.prose.statement_patterns import is_optional, join_nested_ifs

_Read = TypeVar("_Read", ir.Body, Sequence[ir.Stmt])


class BranchWording(ChoiceWording):
    """Words the statements whose effects depend on a condition, a list or a result."""

    left: str = ""  # the template for leaving the loop whose body is being read; empty outside of loops

    # ── branches ─────────────────────────────────────────────────────────────

    def branch(self, statement: ir.If, before: ir.Stmt | None = None) -> list[SpokenClause]:
        """Return the clauses of an if statement; `before` may be the choice that it tests."""
        asked = self.answered(before, statement.condition)
        if "declined" in asked and not all(isinstance(inner, ir.Nothing) for inner in statement.otherwise.statements):
            statement = replace(statement, then=statement.otherwise, otherwise=statement.then)  # the positive case
            asked = asked.replace("declined", "chosen")
        rest = statement.otherwise.statements
        if asked:
            pieces = [self.led(asked, self.in_branch(statement.then))]
        else:
            wanted, then = join_nested_ifs(statement)
            alone = all(isinstance(other, ir.Nothing) for other in rest)
            condition = NounPhrase(self.condition(wanted) if alone else self.said_condition(wanted))
            if not condition.text:  # a relation with an empty text needs no words
                return self.in_branch(then)
            pieces = [self.led("if", self.in_branch(then), condition=condition)]
        if all(isinstance(other, ir.Nothing) for other in rest):
            return pieces
        if not pieces[0].text:  # only the other case has words
            denied = ir.Not(statement.condition, ir.FLAG, statement.condition.span)
            other = replace(statement, condition=denied, then=statement.otherwise, otherwise=ir.Body(()))
            return self.branch(other, before)
        if len(rest) == 1 and isinstance(rest[0], ir.If):
            again = self.branch(rest[0])
            if not again or not again[0].text:
                return pieces
            word = self.say("otherwise", then="")
            return [*pieces, SpokenClause(f"{word} {again[0].text}", again[0].items, contrary=True), *again[1:]]
        return [*pieces, replace(self.led("otherwise", self.in_branch(statement.otherwise)), contrary=True)]

    def answered(self, before: ir.Stmt | None, condition: ir.Expr) -> str:
        """Return the lead for a condition that only tests whether the choice before it was made or declined; else
        empty."""
        if not (isinstance(before, ir.Choose) and before.optional):
            return ""
        taken = True
        while isinstance(condition, ir.Not):
            condition, taken = condition.operand, not taken
        if not (isinstance(condition, ir.Binary) and condition.op in {"=", "!="}):
            return ""
        if not is_slot(condition.left, before.var.slot) or condition.right.type != ir.NOTHING:
            return ""
        key = "if chosen" if taken == (condition.op == "!=") else "if declined"
        return key if before.by is None or self.value(before.by).person == 2 else f"{key} by"

    def then(self, statement: ir.Then) -> list[SpokenClause]:
        """Return the tried clauses, and the clauses for success and failure."""
        key = "done if willing" if is_optional(statement.tried) else "done"
        pieces = self.body(statement.tried.statements)
        for node in ir.walk(statement.tried) if not pieces else ():  # « if that succeeds » would be about another one
            if isinstance(node, ir.Do):
                self.naming.missing(node.form.id, node.form.span)
        pieces = [*pieces, self.led(key, self.in_branch(statement.then))]
        if statement.otherwise.statements:
            pieces.append(replace(self.led("otherwise", self.in_branch(statement.otherwise)), contrary=True))
        return pieces

    # ── loops ────────────────────────────────────────────────────────────────

    def for_each(self, statement: ir.ForEach) -> SpokenClause:
        """Return the clause for each element of a selection."""
        statement = replace(statement, items=self.meant(statement.items))
        items = statement.items
        if isinstance(items, ir.Select):
            noun = self.plain_noun(items)
            self.count_all(noun)
            noun = self.other(noun, [p for p in conjuncts(items.where) if exclusion_slot(p, items.it) > 0], items.it)
            each = self.picked("each", items)
        else:
            noun = self.naming.of_type(items.type.one())
            member = self.member(items) if isinstance(items, ir.Apply) else None
            if member is not None:
                each = self.language.determined("each", member)
            else:
                each = NounPhrase(self.say("each of", group=self.value(items, many=True)), noun.gender)
        inside = statement.body.statements
        in_order = statement.any_order or (isinstance(items, ir.Select) and items.sorted)
        if statement.any_order:
            each = NounPhrase(self.say_by("in any order", statement.by, each=each), each.gender)
        slot = statement.var.slot
        outer = self.scope.fork()
        if len(inside) == 1 and isinstance(inside[0], ir.Do | ir.Assign) and not in_order and self.folds(statement):
            intro = self.whole(statement) if statement.together else each
            self.scope.referents[slot] = Referent(noun=noun, intro=intro, each=True)
            clause = self.explained(self.simple(inside[0]))
            pending = self.scope.pending(slot)
            self.scope = outer if pending else self.scope
            if not pending:
                self.scope.referents.pop(slot)
                return SpokenClause(clause)
        self.scope.meet(slot, Referent(noun=noun, each=True, led=True))
        wording = self.looped(statement, each)
        outer.unknowns = self.scope.unknowns
        self.scope = outer  # what the loop introduces is forgotten after it
        return wording

    def folds(self, statement: ir.ForEach) -> bool:
        """Return whether the only statement of a loop can name all its things at once, in place of the current one."""
        (inside,), slot = statement.body.statements, statement.var.slot
        assert isinstance(inside, ir.Do | ir.Assign)
        reads = sum(isinstance(node, ir.Var) and node.slot == slot for node in ir.walk(inside))
        return self.names_first(inside, slot) and (not statement.together or reads == 1)

    def whole(self, statement: ir.ForEach) -> NounPhrase:
        """Return the phrase for all things of a loop, to which something happens at the same time."""
        items = statement.items
        if isinstance(items, ir.Select):
            return self.picked("every", items)
        member = self.member(items) if isinstance(items, ir.Apply) else None
        return self.language.determined("every", member) if member is not None else self.value(items, many=True)

    def looped(self, statement: ir.ForEach, each: NounPhrase) -> SpokenClause:
        """Return the clauses for each of several things, under their lead."""
        inside = statement.body.statements
        if statement.secret:
            pieces = self.governed(inside[: statement.secret])
            carried = self.governed(inside[statement.secret :])
            pieces += [self.led("all chosen", carried)] if carried else []
            return self.led("for each in secret", pieces, each=each)
        pieces = self.in_loop("break each", self.governed, inside)
        return self.led("for each at once" if statement.together else "for each", pieces, each=each)

    def in_loop(self, left: str, read: Callable[[_Read], list[SpokenClause]], body: _Read) -> list[SpokenClause]:
        """Read the body of a loop, which a `break` leaves by that template."""
        outer, self.left = self.left, left
        pieces = read(body)
        self.left = outer
        return pieces

    # ── rows ─────────────────────────────────────────────────────────────────

    def roll(self, statement: ir.Roll) -> SpokenClause:
        """Return the clauses of a roll with its rows."""
        dice = self.value(statement.dice)
        if statement.instead is not None:
            return SpokenClause(self.explained(self.say("reroll", what=self.value(statement.instead), dice=dice)))
        if statement.var is not None:
            several = statement.var.type.many
            called = self.language.nouns["rolled" if several else "result"]
            self.scope.meet(statement.var.slot, Referent(noun=called, many=several, definite=True))
        if not statement.rows:
            lead = self.say("roll value", dice=dice)
            if statement.against is not None:
                lead = self.say("roll difference", dice=dice, other=self.value(statement.against))
            return SpokenClause(self.explained(lead))
        if statement.against is not None:
            key = "roll difference rows" if statement.var is not None else "roll against"
            lead = self.say(key, dice=dice, other=self.value(statement.against))
        else:
            lead = self.say("roll", dice=dice)
        items = [self.row(row, statement.against is not None) for row in statement.rows]
        return SpokenClause(self.explained(lead), tuple((item,) for item in items))

    def play(self, statement: ir.Play) -> SpokenClause:
        """Return the clauses for playing a mission, with the rows for its results."""
        items = [
            self.led("row", self.in_branch(row.body) or self.nothing_happens(), label=self.ended(row))
            for row in statement.rows
            if row.body.statements
        ]
        lead = self.say("play rows" if items else "play", mission=self.value(statement.mission))
        return SpokenClause(self.explained(lead), tuple((item,) for item in items))

    def row(self, row: ir.Row, opposed: bool) -> SpokenClause:
        """Return one row: its result and effect."""
        label, title = NounPhrase(self.row_label(row, opposed)), self.authored(row.title, row.span)
        if title and opposed:
            label = NounPhrase(title)
        elif title:
            label = NounPhrase(self.say("titled row", label=label, title=NounPhrase(title)))
        idle = all(isinstance(statement, ir.Nothing) for statement in row.body.statements)
        pieces = [] if idle else self.in_branch(row.body)
        return self.led("row", pieces or self.nothing_happens(), label=label)

    def row_label(self, row: ir.Row, opposed: bool) -> str:
        """Return the label of a row of a roll: its faces, or its outcome. `opposed`: against another roll."""
        words = self.language.words
        if opposed and row.label in {"win", "tie", "lose"}:
            return words[row.label]
        if row.faces:
            return join_with_last([self.symbol(word) for word in row.label.split(", ")], words["comma"], words["or"])
        if row.low is None and row.high is None:
            return words["row else"]
        if row.high is None or row.low is None:
            return self.say("open range", low=str(row.low if row.high is None else row.high))
        return str(row.low) if row.low == row.high else f"{row.low}–{row.high}"

    def ended(self, row: ir.PlayRow) -> NounPhrase:
        """Return the result of a mission."""
        words = self.language.words
        result = words[row.end] if row.team is None else self.say("won by", team=self.value(row.team))
        if row.ending is None:
            return NounPhrase(result)
        return NounPhrase(self.say("ended as", result=result, ending=self.ending(row.ending)))
