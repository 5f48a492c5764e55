"""Texts of a verified program are shown as texts: in terminals, in logs of CI, in files and on pages."""

from __future__ import annotations

import json
from typing import Any

from cli_runner import Shell
from pond_game import pond

from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.program import content_hash

HOSTILE = "::stop-commands::a ##[add-mask]b <script>c()</script> <img src=x onerror=d()> \"'&lt; "
COMMANDS = {
    "verify": "verify evil.fcbc",
    "missions": "missions --program evil.fcbc",
    "disasm": "disasm evil.fcbc",
    "play": "play crossing --program evil.fcbc --bot random --seed 1 --log game.json --transcript told.txt",
    "replay": "replay game.json --program evil.fcbc --show",
    "replay page": "replay game.json --program evil.fcbc --html page.html",
    "replay why": "replay game.json --program evil.fcbc --why 1.1",
    "simulate": "simulate crossing --program evil.fcbc --games 2 --bot random -j 1",
    "simulate text": "simulate crossing --program evil.fcbc --games 2 --bot random -j 1 -o report.txt",
    "simulate data": "simulate crossing --program evil.fcbc --games 2 --bot random -j 1 --format json -o report.json",
}


def evil_program() -> bytes:
    """Return the pond, in which each text begins with commands."""

    def evil(value: Any) -> Any:
        match value:
            case dict() if value and all(isinstance(text, str) and len(key) == 2 for key, text in value.items()):
                return {key: f"{HOSTILE}{text}" for key, text in value.items()}
            case dict():
                return {key: evil(item) for key, item in value.items()}
            case list():
                return [evil(item) for item in value]
        return value

    whole = json.loads(fcbc.dump(pond()))
    whole["program"] = evil(whole["program"])
    whole["hash"] = content_hash(whole["program"])
    return json.dumps(whole).encode()


def commands(text: str) -> list[str]:
    """Return what GitHub's runner would obey in a text."""
    return [line for line in text.split("\n") if line.strip().startswith("::") or "##[" in line]


def test_texts_of_program_are_only_shown(project: Shell) -> None:
    (project.folder / "evil.fcbc").write_bytes(evil_program())
    before = {*project.folder.iterdir()}
    for name, command in COMMANDS.items():
        done = project.fcb(*command.split())
        assert done.code == 0, (name, done.err)
        assert commands(done.out + done.err) == [], name
    made = {path.name: path.read_text(encoding="utf-8") for path in {*project.folder.iterdir()} - before}
    assert commands(made["told.txt"] + made["report.txt"]) == []
    assert "stop-commands" in made["told.txt"]
    assert "stop-commands" in made["report.txt"]
    assert HOSTILE.partition("<")[0] in made["page.html"]
    assert "<script>c" not in made["page.html"]
    assert "<img src=x" not in made["page.html"]
    assert json.loads(made["report.json"])
