"""The disk becomes full in the middle of each write: an old file stays complete, and fcb names the file.

Each function that writes a file has an entry in `WRITERS`, so a new one needs a case.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import json
import os
import re
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from cli_runner import Shell
from mutation.yard import TESTS, yard
from painter.land import Painted, land
from pond_game import POND, calm_pond, pond
from starlette.testclient import TestClient
from table.test_share import fake_pyodide
from test_hostile_folders import OUTPUTS

import fcbdsl
from fcbdsl.base import cache, files, shipped_results
from fcbdsl.base.source import Span
from fcbdsl.base.versions import LANGUAGE
from fcbdsl.cli import table_command
from fcbdsl.cli.watch_command import Teller
from fcbdsl.editor.live.background_runner import GamePlayed, Lost
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import File
from fcbdsl.machine.vm import fcbc
from fcbdsl.play.campaign.store import AnswerRecord, Store, create
from fcbdsl.tools.migration import Migration, TextEdit, run

FULL = os.strerror(errno.ENOSPC)
PACKAGE = Path(fcbdsl.__file__).parent
WRITING = {"write_atomically", "rewrite_text"}
"""The functions that write whole files. `tests/house/test_bounded_reading.py` forbids other ways."""


class Disk:
    """A disk on which write number `last` fails in its middle. Caches are on another disk, unless `has_cache`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.last = self.writes = 0
        self.stays_full = self.has_cache = False
        self.written: dict[Path, bytes] = {}
        self.stopped: set[str] = set()
        """The functions whose writes have failed."""
        monkeypatch.setattr(files, "_write_out", self._write_out)

    def fill_up(self, last: int, stays_full: bool = False) -> None:
        """Count the writes from now on."""
        self.last, self.stays_full, self.writes, self.written = last, stays_full, 0, {}

    def _write_out(self, out: BinaryIO, data: bytes) -> None:
        place = Path(out.name)
        others = [cache.cache_folder(), shipped_results.results_folder()]
        if self.has_cache or not any(place.is_relative_to(folder) for folder in others if folder is not None):
            self.writes += 1
            if self.last and (self.writes == self.last or (self.stays_full and self.writes > self.last)):
                self.stopped.add(writer())
                out.write(data[: len(data) // 2])
                raise OSError(errno.ENOSPC, FULL)
            self.written[place.with_name(place.name[1:].rpartition(".")[0].rpartition(".")[0])] = data
        out.write(data)


def writer() -> str:
    """Return the module and the function of the package that writes now."""
    frame = sys._getframe(1)
    own = (__file__, files.__file__)
    while frame.f_back is not None and frame.f_code.co_filename in own:
        frame = frame.f_back
    module = Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix()
    return f"{module}::{frame.f_code.co_qualname.replace('<locals>.', '')}"


@dataclass(frozen=True, slots=True)
class Bench:
    """A copy of the pond, and the disk under it."""

    shell: Shell
    disk: Disk
    patch: pytest.MonkeyPatch
    folder: Path

    def fails(self, command: str, stdin: str = "", most: int = 40) -> int:
        """Run a command repeatedly, until no write fails, or `most` writes have failed. Return how many failed."""
        before = contents(self.shell.folder)
        for last in range(1, most + 1):
            self.disk.fill_up(last)
            done = self.shell.fcb(*command.split(), stdin=stdin)
            if self.disk.writes < last:
                assert FULL not in done.err
                assert last > 1, (command, done)
                return last - 1
            assert done.code == 2, (command, self.disk.stopped, done.out)
            assert done.err.count(f"fcb: {FULL}: '") == 1, (command, done.err)
            name = done.err.rpartition(f"{FULL}: '")[2].partition("'")[0]
            assert Path(name).name not in done.out, (command, done.out)
            after = contents(self.shell.folder)
            for path, data in after.items():
                assert data in (before.get(path), self.disk.written.get(path)), (command, path)
            assert before.keys() - after.keys() == set(), command
            for path in after.keys() - before.keys():
                path.unlink()
            for path, data in before.items():
                path.write_bytes(data)
        return most

    def changes_nothing(self, *commands: str, has_cache: bool = False) -> None:
        """Assert that a full disk under the user's records or cache changes no output and leaves no file there."""
        self.disk.has_cache = has_cache
        rooms = [self.folder / "whole", self.folder / "full"]
        outputs = []
        for room, last in zip(rooms, (0, 1), strict=True):
            self.patch.setenv("FCB_CACHE" if has_cache else "FCB_STATE", str(room))
            self.disk.fill_up(last, stays_full=True)
            done = [self.shell.fcb(*command.split()) for command in commands]
            outputs.append([(result.code, result.out) for result in done])
        assert outputs[0] == outputs[1]
        assert list(contents(rooms[0]))
        assert list(contents(rooms[1])) == []


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Return the disk of a test."""
    return Disk(monkeypatch)


@pytest.fixture
def bench(project: Shell, disk: Disk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bench:
    """Return a project with old outputs, records and a game."""
    (project.folder / "report.xml").write_text("old\n")
    (project.folder / "a.json").write_text('{"kind": "frog", "id": "tim", "title": {"en": "Tim"}}')
    assert project.fcb("play", "crossing", "--bot", "random", "--seed", "1", "--log", "game.json").code == 0
    return Bench(project, disk, monkeypatch, tmp_path)


def contents(folder: Path) -> dict[Path, bytes]:
    """Return the files below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ── every function that writes ─────────────────────────────────────────────────────────────────


def untidy(bench: Bench) -> None:
    for name in ("y", "z"):
        text = f'frog {name} "{name.title()}":\n  speed:    3\n\n\n\n'
        (bench.shell.folder / "cards" / f"{name}.fcb").write_text(text)


def fix(bench: Bench) -> None:
    untidy(bench)
    (bench.shell.folder / "cards" / "y.fcb").write_text('frog y "Y":\n    speed: 3\n')
    bench.fails("check --fix")


def fmt(bench: Bench) -> None:
    untidy(bench)
    assert bench.fails("fmt") == 2


def migrate(bench: Bench) -> None:
    """The version in fcb.toml is written last, so that an interrupted migration can run again."""

    def rename(file: File, _: Model) -> Iterator[TextEdit]:
        for match in re.finditer("Heron (?=[yz])", file.source.text):
            yield TextEdit(Span(file.source, match.start(), match.end()), "Stork ")

    bench.patch.setattr(run, "MIGRATIONS", (Migration("rename", 2, "a new name", rename),))
    settings = bench.shell.folder / "fcb.toml"
    settings.write_text(settings.read_text().replace(f"language = {LANGUAGE}\n", ""))
    for name in ("y", "z"):
        (bench.shell.folder / "cards" / f"{name}.fcb").write_text(f"# Heron {name}\n")
    assert bench.fails("migrate") == 3
    assert f"language = {LANGUAGE}" in settings.read_text()


def compare(bench: Bench) -> None:
    other = bench.shell.folder / "other"
    shutil.copytree(POND, other)
    cards = other / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace("length: 4", "length: 12"), encoding="utf-8")
    games = "--games 2 --bot random --players 2 -j 1"
    assert bench.fails(f"compare . other crossing {games} -o report.xml") == 1


def translation(bench: Bench) -> None:
    assert bench.shell.fcb("i18n", "export", "de", "-o", "de.po").code == 0
    text = (bench.shell.folder / "de.po").read_text(encoding="utf-8")
    text = text.replace('msgid "Puddle"\nmsgstr ""', 'msgid "Puddle"\nmsgstr "Pfütze"')
    (bench.shell.folder / "de.po").write_text(text, encoding="utf-8")
    assert bench.fails("i18n import de.po") == 1
    assert bench.fails("i18n seal de") == 1


def campaign_history(bench: Bench) -> None:
    create(bench.shell.folder / "team.campaign", [(-1, {"turn": -1}, "hash")])
    assert bench.fails("campaign export team.campaign -o report.xml") == 1


def campaign_map(bench: Bench) -> None:
    shutil.rmtree(bench.shell.folder)
    shutil.copytree(POND.parent / "lanterns", bench.shell.folder)
    (bench.shell.folder / "map.svg").write_text("old\n")
    assert bench.fails("campaign graph long-winter -o map.svg") == 1


def mutation(bench: Bench) -> None:
    shutil.rmtree(bench.shell.folder)
    yard(bench.folder, tests=TESTS.replace("covers YARD-PURR-01", "covers YARD-PURR-01b")).rename(bench.shell.folder)
    rules = "# The Yard\n\n## 1. Cats\n- **YARD-TOSS-01** A tail makes wet. [engine]\n"
    (bench.shell.folder / "rules.md").write_text(rules, encoding="utf-8")
    with (bench.shell.folder / "fcb.toml").open("a", encoding="utf-8") as settings:
        settings.write('rules = "rules.md"\n')
    assert bench.fails("mutate --guards --json") == 1


def tuned(bench: Bench) -> None:
    shutil.rmtree(bench.shell.folder)
    calm_pond(bench.folder)
    cards = bench.shell.folder / "cards" / "pond.fcb"
    text = cards.read_text(encoding="utf-8").replace("\n  goal: 4\n", "\n  goal: 4  # fcb: tunable 2..7\n")
    cards.write_text(text, encoding="utf-8")
    asked = "tune crossing --players 2 --bot random --jobs 1 --wanted 5-80 --games 200 --write"
    before = cards.read_bytes()
    bench.disk.fill_up(1)
    done = bench.shell.fcb(*asked.split())
    assert (done.code, done.err) == (2, f"fcb: {FULL}: {str(cards)!r}\n")
    assert cards.read_bytes() == before


def render_again(bench: Bench) -> None:
    bench.patch.setenv("FCB_CACHE", str(bench.folder / "cache"))
    asked = "render puddle -o print"
    assert bench.shell.fcb(*asked.split()).code == 0
    assert bench.fails(asked) > 0


def comparison(bench: Bench) -> None:
    cards = bench.shell.folder / "cards" / "pond.fcb"
    text = cards.read_text(encoding="utf-8")
    assert '"Gift of flies":\n' in text
    text = text.replace('"Gift of flies":\n', '"Gift of flies":\n  text: "Take a fly."\n  fr text: "Une mouche."\n')
    cards.write_text(text, encoding="utf-8")
    assert bench.fails("render --compare --to html -o print") == 1


def program(bench: Bench) -> None:
    bench.fails("compile -o report.xml --looks")


def share(bench: Bench) -> None:
    core = fake_pyodide(bench.folder / "core", bench.patch)
    assert bench.fails(f"share crossing -o report.xml --pyodide {core}") == 1
    assert bench.fails(f"share crossing -o page --folder --pyodide {core}", most=3) == 3


def referee(bench: Bench) -> None:
    assert bench.fails("play crossing --seed 1 --table --log hands.json", "1\n2\ngift\n2\ns\n") > 1


def terminal(bench: Bench) -> None:
    """A game that is saved after each decision, left, ended, and given up."""
    assert bench.fails("play crossing --seed 1 --human 1 --log crossing.json", "1\n4\n4\ns\n") > 1
    assert bench.fails("play crossing --seed 1 --human 1", "1\n4\n4\ns\n") == 1
    assert bench.fails("play crossing --seed 1 --human 1 --log game.json", "1\n4\nq\n") > 1


def terminal_to_its_end(bench: Bench) -> None:
    shutil.rmtree(bench.shell.folder)
    calm_pond(bench.folder)
    assert bench.fails("play crossing --seed 1 --human 1 --log crossing.json", "1\n" * 60) > 1


def views(bench: Bench) -> None:
    assert bench.fails("play crossing --seed 1 --views --human 1 --log views.json", '{"t": "log"}\n') == 1


def table_in_browser(bench: Bench) -> None:
    """The table sends a warning that a decision is not saved, and fails at the end if it still cannot save."""
    (bench.shell.folder / "table.json").write_text("old\n")

    def serve(app: Any, listening: socket.socket) -> None:
        host = "{}:{}".format(*listening.getsockname())
        with TestClient(app, base_url=f"http://{host}") as client:
            client.post("/enter", content=links[0].partition("#")[2].partition(" ")[0])
            with client.websocket_connect(f"ws://{host}/table", headers={"origin": f"http://{host}"}) as table:
                table.receive_json()
                table.send_json({"t": "choose", "n": table.receive_json()["n"], "choice": 0})
                notes.append(table.receive_json().get("note", ""))

    links: list[str] = []
    notes: list[str] = []
    bench.patch.setattr(table_command, "print_links", lambda given, lan: links.append(given[0][0]))
    bench.patch.setattr(table_command, "serve_at", serve)
    asked = ("table", "crossing", "--log", "table.json", "--seed", "1", "--players", "1")
    for stays_full, code in ((False, 0), (True, 2)):
        links.clear()
        bench.disk.fill_up(1, stays_full=stays_full)
        done = bench.shell.fcb(*asked)
        assert (done.code, "table.json: 1 decision" in done.err) == (code, code == 0), done.err
        assert f"The game is not saved: {FULL}: 'table.json'." in done.err
        assert (bench.shell.folder / "table.json").read_bytes() == (
            b"old\n" if code else bench.disk.written[bench.shell.folder / "table.json"]
        )
        (bench.shell.folder / "table.json").write_text("old\n")
    assert [FULL in note for note in notes] == [True, True]


def painter(bench: Bench) -> None:
    """A stroke that is not written changes neither the file nor the steps to take back."""
    painted = Painted(land(bench.folder / "land"))
    file, stroke = "missions/bay.fcb", {"tool": "brush", "spaces": ["A1"], "words": ["marsh"]}
    old = painted.text(file)
    bench.disk.fill_up(1)
    with pytest.raises(OSError, match=FULL):
        painted.stroke("bay", **stroke)
    assert painted.text(file) == old
    painted.stroke("bay", **stroke)
    new = painted.text(file)
    bench.disk.fill_up(1)
    with pytest.raises(OSError, match=FULL):
        painted.painter.take_back(painted.game, "bay", again=False)
    assert painted.text(file) == new
    painted.painter.take_back(painted.game, "bay", again=False)
    assert painted.text(file) == old
    assert len([*(bench.folder / "land" / "missions").iterdir()]) == 1


def watch(bench: Bench) -> None:
    place = bench.shell.folder / "crossing-3.log.json"
    place.write_bytes(b"old")
    bench.disk.fill_up(1)
    with pytest.raises(OSError, match=FULL) as error:
        Teller(bench.shell.folder, []).tell(GamePlayed("", 1, (), Lost(3, "crossing", 1, 0, "", b"{}", "")))
    assert error.value.filename == str(place)
    assert place.read_bytes() == b"old"


def soak(bench: Bench) -> None:
    system = bench.shell.folder / "systems" / "pond.fcb"
    text = system.read_text(encoding="utf-8")
    broken = text.replace("frog becomes", "frog  becomes")
    system.write_text(broken, encoding="utf-8")
    assert bench.fails("soak --games 40 --log report.xml", most=1) == 1


def packaged(bench: Bench) -> None:
    """A result of the package is no error, and no part of it stays."""
    bench.patch.setattr(shipped_results, "results_folder", lambda: bench.folder / "results")
    bench.disk.has_cache = True
    bench.disk.fill_up(1)
    assert not shipped_results.store_packaged("x.result", (1,), {})
    assert [*(bench.folder / "results").iterdir()] == []


def verified(bench: Bench) -> None:
    (bench.shell.folder / "a.fcbc").write_bytes(fcbc.dump(pond()))
    bench.changes_nothing("verify a.fcbc", "play crossing --program a.fcbc --bot first --seed 1")
    bench.patch.setenv("FCB_STATE", str(bench.folder / "state"))
    bench.disk.fill_up(2)
    assert bench.shell.fcb("verify", "a.fcbc").code == 0
    assert [path.name for path in contents(bench.folder / "state") if path.name.endswith(files.PART)] == []


def cached(bench: Bench) -> None:
    bench.changes_nothing("check", has_cache=True)
    assert f"cannot keep a result: {FULL}" in bench.shell.fcb("check", "--explain-passes").err


def of(command: str) -> Callable[[Bench], None]:
    """Return a case that runs one command."""

    def case(bench: Bench) -> None:
        bench.fails(command, most=3)

    return case


WRITERS: dict[str, Callable[[Bench], None]] = {
    "base/cache.py::store_result": cached,
    "base/shipped_results.py::store_packaged": packaged,
    "cli/apply_fixes.py::FixedFile.write": fix,
    "cli/baseline.py::write_baseline": of("check --write-baseline report.xml"),
    "cli/campaign_command.py::export": campaign_history,
    "cli/campaign_command.py::graph": campaign_map,
    "cli/ci_command.py::command": of("ci --games 0 --junit report.xml"),
    "cli/compare_command.py::command": compare,
    "cli/compile_command.py::command": program,
    "cli/diff_command.py::command": of("diff . . -o report.xml"),
    "cli/export_command.py::command": of("export -o report.xml"),
    "cli/fmt_command.py::_LaidOut.write": fmt,
    "cli/i18n_command.py::_export": of("i18n export fr -o report.xml"),
    "cli/i18n_command.py::_seal": translation,
    "cli/import_command.py::command": of("import a.json --force -o report.xml"),
    "cli/kept_prints.py::write_print": render_again,
    "cli/mutate_command.py::_guard": mutation,
    "cli/new_command.py::_write_all": of("new print/pack"),
    "cli/play_command.py::command": of("play crossing --bot random --log report.xml"),
    "cli/play_command.py::_write_transcript": of("play crossing --bot random --transcript report.xml"),
    "cli/record_command.py::command": of("test record game.json:3 -o report.xml"),
    "cli/referee.py::RefereeTable.keep": referee,
    "cli/replay_command.py::command": of("replay game.json --html report.xml"),
    "cli/schema_command.py::command": of("schema frog -o report.xml"),
    "cli/seat_views.py::exchange_views": views,
    "cli/share_command.py::command": share,
    "cli/simulate_command.py::command": of("simulate crossing --bot random --games 1 -j 1 -o report.xml"),
    "cli/soak_command.py::_show_failure": soak,
    "cli/table_command.py::command": table_in_browser,
    "cli/table_command.py::_save": table_in_browser,
    "cli/terminal_play.py::sit_down.keep": terminal,
    "cli/terminal_play.py::sit_down": terminal_to_its_end,
    "cli/terminal_play.py::_put_back": terminal,
    "cli/terminal_play.py::_keep": terminal,
    "cli/test_command.py::command": of("test --junit report.xml --html print/x"),
    "cli/test_command.py::_cover": of("test --coverage -o report.xml"),
    "cli/tune_command.py::command": tuned,
    "cli/watch_command.py::Teller._tell_lost": watch,
    "editor/live/edit_journal.py::EditJournal.write": painter,
    "editor/live/edit_journal.py::EditJournal.take_back": painter,
    "machine/verified.py::_made_key": verified,
    "machine/verified.py::record": verified,
    "print/export/comparison.py::write_comparison": comparison,
    "print/export/tabletop_simulator.py::render_tabletop": of("render -o print --lang en --to tts --for crossing"),
    "print/export/webpage.py::render_page": of("render -o print --to html"),
    "print/press/press.py::_write": of("render puddle -o print --lang en --to png"),
    "tools/migration/run.py::Migrated.write": migrate,
    "tools/migration/run.py::set_language": migrate,
    "tools/translation/import_texts.py::Intake.write": translation,
}
"""A case for each function that writes a file."""
APART = {
    "base/files.py::rewrite_text": "its callers are listed",
    "cli/pages.py::main": "writes the pages of the documentation, for `make docs`",
    "project/analysis/packaged_results.py::starter_packs": "a starter of the package in a temporary folder",
    "tools/docs/language_pages.py::_written": "an example of the documentation in a temporary folder",
}
"""Functions that write files and are not tested, with the reason."""
SLOW = {ci.__name__ for ci in (campaign_map, mutation, tuned, render_again, share, cached, soak)}
SLOW_COMMANDS = ("cli/ci_command.py", "print/export/tabletop", "print/press/press.py")


def writers(node: ast.AST, function: str = "") -> Iterator[str]:
    """Yield the functions below a node that name a function of `WRITING`."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            function = f"{function}.{name}".removeprefix(".")
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=name) if name in WRITING:
            yield function
    for below in ast.iter_child_nodes(node):
        yield from writers(below, function)


def test_every_writer_has_case() -> None:
    functions = {
        f"{path.relative_to(PACKAGE).as_posix()}::{function}"
        for path in PACKAGE.rglob("*.py")
        for function in writers(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert functions == WRITERS.keys() | APART.keys()
    assert not WRITERS.keys() & APART.keys()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=next(name for name, writer in WRITERS.items() if writer is case),
            marks=pytest.mark.long
            if case.__name__ in SLOW or any(WRITERS[name] is case for name in WRITERS if name.startswith(SLOW_COMMANDS))
            else (),
        )
        for case in dict.fromkeys(WRITERS.values())
    ],
)
def test_full_disk_leaves_files_of_writer_whole_or_unchanged(bench: Bench, case: Callable[[Bench], None]) -> None:
    case(bench)
    assert bench.disk.stopped >= {name for name, writer in WRITERS.items() if writer is case}
    left = [path for path in bench.folder.rglob("*") if path.name.endswith((files.PART, f"{files.PART}-journal"))]
    assert left == []


# ── every option that names an output ──────────────────────────────────────────────────────────

LONG = ("ci ", "render ")
"""Beginnings of commands that typeset, or play many games."""


@pytest.mark.sampled(17)
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=pytest.mark.long if command.startswith(LONG) else ())
        for commands in OUTPUTS.values()
        for command in commands
        if "--keep" not in command
    ],
)
def test_full_disk_leaves_output_whole_or_unchanged(bench: Bench, command: str) -> None:
    assert bench.fails(command, most=2 if command.startswith(LONG) else 40) > 0


def test_simulation_continues_after_torn_line(project: Shell) -> None:
    """`--keep` adds lines to a file, so it is the one output that is not written whole."""
    keep = project.folder / "games.jsonl"
    command = ("simulate", "crossing", "--games", "3", "-j", "1", "--keep", "games.jsonl")
    with limited(700):
        done = project.fcb(*command)
    assert (done.code, "games.jsonl" in done.err) == (2, True), done.err
    torn = keep.read_bytes()
    assert torn
    assert not torn.endswith(b"\n")
    assert project.fcb(*command).code == 0
    lines = keep.read_bytes().splitlines()
    assert lines[: len(torn.splitlines())] == torn.splitlines()


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Limit the size of files: writes beyond it fail, as on a full disk. Python 3.11 would keep parts of modules."""
    before, compiled = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = compiled


@pytest.mark.long
def test_module_that_full_disk_has_cut_off_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "-X", f"pycache_prefix={tmp_path}", "-m", "fcbdsl", "cache"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["FCB_CACHE"] = str(tmp_path / "cache")
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
    (module,) = tmp_path.rglob("cache_command.*.pyc")
    whole = module.read_bytes()
    for data in (whole[:-100], whole[:16] + b"?" + whole[17:]):
        module.write_bytes(data)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.strip() == f"fcb: {module} is damaged. Delete it: Python makes it again."


# ── games and campaigns ────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize("options", [("--log", "game.log"), ("--resume", "game.log")])
def test_full_disk_keeps_game_up_to_last_saved_decision(project: Shell, disk: Disk, options: tuple[str, str]) -> None:
    log = project.folder / "game.log"
    start = ["play", *(["crossing", "--seed", "1"] if options[0] == "--log" else []), *options]
    if options[0] == "--resume":
        assert project.fcb("play", "crossing", "--seed", "1", "--log", "game.log", stdin="s\n").code == 0
    before = log.read_bytes() if log.exists() else None
    for last in (1, 2, 3):
        disk.fill_up(last)
        done = project.fcb(*start, stdin="1\n4\n4\ns\n")
        assert (done.code, done.err) == (2, f"fcb: {FULL}: {str(log)!r}\n")
        assert "game.log" not in done.out
        if last == 1:
            assert (log.read_bytes() if log.exists() else None) == before
        else:
            assert len(json.loads(log.read_bytes())["decisions"]) == last - 1
            disk.fill_up(0)
            assert project.fcb("play", "--resume", "game.log", "--bot", "random").code == 0
        if before is None:
            log.unlink(missing_ok=True)
        else:
            log.write_bytes(before)


@pytest.mark.parametrize("room", range(0, 4 * 4096, 2048))
def test_full_disk_keeps_confirmed_campaign(tmp_path: Path, room: int) -> None:
    path = tmp_path / "team.campaign"
    create(path, [(-1, {"turn": -1}, "hash")])
    confirmed = -1
    with contextlib.suppress(sqlite3.Error), limited(path.stat().st_size + room), Store(path) as store:
        for turn in range(120):
            store.answer(AnswerRecord("x" * 200, chosen=0), ({"turn": turn}, "hash"))
            confirmed = turn
    assert confirmed < 119
    with Store(path) as store:
        assert store.point().state == {"turn": confirmed}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("room", [0, 512, 4096, 8192, 20_000])
def test_full_disk_leaves_no_partial_campaign(tmp_path: Path, room: int) -> None:
    path = tmp_path / "team.campaign"
    with limited(room), pytest.raises((OSError, sqlite3.Error)):
        create(path, [(-1, {"turn": -1}, "hash")])
    assert list(tmp_path.iterdir()) == []
