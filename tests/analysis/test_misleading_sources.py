"""Sources that look right and mean something else work as they look, or are reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.dead import UnusedForm
from fcbdsl.base.diagnostics.files import SkippedFile, UnportableName, UnusedSystem
from fcbdsl.language.prose import rules_text
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.analysis import analysis_of
from fcbdsl.project.project import load_project
from tests.analysis.test_setup_check import FLOW, MISSION, problems


def failing(folder: Path, system: str, cards: str, tests: str) -> list[str]:
    """Return the titles of the tests that fail, after a check without errors."""
    reported = problems(folder, system, cards, tests)
    assert [
        each for each in reported if each.severity == "error" and each.code != "FCB0701"
    ] == []  # a mark has no title
    image = Image(analysis_of(load_project(root=folder)).tested())
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    return [each.title for each in results if each.failure is not None]


def codes(folder: Path, system: str, cards: str = MISSION, tests: str = "") -> list[str]:
    return [each.code for each in problems(folder, system, cards, tests)]


DEFAULTS = """\
kind player:
  field hand-limit "hand limit": number, default 5
kind pace-note is record:
  field worth: number, default 4
enum hue: red, blue
kind game:
  field tempo "tempo": number, default 3
  field shade "shade": hue, default blue
"""


def test_fields_of_player_and_game_have_defaults(tmp_path: Path) -> None:
    tests = """\
test "limit":
  use mission lost
  expect hand-limit of player 1 = 5 and hand-limit of player 2 = 5
test "tempo":
  use mission lost
  expect tempo = 3 and shade = blue
test "nobody's limit":
  use mission lost
  expect no player where hand-limit of it != 5
"""
    mission = MISSION.replace("1..3", "1..2").replace("s  .", "s  s")
    assert failing(tmp_path, FLOW + DEFAULTS, mission, tests) == []


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("hand-limit: number", "FCB0350"),
        ("hand-limit: number, optional", "FCB0350"),
        ("worth: formula, default 3 + 4", "FCB0324"),
        ("gear: many player definition", "FCB0324"),
        ("story: text, optional", "FCB0324"),
        ("after: effect, optional", "FCB0324"),
    ],
)
@pytest.mark.parametrize("kind", ["player", "game", "memo is record"])
def test_field_without_value_is_reported(tmp_path: Path, kind: str, field: str, code: str) -> None:
    assert codes(tmp_path, f"{FLOW}kind {kind}:\n  field {field}\n").count(code) == 1


TWO_STARTS = MISSION.replace("1..3", "1..2").replace("s  . |", "s  s |")


def test_number_of_kind_counts_beside_local_of_same_name(tmp_path: Path) -> None:
    system = FLOW.replace("kind game:", "kind player:\n  stat share: number 0..\nkind game:")
    tests = 'test "shares":\n  use mission lost\n  do share out\n  expect share of player 1 = 18\n'
    system += "verb share out:\n  effect:\n    for each player: player's share becomes 36 / number of player\n"
    assert failing(tmp_path, system, TWO_STARTS, tests) == []


def test_number_of_player_is_seat_number(tmp_path: Path) -> None:
    tests = 'test "seat":\n  use mission lost\n  expect number of player 2 = 2\n'
    assert failing(tmp_path, FLOW, TWO_STARTS, tests) == []


def code_by_file(folder: Path) -> dict[str, str]:
    """Return the findings in whole files, by their names."""
    reported = analysis_of(load_project(root=folder)).problems
    return {Path(each.span.source.name).name: each.code for each in reported if each.code in {"FCB0821", "FCB0822"}}


def test_skipped_files_are_reported(tmp_path: Path) -> None:
    problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"))
    skipped = [
        "cards/MORE.FCB",
        "cards/b.fcb.txt",
        "cards/._c.fcb",
        "cards/__MACOSX/c.fcb",
        "extras/a.fcb",
        "loose.fcb",
    ]
    foreign = ["other/fcb.toml", "other/cards/y.fcb", "env/pyvenv.cfg", "env/lib/y.fcb"]
    unpacked = ["tools/fcbdsl/content/systems/core.fcb", "tools/fcbdsl/content/starters/y.fcb"]
    for name in [*skipped, *foreign, *unpacked, ".git/x.fcb", "packs/p/z.txt"]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("kind wrong wrong\n", encoding="utf-8")
    assert code_by_file(tmp_path) == dict.fromkeys(
        ["MORE.FCB", "b.fcb.txt", "._c.fcb", "c.fcb", "a.fcb", "loose.fcb"], "FCB0822"
    )


@pytest.mark.parametrize("name", ["FCB.toml", "fcb.toml.txt", "fcb.toml"])
def test_settings_that_are_no_file_of_that_name_are_reported(name: str, tmp_path: Path) -> None:
    """A link to nothing, and a file with nearly the name of the settings, are not read."""
    problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"))
    settings = tmp_path / "fcb.toml"
    if name == "fcb.toml":
        settings.unlink()
        settings.symlink_to("nowhere.toml")
    else:
        settings.rename(tmp_path / name)
    assert code_by_file(tmp_path) == {name: "FCB0822"}


NAMES = {
    "cards/C.fcb": ["FCB0824"],  # there is a cards/c.fcb
    "Cards/d.fcb": ["FCB0824"],  # there is a folder cards
    "cards/aux.fcb": ["FCB0824"],
    "cards/auxiliary.fcb": [],
    "cards/what?.fcb": ["FCB0824"],
    "cards/more/c.fcb": [],
}


@pytest.mark.parametrize("name", NAMES)
def test_names_that_other_systems_cannot_have_are_reported(tmp_path: Path, name: str) -> None:
    problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"))
    assert (tmp_path / "cards/c.fcb").is_file()
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("use mini\n", encoding="utf-8")
    reported = analysis_of(load_project(root=tmp_path)).problems
    assert [each.code for each in reported if each.code == "FCB0824"] == NAMES[name]


@pytest.mark.parametrize("cls", [SkippedFile, UnportableName, UnusedForm, UnusedSystem], ids=lambda cls: cls.code)
def test_example_projects_show_mistake_and_fix(tmp_path: Path, cls: type[Diagnostic]) -> None:
    for name, example, codes in (("bad", cls.bad, [cls.code]), ("good", cls.good, [])):
        files = re.split(r"^# (\S+\.(?:fcb|toml))\n", example + "\n", flags=re.MULTILINE)[1:]
        for path, text in zip(files[::2], files[1::2], strict=True):
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text, encoding="utf-8")
        assert [each.code for each in analysis_of(load_project(root=tmp_path / name)).problems] == codes


def test_unused_system_is_checked(tmp_path: Path) -> None:
    problems(tmp_path, FLOW + "verb err:\n  effect: frobnicate the gizmo\n", "")
    (tmp_path / "cards/c.fcb").unlink()
    assert "FCB0427" in [each.code for each in analysis_of(load_project(root=tmp_path)).problems]


def test_second_unused_system_is_reported(tmp_path: Path) -> None:
    problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"))
    (tmp_path / "systems/draft.fcb").write_text('system draft "Draft":\n  players: 1..2\n', encoding="utf-8")
    (tmp_path / "packs/more").mkdir(parents=True)
    (tmp_path / "packs/more/cards.fcb").write_text("use mini\n", encoding="utf-8")
    assert code_by_file(tmp_path) == {"draft.fcb": "FCB0821", "cards.fcb": "FCB0821"}


def test_mistakes_in_second_unused_system_are_warnings(tmp_path: Path) -> None:
    problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"))
    draft = 'system draft "Draft":\n  players: 1..2\nverb err:\n  effect: frobnicate the gizmo\n'
    (tmp_path / "systems/draft.fcb").write_text(draft, encoding="utf-8")
    (tmp_path / "packs/more").mkdir(parents=True)
    (tmp_path / "packs/more/cards.fcb").write_text('use mini\ncat tom "Tom"\n', encoding="utf-8")
    analysis = analysis_of(load_project(root=tmp_path))
    reported = {(Path(each.span.source.name).name, each.code, each.severity) for each in analysis.problems}
    assert {("draft.fcb", "FCB0427", "warning"), ("cards.fcb", "FCB0301", "warning")} <= reported
    assert analysis.errors() == []
    again = draft.replace("  effect: frobnicate", "  # fcb: allow FCB0427\n  effect: frobnicate")
    (tmp_path / "systems/draft.fcb").write_text(again.replace("frobnicate the gizmo", "nothing"), encoding="utf-8")
    mended = [each.code for each in analysis_of(load_project(root=tmp_path)).problems]
    assert "FCB0427" not in mended


def test_unknown_name_of_pack_suggests_use_line(tmp_path: Path) -> None:
    problems(tmp_path, FLOW, "")
    enemy = 'enemy {id} "{id}":\n  rank: 1\n  max-HP: 1\n  max-MP: 1\n  kit: {kit}\n'
    enemies = enemy.format(id="rat", kit="machete") + enemy.format(id="cat", kit="nail")
    (tmp_path / "cards/c.fcb").write_text("use far-cry-beyond\n" + enemies, encoding="utf-8")
    (tmp_path / "packs/tools").mkdir(parents=True)
    pack = 'use far-cry-beyond\nweapon nail "Nail":\n  attack: melee, green, 1\n'
    (tmp_path / "packs/tools/t.fcb").write_text(pack, encoding="utf-8")
    advice = [each.advice for each in analysis_of(load_project(root=tmp_path)).problems if each.severity == "error"]
    assert any("`use far-cry-beyond-weapons`" in each for each in advice)
    assert any("`use tools`" in each for each in advice)


@pytest.mark.long
def test_pack_symbol_shadows_game_symbol(tmp_path: Path) -> None:
    problems(tmp_path, FLOW, "")
    shadow = 'use far-cry-beyond\nlayout symbols:\n  wheel: rope, "#1d894e", en "Wheel", fr "Volant"\n'
    (tmp_path / "cards/c.fcb").write_text(shadow, encoding="utf-8")
    analysis = analysis_of(load_project(root=tmp_path))
    assert [each.code for each in analysis.problems if each.severity == "error"] == []
    assert ("rope",) in analysis.model.layouts["symbols"].settings["wheel"]
    assert analysis.model.layouts["symbols"].spans["wheel"].source.name.endswith("c.fcb")


def test_duplicate_symbol_in_project_is_error(tmp_path: Path) -> None:
    twice = 'layout symbols:\n  start: terminal, "#1d894e"\n  start: terminal, "#1d4e89"\n'
    assert "FCB0311" in codes(tmp_path, FLOW, MISSION.replace("1..3", "1..1") + twice)


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ("yard", "Yard", 1),
        ("yard", "y\u0430rd", 1),
        ("oak", "\u03bf\u0430k", 1),
        ("yard", "yards", 0),
        ("b10", "bio", 0),
    ],
)
def test_look_alike_ids_are_reported(tmp_path: Path, first: str, second: str, count: int) -> None:
    alone = MISSION.replace("1..3", "1..1")
    cards = alone.replace("mission lost", f"mission {first}") + alone.replace("mission lost", f"mission {second}")
    assert codes(tmp_path, FLOW, cards).count("FCB0351") == count


MEMBERS = """\
kind pawn is piece:
  played: one each
kind site is region
kind page is card:
  held by: player
"""


def test_in_list_of_its_kind_means_membership(tmp_path: Path) -> None:
    things = 'pawn p "Pawn"\npawn q "Other"\nsite hut "The Hut"\nsite pit "The Pit"\n'
    cards = MISSION.replace('"s": start', '"s": start, hut').replace("1..3", "1..1") + things
    tests = """\
test "regions":
  use mission lost
  given p at A1
  expect hut in regions of p
  expect any site in regions of p
  expect p in hut
  expect not pit in regions of p
  expect number of (site where it in regions of p) = 1
test "others":
  use mission lost
  given p at A1
  expect p in (pawn on board)
  expect not q in (pawn on board)
"""
    assert failing(tmp_path, FLOW + MEMBERS, cards, tests) == []


ROLES = """\
kind player:
  stat gold: number 0..
kind house is card:
  field work: effect, for player
verb send:
  takes: who (player), place (house)
  effect: perform place's work for who
"""
HOUSE = """\
house mine "Mine":
  work: self's gold +2
"""


def test_perform_for_player_runs_as_that_player(tmp_path: Path) -> None:
    mission = MISSION.replace("1..3", "1..2").replace("s  .", "s  s")
    tests = 'test "work":\n  use mission lost\n  do send player#2 mine\n  expect gold of player 2 = 2\n'
    tests += "  expect gold of player 1 = 0\n"
    assert failing(tmp_path, FLOW + ROLES, HOUSE + mission, tests) == []


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("field work: effect, for nobody", "FCB0306"),
        ("field work: effect, for", "FCB0303"),
        ("field work: number, for player", "FCB0303"),
    ],
)
def test_role_that_is_not_a_kind_is_reported(tmp_path: Path, line: str, code: str) -> None:
    system = FLOW + "kind house is card:\n  " + line + "\n"
    assert codes(tmp_path, system).count(code) == 1


def test_effect_with_role_addresses_its_target(tmp_path: Path) -> None:
    worded = ROLES.replace(
        "stat gold: number 0..", 'stat gold: number 0..\n    name: "gold", plural "gold"\n    fr: "or", m'
    )
    system = FLOW.replace("languages: en", "languages: en, fr") + worded
    problems(tmp_path, system, HOUSE + MISSION.replace("1..3", "1..1"))
    model = analysis_of(load_project(root=tmp_path)).model
    (mine,) = [each for each in model.definitions.values() if each.id == "mine"]
    texts = {language: rules_text(mine, model, language).plain() for language in ("en", "fr")}
    assert texts == {"en": "Gain 2\xa0gold.", "fr": "Gagnez 2\xa0ors."}


CAMPAIGN = """\
kind campaign:
  field first: mission definition
journey:
  play campaign's first:
    won: win "Home."
    lost: lose "Gone."
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("stat", "missing"), [('stat worn: flag, kept\n    fr: "usé"', True), ('stat worn "worn": flag, kept', False)]
)
def test_unprintable_campaign_log_is_reported(tmp_path: Path, stat: str, missing: bool) -> None:
    system = FLOW.replace("kind game:\n", f"kind game:\n  {stat}\n") + CAMPAIGN
    reported = problems(tmp_path, system, MISSION.replace("s  .", "s  s") + 'campaign trip "Trip":\n  first: lost\n')
    messages = [each.message for each in reported if each.code == "FCB0701" and "worn" in each.message]
    assert messages == (["`worn` on campaign `trip` has no text in en."] if missing else [])


def test_win_rate_of_no_mission_is_reported(tmp_path: Path) -> None:
    problems(tmp_path, FLOW, MISSION.replace("1..3", "1..1"))
    project = tmp_path / "fcb.toml"
    text = project.read_text(encoding="utf-8")
    for name, reported in (("lost", []), ("lots", [("FCB0803", "warning", 7)])):
        project.write_text(f'{text}[wins]\n{name} = "40%..60%"\n', encoding="utf-8")
        found = analysis_of(load_project(root=tmp_path)).problems
        assert [(each.code, each.severity, each.span.line) for each in found if each.code == "FCB0803"] == reported
