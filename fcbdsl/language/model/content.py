"""What content is made of: definitions with their values, tracks and maps; rules, tests, and looks in print."""

from __future__ import annotations

from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.base.words import PreferenceSort, Shape, StepSort
from fcbdsl.language.model.declarations import Action, Declared, Event, Field, Kind, Name, Texts
from fcbdsl.language.model.ir import Body, Expr, Listener, Modifier, Type


@dataclass(slots=True, eq=False)
class Value:
    """The value of a field in a definition: a constant expression, a code body, or texts."""

    field: Field
    expr: Expr | None = None
    body: Body | None = None
    texts: Texts | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Art:
    """A picture of a definition: its file, as seen from the source's folder; what it shows, by language; whose it
    is."""

    path: str
    span: Span
    alt: Texts
    credit: str


@dataclass(slots=True, eq=False, repr=False)
class Definition(Declared):
    """A card, figure, mission, …: fields, parts and behaviour. Listener bodies have slots self, this."""

    id: str
    kind: Kind
    span: Span
    name: Name = field(default_factory=Name)
    target: Definition | None = None  # `for OTHER`
    flags: list[str] = field(default_factory=list)
    covers: list[str] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    parts: list[Definition] = field(default_factory=list)
    listeners: list[Listener] = field(default_factory=list)
    modifiers: list[Modifier] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    board: Board | None = None
    overrides: dict[str, int] = field(default_factory=dict)  # variant -> value
    players: tuple[int, int] | None = None  # of a mission or campaign; None: as the system says
    players_span: Span | None = None  # where that stands
    members: Expr | None = None  # of a team: its players when a game begins
    others: bool = False  # of a team: they are those of no other one
    flavour: Texts = field(default_factory=dict)
    art: Art | None = None
    text: Texts = field(default_factory=dict)  # author's wording instead of the generated one
    untold: dict[str, Span] = field(default_factory=dict)  # names of what that leaves out of the effect on purpose
    system: str = ""


@dataclass(slots=True, eq=False, repr=False)
class Rule(Declared):
    """Listeners and modifiers of the system that always hold; slots self, this are nothing."""

    id: str
    span: Span
    name: Name = field(default_factory=Name)
    covers: list[str] = field(default_factory=list)
    condition: Expr | None = None
    listeners: list[Listener] = field(default_factory=list)
    modifiers: list[Modifier] = field(default_factory=list)


@dataclass(slots=True, eq=False, repr=False)
class Invariant(Declared):
    """A condition that holds whenever somebody is asked; `says`: the same in a sentence. Slots self, this are nothing.

    `condition` is None if it could not be read."""

    id: str
    span: Span
    says: str
    covers: list[str]
    condition: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class Prospect(Declared):
    """What each thing of a kind must come to in some course of a campaign; `says`: what is wrong if it never does.

    `condition` (read as the texts of the kind are) is None if it could not be read."""

    id: str
    kind: Kind
    span: Span
    says: str
    covers: list[str]
    condition: Expr | None


@dataclass(slots=True, eq=False)
class Preference(Declared):
    """What a rule of thumb holds an answer to be worth, if `condition` (None: always) holds.

    `mission`: while which it holds (None: always). `action`: that is taken, or under way when something is chosen
    (None: whatever is). `name`, `type`: of what is chosen or answers; of an option its label. Both bodies are one
    Answer; slots: self, this, what `name` stands for."""

    span: Span
    mission: Definition | None
    sort: PreferenceSort
    action: Action | None
    name: str
    type: Type | None
    condition: Body | None
    worth: Body


@dataclass(slots=True, eq=False)
class Tier:
    """A step of a track from which on something holds: its value and its name."""

    at: int
    name: Name
    locked: bool
    enter: Body | None
    leave: Body | None
    modifiers: list[Modifier]
    listeners: list[Listener]
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Track(Declared):
    """A countdown or gauge: `steps` are (values, body); `end` what its length does."""

    id: str
    sort: str
    span: Span
    name: Name = field(default_factory=Name)
    low: int = 0
    high: int = 0
    steps: list[tuple[tuple[int, ...], Body]] = field(default_factory=list)
    end: Body | None = None
    tiers: list[Tier] = field(default_factory=list)
    listeners: list[Listener] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Cell:
    """A space of a board. `x`, `y`: hex axial (q, r), square (column, row), graph: index and 0. `covers`: of an area,
    the letters of the drawing (column, row). `name`: of a place of a graph; spaces that are drawn are called by their
    ids in every language."""

    id: str
    x: int
    y: int
    terrain: str
    tokens: dict[str, int] = field(default_factory=dict)
    marks: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)  # definition ids placed here
    values: dict[str, Value] = field(default_factory=dict)  # of fields and stats of spaces, by name
    span: Span | None = None
    covers: tuple[tuple[int, int], ...] = ()
    name: Name = field(default_factory=Name)


@dataclass(slots=True, eq=False, repr=False)
class Board(Declared):
    """`sort`: hex, square, graph, areas. `sides`: (space id, space id) -> barrier. `joins`: (space, space, mark).
    `links`: for graph and areas, (from, to, direction name or ""). `directions`: those that the game declares for its
    graphs, by number. `regions`: the spaces of each, by the region's id. `side_values`: of fields and stats of a side,
    by name. `corners`: of areas that meet at a corner only, with the two beside it, or "". `routes`: the zones whose
    order is drawn, by name; print calls them A, B, … in this order."""

    sort: Shape
    cells: list[Cell]
    sides: dict[tuple[str, str], str]
    links: list[tuple[str, str, str]]
    zones: dict[str, list[str]]
    span: Span
    art: str = ""
    shifted: int = 0
    joins: list[tuple[str, str, str]] = field(default_factory=list)
    routes: list[str] = field(default_factory=list)
    directions: tuple[str, ...] = ()
    regions: dict[str, list[str]] = field(default_factory=dict)
    side_values: dict[tuple[str, str], dict[str, Value]] = field(default_factory=dict)
    corners: list[tuple[str, str, str, str]] = field(default_factory=list)

    def route_letter(self, name: str) -> str:
        """What print calls a route: A, B, …; empty if it is none."""
        return chr(ord("A") + self.routes.index(name)) if name in self.routes else ""


@dataclass(slots=True, eq=False)
class Step:
    """A step of a test. See the test runner."""

    sort: StepSort
    span: Span
    body: Body | None = None  # given (assignments, placements) and do
    expr: Expr | None = None  # expect
    references: list[Reference] = field(default_factory=list)  # what answers, or is looked for among the options
    words: tuple[str, ...] = ()  # action words of play and refuse
    faces: list[Face] = field(default_factory=list)  # dice
    outcome: str = ""  # expect win/lose/draw
    absent: bool = False  # refuse …, out of play
    who: Expr | None = None  # who is asked (a player, a figure of his, or nothing: the team), looks on, or is `self`
    count: int = 0  # counted: how many things lie in the zone
    events: list[Event] = field(default_factory=list)  # happened: in this order
    spots: list[tuple[int, int]] = field(default_factory=list)  # of each reference: which event, which parameter


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """What answers a question: a thing, space, face, number, text; `question`: which one it answers, or any."""

    expr: Expr
    question: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """A scripted die: the die that is meant ("": any), and the symbols shown or (if that is "") the number."""

    die: str
    symbol: str
    number: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Test(Declared):
    """A content test: what it covers, where it is set, and its steps."""

    title: str
    covers: list[str]
    span: Span
    mission: tuple[str, str] | None  # kind and id of the mission or campaign that is played
    board: Board | None
    steps: list[Step]
    overrides: dict[str, int] = field(default_factory=dict)
    players: int = 0  # how many play; 0: as many as can


ADDED_LAYOUTS = ("symbols", "drawings", "icons", "fonts", "sizes", "colours")
"""What is declared as a layout of no kind, in any file: all of them add up."""
COMMON_LAYOUTS = (*ADDED_LAYOUTS, "style", "tokens")
"""What is declared as a layout of no kind."""


@dataclass(slots=True, eq=False)
class Layout:
    """How a kind looks in print (`kind` ``symbols``: drawings of values, dice, statuses …; ``drawings``: of
    definitions; ``style``: what all pieces have in common; ``tokens``: what there is to cut besides figures;
    ``icons``, ``fonts``, ``sizes``, ``colours``: what a pack brings for its looks).

    `settings[key]` holds the comma-separated parts of its line, each a tuple of words (strings by
    value); the press reads them and reports what it does not know."""

    kind: str
    span: Span
    settings: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)  # of the keys; some layouts may stand in several files
    places: dict[str, tuple[Span, ...]] = field(default_factory=dict)  # of the parts of each line

    def place(self, key: str, at: int | None = None) -> Span:
        """Where a key stands, or one of the parts behind it."""
        if at is not None and at < len(self.places.get(key, ())):
            return self.places[key][at]
        return self.spans.get(key, self.span)
