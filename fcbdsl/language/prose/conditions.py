"""Wording of conditions as clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import conjuncts, same
from fcbdsl.language.model.ir.operators import evaluate_constant, reads_slot
from fcbdsl.language.prose.antecedents import Referent
from fcbdsl.language.prose.filters import (
    as_selection,
    at_least,
    borne,
    both,
    chain_parts,
    conjunction,
    is_definition,
    is_game,
    is_slot,
    membership_value,
    names_sort,
    neighbor_relation,
    none_but,
    with_slot,
)
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.qualified_nouns import (
    BOUNDS,
    COUNTERS,
    MIRRORED,
    OPPOSITE,
    PRESENCE,
    QualifiedNouns,
    is_spot,
    nothing_of,
)
from fcbdsl.language.prose.rules_text import CLAUSE, join_with_last
from fcbdsl.language.prose.text_templates import fill_template, lower_first_letter, slot_names
from fcbdsl.language.prose.titles import GAP


class Conditions(QualifiedNouns):
    """Words conditions."""

    brief = False  # whether a condition is alone in a frame, where few words are best
    absence = "there is"  # the template for forbidden things

    def link(self, expr: ir.Expr, *, denied: bool = False) -> str:
        """Return one clause of a chain."""
        within, self.in_chain = self.in_chain, True
        clause = self.condition(expr, denied=denied)
        self.in_chain = within
        return clause

    def order(self, expr: ir.Expr) -> str:
        """Return an instruction that makes a condition hold; empty if a part of it has no such wording.

        It is the second form of a relation's text, or an instruction to leave none of a kind.
        """
        words = self.language.words
        match expr:
            case ir.Binary(op="and"):
                orders = [self.order(part) for part in chain_parts(expr)]
                return join_with_last(orders, words["comma"], words["and"]) if all(orders) else ""
            case ir.Quantified(quantifier="no"):
                present, self.absence = self.absence, "leave none"
                wording = self.condition(expr)
                self.absence = present
                return wording if isinstance(expr.select, ir.Select) and expr.test is None else ""
            case ir.Apply():
                text = self.wording(expr.form.texts, expr.form, expr.args)
                forms = text.template.split(" / ") if text is not None else []
                return (
                    fill_template(forms[1], self.slots(expr.form, expr.args), self.language) if len(forms) > 1 else ""
                )
        return ""

    def condition(self, expr: ir.Expr, *, denied: bool = False) -> str:
        match expr:
            case ir.Not():
                return self.condition(expr.operand, denied=not denied)
            case ir.Binary() if expr.op in {"and", "or"}:
                word = expr.op if not denied else {"and": "or", "or": "and"}[expr.op]
                sides = [(part, self.link(part, denied=denied)) for part in chain_parts(expr)]
                for part, side in sides:
                    if not side and word == "or":  # one of two ways would be lost
                        self.report_unsaid(part)
                sides_worded = [side for _, side in sides if side]
                words = self.language.words
                comma = words["comma"].rstrip()
                if len(sides_worded) > 1 and any(
                    isinstance(part, ir.Binary) and part.op in {"and", "or"} for part in chain_parts(expr)
                ):  # a chain in a chain is set apart
                    clause = (CLAUSE + comma + words[word]).join(sides_worded)
                else:
                    clause = self.of_one(chain_parts(expr), sides_worded, words[word]) or self.chained(
                        sides_worded, words[word]
                    )
                return clause.replace(comma + CLAUSE + comma, CLAUSE + comma).removesuffix(comma)
            case ir.Binary() if expr.op in OPPOSITE:
                return self.comparison(expr, denied=denied)
            case ir.Apply():
                return self.related(expr, denied=denied)
            case ir.IsA():
                sort = self.language.determined("a", self.naming.kind_called(expr.kind))
                return self.say("is", denied=denied, subject=self.value(expr.of), predicate=sort.text)
            case ir.Get():
                return self.property(expr, denied=denied)
            case ir.Quantified():
                return self.quantified(expr, denied=denied)
            case ir.Select():
                what = self.language.determined("no" if denied else "a", self.qualified(expr))
                return self.say("there is", denied=denied, what=self.language.existing(what))
            case ir.Const() if expr.type == ir.FLAG:
                return self.language.words["yes" if bool(expr.value) != denied else "no"]
            case _:
                return self.value(expr).text

    def of_one(self, parts: Sequence[ir.Expr], clauses: list[str], word: str) -> str:
        """Return clauses about one third person, named once: ``the fox is awake or has a wound``.

        Return an empty string if they have other subjects, or do not begin with the subject.
        """
        subjects = [subject_of_condition(part) for part in parts]
        if not self.language.elliptic or len(clauses) != len(parts) or subjects[0] is None:
            return ""
        if not all(subject is not None and same(subjects[0], subject) for subject in subjects):
            return ""
        before = self.scope.fork()
        who = self.value(subjects[0])
        self.scope = before
        if who.person == 2 or not all(clause.startswith(f"{who.text} ") for clause in clauses):
            return ""
        rest = [clause.removeprefix(f"{who.text} ") for clause in clauses[1:]]
        return join_with_last([clauses[0], *rest], self.language.words["comma"], word)

    def said_condition(self, expr: ir.Expr) -> str:
        """Return a condition that needs words. If it has none, report its relation."""
        wording = self.condition(expr)
        if not wording:
            self.report_unsaid(expr)
        return wording or GAP

    def report_unsaid(self, condition: ir.Expr) -> None:
        """Report the first relation without words in a condition."""
        for node in ir.walk(condition):
            if isinstance(node, ir.Apply):
                text = self.wording(node.form.texts, node.form, node.args)
                if text is not None and not text.template:
                    self.naming.missing(node.form.id, node.form.span)
                    return

    def comparison(self, expr: ir.Binary, *, denied: bool) -> str:
        """Return the comparison of two values; ``HP < 3`` becomes ``has fewer than 3 HP``."""
        op = OPPOSITE[expr.op] if denied else expr.op
        left, right = self.meant(expr.left), self.meant(expr.right)
        if evaluate_constant(left) is not None and evaluate_constant(right) is None:
            left, right, op = right, left, MIRRORED[op]
        if isinstance(left, ir.Variant) and isinstance(right, ir.Const):
            return self.ruled(left.id, right.value, denied=op == "!=")
        if isinstance(left, ir.Get) and is_definition(left, right) and op in {"=", "!="}:
            return self.say("is", denied=op == "!=", subject=self.value(left.of), predicate=self.value(right).text)
        if isinstance(left, ir.Get) and is_spot(left, right) and op in {"=", "!="}:
            spot = self.say("standing on", space=self.value(right))
            return self.say("is", denied=op == "!=", subject=self.value(left.of), predicate=spot)
        if isinstance(left, ir.Get):
            clause = self.compared_stat(left, op, right)
            if clause:
                return clause
        if isinstance(left, ir.Apply) and (noun := self.naming.measured(left.form)) is not None and not left.args:
            return self.there_are(noun, op, right)
        if isinstance(left, ir.Apply) and (noun := self.naming.measured(left.form)) is not None and left.args[0]:
            op, value = at_least(op, evaluate_constant(right))
            if value is not None and self.brief and is_slot(left.args[0], 0) and op in {">=", "<", "<=", "="}:
                return self.scale(noun, op, value)
            if value is not None:
                amount = self.language.counted(value, noun)
                return self.say(f"has {op}", owner=self.value(left.args[0]), amount=amount)
        if isinstance(left, ir.Quantified) and left.quantifier == "number" and isinstance(left.select, ir.Select):
            return self.there_are(self.qualified(left.select), op, right)
        if isinstance(left, ir.Var) and right.type == ir.NOTHING:
            referent = self.scope.referents.get(left.slot)
            gender = referent.noun.gender if referent is not None and referent.noun is not None else "m"
            return self.say("there is one", denied=op == "=", subject=NounPhrase("", gender))
        if right.type == ir.NOTHING and op in {"=", "!="}:
            return self.there_being(left, denied=op == "=")
        if left.type.base == "number":
            op, value = at_least(op, evaluate_constant(right))
            shown = self.number_or_value(right) if value is None else self.number(value)
            key = f"{op} number" if value is not None and op in BOUNDS else op
            key = f"{op} value" if value is None and op in {"=", "!="} else key
            return self.say(key, left=self.value(left), right=shown)
        return self.say("equal", denied=op == "!=", left=self.value(left), right=self.value(right))

    def there_being(self, expr: ir.Expr, *, denied: bool) -> str:
        """Return a clause that a thing exists."""
        if isinstance(expr, ir.Get):
            noun = self.column(expr)
            indefinite = self.language.determined("a", noun).text
            return self.say("has one", denied=denied, owner=self.value(expr.of), one=indefinite, bare=noun.one)
        return self.say("exists", denied=denied, what=self.value(expr))

    def there_are(self, noun: Noun, op: str, right: ir.Expr) -> str:
        """Return a clause about the number of things of a kind."""
        op, value = at_least(op, evaluate_constant(right))
        present = PRESENCE.get((op, value))
        if present is not None:
            what = self.language.determined("a" if present else "no", noun)
            return self.say("there is", denied=not present, what=self.language.existing(what))
        number = self.amount(right) if value is None else self.number(value)
        many = number.saying(f"{number.text} {noun.many}")
        amount = self.language.existing(many if value is None else self.language.counted(value, noun))
        what = self.language.existing(self.language.determined("count", noun))
        return self.say(f"there are {op}", amount=amount, what=what, n=number)

    def scale(self, noun: Noun, op: str, value: int) -> str:
        """Return a range of numbers, which begin at 0: ``Damage 3+``, ``Damage 0–2``."""
        top = value - 1 if op == "<" else value
        if op == ">=":
            number = f"{value}+"
        elif op == "=" or top <= 0:
            number = str(top)
        else:
            number = f"0–{top}"
        return self.say("scale", what=noun.many, numbers=number)

    def ruled(self, switch: str, value: int, *, denied: bool) -> str:
        """Return whether a variant is set to a value; of two values the one denied is the other one affirmed."""
        if denied and len(self.naming.model.switches[switch].values) == 2:
            value, denied = 1 - value, False
        return self.say("ruled", denied=denied, rule=self.ruling(switch, value))

    def compared_stat(self, left: ir.Get, op: str, right: ir.Expr) -> str:
        """Return the comparison of a stat, status or property; empty if it has no special wording."""
        field = left.field
        op, value = at_least(op, evaluate_constant(right))
        present = PRESENCE.get((op, value)) if field.sort in COUNTERS else None
        if present is not None:
            return self.property(left, denied=not present)
        if field.type.base == "enum" and not field.name.title and op in {"=", "!="}:
            owner, predicate = self.value(left.of), self.value(right)
            return self.say("is", denied=op == "!=", subject=owner, predicate=predicate)
        if field.type.base == "flag" and value is not None:
            return self.property(left, denied=(op == "=") != bool(value))
        if field.type.base != "number":
            return ""
        of_track = (field.kind, field.id) == ("track", "value")
        if (of_track or is_game(left.of)) and value is None and op in {"<=", ">="}:
            return ""  # « is at the cost of that card or more » is no English
        if of_track or is_game(left.of):
            owner = self.value(left.of if of_track else left)
            amount = self.number_or_value(right) if value is None else self.number(value)
            return self.say(f"stands {op}", owner=owner, amount=amount)
        noun = self.column(left)
        if value is not None and self.is_quality(field):
            return self.quality("has quality", left, op, self.number(value))
        if nothing_of(left, op, value):
            return self.say("has none", owner=self.value(left.of), what=self.language.determined("none of", noun))
        if value is not None:
            return self.say(f"has {op}", owner=self.value(left.of), amount=self.language.counted(value, noun))
        same_owner = isinstance(right, ir.Get) and same(right.of, left.of) and right.field.type.base == "number"
        if isinstance(right, ir.Get) and same_owner and op not in BOUNDS:
            other = self.column(right)
            relation = self.say(f"than {op}", left=noun.many)
            return self.say("has less than", owner=self.value(left.of), relation=relation, other=other.many)
        return ""

    def number_or_value(self, expr: ir.Expr) -> NounPhrase:
        """Return a constant as a number, anything else as a value."""
        value = evaluate_constant(expr)
        return self.value(expr) if value is None else self.number(value)

    def property(self, expr: ir.Get, *, denied: bool) -> str:
        """Return the wording of a status or flag."""
        owner = self.value(expr.of)
        field = expr.field
        if field.sort == "token":
            noun = self.naming.field(field)
            return self.say(
                "has token", denied=denied, owner=owner, token=self.language.determined("a", noun), bare=noun.one
            )
        title = self.naming.field(field).one
        lacking = self.naming.lacking(field)
        if denied and lacking:
            return self.say(
                "is", subject=owner, predicate=fill_template(lacking, {"subject": lambda: owner}, self.language)
            )
        if field.sort in COUNTERS and self.naming.is_noun(field):
            return self.say("has status", denied=denied, owner=owner, status=title, whose=self.whose(expr))
        adjective = fill_template(title, {"subject": lambda: owner}, self.language)
        if field.sort in COUNTERS:
            return self.say("is status", denied=denied, owner=owner, status=adjective, whose=self.whose(expr))
        return self.being(owner, adjective, denied=denied)

    def quantified(self, expr: ir.Quantified, *, denied: bool) -> str:
        """Return the clause of a quantifier: any, no, every."""
        quantifier, test = expr.quantifier, expr.test
        if denied and quantifier == "every" and test is not None:
            quantifier, test = "any", ir.Not(test, ir.FLAG, test.span)
        elif denied:
            quantifier = {"any": "no", "no": "any"}.get(quantifier, quantifier)
        membership = membership_value(expr) if quantifier in {"any", "no"} else None
        if membership is not None:
            among = self.say("among", group=self.value(expr.select, many=True))
            return self.say("is", denied=quantifier == "no", subject=self.value(membership), predicate=among)
        select = as_selection(expr)
        wording = (
            self.of_the_only(select, denied=quantifier == "no") if test is None and quantifier in {"any", "no"} else ""
        )
        if wording:
            return wording
        if quantifier == "any" and test is None and isinstance(select.where, ir.Binary) and select.where.op == "or":
            ways = [
                replace(select, where=way) if reads_slot(way, select.it) else way for way in chain_parts(select.where)
            ]
            return self.chained([self.link(way) for way in ways], self.language.words["or"])
        if quantifier == "no" and test is not None:
            select, test = replace(select, where=both(select.where, with_slot(test, expr.it, select.it))), None
        turned = none_but(select) if quantifier == "no" else None
        if turned is not None:
            return self.quantified(turned, denied=False)
        relation_of_figure = neighbor_relation(select) if test is None and quantifier in {"any", "no"} else None
        if relation_of_figure is not None:
            return self.related_to_one(select, *relation_of_figure, denied=quantifier == "no")
        determiner = {"any": "a", "no": "no", "every": "each"}.get(quantifier, "a")
        token = borne(select) if test is None else None
        noun = self.naming.field(token) if token is not None else self.qualified(select)
        subject = self.language.determined(determiner, noun)
        if token is not None:
            subject = subject.saying(self.say("lying", token=subject))
        if test is None:
            subject = self.language.existing(subject)
            return self.say(self.absence if quantifier == "no" else "there is", denied=quantifier == "no", what=subject)
        self.scope.referents[expr.it] = Referent(noun=noun, intro=subject, each=True)
        wording = self.said_condition(test)
        self.scope.referents.pop(expr.it, None)
        return wording

    def chained(self, clauses: list[str], word: str) -> str:
        """Return clauses joined by `word`. A common beginning is not repeated: ``there is a guard or a door``."""
        comma = self.language.words["comma"]
        if word == self.language.words["and"]:
            clauses = self.neither(clauses)
        lacking, once, nor = self.language.absences
        if lacking and word == self.language.words["and"] and all(clause.startswith(lacking) for clause in clauses):
            return join_with_last([*clauses[:1], *(clause.removeprefix(once) for clause in clauses[1:])], comma, nor)
        for beginning, dropped in self.language.presences.items():
            if all(clause.startswith(beginning) for clause in clauses):
                return join_with_last(
                    [*clauses[:1], *(clause.removeprefix(dropped) for clause in clauses[1:])], comma, word
                )
        return join_with_last(clauses, CLAUSE + comma, CLAUSE + word)

    def neither(self, clauses: list[str]) -> list[str]:
        """Merge adjacent clauses about absent things in the same place: ``there is no key or lamp on your space``."""
        wording: list[tuple[list[str], str]] = []  # of each clause the nouns that it lacks, and what follows them
        joined: list[str] = []
        for clause in clauses:
            match = self.language.lacking.fullmatch(clause) if self.language.lacking is not None else None
            words = match[1].split(" ") if match is not None else []
            at = next((at for at, word in enumerate(words) if at and word in self.language.links), 0)
            nouns, end = [" ".join(words[:at])], " ".join(words[at:])
            if at and wording and wording[-1][1] == end:
                begin, nor = self.language.neither
                nouns = wording.pop()[0] + nouns
                joined[-1] = f"{begin}{join_with_last(nouns, nor, nor)} {end}"
            else:
                joined.append(clause)
            wording.append((nouns, end if at else ""))
        return joined

    def related_to_one(self, select: ir.Select, rest: ir.Select, relation: ir.Apply, *, denied: bool) -> str:
        """Return the presence of something near a figure, with the figure as subject: you are adjacent to a door."""
        noun = self.qualified(rest)
        intro = self.language.determined("a", noun)
        self.scope.referents[select.it] = Referent(noun=noun, intro=intro, each=True)
        wording = self.related(relation, denied=denied)
        self.scope.referents.pop(select.it, None)
        return wording

    def related(self, expr: ir.Apply, *, denied: bool) -> str:
        """Return the wording of a relation: a separate clause, or a predicate of its first argument."""
        form = expr.form
        text = self.wording(form.texts, form, expr.args)
        if text is None:
            self.naming.missing(form.id, form.span)
            return GAP
        if not text.template:
            return self.unsaid_relation(form, denied=denied)
        given = expr.args[-1] if form.op == "marked" else None
        mark = self.naming.mark_noun(given.label) if isinstance(given, ir.Const) else None
        if mark is not None and expr.args[0] is not None:
            only = isinstance(given, ir.Const) and self.naming.alone(given.label)
            what, spot = self.language.determined("the" if only else "a", mark), expr.args[0]
            if isinstance(spot, ir.Get) and spot.field.id == "place":  # my space is a Gate: I am on one
                what, spot = NounPhrase(self.say("standing on", space=what)), spot.of
            return self.say("is", denied=denied, subject=self.value(spot), predicate=what.text)
        template = lower_first_letter(text.template.split(" / ")[0])
        if not form.params or form.params[0].name in slot_names(template) or expr.args[0] is None:
            return fill_template(template, self.slots(form, expr.args), self.language, denied=denied)
        subject = self.value(expr.args[0])
        predicate = self.predicate(expr, template, subject)
        return self.being(subject, predicate, denied=denied)

    def being(self, subject: NounPhrase, predicate: str, *, denied: bool) -> str:
        """Return the clause of a subject and a predicate: ``is wounded``; ``able to fly`` becomes ``can fly``."""
        able = self.language.able.fullmatch(predicate)
        if able is None:
            return self.say("is", denied=denied, subject=subject, predicate=predicate)
        return self.say("can", denied=denied != bool(able["un"]), subject=subject, predicate=able["act"])

    def of_the_only(self, select: ir.Select, *, denied: bool) -> str:
        """Return the condition on the only thing with a name; empty if a selection is not of such a thing."""
        parts = conjuncts(select.where)
        chosen = next(((part, sort) for part in parts if (sort := names_sort(part, select.it)) is not None), None)
        noun = self.sort_named(select.where, select.it)
        rest = [part for part in parts if chosen is None or part is not chosen[0]]
        if chosen is None or noun is None or not noun.proper or not rest or select.order or select.source is not None:
            return ""
        outer = self.scope.referents.get(select.it)
        self.scope.referents[select.it] = Referent(always=self.value(chosen[1]))
        wording = self.condition(conjunction(rest), denied=denied)
        self.scope.referents.pop(select.it)
        if outer is not None:
            self.scope.referents[select.it] = outer
        return wording


def subject_of_condition(expr: ir.Expr) -> ir.Expr | None:
    """Return the subject of a condition's clause."""
    match expr:
        case ir.Not():
            return subject_of_condition(expr.operand)
        case ir.Binary() if expr.op in OPPOSITE:
            return (
                expr.left.of if isinstance(expr.left, ir.Get) else expr.left if isinstance(expr.left, ir.Var) else None
            )
        case ir.Apply():
            return expr.args[0] if expr.form.sort == "relation" and expr.args else None
        case ir.IsA():
            return expr.of
        case ir.Get():
            return expr.of
    return None
