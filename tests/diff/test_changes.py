"""The diff report of a change, for the table and for campaigns under way."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from games import shared_cache

from fcbdsl.language.compiler import lower
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.campaign.journey import Journey
from fcbdsl.play.campaign.saved import journey_to_json, resume
from fcbdsl.project.project import check_project
from fcbdsl.tools.diff.diff_report import MOST_BYTES, changes_to_text, to_markdown
from fcbdsl.tools.diff.game_diff import AlteredDefinition, FactChange, GameChanges, changes_between

SYSTEMS = Path(__file__).parents[1] / "systems"
Edits = dict[str, tuple[tuple[str, str], ...]]


def model(folder: Path) -> Model:
    reported, problems = check_project(tests=False, root=folder)
    assert [problem for problem in problems if problem.severity == "error"] == []
    return reported


def edited(folder: Path, name: str, edits: Edits) -> Model:
    shutil.copytree(SYSTEMS / name, folder / name)
    for file, pairs in edits.items():
        path = folder / name / file
        text = path.read_text(encoding="utf-8")
        for before, after in pairs:
            assert before in text
            text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")
    return model(folder / name)


Change = Callable[[Edits], GameChanges]


@pytest.fixture(scope="module")
def pond_model() -> Model:
    return model(SYSTEMS / "pond")


@pytest.fixture
def pond_changed(tmp_path: Path, pond_model: Model) -> Change:
    """Edits the cards of the pond."""
    return lambda edits: changes_between(pond_model, edited(tmp_path, "pond", edits))


def cards(*pairs: tuple[str, str]) -> Edits:
    return {"cards/pond.fcb": pairs}


def only(changes: GameChanges) -> AlteredDefinition:
    (change,) = changes.altered
    return change


def test_comment_is_no_change(pond_changed: Change) -> None:
    changes = pond_changed(cards(("use pond", "# a remark\nuse pond")))
    assert not changes
    assert changes_to_text(changes) == "Nothing changes for the table.\n"


def test_effect_change_is_in_play_and_print(pond_changed: Change) -> None:
    changes = pond_changed(cards(("up to 2", "up to 3")))
    change = only(changes)
    assert (change.key, change.plays, change.prints) == (("trick", "gift"), True, True)
    assert [(row.sort, row.languages) for row in change.shifts] == [("text", ("en",)), ("text", ("fr",))]
    assert len(change.gone) == len(change.new) == 1
    text = changes_to_text(changes)
    assert "Choose up to [-2-]{+3+}" in text
    assert "Choisissez jusqu’à [-2-]{+3+}" in text
    assert "\x1b[9;" in changes_to_text(changes, colour=True)
    assert "up to <del>[-2-]</del><ins>{+3+}</ins>" in to_markdown(changes, "A", "B")


def test_title_change_is_in_print_only(pond_changed: Change) -> None:
    changes = pond_changed(cards(("Cadeau de mouches", "Don de mouches")))
    change = only(changes)
    assert (change.plays, change.prints, changes.same_play) == (False, True, True)
    assert change.shifts == (FactChange("title", "title", ("fr",), "Cadeau de mouches", "Don de mouches"),)
    assert "prints differently, plays the same" in changes_to_text(changes)


def test_effect_behind_authored_text_changes_only_play(tmp_path: Path) -> None:
    by_hand = ("  effect:\n    choose", '  text: "Catch flies."\n  text fr: "Attrapez."\n  effect:\n    choose')
    before = edited(tmp_path / "a", "pond", cards(by_hand))
    after = edited(tmp_path / "b", "pond", cards(by_hand, ("up to 2", "up to 3")))
    changes = changes_between(before, after)
    change = only(changes)
    assert (change.plays, change.prints, change.shifts) == (True, False, ())
    assert "plays differently, but prints the same" in changes_to_text(changes)


def test_diff_shows_changed_parts_of_maps_tracks_and_numbers(pond_changed: Change) -> None:
    change = only(
        pond_changed(cards(("|.  .  f |", "|.  f  . |"), ("+  +==+  +", "+  +  +  +"), ("length: 4", "length: 5")))
    )
    assert change.key == ("mission", "crossing")
    shifts = {(row.sort, row.label): (row.before, row.after) for row in change.shifts}
    assert shifts["map", "on B1"] == ("", "fly")
    assert shifts["map", "on C1"] == ("fly", "")
    assert shifts["map", "between B1 and B2"] == ("bank", "")
    assert shifts["track", "The heron"] == ("Start 1 2 3 [End]", "Start 1 2 3 4 [End]")
    assert "- countdown heron 0..4" in changes_to_text(GameChanges((), (), (change,), (), (), False))


def test_changed_id_is_recognized(pond_changed: Change) -> None:
    changes = pond_changed(cards(("trick puddle", "trick pool")))
    assert [(change.key, change.other) for change in changes.added] == [(("trick", "pool"), ("trick", "puddle"))]
    assert [(change.key, change.other) for change in changes.removed] == [(("trick", "puddle"), ("trick", "pool"))]
    assert changes.breaks == ()  # the pond has no campaign


def test_long_report_is_cut_and_counted(pond_changed: Change) -> None:
    one = only(pond_changed(cards(("up to 2", "up to 3"))))
    many = to_markdown(GameChanges((), (), (one,) * 300, (), (), False), "A", "B")
    assert len(many.encode()) <= MOST_BYTES + 200
    blocks = many.count("**trick/gift")
    assert 0 < blocks < 300
    assert f"… and {300 - blocks} more parts of the report" in many


WINTER = "systems/lanterns/winter.fcb"
MISSIONS = "missions/winter.fcb"
NIGHTS = 'stat failures "nights in vain": number 0..'
TIPS = {"table": {"zones": {"tips": ["job casks"]}}}
DONE = {"table": {"zones": {"memories": ["job casks"]}}}
BROKEN: list[tuple[Edits, str, dict[str, object]]] = [
    ({MISSIONS: (("job casks", "job barrels"), (": casks", ": barrels"))}, "job casks", {**TIPS}),
    ({WINTER: (("failures", "misses"),)}, "failures of game", {"game": {"stats": {"failures": 1}}}),
    ({WINTER: ((NIGHTS, f"{NIGHTS}2"),)}, "failures of game", {"game": {"stats": {"failures": 3}}}),
    ({WINTER: (("memories", "deeds"),)}, "zone memories of table", {**DONE}),
]


@pytest.fixture(scope="module")
def lanterns() -> tuple[Model, Image]:
    lanterns_model = model(SYSTEMS / "lanterns")
    return lanterns_model, Image(lower(lanterns_model))


@pytest.mark.long
@pytest.mark.parametrize(("edits", "name", "carried"), BROKEN)
def test_diff_reports_the_changes_for_which_a_campaign_file_is_refused(
    tmp_path: Path, lanterns: tuple[Model, Image], edits: Edits, name: str, carried: dict[str, object]
) -> None:
    before, image = lanterns
    saved = journey_to_json(Journey(image, "long-winter", 2, 1)) | {"kept": carried}
    assert resume(image, saved).lost == ()
    after = edited(tmp_path, "lanterns", edits)
    changes = changes_between(before, after)
    assert name in [broken.name for broken in changes.breaks]
    assert resume(Image(lower(after)), saved).lost
    assert "Breaks campaigns under way" in changes_to_text(changes)
    assert "Breaks campaigns under way" in to_markdown(changes, "A", "B")


@pytest.mark.long
def test_diff_reports_no_break_for_names_that_campaigns_do_not_keep(
    tmp_path: Path, lanterns: tuple[Model, Image]
) -> None:
    edits: Edits = {MISSIONS: (("price: 1", "price: 2"), ("What the ledgers say", "What the books say"))}
    changes = changes_between(lanterns[0], edited(tmp_path, "lanterns", edits))
    assert changes.altered
    assert changes.breaks == ()


def test_campaign_log_changes_are_grouped_by_kind(tmp_path: Path, lanterns: tuple[Model, Image]) -> None:
    edits: Edits = {
        WINTER: (('"jobs done"', '"jobs remembered"'),),
        MISSIONS: (("What the ledgers say", "What the books say"),),
        "cards/tricks.fcb": (("Quick feet", "Fast feet"),),
    }
    changes = changes_between(lanterns[0], edited(tmp_path, "lanterns", edits))
    assert changes.altered[0].key == ("campaign", "long-winter")
    (row,) = [row for row in changes.altered[0].shifts if "en" in row.languages]
    assert row.label == "in the log: The team"
    assert row.before.removesuffix("Jobs done") == row.after.removesuffix("Jobs remembered")
    kinds = [
        line.removeprefix("Changed, ") for line in changes_to_text(changes).split("\n") if line.startswith("Changed, ")
    ]
    assert kinds[0] == "campaign:"
    assert sorted(set(kinds)) == sorted(kinds)
    assert "trick:" in kinds
    assert "#### campaign" in to_markdown(changes, "A", "B")


@pytest.mark.long
@pytest.mark.parametrize("game", ["beast", "far-cry-beyond"])
def test_changed_title_of_shipped_game_is_reported(game: str) -> None:
    root = Path(__file__).parents[2]
    with shared_cache():
        before, problems = check_project(tests=False, root=root, game=game)
        after, _ = check_project(tests=False, root=root, game=game)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert not changes_between(before, after)
    title = next(
        definition
        for definition in after.definitions.values()
        if definition.name.title.get("fr") and definition.kind.id == "mission"
    )
    title.name.title["fr"] = "Tout autre chose"
    changes = changes_between(before, after)
    assert (title.kind.id, title.id) in [change.key for change in changes.altered]
    assert changes.same_play
