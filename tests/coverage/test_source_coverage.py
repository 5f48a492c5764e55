"""The coverage of a project's sources by its tests, and its reports."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from cli_runner import Shell
from games import GAMES, model, shared_cache
from pond_game import copy_pond

from fcbdsl.language.compiler import instrumented_program
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.tools.coverage.points import points_of

TESTS = """use pond

event calm:
  form: calm
rule echo:
  when frog croaks: leaps +1
  when calm: leaps +2

test "Sung loudly, and no goal yet" covers POND-A-1:
  use mission crossing
  given green-frog at A1 with gift
  given tree-frog at B1
  play green-frog sings "Loudly"
  expect leaps = 1
  dice: gust
  play tree-frog dares
  expect tree-frog is Wet
  play tree-frog hops to C1
  expect tree-frog is on C1
"""
GAUGE = """  gauge noise "Noise":
    fr: "Bruit"
    range: 0..3
    when frog croaks: raise noise 1
    tier 1 "Loud":
      fr: "Fort"
      on enter: mission's noted +1
    tier 3 "Din":
      fr: "Vacarme"
      on enter: mission's noted +1
"""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in the Pond with a gauge and one test."""
    root = copy_pond(tmp_path, TESTS)
    cards = root / "cards" / "pond.fcb"
    cards.write_text(cards.read_text() + GAUGE)
    system = root / "systems" / "pond.fcb"
    goal = '    fr: "but", m\n'
    system.write_text(system.read_text().replace(goal, goal + "  stat noted: number 0..\n", 1))
    return Shell(root, monkeypatch, capsys)


def test_each_kind_of_reached_point_is_counted(shell: Shell) -> None:
    done = shell.fcb("test", "--coverage", "--coverage-format", "json")
    assert (done.code, done.err) == (0, "1 test: 1 passed, 0 failed.\n")
    files = json.loads(done.out)["files"]
    assert [file["file"] for file in files] == ["cards/pond.fcb", "systems/pond.fcb", "tests/pond.fcb"]
    points = [(point["sort"], point["name"], point["tests"]) for file in files for point in file["points"]]
    assert [row[1:] for row in points if row[0] == "branch"] == [
        ("if not self marked lily (holds)", 0),
        ("if not self marked lily (does not hold)", 0),
        ("if leaps >= mission's goal (holds)", 0),
        ("if leaps >= mission's goal (does not hold)", 1),
        ("gust", 1),
        ("still", 0),
        ('"Softly"', 0),
        ('"Loudly"', 1),
    ]
    assert [row for row in points if row[0] not in ("line", "branch")] == [
        ("card", "frog green-frog", 1),
        ("card", "frog tree-frog", 1),
        ("card", "trick puddle", 0),
        ("card", "trick gift", 1),
        ("card", "mission crossing", 1),
        ("listener", "after croak", 1),
        ("tier", "noise, 1", 1),
        ("tier", "noise, 3", 0),
        ("event", "croak", 1),
        ("event", "calm", 0),
        ("listener", "after croak", 1),
        ("listener", "after calm", 0),
    ]
    unread = {(file["file"], point["line"]) for file in files for point in file["points"] if point["sort"] == "line"
              and not point["tests"]}  # fmt: skip
    text = (shell.folder / "cards" / "pond.fcb").read_text().split("\n")
    assert [text[line - 1].strip() for file, line in sorted(unread) if file.startswith("cards")] == [
        "if not self marked lily: mark Wet on self",
        "choose spots: space where it is not occupied, up to 2",
        "for each spot in spots: mark fly on spot",
        'at end: lose "The heron wakes.", fr "Le héron se réveille."',
        "on enter: mission's noted +1",
    ]


def test_coverage_does_not_depend_on_number_of_processes(shell: Shell) -> None:
    tests = shell.folder / "tests" / "pond.fcb"
    tests.write_text(tests.read_text() + TESTS[TESTS.index("\ntest") :].replace("Sung", "Again, sung"))
    alone, *others = (shell.fcb("test", "--coverage", "-j", jobs) for jobs in ("1", "3"))
    assert others == [alone]
    assert re.search(r"^all +11/39 +3/8 +4/5 +1/2 +1/2 +2/3 +37\.2 %$", alone.out, re.MULTILINE), alone.out
    assert "line 121: branch `still`\n" in alone.out
    none = shell.fcb("test", "--coverage", "-k", "nothing of that name")
    assert re.search(r"^all +0/39 +0/8 .* 0\.0 %$", none.out, re.MULTILINE)


def test_tracefile_has_lcov_format(shell: Shell) -> None:
    done = shell.fcb("test", "--coverage", "--coverage-format", "lcov", "-o", "made.info")
    assert done.code == 0
    assert "points reached by tests" in done.err
    text = (shell.folder / "made.info").read_text()
    for record in text.split("end_of_record\n")[:-1]:
        rows: dict[str, list[str]] = {}
        for line in record.splitlines():
            key, _, value = line.partition(":")
            rows.setdefault(key, []).append(value)
        assert list(rows) == [key for key in FORM if key in rows]
        for key, values in rows.items():
            assert all(re.fullmatch(FORM[key], value) for value in values), (key, values)
        lines = dict(value.split(",") for value in rows["DA"])
        assert [int(line) for line in lines] == sorted(map(int, lines))
        ways = [value.split(",") for value in rows.get("BRDA", ())]
        assert all(way[0] in lines and (way[3] == "-") == (lines[way[0]] == "0") for way in ways)
        names = [value.partition(",")[2] for value in rows.get("FN", ())]
        assert names == [value.partition(",")[2] for value in rows.get("FNDA", ())]
        assert len(set(names)) == len(names)
        assert (shell.folder / rows["SF"][0]).is_file()
        assert [rows["LF"], rows["BRF"]] == [[str(len(lines))], [str(len(ways))]]
        assert rows["LH"] == [str(sum(count != "0" for count in lines.values()))]
        assert rows["BRH"] == [str(sum(way[3] not in "0-" for way in ways))]
    assert shell.fcb("test", "--coverage-format", "lcov").code == 2


NUMBER = r"\d+"
FORM = {
    "TN": "",
    "SF": r".+",
    "FN": r"[1-9]\d*,[^,]+",
    "FNDA": r"\d+,[^,]+",
    "FNF": NUMBER,
    "FNH": NUMBER,
    "BRDA": r"[1-9]\d*,\d+,\d+,(\d+|-)",
    "BRF": NUMBER,
    "BRH": NUMBER,
    "DA": r"[1-9]\d*,\d+",
    "LF": NUMBER,
    "LH": NUMBER,
}
"""The records of a tracefile in their order, as geninfo(1) describes them."""


class Page(HTMLParser):
    """Parses a page: the marks of its lines, its references, and whether every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self.referred: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.referred += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag == "tr":
            self.row = attributes.get("class") or ""
        if attributes.get("role") == "img":
            self.marks.append((self.row, attributes["title"] or ""))
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_coverage_page_loads_nothing_and_marks_lines(shell: Shell) -> None:
    shell.fcb("test", "--coverage", "--coverage-format", "html", "-o", "made.html")
    text = (shell.folder / "made.html").read_text()
    page = Page()
    page.feed(text)
    assert page.open == []
    assert all(address.startswith("#") and f'id="{address[1:]}"' in text for address in page.referred)
    assert ("partly", "reached in part by 1 test") in page.marks
    assert {state for state, _ in page.marks} == {"yes", "partly", "no"}
    assert "<small>branch: if leaps &gt;= mission&#39;s goal (holds)</small>" in text


@pytest.mark.long
def test_coverage_below_required_share_fails(shell: Shell) -> None:
    project = shell.folder / "fcb.toml"
    plain = project.read_text()
    project.write_text(plain + "[coverage]\nat-least = 37\n")
    assert shell.fcb("test", "--coverage").code == 0
    project.write_text(plain + "[coverage]\nat-least = 38\n")
    done = shell.fcb("test", "--coverage")
    assert done.code == 1
    assert re.search(r"points reached by tests, 37\.2 %; at least 38 % are required\.$", done.err.strip())
    assert shell.fcb("test").code == 0
    with shared_cache():  # the measures are cached
        output = shell.fcb("ci", "--megabytes", "90000").out
    assert re.search(r"^FAIL  coverage: .* at least 38 % are required$", output, re.MULTILINE)
    project.write_text(plain + "[coverage]\nat-least = 101\nleast = 1\n")
    assert [problem["code"] for problem in json.loads(shell.fcb("check", "--format", "json").out)][:2] == [
        "FCB0803"
    ] * 2


@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[] if name == "beast" else pytest.mark.long) for name in GAMES]
)
def test_traced_game_plays_equally(game: str) -> None:
    made = model(game, tests=True)
    points = points_of(made, {node.source.name for node in (form.span for form in made.forms)})
    program, places = instrumented_program(made, [watched for watched, _ in points.watched.values()])
    assert len(set(places.values())) > len(points.watched) * 4 // 5
    image = Image(program)
    for number in range(0, len(program.tests), 5):
        assert run_test(image, number, once=True).failure is None
