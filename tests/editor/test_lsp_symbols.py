"""Symbols: the meaning of words, their mentions, and renaming."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from games import first_few
from opened import TRICKS, copied, span_text, spot
from random_edits import edited, words_of

from fcbdsl.editor.lsp import hover, refactoring, structure
from fcbdsl.editor.lsp.sessions import EditorSession
from fcbdsl.editor.lsp.symbols import ProjectNames
from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm.program import Program
from fcbdsl.project.workspace import Workspace

SYSTEM = "systems/lanterns/"


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectNames]:
    """Return the names of a game that no test changes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(copied(tmp_path_factory.mktemp("names")))
        yield ProjectNames(Workspace())


@pytest.mark.parametrize(
    ("file", "row", "word", "key"),
    [
        (TRICKS, "trick oil-flask", "trick", ("kind", "", "trick")),
        (TRICKS, "trick oil-flask", "oil-flask", ("definition", "trick", "oil-flask")),
        (TRICKS, "set terrain spot to oil", "oil", ("terrain", "", "oil")),
        (TRICKS, "set terrain spot", "set", ("form", "verb", "set terrain")),
        (TRICKS, "Shove foe", "Shove", ("form", "keyword", "Shove")),
        (TRICKS, "mark Dazed", "Dazed", ("field", "figure", "Dazed")),
        (TRICKS, "active's steps", "active", ("field", "game", "active")),
        (TRICKS, "active's steps", "steps", ("field", "figure", "steps")),
        (TRICKS, "opposed to active", "opposed", ("form", "relation", "opposed to")),
        (TRICKS, "sudden: yes", "sudden", ("field", "trick", "sudden")),
        (TRICKS, "edge becomes edge", "edge", ("parameter", "grapple", "edge")),
        (SYSTEM + "kinds.fcb", "kind thief is figure", "figure", ("kind", "", "figure")),
        (SYSTEM + "kinds.fcb", "zone shadows", "thief", ("kind", "", "thief")),
        (SYSTEM + "actions.fcb", "is: a's controller", "a", ("parameter", "opposed to", "a")),
        ("missions/counting-house.fcb", "crowbar", "crowbar", ("definition", "thief", "crowbar")),
    ],
)
def test_word_has_meaning(names: ProjectNames, file: str, row: str, word: str, key: tuple[str, ...]) -> None:
    symbol = names.at(*spot(names.space, file, row, word))
    assert symbol is not None
    assert symbol.key == key
    assert symbol.name in span_text(names, symbol.span)


@pytest.mark.parametrize(
    ("row", "word"), [("effect: active's", "effect"), ("choose one:", "one"), ("Gauche", "Gauche")]
)
def test_words_without_meaning(names: ProjectNames, row: str, word: str) -> None:
    symbol = names.at(*spot(names.space, TRICKS, row, word))
    assert symbol is None or not names.space.owns(symbol.span.source.name) or symbol.sort == "field"


def test_local_is_found_in_own_body_only(names: ProjectNames) -> None:
    foe = names.at(*spot(names.space, TRICKS, "Shove foe", "foe"))
    assert foe is not None
    lines = [span.line for span in names.references(foe)]
    first = spot(names.space, TRICKS, "choose foe", "foe")[1]
    assert lines == [first, first + 1, first + 3]


def test_unnamed_loop_variable_has_name_of_kind(names: ProjectNames) -> None:
    symbol = names.at(*spot(names.space, SYSTEM + "flow.fcb", "for each watchman: watchman's", "watchman", 1))
    assert symbol is not None
    assert symbol.key == ("kind", "", "watchman")


def test_references_are_in_order(names: ProjectNames) -> None:
    symbol = names.symbols["form", "keyword", "Shove"]
    references = [span_text(names, span) for span in names.references(symbol)]
    assert [reference for reference in references if reference.startswith("cards/")] == [
        f"{TRICKS}:{spot(names.space, TRICKS, 'Shove foe', 'Shove')[1]}:Shove"
    ]
    assert span_text(names, symbol.span) in references
    assert all(reference.endswith(":Shove") for reference in references)


# ── other names ────────────────────────────────────────────────────────────────────────────────


def without_names(program: Program, *names: str) -> str:
    text = repr(replace(program, spans=(), hash=""))
    for name in names:
        text = text.replace(name, "NAME")
    return text


ONES = [
    "kind  thief",
    "definition thief eel",
    "field figure brawn",
    "zone  shadows",
    "form relation free",
    "terrain  oil",
]


@pytest.mark.long
@pytest.mark.parametrize("key", first_few(ONES, 3))
def test_rename_changes_only_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.chdir(copied(tmp_path))
    space = Workspace()
    names = ProjectNames(space)
    sort, of, name = key.split(" ")
    symbol = next(
        symbol
        for symbol in names.symbols.values()
        if (symbol.sort, symbol.name) == (sort, name) and of in ("", symbol.of)
    )
    line, column = symbol.span.source.position(symbol.span.start)
    edits = refactoring.rename(names, symbol.span.source.name, line, column, "zzz-other")
    before = space.program(tests=True)
    for file in {edit.name for edit in edits}:
        space.change(file, refactoring.apply_row_edits(space.text(file), [edit for edit in edits if edit.name == file]))
    assert space.problems() == []
    both = (name, "zzz-other")
    assert without_names(lower(space.model, tests=True), *both) == without_names(before, *both)
    back = refactoring.rename(ProjectNames(space), *_declared(space, "zzz-other"), name)
    rows = [sorted((edit.name, edit.range[0]) for edit in each) for each in (back, edits)]
    assert rows[0] == rows[1]


def _declared(space: Workspace, name: str) -> tuple[str, int, int]:
    symbol = next(symbol for symbol in ProjectNames(space).symbols.values() if symbol.name == name)
    return (symbol.span.source.name, *symbol.span.source.position(symbol.span.start))


@pytest.mark.parametrize(
    ("row", "word", "to", "why"),
    [
        (
            "trick oil-flask",
            "oil-flask",
            "hard-shoulder",
            r"There is already a trick `hard-shoulder` \(cards/tricks.fcb, line \d+\)",
        ),
        ("trick oil-flask", "oil-flask", "3x", "can't be a name"),
        ("trick oil-flask", "oil-flask", "where", "can't be a name"),
        ("set terrain spot", "set", "put", "several words"),
        ("effect: active's", "effect", "deed", "comes with fcb|word of the language"),
        ("choose one:", "one", "two", "word of the language"),
        ("choose foe", "foe", "active", "would"),
        ("# ── played on", "played", "x", "no name"),
    ],
)
def test_impossible_rename_is_refused(names: ProjectNames, row: str, word: str, to: str, why: str) -> None:
    with pytest.raises(refactoring.CannotRename, match=why):
        refactoring.rename(names, *spot(names.space, TRICKS, row, word), to)


@pytest.mark.long
def test_rename_is_safe_or_refused(names: ProjectNames) -> None:
    done, refused = 0, list[str]()
    for symbol in list(names.symbols.values()):
        if symbol.sort in refactoring.RENAMED and names.space.owns(symbol.span.source.name) and " " not in symbol.name:
            line, column = symbol.span.source.position(symbol.span.start)
            try:
                done += bool(refactoring.rename(names, symbol.span.source.name, line, column, "zzz-other"))
            except refactoring.CannotRename as why:
                refused.append(str(why))
    assert done > 120
    assert len(refused) < 10
    assert all(refused)


@pytest.mark.long
@pytest.mark.parametrize("seed", first_few([1, 2, 3, 4], 1))
def test_symbols_after_edits_equal_those_of_a_fresh_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.chdir(copied(tmp_path))
    session = EditorSession(Workspace())
    space, random = session.space, Random(seed)
    own = [name for name in space.files if space.owns(name)]
    first = {name: space.text(name) for name in own}
    words = [word for text in first.values() for word in words_of(text)]
    for _ in range(12):
        name = random.choice(own)
        session.change(name, edited(space.text(name), random, words, [first[name]]))
        if random.random() < 0.7:
            fresh, current = ProjectNames(space), session.names
            for file in own:
                assert structure.tokens(current, file) == structure.tokens(fresh, file)
            for mention in random.sample(fresh.mentions(name), 20):
                place = mention.place
                assert hover.hover(current, *place) == hover.hover(fresh, *place)
