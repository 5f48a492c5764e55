"""Folders from elsewhere: what is in them is told, never waited for, and nothing outside of them is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_runner import Done, Shell

from fcbdsl import bounds

ZERO = Path("/dev/zero")


def checked(project: Shell, code: str, said: str = "", *command: str) -> Done:
    """What ``fcb check`` says of a project with a mistake of that code."""
    done = project.fcb(*(command or ("check",)))
    assert done.code == 1, done.err
    assert code in done.out
    assert said in done.out
    return done


def test_a_pipe_is_not_waited_for(project: Shell) -> None:
    os.mkfifo(project.folder / "cards" / "a.fcb")
    checked(project, "FCB0812", "cards/a.fcb")


def test_a_folder_of_that_name_is_no_file(project: Shell) -> None:
    (project.folder / "cards" / "a.fcb").mkdir()
    checked(project, "FCB0812", "no ordinary file")


@pytest.mark.skipif(not ZERO.exists(), reason="the system has no /dev/zero")
def test_a_device_is_not_read(project: Shell) -> None:
    (project.folder / "cards" / "a.fcb").symlink_to(ZERO)
    checked(project, "FCB0813", "cards/a.fcb")
    done = project.fcb("check", ZERO)
    assert done.code == 1
    assert "FCB0812" in done.out


def test_links_that_lead_to_one_another_lead_nowhere(project: Shell) -> None:
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
def test_a_catalogue_is_an_ordinary_file_of_the_project(project: Shell, path: str) -> None:
    os.mkfifo(project.folder / "pipe")
    (project.folder.parent / "rules.md").write_text("secret")
    file = project.folder / "fcb.toml"
    file.write_text(f'rules = "{path}"\n{file.read_text()}')
    done = project.fcb("rules")
    assert done.code in (1, 2)
    assert "secret" not in done.out + done.err
    if path != "pipe":
        checked(project, "FCB0813", path)


def test_a_huge_file_is_not_read(project: Shell) -> None:
    with (project.folder / "cards" / "a.fcb").open("wb") as file:
        file.truncate(1 << 34)
    checked(project, "FCB0812", f"more than {bounds.FILE_BYTES:,} bytes")


@pytest.mark.parametrize("name", [b"a\x1b[31m.fcb", b"a\x07.fcb", b"a\nb.fcb", b"a\xff.fcb", "a\u202e.fcb".encode()])
@pytest.mark.parametrize("form", ["text", "json"])
def test_names_are_shown_in_characters_that_can_be_seen(project: Shell, name: bytes, form: str) -> None:
    Path(os.fsdecode(bytes(project.folder / "cards") + b"/" + name)).write_text("a b: :\n")
    done = checked(project, "cards/a�", "", "check", "--format", form)
    assert not any(one in done.out for one in "\x1b\x07\u202e")


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 20_000 + " = 1",
        "a" + ' . "a"' * 2_000 + " = 1",
        "a = " + "[" * 5000 + "]" * 5000,
        "a = " + "{a = " * 5000 + "1" + "}" * 5000,
        "a = " + "9" * 6000,
        "language = " + "9" * 6000,
        "\n".join(f"key{number} = 1" for number in range(8000)),
        "# " + "x" * (bounds.SETTINGS_BYTES + 1),
        "a = '''" + "[" * 100 + "'''\na = [",
    ],
    ids=["dotted", "quoted", "lists", "tables", "digits", "language", "keys", "size", "strings"],
)
def test_a_project_file_is_bounded(project: Shell, text: str) -> None:
    (project.folder / "fcb.toml").write_text(text)
    done = project.fcb("check")
    assert done.code == 1
    assert done.out.count("FCB0803") + done.out.count("FCB0812") == 1
