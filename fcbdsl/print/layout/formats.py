"""Sizes of pieces and papers, which are data: `sizes.toml`. All lengths are in millimeters."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from fcbdsl.base import resources
from fcbdsl.base.records import dataclass

HERE = resources.package_folder() / "print"


@dataclass(frozen=True, slots=True)
class PieceSize:
    """A size of pieces, after cutting. `scale`: the size of its type relative to a card; `inset`: how far the drawing
    is reduced at each edge, as on a smaller piece."""

    name: str
    width: float
    height: float
    scale: float = 1.0
    inset: float = 0.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, upright; `title` is its name in messages."""

    name: str
    title: str
    width: float
    height: float


@cache
def sizes() -> dict[str, PieceSize]:
    """Return all sizes by their names."""
    return {name: PieceSize(name, **row) for name, row in _data()["sizes"].items()}


@cache
def papers() -> dict[str, Paper]:
    """Return all papers by their names."""
    return {name: Paper(name, **row) for name, row in _data()["papers"].items()}


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads((HERE / "sizes.toml").read_text(encoding="utf-8"))
