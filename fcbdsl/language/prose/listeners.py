"""Wording of listeners, modifiers and lasting effects. `Reader` words everything."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import CHANGE, Event, Param, Wording
from fcbdsl.language.model.ir import conjuncts
from fcbdsl.language.model.ir.operators import evaluate_constant, holds, reads_slot
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.prose.antecedents import Referent
from fcbdsl.language.prose.clauses import SpokenClause
from fcbdsl.language.prose.filters import conjunction, excludes_self, is_position, is_slot
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.rules_text import join_with_last
from fcbdsl.language.prose.statement_wording import Statements
from fcbdsl.language.prose.text_templates import fill_template, lower_first_letter, slot_names, unknown_slots
from fcbdsl.language.prose.titles import GAP

LETTER = re.compile(r"\b[XYZW]\b")
"""A letter for a number, which the end of its sentence explains."""
TIMINGS = {"before": "first", "instead": "instead", "after": "when"}


class Reader(Statements):
    """Words any tree in one language.

    A tree contains values in statements and statements in selections, so one class words all of them. Each of its bases
    words one subject, in a separate module. From the first to the last: `Values`, `QualifiedNouns`, `Conditions`,
    `Clauses`, `ChangeWording`, `ChoiceWording`, `BranchWording`, `Statements`, `Reader`.
    """

    awaited: Event | None = None  # the event of the current listener

    def listener(self, listener: ir.Listener) -> SpokenClause:
        """Return ``When an enemy attacks a friend: …``; empty if the whole effect needs no words."""
        if listener.event is CHANGE:
            return self.state(listener)
        event, conditions = self.occasion(listener)
        self.awaited = listener.event
        condition = self.condition(conjunction(conditions)) if conditions else ""
        if condition:  # a relation with an empty text needs no words
            key = "supposed if" if listener.timing == "instead" else "event if"
            event = NounPhrase(self.say(key, event=event, condition=condition))
        if listener.limit is not None:
            event = NounPhrase(self.limited(event, listener.limit))
        own = self.scope.self_phrase
        if not conditions and self.is_about_self(listener):
            self.scope.self_phrase = self.language.again(own)
        pieces = self.governed(listener.body.statements)
        self.scope.self_phrase = own
        if not pieces and listener.timing == "instead":  # the event is prevented all the same
            pieces = self.nothing_happens()
        if not pieces:
            return SpokenClause("")
        if listener.timing == "instead":
            return self.replaced(listener, event, pieces)
        if listener.may:
            pieces = [self.at_will(pieces, None)]
        moment = self.language.is_moment(event.text) and listener.timing == "after"
        return self.led("at" if moment else TIMINGS[listener.timing], pieces, event=event)

    def is_about_self(self, listener: ir.Listener) -> bool:
        """Return whether a listener's event names its figure alone, and its effect chooses nothing else.

        Then a pronoun can only be about that figure.
        """
        named = [bind.slot for bind in listener.binds if bind.slot not in self.tacit]
        phrases = [self.scope.referents[slot].always for slot in named]
        own = self.scope.self_phrase
        alone = bool(phrases) and all(phrase is not None and phrase.text == own.text for phrase in phrases)
        return alone and own.person == 3 and not any(isinstance(node, ir.Choose) for node in ir.walk(listener.body))

    def occasion(self, listener: ir.Listener) -> tuple[NounPhrase, list[ir.Expr]]:
        """Return the phrase for a listener's event, with the conditions that it expresses, and the remaining
        conditions."""
        slots = [bind.slot for bind in listener.binds]
        spaces = [
            b.slot for b, param in zip(listener.binds, listener.event.params, strict=True) if param.type == ir.SPACE
        ]
        with_names: dict[int, list[ir.Expr]] = {slot: [] for slot in slots}
        rest: list[ir.Expr] = []
        for part in conjuncts(listener.condition):
            slot = next(
                (
                    slot
                    for slot in slots
                    if excludes_self(part, slot)
                    or (slot in spaces and says_of(part, slot))
                    or self.stands_with(part, slot, listener)
                ),
                -1,
            )
            (rest if slot < 0 else with_names[slot]).append(part)
        for bind, param in zip(listener.binds, listener.event.params, strict=True):
            referent, unsaid = self.bound(bind, param, listener, with_names[bind.slot])
            self.scope.referents[bind.slot] = referent
            rest += unsaid
        read = [self.lazy(ir.Var(bind.noun, bind.slot, ir.NOTHING, listener.span)) for bind in listener.binds]
        clause = self.event_clause(
            listener.event, read, supposed=listener.timing == "instead", unasked=unrestricted_params(listener)
        )
        self.left_out(listener)
        for bind in listener.binds:  # parameters that the event's text omits are known nevertheless
            if self.scope.pending(bind.slot):
                rest += with_names[bind.slot]  # they were left to its noun, which does not occur
            self.scope.referents[bind.slot].intro = None
        manner = [adverbial for part in rest if (adverbial := self.manner(part))]
        rest = [part for part in rest if not self.manner(part)]
        whereabouts = self.whereabouts(rest, listener)
        if whereabouts:
            manner, rest = [*manner, whereabouts], []
        return NounPhrase(" ".join([clause, *manner])), rest

    def whereabouts(self, rest: Sequence[ir.Expr], listener: ir.Listener) -> str:
        """Return the only remaining condition as a place behind the words of an event (``moves into a space within 2 of
        you``).

        It holds after the event. So it is about the only participant that the words name, and it is a position.
        """
        text = self.event_wording(listener.event, unrestricted_params(listener))
        if listener.timing != "after" or len(rest) != 1 or text is None:
            return ""
        slots = slot_names(text.template.split(" / ")[0])
        named = [bind for bind, param in zip(listener.binds, listener.event.params, strict=True) if param.name in slots]
        read = {var.slot for var in ir.walk(rest[0]) if isinstance(var, ir.Var)} - {0, 1}
        if len(named) != 1 or read != {named[0].slot} or not is_position(rest[0], named[0].slot):
            return ""
        if self.scope.referents[named[0].slot].always is not None:
            return ""
        noun = self.naming.of_type(listener.event.params[listener.binds.index(named[0])].type)
        return self.qualification(rest[0], named[0].slot, NounPhrase("", noun.gender)) or ""

    def stands_with(self, condition: ir.Expr, slot: int, listener: ir.Listener) -> bool:
        """Return whether a condition on a participant can modify its noun in the event's phrase.

        An adjective can wherever the noun occurs (`a wounded enemy`). Longer modifiers can if the noun comes last in
        the event's words (`attacks an enemy within 2 of you`), or if the listener acts before the event, which then
        has not moved it (`an enemy within 2 of you moves, first`).
        """
        bind = next(bind for bind in listener.binds if bind.slot == slot)
        read = {node.slot for node in ir.walk(condition) if isinstance(node, ir.Var)} - {0, 1}
        named = any(isinstance(part, ir.Binary) and part.op == "=" for part in conjuncts(bind.condition))
        if read != {slot} or named:
            return False
        text = self.event_wording(listener.event, unrestricted_params(listener))
        param = listener.event.params[listener.binds.index(bind)]
        template = text.template.split(" / ")[0] if text is not None else ""
        if param.name not in slot_names(template):
            return False
        before = self.scope.fork()
        qualification = self.qualification(condition, slot, NounPhrase("", self.naming.of_type(param.type).gender))
        self.scope = before
        anywhere = listener.timing != "after" or bool(self.language.adjective(qualification or ""))
        return bool(qualification) and (anywhere or template.endswith(f"{{{param.name}}}"))

    def manner(self, condition: ir.Expr) -> str:
        """Return a condition on something that the event's words do not name (the attack itself).

        It is a predicate after these words; empty if that is impossible.
        """
        denied = isinstance(condition, ir.Not)
        affirmed = condition.operand if isinstance(condition, ir.Not) else condition
        if not (isinstance(affirmed, ir.Apply) and affirmed.args and isinstance(affirmed.args[0], ir.Var)):
            return ""
        if affirmed.args[0].slot not in self.tacit:
            return ""
        text = self.wording(affirmed.form.texts, affirmed.form, affirmed.args)
        if (
            text is None
            or affirmed.form.params[0].name in slot_names(text.template)
            or (denied and "<" not in text.template)
        ):
            return ""
        return fill_template(
            lower_first_letter(text.template), self.slots(affirmed.form, affirmed.args), self.language, denied=denied
        )

    def replaced(self, listener: ir.Listener, event: NounPhrase, pieces: list[SpokenClause]) -> SpokenClause:
        """Return the replacement of an event; if it is one short clause, it comes last."""
        key = "may instead" if listener.may else "instead"
        short = len(pieces) == 1 and not pieces[0].items and not LETTER.search(pieces[0].text)
        return self.led(f"{key} one" if short else key, pieces, event=event)

    def together_on(self, listeners: Sequence[ir.Listener]) -> SpokenClause:
        """Return several listeners to one event, which is named once, with the condition and effect of each, in
        order."""
        items: list[tuple[SpokenClause, ...]] = []
        event = NounPhrase("")
        for listener in listeners:
            event, conditions = self.occasion(listener)
            self.awaited = listener.event
            clause = self.condition(conjunction(conditions)) if conditions else ""
            if clause:
                condition = NounPhrase(clause)
                items.append((self.led("if", self.governed(listener.body.statements), condition=condition),))
            else:
                items.append(tuple(self.body(listener.body.statements)))
        moment = self.language.is_moment(event.text) and listeners[0].timing == "after"
        lead = self.say("at block" if moment else f"{TIMINGS[listeners[0].timing]} block", event=event)
        return SpokenClause(lead, tuple(item for item in items if item))

    def state(self, listener: ir.Listener) -> SpokenClause:
        """Return ``Whenever a hero has 3 VP: …``."""
        assert listener.condition is not None
        condition = NounPhrase(self.said_condition(listener.condition))
        pieces = self.governed(listener.body.statements)
        key = "as soon as" if listener.once else "whenever"
        return self.led(key, pieces, condition=condition) if pieces else SpokenClause("")

    def left_out(self, listener: ir.Listener) -> None:
        """Note the parameters that the event's words do not name, and report conditions of the listener on them."""
        text = self.event_wording(listener.event, unrestricted_params(listener))
        slots = slot_names(text.template.split(" / ")[0]) if text is not None else set()
        for bind, param in zip(listener.binds, listener.event.params, strict=True):
            if text is None or param.name in slots:
                continue
            self.tacit.append(bind.slot)
            parts = conjuncts(bind.condition)
            wanted = [part for part in parts if not (isinstance(part, ir.IsA) and part.kind == param.type.name)]
            if wanted:
                self.naming.unsaid(param, wanted[0].span, listener.event.id)

    def bound(
        self, bind: ir.Slot, param: Param, listener: ir.Listener, more: Sequence[ir.Expr] = ()
    ) -> tuple[Referent, list[ir.Expr]]:
        """Return the referent of an event's parameter, and the conditions that it does not express.

        `more` are the conditions from the listener's `if` that its noun should express.
        """
        kind, event = param.type, listener.event
        parts = [*self.besides(bind.noun, conjuncts(bind.condition), listener.span), *more]
        for part in parts:
            if isinstance(part, ir.Binary) and part.op == "=" and is_slot(part.left, bind.slot):
                rest = [expr for expr in parts if expr is not part and not is_kind(expr, bind.slot)]
                return Referent(always=self.value(part.right)), rest
        noun, expressed = self.headword(bind.noun, parts, bind.slot)
        declared = self.naming.declared_noun(bind.noun) is not None
        kinds = [part.kind for part in parts if isinstance(part, ir.IsA) and is_kind(part, bind.slot)]
        if noun is None:
            noun = self.naming.kind_called(kinds[-1]) if kinds else self.naming.of_type(kind)
        if not declared:  # the noun expresses the kind, or is the title of a thing of that kind
            parts = [part for part in parts if not is_kind(part, bind.slot)]
        parts = [part for part in parts if not any(part is expr for expr in expressed)]
        intro = self.language.determined("a", self.qualified_by(noun, parts, bind.slot))
        if kind == ir.NUMBER and not parts and self.counts_what_follows(param.name, event):
            intro = NounPhrase(self.language.words["open count"], plural=True)  # « take wounds »
        return Referent(noun=noun, intro=intro), []

    def counts_what_follows(self, param: str, event: Event) -> bool:
        """Return whether the words of an event name a number before what it counts (``{amount} wound[s]``)."""
        text = self.event_wording(event)
        template = text.template.split(" / ")[0] if text is not None else ""
        return re.search(r"\{" + re.escape(param) + r"\} [^\W\d_]", template) is not None

    def besides(self, noun: str, parts: list[ir.Expr], span: Span) -> list[ir.Expr]:
        """Return the filters that a phrase adds to its noun; a titled noun already expresses its declaration."""
        if self.naming.declared_noun(noun) is None:
            return parts
        return [part for part in parts if span.holds(part.span)]

    def lazy(self, slot: ir.Var) -> Callable[[], NounPhrase]:
        """Return a function that words a slot when the text reaches it."""
        return lambda: self.variable(slot)

    def event_clause(
        self,
        event: Event,
        parameters: Sequence[NounPhrase | Callable[[], NounPhrase]],
        *,
        supposed: bool = False,
        until: bool = False,
        unasked: Sequence[str] = (),
    ) -> str:
        """Return an event as a clause (`when …`); a gap if it has no words.

        `supposed`: if nothing prevents it; `until`: something lasts until then; `unasked`: see `event_wording`.
        """
        text = self.event_wording(event, unasked)
        if text is None:
            return GAP
        readers: dict[str, Callable[[], NounPhrase]] = {}
        for param, given in zip(event.params, parameters, strict=True):
            readers[param.name] = (lambda given=given: given) if isinstance(given, NounPhrase) else given  # type: ignore[misc]
        template = lower_first_letter(text.template.split(" / ")[0])
        if until and not self.language.is_moment(template):
            template = self.language.awaited(template)
        return fill_template(self.language.supposed(template) if supposed else template, readers, self.language)

    def event_wording(self, event: Event, unasked: Sequence[str] = ()) -> Wording | None:
        """Return the text of an event; in the language of the source its pattern serves as one.

        `unasked`: parameters without a condition that no code reads. A text without these is preferred if it has all
        other slots.
        """
        texts = [text for text in event.wordings(self.language.code) if holds(text.condition, {}, self.settings)]
        for text in texts:
            self.naming.problems.extend(unknown_slots(text, event))
        if texts:
            wanted = slot_names(texts[0].template) - set(unasked)
            return next((text for text in texts if slot_names(text.template) == wanted), texts[0])
        if self.language.code == REFERENCE and event.pattern:
            return Wording(REFERENCE, None, pattern_text(event), event.span)
        self.naming.missing(event.id, event.span)
        return None

    def announced(self, statement: ir.Announce) -> str:
        none = NounPhrase(self.language.words["none"])
        phrases = [none if arg is None else self.value(arg, many=arg.type.many) for arg in statement.args]
        self.unsaid_of(statement.event, statement.args)
        return self.event_clause(statement.event, phrases)

    def unsaid_of(self, event: Event, given: Sequence[ir.Expr | None]) -> None:
        """Report what an event is given that its words leave out."""
        text = self.event_wording(event)
        slots = slot_names(text.template.split(" / ")[0]) if text is not None else set()
        for param, arg in zip(event.params, given, strict=True):
            if arg is not None and text is not None and text.template and param.name not in slots:
                self.naming.unsaid(param, arg.span, event.id)

    def cancelled(self) -> str:
        """Return the wording of a cancelled event, such as ``cancel that move``: the part of the event's text after
        ``/``."""
        text = self.event_wording(self.awaited) if self.awaited is not None else None
        forms = text.template.split(" / ") if text is not None else []
        return self.say("cancel", what=forms[1] if len(forms) > 1 else self.language.words["cancelled"])

    def limited(self, event: NounPhrase, refresh: Event) -> str:
        """Return an event with the limit of a listener."""
        return self.say("limit", event=event, often=self.how_often(refresh))

    def how_often(self, refresh: Event) -> str:
        """Return the second form of the refreshing event's text (``once per turn``), if it has one, else until when."""
        text = self.event_wording(refresh)
        forms = text.template.split(" / ") if text is not None else []
        if len(forms) > 1:
            return forms[1]
        own: list[NounPhrase] = [self.scope.self_phrase for _ in refresh.params]
        return self.say("once until", moment=self.until_moment(self.event_clause(refresh, own, until=True)))

    def until_moment(self, clause: str) -> str:
        """Return ``until the end of the turn``."""
        if self.language.is_moment(clause):
            return self.language.until(clause)
        return self.say("until event", event=clause)

    def until(self, statement: ir.Until) -> SpokenClause:
        event = statement.until
        given = (statement.subject, *(None for _ in event.params[1:]))[: len(event.params)]
        anybody = [self.language.determined("a", self.naming.of_type(param.type)) for param in event.params]
        phrases = [any_ if arg is None else self.value(arg) for arg, any_ in zip(given, anybody, strict=True)]
        self.unsaid_of(event, given)
        moment = self.until_moment(self.event_clause(event, phrases, until=True))
        own = self.scope.self_phrase
        if is_slot(statement.subject, 0) and own.person == 3:
            self.scope.self_phrase = self.language.pronoun(own)  # it has just been named
        pieces = [SpokenClause(self.explained(self.modifiers(statement.modifiers)))] if statement.modifiers else []
        self.scope.self_phrase = own
        for listener in statement.listeners:
            outer = self.scope.fork()
            pieces += [piece] if (piece := self.listener(listener)).text else []
            outer.unknowns, self.scope = self.scope.unknowns, outer
        return self.led("until", pieces, moment=NounPhrase(moment))

    def modifiers(self, modifiers: Sequence[ir.Modifier], *, alone: bool = False) -> str:
        """Return several changes as text, with one clause for each subject.

        `alone`: no condition or moment precedes them, so the amounts suffice for changes of the reader (« +1 Attack »).
        """
        words = self.language.words
        clauses: list[tuple[NounPhrase, list[str]]] = []
        whole: list[str] = []
        for modifier in modifiers:
            amount = self.gained(modifier)
            if amount is None or modifier.condition is not None:
                whole.append(self.modifier(modifier))
                continue
            subject = self.changed(modifier)
            if clauses and clauses[-1][0].text == subject.text:
                clauses[-1][1].append(amount)
            else:
                clauses.append((subject, [amount]))
        if alone and len(clauses) == 1 and not whole and clauses[0][0].person == 2:
            subject, amounts = clauses[0]
            if all(amount.startswith(("+", "−")) for amount in amounts):
                return join_with_last(amounts, words["comma"], words["comma"])
        changes = [
            self.say("change", subject=s, amount=join_with_last(a, words["comma"], words["and"])) for s, a in clauses
        ]
        return join_with_last([*changes, *whole], words["comma"], words["and"])

    def modifier(self, modifier: ir.Modifier) -> str:
        """Return ``Each enemy has +1 MP``, with its condition."""
        clause = self.change(modifier)
        condition = self.condition(modifier.condition) if modifier.condition is not None else ""
        return self.say("while", condition=condition, then=clause) if condition else clause

    def gained(self, modifier: ir.Modifier) -> str | None:
        """Return ``+1 MP`` or ``3 MP``; None if the change is of another sort."""
        field, value = modifier.field, evaluate_constant(modifier.amount)
        if field.type.base != "number" or modifier.mode not in {"add", "set"}:
            return None
        noun = self.naming.field(field)
        sign = "" if modifier.mode == "set" else "+" if value is None or value >= 0 else "−"
        if value is None:
            return f"{sign}{self.unknown(self.value(modifier.amount)).text} {noun.many}"
        return sign + self.language.counted(abs(value), noun).text

    def change(self, modifier: ir.Modifier) -> str:
        """Return the change that a modifier makes."""
        before = self.scope.fork()
        subject = self.changed(modifier)
        amount = self.gained(modifier)
        if amount is not None:
            return self.say("change", subject=subject, amount=amount)
        field, value = modifier.field, evaluate_constant(modifier.amount)
        noun = self.naming.field(field)
        if field.type.base == "flag" and value is not None:
            predicate = fill_template(noun.one, {"subject": lambda: subject}, self.language)
            able = self.language.able.fullmatch(predicate)
            denied = (not value) != (able is not None and bool(able["un"]))
            outer, self.scope = self.scope, before
            nothing = self.changed(modifier, "no")
            if denied and nothing.text != subject.text:  # « no bird can be moved », not « each bird cannot »
                words = "none can" if able else "none is"
                return self.say(words, subject=nothing, predicate=able["act"] if able else predicate)
            self.scope = outer
            return self.being(subject, predicate, denied=not value)
        if modifier.mode in {"double", "least", "most"}:
            return self.say(modifier.mode, what=self.language.owned(subject, noun), amount=self.amount(modifier.amount))
        return self.say("change value", subject=subject, stat=noun.one, amount=self.value(modifier.amount))

    def changed(self, modifier: ir.Modifier, determiner: str = "each") -> NounPhrase:
        """Return the things that a modifier changes."""
        parts = self.besides(modifier.noun, conjuncts(modifier.where), modifier.span)
        noun, expressed = self.headword(modifier.noun, parts, modifier.it)
        noun = noun or self.naming.kind(modifier.kind)
        parts = [part for part in parts if not any(part is expr for expr in expressed)]
        only = parts[0] if len(parts) == 1 else None
        if isinstance(only, ir.Binary) and only.op == "=" and is_slot(only.left, modifier.it):
            return self.value(only.right)
        self.scope.referents[modifier.it] = Referent(noun=noun, each=True)
        return self.language.determined(determiner, self.qualified_by(noun, parts, modifier.it))


def is_kind(condition: ir.Expr, slot: int) -> bool:
    """Return whether a condition tests only the kind of a slot's value."""
    return isinstance(condition, ir.IsA) and is_slot(condition.of, slot)


def says_of(condition: ir.Expr, slot: int) -> bool:
    """Return whether a condition depends on one slot alone."""
    read = {node.slot for node in ir.walk(condition) if isinstance(node, ir.Var)}
    return read == {slot} and isinstance(condition, ir.Apply | ir.Binary)


IRREGULAR = {"is": "are", "has": "have", "does": "do", "goes": "go"}
"""English verbs with an irregular plural."""


def plural_verb(word: str) -> str:
    """Return the plural of a verb: ``attacks`` → ``attack``, ``reaches`` → ``reach``."""
    return word[:-2] if word.endswith(("sses", "shes", "ches")) else word[:-1]


def pattern_text(event: Event) -> str:
    """Return an event's pattern as a template, whose first word (the verb) agrees with its subject."""
    names = {param.name for param in event.params}
    words: list[str] = []
    verb = ""
    for word in event.pattern:
        if word in names:
            words.append("{" + word + "}")
        elif not verb and words and word.endswith("s"):
            verb = word
            words.append(f"[{word}|{IRREGULAR.get(word) or plural_verb(word)}]")
        else:
            words.append(word)
    return " ".join(words)


def anything(bind: ir.Slot, param: Param) -> bool:
    """Return whether a listener has no real condition on a parameter of its event."""
    asked = bind.condition
    return asked is None or (isinstance(asked, ir.IsA) and asked.kind == param.type.name)


def unrestricted_params(listener: ir.Listener) -> list[str]:
    """Return the parameters of its event that a listener neither restricts nor reads."""
    pairs = list(zip(listener.binds, listener.event.params, strict=True))
    asked = [bind.condition for bind, param in pairs if not anything(bind, param)]
    read = [tree for tree in (listener.condition, listener.body, *asked) if tree is not None]
    free = [(bind, param) for bind, param in pairs if anything(bind, param)]
    return [param.name for bind, param in free if not any(reads_slot(tree, bind.slot) for tree in read)]
