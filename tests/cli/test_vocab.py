"""``fcb vocab``, and the pages of words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.cli.pages import word_pages

DOCS = Path(__file__).parents[2] / "docs"


def test_word_is_found_by_its_id_and_by_its_title(project: Shell) -> None:
    everything = project.fcb("vocab").out
    assert {line.split()[0] for line in everything.splitlines()} >= {
        "kind",
        "verb",
        "relation",
        "measure",
        "action",
        "die",
    }
    rows = json.loads(project.fcb("vocab", "place", "--format", "json").out)
    assert {"verb"} <= {row["sort"] for row in rows}
    verb = next(row for row in rows if row["sort"] == "verb")
    assert verb["written"] == "place what (piece) on spot (space)"
    assert ["fr", "placez {what} sur {spot}"] in verb["printed"]
    titled = next(row for row in json.loads(project.fcb("vocab", "--format", "json").out) if row["titles"].get("fr"))
    entries = json.loads(project.fcb("vocab", titled["titles"]["fr"].upper(), "--format", "json").out)
    assert titled["id"] in {row["id"] for row in entries}
    assert f"fr: {titled['titles']['fr']}" in project.fcb("vocab", titled["id"]).out


def test_unknown_word_is_reported_with_the_nearest(project: Shell) -> None:
    done = project.fcb("vocab", "plaace")
    assert (done.code, "Did you mean place?" in done.err) == (2, True)


def test_vocab_finds_event_by_word_of_form(project: Shell) -> None:
    rows = json.loads(project.fcb("vocab", "--format", "json").out)
    events = [row for row in rows if row["sort"] == "event" and len(row["written"].split()) == 3]
    event = next(row for row in events if row["written"].split()[1] not in row["id"])
    entries = json.loads(project.fcb("vocab", event["written"].split()[1], "--format", "json").out)
    assert event["id"] in {row["id"] for row in entries}


def test_vocab_shows_inherited_parts_of_kind(project: Shell) -> None:
    system = next((project.folder / "systems").rglob("*.fcb"))
    text = "\nkind zz-kite is card:\n  field zz-string: flag, required\nkind zz-stunter is zz-kite\n"
    system.write_text(system.read_text(encoding="utf-8") + text, encoding="utf-8")
    output = project.fcb("vocab", "zz-stunter").out
    assert "  field zz-string:" in output
    assert "required (as every zz-kite)" in output


@pytest.mark.long
def test_word_pages_are_up_to_date() -> None:
    for name, text in word_pages().items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, "run `make docs`"
        assert text.count("\n| `") > 50
