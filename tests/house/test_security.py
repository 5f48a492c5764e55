"""SECURITY.md, the page of CI and the supply chain agree with each other and with the tests."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from imports import nodes_of
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
CITED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
WORKFLOWS = [
    *(ROOT / ".github" / "workflows").glob("*.yml"),
    *(ROOT / "fcbdsl" / "content" / "starters").rglob("*.yml"),
    ROOT / "action.yml",
    ROOT / "docs" / "ci.md",
]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


def test_every_promise_has_test() -> None:
    rows = [
        line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| Promise", "| Input"))
    ]
    assert len(rows) > 15
    assert [row for row in rows if not re.search(r"\| `tests/[\w/]+\.py::\w+` \|$", row)] == []


@pytest.mark.parametrize(("file", "name"), CITED)
def test_cited_test_exists(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_ci_page_repeats_promises_of_threat_model() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8").partition("## Packs of strangers")[2]
    promises = [line.removeprefix("- ") for line in page.splitlines() if line.startswith("- ")]
    table = PAGE.partition("## Packs of strangers")[2].partition("\n## ")[0]
    assert promises == re.findall(r"^\| ([^|]+?) \| `", table, re.MULTILINE)
    assert len(promises) > 5


NETWORK = (
    "socket",
    "urllib.request",
    "http.client",
    "ftplib",
    "smtplib",
    "httpx",
    "uvicorn",
    "distributed",
)
CONNECTING = {
    "base/origin.py": "urllib.request",
    "cli/compressed_websocket.py": "uvicorn",
    "cli/lan.py": "socket",
    "cli/serve_command.py": "socket, uvicorn",
    "play/simulation/cluster.py": "distributed",
}
"""Modules that import what can connect to a network.

`fcb serve`, `fcb table` and `fcb simulate --dask` connect. `lan` asks the system for the address of this machine and
sends nothing. `compressed_websocket` is a protocol of their server. `origin` reads a `file:` URL.
"""


def test_only_servers_and_clients_open_connections() -> None:
    modules = {}
    for path in (ROOT / "fcbdsl").rglob("*.py"):
        names = []
        for node in nodes_of(path):
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
        used = sorted(
            {name for name in NETWORK for imported in names if imported == name or imported.startswith(f"{name}.")}
        )
        if used:
            modules[path.relative_to(ROOT / "fcbdsl").as_posix()] = ", ".join(used)
    assert modules == CONNECTING


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_to_commits(path: Path) -> None:
    used = re.findall(r"uses: (\S+?)@(\S+)(.*)", path.read_text(encoding="utf-8"))
    loose = [
        (name, pin)
        for name, pin, comment in used
        if not (re.fullmatch(r"[0-9a-f]{40}", pin) and re.fullmatch(r"  # v\d+\.\d+\.\d+", comment))
        and not (name == "fcbdsl/fcbdsl" and re.fullmatch(r"v\d+\.\d+\.\d+", pin))
    ]
    assert loose == []
    assert used


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_every_locked_dependency_has_hashes(path: Path) -> None:
    entries = re.split(r"\n(?=\S)", path.read_text(encoding="utf-8").strip())
    bare = [
        entry
        for entry in entries
        if not re.match(r"[\w.-]+(\[[\w,-]+\])?==\S+", entry) or "--hash=sha256:" not in entry
    ]
    assert bare == []


def test_locked_versions_fit_project_ranges() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    dev = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    for name, wanted in (("run", project["dependencies"]), ("dev", dev)):
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE))
        for requirement in map(Requirement, wanted):
            key = re.sub(r"[-_.]+", "-", requirement.name.lower())
            assert requirement.specifier.contains(locked[key]), requirement
