"""The graph of a campaign as a poster: SVG, from top to bottom, one row for each step away from the start.

Rows follow the shortest path from the start; within a row, nodes are placed near their predecessors (the barycenter
method of Sugiyama, Tagawa and Toda, 1981). All lengths are SVG user units.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from textwrap import wrap

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.campaign.graph import Arrow, Graph, GraphNode, can_be_won
from fcbdsl.play.session.naming import Names

WIDTH, GAP, ROW_GAP, LINE, PAD, MARGIN = 250, 44, 58, 16, 11, 48
TITLE, LEGEND = 96, 44
"""Height of the head and of the foot."""
LETTERS = 34
"""Most letters on a line of a node."""
SWEEPS = 4
BOW = 70
"""How far the curve from a key to its gate extends to the side."""
POINTS = 40
"""The number of points of a curve that are tested for being behind a box."""
PLAIN = "#5d6166"
INK, PAPER, CARD, RULE = "#14171a", "#f6f1e6", "#ffffff", "#c9c2b2"

STYLE = f"""
text {{ font-family: "Source Sans 3", "Helvetica Neue", Arial, sans-serif; fill: {INK}; font-size: 12.5px; }}
.title {{ font-family: "Barlow Condensed", "Arial Narrow", sans-serif; font-size: 40px; font-weight: 800; }}
.name {{ font-family: "Barlow Condensed", "Arial Narrow", sans-serif; font-size: 16px; font-weight: 800; }}
.won {{ font-weight: 700; }}
.mission {{ font-style: italic; }}
.kind, .label {{ font-size: 11px; fill: {PLAIN}; }}
.label {{ paint-order: stroke; stroke: {PAPER}; stroke-width: 5px; text-anchor: middle; }}
.box {{ fill: {CARD}; stroke: {RULE}; }}
.way, .sample {{ fill: none; stroke: {PLAIN}; stroke-width: 2; }}
.lost {{ stroke-dasharray: 6 5; }}
.forced {{ stroke-width: 5; }}
.key {{ fill: none; stroke: {PLAIN}; stroke-width: 1.6; stroke-dasharray: 0.1 5; stroke-linecap: round; }}
"""


_Curve = tuple[tuple[int, int], tuple[int, int], tuple[int, int], tuple[int, int]]
"""Ends and control points of a cubic curve."""


@dataclass(slots=True)
class _Box:
    """A node with its position. `name`: the lines of its head; `lines`: (class, text) below that."""

    node: GraphNode
    name: list[str]
    lines: list[tuple[str, str]]
    row: int = 0
    x: int = 0
    y: int = 0

    @property
    def head(self) -> int:
        return PAD + 19 * len(self.name)

    @property
    def height(self) -> int:
        return self.head + LINE * len(self.lines) + (2 * PAD - 6 if self.lines else 0)

    @property
    def middle(self) -> float:
        return self.x + WIDTH / 2


def chart(
    image: Image,
    graph: Graph,
    language: str = "en",
    colours: Mapping[str, str] | None = None,
    grades: Mapping[str, str] | None = None,
) -> str:
    """Return a graph as SVG in a language.

    `colours` (``#rrggbb``) and `grades` (words) are by the ids of missions; the words repeat what the color shows.
    """
    return _Chart(image, graph, language, colours or {}, grades or {}).svg()


class _Chart:
    def __init__(
        self, image: Image, graph: Graph, language: str, colours: Mapping[str, str], grades: Mapping[str, str]
    ) -> None:
        self.program = image.program
        self.names = Names(image, language)
        self.colours = colours
        self.grades = grades
        self.graph = graph
        self.boxes = {node.definition: self._box(node) for node in graph.nodes}
        self.usual = self._usual_zone()
        self.rows = self._rows()
        self._place()

    # ── content of a node ──────────────────────────────────────────────────────────────────────

    def _box(self, node: GraphNode) -> _Box:
        row = self.program.definitions[node.definition]
        kind = self.program.kinds[row.kind]
        out: list[tuple[str, str]] = []
        if node.mission >= 0:
            grade = self.grades.get(self.program.definitions[node.mission].id, "")
            title = self.names.definition(node.mission)
            out += [("mission", line) for line in wrap(f"{title} ({grade})" if grade else title, LETTERS)]
        else:
            out.append(("kind", self.names.text(kind.title, kind.name)))
        for words in self._asked(node):
            out += [("kind", line) for line in wrap(words, LETTERS + 4)]
        out += [("", line) for definition, _ in node.brings for line in self._item(definition)]
        if can_be_won(node):
            out.append(("won", f"★ {self.names.say('win')}"))
        return _Box(node, wrap(self.names.definition(node.definition), LETTERS - 11), out)

    def _gates(self, node: GraphNode) -> list[tuple[str, list[int]]]:
        """Return the lists of a node (gates and the like) whose things other nodes bring, by the titles of the
        fields."""
        brought = {what for other in self.graph.nodes if other != node for what, _ in other.brings}
        out = []
        for field, listed in self.program.definitions[node.definition].lists:
            if listed and self.program.fields[field].tag == "definition" and brought.issuperset(listed):
                out.append((self.names.field(field), list(listed)))
        return out

    def _asked(self, node: GraphNode) -> list[str]:
        gates = self._gates(node)
        return [self.names.say("does", field, ", ".join(map(self.names.definition, listed))) for field, listed in gates]

    def _item(self, definition: int) -> list[str]:
        return wrap(f"+ {self.names.definition(definition)}", LETTERS, subsequent_indent="   ")

    # ── placing ────────────────────────────────────────────────────────────────────────────────

    def _rows(self) -> list[list[_Box]]:
        depth: dict[int, int] = {}
        for node in self.graph.nodes:  # the campaign first; a node without a predecessor is open from its beginning
            todo = [] if node.definition in depth else [node.definition]
            depth.setdefault(node.definition, 1 if depth else 0)
            while todo:
                number = todo.pop(0)
                for arrow in self.graph.arrows:
                    if arrow.before == number and arrow.after not in depth:
                        depth[arrow.after] = depth[number] + 1
                        todo.append(arrow.after)
        out: list[list[_Box]] = [[] for _ in range(max(depth.values()) + 1)]
        for number, box in self.boxes.items():
            box.row = depth[number]
            out[box.row].append(box)
        return out

    def _place(self) -> None:
        widest = max(len(row) for row in self.rows)
        self.width = widest * WIDTH + (widest - 1) * GAP + 2 * (MARGIN + BOW)
        for _ in range(SWEEPS):
            y = TITLE + MARGIN // 2
            for row in self.rows:
                row.sort(key=self._pull)
                x = (self.width - len(row) * WIDTH - (len(row) - 1) * GAP) // 2
                for box in row:
                    box.x, box.y = x, y
                    x += WIDTH + GAP
                y += max(box.height for box in row) + ROW_GAP
        self.height = y - ROW_GAP + MARGIN // 2 + LEGEND

    def _pull(self, box: _Box) -> float:
        """Return the mean position of the nodes that lead to a node from above."""
        befores = [self.boxes[arrow.before] for arrow in self.graph.arrows if arrow.after == box.node.definition]
        above = [before.middle for before in befores if before.row < box.row]
        return sum(above) / len(above) if above else box.middle

    # ── drawing ────────────────────────────────────────────────────────────────────────────────

    def svg(self) -> str:
        title = self.names.definition(self.graph.nodes[0].definition)
        middle = self.width // 2
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="11" markerHeight="11" '
            f'orient="auto" markerUnits="userSpaceOnUse"><path d="M0 0 L8 4 L0 8 z" fill="{PLAIN}"/></marker></defs>',
            f'<rect width="{self.width}" height="{self.height}" fill="{PAPER}"/>',
            f'<rect width="{self.width}" height="{TITLE - 24}" fill="{INK}"/>',
            f'<text class="title" x="{middle}" y="{TITLE - 46}" text-anchor="middle" style="fill: {CARD}">'
            f"{escape(title.upper())}</text>",
            *(self._key(before, after) for before, after in self._keys()),
            *(self._way(arrows) for arrows in self._ways()),
            *(self._node(box) for box in self.boxes.values()),
            *self._legend(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _ways(self) -> list[list[Arrow]]:
        """Return the arrows grouped by their two nodes; in each group, forced ones replace the others."""
        out: dict[tuple[int, int], list[Arrow]] = {}
        for arrow in self.graph.arrows:
            out.setdefault((arrow.before, arrow.after), []).append(arrow)
        return [[arrow for arrow in row if arrow.field >= 0] or row for row in out.values()]

    def _sort(self, arrows: list[Arrow]) -> str:
        if arrows[0].field >= 0:
            return "forced"
        return "lost" if all(arrow.mission == "lost" for arrow in arrows) else ""

    def _way(self, arrows: list[Arrow]) -> str:
        before, after = self.boxes[arrows[0].before], self.boxes[arrows[0].after]
        x1, x2 = before.middle, after.middle
        x = (x1 + 3 * x2) / 4
        if after.row > before.row:
            y1, y2 = before.y + before.height, after.y
            bend = (y2 - y1) / 2
            path = f"M{x1:.1f} {y1} C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2}"
        elif after.row == before.row and self._stand_together(before, after):
            y1, above = before.y + before.head // 2, before.y - 6
            x1, x2 = (before.x, after.x + WIDTH) if after.x < before.x else (before.x + WIDTH, after.x)
            path = f"M{x1} {y1} L{x2} {y1}"
            x, y2 = (x1 + x2) / 2, above + 15
        else:
            y1, y2, x1, x2 = before.y + before.head // 2, after.y + after.head // 2, before.x + WIDTH, after.x + WIDTH
            x = (x1 + 3 * x2) / 4
            path = f"M{x1} {y1} C{x1 + BOW} {y1} {x2 + BOW} {y2} {x2} {y2}"
        sort = self._sort(arrows)
        line = f'<path class="{f"way {sort}".strip()}" d="{path}" marker-end="url(#tip)"/>'
        labels = dict.fromkeys(label for arrow in arrows if (label := self._label(arrow)))
        rows = [row for label in labels for row in wrap(label, 34)]
        if not rows:
            return line
        y = y2 - 15 - 12 * (len(rows) - 1)
        spans = "".join(f'<tspan x="{x:.1f}" dy="{12 if n else 0}">{escape(row)}</tspan>' for n, row in enumerate(rows))
        return f'{line}\n<text class="label" y="{y}">{spans}</text>'

    def _stand_together(self, one: _Box, other: _Box) -> bool:
        """Return whether two boxes of a row have no other box between them."""
        low, high = sorted((one.x, other.x))
        return not any(box.row == one.row and low < box.x < high for box in self.boxes.values())

    def _label(self, arrow: Arrow) -> str:
        """Return the label of an arrow: the winner, or that it was a draw, or the option taken. It adds the destination
        zone if this is not the usual one although it could be."""
        if arrow.ending >= 0:
            return self.names.definition(arrow.ending)
        if arrow.by >= 0:
            return self.names.say("leads-won", self.names.definition(arrow.by))
        if arrow.mission == "drawn":
            return self.names.say("leads-drawn")
        if arrow.field >= 0:
            return ""
        zone = self.program.zones[arrow.zone]
        zones = {other.zone for other in self.graph.arrows if other.after == arrow.after}
        usual = len(zones) == 1 or arrow.zone == self.usual
        place = "" if usual else self.names.text(zone.title, zone.name)
        option = self.names.text(arrow.option)
        return self.names.say("does", option, place) if option and place else option or place

    def _usual_zone(self) -> int:
        """Return the most frequent destination zone of the arrows."""
        zones = [arrow.zone for arrow in self.graph.arrows if arrow.zone >= 0]
        return max(zones, key=zones.count, default=-1)

    def _keys(self) -> list[tuple[_Box, _Box]]:
        """Return the pairs of a node that brings a key and the node whose gate needs it, unless an arrow connects
        them."""
        ways = {(arrow.before, arrow.after) for arrow in self.graph.arrows}
        out: dict[tuple[int, int], None] = {}
        for node in self.graph.nodes:
            for what in (what for _, listed in self._gates(node) for what in listed):
                for other in self.graph.nodes:
                    pair = (other.definition, node.definition)
                    if what in dict(other.brings) and other != node and pair not in ways:
                        out[pair] = None
        return [(self.boxes[before], self.boxes[after]) for before, after in out]

    def _key(self, before: _Box, after: _Box) -> str:
        """Return a dotted line from side to side that passes behind as few boxes as possible."""
        ways = [self._bow(before, after, one, other) for one in (0, 1) for other in (0, 1)]
        best = min(ways, key=lambda way: (self._hidden(way, before, after), abs(way[3][0] - way[0][0])))
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = best
        path = f"M{x1} {y1} C{x2} {y2} {x3} {y3} {x4} {y4}"
        return f'<path class="key" d="{path}" marker-end="url(#tip)"/>'

    def _bow(self, before: _Box, after: _Box, one: int, other: int) -> _Curve:
        """Return a curve from a side (0: left, 1: right) of a box to a side of another."""
        x1, x2 = before.x + WIDTH * one, after.x + WIDTH * other
        y1, y2 = before.y + before.height - PAD, after.y + after.head // 2
        out1, out2 = (x1 + BOW, x1 - BOW)[1 - one], (x2 + BOW, x2 - BOW)[1 - other]
        if one == other:
            out1 = out2 = max(out1, out2) if one else min(out1, out2)
        return ((x1, y1), (out1, y1), (out2, y2), (x2, y2))

    def _hidden(self, way: _Curve, before: _Box, after: _Box) -> int:
        """Return how many sample points of a curve are hidden behind boxes."""
        hidden = 0
        for n in range(1, POINTS):
            shares = [(POINTS - n) ** 3, 3 * (POINTS - n) ** 2 * n, 3 * (POINTS - n) * n**2, n**3]
            x, y = (sum(share * point[at] for share, point in zip(shares, way, strict=True)) for at in (0, 1))
            x, y = x // POINTS**3, y // POINTS**3
            boxes = [box for box in self.boxes.values() if box.x < x < box.x + WIDTH]
            hidden += sum(box.y < y < box.y + box.height for box in boxes)
        return hidden

    def _node(self, box: _Box) -> str:
        mission = box.node.mission
        colour = self.colours.get(self.program.definitions[mission].id, PLAIN) if mission >= 0 else PLAIN
        middle, top, head = box.x + WIDTH // 2, box.y, box.head
        ink = _ink(colour)
        rows = [
            f'<text class="name" x="{middle}" y="{top + PAD + 19 * (n + 1) - 9}" text-anchor="middle" '
            f'style="fill: {ink}">{escape(line.upper())}</text>'
            for n, line in enumerate(box.name)
        ]
        rows += [
            f'<text class="{sort}" x="{box.x + PAD}" y="{top + head + PAD + LINE * (n + 1) - 7}">{escape(line)}</text>'
            for n, (sort, line) in enumerate(box.lines)
        ]
        frame = f'x="{box.x}" y="{top}" width="{WIDTH}"'
        shape = f"M{box.x} {top + head} v{5 - head} q0 -5 5 -5 h{WIDTH - 10} q5 0 5 5 v{head - 5} z"
        band = f'<path d="{shape}" fill="{colour}"/>'
        return "\n".join([f'<rect class="box" {frame} height="{box.height}" rx="5"/>', band, *rows])

    def _legend(self) -> list[str]:
        """Return the legend of the line styles in use."""
        drawn = [f"way {sort}".strip() for sort in ("", "forced", "lost") if sort in map(self._sort, self._ways())]
        drawn += ["key"] if self._keys() else []
        words = {"way": "leads", "way forced": "leads-at-once", "way lost": "leads-lost", "key": "leads-key"}
        step = (self.width - 2 * MARGIN) // max(len(drawn), 1)
        y = self.height - LEGEND + 12
        out = []
        for n, sort in enumerate(drawn):
            x = MARGIN + step * n
            line = f'<line class="{sort.replace("way", "sample")}" x1="{x}" y1="{y}" x2="{x + 46}" y2="{y}"/>'
            out.append(f'{line}\n<text x="{x + 56}" y="{y + 4}">{escape(self.names.say(words[sort]))}</text>')
        return out


def _ink(colour: str) -> str:
    """Return white or near black, the one with more contrast to a color (by the luma of ITU-R BT.601)."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return INK if 299 * red + 587 * green + 114 * blue > 150_000 else CARD
