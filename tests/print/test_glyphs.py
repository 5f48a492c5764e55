"""The index of the fonts agrees with the fonts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from types import SimpleNamespace

from fontTools.ttLib import TTFont

from fcbdsl.base.source import Source, Span
from fcbdsl.language.prose.rules_text import Run
from fcbdsl.print.layout.views import Chip, Point, Style, Symbol
from fcbdsl.print.typeset.glyphs import BODY, FONTS, INDEX, code_points, fonts, missing_glyphs, texts, title_gaps


def ranges(points: Iterable[int]) -> list[list[int]]:
    """Return numbers as ranges, each with its first and its last."""
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and point == runs[-1][1] + 1:
            runs[-1][1] = point
        else:
            runs.append([point, point])
    return runs


def test_font_index_has_names_and_letters(update: bool) -> None:
    names: dict[str, str] = {}
    letters: dict[str, frozenset[int]] = {}
    for path in sorted(FONTS.glob("*.ttf"), key=lambda path: (path.stem.partition("_")[2], path.name)):
        with TTFont(path, lazy=True) as font:
            names[str(font["name"].getDebugName(16) or font["name"].getDebugName(1))] = path.name
            letters[path.name] = frozenset(font.getBestCmap())
    letters = {file: points for file, points in letters.items() if file in (BODY, *names.values())}
    index = {"names": names, "letters": {file: ranges(points) for file, points in letters.items()}}
    if update:
        INDEX.write_text(json.dumps(index) + "\n", encoding="utf-8")
    assert json.loads(INDEX.read_text(encoding="utf-8")) == index
    assert code_points() == letters[BODY]
    assert {name: path.name for name, path in fonts().items()} == names


def view(title: str, font: str) -> SimpleNamespace:
    """Return a view with the title of a card in a font."""
    return SimpleNamespace(title=title, key="trick/sword", style=Style(font, "#ffffff", ""))


def test_missing_letters_of_title_font_are_reported() -> None:
    span = Span(Source("cards.fcb", ""), 0, 0)
    (problem,) = title_gaps(view("Phễ Жук", "Cinzel"), span)
    assert (problem.code, problem.severity, problem.span) == ("FCB0740", "warning", span)
    assert problem.message == "The font “Cinzel” has no “Ễ”, “Ж”, “У”, “К”, used in the title of trick/sword."
    assert title_gaps(view("L’Épée à l’œil – forêt…", "Cinzel"), span) == []
    assert title_gaps(view("Жук", ""), span) == []


class Title(str):
    """A text of a class of its own."""

    __slots__ = ()


def test_texts_are_found_in_every_part_of_a_view() -> None:
    face = Chip("label", Title("title"), Symbol("die", "#fff", "L", "alt"), (Run("run"),))
    view = {"chips": [face, None, 1.5], "more": (Point(1, 2), (), ("last",), {"key": True})}
    assert sorted(texts(view)) == ["#fff", "L", "alt", "die", "label", "last", "plain", "run", "title"]
    assert all(type(text) is str for text in texts(view))


def test_missing_glyphs_do_not_depend_on_covered_texts() -> None:
    span, covered = Span(Source("cards.fcb", ""), 0, 0), dict[str, None]()
    for view in (("sword", "漢 ж"), ("sword", "shield"), ("漢", "shield"), ("sword", "漢 ж")):
        problems, alone = missing_glyphs(view, "trick/sword", span, covered), missing_glyphs(view, "trick/sword", span)
        assert [problem.message for problem in problems] == [problem.message for problem in alone]
        assert bool(problems) == ("漢" in "".join(view))
    assert covered.keys() == {"sword", "shield"}
