"""Wording of choices: of things, of options, and of an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import conjuncts
from fcbdsl.language.model.ir.operators import evaluate_constant, reads_slot
from fcbdsl.language.prose.antecedents import Referent
from fcbdsl.language.prose.change_wording import ChangeWording
from fcbdsl.language.prose.clauses import SpokenClause
from fcbdsl.language.prose.equality import places_of
from fcbdsl.language.prose.filters import exclusion_slot
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import BOLD, LIGHT
from fcbdsl.language.prose.text_templates import slot_names, slot_order

LONG = 8
"""Most words of a choice in the middle of a sentence."""


class ChoiceWording(ChangeWording):
    """Words the statements in which somebody chooses."""

    def choose(self, statement: ir.Choose, following: ir.Stmt | None) -> list[SpokenClause]:
        """Return the clauses of a choice; it is worded where the next statement first uses its result, if possible."""
        statement = replace(statement, options=self.meant(statement.options))
        self.picked_from = statement.options.it if isinstance(statement.options, ir.Select) else -1
        clauses = self.chosen(statement, following)
        self.picked_from = -1
        return clauses

    def chosen(self, statement: ir.Choose, following: ir.Stmt | None) -> list[SpokenClause]:
        """Return the clauses of a choice within `choose`."""
        options, slot = statement.options, statement.var.slot
        noun = self.naming.of_type(options.type.one())
        plain = not (statement.by or statement.optional or statement.up_to or statement.chance)
        if isinstance(options, ir.Select):
            noun = self.plain_noun(options)
            self.count_all(noun)
            noun = self.other(
                noun, [p for p in conjuncts(options.where) if exclusion_slot(p, options.it) > 0], options.it
            )
            if plain and self.introduces(following, slot) and self.once(options, following, slot):
                before = self.scope.fork()
                intro = self.value(options)
                if len(intro.text.split()) <= LONG or self.apart(following, slot):
                    self.scope.referents[slot] = Referent(noun=noun, intro=intro, chosen=True)
                    return []
                self.scope = before
        text = self.explained(self.choice(statement, noun))
        self.scope.meet(slot, Referent(noun=noun, many=statement.var.type.many, chosen=True))
        wording = statement.by is not None and self.value(statement.by).person != 2
        return [SpokenClause(text, third_person=wording)]

    def introduces(self, following: ir.Stmt | None, slot: int) -> bool:
        """Return whether the next statement prints that slot among its arguments."""
        if not isinstance(following, ir.Do):
            return False
        text = self.wording(following.form.texts, following.form, following.args)
        if text is None:
            return False
        names = slot_names(text.template)
        return any(
            param.name in names and isinstance(arg, ir.Var) and arg.slot == slot
            for param, arg in zip(following.form.params, following.args, strict=True)
        ) and self.names_first(following, slot)

    def names_first(self, statement: ir.Do | ir.Assign, slot: int) -> bool:
        """Return whether the words of a statement name the thing in a slot before a number that depends on it.

        « Deal X damage to that owl, where X is the HP of each owl » would be about the HP of all.
        """
        if isinstance(statement, ir.Assign):
            return reads_slot(statement.target, slot)
        text = self.wording(statement.form.texts, statement.form, statement.args)
        order = slot_order(text.template.split(" / ")[0]) if text is not None else []
        args = dict(zip([param.name for param in statement.form.params], statement.args, strict=True))
        first = next(
            (args[name] for name in order if (arg := args.get(name)) is not None and reads_slot(arg, slot)), None
        )
        return first is None or first.type.base != "number"

    def apart(self, following: ir.Stmt | None, slot: int) -> bool:
        """Return whether that slot is read at the beginning or the end of the next statement, where many words have
        room."""
        assert isinstance(following, ir.Do)
        text = self.wording(following.form.texts, following.form, following.args)
        pairs = zip(following.form.params, following.args, strict=True)
        names = [param.name for param, arg in pairs if isinstance(arg, ir.Var) and arg.slot == slot]
        wording = text.template.split(" / ")[0].strip(" *") if text is not None else ""
        places = [place for name in names for place in places_of(wording, name)]
        return "{>" in wording or any(place.start() == 0 or wording[place.end() :][:1] in {"", ":"} for place in places)

    def once(self, options: ir.Select, following: ir.Stmt | None, slot: int) -> bool:
        """Return whether a choice is read once, or is short enough to come before the references to it."""
        read = [node for node in ir.walk(following) if isinstance(node, ir.Var) and node.slot == slot]
        return len(read) < 2 or not options.order

    def choice(self, statement: ir.Choose, noun: Noun) -> str:
        """Return a choice as a separate clause."""
        if statement.up_to is not None and statement.exactly:
            what = self.so_many(statement.up_to, statement.options, noun)
            return self.taken(statement, what)
        if statement.up_to is not None:
            what = self.plural_of(statement.options)
            return self.say_by("choose up to", statement.by, limit=self.amount(statement.up_to), options=what)
        if isinstance(statement.options, ir.Select):
            what = self.value(statement.options)
        else:
            group = self.value(statement.options, many=True)
            indefinite = self.language.determined("a", noun)
            what = NounPhrase(f"{indefinite.text} {self.say('among', group=group)}")
        return self.taken(statement, what)

    def taken(self, statement: ir.Choose, what: NounPhrase) -> str:
        """Return the clause for a choice of `what`."""
        if statement.chance:
            return self.say("at random", options=what)
        return self.say_by("may choose" if statement.optional else "choose", statement.by, options=what)

    def so_many(self, count: ir.Expr, options: ir.Expr, noun: Noun) -> NounPhrase:
        """Return ``2 weapons in your hand``, or ``2 weapons among those``."""
        chosen = self.qualified(options) if isinstance(options, ir.Select) else noun
        what = NounPhrase(self.amount_of(count, chosen), noun.gender, evaluate_constant(count) != 1)
        if isinstance(options, ir.Select):
            return what
        return NounPhrase(f"{what.text} {self.say('among', group=self.value(options, many=True))}", noun.gender, True)

    def plural_of(self, options: ir.Expr) -> NounPhrase:
        """Return the options in the plural, without a determiner."""
        if isinstance(options, ir.Select):
            return self.language.determined("count", self.qualified(options))
        return self.value(options, many=True)

    def choose_one(self, statement: ir.ChooseOne) -> SpokenClause:
        """Return a list of options; a single optional one is a `may`."""
        if len(statement.options) == 1 and statement.optional:
            return self.at_will(self.body(statement.options[0].body.statements), statement.by)
        lead = self.say_by("may choose one" if statement.optional else "choose one", statement.by)
        return SpokenClause(lead, self.options(statement.options))

    def any_order(self, statement: ir.AnyOrder) -> SpokenClause:
        """Return a list of steps in any order."""
        return SpokenClause(self.say_by("steps", statement.by), self.options(statement.steps))

    def options(self, options: Sequence[ir.Option]) -> tuple[tuple[SpokenClause, ...], ...]:
        """Return the items of a list of options, with their labels."""
        wording = [(self.authored(option.label, option.span), self.in_branch(option.body)) for option in options]
        if all(self.names_verb(label, pieces) for label, pieces in wording):
            return tuple(tuple(pieces) for _, pieces in wording)
        return tuple(
            (self.led("row", pieces or self.nothing_happens(), label=NounPhrase(label)),) if label else tuple(pieces)
            for label, pieces in wording
        )

    def names_verb(self, label: str, pieces: list[SpokenClause]) -> bool:
        """Return whether a label only repeats the verb of its clause: « move: move 2 »."""
        if len(pieces) != 1 or pieces[0].items:
            return not label
        plain = pieces[0].text.replace(BOLD, "").replace(LIGHT, "")
        verb = self.language.impersonal(plain).casefold()
        return not label or f"{verb} ".startswith(f"{label.casefold()} ")
