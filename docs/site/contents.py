"""The contents of the site are the lists of its front page: a page to which none of them links is an error."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

ITEM = re.compile(r"^- .*(?:\n {2}.*)*", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\(([^)#]+)\.md\)")
TREE = "\n\n```{{toctree}}\n:hidden:\n{caption}\n{rows}\n```\n"


def contents(front: str, text: str) -> dict[str, str]:
    """Return the text to add to each page so that Sphinx knows its place, by document.

    `front` is the document of the front page, `text` its Markdown. Each `##` with a list is a part of the contents. The
    first link of each item is a page of it, and further links are pages below that one.
    """
    folder = PurePosixPath(front).parent
    found: dict[str, str] = {front: ""}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        items = [[(name, _document(folder, path)) for name, path in LINK.findall(item)] for item in ITEM.findall(body)]
        if first := [item[0] for item in items if item]:
            found[front] += _tree(first, f":caption: {title}\n")
        found.update({item[0][1]: _tree(item[1:]) for item in items if len(item) > 1})
    return found


def _document(folder: PurePosixPath, path: str) -> str:
    place = folder / path
    return str(place.relative_to("docs/..") if place.parts[1:2] == ("..",) else place)


def _tree(pages: list[tuple[str, str]], caption: str = "") -> str:
    return TREE.format(
        caption=caption, rows="\n".join(f"{name[0].upper()}{name[1:]} </{document}>" for name, document in pages)
    )
