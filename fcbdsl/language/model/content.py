"""Content of a model: definitions with their values, tracks and maps; rules, tests, and layouts for print."""

from __future__ import annotations

from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.base.words import PreferenceSort, Shape, StepSort
from fcbdsl.language.model.declarations import Action, Declared, Event, Field, Kind, Name, Texts
from fcbdsl.language.model.ir import Body, Expr, Listener, Modifier, Substitution, Type, substitute


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
    """A picture of a definition.

    `path`: relative to the folder of the source. `alt`: alternative text by language. `credit`: copyright notice.
    `crop`: the part that is shown, as left, top, width and height. `focus`: the point of that part which stays visible
    if a window shows less of it. Both are in percent.
    """

    path: str
    span: Span
    alt: Texts
    credit: str
    crop: tuple[int, ...] = (0, 0, 100, 100)
    focus: tuple[int, ...] = (50, 50)


@dataclass(slots=True, eq=False, repr=False)
class Definition(Declared):
    """A card, figure, mission, …: fields, parts and behavior. Listener bodies have slots self, this."""

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
    players: tuple[int, int] | None = None  # of a mission or campaign; None: the default of the system
    players_span: Span | None = None  # the span of that range
    members: Expr | None = None  # of a team: its players when a game begins
    others: bool = False  # of a team: its players are all who are in no other team
    flavour: Texts = field(default_factory=dict)
    art: Art | None = None
    text: Texts = field(default_factory=dict)  # author's wording instead of the generated one
    untold: dict[str, Span] = field(default_factory=dict)  # names that this wording leaves out of the effect on purpose
    system: str = ""


@dataclass(slots=True, eq=False, repr=False)
class Rule(Declared):
    """Listeners and modifiers of the system that are always active; slots `self` and `this` hold nothing."""

    id: str
    span: Span
    name: Name = field(default_factory=Name)
    covers: list[str] = field(default_factory=list)
    condition: Expr | None = None
    listeners: list[Listener] = field(default_factory=list)
    modifiers: list[Modifier] = field(default_factory=list)


@dataclass(slots=True, eq=False, repr=False)
class Invariant(Declared):
    """A condition that must be true at every decision. `says`: its wording. The slots `self` and `this` are empty.

    With a `kind` it must hold for each definition of the kind when a mission is set up; it is read in the scope of the
    kind's texts. `condition` is None if it could not be read.
    """

    id: str
    span: Span
    says: str
    covers: list[str]
    condition: Expr | None
    kind: Kind | None = None


@dataclass(slots=True, eq=False, repr=False)
class Prospect(Declared):
    """A condition that each thing of a kind must meet in some course of a campaign.

    `says`: the message if no course meets it. `condition` is read in the scope of the kind's texts; None if it could
    not be read.
    """

    id: str
    kind: Kind
    span: Span
    says: str
    covers: list[str]
    condition: Expr | None


@dataclass(slots=True, eq=False)
class Preference(Declared):
    """A term of the heuristic bot's score for an answer; it counts if `condition` (None: always) holds.

    `mission`: the mission to which it is limited (None: all). `action`: the action taken, or the one in progress when
    something is chosen (None: any). `name`, `type`: the local and the type of the chosen thing; for an option, its
    label. Both bodies consist of one Answer; their slots are self, this, and the local `name`.
    """

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
    """A step of a track and the values above it: its lowest value and its name."""

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
    """A countdown or gauge. `steps`: (values, body); `end`: the effect at its last value."""

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
    """A space of a board.

    `x`, `y`: hex axial (q, r), square (column, row), graph: index and 0. `covers`: for an area, the letters of the
    drawing (column, row). `name`: for a place of a graph. Drawn spaces are named by their ids in every language.
    """

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
    """A map.

    `sort`: hex, square, graph, areas. `sides`: (space id, space id) -> barrier. `joins`: (space, space, mark). `links`:
    for graph and areas, (from, to, direction name or ""). `directions`: directions that the game declares for graphs,
    by number. `regions`: the spaces of each region, by id. `side_values`: fields and stats of a side, by name.
    `corners`: areas that touch only at a corner, with the two areas beside it, or "". `routes`: names of the zones
    whose order is drawn; print labels them A, B, … in this order. `original`: the first map with the same text, if this
    one is a copy of it for another place.
    """

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
    original: Board | None = None

    def route_letter(self, name: str) -> str:
        """Return the letter that print uses for a route (A, B, …); empty if the zone is not a route."""
        return chr(ord("A") + self.routes.index(name)) if name in self.routes else ""


@dataclass(slots=True, eq=False)
class Step:
    """A step of a test. See the test runner."""

    sort: StepSort
    span: Span
    body: Body | None = None  # given (assignments, placements) and do
    expr: Expr | None = None  # expect
    references: list[Reference] = field(default_factory=list)  # answers, or expected options
    words: tuple[str, ...] = ()  # action words of play and refuse
    faces: list[Face] = field(default_factory=list)  # dice
    outcome: str = ""  # expect win/lose/draw
    absent: bool = False  # refuse …, out of play
    who: Expr | None = None  # player (or their figure; nothing: the team) who is asked or sees; or `self`
    count: int = 0  # counted: number of things in the zone
    events: list[Event] = field(default_factory=list)  # happened: in this order
    spots: list[tuple[int, int]] = field(default_factory=list)  # of each reference: which event, which parameter

    def moved(self, source: Source, shift: int) -> Step:
        """Return the step of a line with the same text, which is in `source`, `shift` characters behind this one."""
        span = self.span
        change = Substitution(source=span.source, target=source, start=span.start, end=span.end + 1, shift=shift)
        body = None if self.body is None else substitute(self.body, change)
        expr = None if self.expr is None else substitute(self.expr, change)
        who = None if self.who is None else substitute(self.who, change)
        references = [Reference(substitute(each.expr, change), each.question) for each in self.references]
        return Step(
            self.sort, change.moved(span), body, expr, references, self.words, self.faces, self.outcome, self.absent,
            who, self.count, self.events, self.spots,
        )  # fmt: skip


StepRow = tuple[Step, int]
"""A step of a line that may be elsewhere, and the distance from there, see `Test`."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """An expression that answers a question of a test. `question`: the question that it answers; empty: any."""

    expr: Expr
    question: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """The scripted result of a die. `die`: its id (empty: any die). `symbol`: the face; if empty, `number` counts."""

    die: str
    symbol: str
    number: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Test(Declared):
    """A content test: the rules it covers, its mission or map, and its steps.

    `rows`: its steps as they were read. Equal lines share one step, so a row has a step, perhaps of another line, and
    the distance from that line. `example`: the title under which the rules reference shows it; empty for most tests.
    """

    title: str
    covers: list[str]
    span: Span
    mission: tuple[str, str] | None  # kind and id of the mission or campaign that is played
    board: Board | None
    rows: list[StepRow]
    overrides: dict[str, int] = field(default_factory=dict)
    players: int = 0  # number of players; 0: the most that the game allows
    example: Name = field(default_factory=Name)
    _steps: list[Step] = field(default_factory=list, init=False)

    @property
    def steps(self) -> list[Step]:
        """Return its steps, each with its own places; they are made when they are first needed."""
        if len(self._steps) < len(self.rows):
            self._steps = [self.step(row) for row in self.rows]
        return self._steps

    def step(self, row: StepRow) -> Step:
        """Return the step of a row with its own places."""
        step, shift = row
        source = self.span.source
        return step if shift == 0 and step.span.source is source else step.moved(source, shift)


ADDED_LAYOUTS = ("symbols", "drawings", "grounds", "icons", "fonts", "sizes", "colors")
"""Layouts without a kind that may be declared in any file; their lines are combined."""
COMMON_LAYOUTS = (*ADDED_LAYOUTS, "style", "tokens")
"""Names of layouts that belong to no kind."""
LAYOUT_ALIASES = {"colours": "colors", "colour": "color", "back colour": "back color"}
"""British spellings of a layout and of its keys, with the names under which the model keeps them."""


@dataclass(slots=True, eq=False)
class Layout:
    """How a kind looks in print, or what a section of layouts declares.

    `kind` is the id of a kind, or a section: ``symbols`` (drawings of values, dice, statuses …), ``drawings`` (of
    definitions), ``grounds`` (of the ground of maps), ``style`` (of all pieces),
    ``tokens`` (pieces to cut besides figures), and ``icons``, ``fonts``,
    ``sizes`` and ``colors`` of the pack. `settings[key]` holds the comma-separated parts of its line, each a tuple of
    words (strings by value). The press interprets them and reports unknown ones.
    """

    kind: str
    span: Span
    settings: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)  # of the keys; a layout can span several files
    places: dict[str, tuple[Span, ...]] = field(default_factory=dict)  # spans of the parts of each line

    def place(self, key: str, at: int | None = None) -> Span:
        """Return the span of a key, or of part number `at` of its line."""
        if at is not None and at < len(self.places.get(key, ())):
            return self.places[key][at]
        return self.spans.get(key, self.span)
