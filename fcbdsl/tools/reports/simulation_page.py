"""The statistics of many games as a single web page without scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fcbdsl.base import resources
from fcbdsl.base.typography import with_capital
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.session import strings
from fcbdsl.play.session.story import Heading, StoryLine
from fcbdsl.play.simulation.ablation import Worth
from fcbdsl.play.simulation.cell_statistics import (
    Finish,
    Happening,
    Summary,
    Tally,
    Usage,
    definition_title,
    program_text,
)
from fcbdsl.play.simulation.games import Matchup
from fcbdsl.play.simulation.gates import Band, compare_with_band
from fcbdsl.play.simulation.telling import GameStory
from fcbdsl.tools.reports import charts
from fcbdsl.tools.reports.simulation_text import audit, final_scores, provenance, wins_by_side
from fcbdsl.tools.reports.wording import (
    average,
    group_thousands,
    number_with_noun,
    points,
    report_text,
    story_command,
    whole_percent,
    worths_note,
)

LENGTH = 360
"""Pixels from a win rate of 0 to one of 1."""
MOST_USES = 16
"""Most actions and cards that a table shows at once; a click opens the others."""
MOST_EXCHANGES = 12
"""Most rows of losses and gains that are shown at once."""
MOST_TOLD = 60
"""Most games with a story on the page."""
WIDE = 200
"""Pixels from 100 points fewer to 100 more."""
SHOWN = ("helps", "hinders")
"""Verdicts on names that are shown at once."""
VERDICTS = {"inside": "✓", "outside": "✗", "open": "?"}
PLAYED = ("win", "lose", "draw", "fault")
"""Outcomes of games with interface words."""


def render_simulation_page(
    program: Program,
    results: Sequence[tuple[Summary, Tally]],
    stories: Mapping[tuple[Matchup, int], GameStory],
    bands: Mapping[str, Band],
    language: str,
    fewest: int,
    missing: int | None = None,
    seed: int = 1,
) -> str:
    """Return the report of cells, each with the counts of its games.

    `stories`: of games, by cell and seed. `bands`: target bands of missions. `fewest`: the least games on both sides of
    a shown rate. `missing`: cells not begun when the run was stopped. `seed`: the first game.
    """
    import jinja2

    def words(word: str, *parts: str) -> str:
        return report_text(language, word, *parts)

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources.package_folder() / "tools" / "reports" / "templates"),
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    cells = [
        _Cell(program, summary, tally, stories, bands.get(summary.cell.mission), language, fewest).shown(f"c{number}")
        for number, (summary, tally) in enumerate(results)
    ]
    missions = list(dict.fromkeys(cell["mission"] for cell in cells))
    games = sum(summary.games for summary, _ in results)
    bots = ", ".join(dict.fromkeys(summary.cell.bot for summary, _ in results))
    return environment.get_template("report.html.j2").render(
        language=language,
        say=words,
        title=words("title-one", missions[0]) if len(missions) == 1 else words("title"),
        about=f"{words('about', bots, number_with_noun(language, 'games', games))} "
        f"({provenance(program, [summary for summary, _ in results], language, seed)})",
        stopped=words("stopped", number_with_noun(language, "cells", missing)) if missing is not None else "",
        cells=cells,
        banded=bool(bands),
        shades=charts.SHADES,
        tall=charts.TALL,
        length=LENGTH,
        wide=WIDE,
        fewest=str(fewest),
        ticks=[(LENGTH * tick // 100, whole_percent(language, tick / 100)) for tick in (0, 25, 50, 75, 100)],
    )


def seeds_to_tell(summaries: Sequence[Summary]) -> list[tuple[Matchup, int]]:
    """Return the games with a story on the page: the notable ones of each cell, without repetition, up to the limit."""
    wanted = dict.fromkeys((summary.cell, seed) for summary in summaries for seed in summary.notable.values())
    return list(wanted)[:MOST_TOLD]


class _Cell:
    """One cell, prepared for the page."""

    def __init__(
        self,
        program: Program,
        summary: Summary,
        tally: Tally,
        stories: Mapping[tuple[Matchup, int], GameStory],
        band: Band | None,
        language: str,
        fewest: int,
    ) -> None:
        self.program, self.one, self.tally, self.stories = program, summary, tally, stories
        self.band, self.language, self.fewest = band, language, fewest

    def shown(self, anchor: str) -> dict[str, Any]:
        """Return all data of the cell for the page."""
        summary = self.one
        mission = self._definition(summary.cell.mission)
        winners = wins_by_side(self.program, summary, self.language)
        parts = [f"{name}: {value}" for name, value in summary.cell.switches]
        parts += (
            [report_text(self.language, "wins-of", self._definition(summary.cell.side))] if summary.cell.side else []
        )
        return {
            "anchor": anchor,
            "mission": mission,
            "id": summary.cell.mission,
            "name": ", ".join([number_with_noun(self.language, "players", summary.cell.players), *parts]),
            "audit": [line.strip() for line in audit(self.program, summary, self.language)],
            "won": report_text(self.language, "won", self._number(summary.won), self._number(summary.games)),
            "rate": self._percent(summary.rate),
            "interval": report_text(self.language, "interval", self._percent(summary.low), self._percent(summary.high)),
            "drawn": {name: round(LENGTH * share, 1)
                      for name, share in (("rate", summary.rate), ("low", summary.low), ("high", summary.high))},
            "games": number_with_noun(self.language, "games", summary.games),
            "winners": with_capital(winners),
            "scores": [with_capital(line) for line in final_scores(summary, self.language)],
            "missed": ", ".join(summary.missed),
            "ends": [self._end(end) for end in summary.ends],
            "part": summary.part,
            "lengths": self._lengths(),
            "tracks": [self._histogram(self._definition(track), self.tally.tracks[track], values)
                       | {"course": self._course(track), "unreached": ", ".join(summary.unreached.get(track, ()))}
                       for track, values in summary.tracks.items()],
            "map": self._map(summary.spaces),
            "stood": self._map(summary.stood) if any(summary.stood.values()) else None,
            "left": [(self._kind(kind), self._map(spaces)) for kind, spaces in summary.left.items()],
            "events": [self._event(event) for event in summary.events],
            "silent": summary.silent,
            "exchanges": self._exchanges(),
            "unmet": summary.unmet,
            "never_entered": self._never_entered(),
            "uses": self._uses(),
            "seldom": [use.title for use in summary.uses if 0 < use.games * 20 <= summary.games],
            "never_taken": [use.title for use in summary.uses if not use.uses and use.offered],
            "barren": [use.title for use in summary.uses if use.effects and not use.fruitful],
            "content": [report_text(self.language, f"met-{name}", self._number(met), self._number(declared))
                        for name, (met, declared) in summary.content.items() if declared],
            "worths": self._worths(),
            "worth_says": worths_note(self.language, len(summary.worths), self._definition(summary.cell.side)),
            "stories": self._stories(),
            **self._gate(),
        }  # fmt: skip

    # ── wins and ends ──────────────────────────────────────────────────────────────────────────

    def _gate(self) -> dict[str, Any]:
        if self.band is None:
            return {"band": None, "wanted": "", "verdict": "", "mark": "", "verdict_text": ""}
        low, high = (share / 100 for share in self.band)
        verdict = compare_with_band(self.one, self.band).verdict
        return {
            "band": (round(LENGTH * low, 1), round(LENGTH * (high - low), 1)),
            "wanted": report_text(self.language, "wanted", self._percent(low), self._percent(high)),
            "verdict": verdict,
            "mark": VERDICTS[verdict],
            "verdict_text": report_text(self.language, "open-verdict" if verdict == "open" else verdict),
        }

    def _end(self, end: Finish) -> dict[str, Any]:
        return {
            "games": number_with_noun(self.language, "games", end.games),
            "share": round(100 * end.games / self.one.games, 1),
            "outcome": strings.play_text(self.language, end.outcome) if end.outcome in PLAYED else end.outcome,
            "sort": end.outcome,
            "why": end.words,
            "seed": report_text(self.language, "seed", str(end.seed)),
        }

    # ── lengths, tracks ────────────────────────────────────────────────────────────────────────

    def _lengths(self) -> list[dict[str, Any]]:
        summary = self.one
        out = []
        if summary.part:
            part = with_capital(summary.part)
            out.append(self._histogram(part, self.tally.parts, summary.parts))
        return [*out, self._histogram(report_text(self.language, "decisions"), self.tally.decisions, summary.decisions)]

    def _histogram(self, title: str, values: Mapping[int, int], spread: tuple[int, int, int]) -> dict[str, Any]:
        low, middle, high = (self._number(value) for value in spread)
        word = "spread-one" if low == high else "spread"
        drawn = charts.histogram(values)
        return {
            "title": title,
            "says": report_text(self.language, word, low, middle, high),
            "drawn": drawn,
            "bars": [report_text(self.language, "bar", str(bar.low) if bar.low == bar.high else f"{bar.low}–{bar.high}",
                         number_with_noun(self.language, "games", bar.games)) for bar in drawn.bars],
        }  # fmt: skip

    def _course(self, track: str) -> charts.CourseLine | None:
        """Return the course of a track from part to part, if there are several."""
        ways = [(way.low, way.middle, way.high) for way in self.one.courses.get(track, ())]
        return charts.course(ways) if self.one.part and len(ways) > 2 else None

    # ── the map ────────────────────────────────────────────────────────────────────────────────

    def _map(self, times: Mapping[str, int]) -> charts.HeatMap | None:
        boards = [row.board for row in self.program.definitions if row.id == self.one.cell.mission and row.board >= 0]
        return charts.heat_map(self.program, self.program.boards[boards[0]], times, self.language) if boards else None

    def _kind(self, name: str) -> str:
        """Return the title of a kind."""
        kind = next(kind for kind in self.program.kinds if kind.name == name)
        return program_text(self.program, kind.title, self.language) or name.replace("-", " ")

    def _never_entered(self) -> list[str]:
        drawn = self._map(self.one.spaces)
        return [space.title for space in drawn.spaces if not space.times] if drawn is not None else []

    # ── what happened ──────────────────────────────────────────────────────────────────────────

    def _event(self, event: Happening) -> dict[str, Any]:
        often = average(self.language, event.times / self.one.games)
        return {
            "title": event.title,
            "says": report_text(
                self.language, "happened", often, number_with_noun(self.language, "games", event.games)
            ),
            "map": self._map({**dict.fromkeys(self.one.spaces, 0), **event.spaces}) if event.spaces else None,
        }

    def _exchanges(self) -> list[list[dict[str, str]]]:
        """Return the table of losses and gains in two parts: the second opens by a click."""
        rows = [
            {
                "title": report_text(self.language, "of", exchange.number, exchange.bearer),
                "source": exchange.source,
                "lost": average(self.language, exchange.lost / self.one.games) if exchange.lost else "–",
                "gained": average(self.language, exchange.gained / self.one.games) if exchange.gained else "–",
            }
            for exchange in self.one.exchanges
        ]
        return [rows[:MOST_EXCHANGES], rows[MOST_EXCHANGES:]]

    # ── uses ───────────────────────────────────────────────────────────────────────────────────

    def _uses(self) -> list[list[dict[str, str]]]:
        """Return the table of uses in two parts: the second opens by a click."""
        rows = [self._use(use) for use in self.one.uses if use.games]
        return [rows[:MOST_USES], rows[MOST_USES:]]

    def _use(self, use: Usage) -> dict[str, str]:
        has_rates = min(use.games, self.one.games - use.games) >= self.fewest
        return {
            "title": use.title,
            "offered": self._number(use.offered) if use.offered else "–",
            "used": self._number(use.uses) if use.uses else "–",
            "average": average(self.language, use.uses / self.one.games) if use.uses else "",
            "effects": report_text(self.language, "so-many-of", self._number(use.fruitful), self._number(use.effects))
                       if use.effects else "–",
            "games": self._number(use.games),
            "won_with": self._percent(use.won_with) if has_rates and use.won_with is not None else "–",
            "won_without": self._percent(use.won_without) if has_rates and use.won_without is not None else "–",
        }  # fmt: skip

    # ── values of names ────────────────────────────────────────────────────────────────────────

    def _worths(self) -> list[list[dict[str, Any]]]:
        """Return the table of the values of names in two parts: those with a conclusive verdict, and the others, which
        open by a click."""
        parts: list[list[dict[str, Any]]] = [[], []]
        for worth in self.one.worths:
            parts[worth.verdict not in SHOWN].append(self._worth(worth))
        return parts

    def _worth(self, worth: Worth) -> dict[str, Any]:
        shift = worth.wins
        return {
            "title": worth.title,
            "drawn": {name: round(WIDE * (1 + share) / 2, 1)
                      for name, share in (("value", shift.value), ("low", shift.low), ("high", shift.high))},
            "points": points(self.language, worth),
            "verdict": report_text(self.language, f"verdict-{worth.verdict}"),
            "pairs": f"{self._number(worth.pairs)} ({self._number(worth.played)})",
        }  # fmt: skip

    # ── stories ────────────────────────────────────────────────────────────────────────────────

    def _stories(self) -> list[dict[str, Any]]:
        """Return the stories of the notable games; a game that is notable twice appears once."""
        names: dict[int, list[str]] = {}
        for name, seed in self.one.notable.items():
            names.setdefault(seed, []).append(report_text(self.language, name))
        return [self._story(seed, story) for seed, story in names.items()]

    def _story(self, seed: int, names: Sequence[str]) -> dict[str, Any]:
        game = self.stories.get((self.one.cell, seed))
        decisions = dict(self.tally.notable().values())[seed]
        return {
            "name": " · ".join(names),
            "says": report_text(
                self.language, "told-as", str(seed), number_with_noun(self.language, "decisions", decisions)
            ),
            "told": game,
            "parts": [] if game is None else [list(map(_line, game.beginning)), list(map(_line, game.end))],
            "cut": report_text(self.language, "cut", number_with_noun(self.language, "lines", game.cut))
            if game and game.cut
            else "",
            "command": self._command(seed),
            "table": report_text(self.language, "at-table", story_command(self.one.cell, seed)),
        }

    def _command(self, seed: int) -> str:
        cell = self.one.cell
        switches = "".join(f" --variant {name}={value}" for name, value in cell.switches)
        asked = f"--players {cell.players} --seed {seed}{switches} --lang {self.language}"
        return f"fcb play {cell.mission} --bot {cell.bot} {asked} --transcript -"

    # ── words ──────────────────────────────────────────────────────────────────────────────────

    def _definition(self, id: str) -> str:
        return definition_title(self.program, id, self.language)

    def _percent(self, share: float) -> str:
        return whole_percent(self.language, share)

    def _number(self, number: int) -> str:
        return group_thousands(self.language, number)


def _line(entry: Heading | StoryLine) -> dict[str, Any]:
    if isinstance(entry, Heading):
        return {"level": min(entry.level, 2), "text": entry.text}
    return {"level": 0, "depth": entry.depth, "text": entry.text}
