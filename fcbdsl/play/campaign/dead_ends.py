"""Finds dead ends in the courses of a campaign: states without a next step, and circles without an exit."""

from __future__ import annotations

from fcbdsl.base.records import dataclass
from fcbdsl.play.campaign.exploration import ENDED, Edge, Explored

STILL, CIRCLE, TRAP = "still", "circle", "trap"
"""No step is left; one edge leads on, and it leads in a circle; several edges lead on, but none to an end."""


@dataclass(frozen=True, slots=True)
class StuckPart:
    """A part of a campaign from which no end can be reached: its sort (see above), the edge that enters it (None: it is
    the whole campaign), and its states."""

    sort: str
    entry: Edge | None
    states: tuple[int, ...]


def stuck_parts(explored: Explored) -> list[StuckPart]:
    """Return every part that is never left after entering and contains no end. An unexplored state may lead to an
    end."""
    hopes = states_before_end(explored)
    out: list[StuckPart] = []
    for states in _components(explored, [n for n in range(len(explored.states)) if n not in hopes]):
        ways = {state: _ways(explored, state) for state in states}
        inside = dict.fromkeys(states)
        if any(after not in inside for afters in ways.values() for after in afters):
            continue  # an edge leads to another such part
        single = all(len(afters) == 1 for afters in ways.values())
        sort = STILL if len(states) == 1 else CIRCLE if single else TRAP
        out.append(StuckPart(sort, _entry(explored, inside, hopes), tuple(sorted(states))))
    return out


def _ways(explored: Explored, state: int) -> list[int]:
    """Return the other states that a state leads to."""
    afters = [edge.after for edge in explored.edges[state] or () if edge.after not in (ENDED, state)]
    return list(dict.fromkeys(afters))


def states_before_end(explored: Explored, *, proven: bool = False) -> dict[int, None]:
    """Return the states from which an end, or an unexplored state, can be reached; `proven`: an end that was found."""
    back: dict[int, list[int]] = {}
    todo: list[int] = [*explored.saved]
    for state, edges in enumerate(explored.edges):
        for edge in edges or ():
            back.setdefault(edge.after, []).append(state)
        if (edges is None and not proven) or any(edge.after == ENDED for edge in edges or ()):
            todo.append(state)
    seen = dict.fromkeys(todo)
    while todo:
        for before in back.get(todo.pop(), ()):
            if before not in seen:
                seen[before] = None
                todo.append(before)
    return seen


def _entry(explored: Explored, inside: dict[int, None], hopes: dict[int, None]) -> Edge | None:
    """Return the edge after which no end could be reached, on the first course into a part; None if there never was
    one."""
    if 0 not in hopes:
        return None
    for edge in explored.course(min(inside)):
        if edge.after not in hopes:
            return edge
    return None


def _components(explored: Explored, states: list[int]) -> list[list[int]]:
    """Return the strongly connected components of some states (Tarjan 1972, without recursion)."""
    out: list[list[int]] = []
    allowed, index, low = dict.fromkeys(states), {}, {}  # type: dict[int, None], dict[int, int], dict[int, int]
    stack: list[int] = []
    on_stack: dict[int, None] = {}
    for root in states:
        work = [(root, 0)] if root not in index else []
        while work:
            state, at = work.pop()
            if at == 0:
                index[state] = low[state] = len(index)
                stack.append(state)
                on_stack[state] = None
            afters = [after for after in _ways(explored, state) if after in allowed]
            for place in range(at, len(afters)):
                after = afters[place]
                if after not in index:
                    work += [(state, place + 1), (after, 0)]
                    break
                if after in on_stack:
                    low[state] = min(low[state], low[after])
            else:
                if low[state] == index[state]:
                    out.append(_popped(stack, on_stack, state))
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[state])
    return out


def _popped(stack: list[int], on_stack: dict[int, None], root: int) -> list[int]:
    """Take a finished component off the stack."""
    part: list[int] = []
    while not part or part[-1] != root:
        part.append(stack.pop())
        del on_stack[part[-1]]
    return part
