"""The measurements of each commit, kept in a file, and the page of the last ones (``make bench SAVE=1``)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = Path(__file__).resolve().parent / "history.json"
AUTHOR_FILE = FILE.with_name("author.json")
TABLE_FILE = FILE.with_name("table.json")
PAGE = ROOT / "docs" / "performance.md"

AUTHOR_HEAD = "| measure | goal | now | before | ratio | memory | before |\n|---|---|---|---|---|---|---|"
TABLE_HEAD = (
    "| game | seats | first question | click, median | click, 95 % "
    "| bytes a seat, median | bytes a seat, 95 % | one file | file to first question |\n" + 9 * "|---" + "|"
)
TABLE_BUDGET = "| *budget* | | 0.8 s | | 50 ms | | 500 | 8 MB | 4 s |"
SCRIPT_BUDGET = 40
"""Most kilobytes of the scripts of the table's page."""
HEAD = "| measure | ours | peer | ratio |\n|---|---|---|---|"

ABOUT = """# Performance

How fast fcb is, compared with what, and how it is measured. `make bench SAVE=1` measures again, adds the figures to
`benchmarks/history.json`, and writes this page from that file.

## Figures
"""
NOTES = """
## What is compared

- **The pack** is 5,000 generated cards of seven lines, written in the language and as YAML (`benchmarks/pack.py`).
  The peer loads the YAML and validates it against a JSON Schema. fcb also resolves names, reads effects, checks their
  types, and reads the shipped game. The peer does not compile. "Check and
  compile" of fcb is compared with the validation of the peer.
- **Shipped content** is every file of the four games, tests included, with an empty cache. Its peer for compiling is
  inkjs, which compiles a generated story.
- **Random bots** play the first mission with a countdown, with the smallest number of players.
- **Print** is every card and board of the shipped games, in English, as PDF.
- **Compiled** rows use the build by mypyc (`FCB_BUILD=compiled`, or a release wheel). Where no peer exists, they are
  compared with plain Python.

## What is compiled

| group | C compiler | check of all games | check of 5,000 cards | compiling them, too | `fcb test` | random bots |
|---|---|---|---|---|---|---|
| machine and bots | 82 s | 16 % | 0 % | 2 % | 15 % | 93 % |
| programs: reading, writing, verifying | 15 s | 2 % | 0 % | 8 % | 11 % | 4 % |
| `language/syntax`, `base/source` | 7 s | 11 % | 21 % | 12 % | 7 % | 0 % |
| `language/model` | 12 s | 3 % | 10 % | 5 % | 3 % | 0 % |
| `language/model/ir` | 5 s | 7 % | 8 % | 9 % | 6 % | 0 % |
| `language/model/resolve` | 23 s | 15 % | 25 % | 17 % | 9 % | 0 % |
| `language/model/declaring` | 12 s | 6 % | 12 % | 7 % | 5 % | 0 % |
| `language/model/checks` | 20 s | 7 % | 10 % | 6 % | 4 % | 0 % |
| `language/model/checks/missions` | 4 s | 1 % | 2 % | 1 % | 1 % | 0 % |
| `language/prose` | 20 s | 6 % | 0 % | 3 % | 5 % | 0 % |
| `language/compiler` | 25 s | 12 % | 0 % | 25 % | 20 % | 0 % |
| 28 modules left out | 24 s | 1 % | 1 % | 0 % | 1 % | 0 % |
| never compiled | | 13 % | 8 % | 5 % | 14 % | 1 % |

The percentages are shares of the CPU time in plain Python, sampled on 2026-11-28. Compiled code saves about 60 % of a
share, the machine 90 %. No module left out (`PLAIN` in `hatch_build.py`) has more than 0.3 % of any of these commands.
These modules check what few cards or missions have, read declarations that a game has once, or show trees.
Without them the compiled check of 5,000 cards takes 3 % longer; checking and compiling takes as long as before.

- The seconds are rounded CPU seconds of gcc 12 for generated C. To them come 27 s of mypyc, 16 s for the small C files
  of each module and the runtime, and 23 s for the results about the shipped games.
- The warning of misleading indentation took 85 s more for the machine, and about a quarter more for other files.
  It is turned off.
- Level -O2 instead of -O3 for the machine would save a fifth of its time, and make random bots 2 to 4 % slower.
- Two things did not help: including many C files in one takes as long as compiling them separately. To mark the code
  of imports as rarely used saves nothing.

## How it is measured

- Times are CPU seconds of whole processes. Only *cold start* is elapsed time.
- The two sides of a row run in turn, and the ratio is the median over the pairs. A shared machine changes its speed
  from minute to minute; the ratio hardly changes.
- The cache of checked files is off, except where the row says "unchanged".
- No test measures time. A test would fail on a busy machine.

## What falls short

- Plain Python takes a little longer than the peer to check and compile the pack.
- A program may have at most 16 MiB, about 15,000 cards. fcb refuses a larger one.
- A check of all four games with nothing known takes 5.9 to 6.7 s here, as the machine changes its speed. The state for
  which the goal was set took 12.9 s in the same run (10 s on the machine of that goal). Reading takes 41 % of the
  time, a quarter of that for tests. Setups of missions and campaigns take 19 %, the words of all pages 12 %, compiling
  9 %, and samples of the steps of tests 6 %. No function takes more than 2 %, except the constructors of records.
- `fcb render` typesets the six sheets around a changed card again. After a change of copies it
  typesets all later sheets.
- A check after one changed number meets its goal only while the machine is fast: the figure varies between 0.31 and
  0.37 s. Imports take a third of it, the stored state of the game an eighth.
- The first check of a small pack stores no state, so the second one takes 0.15 s longer than those after it.
- Of the first print of *Far Cry: Beyond*, Typst alone takes two thirds of the time. Half of that searches the largest
  type with which each mission sheet fits its page. fcb typesets the cards in parts of six sheets and merges these,
  which takes 0.15 s. As one document they would take 1 GB.
- Typst lays out the pages of a part in parallel, so faces are typeset on all cores. Of 0.68 s its two threads
  take 0.26 and 0.29. A mission sheet is one page, which one core sets. Two processes would set sheets in
  half the elapsed time, but need 0.3 GB more than the limit: a sheet takes up to 0.35 GB, and the reference 0.4 GB.
- Random bots make 55,000 to 64,000 decisions a second in the compiled build; the goal was 100,000. A decision takes
  135,000 instructions of the processor (161,000 before), of which the goal allows 80,000. Listing the available actions
  takes 26 %, other changes of the world 21 %, and events 11 %. So the goal would be missed even without listing. Making
  and freeing objects takes a fifth of all, going from op to op 8 %, and no function more than 5 %.
- For that, four things were done. `whenever` listeners are looked for only while some are in play; they took 11 %.
  Listing skips the actions of other missions together, and computes no arguments that no test reads. A search loop
  begins in its op. Read variants are noted in a row of numbers. A decision takes 518 ops now (558 before), 240 of them
  for listing (276 before).
- Four things did not help. An actor's list of actions is out of date in 65 % of the cases: the actor's place, movement
  points or phase have changed. Keeping the list would save 9 % at most, less the cost of noting what it reads.
  Computing shared values of a loop later saves no op. Reusing the list registers of frames saves 0.4 %. Without the
  garbage collector the rate is the same.

## Other measurements

| command | measures |
|---|---|
| `python -m benchmarks.author --before REVISION` | what an author waits for, against an earlier state |
| `python -m benchmarks.growth` | time and memory as a pack gets larger |
| `python -m benchmarks.editing --before TREE` | check and test after one changed line, against an earlier state |
| `python -m benchmarks.typing` | an edit in an open project, against a check from the start |
| `python -m benchmarks.serving` | answers of the editor server |
| `python -m benchmarks.table` | clicks, bytes and the first question of a table in the browser |
| `python -m benchmarks.playing --before TREE` | bots and clones of a game, against an earlier state |
| `python -m benchmarks.scale` | decisions per second with more figures, spaces or listeners |
| `python -m benchmarks.printing` | `fcb render` against Typst alone |
"""


@dataclass(frozen=True)
class Row:
    """A measure. `unit`: ``s`` (seconds), ``/s`` or ``lines/s``. `ratio`: the median of ours over the peer's, pair by
    pair; `name`: the peer."""

    title: str
    unit: str
    ours: float
    peer: float | None = None
    ratio: float | None = None
    name: str = ""

    def cells(self) -> list[str]:
        """Ours, the peer's and the ratio, for people."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return [shown(self.ours, self.unit), "" if self.peer is None else shown(self.peer, self.unit), ratio]

    def line(self) -> str:
        """Return a row of a table."""
        return f"| {self.title} | {' | '.join(self.cells())} |"


@dataclass
class Run:
    """All rows of one run. `load`: the number of busy processes before it, -1 if unknown."""

    commit: str
    day: str
    python: str
    machine: str
    load: float
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True)
class AuthorRow:
    """What an author waits for: CPU seconds and megabytes, their goals (0: none), and those of an earlier state."""

    title: str
    goal: float
    goal_megabytes: float
    seconds: float
    megabytes: float
    seconds_before: float | None = None
    megabytes_before: float | None = None

    def line(self) -> str:
        """Return the row of the table."""
        goal = shown(self.goal, "s") + (f", {self.goal_megabytes:,.0f} MB" if self.goal_megabytes else "")
        cells = [self.title, goal, shown(self.seconds, "s")]
        if self.seconds_before is None or self.megabytes_before is None:
            cells += ["", "", f"{self.megabytes:,.0f} MB", ""]
        else:
            ratio = self.seconds / self.seconds_before
            cells += [shown(self.seconds_before, "s"), f"{ratio:.2f}"]
            cells += [f"{self.megabytes:,.0f} MB", f"{self.megabytes_before:,.0f} MB"]
        return f"| {' | '.join(cells)} |"


@dataclass
class AuthorRun:
    """The rows of one run of `benchmarks.author`. `before`: the revision of the earlier state ("": none)."""

    commit: str
    before: str
    day: str
    python: str
    load: float
    rows: list[AuthorRow] = field(default_factory=list)


@dataclass(frozen=True)
class TableRow:
    """Costs of a table in the browser: CPU seconds to the first question and of a click, and bytes a decision for
    each seat. `file`: bytes of the offline file; `playable`: seconds until it asks the first question (0: not
    measured)."""

    game: str
    seats: int
    first: float
    click: float
    late_click: float
    size: int
    late_size: int
    file: int = 0
    playable: float = 0.0

    def line(self) -> str:
        """Return the row of the table."""
        times = [shown(one, "s") for one in (self.first, self.click, self.late_click)]
        alone = [f"{self.file / 1e6:.1f} MB", shown(self.playable, "s")] if self.file else ["", ""]
        return f"| {' | '.join([self.game, str(self.seats), *times, str(self.size), str(self.late_size), *alone])} |"


@dataclass
class TableRun:
    """The rows of one run of `benchmarks.table`. `script`: bytes of the scripts of the table's page."""

    commit: str
    day: str
    python: str
    load: float
    script: int = 0
    rows: list[TableRow] = field(default_factory=list)


def shown(value: float, unit: str) -> str:
    """Return a value for people."""
    if unit != "s":
        return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"
    for least, factor, name in ((1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "µs")):
        if value >= least:
            return f"{value * factor:.2f} {name}" if name == "s" else f"{value * factor:.0f} {name}"
    raise ValueError(f"no time: {value}")


def runs() -> list[Run]:
    """Return all stored runs, the oldest first."""
    said = json.loads(FILE.read_text(encoding="utf-8"))
    return [Run(**{**one, "rows": [Row(**row) for row in one["rows"]]}) for one in said]


def author_runs() -> list[AuthorRun]:
    """Return the kept runs of `benchmarks.author`, in order."""
    if not AUTHOR_FILE.exists():
        return []
    said = json.loads(AUTHOR_FILE.read_text(encoding="utf-8"))
    return [AuthorRun(**{**one, "rows": [AuthorRow(**row) for row in one["rows"]]}) for one in said]


def keep_author(run: AuthorRun) -> None:
    """Add a run of `benchmarks.author` to its file, and write the page."""
    rows = [asdict(one) for one in [*author_runs(), run]]
    AUTHOR_FILE.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(runs()), encoding="utf-8")


def author_section() -> str:
    """Return the section of the page with the last run of `benchmarks.author`; empty if there is none."""
    all = author_runs()
    if not all:
        return ""
    last = all[-1]
    rows = "\n".join(row.line() for row in last.rows)
    return f"""
## What an author waits for

{AUTHOR_HEAD}
{rows}

CPU seconds of whole commands with plain Python {last.python}, and the memory of all their processes together, on
{last.day}. "First" means with an empty cache, but with the results about the shipped games that the package contains.
"Nothing known" is without these, too. The packs are those that `fcb new` makes. The load of the machine was
{last.load:.1f} before the run, on two cores; a busy machine takes more CPU seconds for the same work, on both sides.
"""


def keep_table(run: TableRun) -> None:
    """Keep a run of `benchmarks.table` instead of the last one, and write the page."""
    TABLE_FILE.write_text(json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(runs()), encoding="utf-8")


def table_section() -> str:
    """Return the section of the page with the last run of `benchmarks.table`; empty if there is none."""
    if not TABLE_FILE.exists():
        return ""
    kept = json.loads(TABLE_FILE.read_text(encoding="utf-8"))
    run = TableRun(**{**kept, "rows": [TableRow(**row) for row in kept["rows"]]})
    rows = "\n".join(row.line() for row in run.rows)
    return f"""
## Costs of a table in the browser

{TABLE_HEAD}
{rows}
{TABLE_BUDGET}

CPU seconds with plain Python {run.python}, on {run.day}. A click is a decision with all its messages, compressed, to
the seats and 100 spectators. The first question is counted from the bytes of a compiled game. The load of the machine
was {run.load:.1f} before the run, on two cores; a busy machine takes more CPU seconds for the same work.

The offline file is that of `fcb share`. Its last column is elapsed time in Chromium, from the opening of the file to
the first question, so it grows with the load. The scripts of the table's page have
{run.script / 1024:.1f} KB of {SCRIPT_BUDGET} KB, without a build step.
"""


def keep(run: Run) -> None:
    """Add a run to the file, and write the page."""
    all = [*runs(), run]
    FILE.write_text(json.dumps([asdict(one) for one in all], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(all), encoding="utf-8")


def page(all: list[Run]) -> str:
    """Return the page: the rows of the last run, and how far each ratio moved since the run before it."""
    last = all[-1]
    earlier = {row.title: row for run in all[:-1] for row in run.rows}
    lines = [
        "| measure | unit | fcb | peer | ratio | ratio before | what the peer is |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in last.rows:
        before = earlier[row.title].cells()[-1] if row.title in earlier else ""
        unit = {"s": "time"}.get(row.unit, row.unit)
        lines.append(f"| {' | '.join([row.title, unit, *row.cells(), before, row.name])} |")
    told = f"""
Measured on {last.day} with Python {last.python}. A ratio is the figure of fcb divided by that of the peer. Less
than 1 is better for a time, and more than 1 is better for a rate.
"""
    return ABOUT + "\n" + "\n".join(lines) + "\n" + told + author_section() + table_section() + NOTES
