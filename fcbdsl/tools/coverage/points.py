"""The coverage points of sources: lines, branches, cards, tiers, events and listeners, found in the model."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import field
from typing import Literal, get_args

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.compiler.instrumentation import WatchedNode
from fcbdsl.language.compiler.rows import policy
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Preference, Test
from fcbdsl.language.model.ir import Node, Stmt, walk
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.column_types import Policy

Sort = Literal["line", "branch", "card", "tier", "event", "listener"]
SORTS: tuple[Sort, ...] = get_args(Sort)
"""The sorts of points, in the order of the report."""

CARDS: tuple[Policy, ...] = ("definitions", "mission", "campaign")
"""Policies of kinds whose things are not always in play."""

Place = tuple[str, int, int]
"""A file, a line and a column."""


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """A point that tests may reach.

    For a branch: `head` is the line of its statement; `block` and `way` number the statement on that line and the
    branch.
    """

    sort: Sort
    file: str
    line: int
    name: str
    head: int = 0
    block: int = 0
    way: int = 0


@dataclass(slots=True)
class Points:
    """All points of some files, and how to detect each.

    Nodes are instrumented; definitions and (with a value) tracks are found by place; events by their ids. Each has the
    numbers of its points.
    """

    points: list[CoveragePoint] = field(default_factory=list)
    watched: dict[tuple[int, str], tuple[WatchedNode, list[int]]] = field(default_factory=dict)
    cards: dict[Place, int] = field(default_factory=dict)
    tiers: dict[tuple[Place, int], int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)

    def add(self, point: CoveragePoint) -> int:
        """Add a point; return its number."""
        self.points.append(point)
        return len(self.points) - 1

    def watch(self, node: Node, way: str, number: int) -> None:
        """Instrument a node for a point."""
        self.watched.setdefault((id(node), way), ((node, way), []))[1].append(number)


def points_of(model: Model, files: Container[str]) -> Points:
    """Find all points in some files of a model."""
    out = Points()
    lines: dict[tuple[str, int], int] = {}
    blocks: dict[tuple[str, int], int] = {}
    seen: set[int] = set()
    for owner, root in roots(model):
        if isinstance(owner, Test | Preference):
            continue
        for node in walk(root):
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, Stmt) and node.span.source.name in files:
                place = (node.span.source.name, node.span.line)
                if place not in lines:
                    lines[place] = out.add(CoveragePoint("line", *place, _written(node.span)))
                out.watch(node, "", lines[place])
                _branches(out, node, blocks)
            elif isinstance(node, ir.Listener) and node.body.statements and node.span.source.name in files:
                name = f"{node.timing} {node.event.id}"
                number = out.add(CoveragePoint("listener", node.span.source.name, node.span.line, name))
                out.watch(node.body.statements[0], "", number)
    _declared(out, model, files)
    return out


def _branches(out: Points, node: Stmt, blocks: dict[tuple[str, int], int]) -> None:
    """Add the branches of a statement, if there is more than one."""
    ways = list(_ways(node))
    if not ways:
        return
    file, line = node.span.source.name, node.span.line
    block = blocks[file, line] = blocks.get((file, line), -1) + 1
    for way, (part, which, span, name) in enumerate(ways):
        out.watch(part, which, out.add(CoveragePoint("branch", file, span.line, name, line, block, way)))


def _ways(node: Stmt) -> Iterator[tuple[Node, str, Span, str]]:
    """Yield the branches of a statement: the node to instrument, its branch, its span and its name."""
    match node:
        case ir.If() | ir.Then():
            text = _written(node.span)
            yield node, "then", node.span, f"{text} (holds)"
            other = node.otherwise.statements
            yield node, "else", other[0].span if other else node.span, f"{text} (does not hold)"
        case ir.ChooseOne(options=parts) | ir.AnyOrder(steps=parts) | ir.Roll(rows=parts) | ir.Play(rows=parts):
            for part in parts:
                label = part.label.get("en", "") if isinstance(part, ir.Option) else ""
                yield part, "", part.span, f'"{label}"' if label else _written(part.span)


def _written(span: Span) -> str:
    """Return the first line of a span, without a colon at its end."""
    text = span.source.text[span.start : span.end].partition("\n")[0]
    return " ".join(text.split()).removesuffix(":")


def _declared(out: Points, model: Model, files: Container[str]) -> None:
    """Add the points that are reached by being in play, by a value, or by an event."""
    for definition in model.definitions.values():
        if definition.span.source.name not in files:
            continue
        if policy(definition.kind) in CARDS:
            name = f"{definition.kind.id} {definition.id}"
            out.cards[point_place(definition.span)] = out.add(
                CoveragePoint("card", *point_place(definition.span)[:2], name)
            )
        _tiers(out, definition)
    for event in model.events.values():
        if event.span.source.name in files:
            out.events[event.id] = out.add(CoveragePoint("event", *point_place(event.span)[:2], event.id))


def _tiers(out: Points, definition: Definition) -> None:
    for track in definition.tracks:
        for tier in track.tiers:
            point = CoveragePoint("tier", *point_place(tier.span)[:2], f"{track.id}, {tier.at}")
            out.tiers[point_place(track.span), tier.at] = out.add(point)


def point_place(span: Span) -> Place:
    """Return where a span begins."""
    return span.source.name, span.line, span.column
