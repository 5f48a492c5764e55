"""Names of things, values and options, from the program's texts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from fcbdsl.base.typography import contract_articles, typographic, with_capital
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Cell
from fcbdsl.machine.vm.teams import asked_as, members, of_player
from fcbdsl.machine.vm.world import ACTION, ENDINGS, LISTENER, TAGS, Option
from fcbdsl.play.session.strings import play_text

FEW = 2
"""Most figures that are listed with a player instead of the team that only this player is in."""
MANY = 4
"""Most figures that are listed with a player."""


_BOLD = re.compile(r"\*\*(.+?)\*\*")
"""Words that an author marks as bold: a terminal shows them plain."""
_VOWEL = re.compile(r"[aeiouâàéèêëîïôûùœæ]\w\w", re.IGNORECASE)
"""The beginning of a name before which « de » elides; a coordinate is none."""
_AGREES = "{0?"
"""The beginning of words that agree with a title."""
_SLOT = re.compile(r"\{(\d+)(?:\?(\w):([^{}|]*)\|([^{}|]*))?\}")


def slots(text: str) -> list[int]:
    """Return the numbers of the slots of a text, each once."""
    return sorted({int(number) for number, *_ in _SLOT.findall(text)})


def fill_with_agreement(text: str, shown: Sequence[str], marks: Sequence[str]) -> str:
    """Return a text with its slots filled by `shown`, or by the words that agree with their `marks`."""

    def slot(match: re.Match[str]) -> str:
        number, mark, then, other = int(match[1]), match[2], match[3], match[4]
        if not number < len(shown):
            return ""
        return shown[number] if mark is None else then if mark in marks[number] else other

    return _SLOT.sub(slot, text)


class Names:
    """Names in one language. The fallback is English, then the id of the declaration."""

    def __init__(self, image: Image, language: str = "en") -> None:
        self.image = image
        self.program = image.program
        self.language = language
        self._texts: dict[int, str] = {}

    def say(self, word: str, *parts: str, marks: str = "") -> str:
        """Return a text of the section `play` in this language; it agrees with a title that has these marks."""
        text = play_text(self.language, word, *parts)
        return fill_with_agreement(text, [""], [marks]) if _AGREES in text else text

    def of(self, name: str, owner: str, marks: str = "") -> str:
        """Return a name with its owner: « dé d’Anna ». `marks`: those of the owner's title."""
        elided = "e" in marks or bool(_VOWEL.match(owner))
        return contract_articles(self.language, self.say("of", name, owner, marks="e" if elided else ""))

    def of_thing(self, game: Game, name: str, owner: int) -> str:
        """Return a name with the thing that is its owner."""
        return self.of(name, self.thing(game, owner), self.marks(game, owner))

    def text(self, number: int, otherwise: str = "") -> str:
        """Return a text of the program, or the fallback if it has no number or is empty."""
        if number < 0:
            return otherwise
        if number not in self._texts:
            texts = self.program.texts[number]
            text = texts.get(self.language) or texts.get("en") or next(iter(texts.values()), "")
            self._texts[number] = typographic(self.language, _BOLD.sub(r"\1", text))
        return self._texts[number] or otherwise

    def filled(self, text: str, shown: Sequence[str], marks: Sequence[str]) -> str:
        """Return a text with its slots filled (see `fill_with_agreement`), with the spaces of the language."""
        return typographic(self.language, fill_with_agreement(text, shown, marks))

    def place(self, span: int) -> str:
        """Return the source of a span as ``file:line``; empty if unknown."""
        if span < 0:
            return ""
        row = self.program.spans[span]
        return f"{self.program.files[row.file]}:{row.line}"

    # ── things ─────────────────────────────────────────────────────────────────────────────────

    def thing(self, game: Game, thing: int) -> str:
        """Return the name of a thing; a figure has a number if its definition has several."""
        layout = self.image.layout
        if not 0 <= thing < layout.things:
            return self.say("nothing")
        if layout.spaces_low <= thing < layout.spaces_high:
            return self.space(game, thing - layout.spaces_low)
        if layout.sides_low <= thing < layout.sides_high:
            return self._fence(game, thing - layout.sides_low)
        if layout.players_low <= thing < layout.players_high:
            return self.say("player", str(thing - layout.players_low + 1))
        number = layout.definition_of[thing]
        if number < 0:
            row = self.program.kinds[layout.kind_of[thing]]
            return self.text(row.title, row.name)
        if layout.parts[layout.kind_of[thing]]:
            return self._part(game, thing, number)
        name = self.definition(number)
        low, high = layout.range_of("piece")
        if layout.instances[number] > 1 and low <= thing < high:
            return f"{name} {self.copy(thing)}"
        return name

    def copy(self, thing: int) -> int:
        """Return the number of a thing among those of its definition, from 1."""
        layout = self.image.layout
        return thing - layout.first[layout.definition_of[thing]] + 1

    def definition(self, number: int) -> str:
        """Return a card, figure, mission or track by its title."""
        row = self.program.definitions[number]
        return self.text(row.title, row.id)

    def grammar(self, number: int) -> str:
        """Return the grammatical marks of a definition's title, for texts that agree with it (see
        `program.Definition`)."""
        return self.marks_in(self.program.definitions[number].grammar)

    def marks_in(self, number: int) -> str:
        """Return the grammatical marks in a text of the program (-1: none)."""
        return self.program.texts[number].get(self.language, "") if number >= 0 else ""

    def marks(self, game: Game, thing: int) -> str:
        """Return the grammatical marks of a thing's title, for texts that agree with it."""
        layout = self.image.layout
        if layout.sides_low <= thing < layout.sides_high:
            standing = game.barriers()[thing - layout.sides_low :][:1]
            number = self.program.barriers[standing[0]].grammar if standing and standing[0] >= 0 else -1
            return self.marks_in(number)
        definition = layout.definition_of[thing] if 0 <= thing < layout.things else -1
        return self.grammar(definition) if definition >= 0 else ""

    def _part(self, game: Game, thing: int, number: int) -> str:
        """Return a part by its title, or by its printed values: ``attack of Bow (ranged, green die, damage 2)``."""
        row = self.program.definitions[number]
        kind = self.program.kinds[row.kind]
        owner = self.image.layout.owner_of[thing]
        if row.title >= 0:
            return self.of_thing(game, self.text(row.title), owner)
        shown = [self._printed(game, field, value) for field, value in row.values]
        printed = ", ".join(filter(None, shown))
        return self.of_thing(game, self.text(kind.title, kind.name), owner) + (f" ({printed})" if printed else "")

    def _printed(self, game: Game, number: int, value: int) -> str:
        """Return a printed value of a part; a number has the title of its field, and is left out without one."""
        field = self.program.fields[number]
        if field.codes or field.tag not in ("number", "die", "enum") or value == field.empty:
            return ""
        if field.tag == "number":
            return f"{self.field(number)} {value}" if field.title >= 0 else ""
        return self.value(game, field.tag, value, field.enum)

    def space(self, game: Game, cell: int) -> str:
        """Return a space of the board being played on."""
        cells = self.program.boards[game.world.board].cells if game.world.board >= 0 else ()
        return self.cell(cells[cell]) if 0 <= cell < len(cells) else self.say("nothing")

    def cell(self, cell: Cell) -> str:
        """Return a space of any board: a place of a graph by its title, others by their coordinates."""
        name = self.text(cell.title, cell.name)
        return with_capital(name) if cell.covers else name  # a letter of the drawing, as maps print it

    def zone(self, game: Game, zone: int) -> str:
        """Return the name of a zone, with its owner. A zone without a title has the name of its owner."""
        layout = self.image.layout
        if zone <= 0:
            return self.say("nothing")
        row = self.program.zones[layout.zone_row[zone]]
        name = self.text(row.title, row.name.replace("-", " "))
        owner = layout.zone_owner[zone]
        if owner >= 0 and row.title < 0:
            return self.thing(game, owner)
        return self.of_thing(game, name, owner) if owner >= 0 else name

    def unseen(self, zone: int) -> str:
        """Return the name of a thing in a zone whose contents the onlooker may not see."""
        row = self.image.layout.zone_row[zone] if zone > 0 else -1
        holds = self.program.zones[row].holds if row >= 0 else -1
        return self.text(self.program.kinds[holds].title if holds >= 0 else -1, self.say("a-card"))

    def field(self, number: int, marks: str = "") -> str:
        """Return the name of a stat or counter; it agrees with a bearer whose title has these marks."""
        row = self.program.fields[number]
        return self.filled(self.text(row.title, row.name.replace("-", " ")), [""], [marks])

    def who(self, game: Game, who: int) -> str:
        """Return the name of a player, the title of a team, or "everybody"."""
        if who >= 0:
            return self.say("player", str(who + 1))
        team = asked_as(game, who)
        name = self.thing(game, team) if team >= 0 else self.say("team")
        return with_capital(name)

    def player(self, game: Game, who: int) -> str:
        """Return the name of a player (see `who`) with their figures."""
        name = self.who(game, who)
        if who < 0:
            return name
        figures = [self.thing(game, thing) for thing in self.figures(game, who)]
        team = of_player(game, who)
        if len(figures) > FEW and team >= 0 and members(game, team) == (who,):
            return f"{name} ({self.thing(game, team)})"
        return f"{name} ({', '.join(figures[:MANY])})" if figures else name

    def figures(self, game: Game, who: int) -> list[int]:
        """Return the pieces on the board that a player decides for."""
        return [thing for thing in game.placed_pieces() if game.controller(thing) == who]

    # ── values and options ─────────────────────────────────────────────────────────────────────

    def value(self, game: Game, tag: str, value: int, enum: int = -1) -> str:
        """Return the text of a value by its tag; the number itself if the program has no such value."""
        program = self.program
        if value >= self._count_of_values(game, tag):
            return str(value)
        match tag:
            case "none":
                return self.say("decline")
            case "done":
                return self.say("done")
            case "flag":
                return self.say("yes" if value else "no")
            case "thing":
                return self.thing(game, value)
            case "zone":
                return self.zone(game, value)
            case "direction" if 0 <= value < len(program.directions):
                return self.text(program.directions[value], str(value))
            case "direction":
                return self.say("direction", str(value))
            case "text" | "label":  # an optional action is a choice without its own text
                return self.text(value, self.say("yes") if tag == "label" else str(value))
        if value < 0 or tag == "number":
            return str(value) if tag == "number" else self.say("nothing")
        match tag:
            case "definition":
                return self.definition(value)
            case "die":
                return self.text(program.dice[value].title, program.dice[value].name)
            case "face":
                return self.symbol(value)
            case "terrain":
                return self.text(program.terrains[value].title, program.terrains[value].name)
            case "barrier":
                return self.text(program.barriers[value].title, program.barriers[value].name)
            case "mark":
                return self.mark(value) or program.marks[value]
            case "area":
                return program.areas[value]
            case "kind":
                return self.text(program.kinds[value].title, program.kinds[value].name)
            case "field":
                return self.field(value)
            case "enum" if enum >= 0 and value < len(program.enums[enum].values):
                row = program.enums[enum]
                return self.text(row.titles[value], row.values[value].replace("-", " "))
        return str(value)

    def _count_of_values(self, game: Game, tag: str) -> float:
        """Return the number of values of a tag. A damaged program may contain values outside of it."""
        program, layout = self.program, self.image.layout
        match tag:
            case "thing":
                return layout.things
            case "zone":
                return len(layout.zone_row)
            case "text" | "label":
                return len(program.texts)
        tables = {"definition": program.definitions, "die": program.dice, "terrain": program.terrains}
        tables |= {"barrier": program.barriers, "mark": program.marks, "area": program.areas, "kind": program.kinds}
        tables |= {"field": program.fields}
        return len(tables[tag]) if tag in tables else math.inf

    def symbol(self, number: int) -> str:
        """Return a symbol of the dice."""
        titles = self.program.symbols
        return self.text(titles[number], str(number)) if 0 <= number < len(titles) else str(number)

    def side(self, game: Game, side: int) -> str:
        """Return a side of the board being played on, by its number."""
        sides = game.shape().sides if game.world.board >= 0 else ()
        return "/".join(self.space(game, cell) for cell in sides[side]) if side < len(sides) else self.say("nothing")

    def _fence(self, game: Game, side: int) -> str:
        """Return the name of a side with the barrier on it."""
        standing = game.barriers()[side : side + 1]
        row = self.program.barriers[standing[0]] if standing and standing[0] >= 0 else None
        return f"{self.text(row.title, row.name)} {self.side(game, side)}" if row else self.side(game, side)

    def mark(self, number: int) -> str:
        """Return the name of a mark on maps; empty if it has none."""
        titles = self.program.mark_titles
        return self.text(titles[number]) if number < len(titles) else ""

    def roll(self, die: int, value: int) -> str:
        """Return the face that a die shows."""
        return str(value) if self.program.dice[die].numbered else self.symbol(value)

    def option(self, game: Game, option: Option) -> str:
        """Return the text of an option of a question."""
        if option[0] == ACTION:
            return self.action(game, option[1], option[2], option[3])
        if option[0] == LISTENER:
            return self.reaction(game, option[1], option[2], option[3])
        if option[0] in ENDINGS:
            mission = self.definition(option[1])
            by = option[2] if option[2:] else -1
            text = self.say("won-by", mission, self.thing(game, by)) if by >= 0 else self.say(TAGS[option[0]], mission)
            return self.say("ended-as", text, self.thing(game, option[3])) if option[3:] else text
        return self.value(game, TAGS[option[0]], option[1] if len(option) > 1 else -1)

    def ending(self, game: Game) -> tuple[str, str]:
        """Return the title and the words of the named ending that the game has reached; both may be empty."""
        ending = game.world.ending
        if ending < 0:
            return "", ""
        row = self.program.definitions[game.layout.definition_of[ending]]
        words = (value for field, value in row.values if self.program.fields[field].name == "story")
        return self.text(row.title, row.id), self.text(next(words, -1))

    def options(self, game: Game, options: Iterable[Option]) -> list[str]:
        """Return the texts of all options; equal ones are numbered.

        If an optional action without its own text is among them, the option to decline it reads "no".
        """
        listed = list(options)
        names = [self.option(game, option) for option in listed]
        if any(TAGS[option[0]] == "label" and option[1] < 0 for option in listed):
            names = [
                self.say("no") if TAGS[option[0]] == "none" else name
                for option, name in zip(listed, names, strict=True)
            ]
        return [
            f"{name} [{names[: index + 1].count(name)}]" if names.count(name) > 1 else name
            for index, name in enumerate(names)
        ]

    def action(self, game: Game, action: int, actor: int, subject: int) -> str:
        """Return the text of an action with its actor and subject."""
        row = self.program.actions[action]
        title = self.text(row.title, row.name.replace("-", " "))
        if subject < 0:
            return self.say("does", self.thing(game, actor), title)
        return self.say("with", self.thing(game, actor), title, self.thing(game, subject))

    def reaction(self, game: Game, listener: int, self_: int, this: int) -> str:
        """Return the text of a reaction: a card or marker with its holder, or the listener's title."""
        row = self.program.listeners[listener]
        if row.scope == "counter" and row.title < 0 <= this:
            return self.say("does", self.thing(game, this), self.field(row.owner))
        titled = row.title >= 0 or this < 0
        name = self.text(row.title, self.program.events[row.event].name) if titled else self.thing(game, this)
        owner = self_ if self_ != this or titled else -1
        return self.say("does", self.thing(game, owner), name) if owner >= 0 else name
