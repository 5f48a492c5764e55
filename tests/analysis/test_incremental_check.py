"""An incremental check skips sound tests, and reports what a full check reports."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import games
import pytest
from games import GAMES, PROJECTS, first_few, first_rows
from random_edits import edited, words_of

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.natives import Disturbing
from fcbdsl.base.diagnostics.report import findings_to_json, findings_to_text
from fcbdsl.language.compiler import BothLowerings
from fcbdsl.language.model import ir
from fcbdsl.language.model.check import Checker
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.units import CheckUnit, line_words
from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.ir.node import Node, rebuilt
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.fingerprint import code_names, comparison_form, program_difference
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Code, Program
from fcbdsl.machine.vm.verify import codes, verifier
from fcbdsl.play.campaign.exploration import Explored, explore
from fcbdsl.play.testing.content_tests import Result
from fcbdsl.play.testing.workers import run_tests
from fcbdsl.print.pieces.looks import look_of_kind
from fcbdsl.print.pieces.printables import is_sheet, printable, printable_languages
from fcbdsl.print.press.proofs import CheckedPages, render_piece
from fcbdsl.project.analysis import (
    Analysis,
    analysis_of,
    changed_wording,
    incremental,
    no_test,
    setup_check,
)
from fcbdsl.project.analysis.source_pieces import source_pieces
from fcbdsl.project.project import cached_model, load_project

SYSTEMS = Path(__file__).parents[1] / "systems"


@pytest.fixture
def system() -> str:
    """Return the system that the project uses."""
    return "lanterns"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str) -> Path:
    shutil.copytree(SYSTEMS / system, tmp_path / system)
    monkeypatch.chdir(tmp_path / system)
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    return tmp_path / system


def checked() -> Analysis:
    """Check the project as `fcb check` does."""
    return analysis_of(load_project(), needed=no_test)


def fresh(monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """Check the project without any cached result."""
    with monkeypatch.context() as patch:
        patch.setenv("FCB_CACHE", "")
        return checked()


def agree(monkeypatch: pytest.MonkeyPatch) -> Analysis:
    """Check with and without cached results. Assert equal findings in order, words and places, and equal programs."""
    reported, own = checked(), fresh(monkeypatch)
    assert reported.errors() or reported.program() == own.program()
    assert findings_to_text(reported.problems, colour=False) == findings_to_text(own.problems, colour=False)
    assert findings_to_json(reported.problems) == findings_to_json(own.problems)
    assert reported.made == own.made
    if not reported.errors():
        assert_alike(reported.played(), own.program())
    return reported


def assert_alike(quick: Program, whole: Program) -> None:
    """Assert that two programs play and print alike, and that their ops and rows have the same places."""
    assert not program_difference(comparison_form(whole), comparison_form(quick))
    first, second = (dict(zip(code_names(program), program.codes, strict=True)) for program in (whole, quick))
    for name, code in first.items():
        assert placed(whole, code) == placed(quick, second[name]), name
    for table in ("definitions", "actions", "listeners", "tiers", "kinds", "switches"):
        titles = [[title_of(program, row) for row in getattr(program, table)] for program in (whole, quick)]
        assert titles[0] == titles[1]


def placed(program: Program, code: Code) -> list[tuple[object, ...] | None]:
    """Return the place of each op of a code."""
    spans = [None if number < 0 else program.spans[number] for number in code.spans]
    return [span and (program.files[span.file], span.line, span.column, span.end) for span in spans]


def title_of(program: Program, row: object) -> object:
    """Return the titles in a row of a table."""
    number = getattr(row, "title", -1)
    return None if number < 0 else program.texts[number]


def read_tests(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which each reading of the sources adds the number of tests that it reads."""
    read: list[int] = []
    before = incremental.read_changed

    def watched(loader, needed, fits):
        analysis = before(loader, needed, fits)
        read.append(len(analysis.model.tests))
        return analysis

    monkeypatch.setattr(incremental, "read_changed", watched)
    return read


def files_of_tests(folder: Path) -> list[Path]:
    return sorted((folder / "tests").rglob("*.fcb"))


@pytest.mark.long
def test_only_changed_test_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_tests(monkeypatch)
    checked()
    (path, *_) = files_of_tests(folder)
    text = path.read_text()
    path.write_text(text.replace('test "', '# a remark\ntest "so ', 1))
    how = {check.name: check.how for check in checked().passes}
    assert read[0] == len([piece for piece in source_pieces(load_project().sources) if piece.is_test])
    assert read[1:] == [1]
    assert {name for name, state in how.items() if state == "run"} == {"reading", "looking", "tests"}


@pytest.mark.long
def test_cached_problem_of_the_game_is_reported_at_its_present_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path, *_) = files_of_tests(folder)
    text = path.read_text()
    path.write_text(f'{text}\nverb hush:\n  effect: stop\n  text fr: "{{il}} se tait"\n')
    assert {problem.code for problem in agree(monkeypatch).problems} != set()
    path.write_text(path.read_text().replace('test "', '# a remark\ntest "so ', 1))
    analysis = agree(monkeypatch)
    assert {check.name for check in analysis.passes if check.how == "run"} == {"reading", "looking", "tests"}


@pytest.mark.long
def test_changed_number_of_card_reads_no_test_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_tests(monkeypatch)
    checked()
    path = folder / "cards" / "tricks.fcb"
    path.write_text(path.read_text().replace("steps +2", "steps +3", 1))
    agree(monkeypatch)
    assert read[1] == 0


@pytest.mark.long
def test_changed_declaration_rereads_the_tests_that_mention_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked()
    tried = set()
    for path in sorted((folder / "systems").rglob("*.fcb")):
        text = path.read_text()
        for line in text.split("\n"):
            kind, _, _ = line.partition(" ")
            if kind in {"status", "token", "verb", "action"} - tried:
                tried.add(kind)
                path.write_text(text.replace(line, line.replace(" ", " un", 1), 1))
                agree(monkeypatch)
        path.write_text(text)
    assert len(tried) == 4
    assert agree(monkeypatch).problems == ()


def test_test_with_error_is_never_cached(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path, *_) = files_of_tests(folder)
    path.write_text(path.read_text() + '\ntest "odd" covers X-1:\n  given nonsense\n')
    assert {problem.code for problem in agree(monkeypatch).problems} != set()
    card = folder / "cards" / "tricks.fcb"
    card.write_text("# a remark\n" + card.read_text())
    assert agree(monkeypatch).problems


@pytest.mark.long
def test_program_contains_selected_tests(folder: Path) -> None:
    checked()
    titles = [test.title for test in analysis_of(load_project()).program(tests=True).tests]
    wanted = titles[3], titles[-1]
    some = analysis_of(load_project(), needed=lambda title, covers, file: title in wanted)
    assert [test.title for test in some.program(tests=True).tests] == [title for title in titles if title in wanted]
    assert some.refused(tests=True) == []


@pytest.mark.parametrize("system", first_few(["knucklebones", "lanterns", "fair"], 1))
def test_tests_pass_on_precompiled_game(folder: Path) -> None:
    one = analysis_of(load_project(), needed=lambda title, covers, file: True)
    assert one.program() == analysis_of(load_project()).program()
    program, other = one.program(tests=True), analysis_of(load_project()).program(tests=True)
    assert one.refused(tests=True) == []
    numbers = range(len(program.tests))
    assert [summary_of(result) for result in run_tests(program, numbers, 1)] == [
        summary_of(result) for result in run_tests(other, numbers, 1)
    ]
    assert [program.files[program.spans[test.span].file] for test in program.tests] == [
        other.files[other.spans[test.span].file] for test in other.tests
    ]


def summary_of(result: Result) -> tuple[object, ...]:
    """Return the report on a test, without numbers."""
    failure = result.failure
    return result.title, result.covers, result.decisions, failure and (failure.expected, failure.seen, failure.notes)


@pytest.mark.long
def test_heads_are_read_without_their_blocks(folder: Path) -> None:
    checked()
    entries: list[tuple[str, tuple[str, ...], str]] = []

    def chosen(title: str, covers: Sequence[str], file: str) -> bool:
        entries.append((title, tuple(covers), file))
        return True

    assert analysis_of(load_project(), needed=chosen).model.tests
    program = analysis_of(load_project()).program(tests=True)
    files = [program.files[program.spans[test.span].file] for test in program.tests]
    assert entries == [(test.title, test.covers, file) for test, file in zip(program.tests, files, strict=True)]


def test_tests_are_selected_by_their_heads(folder: Path) -> None:
    (path, *_) = files_of_tests(folder)
    path.write_text(path.read_text() + '\ntest "odd \\"one\\"" covers X-1, X-2:  # plain it is not\n  given nonsense\n')
    heads: list[tuple[str, tuple[str, ...]]] = []
    assert not incremental.has_test(
        load_project(), lambda title, covers, file: heads.append((title, tuple(covers))) or False
    )
    assert heads == [(test.title, tuple(test.covers)) for test in analysis_of(load_project()).model.tests]
    assert ('odd "one"', ("X-1", "X-2")) in heads
    assert incremental.has_test(load_project(), lambda title, covers, file: title.startswith("odd"))


@pytest.mark.long
@pytest.mark.parametrize(
    "content", first_few([({"a": ((), (), 5)}, {}, ""), ({}, {"a": 1}, ""), ({1: ()}, {}, ""), ({}, {}), 5], 1)
)
def test_invalid_cached_records_are_ignored(folder: Path, monkeypatch: pytest.MonkeyPatch, content: object) -> None:
    cache.store_result(incremental.key_of_tests(load_project()), content)
    assert agree(monkeypatch).problems == ()


@pytest.mark.long
@pytest.mark.parametrize(
    "content", first_few([({"a": [1]}, None, None), ({}, None), ({}, {}, None), ({}, None, 7), 5], 1)
)
def test_invalid_cached_trees_are_ignored(folder: Path, monkeypatch: pytest.MonkeyPatch, content: object) -> None:
    cache.store_result(incremental.key_of_reading(load_project()), content)
    assert agree(monkeypatch).problems == ()


@pytest.mark.parametrize("system", first_few(["lanterns", "fair"], 1))
@pytest.mark.parametrize("seed", first_few(range(6), 1))
def test_incremental_check_equals_fresh_check(folder: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    random = Random(seed)
    monkeypatch.setattr(incremental, "MOST_READ_AGAIN", random.choice([0, 1, 24]))
    own = [
        path for part in ("systems", "cards", "missions", "tests") for path in sorted((folder / part).rglob("*.fcb"))
    ]
    right = {path: path.read_text() for path in own}
    words = [word for text in right.values() for word in words_of(text)]
    checked()
    for _ in range(6):
        path = random.choice(own)
        path.write_text(edited(path.read_text(), random, words, [right[path]]))
        agree(monkeypatch)
        if random.random() < 0.5:
            path.write_text(right[path])


# ── the game ──────────────────────────────────────────────────────────────────────────────────


def declarations_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the name of each declaration is added whose body is read."""
    read: list[str] = []
    before = CheckUnit.read

    def watched(unit: CheckUnit, context: Context) -> None:
        read.append(unit.declaration.id)
        before(unit, context)

    monkeypatch.setattr(CheckUnit, "read", watched)
    return read


@pytest.mark.long
def test_only_the_body_of_a_changed_card_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked()
    read = declarations_read(monkeypatch)
    path = folder / "cards" / "tricks.fcb"
    path.write_text("# a remark that moves all that follows\n" + path.read_text().replace("steps +2", "steps +3", 1))
    checked()
    assert len(read) == 1
    read.clear()
    assert analysis_of(load_project(), needed=lambda title, covers, file: False).model.definitions
    assert len(read) == 1  # the cached state of the first run serves any number of edits


@pytest.mark.parametrize("tests", [True, False])
def test_edited_body_declares_nothing_again(folder: Path, monkeypatch: pytest.MonkeyPatch, tests: bool) -> None:
    checked()
    path = folder / "cards" / "tricks.fcb"
    for number in (3, 4):
        text = path.read_text()
        path.write_text(text.replace(f"steps +{number - 1}", f"steps +{number}", 1))
        with monkeypatch.context() as patch:
            patch.setattr(Checker, "_declare", None)  # would fail if it were called
            quick = analysis_of(load_project(tests=tests), needed=no_test)
        assert dump(quick.model) == dump(fresh_model(monkeypatch, tests))
    path.write_text(path.read_text() + 'trick extra "Extra":\n  fr: "Bonus"\n')
    agree(monkeypatch)


def fresh_model(monkeypatch: pytest.MonkeyPatch, tests: bool) -> Model:
    """Read the project without any cached result, and without its tests."""
    with monkeypatch.context() as patch:
        patch.setenv("FCB_CACHE", "")
        return replace(analysis_of(load_project(tests=tests), needed=no_test).model, tests=[])


@pytest.mark.parametrize("use", ["use pond\nuse nowhere\n", "use 5\nuse pond\n", ""])
def test_edited_use_in_test_file_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch, use: str) -> None:
    path = folder / "tests" / "more.fcb"
    path.write_text('use pond\ntest "sum":\n  expect 1 = 1\n', encoding="utf-8")
    agree(monkeypatch)
    path.write_text(f'{use}test "sum":\n  expect 1 = 1\n', encoding="utf-8")
    agree(monkeypatch)
    path.write_text(use, encoding="utf-8")
    agree(monkeypatch)


@pytest.mark.long
def test_cached_problem_is_reported_at_its_present_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "cards" / "tricks.fcb"
    text = path.read_text()
    path.write_text(text.replace("effect:", "efect:", 1))
    assert agree(monkeypatch).errors()
    path.write_text("# a remark\n\n" + path.read_text())
    assert agree(monkeypatch).errors()


@pytest.mark.long
def test_codes_are_cached_as_verified_only_after_all_passed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [codes.Finding("definitions[0]", "so it is said")]
    seen: list[int] = []

    def verified(program: Program, known: Collection[int] = ()) -> list[codes.Finding]:
        seen.append(len(known))
        return wrong

    monkeypatch.setattr(verifier, "verify_program", verified)
    path = folder / "cards" / "tricks.fcb"
    text = path.read_text()
    for steps in range(3, 7):
        path.write_text(text.replace("steps +2", f"steps +{steps}", 1))
        assert bool(checked().errors()) == bool(wrong)
        wrong = wrong if steps < 4 else []
    assert seen[:-1] == [0, 0, 0]
    assert seen[-1] > 10


def test_recorded_codes_are_not_verified_again(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = tmp_path / "state"
    monkeypatch.setenv("FCB_STATE", str(state))
    path = folder / "cards" / "tricks.fcb"
    text = path.read_text()
    checked()
    genuine, seen = verifier.verify_program, list[int]()

    def watching(program: Program, skipped: Collection[int] = ()) -> list[codes.Finding]:
        seen.append(len(skipped))
        return genuine(program, skipped)

    monkeypatch.setattr(verifier, "verify_program", watching)

    def verified_before(steps: int) -> list[bool]:
        """Change a number and return, for each verification, whether it skips known codes."""
        path.write_text(text.replace("steps +2", f"steps +{steps}", 1))
        seen.clear()
        made = checked()
        assert made.refused_for_play() == []
        return [skipped > 0 for skipped in seen]

    assert verified_before(3) == [True]
    (state / "verified").write_text("")
    assert verified_before(4) == [True, False]  # without a record, the cache is not trusted
    assert verified_before(5) == [True, False]


def test_words_of_stored_texts_are_found_without_their_blocks(folder: Path) -> None:
    checked()
    (_, state, _), _ = incremental._kept_reading(load_project())
    alone = [unit for unit in state.units if unit.declaration.line.below is None]
    assert alone
    for unit in state.units:
        assert unit.known_words is None
        words = unit.words
        assert (unit.declaration.line.below is None) == (unit in alone)
        assert words == line_words(unit.declaration.line)


def test_reasons_are_lowered_once(folder: Path) -> None:
    model, _ = cached_model(load_project())
    first = BothLowerings(model)
    plain = first.program
    snapshot = first.snapshot()
    again = BothLowerings(model, snapshot)
    tested = again.tested()
    requirements = {require.code for action in tested.actions for require in action.requires}
    assert requirements
    assert {tested.codes[number] for number in requirements} <= {*snapshot.codes}
    assert again.program == BothLowerings(model, snapshot).program
    assert_alike(again.program, plain)
    both = BothLowerings(model, snapshot)
    assert both.program
    tested = both.tested()
    requirements = {require.code for action in tested.actions for require in action.requires}
    assert requirements.isdisjoint(both.shared)  # they were not part of the verified program


NUMBER = re.compile(r"(?<=[ +])[1-6](?=$|[ ,:)])", re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize(("system", "every"), first_rows([("lanterns", 4), ("lanterns", 1), ("fair", 1)], 1))
def test_changed_form_recompiles_all_its_uses(folder: Path, every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The codes that apply a measure or relation contain its body. The test tries each form, or some of them."""
    checked()
    again = 0
    for path in sorted((folder / "systems").rglob("*.fcb")):
        text = path.read_text()
        forms = list(re.finditer(r"^(?:measure|relation|verb|keyword) .*\n(?: .*\n|\n)*", text, re.MULTILINE))
        for form in forms[::every]:
            for place in list(NUMBER.finditer(text, form.start(), form.end()))[:1]:
                path.write_text(f"{text[: place.start()]}{int(place[0]) + 1}{text[place.end() :]}")
                again += not agree(monkeypatch).errors()
        path.write_text(text)
    assert again > 1


@pytest.mark.parametrize("game", first_few(GAMES, 0))
def test_changed_numbers_compile_as_without_cache(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random, root = Random(game), tmp_path / "project"
    for part in (f"cards/{game}", f"missions/{game}"):
        shutil.copytree(Path(part), root / part)
    (root / "fcb.toml").write_text(
        f'language = 2\ngames = ["{game}"]\npaths = ["cards/{{game}}", "missions/{{game}}"]\n'
    )
    monkeypatch.chdir(root)
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    files = sorted(root.rglob("*.fcb"))
    assert not analysis_of(load_project(game=game), needed=no_test).errors()
    again = 0
    for _ in range(6):
        path = random.choice(files)
        text = path.read_text()
        places = list(NUMBER.finditer(text))
        if not places:
            continue
        place = random.choice(places)
        path.write_text(f"# a remark\n{text[: place.start()]}{int(place[0]) % 6 + 1}{text[place.end() :]}")
        analysis = analysis_of(load_project(game=game), needed=no_test)
        if not analysis.errors():
            assert_alike(analysis.played(), analysis.program())
            again += 1
        path.write_text(text)
    assert again > 2


# ── words ─────────────────────────────────────────────────────────────────────────────────────


def put_into_words(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the name of each definition is added that is worded."""
    names: list[str] = []
    before = changed_wording.own_problems

    def watched(model: Model, definition: Definition, pages: CheckedPages) -> list[Diagnostic]:
        names.append(definition.id)
        return before(model, definition, pages)

    monkeypatch.setattr(changed_wording, "own_problems", watched)
    return names


@pytest.mark.long
def test_changed_card_gets_new_words(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = put_into_words(monkeypatch)
    model = checked().model
    assert len(names) == len(set(names)) > 1
    names.clear()
    path = folder / "cards" / "tricks.fcb"
    path.write_text(path.read_text().replace("steps +2", "steps +3", 1))
    checked()
    assert 0 < len(names) < len(model.definitions) / 2


@pytest.mark.long
def test_card_with_a_problem_is_reported_by_every_check(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "cards" / "tricks.fcb"
    text = path.read_text()
    path.write_text(re.sub(r'^(trick \S+ )"', '\\1"\u4e0e', text, count=1, flags=re.MULTILINE))
    assert "FCB0705" in {problem.code for problem in agree(monkeypatch).problems}
    path.write_text("# a remark\n" + path.read_text())
    assert "FCB0705" in {problem.code for problem in agree(monkeypatch).problems}


@pytest.mark.long
def test_adjacent_cards_are_separate_pieces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(folder / "cards" / "figures.fcb", "\nwatchman moth", "watchman moth")
    checked()
    names = put_into_words(monkeypatch)
    changed(folder / "cards" / "figures.fcb", "self's steps +1", "self's steps +2")
    checked()
    assert names == ["moth"]


@pytest.mark.long
def test_changed_number_of_a_figure_rewords_no_map(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked()
    names = put_into_words(monkeypatch)
    changed(folder / "cards" / "figures.fcb", "self's steps +1", "self's steps +2")
    checked()
    assert names == ["moth"]
    names.clear()
    changed(folder / "cards" / "figures.fcb", 'fr: "Phalène"', 'fr: "Noctuelle"')
    checked()
    assert {"moth", "vintners-cellar"} <= {*names}


@pytest.mark.long
@pytest.mark.parametrize("seed", first_few(range(4), 1))
def test_equal_hash_means_equal_print(folder: Path, seed: int) -> None:
    random = Random(seed)
    own = [path for part in ("systems", "cards", "missions") for path in sorted((folder / part).rglob("*.fcb"))]
    right = {path: path.read_text() for path in own}
    words = [word for text in right.values() for word in words_of(text)]
    before = printed()
    stayed = 0
    for _ in range(12):
        path = random.choice(own)
        path.write_text(edited(right[path], random, words, []))
        now = printed()
        path.write_text(right[path])
        same = [name for name, (mark, _) in now.items() if name in before and before[name][0] == mark]
        assert [name for name in same if now[name] != before[name]] == []
        stayed += len(same)
    assert stayed


def printed() -> dict[tuple[str, str], tuple[str, list[str]]]:
    """Return the printed form and the stamp of each definition in all languages; nothing if there are errors."""
    loader = load_project(tests=False)
    model, problems = cached_model(loader)
    if any(problem.severity == "error" for problem in problems):
        return {}
    marks = changed_wording.wording_hashes(loader, model)
    return {
        (definition.kind.id, definition.id): (
            marks[id(definition)],
            [repr(render_piece(definition, model, code).view) for code in printable_languages(model)],
        )
        for definition in printable(model)
    }


@contextmanager
def behaving(definitions: Iterable[Definition], made: Model, become: Callable[[Any], Any]) -> Iterator[None]:
    """Replace the behavior of some definitions, and all their numbers but grades and copies."""
    before: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, become: Callable[[Any], Any] = become) -> None:
        before.append((owner, name, getattr(owner, name)))
        setattr(owner, name, become(getattr(owner, name)))

    for definition in definitions:
        counted = (*look_of_kind(definition.kind, made).fields.get("grade", ()), changed_wording.COPIES)
        for name in ("listeners", "modifiers", "text", "flavour"):
            put(definition, name)
        for name, value in definition.values.items():
            put(value, "body")
            if name not in counted:
                put(value, "expr", other_numbers)
        for track in definition.tracks:
            for name in ("steps", "end", "listeners", "tiers"):
                put(track, name)
    yield
    for owner, name, then in reversed(before):
        setattr(owner, name, then)


def nothing(what: Any) -> Any:
    """Return no behavior and no words."""
    return type(what)() if isinstance(what, list | dict) else None


def other_numbers(what: Any) -> Any:
    """Return the same lines with other numbers."""
    if isinstance(what, list):
        return [other_numbers(item) for item in what]
    if isinstance(what, ir.Const) and what.type == ir.NUMBER:
        return replace(what, value=what.value + 1)
    return rebuilt(what, other_numbers) if isinstance(what, Node) else what


@pytest.mark.parametrize("game", GAMES)
def test_print_of_definition_contains_no_effect_of_others(game: str) -> None:
    made, language = games.model(game), PROJECTS[game].languages[-1]
    cards = [definition for definition in printable(made) if definition.board is None and not is_sheet(definition)]
    others = [definition for definition in made.definitions.values() if definition.board is None]
    for card in cards[:: len(cards) // 24 + 1]:
        then = repr(render_piece(card, made, language))
        own = (card, *card.parts)
        with behaving([definition for definition in others if definition not in own], made, nothing):
            assert repr(render_piece(card, made, language)) == then


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES)
def test_sheets_print_no_numbers_of_other_files(game: str) -> None:
    made, language = games.model(game), PROJECTS[game].languages[-1]
    changed = 0
    for mission in filter(is_sheet, printable(made)):
        then = repr(render_piece(mission, made, language))
        everything = made.definitions.values()
        others = [
            definition for definition in everything if definition.board is None and definition.target is not mission
        ]
        others = [definition for definition in others if not definition.span.beside(mission.span)]
        changed += len(others)
        with behaving(others, made, other_numbers):
            assert repr(render_piece(mission, made, language)) == then
    assert changed


# ── numbers ───────────────────────────────────────────────────────────────────────────────────


def test_numbers_that_lose_and_gain_their_page_are_reported_as_by_a_fresh_check(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, kinds = folder / "systems" / "lanterns" / "print.fcb", folder / "systems" / "lanterns" / "kinds.fcb"

    def unprinted() -> list[str]:
        problems = agree(monkeypatch).problems
        assert {problem.code for problem in problems} <= {"FCB0742", "FCB0815"}
        return [str(problem.arguments.get("name")) for problem in problems]

    assert unprinted() == []
    changed(folder / "cards" / "figures.fcb", "light: 2", "light: 1")
    assert unprinted() == []
    changed(looks, "stats: brawn, legs, light", "stats: brawn, legs")
    assert {*unprinted()} == {"light"}
    changed(folder / "cards" / "figures.fcb", "light: 3", "light: 3  # fcb: allow FCB0742")
    changed(folder / "cards" / "figures.fcb", "light: 1", "light: 1  # fcb: allow FCB0742")
    assert {*unprinted()} == {"None"}  # a number of each sort is enough
    changed(looks, "stats: brawn, legs", "stats: brawn, legs, light")
    assert unprinted() == ["None", "None"]
    changed(kinds, "limit 3, secret, kept", "limit 4, secret, kept")
    assert unprinted() == ["None", "None"]


@pytest.mark.long
def test_page_that_prints_a_number_is_not_printed_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked()
    pages: list[str] = []
    is_changed = CheckedPages.is_changed

    def watched(views: CheckedPages, definition: Definition, language: str, things: Iterable[Definition]) -> bool:
        pages.append(definition.id)
        return is_changed(views, definition, language, things)

    monkeypatch.setattr(CheckedPages, "is_changed", watched)
    changed(folder / "cards" / "figures.fcb", "light: 3", "light: 1")
    assert checked().problems == ()
    again = len(pages)
    fresh(monkeypatch)
    assert again < len(pages) - again


IMPURE = {
    "systems/own.fcb": """
system own "Own":
  languages: en
  board: square
die coin "coin":
  faces: 1..2
kind game:
  stat total: number 0..
kind pawn is piece:
  name: "pawn", plural "pawns"
  stat HP: number 0.., starts 3
event leap:
  takes: who (pawn)
  form: who jumps
measure luck:
  gives: number
  effect:
    roll x: coin
    answer x
""",
    "cards/pieces.fcb": """
use own
pawn rat "Rat"
""",
    "tests/leaps.fcb": """
use own
test "t" covers A-1:
  map square:
    art: |
      +--+
      |. |
      +--+
  given rat at A1
  if total = 0:
    until leap:
      pawn has + luck HP
  expect total = 0
""",
}
"""A game with a test whose lasting effect reads a die."""


def test_impure_effect_in_a_test_is_reported_after_other_edits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    for name, text in {"fcb.toml": 'language = 2\nname = "own"\n', **IMPURE}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for title in ("Rat", "Brown rat", "Black rat"):
        (tmp_path / "cards/pieces.fcb").write_text(f'use own\npawn rat "{title}"\n', encoding="utf-8")
        assert Disturbing.code in [problem.code for problem in agree(monkeypatch).problems]


# ── games that begin ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [("brawn: 4", "brawn: 3", False), ("legs: 4", "legs: 3", True)],
    ids=["unread", "read"],
)
def test_games_restart_only_after_change_of_their_sources(
    folder: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, again: bool
) -> None:
    checked()
    begun: list[Program] = []

    def watched(model: Model, program: Program, *rest: Any) -> Iterator[Diagnostic]:
        begun.append(program)
        return iter(())

    monkeypatch.setattr(setup_check, "starting_problems", watched)
    changed(folder / "cards" / "figures.fcb", before, after)
    checked()
    assert bool(begun) == again


# ── campaigns ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def explored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the campaigns that were explored."""
    differences: list[str] = []

    def watched(image: Image, campaign: str, **settings: Any) -> Explored:
        differences.append(campaign)
        return explore(image, campaign, **settings)

    monkeypatch.setattr("fcbdsl.play.campaign.review.explore", watched)
    return differences


def changed(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


@pytest.mark.long
def test_changed_content_explores_campaign_again(folder: Path, explored: list[str]) -> None:
    checked()
    assert explored == ["long-winter"]
    changed(folder / "cards" / "tricks.fcb", "steps +2", "steps +3")
    checked()
    assert explored == ["long-winter"]
    changed(folder / "systems" / "lanterns" / "winter.fcb", "failures = 3", "failures = 2")
    checked()
    assert explored == ["long-winter", "long-winter"]


@pytest.mark.long
def test_campaign_is_not_explored_on_cached_verification_alone(
    folder: Path, explored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checked()
    genuine, looked = verifier.verify_program, list[int]()

    def verified(program: Program, known: Collection[int] = ()) -> list[codes.Finding]:
        looked.append(len(known))
        return genuine(program, known) if known else [codes.Finding("program", "so it is said")]

    monkeypatch.setattr(verifier, "verify_program", verified)
    changed(folder / "systems" / "lanterns" / "winter.fcb", "failures = 3", "failures = 2")
    checked()
    assert len(explored) == 1
    assert [count > 0 for count in looked] == [True, False]


@pytest.mark.long
def test_campaign_with_problem_is_explored_every_time(
    folder: Path, explored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(folder / "systems" / "lanterns" / "winter.fcb", "hoard = 0 and any", "hoard = 9 and any")
    first = agree(monkeypatch)
    assert first.problems
    changed(folder / "cards" / "tricks.fcb", "steps +2", "steps +3")
    assert agree(monkeypatch).problems
