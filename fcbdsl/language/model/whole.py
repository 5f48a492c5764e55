"""A whole model: everything that the files of a game declare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from fcbdsl.base.catalog import REFERENCE
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Definition, Invariant, Layout, Preference, Prospect, Rule, Test
from fcbdsl.language.model.declarations import (
    BLANK,
    Action,
    Declared,
    Die,
    Enum,
    Event,
    Form,
    GenderTrial,
    Kind,
    Ladder,
    Mark,
    Name,
    Switch,
    Terrain,
    Window,
    Zone,
)
from fcbdsl.language.model.ir import Body
from fcbdsl.machine.geometry.coordinates import SQUARE_AXES


@dataclass(slots=True, eq=False, repr=False)
class Model(Declared):
    """Everything that was declared. Dictionaries keep the order of declaration."""

    system: str = ""
    title: Name = field(default_factory=Name)
    pack: str = ""  # the title of the project, in any language; it is printed
    revision: str = ""  # the revision of the project, which is printed, too
    players: tuple[int, int] = (1, 1)
    board: str = "hex"
    directions: dict[str, Name] = field(default_factory=dict)  # of boards, in the order of their numbers
    loss_first: bool = True
    languages: tuple[str, ...] = ("en",)  # languages of titles and texts; the first is the default
    translated: tuple[str, ...] = ()  # additional languages of translation files, even incomplete ones
    kinds: dict[str, Kind] = field(default_factory=dict)
    enums: dict[str, Enum] = field(default_factory=dict)
    terrains: dict[str, Terrain] = field(default_factory=dict)
    barriers: dict[str, Terrain] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    dice: dict[str, Die] = field(default_factory=dict)
    ladders: dict[str, Ladder] = field(default_factory=dict)
    switches: dict[str, Switch] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    forms: list[Form] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)  # the game's
    windows: dict[str, Window] = field(default_factory=dict)  # by the id of their event, and "any"
    rules: dict[str, Rule] = field(default_factory=dict)
    invariants: dict[str, Invariant] = field(default_factory=dict)
    prospects: dict[str, Prospect] = field(default_factory=dict)
    definitions: dict[tuple[str, str], Definition] = field(default_factory=dict)  # (kind id, id)
    tests: list[Test] = field(default_factory=list)
    setup: list[Body] = field(default_factory=list)
    flow: Body | None = None
    journey: Body | None = None  # one step of a campaign
    outlook: Body | None = None  # the evaluation function: one Answer
    preferences: list[Preference] = field(default_factory=list)  # the first that fits counts
    layouts: dict[str, Layout] = field(default_factory=dict)  # by kind id, and "symbols"
    legends: tuple[str, ...] = ()  # words in the legends of systems, which are for all maps
    nouns: dict[str, Name] = field(default_factory=dict)  # titles of declared nouns, by word
    proofs: tuple[str, ...] = ()  # names of the sources with tests, whose declarations exist only there
    lent: tuple[str, ...] = ()  # names of the sources of shipped packs, which are played but not printed
    gender_trial: GenderTrial | None = None  # only while a check tries other genders

    def unlabelled(self) -> str:
        """Return the language of unlabelled texts: English, or the project's first language if it does not list
        English."""
        return REFERENCE if REFERENCE in self.languages else self.languages[0]

    def is_lent(self, span: Span) -> bool:
        """Return whether a declaration is in a pack that is shipped with fcb and that the project uses."""
        return span.source.name in self.lent

    def proof_of(self, span: Span) -> str:
        """Return the name of the test file that contains a declaration; empty if no test file does."""
        return span.source.name if span.source.name in self.proofs else ""

    def settings(self) -> dict[str, int]:
        """Return the values of the project's switches before a mission changes them."""
        return {switch.id: switch.set_to for switch in self.switches.values()}

    def ways(self) -> list[str]:
        """Return the directions of steps between neighbors, in turning order."""
        names = list(self.directions)
        return names[: len(SQUARE_AXES)] if self.board == "square" else names

    def shown(self, symbols: Iterable[str]) -> str:
        """Return the name of a face: its symbols in the order of `symbols()`, or `nothing`."""
        return " ".join(sorted(symbols, key=self.symbols().index)) or BLANK

    def faces_shown(self) -> list[str]:
        """Return the names of die faces that are not a single symbol (see `shown`), in order of declaration."""
        dice = [die for die in self.dice.values() if not die.numbered]
        faces = [[die.symbols[at] for at in face] for die in dice for face in die.faces]
        return list(dict.fromkeys(self.shown(face) for face in faces if len(face) != 1))

    def titles_on_maps(self, mark: str) -> dict[str, str]:
        """Return the title of a mark in the layout of symbols, by language; empty if the mark uses its own title."""
        layout = self.layouts.get("symbols")
        return {part[0]: part[1] for part in layout.settings.get(mark, ()) if len(part) == 2} if layout else {}

    def symbols(self) -> list[str]:
        """Return the symbols of all dice and ladders in order of declaration; faces are indices into this list."""
        of_dice = [symbol for die in self.dice.values() for symbol in die.symbols]
        of_ladders = [symbol for ladder in self.ladders.values() for symbol in (ladder.above, ladder.below) if symbol]
        return list(dict.fromkeys(of_dice + of_ladders))
