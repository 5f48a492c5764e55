"""Views: the content of print as plain data that every template reads. They do not depend on a language, a game or a
file format."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from fcbdsl.base.records import dataclass
from fcbdsl.language.prose import Paragraph
from fcbdsl.language.prose.rules_text import Run


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing (the name of one of `icons/`, or the SVG of one of the pack), its color, an optional letter drawn over
    it, and its meaning in words.

    `drawing` ``die`` is a die face with the letter. Color is never the only difference between symbols.
    """

    drawing: str
    colour: str
    letter: str
    alt: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A datum of a card: its label and value in words. `symbol`: the symbol of the label or of the value. `runs`: the
    value with its bold words, if it has any."""

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
    """A row of numbers from 0 on which a cube or a clip keeps a value. `start`: its initial value."""

    label: str
    symbol: Symbol | None
    steps: tuple[str, ...]
    start: int


@dataclass(frozen=True, slots=True)
class FontFile:
    """A font file of a pack: the hash of its content, its path (never printed), and its credit.

    `weight`: how bold its letters are (400: plain, 700: bold); `italic`: whether they slant.
    """

    digest: str
    place: Path
    credit: str
    weight: int = 400
    italic: bool = False


@dataclass(frozen=True, slots=True)
class PieceFrame:
    """The frames of a game's pieces.

    They are the ground of titles, the mount of pictures, the edge of the paper, the shape behind numbers, the way of
    drawings, and the pattern of backs. Each is the name of a drawing in `templates/frames.typ`.
    """

    plate: str = "slant"
    mount: str = "plain"
    edge: str = "plain"
    plaque: str = "disc"
    drawing: str = "lit"
    back_pattern: str = "stripes"


@dataclass(frozen=True, slots=True)
class Style:
    """The style of all pieces of a game.

    `font`: the font of titles (empty: that of labels); `file`: its file, if it belongs to the pack. `paper`: the colour
    of the ground. `scene`: the scene in the windows of pieces without a picture. `text`: the pack's font for running
    text (empty: the built-in one); `cuts`: its files.
    """

    font: str
    paper: str
    scene: str
    file: FontFile | None = None
    text: str = ""
    cuts: tuple[FontFile, ...] = ()
    frame: PieceFrame = PieceFrame()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a pack: its name in the press (a hash), its description, its credit, and its path (never
    printed). `crop` and `focus`: the part that is shown, and its point that stays visible, in percent."""

    name: str
    alt: str
    credit: str
    place: Path
    crop: tuple[int, ...] = (0, 0, 100, 100)
    focus: tuple[int, ...] = (50, 50)


@dataclass(frozen=True, slots=True)
class Back:
    """The back of a card; `number` and `words` are the facts that players need about a face-down card."""

    title: str
    colour: str
    ink: str
    drawing: str
    number: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceSlot:
    """A place on a face that a template draws, in millimeters from its corner.

    `what` is what the press sets there (`say`: the words; `icon`: the drawing in `words`). `fill`: its color (empty:
    the default), `size`: the largest size of its type in points (0: the default), `align`: its alignment.
    """

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
    """A face drawn by a template: an SVG that extends `beyond` the edges of a piece of this size, and its places. All
    in millimeters."""

    svg: str
    width: float
    height: float
    beyond: float
    slots: tuple[FaceSlot, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card or a board.

    `key`: ``kind/id``. `size`: the name of its size. `ink`: black or white, for contrast with `colour`. `seed` selects
    the scene. `small`: reminders, which are left out if they don't fit. `mark`: the line at its foot with number,
    revision and stamp. `around`: pairs of a side (left, right, below, on) and a text: the things to place there.
    `wheels`: the dials are round. `framed`: titles, each of which heads a frame of the text. `tucked`: the place where
    the piece is tucked so that only its text shows. `own`: the face drawn by a template. `window`: the height of the
    picture in millimeters (0: the room that the words leave).
    """

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
    window: float = 0.0


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a drawing, in tenths of a millimeter."""

    x: float
    y: float


LARGE, BESIDE = 7.8, 6.5
"""The size of a single symbol on a space, and the greatest size of one of several, in the units of drawings."""
NEXT, ABREAST = 7.5, 17.0
"""The greatest distance of two neighboring symbols, and the width for all symbols of a space."""
LIFTED, NAMED = (1.6, 0.6), (6.6, 7.2)
"""The height of symbols above the middle of a space, and the depth of its name below it: each for a space that narrows
towards its foot, and for others."""


@dataclass(frozen=True, slots=True)
class FurnitureView:
    """A decorative drawing in a space: its center, and its size."""

    drawing: str
    at: Point
    size: float


@dataclass(frozen=True, slots=True)
class GroundView:
    """The ground of spaces: a texture (the name of one of `textures/`), its color and that of its lines, and the title
    in the legend (empty: ordinary ground)."""

    texture: str
    colour: str
    ink: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class CellView:
    """A space of a map.

    `centre`: the place of its symbols. `outlines`: its rim, and the rims of its holes and separate parts. `style` and
    `hatching`: the drawing of its ground; `ground`: the texture of its terrain, if any. `symbols`: the things on it.
    `low`: how much less room it has above and below its middle than other spaces; its name is raised by half of this,
    and its symbols are smaller. `furniture`: decoration.
    """

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
    ground: GroundView | None = None

    @property
    def size(self) -> float:
        """Return the size of each symbol."""
        many = len(self.symbols) > 1
        return round(min(BESIDE, self._apart * 0.96) if many else LARGE * (1 - self.low / 10), 2)

    @property
    def spots(self) -> tuple[Point, ...]:
        """Return the center of each symbol: in a row."""
        first = self.centre.x - (len(self.symbols) - 1) / 2 * self._apart
        y = round(self.centre.y - LIFTED[not self.is_pointed], 2)
        return tuple(Point(round(first + at * self._apart, 2), y) for at in range(len(self.symbols)))

    @property
    def named(self) -> Point:
        """Return the middle of the base line of the name."""
        return Point(self.centre.x, round(self.centre.y + NAMED[not self.is_pointed] - self.low / 2, 2))

    @property
    def is_pointed(self) -> bool:
        """Return whether the space narrows towards its foot, as a hexagon does."""
        outline = self.outlines[0] if self.outlines else ()
        return any(abs(a.x - b.x) > 0.1 and abs(a.y - b.y) > 0.1 for a, b in pairwise(outline))

    @property
    def _apart(self) -> float:
        return min(NEXT, ABREAST / max(len(self.symbols), 1))


@dataclass(frozen=True, slots=True)
class SideView:
    """A line of a map.

    Styles: ``thin`` dashes between ordinary spaces, ``bold`` dashes around cover, ``wall`` (continuous) where movement
    is blocked, ``door`` for other barriers, ``rope`` between two spaces that a mark joins. `letter` distinguishes
    barriers with the same drawing.
    """

    start: Point
    end: Point
    style: str
    letter: str = ""


@dataclass(frozen=True, slots=True)
class RouteView:
    """A route along spaces in order: its letter with a place, its line, and its arrowheads. One without a letter is the
    way of a piece in an example.

    Each arrowhead has a point and an angle in degrees, clockwise from the right.
    """

    letter: str
    label: Point
    points: tuple[Point, ...]
    arrows: tuple[tuple[Point, float], ...]


@dataclass(frozen=True, slots=True)
class RegionView:
    """A connected group of spaces: the band inside its edge, and its name (in lines) with the start of the first line.

    `anchor`: start, or middle. `sort`: the name of its kind in the legend. `dashes`: the pattern of its band ("": a
    solid line), which tells the kinds of a map apart without color.
    """

    colour: str
    rim: tuple[tuple[Point, Point], ...]
    name: tuple[str, ...]
    label: Point
    anchor: str
    sort: str = ""
    dashes: str = ""

    @property
    def title(self) -> str:
        """Return the name in one line: a hyphen at the end of a line belongs to the name."""
        return "".join(line if line.endswith("-") else f"{line} " for line in self.name).rstrip()


@dataclass(frozen=True, slots=True)
class AreaView:
    """A region of a graph: its color, the outline around the middles of its places, its name, and the name's place."""

    colour: str
    outline: tuple[Point, ...]
    name: str
    label: Point


@dataclass(frozen=True, slots=True)
class MapView:
    """A board with all measures of its drawing.

    `legend`: symbols with a meaning and their count on the map. `lines`: the meaning of each style of line (regions
    have a row for each sort). `south`: the side that sits there. `squares`: spaces have right angles. `unit`: the width
    of a space. `lettered`: texts in discs, with the size of their type and their largest width. `grounds`: the textures
    of its spaces; `ground`: the texture between the places of a graph. `areas`: the regions of a graph. `swatches`:
    samples of the grounds as SVG, for a legend apart from the map.
    """

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
    grounds: tuple[GroundView, ...] = ()
    ground: GroundView | None = None
    areas: tuple[AreaView, ...] = ()
    swatches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepView:
    """A space of a track. `marked`: whether it has an effect; `laid`: whether the track prints this effect. `number`:
    the number of a space whose label is a word."""

    label: str
    marked: bool
    laid: bool = False
    number: str = ""


@dataclass(frozen=True, slots=True)
class TrackView:
    """A countdown: its spaces, and the effects of the marked ones."""

    title: str
    steps: tuple[StepView, ...]
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class TierView:
    """A tier of a gauge: its first value, its name, whether it is permanent, and its effects."""

    at: str
    title: str
    locked: bool
    text: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class GaugeView:
    """A gauge with its spaces and tiers; a counter has no tiers."""

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
    """The sheet of a mission. `words` are its interface words in its language."""

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
    """An explained item of an aid: its symbol, its title, its cost or frequency (`terms`), and its explanation.

    `number` and `level`: the number and indentation of a step. `also`: its other names in bold on pieces. `map`: the
    board of a worked example.
    """

    title: str
    text: tuple[Paragraph, ...] = ()
    symbol: Symbol | None = None
    terms: str = ""
    number: str = ""
    level: int = 0
    also: tuple[str, ...] = ()
    map: MapView | None = None


@dataclass(frozen=True, slots=True)
class AidBlock:
    """Entries under a heading. `style`: ``steps`` (numbered), ``entries`` (title and text), ``symbols`` (small ones in
    two columns), ``examples`` (title, board and text)."""

    title: str
    style: str
    entries: tuple[AidEntry, ...]


@dataclass(frozen=True, slots=True)
class SetupMap:
    """The map of a mission as it is set up, with its caption, in a rules reference."""

    caption: str
    map: MapView


@dataclass(frozen=True, slots=True)
class Aid:
    """A player aid, or (`booklet`) a reference in the form of a booklet: its blocks in order.

    `more`: further blocks if there is space; `continued`: the heading of the rest of a block on another page. A booklet
    has a list of `contents` under this heading, an index (the titles of a letter are in `also`), and a map.
    """

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
    contents: str = ""
    index: AidBlock | None = None
    setup: SetupMap | None = None


@dataclass(frozen=True, slots=True)
class DiscBack:
    """The other face of a round piece: its symbol, its number, and its name."""

    symbol: Symbol
    number: str
    title: str


@dataclass(frozen=True, slots=True)
class Disc:
    """A round piece to cut: its name, its symbol, its number, the color of its rim, and how many there are of it.

    `pattern` distinguishes the rim without color (from 1; 0: none). `figure`: it represents a figure and is larger;
    `drawing`: the drawing of its standee. `back`: its other face, if it has one.
    """

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
    """Space for a card beside something: the sort of card, and its width and height in millimeters."""

    title: str
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class DieTable:
    """A die as a table for players without such a die: its number of faces, a replacement (``d6``), and the result for
    each number.

    `rows` is empty for a die that everybody has.
    """

    title: str
    symbol: Symbol | None
    faces: int
    instead: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Supplies:
    """The pieces to cut, tracks at playing size and dice of a table, with a list of all `components` and their counts.

    `figure_size` and `marker_size`: diameters of discs in millimeters. `marked`: the cards on the marked spaces of
    tracks.
    """

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
    """A sheet of a map at playing scale: its name, its part of the map (in millimeters of that), and whether another
    sheet follows to the right, and below.

    `spot`: the place of its name on the plan, in units of the map's drawing; `crosses`: the registration crosses with
    other sheets, in millimeters of the sheet.
    """

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
    """A map, or a tile of it, at playing scale: its size, and its sheets with the size of their paper. All in
    millimeters."""

    title: str
    map: MapView
    width: float
    height: float
    page_width: float
    page_height: float
    sheets: tuple[MapSheet, ...]


@dataclass(frozen=True, slots=True)
class PlayMap:
    """The map of a mission at playing scale: the whole map for the plan, and its parts (one, or its `tiles`).

    `rooms` are places for cards beside it (those of one sort together), and `tables` list pieces. `private`: the
    players with a private map and a screen before it.
    """

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
    """The texts to read aloud: `before` a mission on the front, `after` it on the back."""

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
    """A kept value, and the `room` to write it in: a tick, a number, a name, or a list."""

    title: str
    room: str


@dataclass(frozen=True, slots=True)
class LogBlock:
    """The kept values of one owner."""

    title: str
    colour: str
    lines: tuple[LogLine, ...]


@dataclass(frozen=True, slots=True)
class CampaignSheet:
    """The map of a campaign and its log: `rows` for missions under `columns`, and `blocks` of kept values."""

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
