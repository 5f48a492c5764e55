"""Each operator makes the change that its page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutation.yard import SYSTEM, yard

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.project.project import check_project, load_project, parse_all
from fcbdsl.tools.mutation.mutants import Mutant, mutants, sample_mutants
from fcbdsl.tools.mutation.mutation_operators import OPERATORS, Operator
from fcbdsl.tools.mutation.sites import SourceMeanings


@pytest.fixture
def candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Mutant]:
    return _found(yard(tmp_path), monkeypatch)


def _found(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[Mutant]:
    monkeypatch.chdir(root)
    model, problems = check_project()
    assert problems == []
    files = parse_all(load_project().sources, Problems())
    return [
        mutant
        for file in files
        if file.source.name.startswith("systems")
        for mutant in mutants(file, SourceMeanings(model))
    ]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_operator_makes_its_example(operator: Operator, candidates: list[Mutant]) -> None:
    text = Path("systems/yard.fcb").read_text(encoding="utf-8")
    before = _lines(text)
    assert before.count(operator.before) == 1
    at = before.index(operator.before)
    made = [mutant for mutant in candidates if mutant.operator == operator.name and mutant.line == at + 1]
    changed = [_lines(mutant.applied(text)) for mutant in made]
    if operator.after:
        assert [*before[:at], operator.after, *before[at + 1 :]] in changed
    else:
        assert any(operator.before not in lines for lines in changed)


def test_operators_have_distinct_names() -> None:
    assert len({operator.name for operator in OPERATORS}) == len(OPERATORS)


def test_mutants_are_distinct_changes(candidates: list[Mutant]) -> None:
    text = Path("systems/yard.fcb").read_text(encoding="utf-8")
    texts = [mutant.applied(text) for mutant in candidates]
    assert text not in texts
    assert len({mutant.key for mutant in candidates}) == len(candidates)


def test_mutants_are_ordered_by_place(candidates: list[Mutant]) -> None:
    assert [mutant.start for mutant in candidates] == sorted(candidate.start for candidate in candidates)


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("if target is tired or weather is rainy: stop", "without `target is tired or`"),
        ("if target is tired or weather is rainy: stop", "without `or weather is rainy`"),
        ("needs: any cat where it is not tired and it is not self", "without `not` (2)"),
        ("choose friend: cat adjacent to self except self, by most energy, by self", "without `except self`"),
        ("cat with Wet has at most 2 energy", "without `with Wet`"),
        ("cat with Wet has at most 2 energy", "`most` → `least`"),
        ("blocks: movement, sight", "without `movement,`"),
        ("keeps: energy, paws", "without `, paws`"),
        ("stat energy: number 0.., starts 3", "`0..` → `1..`"),
        ("limit: 1", "without `limit: 1`"),
        ("offer cat, until done", "without `, until done`"),
        ('"Run": busy becomes no', 'without `"Run": busy becomes no`'),
        ("roll coin:", "`coin` → `stone`"),
        ("if target is tired or weather is rainy: stop", "`rainy` → `dry`"),
    ],
)
def test_operators_change_other_places(line: str, change: str, candidates: list[Mutant]) -> None:
    assert [(mutant.key.text, mutant.key.change) for mutant in candidates].count((line, change)) == 1


def test_unplayed_lines_are_not_mutated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = f"""{SYSTEM}
invariant few "There are few cats.": number of cat < 9 and no cat where it is lost
relation lost:
  takes: a (cat)
  is: a's energy > 99
layout cat:
  size: card
"""
    files = _found(yard(tmp_path, system), monkeypatch)
    assert {mutant.key.of for mutant in files} & {"relation lost", "invariant few", "layout cat", "enum mood"} == set()
    assert "relation tired" in {mutant.key.of for mutant in files}


BOXES = """
zone chest of toy: secret, ordered
zone attic of toy: any, secret
zone cellar of toy: secret
zone loft of toy: any, secret to nobody
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("zone chest of toy: secret, ordered", "zone chest of toy: ordered"),
        ("zone attic of toy: any, secret", "zone attic of toy: any"),
        ("zone cellar of toy: secret", "zone cellar of toy"),
        ("zone loft of toy: any, secret to nobody", "zone loft of toy: any"),
    ],
)
def test_secret_zone_becomes_open(before: str, after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = f"{SYSTEM}{BOXES}"
    candidates = _found(yard(tmp_path, system), monkeypatch)
    text = Path("systems/yard.fcb").read_text(encoding="utf-8")
    made = [mutant.applied(text) for mutant in candidates if mutant.operator == "property"]
    assert [version for version in made if version == text.replace(before, after)]


PERCHES = """
kind perch is card:
  field charm: formula, default 0
  field height: formula, default 0
perch sill "Sill":
  charm: 2 + lives in all
  height: 3 + number of cat
measure lives in all:
  gives: number
  effect:
    let sum = 7
    answer sum
invariant plain "No perch charms everybody.": no perch where it's charm > 99 or it's height > 99
rule climbing "Climbing":
  when cat naps, if any perch where it's height > 3: score +4
"""


def test_unread_field_values_are_not_mutated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {mutant.key.text for mutant in _found(yard(tmp_path, SYSTEM + PERCHES), monkeypatch)}
    assert "height: 3 + number of cat" in texts
    assert {"charm: 2 + lives in all", "let sum = 7"} & texts == set()


def test_field_values_read_by_others_are_mutated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    perches = PERCHES.replace("3 + number of cat", "3 + self's charm")
    texts = {mutant.key.text for mutant in _found(yard(tmp_path, SYSTEM + perches), monkeypatch)}
    assert {"height: 3 + self's charm", "charm: 2 + lives in all", "let sum = 7"} <= texts


FIELDS = """
  field big: condition, default any cat where it's mood is wild
  stat worn: flag"""
PAIRS = """
verb doze:
  takes: who (cat), other (toy), mad mad (flag)
  effect:
    repeat 2 times:
      {first}
      {second}
{reads}verb cheer:
  takes: pet (cat)
  effect: pet's mood becomes wild
verb soothe:
  takes: pet (cat)
  effect:
    cheer pet
    announce nap pet
relation bulky:
  takes: a (toy)
  is: a's big
relation dear:
  takes: a (cat)
  is: a's lives > 8
measure pep:
  takes: of a (cat)
  gives: number
  value: a's energy * 2
verb cuddle:
  effect:
    choose pal: cat
    pal's energy becomes 1
rule feast "Feast":
  whenever number of (cat where lives = 1) > 2: score +1
"""


@pytest.mark.parametrize(
    ("first", "second", "swapped"),
    [
        ("let one = who's energy", "let two = who's lives", False),
        ("who's energy becomes 1", "score becomes 2", False),
        ("if who's energy > 2: score +1", "who's mood becomes wild", False),
        ("if other's colour is red: mark Wet on who", "if other's colour is blue: place who on who's place", False),
        ("if mad: mark Wet on who", "if not mad: place who on who's place", False),
        ("if mad: stop", "if who is tired: stop", False),
        ("if mad: stop", "if who is tired: break", True),
        ("if number of cat = 1: stop", "if number of cat = 2: break", False),
        ("let two = who's energy", "if who is tired: stop", False),
        ("let two = who's energy", "if two > 1: stop", True),
        ("if no cat where it is tired: stop", "let two = who's energy", False),
        ("who's energy becomes 1", "let two = pep of who", True),
        ("who's energy becomes 1", "if who is tired: score +1", True),
        ("who's energy becomes 1", "who's energy becomes 2", True),
        ("who's lives becomes 1", "let two = who's energy", True),
        ("if who's mood is wild: who's mood becomes calm", "if who's mood is calm: score +1", True),
        ("score +1", "announce nap who", True),
        ("who's energy becomes 1", "mark Wet on who", True),
        ("mark Wet on who", "who's mood becomes wild", False),
        ("cheer who", "score +1", False),
        ("cheer who", "if who is merry: score +1", True),
        ("soothe who", "score +1", True),
        ("for each cat: cat's mood becomes calm", "score +1", False),
        ("for each cat: cat's energy +1", "who's energy becomes 2", True),
        ("who's lives becomes 1", "score becomes 2", True),
        ("who's lives becomes 1", "who's mood becomes wild", False),
        ("score +1", "announce dusk", False),
        ("announce dusk", "announce nap who", True),
        ("who's mood becomes wild", "put other into paws of who", False),
        ("who's energy becomes 1", "put other into paws of who", True),
        ("other's worn becomes yes", "put other into paws of who", True),
        ("let two = who's lives", "cuddle", False),
        ("let two = who's energy", "cuddle", True),
        ("cuddle", "score +1", True),
        ("if other is bulky: score +1", "who's mood becomes calm", True),
        ("if other is bulky: score +1", "who's mood becomes wild", True),
        ("if who is dear: score +1", "who's mood becomes wild", False),
        ("other's worn becomes yes", "who's worn becomes yes", False),
        ("for each toy: toy's worn becomes no", "for each cat: cat's worn becomes no", False),
        ("for each toy: put toy into paws of who", "who's worn becomes yes", False),
        ("for each toy: put toy into paws of who", "other's worn becomes yes", True),
        ("for each toy: put toy into paws of who", "if any toy in paws of who: score +1", True),
        ("if who's lives > 3: stop", "if who's lives < 3: break", False),
        ("if who's lives > 3: stop", "if who's lives >= 3: break", True),
    ],
)
def test_statements_that_commute_do_not_change_places(
    first: str, second: str, swapped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = SYSTEM.replace("  stat busy: flag", "  stat busy: flag\n  stat worn: flag")
    system = system.replace("  held by: cat", f"  held by: cat\n  field colour: colour, default red{FIELDS}")
    system = system.replace("cat with Wet has at most 2 energy", "cat with Wet has at most it's lives energy")
    read = [line.split()[1] for line in (first, second) if line.startswith("let ")]
    pair = PAIRS.replace("{reads}", "".join(f"      score becomes {name}\n" for name in read))
    system += "enum colour: red, blue\n" + pair.replace("{first}", first).replace("{second}", second)
    candidates = _found(yard(tmp_path, system), monkeypatch)
    made = [mutant for mutant in candidates if mutant.operator == "order" and mutant.key.text == second]
    assert bool(made) == swapped


def test_a_swap_touches_the_lines_of_both_statements(candidates: list[Mutant]) -> None:
    """Tests that run only the first of two swapped statements may notice the swap, too."""
    text = Path("systems/yard.fcb").read_text(encoding="utf-8")
    at = _lines(text).index("stroke friend 2") + 1
    swap = next(
        mutant for mutant in candidates if mutant.operator == "order" and mutant.key.text == "announce nap self"
    )
    assert (swap.first, swap.line, swap.last) == (at, at + 1, at + 1)


def test_sample_is_equal_for_equal_seed(candidates: list[Mutant]) -> None:
    first = sample_mutants(candidates, 20, 7)
    assert first == sample_mutants(candidates, 20, 7)
    assert first != sample_mutants(candidates, 20, 8)
    assert len(set(first)) == 20
    assert [mutant.start for mutant in first] == sorted(mutant.start for mutant in first)
    assert sample_mutants(candidates, 1000, 7) == candidates


def test_ladder_loses_rung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = "ladder luck: stone, coin\n  above: tail\n  below: head\n"
    candidates = _found(yard(tmp_path, SYSTEM.replace("barrier fence", f"{ladder}barrier fence")), monkeypatch)
    assert {mutant.key.change for mutant in candidates if mutant.key.of == "ladder luck"} == {
        "without `stone,`",
        "without `, coin`",
    }


def test_order_is_removed_and_idle_line_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = """
rule evening:
  at turn starts:
    for each cat, in any order: cat's energy +1
    for each cat:
      if cat's energy > 3: nothing
      else: cat's energy +1
"""
    candidates = _found(yard(tmp_path, SYSTEM + rule), monkeypatch)
    changes = [mutant.key.change for mutant in candidates if mutant.key.of == "rule evening"]
    assert changes.count("without `, in any order`") == 1
    assert "without `nothing`" not in changes


def test_no_form_replaces_word_in_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = f"""{SYSTEM}
relation cheery:
  takes: a (cat)
  is: a is merry
action grin "Grin":
  by: cat
  form: grins
  needs: self is cheery
  effect: score +1
"""
    made = [mutant for mutant in _found(yard(tmp_path, system), monkeypatch) if mutant.operator == "kin"]
    changes = {(mutant.key.of, mutant.new) for mutant in made}
    assert ("relation cheery", "cheery") not in changes
    assert ("relation merry", "cheery") not in changes
    assert ("relation cheery", "tired") in changes
    assert ("action grin", "tired") in changes


def test_a_swap_takes_along_the_else_of_a_condition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = """
rule evening:
  at turn starts:
    for each cat:
      if cat is merry: cat's energy +1
      else if cat is Wet: cat's lives becomes 1
      else: score +1
      score becomes score * 2
"""
    system = SYSTEM + rule
    mutants_here = [mutant for mutant in _found(yard(tmp_path, system), monkeypatch) if mutant.key.of == "rule evening"]
    swaps = [mutant.applied(system) for mutant in mutants_here if mutant.operator == "order"]
    assert len(swaps) == 1
    assert swaps[0].endswith(
        """
      score becomes score * 2
      if cat is merry: cat's energy +1
      else if cat is Wet: cat's lives becomes 1
      else: score +1
"""
    )


def test_conditions_of_a_chain_change_places_if_both_can_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = """
rule evening:
  at turn starts:
    for each cat:
      if cat is merry: cat's energy +1
      else if cat is Wet: cat's lives becomes 1
      else if cat's mood is sleepy: score +2
      else if cat's mood is calm: score +1
"""
    mutants_here = [
        mutant for mutant in _found(yard(tmp_path, SYSTEM + rule), monkeypatch) if mutant.key.of == "rule evening"
    ]
    lines = [mutant.key.text for mutant in mutants_here if mutant.operator == "order"]
    assert lines == ["else if cat's mood is sleepy: score +2"]


def test_two_names_of_a_native_op_do_not_replace_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = """
rule evening:
  at turn starts:
    for each cat where it is on it's place: score +1
"""
    mutants_here = [
        mutant for mutant in _found(yard(tmp_path, SYSTEM + rule), monkeypatch) if mutant.key.of == "rule evening"
    ]
    assert not [mutant for mutant in mutants_here if mutant.operator == "kin" and mutant.new == "at"]


def test_a_record_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verb = """
kind nap-log is record:
  stat napper: cat
verb settle:
  takes: who (cat)
  effect:
    let entry = new nap-log
    entry's napper becomes who
    choose friend: cat
    entry's napper becomes friend
    drop entry
rule evening:
  when cat naps: settle cat
"""
    mutants_here = [
        mutant for mutant in _found(yard(tmp_path, SYSTEM + verb), monkeypatch) if mutant.operator == "asked"
    ]
    assert {mutant.new for mutant in mutants_here if mutant.key.of == "verb settle"} == {", by friend", ", by who"}


@pytest.mark.parametrize(("board", "replaced"), [("square", True), ("hex", False)])
def test_on_hexagons_a_space_touches_only_its_neighbors(
    board: str, replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = """
rule evening:
  when cat naps:
    if no cat where it next to cat: score +1
"""
    system = SYSTEM.replace("board: square", f"board: {board}") + rule
    folder = yard(tmp_path, system, "use yard\n")
    (folder / "tests" / "alley.fcb").unlink()
    mutants_here = [mutant for mutant in _found(folder, monkeypatch) if mutant.key.of == "rule evening"]
    assert any(mutant.operator == "kin" and mutant.new == "touches" for mutant in mutants_here) == replaced


def test_terms_of_a_sum_do_not_change_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = """
measure comfort:
  gives: number
  effect:
    let sum = 0
    for each cat: let sum = sum + cat's energy
    for each cat where it is merry: let sum = sum + 1
    for each cat: let sum = sum * 2
    answer sum
rule evening:
  when cat naps: score becomes comfort
"""
    mutants_here = [
        mutant for mutant in _found(yard(tmp_path, SYSTEM + measure), monkeypatch) if mutant.operator == "order"
    ]
    lines = [mutant.key.text for mutant in mutants_here if mutant.key.of == "measure comfort"]
    assert "for each cat where it is merry: let sum = sum + 1" not in lines
    assert "for each cat: let sum = sum * 2" in lines
