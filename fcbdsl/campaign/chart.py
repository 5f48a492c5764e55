"""The graph of a campaign as a drawing: SVG, from left to right, one column for each step away from the start.

Columns follow the shortest way from the start; within a column nodes stand near those that lead to them (the barycentre
method of Sugiyama, Tagawa and Toda, 1981). All lengths are SVG user units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from fcbdsl.campaign.graph import Arrow, Graph, Node, can_be_won
from fcbdsl.sim.naming import Names
from fcbdsl.vm.machine import Machine

WIDTH, COLUMN, GAP, LINE, PAD, MARGIN = 210, 340, 26, 15, 9, 28
LETTERS = 30
"""Letters on a line of a node."""
SWEEPS = 4
PLAIN = "#5d6166"
INK, PAPER, RULE = "#14171a", "#ffffff", "#c9ccd1"

STYLE = f"""
text {{ font-family: "Source Sans 3", "Helvetica Neue", Arial, sans-serif; fill: {INK}; font-size: 12px; }}
.title {{ font-size: 22px; font-weight: 700; }}
.name {{ font-size: 13.5px; font-weight: 700; }}
.mission {{ font-style: italic; }}
.kind, .label {{ font-size: 10.5px; fill: {PLAIN}; }}
.label {{ paint-order: stroke; stroke: {PAPER}; stroke-width: 4px; }}
.box {{ fill: {PAPER}; stroke: {RULE}; }}
.way {{ fill: none; stroke: {PLAIN}; stroke-width: 1.4; }}
.lost {{ stroke-dasharray: 5 4; }}
.forced {{ stroke-width: 3; }}
"""


@dataclass(slots=True)
class _Box:
    """A node with its place. `lines`: (class, text)."""

    node: Node
    lines: list[tuple[str, str]]
    column: int = 0
    x: int = 0
    y: int = 0

    @property
    def height(self) -> int:
        return 2 * PAD + LINE * len(self.lines)

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def chart(machine: Machine, graph: Graph, language: str = "en", colours: Mapping[str, str] | None = None) -> str:
    """Draw a graph in a language; `colours`: of missions, by their ids, as ``#rrggbb``."""
    return _Chart(machine, graph, language, colours or {}).svg()


class _Chart:
    def __init__(self, machine: Machine, graph: Graph, language: str, colours: Mapping[str, str]) -> None:
        self.program = machine.program
        self.names = Names(machine, language)
        self.colours = colours
        self.graph = graph
        self.boxes = {node.definition: _Box(node, self._lines(node)) for node in graph.nodes}
        self.usual = self._usual_zone()
        self.columns = self._columns()
        self._place()

    # ── what stands in a node ──────────────────────────────────────────────────────────────────

    def _lines(self, node: Node) -> list[tuple[str, str]]:
        row = self.program.definitions[node.definition]
        kind = self.program.kinds[row.kind]
        out = [("kind", self.names.text(kind.title, kind.name))]
        out += [("name", line) for line in wrap(self.names.definition(node.definition), LETTERS - 4)]
        if node.mission >= 0:
            out += [("mission", line) for line in wrap(self.names.definition(node.mission), LETTERS)]
        for words in self._asked(node):
            out += [("kind", line) for line in wrap(words, LETTERS + 4)]
        out += [("", line) for definition, _ in node.brings for line in self._item(definition)]
        if can_be_won(node):
            out.append(("name", f"★ {self.names.say('win')}"))
        return out

    def _asked(self, node: Node) -> list[str]:
        """What a node lists of what others bring: gates and the like, by the titles of its fields."""
        brought = {what for other in self.graph.nodes if other != node for what, _ in other.brings}
        out = []
        for field, listed in self.program.definitions[node.definition].lists:
            if listed and self.program.fields[field].tag == "definition" and brought.issuperset(listed):
                names = ", ".join(self.names.definition(number) for number in listed)
                out.append(self.names.say("does", self.names.field(field), names))
        return out

    def _item(self, definition: int) -> list[str]:
        return wrap(f"+ {self.names.definition(definition)}", LETTERS, subsequent_indent="   ")

    # ── places ─────────────────────────────────────────────────────────────────────────────────

    def _columns(self) -> list[list[_Box]]:
        start = self.graph.nodes[0].definition
        depth = {start: 0}
        todo = [start]
        while todo:
            number = todo.pop(0)
            for arrow in self.graph.arrows:
                if arrow.before == number and arrow.after not in depth:
                    depth[arrow.after] = depth[number] + 1
                    todo.append(arrow.after)
        out: list[list[_Box]] = [[] for _ in range(max(depth.values()) + 1)]
        for number, box in self.boxes.items():
            box.column = depth.get(number, 0)
            out[box.column].append(box)
        return out

    def _place(self) -> None:
        for _ in range(SWEEPS):
            for number, column in enumerate(self.columns):
                column.sort(key=self._pull)
                y = MARGIN + 40
                for box in column:
                    box.x, box.y = MARGIN + COLUMN * number, y
                    y += box.height + GAP
            tallest = max(column[-1].y + column[-1].height for column in self.columns)
            for column in self.columns:
                shift = (tallest - column[-1].y - column[-1].height) // 2
                for box in column:
                    box.y += shift

    def _pull(self, box: _Box) -> float:
        """The mean height of what leads to a node from the left."""
        befores = [self.boxes[arrow.before] for arrow in self.graph.arrows if arrow.after == box.node.definition]
        left = [before.middle for before in befores if before.column < box.column]
        return sum(left) / len(left) if left else box.middle

    # ── drawing ────────────────────────────────────────────────────────────────────────────────

    def svg(self) -> str:
        boxes = self.boxes.values()
        width = max(box.x for box in boxes) + WIDTH + MARGIN
        height = max(box.y + box.height for box in boxes) + MARGIN
        title = self.names.definition(self.graph.nodes[0].definition)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"'
            f' markerUnits="userSpaceOnUse"><path d="M0 0 L8 4 L0 8 z" fill="{PLAIN}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
            f'<text class="title" x="{MARGIN}" y="{MARGIN + 14}">{escape(title)}</text>',
            *(self._way(arrows) for arrows in self._ways()),
            *(self._node(box) for box in boxes),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _ways(self) -> list[list[Arrow]]:
        """The arrows between the same two nodes together; those that force the way alone."""
        out: dict[tuple[int, int], list[Arrow]] = {}
        for arrow in self.graph.arrows:
            out.setdefault((arrow.before, arrow.after), []).append(arrow)
        return [[arrow for arrow in row if arrow.field >= 0] or row for row in out.values()]

    def _way(self, arrows: list[Arrow]) -> str:
        before, after = self.boxes[arrows[0].before], self.boxes[arrows[0].after]
        back = after.column <= before.column
        x1, y1 = before.x + WIDTH, before.middle
        x2, y2 = (after.x + WIDTH, after.middle + 8) if back else (after.x, after.middle)
        bend = 70 if back else (x2 - x1) / 2
        end = x2 + bend if back else x2 - bend
        lost = all(arrow.mission == "lost" for arrow in arrows)
        sort = " forced" if arrows[0].field >= 0 else " lost" if lost else ""
        path = f"M{x1} {y1:.1f} C{x1 + bend:.1f} {y1:.1f} {end:.1f} {y2:.1f} {x2} {y2:.1f}"
        line = f'<path class="way{sort}" d="{path}" marker-end="url(#tip)"/>'
        labels = dict.fromkeys(label for arrow in arrows if (label := self._label(arrow)))
        rows = [row for label in labels for row in wrap(label, 22)]
        if not rows:
            return line
        anchor, at = ("start", x2 + 14) if back else ("end", x2 - 10)
        spans = "".join(f'<tspan x="{at}" dy="{11 if n else 0}">{escape(row)}</tspan>' for n, row in enumerate(rows))
        y = y2 - 5 - 11 * (len(rows) - 1)
        return f'{line}\n<text class="label" text-anchor="{anchor}" y="{y:.1f}">{spans}</text>'

    def _label(self, arrow: Arrow) -> str:
        """What an arrow says: the option taken, and where its end comes to, if not where most do (or what names it)."""
        if arrow.field >= 0:
            return self.names.field(arrow.field)
        zone = self.program.zones[arrow.zone]
        place = "" if arrow.zone == self.usual else self.names.text(zone.title, zone.name)
        option = self.names.text(arrow.option)
        return self.names.say("does", option, place) if option and place else option or place

    def _usual_zone(self) -> int:
        """Where most things come to that other things lead to."""
        zones = [arrow.zone for arrow in self.graph.arrows if arrow.zone >= 0]
        return max(zones, key=zones.count, default=-1)

    def _node(self, box: _Box) -> str:
        mission = box.node.mission
        colour = self.colours.get(self.program.definitions[mission].id, PLAIN) if mission >= 0 else PLAIN
        rows = [
            f'<text class="{sort}" x="{box.x + PAD + 6}" y="{box.y + PAD + LINE * (n + 1) - 3}">{escape(line)}</text>'
            for n, (sort, line) in enumerate(box.lines)
        ]
        frame = f'x="{box.x}" y="{box.y}" width="{WIDTH}" height="{box.height}" rx="5"'
        bar = f'<rect x="{box.x}" y="{box.y}" width="8" height="{box.height}" rx="4" fill="{colour}"/>'
        return "\n".join([f'<rect class="box" {frame}/>', bar, *rows])
