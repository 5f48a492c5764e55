"""The check reports missions that cannot be set up, and missions without decisions."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import games
import pytest

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.missions import (
    BrokenAtStart,
    CannotBegin,
    EndsAtOnce,
    NobodyDecides,
    PlayersOutside,
    SetupShortage,
)
from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import start_game
from fcbdsl.play.soak.inspection import Inspector
from fcbdsl.project.analysis import analysis_of, setup_check
from fcbdsl.project.project import check_project, load_project


def problems(folder: Path, system: str, cards: str, tests: str = "") -> list[Diagnostic]:
    files = {"fcb.toml": 'language = 2\nname = "mini"\ntitle = "Mini"\nlanguages = ["en"]\npaths = ["cards"]\n'}
    files |= {"systems/mini.fcb": system, "cards/c.fcb": "use mini\n" + cards}
    files |= {"tests/t.fcb": "use mini\n" + tests} if tests else {}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(analysis_of(load_project(root=folder)).problems)


MISSION = """\
mission lost "Lost":
  players: 1..3
  map square:
    art: |
      +--+--+
      |s  . |
      +--+--+
    legend:
      "s": start
"""
FLOW = """\
system mini "Mini":
  players: 1..4
  board: square
  languages: en
mark start, entry
kind space:
  stat taken: flag
kind game:
  stat pace "pace": number 0.., starts 0
action rest "Rest":
  by: player
  reminder en: "Do nothing."
  effect: pace +1
flow:
  for each player:
    choose spot: space marked start where not it's taken, by player
    spot's taken becomes yes
  repeat:
    offer player
"""
LINES = ("use mini\n" + MISSION).split("\n")


def test_too_few_spaces_are_reported_at_the_players_line(tmp_path: Path) -> None:
    reports = [each for each in problems(tmp_path, FLOW, MISSION) if each.code == "FCB0920"]
    assert len(reports) == 1
    assert reports[0].severity == "error"
    assert reports[0].span.line == LINES.index("  players: 1..3") + 1
    assert "With 2 or 3 players" in reports[0].message
    assert "player 2 must choose from `space marked start where not it's taken`" in reports[0].message
    assert "2 wanted, 1 found" in reports[0].message


def test_mission_for_fewer_players_has_no_problem(tmp_path: Path) -> None:
    reports = problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"))
    assert [each.code for each in reports if each.code in {"FCB0920", "FCB0921"}] == []


def test_problem_without_players_line_is_at_head(tmp_path: Path) -> None:
    reports = problems(tmp_path, FLOW, MISSION.replace("  players: 1..3\n", ""))
    here = [each.span for each in reports if each.code == "FCB0920"]
    assert [span.source.text[span.start : span.end] for span in here] == ["lost"]
    assert any("With 2 to 4 players" in each.message for each in reports)


def test_setup_is_tried_with_switches_that_it_reads(tmp_path: Path) -> None:
    flow = FLOW.replace("where not it's taken", "where not (it's taken or strict is on)")
    reports = problems(tmp_path, flow + "variant strict: off, on\n", MISSION.replace("1..3", "1..1"))
    assert [each.message.partition(",")[0] for each in reports if each.code == "FCB0920"] == [
        "With 1 player (strict = on)"
    ]


STRICT = 'variant strict: off, on\nvariant dark "Dark": no, yes\n'


def test_each_number_of_players_is_tried_with_each_combination_of_switches(tmp_path: Path) -> None:
    flow = FLOW.replace(
        "  for each player:\n",
        '  if strict is on and dark is yes and number of player = 2: lose "Dark."\n  for each player:\n',
    )
    flow = flow.replace("where not it's taken", "where yes")
    reports = [each for each in problems(tmp_path, flow + STRICT, MISSION) if each.code in {"FCB0920", "FCB0921"}]
    assert [(each.code, each.message.partition(",")[0], each.message.partition(")")[0]) for each in reports] == [
        ("FCB0921", "With 2 players (strict = on", "With 2 players (strict = on, dark = yes")
    ]


def test_fault_names_switches_only_where_they_add_a_number_of_players(tmp_path: Path) -> None:
    flow = FLOW.replace("where not it's taken", "where not it's taken or (strict is off and number of player < 3)")
    reports = [each for each in problems(tmp_path, flow + STRICT, MISSION) if each.code == "FCB0920"]
    assert [each.message.partition(", the")[0] for each in reports] == [
        "With 3 players or 2 or 3 players (strict = on)"
    ]


def test_setup_check_skips_missions_of_tests(tmp_path: Path) -> None:
    reports = problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"), MISSION.replace("lost", "drill"))
    assert [each.code for each in reports if each.code == "FCB0920"] == []


def test_mission_that_ends_before_first_decision_is_reported(tmp_path: Path) -> None:
    flow = FLOW.replace("  repeat:\n", '  win "Over."\n  repeat:\n').replace("where not it's taken", "where yes")
    reports = problems(tmp_path, flow, MISSION)
    assert [each.severity for each in reports if each.code == "FCB0921"] == ["warning"]
    assert "With 1 to 3 players, `lost` ends before the first action" in next(
        each.message for each in reports if each.code == "FCB0921"
    )


def test_system_requirement_is_checked_for_missions(tmp_path: Path) -> None:
    system = FLOW + 'invariant roomy "A mission has a start for every player.": number of (space marked start) >= 2\n'
    reports = problems(tmp_path, system, MISSION.replace("1..3", "1..1"))
    messages = [(each.span.line, each.message) for each in reports if each.code == "FCB0922"]
    assert [(line, "A mission has a start for every player." in text) for line, text in messages] == [
        (4, True)
    ]  # its map


REQUIRES = FLOW.replace(
    "flow:\n",
    """\
token salt "salt"
kind mission:
  field wanted "Wanted": number, default 0
  field bag "Bag": number, default 0
kind chip is card:
  field worth: number
  field price: number
zone pile of chip
invariant enough "The map has the salt that is wanted." for mission: salt on the map >= wanted
invariant fair "No chip costs more than it is worth." for chip: this's price <= this's worth
measure salt on the map:
  gives: number
  effect:
    let sum = 0
    for each space: let sum = sum + space's salt
    answer sum
flow:
  fill pile with chip
""",
)
SALTED = (
    MISSION.replace("1..3", "1..1")
    .replace('"s": start', '"s": start, salt 2')
    .replace("  players", "  WANTED\n  players")
)


def test_an_invariant_for_missions_is_reported_at_the_line_that_it_reads(tmp_path: Path) -> None:
    for wanted, expected in ((2, []), (3, ["wanted: 3"])):
        cards = SALTED.replace("WANTED", f"wanted: {wanted}\n  bag: 1")
        broken = [each for each in problems(tmp_path, REQUIRES, cards) if isinstance(each, BrokenAtStart)]
        assert [each.span.source.text[each.span.start : each.span.end] for each in broken] == expected
        assert all("The map has the salt that is wanted." in each.message for each in broken)


def test_an_invariant_for_a_kind_is_reported_at_each_definition_that_breaks_it(tmp_path: Path) -> None:
    cards = SALTED.replace("WANTED", "wanted: 1") + (
        'chip dear "Dear":\n  worth: 1\n  price: 2\nchip cheap "Cheap":\n  worth: 2\n  price: 1\n'
    )
    broken = [each for each in problems(tmp_path, REQUIRES, cards) if isinstance(each, BrokenAtStart)]
    assert [each.message for each in broken] == [
        "The chip `dear` breaks a requirement of its game: No chip costs more than it is worth."
    ]


def test_play_does_not_evaluate_an_invariant_for_a_kind(tmp_path: Path) -> None:
    problems(tmp_path, REQUIRES, SALTED.replace("WANTED", "wanted: 3"))
    image = Image(analysis_of(load_project(root=tmp_path)).program())
    game = start_game(image, "lost", 1, 1, {})
    ask = game.run()
    assert ask is not None
    assert Inspector(image).look(game, ask, 0) is None


def test_a_game_that_ends_in_its_setup_choices_has_no_action(tmp_path: Path) -> None:
    system = FLOW.replace("  repeat:\n", '  if pace = 0: win "Over."\n  repeat:\n')
    reports = problems(tmp_path, system, MISSION.replace("1..3", "1..1").replace("s  .", "s  s"))
    assert [each.message for each in reports if isinstance(each, NobodyDecides)] == [
        "With 1 player, `lost` ends before the first action."
    ]


PREPARED = FLOW.replace(
    "  repeat:\n",
    "  offer player, until done\n  announce rounds begin\n  repeat:\n",
).replace(
    "flow:\n",
    """\
event rounds begin:
  form: rounds begin
kind omen is card:
  copies: 2
zone omens of omen: ordered
omen raven
verb lay omens:
  takes: count (number)
  effect:
    repeat count times:
      let one = instance of raven
      if one is nothing: stop
      put one into omens
flow:
""",
)


@pytest.mark.parametrize(("count", "lines"), [(1, []), (2, ["when rounds begin: lay omens (2 + number of player)"])])
def test_a_setup_that_takes_more_than_there_is_after_the_preparation(
    tmp_path: Path, count: int, lines: list[str]
) -> None:
    """Players may act before the first round; what the mission then takes still belongs to the setup."""
    cards = MISSION.replace("1..3", f"1..1\n  when rounds begin: lay omens ({count} + number of player)")
    short = [each for each in problems(tmp_path, PREPARED, cards) if isinstance(each, SetupShortage)]
    assert [each.span.source.text.split("\n")[each.span.line - 1].strip() for each in short] == lines
    assert all(
        each.message == "With 1 player, the setup of `lost` takes `raven` from the box when none is left."
        for each in short
    )


def test_shortage_is_reported_at_the_value_that_the_mission_gives(tmp_path: Path) -> None:
    system = PREPARED.replace("verb lay omens:", "kind mission:\n  field birds: number, default 1\nverb lay omens:")
    bring = "  repeat mission's birds times: put (instance of raven) into omens\n"
    system = system.replace("  repeat:\n", bring + "  repeat:\n")
    cards = MISSION.replace("  players: 1..3", "  birds: 9\n  players: 1..1")
    short = [each for each in problems(tmp_path, system, cards) if isinstance(each, SetupShortage)]
    assert [each.span.source.text.split("\n")[each.span.line - 1].strip() for each in short] == ["birds: 9"]


def test_one_line_that_takes_several_things_is_reported_once(tmp_path: Path) -> None:
    system = PREPARED + "zone more of omen: any\nomen crow\nomen jay\nomen owl\n"
    cards = MISSION.replace("1..3", "1..1\n  when rounds begin:\n    fill omens with omen\n    fill more with omen")
    short = [each for each in problems(tmp_path, system, cards) if isinstance(each, SetupShortage)]
    assert [each.span.source.text.split("\n")[each.span.line - 1].strip() for each in short] == ["fill more with omen"]
    assert "takes `raven`, `crow`, `jay` and 1 more from the box" in short[0].message


def test_pieces_taken_in_rounds_do_not_count_for_setup(tmp_path: Path) -> None:
    system = PREPARED.replace("  repeat:\n", "  repeat:\n    lay omens 9\n")
    reports = problems(tmp_path, system, MISSION.replace("1..3", "1..1"))
    assert [each for each in reports if isinstance(each, SetupShortage)] == []


def test_mission_with_too_many_players_is_reported(tmp_path: Path) -> None:
    reports = problems(tmp_path, FLOW, MISSION.replace("1..3", "1..9"))
    messages = [(each.span.line, each.message) for each in reports if each.code == "FCB0923"]
    assert messages == [(3, "`lost` allows 1 to 9 players, but the game is for 1 to 4 players.")]


def test_loop_without_decisions_is_error(tmp_path: Path) -> None:
    flow = FLOW.replace("kind game:", "kind cat is piece\nkind game:").replace("offer player", "offer cat")
    flow = flow.replace("by: player\n", "by: cat\n").replace("where not it's taken", "where yes")
    reports = problems(tmp_path, flow, MISSION)
    messages = [(each.severity, each.message) for each in reports if each.code == "FCB0920"]
    assert [(severity, "endless loop" in message) for severity, message in messages] == [("error", True)]


BY_CARDS = """\
kind page is card:
  field text: effect
verb turn to:
  takes: page (page definition)
  effect: perform page's text
page shore "Shore":
  text:
    if pace >= 0: turn to bell
page bell "Bell":
  text:
    if pace > 5: win "Rung."
    if pace >= 0: turn to shore
"""
BY_EVENTS = """\
event tick:
  form: it ticks
event tock:
  form: it tocks
rule pendulum "Pendulum":
  when it ticks, if pace >= 0: announce tock
rule clock "Clock":
  when it tocks, if pace >= 0: announce tick
"""


@pytest.mark.parametrize(
    ("begun", "game", "steps"),
    [
        ("turn to shore", BY_CARDS, ["if pace >= 0: turn to bell", "if pace >= 0: turn to shore"]),
        ("announce tick", BY_EVENTS, ["announce tock", "announce tick"]),
    ],
)
def test_endless_effects_are_shown_step_by_step(tmp_path: Path, begun: str, game: str, steps: list[str]) -> None:
    flow = FLOW.replace("  repeat:\n", f"  {begun}\n  repeat:\n").replace("where not it's taken", "where yes")
    (reports,) = [each for each in problems(tmp_path, flow + game, MISSION) if each.code == "FCB0920"]
    assert "effects run each other without end" in reports.message
    lines = [each.span.source.text.split("\n")[each.span.line - 1].strip() for each in reports.related]
    assert all(any(step in line for line in lines) for step in steps), lines
    assert "Write an `if`" in reports.advice


@pytest.mark.long
def test_setup_fault_points_at_its_line(tmp_path: Path) -> None:
    flow = FLOW.replace("  repeat:\n", "  pace becomes 1 / pace\n  repeat:\n").replace(
        "where not it's taken", "where yes"
    )
    (reports,) = [each for each in problems(tmp_path, flow, MISSION) if each.code == "FCB0920"]
    assert reports.advice == "Change the line shown below, or the values that the mission gives it."
    assert [each.span.source.text.split("\n")[each.span.line - 1].strip() for each in reports.related] == [
        "pace becomes 1 / pace"
    ]


@pytest.mark.parametrize(
    "cls",
    [CannotBegin, NobodyDecides, BrokenAtStart, PlayersOutside, SetupShortage, EndsAtOnce],
    ids=lambda cls: cls.code,
)
def test_diagnostic_examples_show_mistake_and_fix(tmp_path: Path, cls: type[Diagnostic]) -> None:
    starting = {"FCB0914", "FCB0920", "FCB0921", "FCB0922", "FCB0923", "FCB0924"}
    for text, expected in ((cls.bad, [cls.code]), (cls.good, [])):
        reports = problems(tmp_path, dedent(text), "")
        assert [each for each in reports if each.severity == "error" and each.code not in starting | {"FCB0701"}] == []
        assert [each.code for each in reports if each.code in starting] == expected


def test_print_problem_does_not_hide_setup_problem(tmp_path: Path) -> None:
    looks = "layout symbols:\n  start: nowhere-drawn\n"
    reports = [each.code for each in problems(tmp_path, FLOW + looks, MISSION) if each.severity == "error"]
    assert {"FCB0706", "FCB0920"} <= set(reports)


@pytest.mark.parametrize("game", games.first_few(games.GAMES, 2))
def test_setup_that_continues_with_other_settings_equals_one_from_the_start(game: str) -> None:
    program, model = games.program(game), games.model(game)
    image, loop = Image(program), setup_check.loop_line(model)
    image.observes_inputs = True
    reads: dict[setup_check.Moment, bool] = {}  # so that later missions keep fewer checkpoints
    continued = 0
    for definition in setup_check.missions(model, program)[:4]:
        low, high = setup_check.player_range(definition, program)
        runs = setup_check.SetupRuns(image, definition.id, loop, reads)
        for players in range(low, high + 1):
            assert_same_setup(runs, setup_check.SetupRuns(Image(program), definition.id, loop), players, ())
        for switch in program.switches:
            for value in switch.values:
                settings = ((switch.name, value),)
                fresh = setup_check.SetupRuns(Image(program), definition.id, loop)
                assert_same_setup(runs, fresh, high, settings)
                continued += 1
    assert continued > 8


def assert_same_setup(
    runs: setup_check.SetupRuns, fresh: setup_check.SetupRuns, players: int, settings: tuple[tuple[str, str], ...]
) -> None:
    """Check that the runs play a setup in the same way as others that have played none yet."""
    pairs = list(zip(runs.play(players, settings), fresh.play(players, settings), strict=not settings))
    for played, alone in pairs:  # settings have been played by one bot already
        assert played.game.save() == alone.game.save()
        assert list(played.game.world.live) == list(alone.game.world.live)
        assert (played.decisions, played.is_over, played.missed, played.ask) == (
            alone.decisions,
            alone.is_over,
            alone.missed,
            alone.ask,
        )
        assert runs.broken(played.game) == fresh.broken(alone.game)


HEARING = """\
event dawn
kind player:
  stat luck "luck": number 0.., starts 0
"""


@pytest.mark.parametrize("listener", ["", "  when dawn: pace +1\n"])
def test_players_with_listeners_belong_to_each_setup(tmp_path: Path, listener: str) -> None:
    system = FLOW.replace("flow:\n", HEARING + listener + "flow:\n  announce dawn\n")
    problems(tmp_path, system.replace("where not it's taken", "where yes"), MISSION)
    model, reports = check_project(root=tmp_path, tests=False)
    assert [report.message for report in reports if report.severity == "error"] == []
    program = lower(model)
    image, loop = Image(program), setup_check.loop_line(model)
    image.observes_inputs = True
    assert image.hears_players() == bool(listener)
    runs = setup_check.SetupRuns(image, "lost", loop)
    for players in (1, 2, 3):
        assert_same_setup(runs, setup_check.SetupRuns(Image(program), "lost", loop), players, ())


FIRST = {
    'rule end:\n  when any has acted, if pace > 0: win "Over."\n': ["won"],
    'rule end:\n  when any has acted: lose "Over."\n': ["lost"],
    'rule end:\n  when any has acted, if pace > 1: win "Over."\n': [],
    'action run:\n  by: player\n  effect: pace +2\nrule end:\n  when any has acted, if pace > 1: win "Over."\n': [],
}


@pytest.mark.parametrize("rule", FIRST)
def test_mission_that_ends_with_any_first_action_is_reported(tmp_path: Path, rule: str) -> None:
    reports = problems(tmp_path, FLOW.replace("flow:\n", f"{rule}flow:\n"), MISSION.replace("1..3", "1..1"))
    outcomes = [each.arguments["outcome"] for each in reports if isinstance(each, EndsAtOnce)]
    assert outcomes == FIRST[rule]
