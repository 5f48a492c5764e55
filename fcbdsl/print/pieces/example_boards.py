"""Worked examples of a rules reference: a small board with arrows, and what happens in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.locales import interface_texts
from fcbdsl.language.model.content import Board, Test
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.language.prose.reading import own_words
from fcbdsl.language.prose.rules_text import capitalize
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.views import AidEntry, MapView, RouteView
from fcbdsl.print.pieces.map_drawing import step_arrow
from fcbdsl.print.pieces.maps import map_of

BEFORE = 0.68
"""Where an arrow ends, as a share of its last step: before the symbol of a piece that is there."""


def example_entry(
    test: Test,
    board: Board | None,
    walks: Sequence[Sequence[str]],
    lines: Sequence[str],
    model: Model,
    language: str,
    problems: list[Diagnostic],
) -> AidEntry:
    """Return a test as an entry of the reference. `board`: the position before it; `walks`: the spaces that pieces go
    through; `lines`: the log. Missing words are added to `problems`."""
    naming = Naming(model, LANGUAGES[language], test.title, test.span, problems)
    title = naming.noun(test.example, test.title, test.span).one
    drawn = map_of(board, model, naming) if board is not None else None
    wording = " ".join(f"{capitalize(line).rstrip('.')}." for line in lines)
    wording = wording.replace(" → ", "\u00a0→ ")  # no line begins with an arrow
    text = own_words(naming.language.finish(wording), language)
    words = interface_texts("aids", language)["worked example"]
    return AidEntry(
        naming.language.finish(words.format(title=title)),
        text,
        map=drawn and replace(drawn, routes=_arrows(drawn, walks)),
    )


def _arrows(drawn: MapView, walks: Sequence[Sequence[str]]) -> tuple[RouteView, ...]:
    """Return an arrow for each walk, through the centers of its spaces."""
    centers = {cell.id: cell.centre for cell in drawn.cells}
    arrows = []
    for walk in walks:
        points = [centers[space] for space in walk if space in centers]
        points = [point for at, point in enumerate(points) if at == 0 or point != points[at - 1]]
        if len(points) > 1:
            tip = step_arrow(points[-2], points[-1], BEFORE)
            arrows.append(RouteView("", points[0], (*points[:-1], tip[0]), (tip,)))
    return tuple(arrows)
