"""Small projects: with maps of hexagons, a map of squares, maps of areas, and maps of places."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.editor.live.project_state import Desk
from fcbdsl.editor.painter.map_painter import MapPainter
from fcbdsl.project.workspace import Workspace

PROJECT = """language = 2
name = "land"
title = "The Land"
paths = ["missions"]
languages = ["en"]
"""
SYSTEM = """system land "The Land":
  players: 1..2
  board: hex
  languages: en

terrain marsh "marsh"

terrain rock "rock":
  blocks: movement

barrier wall "wall":
  blocks: movement

barrier hedge "hedge":
  blocks: sight

token coin "coin"

mark camp "camp"

mark ford "ford"
"""
HEX = """use land

mission bay "The Bay":
  # A comment that stays.
  map hex:
    art: |
      . . m .
       . # . .
      . . c .
       . . . .
    legend:
      "m": marsh
      "#": rock
      "c": camp, coin 2
    wall: A1/B1, B1/C1
    zone beach: A4, B4

mission cape "The Cape":
  map hex:
    art: |
      . . .
       . . .
"""
SQUARE = """use land

mission house "The House":
  map square:
    art: |
      +--+--+--+
      |.  .  m |
      +  +==+  +
      |.  . H. |
      +  +  +  +
      |.  .  . |
      +--+--+--+
    legend:
      "m": marsh
      "==": hedge
      "H": hedge
      "|": wall
"""


AREAS = """use land

mission fen "The Fen":
  map areas:
    art: |
      aaabbb
      aaaccc
      dddccc
    legend:
      "a": camp
      "b": marsh, coin 2                  # wet
    wall: a/b

mission dune "The Dune":
  map areas:
    art: |
      ab
"""


GRAPH = """use land

mission road "The Road":
  map graph:
    places:
      mill "Mill", fr "Moulin": marsh, camp
      oak "the oak", fr "le chêne", m: rock  # tall
      hill
      well "Well": marsh, coin 2
    paths:
      # from west to east
      oak E mill
      mill N hill                         # steep
      hill W well
      well oak
    zone heights: hill, well

mission lane "The Lane":
  map graph:
    places:
      elm
      ash
"""


def land(folder: Path, board: str = "hex") -> Path:
    """Write the project into a folder, and return its root. `board`: hex, square, areas or graph."""
    for name, text in (
        ("fcb.toml", PROJECT.replace('["en"]', '["en", "fr"]') if board == "graph" else PROJECT),
        ("systems/land.fcb", system_of(board)),
        {
            "hex": ("missions/bay.fcb", HEX),
            "square": ("missions/house.fcb", SQUARE),
            "areas": ("missions/fen.fcb", AREAS),
            "graph": ("missions/road.fcb", GRAPH),
        }[board],
    ):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def system_of(board: str) -> str:
    """Return the system with this sort of maps."""
    directions = "\n  directions: N-S, E-W" if board == "graph" else ""
    return SYSTEM.replace("board: hex", f"board: {board}{directions}")


class Painted:
    """An open project and its painter."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.desk = Desk([Workspace(root=root)])
        self.painter = MapPainter(self.desk)
        self.game = self.desk.games[0].name

    def text(self, file: str) -> str:
        return (self.root / file).read_bytes().decode()

    def state(self, mission: str) -> dict[str, object]:
        return self.painter.state(self.game, mission)

    def stroke(self, mission: str, **asked: object) -> dict[str, object]:
        """Carry out a stroke on the present text."""
        seal = str(self.state(mission)["seal"])
        return self.painter.stroke(self.game, mission, seal, asked)
