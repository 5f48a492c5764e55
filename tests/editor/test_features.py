"""Features of the editor, called directly on an open project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from opened import TRICKS, copied, spot

from fcbdsl.editor.lsp import completion, hover, refactoring, structure
from fcbdsl.editor.lsp.symbols import ProjectNames
from fcbdsl.language.prose.rules_text import Paragraph, Run
from fcbdsl.project.workspace import Workspace


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Workspace]:
    """Return a game in a folder, opened once."""
    with pytest.MonkeyPatch.context() as patch:
        folder = copied(tmp_path_factory.mktemp("changed"))
        patch.chdir(folder)
        return folder, Workspace()


@pytest.fixture
def space(opened: tuple[Path, Workspace], monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """Return a game whose open texts a test may change; they are restored after each test."""
    folder, space = opened
    monkeypatch.chdir(folder)
    before = {name: space.text(name) for name in space.files}
    yield space
    for name, text in before.items():
        if space.text(name) != text:
            space.change(name, text)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectNames]:
    """Return the names of a game that no test changes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(copied(tmp_path_factory.mktemp("features")))
        yield ProjectNames(Workspace())


# ── completion ─────────────────────────────────────────────────────────────────────────────────


def proposed(space: Workspace, text: str) -> list[str]:
    """Return the proposals at the end of a text that ends a file."""
    whole = space.text(TRICKS) + "\n" + text
    space.change(TRICKS, whole)
    rows = whole.split("\n")
    return [proposal.text for proposal in completion.complete(space, TRICKS, len(rows), len(rows[-1])).proposals]


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("tri", "trick", "Shove"),
        ('trick x "X":\n  ', "sudden", "Shove"),
        ('trick x "X":\n  eff', "effect", "sudden"),
        ('trick x "X":\n  sudden: ', "yes", "trick"),
        ('trick x "X":\n  effect: Sh', "Shove", "oil"),
        ('trick x "X":\n  effect:\n    choose foe: figure adjacent to active\n    Shove ', "foe", "for each"),
        ('trick x "X":\n  effect:\n    set terrain active to o', "oil", "sudden"),
        ('trick x "X":\n  effect: active\'s st', "steps", "trick"),
        ('trick x "X":\n  effect: ((( Sh', "Shove", "sudden"),
        ("use la", "lanterns", "trick"),
        ('test "x":\n  use mission counting-house\n  gi', "given", "effect"),
        ('test "x":\n  use mission counting-house\n  given eel at B', "B2", "ZZ9"),
        ('mission x "X":\n  map square:\n    legend:\n      "e": e', "eel", "effect"),
        ("verb x:\n  takes: who (fig", "figure", "sudden"),
        ("end", "ending", "trick"),
        ('ending dusk "Dusk"\nrule x:\n  when round end: lose as ', "dusk", "eel"),
        ('ending dusk "Dusk"\njourney:\n  play counting-house:\n    lost as ', "dusk", "eel"),
    ],
)
def test_completion_offers_possible_words(space: Workspace, text: str, wanted: str, unwanted: str) -> None:
    texts = proposed(space, text)
    assert wanted in texts
    assert unwanted not in texts


CHEST = """part of lanterns

kind chest is card:
  name: "chest", plural "chests"
  fr: "coffre", m, plural "coffres"
  held by: thief
  field lid "Lid": number 0..
    fr: "Couvercle", m

kind tool is card:
  name: "tool", plural "tools"
  fr: "outil", m, plural "outils"
  held by: thief
  field holds "Holds": many card definition, optional
    fr: "Contient"
  part use: spot, amount; many
    name: "use"
    fr: "emploi", m
    field spot: thief definition
    field amount: number, default 1
    field noise: flag, default no
    field then: effect, optional
"""


@pytest.fixture
def chests(space: Workspace) -> Workspace:
    """Return a game with cards that contain others and have parts."""
    Path("systems/lanterns/chests.fcb").write_text(CHEST, encoding="utf-8")
    cards = 'use lanterns\n\nchest zinc "Zinc":\n  fr: "Zinc"\n  lid: 1\n'
    cards += '\ntool bag "Bag":\n  fr: "Sac"\n  holds: zinc\n'
    Path("cards/chests.fcb").write_text(cards, encoding="utf-8")
    space.refresh()
    return space


@pytest.mark.parametrize(
    ("text", "first", "later"),
    [
        ('tool x "X":\n  holds: ', "zinc", "quick-feet"),  # as another program does
        ('tool x "X":\n  holds: zinc, ', "zinc", "quick-feet"),
        ('tool x "X":\n  use: ', "whisper", "noise"),
        ('tool x "X":\n  use: eel, 1, ', "noise", "whisper"),
        ('tool x "X":\n  use: eel\n    ', "spot", "fr"),
        ('tool x "X":\n  use: eel\n    noise: ', "yes", "no"),
    ],
)
def test_values_of_field_come_first(chests: Workspace, text: str, first: str, later: str) -> None:
    texts = proposed(chests, text)
    assert texts[0] == first
    assert later in texts[1:]


def test_holdable_cards_come_first(space: Workspace) -> None:
    kinds = CHEST.replace("kind tool is card", "kind tool is figure").replace(
        "held by: thief\n  field holds", "field holds"
    )
    kinds = kinds.replace("held by: thief", "held by: tool")
    Path("systems/lanterns/chests.fcb").write_text(kinds, encoding="utf-8")
    Path("cards/chests.fcb").write_text('use lanterns\n\nchest zinc "Zinc":\n  lid: 1\n', encoding="utf-8")
    space.refresh()
    assert "chest" in space.model.kinds
    assert proposed(space, 'tool x "X":\n  holds: ')[0] == "zinc"


@pytest.mark.parametrize("text", ['trick x "X', "# a remark sh", 'trick x "X":\n  effect: Shove  # Sh'])
def test_no_completion_in_strings_and_comments(space: Workspace, text: str) -> None:
    assert proposed(space, text) == []


def test_completion_shows_form(space: Workspace) -> None:
    space.change(TRICKS, "trick x:\n  effect: Shov")
    completions = completion.complete(space, TRICKS, 2, 14)
    shove = next(proposal for proposal in completions.proposals if proposal.text == "Shove")
    assert completions.start == 10
    assert "Shove" in shove.detail
    assert "[" in shove.detail


@pytest.mark.parametrize(
    ("before", "label", "active"),
    [
        ("    Shove ", "Shove", 0),
        ("    set terrain spot to ", "set terrain", 1),
        ("  effect: if foe adjacent to ", "adjacent to", 1),
    ],
)
def test_signature_help_shows_parameters(names: ProjectNames, before: str, label: str, active: int) -> None:
    signature = hover.signature_at(names.space, before)
    assert signature is not None
    assert label in signature.label
    assert signature.active == active
    assert signature.parameters[active] in signature.label


def test_no_signature_help_without_form(names: ProjectNames) -> None:
    assert hover.signature_at(names.space, "  hands: ") is None


# ── hover ──────────────────────────────────────────────────────────────────────────────────────


def hover_text(names: ProjectNames, row: str, word: str) -> str:
    hovered = hover.hover(names, *spot(names.space, TRICKS, row, word))
    assert hovered is not None
    return hovered.markdown


def test_hover_shows_card_in_each_language(names: ProjectNames) -> None:
    text = hover_text(names, "trick hard-shoulder", "hard-shoulder")
    assert "**en**" in text
    assert "**fr**" in text
    assert "Hurry on" in text
    assert "Filer" in text


def test_hover_keeps_bold_words(names: ProjectNames) -> None:
    hovered = hover.hover(names, *spot(names.space, "systems/lanterns/actions.fcb", "action grapple", "grapple"))
    assert hovered is not None
    assert "\n**en**\n\n>\n> **Grapple (once per round).** Only if " in hovered.markdown
    assert "\n**fr**\n\n>\n> **Empoigner (une fois par manche).** Seulement si " in hovered.markdown


@pytest.mark.parametrize(
    ("row", "word", "entry"),
    [
        ("action grapple", "action", "play.md#action"),
        ("put ", "put", "words.md#put"),
        ("choose ", "choose", "effects.md#choose"),
    ],
)
def test_hover_of_language_word_links_to_entry(names: ProjectNames, row: str, word: str, entry: str) -> None:
    hovered = hover.hover(names, *spot(names.space, "systems/lanterns/actions.fcb", row, word))
    assert hovered is not None
    assert f"/docs/language/{entry})" in hovered.markdown
    assert hovered.span.source.text[hovered.span.start : hovered.span.end] == word


KINDS = "systems/lanterns/kinds.fcb"
SYSTEM_ACTIONS = "systems/lanterns/actions.fcb"
CARD = """
trick pin "Pin":
  fr: "Épingle"
  sudden: yes
  blow: 2
    effect: active's steps +1
  blow: 1
"""


def with_parts(space: Workspace) -> Workspace:
    """Return the game with a kind of card that has parts, and such a card."""
    head = 'kind trick is card:\n  name: "trick", plural "tricks"\n'
    assert head in space.text(KINDS)
    blow = (
        '  part blow: damage; many\n    name: "blow"\n    fr: "coup", m\n'
        '    field damage "Damage": number 0..\n      fr: "Dégâts", m\n    field effect: effect, optional\n'
    )
    rows = space.text(KINDS).split("\n")
    at = next(number for number, row in enumerate(rows) if row.startswith("kind trick"))
    rows[at + 3 : at + 3] = blow.split("\n")[:-1]
    space.change(KINDS, "\n".join(rows))
    space.change(TRICKS, space.text(TRICKS) + CARD)
    assert not [problem for problem in space.problems() if problem.span.source.name == TRICKS], space.problems()
    return space


def test_hover_shows_card_parts_in_each_language(space: Workspace) -> None:
    hovered = hover.hover(ProjectNames(with_parts(space)), *spot(space, TRICKS, "trick pin", "pin"))
    assert hovered is not None
    english, french = hovered.markdown.replace("\u00a0", " ").split("**fr**")
    assert "\n> Trick · Sudden\n> - Damage: 2 – The active figure gains 1 step.\n> - Damage: 1\n" in english
    assert "\n> Tour · Soudain\n> - Dégâts : 2 – La figurine active gagne 1 pas.\n> - Dégâts : 1" in french


def test_hover_of_french_card_is_french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(tmp_path)
    monkeypatch.chdir(folder)
    text = Path("fcb.toml").read_text(encoding="utf-8")
    assert 'languages = ["en", "fr"]' in text
    Path("fcb.toml").write_text(text.replace('["en", "fr"]', '["fr"]'), encoding="utf-8")
    space = Workspace()
    hovered = hover.hover(ProjectNames(space), *spot(space, TRICKS, "trick hard-shoulder", "hard-shoulder"))
    assert hovered is not None
    assert "Filer" in hovered.markdown
    assert "Hurry on" not in hovered.markdown


def test_hover_of_verb_shows_wording(space: Workspace) -> None:
    space.change(
        SYSTEM_ACTIONS,
        space.text(SYSTEM_ACTIONS)
        + '\nverb sneak up:\n  takes: to spot (space)\n  text en: "sneak to {spot}"\n  text fr: "filez vers {spot}"\n'
        "  effect: move active to spot\n",
    )
    hovered = hover.hover(ProjectNames(space), *spot(space, SYSTEM_ACTIONS, "verb sneak up", "sneak"))
    assert hovered is not None
    assert "- *(en)* `sneak to {spot}`\n- *(fr)* `filez vers {spot}`" in hovered.markdown
    assert "**en**" not in hovered.markdown


def test_hover_escapes_markdown() -> None:
    paragraph = Paragraph((Run("Do this. ", "heading"), Run("Roll 2*3_4 "), Run("skull", "icon")), 1, "5|6")
    assert paragraph.markdown() == r"5\|6: **Do this.** Roll 2\*3\_4 (skull)"


def test_hover_of_stat_shows_type_and_changes(space: Workspace) -> None:
    name = "cards/more.fcb"
    Path(name).write_text('use lanterns\n\nrule haste "Haste":\n  always: every thief has +1 legs\n', encoding="utf-8")
    space.refresh()
    hovered = hover.hover(ProjectNames(space), *spot(space, "cards/figures.fcb", "legs:", "legs"))
    assert hovered is not None
    assert "field legs of figure: number 1" in hovered.markdown
    assert "(haste)" in hovered.markdown


def test_hover_of_verb_shows_form(names: ProjectNames) -> None:
    assert "set terrain SPOT to GROUND" in hover_text(names, "set terrain spot", "terrain")


# ── fixes and formatting ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("right", "wrong"), [("Shove foe", "Shov foe"), ("sudden: yes", "suden: yes"), ("trick quick", "trik quick")]
)
def test_code_action_restores_correct_text(space: Workspace, right: str, wrong: str) -> None:
    before = space.text(TRICKS)
    space.change(TRICKS, before.replace(right, wrong, 1))
    fixes = [fix for fix in refactoring.cures(space.problems(TRICKS)) if fix.edit.text in right]
    assert fixes
    assert refactoring.apply_row_edits(space.text(TRICKS), [fixes[0].edit]) == before


def test_formatting_keeps_syntax_errors() -> None:
    assert refactoring.layout("a.fcb", "a:b") == "a: b\n"
    assert refactoring.layout("a.fcb", "a (b") is None


# ── structure ──────────────────────────────────────────────────────────────────────────────────


def test_outline_lists_declarations(names: ProjectNames) -> None:
    symbols = structure.outline(names.space.tree("systems/lanterns/kinds.fcb"))
    thief = next(symbol for symbol in symbols if symbol.name == "thief")
    assert (thief.sort, [child.name for child in thief.children]) == ("kind", ["sacks", "behind-bars", "lurks"])
    assert thief.last > thief.first


def test_outline_survives_syntax_errors(space: Workspace) -> None:
    before = [symbol.name for symbol in structure.outline(space.tree(TRICKS))]
    space.change(TRICKS, "trick (((\n" + space.text(TRICKS))
    after = [symbol.name for symbol in structure.outline(space.tree(TRICKS))]
    assert after[-len(before) :] == before


def test_blocks_maps_and_comments_fold(space: Workspace) -> None:
    space.change(TRICKS, "# one\n# two\ntrick a:\n  effect:\n    Shove x\n\ntrick b: 1\n")
    assert structure.folds(space.tree(TRICKS)) == [(0, 1, "comment"), (2, 4, "region"), (3, 4, "region")]


def test_use_line_is_link(names: ProjectNames) -> None:
    ((span, path),) = structure.links(names.space, TRICKS)
    assert span.source.text[span.start : span.end] == "lanterns"
    assert path.name == "system.fcb"


def test_semantic_tokens_have_meanings(names: ProjectNames) -> None:
    _, line, column = spot(names.space, TRICKS, "Shove foe", "Shove")
    tokens = {(row + 1, at + 1): (length, sort) for row, at, length, sort, _ in structure.tokens(names, TRICKS)}
    assert tokens[line, column] == (5, "function")
    assert tokens[line, column + 6] == (3, "variable")
    _, line, column = spot(names.space, TRICKS, "choose foe", "choose")
    assert tokens[line, column] == (6, "keyword")


def test_inlay_hints_name_numbers(space: Workspace) -> None:
    space.change(TRICKS, space.text(TRICKS) + '\ntrick z "Z":\n  fr: "Z"\n  effect: advance dawn 2\n')
    rows = space.text(TRICKS).split("\n")
    hints = structure.hints(ProjectNames(space), TRICKS, 0, len(rows) - 1)
    assert (len(rows) - 2, rows[-2].index("2"), "amount") in hints
