"""``python -m benchmarks.table``: the cost of a table in the browser, in processor time and bytes.

Four people (or as many as the game seats) and a hundred spectators look on; people decide at random. A click ends when
the messages for all of them are compressed. Sizes are those of compressed messages, as a browser receives them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.__main__ import commit
from benchmarks.history import TABLE_BUDGET, TABLE_HEAD, TableRow, TableRun, keep_table
from benchmarks.tasks import ROOT
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.cli.compressed_websocket import MEMORY
from fcbdsl.editor.table.onefile import one_file
from fcbdsl.editor.table.pyodide import NoPyodide, find_pyodide
from fcbdsl.editor.table.table_server import WEB, Browser, TableHost
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.session.playout import Record
from fcbdsl.play.soak.soak import Wanderer
from fcbdsl.play.table.alone import GamePlan
from fcbdsl.play.table.screen import Screen
from fcbdsl.play.table.table import GameTable
from fcbdsl.play.table.table_protocol import ChooseCommand, encode_message
from fcbdsl.print.export.dressing import dressing_of
from fcbdsl.print.pieces.printables import is_sheet
from fcbdsl.project.project import check_project
from fcbdsl.project.settings import read_projects

WATCHERS = 100
MOST_SEATS = 4
WINDOW = 15
"""The longest window of a compressor, in bits."""


class Wire:
    """A connection that only compresses what it is sent."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(wbits=-WINDOW, memLevel=MEMORY)
        self.sizes: list[int] = []

    async def send_text(self, text: str) -> None:
        """Compress a message, and note its size."""
        packed = self._packer.compress(text.encode()) + self._packer.flush(zlib.Z_SYNC_FLUSH)
        self.sizes.append(len(packed) - 4)


def first_question(program: bytes, mission: str, players: int) -> float:
    """Return the seconds from the bytes of a verified program to the first view."""
    begin = time.process_time()
    loaded = fcbc.load_fcbc(program, sound=True)
    assert not isinstance(loaded, fcbc.Refused)
    table = GameTable(Image(loaded), Record(loaded.hash, mission, players, 1), {})
    encode_message(table.view((0,), "en"))
    return time.process_time() - begin


async def clicks(image: Image, mission: str, players: int, count: int) -> tuple[list[float], list[int]]:
    """Return the seconds of each decision, and the bytes of each message to a seat."""
    table = GameTable(image, Record(image.program.hash, mission, players, 1), {})
    host = TableHost(table, {"": ()}, lambda language: None, ("en",), pace=0)
    wires = [Wire() for _ in range(players + WATCHERS)]
    screens = [Screen(table, (seat,) if seat < players else (), "en", ("en",)) for seat in range(len(wires))]
    anybody: Any = host
    for wire, screen in zip(wires, screens, strict=True):
        socket: Any = wire
        browser = Browser(host, socket, str(len(anybody._open)), screen, changes=True)
        anybody._open.append(browser)
        await browser.greet()
    for wire in wires:
        wire.sizes.clear()
    chance, seconds = Wanderer(1), []
    while len(seconds) < count and table.ask is not None:
        seat = table.asked()[0]
        command = ChooseCommand("choose", table.n, chance.choose(table.session.game, table.ask))
        begin = time.process_time()
        await host.obey(anybody._open[seat], command)
        seconds.append(time.process_time() - begin)
    return seconds, [size for wire in wires[:players] for size in wire.sizes]


def alone(model: Model, program: Program, mission: str, players: int) -> tuple[int, float]:
    """Return the bytes of the offline file of a mission, and the seconds from its opening to the first question.

    Both are 0 without Pyodide, and the seconds are 0 without Chromium.
    """
    sys.path.insert(0, str(ROOT / "tests"))
    import chromium

    try:
        core = find_pyodide(ROOT / "build" / "pyodide" / "node_modules" / "pyodide")
    except NoPyodide:
        return 0, 0.0
    sheet = next(one for one in model.definitions.values() if one.id == mission and is_sheet(one))
    dressing = dressing_of(sheet, model, "en")
    plan = GamePlan(mission, players, (0,), "random", {"en": dressing.name()}, {}, seed=1)
    made = one_file(plan, dressing.title, fcbc.file_and_hash(program)[0], {dressing.name(): dressing.to_json()}, core)
    browser = chromium.installed()
    if browser is None:
        return len(made.html), 0.0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mission.html"
        file.write_bytes(made.html)
        window = chromium.Browser(browser, Path(folder) / "profile")
        try:
            begin = time.monotonic()
            window.go(file.as_uri())
            window.wait("document.body?.dataset.state === 'asked'")
            return len(made.html), time.monotonic() - begin
        finally:
            window.close()


def late(values: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[int(len(values) * 0.95)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table", description=__doc__)
    parser.add_argument("--decisions", type=int, default=120, help="decisions in each game (default 120)")
    parser.add_argument("--save", action="store_true", help="keep the figures, and write docs/performance.md")
    options = parser.parse_args()
    run = TableRun(commit(), time.strftime("%Y-%m-%d", time.gmtime()), platform.python_version(), os.getloadavg()[0])
    run.script = sum((WEB / name).stat().st_size for name in ("table.js", "board.js"))
    print(TABLE_HEAD)
    for project in read_projects(ROOT, Problems()):
        model, _ = check_project(root=ROOT, game=project.game, tests=False)
        program = lower(model)
        mission = next(row.id for row in program.definitions if program.kinds[row.kind].policy == "mission")
        players = min(MOST_SEATS, program.players[1])
        first = first_question(fcbc.dump(program), mission, players)
        seconds, sizes = asyncio.run(clicks(Image(program), mission, players, options.decisions))
        click, size = statistics.median(seconds), round(statistics.median(sizes))
        file, playable = alone(model, program, mission, players)
        run.rows.append(
            TableRow(project.game, players, first, click, late(seconds), size, round(late(sizes)), file, playable)
        )
        print(run.rows[-1].line(), flush=True)
    print(TABLE_BUDGET)
    if options.save:
        keep_table(run)


if __name__ == "__main__":
    main()
