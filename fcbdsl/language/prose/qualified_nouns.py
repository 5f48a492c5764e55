"""Wording of filters and criteria as modifiers of a noun."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Field, Form
from fcbdsl.language.model.ir import conjuncts
from fcbdsl.language.model.ir.operators import evaluate_constant, reads_slot
from fcbdsl.language.prose.antecedents import Referent
from fcbdsl.language.prose.filters import (
    at_least,
    chain_parts,
    conjunction,
    excludes_self,
    exclusion_slot,
    in_piles,
    is_definition,
    is_place_of,
    is_slot,
    names_barrier,
    names_ground,
    names_mark,
    names_sort,
    says_where,
    without_test,
)
from fcbdsl.language.prose.language import has_abbreviation
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import CANDIDATE, join_with_last
from fcbdsl.language.prose.text_templates import fill_template, lower_first_letter, slot_names
from fcbdsl.language.prose.titles import GAP
from fcbdsl.language.prose.value_wording import Values

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
COUNTERS = {"status", "token"}
BOUNDS = {"<=", ">="}
"""Comparisons of two numbers of one owner that are a clause (your HP is at least your maximum HP)."""
PRESENCE: dict[tuple[str, int | None], bool] = {
    ("=", 0): False,
    ("<=", 0): False,
    ("<", 1): False,
    ("!=", 0): True,
    (">=", 1): True,
}
"""Comparisons of a count that only mean that there is one, or none."""


class QualifiedNouns(Values):
    """Words selections as nouns with modifiers."""

    in_chain = False  # whether a clause is one of several, which a reader could take for part of it

    def qualified(self, select: ir.Select) -> Noun:
        """Return the noun with filters and criteria after it; its number and gender stay."""
        filters = conjuncts(select.where)
        noun, wording = self.headword(select.noun, filters, select.it)
        plain = noun or self.naming.of_type(select.type)
        if noun is None and isinstance(select.source, ir.Select):
            noun = self.qualified(select.source)  # a declared noun without a title is worded by its meaning
        if noun is None and isinstance(select.source, ir.Apply):
            noun = self.member(select.source)
        noun = self.other(noun or plain, filters, select.it)
        filters = [part for part in filters if not any(part is worded for worded in wording)]
        apart = self.apart_from(filters, select.it, plain)
        filters = [part for part in filters if part is not apart]
        before = self.scope.fork()
        one = self.headed(select, noun, filters, plural=False)
        after, self.scope = self.scope, before  # the same words again, for the plural
        many = self.headed(select, noun, filters, plural=True)
        self.scope = after
        return Noun(one, many, noun.gender, proper=noun.proper)

    def plain_noun(self, select: ir.Select) -> Noun:
        """Return the noun for a candidate that has been introduced: a standing hero becomes « that hero »."""
        kind, titled = self.naming.of_type(select.type), self.titled(select)
        meaning = select.source if isinstance(select.source, ir.Select) else select
        sort = self.sort_named(meaning.where, meaning.it)
        if titled is not None and sort is not None and sort.one in titled.one:  # a wounded wolf is a wolf
            return sort
        if titled is None or titled.one.endswith(f" {kind.one}") or titled.one.startswith(f"{kind.one} "):
            return kind
        return titled

    def titled(self, select: ir.Select) -> Noun | None:
        """Return the titled noun that an author selected by: a declared one, or the title of a definition."""
        return self.headword(select.noun, conjuncts(select.where), select.it)[0]

    def headword(self, word: str, filters: Sequence[ir.Expr], it: int) -> tuple[Noun | None, list[ir.Expr]]:
        """Return the titled noun by which an author selected, and the filters that it expresses.

        It is a declared noun, a mark, a barrier, a terrain, or the title of a definition; None if there is none.
        """
        declared = self.naming.declared_noun(word) if word else None
        if declared is not None:
            return declared, []
        for part in filters:
            mark = names_mark(part, it)
            if mark and (noun := self.naming.mark_noun(mark)) is not None:
                return noun, [part]
        for part in filters:
            if word and names_barrier(part, it) == word:
                return self.naming.noun(self.naming.model.barriers[word].name, word), [part]
            if word and names_ground(part, it) == word:
                return self.naming.noun(self.naming.model.terrains[word].name, word), [part]
        for part in filters:
            if (sort := self.sort_named(part, it)) is not None:
                return sort, [part]
        return None, []

    def sort_named(self, where: ir.Expr | None, it: int) -> Noun | None:
        """Return the title of the definition that a filter tests."""
        chosen = next((mention for part in conjuncts(where) if (mention := names_sort(part, it))), None)
        definition = self.naming.model.definitions.get((chosen.kind, chosen.id)) if chosen is not None else None
        if definition is None:
            return None
        noun = self.naming.noun(definition.name, definition.id, definition.span)
        if self.language.is_sentence(noun.one):
            title = self.say("ruling", rule=noun.one)
            return replace(noun, one=title, many=title, proper=True)
        return replace(noun, proper=self.naming.is_only(definition))

    def count_all(self, noun: Noun) -> None:
        """Word « the other owl » as « an owl » again once a third owl is mentioned: from then on all are numbered."""
        other = self.language.words["other"].format(noun=noun.one)
        for referent in self.scope.referents.values():
            if referent.met and referent.noun is not None and referent.noun.one == other:
                referent.noun = noun

    def qualification(self, expr: ir.Expr, it: int, head: NounPhrase, denied: bool = False) -> str | None:
        """Return a filter as a modifier of a noun; None if it can only be a condition."""
        match expr:
            case ir.Not():
                return self.qualification(expr.operand, it, head, not denied)
            case ir.Apply() if expr.args and (is_slot(expr.args[0], it) or is_place_of(expr.args[0], it)):
                return self.relative(expr, head, denied)
            case ir.IsA() if is_slot(expr.of, it):
                kind = self.naming.kind_called(expr.kind)
                several = self.say("of a sort", sort=kind.many)
                sort = several if head.plural else self.language.determined("a", kind).text
                return self.say("that is", denied=denied, subject=head, predicate=sort)
            case ir.Get() if is_slot(expr.of, it):
                return self.bearing(expr, head, denied)
            case ir.Binary() if expr.op in OPPOSITE:
                return self.measured_against(expr, it, head, OPPOSITE[expr.op] if denied else expr.op)
            case ir.Binary(op="or") if not denied:
                return self.in_one_of(expr, it)
            case ir.Quantified(quantifier="any", test=ir.Apply() as test) if not denied and test.args:
                return self.related_to_any(expr, test, it, head)
        return None

    def related_to_any(self, expr: ir.Quantified, test: ir.Apply, it: int, head: NounPhrase) -> str | None:
        """Return a relation of the candidate to any of a selection (``within Range 1 of a hero``); None for other
        tests."""
        if not is_slot(test.args[0], it) or reads_slot(expr.select, it) or not isinstance(expr.select, ir.Select):
            return None
        noun = self.qualified(expr.select)
        intro = self.language.determined("a", noun)
        self.scope.referents[expr.it] = Referent(noun=noun, intro=intro, each=True)
        clause = self.qualification(test, it, head)
        self.scope.referents.pop(expr.it, None)
        return clause

    def in_one_of(self, expr: ir.Binary, it: int) -> str | None:
        """Return the piles that the candidate may be in (``from your hand or your discard pile``); None for other
        tests."""
        piles: list[ir.Expr] = []
        for part in chain_parts(expr):
            if not (isinstance(part, ir.Apply) and part.form.op == "in-zone" and is_slot(part.args[0], it)):
                return None
            pile = part.args[1]
            assert pile is not None
            piles.append(pile)
        words = self.language.words
        key = "taken from" if it == self.picked_from else "lying in"
        return join_with_last([self.say(key, zone=self.value(pile)) for pile in piles], words["comma"], words["or"])

    def qualified_by(self, noun: Noun, filters: list[ir.Expr], it: int) -> Noun:
        """Return a noun with filters outside a selection, except those that the noun expresses."""
        plain, noun = noun, self.other(noun, filters, it)
        apart = self.apart_from(filters, it, plain)
        filters = [part for part in filters if part is not apart]
        if not filters:
            return noun
        empty = ir.Select(None, it, None, (), ir.Type("thing"), filters[0].span)
        return Noun(self.headed(empty, noun, filters, plural=False), noun.many, noun.gender)

    def other(self, noun: Noun, filters: list[ir.Expr], it: int) -> Noun:
        """Return ``another character`` where the figure itself is excluded."""
        if self.apart_from(filters, it, noun) is None:
            return noun
        words = self.language.words
        return Noun(words["other"].format(noun=noun.one), words["others"].format(noun=noun.many), noun.gender)

    def apart_from(self, filters: Sequence[ir.Expr], it: int, noun: Noun) -> ir.Expr | None:
        """Return the filter that « another » expresses: it excludes the figure itself, or the only one with the same
        noun.

        Other exclusions must be printed: after « another enemy » readers would not know how many are excluded.
        """
        known_slots = self.scope.known_by(noun)
        by_noun = [part for part in filters if exclusion_slot(part, it) in known_slots]
        if len(known_slots) == 1 and by_noun:
            return by_noun[0]
        return next((part for part in filters if excludes_self(part, it)), None) if not known_slots else None

    def headed(self, select: ir.Select, noun: Noun, filters: list[ir.Expr], *, plural: bool) -> str:
        """Return the noun of a selection in singular or plural, with modifiers for the `filters` that the noun leaves
        open."""
        head = NounPhrase(noun.many if plural else noun.one, noun.gender, plural)
        self.scope.candidates[select.it] = plural
        if any(says_where(part, select.it) for part in filters):  # within a range includes being on the board
            filters = [part for part in filters if not (isinstance(part, ir.Apply) and part.form.op == "on-board")]
        qualifications = [self.qualification(part, select.it, head) for part in filters]
        rest = [part for part, words in zip(filters, qualifications, strict=True) if words is None]
        wording = [
            (part, self.language.standing(words, head) if says_where(part, select.it) else words)
            for part, words in zip(filters, qualifications, strict=True)
            if words is not None
        ]
        piles = [words for part, words in wording if in_piles(part, select.it)]
        parts = [words for part, words in wording if not in_piles(part, select.it)]
        clauses = self.relatives(rest, select.it, noun, head)
        words = head.text
        adjectives = [adjective for part in parts if (adjective := self.language.adjective(part))]
        for adjective in adjectives:
            words = self.language.attributed(words, adjective)
        parts = [part for part in parts if not self.language.adjective(part)]
        ordered = [] if select.sorted else select.order
        criteria = [self.criterion(criterion, select.it, noun, head) for criterion in ordered[:1]]
        ranked = self.language.ranked(words, criteria[0]) if criteria else ""
        parts = self.lackings([*parts[:1], *(self.language.appositive(part) for part in parts[1:])])
        comma, linked_by = self.language.words["comma"], self.language.words["and"]
        groups = (piles, parts, clauses) if self.language.piles_first else (parts, piles, clauses)
        tail = [join_with_last(some, comma, linked_by) for some in groups]
        several = len(piles) + len(parts) + len(clauses) > 1 or bool(clauses)
        apart = comma if criteria and not ranked and several else ""
        ties = [self.tie(criterion, select.it, noun, head) for criterion in ordered[1:]]
        best = "" if ranked or not criteria else apart + criteria[0]
        if ties:
            then = join_with_last(ties, self.language.words["comma"], self.language.words["then"])
            best = f"{best} {self.say('tied', criteria=then)}".strip()
        tail.append(best)
        named = isinstance(select.source, ir.Apply) and self.member(select.source) is not None
        named = named or select.noun == select.type.base  # every value of a type
        if select.source is not None and not isinstance(select.source, ir.Select) and not named:
            tail.append(self.say("among", group=self.value(select.source, many=True)))
        said_in_full = (ranked or words) + " ".join(["", *(part for part in tail if part)]).replace(" ,", ",")
        if not select.sorted:
            self.scope.referents.pop(select.it, None)
            return said_in_full
        then = self.language.words["then"]
        sorting = [self.sorting(criterion, select.it, noun, head) for criterion in select.order]
        self.scope.referents.pop(select.it, None)
        return f"{said_in_full}{comma}{join_with_last(sorting, comma, then)}"

    def member(self, source: ir.Apply) -> Noun | None:
        """Return the noun for an element of a measure's list, if its text gives one (``the heroes / hero /
        heroes``) with the same slots."""
        text = self.wording(source.form.texts, source.form, source.args)
        forms = text.template.split(" / ") if text is not None else []
        if len(forms) < 3 or not slot_names(forms[0]) <= slot_names(forms[1]) & slot_names(forms[2]):
            return None
        before = self.scope.fork()
        one = fill_template(forms[1], self.slots(source.form, source.args), self.language)
        after, self.scope = self.scope, before
        many = fill_template(forms[2], self.slots(source.form, source.args), self.language)
        self.scope = after
        return Noun(one, many, self.naming.of_type(source.type.one()).gender)

    def relatives(self, conditions: Sequence[ir.Expr], it: int, noun: Noun, head: NounPhrase) -> list[str]:
        """Return conditions on a candidate that need clauses: relative clauses, or one with « such that »."""
        clauses: list[str] = []
        rest: list[ir.Expr] = []
        for part in conditions:
            before, several = self.scope.fork(), self.scope.candidates.pop(it, False)
            self.scope.referents[it] = Referent(always=head.saying(CANDIDATE))
            clause = self.language.relative(self.condition(without_test(part)), head)
            self.scope.referents.pop(it, None)
            self.scope.candidates[it] = several
            if not clause:
                self.scope = before
                rest.append(part)
                continue
            clauses.append(clause)
        if rest:
            self.scope.meet(it, Referent(noun=noun, each=True))
            condition = self.condition(conjunction(rest))
            if self.in_chain:
                condition = self.say("brackets", inside=condition)
            clauses.append(self.say("such that", subject=head, condition=condition))
        elif clauses and self.in_chain:
            clauses[-1] += self.language.words["comma"].rstrip()
        return clauses

    def lackings(self, parts: list[str]) -> list[str]:
        """Merge the parts about lacking things: ``without a token or a piece``."""
        without = self.language.words["without"]
        merged: list[str] = []
        for part in parts:
            if merged and part.startswith(without) and merged[-1].startswith(without):
                merged[-1] += self.language.words["nor"] + part.removeprefix(without)
            else:
                merged.append(part)
        return merged

    def relative(self, expr: ir.Apply, head: NounPhrase, denied: bool) -> str | None:
        """Return a relation of the candidate: its predicate, or a relative clause."""
        text = self.wording(expr.form.texts, expr.form, expr.args)
        if text is None:
            self.naming.missing(expr.form.id, expr.form.span)
            return GAP
        if expr.form.op == "in-zone" and is_slot(expr.args[0], self.picked_from) and not denied:
            place = expr.args[1]
            assert place is not None
            return self.say("taken from", zone=self.value(place))
        if not text.template:
            return self.unsaid_relation(expr.form, denied=denied)
        template = lower_first_letter(text.template.split(" / ")[0])
        first = expr.form.params[0].name
        if first not in slot_names(template):
            if denied and "<" in template:
                return fill_template(template, self.slots(expr.form, expr.args, head), self.language, denied=True)
            predicate = self.predicate(expr, template, head)
            key = "not" if " " in predicate else "not so"
            return self.say(key, subject=head, predicate=predicate) if denied else predicate
        which = head.saying(self.language.words["which"])
        if template.startswith("{" + first + "}"):
            return fill_template(template, self.slots(expr.form, expr.args, which), self.language, denied=denied)
        return None

    def measured_against(self, expr: ir.Binary, it: int, head: NounPhrase, op: str) -> str | None:
        """Return a comparison of the candidate's own stats, or of the candidate itself."""
        left, right = expr.left, expr.right
        if is_slot(right, it):
            left, right, op = right, left, MIRRORED[op]
        if is_slot(left, it) and op in {"=", "!="}:
            key = "which is" if op == "=" else "other than"
            return self.say(key, subject=head, other=self.value(right))
        if isinstance(left, ir.Get) and is_slot(left.of, it) and is_definition(left, right) and op in {"=", "!="}:
            if op == "!=":
                return self.say("other than", other=self.value(right))
            return self.say("that is", subject=head, predicate=self.value(right).text)
        if not (isinstance(left, ir.Get) and is_slot(left.of, it)):
            return None
        if is_spot(left, right) and op in {"=", "!="}:
            spot = self.say("standing on", space=self.value(right))
            return spot if op == "=" else self.say("not", predicate=spot)
        op, value = at_least(op, evaluate_constant(right))
        present = PRESENCE.get((op, value)) if left.field.sort in COUNTERS else None
        if present is not None:
            return self.bearing(left, head, not present)
        if left.field.type.base == "flag" and value is not None:
            return self.bearing(left, head, (op == "=") != bool(value))
        if left.field.type.base != "number":
            return None
        noun = self.column(left)
        if value is not None and self.is_quality(left.field):
            return self.quality("with quality", left, op, self.number(value))
        if nothing_of(left, op, value):
            return self.say("with none", what=self.language.determined("none of", noun))
        if value is not None:
            return self.say(f"with {op}", amount=self.language.counted(value, noun))
        if isinstance(right, ir.Get) and is_slot(right.of, it) and op not in BOUNDS:
            relation = self.say(f"than {op}", left=noun.many)
            return self.say("with less than", relation=relation, other=self.column(right).many)
        return None

    def bearing(self, expr: ir.Get, head: NounPhrase, denied: bool) -> str:
        """Return the modifier for a status: with or without it, or its adjective."""
        noun = self.naming.field(expr.field)
        title = noun.one
        lacking = self.naming.lacking(expr.field)
        if denied and lacking:
            predicate = fill_template(lacking, {"subject": lambda: head}, self.language)
            return self.say("that is", subject=head, predicate=predicate)
        if expr.field.sort == "token":
            return self.say("with token", denied=denied, token=self.language.determined("a", noun), bare=title)
        if expr.field.sort in COUNTERS and self.naming.is_noun(expr.field):
            return self.say("with status", denied=denied, status=title, whose=self.whose(expr))
        adjective = fill_template(title, {"subject": lambda: head}, self.language)
        if expr.field.sort in COUNTERS:
            return self.say("being status", denied=denied, subject=head, status=adjective, whose=self.whose(expr))
        return self.say("that is", denied=denied, subject=head, predicate=adjective)

    def criterion(self, criterion: ir.Criterion, it: int, noun: Noun, head: NounPhrase) -> str:
        """Return ``with the lowest HP``; a measure's text may have superlatives: ``the range to {b} / closest to
        {b}``."""
        superlative = self.superlative(criterion, it, noun, head)
        if superlative:
            return superlative
        word, key = self.ranking(criterion, it), criterion.key
        if isinstance(key, ir.Get) and is_slot(key.of, it) and self.is_quality(key.field):
            column = self.column(key)
            word = "most of quality" if criterion.most else "fewest quality"
            return self.say(word, key=NounPhrase(column.one, column.gender))
        return self.say(word, key=self.key(criterion, it))

    def is_quality(self, field: Field) -> bool:
        """Return whether a number is a property (a cost of 3), not a count (3 coins)."""
        noun = self.naming.counted_noun(field)
        several = self.naming.counts(field) and noun.one != noun.many
        return (
            field.sort in {"field", "builtin"}
            and field.type == ir.NUMBER
            and (bool(field.name.title) or field.id in self.naming.language.nouns)
            and not (several or has_abbreviation(noun.one))
        )

    def tie(self, criterion: ir.Criterion, it: int, noun: Noun, head: NounPhrase) -> str:
        """Return the tie breaker between equal candidates: ``highest HP``, ``closest to you``."""
        word = f"tied {self.ranking(criterion, it)}"
        return self.superlative(criterion, it, noun, head) or self.say(word, key=self.key(criterion, it))

    def sorting(self, criterion: ir.Criterion, it: int, noun: Noun, head: NounPhrase) -> str:
        """Return ``in ascending order of HP``, or ``the closest to you first``."""
        superlative = self.superlative(criterion, it, noun, head)
        if superlative:
            return self.say("first of all", superlative=superlative)
        return self.say("descending" if criterion.most else "ascending", key=self.key(criterion, it))

    def key(self, criterion: ir.Criterion, it: int) -> NounPhrase | str:
        """Return the wording of an order's key."""
        key = criterion.key
        if not (isinstance(key, ir.Get) and is_slot(key.of, it)):
            return self.value(key)
        counts = key.field.sort in COUNTERS or self.naming.counts(key.field)
        return self.column(key).many if counts else self.column(key).one

    def ranking(self, criterion: ir.Criterion, it: int) -> str:
        """Return the word for the highest or the lowest value of a key: “most” and “fewest” if it counts things."""
        key, word = criterion.key, "most of" if criterion.most else "fewest"
        if not (isinstance(key, ir.Get) and is_slot(key.of, it) and self.naming.counts(key.field)):
            return word
        noun = self.column(key)
        return f"{word} things" if noun.one != noun.many else word

    def superlative(self, criterion: ir.Criterion, it: int, noun: Noun, head: NounPhrase) -> str:
        """Return the superlative that a measure's text has; empty if it has none."""
        key = criterion.key
        if isinstance(key, ir.Get) and is_slot(key.of, it):
            return ""
        self.scope.meet(it, Referent(noun=noun, each=True))
        if isinstance(key, ir.Apply):
            at = 2 if criterion.most else 1
            text = self.wording(key.form.texts, key.form, key.args, part=at, implied=it)
            forms = text.template.split(" / ") if text is not None else []
            if len(forms) > at:
                slots = {"subject": lambda: head, **self.slots(key.form, key.args)}
                return fill_template(forms[at], slots, self.language)
        return ""

    def unsaid_relation(self, form: Form, *, denied: bool) -> str:
        """Return the words of a relation without words: empty. Its negation is reported, because it needs words."""
        if not denied:
            return ""
        self.naming.missing(form.id, form.span)
        return GAP

    def predicate(self, expr: ir.Apply, template: str, subject: NounPhrase) -> str:
        """Return the predicate of a relation, agreeing with its subject."""
        slots = self.slots(expr.form, expr.args, subject)
        return fill_template(template, slots, self.language)

    def quality(self, key: str, expr: ir.Get, op: str, amount: NounPhrase) -> str:
        """Return the comparison of a property with a number: ``with a Cost of 3 or less``."""
        noun = self.column(expr)
        measure = NounPhrase(self.say(f"quality {op}", noun=NounPhrase("", noun.gender), amount=amount))
        what = self.language.determined("a", noun)
        if key == "with quality":
            return self.say(key, what=what, measure=measure)
        return self.say(key, owner=self.value(expr.of), what=what, measure=measure)


def is_spot(left: ir.Get, right: ir.Expr) -> bool:
    """Return whether a comparison tests the space of a thing."""
    return left.field.id == "place" and left.field.sort == "builtin" and right.type != ir.NOTHING


def nothing_of(stat: ir.Get, op: str, value: int | None) -> bool:
    """Return whether a comparison only means that a number which is never below zero is zero."""
    return stat.field.low is not None and stat.field.low >= 0 and PRESENCE.get((op, value)) is False
