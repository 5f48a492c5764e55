"""Reading conditions as clauses, and filters as what stands behind a noun."""

from __future__ import annotations

from fcbdsl.model import ir
from fcbdsl.prose.naming import GAP, bare
from fcbdsl.prose.phrase import Noun, Phrase, fill, slot_names
from fcbdsl.prose.scope import Referent
from fcbdsl.prose.statics import conjuncts, constant
from fcbdsl.prose.text import joined
from fcbdsl.prose.values import Values, lowered

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
COUNTERS = {"status", "token"}


class Conditions(Values):
    """Adds clauses and qualifications to the reading of values."""

    # ── clauses ──────────────────────────────────────────────────────────────

    def condition(self, expr: ir.Expr, *, denied: bool = False) -> str:
        match expr:
            case ir.Not():
                return self.condition(expr.operand, denied=not denied)
            case ir.Binary() if expr.op in {"and", "or"}:
                word = expr.op if not denied else {"and": "or", "or": "and"}[expr.op]
                sides = [self.condition(side, denied=denied) for side in (expr.left, expr.right)]
                return self.language.words[word].join(sides)
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
                return self.say("there is", what=what)
            case _:
                return self.value(expr).text

    def related(self, expr: ir.Apply, *, denied: bool) -> str:
        """A relation: a clause of its own, or a predicate of its first argument."""
        form = expr.form
        text = self.wording(form.texts, form, expr.args)
        if text is None:
            self.naming.missing(form.id, form.span)
            return GAP
        template = lowered(text.template)
        if not form.params or form.params[0].name in slot_names(template) or expr.args[0] is None:
            return fill(template, self.slots(form, expr.args), self.language, denied=denied)
        subject = self.value(expr.args[0])
        predicate = self.predicate(expr, template, subject)
        return self.say("is", denied=denied, subject=subject, predicate=predicate)

    def predicate(self, expr: ir.Apply, template: str, subject: Phrase) -> str:
        """The predicate of a relation, agreeing with its subject."""
        slots = self.slots(expr.form, expr.args, subject)
        return fill(template, slots, self.language)

    def comparison(self, expr: ir.Binary, *, denied: bool) -> str:
        """Two values compared; ``HP < 3`` is said ``has fewer than 3 HP``."""
        op = OPPOSITE[expr.op] if denied else expr.op
        left, right = expr.left, expr.right
        if constant(left) is not None and constant(right) is None:
            left, right, op = right, left, MIRRORED[op]
        if isinstance(left, ir.Get):
            said = self.compared_stat(left, op, right)
            if said:
                return said
        if isinstance(left, ir.Quantified) and left.quantifier == "number" and isinstance(left.select, ir.Select):
            what = self.language.determined("count", self.qualified(left.select))
            op, value = at_least(op, constant(right))
            if (op, value) in {("=", 0), (">=", 1)}:
                noun = self.qualified(left.select)
                return self.say("there is", what=self.language.determined("no" if op == "=" else "a", noun))
            number = self.amount(right) if value is None else self.number(value)
            return self.say(f"there are {op}", n=number, what=what)
        if left.type.base == "number":
            return self.say(op, left=self.value(left), right=self.number_or_value(right))
        return self.say("equal", denied=op == "!=", left=self.value(left), right=self.value(right))

    def number_or_value(self, expr: ir.Expr) -> Phrase:
        value = constant(expr)
        return self.value(expr) if value is None else self.number(value)

    def compared_stat(self, left: ir.Get, op: str, right: ir.Expr) -> str:
        """A stat, status or property of somebody against something; empty if it has no special wording."""
        field, value = left.field, constant(right)
        op, value = at_least(op, value)
        if field.sort in COUNTERS and value == 0 and op in {"=", "!="}:
            return self.property(left, denied=op == "=")
        if field.sort in COUNTERS and value == 1 and op in {">=", "<"}:
            return self.property(left, denied=op == "<")
        if field.type.base == "flag" and value is not None:
            return self.property(left, denied=(op == "=") != bool(value))
        if field.type.base != "number":
            return ""
        noun = self.naming.field(field)
        if value is not None:
            return self.say(f"has {op}", owner=self.value(left.of), amount=self.language.counted(value, noun))
        if isinstance(right, ir.Get) and right.of == left.of and right.field.type.base == "number":
            other = self.naming.field(right.field)
            relation = self.say(f"than {op}", left=noun.many)
            return self.say("has less than", owner=self.value(left.of), relation=relation, other=other.many)
        return ""

    def property(self, expr: ir.Get, *, denied: bool) -> str:
        """A status or flag of somebody."""
        owner = self.value(expr.of)
        field = expr.field
        if field.sort in COUNTERS and self.naming.is_noun(field):
            return self.say("has status", denied=denied, owner=owner, status=self.naming.field(field).one)
        title = self.naming.field(field).one
        adjective = fill(title, {"subject": lambda: owner}, self.language)
        key = "is status" if field.sort in COUNTERS else "is"
        return self.say(key, denied=denied, owner=owner, status=adjective, subject=owner, predicate=adjective)

    def quantified(self, expr: ir.Quantified, *, denied: bool) -> str:
        """any, no, every."""
        if not isinstance(expr.select, ir.Select):
            what = self.value(expr.select, many=True)
            return self.say("there is", what=what)
        quantifier = expr.quantifier
        if denied:
            quantifier = {"any": "no", "no": "any"}.get(quantifier, quantifier)
        noun = self.qualified(expr.select)
        determiner = {"any": "a", "no": "no", "every": "each"}.get(quantifier, "a")
        subject = self.language.determined(determiner, noun)
        if expr.test is None:
            return self.say("there is", what=subject)
        self.scope.referents[expr.it] = Referent(noun=noun, intro=subject)
        return self.condition(expr.test)

    # ── qualifications ───────────────────────────────────────────────────────

    def qualified(self, select: ir.Select) -> Noun:
        """The noun with filters and criteria behind it; its number and gender stay its own."""
        noun = self.naming.kind_called(select.noun) if select.noun else self.naming.of_type(select.type)
        noun = self.other(noun, conjuncts(select.where), select.it)
        before = self.scope.fork()
        one = self.tail(select, noun, plural=False)
        after, self.scope = self.scope, before  # the same words again, for the plural
        many = self.tail(select, noun, plural=True)
        self.scope = after
        return Noun(f"{noun.one} {one}".strip(), f"{noun.many} {many}".strip(), noun.gender)

    def other(self, noun: Noun, filters: list[ir.Expr], it: int) -> Noun:
        """``another character``, where oneself is excepted."""
        if not any(excludes_self(part, it) for part in filters):
            return noun
        words = self.language.words
        return Noun(words["other"].format(noun=noun.one), words["others"].format(noun=noun.many), noun.gender)

    def tail(self, select: ir.Select, noun: Noun, *, plural: bool) -> str:
        """All that qualifies a selection's noun."""
        head = Phrase(noun.many if plural else noun.one, noun.gender, plural)
        filters = [part for part in conjuncts(select.where) if not excludes_self(part, select.it)]
        parts = [self.qualification(part, select.it, noun, head) for part in filters]
        criteria = [self.criterion(criterion, select.it, noun, head) for criterion in select.order]
        parts.append(joined(criteria, self.language.words["comma"], self.language.words["then"]))
        if select.source is not None:
            parts.append(self.say("among", group=self.value(select.source, many=True)))
        return " ".join(part for part in parts if part)

    def qualification(self, expr: ir.Expr, it: int, noun: Noun, head: Phrase, denied: bool = False) -> str:
        """One filter behind a noun."""
        match expr:
            case ir.Not():
                return self.qualification(expr.operand, it, noun, head, not denied)
            case ir.Apply() if expr.args and is_slot(expr.args[0], it):
                return self.relative(expr, head, denied)
            case ir.IsA() if is_slot(expr.of, it):
                sort = self.language.determined("a", self.naming.kind_called(expr.kind))
                return self.say("that is", denied=denied, predicate=sort.text)
            case ir.Get() if is_slot(expr.of, it):
                return self.bearing(expr, head, denied)
            case ir.Binary() if expr.op in OPPOSITE:
                said = self.measured_against(expr, it, head, OPPOSITE[expr.op] if denied else expr.op)
                if said:
                    return said
        self.scope.referents[it] = Referent(noun=noun)
        return fill(
            self.language.words["such that"],
            {"subject": lambda: head, "condition": lambda: Phrase(self.condition(expr, denied=denied))},
            self.language,
        )

    def relative(self, expr: ir.Apply, head: Phrase, denied: bool) -> str:
        """A relation of the candidate: its predicate, or a relative clause."""
        text = self.wording(expr.form.texts, expr.form, expr.args)
        if text is None:
            self.naming.missing(expr.form.id, expr.form.span)
            return GAP
        template = lowered(text.template)
        first = expr.form.params[0].name
        if first not in slot_names(template):
            predicate = self.predicate(expr, template, head)
            return self.say("not", predicate=predicate) if denied else predicate
        which = head.saying(self.language.words["which"])
        if template.startswith("{" + first + "}"):
            return fill(template, self.slots(expr.form, expr.args, which), self.language, denied=denied)
        clause = fill(template, self.slots(expr.form, expr.args, head), self.language, denied=denied)
        return fill(
            self.language.words["such that"],
            {"subject": lambda: head, "condition": lambda: Phrase(clause)},
            self.language,
        )

    def bearing(self, expr: ir.Get, head: Phrase, denied: bool) -> str:
        """With or without a status, or being so."""
        title = self.naming.field(expr.field).one
        if expr.field.sort in COUNTERS and self.naming.is_noun(expr.field):
            return self.say("with status", denied=denied, status=title)
        adjective = fill(title, {"subject": lambda: head}, self.language)
        if expr.field.sort in COUNTERS:
            return self.say("being status", denied=denied, status=adjective)
        return self.say("that is", denied=denied, predicate=adjective)

    def measured_against(self, expr: ir.Binary, it: int, head: Phrase, op: str) -> str:
        """A comparison of the candidate's own stats, or of the candidate itself."""
        left, right = expr.left, expr.right
        if is_slot(right, it):
            left, right, op = right, left, MIRRORED[op]
        if is_slot(left, it) and op in {"=", "!="}:
            key = "which is" if op == "=" else "other than"
            return self.say(key, other=self.value(right))
        if not (isinstance(left, ir.Get) and is_slot(left.of, it)):
            return ""
        op, value = at_least(op, constant(right))
        if left.field.sort in COUNTERS and value == 0 and op in {"=", "!="}:
            return self.bearing(left, head, op == "=")
        if left.field.sort in COUNTERS and value == 1 and op in {">=", "<"}:
            return self.bearing(left, head, op == "<")
        if left.field.type.base == "flag" and value is not None:
            return self.bearing(left, head, (op == "=") != bool(value))
        if left.field.type.base != "number":
            return ""
        noun = self.naming.field(left.field)
        if value is not None:
            return self.say(f"with {op}", amount=self.language.counted(value, noun))
        if isinstance(right, ir.Get) and is_slot(right.of, it):
            relation = self.say(f"than {op}", left=noun.many)
            return self.say("with less than", relation=relation, other=self.naming.field(right.field).many)
        return ""

    def criterion(self, criterion: ir.Criterion, it: int, noun: Noun, head: Phrase) -> str:
        """``with the lowest HP``; a measure's text may bring superlatives: ``the range to {b} / closest to {b}``."""
        key = criterion.key
        word = "most of" if criterion.most else "fewest"
        if isinstance(key, ir.Get) and is_slot(key.of, it):
            return self.say(word, key=bare(self.naming.field(key.field).many))
        self.scope.referents[it] = Referent(noun=noun)
        if isinstance(key, ir.Apply):
            text = self.wording(key.form.texts, key.form, key.args)
            forms = text.template.split(" / ") if text is not None else []
            at = 2 if criterion.most else 1
            if len(forms) > at:
                slots = {"subject": lambda: head, **self.slots(key.form, key.args)}
                return fill(forms[at], slots, self.language)
        return self.say(word, key=self.value(key))


def excludes_self(expr: ir.Expr, it: int) -> bool:
    """Whether a filter says no more than `except self`."""
    if isinstance(expr, ir.Not) and isinstance(expr.operand, ir.Binary):
        inner = expr.operand
        return inner.op == "=" and is_slot(inner.left, it) and is_slot(inner.right, 0)
    return isinstance(expr, ir.Binary) and expr.op == "!=" and is_slot(expr.left, it) and is_slot(expr.right, 0)


def at_least(op: str, value: int | None) -> tuple[str, int | None]:
    """Say ``more than 0`` as ``1 or more``."""
    return (">=", value + 1) if op == ">" and value is not None else (op, value)


def is_slot(expr: ir.Expr | None, slot: int) -> bool:
    """Whether an expression is that very local."""
    return isinstance(expr, ir.Var) and expr.slot == slot
