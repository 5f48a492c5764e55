"""``python -m benchmarks.balance GAMES.jsonl…``: writes the tables of ``docs/balance.md`` from games that were kept.

    fcb simulate --game GAME --bot thumb --games 400 --keep games.jsonl
    python -m benchmarks.balance games.jsonl

Each cell counts the games of one program: the one with most kept games. A cell without kept games stays as on the page.
The bands are those of ``fcb.toml``. Each row names the program that was played, and a fingerprint of everything in it
that affects play. A row is marked stale if the current program of the game has another fingerprint: changed texts do
not matter. Without arguments the command only marks rows. The tables are between two comments; people write the reasons
below them.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fcbdsl.base.files import write_atomically
from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.fingerprint import code_names, meaning
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.gates import Band, band_of
from fcbdsl.play.simulation.intervals import wilson
from fcbdsl.project.project import cached_model, load_all

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "balance.md"
PROGRAM, PLAY, STALE = "program", "play", "stale"
HASH = 12
"""Digits of a program's hash on the page."""
BEGIN, END = "<!-- tables: python -m benchmarks.balance -->", "<!-- end of tables -->"


@dataclass(frozen=True, slots=True)
class Cell:
    """The setup of games: mission, players, bot, and the side whose wins count (empty: everybody)."""

    mission: str
    players: int
    bot: str
    side: str


@dataclass(frozen=True, slots=True)
class Count:
    """The results of a cell's games with one program (or several, if read from the page; joined by ", ").

    `play`: the fingerprints of these programs, joined in the same way; empty if unknown.
    """

    program: str
    games: int
    won: int
    play: str = ""

    @property
    def told(self) -> str:
        """Return wins of games, with the 95 % interval."""
        low, high = wilson(self.won, self.games)
        return f"{self.won}/{self.games} ({100 * low:.0f}–{100 * high:.0f} %)"

    def outside(self, low: int, high: int) -> bool:
        """Return whether the whole interval is outside of a percentage range."""
        least, most = wilson(self.won, self.games)
        return most < low / 100 or least > high / 100


def counted(lines: Iterable[bytes]) -> dict[Cell, Count]:
    """Count kept games with default switches and without ablation. Incomplete lines and repeated games don't count."""
    found: dict[tuple[Cell, str], dict[int, bool]] = defaultdict(dict)
    for line in lines:
        try:
            kept = json.loads(line)
        except ValueError:
            continue
        of = kept["cell"]
        if not of["switches"] and not of["without"]:
            cell = Cell(of["mission"], of["players"], of["bot"], of["side"])
            found[cell, kept["program"]][kept["game"]["seed"]] = kept["game"]["outcome"] == "win"
    best: dict[Cell, Count] = {}
    for (cell, program), games in found.items():
        if cell not in best or best[cell].games < len(games):
            best[cell] = Count(program, len(games), sum(games.values()))
    return best


def play_fingerprint(program: Program) -> str:
    """Return a fingerprint of everything in a program that affects play: equal if only texts and places differ."""
    plain = replace(program, texts=tuple({} for _ in program.texts))
    said = meaning(plain, [name for name in code_names(plain) if name])
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=HASH // 2).hexdigest()


def named(names: Iterable[str]) -> str:
    """Return hashes, which may be joined by ", ", for a row of the page."""
    return ", ".join(
        f"`{name}`" for name in sorted({one[:HASH] for joined in names for one in joined.split(", ")} - {""})
    )


def table(
    missions: Sequence[str], bands: Mapping[str, Band], counts: Mapping[Cell, Count], current: str, play: str = ""
) -> str:
    """Return one game's cells in Markdown, a row for each mission. A cell that is surely outside its band is bold.

    `current` is the hash of the game's program from the present sources, `play` its fingerprint: rows with another
    fingerprint are stale.
    """
    numbers = sorted({cell.players for cell in counts if cell.mission in missions})
    head = ["mission", "wanted", *(f"{n} player{'s' * (n > 1)}" for n in numbers), PROGRAM, PLAY]
    out = [head, ["---"] * len(head)]
    for mission in missions:
        low, high = bands.get(mission, (0, 100))
        row = [f"`{mission}`", f"{low}–{high} %"]
        for number in numbers:
            count = next((counts[cell] for cell in counts if (cell.mission, cell.players) == (mission, number)), None)
            row.append("–" if count is None else f"**{count.told}**" if count.outside(low, high) else count.told)
        if row[2:] != ["–"] * len(numbers):
            mine = [count for cell, count in counts.items() if cell.mission == mission]
            plays = [count.play or (play if count.program[:HASH] == current[:HASH] else "") for count in mine]
            stale = "" if {*plays} == {play} else f" ({STALE})"
            out.append([*row, named(count.program for count in mine), f"{named(plays)}{stale}".strip()])
    return "".join(f"| {' | '.join(row)} |\n" for row in out)


def facts(missions: Sequence[str], counts: Mapping[Cell, Count]) -> str:
    """Return the bots, the number of games, and the side whose wins count, for a game's cells."""
    mine = {cell: count for cell, count in counts.items() if cell.mission in missions}
    bots = ", ".join(f"`{bot}`" for bot in sorted({cell.bot for cell in mine}))
    sides = ", ".join(f"`{side}`" for side in sorted({cell.side for cell in mine if cell.side}))
    games = [count.games for count in mine.values()]
    span = f"{min(games)}" if min(games) == max(games) else f"{min(games)} to {max(games)}"
    wins = f", wins of {sides}" if sides else ""
    return f"{sum(games):,} games by {bots}{wins}, {span} in each cell.\n"


_FACTS = re.compile(r"games by `([^`]+)`(?:, wins of `([^`]+)`)?, .* in each cell")
_TOLD = re.compile(r"\**(\d+)/(\d+) \(")


def read(page: str) -> dict[Cell, Count]:
    """Return the cells of the tables of a page."""
    found: dict[Cell, Count] = {}
    bot = side = ""
    numbers: list[int] = []
    hashes = 1
    for line in page.splitlines():
        facts = _FACTS.search(line)
        if facts is not None:
            bot, side = facts[1], facts[2] or ""
        parts = [part.strip() for part in line.strip("|").split("|")]
        if parts[0] == "mission":
            numbers = [int(part.split()[0]) for part in parts[2:] if part not in (PROGRAM, PLAY)]
            hashes = len(parts) - 2 - len(numbers)
        programs, play = (", ".join(re.findall(r"`(\w+)`", part)) for part in [*parts[len(parts) - hashes :], ""][:2])
        for number, part in zip(numbers, parts[2:], strict=False):
            told = _TOLD.match(part)
            if told is not None:
                found[Cell(parts[0].strip("`"), number, bot, side)] = Count(programs, int(told[2]), int(told[1]), play)
    return found


def tables(counts: Mapping[Cell, Count]) -> str:
    """Return the tables of all games of the project, with their facts."""
    out = []
    for loader in load_all(root=ROOT, tests=False):
        program = lower(cached_model(loader)[0])
        missions = [row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"]
        if any(cell.mission in missions for cell in counts):
            wanted = {mission: band_of(program, mission, loader.project.wins) for mission in missions}
            bands = {mission: band for mission, band in wanted.items() if band is not None}
            rows = table(missions, bands, counts, program.hash, play_fingerprint(program))
            out.append(f"**{loader.project.game}**: {facts(missions, counts)}\n{rows}")
    return "\n".join(out)


def written(text: str, fresh: Mapping[Cell, Count]) -> str:
    """Return the page with its tables written again: cells of `fresh` replace those of the page."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{tables({**read(rest), **fresh})}{END}{after}"


def main(paths: Sequence[str]) -> None:
    """Write the tables into the page."""
    fresh = counted(line for file in map(Path, paths) for line in file.open("rb"))
    write_atomically(PAGE, written(PAGE.read_text(encoding="utf-8"), fresh).encode())


if __name__ == "__main__":
    main(sys.argv[1:])
