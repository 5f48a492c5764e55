"""Print shops: the requirements of each, which are data (`shops.toml`). All lengths are in millimeters."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from fcbdsl.base import resources
from fcbdsl.base.records import dataclass
from fcbdsl.print.layout.formats import PieceSize, sizes

CLEAR = 0.9
"""Smallest distance of words from the edge of a face before it is reduced; the words at its foot are this close."""
RIM = 0.2
"""Distance that words keep from the edge of a safe zone, because cutters and the line in a proof have a width."""
MOST_INSET = 3.5
"""How far a face is reduced at most to keep its words in a safe zone; words outside are then reported."""


@dataclass(frozen=True, slots=True)
class Shop:
    """A print shop: the `form` of its pages, their resolution, the `order` of the sides of a piece, its `copies`
    (`piece.COPIES`), the bleed, and the safe zone. `sizes`: its replacements of the sizes of layouts; `missing`: its
    requirements that fcb does not meet."""

    name: str
    title: str
    form: str
    dpi: int
    order: tuple[str, ...]
    copies: str
    bleed: float
    safe: float
    missing: tuple[str, ...]
    sizes: tuple[PieceSize, ...]


@cache
def shops() -> dict[str, Shop]:
    """Return all shops by their names."""
    data = tomllib.loads((resources.package_folder() / "print" / "shops.toml").read_text(encoding="utf-8"))
    return {name: shop_of(name, row) for name, row in data.items()}


def shop_of(name: str, row: dict[str, Any]) -> Shop:
    """Return a shop from its table. Faces are reduced to keep their words in its safe zone."""
    inset = inset_for(row["safe"])
    sizes_of_shop = tuple(
        PieceSize(size, **cut, scale=sizes()[size].scale, inset=inset) for size, cut in row["sizes"].items()
    )
    texts = {key: tuple(row[key]) for key in ("order", "missing")}
    return Shop(name, **{**row, **texts, "sizes": sizes_of_shop})


def inset_for(safe: float) -> float:
    """Return how far faces are reduced to keep their words in a safe zone."""
    return round(min(MOST_INSET, max(0.0, safe - CLEAR + RIM)), 3)
