"""Finding the line grammar and building its parser (once per user: the tables are kept in a cache folder)."""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lark import Lark

    from fcbdsl.syntax.nodes import NodeBuilder


def grammar_text() -> str:
    """Return the text of ``fcb.lark``: inside the package when installed, else at the top of the checkout."""
    package = resources.files("fcbdsl")
    packaged = package.joinpath("grammar", "fcb.lark")
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    return (Path(str(package)).parent / "grammar" / "fcb.lark").read_text(encoding="utf-8")


@cache
def line_parser() -> Lark:
    """Return the parser of logical lines; its result is a `fcbdsl.syntax.nodes.Shape`."""
    from fcbdsl.syntax.nodes import NodeBuilder

    return build_parser(NodeBuilder(), _cache_folder())


def build_parser(builder: NodeBuilder, folder: Path | None) -> Lark:
    """Build the parser, with its tables read from and kept in `folder` if it can be written."""
    import lark

    grammar = grammar_text()
    options = {"parser": "lalr", "lexer": "contextual", "transformer": builder, "cache": False}
    if folder is not None:
        version = f"{lark.__version__} {sys.version_info[:2]} {grammar}"
        digest = hashlib.sha256(version.encode()).hexdigest()[:16]
        options["cache"] = str(folder / f"fcb-{digest}.lalr")
    return lark.Lark(grammar, **options)


def _cache_folder() -> Path | None:
    """The folder of this user's caches, made if need be; None if there can be none."""
    base = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    try:
        folder = (Path(base) if base else Path.home() / ".cache") / "fcbdsl"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, or it can't be written: the tables are computed anew each time
        return None
    return folder if os.access(folder, os.W_OK) else None
