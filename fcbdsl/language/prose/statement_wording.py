"""Wording of statements: each by itself, or several in one clause."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, takewhile

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import same
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.prose.branch_wording import BranchWording
from fcbdsl.language.prose.clauses import SpokenClause
from fcbdsl.language.prose.equality import other_argument, places_of
from fcbdsl.language.prose.filters import conjunction
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.rules_text import join_with_last
from fcbdsl.language.prose.statement_patterns import effect_key
from fcbdsl.language.prose.text_templates import fill_template, lower_first_letter, mark_keyword, slot_names


class Statements(BranchWording):
    """Words statements in order."""

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
        if statement.ending is not None:
            text = self.say("end as", text=text, ending=self.ending(statement.ending))
        why = self.authored(statement.why, statement.span).rstrip(".")
        return f"{text}. {why}" if why else text

    def until(self, statement: ir.Until) -> SpokenClause:
        """Return the clauses of a lasting effect."""
        raise NotImplementedError

    def announced(self, statement: ir.Announce) -> str:
        """Return an announced event as a clause."""
        raise NotImplementedError

    def cancelled(self) -> str:
        """Return the clause that cancels the current event."""
        raise NotImplementedError

    # ── several statements in one clause ─────────────────────────────────────

    def next_with_words(self, statements: Sequence[ir.Stmt]) -> ir.Stmt | None:
        """Return the first statement that prints something; None if there is none. For a `then`, this is the first
        statement that it tries."""
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

    def note_place(self, statement: ir.Stmt) -> None:
        """Note what a statement takes from play, or puts back."""
        what = statement.args[0] if isinstance(statement, ir.Do) and statement.args else None
        if what is None or not isinstance(statement, ir.Do):
            return
        if statement.form.op == "remove":
            self.gone = (*self.gone, what)
        elif statement.form.op == "place":
            self.gone = tuple([removed for removed in self.gone if not same(removed, what)])

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
        if len(pieces) < 2:
            return pieces
        clauses: list[SpokenClause] = []
        begins = [0, *ends][: len(pieces)]
        trees = [(piece, effect_key(statements, *each)) for piece, *each in zip(pieces, begins, ends, strict=True)]
        for (piece, _), same_ones in groupby(trees):
            times = len(list(same_ones))
            if times == 1:
                clauses.append(piece)
            else:
                clauses.append(self.led("repeat twice" if times == 2 else "repeat", [piece], times=self.number(times)))
        return clauses

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

    def settled(self, expr: ir.Expr | None) -> bool:
        """Return whether an expression gives the same value for statements in a row: no choice and no search."""
        if isinstance(expr, ir.Select):
            return self.only(expr)
        return expr is None or isinstance(expr, ir.Const | ir.Def | ir.Instance | ir.Var)

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
