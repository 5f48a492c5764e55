"""What is drawn: plain data that every template reads. Nothing here knows a language, a game or a file format."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.base.records import dataclass
from fcbdsl.language.prose import Paragraph
from fcbdsl.language.prose.text import Run


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing (the name of one of `icons/`, or the SVG of one of the pack), its colour, an optional letter drawn over
    it, and what it means in words.

    `drawing` ``die`` is a die face with the letter; colour is never the only difference."""

    drawing: str
    colour: str
    letter: str
    alt: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A datum: label and value in words, and the symbol that stands for the one or the other. `runs`: the value with
    its bold words, if it has any."""

    label: str
    value: str
    symbol: Symbol | None = None
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True)
class CardPart:
    """A part of a card (an attack of a figure): its data in a row and its text below."""

    chips: tuple[Chip, ...]
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Dial:
    """A row of numbers from 0 on which a cube or a clip keeps a value. `start`: where it begins."""

    label: str
    symbol: Symbol | None
    steps: tuple[str, ...]
    start: int


@dataclass(frozen=True, slots=True)
class FontFile:
    """A font of a pack: short for what is in it, where its file lies, which is not printed, and whose it is; how bold
    its letters are (400: plain, 700: bold), and whether they slant."""

    digest: str
    place: Path
    credit: str
    weight: int = 400
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """What all pieces of a game have in common: the font of their titles (empty: that of their labels), the colour of
    their ground, and the scene in the windows of pieces without a picture. `file`: of a font of the pack; `text`: the
    pack's font for all that is read (empty: the press's own), `cuts`: its files."""

    font: str
    paper: str
    scene: str
    file: FontFile | None = None
    text: str = ""
    cuts: tuple[FontFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a pack: what it is called at the press (after its content), what it shows, whose it is, and where
    its file lies, which is not printed."""

    name: str
    alt: str
    credit: str
    place: Path


@dataclass(frozen=True, slots=True)
class Back:
    """The back of a card; `number` and `words` are what play needs to know of a card that lies face down."""

    title: str
    colour: str
    ink: str
    drawing: str
    number: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceSlot:
    """A place on a face that a template draws, in millimetres from its corner: what the press sets there (`say`: the
    words; `icon`: the drawing that `words` hold), its colour (empty: the usual one), the largest size of its type in
    points (0: the usual one), and how it is aligned."""

    what: str
    x: float
    y: float
    width: float
    height: float
    words: str
    fill: str
    size: float
    align: str


@dataclass(frozen=True, slots=True)
class OwnFace:
    """A face as a template draws it: an SVG that reaches `beyond` the edges of a piece so large, and the places in it.
    All in millimetres."""

    svg: str
    width: float
    height: float
    beyond: float
    slots: tuple[FaceSlot, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card or a board. `key` is ``kind/id``; `size` names its size; `ink` is black or white, whichever
    reads better on `colour`; `seed` tells its scene from others; `small` is small print that may be left out where
    there is no room; `mark` is by what the piece is sorted and told from another printing of it. `around`: what lies at
    which side of it (left, right, below), or on it; `wheels`: its dials are round; `framed`: titles of which each heads
    a frame of the text; `tucked`: where the piece lies so that no more than its text shows; `own`: drawn by a
    template."""

    key: str
    language: str
    style: Style
    seed: int
    picture: Picture | None
    size: str
    title: str
    type_line: str
    badges: tuple[str, ...]
    colour: str
    ink: str
    drawing: str
    corner: Chip | None
    stats: tuple[Chip, ...]
    condition: tuple[Paragraph, ...]
    lines: tuple[CardPart, ...]
    text: tuple[Paragraph, ...]
    dials: tuple[Dial, ...]
    notes: tuple[Chip, ...]
    areas: tuple[Chip, ...]
    small: tuple[Paragraph, ...]
    flavour: str
    back: Back
    footer: str
    mark: str = ""
    around: tuple[tuple[str, str], ...] = ()
    framed: tuple[str, ...] = ()
    tucked: str = ""
    wheels: bool = False
    own: OwnFace | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """A place on a drawing, in tenths of a millimetre."""

    x: float
    y: float


LARGE, BESIDE = 8.5, 6.5
"""How large a symbol is that lies alone on a space, and one of several at most, in the units of drawings."""
NEXT, ABREAST = 7.5, 17.0
"""How far symbols lie apart at most, and how much room all of a space have."""
LIFTED, NAMED = 0.6, 7.2
"""How far above its middle the symbols of a space lie, and how far below it its name stands."""


@dataclass(frozen=True, slots=True)
class FurnitureView:
    """A drawing that stands in a space for its looks alone: where its middle is, and how large it is."""

    drawing: str
    at: Point
    size: float


@dataclass(frozen=True, slots=True)
class CellView:
    """A space of a map: its id and what it is called, where things lie on it, its rim (and that of each hole in it and
    each separate part), how its ground is drawn, what lies there, and by how much there is less room than in others
    above and below its middle: its name is raised by half of that, and what lies there is smaller. `furniture`: what is
    drawn in it for its looks alone."""

    id: str
    name: str
    centre: Point
    outlines: tuple[tuple[Point, ...], ...]
    style: str  # plain, solid, crossed, hatched, void, partial, tinted
    hatching: tuple[tuple[Point, Point], ...]
    symbols: tuple[Symbol, ...]
    low: float = 0.0
    floor: tuple[tuple[Point, Point], ...] = ()
    furniture: tuple[FurnitureView, ...] = ()

    @property
    def size(self) -> float:
        """How large each symbol is."""
        many = len(self.symbols) > 1
        return round(min(BESIDE, self._apart * 0.96) if many else LARGE * (1 - self.low / 10), 2)

    @property
    def spots(self) -> tuple[Point, ...]:
        """The middle of each symbol: in a row."""
        first = self.centre.x - (len(self.symbols) - 1) / 2 * self._apart
        y = round(self.centre.y - LIFTED, 2)
        return tuple(Point(round(first + at * self._apart, 2), y) for at in range(len(self.symbols)))

    @property
    def named(self) -> Point:
        """The middle of the base line of the name."""
        return Point(self.centre.x, round(self.centre.y + NAMED - self.low / 2, 2))

    @property
    def _apart(self) -> float:
        return min(NEXT, ABREAST / max(len(self.symbols), 1))


@dataclass(frozen=True, slots=True)
class SideView:
    """A line of a map: ``thin`` dashes between ordinary spaces, ``bold`` dashes round what gives cover, ``wall``
    (continuous) where nothing passes, ``door`` for other barriers, ``rope`` between two spaces that a mark joins.
    `letter` tells barriers apart that are drawn alike."""

    start: Point
    end: Point
    style: str
    letter: str = ""


@dataclass(frozen=True, slots=True)
class RouteView:
    """A way along spaces in order: its letter and where that is written, the way itself, and the tips of the arrows
    on it (each with the angle in degrees, clockwise from the right, in which it points)."""

    letter: str
    label: Point
    points: tuple[Point, ...]
    arrows: tuple[tuple[Point, float], ...]


@dataclass(frozen=True, slots=True)
class RegionView:
    """A group of spaces that hang together: the band inside its rim, and its name (in lines) with the place where the
    first of them begins (`anchor`: start, or middle). `sort`: what the legend calls its like."""

    colour: str
    rim: tuple[tuple[Point, Point], ...]
    name: tuple[str, ...]
    label: Point
    anchor: str
    sort: str = ""

    @property
    def title(self) -> str:
        """The name in one line: a hyphen at which a line ends is its own."""
        return "".join(line if line.endswith("-") else f"{line} " for line in self.name).rstrip()


@dataclass(frozen=True, slots=True)
class MapView:
    """A board drawn to measure; `legend` says how often each thing lies on it, `lines` what each
    style of line surrounds or is (regions have a row for each sort); `south`: who sits there; `squares`: a space has
    right angles, no hexagon's; `unit`: how wide a space is; `lettered`: what stands in a disc, the size of its type
    and how wide it may be."""

    width: float
    height: float
    alt: str
    cells: tuple[CellView, ...]
    sides: tuple[SideView, ...]
    links: tuple[SideView, ...]
    ropes: tuple[SideView, ...]
    routes: tuple[RouteView, ...]
    regions: tuple[RegionView, ...]
    legend: tuple[tuple[Symbol, str, int], ...]
    lines: tuple[tuple[str, str], ...]
    south: str = ""
    squares: bool = False
    unit: float = 20.0
    lettered: tuple[tuple[str, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class StepView:
    """A space of a track; `marked` if something happens there, `laid` if the track itself says what. `number`: of one
    that is called by a word."""

    label: str
    marked: bool
    laid: bool = False
    number: str = ""


@dataclass(frozen=True, slots=True)
class TrackView:
    """A countdown: its spaces and what happens on the marked ones."""

    title: str
    steps: tuple[StepView, ...]
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class TierView:
    """A tier of a gauge: from which value on, its name, whether it is never left again, and what it does."""

    at: str
    title: str
    locked: bool
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class GaugeView:
    """A gauge with its spaces and tiers; a number that is counted up to has no tiers."""

    title: str
    steps: tuple[StepView, ...]
    tiers: tuple[TierView, ...]
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A titled block of a sheet."""

    title: str
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet of a mission. `words` are the fixed words of the sheet in its language."""

    key: str
    language: str
    style: Style
    seed: int
    picture: Picture | None
    title: str
    type_line: str
    colour: str
    ink: str
    grade: Chip | None
    chips: tuple[Chip, ...]
    sections: tuple[Section, ...]
    map: MapView | None
    tracks: tuple[TrackView, ...]
    gauges: tuple[GaugeView, ...]
    keywords: tuple[tuple[str, tuple[Paragraph, ...]], ...]
    words: dict[str, str]
    footer: str


@dataclass(frozen=True, slots=True)
class AidEntry:
    """Something that an aid explains: its symbol, its title, what it costs or how often it comes (`terms`), and what it
    is or does. `number` and `level`: of a step. `also`: what else it is called in bold on pieces."""

    title: str
    text: tuple[Paragraph, ...] = ()
    symbol: Symbol | None = None
    terms: str = ""
    number: str = ""
    level: int = 0
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AidBlock:
    """Entries under a heading. `style`: ``steps`` (numbered), ``entries`` (title and text), ``symbols`` (small ones,
    two abreast)."""

    title: str
    style: str
    entries: tuple[AidEntry, ...]


@dataclass(frozen=True, slots=True)
class Aid:
    """A player aid, or (`booklet`) a reference in the form of a booklet: its blocks in order, and what stands there,
    too, if there is room (`more`); `continued`: what the heading of a block that goes on says."""

    key: str
    language: str
    style: Style
    seed: int
    title: str
    type_line: str
    colour: str
    ink: str
    blocks: tuple[AidBlock, ...]
    more: tuple[AidBlock, ...]
    booklet: bool
    footer: str
    continued: str


@dataclass(frozen=True, slots=True)
class DiscBack:
    """The other face of a round piece: its symbol, the number on it, and what it is called then."""

    symbol: Symbol
    number: str
    title: str


@dataclass(frozen=True, slots=True)
class Disc:
    """A round piece to cut: what it is called, its symbol, the number on it, the colour of its rim (and which of some
    patterns tells that without colour, from 1; 0: none), and how many of it there are. `figure`: it stands for a figure
    and is larger; `drawing`: what is drawn on it where it stands upright. `back`: its other face, if it has one."""

    title: str
    symbol: Symbol
    number: str
    rim: str
    count: int
    figure: bool
    pattern: int = 0
    drawing: str = ""
    back: DiscBack | None = None


@dataclass(frozen=True, slots=True)
class CardRoom:
    """Room for a card beside something: what sort of card, and how wide and high it is in millimetres."""

    title: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class DieTable:
    """A die as a table for whoever has it not: how many faces it has, what is rolled instead (``d6``), and what each
    number shows (nothing, if everybody has such a die)."""

    title: str
    symbol: Symbol | None
    faces: int
    instead: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Supplies:
    """What a table needs besides cards, sheets and aids: pieces to cut, tracks at playing size, dice; and a list of
    `components` with their counts. `figure_size` and `marker_size`: of discs, in millimetres; `marked`: what lies on
    the marked spaces of tracks."""

    key: str
    language: str
    style: Style
    seed: int
    title: str
    type_line: str
    colour: str
    ink: str
    components: tuple[tuple[str, str], ...]
    figure_size: float
    marker_size: float
    discs: tuple[Disc, ...]
    numbers: tuple[str, ...]
    tracks: tuple[TrackView, ...]
    gauges: tuple[GaugeView, ...]
    marked: CardRoom | None
    dice: tuple[DieTable, ...]
    words: dict[str, str]
    footer: str


@dataclass(frozen=True, slots=True)
class MapSheet:
    """A sheet of a map at playing scale: its name, what it shows of the map (in millimetres of that), and whether
    another sheet follows to the right, and below. `spot`: where its name stands on the plan, on the map's drawing;
    `crosses`: where the marks stand by which it meets others, in millimetres of the sheet."""

    name: str
    left: float
    top: float
    width: float
    height: float
    goes_right: bool
    goes_down: bool
    spot: Point = Point(0.0, 0.0)
    crosses: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class MapPart:
    """A map, or a tile of it, at playing scale: how large it is, and its sheets, with the size of their paper. All in
    millimetres."""

    title: str
    map: MapView
    width: float
    height: float
    page_width: float
    page_height: float
    sheets: tuple[MapSheet, ...]


@dataclass(frozen=True, slots=True)
class PlayMap:
    """The map of a mission at playing scale: the whole of it for the plan, its parts (one, or its `tiles`), and
    beside it `rooms` for cards (those of one sort together) and `tables` of pieces. `private`: for whom there is
    another map, and a screen before it."""

    key: str
    language: str
    style: Style
    seed: int
    title: str
    type_line: str
    colour: str
    ink: str
    map: MapView
    parts: tuple[MapPart, ...]
    tiles: bool
    rooms: tuple[tuple[CardRoom, ...], ...]
    tables: tuple[tuple[str, tuple[Chip, ...]], ...]
    private: str
    words: dict[str, str]
    footer: str


@dataclass(frozen=True, slots=True)
class StorySheet:
    """What is read aloud: `before` a mission on the front, `after` it on the back."""

    key: str
    language: str
    style: Style
    seed: int
    picture: Picture | None
    title: str
    type_line: str
    colour: str
    ink: str
    before: tuple[Paragraph, ...]
    after: tuple[Section, ...]
    words: dict[str, str]
    footer: str


@dataclass(frozen=True, slots=True)
class Site:
    """A place on the map of a campaign, by the number of its card; one without a title is still unknown."""

    number: int
    title: str
    grade: str
    colour: str
    ink: str
    chips: tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """What is kept, and the `room` to write it in: a tick, a number, a name, or a list."""

    title: str
    room: str


@dataclass(frozen=True, slots=True)
class LogBlock:
    """What is kept of somebody."""

    title: str
    colour: str
    lines: tuple[LogLine, ...]


@dataclass(frozen=True, slots=True)
class CampaignSheet:
    """The map of a campaign and its log: `rows` for missions under `columns`, and `blocks` of what is kept."""

    key: str
    language: str
    style: Style
    seed: int
    title: str
    colour: str
    ink: str
    story: tuple[Paragraph, ...]
    sites: tuple[Site, ...]
    rows: int
    columns: tuple[str, ...]
    blocks: tuple[LogBlock, ...]
    words: dict[str, str]
    footer: str
