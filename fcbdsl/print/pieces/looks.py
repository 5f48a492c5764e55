"""Looks: how kinds are drawn, from the `layout` declarations of a system."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cache, lru_cache

from fcbdsl.base import resources
from fcbdsl.base.diagnostics import Diagnostic, suggest
from fcbdsl.base.diagnostics.print import SymbolsAlike, UnknownLook
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import ADDED_LAYOUTS, Layout
from fcbdsl.language.model.declarations import Form, Kind
from fcbdsl.language.model.texts import layout_titles
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, Seats
from fcbdsl.print.layout.views import GroundView, PieceFrame, Style, Symbol
from fcbdsl.print.pieces.assets import (
    LARGE,
    OWN_COLOURS,
    OWN_SIZES,
    PLAIN,
    asset_problems,
    colours_of,
    drawing_of,
    drawing_problems,
    drawings,
    fonts_of,
    named_colour,
    sizes_of,
    text_fonts_of,
)
from fcbdsl.print.pieces.markers import TOKENS, marker_lines, misread
from fcbdsl.print.pieces.templating import TEMPLATE, template_problems
from fcbdsl.print.typeset.glyphs import fonts

SYMBOLS = "symbols"
DRAWINGS = "drawings"
GROUNDS = "grounds"
STYLE = "style"
TEXTURES = resources.package_folder() / "print" / "textures"
TEMPLATES = resources.package_folder() / "print" / "templates"
SAME = "as"
"""Before the name of a symbol: that one, for a thing that is the same (``cost: as gold``)."""
DEFAULT_COLOUR = "#37474f"

FIELD_KEYS = (
    "type",
    "corner",
    "stats",
    "dials",
    "notes",
    "badges",
    "condition",
    "steps",
    "grade",
    "sections",
    "setup table",
    "lines",
    "face down",
    "back shows",
    "framed",
    "before",
    "tracks",
)
"""Keys whose parts are fields of the kind, in the order of drawing."""
OTHER_KEYS = (
    "size",
    "copies",
    "color",
    "icon",
    "scene",
    "back",
    "back color",
    "areas",
    "losses",
    "setup",
    "marked",
    "around",
    "tucked",
    "reacts",
    "stage",
    "beside",
    "south",
    "after",
    "sites",
    "sealed",
    "wheels",
    "private",
    "template",
    "window",
)
FRAMES = {
    "plate": "plates",
    "mount": "mounts",
    "edge": "edges",
    "plaque": "plaques",
    "drawing": "drawings",
    "back pattern": "patterns",
}
"""The parts of frames, with the dictionary in `templates/frames.typ` that draws each."""
STYLE_KEYS = ("font", "text", "paper", "scene", "space", "tiles", *FRAMES)
DEFAULT_SCENE = "bands"
DEFAULT_PAPER = "#fbf8f1"
DEFAULT_SPACE = 25
"""Default width of a map's space at playing scale, in millimeters."""
TO_CUT = "token"
"""As a size: no card, but a round piece, see `markers`."""
NOTHING = "none"
"""As a size: nothing is printed, since it represents other pieces."""
NO_CARDS = (TO_CUT, NOTHING)
MOST_LISTED = 30
"""The most known names that a message lists all."""
MOST_SHOWN = 8
"""The number of names that a message shows if there are more."""
BEARER = "bearer"
"""As a color: that of the thing that a card is for; on a back: its title."""
TITLE = "title"
"""On a back: the title of the card itself."""

SECTION = "a field, a kind, or a measure that lists by the number of players alone"
BESIDE = "`5 KIND`, `each REGION KIND` or `table KIND`"
SIDES = ("left", "right", "below", "on")
"""Sides of a board for other pieces, and the board itself (if its dials are wheels)."""

_COPIES = re.compile(r"[1-9][0-9]?")
_WINDOW = re.compile(r"[0-9]{1,3}")
_SPACE = re.compile(r"[1-9][0-9]")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a kind, as its `layout` says; `docs/language/layouts.md` explains every setting.

    Every list contains names of fields (`sections`: also of kinds and measures). A colour is ``#rrggbb`` or a name (see
    `data.colour_of`). Titles (`back_title`, `loss_texts`, `setup_titles`, `tucked`, `reacts`, `south`) are by language.

    Cards: `icon`: drawings, or fields whose symbols are used; the first that exists counts. `scene`: the scenes among
    which each piece has one. `window`: the height of the picture in millimeters (-1: by the size of the piece).
    `dials`: the least highest number of the dials of fields. `copies`: the number of printed copies; 0: the value of
    the field `copies_of`, or the number in the game.

    Missions: `losses`: the section with the loss of pieces, and the flag of such pieces. `setup`: the event that begins
    the mission. `marked`: the kind of card on the marked spaces of its tracks. `stage`: the kind that names the place
    of the mission in a campaign. `beside`: the things beside the map. `around`: the things at each side of a board, as
    kinds or as titles in a language.

    Stories: `before`: texts to read aloud before a mission. `after`: kinds of cards with the continuation. `sites`: the
    places of a campaign. `sealed`: the card must be cut without reading it."""

    size: str = "card"
    copies: int = 0
    copies_of: str = ""
    colour: str = DEFAULT_COLOUR
    icon: tuple[str, ...] = ()
    scene: tuple[str, ...] = ()
    window: int = -1
    back_title: dict[str, str] = field(default_factory=dict)
    back_colour: str = ""
    areas: tuple[str, ...] = ()
    losses: tuple[str, str] = ("", "")
    loss_texts: dict[str, str] = field(default_factory=dict)
    setup: str = ""
    marked: str = ""
    stage: str = ""
    beside: tuple[tuple[str, ...], ...] = ()
    south: dict[str, str] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    sites: tuple[tuple[str, ...], ...] = ()
    sealed: bool = False
    wheels: bool = False
    private: str = ""
    around: tuple[tuple[str, ...], ...] = ()
    tucked: dict[str, str] = field(default_factory=dict)
    reacts: dict[str, str] = field(default_factory=dict)
    setup_titles: dict[str, str] = field(default_factory=dict)
    fields: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dials: dict[str, int] = field(default_factory=dict)


def has_own_back(kind: Kind, model: Model) -> bool:
    """Return whether the backs of a kind have its title: those of boards with an inherited layout.

    The backs in a deck are all the same.
    """
    layout = layout_of(kind, model)
    own = layout is not None and layout.kind != kind.id and kind.name.title
    return bool(own) and sizes_of(model)[look_of_kind(kind, model).size].scale >= LARGE


def look_of_kind(kind: Kind, model: Model) -> Look:
    """Return the look of a kind or its nearest ancestor, else a plain one that shows every printed number."""
    layout = layout_of(kind, model)
    if layout is not None:
        return _read(layout, model)
    lineage = reversed(kind.lineage())
    shown = [f for ancestor in lineage for f in ancestor.fields.values() if f.sort in {"field", "part"}]
    return Look(
        fields={
            "type": tuple(f.id for f in shown if f.type.base == "enum"),
            "stats": tuple(f.id for f in shown if f.type.base == "number" and f.name.title),
            "lines": tuple(f.id for f in shown if f.sort == "part"),
            "badges": tuple(f.id for f in shown if f.type.base == "flag" and f.name.title),
            "condition": tuple(f.id for f in shown if f.type.base == "condition"),
        }
    )


def layout_of(kind: Kind, model: Model) -> Layout | None:
    """Return the layout of a kind or of its nearest ancestor that has one."""
    nearest: Kind | None = kind
    while nearest is not None and nearest.id not in model.layouts:
        nearest = nearest.parent
    return None if nearest is None else model.layouts[nearest.id]


_LOOKS: dict[object, Look] = {}
"""Looks by everything that they are read from. Each piece is drawn with a few looks, which are asked for many times."""
_MOST_LOOKS = 1_000


def _read(layout: Layout, model: Model) -> Look:
    """Return the look that a layout describes, cached."""
    sections = (model.layouts.get(name) for name in (OWN_COLOURS, OWN_SIZES))
    own = [tuple(section.settings.items()) if section is not None else () for section in sections]
    key = (tuple(layout.settings.items()), *own)
    look = _LOOKS.get(key)
    if look is None:
        if len(_LOOKS) >= _MOST_LOOKS:
            _LOOKS.clear()
        look = _LOOKS[key] = _read_look(layout, model)
    return look


def _read_look(layout: Layout, model: Model) -> Look:
    settings = {key: [" ".join(part) for part in parts] for key, parts in layout.settings.items()}

    dials = {field: least for field, least in map(_dial, layout.settings.get("dials", ())) if least}
    if "dials" in settings:
        settings["dials"] = [_dial(part)[0] for part in layout.settings["dials"]]

    def first(key: str, default: str) -> str:
        return settings.get(key, [default])[0]

    return Look(
        size=first("size", "card") if first("size", "card") in (*sizes_of(model), *NO_CARDS) else "card",
        copies=int(first("copies", "0")) if _COPIES.fullmatch(first("copies", "0")) else 0,
        copies_of=first("copies", "") if not _COPIES.fullmatch(first("copies", "0")) else "",
        colour=_coloured(first("color", DEFAULT_COLOUR), model),
        icon=tuple(settings.get("icon", ())),
        scene=tuple(settings.get("scene", ())),
        window=int(first("window", "-1")) if _WINDOW.fullmatch(first("window", "")) else -1,
        back_title=layout_titles(layout.settings.get("back", ())),
        back_colour=_coloured(first("back color", ""), model),
        areas=tuple(settings.get("areas", ())),
        losses=_pair(layout.settings.get("losses", ())),
        loss_texts=layout_titles(layout.settings.get("losses", ())[1:]),
        setup=first("setup", ""),
        marked=first("marked", ""),
        stage=first("stage", ""),
        beside=layout.settings.get("beside", ()),
        south=layout_titles(layout.settings.get("south", ())),
        after=tuple(settings.get("after", ())),
        sites=layout.settings.get("sites", ()),
        sealed=first("sealed", "no") == "yes",
        wheels=first("wheels", "no") == "yes",
        private=first("private", ""),
        around=layout.settings.get("around", ()),
        tucked=layout_titles(layout.settings.get("tucked", ())),
        reacts=layout_titles(layout.settings.get("reacts", ())),
        setup_titles=layout_titles(layout.settings.get("setup", ())[1:]),
        fields={key: tuple(settings[key]) for key in FIELD_KEYS if key in settings},
        dials=dials,
    )


def _dial(part: tuple[str, ...]) -> tuple[str, int]:
    """Read ``Mvt 7``: the field of a dial, and its least end (0: the field's value)."""
    if len(part) == 2 and part[1].isdecimal():
        return part[0], int(part[1])
    return " ".join(part), 0


def _pair(parts: Sequence[tuple[str, ...]]) -> tuple[str, str]:
    """Return the two words of the first part of a line."""
    return (parts[0][0], parts[0][1]) if parts and len(parts[0]) == 2 else ("", "")


def style_of(model: Model, scenes: Sequence[str] = (), seed: int = 0) -> Style:
    """Return the style of a game's pieces. `seed` selects one of `scenes`, or else of the game's scenes."""
    styles = styles_of(model, scenes)
    return styles[seed % len(styles)]


def styles_of(model: Model, scenes: Sequence[str] = ()) -> Sequence[Style]:
    """Return the styles among which `style_of` selects one: one for each scene."""
    layout = model.layouts.get(STYLE)
    settings = {key: " ".join(parts[0]) for key, parts in layout.settings.items()} if layout is not None else {}
    font = settings.get("font", "")
    file = fonts_of(model).get(font) if font and font not in fonts() else None
    paper = _coloured(settings.get("paper", DEFAULT_PAPER), model)
    cuts = text_fonts_of(model).get(settings["text"], ()) if "text" in settings else ()
    of_game = [" ".join(part) for part in layout.settings.get("scene", ())] if layout is not None else []
    scenes_known = [scene for scene in (*scenes,) or of_game if scene in scene_names()] or [DEFAULT_SCENE]
    frame = {key: settings[key] for key, drawn in FRAMES.items() if settings.get(key) in frame_names(drawn)}
    drawn = PieceFrame(**{key.replace(" ", "_"): word for key, word in frame.items()})
    text = settings.get("text", "") if cuts else ""
    return [Style(font, paper, scene, file, text, cuts, drawn) for scene in scenes_known]


def scene_names() -> tuple[str, ...]:
    """Return the names of the scenes for the window of a piece."""
    return _named_in("scenes.typ", "scenes")


def frame_names(part: str) -> tuple[str, ...]:
    """Return the names of the drawings for a part of frames (a plate, a mount …)."""
    return _named_in("frames.typ", part)


@cache
def _named_in(template: str, dictionary: str) -> tuple[str, ...]:
    """Return the names in a dictionary of a Typst template, where each name has a line."""
    source = (TEMPLATES / template).read_text(encoding="utf-8")
    body = source.partition(f"#let {dictionary} = (")[2].partition("\n)")[0]
    return tuple(sorted(re.findall(r"^  (\w+): \(", body, re.MULTILINE)))


def space_width(model: Model) -> int:
    """Return the width of a space of a game's maps at playing scale, in millimeters."""
    layout = model.layouts.get(STYLE)
    width = layout.settings["space"][0][0] if layout is not None and "space" in layout.settings else ""
    return int(width) if _SPACE.fullmatch(width) else DEFAULT_SPACE


def tiles_of(model: Model) -> str:
    """Return the kind of region that is cut into tiles; empty if maps are in one piece."""
    layout = model.layouts.get(STYLE)
    return layout.settings["tiles"][0][0] if layout is not None and "tiles" in layout.settings else ""


def symbol_of(model: Model, name: str, alt: str, language: str = "en") -> Symbol | None:
    """Return the symbol of a value, die, field, status, token, ground or mark; None if there is none.

    Its letter may differ by language: ``green: die, "#2e7d32", "G", fr "V"``.
    """
    layout = model.layouts.get(SYMBOLS)
    if layout is None or name not in layout.settings:
        return None
    parts = layout.settings[shape_of_symbol(layout, name)]
    if OWN_COLOURS in model.layouts:
        parts = tuple(
            [(_coloured(part[0], model),) if at and len(part) == 1 else part for at, part in enumerate(parts)]
        )
    sign = _sign(parts, language)
    if sign is None:
        return None  # `check_looks` reports `as` without a symbol
    drawing, colour, letter = sign
    return Symbol(drawing_of(model, drawing), colour, letter, alt)


@lru_cache(maxsize=1024)  # a game has some dozens, which are on many cards
def _sign(parts: tuple[tuple[str, ...], ...], language: str) -> tuple[str, str, str] | None:
    """Return the drawing, the color and the letter of a symbol, from the parts of its line; None if it has none."""
    words = [part[0] for part in parts if len(part) == 1]
    if not words:
        return None
    colour = next((word for word in words[1:] if _COLOUR.fullmatch(word)), "")
    letter = next((word for word in words[1:] if not _COLOUR.fullmatch(word)), "")
    own = _title_in(parts, language)
    return words[0], colour or "#222222", own if len(own) == 1 else letter


def shape_of_symbol(layout: Layout, name: str) -> str:
    """Return the name of the symbol that provides the drawing, color and letter: itself, or the one after `as`."""
    first = layout.settings[name][0]
    return first[1] if len(first) == 2 and first[0] == SAME and first[1] in layout.settings else name


def ground_look(model: Model, names: Sequence[str], title: str = "") -> GroundView | None:
    """Return the texture that `layout grounds:` gives to the first of some names; None if it gives none."""
    layout = model.layouts.get(GROUNDS)
    name = next((name for name in names if layout is not None and name in layout.settings), "")
    if layout is None or not name:
        return None
    texture, *colours = [_coloured(" ".join(part), model) for part in layout.settings[name]]
    if texture not in textures() or not colours or not all(is_colour(colour) for colour in colours):
        return None  # `check_looks` reports it
    return GroundView(texture, colours[0], colours[1] if len(colours) > 1 else darken(colours[0], 0.6), title)


def _coloured(word: str, model: Model) -> str:
    """Return a color of the pack by its name; any other word unchanged."""
    return named_colour(model, word) or word


@cache
def textures() -> tuple[str, ...]:
    """Return the names of the textures of ground."""
    return tuple(sorted(path.stem for path in TEXTURES.glob("*.svg")))


def darken(colour: str, share: float) -> str:
    """Return a color with a share of black mixed in."""
    return "#" + "".join(f"{round(int(colour[at : at + 2], 16) * (1 - share)):02x}" for at in (1, 3, 5))


def symbol_title(model: Model, name: str, language: str) -> str:
    """Return the title in the symbols' layout of something without a declared name (a mark on a map)."""
    layout = model.layouts.get(SYMBOLS)
    return _title_in(layout.settings.get(name, ()), language) if layout is not None else ""


def _title_in(parts: Sequence[tuple[str, ...]], language: str) -> str:
    """Return the title in a language among the parts of a line."""
    return next((part[1] for part in parts if len(part) == 2 and part[0] == language), "")


def declared_drawing(model: Model, id: str) -> str:
    """Return the first of the declared drawings; empty if there is none."""
    return next(iter(declared_drawings(model, id)), "")


def declared_drawings(model: Model, id: str) -> tuple[str, ...]:
    """Return the drawings, in the form of views, that `layout drawings:` gives a definition; a region has several."""
    layout = model.layouts.get(DRAWINGS)
    named = layout.settings.get(id, ()) if layout is not None else ()
    return tuple(drawing_of(model, part[0]) for part in named)


def is_colour(word: str) -> bool:
    """Return whether a word is a color (``#rrggbb``)."""
    return _COLOUR.fullmatch(word) is not None


@lru_cache(maxsize=256)  # a game has a few colors
def ink_on(colour: str) -> str:
    """Return white or near black, the one with the higher contrast on a color."""
    luminance = _luminance(colour)
    return "#ffffff" if 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.0584 else "#14171a"


def deep_on(colour: str, ground: str) -> str:
    """Return a color with a quarter of black, or with as much more as legible words on a light ground need."""
    share = 0.25
    while True:
        mixed = "#" + "".join(f"{round(int(colour[at : at + 2], 16) * (1 - share)):02x}" for at in (1, 3, 5))
        if share >= 1 or (_luminance(ground) + 0.05) / (_luminance(mixed) + 0.05) >= LEGIBLE:
            return mixed
        share = round(share + 0.05, 2)


LEGIBLE = 4.5
"""Least contrast of words with their ground (WCAG, level AA)."""


def _luminance(colour: str) -> float:
    """Return the relative luminance of a color by WCAG."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def check_looks(model: Model) -> list[Diagnostic]:
    """Return problems for names in the layouts of a model that do not exist."""
    problems: list[Diagnostic] = [*asset_problems(model), *drawing_problems(model)]
    symbols = model.layouts.get(SYMBOLS)
    for layout in model.layouts.values():
        if layout.kind == SYMBOLS:
            _check_symbols(layout, model, problems)
        elif layout.kind == DRAWINGS:
            _check_drawings(layout, model, problems)
        elif layout.kind == GROUNDS:
            _check_grounds(layout, model, problems)
        elif layout.kind == STYLE:
            _check_style(layout, model, problems)
        elif layout.kind == TOKENS:
            for name, problem in misread(layout, model, tuple(symbols.settings) if symbols is not None else ()):
                place = layout.place(name, problem.at) if problem.at >= 0 else layout.place(name)
                _unknown(layout, place, problem.name, problem.expected, tuple(problem.known), problems)
        elif layout.kind in ADDED_LAYOUTS:
            continue  # `asset_problems` reports it
        elif layout.kind not in model.kinds:
            _unknown(layout, layout.span, layout.kind, "a kind", tuple(model.kinds), problems)
        else:
            _check_kind(layout, model, problems)
    return problems


def _check_symbols(layout: Layout, model: Model, problems: list[Diagnostic]) -> None:
    for key, parts in layout.settings.items():
        drawing = parts[0][0]
        if len(parts[0]) == 2 and drawing == SAME:
            named = tuple(setting for setting in layout.settings if layout.settings[setting][0][0] != SAME)
            if parts[0][1] not in named:
                _unknown(layout, layout.place(key, 0), parts[0][1], "a symbol with a drawing", named, problems)
        elif drawing not in drawings(model):
            _unknown(layout, layout.place(key, 0), drawing, "a drawing", drawings(model), problems)
    problems += _symbols_alike(layout, model)


def _symbols_alike(layout: Layout, model: Model) -> Iterator[Diagnostic]:
    """Report symbols that only their color tells apart: those of one shape, unless `as` makes them the same.

    A symbol of a pack may have the shape of one of its game if no map shows both.
    A letter makes its own shape: a disc, or a die. `plain` without a letter is the disc for initials and numbers."""
    first: dict[tuple[str, str, str], str] = {}
    for name, parts in layout.settings.items():
        if parts[0][0] == SAME:
            continue
        same = ""
        for language in LANGUAGES:
            symbol = symbol_of(model, name, "", language)
            if symbol is None or (symbol.drawing == PLAIN and not symbol.letter):
                continue
            shape = "disc" if symbol.letter and symbol.drawing != "die" else symbol.drawing
            other = first.setdefault((shape, symbol.letter, language), name)
            same = same or (other if other != name else "")
        if not same:
            continue
        place = layout.place(name, 0)
        alike = SymbolsAlike(place, name=name, other=same, drawing=parts[0][0], free=_free_drawings(layout, model))
        if model.is_lent(place) == model.is_lent(layout.place(same, 0)):
            yield alike
        elif _on_one_map(model, name, same):
            alike.severity = "warning"  # a pack may use a drawing of its game
            yield alike


def _on_one_map(model: Model, name: str, other: str) -> bool:
    """Return whether a map shows two tokens, marks, terrains or pieces."""
    for definition in model.definitions.values():
        board = definition.board
        if board is not None:
            shown = {drawn for cell in board.cells for drawn in (*cell.tokens, *cell.marks, *cell.places, cell.terrain)}
            if {name, other} <= shown | set(board.sides.values()):
                return True
    return False


def _free_drawings(layout: Layout, model: Model) -> str:
    """Return some drawings that no symbol uses, evenly spread over the alphabet, as text for a message."""
    used = {part[0] for parts in layout.settings.values() for part in parts}
    return ", ".join(f"`{name}`" for name in _spread([name for name in drawings(model) if name not in {*used, PLAIN}]))


def _spread(names: Sequence[str]) -> Sequence[str]:
    """Return some of many names, evenly spread over them."""
    return names[:: max(1, len(names) // MOST_SHOWN)][:MOST_SHOWN]


def _check_drawings(layout: Layout, model: Model, problems: list[Diagnostic]) -> None:
    ids = dict.fromkeys(definition.id for definition in model.definitions.values())
    names = dict.fromkeys(drawings(model))
    for key, parts in layout.settings.items():
        if key not in ids:
            _unknown(layout, layout.place(key), key, "a definition", tuple(ids), problems)
        for at, part in enumerate(parts):
            if (name := " ".join(part)) not in names:
                _unknown(layout, layout.place(key, at), name, "a drawing", tuple(names), problems)


BOARD, PLAIN_GROUND = "board", "plain"
"""As grounds: the ground between the places of a map, and the ground of spaces without a terrain."""


def _check_grounds(layout: Layout, model: Model, problems: list[Diagnostic]) -> None:
    missions = [definition.id for definition in model.definitions.values() if definition.board is not None]
    grounds = (*model.terrains, *missions, PLAIN_GROUND, BOARD)
    for key, parts in layout.settings.items():
        if key not in grounds:
            _unknown(layout, layout.place(key), key, "a terrain, a mission, `plain` or `board`", grounds, problems)
        if (texture := " ".join(parts[0])) not in textures():
            _unknown(layout, layout.place(key, 0), texture, "a texture", textures(), problems)
        if len(parts) == 1:
            _unknown(layout, layout.place(key), key, 'a texture and a color (`sand, "#eadfc4"`)', (), problems)
        for at, part in enumerate(parts[1:], start=1):
            if not is_colour(_coloured(" ".join(part), model)):
                named = tuple(colours_of(model))
                _unknown(layout, layout.place(key, at), " ".join(part), 'a color (`"#eadfc4"`)', named, problems)


def _check_style(layout: Layout, model: Model, problems: list[Diagnostic]) -> None:
    for key, parts in layout.settings.items():
        word, first = " ".join(parts[0]), layout.place(key, 0)
        if key not in STYLE_KEYS:
            _unknown(layout, layout.place(key), key, "a key", STYLE_KEYS, problems)
        elif key == "scene":
            _check_scenes(layout, problems)
        elif key in FRAMES and word not in frame_names(FRAMES[key]):
            _unknown(layout, first, word, f"a {key}", frame_names(FRAMES[key]), problems)
        elif key == "paper" and not is_colour(_coloured(word, model)):
            _unknown(layout, first, word, 'a color (`"#fbf8f1"`)', tuple(colours_of(model)), problems)
        elif key == "text" and word not in text_fonts_of(model):
            wanted = "a font of the pack with a plain, a bold and an italic cut"
            _unknown(layout, first, word, wanted, tuple(text_fonts_of(model)), problems)
        elif key == "space" and not _SPACE.fullmatch(word):
            _unknown(layout, first, word, "a number of millimeters from 10 to 99", (), problems)
        elif key == "tiles" and word not in model.kinds:
            _unknown(layout, first, word, "a kind", tuple(model.kinds), problems)
        elif key == "font" and word not in fonts_of(model):
            _unknown(layout, first, word, "a font", tuple(fonts_of(model)), problems)


def _check_kind(layout: Layout, model: Model, problems: list[Diagnostic]) -> None:
    fields = [field for ancestor in model.kinds[layout.kind].lineage() for field in ancestor.fields.values()]
    field_names = tuple(field.id for field in fields)
    numbers = tuple(field.id for field in fields if field.type.base == "number")
    for key, parts in layout.settings.items():
        words = [_dial(part)[0] if key == "dials" else " ".join(part) for part in parts]
        first = layout.place(key, 0)
        if key in FIELD_KEYS:
            others: tuple[str, ...] = (BEARER, TITLE) if key == "back shows" else ()
            expected = "a field"
            if key in {"sections", "setup table"}:
                others = (*model.kinds, *section_measures(model.kinds[layout.kind], model))
                expected = SECTION
            for at, word in enumerate(words):
                if word not in field_names + others:
                    _unknown(layout, layout.place(key, at), word, expected, field_names, problems)
                elif key == "tracks" and word not in numbers:
                    _unknown(layout, layout.place(key, at), word, "a field that is a number", numbers, problems)
        elif key == "losses":
            section, flag = _pair(parts)
            flags = tuple(name for kind in model.kinds.values() for name in kind.fields)
            for word, names in ((section, field_names), (flag, flags)):
                if word not in names:
                    _unknown(layout, first, word or words[0], "a field", names, problems)
        elif key == "scene":
            _check_scenes(layout, problems)
        elif key == "window" and not _WINDOW.fullmatch(words[0]):
            _unknown(layout, first, words[0], "a number of millimeters", (), problems)
        elif key == "icon":
            for at, word in enumerate(words):
                if word not in field_names + drawings(model):
                    names = drawings(model) + field_names
                    _unknown(layout, layout.place(key, at), word, "a drawing or a field", names, problems)
        elif key == "setup":
            if words[0] not in model.events:
                _unknown(layout, first, words[0], "an event", tuple(model.events), problems)
        elif key == "around":
            for at, part in enumerate(parts):
                own = (len(part) == 2 and part[1] in model.kinds) or (len(part) == 3 and part[1] in LANGUAGES)
                if part[0] not in SIDES or not own:
                    _unknown(layout, layout.place(key, at), words[at], "a side and a kind or title", SIDES, problems)
        elif key == "beside":
            for at, part in enumerate(parts):
                if part[-1] not in model.kinds or not (part[0].isdecimal() or part[0] in ("each", "table")):
                    _unknown(layout, layout.place(key, at), words[at], BESIDE, tuple(model.kinds), problems)
        elif key == "sites":
            _check_sites(layout, parts, field_names, model, problems)
        elif key in {"sealed", "wheels"} and words[0] not in ("yes", "no"):
            _unknown(layout, first, words[0], "`yes` or `no`", (), problems)
        elif key == "after":
            for at, word in enumerate(words):
                if word not in model.kinds:
                    _unknown(layout, layout.place(key, at), word, "a kind", tuple(model.kinds), problems)
        elif key in {"marked", "stage", "private"}:
            if words[0] not in model.kinds:
                _unknown(layout, first, words[0], "a kind", tuple(model.kinds), problems)
        elif key == TEMPLATE:
            problems.extend(template_problems(layout))
        elif key == "size" and words[0] not in (*sizes_of(model), *NO_CARDS):
            _unknown(layout, first, words[0], "a size", (*sizes_of(model), *NO_CARDS), problems)
        elif key == "size" and words[0] == TO_CUT and not any(line.name == layout.kind for line in marker_lines(model)):
            _unknown(
                layout, first, words[0], f"in `layout tokens:` (`{layout.kind}: each {layout.kind}`)", (), problems
            )
        elif key == "copies" and not _COPIES.fullmatch(words[0]) and words[0] not in field_names:
            _unknown(layout, first, words[0], "a number from 1 to 99, or a field", field_names, problems)
        elif (
            key in {"color", "back color"}
            and not is_colour(_coloured(words[0], model))
            and words[0] not in (*field_names, BEARER)
        ):
            named = (*field_names, *colours_of(model))
            _unknown(layout, first, words[0], 'a color (`"#8c2f1b"`), a field or `bearer`', named, problems)
        elif key not in OTHER_KEYS:
            _unknown(layout, layout.place(key), key, "a key", FIELD_KEYS + OTHER_KEYS, problems)


def _check_scenes(layout: Layout, problems: list[Diagnostic]) -> None:
    """Report scenes that are not drawn."""
    for at, part in enumerate(layout.settings["scene"]):
        if " ".join(part) not in scene_names():
            _unknown(layout, layout.place("scene", at), " ".join(part), "a scene", scene_names(), problems)


def section_measures(kind: Kind, model: Model) -> dict[str, Form]:
    """Return the measures that a section of a sheet can list by the number of players."""
    seats = Seats(model)
    return {form.id: form for form in model.forms if seats.tells(form, kind, model.players)}


def _check_sites(
    layout: Layout,
    parts: Sequence[tuple[str, ...]],
    field_names: tuple[str, ...],
    model: Model,
    problems: list[Diagnostic],
) -> None:
    """Check ``KIND, known FIELD, tells FIELD``: fields of a campaign, and of its places."""
    kind = model.kinds.get(parts[0][0])
    if kind is None:
        _unknown(layout, layout.place("sites", 0), parts[0][0], "a kind", tuple(model.kinds), problems)
        return
    own = tuple(name for ancestor in kind.lineage() for name in ancestor.fields)
    for at, part in enumerate(parts[1:], start=1):
        names = {"known": field_names, "tells": own}.get(part[0], ())
        if len(part) != 2 or part[1] not in names:
            expected = "`field_names` and a field, or `tells` and a field of the places"
            _unknown(layout, layout.place("sites", at), " ".join(part), expected, names, problems)


def _unknown(
    layout: Layout, span: Span, name: str, expected: str, allowed: tuple[str, ...], problems: list[Diagnostic]
) -> None:
    names = sorted(set(allowed))
    listed = f"Known: {', '.join(names)}." if names else ""
    if len(names) > MOST_LISTED:
        from difflib import get_close_matches

        near = get_close_matches(name, names, MOST_SHOWN, cutoff=0.5) or _spread(names)
        way = "fcb help layouts" if expected == "a drawing" else "fcb vocab"
        listed = f"Known: {', '.join(near)} and {len(names) - len(near)} more (`{way}` lists them)."
    problems.append(
        UnknownLook(
            span, name=name, kind=layout.kind, expected=expected, known=listed, suggestion=suggest(name, allowed)
        )
    )
