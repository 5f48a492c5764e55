"""Mission sheets from definitions."""

from __future__ import annotations

from fcbdsl.diagnostics import Diagnostic
from fcbdsl.model import ir
from fcbdsl.model.content import Definition, Tier, Track
from fcbdsl.model.declarations import Form
from fcbdsl.model.whole import Model
from fcbdsl.prose import Paragraph, RulesText, clause, describe, reminders, switches
from fcbdsl.prose.text import paragraph
from fcbdsl.render.cards import footer_of, keywords_in, keywords_of, nodes, own_words
from fcbdsl.render.data import Data
from fcbdsl.render.looks import Look, ink_on, look_of
from fcbdsl.render.maps import map_of
from fcbdsl.render.views import Chip, GaugeView, Section, Sheet, StepView, TierView, TrackView

WORDS = {
    "en": {
        "players": "players",
        "special rules": "Special rules",
        "map": "Map",
        "legend": "Legend",
        "locked": "never recedes",
        "end": "End",
        "keywords": "Keywords",
        "wall": "continuous line",
        "door": "double line",
        "rope": "dash-dotted line",
        "gap": "two posts",
        "solid": "filled hexagon",
        "bold": "bold dashes",
        "thin": "thin dashes",
        "route": "dots and arrows",
        "enter": "On reaching it:",
        "leave": "On leaving it:",
    },
    "fr": {
        "players": "joueurs",
        "special rules": "Règles spéciales",
        "map": "Carte",
        "legend": "Légende",
        "locked": "ne redescend jamais",
        "end": "Fin",
        "keywords": "Mots-clés",
        "wall": "ligne continue",
        "door": "ligne double",
        "rope": "trait mixte",
        "gap": "deux montants",
        "solid": "hexagone plein",
        "bold": "pointillés gras",
        "thin": "pointillés réguliers",
        "route": "points et flèches",
        "enter": "En l’atteignant\u00a0:",
        "leave": "En le quittant\u00a0:",
    },
}
"""The fixed words of a sheet."""


def sheet_of(mission: Definition, model: Model, language: str) -> tuple[Sheet, list[Diagnostic]]:
    """Build the view of a mission's sheet, and what was missing for it."""
    maker = _Maker(mission, model, language)
    return maker.sheet(), maker.problems + maker.data.problems


def colour_of(mission: Definition, model: Model) -> str:
    """The colour of a mission's sheet, as ``#rrggbb``."""
    return _Maker(mission, model, "en").colour()


class _Maker:
    """One sheet in the making."""

    def __init__(self, mission: Definition, model: Model, language: str) -> None:
        self.mission = mission
        self.model = model
        self.language = language
        self.words = WORDS[language]
        self.data = Data(mission, model, language)
        self.look = look_of(mission.kind, model)
        self.problems: list[Diagnostic] = []

    def sheet(self) -> Sheet:
        grade = self._grade()
        colour = self.colour()
        return Sheet(
            key=f"{self.mission.kind.id}/{self.mission.id}",
            language=self.language,
            title=self.data.title(self.mission.name, self.mission.id),
            type_line=self._type_line(),
            colour=colour,
            ink=ink_on(colour),
            grade=grade,
            chips=(self._players(), *self._chips("stats")),
            sections=tuple(self._sections()),
            map=map_of(self.mission.board, self.model, self.data.naming) if self.mission.board is not None else None,
            tracks=tuple(self._track(t) for t in self.mission.tracks if t.sort == "countdown"),
            gauges=tuple(self._gauge(t) for t in self.mission.tracks if t.sort != "countdown"),
            keywords=tuple(self._keywords()),
            words=self.words,
            footer=footer_of(self.model, self.data),
        )

    def colour(self) -> str:
        """The colour of its grade, or of all missions."""
        grade = self._grade()
        return grade.symbol.colour if grade is not None and grade.symbol is not None else self.look.colour

    def _grade(self) -> Chip | None:
        return next(iter(self._chips("grade")), None)

    def _type_line(self) -> str:
        noun = self.data.naming.kind(self.mission.kind).one
        return self.data.naming.language.finish(noun[:1].upper() + noun[1:])

    def _players(self) -> Chip:
        low, high = self.mission.players or self.model.players
        return Chip(self.words["players"], str(low) if low == high else f"{low}–{high}")

    def _chips(self, key: str) -> list[Chip]:
        found = (self.data.chip(word) for word in self.look.fields.get(key, ()))
        return [chip for chip in found if chip is not None]

    def told(self, text: RulesText) -> tuple[Paragraph, ...]:
        """Keep a text's words and its problems."""
        self.problems += text.problems
        return text.paragraphs

    # ── sections ─────────────────────────────────────────────────────────────

    def _sections(self) -> list[Section]:
        made = [self._section(word, self.look) for word in self.look.fields.get("sections", ())]
        special = self.told(switches(self.mission, self.model, self.language))
        special += self.told(describe(self.mission, self.model, self.language))
        for action in self.model.actions.values():
            if action.span.source is self.mission.span.source:  # an action that stands in the mission's own file
                special += self.told(describe(action, self.model, self.language))
        made.append(Section(self.words["special rules"], special))
        return [section for section in made if section.text]

    def _section(self, word: str, look: Look) -> Section:
        """A field with its title: prose as written, a condition as a sentence, data as words."""
        field = self.data.field(word)
        assert field is not None, "checked by check_looks"
        title = self.data.title(field.name, word) if field.name.title else ""
        value = self.mission.values.get(word)
        if value is None:
            return Section(title, ())
        if value.texts is not None:
            return Section(title, own_words(self.data.text(word), self.language))
        answer = value.body.statements[-1] if value.body is not None and value.body.statements else None
        if value.body is not None and isinstance(answer, ir.Answer):
            told = self.told(clause(answer.value, value.body.slots, self.model, self.language))
            return Section(title, _ended(told))
        if value.expr is not None and field.type.base in {"condition", "flag"}:
            return Section(title, _ended(self.told(clause(value.expr, (), self.model, self.language))))
        chip = self.data.chip(word)
        return Section(title, (paragraph(chip.value),) if chip is not None else ())

    def _keywords(self) -> list[tuple[str, tuple[Paragraph, ...]]]:
        """Reminders of every keyword that the mission, its pieces and what else stands in its file use."""
        used: dict[str, Form] = {}
        for definition in self._involved():
            used |= {form.id: form for form in keywords_of(definition)}
        source = self.mission.span.source
        own = [action.body for action in self.model.actions.values() if action.span.source is source]
        own += [form.body for form in self.model.forms if form.span.source is source and form.body is not None]
        used |= {form.id: form for form in keywords_in(tuple(own))}
        return [(title, self.told(text)) for title, text in reminders(used.values(), self.model, self.language)]

    def _involved(self) -> list[Definition]:
        """The mission, what stands on its map, the cards that belong to that, and what any of them names."""
        everything = self.model.definitions
        placed = {name for cell in (self.mission.board.cells if self.mission.board else []) for name in cell.places}
        found = [self.mission, *(d for d in everything.values() if d.id in placed)]
        found += [d for d in everything.values() if d.target is not None and d.target.id in placed]
        named = [node for node in nodes(tuple(found)) if isinstance(node, ir.Def)]
        return found + [everything[node.kind, node.id] for node in named if (node.kind, node.id) in everything]

    # ── tracks ───────────────────────────────────────────────────────────────

    def _track(self, track: Track) -> TrackView:
        marked = {value for values, _ in track.steps for value in values}
        last = track.high
        labels = [StepView(str(n), n in marked) for n in range(track.low + 1, last)]
        labels.append(StepView(self.words["end"], True))
        return TrackView(self._name(track), tuple(labels), self.told(describe(track, self.model, self.language)))

    def _gauge(self, track: Track) -> GaugeView:
        starts = {tier.at for tier in track.tiers}
        steps = tuple(StepView(str(n), n in starts) for n in range(track.low, track.high + 1))
        tiers = tuple(self._tier(tier) for tier in track.tiers)
        return GaugeView(self._name(track), steps, tiers, self.told(describe(track, self.model, self.language)))

    def _tier(self, tier: Tier) -> TierView:
        text: list[Paragraph] = []
        for part, lead in ((tier.enter, "enter"), (tier.leave, "leave")):
            if part is not None:
                told = self.told(describe(part, self.model, self.language))
                text += [_led(made, self.words[lead]) if at == 0 else made for at, made in enumerate(told)]
        rules: list[ir.Modifier | ir.Listener] = [*tier.modifiers, *tier.listeners]
        for rule in rules:
            text += self.told(describe(rule, self.model, self.language))
        return TierView(str(tier.at), self.data.title(tier.name, str(tier.at)), tier.locked, tuple(text))

    def _name(self, track: Track) -> str:
        return self.data.title(track.name, track.id)


def _led(made: Paragraph, lead: str) -> Paragraph:
    return Paragraph(paragraph("", heading=lead).runs + made.runs, made.level)


def _ended(told: tuple[Paragraph, ...]) -> tuple[Paragraph, ...]:
    return tuple(Paragraph((*made.runs, paragraph(".").runs[0]), made.level) for made in told)
