"""The statistics of many games as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fcbdsl import __version__
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.cell_statistics import Exchange, Summary, Usage, definition_title, space_title
from fcbdsl.play.simulation.soundness import AimSummary, cure
from fcbdsl.tools.reports.wording import (
    average,
    number_with_noun,
    points,
    report_text,
    story_command,
    whole_percent,
    worths_note,
)

USES = 12
"""Most rows of one kind that are shown."""
WAYPOINTS = 24
"""Most parts of the story with a value of a track."""
FEWEST = 5
"""Least games with and without a card for which its win rates are shown."""
ENDINGS = ("win", "lose", "draw", "fault")
"""Outcomes with interface words."""


def simulation_report(program: Program, summaries: Sequence[Summary], language: str, seed: int = 1) -> str:
    """Return the report of setups of a program, whose first game has the seed `seed`."""
    lines = [provenance(program, summaries, language, seed), ""] if summaries else []
    return "\n".join([*lines, *(line for summary in summaries for line in _Text(program, summary, language).lines())])


def provenance(program: Program, summaries: Sequence[Summary], language: str, seed: int) -> str:
    """Return the line with the bot, program, version of fcb, variants and seeds of a report."""
    variants = ", ".join(f"{name}={value}" for name, value in (summaries[0].cell.switches if summaries else ()))
    bots = ", ".join(dict.fromkeys(summary.cell.bot for summary in summaries))
    return report_text(
        language, "made-of", program.hash, __version__, str(seed), f", {variants}" if variants else "", bots
    )


def audit(program: Program, summary: Summary, language: str) -> Iterator[str]:
    """Yield the conditions of a win of a setup, and whether its rate is meaningful."""
    return _Text(program, summary, language).audit()


def wins_by_side(program: Program, summary: Summary, language: str) -> str:
    """Return the wins of each team or player of a setup; empty if all win and lose together."""
    if not summary.winners:
        return ""
    parts = []
    for name, games in summary.winners.items():
        title = report_text(language, "player", name) if name.isdecimal() else definition_title(program, name, language)
        parts.append(f"{title} {games}")
    return report_text(language, "winners", ", ".join(parts)) + (
        f" ({report_text(language, 'shared', str(summary.shared))})" if summary.shared else ""
    )


def final_scores(summary: Summary, language: str) -> Iterator[str]:
    """Yield the final numbers of the players, seat by seat, a line for each number."""
    for title, seats in summary.scores.items():
        yield report_text(language, "scores", title, " | ".join([_spread(seat, language) for seat in seats]))


def _spread(values: tuple[int, int, int], language: str) -> str:
    """Return quartiles as text: the middle one, and the range if there is one."""
    low, middle, high = values
    return str(middle) if low == high else f"{middle} ({report_text(language, 'from-to', str(low), str(high))})"


class _Text:
    """One cell."""

    def __init__(self, program: Program, summary: Summary, language: str) -> None:
        self.program, self.one, self.language = program, summary, language

    def lines(self) -> Iterator[str]:
        """Yield all lines of the report."""
        summary = self.one
        yield self._say("cell", self._name(), str(summary.won), str(summary.games), *map(self._percent, self._rate()))
        yield from self.audit()
        if summary.winners:
            yield f"  {wins_by_side(self.program, summary, self.language)}"
        yield from (f"  {line}" for line in final_scores(summary, self.language))
        for end in summary.ends:
            outcome = self._say(f"is-{end.outcome}") if end.outcome in ENDINGS else end.outcome
            why = self._say("bar", outcome, end.words) if end.words else outcome
            yield f"  {end.games:>5}  {why} ({self._say('seed', str(end.seed))})"
        if summary.missed:
            yield f"  {self._say('endings-missed', ', '.join(summary.missed))}"
        parts = [f"{summary.part} {self._spread(summary.parts)}"] if summary.part else []
        decisions = self._say("at-decision", self._spread(summary.decisions))
        yield "  " + self._say("over-at", ", ".join([*parts, decisions]))
        seeds = (f"{self._say(f'is-{name}')} {seed}" for name, seed in summary.notable.items())
        yield "  " + self._say("seeds", ", ".join(seeds))
        if summary.notable:
            shown = summary.notable.get("closest", next(iter(summary.notable.values())))
            yield "  " + self._say("at-table", story_command(summary.cell, shown))
        yield from self._tracks()
        yield from self._uses()
        yield from self._worths()
        yield from self._happenings()
        if summary.unmet:
            yield f"  {self._head('unmet')} {', '.join(summary.unmet[:USES])}{self._more(summary.unmet, USES)}"
        empty = [
            space_title(self.program, summary.cell.mission, space, self.language)
            for space, times in summary.spaces.items()
            if not times
        ]
        if empty:
            yield f"  {self._head('never-entered')} {', '.join(empty)}"
        content = [
            self._say(f"met-{name}", str(met), str(total)) for name, (met, total) in summary.content.items() if total
        ]
        yield f"  {self._head('content')} {' · '.join(content)}"
        yield f"  {self._say('with-care')}"
        yield ""

    def audit(self) -> Iterator[str]:
        """Yield the conditions of a win, and whether the rate is meaningful."""
        summary = self.one
        for reason, parts in summary.unsound:
            yield f"  {self._say('unsound', self._say(reason, *parts))}"
        if summary.unsound:
            word, parts = cure(self.program, summary.cell.mission, summary.unsound)
            yield f"  {self._say(word, *parts)}"
        if summary.aims:
            yield f"  {self._say('aims')}"
        for line in dict.fromkeys(map(self._aim, summary.aims)):
            yield f"    {line}"
        if summary.control is not None:
            yield f"  {self._say('control', *map(str, summary.control))}"

    def _aim(self, aim: AimSummary) -> str:
        title = " + ".join(aim.titles)
        if aim.moved:
            line = self._say("aim-moved", title, *map(str, (aim.moved, aim.games, aim.met)))
        else:
            word = {1: "aim-never-rises", -1: "aim-never-falls"}.get(aim.rises, "aim-never")
            line = self._say(word, title)
        movers = [self._say("aim-mover", x.title, str(x.offered), str(x.taken), str(x.moved)) for x in aim.movers]
        return "; ".join([line, *(movers or ([] if aim.moved else [self._say("aim-no-mover")]))])

    def _name(self) -> str:
        cell = self.one.cell
        parts = [self._say("bar", switch, value) for switch, value in cell.switches]
        parts += [self._say("wins-of", definition_title(self.program, cell.side, self.language))] if cell.side else []
        parts += [self._say("done-without", cell.without)] if cell.without else []
        return ", ".join([cell.mission, number_with_noun(self.language, "players", cell.players), *parts])

    def _rate(self) -> tuple[float, float, float]:
        return self.one.rate, self.one.low, self.one.high

    def _tracks(self) -> Iterator[str]:
        summary = self.one
        for track, values in summary.tracks.items():
            title = definition_title(self.program, track, self.language)
            yield f"  {self._say('track-ended', title, self._spread(values))}"
            course = summary.courses.get(track, ())
            if len(course) > 2:
                ways = ", ".join(str(way.middle) for way in course[:WAYPOINTS])
                yield f"    {self._say('track-ran', ways, summary.part)}{self._more(course, WAYPOINTS)}"
            if track in summary.unreached:
                yield f"    {self._head('unreached')} {', '.join(summary.unreached[track])}"

    def _uses(self) -> Iterator[str]:
        summary = self.one
        taken = [use for use in summary.uses if use.games]
        yield f"  {self._say('used-most')}"
        for use in taken[:USES]:
            counts = (self._average(use.uses), self._average(use.offered), self._effects(use))
            yield f"    {use.title:<28} {counts[0]:>7} {counts[1]:>7} {counts[2]:>10}   {self._rates(use)}"
        if len(taken) > USES:
            yield f"   {self._more(taken, USES)}"
        turned_up = [use for use in taken[USES:] if not use.uses and not use.offered]
        if turned_up:
            yield f"  {self._say('turned-up')}"
            for use in turned_up[:USES]:
                times = self._average(use.effects)
                yield f"    {use.title:<28} {times:>7} {self._effects(use):>10}   {self._rates(use)}"
        if len(turned_up) > USES:
            yield f"   {self._more(turned_up, USES)}"
        barren = [use.title for use in taken if use.effects and not use.fruitful]
        seldom = [use.title for use in taken if use.games * 20 <= summary.games]
        passed = [use.title for use in summary.uses if not use.uses and use.offered]
        for word, titles in (("barren", barren), ("seldom", seldom), ("never-taken", passed)):
            if titles:
                yield f"  {self._head(word)} {', '.join(titles)}"

    def _worths(self) -> Iterator[str]:
        """Yield the values of names: first the conclusive ones, the largest first."""
        worths = sorted(self.one.worths, key=lambda worth: -abs(worth.wins.value))
        if not worths:
            return
        yield f"  {self._say('worth-said')}"
        for worth in (worth for worth in worths if worth.verdict in ("helps", "hinders")):
            yield f"    {worth.title:<28} {points(self.language, worth):>20} {worth.pairs:>6} {worth.played:>6}"
        rest = [f"{worth.title} {points(self.language, worth)}" for worth in worths if worth.verdict == "open"]
        little = [worth.title for worth in worths if worth.verdict == "little"]
        for word, group in (("worth-open", rest), ("worth-little", little)):
            if group:
                yield f"    {self._say(word, ', '.join(group[:USES]))}{self._more(group, USES)}"
        side = definition_title(self.program, self.one.cell.side, self.language)
        yield f"  {worths_note(self.language, len(worths), side)}"

    def _happenings(self) -> Iterator[str]:
        summary = self.one
        if summary.events:
            yield f"  {self._say('what-happened')}"
        for event in summary.events[:USES]:
            yield f"    {event.title:<40} {self._average(event.times):>6}   {event.games}"
        if len(summary.events) > USES:
            yield f"   {self._more(summary.events, USES)}"
        if summary.silent:
            yield f"  {self._say('is-silent')} {' · '.join(summary.silent)}"
        if summary.exchanges:
            yield f"  {self._say('what-changed')}"
        for change in summary.exchanges[:USES]:
            yield f"    {self._change(change)}"
        if len(summary.exchanges) > USES:
            yield f"   {self._more(summary.exchanges, USES)}"

    def _change(self, change: Exchange) -> str:
        amounts = (("−", change.lost), ("+", change.gained))
        turns = ", ".join(f"{sign}{self._average(amount)}" for sign, amount in amounts if amount)
        return self._say("changed-by", self._say("of", change.number, change.bearer), change.source, turns)

    def _spread(self, values: tuple[int, int, int]) -> str:
        return _spread(values, self.language)

    def _effects(self, use: Usage) -> str:
        return self._say("so-many-of", str(use.fruitful), str(use.effects)) if use.effects else "–"

    def _rates(self, use: Usage) -> str:
        """Return the win rates, if there are enough games on both sides."""
        if use.won_with is None or use.won_without is None or min(use.games, self.one.games - use.games) < FEWEST:
            return "–"
        return f"{self._percent(use.won_with)}, {self._percent(use.won_without)}"

    def _more(self, rows: Sequence[object], most: int) -> str:
        return f" {self._say('and-more', str(len(rows) - most))}" if len(rows) > most else ""

    def _average(self, times: int) -> str:
        return average(self.language, times / self.one.games)

    def _percent(self, share: float) -> str:
        return whole_percent(self.language, share)

    def _head(self, word: str) -> str:
        """Return a heading of the page for use within a line."""
        text = self._say(word)
        return text[:1].lower() + text[1:]

    def _say(self, word: str, *parts: str) -> str:
        return report_text(self.language, word, *parts)
