"""Wording of statements: clauses in a row, and lists for branches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise, takewhile
from typing import TypeVar

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import conjuncts, same
from fcbdsl.language.model.ir.operators import evaluate_constant, reads_slot
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.prose.antecedents import Referent
from fcbdsl.language.prose.changing import Dependence
from fcbdsl.language.prose.conditions import COUNTERS, Conditions
from fcbdsl.language.prose.equality import as_change, as_loss, other_argument, places_of
from fcbdsl.language.prose.filters import conjunction, exclusion_slot, is_game, is_slot
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import BOLD, LIGHT, join_with_last, mark_bold
from fcbdsl.language.prose.statement_patterns import doubling_key, effect_key, is_optional, join_nested_ifs
from fcbdsl.language.prose.titles import without_agreement
from fcbdsl.language.prose.value_wording import fill_template, lower_first_letter, mark_keyword, slot_names, slot_order

_Read = TypeVar("_Read", ir.Body, Sequence[ir.Stmt])

LONG = 8
"""Most words of a choice in the middle of a sentence."""
CONDITIONAL = ("if", "if chosen", "if chosen by", "if declined", "if declined by", "otherwise", "done",
               "done if willing")  # fmt: skip
"""Leads to which an « otherwise » in their content could seem to belong."""


@dataclass(frozen=True, slots=True)
class SpokenClause:
    """A clause (`items` empty) or the lead of a list; an item is its own pieces."""

    text: str
    items: tuple[tuple[SpokenClause, ...], ...] = ()
    third_person: bool = False  # the action of a third person, not an instruction
    contrary: bool = False  # it begins with « otherwise », about the condition before it
    governs: bool = False  # it has a lead, to which later words of the sentence could seem to belong
    willing: bool = False  # it is optional


class Statements(Conditions):
    """Words statements. The base classes word values and conditions."""

    ahead: Sequence[ir.Stmt] = ()  # the statements of the same body that have not been read
    left: str = ""  # the template for leaving the loop whose body is being read; empty outside of loops

    def body(self, statements: Sequence[ir.Stmt]) -> list[SpokenClause]:
        """Read statements in order."""
        outer, gone = self.ahead, self.gone
        pieces = self.in_order(statements)
        self.ahead, self.gone = outer, gone
        return pieces

    def in_order(self, statements: Sequence[ir.Stmt]) -> list[SpokenClause]:
        """Read the statements of a body one by one, or several at once."""
        pieces: list[SpokenClause] = []
        ends: list[int] = []  # per piece, the index after its last statement
        done = 0
        for at, statement in enumerate(statements):
            ends += [at] * (len(pieces) - len(ends))
            if at < done:
                continue
            following = self.next_with_words(statements[at + 1 :])
            self.ahead = statements[at + 1 :]
            self.naming.at = statement.span
            alike = self.alike(statements[at:])
            required = list(takewhile(lambda statement: isinstance(statement, ir.Require), statements[at:]))
            if len(required) > 1:
                done = at + len(required)
                asked = conjunction(
                    [statement.condition for statement in required if isinstance(statement, ir.Require)]
                )
                condition = self.condition(asked)
                pieces += [SpokenClause(self.say("require", condition=condition))] if condition else []
            elif (sisters := self.sisters(statements[at:])) is not None:
                done, text = at + sisters[0], sisters[1]
                pieces.append(SpokenClause(self.explained(text)))
            elif alike:
                done = at + len(alike)
                pieces.append(SpokenClause(self.explained(self.together(alike))))
            elif isinstance(statement, ir.If) and at:
                pieces += self.branch(statement, statements[at - 1])
            else:
                wording = self.statement(statement, following)
                both = self.chosen_together(statements[at - 1], statement, pieces, wording) if at else None
                if both is not None:
                    pieces[-1] = both
                    ends[-1] = at + 1
                else:
                    pieces += wording
            self.note_place(statement)
            pieces = [piece for piece in pieces if piece.text or piece.items]
        ends += [len(statements)] * (len(pieces) - len(ends))
        return self.repeated(pieces, ends, statements)

    def note_place(self, statement: ir.Stmt) -> None:
        """Note what a statement takes from play, or puts back."""
        what = statement.args[0] if isinstance(statement, ir.Do) and statement.args else None
        if what is None or not isinstance(statement, ir.Do):
            return
        if statement.form.op == "remove":
            self.gone = (*self.gone, what)
        elif statement.form.op == "place":
            self.gone = tuple([removed for removed in self.gone if not same(removed, what)])

    def next_with_words(self, statements: Sequence[ir.Stmt]) -> ir.Stmt | None:
        """Return the first statement that prints something: the first tried one of a `then`; None if there is none."""
        for statement in statements:
            if isinstance(statement, ir.Then):
                return self.next_with_words(statement.tried.statements)
            if not self.wordless(statement):
                return statement
        return None

    def wordless(self, statement: ir.Stmt) -> bool:
        """Return whether the author left the text of a statement empty, so that it prints nothing."""
        if not isinstance(statement, ir.Do):
            return False
        text = self.wording(statement.form.texts, statement.form, statement.args)
        return text is not None and not text.template

    def chosen_together(
        self, before: ir.Stmt, statement: ir.Stmt, pieces: list[SpokenClause], wording: list[SpokenClause]
    ) -> SpokenClause | None:
        """Return two successive choices of a third person in one clause; None if they are not such."""
        if not (isinstance(before, ir.Choose) and isinstance(statement, ir.Choose)) or len(wording) != 1 or not pieces:
            return None
        if before.by is None or statement.by is None or not same(before.by, statement.by):
            return None
        frame = self.say_by("choose", statement.by, options="\0").partition("\0")
        ends = [piece.text for piece in (pieces[-1], wording[0]) if not piece.items]
        if len(ends) < 2 or not all(text.startswith(frame[0]) and text.endswith(frame[2]) for text in ends):
            return None
        one, other = (text[len(frame[0]) : len(text) - len(frame[2])] for text in ends)
        return SpokenClause(f"{frame[0]}{one}{self.language.words['and']}{other}{frame[2]}", third_person=True)

    def repeated(
        self, pieces: list[SpokenClause], ends: Sequence[int], statements: Sequence[ir.Stmt]
    ) -> list[SpokenClause]:
        """Return equal clauses in a row as one with a count.

        They must have the same words and come from equal trees. `ends`: the index after the last of the `statements` of
        each.
        """
        made: list[SpokenClause] = []
        begins = [0, *ends][: len(pieces)]
        trees = [(piece, effect_key(statements, *each)) for piece, *each in zip(pieces, begins, ends, strict=True)]
        for (piece, _), same_ones in groupby(trees):
            times = len(list(same_ones))
            if times == 1:
                made.append(piece)
            else:
                made.append(self.led("repeat twice" if times == 2 else "repeat", [piece], times=self.number(times)))
        return made

    def alike(self, statements: Sequence[ir.Stmt]) -> list[ir.Do]:
        """Return the leading statements that one sentence can cover, because they differ in one argument only.

        That argument must be a plain name, and the statements must not choose or search again.
        """
        calls: list[ir.Do] = []
        differing = -1
        for statement in statements:
            if not isinstance(statement, ir.Do):
                break
            if not calls:
                calls.append(statement)
                continue
            at = other_argument(calls[0], statement, self.settled)
            if at < 0 or differing not in {-1, at}:
                break
            differing = at
            calls.append(statement)
        return calls if len(calls) > 1 and self.joinable(calls, differing) else []

    def sisters(self, statements: Sequence[ir.Stmt]) -> tuple[int, str] | None:
        """Return the number of leading keywords that share a wording except for the word in bold, with the joint
        wording.

        For example, ``the *A* and *B* rules apply``. None if there are fewer than two.
        """
        grants: list[tuple[str, str, str]] = []
        for statement in statements:
            if not isinstance(statement, ir.Do) or statement.form.sort != "keyword" or statement.form.params:
                break
            text = self.wording(statement.form.texts, statement.form, ())
            parts = text.template.split("*") if text is not None else []
            if len(parts) != 3 or "{" in parts[0] + parts[2] or (grants and (parts[0], parts[2]) != grants[0][::2]):
                break
            grants.append((parts[0], parts[1], parts[2]))
        if len({word for _, word, _ in grants}) < 2:
            return None
        words = self.language.words
        named = join_with_last([f"*{word}*" for _, word, _ in grants], words["comma"], words["and"])
        return len(grants), fill_template(
            lower_first_letter(mark_keyword(f"{grants[0][0]}{named}{grants[0][2]}")), {}, self.language
        )

    def settled(self, expr: ir.Expr | None) -> bool:
        """Return whether an expression gives the same value for statements in a row: no choice and no search."""
        if isinstance(expr, ir.Select):
            return self.only(expr)
        return expr is None or isinstance(expr, ir.Const | ir.Def | ir.Instance | ir.Var)

    def joinable(self, statements: Sequence[ir.Do], differing: int) -> bool:
        """Return whether one wording fits all statements, with one place for the argument that differs."""
        form = statements[0].form
        texts = [self.wording(form.texts, form, statement.args) for statement in statements]
        text = texts[0]
        return (
            text is not None
            and all(other is not None and other.template == text.template for other in texts)
            and len(places_of(text.template, form.params[differing].name)) == 1
            and form.params[differing].name in slot_names(text.template)
        )

    def together(self, statements: Sequence[ir.Do]) -> str:
        """Return one sentence for statements that differ in one argument: ``gain A, B and C``."""
        first = statements[0]
        form, differing = first.form, max(other_argument(first, other, self.settled) for other in statements[1:])
        param = form.params[differing].name
        text = self.wording(form.texts, form, first.args)
        assert text is not None
        template = lower_first_letter(mark_keyword(text.template) if form.sort == "keyword" else text.template).split(
            " / "
        )[0]
        (place,) = places_of(template, param)
        slots = self.slots(form, first.args)
        names = []
        for statement in statements:  # a determiner that agrees is repeated: votre arme et votre carte
            phrase = self.slots(form, statement.args)[place["name"]]()
            own = fill_template(place["own"] or "", {"subject": lambda phrase=phrase: phrase}, self.language)  # type: ignore[misc]
            names.append(f"{own} {place['open'] or ''}{phrase.text}{place['close'] or ''}".strip())
        words = self.language.words
        whole = NounPhrase(join_with_last(names, words["comma"], words["and"]), plural=True)
        slots[place["name"]] = slots["subject"] = lambda: whole
        for other, arg in zip(form.params, first.args, strict=True):
            if form.op == "clear-counter" and other.name != param and (several := self.tokens(arg)) is not None:
                slots[other.name] = lambda several=several: several  # type: ignore[misc]
        template = template[: place.start()] + "{" + place["name"] + "}" + template[place.end() :]
        return fill_template(template, slots, self.language)

    def statement(self, statement: ir.Stmt, following: ir.Stmt | None) -> list[SpokenClause]:
        """Read one statement; `following` may introduce what this one chooses."""
        match statement:
            case ir.Choose():
                return self.choose(statement, following)
            case ir.ChooseOne():
                return [self.choose_one(statement)]
            case ir.If():
                return self.branch(statement)
            case ir.Then():
                return self.then(statement)
            case ir.AnyOrder():
                return [self.any_order(statement)]
            case ir.ForEach():
                return [self.for_each(statement)]
            case ir.Repeat():
                key, times = "repeat", NounPhrase("")
                if statement.times is None:
                    key = "repeat for ever"
                elif evaluate_constant(statement.times) == 2:
                    key = "repeat twice"
                else:
                    times = self.amount(statement.times)
                return [self.led(key, self.in_loop("break", self.in_branch, statement.body), times=times)]
            case ir.Roll():
                return [self.roll(statement)]
            case ir.Play():
                return [self.play(statement)]
            case ir.Until():
                return [self.until(statement)]
            case ir.Let():
                return self.let(statement)
            case _:
                text = self.simple(statement)  # an empty text needs no words
                return [SpokenClause(self.explained(text))] if text else []

    def simple(self, statement: ir.Stmt) -> str:
        """Return the clause of a simple statement."""
        match statement:
            case ir.Do():
                return self.worded(statement.form, statement.args)
            case ir.Assign():
                return self.assign(statement)
            case ir.Announce():
                return self.announced(statement)
            case ir.Require():
                condition = self.condition(statement.condition)
                return self.say("require", condition=condition) if condition else ""
            case ir.Nothing():
                return self.say("nothing")
            case ir.Stop():
                return self.say("stop all" if self.left else "stop")
            case ir.Break():
                return self.say(self.left or "break")
            case ir.Cancel():
                return self.cancelled()
            case ir.Answer():
                return self.say("answer", value=self.value(statement.value))
            case ir.Offer():
                key = "offer once" if statement.once else "offer"
                text = self.say_by(key, statement.by, actors=self.value(statement.actors, many=True))
                if statement.free is None:
                    return text
                return self.say("offer free", then=text, condition=self.said_condition(statement.free))
            case ir.End():
                return self.end(statement)
        raise AssertionError(f"no wording for {type(statement).__name__}")

    def end(self, statement: ir.End) -> str:
        """Return the clause for the end of the game, with the author's text."""
        key = f"{statement.outcome} game"
        if statement.side is not None and f"{key} side" in self.language.words:
            text = self.say(f"{key} side", side=self.value(statement.side, many=statement.side.type.many))
        else:
            text = self.say(key)
        why = self.authored(statement.why, statement.span).rstrip(".")
        return f"{text}. {why}" if why else text

    def announced(self, statement: ir.Announce) -> str:
        """Return an announced event as a clause."""
        raise NotImplementedError

    def cancelled(self) -> str:
        """Return the clause that cancels the current event."""
        raise NotImplementedError

    # ── choices ──────────────────────────────────────────────────────────────

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

    def say_by(self, key: str, by: ir.Expr | None, **slots: NounPhrase | str) -> str:
        """Return a filled template of the language. If the chooser is not the reader, use the variant that names the
        chooser."""
        who = self.value(by) if by is not None else None
        if who is None or who.person == 2:
            return self.say_with(key, slots)
        return self.say_with(f"{key} by", {"by": who, **slots})

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

    def authored(self, texts: Mapping[str, str], span: Span) -> str:
        """Return an author's own words in the language; empty if there are none in any."""
        words = texts.get(self.language.code, "")
        if not words and texts.get(REFERENCE):
            line = f'`, {self.language.code} "…"` behind `"{texts[REFERENCE]}"`'
            words = self.naming.missing(texts[REFERENCE], span, texts[REFERENCE], line)
        return mark_bold(words)

    def names_verb(self, label: str, pieces: list[SpokenClause]) -> bool:
        """Return whether a label only repeats the verb of its clause: « move: move 2 »."""
        if len(pieces) != 1 or pieces[0].items:
            return not label
        plain = pieces[0].text.replace(BOLD, "").replace(LIGHT, "")
        verb = self.language.impersonal(plain).casefold()
        return not label or f"{verb} ".startswith(f"{label.casefold()} ")

    def at_will(self, pieces: list[SpokenClause], by: ir.Expr | None) -> SpokenClause:
        """Return the wording of something optional."""
        if not pieces:
            return SpokenClause("")
        flat = self.flat(pieces)
        nested = len(pieces) > 1 and any(piece.willing for piece in pieces)  # « you may …; you may … » is two options
        if flat is None or nested or runs_together(pieces):
            return SpokenClause(self.say_by("may block", by), tuple((piece,) for piece in pieces))
        offer = self.language.optional(flat) if by is None else ""
        return SpokenClause(offer or self.say_by("may", by, then=flat), willing=True)

    # ── branches and loops ───────────────────────────────────────────────────

    def in_branch(self, body: ir.Body) -> list[SpokenClause]:
        """Read a branch: what it introduces is forgotten after it."""
        outer = self.scope.fork()
        pieces = self.governed(body.statements)
        outer.unknowns = self.scope.unknowns
        self.scope = outer
        return pieces

    def governed(self, statements: Sequence[ir.Stmt]) -> list[SpokenClause]:
        """Return the clauses after a lead such as “if”; unknown values of the lead are not explained again."""
        held, unknowns = self.scope.held, self.scope.unknowns
        self.scope.held, self.scope.unknowns = [*held, *unknowns], []
        pieces = self.body(statements)
        self.scope.held, self.scope.unknowns = held, [*unknowns, *self.scope.unknowns]
        return pieces

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

    def in_loop(self, left: str, read: Callable[[_Read], list[SpokenClause]], body: _Read) -> list[SpokenClause]:
        """Read the body of a loop, which a `break` leaves by that template."""
        outer, self.left = self.left, left
        pieces = read(body)
        self.left = outer
        return pieces

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

    def ended(self, row: ir.PlayRow) -> NounPhrase:
        """Return the result of a mission."""
        if row.team is None:
            return NounPhrase(self.language.words[row.end])
        return NounPhrase(self.say("won by", team=self.value(row.team)))

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

    def nothing_happens(self) -> list[SpokenClause]:
        """Return the clause of an effect without words."""
        return [SpokenClause(self.say("nothing happens"))]

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

    def until(self, statement: ir.Until) -> SpokenClause:
        """Return the clauses of a lasting effect."""
        raise NotImplementedError

    # ── values that change ───────────────────────────────────────────────────

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

    def set_to(self, value: ir.Expr) -> NounPhrase:
        """Return the number to which something is set: a stat or a named number directly, another one as X."""
        return self.value(value) if isinstance(value, ir.Get | ir.Var) else self.amount(value)

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

    def turned(self, statement: ir.Assign, owner: NounPhrase) -> str:
        """Return the gain of a status that is an adjective, with its count unless it is one."""
        title = self.naming.field(statement.target.field).one
        status = fill_template(title, {"subject": lambda: owner}, self.language)
        whose = self.whose(statement.target)
        if evaluate_constant(statement.value) == 1:
            return self.say("gain status", subject=owner, status=status, whose=whose)
        key = "gain status more" if statement.op == "+" else "gain status times"
        return self.say(key, subject=owner, status=status, count=self.amount(statement.value), whose=whose)

    # ── joining ──────────────────────────────────────────────────────────────

    def explained(self, clause: str) -> str:
        """Return a clause with the explanations of its X and Y."""
        unknowns, self.scope.unknowns = self.scope.unknowns, []
        clause = self.language.impersonal(clause) if self.impersonal else clause
        for letter, meaning in unknowns:
            clause = self.say("where", clause=clause, letter=letter, meaning=meaning)
        return clause

    def flat(self, pieces: Sequence[SpokenClause]) -> str | None:
        """Return pieces as one clause, or None if they contain a list."""
        if any(piece.items for piece in pieces):
            return None
        clauses = [piece.text for piece in pieces]
        words = self.language.words
        if any(piece.third_person for piece in pieces) or any(", " in clause or ":" in clause for clause in clauses):
            return words["semicolon"].join(clauses)
        return join_with_last(clauses, words["comma"], words["then"])

    def led(self, key: str, pieces: Sequence[SpokenClause], **slots: NounPhrase) -> SpokenClause:
        """Return a lead with its content: in one clause if that is short enough, else as a list.

        The lead of content without words has no words, either.
        """
        if not pieces:
            self.scope.unknowns = []
            return SpokenClause("")
        flat = self.flat(pieces)
        unclear = key in CONDITIONAL and any(piece.contrary for piece in pieces)  # which condition would it negate?
        unclear = unclear or runs_together(pieces)
        unclear = unclear or (len(pieces) > 1 and bool(self.scope.unknowns))  # the lead's own X is explained there
        if flat is not None and len(pieces) <= 3 and not unclear:
            return SpokenClause(self.explained(self.say_with(key, {"then": flat, **slots})), governs=True)
        lead = self.say_with(f"{key} block", slots)
        text = lead.rstrip(":").rstrip()
        lead = self.explained(text) + lead[len(text) :]
        return SpokenClause(lead, tuple((piece,) for piece in pieces))


def runs_together(pieces: Sequence[SpokenClause]) -> bool:
    """Return whether a clause could seem to belong to the lead of the previous one in the same sentence."""
    return any(one.governs and not other.contrary for one, other in pairwise(pieces))
