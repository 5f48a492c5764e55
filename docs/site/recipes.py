"""Pictures of the cards that the recipes of the cookbook declare, rendered when the site is built."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

PAGE = "docs/cookbook"
FOLDER = "recipes"
"""The folder of the pictures in the site."""
LANGUAGE = "en"
_FILE = re.compile(r"^`(?:cards|missions)/([\w-]+)\.fcb`$", re.MULTILINE)
_FIGURE = (
    '<figure class="recipe"><img src="../{folder}/{name}.png" alt="The printed {title}" width="{width}" '
    'height="{height}" loading="lazy"></figure>\n\n'
)


def draw(cookbook: Path, out: Path) -> dict[str, str]:
    """Draw the first card of each recipe into a folder; return the figures as HTML, by the names of the recipes.

    A recipe that declares no card, such as a mission or a terrain, has no picture.
    """
    from PIL import Image

    from fcbdsl.print.press.options import Options
    from fcbdsl.print.press.press import render

    out.mkdir(parents=True, exist_ok=True)
    figures: dict[str, str] = {}
    for name, key, title, model in _cards(cookbook):
        with tempfile.TemporaryDirectory() as folder:
            options = Options(dpi=144, one_up=True, bleed=0.0, copies="one")
            made = render(model, (key,), LANGUAGE, "a4", "png", Path(folder), options)
            if made.left_out or not made.files:
                raise SystemExit(f"The card {key} of the recipe {name} cannot be printed.")
            face, *_ = (path for path in made.files if path.suffix == ".png")  # its back is the second page
            picture = out / f"{name}.png"
            picture.write_bytes(face.read_bytes())
        with Image.open(picture) as image:
            width, height = (round(side / 2) for side in image.size)
        figures[name] = _FIGURE.format(folder=FOLDER, name=name, title=title, width=width, height=height)
    return figures


def _cards(cookbook: Path) -> Iterator[tuple[str, str, str, Any]]:
    """Yield the name of each recipe that declares a card, with the card's key and title and the model of its game."""
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.print.pieces.printables import is_sheet, printable
    from fcbdsl.project.project import check_loaded, load_project
    from fcbdsl.project.settings import read_projects

    for project in read_projects(cookbook, Problems()):
        model, _ = check_loaded(load_project(root=cookbook, game=project.game))
        model = replace(model, proofs=())  # recipes are files of tests, whose declarations are not printed otherwise
        drawn: set[str] = set()
        for definition in printable(model):
            name = Path(definition.span.source.name).stem.partition("-")[2]
            ours = Path(definition.span.source.name).parent.parent.name == "recipes"
            if ours and name not in drawn and not is_sheet(definition):
                drawn.add(name)
                title = definition.name.title.get(LANGUAGE, definition.id)
                yield name, f"{definition.kind.id}/{definition.id}", title, model


def with_pictures(text: str, figures: dict[str, str]) -> str:
    """Return the page with each figure above the file that declares its card."""
    return _FILE.sub(lambda file: figures.get(file[1], "") + file[0], text)
