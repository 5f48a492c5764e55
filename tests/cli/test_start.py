"""Starting costs little: what is not needed is not loaded."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("lark", "jinja2", "typst", "fontTools", "jsonschema", "referencing", "yaml", "sqlite3", "asyncio", "tomllib")


def loaded(*arguments: str) -> list[str]:
    """The modules in memory after a run of ``fcb``."""
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
def test_no_room_of_the_house_is_entered_for_a_mere_word(arguments: list[str]) -> None:
    names = loaded(*arguments)
    assert not [name for name in names if name.split(".")[0] in HEAVY]
    rooms = {name.split(".")[1] for name in names if name.startswith("fcbdsl.")}
    assert rooms <= {"cli", "files"}


def test_the_version_loads_hardly_more_than_click_does() -> None:
    bare = subprocess.run(
        [sys.executable, "-c", "import click, sys; print(len(sys.modules))"], capture_output=True, text=True, check=True
    )
    assert len(loaded("--version")) < 1.25 * int(bare.stdout)


def test_playing_a_program_needs_neither_parser_nor_printer(tmp_path_factory: pytest.TempPathFactory) -> None:
    from pond import pond

    from fcbdsl.vm import fcbc

    file = tmp_path_factory.mktemp("program") / "pond.fcbc"
    file.write_bytes(fcbc.dump(pond()))
    names = loaded("play", "crossing", "--program", str(file), "--bot", "random", "--seed", "1")
    assert not [name for name in names if name.split(".")[0] in ("lark", "jinja2", "typst", "fontTools")]
    assert not [name for name in names if name.startswith(("fcbdsl.syntax", "fcbdsl.model", "fcbdsl.render"))]
