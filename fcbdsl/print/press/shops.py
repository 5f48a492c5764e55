"""Print shops: what each asks for, which is data (`shops.toml`). All lengths are in millimetres."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from fcbdsl.base import resources
from fcbdsl.base.records import dataclass
from fcbdsl.print.layout.formats import PieceSize, sizes

CLEAR = 0.9
"""How near to the edge of the size for which a face is laid out it has words: those at its foot."""
RIM = 0.2
"""How far within a safe zone words keep, so that they are seen to: what cuts, and the line of a proof, has a width."""
MOST_INSET = 3.5
"""How far a face is drawn in at most to keep its words in a safe zone; what lies outside then is said."""


@dataclass(frozen=True, slots=True)
class Shop:
    """A print shop: in which `form` it takes pages, how fine its pictures, in which `order` the sides of a piece, how
    many `copies` (`pieces.COPIES`), how far pages go beyond the cut, how far from it words must keep, what it makes of
    the sizes of layouts, and what it asks for that isn't made here."""

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
    """All shops by their names."""
    data = tomllib.loads((resources.folder() / "print" / "shops.toml").read_text(encoding="utf-8"))
    return {name: shop_of(name, said) for name, said in data.items()}


def shop_of(name: str, said: dict[str, Any]) -> Shop:
    """Make a shop of what its table says. Faces are drawn in, so that their words keep to its safe zone."""
    inset = inset_for(said["safe"])
    made = tuple(PieceSize(size, **cut, scale=sizes()[size].scale, inset=inset) for size, cut in said["sizes"].items())
    texts = {key: tuple(said[key]) for key in ("order", "missing")}
    return Shop(name, **{**said, **texts, "sizes": made})


def inset_for(safe: float) -> float:
    """How far faces are drawn in, so that their words keep to a safe zone."""
    return round(min(MOST_INSET, max(0.0, safe - CLEAR + RIM)), 3)
