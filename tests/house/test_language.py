"""The language reference: its examples work, and every word of the language has an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from games import ROOT

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.entries import ENTRIES, WORDS, anchor, entry_of_form
from fcbdsl.base.diagnostics.registry import find_diagnostic
from fcbdsl.base.words import SHAPES
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.builtins import BUILTIN_KINDS, DOCS
from fcbdsl.language.model.content import COMMON_LAYOUTS
from fcbdsl.language.model.declarations import Trait
from fcbdsl.language.model.declaring.collect import META
from fcbdsl.language.model.declaring.scripts import STEPS
from fcbdsl.language.model.resolve.vocabulary import BASES
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.print.pieces.looks import FIELD_KEYS, OTHER_KEYS, STYLE_KEYS
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import check_project
from fcbdsl.project.settings import KEYS
from fcbdsl.tools.docs.language_pages import GAME, checked_examples, examples_of, generate_parts
from fcbdsl.tools.docs.line_reference import LINES

HEADING = re.compile(r"^(#{2,4}) (.+)$", re.MULTILINE)
FOLDER = ROOT / "docs" / "language"
PAGES = sorted(FOLDER.glob("*.md"))
LEADS = re.findall(
    r"[a-z]+", (ROOT / "grammar" / "fcb.lark").read_text("utf-8").split("LEAD.3: /(?:")[1].split(")(?!")[0]
)
LEAD_WORDS = {f"{word} each" if word == "for" else word for word in LEADS} - {"each", "w"}


@cache
def checked(page: Path) -> tuple[Model, list[Diagnostic]]:
    return checked_examples(page.read_text(encoding="utf-8"), FOLDER / GAME)


def entries_of(pages: Sequence[str]) -> Iterator[str]:
    """Yield the words that have an entry: the code in headings of the third and fourth level."""
    for page in pages:
        for level, title in HEADING.findall(re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)):
            if len(level) > 2:
                yield from re.findall(r"`([^`]+)`", title)


def entries(*names: str) -> list[str]:
    """Return the words with an entry on some pages; without a name on all."""
    chosen = [FOLDER / f"{name}.md" for name in names] or PAGES
    return list(entries_of([page.read_text(encoding="utf-8") for page in chosen]))


def core() -> Model:
    return check_project([shipped_path("systems") / "core.fcb"])[0]


def sections(page: str) -> dict[str, str]:
    """Return the sections of a page, by the anchors of their headings."""
    text = re.sub(r"^```.*?^```$", "", (FOLDER / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    parts = re.split(r"^#+ (.+)$", text, flags=re.MULTILINE)[1:]
    return {anchor(title): title + body for title, body in zip(parts[::2], parts[1::2], strict=True)}


# ── examples ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.sampled(4)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_have_no_errors(page: Path) -> None:
    assert [repr(error) for error in checked(page)[1]] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_show_the_current_forms_prints_and_codes(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert generate_parts(text, checked(page)[0]) == text, "run `make docs`"


def test_new_entry_gets_its_form_and_print() -> None:
    page = FOLDER / "words.md"
    text = page.read_text(encoding="utf-8")
    entry = re.search(r"^### `highest`\n.*?(?=^### )", text, re.MULTILINE | re.DOTALL)
    assert entry is not None
    new = re.sub(r"^(Form: .*\n\n|> .*\n)", "", entry[0], flags=re.MULTILINE)
    assert len(new) < len(entry[0]) - len("Form: ")
    assert generate_parts(text.replace(entry[0], new), checked(page)[0]) == text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_printed_examples_lack_no_words(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith(">") and ("…" in line or line == "> ?")] == []


def test_tests_among_the_examples_pass() -> None:
    image = Image(lower(checked(FOLDER / "tests.md")[0], tests=True))
    results = [run_test(image, number) for number in range(len(image.program.tests))]
    examples = examples_of((FOLDER / "tests.md").read_text(encoding="utf-8"))
    assert len(results) == sum(example.sort == "test" or example.text.startswith("test") for example in examples)
    assert [(result.title, result.failure) for result in results if result.failure is not None] == []


def test_wrong_example_is_error(tmp_path: Path) -> None:
    page = "### `hurt`\n\n```fcb effect\nhurt nobody-here\n```\n\n```toml\nlanguage = 2\ncolour = 1\n```\n"
    assert {error.code for error in checked_examples(page, FOLDER / GAME)[1]} == {"FCB0401", "FCB0803"}


def test_game_of_examples_has_no_problems() -> None:
    assert [repr(problem) for problem in check_project(root=FOLDER / GAME)[1]] == []


# ── entries ────────────────────────────────────────────────────────────────────────────────────


def test_builtin_forms_and_entries_match() -> None:
    model = core()
    forms = {form.id for form in model.forms} | {event.id for event in model.events.values() if event.verb is None}
    assert sorted(entries("words")) == sorted(forms)


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (META, ()),
        ([line.word.removesuffix(" of") for line in LINES], ()),
        (LEAD_WORDS, ()),
        (BASES, ("kinds",)),
        (SHAPES, ("maps",)),
        (STEPS, ("tests",)),
        (KEYS, ("files",)),
        ((*FIELD_KEYS, *OTHER_KEYS, *STYLE_KEYS), ("layouts",)),
        ([f"layout {name}" for name in COMMON_LAYOUTS], ("layouts",)),
    ],
    ids=["declarations", "lines", "leads", "types", "boards", "steps", "settings", "layouts", "common layouts"],
)
def test_every_word_of_language_has_entry(words: tuple[str, ...], where: tuple[str, ...]) -> None:
    words_with_entry = {word for entry in entries(*where) for word in (entry, entry.split()[0])}
    assert sorted(set(words) - words_with_entry) == []


def test_layout_entries_are_words_of_language() -> None:
    keys = {*FIELD_KEYS, *OTHER_KEYS, *STYLE_KEYS, *(f"layout {name}" for name in COMMON_LAYOUTS), "art"}
    assert sorted(set(entries("layouts")) - keys) == []
    assert sorted(set(entries("files")) - {*KEYS, "use", "part", "fcb.toml"}) == []


def test_every_entry_is_used_in_example_or_shipped_source() -> None:
    folders = (shipped_path("systems"), ROOT / "docs" / "looks")
    sources = [path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.rglob("*.fcb"))]
    sources += [example.text for page in PAGES for example in examples_of(page.read_text(encoding="utf-8"))]
    sources += [" ".join((*SHAPES, *BASES, *STEPS, *KEYS))]
    used = set(re.findall(r"[\w-]+", " ".join(sources)))
    words = [word for entry in {*entries()} - {"fcb.toml"} for word in re.findall(r"[a-z][\w-]+", entry)]
    assert sorted(set(words) - used) == []


def test_tables_list_all_kinds_fields_and_traits() -> None:
    kinds = (FOLDER / "kinds.md").read_text(encoding="utf-8").split("## Built-in kinds")[1]
    assert [name for name in (*BUILTIN_KINDS, *DOCS) if f"`{name}`" not in kinds] == []
    grammar = (ROOT / "docs" / "grammar.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z-]+)` \|", grammar.split("| trait |")[1].split("\n\n")[0], re.MULTILINE) == [
        trait.value for trait in Trait
    ]


@pytest.mark.parametrize(("code", "place"), list(ENTRIES.items()))
def test_every_code_is_named_by_its_entry(code: str, place: str) -> None:
    assert find_diagnostic(code) is not None
    page, _, name = place.partition("#")
    assert f"[{code}]" in sections(page)[name] or name in {"types", "how-names-are-found"}


@pytest.mark.parametrize("place", sorted({*WORDS.values()}))
def test_hover_of_word_links_to_its_entry(place: str) -> None:
    page, _, name = place.partition("#")
    assert sections(page)[name]


def test_hover_of_form_links_to_its_entry() -> None:
    headings = sections("words.md")
    assert [form.id for form in core().forms if entry_of_form(form.id).partition("#")[2] not in headings] == []


def test_headings_of_page_have_distinct_anchors() -> None:
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        anchors = [anchor(title) for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
        assert sorted(anchors) == sorted(set(anchors)), page.name


def test_heading_levels_are_consecutive() -> None:
    """The site is built strictly: it refuses a heading that skips a level."""
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        levels = [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
        assert all(after <= before + 1 for before, after in pairwise(levels)), page.name
