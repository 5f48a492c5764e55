"""Run a quick part of the tests with every Python found here: ``python tests/pythons.py [build/pythons]``.

It looks for Python 3.11 to 3.14 on PATH, in /usr/bin and among pyenv's versions. Each gets its own virtual environment,
which is used again until pyproject.toml changes. A table at the end shows the results.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ((3, 11), (3, 12), (3, 13), (3, 14))
"""The versions that fcbdsl is for."""
QUICK = (
    *("tests/model/test_cache.py", "tests/model/test_records.py", "tests/model/test_typed_tree.py"),
    *("tests/model/test_checker.py", "tests/compiler/test_lowering.py", "tests/compiler/test_cases.py"),
    *("tests/vm/test_fcbc.py", "tests/vm/test_columns.py", "tests/vm/test_data_ops.py", "tests/vm/test_numbers.py"),
    *("tests/editor/test_server.py", "tests/house/test_nodes.py", "tests/house/test_hatch_records.py"),
    "tests/house/test_zip_archive.py",
)
"""Test files that depend most on the version of Python, or that use much of fcbdsl."""
NEEDED = ("pytest", "hypothesis", "pygls", "hatchling")
"""Packages of the extra `dev` that these tests need besides fcbdsl's dependencies."""
PROBE = "import sys; print(*sys.version_info[:3], sys.base_prefix, sep='\\n')"
INSTALL = "on Debian and Ubuntu: apt install python3-venv"


class Python(NamedTuple):
    """A working interpreter: its version, its file, and where it is installed."""

    version: tuple[int, int, int]
    path: Path
    prefix: str


class Outcome(NamedTuple):
    """The result of an interpreter: in words, and its CPU seconds, including the virtual environment."""

    python: Python
    said: str
    passed: bool
    seconds: float


def candidates(environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield the files that may be interpreters: on PATH, in /usr/bin, and those of pyenv, whose shims on PATH show its
    folder."""
    folders = [Path(folder) for folder in environment.get("PATH", "").split(os.pathsep) if folder]
    homes = [folder.parent for folder in folders if folder.name == "shims"]
    homes += [Path(environment[name]) for name in ("PYENV_ROOT",) if environment.get(name)]
    homes += [Path(environment["HOME"]) / ".pyenv"] if environment.get("HOME") else []
    names = [f"python{major}.{minor}" for major, minor in VERSIONS]
    for home in homes:
        for name, version in zip(names, VERSIONS, strict=True):
            for installed in sorted((home / "versions").glob(f"{version[0]}.{version[1]}.*")):
                yield installed / "bin" / name
    for folder in (*folders, Path("/usr/bin")):
        yield from (folder / name for name in names)


def interpreters(environment: Mapping[str, str]) -> list[Python]:
    """Return the interpreters that work, each once, in order of their versions."""
    made: dict[tuple[object, ...], Python] = {}
    for path in candidates(environment):
        python = probed(path) if path.is_file() and os.access(path, os.X_OK) else None
        if python is not None and python.version[:2] in VERSIONS:
            made.setdefault((python.version, python.prefix), python)
    return sorted(made.values())


def probed(path: Path) -> Python | None:
    """Return the interpreter in a file; None if it does not work, such as pyenv's shim of an inactive version."""
    try:
        done = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    rows = done.stdout.splitlines()
    if done.returncode or len(rows) != 4:
        return None
    return Python((int(rows[0]), int(rows[1]), int(rows[2])), path, os.path.realpath(rows[3]))


def requirements() -> list[str]:
    """Return the requirements of fcbdsl and of the quick tests in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    dev = [
        requirement
        for requirement in project["optional-dependencies"]["dev"]
        if requirement.split(">")[0].split("=")[0] in NEEDED
    ]
    return [*project["dependencies"], *dev]


def environment_of(python: Python, folder: Path) -> Path | str:
    """Return the interpreter of a virtual environment with what is needed, or why there is none."""
    mark = hashlib.blake2b(repr((python, requirements())).encode(), digest_size=8).hexdigest()
    place = folder / f"{'.'.join(map(str, python.version))}-{mark}"
    inside, ready = place / "bin" / "python", place / ".ready"
    if ready.exists():
        return inside
    shutil.rmtree(place, ignore_errors=True)
    stage("making a virtual environment")
    done = subprocess.run([python.path, "-m", "venv", place], capture_output=True, text=True)
    if done.returncode:
        return f"cannot make a virtual environment ({INSTALL})"
    stage("installing what the tests need")
    pip = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements()]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        return f"pip failed: {(done.stderr.strip().splitlines() or ['it gave no reason'])[-1]}"
    ready.touch()
    return inside


def stage(text: str) -> None:
    """Print what begins now; in a pipe, too, because nothing else is printed for a while."""
    print(f"  {text}", flush=True)


def tried(python: Python, folder: Path) -> Outcome:
    """Run the quick tests with an interpreter."""
    before = os.times()
    inside = environment_of(python, folder)
    if isinstance(inside, str):
        return Outcome(python, inside, False, 0)
    # PYTHONPATH: processes of the tests find the package, which is not installed in these environments
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    commands = [["pytest", "-q", *QUICK], *(["fcbdsl", "test", file] for file in content())]
    codes = []
    for command in commands:
        stage(
            f"running {' '.join(command[:2])} {len(QUICK)} files"
            if command[0] == "pytest"
            else f"running {' '.join(command)}"
        )
        codes.append(subprocess.run([inside, "-m", *command], cwd=ROOT, env=environment).returncode)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return Outcome(python, "FAILED" if any(codes) else "passed", not any(codes), seconds)


def content() -> list[str]:
    """Return one file of content tests of each game, the smallest."""
    games = sorted(path for path in (ROOT / "tests" / "cases" / "play").iterdir() if path.is_dir())
    files = [min(game.rglob("*.fcb"), key=lambda path: (path.stat().st_size, path.name)) for game in games]
    return [path.relative_to(ROOT).as_posix() for path in files]


def main(folder: Path) -> int:
    """Try all interpreters and print the table; return the exit code."""
    pythons = interpreters(os.environ)
    outcomes = []
    for python in pythons:
        print(f"Python {'.'.join(map(str, python.version))} ({python.path})", flush=True)
        outcomes.append(tried(python, folder))
        stage(f"{outcomes[-1].said}, {outcomes[-1].seconds:.0f} CPU seconds")
    print(f"\n{'Python':<10}{'CPU seconds':>12}  result")
    for outcome in outcomes:
        version = ".".join(map(str, outcome.python.version))
        print(f"{version:<10}{outcome.seconds:>12.0f}  {outcome.said}  ({outcome.python.path})")
    for version in VERSIONS:
        if not any(python.version[:2] == version for python in pythons):
            print(f"{version[0]}.{version[1]:<8}{'':>12}  not found")
    return 0 if outcomes and all(outcome.passed for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/pythons").absolute()))
