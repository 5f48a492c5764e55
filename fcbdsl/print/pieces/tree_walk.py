"""Walks of the trees below declarations: their nodes, and the keywords that they use."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Tier, Track
from fcbdsl.language.model.declarations import Form


def keywords_of(definition: Definition) -> list[Form]:
    """Return the keywords that a definition and its parts use, in order of first use, without repetition."""
    return keywords_in((definition, *definition.parts))


def keywords_in(tree: object) -> list[Form]:
    """Return the keywords used below a tree, in order of first use, without repetition."""
    keywords: dict[str, Form] = {}
    for node in nodes_below(tree):
        if isinstance(node, ir.Do | ir.Apply) and node.form.sort == "keyword":
            keywords.setdefault(node.form.id, node.form)
    return list(keywords.values())


def nodes_below(node: object) -> Iterator[object]:
    """Yield every tree node below some declarations, but not those of the forms and fields that they name."""
    match node:
        case Definition():
            bodies = [value.body or value.expr for value in node.values.values()]
            yield from nodes_below((*bodies, *node.listeners, *node.modifiers, *node.tracks))
        case Track():
            yield from nodes_below((*(body for _, body in node.steps), node.end, *node.tiers, *node.listeners))
        case Tier():
            yield from nodes_below((node.enter, node.leave, *node.modifiers, *node.listeners))
        case tuple():
            for item in node:
                yield from nodes_below(item)
        case _:
            yield from ir.walk(node)
