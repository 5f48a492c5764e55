"""A short source takes neither all memory nor minutes."""

from __future__ import annotations

import pytest
from small import checked, codes, sound

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics.suggestions import comparing, suggest
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.resolve.actions import MOST_PONDERED
from fcbdsl.machine.vm.verify.verifier import verify_program

CARDS = "kind gun is card:\n  copies: 1\n"


@pytest.mark.parametrize(
    "line",
    [
        "let x = 9007199254740993",
        "let x = 1000000001",
        "let x = 3 + -1000000001",
        "let x = 00000000001000000001",
        "if 99999999999999999999999999999999999999 > 1: stop",
        "repeat 1000000001: stop",
    ],
)
def test_too_large_number_is_reported_at_its_place(line: str) -> None:
    assert codes(f"rule r:\n  when round begins: {line}") == [(2, "FCB0115")]


def test_too_large_number_in_declaration_is_reported() -> None:
    reported = codes(
        "kind gun is card:\n  field power: number 0..1000000001\nmission m:\n  gauge g:\n    range: 0..1000000001\n"
    )
    assert [(line, code) for line, code in reported if code == "FCB0115"] == [(2, "FCB0115"), (5, "FCB0115")]


def test_digits_in_names_strings_and_comments_are_ignored() -> None:
    text = 'mark g1234567890123  # 1234567890123\nkind gun is card:\n  name: "1234567890123"\n'
    text += "gun a1-1234567890123:\n  copies: 0001\n"
    assert [code for _, code in codes(text) if code == "FCB0115"] == []
    assert codes("kind gun is card:\n  field power: number\ngun g:\n  power: 1000000000\n") == []


def test_depth_of_kinds_is_bounded() -> None:
    text = "".join(f'kind k{i} is {"thing" if i == 0 else f"k{i - 1}"}:\n  name: "K"\n' for i in range(2000))
    reported = codes(text)
    assert {code for _, code in reported} == {"FCB0506"}
    assert reported[0] == (2 * bounds.KIND_LEVELS - 1, "FCB0506")
    assert len(reported) <= 2000 // (bounds.KIND_LEVELS - 2)


def test_values_at_bounds_compile() -> None:
    levels = bounds.KIND_LEVELS - 1
    text = "".join(f'kind k{i} is {"thing" if i == 0 else f"k{i - 1}"}:\n  name: "K"\n' for i in range(levels))
    program = lower(sound(text + f"k{levels - 1} last:\n  copies: {bounds.THINGS - 100}\n"))
    assert verify_program(program) == []


@pytest.mark.parametrize(("copies", "wanted"), [(0, []), (1, ["FCB0506"])])
def test_card_without_copies_is_no_thing(copies: int, wanted: list[str]) -> None:
    text = f"{CARDS}gun crowd:\n  copies: {bounds.THINGS - 100}\n"
    text += "".join(f"gun g{number}:\n  copies: {copies}\n" for number in range(200))
    assert [code for _, code in codes(text)] == wanted


@pytest.mark.long
def test_long_chain_of_forms_compiles() -> None:
    text = "".join(f"measure m{i}:\n  gives: number\n  value: m{i + 1}\n" for i in range(3000))
    text += "measure m3000:\n  gives: number\n  value: 1\n"
    assert verify_program(lower(sound(text + "kind gun is card:\n  field power: formula\ngun g:\n  power: m0\n"))) == []


@pytest.mark.parametrize("often", [2, pytest.param(5, marks=pytest.mark.long)])
def test_growth_of_nested_forms_is_bounded(often: int) -> None:
    values = [" + ".join([f"m{i + 1}"] * often) for i in range(40)]
    text = "".join(f"measure m{i}:\n  gives: number\n  value: {value}\n" for i, value in enumerate(values))
    text += "kind game:\n  stat seen: number 0..\nmeasure m40:\n  gives: number\n  value: seen\n"
    program = lower(sound(text + "kind gun is card:\n  field power: formula\ngun g:\n  power: m0\n"))
    # Each of the five operands of a sum is begun before the code is long, and may grow by that many nodes.
    longest = bounds.INLINED_OPS + often * bounds.INLINED_NODES
    assert max(len(code.spans) for code in program.codes) < longest


def test_growth_of_nested_measures_is_bounded() -> None:
    text = "".join(
        f"measure m{i}:\n  gives: number\n  effect:\n"
        f"    if seen > {i}: answer m{i + 1}\n    answer m{i + 1} + m{i + 1}\n"
        for i in range(60)
    )
    text += "kind game:\n  stat seen: number 0..\nmeasure m60:\n  gives: number\n  value: seen\n"
    program = lower(sound(text + "kind gun is card:\n  field power: formula\ngun g:\n  power: m0\n"))
    assert max(len(code.spans) for code in program.codes) < 300


def test_suggestions_are_bounded() -> None:
    names = [f"thing-{number}" for number in range(100)]
    with comparing(50 * len("thimg-1") * len("thing-10")):
        assert suggest("thimg-1", names[:20]) == "thing-1"
        assert suggest("thimg-2", names) == "thing-2"
        assert suggest("thimg-3", names) is None
    assert suggest("thimg-3", names) == "thing-3"


def test_thousands_of_misspelled_names_are_reported() -> None:
    text = "kind gun is card:\n  field like: gun definition, optional\n"
    text += "".join(f"gun number-{i:04}:\n  like: numbre-{i:04}\n" for i in range(1500))
    _, problems = checked(text)
    assert len(problems) == 1500
    assert problems[0].suggestion == "number-0000"
    assert problems[-1].suggestion is None


def test_search_behind_unknown_verbs_is_bounded() -> None:
    rows = "".join(f"    xyzzy{i} who\n" for i in range(MOST_PONDERED + 5))
    _, problems = checked(f"kind gun is card:\n  copies: 1\nverb oil:\n  takes: who (gun)\n  effect:\n{rows}")
    assert {problem.code for problem in problems} == {"FCB0427"}
    has_suggestion = ["`oil`" in problem.advice for problem in problems]
    assert has_suggestion == [True] * MOST_PONDERED + [False] * 5


@pytest.mark.parametrize("sort", ["hex", "square", "areas"])
def test_huge_map_is_refused_before_reading(sort: str) -> None:
    art = ("      " + ". " * 1500 + "\n") * 1500
    system = f"system s:\n  players: 1..2\n  board: {sort}\n"
    reported = codes(f"{system}mission m:\n  map {sort}:\n    art: |\n{art}")
    assert reported == [(6, "FCB0506")]


@pytest.mark.parametrize(
    ("art", "is_too_large"),
    [("." + " " * 2000 + ".", False), ("." + " " * 2001 + ".", True), (".\n" + "\n" * 1000 + "       .", True)],
)
def test_map_size_is_bounded_by_coordinates(art: str, is_too_large: bool) -> None:
    text = f"system s:\n  players: 1..2\n  board: hex\nmission m:\n  map hex:\n    art: |\n      {art}\n"
    assert ((6, "FCB0506") in codes(text)) is is_too_large


def test_directions_of_graph_are_bounded() -> None:
    paths = "".join(f"      p0 way{n} p{n}\n" for n in range(1, 34))
    places = "".join(f"      p{n}\n" for n in range(34))
    text = f"system s:\n  players: 1..2\n  board: graph\nmission m:\n  map graph:\n    places:\n{places}    paths:\n"
    assert (5, "FCB0506") in codes(text + paths)
    assert (5, "FCB0506") not in codes(text + paths.replace("way33 ", ""))


def test_pieces_on_space_are_bounded() -> None:
    text = (
        "system s:\n  players: 1..2\n  board: hex\nkind rat is piece:\n  copies: 1\nrat r:\n  copies: 2\nmission m:\n"
        '  map hex:\n    legend:\n      "r": r 999999999\n    art: |\n      r .\n'
    )
    assert (11, "FCB0506") in codes(text)
