"""The printed parts of a campaign: a map of its places without spoilers, a log to write in, and for each mission a
sheet to read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Name
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import Paragraph, rules_text
from fcbdsl.language.prose.reading import own_words
from fcbdsl.language.prose.rules_text import paragraph
from fcbdsl.print.layout.views import CampaignSheet, LogBlock, LogLine, Section, Site, StorySheet
from fcbdsl.print.pieces.cards import footer_of
from fcbdsl.print.pieces.chips import PrintedFields, colour_of, grade_of, of_missions
from fcbdsl.print.pieces.initials import is_figure
from fcbdsl.print.pieces.looks import ink_on, look_of_kind, style_of
from fcbdsl.print.pieces.pictures import picture_of
from fcbdsl.print.pieces.tree_walk import nodes_below

FREE_LINES = 4
"""Additional lines for missions in a log: these may be lost, and played again."""
ROOMS = {"flag": "tick", "number": "number"}
"""The space in the log for a value of a type; for all others, that of a name."""


def story_sheet(mission: Definition, model: Model, language: str) -> tuple[StorySheet, list[Diagnostic]]:
    """Return the sheet to read aloud, and its problems.

    The front contains the texts of the fields `before` in a mission's look. The back contains the texts of the cards
    (of the kinds in `after`) that name the mission.
    """
    data = PrintedFields(mission, model, language)
    look = look_of_kind(mission.kind, model)
    problems: list[Diagnostic] = []
    before = [own_words(data.text(word), language) for word in look.fields.get("before", ())]
    after: list[Section] = []
    for definition in model.definitions.values():
        if definition.kind.id in look.after and names(definition, mission):
            rules = rules_text(definition, model, language)
            problems += rules.problems
            notes = () if rules.paragraphs else tuple(_notes(definition, mission, model, language))
            title = PrintedFields(definition, model, language).headline(definition)
            after.append(Section(title, rules.paragraphs or notes))
    colour = colour_of(mission, model)
    key = f"story/{mission.id}"
    sheet = StorySheet(
        key=key,
        language=language,
        style=style_of(model, look.scene),
        seed=crc32(f"{mission.kind.id}/{mission.id}".encode()),
        picture=picture_of(mission, language),
        title=data.title(mission.name, mission.id),
        type_line=interface_texts("campaigns", language)["story"],
        colour=colour,
        ink=ink_on(colour),
        before=tuple(section for some in before for section in some),
        after=tuple(section for section in after if section.text),
        words=of_missions(interface_texts("campaigns", language), data.naming),
        footer=footer_of(model, language),
    )
    return sheet, problems + data.problems


def names(one: Definition, other: Definition) -> bool:
    """Return whether a definition names another one in its fields."""
    return any(
        isinstance(node, ir.Def) and (node.kind, node.id) == (other.kind.id, other.id) for node in nodes_below(one)
    )


def _notes(definition: Definition, mission: Definition, model: Model, language: str) -> Iterator[Paragraph]:
    """Yield the fields of a card without a text that do not name the mission."""
    data = PrintedFields(definition, model, language)
    own = PrintedFields(mission, model, language).title(mission.name, mission.id)
    for word in look_of_kind(definition.kind, model).fields.get("notes", ()):
        chip = data.chip(word)
        if chip is not None and not chip.value.startswith(own):
            yield paragraph(chip.value, heading=f"{chip.label}: " if language == "en" else f"{chip.label}\u00a0: ")


def is_campaign(definition: Definition) -> bool:
    """Return whether a definition is printed as the sheets of a campaign."""
    return any(kind.id == "campaign" for kind in definition.kind.lineage())


def campaign_of(campaign: Definition, model: Model, language: str) -> tuple[CampaignSheet, list[Diagnostic]]:
    """Return the map and the log of a campaign, and their problems.

    The map names only the sites that are known from the start; the log has space for missions, and for all kept data of
    the team and of each figure.
    """
    maker = _Maker(campaign, model, language)
    return maker.sheet(), maker.problems


class _Maker:
    """The sheets of a campaign under construction."""

    def __init__(self, campaign: Definition, model: Model, language: str) -> None:
        self.campaign = campaign
        self.model = model
        self.language = language
        self.data = PrintedFields(campaign, model, language)
        self.words = of_missions(interface_texts("campaigns", language), self.data.naming)
        self.words["continued"] = interface_texts("sheets", language)["continued"]
        self.look = look_of_kind(campaign.kind, model)
        self.problems = self.data.problems

    def sheet(self) -> CampaignSheet:
        colour = colour_of(self.campaign, self.model)
        sites = tuple(self.sites())
        story = next((self.data.text(word) for word in self.look.fields.get("before", ())), "")
        return CampaignSheet(
            key=f"campaign/{self.campaign.id}",
            language=self.language,
            style=style_of(self.model, self.look.scene),
            seed=crc32(f"campaign/{self.campaign.id}".encode()),
            title=self.data.title(self.campaign.name, self.campaign.id),
            colour=colour,
            ink=ink_on(colour),
            story=own_words(story, self.language),
            sites=sites,
            rows=len(sites) + FREE_LINES,
            columns=tuple(self.words["columns of sides" if TEAM in self.model.kinds else "columns"].split(" | ")),
            blocks=tuple(self.blocks()),
            words=self.words,
            footer=footer_of(self.model, self.language),
        )

    def sites(self) -> Iterator[Site]:
        """Yield the places of the campaign, by the numbers of their cards; places still to be found are blank."""
        kind, *parts = self.look.sites or (("",),)
        known_words = [part[1] for part in parts if part[0] == "known"]
        tells = [part[1] for part in parts if part[0] == "tells"]
        listed = [self.campaign.values.get(word) for word in known_words]
        open_ones = [
            node.id for value in listed if value is not None for node in ir.walk(value.expr) if isinstance(node, ir.Def)
        ]
        of = [definition for definition in self.model.definitions.values() if definition.kind.id == kind[0]]
        for number, definition in enumerate(of, start=1):
            if definition.id not in open_ones:
                yield Site(number, "", "", "#8b8577", "#ffffff", ())
                continue
            data = PrintedFields(definition, self.model, self.language)
            colour = colour_of(definition, self.model)
            chips = [chip for chip in map(data.chip, tells) if chip is not None]
            yield Site(number, data.headline(definition), self.grade(definition), colour, ink_on(colour), tuple(chips))

    def grade(self, definition: Definition) -> str:
        """Return the grade of the mission that a card names."""
        named = [self.model.definitions.get((n.kind, n.id)) for n in nodes_below(definition) if isinstance(n, ir.Def)]
        grades = [grade_of(other, self.model, self.language) for other in named if other is not None]
        return next((chip.value for chip in grades if chip is not None), "")

    # ── kept data ────────────────────────────────────────────────────────────

    def blocks(self) -> Iterator[LogBlock]:
        """Yield the kept data of the team, then of each figure."""
        team = (*self.kept("game"), *self.zones(""))
        if team:
            yield LogBlock(self.words["team"], "", tuple(team))
        for definition in self.model.definitions.values():
            if is_figure(definition):
                kinds = [kind.id for kind in definition.kind.lineage()]
                lines = [line for kind in kinds for line in self.kept(kind, kinds)]
                lines += [line for kind in kinds for line in self.zones(kind, kinds)]
                title = PrintedFields(definition, self.model, self.language).headline(definition)
                if lines:
                    yield LogBlock(title, colour_of(definition, self.model), tuple(dict.fromkeys(lines)))

    def kept(self, kind: str, kinds: list[str] | None = None) -> Iterator[LogLine]:
        """Yield the kept stats and statuses of a kind."""
        declared = self.model.kinds.get(kind)
        for field in declared.fields.values() if declared is not None else ():
            if field.kept and (kinds is None or not set(kinds).isdisjoint(field.kept)) and field.name.title:
                room = "list" if field.type.many else ROOMS.get(field.type.base, "name")
                yield LogLine(self.title(field.name, field.id), room)

    def zones(self, kind: str, kinds: list[str] | None = None) -> Iterator[LogLine]:
        """Yield the kept zones, by their titles, else by the kind of their contents."""
        declared = self.model.kinds.get(kind)
        zones = self.model.zones.values() if not kind else declared.zones.values() if declared is not None else ()
        for zone in zones:
            if zone.kept and (kinds is None or not set(kinds).isdisjoint(zone.kept)):
                if zone.name.title.get(self.language):
                    yield LogLine(self.title(zone.name, zone.id), "list")
                else:
                    noun = self.data.naming.kind_called(zone.holds).many
                    yield LogLine(self.data.naming.language.finish(with_capital(noun)), "list")

    def title(self, name: Name, called: str) -> str:
        return with_capital(self.data.title(name, called))
