"""Reading what waits: listeners, modifiers and lasting effects. `Reader` reads everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fcbdsl.model import ir
from fcbdsl.model.declarations import CHANGE, Event, Wording
from fcbdsl.model.ir import conjuncts
from fcbdsl.prose.conditions import is_slot
from fcbdsl.prose.naming import GAP
from fcbdsl.prose.phrase import NounPhrase, fill, slot_names
from fcbdsl.prose.scope import Referent
from fcbdsl.prose.statements import SpokenClause, Statements
from fcbdsl.prose.statics import constant, holds
from fcbdsl.prose.text import joined
from fcbdsl.prose.values import lowered
from fcbdsl.source import Span

TIMINGS = {"before": "first", "instead": "instead", "after": "when"}


class Reader(Statements):
    """Reads any tree in one language."""

    def listener(self, listener: ir.Listener) -> SpokenClause:
        """``When an enemy attacks a friend: …``; empty if all that it does goes without saying."""
        if listener.event is CHANGE:
            return self.state(listener)
        for bind, param in zip(listener.binds, listener.event.params, strict=True):
            self.scope.referents[bind.slot] = self.bound(bind, param.type, listener.span)
        slots = [ir.Var(bind.noun, bind.slot, ir.NOTHING, listener.span) for bind in listener.binds]
        event = NounPhrase(self.event_clause(listener.event, [self.lazy(slot) for slot in slots]))
        self.left_out(listener)
        for bind in listener.binds:  # what the event's text left out is known nevertheless
            self.scope.referents[bind.slot].intro = None
        if listener.condition is not None:
            event = NounPhrase(self.say("event if", event=event, condition=self.condition(listener.condition)))
        if listener.limit is not None:
            event = NounPhrase(self.limited(event, listener.limit))
        moment = self.language.is_moment(event.text) and listener.timing == "after"
        key = "at" if moment else TIMINGS[listener.timing]
        pieces = self.body(listener.body.statements)
        if listener.may and listener.timing == "instead":
            key = "may instead"
        elif pieces and listener.may:
            pieces = [self.at_will(pieces, None)]
        return self.led(key, pieces, event=event) if pieces else SpokenClause("")

    def state(self, listener: ir.Listener) -> SpokenClause:
        """``Whenever a hero has 3 VP: …``."""
        assert listener.condition is not None
        condition = NounPhrase(self.condition(listener.condition))
        pieces = self.body(listener.body.statements)
        key = "as soon as" if listener.once else "whenever"
        return self.led(key, pieces, condition=condition) if pieces else SpokenClause("")

    def left_out(self, listener: ir.Listener) -> None:
        """Note what the event's words do not name, and report what the listener wants of it all the same."""
        text = self.event_wording(listener.event)
        said = slot_names(text.template.split(" / ")[0]) if text is not None else set()
        for bind, param in zip(listener.binds, listener.event.params, strict=True):
            if text is None or param.name in said:
                continue
            self.tacit.append(bind.slot)
            parts = conjuncts(bind.condition)
            wanted = [part for part in parts if not (isinstance(part, ir.IsA) and part.kind == param.type.name)]
            if wanted:
                self.naming.unsaid(param, wanted[0].span, listener.event.id)

    def bound(self, bind: ir.Slot, kind: ir.Type, said: Span) -> Referent:
        """What a listener, which stands at `said`, says of one parameter of its event."""
        parts = self.besides(bind.noun, conjuncts(bind.condition), said)
        kinds = [part.kind for part in parts if isinstance(part, ir.IsA) and is_slot(part.of, bind.slot)]
        noun = self.naming.declared_noun(bind.noun)
        if noun is None:
            noun = self.naming.kind_called(kinds[-1]) if kinds else self.naming.of_type(kind)
        parts = [part for part in parts if not (isinstance(part, ir.IsA) and is_slot(part.of, bind.slot))]
        for part in parts:
            if isinstance(part, ir.Binary) and part.op == "=" and is_slot(part.left, bind.slot):
                return Referent(noun=noun, always=self.value(part.right))
        intro = self.language.determined("a", self.qualified_by(noun, parts, bind.slot))
        return Referent(noun=noun, intro=intro)

    def besides(self, noun: str, parts: list[ir.Expr], said: Span) -> list[ir.Expr]:
        """The filters that a phrase adds to its noun: one with a title says by it all that its declaration says."""
        if self.naming.declared_noun(noun) is None:
            return parts
        return [part for part in parts if said.holds(part.span)]

    def lazy(self, slot: ir.Var) -> Callable[[], NounPhrase]:
        """Read a slot only when its turn in the text comes."""
        return lambda: self.variable(slot)

    def event_clause(self, event: Event, parameters: Sequence[NounPhrase | Callable[[], NounPhrase]]) -> str:
        """An event as a clause (`when …`); a gap if no words are declared for it."""
        text = self.event_wording(event)
        if text is None:
            return GAP
        readers: dict[str, Callable[[], NounPhrase]] = {}
        for param, given in zip(event.params, parameters, strict=True):
            readers[param.name] = (lambda given=given: given) if isinstance(given, NounPhrase) else given  # type: ignore[misc]
        return fill(lowered(text.template.split(" / ")[0]), readers, self.language)

    def event_wording(self, event: Event) -> Wording | None:
        """The text of an event; in the language of the source its own pattern serves."""
        clauses = [text for text in event.verb.texts if text.template.startswith("{")] if event.verb is not None else []
        for text in (*event.texts, *clauses):
            if text.language == self.language.code and holds(text.condition, {}, self.settings):
                self.naming.check_slots(text, event.params, event.id)
                return text
        if self.language.code == "en" and event.pattern:
            return Wording("en", None, pattern_text(event), event.span)
        self.naming.missing(event.id, event.span)
        return None

    def announced(self, statement: ir.Announce) -> str:
        none = NounPhrase(self.language.words["none"])
        told = [none if arg is None else self.value(arg, many=arg.type.many) for arg in statement.args]
        self.unsaid_of(statement.event, statement.args)
        return self.event_clause(statement.event, told)

    def unsaid_of(self, event: Event, given: Sequence[ir.Expr | None]) -> None:
        """Report what an event is given that its words leave out."""
        text = self.event_wording(event)
        said = slot_names(text.template.split(" / ")[0]) if text is not None else set()
        for param, arg in zip(event.params, given, strict=True):
            if arg is not None and text is not None and text.template and param.name not in said:
                self.naming.unsaid(param, arg.span, event.id)

    def limited(self, event: NounPhrase, refresh: Event) -> str:
        """An event with how often a listener may answer it."""
        return self.say("limit", event=event, often=self.how_often(refresh))

    def how_often(self, refresh: Event) -> str:
        """The second form of the refreshing event's text (``once per turn``), if it has one, else until when."""
        text = self.event_wording(refresh)
        forms = text.template.split(" / ") if text is not None else []
        if len(forms) > 1:
            return forms[1]
        own: list[NounPhrase] = [self.scope.self_phrase for _ in refresh.params]
        return self.say("once until", moment=self.until_moment(self.event_clause(refresh, own)))

    def until_moment(self, clause: str) -> str:
        """``until the end of the turn``."""
        if self.language.is_moment(clause):
            return self.language.until(clause)
        return self.say("until event", event=clause)

    def until(self, statement: ir.Until) -> SpokenClause:
        event = statement.until
        given = (statement.subject, *(None for _ in event.params[1:]))[: len(event.params)]
        anybody = [self.language.determined("a", self.naming.of_type(param.type)) for param in event.params]
        told = [any_ if arg is None else self.value(arg) for arg, any_ in zip(given, anybody, strict=True)]
        self.unsaid_of(event, given)
        moment = self.until_moment(self.event_clause(event, told))
        pieces = [SpokenClause(self.explained(self.modifiers(statement.modifiers)))] if statement.modifiers else []
        pieces += [piece for listener in statement.listeners if (piece := self.listener(listener)).text]
        return self.led("until", pieces, moment=NounPhrase(moment))

    def modifiers(self, modifiers: Sequence[ir.Modifier]) -> str:
        """Several changes: those of one subject in one clause."""
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
        said = [self.say("change", subject=s, amount=joined(a, words["comma"], words["and"])) for s, a in clauses]
        return joined([*said, *whole], words["comma"], words["and"])

    def modifier(self, modifier: ir.Modifier) -> str:
        """``Each enemy has +1 MP``, under its condition."""
        clause = self.change(modifier)
        if modifier.condition is None:
            return clause
        return self.say("while", condition=self.condition(modifier.condition), then=clause)

    def gained(self, modifier: ir.Modifier) -> str | None:
        """``+1 MP`` or ``3 MP``; None if the change is of another sort."""
        field, value = modifier.field, constant(modifier.amount)
        if field.type.base != "number" or modifier.mode not in {"add", "set"}:
            return None
        noun = self.naming.field(field)
        sign = "" if modifier.mode == "set" else "+" if value is None or value >= 0 else "−"
        if value is None:
            return f"{sign}{self.unknown(self.value(modifier.amount)).text} {noun.many}"
        return sign + self.language.counted(abs(value), noun).text

    def change(self, modifier: ir.Modifier) -> str:
        """What a modifier does to whom."""
        subject = self.changed(modifier)
        amount = self.gained(modifier)
        if amount is not None:
            return self.say("change", subject=subject, amount=amount)
        field, value = modifier.field, constant(modifier.amount)
        noun = self.naming.field(field)
        if field.type.base == "flag" and value is not None:
            predicate = fill(noun.one, {"subject": lambda: subject}, self.language)
            return self.say("is", denied=not value, subject=subject, predicate=predicate)
        if modifier.mode in {"double", "least", "most"}:
            return self.say(modifier.mode, what=self.language.owned(subject, noun), amount=self.amount(modifier.amount))
        return self.say("change value", subject=subject, stat=noun.one, amount=self.value(modifier.amount))

    def changed(self, modifier: ir.Modifier) -> NounPhrase:
        """Whom a modifier changes."""
        parts = self.besides(modifier.noun, conjuncts(modifier.where), modifier.span)
        for part in parts:
            if isinstance(part, ir.Binary) and part.op == "=" and is_slot(part.left, modifier.it):
                return self.value(part.right)
        noun = self.naming.declared_noun(modifier.noun) or self.sort_named(modifier.where, modifier.it)
        noun = noun or self.naming.kind(modifier.kind)
        self.scope.referents[modifier.it] = Referent(noun=noun)
        return self.language.determined("each", self.qualified_by(noun, parts, modifier.it))


IRREGULAR = {"is": "are", "has": "have", "does": "do", "goes": "go"}
"""English verbs whose plural is not the singular without its ``s``."""


def plural_verb(word: str) -> str:
    """``attacks`` → ``attack``, ``reaches`` → ``reach``."""
    return word[:-2] if word.endswith(("sses", "shes", "ches")) else word[:-1]


def pattern_text(event: Event) -> str:
    """An event's pattern as a template: its words, the first of them (the verb) agreeing with its subject."""
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
