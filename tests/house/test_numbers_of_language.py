"""Every number in an example of the language reference may be the largest one.

The reference has an entry with an example for each word and form of the language (`test_language.py`), so a new numeric
value is tried without being listed here. Its declaration must have such a number, too: see `declared`.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import test_largest_numbers as mini
from games import ROOT

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.language.compiler import lower
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import NUMBER, Const
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.print.press.press import render
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import check_project
from fcbdsl.tools.docs.language_pages import BLOCK, GAME, checked_examples

FOLDER = ROOT / "docs" / "language"
PAGES = [path for path in sorted(FOLDER.glob("*.md")) if BLOCK.search(path.read_text(encoding="utf-8"))]
DECISIONS = 20
"""Most decisions of a game that are answered."""
_NUMBER = re.compile(r'"(?:[^"\\\n]|\\.)*"|#(?=[ \n])[^\n]*|(?<!\w)(\d+)(?!\w)')


def numbers(page: str) -> list[tuple[int, int]]:
    """Return the places of the numbers in the examples of a page, without those in texts and comments."""
    return [
        (block.start(3) + match.start(1), block.start(3) + match.end(1))
        for block in BLOCK.finditer(page)
        for match in _NUMBER.finditer(block[3])
        if match[1]
    ]


def checked(page: Path, place: int, value: int) -> tuple[Model, list[Diagnostic]]:
    """Return the model of a page's examples, one number of which has another value, and their errors."""
    text = page.read_text(encoding="utf-8")
    start, end = numbers(text)[place]
    return checked_examples(f"{text[:start]}{value}{text[end:]}", FOLDER / GAME)


PLACES = [
    pytest.param(page, place, id=f"{page.stem}-{place}")
    for page in PAGES
    for place in range(len(numbers(page.read_text(encoding="utf-8"))))
]


@pytest.mark.sampled(25)
@pytest.mark.parametrize(("page", "place"), PLACES)
def test_largest_number_of_example_is_used_or_reported(page: Path, place: int, tmp_path: Path) -> None:
    model, errors = checked(page, place, bounds.NUMBER)
    if errors:
        assert "FCB0809" not in [error.code for error in errors], "the check leaves it to the verifier"
        return
    program = lower(model, tests=True)
    assert verify_program(program) == []
    image = Image(program)
    for number in range(len(program.tests)):
        run_test(image, number)
    for mission in [of.id for (kind, _), of in model.definitions.items() if kind == "mission"]:
        try:
            game = setup.start_game(image, mission, program.players[0], 1, {})
        except CannotStart:
            continue
        bot = RandomBot(1)
        for _ in range(DECISIONS):
            ask = game.run()
            if ask is None:
                break
            game.answer(bot.choose(game, ask))
    render(model, (), "en", "a4", "html", tmp_path)


# ── every declaration of a number ──────────────────────────────────────────────────────────────

Attribute = tuple[str, str]
"""A class of declarations or of the typed tree, and one of its attributes."""
NO_NUMBERS: dict[Attribute, str] = {
    ("GenderTrial", "genders"): "numbers of titles that a check tries",
    ("GenderTrial", "asked"): "likewise",
    ("Switch", "set_to"): "the index of a choice",
    ("Definition", "overrides"): "indices of choices of variants",
    ("Test", "overrides"): "likewise",
    ("Terrain", "setting"): "the index of a color",
    ("Cell", "x"): "a place in the drawing of a map",
    ("Cell", "y"): "likewise",
    ("Cell", "covers"): "likewise",
    ("Board", "shifted"): "likewise",
    ("Step", "spots"): "places in a text",
    ("Art", "crop"): "percents in a text",
    ("Art", "focus"): "likewise",
    ("ForEach", "secret"): "a local",
    ("Row", "faces"): "indices of faces",
    ("Schema", "variable"): "fields of a class",
    ("Substitution", "slots"): "locals",
    ("Substitution", "values"): "locals",
    ("Substitution", "start"): "locals",
    ("Substitution", "end"): "locals",
    ("Substitution", "shift"): "locals",
}
"""Attributes with integers that no number of a source sets."""


@cache
def declared() -> frozenset[Attribute]:
    """Return the attributes that contain integers, by the types of their declarations."""
    names = ["declarations", "content", "whole", *(f"ir.{module.name}" for module in pkgutil.iter_modules(ir.__path__))]
    attributes = set()
    for module in (importlib.import_module(f"fcbdsl.language.model.{name}") for name in names):
        for cls in vars(module).values():
            if isinstance(cls, type) and cls.__module__ == module.__name__ and dataclasses.is_dataclass(cls):
                attributes |= {
                    (cls.__name__, field.name)
                    for field in dataclasses.fields(cls)
                    if re.search(r"\bint\b", str(field.type)) and "SlotNumber" not in str(field.type)
                }
    return frozenset(attributes)


def numeric_forms() -> set[Attribute]:
    """Return the forms of the language with a parameter that is a number."""
    core = check_project([shipped_path("systems") / "core.fcb"])[0]
    return {
        (f"{form.sort} {form.id}", parameter.name)
        for form in core.forms
        for parameter in form.params
        if parameter.type == NUMBER
    }


def contents(model: Model) -> Counter[tuple[Attribute, str]]:
    """Count the values of the numeric attributes, and of numbers that are given to forms."""
    counts: Counter[tuple[Attribute, str]] = Counter()
    seen, rest = set[int](), list[object]([model])
    while rest:
        item = rest.pop()
        if id(item) in seen or isinstance(item, str | int | None):
            continue
        seen.add(id(item))
        match item:
            case dict():
                rest += [*item.keys(), *item.values()]
            case list() | tuple() | set() | frozenset():
                rest += item
            case _ if dataclasses.is_dataclass(item) and type(item).__module__.startswith("fcbdsl.language.model"):
                form = getattr(item, "form", None)
                if isinstance(form, Form) and form.system == "core":
                    for param, given in zip(form.params, getattr(item, "args", ()), strict=False):
                        if isinstance(given, Const):
                            counts[(f"{form.sort} {form.id}", param.name), repr(given.value)] += 1
                for field in dataclasses.fields(item):
                    value = getattr(item, field.name)
                    if (type(item).__name__, field.name) in declared():
                        counts[(type(item).__name__, field.name), repr(value)] += 1
                    rest.append(value)
    return counts


def reached() -> Iterator[set[Attribute]]:
    """Yield the attributes and parameters that each number of the small game and of the examples changes."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        plain = contents(checked_examples(text, FOLDER / GAME)[0])
        for place, (start, end) in enumerate(numbers(text)):
            now = contents(checked(page, place, int(text[start:end]) + 1)[0])
            yield {name for name, _ in [*(now - plain), *(plain - now)]}


@pytest.mark.long
def test_every_declared_number_is_tried(tmp_path: Path) -> None:
    wanted = (declared() - NO_NUMBERS.keys()) | numeric_forms()
    plain = contents(mini.analysed(tmp_path, -1, 0).model)
    for at, value in enumerate(mini.NUMBER.findall(mini.SYSTEM + mini.CONTENT)):
        now = contents(mini.analysed(tmp_path, at, int(value) + 1).model)
        wanted -= {name for name, _ in [*(now - plain), *(plain - now)]}
    for numbers in reached():
        wanted -= numbers
    assert sorted(wanted) == []


def test_listed_attributes_are_declared() -> None:
    assert NO_NUMBERS.keys() - declared() == set()
    assert len(declared()) > 20
    assert len(numeric_forms()) > 10
