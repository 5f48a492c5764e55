"""Mistakes planted in sound content are all reported, and nothing else is."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from edited_files import EditedFiles, edited_shipped_game
from games import first_few
from plant_mistakes import PLANTERS, Planter, plant

from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import without_consequences

CARDS = sorted((shipped_path("cards") / "far-cry-beyond").glob("*.fcb"))
FIELDS = r"family|hands|cost|type|copies|max-HP|max-MP|rank|kit"


def _misspelt_field(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(rf"  ({FIELDS})(: .*)", lines[index])
    if match is None:
        return None
    lines[index] = f"  {match[1]}s{match[2]}"
    return "FCB0308", index


def _wrong_name(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(r"  (family|type|flash): .*", lines[index])
    if match is None:
        return None
    lines[index] = f"  {match[1]}: vanilla"
    return "FCB0501", index


def _text_for_number(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(r"  (hands|cost|max-HP|max-MP|rank): .*", lines[index])
    if match is None:
        return None
    lines[index] = f'  {match[1]}: "many"'
    return "FCB0501", index


def _misspelt_kind(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.match(r"(weapon|stunt|loot|reaction|hero|enemy|behavior|incident) ", lines[index])
    if match is None:
        return None
    lines[index] = lines[index].replace(match[1], match[1][:-1] + "q", 1)
    return "FCB0301", index


def _said_again(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(r"  (hands|cost|type|family|rank): (\S+)", lines[index])
    if match is None or index + 1 >= len(lines):
        return None
    lines[index + 1] = f"{lines[index]}\n{lines[index + 1]}"
    return "FCB0311", index + 1


OURS = [
    Planter("misspelt field", _misspelt_field),
    Planter("wrong name", _wrong_name),
    Planter("text for a number", _text_for_number),
    Planter("misspelt kind", _misspelt_kind),
]


@cache
def _desk() -> EditedFiles:
    desk = edited_shipped_game("far-cry-beyond")
    assert [problem.code for problem in desk.checker.problems() if problem.severity == "error"] == []
    return desk


def _found(path: Path, text: str) -> list[tuple[int, str]]:
    """Return the errors in one changed file of the cards, and in all others."""
    with _desk().trying({path.stem: text}) as (read, reported):
        every = [*read, *without_consequences(reported, read)]
        return sorted((p.span.line, p.code) for p in every if p.severity == "error")


@pytest.mark.sampled(19)
@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", first_few(range(3), 1))
@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_planted_declaration_mistakes_are_reported(path: Path, seed: int) -> None:
    text, planted = plant(path.read_text(encoding="utf-8"), seed, 5, OURS)
    lines = text.split("\n")
    seen: dict[str, int] = {}  # an unknown kind is reported at its first use
    for mistake in planted:
        if mistake.code == "FCB0301":
            seen.setdefault(lines[mistake.line - 1].split()[0], mistake.line)
    wanted = [m for m in planted if m.code != "FCB0301" or m.line in seen.values()]
    assert _found(path, text) == sorted((m.line, m.code) for m in wanted)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_planted_line_mistakes_hide_no_other(path: Path) -> None:
    text, planted = plant(path.read_text(encoding="utf-8"), 7, 4, PLANTERS)
    assert _found(path, text) == [(mistake.line, mistake.code) for mistake in planted]
