"""The graph of a campaign: which node leads to which, and what each of them brings. It is derived from the exploration.

A step belongs to the first thing chosen in it, or to the thing that names the mission that is played. That thing causes
all changes of kept data in the step. A change is an arrow if it names another thing with steps; other changes are
listed in the node.
"""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import ENDINGS, LABEL, TAGS, WIN, Option
from fcbdsl.play.campaign.exploration import ENDED, Edge, Explored, subjects_of_answers


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A thing with steps (its definition), or the campaign itself. `mission`: the mission that it plays, or -1.

    `brings`: (definition, zone) of each thing that it puts into a zone of the program; `ends`: how it can end the
    campaign.
    """

    definition: int
    mission: int
    brings: tuple[tuple[int, int], ...] = ()
    ends: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge from a node (its definition) to another. `mission`: won, lost or drawn (a tag), or "" without a mission;
    `by`: the team (its definition) that won, or -1. `ending`: the named ending (its definition), or -1.

    `option`: the text of the option taken, or -1. `zone`: the zone of the other node; -1: a stat names it (`field`).
    """

    before: int
    after: int
    mission: str = ""
    by: int = -1
    ending: int = -1
    option: int = -1
    zone: int = -1
    field: int = -1


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes, the campaign first, then in the order in which they are found; and arrows."""

    nodes: tuple[GraphNode, ...]
    arrows: tuple[Arrow, ...]


def campaign_graph(image: Image, explored: Explored) -> Graph:
    """Derive the graph of an explored campaign."""
    return _Graph(image, explored).graph()


class _Graph:
    def __init__(self, image: Image, explored: Explored) -> None:
        self.image = image
        self.explored = explored
        self.edges = [edge for edges in explored.edges for edge in edges or ()]
        self.about = {id(edge): self._about(edge) for edge in self.edges}

    def graph(self) -> Graph:
        order = dict.fromkeys([self.explored.campaign, *(self.about[id(edge)] for edge in self.edges)])
        arrows: dict[Arrow, None] = {}
        brings: dict[int, dict[tuple[int, int], None]] = {number: {} for number in order}
        ends: dict[int, dict[int, None]] = {number: {} for number in order}
        for edge in self.edges:
            about = self.about[id(edge)]
            if edge.outcome:
                ends[about][edge.outcome] = None
            for other, zone, field in self._changes(edge):
                if other == about:
                    continue
                if other in order:
                    arrows[Arrow(about, other, *self._end(edge), _option(edge), zone, field)] = None
                elif field < 0:
                    brings[about][other, zone] = None
        nodes = [
            GraphNode(number, self._mission(number), tuple(brings[number]), tuple(ends[number])) for number in order
        ]
        return Graph(tuple(nodes), tuple(arrows))

    def _about(self, edge: Edge) -> int:
        """Return the definition that a step belongs to; the campaign if it asks nothing."""
        program = self.image.program
        named = subjects_of_answers(self.image, edge.answers)
        chosen = [n for n in named if program.kinds[program.definitions[n].kind].policy == "definitions"]
        if chosen:
            return chosen[0]
        hints = dict.fromkeys([n for _, n in self._named(edge.before)] + [n for n, _, _ in self._changes(edge)])
        for mission in named:
            places = self._naming(mission)
            hinted = [place for place in hints if place in places]
            if places:
                return (hinted or places)[0]
        return self.explored.campaign

    def _naming(self, mission: int) -> list[int]:
        """Return the definitions that name a mission in one of their fields."""
        fields = self.image.program.fields
        return [
            number
            for number, row in enumerate(self.image.program.definitions)
            if any(value == mission and fields[field].tag == "definition" for field, value in row.values)
        ]

    def _mission(self, number: int) -> int:
        """Return the mission that a definition names, or -1."""
        program = self.image.program
        named = [v for field, v in program.definitions[number].values if program.fields[field].tag == "definition"]
        kinds = program.kinds
        missions = [v for v in named if v >= 0 and kinds[program.definitions[v].kind].policy == "mission"]
        return missions[0] if missions else -1

    def _changes(self, edge: Edge) -> Iterator[tuple[int, int, int]]:
        """Yield (definition, zone row or -1, field or -1) for each thing that a step puts into a zone or a stat."""
        if edge.after == ENDED:
            return
        image, layout = self.image, self.image.layout
        before, after = self.explored.states[edge.before], self.explored.states[edge.after]
        for zone, old, new in zip(image.kept_zones, before.zones, after.zones, strict=True):
            for thing in new:
                if thing not in old:
                    yield layout.definition_of[thing], layout.zone_row[zone], -1
        named = self._named(edge.before)
        for field, value in self._named(edge.after):
            if (field, value) not in named:
                yield value, -1, field

    def _named(self, state: int) -> list[tuple[int, int]]:
        """Return (field, definition) for each kept stat that names a definition, or a thing other than a player."""
        out: list[tuple[int, int]] = []
        for (field, _), value in zip(self.image.kept_stats, self.explored.states[state].values, strict=True):
            tag = self.image.program.fields[field].tag
            if tag == "thing" and value >= 0:
                value = self.image.layout.definition_of[value]
            if tag in ("thing", "definition") and value >= 0:
                out.append((field, value))
        return out

    def _end(self, edge: Edge) -> tuple[str, int, int]:
        """Return how the mission of a step ended (a tag, or ""), and the definitions of the winning team and of the
        named ending, each -1 if there is none."""
        ends = [option for option in edge.answers if option[0] in ENDINGS]
        if not ends:
            return "", -1, -1
        things = [*ends[-1][2:], -1, -1][:2]
        by, ending = [self.image.layout.definition_of[thing] if thing >= 0 else -1 for thing in things]
        return TAGS[ends[-1][0]], by, ending


def _option(edge: Edge) -> int:
    texts: list[Option] = [option for option in edge.answers if option[0] == LABEL]
    return texts[-1][1] if texts else -1


def can_be_won(node: GraphNode) -> bool:
    """Return whether a node can end the campaign with a win."""
    return WIN in node.ends
