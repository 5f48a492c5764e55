"""Hostile texts of a project are only texts: in every command, every format, and every file that fcb writes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from cli_runner import Shell
from pond_game import POND

from fcbdsl.base.visible import HIDDEN
from fcbdsl.cli.main import cli

HOSTILE = "::stop-commands::a ##[add-mask]b <script>c()</script> <img src=x onerror=c()> =1+1 "
EARLY = "--bot random --seed 1"

CASES = {
    "campaign export --output": "campaign export team.campaign -o out.json",
    "campaign graph --output": "campaign graph long-winter -o out.svg",
    "campaign status --json": "campaign status team.campaign --json",
    "check": "check",
    "check --fix --diff": "check --fix --diff",
    "check --format github": "check --format github",
    "check --format json": "check --format json",
    "check --format junit": "check --format junit",
    "check --format sarif": "check --format sarif",
    "check --format text": "check --format text --explain-passes",
    "check --write-baseline": "check --write-baseline out.json",
    "ci --format github": "ci --games 1 -j 1 --format github",
    "ci --format json": "ci --games 1 -j 1 --format json",
    "ci --format text": "ci --games 1 -j 1",
    "ci --junit": "ci --games 0 -j 1 --junit out.xml",
    "ci --output": "ci --games 0 -j 1 -o out",
    "compare --format json": "compare . other crossing --games 2 --bot random --players 1 -j 1 --format json",
    "compare --format text": "compare . other crossing --games 2 --bot random --players 1 -j 1",
    "compare --output": "compare . other crossing --games 2 --bot random --players 1 -j 1 -o out.txt",
    "compile --output": "compile -o out.fcbc --looks",
    "diff --format html": "diff other . --format html -o out.html",
    "diff --format json": "diff other . --format json",
    "diff --format markdown": "diff other . --format markdown -o out.md",
    "diff --format text": "diff other . --format text",
    "diff --output": "diff other . -o out.txt",
    "disasm": "disasm game.fcbc",
    "dump": "dump model cards/pond.fcb",
    "export": "export",
    "export --output": "export -o out.json",
    "explain": "explain FCB0101",
    "fmt --diff": "fmt --diff",
    "i18n export --output": "i18n export de -o out.po",
    "i18n import": "i18n import de.po",
    "i18n seal": "i18n seal fr",
    "i18n status --format json": "i18n status --format json",
    "i18n status --format text": "i18n status --list",
    "import --output": "import a.json --force -o out.fcb",
    "missions": "missions --long",
    "mutate --json": "mutate --sample 2 --json --jobs 1",
    "play --log": f"play crossing {EARLY} --log out.json",
    "play --transcript": f"play crossing {EARLY} --transcript out.txt",
    "play --views": "play crossing --seed 1 --views --human 1",
    "play": "play crossing --seed 1 --human 1 --lang fr",
    "play --table": "play crossing --seed 1 --table --log out.json",
    "render --output": "render puddle -o out",
    "render --to html": "render -o out --to html",
    "render --to pdf": "render puddle -o out --to pdf --lang en",
    "render --to png": "render puddle -o out --to png --lang en",
    "render --to tts": "render -o out --to tts --for crossing --lang en",
    "render --compare": "render --compare --to html -o out",
    "replay --html": "replay game.json --html out.html",
    "replay --show": "replay game.json --show",
    "replay --why": "replay game.json --why 1.1",
    "rules --json": "rules --coverage --json",
    "rules": "rules --coverage",
    "schema --output": "schema frog -o out.json",
    "share --output": "",
    "simulate --format html": "simulate crossing --games 2 --bot random --players 1 -j 1 --format html -o out.html",
    "simulate --format json": "simulate crossing --games 2 --bot random --players 1 -j 1 --format json",
    "simulate --format text": "simulate crossing --games 2 --bot random --players 1 -j 1 --format text",
    "simulate --output": "simulate crossing --games 2 --bot random --players 1 -j 1 -o out.txt",
    "simulate --keep": "simulate crossing --games 2 --bot random --players 1 -j 1 --keep out.jsonl",
    "soak --log": "soak --games 2 --log out.json",
    "test --coverage-format html": "test --coverage --coverage-format html -o out.html",
    "test --coverage-format json": "test --coverage --coverage-format json",
    "test --coverage-format lcov": "test --coverage --coverage-format lcov",
    "test --coverage-format text": "test --coverage --coverage-format text --coverage-all",
    "test --format json": "test --format json",
    "test --format text": "test --format text",
    "test --html": "test --html out.html",
    "test --junit": "test --junit out.xml",
    "test --output": "test --coverage -o out.txt",
    "verify": "verify game.fcbc",
    "vocab --format json": "vocab --format json",
    "vocab --format text": "vocab --format text",
    "whatis": "whatis aaaaaa",
}
"""A command for each output: with hostile titles, texts, comments and tests, and a failing test."""

APART = {
    "cache": "shows no text of a project",
    "campaign start": "makes a file of a campaign, which `campaign export` shows",
    "fmt": "rewrites sources",
    "help": "shows no text of a project",
    "lsp": "tests/editor",
    "migrate": "rewrites sources",
    "new": "makes a project",
    "serve": "tests/live and tests/painter",
    "share --output": "its page is that of `table`; its data is compressed and encoded",
    "table --log": "tests/table",
    "tune --format json": "shows the texts that `compare` shows",
    "tune --format text": "likewise",
    "watch --lost": "endless",
}


def outputs(command: click.Command, path: str = "") -> Iterator[str]:
    """Yield each option that names an output or a format, with each format."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            assert inner is not None
            yield from outputs(inner, f"{path} {name}".strip())
        return
    has_output = False
    for parameter in command.params:
        option = f"{path} {parameter.opts[-1]}"
        if isinstance(parameter.type, click.Path) and not parameter.type.exists and parameter.opts[0].startswith("-"):
            has_output = True
            yield option
        elif isinstance(parameter.type, click.Choice) and ("format" in option or "--to" in option):
            has_output = True
            yield from (f"{option} {value}" for value in parameter.type.choices)
        elif parameter.opts[-1] in ("--json", "--show", "--why", "--views", "--html"):
            has_output = True
            yield option
    if not has_output:
        yield path


def test_every_output_has_case() -> None:
    cases = CASES.keys() | APART.keys()
    options = set(outputs(cli))
    campaigns = {name for name in options if name.startswith("campaign ")}  # commands that print what `status` prints
    assert options - campaigns - cases == set()
    assert APART.keys() - options == set()


@pytest.fixture
def hostile(project: Shell, request: pytest.FixtureRequest) -> Shell:
    """Return a project whose titles and texts are hostile, with another version of it beside."""
    shutil.copytree(POND, project.folder / "other")
    start = r"a\n" if request.node.callspec.params["name"].startswith(BROKEN) else ""
    for path in project.folder.glob("*/*.fcb"):
        path.write_text(evil(path.read_text(encoding="utf-8"), start) + f"\n# {HOSTILE}\n", encoding="utf-8")
    cards = project.folder / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace("length: 4", "length: 5"), encoding="utf-8")
    (project.folder / "rules.md").write_text(RULES)
    settings = project.folder / "fcb.toml"
    text = settings.read_text().replace('"The Pond"', json.dumps(f"{HOSTILE}The Pond"))
    settings.write_text(f'rules = "rules.md"\n{text}')
    return project


BROKEN = ("check", "ci", "dump", "test", "export", "schema", "vocab")
"""Commands that show titles with line breaks, too. Others refuse them (FCB0705)."""
RULES = f"# Rules\n\n## 1. Pond\n\n- **POND-HOP-01** {HOSTILE} [engine]\n- **POND-HOP-02** {HOSTILE} [engine]\n"
PO = r"""
msgid ""
msgstr "Language: de\nContent-Type: text/plain; charset=UTF-8\n"

#: {0}
msgctxt "{0}\n::error::x"
msgid "{0}"
msgstr "{0}\n::error::y ##[group]"
"""


def evil(source: str, start: str = "") -> str:
    """Return a source in which each title and text has hostile words. `start`: what most texts begin with."""

    def worse(line: str) -> str:
        if re.match(r"\s+text (en|fr)|\s+lily: |\s+fly: |\s+\"", line):
            return line
        mark = "" if line.startswith("test") else start
        return re.sub(r'"([A-Za-zÀ-ÿ][^"{}|\[\]]{2,})"', lambda match: f'"{mark}{HOSTILE}{match[1]}"', line)

    return "\n".join(map(worse, source.split("\n")))


def commands(text: str) -> list[str]:
    """Return what GitHub's runner would obey in a text."""
    return [line for line in text.split("\n") if line.strip().startswith("::") or "##[" in line]


class Page(HTMLParser):
    """Collects what a browser would run in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.run: list[str] = []
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = tag == "script" and dict(attrs).get("type") != "application/json"
        self.run += [f"{tag} {name}={value}" for name, value in attrs if name.startswith("on") or value == "x"]
        self.run += [f"{tag} {name}" for name, value in attrs if (value or "").strip().startswith("javascript:")]

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def handle_data(self, data: str) -> None:
        if self._script and "c()" in data:
            self.run.append(data)


def inspect(path: Path) -> None:
    """Assert that a written file contains hostile texts as texts only."""
    data = path.read_bytes()
    if path.suffix in (".pdf", ".png", ".fcbc", ".part", ".zip", ".fcblooks", ".obj", ".looks"):
        return
    text = data.decode("utf-8")
    assert not HIDDEN.search(text.replace("\r", "")), path
    if path.suffix in (".html", ".svg"):
        page = Page()
        page.feed(text)
        assert page.run == [], path
        if path.suffix == ".svg":
            ElementTree.fromstring(text)
    elif path.suffix == ".xml":
        for element in ElementTree.fromstring(text).iter():
            assert commands(element.text or "") == [], path
    elif path.suffix == ".json":
        json.loads(text)
    elif path.suffix == ".jsonl":
        assert all(json.loads(line) is not None for line in text.splitlines())
    elif path.suffix == ".po":
        assert [line for line in text.splitlines() if line and not re.match(r'msg|"|#', line)] == []
    elif path.suffix == ".fcb":
        assert [line for line in text.splitlines() if line.strip().startswith("::")] == []
    else:
        assert commands(text) == [], path


def shown(project: Shell, name: str) -> None:
    """Run the command of a case, and inspect what it prints and writes."""
    if name.startswith("campaign"):
        campaign(project)
    before = {path: path.read_bytes() for path in project.folder.rglob("*") if path.is_file()}
    done = project.fcb(*CASES[name].split(), stdin="1\n" * 9 if name.startswith("play") else "")
    assert "internal error" not in done.err, (name, done.err)
    assert done.code in (0, 1), (name, done.err)
    output = done.out + done.err
    own = r"::(error|warning|notice|debug) ?(file=[^:]*)?(,[^:]*)?::"
    assert [line for line in commands(output) if not ("github" in name and re.match(own, line))] == [], name
    assert not re.search(r"\x1b(?!\[[0-9;]*[mK])", output), name
    assert not HIDDEN.search(re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", output)), name
    if "json" in name and "--output" not in name and done.out.startswith(("{", "[")):
        json.loads(done.out)
    made = [path for path in project.folder.rglob("*") if path.is_file() and before.get(path) != path.read_bytes()]
    for path in made:
        inspect(path)
    whole = output.encode() + b"".join(path.read_bytes() for path in made)
    assert b"stop-commands" in whole or name in SILENT, (name, output)


SILENT = (
    "campaign export --output", "explain", "i18n seal", "i18n status --format json", "i18n status --format text",
    "mutate --json", "rules", "rules --json", "verify", "whatis",
)  # fmt: skip
"""Cases that show ids and numbers only."""


def campaign(project: Shell) -> None:
    """Replace the project by one with a campaign, hostile, too."""
    shutil.rmtree(project.folder)
    shutil.copytree(POND.parent / "lanterns", project.folder)
    for path in project.folder.rglob("*.fcb"):
        path.write_text(evil(path.read_text(encoding="utf-8")), encoding="utf-8")
    done = project.fcb("campaign", "start", "long-winter", "team.campaign", "--seed", "1", "--players", "2")
    assert done.code == 0, done.err


SLOW = ("ci ", "render ", "mutate", "campaign", "simulate", "compare", "share", "soak")


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name.startswith(SLOW) else ())
        for name, command in CASES.items()
        if command
    ],
)
def test_hostile_texts_are_only_shown(hostile: Shell, name: str) -> None:
    hostile.folder.joinpath("a.json").write_text(
        json.dumps({"kind": "frog", "id": "tim", "title": {"en": f"{HOSTILE}\n::error::x"}})
    )
    hostile.folder.joinpath("de.po").write_text(PO.format(HOSTILE).replace("-->", ""), encoding="utf-8")
    if name == "render --compare":
        cards = hostile.folder / "cards" / "pond.fcb"
        text = cards.read_text(encoding="utf-8").replace("  fr: ", f'  text: "{HOSTILE}"\n  fr: ')
        cards.write_text(text, encoding="utf-8")
    if "replay" in name:
        assert hostile.fcb("play", "crossing", *EARLY.split(), "--log", "game.json").code == 0
    if name in ("disasm", "verify"):
        assert hostile.fcb("compile", "-o", "game.fcbc").code == 0
    if name.startswith("test"):
        tests = hostile.folder / "tests" / "pond.fcb"
        tests.write_text(tests.read_text(encoding="utf-8").replace("energy = 2", "energy = 1"), encoding="utf-8")
    shown(hostile, name)
