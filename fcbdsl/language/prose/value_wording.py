"""Wording of values: things, numbers and selections as phrases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace

from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, TEAM
from fcbdsl.language.model.content import Cell, Definition
from fcbdsl.language.model.declarations import Form, Param, Wording, Zone
from fcbdsl.language.model.ir import conjuncts, same
from fcbdsl.language.model.ir.operators import evaluate_constant, holds, reads_slot
from fcbdsl.language.model.resolve.vocabulary import COORDINATE
from fcbdsl.language.prose.antecedents import Discourse, Referent
from fcbdsl.language.prose.filters import is_game, is_slot, names_mark, zone_of
from fcbdsl.language.prose.language import Language
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import BOLD, LIGHT, author_paragraphs, join_with_last
from fcbdsl.language.prose.text_templates import (
    TACIT,
    fill_template,
    lower_first_letter,
    mark_keyword,
    slot_names,
    unknown_slots,
)
from fcbdsl.language.prose.titles import GAP, Naming, without_agreement

BRACKETS = ("mission", "campaign", "ending")
"""Kinds with one instance per game."""
READER = -2
"""The value of the reader, and of `self` if it is the reader, in the condition of a text."""
COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}
ARITHMETIC = {"+": "sum", "-": "difference", "*": "product", "/": "quotient", "min": "lowest of", "max": "highest of"}


class Values(ABC):
    """Words expressions as phrases."""

    def __init__(self, naming: Naming, scope: Discourse) -> None:
        self.naming = naming
        self.language: Language = naming.language
        self.scope = scope
        self.settings = naming.model.settings()
        self.picked_from = -1  # the slot of the candidates among which a choice is being made
        self.impersonal = False  # whether orders are given to nobody: those of a figure that no reader is
        self.gone: tuple[ir.Expr, ...] = ()  # what the text has removed from play: it has no place any more
        self.tacit: list[int] = []  # slots of what an event is about but its words do not name: the attack itself

    @abstractmethod
    def qualified(self, select: ir.Select) -> Noun:
        """Return the noun of a selection with its qualifications."""

    @abstractmethod
    def condition(self, expr: ir.Expr, *, denied: bool = False) -> str:
        """Return a clause for the condition `expr`."""

    # ── small helpers ────────────────────────────────────────────────────────

    def say(self, template: str, /, *, denied: bool = False, **slots: NounPhrase | str) -> str:
        """Fill one of the language's own templates."""
        return self.say_with(template, slots, denied=denied)

    def say_with(self, key: str, slots: Mapping[str, NounPhrase | str], *, denied: bool = False) -> str:
        """Fill one of the language's own templates from a mapping."""
        readers: dict[str, Callable[[], NounPhrase]] = {}
        for name, given in slots.items():
            phrase = NounPhrase(given) if isinstance(given, str) else given
            if name == "condition":
                before, has_slot, _ = self.language.words[key].partition("{condition}")
                phrase = phrase.saying(self.language.provided(phrase.text, before)) if has_slot else phrase
            readers[name] = lambda phrase=phrase: phrase  # type: ignore[misc]
        return fill_template(self.language.words[key], readers, self.language, denied=denied)

    def amount_of(self, expr: ir.Expr, noun: Noun) -> str:
        """Return ``2 MP``."""
        value = evaluate_constant(expr)
        return self.language.counted(value, noun).text if value is not None else f"{self.amount(expr).text} {noun.many}"

    def amount(self, expr: ir.Expr) -> NounPhrase:
        """Return a number inside a sentence: itself if it is plain, else X with an explanation at the end."""
        value = evaluate_constant(expr)
        if value is not None:
            return self.number(value)
        if isinstance(expr, ir.Var):
            referent = self.scope.referents.get(expr.slot)
            if referent is not None and referent.value is not None:
                return self.amount(referent.value)
            if referent is not None and referent.always is not None:
                return self.variable(expr)
        return self.unknown(self.value(expr))

    def number(self, value: int) -> NounPhrase:
        """Return a number; plural as the language counts."""
        return NounPhrase(str(value).replace("-", "−"), plural=self.language.several(value))

    def unknown(self, meaning: NounPhrase) -> NounPhrase:
        """Return a letter for a computed number; the sentence ends with its explanation."""
        known_ones = [*self.scope.held, *self.scope.unknowns]
        for letter, explained in known_ones:
            if explained.text == meaning.text:
                return NounPhrase(letter, plural=True)
        letter = "XYZW"[len(known_ones) % 4]
        self.scope.unknowns.append((letter, meaning))
        return NounPhrase(letter, plural=True)

    # ── expressions ──────────────────────────────────────────────────────────

    def value(self, expr: ir.Expr, *, many: bool = False) -> NounPhrase:
        """Return the phrase of an expression; `many` if a list is wanted (all of them) rather than one."""
        match expr:
            case ir.Const():
                return self.constant(expr)
            case ir.Text():
                return NounPhrase(expr.value)
            case ir.Var():
                return self.variable(expr)
            case ir.Def() | ir.Instance():
                return self.named(expr)
            case ir.Variant():
                return self.switch(expr)
            case ir.Get():
                return self.stat(expr)
            case ir.ZoneOf():
                return self.zone(expr)
            case ir.Apply():
                return self.measured(expr)
            case ir.Binary():
                return self.computed(expr)
            case ir.Select():
                return self.selected(expr, many=many)
            case ir.Quantified():
                return self.quantity(expr)
            case ir.ListOf():
                return self.listed(expr)
            case ir.Dice():
                return self.dice(expr)
            case ir.Not() | ir.IsA():
                return NounPhrase(self.condition(expr))

    def constant(self, expr: ir.Const) -> NounPhrase:
        """Return a literal."""
        base = expr.type.base
        if base == "number":
            return self.number(expr.value)
        if base == "flag":
            return NounPhrase(self.language.words["yes" if expr.value else "no"])
        if base == "enum" and expr.type.name in self.naming.model.switches:
            return self.ruling(expr.type.name, expr.value)
        if base == "enum":
            enum = self.naming.model.enums[expr.type.name]
            called = list(enum.values)[expr.value]
            return NounPhrase(self.naming.title(enum.values[called], called, expr.span))
        if expr.value < 0:
            return NounPhrase(self.language.words["none"])
        if base == "kind":
            kind = self.naming.kind_called(expr.label)
            return NounPhrase(kind.one, kind.gender)
        if base == "mark":
            return NounPhrase(self.naming.mark(expr.label))
        if base == "face":
            return NounPhrase(self.symbol(expr.label))
        if base == "area":
            return self.route(expr.label)
        if base == "direction":
            called, name = list(self.naming.model.directions.items())[expr.value]
            return self.language.determined("the", self.naming.noun(name, called, expr.span))
        return NounPhrase(self.declared(expr.label))

    def switch(self, expr: ir.Variant) -> NounPhrase:
        """Return a variant by its title, because its setting is only known in play."""
        switch = self.naming.model.switches[expr.id]
        return self.language.determined("the", self.naming.noun(switch.name, expr.id, switch.span))

    def ruling(self, switch: str, value: int) -> NounPhrase:
        """Return a setting of a variant: its rule, in quotation marks."""
        declared = self.naming.model.switches[switch]
        settings = {**self.settings, switch: value}
        for text in declared.texts:
            if text.language == self.language.code and holds(text.condition, {}, settings):
                ruling = " ".join(paragraph.plain() for paragraph in author_paragraphs(text.template))
                return NounPhrase(self.say("ruling", rule=ruling.rstrip(".")))
        self.naming.missing(switch, declared.span)
        return NounPhrase(GAP)

    def route(self, name: str) -> NounPhrase:
        """Return a route of a map, by the letter that is printed beside it."""
        boards = [owner.board for owner in self.naming.model.definitions.values() if owner.board is not None]
        letter = next((board.route_letter(name) for board in boards if name in board.routes), "")
        if not letter:
            return NounPhrase(self.declared(name))
        noun = self.language.nouns["route"]
        return NounPhrase(f"{noun.one} {letter}", noun.gender)

    def declared(self, word: str) -> str:
        """Return the title of something known by its word alone: a ground, a barrier, a counter, a place on the map."""
        model = self.naming.model
        for table in (model.terrains, model.barriers):
            if word in table:
                return self.language.determined("a", self.naming.noun(table[word].name, word)).text
        for kind in model.kinds.values():
            field = kind.fields.get(word)
            if field is not None and field.sort == "token":
                return self.language.determined("a", self.naming.field(field)).text
            if field is not None and field.sort == "status":
                return BOLD + self.naming.title(field.name, word, field.span) + LIGHT
        return word

    def tokens(self, expr: ir.Expr | None) -> NounPhrase | None:
        """Return all tokens of a sort; None for other expressions."""
        word = expr.label if isinstance(expr, ir.Const) and expr.type.base == "counter" else ""
        fields = (kind.fields[word] for kind in self.naming.model.kinds.values() if word in kind.fields)
        token = next((field for field in fields if field.sort == "token"), None)
        return None if token is None else self.language.determined("the many", self.naming.field(token))

    def symbol(self, word: str) -> str:
        """Return the title of a die's symbol."""
        for die in self.naming.model.dice.values():
            if word in die.names:
                return self.naming.title(die.names[word], word, die.span)
        return word

    def variable(self, expr: ir.Var) -> NounPhrase:
        """Return a referent: introduced at its first mention, then pointed at."""
        if expr.name == "self" and expr.slot == 0:
            return self.scope.self_phrase
        if expr.name == "this" and expr.slot == 1:
            return self.scope.this_phrase
        referent = self.scope.referents.get(expr.slot)
        if referent is None:
            return self.language.determined("that", self.naming.of_type(expr.type))
        if referent.value is not None:
            outer, self.gone = self.gone, referent.gone
            bound = self.value(referent.value, many=expr.type.many)
            self.gone = outer
            return bound
        if referent.intro is not None:
            phrase, referent.intro = referent.intro, None
            self.scope.mention(referent)
            return phrase
        if referent.always is not None:
            return referent.always
        if referent.noun is None:
            referent.noun = self.naming.of_type(expr.type)
        self.scope.mention(referent)
        return self.pointed_at(referent, referent.noun)

    def pointed_at(self, referent: Referent, noun: Noun) -> NounPhrase:
        """Return a phrase for something mentioned before, distinguished from others with the same noun."""
        referent.led = False
        if referent.chosen and self.scope.goes_through(self.language.words["other"].format(noun=noun.one)):
            return self.language.determined("the", self.with_word("chosen", noun))
        rivals = self.scope.rivals(referent)
        newest = rivals[-1] is referent
        if newest and not referent.chosen and not referent.each:  # a participant of an event, beside the chosen one
            newest = all(rival.chosen for rival in rivals[:-1]) and len(rivals) == 2
        if len(rivals) > 1 and not (newest and not referent.chosen):
            if referent.chosen and sum(rival.chosen for rival in rivals) == 1:
                return self.language.determined("the", self.with_word("chosen", noun))
            place = next(at for at, rival in enumerate(rivals, start=1) if rival is referent)
            ordinal = f"number {place}"
            noun = self.with_word(ordinal if ordinal in self.language.words else "number", noun, str(place))
            return self.language.determined("the many" if referent.many else "the", noun)
        if referent.definite:
            return self.language.determined("the many" if referent.many else "the", noun)
        phrase = self.language.determined("those" if referent.many else "that", noun)
        if phrase.text in {self.scope.self_phrase.text, self.scope.this_phrase.text}:
            return self.language.yonder(noun)  # « cet ennemi » is the one whose card it is
        return phrase

    def named(self, expr: ir.Def | ir.Instance) -> NounPhrase:
        """Return a definition, a die, a zone or a track by its title."""
        model = self.naming.model
        if expr.kind == "die" and expr.id in model.dice:
            return self.language.determined("the", self.naming.noun(model.dice[expr.id].name, expr.id))
        if isinstance(expr, ir.Instance) and expr.type.base == "zone" and expr.id in model.zones:
            return self.pile(model.zones[expr.id])
        if isinstance(expr, ir.Instance) and expr.kind == "player":
            return NounPhrase(self.say("seat", number=str(expr.copy)))
        if expr.kind == "side":
            side = self.language.determined("the", self.language.nouns["side"])
            return side.saying(f"{side.text} {expr.id}")
        if expr.kind == "space" and COORDINATE.fullmatch(expr.id):
            return NounPhrase(expr.id)
        if expr.kind == "space" and (space := self.naming.cell(expr.id)) is not None:
            return self.place(space)
        definition = model.definitions.get((expr.kind, expr.id))
        if is_game(expr) or (definition is None and expr.kind in BRACKETS):
            return self.language.determined("the", self.naming.kind_called(expr.kind))
        if definition is not None and definition.kind.id == TEAM:
            return self.team(definition)
        if definition is not None:
            noun = self.naming.noun(definition.name, expr.id, definition.span)
            copies = definition.kind.find("copies")
            several = copies is not None and copies.default is not None and (evaluate_constant(copies.default) or 1) > 1
            proper = not several and not self.naming.is_common(definition.name)
            if proper and (region := self.region(definition, noun)) is not None:
                return region
            if self.language.is_sentence(noun.one):
                return NounPhrase(self.say("ruling", rule=noun.one), noun.gender)
            name = NounPhrase(self.language.named(noun.one), noun.gender)
            called = name if proper else self.language.determined("the", noun)
            if isinstance(expr, ir.Instance) and (place := self.naming.place_of(expr.id, expr.copy)) is not None:
                piece = self.language.determined("the", noun) if place else called
                return piece.saying(self.say("piece at", piece=piece, place=place)) if place else piece
            on_board = any(kind.id == "piece" for kind in definition.kind.lineage())
            if isinstance(expr, ir.Instance) and expr.copy > 1 and on_board:
                return self.language.determined("the", self.with_word("number", noun, str(expr.copy)))
            return self.language.determined("a", noun) if several else called
        for owner in model.definitions.values():
            for track in owner.tracks:
                if track.id == expr.id:
                    title = self.naming.title(track.name, track.id, track.span)
                    gender = self.language.nouns["track"].gender
                    return NounPhrase(self.say(track.sort, title=title), gender)
        self.naming.missing(expr.id, expr.span)
        return NounPhrase(GAP)

    def with_word(self, key: str, noun: Noun, number: str = "") -> Noun:
        """Return a noun with a word of the language that agrees with it: « the first enemy »."""
        numbers = []
        for word, plural in ((noun.one, False), (noun.many, True)):
            phrase = NounPhrase(word, noun.gender, plural)
            slots = {"subject": lambda phrase=phrase: phrase, "noun": lambda phrase=phrase: phrase}
            numbers.append(
                fill_template(self.language.words[key], {**slots, "n": lambda: NounPhrase(number)}, self.language)
            )
        return replace(noun, one=numbers[0], many=numbers[1])

    def place(self, place: Cell) -> NounPhrase:
        """Return the words for a place of a graph: its name, or its noun with the article."""
        noun = self.naming.noun(place.name, place.id, place.span)
        if self.naming.is_common(place.name):
            return self.language.determined("the", noun)
        return NounPhrase(self.language.named(noun.one), noun.gender)

    def region(self, definition: Definition, noun: Noun) -> NounPhrase | None:
        """Return a region by its title and kind (the Docks quarter), or by its title if that contains the kind.

        None if the title has an article, or the kind has no title.
        """
        lineage = definition.kind.lineage()
        titled = next((kind for kind in lineage if self.language.code in kind.name.title), None)
        if titled is None or all(kind.id != "region" for kind in lineage):
            return None
        sort, called = self.naming.kind(definition.kind), self.language.named(noun.one)
        if called != noun.one:
            return None
        is_named = sort.one.casefold() in noun.one.casefold().split()
        whole = noun.one if is_named else self.say("region", title=noun.one, sort=sort.one)
        return self.language.determined("the", replace(sort, one=whole))

    def ending(self, expr: ir.Expr) -> NounPhrase:
        """Return the title of a named ending, which is in quotation marks; or the words for a value that is one."""
        definition = self.naming.model.definitions.get((ENDING, expr.id)) if isinstance(expr, ir.Instance) else None
        if definition is None:
            return self.value(expr)
        return NounPhrase(self.naming.title(definition.name, definition.id, definition.span))

    def team(self, definition: Definition) -> NounPhrase:
        """Return a team by its title; one that is its own plural (the hounds) means several. It has an article if its
        title is a common noun or begins with one (the Hunters)."""
        noun = self.naming.noun(definition.name, definition.id, definition.span)
        several = noun.one == noun.many
        if self.naming.is_common(definition.name):
            plain = self.language.unarticled
            noun = replace(noun, one=plain(noun.one), many=plain(noun.many))
            return self.language.determined("the many" if several else "the", noun)
        return NounPhrase(noun.one, noun.gender, plural=several)

    def stat(self, expr: ir.Get) -> NounPhrase:
        """Return ``your HP``; a reference (the attack's target) is worded like the thing it refers to."""
        noun = self.naming.field(expr.field)
        if expr.field.id == "place" and any(same(removed, expr.of) for removed in self.gone):
            return self.language.determined("no", noun)
        if expr.field.id == "definition" and expr.field.sort == "builtin" and isinstance(expr.of, ir.Def | ir.Instance):
            return self.value(expr.of)
        if expr.field.name.title and expr.field.type.base in {"thing", "die"} and not expr.field.type.many:
            if isinstance(expr.of, ir.Var) and expr.of.slot in self.scope.candidates:
                return self.language.its(noun, several=self.scope.candidates[expr.of.slot])
            if self.goes_without_saying(expr.of):
                return self.language.determined("the", noun)
        if is_game(expr.of):
            column = self.column(expr)
            return self.language.determined("the many" if column.collective else "the", column)
        return self.language.owned(self.value(expr.of), self.column(expr))

    def goes_without_saying(self, owner: ir.Expr) -> bool:
        """Return whether « the target » needs no owner: it belongs to the text's thing, the game, or the current
        action."""
        if is_game(owner) or is_slot(owner, 0) or is_slot(owner, 1):
            return True
        kind = self.naming.model.kinds.get(owner.type.name)
        return kind is not None and any(ancestor.id == "record" for ancestor in kind.lineage())

    def column(self, expr: ir.Get) -> Noun:
        """Return the noun of a column, without agreement marks; if only one owner's markers count, with that owner."""
        noun = self.naming.field(expr.field)
        tail = " " + self.whose(expr) if expr.owner is not None else ""
        return replace(noun, one=without_agreement(noun.one) + tail, many=without_agreement(noun.many) + tail)

    def whose(self, expr: ir.Get) -> str:
        """Return the owner of the counted markers; empty if all markers count."""
        if expr.owner is None:
            return ""
        return self.say("marked by" if self.naming.is_noun(expr.field) else "turned by", by=self.value(expr.owner))

    def pile(self, zone: Zone) -> NounPhrase:
        """Return a zone of the game; in the plural if its title is its own plural."""
        noun = self.naming.noun(zone.name, zone.id)
        is_plural = zone.name.plural.get(self.language.code) == noun.one
        return self.language.determined("the many" if is_plural else "the", noun)

    def zone(self, expr: ir.ZoneOf) -> NounPhrase:
        """Return ``your hand``; a zone of the game has no owner."""
        noun = self.column_of(expr)
        if is_game(expr.of):
            return self.language.determined("the many" if noun.collective else "the", noun)
        return self.language.owned(self.value(expr.of), noun)

    def measured(self, expr: ir.Apply) -> NounPhrase:
        """Return a measure by its text."""
        text = self.worded(expr.form, expr.args)
        gender = self.language.gender(text) or self.naming.of_type(expr.type).gender
        return NounPhrase(self.language.articled(text), gender, plural=expr.type.many)

    def computed(self, expr: ir.Binary) -> NounPhrase:
        """Return the wording of arithmetic; a condition used as a value becomes a clause."""
        if expr.op not in ARITHMETIC:
            return NounPhrase(self.condition(expr))
        value = evaluate_constant(expr)
        if value is not None:
            return self.number(value)
        if expr.op == "-" and evaluate_constant(expr.left) == 0:
            return NounPhrase(self.say("negative", right=self.operand(expr, expr.right)))
        left = self.meant(expr.left)
        if expr.op == "+" and isinstance(left, ir.Binary) and left.op == "-" and evaluate_constant(left.left) == 0:
            return self.computed(replace(expr, op="-", left=expr.right, right=left.right))  # −a + b is b − a
        sides = {"left": self.operand(expr, expr.left), "right": self.operand(expr, expr.right)}
        text = self.say_with(ARITHMETIC[expr.op], sides)
        return sides["left"].saying(text) if self.language.sums_agree and expr.op in {"+", "-"} else NounPhrase(text)

    def operand(self, whole: ir.Binary, side: ir.Expr) -> NounPhrase:
        """Return one side of an operation, in brackets where it would be ambiguous."""
        side = self.meant(side)
        phrase = self.value(side)
        if isinstance(side, ir.Binary) and side.op in ARITHMETIC and evaluate_constant(side) is None:
            first_of_row = side is self.meant(whole.left) and {whole.op, side.op} <= {"+", "-"}
            if first_of_row or (whole.op == side.op == "+"):
                return phrase
            return self.bracketed(side, phrase)
        if any(runs_on(node) for node in ir.walk(side)):
            return self.bracketed(side, phrase)  # « with at least 2 HP minus 1 » would be one number
        return phrase

    def bracketed(self, expr: ir.Expr, phrase: NounPhrase) -> NounPhrase:
        """Return the words of an expression in brackets."""
        if isinstance(expr, ir.Binary) and expr.op == "/":
            sides = {"left": self.operand(expr, expr.left), "right": self.operand(expr, expr.right)}
            phrase = NounPhrase(self.say_with("quotient inside", sides))
        return NounPhrase(self.say("brackets", inside=phrase))

    def selected(self, expr: ir.Select, *, many: bool) -> NounPhrase:
        """Return ``all enemies within 2``, ``a character next to you``, ``the enemy with the lowest HP``."""
        if expr.order and not expr.sorted:
            return self.language.determined("the", self.qualified(expr))
        return self.picked("every" if many else "the" if self.only(expr) else "a", expr)

    def picked(self, determiner: str, expr: ir.Select) -> NounPhrase:
        """Return a selection with its determiner; for all possessions of a kind: ``each of your Weapons``."""
        key = {"each": "each of", "a": "one of", "every": "all of"}.get(determiner, "")
        zone = zone_of(expr)
        if key and zone is not None:
            group, plain = self.column_of(zone), self.naming.of_type(expr.type)
            if group.many.casefold() == plain.many.casefold():
                several = Noun(group.many, group.many, group.gender, collective=True)
                whole = self.language.owned(self.value(zone.of), several)
                return NounPhrase(self.say(key, group=whole), group.gender, key == "all of")
        return self.language.determined(determiner, self.qualified(expr))

    def column_of(self, expr: ir.ZoneOf) -> Noun:
        """Return the noun of a zone."""
        for kind in self.naming.model.kinds.values():
            if expr.zone in kind.zones:
                zone = kind.zones[expr.zone]
                noun = self.naming.noun(zone.name, expr.zone, zone.span)
                return replace(noun, collective=noun.one == noun.many and self.naming.is_several(zone.name))
        self.naming.missing(expr.zone, expr.span)
        return Noun(GAP, GAP)

    def only(self, expr: ir.Select) -> bool:
        """Return whether a selection is a space that is unique on the map."""
        marks = [word for part in conjuncts(expr.where) if (word := names_mark(part, expr.it))]
        return any(self.naming.mark_noun(word) is not None and self.naming.alone(word) for word in marks)

    def quantity(self, expr: ir.Quantified) -> NounPhrase:
        """Return ``the number of enemies within 2``; other quantifiers are conditions."""
        if expr.quantifier != "number":
            return NounPhrase(self.condition(expr))
        group = self.meant(expr.select)
        if isinstance(group, ir.Select):
            what = self.language.determined("count", self.qualified(group))
        else:
            what = self.value(group, many=True)
        return NounPhrase(self.say("number of", what=what))

    def listed(self, expr: ir.ListOf) -> NounPhrase:
        """Return ``A1, B2 and C3``."""
        if not expr.items:
            return NounPhrase(self.language.words["none"])
        words = self.language.words
        items = [self.item(item) for item in expr.items]
        if len(items) == 1:
            return items[0]
        gender = "f" if all(item.gender == "f" for item in items) else "m"
        text = join_with_last([item.text for item in items], words["comma"], words["and"])
        return NounPhrase(text, gender, plural=True, with_you=any(item.person == 2 for item in items))

    def item(self, expr: ir.Expr) -> NounPhrase:
        """Return an item of a list, in brackets if it is an operation."""
        meant, phrase = self.meant(expr), self.value(expr)
        computed = isinstance(meant, ir.Binary) and meant.op in ARITHMETIC and evaluate_constant(meant) is None
        return self.bracketed(meant, phrase) if computed else phrase

    def meant(self, expr: ir.Expr) -> ir.Expr:
        """Return the value of a `let`, or the expression itself."""
        while isinstance(expr, ir.Var):
            referent = self.scope.referents.get(expr.slot)
            if referent is None or referent.value is None:
                break
            expr = referent.value
        return expr

    def dice(self, expr: ir.Dice) -> NounPhrase:
        """Return ``the green die``, ``2 green dice``."""
        count = 1 if expr.count is None else evaluate_constant(expr.count)
        if isinstance(expr.die, ir.Def) and expr.die.id in self.naming.model.dice:
            noun = self.naming.noun(self.naming.model.dice[expr.die.id].name, expr.die.id)
            if count == 1:
                return self.language.determined("the", noun)
            if count is not None:
                return self.language.counted(count, noun)
            assert expr.count is not None
            return NounPhrase(self.say("dice", count=self.amount(expr.count), die=noun.many))
        return self.value(expr.die)

    # ── forms ────────────────────────────────────────────────────────────────

    def worded(
        self, form: Form, args: tuple[ir.Expr | None, ...], *, subject: NounPhrase | None = None, denied: bool = False
    ) -> str:
        """Return the text of a form with its slots filled; `subject` replaces the first argument."""
        text = self.wording(form.texts, form, args)
        if text is None and is_table(form):
            return self.say("roll on", table=NounPhrase(self.naming.title(form.name, form.id, form.span)))
        if text is None:
            self.naming.missing(form.id, form.span)
            return GAP
        template = mark_keyword(text.template) if form.sort == "keyword" else text.template
        template = template.split(" / ")[0]
        return fill_template(
            lower_first_letter(template), self.slots(form, args, subject), self.language, denied=denied
        )

    def wording(
        self,
        texts: list[Wording],
        form: Form | None,
        args: tuple[ir.Expr | None, ...],
        *,
        part: int = 0,
        implied: int = -1,
    ) -> Wording | None:
        """Return the text to use: in this language, with a condition that holds, and without omitted arguments.

        If each omits some, return the first whose condition holds. `part`: the wanted form between `` / ``. `implied`:
        a slot that needs no words.
        """
        constants: dict[int, int | None] = {}
        if form is not None and any(text.condition is not None for text in texts):
            for at, (param, given) in enumerate(zip(form.params, args, strict=True), start=2):
                meant = param.default if given is None else given
                if isinstance(meant, ir.Var) and meant.slot == 0 and self.scope.self_phrase.person == 2:
                    constants[0] = constants[at] = READER
                else:
                    constants[at] = -1 if meant is None else evaluate_constant(meant)
        held: list[Wording] = []
        for text in texts:
            if text.language == self.language.code and holds(text.condition, constants, self.settings):
                held.append(text)
        if form is not None and len(held) > 1 and held[0].template:
            held = [t for t in held if t.template and not self.unsaid(t, form, args, part, implied)] or held
        if form is not None and form.event is not None:
            # A verb that is an event may have a clause too (it begins with a slot); as a statement it is an imperative.
            held.sort(key=lambda text: text.template.startswith("{"))
        if held and form is not None:
            unknown = unknown_slots(held[0], form)
            self.naming.problems.extend(unknown)
            for param, unsaid in () if unknown else self.unsaid(held[0], form, args, part, implied):
                self.naming.unsaid(param, unsaid.span, form.id)
        return held[0] if held else None

    def unsaid(
        self, text: Wording, form: Form, args: tuple[ir.Expr | None, ...], part: int, implied: int
    ) -> list[tuple[Param, ir.Expr]]:
        """Return the given arguments that a text omits.

        These have no slot, are not in the text's condition, and are not understood by the reader. A text that is empty
        on purpose omits nothing.
        """
        forms = text.template.split(" / ")
        slots = slot_names(forms[part] if part < len(forms) else forms[0])
        if not text.template:
            return []
        out: list[tuple[Param, ir.Expr]] = []
        for at, (param, given) in enumerate(zip(form.params, args, strict=True)):
            if given is None or given is param.default:
                continue
            if param.name in slots:
                if f"{{{TACIT}{param.name}}}" in text.template and any(
                    arg is not given and arg is not None and same(arg, given) for arg in args
                ):
                    out.append((param, given))  # a relation of something with itself always needs words
                continue
            if (at == 0 and form.sort == "relation") or (isinstance(given, ir.Var) and given.slot == implied):
                continue  # the subject, or the candidate, comes before the text
            if param.default is not None and (given.span == param.default.span or same(given, param.default)):
                continue
            if isinstance(given, ir.Var) and given.slot in self.tacit:
                continue
            if not reads_slot(text.condition, at + 2):
                out.append((param, given))
        return out

    def slots(
        self, form: Form, args: tuple[ir.Expr | None, ...], subject: NounPhrase | None = None
    ) -> dict[str, Callable[[], NounPhrase]]:
        """Return functions for a form's arguments as phrases, by parameter name."""
        readers: dict[str, Callable[[], NounPhrase]] = {}
        for at, (param, given) in enumerate(zip(form.params, args, strict=True)):
            expr = given if given is not None else param.default
            if at == 0 and subject is not None:
                readers[param.name] = lambda: subject
            elif expr is None:
                readers[param.name] = lambda: NounPhrase("")
            elif param.type == ir.NUMBER:
                readers[param.name] = lambda expr=expr: self.amount(expr)  # type: ignore[misc]
            else:
                readers[param.name] = lambda expr=expr, many=param.type.many: self.value(  # type: ignore[misc]
                    expr, many=many
                )
            if isinstance(expr, ir.Def | ir.Instance) and (expr.kind, expr.id) in self.naming.model.definitions:
                noun = self.naming.noun(self.naming.model.definitions[expr.kind, expr.id].name, expr.id)
                readers["title " + param.name] = lambda noun=noun: NounPhrase(noun.one, noun.gender)  # type: ignore[misc]
                readers["many " + param.name] = lambda noun=noun: self.language.determined("count", noun)  # type: ignore[misc]
            elif isinstance(expr, ir.Const) and expr.type.base in {"terrain", "barrier"} and expr.value >= 0:
                table = self.naming.model.terrains if expr.type.base == "terrain" else self.naming.model.barriers
                ground = self.naming.noun(table[expr.label].name, expr.label)
                readers["title " + param.name] = lambda noun=ground: NounPhrase(noun.one, noun.gender)  # type: ignore[misc]
            elif expr is not None:
                readers["title " + param.name] = readers["many " + param.name] = readers[param.name]
            if param.type.many and expr is not None:
                readers["a " + param.name] = lambda expr=expr: self.value(expr)  # type: ignore[misc]
        return readers


def runs_on(node: object) -> bool:
    """Return whether the words of a node may end with a number, so that an operation behind them seems to belong to
    it."""
    match node:
        case ir.Binary():
            return node.op in COMPARISONS
        case ir.Apply():
            return any(param.type.base == "number" for param in node.form.params)
    return isinstance(node, ir.Criterion)


def is_table(form: Form) -> bool:
    """Return whether a verb rolls on a table: that is all it does, and the table has a title."""
    statements = form.body.statements if form.body is not None else ()
    return bool(form.name.title) and len(statements) == 1 and isinstance(statements[0], ir.Roll) and not form.params
