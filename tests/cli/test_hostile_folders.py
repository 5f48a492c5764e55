"""Hostile folders: fcb reports their content, never waits for it, and reads nothing outside of them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from cli_runner import Done, Shell

from fcbdsl.base import bounds
from fcbdsl.cli.ci_command import Validation, _line, report_coverage
from fcbdsl.cli.main import cli
from fcbdsl.play.testing.catalogue import CatalogueRule, coverage

ZERO = Path("/dev/zero")


def checked(project: Shell, code: str, message: str = "", *command: str) -> Done:
    """Return the output of ``fcb check`` for a project with a mistake of that code."""
    done = project.fcb(*(command or ("check",)))
    assert done.code == 1, done.err
    assert code in done.out
    assert message in done.out
    return done


def test_named_pipe_is_not_opened(project: Shell) -> None:
    os.mkfifo(project.folder / "cards" / "a.fcb")
    checked(project, "FCB0812", "cards/a.fcb")


def test_folder_named_like_file_is_reported(project: Shell) -> None:
    (project.folder / "cards" / "a.fcb").mkdir()
    checked(project, "FCB0812", "it is not an ordinary file")


@pytest.mark.skipif(not ZERO.exists(), reason="the system has no /dev/zero")
def test_device_is_not_read(project: Shell) -> None:
    (project.folder / "cards" / "a.fcb").symlink_to(ZERO)
    checked(project, "FCB0813", "cards/a.fcb")
    done = project.fcb("check", ZERO)
    assert done.code == 1
    assert "FCB0812" in done.out


def test_circular_links_are_reported(project: Shell) -> None:
    (project.folder / "cards" / "a.fcb").symlink_to("b.fcb")
    (project.folder / "cards" / "b.fcb").symlink_to("a.fcb")
    checked(project, "FCB0812", "cards/a.fcb")


def test_links_out_of_the_project_are_not_followed(project: Shell, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("home") / "secret"
    secret.write_text("pass word\n")
    (project.folder / "cards" / "a.fcb").symlink_to(secret)
    done = checked(project, "FCB0813", "cards/a.fcb")
    assert "pass word" not in done.out + done.err
    (project.folder / "cards" / "a.fcb").unlink()
    (project.folder / "more").mkdir()
    (project.folder / "more" / "a.fcb").write_text("mark inside\n")
    (project.folder / "cards" / "a.fcb").symlink_to("../more/a.fcb")
    assert project.fcb("check").code == 0


@pytest.mark.parametrize("key", ["paths", "tests"])
@pytest.mark.parametrize("path", ["..", "../elsewhere", "/", "/dev"])
def test_paths_out_of_the_project_are_not_followed(project: Shell, key: str, path: str) -> None:
    (project.folder.parent / "elsewhere").mkdir(exist_ok=True)
    (project.folder.parent / "elsewhere" / "a.fcb").write_text("pass word\n")
    file = project.folder / "fcb.toml"
    text = "\n".join(line for line in file.read_text().split("\n") if not line.startswith(key))
    file.write_text(f'{key} = ["{path}"]\n{text}')
    done = checked(project, "FCB0813", f"`{path}`")
    assert "pass word" not in done.out + done.err


@pytest.mark.parametrize("path", ["/dev/zero", "../rules.md", "pipe"])
def test_rules_catalogue_must_be_ordinary_file_of_project(project: Shell, path: str) -> None:
    os.mkfifo(project.folder / "pipe")
    (project.folder.parent / "rules.md").write_text("secret")
    file = project.folder / "fcb.toml"
    file.write_text(f'rules = "{path}"\n{file.read_text()}')
    done = project.fcb("rules")
    assert done.code in (1, 2)
    assert "secret" not in done.out + done.err
    if path != "pipe":
        checked(project, "FCB0813", path)


def test_huge_file_is_not_read(project: Shell) -> None:
    with (project.folder / "cards" / "a.fcb").open("wb") as file:
        file.truncate(1 << 34)
    checked(project, "FCB0812", f"more than {bounds.FILE_BYTES:,} bytes")


@pytest.mark.parametrize("name", [b"a\x1b[31m.fcb", b"a\x07.fcb", b"a\nb.fcb", b"a\xff.fcb", "a\u202e.fcb".encode()])
@pytest.mark.parametrize("form", ["text", "json"])
def test_control_characters_in_names_are_escaped(project: Shell, name: bytes, form: str) -> None:
    Path(os.fsdecode(bytes(project.folder / "cards") + b"/" + name)).write_text("a b: :\n")
    done = checked(project, "cards/a�", "", "check", "--format", form)
    assert not any(character in done.out for character in "\x1b\x07\u202e")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 20_000 + " = 1",
        "a" + ' . "a"' * 2_000 + " = 1",
        "a = " + "[" * 5000 + "]" * 5000,
        "a = " + "{a = " * 5000 + "1" + "}" * 5000,
        "a = " + "9" * 6000,
        f'paths = ["{"x" * 5000}"]',
        'title = "a\\n::error::b"',
        'title = "a\\u202eb"',
        'name = "\\u001b[31m"',
        "language = " + "9" * 6000,
        "\n".join(f"key{number} = 1" for number in range(8000)),
        "# " + "x" * (bounds.SETTINGS_BYTES + 1),
        "a = '''" + "[" * 100 + "'''\na = [",
    ],
    ids=[
        "dotted",
        "quoted",
        "lists",
        "tables",
        "digits",
        "path",
        "line",
        "turned",
        "escape",
        "language",
        "keys",
        "size",
        "strings",
    ],
)
def test_project_file_is_bounded(project: Shell, text: str) -> None:
    (project.folder / "fcb.toml").write_text(text)
    done = project.fcb("check")
    assert done.code == 1
    assert done.out.count("FCB0803") + done.out.count("FCB0812") == 1


def test_hostile_project_file_starts_no_workflow_command(project: Shell) -> None:
    evil = json.dumps("x\n::error::y ##[add-mask]z\x1b]0;t\x07")
    (project.folder / "fcb.toml").write_text(
        f'language = 2\nname = "pond"\nlanguages = ["en", {evil}]\npaths = [{evil}]\n{evil} = 1\n'
        f"[severity]\n{evil} = {evil}\n[wins.pond]\n{evil} = {evil}\n"
        f"[coverage]\n{evil} = 1\n[variants]\n{evil} = {evil}\n"
    )
    for command in (["check"], ["check", "--format", "github"], ["ci"], ["test"], ["render"]):
        done = project.fcb(*command)
        assert done.code in (1, 2)
        for line in (done.out + done.err).split("\n"):
            assert not re.search(r"[\x00-\x1f\x7f-\x9f]|##\[", line)
            assert not line.strip().startswith("::") or re.match(
                r"::(error|warning) file=[\w/. \[\]]+,|::notice::\d", line
            )


@pytest.mark.long
def test_outputs_follow_no_links_of_project(project: Shell, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / "keys").write_text("mine\n")
    (home / "print").mkdir()
    (project.folder / "report.xml").symlink_to(home / "keys")
    (project.folder / "print").symlink_to(home / "print")
    (project.folder / "a.json").write_text('{"kind": "frog", "id": "tim", "title": {"en": "Tim"}}')
    assert project.fcb("play", "crossing", "--bot", "random", "--log", "game.json").code == 0
    for commands in OUTPUTS.values():
        for command in commands:
            done = project.fcb(*command.split())
            assert (home / "keys").read_text() == "mine\n", command
            assert list((home / "print").iterdir()) == [], command
            if (project.folder / "report.xml").is_symlink():
                assert done.code == 2, command
                assert "a link leads out of" in done.err, command
            else:
                (project.folder / "report.xml").unlink()
                (project.folder / "report.xml").symlink_to(home / "keys")


OUTPUTS = {
    "check --write-baseline": ["check --write-baseline report.xml"],
    "ci --junit": ["ci --junit report.xml"],
    "ci --output": ["ci -o print"],
    "compile --output": ["compile -o report.xml", "compile -o print/x"],
    "diff --output": ["diff . . -o report.xml"],
    "export --output": ["export -o report.xml"],
    "i18n export --output": ["i18n export fr -o report.xml"],
    "import --output": ["import a.json --force -o report.xml"],
    "play --log": ["play crossing --bot random --log report.xml"],
    "play --transcript": ["play crossing --bot random --transcript report.xml"],
    "render --output": ["render -o print --to html", "render -o print --lang en --to png"],
    "replay --html": ["replay game.json --html report.xml"],
    "schema --output": ["schema frog -o print/x"],
    "simulate --keep": ["simulate crossing --games 1 --keep report.xml"],
    "simulate --output": ["simulate crossing --games 1 -o report.xml"],
    "soak --log": ["soak --games 1 --log print/x"],
    "test --html": ["test --html print/x"],
    "test --junit": ["test --junit report.xml"],
    "test --output": ["test --coverage -o report.xml"],
}
"""Options that name an output, and commands in which the output is a link out of the project, or below one."""

APART = {
    "compare --output": "needs two different programs",
    "campaign": "the file of a campaign: tests/campaign",
    "new folder": "a new folder",
    "share --output": "needs Pyodide: tests/table/test_share.py",
    "table --log": "a server: tests/cli/test_lan.py",
    "watch --lost": "endless",
}
"""Options that name an output and are not tested here, with the reason."""


def test_every_output_option_is_tested_with_links() -> None:
    def outputs(command: click.Command, path: str = "") -> Iterator[str]:
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command)):
                inner = command.get_command(click.Context(command), name)
                assert inner is not None
                yield from outputs(inner, f"{path} {name}".strip())
        else:
            for option in command.params:
                if isinstance(option.type, click.Path) and not option.type.exists:
                    yield f"{path} {option.opts[-1]}"

    options = [name for name in outputs(cli) if name not in APART and name.split()[0] != "campaign"]
    assert sorted(options) == sorted(OUTPUTS)


def test_fmt_and_fix_leave_files_outside_alone(project: Shell, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("home") / "o.fcb"
    outside.write_text("kind   thing:\n      field x: number\n")
    (project.folder / "cards" / "z.fcb").symlink_to(outside)
    for command in (["fmt"], ["fmt", "cards/z.fcb"], ["fmt", "--diff"], ["check", "--fix"], ["migrate"]):
        done = project.fcb(*command)
        assert done.code == 1
        assert "FCB0813" in done.out
        assert "field x" not in done.out + done.err
        assert outside.read_text() == "kind   thing:\n      field x: number\n"


CATALOGUE = """# Rules

## 1. Board

- **PON-BOARD-01** A rule. [engine]
- **PON-BOARD-02** A rule. [engine]

## Proven elsewhere

| rule | what | proof |
|---|---|---|
| PON-BOARD-01 | x | `{0}` |
| PON-BOARD-02 | x | `{0}` |
"""


@pytest.mark.parametrize("proof", ["gone.py::test_x", "here.py::test_y", "../outside.py::secret", "binary.py::test_x"])
def test_missing_or_outside_proof_does_not_count(project: Shell, proof: str) -> None:
    (project.folder / "here.py").write_text("def test_x(): ...\n")
    (project.folder / "binary.py").write_bytes(b"def test_x(): \xff\n")
    (project.folder.parent / "outside.py").write_text("def secret(): ...\n")
    with_rules(project, proof)
    done = project.fcb("rules", "--coverage")
    assert done.code == 1
    assert "that does not exist: PON-BOARD-01, PON-BOARD-02" in done.out


@pytest.mark.parametrize(("strict", "verdict"), [(False, "ok  "), (True, "FAIL")])
def test_proof_that_did_not_run_is_counted_separately(strict: bool, verdict: str) -> None:
    rule = CatalogueRule("PON-BOARD-01", 1, ("engine",))
    proven = coverage([rule], range(1, 2), [], elsewhere={rule.id: []})
    message = "0 of 1 rule covered by tests that ran; covered by tests that did not run here: PON-BOARD-01"
    report = Validation()
    report_coverage(report, "rules", proven, [], strict)
    assert [_line(*step) for step in report.steps] == [f"{verdict}  rules: {message}"]


@pytest.mark.long
def test_missing_proof_fails_gate(project: Shell) -> None:
    with_rules(project, "gone.py::test_x")
    done = project.fcb("ci", "--games", "0")
    assert done.code == 1
    assert "that is not in the project: PON-BOARD-01, PON-BOARD-02" in done.out


def test_data_of_rules_need_report(project: Shell) -> None:
    with_rules(project, "here.py::test_x")
    done = project.fcb("rules", "--json")
    assert (done.code, done.out, "--coverage or --guarded" in done.err) == (2, "", True)


def test_guards_are_read_within_bounds(project: Shell) -> None:
    with_rules(project, "here.py::test_x")
    (project.folder / "mutation").mkdir()
    guards = project.folder / "mutation" / "guards.json"
    for text in ("[" * 100_000, "{}", "\udcff"):
        guards.write_text(text, errors="surrogateescape")
        done = project.fcb("rules", "--coverage")
        assert done.code == 1
        assert "guards.json" in done.err
    guards.unlink()
    guards.symlink_to(ZERO)
    assert "guards.json" in project.fcb("rules", "--coverage").err


def with_rules(project: Shell, proof: str) -> None:
    """Give a project a catalogue of two rules that `proof` proves elsewhere."""
    (project.folder / "rules.md").write_text(CATALOGUE.format(proof))
    settings = project.folder / "fcb.toml"
    lines = [line for line in settings.read_text().splitlines() if not line.startswith("rules")]
    at = next((number for number, line in enumerate(lines) if line.startswith("[")), len(lines))
    settings.write_text("\n".join([*lines[:at], 'rules = "rules.md"', 'mutation = "mutation"', *lines[at:]]) + "\n")


@pytest.mark.parametrize("name", ["pond.de.po", "pond.de.seals"])
def test_translations_follow_no_links(project: Shell, tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.po"
    outside.write_text('msgid "a"\nmsgstr "a secret line\n', encoding="utf-8")
    settings = project.folder / "fcb.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + '\ntranslations = "words"\n', encoding="utf-8")
    (project.folder / "words").mkdir()
    (project.folder / "words" / name).symlink_to(outside)
    done = project.fcb("check")
    assert (done.code, "FCB0813" in done.out + done.err) == (1, True)
    assert "a secret line" not in done.out + done.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
@pytest.mark.parametrize(
    "command",
    [
        "check --baseline pipe", "replay pipe", "verify pipe", "import pipe", "i18n import pipe", "play --resume pipe",
        "table --resume pipe", "simulate --program pipe",
    ],
)  # fmt: skip
def test_pipe_in_project_is_not_opened(project: Shell, command: str) -> None:
    os.mkfifo(project.folder / "pipe")
    done = project.fcb(*command.split())
    assert done.code == 2
    assert "File 'pipe' is not an ordinary file." in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev")
def test_pipe_of_shell_is_read(project: Shell) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"[]")
    os.close(writing)
    done = project.fcb("replay", f"/dev/fd/{reading}")
    os.close(reading)
    assert (done.code, "it is not a log" in done.err) == (1, True)
