"""A saved game for Tabletop Simulator: in the right format, with every piece at its place, the same on each run."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

import games
import pytest
from jsonschema import Draft202012Validator
from PIL import Image
from small_shop import SPAN, shop

from fcbdsl.language.model.declarations import Kind
from fcbdsl.language.model.whole import Model
from fcbdsl.print.export import tabletop_simulator
from fcbdsl.print.export.tabletop_simulator import MOST_PIXELS, DiscPicture, coin, render_tabletop, slab, slug
from fcbdsl.print.layout.views import Symbol
from fcbdsl.print.press.press import Rendered
from fcbdsl.print.typeset.typesetting import Typeset, typeset

SCHEMA = json.loads((Path(__file__).parent / "tabletop.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def coarse() -> Iterator[None]:
    """Draw coarse pictures, which take less time."""
    patch = pytest.MonkeyPatch()
    patch.setattr(tabletop_simulator, "FINEST", 40)
    patch.setattr(tabletop_simulator, "READABLE", 20)
    yield
    patch.undo()


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no pictures, for tests that need only positions; the siege shows the drawings."""
    buffer = BytesIO()
    Image.new("L", (4, 4)).save(buffer, "PNG")

    def blank(template: str, values: Mapping[str, Any], *_: object) -> Typeset:
        pages = len(values["faces"]) + (values["board"] is not None) if template == "tabletop.typ.j2" else 1
        return Typeset((buffer.getvalue(),) * pages, ())

    monkeypatch.setattr(tabletop_simulator, "typeset", blank)


def model() -> Model:
    """Return the shop, whose tools are drawn unseen and have equal backs."""
    made = shop()
    made.layouts["tool"].settings["back color"] = (("#222222",),)
    return made


def saved(out: Path, made: Model, base_url: str = "https://x.example/p/") -> tuple[Rendered, dict[str, Any]]:
    rendered = render_tabletop(made, made.definitions["mission", "siege"], 2, "en", out, base_url)
    return rendered, json.loads(rendered.files[0].read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def siege(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rendered, dict[str, Any]]:
    """Return the files of the siege."""
    patch = pytest.MonkeyPatch()
    patch.setattr(tabletop_simulator, "taken_unseen", lambda _: {"tool"})
    patch.setattr(tabletop_simulator, "needed_for", lambda mission, made: list(made.definitions.values()))
    made = saved(tmp_path_factory.mktemp("table"), model())
    patch.undo()
    return made


def every(state: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an object and all objects in it."""
    yield state
    for inner in (*state.get("ContainedObjects", ()), *state.get("States", {}).values()):
        yield from every(inner)


def named(save: dict[str, Any], title: str) -> list[dict[str, Any]]:
    return [item for item in save["ObjectStates"] if item["Nickname"] == title]


@pytest.mark.long
def test_save_file_matches_format(siege: tuple[Rendered, dict[str, Any]]) -> None:
    rendered, save = siege
    assert [problem.message for problem in rendered.problems if problem.severity == "error"] == []
    assert [problem.message for problem in Draft202012Validator(SCHEMA).iter_errors(save)] == []


def test_objects_have_distinct_names(siege: tuple[Rendered, dict[str, Any]]) -> None:
    guids = [item["GUID"] for top in siege[1]["ObjectStates"] for item in every(top)]
    assert len(guids) == len(set(guids)) > 10


def test_named_files_exist_and_no_others(siege: tuple[Rendered, dict[str, Any]]) -> None:
    rendered, save = siege
    text = json.dumps(save)
    files = {path.name for path in rendered.files[1:]}
    assert files == {path.name for path in rendered.files[1].parent.iterdir()}
    assert all(f"https://x.example/p/{name}" in text for name in files)
    assert {word.rpartition("/")[2] for word in text.split('"') if word.startswith("https://")} == files
    for path in rendered.files:
        if path.suffix == ".png":
            assert max(struct.unpack(">II", path.read_bytes()[16:24])) <= MOST_PIXELS


def test_deck_is_face_down_with_names_and_rules(siege: tuple[Rendered, dict[str, Any]]) -> None:
    (deck,) = named(siege[1], "Tools")
    assert (deck["Name"], deck["Transform"]["rotZ"]) == ("DeckCustom", 180)
    assert sorted(item["Nickname"] for item in deck["ContainedObjects"]) == ["Hammer", "Rope"]
    assert [card["CardID"] for card in deck["ContainedObjects"]] == deck["DeckIDs"]
    assert {number // 100 for number in deck["DeckIDs"]} == {int(name) for name in deck["CustomDeck"]}
    rope = next(item for item in deck["ContainedObjects"] if item["Nickname"] == "Rope")
    assert rope["Description"] == "Tool · wood\nQuick\nWeight 1\nShift everything.\nShift: It moves."
    (sheet,) = deck["CustomDeck"].values()
    assert (sheet["NumWidth"], sheet["NumHeight"], sheet["UniqueBack"]) == (2, 1, False)
    (warden,) = [card for card in named(siege[1], "Warden") if card["Name"] == "CardCustom"]
    assert warden["Transform"]["rotZ"] == 0
    assert warden["Transform"]["scaleX"] > 1


def test_notebook_contains_the_text_of_the_sheet(siege: tuple[Rendered, dict[str, Any]]) -> None:
    tabs = siege[1]["TabStates"]
    assert tabs["0"] == {"title": "Story", "body": "They are coming.", "color": "Grey", "id": 0}
    bodies = {tab["title"]: tab["body"] for tab in tabs.values()}
    assert bodies["Dusk"].startswith("Start · 1 · 2 · 3 · End"), "tracks stand there, too"
    assert (
        "They are coming."
        in next(sheet for sheet in named(siege[1], "The Siege") if not sheet["Locked"])["Description"]
    )


@pytest.mark.long
def test_figures_are_on_their_spaces(tmp_path: Path) -> None:
    made = model()
    made.definitions["guard", "warden"].kind.parent = Kind("piece", None, SPAN)  # things with a disc
    board = made.definitions["mission", "siege"].board
    assert board is not None
    _, save = saved(tmp_path, made)
    place = next(cell for cell in board.cells if cell.places)
    (figure,) = [piece for piece in named(save, "Warden 1") if piece["Name"] == "Custom_Model"]
    ground = next(piece for piece in save["ObjectStates"] if piece["Locked"])
    assert ground["CustomMesh"]["DiffuseURL"].endswith("/map.png")
    assert place.id == "C2"
    assert figure["Transform"]["posX"] > 0  # at the lower right
    assert figure["Transform"]["posZ"] < 0
    moved = [replace(cell, places=["warden"] if cell.id == "A1" else []) for cell in board.cells]
    board.cells[:] = moved
    _, save = saved(tmp_path / "again", made)
    (figure,) = [piece for piece in named(save, "Warden 1") if piece["Name"] == "Custom_Model"]
    assert figure["Transform"]["posX"] < 0 < figure["Transform"]["posZ"]


@pytest.mark.long
def test_table_file_is_reproducible(tmp_path: Path) -> None:
    first, second = (saved(tmp_path / name, model())[0] for name in ("one", "two"))
    assert [path.name for path in first.files] == [path.name for path in second.files]
    assert [path.read_bytes() for path in first.files] == [path.read_bytes() for path in second.files]


@pytest.mark.long
def test_files_without_base_url_have_local_paths(tmp_path: Path) -> None:
    rendered, save = saved(tmp_path, model(), "")
    mesh = next(item["CustomMesh"]["MeshURL"] for item in save["ObjectStates"] if "CustomMesh" in item)
    assert mesh.startswith(rendered.files[1].parent.resolve().as_uri())


@pytest.mark.long
def test_card_that_does_not_fit_is_left_out_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabletop_simulator, "needed_for", lambda mission, made: list(made.definitions.values()))
    made = model()
    made.definitions["tool", "rope"].text = {"en": "A long rope. " * 300}
    rendered, save = saved(tmp_path, made)
    assert "tool/rope" in rendered.left_out
    assert [problem.code for problem in rendered.problems if problem.severity == "error"] == ["FCB0704"]
    assert named(save, "Rope") == []


@pytest.mark.parametrize("data", [slab(4, 3), coin(1)])
def test_models_are_closed_with_outward_faces(data: bytes) -> None:
    lines = [line.split() for line in data.decode().splitlines()]
    points = [tuple(map(float, line[1:])) for line in lines if line[0] == "v"]
    faces = [[int(word.partition("/")[0]) - 1 for word in line[1:]] for line in lines if line[0] == "f"]
    edges = [edge for face in faces for edge in zip(face, [*face[1:], face[0]], strict=True)]
    assert len(edges) == len(set(edges))
    assert {(b, a) for a, b in edges} == set(edges)
    for face in faces:
        a, b, c = (points[at] for at in face[:3])
        u, v = ([q - p for p, q in zip(a, other, strict=True)] for other in (b, c))
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        middle = [sum(points[at][axis] for at in face) / len(face) for axis in range(3)]
        assert sum(n * m for n, m in zip(normal, middle, strict=True)) > 0
    assert len(points) < 25_000


def test_model_picture_is_upright() -> None:
    lines = [line.split() for line in slab(4, 3).decode().splitlines()]
    corners = [tuple(map(float, line[1:])) for line in lines if line[0] == "v"]
    picture = [tuple(map(float, line[1:])) for line in lines if line[0] == "vt"]
    upper_left = min(range(4), key=lambda at: (corners[at][0], corners[at][2]))  # x to the right, z down
    assert picture[upper_left] == (0.0, 1.0)


def test_object_names_are_unambiguous() -> None:
    table = tabletop_simulator._Table("siege", "")
    assert table.guid("bag") != table.guid("bag")


def test_file_names_are_plain() -> None:
    assert (slug("L’Épée d’Ève !"), slug("刀")) == ("lepee-deve", "piece")


@pytest.mark.usefixtures("undrawn")
def test_figures_with_common_nouns_are_on_map_with_rules(tmp_path: Path) -> None:
    """Bags are above the figures beside the map, and cards contain the text of their corner."""
    made = games.model("beast")
    rendered = render_tabletop(made, made.definitions["mission", "clean-up"], 3, "en", tmp_path)
    save = json.loads(rendered.files[0].read_text())
    map_ = next(piece for piece in save["ObjectStates"] if piece["Locked"])
    figures = [item for item in save["ObjectStates"] if re.fullmatch(r"(Sheep|Boar|Bear)( \d+)?", item["Nickname"])]
    assert len(figures) == 6
    assert not [item for item in figures if item["Transform"]["posZ"] > 6]
    beside = [item for item in save["ObjectStates"] if re.fullmatch(r"(Wolf|Watchtower) \d+", item["Nickname"])]
    assert len(beside) == 9
    bags = [item["Transform"]["posZ"] for item in save["ObjectStates"] if item["Name"] == "Bag"]
    assert min(bags) > max(item["Transform"]["posZ"] for item in beside) + 1
    assert {item["Description"] for item in figures if item["Nickname"].startswith("Bear")} == {
        "Animal\nHealth 3\nGrudges 2"
    }
    assert map_["Nickname"] == "The Great Clean-Up"


def test_figure_number_is_inside_rim() -> None:
    face = DiscPicture(Symbol("plain", "#6b705c", "Sh", "Sheep"), "2", "#6b705c", 1, True, 24.0)
    values = {"title": "", "language": "en", "board": None, "svg": "", "faces": [face]}
    (png,) = typeset("tabletop.typ.j2", values, "png", 300).files
    drawn = Image.open(BytesIO(png)).convert("L")
    dark = [drawn.getpixel((drawn.width // 2, at)) < 170 for at in range(drawn.height // 2, drawn.height)]
    runs = [(is_dark, len(list(some))) for is_dark, some in groupby(dark)]
    at = max(at for at, (is_dark, length) in enumerate(runs) if is_dark and length >= 6)  # the rim
    assert not runs[at - 1][0]
    assert 0.035 * drawn.height < runs[at - 1][1] < 0.1 * drawn.height, "the air between the number and the rim"


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("game", "mission", "pile"), [("fireteam-zero", "cold-harbor", "Twists"), ("escape", "curfew", "Equipment")]
)
def test_secret_pile_is_face_down_deck(game: str, mission: str, pile: str, tmp_path: Path) -> None:
    made = games.model(game)
    rendered = render_tabletop(made, made.definitions["mission", mission], 2, "en", tmp_path)
    decks = [
        item for item in json.loads(rendered.files[0].read_text())["ObjectStates"] if item["Nickname"].startswith(pile)
    ]
    assert [item["Transform"]["rotZ"] for item in decks if item["Name"] == "DeckCustom"] == [180]


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_open_choices_are_face_up_and_hidden_player_has_map(tmp_path: Path) -> None:
    """Upgrades are bought, not drawn. The private map is the map once more, as large as its page in print."""
    made = games.model("beast")
    rendered = render_tabletop(made, made.definitions["mission", "ferrymans-toll"], 2, "fr", tmp_path)
    lying = json.loads(rendered.files[0].read_text())["ObjectStates"]
    turned = {item["Nickname"]: item["Transform"]["rotZ"] for item in lying}
    assert (turned["Améliorations"], turned["Cartes Action"]) == (0, 180)
    private = next(item for item in lying if item["Nickname"] == "Carte privée · Bête")
    shared = next(item for item in lying if item["Nickname"] == "Le péage du passeur" and item["Locked"])
    assert private["CustomMesh"]["DiffuseURL"] == shared["CustomMesh"]["DiffuseURL"]
    assert private["CustomMesh"]["MeshURL"] != shared["CustomMesh"]["MeshURL"]
