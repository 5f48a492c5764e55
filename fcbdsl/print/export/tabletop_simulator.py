"""A mission set up for Tabletop Simulator: a saved game and its pictures, from the same views as all print.

The format is that of the simulator's own saves (kb.tabletopsimulator.com, "Save File Format"): JSON, lengths in inches,
the table in the plane of x and z. Cards are decks on sheets of pictures. Cardboard pieces are models that this module
writes, so that they have exactly their printed size.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from math import ceil, cos, pi, sin
from pathlib import Path

from fcbdsl.base.diagnostics import Problems
from fcbdsl.base.files import write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import Paragraph
from fcbdsl.print.layout.formats import PieceSize, papers
from fcbdsl.print.layout.views import (
    Card,
    Chip,
    DieTable,
    Disc,
    GaugeView,
    MapPart,
    PlayMap,
    Sheet,
    Supplies,
    Symbol,
    TrackView,
)
from fcbdsl.print.pieces.aids import aid_of
from fcbdsl.print.pieces.assets import LARGE, sizes_of
from fcbdsl.print.pieces.chips import PrintedFields
from fcbdsl.print.pieces.contents import kind_title
from fcbdsl.print.pieces.looks import check_looks, look_of_kind
from fcbdsl.print.pieces.pictures import why_unusable
from fcbdsl.print.pieces.piece import PieceRegister, PrintPiece
from fcbdsl.print.pieces.play_maps import play_map_of
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.pieces.selection import edition_of
from fcbdsl.print.pieces.sets import needed_for, taken_unseen
from fcbdsl.print.pieces.token_pieces import supplies_of
from fcbdsl.print.press.card_documents import CardDocument
from fcbdsl.print.press.imposition import Edges, Page, PieceSlot
from fcbdsl.print.press.press import Rendered
from fcbdsl.print.press.proofs import (
    LABEL,
    RenderedPiece,
    include,
    misfits,
    once,
    pieces_of_proofs,
    render_piece,
    sheet_values,
)
from fcbdsl.print.press.table_sheets import aid_values
from fcbdsl.print.typeset.typesetting import typeset

INCH = 25.4
COLUMNS, ROWS = 10, 7
"""Most cards on a sheet of pictures."""
MOST_PIXELS = 4096
"""Most pixels of the width and height of a picture."""
FINEST = 300
"""Pixels per inch, if the picture size allows it."""
READABLE = 200
"""Pixels per inch of sheets and aids."""
THICK = 2.0
"""Thickness of cardboard, in millimeters."""
CARD = 88.0
"""Height of a card of the simulator, which is the base of scales, in millimeters."""
SIDES = 32
"""Number of corners of a disc."""
SIMULATED = (4, 6, 8, 10, 12, 20)
"""The dice that the simulator has, by their faces."""
FACE_DOWN, FACE_UP = 180.0, 0.0

ABREAST = 14
"""Most figures or bags in a row."""
LEFT = -30.0
"""Left end of rows of cards, in inches from the middle of the table."""

State = dict[str, object]
Start = tuple[str, float, float]


@dataclass(slots=True)
class _Table:
    """A saved game under construction: its name, the address of its pictures, and its objects."""

    name: str
    address: str
    files: dict[str, bytes] = field(default_factory=dict)
    objects: list[State] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    problems: Problems = field(default_factory=Problems)
    left_out: list[str] = field(default_factory=list)

    def file(self, name: str, data: bytes) -> str:
        """Add a file, and return its address."""
        self.files[name] = data
        return self.address + name

    def guid(self, key: str) -> str:
        """Return six hexadecimal digits that identify an object of the table, the same on each run."""
        for again in range(1_000):
            digest = hashlib.sha256(f"{self.name} {key} {again}".encode()).hexdigest()[:6]
            if digest not in self.taken:
                self.taken.add(digest)
                return digest
        raise ValueError("there is no free name for an object")


def render_tabletop(
    model: Model, mission: Definition, players: int, language: str, out: Path, base_url: str = ""
) -> Rendered:
    """Write a saved game that sets up a mission for `players` players (``tts-MISSION-PLAYERS.json``).

    The folder ``tts-MISSION-PLAYERS`` beside it gets its pictures and models. `base_url`: the future address of that
    folder; by default the files are addressed where they are written. Pieces with too long texts are left out and
    named. The same content gives the same bytes. Raise OSError if files can't be written.
    """
    name = f"tts-{mission.id}-{players}{edition_of(model, language, 'a4')}"
    folder = out / name
    address = f"{base_url.rstrip('/')}/" if base_url else folder.resolve().as_uri() + "/"
    table = _Table(name, address, problems=Problems(check_looks(model)))
    if table.problems.errors:
        return Rendered((), tuple(table.problems.sorted()))
    wanted = needed_for(mission, model)
    proofs = [render_piece(definition, model, language) for definition in printable(model) if definition in wanted]
    sheet = _sheet(table, mission, [proof for proof in proofs if is_sheet(proof.definition)])
    play, problems = play_map_of(mission, model, language, papers()["a4"])
    supplies, lacking = supplies_of(model, language, mission, players)
    if not include(supplies.key, [*problems, *lacking], table.problems, table.left_out):
        return Rendered((), tuple(once(table.problems)), tuple(table.left_out))
    rules = {proof.view.title.casefold(): _rules(proof.view) for proof in proofs if isinstance(proof.view, Card)}
    lower, right = _map(table, mission, model, play, supplies, language, rules)
    _cards(table, model, [proof for proof in proofs if not is_sheet(proof.definition)], language, lower)
    _aid(table, model, language, right)
    _dice(table, supplies.dice, right)
    save = _save(table, supplies.title, sheet)
    written = [folder / file for file in table.files]
    for file, data in table.files.items():
        write_atomically(folder / file, data)
    saved = out / f"{name}.json"
    write_atomically(saved, (json.dumps(save, ensure_ascii=False, indent=1) + "\n").encode())
    return Rendered((saved, *written), tuple(once(table.problems)), tuple(table.left_out))


# ── the table ──────────────────────────────────────────────────────────────────────────────────


def _save(table: _Table, title: str, sheet: Sheet | None) -> State:
    """Return the saved game; its notebook contains the text of the sheet."""
    tabs: State = {}
    for at, (heading, body) in enumerate(_sections(sheet) if sheet is not None else ()):
        tabs[str(at)] = {"title": heading, "body": body, "color": "Grey", "id": at}
    return {
        "SaveName": title,
        "GameMode": title,
        "Date": "",
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "Table_None",
        "Sky": "Sky_Regal",
        "Note": title,
        "Rules": "",
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "TabStates": tabs,
        "ObjectStates": table.objects,
    }


def _object(
    table: _Table, sort: str, key: str, title: str, description: str, x: float, z: float, **more: object
) -> State:
    """Return the common data of an object.

    `x`, `z`: inches from the middle of the table; `more`: further data, among it `down` (face down), `locked` and
    `scale`.
    """
    scale = more.pop("scale", 1.0)
    return {
        "GUID": table.guid(key),
        "Name": sort,
        "Transform": {
            "posX": round(x, 3),
            "posY": 1.0 if more.get("Locked") else 1.5,
            "posZ": round(z, 3),
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": FACE_DOWN if more.pop("down", False) else FACE_UP,
            "scaleX": scale,
            "scaleY": 1.0,
            "scaleZ": scale,
        },
        "Nickname": title,
        "Description": description,
        "GMNotes": "",
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Locked": False,
        "Grid": False,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        **more,
    }


def _model(mesh: str, picture: str, sort: int) -> State:
    """Return a model of cardboard. `sort`: its type in the simulator (1: a figure, 4: a board, 5: a chip)."""
    return {
        "MeshURL": mesh,
        "DiffuseURL": picture,
        "NormalURL": "",
        "ColliderURL": "",
        "Convex": True,
        "MaterialIndex": 3,
        "TypeIndex": sort,
        "CastShadows": True,
    }


def _plain(paragraphs: Sequence[Paragraph]) -> str:
    """Return paragraphs as plain text."""
    return "\n".join(
        "  " * (paragraph.level - 1) + "• " * bool(paragraph.level) + paragraph.plain() for paragraph in paragraphs
    )


def slug(title: str) -> str:
    """Return a title as the name of a file: letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "piece"


# ── sheets, aids, dice ─────────────────────────────────────────────────────────────────────────


def _sheet(table: _Table, mission: Definition, proofs: Sequence[RenderedPiece]) -> Sheet | None:
    """Add the sheet of the mission, to the left of the middle."""
    proof = next((piece for piece in proofs if piece.definition is mission), None)
    if proof is None or not isinstance(proof.view, Sheet) or not _sound(table, proof):
        return None
    document = typeset("sheet.typ.j2", sheet_values(proof.view, "a4"), "png", READABLE)
    wrong = [problem for some in misfits(document, {proof.view.key: mission}, "a4").values() for problem in some]
    table.problems.extend(wrong)
    if wrong:
        table.left_out.append(proof.view.key)
        return proof.view
    description = "\n\n".join(f"{heading}\n{body}" for heading, body in _sections(proof.view))
    _page(table, "sheet", proof.view.title, description, document.files[0], -26.0, 0.0)
    return proof.view


def _sections(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Yield the headings and texts of a sheet, except for its map."""
    for section in sheet.sections:
        if section.text:
            yield section.title, _plain(section.text)
    tracks: list[TrackView | GaugeView] = [*sheet.tracks, *sheet.gauges]
    for track in tracks:
        tiers = track.tiers if isinstance(track, GaugeView) else ()
        more = [f"{tier.at} {tier.title}: {_plain(tier.text)}" for tier in tiers]
        parts = [" · ".join(step.label for step in track.steps), _plain(track.text), *more]
        yield track.title, "\n".join(text for text in parts if text)
    if sheet.keywords:
        yield sheet.words["keywords"], "\n".join(f"{title}: {_plain(text)}" for title, text in sheet.keywords)


def _sound(table: _Table, proof: RenderedPiece) -> bool:
    """Return whether a printed piece has no problems; else record these."""
    problems = [*proof.problems, *why_unusable(proof.definition)]
    return include(proof.view.key, problems, table.problems, table.left_out)


def _page(table: _Table, name: str, title: str, description: str, png: bytes, x: float, z: float) -> None:
    """Add a page of A4 to the table."""
    paper = papers()["a4"]
    picture = table.file(f"{name}.png", png)
    mesh = table.file("page.obj", slab(paper.width / INCH, paper.height / INCH))
    table.objects.append(
        _object(
            table, "Custom_Model", name, title, description, x, z, CustomMesh=_model(mesh, picture, 4), Locked=False
        )
    )


def _aid(table: _Table, model: Model, language: str, right: float) -> None:
    """Add the sides of the player aid, to the right of the map."""
    aid, problems = aid_of(model, language)
    if not include(aid.key, problems, table.problems, table.left_out) or not aid.blocks:
        return
    document = typeset("aid.typ.j2", aid_values(aid, "a4"), "png", READABLE)
    for at, png in enumerate(document.files, start=1):
        side = f" {at}/{len(document.files)}" if len(document.files) > 1 else ""
        _page(table, f"aid-{at}", aid.type_line + side, aid.title, png, right + 5.5 + (at - 1) * 9, 0.0)


def _dice(table: _Table, dice: Sequence[DieTable], right: float) -> None:
    """Add a die of the simulator for each die of the game with a matching number of faces, with the meaning of its
    numbers."""
    for at, die in enumerate(dice):
        if die.faces in SIMULATED:
            description = "\n".join(f"{number}: {shown}" for number, shown in die.rows)
            sort = f"Die_{die.faces}"
            object_data = _object(table, sort, f"die {die.title}", die.title, description, right + 2 + at * 1.5, 8.5)
            if die.symbol is not None:
                object_data["ColorDiffuse"] = _tint(die.symbol.colour)
            table.objects.append(object_data)


def _tint(colour: str) -> State:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return {"r": round(red, 4), "g": round(green, 4), "b": round(blue, 4)}


# ── map, figures, tokens ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DiscPicture:
    """A side of a disc to draw: see `views.Disc`; `size` in millimeters."""

    symbol: Symbol
    number: str
    rim: str
    pattern: int
    figure: bool
    size: float


def _map(
    table: _Table,
    mission: Definition,
    model: Model,
    play: PlayMap | None,
    supplies: Supplies,
    language: str,
    rules: Mapping[str, str],
) -> tuple[float, float]:
    """Add the map in the middle, figures on their spaces, the others and bags of tokens beside it.

    Return how far all this extends down and to the right, in inches. `rules`: the texts of figures' cards, by their
    titles, case folded.
    """
    board = _whole(play) if play is not None else None
    pictures = [picture for disc in supplies.discs for picture in _pictures(disc, supplies)]
    dpi = min(FINEST, int(MOST_PIXELS * INCH / max(board.width, board.height))) if board is not None else FINEST
    svg = _svg(play)
    values = {"title": supplies.title, "language": language, "board": board, "svg": svg, "faces": pictures}
    pages = list(typeset("tabletop.typ.j2", values, "png", dpi).files) if board is not None or pictures else []
    half_width, half_height = 8.0, 6.0
    if board is not None and play is not None:
        half_width, half_height = board.width / INCH / 2, board.height / INCH / 2
        mesh = table.file("map.obj", slab(2 * half_width, 2 * half_height))
        shape = _model(mesh, table.file("map.png", pages.pop(0)), 4)
        table.objects.append(
            _object(table, "Custom_Model", "map", play.title, play.map.alt, 0, 0, CustomMesh=shape, Locked=True)
        )
        if play.private:  # smaller, and beyond the sheet, for a player with a private map
            paper = papers()["a4"]
            part = min(paper.width / board.width, paper.height / board.height) / INCH
            mesh = table.file("private.obj", slab(part * board.width, part * board.height))
            title = " · ".join((play.words["private"], play.private))
            shape = _model(mesh, table.address + "map.png", 4)
            table.objects.append(
                _object(table, "Custom_Model", "private", title, "", -36.0, 0, CustomMesh=shape, Locked=True)
            )
    starts: list[Start] = []
    if board is not None and play is not None:
        starts += _starts(mission, model, play, board, language)
    figures = bags = 0
    aside = sum(disc.count for disc in supplies.discs if disc.figure)
    beyond = half_height + 2.6 + 1.2 * ceil(aside / ABREAST)  # where bags begin, above all figures
    for at, disc in enumerate(supplies.discs):
        size = supplies.figure_size if disc.figure else supplies.marker_size
        name = f"token-{slug(disc.title)}" + (f"-{slug(disc.number)}" if disc.number else "") + _again(table, disc)
        front = table.file(f"{name}.png", pages.pop(0))
        back = table.file(f"{name}-back.png", pages.pop(0)) if disc.back is not None else ""
        mesh = table.file(f"disc-{size:g}.obj", coin(size / INCH))
        shape = _model(mesh, front, 1 if disc.figure else 5)
        description = disc.back.title if disc.back is not None and disc.back.title != disc.title else ""
        description = description or rules.get(disc.title.casefold(), "")
        if disc.figure:
            place = next((start for start in starts if start[0].casefold() == disc.title.casefold()), None)
            if place is not None:
                starts.remove(place)
                where = place[1:]
            else:
                where = (1.2 * (figures % ABREAST) - half_width, half_height + 1.5 + 1.2 * (figures // ABREAST))
                figures += 1
            for again in range(disc.count):
                key = f"figure {at} {again}"
                object_data = _object(
                    table, "Custom_Model", key, f"{disc.title} {disc.number}".strip(), description, *where
                )
                table.objects.append(
                    {**object_data, "CustomMesh": shape} | _other_face(table, key, object_data, shape, back)
                )
        else:
            contents = []
            for again in range(disc.count):
                key = f"token {at} {again}"
                object_data = _object(
                    table, "Custom_Model", key, f"{disc.title} {disc.number}".strip(), description, 0, 0
                )
                contents.append(
                    {**object_data, "CustomMesh": shape} | _other_face(table, key, object_data, shape, back)
                )
            x, z = 1.8 * (bags % ABREAST) - half_width, beyond + 1.8 * (bags // ABREAST)
            bags += 1
            bag = _object(table, "Bag", f"bag {at}", f"{disc.title} {disc.number}".strip(), "", x, z)
            table.objects.append({**bag, "ColorDiffuse": _tint(disc.symbol.colour), "ContainedObjects": contents})
    return -half_height, half_width


def _again(table: _Table, disc: Disc) -> str:
    """Return a suffix that distinguishes the picture of a disc from others with the same name."""
    name = f"token-{slug(disc.title)}" + (f"-{slug(disc.number)}" if disc.number else "")
    count = sum(1 for file in table.files if re.fullmatch(re.escape(name) + r"(~\d+)?\.png", file))
    return f"~{count + 1}" if count else ""


def _other_face(table: _Table, key: str, object_data: State, shape: State, back: str) -> State:
    """Return the other face of a piece, as a state of the object (PageDown)."""
    if not back:
        return {}
    other = {**object_data, "GUID": table.guid(f"{key} back"), "CustomMesh": {**shape, "DiffuseURL": back}}
    return {"States": {"2": other}}


def _pictures(disc: Disc, supplies: Supplies) -> Iterator[DiscPicture]:
    size = supplies.figure_size if disc.figure else supplies.marker_size
    yield DiscPicture(disc.symbol, disc.number, disc.rim or disc.symbol.colour, disc.pattern, disc.figure, size)
    if disc.back is not None:
        yield DiscPicture(disc.back.symbol, disc.back.number, disc.back.symbol.colour, 0, disc.figure, size)


def _whole(play: PlayMap) -> MapPart:
    """Return the map in one piece, even if it is cut into tiles in print."""
    scale = play.parts[0].width / play.parts[0].map.width
    return MapPart(play.title, play.map, round(play.map.width * scale, 2), round(play.map.height * scale, 2), 0, 0, ())


def _svg(play: PlayMap | None) -> str:
    from fcbdsl.print.pieces.web import fill_page

    return fill_page("map.svg.j2", {"map": play.map, "label": LABEL}) if play is not None else ""


def _starts(mission: Definition, model: Model, play: PlayMap, board: MapPart, language: str) -> Iterator[Start]:
    """Yield the initial pieces on the map: the title, and the position in inches from the middle of the table."""
    if mission.board is None:
        return
    centres = {cell.id: cell.centre for cell in play.map.cells}
    by_id = {definition.id: definition for definition in reversed(model.definitions.values())}
    scale = board.width / play.map.width
    for cell in mission.board.cells:
        for name in cell.places:
            definition = by_id[name]
            centre = centres[cell.id]
            x, y = centre.x * scale - board.width / 2, centre.y * scale - board.height / 2
            yield PrintedFields(definition, model, language).title(definition.name, definition.id), x / INCH, -y / INCH


# ── cards ──────────────────────────────────────────────────────────────────────────────────────


def _cards(table: _Table, model: Model, proofs: Sequence[RenderedPiece], language: str, lower: float) -> None:
    """Add decks and boards in rows below the map, kind by kind.

    Cards that players draw unseen are shuffled and face down; all others are face up.
    """
    sound = [proof for proof in proofs if isinstance(proof.view, Card) and _sound(table, proof)]
    register = PieceRegister(model, printable(model))
    definitions = {proof.view.key: proof.definition for proof in sound}
    drawn = taken_unseen(model) | {zone.holds for zone in model.zones.values() if zone.secret}
    piles: dict[tuple[str, str, bool, str], list[PrintPiece]] = {}
    for piece in pieces_of_proofs(sound, register, "game"):
        kind = model.kinds[piece.card.key.partition("/")[0]]
        held = piece.deck_in(model).id
        board = sizes_of(model)[piece.card.size].scale >= LARGE
        hidden = not board and any(ancestor.id in drawn for ancestor in kind.lineage())
        hidden = hidden or look_of_kind(kind, model).sealed
        back = repr(replace(piece.card.back, number="")) if hidden else ""  # all cards in a pile look alike
        piles.setdefault((held, piece.card.size, hidden, back), []).append(piece)
    x, z, number = LEFT, lower - 4.0, 0
    titles = [_pile_title(model, language, kind, hidden, some) for (kind, _, hidden, _), some in piles.items()]
    for at, ((kind_id, named, hidden, _), pieces) in enumerate(piles.items()):
        size = sizes_of(model)[named]
        title = titles[at]
        if titles.count(title) > 1:
            title = f"{title} {titles[: at + 1].count(title)}/{titles.count(title)}"
        board = size.scale >= LARGE
        states: list[State] = []
        deck: State = {}
        for some in _sheetfuls(pieces):
            number += 1
            fit, shown = _deck(table, some, size, language, title, f"{kind_id}-{number}", definitions)
            if fit:
                deck[str(number)] = shown
                states += [
                    _card(table, piece, number, at, again, shown) for at, piece in fit for again in range(piece.copies)
                ]
        if hidden:
            states.sort(key=lambda state: hashlib.sha256(f"{table.name} {state['GUID']}".encode()).digest())
        wide = size.width / INCH + 0.6
        for lot in [[state] for state in states] if board else [states] if states else []:
            if x + wide > -LEFT:
                x, z = LEFT, z - 6.0
            key = f"deck {number} {x:.2f} {z:.2f}"
            large = round(size.height / CARD, 3)
            placed = _object(table, "DeckCustom", key, title, "", x + wide / 2, z, down=hidden, scale=large)
            table.objects.append(_lot(lot, deck, placed))
            x += wide


def _pile_title(model: Model, language: str, kind: str, hidden: bool, pieces: Sequence[PrintPiece]) -> str:
    """Return the title of a pile: the kind of its pieces, with the words on their backs if these differ from others."""
    words = pieces[0].card.back.words if hidden else ()
    return " · ".join([kind_title(model.kinds[kind], model, language), *words])


def _sheetfuls(pieces: Sequence[PrintPiece]) -> Iterator[Sequence[PrintPiece]]:
    """Yield pieces in lots that fit a sheet of pictures."""
    for at in range(0, len(pieces), COLUMNS * ROWS):
        yield pieces[at : at + COLUMNS * ROWS]


def _deck(
    table: _Table,
    pieces: Sequence[PrintPiece],
    size: PieceSize,
    language: str,
    title: str,
    name: str,
    definitions: dict[str, Definition],
) -> tuple[list[tuple[int, PrintPiece]], State]:
    """Return sheets of the faces and backs of some pieces, and which of them fit, with their indices on the sheet."""
    columns = min(COLUMNS, len(pieces))
    rows = ceil(len(pieces) / columns)
    alike = len({repr(piece.card.back) for piece in pieces}) == 1
    dpi = _fineness(columns * size.width, rows * size.height)
    faces = _laid(pieces, size, columns, rows, "face", title, language).typeset("png", dpi)
    wrong = misfits(faces, definitions)
    for key, problems in wrong.items():
        table.problems.extend(problems)
        table.left_out.append(key)
    behind = pieces[:1] if alike else pieces
    across, down = (1, 1) if alike else (columns, rows)
    backs = _laid(behind, size, across, down, "back", title, language).typeset(
        "png", _fineness(across * size.width, down * size.height)
    )
    shown: State = {
        "FaceURL": table.file(f"{name}.png", faces.files[0]),
        "BackURL": table.file(f"{name}-back.png", backs.files[0]),
        "NumWidth": columns,
        "NumHeight": rows,
        "BackIsHidden": True,
        "UniqueBack": not alike,
        "Type": 0,
    }
    return [(at, piece) for at, piece in enumerate(pieces) if piece.card.key not in wrong], shown


def _fineness(width: float, height: float) -> int:
    """Return the pixels per inch at which a picture of this size in millimeters stays within the limit."""
    return min(FINEST, int((MOST_PIXELS - 1) * INCH / max(width, height)))


def _laid(
    pieces: Sequence[PrintPiece], size: PieceSize, columns: int, rows: int, side: str, title: str, language: str
) -> CardDocument:
    """Return a page on which pieces touch, row by row."""
    slots = [
        PieceSlot(piece, side, size, at % columns * size.width, at // columns * size.height, Edges())
        for at, piece in enumerate(pieces)
    ]
    page = Page(side, columns * size.width, rows * size.height, tuple(slots))
    return CardDocument(title, language, pieces, [page])


def _card(table: _Table, piece: PrintPiece, deck: int, at: int, again: int, shown: State) -> State:
    """Return a card, with its title and text for the simulator's search."""
    state = _object(table, "Card", f"{piece.card.key} {again}", piece.card.title, _rules(piece.card), 0, 0)
    return {**state, "CardID": 100 * deck + at, "CustomDeck": {str(deck): shown}}


def _rules(card: Card) -> str:
    """Return the whole text of a card, as plain text."""
    chips = [*([card.corner] if card.corner is not None else []), *card.stats]
    dials = [
        f"{dial.label} {dial.steps[dial.start]}" for dial in card.dials if dial.label not in [c.label for c in chips]
    ]
    parts = [card.type_line, *card.badges, *map(_chip, chips), *dials, *map(_chip, card.notes), _plain(card.condition)]
    for part in card.lines:
        parts += [" · ".join(map(_chip, part.chips)), _plain(part.text)]
    return "\n".join(text for text in (*parts, _plain(card.text), _plain(card.small)) if text)


def _chip(chip: Chip) -> str:
    return f"{chip.label} {chip.value}".strip()


def _lot(states: list[State], deck: State, placed: State) -> State:
    """Return a deck of cards at its position, or the only card of it."""
    if len(states) == 1:
        return {**states[0], "Name": "CardCustom", "Transform": placed["Transform"]}
    return {**placed, "DeckIDs": [state["CardID"] for state in states], "CustomDeck": deck, "ContainedObjects": states}


# ── models ─────────────────────────────────────────────────────────────────────────────────────


def slab(width: float, depth: float) -> bytes:
    """Return a sheet of cardboard as a model (OBJ), in inches.

    Its picture is on its upper side, upright for a viewer on the side of positive z. The simulator mirrors x, as it
    does with all models.
    """
    x, z, y = width / 2, depth / 2, THICK / INCH / 2
    corners = [(-x, -z), (x, -z), (x, z), (-x, z)]
    picture = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
    return _prism(corners, picture, y)


def coin(width: float) -> bytes:
    """Return a disc of cardboard as a model, like `slab`."""
    angles = [2 * pi * at / SIDES for at in range(SIDES)]
    corners = [(width / 2 * cos(angle), width / 2 * sin(angle)) for angle in angles]
    picture = [((x / width) + 0.5, 0.5 - z / width) for x, z in corners]
    return _prism(corners, picture, THICK / INCH / 2)


def _prism(corners: Sequence[tuple[float, float]], picture: Sequence[tuple[float, float]], y: float) -> bytes:
    """Return a prism on a convex outline, clockwise as seen from above with x to the right and z down."""
    count = len(corners)
    lines = [f"v {x:.5f} {high:.5f} {z:.5f}" for high in (y, -y) for x, z in corners]
    lines += [f"vt {u:.5f} {v:.5f}" for u, v in picture]
    top = range(count, 0, -1)
    lines.append("f " + " ".join(f"{at}/{at}" for at in top))
    lines.append("f " + " ".join(f"{at + count}/{at}" for at in range(1, count + 1)))
    for at in range(1, count + 1):
        after = at % count + 1
        lines.append(f"f {at}/{at} {after}/{after} {after + count}/{after} {at + count}/{at}")
    return ("\n".join(lines) + "\n").encode()
