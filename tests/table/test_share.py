"""``fcb share``: the content of its file, the table in it, and the commands that make it."""

from __future__ import annotations

import base64
import errno
import gzip
import hashlib
import io
import json
import os
import re
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import games
import pytest
from cli_runner import Shell
from pond_game import copy_pond

from fcbdsl.base import files, resources
from fcbdsl.editor.table import onefile, pyodide
from fcbdsl.editor.table.onefile import one_file, player_files, static_folder
from fcbdsl.machine.vm import fcbc
from fcbdsl.play.session.playout import read_record, replay
from fcbdsl.play.table.alone import GamePlan, LoneTable, NoGame

GAME = "escape"
CONTENT = {
    "pyodide.mjs": b"export const loadPyodide = 1;",
    "pyodide.asm.mjs": b"export default 2;",
    "pyodide.asm.wasm": b"\0asm",
    "pyodide-lock.json": b'{"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}',
}
"""The content of a Pyodide that cannot run."""


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with such a Pyodide, which fcb takes for the pinned one."""
    return fake_pyodide(tmp_path / "pyodide-core", monkeypatch)


def fake_pyodide(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with such a Pyodide, and return it."""
    folder.mkdir()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for name in ("json/__init__.py", "unittest/__init__.py"):
            out.writestr(name, "pass")
    for name, data in {**CONTENT, "python_stdlib.zip": made.getvalue()}.items():
        (folder / name).write_bytes(data)
        monkeypatch.setitem(pyodide.FILES, name, hashlib.sha256(data).hexdigest())
    return folder


@cache
def program() -> bytes:
    return fcbc.file_and_hash(games.program(GAME))[0]


def plan(seats: tuple[int, ...] = (0,), seed: int | None = None) -> GamePlan:
    mission = games.missions(games.program(GAME))[0]
    players = max(2, games.program(GAME).players[0])
    return GamePlan(mission, players, seats, "random", {"en": "one", "fr": "two"}, {}, seed)


def parts_of(html: str) -> dict[str, bytes]:
    parts = re.findall(r'<script type="application/octet-stream" id="part-(.+?)">([\w+/=]*)</script>', html)
    return {name: gzip.decompress(base64.b64decode(data)) for name, data in parts}


# ── the file ───────────────────────────────────────────────────────────────────────────────────


def test_shared_file_contains_game_and_player_only(core: Path) -> None:
    made = one_file(plan(), "The Mole", program(), {"one": b'{"a": 1}', "two": b"{}"}, core)
    html = made.html.decode()
    parts = parts_of(html)
    assert parts["program"] == program()
    assert parts["dressing-one"] == b'{"a": 1}'
    settings = json.loads(parts["settings"])
    assert settings["seal"] == hashlib.sha256(program()).hexdigest()
    assert json.loads(parts["pyodide-lock.json"]) == {"info": {"python": "3.14.2"}, "packages": {}}
    assert zipfile.ZipFile(io.BytesIO(parts["python_stdlib.zip"])).namelist() == ["json/__init__.py"]
    names = zipfile.ZipFile(io.BytesIO(parts["fcb.zip"])).namelist()
    assert "fcbdsl/play/table/alone.py" in names
    assert "fcbdsl/base/locales/fr.toml" in names
    assert {name.split("/")[1] for name in names} == {"__init__.py", "base", "machine", "play"}
    assert made.html == one_file(plan(), "The Mole", program(), {"one": b'{"a": 1}', "two": b"{}"}, core).html
    own = len(made.html) - len(parts["program"])
    assert own < 1_500_000, "without Pyodide and the game"


def test_shared_file_loads_nothing_and_allows_own_scripts(core: Path) -> None:
    title = "</title><script>alert(1)</script>\" & '"
    html = one_file(plan(), title, program(), {"one": b"{}", "two": b"{}"}, core).html.decode()
    assert "alert(1)</script>" not in html
    scripts = re.findall(r'<script(?: type="module")?>(.*?)</script>', html, re.DOTALL)
    assert len(scripts) == 2
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; ")
    assert "connect-src" not in policy[1]
    assert "'unsafe-inline'" not in policy[1].partition("style-src")[0]
    for script in scripts:
        seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{seal}'" in policy[1]
    page = re.sub(r"<(script|style).*?</\1>", "", html, flags=re.DOTALL)
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', page) == []
    assert "import " not in scripts[1].partition("\n")[0]


def test_shared_folder_has_same_parts_and_loads_nothing_else(core: Path) -> None:
    dressings = {"one": b"{}", "two": b"{}"}
    files = static_folder(plan(), "The Mole", program(), dressings, core)
    page = files.pop("index.html").decode()
    assert parts_of(page) == {}
    assert "; connect-src 'self'; script-src 'sha256-" in page
    parts = parts_of(one_file(plan(), "The Mole", program(), dressings, core).html.decode())
    assert {name: gzip.decompress(data) for name, data in files.items()} == {
        f"parts/{name}.bin": data for name, data in parts.items()
    }


def test_too_large_shared_file_is_refused(core: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onefile, "MOST_BYTES", 10_000)
    with pytest.raises(onefile.FileTooLarge, match="10,000"):
        one_file(plan(), "", program(), {"one": b"", "two": b""}, core)


@pytest.mark.long
def test_reduced_standard_library_covers_player_imports() -> None:
    compiled = {"array", "atexit", "fcntl", "gc", "math", "sys", "unicodedata"}  # in the WebAssembly
    modules = {name.split("/")[0].removesuffix(".py") for name in pyodide.kept_files()}
    sources = {name: data for name, data in resources.code_files() if name.endswith(".py")}
    needed = set()
    for file in player_files(sources):
        module = "fcbdsl." + file.removesuffix(".py").replace("/", ".")
        needed |= {name.partition(".")[0] for name in onefile.imports_of_source(sources[file], module, file)}
    assert "tomllib" in needed
    assert needed & sys.stdlib_module_names - compiled <= modules


def test_share_refuses_installation_without_sources() -> None:
    with pytest.raises(onefile.NoSources, match="sources"):
        player_files({})


# ── Pyodide ────────────────────────────────────────────────────────────────────────────────────


def test_pyodide_is_found_by_option_variable_or_folder(
    core: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(pyodide.VARIABLE, raising=False)
    with pytest.raises(pyodide.NoPyodide, match=rf"npm install pyodide@{pyodide.VERSION}"):
        pyodide.find_pyodide(None)
    here = tmp_path / "node_modules" / "pyodide"
    here.parent.mkdir()
    here.symlink_to(core)
    assert pyodide.find_pyodide(None) == here
    monkeypatch.setenv(pyodide.VARIABLE, str(core))
    assert pyodide.find_pyodide(None) == core
    assert pyodide.find_pyodide(tmp_path) == tmp_path


def test_other_pyodide_version_is_refused(core: Path) -> None:
    (core / "pyodide.mjs").write_bytes(b"export const loadPyodide = 3;")
    with pytest.raises(pyodide.NoPyodide, match="SHA-256 differs"):
        pyodide.read_pyodide(core)
    (core / "pyodide.mjs").unlink()
    with pytest.raises(pyodide.NoPyodide, match=r"Cannot read .*pyodide\.mjs"):
        pyodide.read_pyodide(core)


def test_make_installs_pinned_pyodide() -> None:
    assert f"'pyodide@{pyodide.VERSION}'" in (games.ROOT / "Makefile").read_text(encoding="utf-8")


# ── the table in the file ──────────────────────────────────────────────────────────────────────


def lone(seats: tuple[int, ...] = (0,), seed: int | None = None) -> LoneTable:
    return LoneTable(plan(seats, seed), program(), hashlib.sha256(program()).hexdigest())


def played(table: LoneTable, most: int) -> list[dict[str, Any]]:
    """Take the first option whenever a person is asked; return the last messages."""
    last: list[dict[str, Any]] = []
    for _ in range(most):
        if table.moving():
            last = json.loads(table.step())
        elif table.screen.table.ask is None:
            break
        else:
            n = table.screen.table.n
            last = json.loads(table.obey(json.dumps({"t": "choose", "n": n, "choice": 0})))
            if "curtain" in last[-1]:
                table.obey(json.dumps({"t": "sit", "seat": last[-1]["curtain"]}))
    return last


def test_shared_game_is_played_saved_and_continued() -> None:
    table = lone()
    hello, view = json.loads(table.begin(7, language="fr"))
    assert (hello["t"], hello["language"], hello["dressing"]) == ("hello", "fr", "two")
    assert view["t"] == "view"
    played(table, 20)
    log = read_record(table.log().encode())
    assert log.seed == 7
    assert len(log.decisions) == 20
    assert log.digest
    replay(games.image(GAME), log)  # raises Divergence if the state differs

    again = lone()
    again.begin(8, table.saved())
    assert again.log() == table.log()
    played(again, 5)
    played(table, 5)
    assert again.log() == table.log()


@pytest.mark.parametrize("change", [{"program": "0" * 32}, {"players": 3}, {"decisions": [99]}, {"mission": "x"}])
def test_unfitting_log_starts_new_game(change: dict[str, Any]) -> None:
    table = lone()
    table.begin(7)
    saved = json.loads(table.saved()) | change
    table.begin(8, json.dumps(saved))
    assert json.loads(table.saved())["seed"] == 8
    table.begin(9, "nonsense")
    assert json.loads(table.saved())["seed"] == 9


def test_seed_of_file_applies_to_every_game() -> None:
    table = lone(seed=4)
    table.begin(7)
    assert json.loads(table.saved())["seed"] == 4


def test_shared_page_messages_are_validated() -> None:
    table = lone()
    table.begin(7)
    refused, view = json.loads(table.obey("nonsense"))
    assert (refused["t"], refused["reason"], view["t"]) == ("refused", "bad", "view")
    refused, _ = json.loads(table.obey('{"t":"choose","n":99,"choice":0}'))
    assert refused["reason"] == "stale"
    assert json.loads(table.obey('{"t":"speak","language":"xx"}')) == []
    hello, _ = json.loads(table.obey('{"t":"speak","language":"fr"}'))
    assert hello["dressing"] == "two"


def test_changed_program_is_verified() -> None:
    content = json.loads(program())
    content["program"]["texts"] = []
    with pytest.raises(NoGame):
        LoneTable(plan(), json.dumps(content).encode(), hashlib.sha256(program()).hexdigest())


# ── the command ────────────────────────────────────────────────────────────────────────────────


def test_share_writes_file_and_reports_size(
    core: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shell = Shell(copy_pond(tmp_path), monkeypatch, capsys)
    mission = shell.fcb("missions").out.split()[0]
    done = shell.fcb("share", mission, "-o", "out.html", "--pyodide", core)
    assert (done.code, done.err) == (0, "")
    assert " MB (compressed: Python " in done.out
    assert "nothing in it is secret" in done.out
    parts = parts_of((shell.folder / "out.html").read_text(encoding="utf-8"))
    settings = json.loads(parts["settings"])
    assert settings["plan"]["mission"] == mission
    assert {f"dressing-{name}" for name in settings["plan"]["dressings"].values()} <= set(parts)

    keys = tmp_path_factory.mktemp("home") / "keys"
    keys.write_text("mine")
    (shell.folder / "link.html").symlink_to(keys)
    done = shell.fcb("share", mission, "-o", "out", "--folder", "--pyodide", core)
    assert done.code == 0
    assert "nothing in them is secret" in done.out
    assert (shell.folder / "out" / "index.html").is_file()
    assert (shell.folder / "out" / "parts" / "program.bin").is_file()
    assert shell.fcb("share", mission, "-o", "out", "--pyodide", core).code == 2
    assert shell.fcb("share", mission, "-o", "out.html", "--folder", "--pyodide", core).code == 2

    done = shell.fcb("share", mission, "-o", "link.html", "--pyodide", core)
    assert done.code == 0
    assert keys.read_text() == "mine"  # the link is replaced, not followed
    assert not (shell.folder / "link.html").is_symlink()

    def fill_up(out: BinaryIO, data: bytes) -> None:
        out.write(data[:1000])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = (shell.folder / "out.html").read_bytes()
    with monkeypatch.context() as full:
        full.setattr(files, "_write_out", fill_up)
        done = shell.fcb("share", mission, "-o", "out.html", "--pyodide", core)
    assert (done.code, done.out) == (2, "")
    assert "No space left on device: " in done.err
    assert (shell.folder / "out.html").read_bytes() == before
    assert [path.name for path in shell.folder.iterdir() if path.name.endswith(files.PART)] == []

    (core / "pyodide.asm.wasm").write_bytes(b"")
    done = shell.fcb("share", mission, "-o", "other.html", "--pyodide", core)
    assert done.code == 2
    assert "SHA-256 differs" in done.err
    assert f"npm install pyodide@{pyodide.VERSION}" in done.err
    assert not (shell.folder / "other.html").exists()
