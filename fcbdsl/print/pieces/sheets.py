"""Mission sheets from definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any
from zlib import crc32

from fcbdsl.base.bounds import STEPS
from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, has_endings
from fcbdsl.language.model.content import Definition, Rule, Tier, Track
from fcbdsl.language.model.declarations import Field, Form, Kind
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import (
    LANGUAGES,
    Paragraph,
    RulesText,
    Seats,
    Setup,
    clause,
    fill_sentence,
    ground,
    reminder,
    reminders,
    rules_text,
    switches,
)
from fcbdsl.language.prose.reading import Readable, own_words
from fcbdsl.language.prose.rules_text import paragraph
from fcbdsl.print.layout.views import Chip, GaugeView, MapView, Section, Sheet, StepView, TierView, TrackView
from fcbdsl.print.pieces.cards import corner_of, footer_of
from fcbdsl.print.pieces.chips import PrintedFields, bind_short_words, colour_of, grade_of
from fcbdsl.print.pieces.looks import ink_on, look_of_kind, section_measures, style_of
from fcbdsl.print.pieces.maps import map_of, worded_map
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.print.pieces.pictures import picture_of
from fcbdsl.print.pieces.tree_walk import nodes_below

SEAT = 5.0
"""The height of a line with the players at an edge of a map."""


def sheet_of(mission: Definition, model: Model, language: str) -> tuple[Sheet, list[Diagnostic]]:
    """Return the view of a mission's sheet, and its problems."""
    maker = _Maker(mission, model, language)
    return maker.sheet(), maker.problems + maker.data.problems


def worded_sheet(mission: Definition, model: Model, language: str, facts: ModelFacts) -> tuple[Sheet, list[Diagnostic]]:
    """Return the view of a mission's sheet without the places on its map, see `worded_map`, and its problems."""
    maker = _Maker(mission, model, language, facts)
    return maker.sheet(), maker.problems + maker.data.problems


def is_sheet_changed(sheet: Sheet, mission: Definition, model: Model, facts: ModelFacts) -> bool:
    """Return whether the sheet of a mission differs from an earlier `worded_sheet` of it. Its parts are compared while
    they are made, so that most changes are seen early."""
    maker = _Maker(mission, model, sheet.language, facts)
    return any(part != getattr(sheet, name) for name, part in maker.parts())


def goal_sections(mission: Definition, model: Model, language: str) -> list[Section]:
    """Return the sections of a mission's sheet about how it is won and lost: its conditions, or else its numbers."""
    maker = _Maker(mission, model, language)
    words = maker.look.fields.get("sections", ())
    for base in ("condition", "number"):
        columns = [word for word in words if any(kind.fields[word].type.base == base for kind in mission.kind.lineage()
                 if word in kind.fields)]  # fmt: skip
        sections = [section for word in columns if (section := maker.section(word)).text]
        if sections:
            return sections
    return []


class _Maker:
    """A sheet under construction. If the facts about its model are given, it is checked and not printed, so its map has
    no places."""

    def __init__(self, mission: Definition, model: Model, language: str, facts: ModelFacts | None = None) -> None:
        self.placed = facts is None
        self.facts = ModelFacts(model) if facts is None else facts
        self.mission = mission
        self.model = model
        self.language = language
        self.words = interface_texts("sheets", language)
        self.data = PrintedFields(mission, model, language)
        self.look = look_of_kind(mission.kind, model)
        self.problems: list[Diagnostic] = []

    def sheet(self) -> Sheet:
        return Sheet(**dict(self.parts()))

    def parts(self) -> Iterator[tuple[str, Any]]:
        """Yield the names and values of the fields of the sheet, each of them as soon as it is made."""
        colour = colour_of(self.mission, self.model)
        key = f"{self.mission.kind.id}/{self.mission.id}"
        yield "key", key
        yield "language", self.language
        yield "style", style_of(self.model, self.look.scene)
        yield "seed", crc32(key.encode())
        yield "picture", picture_of(self.mission, self.language)
        yield "title", self.data.title(self.mission.name, self.mission.id)
        yield "type_line", self._type_line()
        yield "colour", colour
        yield "ink", ink_on(colour)
        yield "grade", grade_of(self.mission, self.model, self.language)
        yield "chips", (self._players(), *self._chips("stats"))
        yield "sections", tuple(self._sections())
        yield "map", self._map()
        yield "tracks", tuple(self._track(t) for t in self.mission.tracks if t.sort == "countdown")
        gauges = (self._gauge(t) for t in self.mission.tracks if t.sort != "countdown")
        yield "gauges", (*self._counted_up(), *gauges)
        yield "keywords", tuple(self._keywords())
        yield "words", self.words
        yield "footer", footer_of(self.model, self.language)

    def _map(self) -> MapView | None:
        """Return the map, with the players at its lower edge below it."""
        if self.mission.board is None:
            return None
        board, naming = self.mission.board, self.data.naming
        drawn = map_of(board, self.model, naming) if self.placed else worded_map(board, self.model, naming, self.facts)
        south = self.data.naming.language.finish(self.look.south.get(self.language, ""))
        return replace(drawn, south=south, height=drawn.height + (SEAT if south else 0.0))

    def _type_line(self) -> str:
        noun = self.data.naming.kind(self.mission.kind).one
        return " · ".join([self.data.naming.language.finish(with_capital(noun)), *self._stage()])

    def _stage(self) -> list[str]:
        """Return the campaign of the mission, and the mission's place in it: the number of the card that names it."""
        stages, campaigns = self.facts.stages(self.look.stage)
        own = _key(self.mission)
        named = [at for at, stage in enumerate(stages, start=1) if own in self.facts.named(stage)]
        titled = [
            self.data.title(campaign.name, campaign.id) for campaign in campaigns if campaign.kind.id != self.look.stage
        ]
        bound = self.data.naming.language.bound
        return [bound(f"{title}\u00a0{at}/{len(stages)}") for title in titled[:1] for at in named[:1]]

    def _players(self) -> Chip:
        low, high = self.mission.players or self.model.players
        return Chip(self.words["players"], str(low) if low == high else f"{low}–{high}")

    def _chips(self, key: str) -> list[Chip]:
        chips = (self.data.chip(word) for word in self.look.fields.get(key, ()))
        return [chip for chip in chips if chip is not None]

    # ── sections ─────────────────────────────────────────────────────────────

    def _sections(self) -> list[Section]:
        sections = self.look.fields.get("sections", ())
        wording = [(self.section(word), self._losses(word)) for word in sections]
        texts = [Section(section.title, section.text + losses) for section, losses in wording]
        event = self.model.events.get(self.look.setup)
        setup = Setup(self.mission, event, self.model)
        title = self.look.setup_titles.get(self.language) or interface_texts("aids", self.language)["set-up"]
        rows = self._table(self.look.fields.get("setup table", ()))
        texts.append(
            Section(title, rows + (self.paragraphs_of(setup.text(self.language)) if event is not None else ()))
        )
        sections = (*sections, *self.look.fields.get("setup table", ()))
        special = self.paragraphs_of(switches(self.mission, self.model, self.language))
        special += self.paragraphs_of(
            rules_text(self.mission, self.model, self.language, besides=setup.described, elsewhere=sections)
        )
        for action in self.model.actions.values():
            if action.span.beside(self.mission.span):  # an action in the mission's own file
                special += self.paragraphs_of(self.described(action))
        for rule in self.model.rules.values():
            if rule.span.beside(self.mission.span):
                special += self._ruled(rule)
        texts.append(Section(self.words["special rules"], special + self._pieces() + self._grounds()))
        texts.append(Section(self.words["endings"], tuple(self._endings())))
        return [section for section in texts if section.text]

    def _endings(self) -> Iterator[Paragraph]:
        """Yield the named endings of the mission with their words; only their titles if they are cards."""
        if not has_endings(self.model):
            return
        named = {node.id for node in nodes_below(self.mission) if isinstance(node, ir.Instance) and node.kind == ENDING}
        is_card = ENDING in self.model.layouts
        for ending in self.model.definitions.values():
            if ending.kind.id != ENDING or ending.target is not (self.mission if ending.target else None):
                continue
            if ending.target is None and ending.id not in named:
                continue
            data = PrintedFields(ending, self.model, self.language)
            words = () if is_card or "story" not in ending.values else own_words(data.text("story"), self.language)
            lead = f"{data.headline(ending)}."
            yield _led(words[0], lead) if words else paragraph("", heading=lead)
            yield from words[1:]
            self.problems += data.problems

    def _table(self, words: Sequence[str]) -> tuple[Paragraph, ...]:
        """Return short sections as the rows of one table: their titles and contents."""
        sections = [section for section in map(self.section, words) if section.text]
        return tuple(
            Paragraph(tuple(run for paragraph in section.text for run in paragraph.runs), label=section.title)
            for section in sections
        )

    def _losses(self, section: str) -> tuple[Paragraph, ...]:
        """Return the pieces on the map whose loss ends the mission, except for pieces that the section mentions."""
        wanted, flag = self.look.losses
        template = self.look.loss_texts.get(self.language, "")
        if section != wanted or not template:
            return ()
        value = self.mission.values.get(section)
        tree = (value.body, value.expr) if value is not None else ()
        spoken = [node.id for node in nodes_below(tree) if isinstance(node, ir.Def | ir.Instance)]
        lost = [
            p for p in self._placed if PrintedFields(p, self.model, self.language).holds(flag) and p.id not in spoken
        ]
        return self.paragraphs_of(fill_sentence(template, lost, self.model, self.language)) if lost else ()

    def _ruled(self, rule: Rule) -> tuple[Paragraph, ...]:
        """Return a rule of the mission's own file, after its title: its reminder, or else its generated text."""
        wording = self.paragraphs_of(
            reminder(rule, self.model, self.language) if rule.name.reminder else self.described(rule)
        )
        title = rule.name.title.get(self.language, "")
        return tuple(
            [_led(paragraph, f"{title}.") if at == 0 and title else paragraph for at, paragraph in enumerate(wording)]
        )

    def _pieces(self) -> tuple[Paragraph, ...]:
        """Return the rules of pieces that are on the map and in the mission's own file."""
        paragraphs: list[Paragraph] = []
        for piece in self._placed:
            if piece.span.beside(self.mission.span):
                wording = self.paragraphs_of(self.described(piece))
                title = self.data.headline(piece)
                paragraphs += [
                    _led(paragraph, f"{title}.") if at == 0 else paragraph for at, paragraph in enumerate(wording)
                ]
        return tuple(paragraphs)

    def _grounds(self) -> tuple[Paragraph, ...]:
        """Return the effects of terrains and barriers of the content: those on the map, and those in the mission's own
        file, which may be placed there."""
        board = self.mission.board
        shown = {cell.terrain for cell in board.cells} | set(board.sides.values()) if board is not None else set()
        kinds = [*self.model.terrains.values(), *self.model.barriers.values()]
        own = [kind for kind in kinds if kind.id in shown or kind.span.beside(self.mission.span)]
        wording = [ground(terrain, self.model, self.language) for terrain in own if not terrain.system]
        return tuple(paragraph for text in wording for paragraph in self.paragraphs_of(text))

    def section(self, word: str) -> Section:
        """Return the section of a mission sheet for a word.

        For a field: its title, with prose as written, a condition as a sentence, or data as words. For a kind: its
        cards for the mission. For a measure: its values by number of players.
        """
        field = self.data.field(word)
        if field is None:
            measure = section_measures(self.mission.kind, self.model).get(word)
            return self._by_players(measure) if measure is not None else self._own_cards(self.model.kinds[word])
        section = self._field(field)
        if section.text and not field.name.title:
            self.data.naming.missing(word, field.span, line=f'a title: `field {word} "Title": …`')
        return section

    def _field(self, field: Field) -> Section:
        """Return a field with its title, if it has one."""
        word = field.id
        title = self.data.title(field.name, word) if field.name.title else ""
        value = self.mission.values.get(word)
        usual = field.default if field.type.base == "condition" else None
        if value is None and usual is not None and not isinstance(usual, ir.Const):
            return Section(title, _ended(self.paragraphs_of(clause(usual, (), self.model, self.language, wanted=True))))
        if value is None:
            return Section(title, ())
        if value.texts is not None:
            return Section(title, own_words(self.data.text(word), self.language))
        answer = value.body.statements[-1] if value.body is not None and value.body.statements else None
        if value.body is not None and isinstance(answer, ir.Answer):
            slots = value.body.slots
            wording = self.paragraphs_of(
                clause(answer.value, slots, self.model, self.language, wanted=field.attainable)
            )
            return Section(title, _ended(wording))
        if value.expr is not None and field.type.base in {"condition", "flag"}:
            wording = self.paragraphs_of(clause(value.expr, (), self.model, self.language))
            return Section(title, wording if isinstance(value.expr, ir.Const) else _ended(wording))
        if isinstance(value.expr, ir.ListOf):
            return Section(title, (paragraph(self._listed(value.expr.items)),))
        chip = self.data.chip(word)
        return Section(title, (paragraph(chip.value),) if chip is not None else ())

    def _by_players(self, measure: Form) -> Section:
        """Return a table of a measure's list: a row for each thing, a column for each number of players, with the
        counts.

        It is empty if the list is empty for each of them.
        """
        seats, (low, high) = Seats(self.model), self.mission.players or self.model.players
        numbers = range(low, high + 1)
        columns = [self._counted(seats.listed(measure, self.mission, number)) for number in numbers]
        head = with_capital(self.data.naming.language.finish(self.words["players"]))
        rows = [(head, [str(number) for number in numbers])]
        for title in dict.fromkeys(title for column in columns for title in column):
            rows.append((title, [str(column.get(title, "–")) for column in columns]))
        wording = tuple(Paragraph((), label=label, cells=tuple(cells)) for label, cells in rows)
        return Section(self.data.title(measure.name, measure.id), wording if len(wording) > 1 else ())

    def _listed(self, items: Sequence[ir.Expr]) -> str:
        """Return the titles of the things in a list, each once, with its count."""
        counts = self._counted(items)
        return ", ".join(
            f"{title}\u00a0×{count}" if count > 1 else bind_short_words(title) for title, count in counts.items()
        )

    def _counted(self, items: Sequence[ir.Expr]) -> dict[str, int]:
        """Return the counts of the things in a list, by title: by occurrence, or by their number of copies."""
        counts: dict[str, int] = {}
        for item in items:
            named = self.model.definitions.get((item.kind, item.id)) if isinstance(item, ir.Def) else None
            if named is not None:
                title = self.data.headline(named)
                counts[title] = counts.get(title, 0) + 1
                copies = named.values.get("copies")
                if copies is not None and isinstance(copies.expr, ir.Const) and counts[title] == 1:
                    counts[title] = max(1, copies.expr.value)
        return counts

    def _own_cards(self, kind: Kind) -> Section:
        """Return the cards of a kind that are for the mission, by the number in their corner. A face-down card shows
        only its number."""
        look = look_of_kind(kind, self.model)
        listed: list[tuple[int, tuple[Paragraph, ...]]] = []
        for card in self.model.definitions.values():
            if card.kind is kind and card.target is self.mission:
                data = PrintedFields(card, self.model, self.language)
                corner = corner_of(look, data)
                number = f"{corner.value}. " if corner is not None else ""
                secret = next((c.label for w in look.fields.get("face down", ()) if (c := data.chip(w))), "")
                if secret:
                    wording: tuple[Paragraph, ...] = (_led(paragraph(f"{secret}."), number.strip()),)
                else:
                    wording = self.paragraphs_of(self.described(card))
                    lead = f"{number}{data.headline(card)}."
                    wording = (_led(wording[0], lead), *wording[1:]) if wording else (paragraph("", heading=lead),)
                listed.append(
                    (int(corner.value) if corner is not None and corner.value.isdecimal() else 10**6, wording)
                )
        listed.sort(key=lambda pair: pair[0])
        title = self.data.naming.language.finish(with_capital(self.data.naming.kind(kind).many)) if listed else ""
        return Section(title, tuple(wording for _, card in listed for wording in card))

    def _keywords(self) -> list[tuple[str, tuple[Paragraph, ...]]]:
        """Return reminders of every keyword that the mission, its pieces and other parts of its file use."""
        used: dict[str, Form] = {}
        involved = self._involved()
        for definition in involved:
            used |= {form.id: form for form in self.facts.keywords(definition)}
        used |= self.facts.keywords_beside(self.mission.span)
        wording = reminders(used.values(), self.model, self.language)
        keywords = [(LANGUAGES[self.language].finish(title), self.paragraphs_of(text)) for title, text in wording]
        if self.facts.has_chance_beside(self.mission.span) or any(map(self.facts.has_chance, involved)):
            keywords.append((self.words["at random"], (paragraph(self.words["how at random"]),)))
        return sorted(keywords, key=lambda pair: pair[0].casefold())

    def _involved(self) -> list[Definition]:
        """Return the mission, the pieces on its map, and everything that any of them names, with the cards for it.

        This includes what comes into play later.
        """
        everything = self.model.definitions
        involved = {_key(d): d for d in (self.mission, *self._placed)}
        todo = list(involved.values())
        while todo:
            definition = todo.pop()
            named = map(everything.get, self.facts.named(definition))
            for other in (*definition.parts, *named, *self.facts.cards_for(definition)):
                if other is not None and _key(other) not in involved:
                    involved[_key(other)] = other
                    todo.append(other)
        return list(involved.values())

    @cached_property
    def _placed(self) -> list[Definition]:
        """Return the pieces on the map, in order of declaration."""
        places = {name for cell in (self.mission.board.cells if self.mission.board else []) for name in cell.places}
        return [definition for definition in self.model.definitions.values() if definition.id in places]

    # ── tracks ───────────────────────────────────────────────────────────────

    def _track(self, track: Track) -> TrackView:
        marked = {value for values, _ in track.steps for value in values}
        last = _last_drawn(track)
        labels = [StepView(self.words["start"], False)]
        labels += [StepView(str(n), n in marked, n in marked) for n in range(track.low + 1, last)]
        labels.append(StepView(self.words["end"], True, last in marked, str(last)))
        return TrackView(self._name(track), tuple(labels), self.paragraphs_of(self.described(track)))

    def _gauge(self, track: Track) -> GaugeView:
        starts = {tier.at for tier in track.tiers}
        steps = tuple(StepView(str(n), n in starts) for n in range(track.low, _last_drawn(track) + 1))
        tiers = tuple(self._tier(tier) for tier in track.tiers)
        return GaugeView(self._name(track), steps, tiers, self.paragraphs_of(self.described(track)))

    def _counted_up(self) -> Iterator[GaugeView]:
        """Yield a track from 1 on for each number of the mission that is counted up to, such as turns."""
        for word in self.look.fields.get("tracks", ()):
            chip = self.data.chip(word)
            if chip is not None and chip.value.isdecimal():
                last = int(chip.value)
                drawn = [str(at) for at in range(1, min(last, STEPS) + 1)]
                if last > STEPS:
                    drawn += ["…", str(last)]
                yield GaugeView(chip.label, tuple(StepView(text, False) for text in drawn), (), ())

    def _tier(self, tier: Tier) -> TierView:
        text: list[Paragraph] = []
        for part, lead in ((tier.enter, "enter"), (tier.leave, "leave")):
            if part is not None:
                wording = self.paragraphs_of(self.described(part))
                text += [_led(words, self.words[lead]) if at == 0 else words for at, words in enumerate(wording)]
        rules: list[ir.Modifier | ir.Listener] = [*tier.modifiers, *tier.listeners]
        for rule in rules:
            text += self.paragraphs_of(self.described(rule))
        return TierView(str(tier.at), self.data.title(tier.name, str(tier.at)), tier.locked, tuple(text))

    def _name(self, track: Track) -> str:
        return self.data.title(track.name, track.id)

    # ── texts ────────────────────────────────────────────────────────────────

    def paragraphs_of(self, text: RulesText) -> tuple[Paragraph, ...]:
        """Return a text's words, and record its problems."""
        self.problems += text.problems
        return text.paragraphs

    def described(self, thing: Readable) -> RulesText:
        """Return the text of something on the sheet, with pieces and spaces of its map."""
        return rules_text(thing, self.model, self.language, board=self.mission.board)


def _key(definition: Definition) -> tuple[str, str]:
    return definition.kind.id, definition.id


def _led(text: Paragraph, lead: str) -> Paragraph:
    return Paragraph(paragraph("", heading=lead).runs + text.runs, text.level)


def _ended(wording: tuple[Paragraph, ...]) -> tuple[Paragraph, ...]:
    return tuple(Paragraph((*text.runs, paragraph(".").runs[0]), text.level) for text in wording)


def _last_drawn(track: Track) -> int:
    """Return the last value of a track that is drawn. A track that is too long, a separate error, is cut."""
    return min(track.high, track.low + STEPS)
