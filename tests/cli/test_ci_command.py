"""`fcb ci`, and the page about checks in CI."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from cli_runner import Shell
from games import shared, shared_cache

from fcbdsl.cli import ci_command
from fcbdsl.cli.main import COMMANDS
from fcbdsl.print.typeset import worker_client

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


@pytest.fixture
def pack(shell: Shell) -> Iterator[Shell]:
    """Return a shell in a new game. Other tests and the next run use its cached measures."""
    shell.fcb("new", "pack", "--template", "game", "--lang", "en,fr")
    shell.folder = shell.folder / "pack"
    with shared_cache():
        yield shell


def test_ci_report_lists_every_step(pack: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    done = pack.fcb("ci", "--strict", "--format", "json", "--junit", "r.xml", "-j", "1", "--megabytes", "90000")
    report = json.loads(done.out)
    assert (done.code, report["fine"], report["problems"]) == (0, True, [])
    assert [step["step"] for step in report["steps"]] == ["check", "tests", "games", "coverage", "limits"]
    assert 'tests="21" failures="0"' in (pack.folder / "r.xml").read_text()
    with monkeypatch.context() as patch:
        patch.setattr(ci_command, "_play", None)  # runs that passed are not repeated
        patch.setenv("FCB_CACHE", str(shared("cache")))  # a patch turns the cache off
        again = pack.fcb("ci", "--strict", "--format", "json", "--junit", "again.xml", "--megabytes", "90000")
    assert again.out == done.out
    assert ["cached from an earlier run of the same sources" in run.err for run in (done, again)] == [False, True]
    assert (pack.folder / "again.xml").read_bytes() == (pack.folder / "r.xml").read_bytes()
    tests = pack.folder / "tests" / "tools.fcb"
    tests.write_text(tests.read_text().replace("load = 3", "load = 4"))
    done = pack.fcb("ci", "--format", "github", "-o", "print", "--megabytes", "90000")
    assert done.code == 1
    assert done.out.startswith("::error file=tests/tools.fcb,line=")
    assert "FAIL  tests: 7 tests, 1 failed" in done.out
    assert (pack.folder / "print" / "fr" / "mission-pans.fr.pdf").is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="a process is ended otherwise there")
def test_reports_are_written_when_typesetter_crashes(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.fcb("new", "pack", "--template", "game", "--lang", "en,fr")
    shell.folder = shell.folder / "pack"
    worker_client._process.end()  # the next request starts another
    monkeypatch.setattr(worker_client, "_command", lambda: [sys.executable, "-c", "import os; os.abort()"])
    done = shell.fcb("ci", "--format", "json", "--junit", "r.xml", "-j", "1", "--megabytes", "90000")
    written = json.loads(done.out)
    assert (done.code, written["fine"]) == (1, False)
    assert {problem["code"] for problem in written["problems"]} == {"FCB0738"}
    report = ElementTree.fromstring((shell.folder / "r.xml").read_text(encoding="utf-8"))
    failed = [case for case in report.iter("testcase") if case.find("failure") is not None]
    assert failed
    assert all("FCB0738" in ElementTree.tostring(case, "unicode") for case in failed)


def test_ci_stops_after_errors_of_the_check(pack: Shell) -> None:
    (pack.folder / "cards" / "tools.fcb").write_text("use pack\ntol rope:\n")
    done = pack.fcb("ci", "--megabytes", "90000")
    assert done.code == 1
    assert re.search(r"^FAIL  check: 1\d files, \d+ errors?: nothing else was done$", done.out, re.MULTILINE)
    assert "tests:" not in done.out


@pytest.mark.long
def test_time_and_memory_are_limited() -> None:
    pytest.importorskip("resource")
    script = """
        from fcbdsl.cli.resource_limits import TookTooLong, limit_resources
        with limit_resources(60, 512) as held:
            assert held
            try:
                bytearray(1024 ** 3)
            except MemoryError:
                print("memory")
        bytearray(1024 ** 3)
        try:
            with limit_resources(1, 4096):
                while True:
                    pass
        except TookTooLong:
            print("time")
    """
    lines = "\n".join(line[8:] for line in script.splitlines())
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["memory", "time"]


@pytest.mark.long
def test_ci_page_commands_work(pack: Shell) -> None:
    lines = [
        line
        for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
        for line in block.splitlines()
    ]
    assert len(lines) >= 10
    for line in lines:
        _, *arguments = line.partition(" > ")[0].split()
        done = pack.fcb(*(argument if argument != "4096" else "90000" for argument in arguments))
        assert done.code == 0, (line, done.out, done.err)


def test_action_hooks_and_workflows_name_existing_commands() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {hook["entry"].split()[1] for hook in hooks} <= set(COMMANDS)
    assert set(re.findall(r"id: ([\w-]+)", PAGE)) == {hook["id"] for hook in hooks}
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    assert set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text())) == set(action["inputs"])
    starter = ROOT / "fcbdsl" / "content" / "starters" / "common" / "dot-github" / "workflows" / "check.yml"
    for file in (starter, ROOT / ".github" / "workflows" / "test.yml"):
        assert yaml.safe_load(file.read_text())["jobs"]
