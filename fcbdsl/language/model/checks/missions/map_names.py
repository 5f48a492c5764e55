"""Checks for names that a map shows but no text uses, and for names that a mission uses but its map lacks."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.missions import NamedNowhere, ShownNowhere
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.behavior_references import Name
from fcbdsl.language.model.checks.missions.ground import Ground
from fcbdsl.language.model.checks.missions.mission_scene import Scene
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Field, Terrain
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.whole import Model

_CALLED = {"area": "group of spaces", "counter": "token"}


def check_names(scene: Scene, ground: Ground) -> None:
    """Report unused names on the map, and names that the mission uses but its map lacks."""
    _unnamed(scene, ground)
    _unshown(scene, ground)
    _empty_regions(scene, ground)


# ── on the map, but in no text ─────────────────────────────────────────────────────────────────


def _unnamed(scene: Scene, ground: Ground) -> None:
    reported: dict[Name, None] = {}
    for name, span in _names_on_map(ground):
        if name not in scene.heard.names and name not in reported and not _works(scene.context.model, name):
            reported[name] = None
            sort = _CALLED.get(name[0], name[0])
            scene.context.report(NamedNowhere(span, sort=sort, name=name[1]))


def _names_on_map(ground: Ground) -> Iterator[tuple[Name, Span]]:
    """Yield the names on a map, with their places."""
    board = ground.board
    for cell in board.cells:
        span = cell.span or board.span
        if cell.terrain:
            yield ("terrain", cell.terrain), span
        for mark in cell.marks:
            yield ("mark", mark), span
        for token in cell.tokens:
            yield ("counter", token), span
    for barrier in board.sides.values():
        yield ("barrier", barrier), board.span
    for area in board.zones:
        yield ("area", area), board.span


def _works(model: Model, name: Name) -> bool:
    """Return whether something has an effect without being named in a text."""
    sort, id = name
    if sort == "terrain" or sort == "barrier":
        ground = (model.terrains if sort == "terrain" else model.barriers).get(id)
        return ground is None or _has_effect(ground)
    if sort == "counter":
        token: Field | None = model.kinds["space"].fields.get(id)
        return token is None or bool(token.listeners or token.modifiers)
    return sort == "mark" and model.marks[id].entry


def _has_effect(ground: Terrain) -> bool:
    """Return whether a terrain or barrier has any effect."""
    return (
        ground.blocks_movement or ground.blocks_sight or ground.gives_cover or ground.cost != 1 or not ground.on_board
    )


# ── in texts, but not on the map ───────────────────────────────────────────────────────────────


def _unshown(scene: Scene, ground: Ground) -> None:
    shown = {name: None for name, _ in _names_on_map(ground)}
    created = scene.heard.makes
    of_any = [sort for sort, name in created if not name]
    uses: dict[Name, list[Span]] = {}
    for references in scene.own:
        foreign = isinstance(references.owner, Definition) and references.owner is not scene.mission
        for name, expr in references.names.items():
            if name in shown or name in created or name[0] in of_any or (foreign and name in references.asked):
                continue
            if not scene.all.is_content(expr.span.source.name) or (
                name[0] == "counter" and not _is_token(scene, name[1])
            ):
                continue
            uses.setdefault(name, []).append(expr.span)
    for (sort, id), spans in uses.items():
        first, *others = sorted(spans, key=lambda span: span.place)
        related = [Related(span, "this uses it, too") for span in others]
        called = _CALLED.get(sort, sort)
        scene.context.report(ShownNowhere(first, sort=called, name=id, mission=scene.mission.id, related=related))


def _empty_regions(scene: Scene, ground: Ground) -> None:
    """Report regions in the fields of a mission of which its map has no space."""
    definitions = scene.context.model.definitions
    uses: dict[str, list[tuple[Span, str]]] = {}
    for value in scene.mission.values.values():
        for node in walk(value.expr):
            if not isinstance(node, ir.Def | ir.Instance):
                continue
            named = definitions.get((node.kind, node.id))
            if named is None or named.id in ground.board.regions or scene.mission.board is not ground.board:
                continue
            if named.kind.is_a("region"):
                uses.setdefault(named.id, []).append((node.span, named.kind.id))
    for id, rows in uses.items():
        (first, sort), *others = rows
        related = [Related(span, "this uses it, too") for span, _ in others]
        scene.context.report(ShownNowhere(first, sort=sort, name=id, mission=scene.mission.id, related=related))


def _is_token(scene: Scene, name: str) -> bool:
    token = scene.context.model.kinds["space"].fields.get(name)
    return token is not None and token.sort == "token"
