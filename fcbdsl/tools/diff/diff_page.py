"""The diff report as a single web page: both versions of each thing side by side."""

from __future__ import annotations

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.whole import Model
from fcbdsl.print.export.webpage import dressing
from fcbdsl.print.layout.views import Card, Sheet
from fcbdsl.print.pieces.assets import sizes_of
from fcbdsl.print.pieces.looks import style_of
from fcbdsl.print.pieces.printables import languages_on_request, printable
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.print.press.proofs import drawn_map, render_piece
from fcbdsl.tools.diff.diff_report import (
    BREAKS,
    HALF_DONE,
    SAME_PLAY,
    changes_summary,
    definition_line,
    excerpts,
    is_text,
    key_text,
    kind_of_change,
    name_with_title,
)
from fcbdsl.tools.diff.game_diff import AlteredDefinition, FactChange, GameChanges, Key
from fcbdsl.tools.diff.word_diff import Stretch, stretches

MOST_FACES = 100
"""Most things with pictures of both versions; the others have only words, and the page gives their number."""


@dataclass(frozen=True, slots=True)
class PageRow:
    """A change in a line: its label and its words."""

    label: str
    words: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class PageFace:
    """One version of a thing in print; a sheet with its drawn map."""

    view: Card | Sheet
    map: str


@dataclass(frozen=True, slots=True)
class PageChange:
    """A changed thing: its pictures before and after, by language."""

    key: str
    title: str
    verdict: str
    rows: tuple[PageRow, ...]
    gone: tuple[str, ...]
    new: tuple[str, ...]
    faces: tuple[tuple[str, PageFace, PageFace], ...]


def to_html(changes: GameChanges, models: tuple[Model, Model], names: tuple[str, str]) -> str:
    """Return the report as a page. `models`: both versions, whose pictures must still exist; `names`: their names."""
    printed = [{(definition.kind.id, definition.id) for definition in printable(model)} for model in models]
    shown = {change.key for change in [change for change in changes.altered if change.prints][:MOST_FACES]}
    both = {key for key in shown if key in printed[0] and key in printed[1]}
    things = [_change(change, changes, models, change.key in both) for change in changes.altered]
    left = sum(change.prints for change in changes.altered) - len(shown)
    values = {
        "names": names,
        "summary": changes_summary(changes) if changes else "Nothing changes for the table",
        "notes": [
            *([SAME_PLAY] if changes and changes.same_play else []),
            *([f"Of {left} more things no faces are shown: there is no room."] if left else []),
        ],
        "breaks": changes.breaks,
        "breaks_title": BREAKS,
        "half_done": HALF_DONE,
        "added": [definition_line(listed, True) for listed in changes.added],
        "removed": [definition_line(listed, False) for listed in changes.removed],
        "things": things,
        "rules": changes.rules,
        "sizes": sizes_of(models[0]) | sizes_of(models[1]),
    }
    return fill_page("diff.html.j2", {**values, **dressing([things, list(names)], style_of(models[1]))})


def _change(change: AlteredDefinition, changes: GameChanges, models: tuple[Model, Model], faced: bool) -> PageChange:
    languages = (
        [name for name in languages_on_request(models[1]) if name in languages_on_request(models[0])] if faced else []
    )
    return PageChange(
        key_text(change.key),
        name_with_title(change),
        kind_of_change(change, changes),
        tuple([_row(row) for row in change.shifts]),
        change.gone,
        change.new,
        tuple([(name, _face(change.key, models[0], name), _face(change.key, models[1], name)) for name in languages]),
    )


def _row(row: FactChange) -> PageRow:
    label = row.label + (f" ({', '.join(row.languages)})" if row.languages else "")
    if row.sort == "look":
        return PageRow(f"looks different: {label}", ())
    if is_text(row):
        return PageRow(label, tuple(excerpts(row)))
    if row.before and row.after:
        return PageRow(label, (Stretch("gone", row.before), Stretch("same", " → "), Stretch("new", row.after)))
    return PageRow(label, stretches(row.before, row.after))


def _face(key: Key, model: Model, language: str) -> PageFace:
    view = render_piece(model.definitions[key], model, language).view
    return PageFace(view, drawn_map(view) if isinstance(view, Sheet) else "")
