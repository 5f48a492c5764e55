"""The facts of a map for comparison: spaces, their ground and contents, barriers, links, regions and zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fcbdsl.language.model.content import Board, Value
from fcbdsl.language.model.tree_text import expr_text
from fcbdsl.tools.diff.piece_facts import Fact


def board_facts(board: Board) -> list[Fact]:
    """Return all facts of a map, by space, side and name."""
    return list(_facts(board))


def _facts(board: Board) -> Iterator[Fact]:
    yield Fact("map", "map", "shape", board.sort)
    for cell in board.cells:
        about = f"space {cell.id}"
        yield Fact("map", about, about, f"at {cell.x}, {cell.y}")
        if cell.name.title:
            yield Fact("map", f"{about} title", f"title of {cell.id}", " / ".join(cell.name.title.values()))
        yield Fact("map", f"{about} terrain", f"terrain of {cell.id}", cell.terrain or "plain")
        lying = [f"{name} {count}" if count > 1 else name for name, count in cell.tokens.items()]
        lying += [*cell.places, *cell.marks]
        if lying:
            yield Fact("map", f"{about} pieces", f"on {cell.id}", ", ".join(lying))
        yield from _values(f"of {cell.id}", cell.values)
    for (a, b), barrier in board.sides.items():
        yield Fact("map", f"side {a}/{b}", f"between {a} and {b}", barrier)
    for (a, b), values in board.side_values.items():
        yield from _values(f"between {a} and {b}", values)
    for a, b, mark in board.joins:
        yield Fact("map", f"join {a}/{b} {mark}", f"joining {a} and {b}", mark)
    for a, b, way in board.links:
        yield Fact("map", f"link {a}/{b} {way}", f"from {a} to {b}", way or "linked")
    for name, spaces in board.regions.items():
        yield Fact("map", f"region {name}", f"region {name}", ", ".join(spaces))
    for name, spaces in board.zones.items():
        yield Fact("map", f"zone {name}", f"zone {name}", ", ".join(spaces))


def _values(where: str, values: Mapping[str, Value]) -> Iterator[Fact]:
    for name, value in values.items():
        if value.expr is not None:
            yield Fact("map", f"{where} {name}", f"{name} {where}", expr_text(value.expr))
