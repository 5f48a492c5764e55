"""Whether one of the trees that a text may mean is the tree from which it was printed, up to the normal form.

Every word of a text must say a part of the tree, and every part of the tree must have words. These differences are
ignored. Each is harmless in play for the reason that follows it:

- Agreement (singular and plural endings) and the case of letters: determiners and numbers say how many there are.
- Verbs and relations whose author declared an empty text, and whether something is on the board: the wording of their
  systems takes them for granted.
- An argument that a wording leaves out: only one that was not given, that is the default, or that the condition of the
  wording asks for.
- Names of values (`let`): the value is compared where the name stands.
- Statements in a row in one sentence, and a choice that the next statement mentions first: the text has them in the
  same order.
- The order of a noun's qualifications, and of conditions between an event's words and its « if »: all must hold.
- `x becomes x + 1` and `x +1`: both have the same effect.
- A noun for a kind, or for the nearest kind above it that has a title: all things of the text are of both.
- Two wordings that are the same for two forms or two columns: a reader at a table cannot tell them apart either. The
  check reports such wordings (`fcb check`), and the property test of `tests/prose` counts them.
- « it » for any local, and « the target » for that field of whatever has it: the text has one such thing.
- Whether a loop goes `at once`, if it has one statement that names the things of the loop: these words are those of
  any other loop.

The grammar does not know the words of loops `in any order` and `in secret`, nor « at the same time »: a loop that
prints them does not agree with its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lark import Token, Tree

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import CHANGE, Event, Form, Param
from fcbdsl.language.model.ir import conjuncts, same
from fcbdsl.language.model.ir.operators import evaluate_constant, holds, reads_slot
from reader.grammar import ORDINALS, Template, plurals, titles
from reader.reading import Forest, Paragraph, Reader

OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
COUNTED = {"fewer than": "<", "at most": "<=", "more than": ">", "at least": ">=", "exactly": "=",
           "less than": "<", "greater than": ">"}  # fmt: skip
MOST_STEPS = 200_000
"""So many comparisons are made for one text at most."""

Tape = tuple[Any, ...]
"""What is still to be read: empty, or the next forest with its items, and the rest."""


@dataclass(frozen=True)
class Met:
    """A thing that the text has mentioned, by its noun."""

    slot: int
    noun: str
    chosen: bool = False


@dataclass(frozen=True)
class State:
    """What is known at a place of the text: things mentioned, choices not yet mentioned, and values with a name."""

    met: tuple[Met, ...] = ()
    pending: tuple[tuple[int, ir.Expr, str], ...] = ()
    """Slots whose choice is at their first mention, and its determiner."""
    lets: tuple[tuple[int, ir.Expr], ...] = ()
    letters: tuple[tuple[str, Any], ...] = ()
    awaited: Event | None = None
    tacit: tuple[int, ...] = ()
    """Slots of what an event is about but its words do not name."""

    def mention(self, slot: int, noun: str, chosen: bool = False) -> State:
        rest = tuple(thing for thing in self.met if thing.slot != slot)
        return replace(
            self,
            met=(*rest, Met(slot, noun.lower(), chosen)),
            pending=tuple(entry for entry in self.pending if entry[0] != slot),
        )


def ways(tree: Any) -> Iterator[Any]:
    """Yield what an ambiguous node may be."""
    if isinstance(tree, Tree) and tree.data == "_ambig":
        for child in tree.children:
            yield from ways(child)
    else:
        yield tree


def words(tree: Any) -> str:
    """Return the words of a token, or of a node with one token."""
    while isinstance(tree, Tree):
        tree = next(child for child in tree.children if child is not None)
    return str(tree).strip()


def tape_of(paragraphs: Sequence[Paragraph], rest: Tape = ()) -> Tape:
    """Return paragraphs as a tape."""
    for paragraph in reversed(paragraphs):
        for at, sentence in reversed(list(enumerate(paragraph.sentences))):
            last = at == len(paragraph.sentences) - 1
            rest = ((sentence, paragraph.items if last else ()), rest)
    return rest


class Exhausted(Exception):
    """Too many readings."""


class Matcher:
    """Compares the readings of texts with trees."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.model = reader.model
        self.steps = 0
        self.far = 0
        self.stuck = ""
        self.own = ""
        self.this = ""

    # ── whole texts ──────────────────────────────────────────────────────────

    def agrees(self, text: list[Paragraph], definition: Definition) -> bool:
        """Return whether a definition's tree is among the readings of a text."""
        self.steps, self.far, self.stuck = 0, -1, ""
        try:
            return any(not rest for rest in self.definition(tape_of(text), definition))
        except Exhausted:
            self.stuck = "too many readings"
            return False

    def definition(self, tape: Tape, definition: Definition) -> Iterator[Tape]:
        values = [v for v in definition.values.values() if v.body is not None and v.field.type.base == "effect"]
        yield from self.values(tape, values, definition)

    def values(self, tape: Tape, values: Sequence[Any], definition: Definition) -> Iterator[Tape]:
        if not values:
            for after in self.modifiers(tape, definition.modifiers, State()):
                yield from self.listeners(after[0], definition.listeners)
            return
        value = values[0]
        field_titles = list(titles(value.field.name))
        if all(isinstance(statement, ir.Nothing) for statement in value.body.statements):
            yield from self.values(tape, values[1:], definition)
        start = tape
        if field_titles:
            if not tape or tape[0][0].data != "heading" or words(tape[0][0]).lower() != field_titles[0].lower():
                return
            start = tape[1]
        for after, _ in self.run(start, value.body.statements, State()):
            yield from self.values(after, values[1:], definition)

    def listeners(self, tape: Tape, listeners: Sequence[ir.Listener]) -> Iterator[Tape]:
        if not listeners:
            yield tape
            return
        first = listeners[0]
        if self.goes_unsaid(first.body.statements):
            yield from self.listeners(tape, listeners[1:])
        start = tape
        if first.title.get("en"):
            if not tape or tape[0][0].data != "heading" or words(tape[0][0]) != first.title["en"].rstrip("."):
                return
            start = tape[1]
        for step, items, rest, state in self.first(start, State()):
            for count in self.awaited(step, items, listeners, state):
                yield from self.listeners(rest, listeners[count:])

    def goes_unsaid(self, statements: Sequence[ir.Stmt]) -> bool:
        return all(isinstance(statement, ir.Do) and unsaid(statement.form) for statement in statements)

    def awaited(
        self, step: Forest, items: Sequence[Paragraph], listeners: Sequence[ir.Listener], state: State
    ) -> Iterator[int]:
        """Yield the number of listeners that a sentence describes."""
        for _ in self.listener(step, items, listeners[0], state):
            yield 1
        if step.data in ("when", "first") and len(items) > 1:
            count = len(items)
            alike = [listener for listener in listeners[:count] if is_form(listener.event, listeners[0].event)]
            if len(alike) == count and all(
                self.one_of_several(step, item, listener, state) for item, listener in zip(items, alike, strict=True)
            ):
                yield count

    def one_of_several(self, step: Forest, item: Paragraph, listener: ir.Listener, state: State) -> bool:
        (event,) = [child for child in step.children if isinstance(child, Tree)][:1]
        for way in ways(event):
            for after, pool in self.occasion(way, listener, state):
                if not pool:
                    if any(not rest for rest, _ in self.run(tape_of([item]), listener.body.statements, after)):
                        return True
                    continue
                for inner, more, rest, later in self.first(tape_of([item]), after):
                    if inner.data != "if_" or rest:
                        continue
                    for last in self.condition(inner.children[0], conjunction(pool), False, later):
                        body = self.inside(inner, more)
                        if any(not end for end, _ in self.run(body, listener.body.statements, last)):
                            return True
        return False

    # ── what waits ───────────────────────────────────────────────────────────

    def listener(
        self, step: Forest, items: Sequence[Paragraph], listener: ir.Listener, state: State
    ) -> Iterator[State]:
        timing = {"when": "after", "first": "before", "instead": "instead", "may_instead": "instead"}.get(step.data)
        statements = listener.body.statements
        if listener.event is CHANGE:
            if step.data == ("as_soon_as" if listener.once else "whenever") and listener.condition is not None:
                for after in self.condition(step.children[0], listener.condition, False, state):
                    for rest, last in self.run(self.inside(step, items), statements, after):
                        if not rest:
                            yield last
            return
        if timing != listener.timing:
            return
        for event in ways(step.children[0]):
            for after, pool in self.occasion(event, listener, state):
                if pool:
                    continue
                after = replace(after, awaited=listener.event)
                body = self.inside(step, items)
                if listener.may and step.data != "may_instead":
                    for inner, more, rest, later in self.first(body, after):
                        if inner.data == "may" and not rest:
                            for end, last in self.run(self.inside(inner, more), statements, later):
                                if not end:
                                    yield last
                elif listener.may == (step.data == "may_instead"):
                    for end, last in self.run(body, statements, after):
                        if not end:
                            yield last

    def occasion(self, event: Forest, listener: ir.Listener, state: State) -> Iterator[tuple[State, list[ir.Expr]]]:
        """Yield what is known behind the words of an event, and which conditions they leave out."""
        manner: Any = None
        asked: Any = None
        often = ""
        for child in event.children[1:]:
            if isinstance(child, Token):
                often = str(child)
            elif child is not None and any(way.data == "manner" for way in ways(child)):
                manner = child
            elif child is not None:
                asked = child
        if bool(often) != (listener.limit is not None):
            return
        if listener.limit is not None:
            forms = [wording.template.split(" / ") for wording in listener.limit.wordings("en")]
            if forms and len(forms[0]) > 1 and forms[0][1] != often:
                return
        for alternative in ways(event.children[0]):
            for template in self.reader.rules.templates.get(alternative.data, ()):
                if not is_form(template.of, listener.event):
                    continue
                slots = dict(zip(template.slots, alternative.children, strict=True))
                pool = conjuncts(listener.condition)
                for after, left in self.binds(
                    list(zip(listener.event.params, listener.binds, strict=True)), slots, pool, listener, state
                ):
                    for later, rest in self.manners(manner, left, after):
                        rest = [statement for statement in rest if not silent(statement)]
                        if asked is None:
                            yield later, rest
                        elif rest:
                            for last in self.condition(asked, conjunction(rest), False, later):
                                yield last, []

    def binds(
        self, pairs: list[tuple[Param, ir.Slot]], slots: Mapping[str, Any], pool: list[ir.Expr],
        listener: ir.Listener, state: State,
    ) -> Iterator[tuple[State, list[ir.Expr]]]:  # fmt: skip
        if not pairs:
            yield state, pool
            return
        param, bind = pairs[0]
        own = conjuncts(bind.condition)
        declared = bool(self.model.nouns.get(bind.noun) and self.model.nouns[bind.noun].title)
        if declared:
            own = [part for part in own if listener.span.holds(part.span)]
        named = next(
            (p.right for p in own if isinstance(p, ir.Binary) and p.op == "=" and slot_is(p.left, bind.slot)), None
        )
        child = slots.get(param.name)
        if child is None:
            if named is not None:
                state = replace(state, lets=(*state.lets, (bind.slot, named)))
            left = [part for part in own if not isinstance(part, ir.IsA) and part is not None]
            state = replace(state, tacit=(*state.tacit, bind.slot))
            if not left or named is not None:
                yield from self.binds(pairs[1:], slots, pool, listener, state)
            return
        if named is not None:
            for after in self.value(child, named, state):
                later = replace(after, lets=(*after.lets, (bind.slot, named)))
                yield from self.binds(pairs[1:], slots, pool, listener, later)
            return
        kinds = [part.kind for part in own if isinstance(part, ir.IsA) and slot_is(part.of, bind.slot)]
        filters = own if declared else [part for part in own if not isinstance(part, ir.IsA)]
        kind = kinds[-1] if kinds else param.type.name
        mine = [part for part in pool if reads_slot(part, bind.slot)]
        for after, noun, used in self.picked(child, {"a"}, bind.noun, kind, filters, mine, bind.slot, state):
            left = [part for part in pool if not any(part is item for item in used)]
            yield from self.binds(pairs[1:], slots, left, listener, after.mention(bind.slot, noun))

    def manners(self, tree: Any, pool: list[ir.Expr], state: State) -> Iterator[tuple[State, list[ir.Expr]]]:
        if tree is None:
            yield state, pool
            return
        for manner in ways(tree):
            qualities = list(manner.children)
            yield from self.assign(qualities, pool, lambda q, part, st: self.quality(q, part, False, st), state)

    def assign(self, trees: list[Any], parts: list[ir.Expr], match: Any, state: State) -> Iterator[Any]:
        """Yield the ways to take each tree as one of the parts, with the parts that are left."""
        if not trees:
            yield state, parts
            return
        for part in parts:
            for after in match(trees[0], part, state):
                yield from self.assign(trees[1:], [item for item in parts if item is not part], match, after)

    def modifiers(self, tape: Tape, modifiers: Sequence[ir.Modifier], state: State) -> Iterator[tuple[Tape, State]]:
        if not modifiers:
            yield tape, state
            return
        for step, _items, rest, after in self.first(tape, state):
            for count, last in self.change(step, modifiers, after):
                yield from self.modifiers(rest, modifiers[count:], last)

    def change(self, step: Forest, modifiers: Sequence[ir.Modifier], state: State) -> Iterator[tuple[int, State]]:
        if step.data == "change":
            for way in ways(step.children[0]):
                yield from self.change(way, modifiers, state)
            return
        first = modifiers[0]
        if step.data == "while_":
            if first.condition is not None:
                for after in self.condition(step.children[0], first.condition, False, state):
                    for way in ways(step.children[1]):
                        for count, last in self.change(way, [replace(first, condition=None)], after):
                            yield count, last
            return
        if first.condition is not None:
            return
        if step.data in ("has", "has_you"):
            who = step.children[0] if step.data == "has" else None
            for amounts in ways(step.children[-1]):
                count = len(amounts.children)
                some = modifiers[:count]
                if len(some) == count and all(part.condition is None for part in some):
                    yield from self.changes(who, list(zip(amounts.children, some, strict=True)), state, count)
        elif step.data in ("able", "unable", "made", "unmade"):
            value = evaluate_constant(first.amount)
            wanted = words(step.children[1])
            meanings = self.reader.adjectives.get(
                wanted.lower() if step.data.endswith("made") else "able to " + wanted.lower(), set()
            )
            wanted_value = int(step.data in ("able", "made"))
            if ("field", first.field.id) in meanings and first.field.type.base == "flag" and value == wanted_value:
                for after in self.changed(step.children[0], first, state):
                    yield 1, after
            meanings = self.reader.adjectives.get("unable to " + wanted.lower(), set())
            if step.data in ("able", "unable") and value == 1 and ("field", first.field.id) in meanings:
                quantifier = "each" if step.data == "unable" else "no"
                for after in self.changed(step.children[0], first, state, quantifier):
                    yield 1, after

    def changes(self, who: Any, pairs: list[Any], state: State, count: int) -> Iterator[tuple[int, State]]:
        if not pairs:
            yield count, state
            return
        for amount in ways(pairs[0][0]):
            modifier = pairs[0][1]
            if not self.gained(amount, modifier, state):
                continue
            for after in self.changed(who, modifier, state):
                yield from self.changes(who, pairs[1:], after, count)

    def gained(self, amount: Forest, modifier: ir.Modifier, state: State) -> bool:
        tokens = list(amount.children)
        column, number = str(tokens[-1]), str(tokens[-2]).replace("−", "-")
        if ("field", modifier.field.id) not in self.reader.words.columns.get(column.lower(), set()):
            return False
        value = evaluate_constant(modifier.amount)
        signed = len(tokens) > 2 or number[:1] in "+-"
        if modifier.mode != ("add" if signed else "set"):
            return False
        if value is None:
            return self.explains(number, modifier.amount, state)
        return number.lstrip("+-").isdigit() and int(number) == value

    def changed(self, who: Any, modifier: ir.Modifier, state: State, quantifier: str = "each") -> Iterator[State]:
        parts = conjuncts(modifier.where)
        if self.declared(modifier.noun):
            parts = [part for part in parts if modifier.span.holds(part.span)]
        only = parts[0] if len(parts) == 1 else None
        if isinstance(only, ir.Binary) and only.op == "=" and slot_is(only.left, modifier.it):
            if who is not None:
                yield from self.value(who, only.right, state)
            elif slot_is(only.right, 0):
                yield state
            return
        if who is None:
            return
        for after, _, _ in self.picked(
            who, {quantifier}, modifier.noun, modifier.kind.id, parts, [], modifier.it, state
        ):
            yield after

    def declared(self, noun: str) -> bool:
        name = self.model.nouns.get(noun)
        return name is not None and bool(name.title)

    # ── statements ───────────────────────────────────────────────────────────

    def first(self, tape: Tape, state: State) -> Iterator[tuple[Forest, Sequence[Paragraph], Tape, State]]:
        """Yield the readings of the next step of a tape."""
        if not tape:
            return
        (forest, items), rest = tape
        for tree in ways(forest):
            match tree.data:
                case "start" | "step" | "led" | "block" | "leaf" | "change" if len(tree.children) == 1:
                    yield from self.first(((tree.children[0], items), rest), state)
                case "body":
                    inner = rest
                    for at, child in reversed(list(enumerate(tree.children))):
                        inner = ((child, items if at == len(tree.children) - 1 else ()), inner)
                    yield from self.first(inner, state)
                case "explained":
                    what, letter, value = tree.children
                    with_letter = replace(state, letters=(*state.letters, (str(letter), value)))
                    yield from self.first(((what, items), rest), with_letter)
                case _:
                    yield tree, items, rest, state

    def inside(self, step: Forest, items: Sequence[Paragraph]) -> Tape:
        """Return what a lead governs."""
        last = step.children[-1] if step.children else None
        if isinstance(last, Tree) and next(ways(last)).data == "body":
            return ((last, items), ())
        return tape_of(items)

    def run(self, tape: Tape, statements: Sequence[ir.Stmt], state: State) -> Iterator[tuple[Tape, State]]:
        """Yield what is left of a tape behind the words of some statements."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Exhausted
        if not statements:
            yield tape, state
            return
        yield from self.unspoken(tape, statements, state)
        for step, items, rest, after in self.first(tape, state):
            for count, left, last in self.step(step, items, rest, statements, after):
                yield from self.run(left, statements[count:], last)

    def unspoken(self, tape: Tape, statements: Sequence[ir.Stmt], state: State) -> Iterator[tuple[Tape, State]]:
        match statements[0]:
            case ir.Do() as do if unsaid(do.form):
                yield from self.run(tape, statements[1:], state)
            case ir.Let(var=var, value=value) if var.slot not in dict(state.lets) and not reads_slot(value, var.slot):
                extended = replace(state, lets=(*state.lets, (var.slot, value)))
                yield from self.run(tape, statements[1:], extended)
            case ir.Choose(options=ir.Select() as select, by=None, optional=False, up_to=None, chance=False, var=var):
                extended = replace(state, pending=(*state.pending, (var.slot, select, "a")))
                yield from self.run(tape, statements[1:], extended)

    def step(
        self, step: Forest, items: Sequence[Paragraph], rest: Tape, statements: Sequence[ir.Stmt], state: State
    ) -> Iterator[tuple[int, Tape, State]]:
        """Yield the number of statements that a step describes, and the rest of the tape."""
        statement = statements[0]
        children = step.children
        if step.data in ("twice", "times"):
            yield from self.repeated(step, items, rest, statements, state)
            return
        match statement, step.data:
            case ir.Do(), _ if step.data in self.reader.rules.templates:
                yield from self.do(step, rest, statements, state)
            case ir.If(), "if_":
                for after in self.condition(children[0], statement.condition, False, state):
                    yield from self.branches(step, items, rest, statement.then, statement.otherwise, after, state)
            case ir.If(), "if_done" | "if_declined":
                condition, taken = statement.condition, True
                while isinstance(condition, ir.Not):
                    condition, taken = condition.operand, not taken
                if (
                    isinstance(condition, ir.Binary)
                    and condition.op in ("=", "!=")
                    and condition.right.type == ir.NOTHING
                ) and (taken == (condition.op == "!=")) == (step.data == "if_done"):
                    yield from self.branches(step, items, rest, statement.then, statement.otherwise, state, state)
            case ir.Then(), _:
                # the words of what is tried come first
                for left, after in self.run(((step, items), rest), statement.tried.statements, state):
                    if len(left) == 2 and left[0] == (step, items):
                        continue  # « if that succeeds » cannot follow a statement without words
                    for inner, more, tail, later in self.first(left, after):
                        if inner.data == "if_done":
                            yield from self.branches(
                                inner, more, tail, statement.then, statement.otherwise, later, later
                            )
            case ir.ForEach(), "for_each" | "for_each_at_once" if not (
                statement.any_order or statement.secret
            ) and statement.together == (step.data == "for_each_at_once"):
                for after in self.each(children[0], statement, state):
                    for left, _ in self.run(self.inside(step, items), statement.body.statements, after):
                        if not left:
                            yield 1, rest, state
            case ir.ForEach(), _ if (
                len(statement.body.statements) == 1 and not statement.any_order and not statement.secret
            ):
                each = "all" if statement.together else "each"
                with_items = replace(state, pending=(*state.pending, (statement.var.slot, statement.items, each)))
                for left, _ in self.run(((step, items), ()), statement.body.statements, with_items):
                    if not left:
                        yield 1, rest, state
            case ir.Choose(), "choose" | "may_choose" | "at_random" | "choose_by" | "choose_up_to":
                for after in self.choose(step, statement, state):
                    yield 1, rest, after
                if step.data == "choose_by" and len(statements) > 1 and isinstance(statements[1], ir.Choose):
                    for way in ways(children[1]):
                        for several in ways(way.children[0]) if way.data == "np" else [way]:
                            if several.data == "list" and len(several.children) == 2:
                                yield from self.both_chosen(children[0], several, statements, rest, state)
            case ir.ChooseOne(), "may" | "may_by":
                if (
                    len(statement.options) == 1
                    and statement.optional
                    and (statement.by is not None) == (step.data == "may_by")
                ):
                    for left, after in self.run(self.inside(step, items), statement.options[0].body.statements, state):
                        if not left:
                            yield 1, rest, after
            case ir.ChooseOne(), "choose_one" | "may_choose_one":
                if (
                    statement.by is None
                    and statement.optional == (step.data == "may_choose_one")
                    and len(items) == len(statement.options)
                ) and all(
                    self.option(item, option, state) for item, option in zip(items, statement.options, strict=True)
                ):
                    yield 1, rest, state
            case ir.ChooseOne(), "choose_one_by":
                if statement.by is not None and len(items) == len(statement.options):
                    for after in self.value(children[0], statement.by, state):
                        if all(
                            self.option(item, option, after)
                            for item, option in zip(items, statement.options, strict=True)
                        ):
                            yield 1, rest, after
            case ir.AnyOrder(), "any_order":
                if len(items) == len(statement.steps) and all(
                    self.option(item, option, state) for item, option in zip(items, statement.steps, strict=True)
                ):
                    yield 1, rest, state
            case ir.Require(), "require":
                for count in range(1, len(statements) + 1):
                    if not isinstance(statements[count - 1], ir.Require):
                        break
                    asked = conjunction([s.condition for s in statements[:count] if isinstance(s, ir.Require)])
                    for after in self.condition(children[0], asked, False, state):
                        yield count, rest, after
            case ir.Nothing(), "nothing":
                yield 1, rest, state
            case ir.Stop(), "stop" | "stop all":
                yield 1, rest, state
            case ir.Cancel(), "cancel":
                event = state.awaited
                texts = [text.template.split(" / ") for text in event.wordings("en")] if event is not None else []
                if (texts[0][1] if texts and len(texts[0]) > 1 else "that") == words(step):
                    yield 1, rest, state
            case ir.End(outcome="win" | "lose"), "win" | "lose" if statement.outcome == step.data:
                why = statement.why.get("en", "").replace("'", "’").rstrip(".")
                if why:
                    if not rest or rest[0][0].data != "said" or words(rest[0][0]) != why:
                        return
                    rest = rest[1]
                if children and statement.side is not None:
                    for after in self.value(children[0], statement.side, state):
                        yield 1, rest, after
                elif not children and statement.side is None:
                    yield 1, rest, state
            case ir.Assign(), _:
                for after in self.assigned(step, statement, state):
                    yield 1, rest, after
            case ir.Until(), "until":
                yield from self.until(step, items, rest, statement, state)
            case ir.Roll(), "roll_value":
                if not statement.rows and statement.against is None and statement.instead is None:
                    for after in self.value(children[0], statement.dice, state):
                        yield (
                            1,
                            rest,
                            after.mention(statement.var.slot, "result") if statement.var is not None else after,
                        )
            case ir.Let(), "increase" | "reduce" | "double":
                yield from self.rewritten(step, statement, rest, state)
            case ir.Announce(), _:
                for template in self.reader.rules.templates.get(step.data, ()):
                    if is_form(template.of, statement.event):
                        for after in self.arguments(step, template, statement.event.params, statement.args, state):
                            yield 1, rest, after

    def rewritten(self, step: Forest, let: ir.Let, rest: Tape, state: State) -> Iterator[tuple[int, Tape, State]]:
        value, var = let.value, let.var
        if not isinstance(value, ir.Binary) or not slot_is(value.left, var.slot):
            return
        for after in self.value(step.children[0], var, state, counted=True):
            if step.data == "double" and value.op in "+*":
                yield 1, rest, after
            elif value.op in "+-":
                number = evaluate_constant(value.right)
                lowers = (value.op == "-") != (number is not None and number < 0)
                right = value.right if number is None else ir.Const(abs(number), ir.NUMBER, let.span)
                if step.data == ("reduce" if lowers else "increase"):
                    for last in self.value(step.children[1], right, after):
                        yield 1, rest, last

    def repeated(
        self, step: Forest, items: Sequence[Paragraph], rest: Tape, statements: Sequence[ir.Stmt], state: State
    ) -> Iterator[tuple[int, Tape, State]]:
        body, statement = self.inside(step, items), statements[0]
        if isinstance(statement, ir.Repeat) and statement.times is not None:
            if step.data == "times" or evaluate_constant(statement.times) == 2:
                for after in self.amount(step.children[0], statement.times, state) if step.data == "times" else [state]:
                    for left, last in self.run(body, statement.body.statements, after):
                        if not left:
                            yield 1, rest, last
            return
        times = 2 if step.data == "twice" else int(words(step.children[0])) if words(step.children[0]).isdigit() else 0
        for size in range(1, len(statements) // times + 1 if times else 0):
            groups = [statements[at * size : (at + 1) * size] for at in range(times)]
            if all(any(not left for left, _ in self.run(body, group, state)) for group in groups):
                yield size * times, rest, state

    def branches(
        self, step: Forest, items: Sequence[Paragraph], rest: Tape, then: ir.Body, otherwise: ir.Body,
        state: State, outer: State,
    ) -> Iterator[tuple[int, Tape, State]]:  # fmt: skip
        for left, _ in self.run(self.inside(step, items), then.statements, state):
            if left:
                continue
            if not otherwise.statements:
                yield 1, rest, outer
                continue
            for inner, more, tail, after in self.first(rest, outer):
                if inner.data != "otherwise":
                    continue
                for end, _ in self.run(self.inside(inner, more), otherwise.statements, after):
                    if not end:
                        yield 1, tail, outer
            return

    def option(self, item: Paragraph, option: ir.Option, state: State) -> bool:
        tape = tape_of([item])
        label = option.label.get("en", "").replace("'", "’")
        if any(not left for left, _ in self.run(tape, option.body.statements, state)):
            return True
        for step, items, rest, after in self.first(tape, state):
            if (
                step.data == "row"
                and label
                and words(step.children[0]).lower() == label.lower()
                and not rest
                and any(not left for left, _ in self.run(self.inside(step, items), option.body.statements, after))
            ):
                return True
        return False

    def each(self, tree: Any, loop: ir.ForEach, state: State) -> Iterator[State]:
        for after, noun in self.chosen(tree, loop.items, {"each"}, state):
            yield after.mention(loop.var.slot, noun)
        for way in unwrapped(tree):
            if way.data == "of_each":
                for after in self.value(way.children[0], loop.items, state, many=True):
                    yield after.mention(loop.var.slot, noun_of(way))

    def chosen(self, tree: Any, options: ir.Expr, dets: set[str], state: State) -> Iterator[tuple[State, str]]:
        """Yield what is known behind what is chosen, and its noun."""
        if isinstance(options, ir.Select):
            yield from self.select(tree, options, dets, state)

    def choose(self, step: Forest, choice: ir.Choose, state: State) -> Iterator[State]:
        kind = {"choose": (False, False), "choose_by": (False, False), "may_choose": (True, False),
                "at_random": (False, True), "choose_up_to": (False, False)}[step.data]  # fmt: skip
        if (choice.optional, choice.chance) != kind or (choice.by is not None) != (step.data == "choose_by"):
            return
        if (choice.up_to is not None) != (step.data == "choose_up_to"):
            return
        states: Iterator[State] = iter([state])
        if step.data == "choose_by" and choice.by is not None:
            states = self.value(step.children[0], choice.by, state)
        if step.data == "choose_up_to" and choice.up_to is not None:
            states = iter([] if choice.exactly else list(self.amount(step.children[0], choice.up_to, state)))
        for after in states:
            dets = {""} if choice.up_to is not None else {"a", "the"}
            for last, noun in self.chosen(step.children[-1], choice.options, dets, after):
                yield last.mention(choice.var.slot, noun, True)

    def both_chosen(self, who: Any, several: Forest, statements: Sequence[ir.Stmt], rest: Tape, state: State) -> Any:
        one, other = statements[0], statements[1]
        if one.by is None or other.by is None or not same(one.by, other.by):
            return
        for after in self.value(who, one.by, state):
            for then, noun in self.chosen(several.children[0], one.options, {"a", "the"}, after):
                met = then.mention(one.var.slot, noun, True)
                for last, second in self.chosen(several.children[1], other.options, {"a", "the"}, met):
                    yield 2, rest, last.mention(other.var.slot, second, True)

    def until(
        self, step: Forest, items: Sequence[Paragraph], rest: Tape, until: ir.Until, state: State
    ) -> Iterator[tuple[int, Tape, State]]:
        for moment in ways(step.children[0]):
            for template in self.reader.rules.templates.get(moment.data, ()):
                if not is_form(template.of, until.until):
                    continue
                args = (until.subject, *(None for _ in until.until.params[1:]))[: len(until.until.params)]
                for after in self.arguments(moment, template, until.until.params, args, state):
                    for left, later in self.modifiers(self.inside(step, items), until.modifiers, after):
                        if any(not end for end in self.listeners_until(left, until.listeners, later)):
                            yield 1, rest, state

    def listeners_until(self, tape: Tape, listeners: Sequence[ir.Listener], state: State) -> Iterator[Tape]:
        if not listeners:
            yield tape
            return
        for step, items, rest, after in self.first(tape, state):
            for _ in self.listener(step, items, listeners[0], after):
                yield from self.listeners_until(rest, listeners[1:], state)

    def assigned(self, step: Forest, change: ir.Assign, state: State) -> Iterator[State]:
        change = as_change(change)
        field, value = change.target.field, evaluate_constant(change.value)
        children = step.children
        columns = self.reader.words.columns
        match step.data:
            case "gain" | "suffer" | "gain_you" | "lose_you":
                loses = step.data in ("suffer", "lose_you")
                column = str(children[-1])
                if change.op != "+" or ("field", field.id) not in columns.get(column.lower(), set()):
                    return
                amount = ir.Const(-value, ir.NUMBER, change.span) if loses and value is not None else change.value
                for after in self.amount(children[-2], amount, state):
                    if step.data.endswith("you"):
                        if slot_is(self.meant(change.target.of, state), 0):
                            yield after
                    else:
                        yield from self.value(children[0], change.target.of, after)
            case "set":
                if change.op == "=":
                    for after in self.value(children[0], change.target, state):
                        yield from self.value(children[1], change.value, after)
            case "raise_" | "lower_":
                lowered = step.data == "lower_"
                if change.op == "+":
                    amount = ir.Const(-value, ir.NUMBER, change.span) if lowered and value is not None else change.value
                    for after in self.value(children[0], change.target, state):
                        yield from self.amount(children[1], amount, after)
            case "turned" | "made" | "unmade":
                meanings = self.reader.adjectives.get(words(children[1]).lower(), set())
                wanted = 0 if step.data == "unmade" else 1
                if (
                    ("field", field.id) in meanings
                    and value == wanted
                    and (step.data == "turned") == (field.type.base != "flag")
                ):
                    yield from self.value(children[0], change.target.of, state)
            case "becomes":
                if change.op == "=":
                    for after in self.value(children[0], change.value, state):
                        yield from self.value(children[1], change.target, after)

    def do(self, step: Forest, rest: Tape, statements: Sequence[ir.Stmt], state: State) -> Any:
        statement = statements[0]
        for template in self.reader.rules.templates[step.data]:
            if not is_form(template.of, statement.form):
                continue
            for after in self.arguments(step, template, statement.form.params, statement.args, state):
                yield 1, rest, after
            for at, child in enumerate(step.children):  # several of a row in one sentence
                for several in lists(child):
                    count = len(several.children)
                    row = statements[:count]
                    if len(row) < count or not all(
                        isinstance(s, ir.Do) and is_form(s.form, statement.form) for s in row
                    ):
                        continue
                    name = template.slots[at]
                    where = [param.name for param in statement.form.params].index(name)
                    if not all(
                        a is b or (a is not None and b is not None and same(a, b))
                        for s in row[1:]
                        for place, (a, b) in enumerate(zip(statement.args, s.args, strict=True))
                        if place != where
                    ):
                        continue
                    yield from self.in_a_row(step, at, several, template, row, rest, state, where)

    def in_a_row(
        self, step: Forest, at: int, several: Forest, template: Template, row: Sequence[Any], rest: Tape,
        state: State, where: int,
    ) -> Any:  # fmt: skip
        """Statements that differ in one argument, in one sentence."""
        first = row[0]
        children = [*step.children[:at], several.children[0], *step.children[at + 1 :]]
        states = list(self.arguments(Tree(step.data, children), template, first.form.params, first.args, state))
        for item, statement in zip(several.children[1:], row[1:], strict=True):
            states = [after for before in states[:4] for after in self.value(item, statement.args[where], before)]
        for last in states:
            yield len(row), rest, last

    def arguments(
        self, tree: Forest, template: Template, params: Sequence[Param], args: Sequence[ir.Expr | None], state: State,
        subject: str = "",
    ) -> Iterator[State]:  # fmt: skip
        """Yield what is known behind a template's words, if its slots are filled by these arguments."""
        given = {param.name: param.default if arg is None else arg for param, arg in zip(params, args, strict=True)}
        if isinstance(template.of, Form) and not self.applies(template, params, args, state, subject):
            return
        if template.you and not slot_is(self.meant(given[template.you], state), 0):
            return
        types = {param.name: param.type for param in params}
        todo = list(zip(template.slots, tree.children, strict=True))

        def fill(at: int, so_far: State) -> Iterator[State]:
            if at == len(todo):
                yield so_far
                return
            name, child = todo[at]
            expr = given[name]
            if expr is None:
                for way in unwrapped(child):  # anybody, as in « until an enemy is defeated »
                    if way.data == "pick" and words(way.children[0]).lower() in ("a", "an"):
                        yield from fill(at + 1, so_far)
                return
            some = (
                self.amount(child, expr, so_far)
                if types[name] == ir.NUMBER
                else self.value(child, expr, so_far, many=types[name].many and name not in template.ones)
            )
            for after in some:
                yield from fill(at + 1, after)

        yield from fill(0, state)

    def applies(
        self, template: Template, params: Sequence[Param], args: Sequence[ir.Expr | None], state: State, subject: str
    ) -> bool:
        """Whether the author wants these words for these arguments, and they leave out none of them."""
        texts = [t for t in template.of.texts if t.language == "en" and t.template.endswith(template.text)]
        for reader in (True, False):
            counts: dict[int, int | None] = {}
            for at, (param, arg) in enumerate(zip(params, args, strict=True), start=2):
                meant = param.default if arg is None else arg
                if reader and isinstance(meant, ir.Var) and meant.slot == 0:
                    counts[0] = counts[at] = -2
                else:
                    counts[at] = -1 if meant is None else evaluate_constant(meant)
            for text in texts:
                if holds(text.condition, counts, self.model.settings()) and all(
                    param.name in template.slots
                    or param.name in (subject, template.you)
                    or arg is None
                    or (param.default is not None and same(arg, param.default))
                    or (isinstance(arg, ir.Var) and arg.slot in state.tacit)
                    or reads_slot(text.condition, at)
                    or "{-" + param.name + "}" in text.template
                    or "{^" + param.name + "}" in text.template
                    for at, (param, arg) in enumerate(zip(params, args, strict=True), start=2)
                ):
                    return True
        return False

    # ── conditions ───────────────────────────────────────────────────────────

    def condition(
        self, tree: Any, expr: ir.Expr, denied: bool, state: State, about: ir.Expr | None = None
    ) -> Iterator[State]:
        """Yield what is known behind a condition's words."""
        while isinstance(expr, ir.Not):
            expr, denied = expr.operand, not denied
        expr = self.meant(expr, state)
        for way in ways(tree):
            if way.data in ("and_", "or_"):
                if isinstance(expr, ir.Binary) and expr.op in ("and", "or"):
                    op = expr.op if not denied else {"and": "or", "or": "and"}[expr.op]
                    parts = [part for part in linked(expr) if not silent(part)]
                    if op + "_" == way.data and len(parts) == len(way.children):
                        yield from self.all_of(list(zip(way.children, parts, strict=True)), denied, state, parts[0])
                yield from self.negated_any(way, expr, denied, state)
            elif way.data in ("cond", "chain", "atom", "also", "fact", "says", "shortened") and len(way.children) == 1:
                yield from self.condition(way.children[0], expr, denied, state, about)
            elif (
                isinstance(expr, ir.Binary)
                and expr.op in ("and", "or")
                and way.data not in ("there_is", "there_is_one_of")
            ):
                parts = [part for part in linked(expr) if not silent(part)]
                if len(parts) == 1:
                    yield from self.condition(way, parts[0], denied, state, about)
            else:
                yield from self.fact(way, expr, denied, state, about)

    def negated_any(self, way: Any, expr: ir.Expr, denied: bool, state: State) -> Iterator[State]:
        """A selection among alternatives, as several facts."""
        return
        yield

    def all_of(self, pairs: list[Any], denied: bool, state: State, about: ir.Expr) -> Iterator[State]:
        if not pairs:
            yield state
            return
        for after in self.condition(pairs[0][0], pairs[0][1], denied, state, about):
            yield from self.all_of(pairs[1:], denied, after, about)

    def fact(self, way: Forest, expr: ir.Expr, denied: bool, state: State, about: ir.Expr | None) -> Iterator[State]:
        children = way.children
        if way.data in self.reader.rules.templates:
            if isinstance(expr, ir.Apply):
                for template in self.reader.rules.templates[way.data]:
                    if is_form(template.of, expr.form) and template.sort == "says" and template.denied == denied:
                        yield from self.arguments(way, template, expr.form.params, expr.args, state)
            return
        match way.data:
            case "is" | "is_not":
                denied = denied != (way.data == "is_not")
                subject = about_of(expr)
                if subject is not None:
                    for after in self.value(children[0], subject, state):
                        yield from self.predicate(children[1], expr, denied, after)
                elif isinstance(expr, ir.Binary) and (expr.op in OPPOSITE):
                    op = OPPOSITE[expr.op] if denied else expr.op
                    if op == "=":
                        for after in self.value(children[0], expr.left, state):
                            for predicate in ways(children[1]):
                                for inner in ways(predicate.children[0]):
                                    if isinstance(inner, Tree) and inner.data == "np":
                                        yield from self.value(inner, expr.right, after)
            case "predicate":
                if about is not None and about_of(expr) is not None and same(about_of(expr), about_of(about) or about):
                    yield from self.predicate(way, expr, denied, state)
            case "can" | "cannot":
                denied = denied != (way.data == "cannot")
                subject = about_of(expr)
                meanings = self.reader.adjectives.get("able to " + words(children[1]).lower(), set())
                if subject is not None and flag_of(expr, denied) in [("field", name, True) for _, name in meanings]:
                    yield from self.value(children[0], subject, state)
            case "there_is":
                quantified = presence(expr, denied)
                if quantified is not None:
                    present, select = quantified
                    for after, _ in self.select(children[0], select, {"a"} if present else {"no"}, state):
                        yield after
                yield from self.token_on(children[0], expr, denied, state)
                if isinstance(expr, ir.Apply):
                    yield from ()
            case "there_are":
                op = COUNTED[words(children[0])]
                left, mine, value = compared(expr, denied, state, self)
                wanted = int(words(children[1])) if words(children[1]).isdigit() else None
                if isinstance(left, ir.Quantified) and left.quantifier == "number" and (op, wanted) == (mine, value):
                    for after, _ in self.select(children[2], left.select, {""}, state):
                        yield after
            case "has_count":
                op = COUNTED[words(children[1])]
                left, mine, value = compared(expr, denied, state, self)
                if op == ">" and words(children[2]).isdigit():
                    op, wanted = ">=", int(words(children[2])) + 1
                else:
                    wanted = int(words(children[2])) if words(children[2]).isdigit() else None
                if op == mine and value == wanted and value is not None:
                    column = str(children[3]).lower()
                    if isinstance(left, ir.Get) and ("field", left.field.id) in self.reader.words.columns.get(
                        column, set()
                    ):
                        yield from self.value(children[0], left.of, state)
                    if (
                        isinstance(left, ir.Apply)
                        and left.args
                        and left.args[0] is not None
                        and column in {plural for title in titles(left.form.name) for plural in plurals(title.lower())}
                    ):
                        yield from self.value(children[0], left.args[0], state)
            case "has_status" | "has_none":
                owner = about_of(expr)
                flag = flag_of(expr, denied)
                column = str(children[1]).lower()
                if (
                    owner is not None
                    and flag is not None
                    and flag[2] == (way.data == "has_status")
                    and flag[:2] in self.reader.words.columns.get(column, set())
                ):
                    yield from self.value(children[0], owner, state)
            case "compared" | "stands" | "equals" | "differs":
                left, op, value = compared(expr, denied, state, self)
                if left is None:
                    return
                if way.data == "compared":
                    wanted = COUNTED[words(children[1])]
                    if wanted == op:
                        for after in self.value(children[0], left, state, counted=True):
                            if value is not None:
                                if words(children[2]) == str(value):
                                    yield after
                            else:
                                yield from self.value(children[2], expr.right, after)
                elif way.data in ("equals", "differs"):
                    if op == ("=" if way.data == "equals" else "!="):
                        for after in self.value(children[0], left, state, counted=True):
                            if value is not None and words(children[1]) == str(value):
                                yield after
                            elif value is None:
                                yield from self.value(children[1], expr.right, after)
                else:
                    more = str(children[2]).strip() if len(children) > 2 and children[2] is not None else ""
                    if op == {"or more": ">=", "or less": "<=", "": "="}[more] and words(children[1]) == str(value):
                        of = left.of if isinstance(left, ir.Get) and left.field.kind == "track" else left
                        yield from self.value(children[0], of, state)

    def token_on(self, tree: Any, expr: ir.Expr, denied: bool, state: State) -> Iterator[State]:
        """« there is a token on your space »."""
        flag, owner = flag_of(expr, denied), about_of(expr)
        if flag is None or owner is None:
            return
        for way in unwrapped(tree):
            if way.data != "pick":
                continue
            present = words(way.children[0]).lower() != "no"
            for group in ways(way.children[1]):
                noun = next(str(child) for child in group.children if isinstance(child, Token) and child.type == "NOUN")
                tails = [
                    tree for tree in group.children if isinstance(tree, Tree) and tree.data in ("qualifier", "_ambig")
                ]
                if present == flag[2] and ("token", flag[1]) in self.reader.words.nouns.get(noun.lower(), set()):
                    for tail in tails:
                        for quality in ways(tail):
                            for inner in ways(quality.children[0]):
                                for template in self.reader.rules.templates.get(getattr(inner, "data", ""), ()):
                                    if template.of.id in ("on", "at") and inner.children:
                                        yield from self.value(inner.children[0], owner, state)

    def predicate(self, tree: Any, expr: ir.Expr, denied: bool, state: State) -> Iterator[State]:
        """Yield the states after the words about the subject of a condition."""
        for way in ways(tree):
            for inner in ways(way.children[0]):
                if inner.data in self.reader.rules.templates:
                    yield from self.quality(inner, expr, denied, state)
                elif inner.data in ("adjective", "non"):
                    yield from self.adjective(inner, expr, denied, state)
                elif inner.data == "np":
                    if isinstance(expr, ir.IsA) and not denied:
                        for pick in unwrapped(inner):
                            if pick.data == "pick" and self.names_kind(noun_of(pick), expr.kind):
                                yield state
                    elif (
                        isinstance(expr, ir.Binary)
                        and (expr.op == "=") != denied
                        and expr.op in ("=", "!=")
                        and (expr.right.type.base in ("definition", "enum", "die") or isinstance(expr.left, ir.Get))
                    ):
                        yield from self.value(inner, expr.right, state)

    def quality(self, tree: Any, expr: ir.Expr, denied: bool, state: State) -> Iterator[State]:
        """A relation behind its subject."""
        while isinstance(expr, ir.Not):
            expr, denied = expr.operand, not denied
        if not isinstance(expr, ir.Apply):
            return
        spot = expr.args[1] if expr.form.op == "on" else None
        if isinstance(spot, ir.ListOf) and len(spot.items) == 1:
            spot = spot.items[0]
        for way in ways(tree):
            for template in self.reader.rules.templates.get(way.data, ()):
                if (
                    template.sort == "around"
                    and isinstance(spot, ir.Apply)
                    and is_form(template.of, spot.form)
                    and not denied
                ):
                    wide = replace(template, text=template.text)
                    yield from self.arguments(way, wide, spot.form.params, spot.args, state)
                if is_form(template.of, expr.form) and template.denied == denied:
                    subject = expr.form.params[0].name if expr.form.params else ""
                    yield from self.arguments(way, template, expr.form.params, expr.args, state, subject)

    def adjective(self, tree: Any, expr: ir.Expr, denied: bool, state: State) -> Iterator[State]:
        word = words(tree).lower()
        if tree.data == "non":
            denied = not denied
            if isinstance(expr, ir.IsA) and not denied and self.names_kind(word, expr.kind):
                yield state
            if isinstance(expr, ir.Binary) and isinstance(expr.right, ir.Const | ir.Def):
                label = getattr(expr.right, "label", "") or getattr(expr.right, "id", "")
                if (expr.op == "=") != denied and any(
                    label in meaning for meaning in self.reader.words.nouns.get(word, set())
                ):
                    yield state
            meanings = self.reader.adjectives.get(word, set())
        meanings = self.reader.adjectives.get(word, set())
        flag = flag_of(expr, denied)
        if flag is not None and (
            (flag[2] and ("field", flag[1]) in meanings) or (not flag[2] and ("without", flag[1]) in meanings)
        ):
            yield state
        if (
            isinstance(expr, ir.Apply)
            and ("form", ("not " if denied else "") + expr.form.id) in meanings
            and all(arg is not None and slot_is(self.meant(arg, state), 0) for arg in expr.args[1:])
        ):
            yield state
        if (
            isinstance(expr, ir.Binary)
            and isinstance(expr.right, ir.Const)
            and (expr.op == "=") != denied
            and expr.op in ("=", "!=")
            and ("enum", expr.right.label) in meanings
        ):
            yield state

    # ── things ───────────────────────────────────────────────────────────────

    def meant(self, expr: Any, state: State) -> Any:
        lets = dict(state.lets)
        while isinstance(expr, ir.Var) and expr.slot in lets:
            expr = lets[expr.slot]
        return expr

    def amount(self, tree: Any, expr: ir.Expr, state: State) -> Iterator[State]:
        expr = self.meant(expr, state)
        value = evaluate_constant(expr)
        letter_or_number = words(next(ways(tree))).replace("−", "-")
        if letter_or_number in "XYZW":
            if value is None and self.explains(letter_or_number, expr, state):
                yield state
        elif value is not None and letter_or_number.lstrip("+-").isdigit() and int(letter_or_number) == value:
            yield state

    def explains(self, letter: str, expr: ir.Expr, state: State) -> bool:
        return any(
            any(True for _ in self.value(tree, expr, state, counted=True))
            for name, tree in state.letters
            if name == letter
        )

    def value(
        self, tree: Any, expr: ir.Expr, state: State, many: bool = False, counted: bool = False
    ) -> Iterator[State]:
        """Yield what is known behind words for a thing or a number."""
        expr = self.meant(expr, state)
        if isinstance(expr, ir.ListOf) and len(expr.items) == 1:
            expr = self.meant(expr.items[0], state)
        for way in unwrapped(tree):
            yield from self.thing(way, expr, state, many, counted)

    def thing(self, way: Any, expr: ir.Expr, state: State, many: bool, counted: bool) -> Iterator[State]:
        if isinstance(way, Token):
            text = str(way).replace("−", "-").strip()
            if text.lstrip("+-").isdigit():
                if evaluate_constant(expr) == int(text):
                    yield state
            elif self.named(text, expr):
                yield state
            return
        children = way.children
        if way.data in self.reader.rules.templates:
            if isinstance(expr, ir.Apply):
                for template in self.reader.rules.templates[way.data]:
                    if is_form(template.of, expr.form):
                        yield from self.arguments(way, template, expr.form.params, expr.args, state)
            return
        match way.data:
            case "you":
                if isinstance(expr, ir.Var) and expr.slot == 0:
                    yield state
            case "this":
                if isinstance(expr, ir.Var) and expr.slot in (0, 1):
                    noun = words(way).lower().removeprefix("this ")
                    if expr.slot == 0 or noun == "card" or self.names_kind(noun, expr.type.name):
                        yield state
            case "it":
                if isinstance(expr, ir.Var):
                    yield state
            case "that":
                if isinstance(expr, ir.Var) and self.points(way, expr, state):
                    yield state
            case "name" | "quoted" | "named":
                if self.named(words(way), expr):
                    yield state
            case "owned":
                yield from self.owned(way, expr, state)
            case "of_game":
                column = words(way).lower()
                meanings = self.reader.words.columns.get(column, set())
                if isinstance(expr, ir.Get) and ("field", expr.field.id) in meanings:
                    if (
                        evaluate_constant(expr.of) is None
                        and (is_game(expr.of) or slot_is(expr.of, 0) or slot_is(expr.of, 1))
                    ) or isinstance(expr.of, ir.Get | ir.Var):
                        yield state
                elif isinstance(expr, ir.Var) and column in {
                    plural for m in state.met if m.slot == expr.slot for plural in plurals(m.noun)
                }:
                    yield state
            case "number_of":
                if isinstance(expr, ir.Quantified) and expr.quantifier == "number":
                    for after, _ in self.select(children[0], expr.select, {""}, state):
                        yield after
            case "of_each" | "of_one" | "of_all":
                if isinstance(expr, ir.Select) and isinstance(expr.where, ir.Apply) and expr.where.form.op == "in-zone":
                    if expr.where.args[1] is not None:
                        yield from self.value(children[0], expr.where.args[1], state)
                elif way.data != "of_one" and expr.type.many:
                    yield from self.value(children[0], expr, state, many=True)
                elif isinstance(expr, ir.Var):
                    for slot, items, det in state.pending:
                        if slot == expr.slot and det == "each" and way.data == "of_each":
                            for after in self.value(children[0], items, state, many=True):
                                yield after.mention(slot, noun_of(way))
                            if (
                                isinstance(items, ir.Select)
                                and isinstance(items.where, ir.Apply)
                                and items.where.form.op == "in-zone"
                            ):
                                for after in self.value(children[0], items.where.args[1], state):
                                    yield after.mention(slot, noun_of(way))
            case "list":
                if isinstance(expr, ir.ListOf) and len(expr.items) == len(children):
                    states = [state]
                    for child, item in zip(children, expr.items, strict=True):
                        states = [after for before in states for after in self.value(child, item, before)]
                    yield from states
            case "plus" | "minus" | "product":
                op = {"plus": "+", "minus": "-", "product": "*"}[way.data]
                if isinstance(expr, ir.Binary) and expr.op == op:
                    for after in self.value(children[0], expr.left, state):
                        yield from self.value(children[1], expr.right, after)
            case "pick" | "group":
                yield from self.pick(way, expr, state, many)

    def pick(self, way: Forest, expr: ir.Expr, state: State, many: bool) -> Iterator[State]:
        if isinstance(expr, ir.Var):
            for slot, items, det in state.pending:
                if slot == expr.slot:
                    for after, noun in self.chosen(way, items, {det, "the"} if det == "a" else {det}, state):
                        yield after.mention(slot, noun, det == "a")
            noun = noun_of(way).lower()
            if any(m.slot == expr.slot and m.noun in plurals(noun) and m.noun == "result" for m in state.met):
                yield state
            return
        if isinstance(expr, ir.Select):
            ranked = bool(expr.order) and not expr.sorted
            dets = {"the"} if ranked else {"all", "each"} if many else {"a", "the"}
            for after, _ in self.select(way, expr, dets, state):
                yield after
            return
        det = words(way.children[0]).lower() if way.data == "pick" else ""
        group = next(ways(way.children[1])) if way.data == "pick" else way
        if len([child for child in group.children if child is not None]) != 1:
            return
        if isinstance(expr, ir.Dice) and (expr.count is None or evaluate_constant(expr.count) == 1):
            expr = expr.die
        if det in ("a", "an", "the", "", "all") and self.named(words(group), expr):
            yield state

    def named(self, title: str, expr: ir.Expr) -> bool:
        """Whether words name a definition, a pile, a value or a ground."""
        title = title.lower()
        meanings = self.reader.words.nouns.get(title, set()) | self.reader.words.names.get(title, set())
        meanings |= self.reader.words.columns.get(title, set())
        if isinstance(expr, ir.Dice):
            return (expr.count is None or evaluate_constant(expr.count) == 1) and self.named(title, expr.die)
        if isinstance(expr, ir.Def | ir.Instance):
            return any(expr.id == meaning[-1] for meaning in meanings) or (is_game(expr) and title == "game")
        if isinstance(expr, ir.Const) and expr.label:
            return any(expr.label == meaning[-1] for meaning in meanings)
        return False

    def owned(self, way: Forest, expr: ir.Expr, state: State) -> Iterator[State]:
        parts = [child for child in way.children if child is not None]
        column = next(part for part in parts if any(w.data == "column" for w in ways(part) if isinstance(w, Tree)))
        owner = next(part for part in parts if part is not column)
        meanings = self.reader.words.columns.get(words(next(ways(column))).lower(), set())
        if (isinstance(expr, ir.Get) and ("field", expr.field.id) in meanings) or (
            isinstance(expr, ir.ZoneOf)
            and any(meaning[0] == "zone" and meaning[-1] == expr.zone for meaning in meanings)
        ):
            yield from self.value(owner, expr.of, state)

    def points(self, way: Forest, var: ir.Var, state: State) -> bool:
        """Whether « that enemy » is the value of a slot."""
        point, ordinal, noun = (str(child).strip().lower() if child is not None else "" for child in way.children)
        candidates = [thing for thing in state.met if self.called(thing, noun, var)]
        ordinal = ordinal or (point.removeprefix("the ") if point.startswith("the ") else "")
        if var.slot not in [thing.slot for thing in candidates]:
            met = [thing.slot for thing in state.met]
            return (
                var.slot not in met
                and var.slot > 1
                and not candidates
                and self.names_kind(noun, var.type.name or var.type.base)
            )
        if ordinal in ORDINALS:
            at = ORDINALS.index(ordinal)
            return at < len(candidates) and candidates[at].slot == var.slot
        if ordinal == "chosen":
            return next(thing for thing in candidates if thing.slot == var.slot).chosen
        exact = [thing for thing in candidates if noun in plurals(thing.noun)]
        return (exact or candidates)[-1].slot == var.slot

    def called(self, met: Met, noun: str, var: ir.Var) -> bool:
        if noun in plurals(met.noun) or met.noun.endswith(" " + noun) or met.noun.startswith(noun + " "):
            return True
        return met.slot == var.slot and self.names_kind(noun, var.type.name)

    def names_kind(self, noun: str, kind: str) -> bool:
        """Whether a noun is that of a kind: its own, or that of the nearest one above that has a title."""
        ancestor = self.model.kinds.get(kind)
        meanings = self.reader.words.nouns.get(noun.lower(), set())
        while ancestor is not None:
            if ("kind", ancestor.id) in meanings:
                return True
            if ancestor.name.title.get("en"):
                return False
            ancestor = ancestor.parent
        return ("kind", kind) in meanings

    def select(self, tree: Any, select: ir.Expr, dets: set[str], state: State) -> Iterator[tuple[State, str]]:
        """Yield what is known behind the words for a selection, and its noun."""
        if not isinstance(select, ir.Select):
            return
        filters = conjuncts(select.where)
        source, kind = select.source, select.type.name
        if self.declared(select.noun):
            source = None if isinstance(source, ir.Select) else source
        elif isinstance(source, ir.Apply) and self.is_member(tree, source.form):
            kind, source = "", None
        elif isinstance(source, ir.Select):
            inner = source
            filters = [*(moved(part, inner.it, select.it) for part in conjuncts(inner.where)), *filters]
            source = inner.source
        order = () if select.sorted else select.order
        for after, noun, _ in self.picked(tree, dets, select.noun, kind, filters, [], select.it, state, order, source):
            yield after, noun

    def is_member(self, tree: Any, form: Form) -> bool:
        """Whether a phrase is headed by the noun for one of a measure's list."""
        return any(
            ("member", form.id) in self.reader.words.nouns.get(noun_of(way).lower(), set()) for way in ways(tree)
        )

    def picked(
        self, tree: Any, dets: set[str], noun: str, kind: str, filters: list[ir.Expr], pool: list[ir.Expr], it: int,
        state: State, order: Sequence[ir.Criterion] = (), source: ir.Expr | None = None,
    ) -> Iterator[tuple[State, str, list[ir.Expr]]]:  # fmt: skip
        """Yield the states after a noun with its qualifications, that noun, and the parts of the pool that it
        describes."""
        for way in unwrapped(tree):
            if not isinstance(way, Tree) or way.data not in ("pick", "group"):
                continue
            det = words(way.children[0]).lower() if way.data == "pick" else ""
            other = "other" in det.split() or det == "another"
            plain = {"another": "a", "an": "a", "other": ""}.get(
                det,
                det.removesuffix(" other").replace("an", "a") if det.startswith("an ") else det.removesuffix(" other"),
            )
            if plain not in dets:
                continue
            for group in ways(way.children[1] if way.data == "pick" else way):
                yield from self.grouped(group, other, noun, kind, filters, pool, it, state, order, source)

    def grouped(
        self, group: Forest, other: bool, noun: str, kind: str, filters: list[ir.Expr], pool: list[ir.Expr], it: int,
        state: State, order: Sequence[ir.Criterion], source: ir.Expr | None,
    ) -> Iterator[tuple[State, str, list[ir.Expr]]]:  # fmt: skip
        head = ""
        trees: list[Any] = []
        best: list[Any] = []
        ties: list[Any] = []
        members: list[Any] = []
        for child in group.children:
            if child is None:
                continue
            if isinstance(child, Token):
                head = str(child)
                continue
            one = next(ways(child))
            if one.data in ("most", "fewest"):
                best.append(child)
            elif one.data == "tie":
                ties = list(one.children)
            elif one.data.startswith("superlative"):
                best.append(child)
            elif one.data.startswith("member"):
                members.append(child)
            else:
                trees.append(child)
        if members:
            for after in self.member(members[0], source, state):
                head = noun_of(members[0]) or self.reader.words.of_kind(kind)
                yield from self.filtered(
                    head, list(filters), trees, [*best], ties, other, filters, pool, it, after, order
                )
            return
        left: list[ir.Expr] = list(filters)
        for rest in self.headed(head, noun, kind, [*left, *pool], it):
            if source is not None:
                continue
            yield from self.filtered(head, rest, trees, best, ties, other, filters, pool, it, state, order)

    def member(self, tree: Any, source: ir.Expr | None, state: State) -> Iterator[State]:
        """One of a measure's list, by the words that the measure has for it."""
        for way in ways(tree):
            for template in self.reader.rules.templates.get(way.data, ()):
                if isinstance(source, ir.Apply) and is_form(template.of, source.form):
                    yield from self.arguments(way, template, source.form.params, source.args, state)

    def filtered(
        self, head: str, rest: list[ir.Expr], trees: list[Any], best: list[Any], ties: list[Any], other: bool,
        filters: list[ir.Expr], pool: list[ir.Expr], it: int, state: State, order: Sequence[ir.Criterion],
    ) -> Iterator[tuple[State, str, list[ir.Expr]]]:  # fmt: skip
        """Match the qualifications of a noun with the filters that its word does not contain."""
        headed = [p for p in pool if not any(p is q for q in rest)]
        parts, rest = rest, [p for p in rest if not any(p is q for q in pool)]
        if other:
            without = next((p for p in parts if excluded(p, it) >= 0), None)
            if without is None:
                return
            parts = [p for p in parts if p is not without]
            dropped = [without]
        else:
            dropped = []
        for after, remaining, ranks in self.qualified(trees, parts, it, state, []):
            if any(p is q for p in remaining for q in rest if not silent(p)):
                continue
            used = [p for p in pool if not any(p is q for q in remaining)]
            criteria = [*best, *ranks, *ties]
            if len(criteria) != len(order):
                continue
            if all(self.criterion(c, o, it, after) for c, o in zip(criteria, order, strict=True)):
                yield after, head, [*used, *dropped, *headed] if pool else []

    def headed(self, head: str, noun: str, kind: str, filters: list[ir.Expr], it: int) -> Iterator[list[ir.Expr]]:
        """Yield the filters that a noun does not contain."""
        meanings = self.reader.words.nouns.get(head.lower(), set())
        if self.declared(noun):
            if ("noun", noun) in meanings:
                yield filters
            return
        if self.names_kind(head, kind) or (not kind and any(meaning[0] == "member" for meaning in meanings)):
            yield filters
        for part in filters:
            rest = [filter for filter in filters if filter is not part]
            if isinstance(part, ir.Apply) and slot_is(part.args[0], it) and len(part.args) > 1:
                what = part.args[1]
                label = getattr(what, "label", "")
                if part.form.op in ("marked", "terrain-is", "bears") and any(
                    meaning[0] in ("mark", "terrain", "barrier") and meaning[1] == label for meaning in meanings
                ):
                    yield rest
            if (
                isinstance(part, ir.Binary)
                and part.op == "="
                and slot_is(part.left, it)
                and self.named(head, part.right)
            ):
                yield rest
            if (
                isinstance(part, ir.Binary)
                and part.op == "="
                and isinstance(part.right, ir.Def)
                and isinstance(part.left, ir.Get)
                and ("definition", part.right.kind, part.right.id) in meanings
            ):
                yield rest

    def qualified(
        self, trees: list[Any], parts: list[ir.Expr], it: int, state: State, ranks: list[Any]
    ) -> Iterator[tuple[State, list[ir.Expr], list[Any]]]:
        """Yield the ways to take each qualification as one of the filters."""
        if not trees:
            yield state, parts, ranks
            return
        for tree in ways(trees[0]):
            if tree.data == "best_of":
                yield from self.qualified(trees[1:], parts, it, state, [*ranks, tree.children[0]])
                continue
            if tree.data == "lacking":

                def lacks(child: Any, part: ir.Expr, after: State) -> Iterator[State]:
                    if self.lacks(child, part, after):
                        yield after

                for after, left in self.assign(list(tree.children), parts, lacks, state):
                    yield from self.qualified(trees[1:], left, it, after, ranks)
            for part in parts:
                for after in self.qualifies(tree, part, it, state):
                    left = [item for item in parts if item is not part]
                    yield from self.qualified(trees[1:], left, it, after, ranks)

    def lacks(self, tree: Any, part: ir.Expr, state: State) -> bool:
        noun = ""
        for way in unwrapped(tree):
            noun = noun_of(way).lower()
        meanings = self.reader.words.nouns.get(noun, set())
        flag = flag_of(part, False)
        if flag is not None and not flag[2] and (("token", flag[1]) in meanings or ("field", flag[1]) in meanings):
            return True
        if isinstance(part, ir.Not) and isinstance(part.operand, ir.Apply):
            label = getattr(part.operand.args[-1], "label", "")
            return part.operand.form.op in ("terrain-is", "bears") and any(meaning[-1] == label for meaning in meanings)
        return False

    def qualifies(self, tree: Any, part: ir.Expr, it: int, state: State) -> Iterator[State]:
        """Yield the states in which a qualification describes that filter of the candidate."""
        denied, bare = False, part
        while isinstance(bare, ir.Not):
            bare, denied = bare.operand, not denied
        match tree.data:
            case "adjective" | "non":
                subject = about_of(bare)
                if isinstance(subject, ir.Get) and subject.field.id == "place":
                    subject = subject.of
                if subject is None or slot_is(subject, it):
                    for way in ways(tree):
                        yield from self.adjective(way, bare, denied, state)
            case "qualifier":
                for way in ways(tree.children[0]):
                    yield from self.candidate(way, bare, it, denied, state)
            case "not_":
                for way in ways(tree.children[0]):
                    yield from self.candidate(way, bare, it, not denied, state)
            case "clause":
                for way in ways(tree.children[0]):
                    for template in self.reader.rules.templates.get(way.data, ()):
                        if (
                            isinstance(bare, ir.Apply)
                            and is_form(template.of, bare.form)
                            and template.denied == denied
                            and slot_is(bare.args[0], it)
                        ):
                            first = bare.form.params[0].name
                            short = Template(template.sort, template.of, template.text, template.slots, denied)
                            yield from self.arguments(way, short, bare.form.params, bare.args, state, first)
            case "bearing" | "not_bearing":
                flag = flag_of(bare, denied)
                column = str(tree.children[-1]).lower()
                if (
                    flag is not None
                    and flag[2] == (tree.data == "bearing")
                    and slot_is(about_of(bare), it)
                    and ("field", flag[1]) in self.reader.words.columns.get(column, set())
                ):
                    yield state
            case "with_count":
                left, op, value = compared(bare, denied, state, self)
                if isinstance(left, ir.Get) and slot_is(left.of, it):
                    comparison, number = COUNTED[words(tree.children[0])], words(tree.children[1])
                    column = str(tree.children[2]).lower()
                    if number.isdigit() and ("field", left.field.id) in self.reader.words.columns.get(column, set()):
                        wanted = (">=", int(number) + 1) if comparison == ">" else (comparison, int(number))
                        if wanted == (op, value):
                            yield state
            case "that_is" | "that_is_not":
                wanted_denied = tree.data == "that_is_not"
                if (
                    isinstance(bare, ir.IsA)
                    and slot_is(bare.of, it)
                    and denied == wanted_denied
                    and self.names_kind(words(tree), bare.kind)
                ):
                    yield state
            case "other_than":
                if (
                    isinstance(bare, ir.Binary)
                    and (bare.op == "!=") != denied
                    and bare.op in ("=", "!=")
                    and (slot_is(bare.left, it) or (isinstance(bare.left, ir.Get) and slot_is(bare.left.of, it)))
                ):
                    yield from self.value(tree.children[0], bare.right, state)
            case "from_":
                piles = linked(bare) if isinstance(bare, ir.Binary) and bare.op == "or" else [bare]
                if len(piles) == len(tree.children) and not denied:
                    states = [state]
                    for child, pile in zip(tree.children, piles, strict=True):
                        if not (isinstance(pile, ir.Apply) and pile.form.op in ("in-zone", "in-region")):
                            return
                        states = [a for b in states for a in self.value(child, pile.args[1], b)]
                    yield from states

    def candidate(self, way: Any, bare: ir.Expr, it: int, denied: bool, state: State) -> Iterator[State]:
        if isinstance(bare, ir.Apply) and bare.args and bare.args[0] is not None:
            subject = bare.args[0]
            of = subject.of if isinstance(subject, ir.Get) and subject.field.id == "place" else subject
            if slot_is(of, it):
                yield from self.quality(way, bare, denied, state)

    def criterion(self, tree: Any, criterion: ir.Criterion, it: int, state: State) -> bool:
        for way in ways(tree):
            if way.data == "criterion":
                if self.criterion(way.children[0], criterion, it, state):
                    return True
                continue
            if way.data in ("most", "fewest"):
                key = criterion.key
                column = words(way).lower()
                if (
                    isinstance(key, ir.Get)
                    and slot_is(key.of, it)
                    and criterion.most == (way.data == "most")
                    and ("field", key.field.id) in self.reader.words.columns.get(column, set())
                ):
                    return True
                continue
            for template in self.reader.rules.templates.get(way.data, ()):
                key = criterion.key
                if not isinstance(key, ir.Apply) or not is_form(template.of, key.form):
                    continue
                forms = template.text.split(" / ")
                if template.part != (2 if criterion.most else 1) or forms[1:].count(forms[template.part]) > 1:
                    continue
                names = [p.name for p, a in zip(key.form.params, key.args, strict=True) if slot_is(a, it)]
                for _ in self.arguments(way, template, key.form.params, key.args, state, names[0] if names else ""):
                    return True
        return False


def unwrapped(tree: Any) -> Iterator[Any]:
    """Yield the readings of a phrase without the nodes that only hold one."""
    for way in ways(tree):
        wrapper = isinstance(way, Tree) and way.data in (
            "np",
            "argument",
            "value",
            "named",
            "amount",
            "owner",
            "inside",
            "simple",
            "quotation",
        )
        if wrapper and len(way.children) == 1:
            yield from unwrapped(way.children[0])
        else:
            yield way


def lists(tree: Any) -> Iterator[Forest]:
    for way in unwrapped(tree):
        if isinstance(way, Tree) and way.data == "list":
            yield way


def noun_of(way: Any) -> str:
    if isinstance(way, Token):
        return str(way)
    subtrees = list(way.iter_subtrees_topdown())
    for tree in subtrees:
        for child in tree.children:
            if isinstance(child, Token) and child.type in ("NOUN", "COLUMN", "NAME", "QUOTED"):
                return str(child)
    return ""


def as_change(assignment: ir.Assign) -> ir.Assign:
    """Return `x becomes x + 2` as `x + 2`, and `x becomes x - 2` as `x + -2`."""
    value = assignment.value
    if (
        assignment.op != "="
        or not isinstance(value, ir.Binary)
        or value.op not in "+-"
        or not same(value.left, assignment.target)
    ):
        return assignment
    if value.op == "+":
        return replace(assignment, op="+", value=value.right)
    number = evaluate_constant(value.right)
    return (
        assignment
        if number is None
        else replace(assignment, op="+", value=ir.Const(-number, ir.NUMBER, assignment.span))
    )


def unsaid(form: Form) -> bool:
    """Whether a form goes without saying."""
    texts = [text for text in form.texts if text.language == "en"]
    return bool(texts) and not any(text.template for text in texts)


def silent(expr: ir.Expr) -> bool:
    """Whether a condition goes without saying: its author gave it no words, or it asks whether something is in play."""
    while isinstance(expr, ir.Not):
        expr = expr.operand
    return isinstance(expr, ir.Apply) and (unsaid(expr.form) or expr.form.op == "on-board")


def is_form(one: Any, other: Any) -> bool:
    """Whether two declarations are the same, perhaps read twice."""
    return one is other or (type(one) is type(other) and one.id == other.id and one.span == other.span)


def is_game(expr: Any) -> bool:
    return isinstance(expr, ir.Instance) and expr.kind == "game"


def slot_is(expr: Any, slot: int) -> bool:
    return isinstance(expr, ir.Var) and expr.slot == slot


def moved(expr: ir.Expr, slot: int, to: int) -> ir.Expr:
    return expr if slot == to else ir.substitute(expr, ir.Substitution(slots=ir.Renamed({slot: to})))


def linked(expr: ir.Binary) -> list[ir.Expr]:
    return [
        part
        for side in (expr.left, expr.right)
        for part in (linked(side) if isinstance(side, ir.Binary) and side.op == expr.op else [side])
    ]


def conjunction(conditions: Sequence[ir.Expr]) -> ir.Expr:
    made = conditions[0]
    for condition in conditions[1:]:
        made = ir.Binary("and", made, condition, ir.FLAG, condition.span)
    return made


def excluded(expr: ir.Expr, it: int) -> int:
    op = "!="
    if isinstance(expr, ir.Not):
        expr, op = expr.operand, "="
    if isinstance(expr, ir.Binary) and expr.op == op and slot_is(expr.left, it) and isinstance(expr.right, ir.Var):
        return expr.right.slot
    return -1


def about_of(expr: ir.Expr | None) -> ir.Expr | None:
    """Return the subject of a condition's clause."""
    match expr:
        case ir.Not():
            return about_of(expr.operand)
        case ir.Binary() if expr.op in OPPOSITE:
            return expr.left.of if isinstance(expr.left, ir.Get) else None
        case ir.Apply():
            return expr.args[0] if expr.args else None
        case ir.Get() | ir.IsA():
            return expr.of
    return None


def flag_of(expr: ir.Expr, denied: bool) -> tuple[str, str, bool] | None:
    """Return the status, token or flag for which a condition asks, and whether it must be there."""
    while isinstance(expr, ir.Not):
        expr, denied = expr.operand, not denied
    if isinstance(expr, ir.Get) and expr.owner is None:
        return "field", expr.field.id, not denied
    if isinstance(expr, ir.Binary) and expr.op in OPPOSITE and isinstance(expr.left, ir.Get):
        op, value = OPPOSITE[expr.op] if denied else expr.op, evaluate_constant(expr.right)
        if expr.left.owner is not None or value is None:
            return None
        if expr.left.field.type.base == "flag" and op in ("=", "!="):
            return "field", expr.left.field.id, (op == "=") == bool(value)
        if expr.left.field.sort in ("status", "token"):
            present = {("=", 0): False, ("<=", 0): False, ("<", 1): False, ("!=", 0): True, (">=", 1): True,
                       (">", 0): True}.get((op, value))  # fmt: skip
            if present is not None:
                return "field", expr.left.field.id, present
    return None


def presence(expr: ir.Expr, denied: bool) -> tuple[bool, ir.Expr] | None:
    """Return whether something must be there, and what."""
    match expr:
        case ir.Quantified(quantifier="any" | "no", test=None):
            return (expr.quantifier == "any") != denied, expr.select
        case ir.Select():
            return not denied, expr
    return None


def compared(expr: ir.Expr, denied: bool, state: State, matcher: Matcher) -> tuple[Any, str, int | None]:
    """Return what is compared, how, and with which number."""
    while isinstance(expr, ir.Not):
        expr, denied = expr.operand, not denied
    if not (isinstance(expr, ir.Binary) and expr.op in OPPOSITE):
        return None, "", None
    op = OPPOSITE[expr.op] if denied else expr.op
    left, right = matcher.meant(expr.left, state), matcher.meant(expr.right, state)
    if evaluate_constant(left) is not None and evaluate_constant(right) is None:
        left, right, op = right, left, MIRRORED[op]
    value = evaluate_constant(right)
    if op == ">" and value is not None:
        return left, ">=", value + 1
    return left, op, value
