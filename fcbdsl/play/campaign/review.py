"""Checking campaigns: reports the findings of their exploration as diagnostics at the definitions concerned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.campaigns import (
    BrokenOnTheWay,
    DeadEnd,
    FaultOnTheWay,
    ForcedLoop,
    NeverComes,
    NoWayOut,
    TooManyCourses,
)
from fcbdsl.base.source import Source, Span
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.world import ACTION, DONE, ENDINGS, LABEL, NONE, TAGS, Option
from fcbdsl.play.campaign.altered import facts_changed_by_missions
from fcbdsl.play.campaign.dead_ends import CIRCLE, STILL, StuckPart, states_before_end, stuck_parts
from fcbdsl.play.campaign.exploration import MOST_STATES, Edge, Explored, Flaw, explore, outlining, subjects_of_answers
from fcbdsl.play.campaign.journey import campaigns
from fcbdsl.play.session.source_spans import source_span

MOST_TOLD = 4
"""Most dead ends and similar parts that are reported for a campaign."""
LONGEST = 8
"""Most steps of a course that a diagnostic shows: the last ones."""


def review(
    program: Program, sources: Mapping[str, Source], most: int = MOST_STATES, image: Image | None = None
) -> list[Diagnostic]:
    """Explore the campaigns of a program and return their diagnostics; `sources` are its files by name.

    A prospect that no course of any campaign fulfills is reported once. `image`: the image of the program, if the
    caller has one; `most`: limit of the states.
    """
    image = image or Image(program)
    all_explored: list[Explored] = []
    for campaign in campaigns(image):  # what one campaign fulfills is not of interest in the next one
        due = all_explored[-1].due if all_explored else None
        all_explored.append(explore(image, campaign, most=most, due=due))
    lacking = any(_lacking(all_explored, number) for number in range(len(program.prospects)))
    all_explored = [
        _closer(image, state, most) if state.merged and (lacking or stuck_parts(state)) else state
        for state in all_explored
    ]
    lacking = any(_lacking(all_explored, number) for number in range(len(program.prospects)))
    if lacking or any(map(stuck_parts, all_explored)):
        all_explored = [_with_alterations(image, state, most) for state in all_explored]
    out: list[Diagnostic] = []
    for explored in all_explored:
        out += _Report(program, image, sources, explored).problems()
    if all_explored:
        out += _never(program, sources, all_explored)
    return out


def _lacking(explored: list[Explored], prospect: int) -> list[int]:
    """Return the definitions for which no campaign fulfills a prospect."""
    if not explored:
        return []
    first, *others = explored
    return [number for number in first.due[prospect] if all(number in other.due[prospect] for other in others)]


def _closer(image: Image, explored: Explored, most: int) -> Explored:
    """Explore a campaign again with every difference of pieces, since that may remove a suspected flaw."""
    again = explore(image, image.program.definitions[explored.campaign].id, most=most, closely=True, due=explored.due)
    return again if again.whole else _less(explored, again)


def _with_alterations(image: Image, explored: Explored, most: int) -> Explored:
    """Explore a campaign again with what missions may alter, and return the flaws that remain. It allows more than
    missions do, so it finds no new flaws."""
    left = facts_changed_by_missions(image, explored)
    if not left:
        return explored
    id = image.program.definitions[explored.campaign].id
    again = explore(image, id, most=most, closely=explored.merged, altered=left, due=explored.due)
    outline = outlining(image)
    safe = {outline(again.states[state]): None for state in states_before_end(again)}
    proven = {outline(again.states[state]): None for state in states_before_end(again, proven=True)}
    keys = [outline(state) for state in explored.states]
    explored.dismissed = any(key in safe and key not in proven for key in keys)
    explored.saved = {n: None for n, key in enumerate(keys) if key in safe}
    return _less(explored, again)


def _less(explored: Explored, again: Explored) -> Explored:
    """Combine two explorations of a campaign, where the second one can find no new flaws."""
    explored.whole = explored.whole and again.whole
    explored.looked = again.looked
    for number, due in again.due.items():
        explored.due[number] = [definition for definition in explored.due[number] if definition in due]
    return explored


def _never(program: Program, sources: Mapping[str, Source], all_explored: list[Explored]) -> Iterator[Diagnostic]:
    """Yield the prospects that no campaign fulfills, and the campaigns whose end a cut exploration did not reach."""
    whole = all(explored.whole for explored in all_explored)
    unmet: list[str] = []
    for number, prospect in enumerate(program.prospects):
        for definition in _lacking(all_explored, number):
            row = program.definitions[definition]
            says = program.texts[prospect.title]["en"]
            span = source_span(program, sources, row.span)
            if whole and span is not None:
                yield NeverComes(span, kind=program.kinds[row.kind].name, id=row.id, says=says)
            elif not whole:
                unmet.append(f"`{row.id}` {says}")
    for explored in all_explored:
        campaign = program.definitions[explored.campaign]
        span = source_span(program, sources, campaign.span)
        endless = explored.dismissed or 0 not in states_before_end(explored, proven=True)
        due = ", ".join([*unmet, *(["an end"] if endless else [])])
        if not explored.whole and due and span is not None:
            yield TooManyCourses(span, campaign=campaign.id, states=explored.looked, due=due)


class _Report:
    """Reports the problems of one campaign."""

    def __init__(self, program: Program, image: Image, sources: Mapping[str, Source], explored: Explored) -> None:
        self.program = program
        self.image = image
        self.sources = sources
        self.explored = explored
        self.campaign = program.definitions[explored.campaign]

    def problems(self) -> Iterator[Diagnostic]:
        """Yield faults and broken invariants first, then parts without a way to an end."""
        for flaw in self.explored.flaws:
            yield self._flaw(flaw)
        problems: dict[tuple[str, int], Diagnostic] = {}
        for verdict in stuck_parts(self.explored):
            problem = self._verdict(verdict)
            problems.setdefault((problem.code, problem.span.start), problem)  # one entry into such a part is enough
        yield from list(problems.values())[:MOST_TOLD]

    def _flaw(self, flaw: Flaw) -> Diagnostic:
        course = self.course([*self.explored.course(flaw.state), Edge(flaw.state, flaw.state, flaw.answers)])
        if flaw.invariant < 0:
            span = source_span(self.program, self.sources, flaw.span) or self._own()
            return FaultOnTheWay(span, campaign=self.campaign.id, reason=flaw.reason, course=course)
        row = self.program.invariants[flaw.invariant]
        says = self.program.texts[row.title]["en"]
        return BrokenOnTheWay(self._last(flaw.answers), campaign=self.campaign.id, says=says, course=course)

    def _verdict(self, verdict: StuckPart) -> Diagnostic:
        course = self.course(self.explored.course(verdict.states[0]))
        span = self._own() if verdict.entry is None else self._last(verdict.entry.answers)
        if verdict.sort == STILL:
            return DeadEnd(span, campaign=self.campaign.id, course=course)
        if verdict.sort == CIRCLE:
            return ForcedLoop(span, campaign=self.campaign.id, length=len(verdict.states), course=course)
        return NoWayOut(span, campaign=self.campaign.id, course=course)

    def _own(self) -> Span:
        """Return the span of the campaign's declaration."""
        span = source_span(self.program, self.sources, self.campaign.span)
        return span or Span(Source("", ""), 0, 0)

    def _last(self, answers: tuple[Option, ...]) -> Span:
        """Return the span of the first definition that the answers name; else that of the campaign."""
        for number in subjects_of_answers(self.image, answers):
            if self.program.kinds[self.program.definitions[number].kind].policy != "mission":
                return source_span(self.program, self.sources, self.program.definitions[number].span) or self._own()
        return self._own()

    # ── courses as text ────────────────────────────────────────────────────────────────────────

    def course(self, edges: list[Edge]) -> str:
        """Return a course as text: the ids of the options taken, step by step."""
        steps = [step for edge in edges if (step := self._step(edge.answers))]
        left = ["…"] if len(steps) > LONGEST else []
        return "; ".join([*left, *steps[-LONGEST:]]) or "from the start"

    def _step(self, answers: tuple[Option, ...]) -> str:
        return ", ".join(title for option in answers if (title := self._option(option)))

    def _option(self, option: Option) -> str:
        program = self.program
        if option[0] in (NONE, DONE):
            return ""
        if option[0] in ENDINGS:
            by = f" by `{self._id(option[2])}`" if option[2:] and option[2] >= 0 else ""
            ending = f" as `{self._id(option[3])}`" if option[3:] else ""
            return f"`{program.definitions[option[1]].id}` {TAGS[option[0]]}{by}{ending}"
        if option[0] == ACTION:
            words = " ".join(program.actions[option[1]].words) or program.actions[option[1]].name
            subject = self._id(option[3]) if option[3] >= 0 else ""
            return f"{words} `{subject}`" if subject else words
        if option[0] == LABEL:
            return f"“{program.texts[option[1]].get('en', '')}”" if option[1] >= 0 else f"option {option[2] + 1}"
        if TAGS[option[0]] == "thing":
            return f"`{self._id(option[1])}`"
        if TAGS[option[0]] == "definition":
            return f"`{program.definitions[option[1]].id}`"
        return str(option[1])

    def _id(self, thing: int) -> str:
        number = self.image.layout.definition_of[thing]
        return self.program.definitions[number].id if number >= 0 else ""
