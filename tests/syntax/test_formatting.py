"""Formatting: one format for all, nothing lost, and idempotent."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_edits import edited, words_of
from samples import ROOT, SAMPLES, SHIPPED

from benchmarks.pack import cards
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import lower
from fcbdsl.language.syntax.formatting import BESIDE, CannotFormat, equal_content, format_source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.machine.vm.program import Program
from fcbdsl.project.paths import PACKAGE, fcb_files
from fcbdsl.project.project import check_project, own_files
from fcbdsl.project.settings import read_projects

LANTERNS = ROOT / "tests/systems/lanterns"


def laid_out(text: str) -> str:
    return format_source(Source("t.fcb", text))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("\n\n", ""),
        ("# only a remark", "# only a remark\n"),
        ("\n\nuse x  \n\n\n\nuse y", "use x\n\nuse y\n"),
        ("card a :\n\n  hands:2", "card a:\n  hands: 2\n"),
        ("card a:\n\thands: 2\n\trule:\n\t\tdraw 1", "card a:\n  hands: 2\n  rule:\n    draw 1\n"),
        ("a ( b , c ) ; d", "a (b, c); d\n"),
        ("if a<b*3/c : stop", "if a < b * 3 / c: stop\n"),
        ("hp -1;hp  +2; roll  2d6; x -2..2; y 5..", "hp -1; hp +2; roll 2d6; x -2..2; y 5..\n"),
        ("wall: B1/B2 ,C1/C2", "wall: B1/B2, C1/C2\n"),
        ("(x)'s  y; rat#2's   place", "(x)'s y; rat#2's place\n"),
        ('text "a  ,b"  "c"', 'text "a  ,b" "c"\n'),
        ("if a:b# why", "if a: b" + " " * (BESIDE - 7) + "# why\n"),
        ("x" * 50 + " # why", "x" * 50 + "  # why\n"),
        ("a:\n  b #\n", "a:\n  b" + " " * (BESIDE - 3) + "#\n"),
        ("a:\n  b\n # closes a\n  # too\n# top\nc", "a:\n  b\n# closes a\n# too\n# top\nc\n"),
        ("a:\n  b\n  # closes a\n\n\n# of c\nc", "a:\n  b\n  # closes a\n\n# of c\nc\n"),
        ("a: b,  # one\n # between\n c", "a: b," + " " * (BESIDE - 5) + "# one\n    # between\n    c\n"),
        ("a:\n  art:  |\n        . x\n       . .  \n\n  b: 1", "a:\n  art: |\n     . x\n    . .\n\n  b: 1\n"),
        ("effect: for each a :  b\n", "effect: for each a: b\n"),
        ("e: for each a:\n  b\n  # end", "e: for each a:\n  b\n  # end\n"),
    ],
)
def test_text_has_one_format(before: str, after: str) -> None:
    assert laid_out(before) == after
    assert laid_out(after) == after


@pytest.mark.parametrize("text", ["a:\n   b\n    c", "a: (b", "a:\n  art: |\n    .\t.", "a:\n\tart: |\n\t\t. ."])
def test_lines_with_errors_are_left_alone(text: str) -> None:
    with pytest.raises(CannotFormat) as refused:
        laid_out(text)
    assert refused.value.problems != ()


# ── all shipped sources ────────────────────────────────────────────────────────────────────────

OWN = own_files(read_projects(ROOT, Problems()))
ELSEWHERE = [*fcb_files([ROOT / "tests/systems", ROOT / "tests/cases/campaigns"]), *SAMPLES]


@pytest.mark.skipif(PACKAGE.parent != ROOT, reason="the systems lie in the build")
def test_shipped_files_are_among_samples() -> None:
    assert {*SHIPPED} <= {*OWN}


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("folder", sorted({path.parent for path in (*OWN, *ELSEWHERE)}), ids=lambda path: path.name)
def test_shipped_content_is_formatted(folder: Path) -> None:
    for path in sorted(folder.glob("*.fcb")):
        text = path.read_text(encoding="utf-8")
        assert format_source(Source(str(path), text)) == text, f"fcb fmt {path.relative_to(ROOT)}"


def shaken(text: str, random: Random) -> str:
    """Return a text with random formatting and the same content."""
    out: list[str] = []
    margin = 0
    drawing = -1
    continued = False
    for row in text.split("\n"):
        depth = len(row) - len(row.lstrip())
        if drawing >= 0 and (not row or depth > drawing):
            out.append(" " * margin + row if row else row)
            continue
        drawing = -1
        code, comment = _parted(row)
        drawing = depth if code.endswith("|") else -1
        margin = random.randrange(3)
        if not row:
            out += [" " * random.randrange(3) for _ in range(random.randrange(1, 4))]
            continue
        below = [""] * random.randrange(2) if code.endswith(":") else []
        indent = code[: len(code) - len(code.lstrip())]
        if continued:
            indent = " " * (len(indent) + random.randrange(3))
        spaced = "".join(_loose(part, random) for part in re.split(r'("(?:[^"\\]|\\.)*")', code.strip()))
        if comment:
            spaced += " " * random.randrange(1, 5) * bool(spaced) + comment
            indent = indent if code.strip() else row[:depth]
        out += [indent + spaced + " " * random.randrange(2), *below]
        continued = code.endswith(",") or (continued and not code.strip())
    return "\n".join(out) + "\n" * random.randrange(3)


def _parted(row: str) -> tuple[str, str]:
    match = re.match(r'(?:[^"#]|"(?:[^"\\]|\\.)*"|#(?! |$))*', row)
    assert match is not None
    return match[0].rstrip(), row[match.end() :]


def _loose(code: str, random: Random) -> str:
    """Return code, or a string, with random blanks where blanks are allowed."""
    if code.startswith('"'):
        return code
    code = re.sub(" +", lambda _: " " * random.randrange(1, 4), code)
    code = re.sub(" +(?=[=<>*])|(?<=[=<>*]) +(?![=+-])", lambda _: " " * random.randrange(2), code)
    return re.sub("(?=[,;:)])|(?<=[(,;:])", lambda _: " " * random.choice([0, 0, 1]), code)


@pytest.mark.long
@settings(max_examples=30, deadline=None)
@given(st.sampled_from([*OWN, *ELSEWHERE]), st.integers(0, 1_000))
def test_format_does_not_depend_on_layout(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    other = shaken(text, Random(seed))
    assert laid_out(other) == text


def test_generated_cards_are_formatted() -> None:
    text = cards(60)
    assert laid_out(text) == text


def test_comment_after_map_stays() -> None:
    before = "map yard:\n  art: |\n    aa\n# here\n    bb\n"
    assert laid_out(before) == before.replace("# here", "  # here")


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(SHIPPED), st.integers(0, 10_000))
def test_formatting_loses_nothing(path: Path, seed: int) -> None:
    random = Random(seed)
    text = path.read_text(encoding="utf-8")
    words = words_of(text)
    for _ in range(3):
        text = edited(text, random, words, [])
    try:
        after = laid_out(text)
    except CannotFormat:
        return
    assert laid_out(after) == after
    assert equal_content(parse(Source("t.fcb", text))[0], parse(Source("t.fcb", after))[0])


def test_formatted_text_compiles_equally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    programs: list[Program] = []
    shutil.copytree(LANTERNS, tmp_path / "lanterns")
    for change in (shaken, lambda text, random: laid_out(text)):
        for path in fcb_files([tmp_path / "lanterns"]):
            path.write_text(change(path.read_text(encoding="utf-8"), Random(1)), encoding="utf-8")
        model, problems = check_project([tmp_path / "lanterns"])
        assert [problem.message for problem in problems] == []
        programs.append(without_layout(lower(model, tests=True)))
    assert programs[0] == programs[1]


def without_layout(program: Program) -> Program:
    """Return a program without places, and without blanks in the words that quote its source."""
    actions = tuple(
        replace(
            action, requires=tuple(replace(require, text=require.text.replace(" ", "")) for require in action.requires)
        )
        for action in program.actions
    )
    return replace(program, actions=actions, spans=(), hash="")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a b", "a c"),
        ("a: 1", "a: 1  # so"),
        ("a\n# one", "a\n# two"),
        ("a # one", "# one\na"),
        ("a: |\n  . x", "a: |\n  .  x"),
        ("a:\n  b\nc", "a:\n  b\n  c"),
        ('a "b c"', 'a "b  c"'),
    ],
)
def test_different_texts_are_not_equal(one: str, other: str) -> None:
    assert not equal_content(parse(Source("t.fcb", one))[0], parse(Source("t.fcb", other))[0])
