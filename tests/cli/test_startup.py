"""Commands load only the modules that they need."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "lark",
    "jinja2",
    "typst",
    "fontTools",
    "pypdf",
    "jsonschema",
    "referencing",
    "yaml",
    "sqlite3",
    "asyncio",
    "tomllib",
)


LEAVES = {"bounds", "visible"}
"""Small modules that load nothing else of fcb: limits of files, and safe output for terminals."""


def loaded(*arguments: str) -> list[str]:
    """Return the modules in memory after a run of ``fcb``."""
    script = (
        "import json, sys\n"
        "sys.argv = ['fcb', *sys.argv[1:]]\n"
        "from fcbdsl.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('\\n' + json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    names = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(names, list)
    return names


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["play", "--help"], ["render", "--help"]], ids=" ".join
)
def test_help_imports_no_package(arguments: list[str]) -> None:
    names = loaded(*arguments)
    assert not [name for name in names if name.split(".")[0] in HEAVY]
    below = {name.removeprefix("fcbdsl.") for name in names if name.startswith("fcbdsl.")} - {"base"}
    packages = {name.removeprefix("base.").partition(".")[0] for name in below}
    assert packages <= {"cli", "files", "native", "records"} | LEAVES


def test_version_imports_little_more_than_click() -> None:
    bare = subprocess.run(
        [sys.executable, "-c", "import click, sys; print(len(sys.modules))"], capture_output=True, text=True, check=True
    )
    assert len(loaded("--version")) < 1.25 * int(bare.stdout)


def test_play_of_program_imports_no_parser_or_printer(tmp_path_factory: pytest.TempPathFactory) -> None:
    from pond_game import pond

    from fcbdsl.machine.vm import fcbc

    file = tmp_path_factory.mktemp("program") / "pond.fcbc"
    file.write_bytes(fcbc.dump(pond()))
    names = loaded("play", "crossing", "--program", str(file), "--bot", "random", "--seed", "1")
    assert not [name for name in names if name.split(".")[0] in ("lark", "jinja2", "typst", "fontTools")]
    assert not [
        name for name in names if name.startswith(("fcbdsl.language.syntax", "fcbdsl.language.model", "fcbdsl.print"))
    ]


def test_verified_program_imports_no_verifier(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pond_game import pond

    from fcbdsl.machine import verified
    from fcbdsl.machine.vm import fcbc

    folder = tmp_path_factory.mktemp("program")
    monkeypatch.setenv("FCB_STATE", str(folder / "state"))
    file = folder / "pond.fcbc"
    file.write_bytes(fcbc.dump(pond()))
    verifiers = {"fcbdsl.machine.vm.verify.verifier", "fcbdsl.machine.vm.verify.codes"}
    play = ("play", "crossing", "--program", str(file), "--seed", "1", "--log", str(folder / "log"))
    assert verifiers < (names := set(loaded(*play)))
    assert "jsonschema" not in names, "it tells what is wrong with a program that does not read"
    verified.record(file.read_bytes())
    names = loaded(*play)
    assert not verifiers & set(names)
    assert "fcbdsl.play.bots.bots" not in names, "nobody needs one"


def test_unchanged_check_imports_no_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tiny.fcb").write_text('system tiny "Tiny":\n  players: 1\nkind hero is card\nhero ada "Ada"\n')
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cache").mkdir(mode=0o700)
    parser = "fcbdsl.language.syntax.parser"
    assert parser in loaded("check")
    names = loaded("check")
    assert parser not in names
    assert "fcbdsl.base.diagnostics.missions" not in names


# ── a Python that is too old ───────────────────────────────────────────────────────────────────

ROOT = Path(__file__).resolve().parents[2]
DOOR = ("fcbdsl/__init__.py", "fcbdsl/__main__.py", "fcbdsl/cli/__init__.py")
"""The files that an interpreter reads before fcb refuses it."""


@pytest.mark.parametrize("start", ["import fcbdsl.__main__", "import fcbdsl.cli.main"])
def test_old_python_is_refused_with_a_message(start: str) -> None:
    script = f"import sys; sys.version_info = (3, 10, 2, 'final', 0); {start}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"fcb needs Python 3.11 or later, but {sys.executable} is Python 3.10.\n"


@pytest.mark.parametrize("name", DOOR)
def test_entry_module_parses_on_old_python(name: str) -> None:
    tree = ast.parse((ROOT / name).read_text(), feature_version=(3, 4))
    outside = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} - {"fcbdsl.cli.main"}
    outside |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert outside <= {"gc", "sys"}  # built into every Python


@pytest.mark.parametrize(("version", "message"), [("3.10.4", "is Python 3.10.4"), (None, "is missing")])
def test_make_names_required_python(tmp_path: Path, version: str | None, message: str) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / "python"
    if version is not None:
        python.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo Python {version} || exit 1\n')
        python.chmod(0o755)
    done = subprocess.run(["make", f"PYTHON={python}", ".venv/.stamp"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"needs Python 3.11 or later, but '{python}' {message}." in done.stderr


WORKS = '#!/bin/sh\ncase "$*" in *ensurepip*) exit {0};; *venv*) echo "made by $0"; exit 1;; esac\n'
FAILS = "#!/bin/sh\nexit 127\n"


@pytest.mark.parametrize(
    ("pythons", "message"),
    [
        ({"python3.11": WORKS.format(0), "python3.14": WORKS.format(0)}, "python3.11 -m venv"),
        ({"python3.11": FAILS, "python3.13": WORKS.format(0), "python3.12": WORKS.format(0)}, "python3.13 -m venv"),
        ({"python3.12": WORKS.format(1)}, "sudo apt install python3-venv"),
        ({"python3": FAILS}, "needs Python 3.11 or later, but 'python3.11' is missing."),
    ],
)
def test_make_uses_working_python(tmp_path: Path, pythons: dict[str, str], message: str) -> None:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("make", "sh", "touch"):
        (tools / tool).symlink_to(shutil.which(tool) or tool)
    for name, text in pythons.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    done = subprocess.run(
        ["make", ".venv/.stamp"], cwd=tmp_path, capture_output=True, text=True, env={"PATH": str(tools)}
    )
    assert done.returncode != 0
    assert message in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("before", "last"),
    [
        ("atexit.register(print, 'exit function')", "exit function"),
        ("threading.Thread(target=lambda: (threading.main_thread().join(), print('thread'))).start()", "thread"),
    ],
)
@pytest.mark.parametrize(("command", "code"), [("--version", 0), ("no-command", 2)])
def test_process_ends_as_usual(before: str, last: str, command: str, code: int) -> None:
    """It runs exit functions, flushes its output and waits for other threads."""
    script = f"import atexit, threading; from fcbdsl.cli.main import main_of_process as main; {before}; main()"
    done = subprocess.run([sys.executable, "-c", script, command], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stdout.splitlines()[-1] == last
    assert ("fcb, version" in done.stdout) == (code == 0)
    assert bool(done.stderr) == (code == 2)


@pytest.mark.parametrize(("function", "message"), [("main_of_process", "at once"), ("main", "")])
def test_process_ends_at_once(function: str, message: str) -> None:
    script = "import os; leave = os._exit; os._exit = lambda code: (os.write(2, b'at once'), leave(code)); "
    script += f"from fcbdsl.cli.main import {function}; {function}()"
    done = subprocess.run([sys.executable, "-c", script, "--version"], capture_output=True, text=True, check=True)
    assert done.stderr == message


def test_command_can_be_profiled() -> None:
    profiled = [sys.executable, "-m", "cProfile", "-m", "fcbdsl", "--version"]
    done = subprocess.run(profiled, capture_output=True, text=True, check=True)
    assert "function calls" in done.stdout
