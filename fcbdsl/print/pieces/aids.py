"""Player aids: the steps, actions, markers, keywords, symbols and dice of a system in one place.

No text is specific to a game: titles and reminders come from the system, and steps appear in the order of its flow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from zlib import crc32

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.print import MissingWording, Unexplained, is_gap
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.source import Span
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Rule, Track
from fcbdsl.language.model.declarations import Action, Die, Enum, Field, Form, Kind, Name
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, Paragraph, RulesText, Run, ground, reminder, rules_text, terms_text
from fcbdsl.language.prose.game_rules import (
    action_text,
    ending_texts,
    ends_in,
    is_open,
    is_silent,
    statements_text,
    verb_body,
    written_out,
)
from fcbdsl.language.prose.reading import NOWHERE, Named, own_words, switch_texts
from fcbdsl.language.prose.rules_text import capitalize
from fcbdsl.language.prose.text_templates import mark_keyword
from fcbdsl.language.prose.titles import Naming, without_agreement
from fcbdsl.print.layout.views import Aid, AidBlock, AidEntry, SetupMap, Symbol
from fcbdsl.print.pieces.assets import with_icons
from fcbdsl.print.pieces.cards import footer_of
from fcbdsl.print.pieces.initials import sort_key
from fcbdsl.print.pieces.looks import (
    DEFAULT_COLOUR,
    FIELD_KEYS,
    Look,
    ink_on,
    is_colour,
    look_of_kind,
    style_of,
    symbol_of,
    symbol_title,
)
from fcbdsl.print.pieces.maps import map_of, worded_map
from fcbdsl.print.pieces.markers import NUMBERS, MarkerLine, marker_lines, marker_name
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.print.pieces.printables import has_own_rules, printable
from fcbdsl.print.pieces.tree_walk import keywords_of

OFTEN = 10
"""The least number of keywords that a player aid explains; the reference explains all."""
TOGETHER = 20
"""The most titles of a letter that an index keeps together on a page."""
GAME = "game"
"""The kind whose stats belong to the whole game."""
FLOW = "flow"
"""The name in reports of a step that is no verb."""


def aid_of(model: Model, language: str, missions: bool = True) -> tuple[Aid, list[Diagnostic]]:
    """Return the view of the aid of a game (round, actions, the keywords that most cards use, dice, symbols), and its
    problems.

    If there is space, it has more entries of the reference. `missions`: with the ends that all missions share.
    """
    maker = AidMaker(model, language)
    course, actions, keywords = maker.course(), maker.actions(), maker.keywords()
    used = maker.most_used()
    often = tuple(entry for entry in keywords.entries if entry.title in used)
    seldom = tuple(entry for entry in keywords.entries if entry.title not in used)
    blocks = (*course, actions, replace(keywords, entries=often), maker.dice(), maker.symbols(values=False))
    more = (
        maker.goal(missions), replace(keywords, entries=seldom, title=maker.words["more keywords"]), maker.markers(),
        replace(maker.symbols(values=True), title=maker.words["more symbols"]),
        maker.procedures(), maker.rules(), maker.chance(), maker.ground(), maker.variants(),
    )  # fmt: skip
    return with_icons(maker.aid("aid", blocks, more), model), maker.problems


def reference_of(
    model: Model,
    language: str,
    missions: bool = True,
    examples: Sequence[AidEntry] = (),
    mission: Definition | None = None,
    facts: ModelFacts | None = None,
) -> tuple[Aid, list[Diagnostic]]:
    """Return the view of the rules reference (everything in the aid, and set-up, pieces, ground and rulings), and its
    problems.

    `missions`: with the ends that all missions share. `examples`: worked examples, after the rules. `mission`: the one
    whose map it shows. `facts`: it is only checked, so its map has no places, and the ends of missions have no words.
    """
    maker = AidMaker(model, language, facts)
    blocks = (
        maker.goal(missions), maker.pieces(), maker.starts(), *maker.course(whole=True), maker.actions(),
        maker.procedures(), maker.rules(), AidBlock(maker.words["examples"], "examples", tuple(examples)),
        maker.ground(), maker.markers(), maker.keywords(), maker.symbols(), maker.dice(), maker.chance(),
        maker.variants(),
    )  # fmt: skip
    aid = replace(
        maker.aid("reference", blocks),
        contents=maker.words["contents"],
        index=maker.index(blocks),
        setup=maker.setup_map(mission) if missions else None,
    )
    return with_icons(aid, model), maker.problems


def check_reference(model: Model, facts: ModelFacts | None = None) -> list[Diagnostic]:
    """Return what the rules reference does not explain, once for all languages, and the gaps in its words."""
    if not has_own_rules(model):
        return []  # the game itself explains its rules
    unexplained: dict[tuple[str, str, int], Unexplained] = {}
    also: dict[tuple[str, str, int], dict[str, None]] = {}
    gaps: list[Diagnostic] = []
    facts = ModelFacts(model) if facts is None else facts
    for language in model.languages:
        for problem in reference_of(model, language, facts=facts)[1] if language in LANGUAGES else ():
            if isinstance(problem, Unexplained) and not model.is_lent(problem.span):
                key = (str(problem.arguments["name"]), problem.span.source.name, problem.span.start)
                if unexplained.setdefault(key, problem).arguments["language"] != language:
                    also.setdefault(key, {})[language] = None
            elif is_gap(problem) and not model.is_lent(problem.span) and not model.proof_of(problem.span):
                gaps.append(problem)
    for key, languages in also.items():
        unexplained[key].notes = (f"the same in {', '.join(languages)}",)
    return [*unexplained.values(), *gaps]


def span_of(model: Model) -> Span:
    """Return the span for messages about the print of a whole system."""
    layouts = [*model.layouts.values()]
    return layouts[0].span if layouts else NOWHERE


class AidMaker:
    """An aid under construction."""

    def __init__(self, model: Model, language: str, facts: ModelFacts | None = None) -> None:
        self.model = model
        self.language = language
        self.facts = facts
        self._symbols: dict[bool | None, AidBlock] = {}
        self.words = interface_texts("aids", language)
        self.problems: list[Diagnostic] = []
        self.known: list[Form] = []  # verbs that a step or a procedure has explained
        self.naming = Naming(model, LANGUAGES[language], self.words["aid"], span_of(model), self.problems)

    def aid(self, sort: str, blocks: Sequence[AidBlock], more: Sequence[AidBlock] = ()) -> Aid:
        """Return an aid or a reference (`sort`) with these blocks."""
        colour = _colour(self.model)
        key = f"{sort}/{self.model.system}"
        return Aid(
            key=key,
            language=self.language,
            style=style_of(self.model),
            seed=crc32(key.encode()),
            title=footer_of(self.model, self.language) or self.model.system,
            type_line=self.words[sort],
            colour=colour,
            ink=ink_on(colour),
            blocks=tuple(block for block in blocks if block.entries),
            more=tuple(block for block in more if block.entries),
            booklet=sort == "reference",
            footer=footer_of(self.model, self.language),
            continued=interface_texts("sheets", self.language)["continued"],
        )

    def title(self, name: Name, called: str, span: Span | None = None) -> str:
        """Return a declared title with a capital, set for print."""
        noun = re.sub(r"\[([^\[\]|]*)\|[^\[\]]*\]", r"\1", self.naming.noun(name, called, span).one)
        title = self.naming.language.finish(without_agreement(noun))
        return with_capital(title)

    def text(self, thing: Named) -> tuple[Paragraph, ...]:
        """Return the reminder of a declaration."""
        wording = reminder(thing, self.model, self.language)
        self.problems += wording.problems
        return wording.paragraphs

    def generated(self, text: RulesText, of: Action | Form | Rule | Kind | Field) -> tuple[Paragraph, ...]:
        """Return a generated text if it is complete; else none, with a report: half of a rule is another rule."""
        return self.whole(text, of.span, of.id)

    def whole(self, text: RulesText, span: Span, name: str) -> tuple[Paragraph, ...]:
        """Return the paragraphs of a text; none, and a problem at `span`, if a part of it has no words."""
        lacking = [str(problem.arguments["name"]) for problem in text.problems if isinstance(problem, MissingWording)]
        if lacking:
            self.problems.append(self.lacking(span, name, lacking))
            return ()
        self.problems += text.problems
        return text.paragraphs

    def lacking(self, span: Span, name: str, lacking: Sequence[str]) -> Unexplained:
        """Return the report of a rule that is left out because `lacking` have no words."""
        named = ", ".join(f"`{word}`" for word in dict.fromkeys(lacking))
        where = 'the verb of this step: `verb NAME "Title":`' if name == FLOW else f"`{name}`"
        return Unexplained(span, name=name, lacking=named, language=self.language, where=where)

    # ── how it ends ──────────────────────────────────────────────────────────

    def goal(self, missions: bool = True) -> AidBlock:
        """Return the block on how actions, steps, rules and missions end the game, without the ends in reminders of
        steps."""
        wording = [*self.ends_of_bodies(), *self.ends_of_listeners()]
        shared, more = self.ends_of_missions() if missions else ([], False)
        wording += shared
        wording += [AidEntry("", self.set(self.words["sheet"]))] if wording and more else []
        return AidBlock(self.words["goal"], "entries", tuple(wording))

    def ends_of_bodies(self) -> Iterator[AidEntry]:
        """Yield the ends in actions and verbs of the system."""
        things: list[Action | Form] = [*self.model.actions.values(), *self.model.forms]
        for thing in things:
            if not thing.system or thing.body is None or not ends_in(thing.body):
                continue
            if self.is_explained and (not thing.name.title or id(thing) in self.explained_by_reminders):
                continue
            title = self.title(thing.name, thing.id, thing.span) if thing.name.title else ""
            for rules, whole in ending_texts(thing.body, self.model, self.language):
                gap = any(isinstance(problem, MissingWording) for problem in rules.problems)
                if thing.name.reminder and (gap or not (whole or title)):
                    yield AidEntry(title, self.text(thing))
                    break
                text = self.generated(rules, thing)
                if not whole and text and title:
                    text = (replace(text[0], runs=(Run(self.words["there"]), *text[0].runs)), *text[1:])
                elif not whole and text:
                    self.problems.append(self.lacking(thing.span, thing.id, ["win"]))
                    continue
                if text:
                    yield AidEntry(title, text)

    def ends_of_listeners(self) -> Iterator[AidEntry]:
        """Yield the ends that listeners of rules, kinds, statuses and tokens of the system cause."""
        kinds = [kind for kind in self.model.kinds.values() if kind.system]
        columns = [field for kind in self.model.kinds.values() for field in kind.fields.values() if field.system]
        things: list[Rule | Kind | Field] = [*self.model.rules.values(), *kinds, *columns]
        for thing in things:
            for listener in thing.listeners if not thing.name.reminder else ():
                if ends_in(listener):
                    title = self.title(thing.name, thing.id, thing.span) if thing.name.title else ""
                    rules = rules_text(listener, self.model, self.language)
                    if text := self.generated(rules, thing):
                        yield AidEntry(title, text)

    def ends_of_missions(self) -> tuple[list[AidEntry], bool]:
        """Return the ends that all missions have in the same words, and whether any has others: its sheet prints
        them."""
        missions = [
            definition
            for definition in self.model.definitions.values()
            if any(k.id == "mission" for k in definition.kind.lineage())
        ]
        each = []
        for mission in missions:
            things: list[Track | ir.Listener] = [track for track in mission.tracks if _ends(track)]
            things += [listener for listener in mission.listeners if ends_in(listener)]
            each.append(dict.fromkeys(map(self.end_of_mission, things)))
        shared = [entry for entry in each[0] if all(entry in other for other in each)] if each else []
        return [AidEntry(*entry) for entry in shared], any(len(entries) > len(shared) for entries in each)

    def end_of_mission(self, thing: Track | ir.Listener) -> tuple[str, tuple[Paragraph, ...]]:
        """Return the title of a track, a listener has none, and its words, unless the reference is only checked."""
        title = self.title(thing.name, thing.id, thing.span) if isinstance(thing, Track) else ""
        return title, rules_text(thing, self.model, self.language).paragraphs if self.facts is None else ()

    @cached_property
    def is_explained(self) -> bool:
        """Return whether the flow has only titled steps, and reminders explain some of them."""
        flow = self.model.flow
        return (
            not self.is_own
            and flow is not None
            and any(
                isinstance(node, ir.Do) and node.form.name.title and node.form.name.reminder
                for node in self.reached(flow)
            )
        )

    @cached_property
    def explained_by_reminders(self) -> dict[int, None]:
        """Return the actions and verbs with a reminder, and the verbs that they call, by identity."""
        things: list[Action | Form] = [*self.model.actions.values(), *self.model.forms]
        explained = [thing for thing in things if thing.name.reminder]
        calls = [node for thing in explained if thing.body is not None for node in self.reached(thing.body)]
        return dict.fromkeys(map(id, [*explained, *(node.form for node in calls if isinstance(node, ir.Do))]))

    def reached(self, tree: ir.Body) -> Iterator[ir.Stmt]:
        """Yield the calls of verbs in a body, and in the bodies of these verbs: one call of each verb."""
        reached: list[Form] = []
        open_ = [tree]
        while open_:
            for node in ir.walk(open_.pop()):
                if isinstance(node, ir.Do) and not any(node.form is form for form in reached):
                    reached.append(node.form)
                    open_ += [node.form.body] if node.form.body is not None else []
                    yield node

    @cached_property
    def is_own(self) -> bool:
        """Return whether the flow has statements outside of titled steps. Their text must be generated."""
        flow = self.model.flow
        tops = [] if flow is None else [*flow.statements]
        loops = [inner for statement in tops if isinstance(statement, ir.Repeat) for inner in statement.body.statements]
        named = (
            any(isinstance(node, ir.Do) and node.form.name.title for node in ir.walk(statement))
            for statement in (*(top for top in tops if not isinstance(top, ir.Repeat)), *loops)
        )
        return not all(named)

    def symbol(self, name: str, alt: str) -> Symbol | None:
        """Return the declared symbol of a name, with its meaning in words."""
        return symbol_of(self.model, name, alt, self.language)

    def set(self, words: str) -> tuple[Paragraph, ...]:
        """Return interface words as paragraphs."""
        return own_words(words, self.language)

    # ── the course of play ───────────────────────────────────────────────────

    def course(self, whole: bool = False) -> list[AidBlock]:
        """Return the steps that the flow repeats; with `whole` also those that it takes once before."""
        flow = self.model.flow
        if flow is None:
            return []
        looped = [node for node in flow.statements if isinstance(node, ir.Repeat)]
        once = [node for node in flow.statements if not isinstance(node, ir.Repeat)]
        if self.is_own:
            return self.own_course(once, [statement for node in looped for statement in node.body.statements], whole)
        steps = list(self.steps(looped, 0, self.known))
        before = list(self.steps(once, 0, self.known if whole else []))
        blocks = []
        if whole and before:
            rest = [replace(step, level=step.level - 1) for step in before[1:]]
            blocks.append(AidBlock(self.words["set-up"], "steps", (AidEntry("", before[0].text), *_numbered(rest))))
        tops = [step for step in steps if step.level == 0]
        if len(tops) == 1:
            lead = (AidEntry("", tops[0].text),) if tops[0].text else ()
            inner = [replace(step, level=step.level - 1) for step in steps if step.level]
            blocks.append(AidBlock(tops[0].title, "steps", (*lead, *_numbered(inner))))
        elif steps:
            blocks.append(AidBlock(self.words["flow"], "steps", _numbered(steps)))
        return blocks

    def explained(self, form: Form, within: Sequence[AidEntry]) -> tuple[Paragraph, ...]:
        """Return the reminder of a step, or else its generated text if it has no inner steps."""
        if form.name.reminder or within or form.body is None:
            return self.text(form)
        statements = [
            statement for statement in written_out(form.body.statements, self.model) if not is_silent(statement)
        ]
        return self.generated(statements_text(statements, self.model, self.language), form) if statements else ()

    def starts(self) -> AidBlock:
        """Return the numbers with which things start, by kind: titled stats of the system that do not start at zero."""
        entries = []
        for kind in self.model.kinds.values():
            wording = []
            for field in kind.fields.values():
                start = field.default
                is_titled = field.sort == "stat" and field.type == ir.NUMBER and field.name.title
                if is_titled and isinstance(start, ir.Const) and start.value and not field.unseen:
                    wording.append(self.start(field, int(start.value)))
            if wording:
                title = self.naming.language.finish(capitalize(without_agreement(self.naming.kind(kind).one)))
                entries.append(
                    AidEntry("" if kind.id == GAME else title, self.set(capitalize(", ".join(wording)) + "."))
                )
        return AidBlock(self.words["starts"], "entries", tuple(entries))

    def start(self, field: Field, number: int) -> str:
        """Return the words of a number with which something starts: "3 coins", "Hand limit 5"."""
        language = self.naming.language
        if self.naming.counts(field):
            return str(language.counted(number, self.naming.counted_noun(field)).text)
        return f"{self.naming.heading(field)} {number}"

    def own_course(self, once: Sequence[ir.Stmt], looped: Sequence[ir.Stmt], whole: bool) -> list[AidBlock]:
        """Return setup and round in generated words, for a system without texts for them."""
        blocks = []
        for block, statements in (("set-up", once if whole else ()), ("flow", looped)):
            steps = [step for statement in statements for step in self.step(statement)]
            if steps:
                blocks.append(AidBlock(self.words[block], "steps", _numbered(steps)))
        return blocks

    def step(self, statement: ir.Stmt) -> Iterator[AidEntry]:
        """Yield the steps of one statement of the flow: itself, or those of the verb that it calls."""
        inner = statement.body.statements if isinstance(statement, ir.ForEach) else ()
        if len(inner) == 1 and isinstance(inner[0], ir.Do) and inner[0].form.name.reminder:
            yield from self.step(inner[0])  # its reminder names the subject
            return
        alone = statement if isinstance(statement, ir.Do) else inner[0] if len(inner) == 1 else None
        verb = alone.form if isinstance(alone, ir.Do) and alone.form.sort == "verb" else None
        own = verb if isinstance(statement, ir.Do) else None
        title = self.title(own.name, own.id, own.span) if own is not None and own.name.title else ""
        if own is not None and (title or own.name.reminder):
            self.known.append(own)
            if text := self.text(own):
                yield AidEntry(title, text)
                return
        if own is not None and not title and isinstance(statement, ir.Do) and is_open(statement):
            for part in written_out([statement], self.model, steps=True):
                yield from self.step(part)
            return
        statements = verb_body(statement) if title and isinstance(statement, ir.Do) else [statement]
        wording = [part for part in written_out(statements, self.model) if not is_silent(part)]
        rules = statements_text(wording, self.model, self.language) if wording else RulesText(())
        if verb is not None and verb.body is not None:
            text = self.whole(rules, verb.span, verb.id)
        else:
            text = self.whole(rules, statement.span, FLOW)
        if text or title:
            yield AidEntry(title, text)

    def steps(self, tree: object, level: int, listed: list[Form]) -> Iterator[AidEntry]:
        """Yield the titled verbs that a tree reaches, each once, those within another below it."""
        for node in ir.walk(tree):
            if not isinstance(node, ir.Do) or node.form.body is None or any(node.form is form for form in listed):
                continue
            form = node.form
            listed.append(form)
            if form.sort == "verb" and form.name.title:
                within = list(self.steps(form.body, level + 1, listed))
                yield AidEntry(self.title(form.name, form.id, form.span), self.explained(form, within), level=level)
                yield from within
            else:
                yield from self.steps(form.body, level, listed)

    def procedures(self) -> AidBlock:
        """Return the titled verbs that no step reaches, but actions, rules or cards do."""
        listed = self.known
        titled = [form for form in self.model.forms if form.sort == "verb" and form.name.title and form.system]
        entries: list[AidEntry] = []
        for form in titled:
            if not any(form is earlier for earlier in listed) and not self.once_only(form):
                listed.append(form)
                within = list(self.steps(form.body, 1, listed))
                title = self.title(form.name, form.id, form.span)
                entries += [AidEntry(title, self.explained(form, within)), *within]
        return AidBlock(self.words["procedures"], "steps", _numbered(entries, lead=False))

    def once_only(self, form: Form) -> bool:
        """Return whether a verb is a step of the setup: the flow takes it once, and no other code reaches it."""
        return any(form is earlier for earlier in self._steps_of_setup)

    @cached_property
    def _steps_of_setup(self) -> list[Form]:
        flow = self.model.flow
        once = [node for node in flow.statements if not isinstance(node, ir.Repeat)] if flow is not None else []
        met: list[Form] = []
        for _ in self.steps(once, 0, met):
            pass
        return met

    def actions(self) -> AidBlock:
        """Return the players' actions of the system; actions of a mission are on its sheet."""
        entries: list[AidEntry] = []
        for action in self.model.actions.values():
            if action.system and action.name.title:
                cost = terms_text(action, self.model, self.language)
                self.problems += cost.problems
                costs = "".join(part.plain() for part in cost.paragraphs)
                text = self.text(action) or self.generated(action_text(action, self.model, self.language), action)
                entries.append(AidEntry(self.title(action.name, action.id, action.span), text, terms=costs))
        return AidBlock(self.words["actions"], "entries", tuple(entries))

    def rules(self) -> AidBlock:
        """Return the rules with a reminder."""
        rules = [rule for rule in self.model.rules.values() if rule.name.reminder]
        entries = tuple(AidEntry(self.title(rule.name, rule.id, rule.span), self.text(rule)) for rule in rules)
        return AidBlock(self.words["rules"], "entries", entries)

    # ── words ────────────────────────────────────────────────────────────────

    def keywords(self) -> AidBlock:
        """Return the keywords with their other names, and the headings of effects with a reminder."""
        forms = [form for form in self.model.forms if form.sort == "keyword" and form.name.title]
        entries: list[AidEntry] = []
        for form in forms:
            title = self.title(form.name, form.id, form.span)
            symbol = self.symbol(form.id, title)
            symbol = symbol or self.marker_symbol(title)
            entries.append(AidEntry(title, self.explained(form, ()), symbol, also=self.also(form, title)))
        columns = [field for kind in self.model.kinds.values() for field in kind.fields.values()]
        headings = {
            self.title(field.name, field.id, field.span): field
            for field in columns
            if field.type.base == "effect" and field.name.reminder
        }
        entries += [AidEntry(title, self.text(field)) for title, field in headings.items()]
        return AidBlock(self.words["keywords"], "entries", _by_title(entries))

    def most_used(self) -> frozenset[str]:
        """Return the titles of the keywords that most printed pieces use, at most `OFTEN`."""
        uses = Counter(form.id for definition in printable(self.model) for form in keywords_of(definition))
        forms = {form.id: form for form in self.model.forms if form.id in uses and form.name.title}
        ranked = sorted(forms, key=lambda id: (-uses[id], id))[:OFTEN]
        return frozenset(self.title(forms[id].name, id, forms[id].span) for id in ranked)

    def also(self, form: Form, title: str) -> tuple[str, ...]:
        """Return the bold words in a keyword's texts that neither begin like its title nor are words of it."""
        titles: dict[str, None] = {}
        title_words = set(title.casefold().split())
        for text in form.texts:
            if text.language == self.language:
                for bold in re.findall(r"\*([^*]+)\*", mark_keyword(text.template)):
                    plain = re.sub(r"\{[^}]*\}", "", re.sub(r"\[([^|\]]*)[^\]]*\]", "", bold)).strip()
                    words = self.naming.language.finish(" ".join(plain.split()))
                    repeated = title_words.issuperset(words.casefold().split())
                    if words[:LIKE].casefold() != title[:LIKE].casefold() and not repeated:
                        titles[words] = None
        return tuple(titles)

    def counters(self) -> list[Field]:
        """Return the system's titled statuses of figures and tokens of spaces."""
        columns = [field for kind in self.model.kinds.values() for field in kind.fields.values()]
        return [field for field in columns if field.sort in {"status", "token"} and field.system and field.name.title]

    def marker_symbol(self, title: str) -> Symbol | None:
        """Return the symbol of the marker with the title of a keyword."""
        counter = self._counters_by_title.get(title)
        return self.symbol(counter.id, title) if counter is not None else None

    @cached_property
    def _counters_by_title(self) -> dict[str, Field]:
        counters: dict[str, Field] = {}
        for counter in self.counters():
            counters.setdefault(self.title(counter.name, counter.id, counter.span), counter)
        return counters

    def markers(self) -> AidBlock:
        """Return the statuses and tokens, without those that a keyword of the same title explains."""
        forms = [form for form in self.model.forms if form.sort == "keyword" and form.name.reminder]
        wording = [self.title(form.name, form.id, form.span) for form in forms]
        entries: list[AidEntry] = []
        for field in self.counters():
            title = self.title(field.name, field.id, field.span)
            if title not in wording:
                entries.append(AidEntry(title, self.text(field) or self.hooks(field), self.symbol(field.id, title)))
        entries += [self.token(line) for line in marker_lines(self.model) if line.says]
        return AidBlock(self.words["markers"], "entries", _by_title(entries))

    def token(self, line: MarkerLine) -> AidEntry:
        """Return the entry of the tokens that a line of `layout tokens:` declares."""
        title = self.called(line.name, line.titles, line.span)
        text = line.says.get(self.language, "")
        text = text or self.naming.missing(
            line.name, line.span, line.says.get(REFERENCE, ""), f'`{self.language} "…"` behind `says "…"`'
        )
        paragraphs = own_words(self.naming.language.finish(text), self.language)
        return AidEntry(title, paragraphs, self.symbol(line.name, title))

    def called(self, name: str, titles: Mapping[str, str], span: Span) -> str:
        """Return the title of a token: from its line, its declaration, or its symbol."""
        titled = marker_name(self.model, name)
        text = titles.get(self.language, "")
        if not text and titled is not None:
            return self.title(titled, name, span)
        text = text or symbol_title(self.model, name, self.language)
        if not text:
            text = self.naming.missing(name, span, titles.get(REFERENCE) or symbol_title(self.model, name, REFERENCE))
        return self.naming.language.finish(text)

    def hooks(self, field: Field) -> tuple[Paragraph, ...]:
        """Return the effects of a counter in generated words."""
        hooks: list[ir.Modifier | ir.Listener] = [*field.modifiers, *field.listeners]
        wording = [rules_text(hook, self.model, self.language) for hook in hooks]
        self.problems += [problem for text in wording for problem in text.problems]
        return tuple(part for text in wording for part in text.paragraphs)

    # ── symbols and dice ─────────────────────────────────────────────────────

    def symbols(self, values: bool | None = None) -> AidBlock:
        """Return a block of all symbols on cards and boards, except dice: of fields, values and places of markers.

        `values`: True for symbols of enum values, whose words are beside them; False for the others; None for both.
        """
        if values not in self._symbols:
            self._symbols[values] = self._listed_symbols(values)
        return self._symbols[values]

    def _listed_symbols(self, values: bool | None) -> AidBlock:
        symbols_listed: dict[tuple[str, str, str, str], AidEntry] = {}
        for kind in self.model.kinds.values():
            if kind.id in self.model.layouts:
                for entry in self._of_kind(kind, look_of_kind(kind, self.model), values):
                    if entry.symbol is not None and entry.symbol.drawing != "die":
                        symbol = entry.symbol
                        key = (symbol.drawing, symbol.colour, symbol.letter, entry.title.casefold())
                        if key not in symbols_listed or entry.text:
                            symbols_listed[key] = entry
        return AidBlock(self.words["symbols"], "symbols", _by_title(symbols_listed.values()))

    def _of_kind(self, kind: Kind, look: Look, values: bool | None) -> Iterator[AidEntry]:
        for key in FIELD_KEYS:
            for word in look.fields.get(key, ()):
                field = kind.find(word)
                if field is not None and field.sort != "part":
                    yield from self._of_field(field, values)
        for below in self.model.kinds.values():
            if below.part_of is not None and any(above.id == below.part_of for above in kind.lineage()):
                for own in below.fields.values():
                    yield from self._of_field(own, values)
        for at, word in enumerate(() if values else look.areas):
            title = symbol_title(self.model, word, self.language)
            named = title or self.words["area"].format(number=at + 1)
            yield AidEntry(named, self.set(self.words["areas"]), self.symbol(word, title))

    def _of_field(self, field: Field, values: bool | None) -> Iterator[AidEntry]:
        """Yield the symbols of a field, or those of its values."""
        enum = self.model.enums.get(field.type.name) if field.type.base == "enum" else None
        if enum is not None:
            yield from self._of_enum(enum, field) if values is not False else ()
        if values:
            return
        if field.type.base == "terrain":
            for ground in self.model.terrains.values():
                if ground.name.title:
                    title = self.title(ground.name, ground.id, ground.span)
                    yield AidEntry(title, self.text(ground), self.symbol(ground.id, title))
        short = symbol_title(self.model, field.id, self.language)
        full = self.title(field.name, field.id, field.span) if field.name.title else ""
        if self.naming.counts(field):
            full = self.naming.heading(field)
        title = short or with_capital(full)
        symbol = self.symbol(field.id, title) if title else None
        if symbol is not None and enum is None:
            text = self.text(field)
            yield AidEntry(title, text, symbol)

    def _of_enum(self, enum: Enum, field: Field) -> Iterator[AidEntry]:
        """Yield the symbols of the values in use, with the reminder or title of their field.

        A scale with colors of dice among its values is explained only in words, since half of it would mislead.
        """
        if any(value in self.model.dice for value in enum.values):
            return
        used = self._values_of(enum)
        about = self.text(field)
        if not about and field.name.title:
            called = self.title(field.name, field.id, field.span)
            about = self.set(called[:1].lower() + called[1:] if self.naming.language.capitals_tell else called)
        for value, name in enum.values.items():
            if name.title and value in used:
                title = self.title(name, value, enum.span)
                yield AidEntry(title, about, self.symbol(value, title))

    def _values_of(self, enum: Enum) -> frozenset[str]:
        """Return the values of an enum that a definition has, or the default of a field."""
        return frozenset(list(enum.values)[value] for value in self._used_values.get(enum.id, ()))

    @cached_property
    def _used_values(self) -> dict[str, dict[int, None]]:
        fields = [field for kind in self.model.kinds.values() for field in kind.fields.values()]
        owners = [part for definition in self.model.definitions.values() for part in (definition, *definition.parts)]
        exprs = [value.expr for definition in owners for value in definition.values.values()]
        used: dict[str, dict[int, None]] = {}
        for expr in (*exprs, *(field.default for field in fields)):
            for item in expr.items if isinstance(expr, ir.ListOf) else (expr,):
                if isinstance(item, ir.Const) and item.type.base == "enum":
                    used.setdefault(item.type.name, {})[item.value] = None
        return used

    def dice(self) -> AidBlock:
        """Return the faces of each die, and the ladders of dice from best to worst."""
        entries = [self._die(die) for die in self.model.dice.values() if die.name.title]
        for ladder in self.model.ladders.values():
            names = [self.naming.title(self.model.dice[die].name, die) for die in ladder.dice if die in self.model.dice]
            entries.append(AidEntry(self.words["ladder"], self.set(", ".join(names) + ".")))
        return AidBlock(self.words["dice"], "entries", tuple(entries))

    def _die(self, die: Die) -> AidEntry:
        title = self.title(die.name, die.id, die.span)
        faces = ", ".join(self.faces(die))
        return AidEntry(title, (*self.set(faces + "."), *self.text(die)), self.symbol(die.id, title))

    def faces(self, die: Die) -> list[str]:
        """Return the faces of a die in words, with their numbers."""
        if die.numbered:
            numbers = [face[0] for face in die.faces]
            if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
                return [self.words["range"].format(low=numbers[0], high=numbers[-1])]
        shown = [self.face(die, face) for face in die.faces]
        counted = {face: shown.count(face) for face in shown}
        words = self.words["faces"]
        return [words.format(face=face, count=count) if count > 1 else face for face, count in counted.items()]

    def face(self, die: Die, face: tuple[int, ...]) -> str:
        """Return one face in words."""
        if die.numbered:
            return str(face[0])
        named = [die.symbols[at] for at in face]
        titles = [self.naming.title(_named(self.model, die, symbol), symbol, die.span) for symbol in named]
        return self.naming.language.finish(" +\u00a0".join(titles)) if titles else "–"

    def chance(self) -> AidBlock:
        """Return how players pick at random, and how they replace the game's dice."""
        text = self.set(self.words["pick"].format(numbers=NUMBERS))
        if any(not die.numbered for die in self.model.dice.values()):
            text += self.set(self.words["no dice"])
        return AidBlock(self.words["chance"], "entries", (AidEntry("", text),))

    # ── only in the reference ────────────────────────────────────────────────

    def index(self, blocks: Sequence[AidBlock]) -> AidBlock:
        """Return the titles of all entries but symbols and examples, by their first letter without an article."""
        filed = [block for block in blocks if block.style not in ("symbols", "examples")]
        titles = {entry.title for block in filed for entry in block.entries if entry.title}
        letters: dict[str, list[str]] = {}
        bare_of = self.naming.language.own_article.sub
        for key, title in sorted((sort_key(bare_of("", title, count=1)), title) for title in titles):
            letters.setdefault(key[:1].upper(), []).append(title)
        entries = [
            AidEntry(letter if at == 0 else "", also=tuple(some[at : at + TOGETHER]))
            for letter, some in letters.items()
            for at in range(0, len(some), TOGETHER)
        ]
        return AidBlock(self.words["index"], "index", tuple(entries))

    def setup_map(self, wanted: Definition | None = None) -> SetupMap | None:
        """Return the map of the `wanted` mission as an example of a set-up; None without maps.

        By default it is the map with the fewest spaces.
        """
        choice = self.model.definitions.values() if wanted is None else [wanted]
        boards = [(definition, definition.board) for definition in choice if definition.board is not None]
        if not boards:
            return None
        mission, board = min(boards, key=lambda pair: (len(pair[1].cells), pair[0].id))
        title = self.title(mission.name, mission.id, mission.span)
        caption = self.naming.language.finish(self.words["example"].format(title=title))
        if self.facts is not None:
            return SetupMap(caption, worded_map(board, self.model, self.naming, self.facts))
        return SetupMap(caption, map_of(board, self.model, self.naming))

    def pieces(self) -> AidBlock:
        """Return the kinds of pieces and cards with a reminder."""
        kinds = [kind for kind in self.model.kinds.values() if kind.name.reminder]
        entries = tuple(AidEntry(self.title(kind.name, kind.id, kind.span), self.text(kind)) for kind in kinds)
        return AidBlock(self.words["pieces"], "entries", entries)

    def ground(self) -> AidBlock:
        """Return the effects of terrains and barriers, without ordinary ones that are among the symbols."""
        entries: list[AidEntry] = []
        shown = [entry.title for entry in self.symbols().entries]
        for terrain in (*self.model.terrains.values(), *self.model.barriers.values()):
            if terrain.name.title and terrain.system:
                wording = ground(terrain, self.model, self.language)
                self.problems += wording.problems
                title, text = self.title(terrain.name, terrain.id, terrain.span), self.text(terrain)
                if title not in shown or not self.is_plain(wording.paragraphs):
                    entries.append(AidEntry("", (*wording.paragraphs, *text), self.symbol(terrain.id, title)))
        return AidBlock(self.words["ground"], "entries", tuple(entries))

    def is_plain(self, wording: Sequence[Paragraph]) -> bool:
        """Return whether the text of a terrain states only that it is plain ground."""
        like_any = self.naming.language.finish(self.naming.language.words["ground open"])
        return len(wording) == 1 and wording[0].plain().rstrip(".").casefold().endswith(like_any.casefold())

    def variants(self) -> AidBlock:
        """Return the chosen variants, where rules can be read in two ways."""
        wording = switch_texts(self.model, self.language)
        self.problems += wording.problems
        return AidBlock(self.words["variants"], "entries", tuple(AidEntry("", (text,)) for text in wording.paragraphs))


def _ends(track: Track) -> bool:
    """Return whether a track may end the game."""
    bodies = [body for _, body in track.steps] + ([track.end] if track.end is not None else [])
    return any(ends_in(body) for body in (*bodies, *track.listeners))


LIKE = 4
"""The number of common letters by which a reader finds a word under another one."""


def _named(model: Model, die: Die, symbol: str) -> Name:
    """Return the name of a symbol: that of the die, or of another die with it."""
    for candidate in (die, *model.dice.values()):
        if symbol in candidate.names:
            return candidate.names[symbol]
    return Name()


def _by_title(entries: Iterable[AidEntry]) -> tuple[AidEntry, ...]:
    return tuple(sorted(entries, key=lambda entry: sort_key(entry.title)))


def _numbered(entries: Sequence[AidEntry], lead: bool = True) -> tuple[AidEntry, ...]:
    """Return steps with numbers: 1, 2 … and within each a, b …; deeper ones get none."""
    steps: list[AidEntry] = []
    counts = [0, 0]
    for entry in entries:
        number = ""
        if entry.level == 0:
            counts = [counts[0] + 1, 0]
            number = str(counts[0]) if lead else ""
        elif entry.level == 1:
            counts[1] += 1
            number = chr(ord("a") + counts[1] - 1) if lead else ""
        steps.append(replace(entry, number=number))
    return tuple(steps)


def _colour(model: Model) -> str:
    """Return the color of a system: that of its sheets."""
    for kind in model.kinds.values():
        if kind.id == "mission":
            colour = look_of_kind(kind, model).colour
            return colour if is_colour(colour) else DEFAULT_COLOUR
    return DEFAULT_COLOUR
