"""The diff report: as text, as Markdown for a comment of a review, as data."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from fcbdsl.tools.diff.game_diff import AlteredDefinition, FactChange, GameChanges, Key, Listed, SharedChange
from fcbdsl.tools.diff.word_diff import Stretch, stretches

MOST_BYTES = 60_000
"""Most bytes of a report in Markdown: review hosts accept comments of 65,536."""
MOST_SHIFTS = 12
"""Most rows of a thing, lines of a rule, and names of a list in Markdown."""
AROUND = 40
"""Most letters of unchanged text on either side of a change."""
BREAKS = "Breaks campaigns under way"
SAME_PLAY = "Both versions play the same; only words and looks differ."
HALF_DONE = "A step that is half done when the content changes is begun again: fcb campaign rewind."

Marked = Callable[[Sequence[Stretch]], str]
"""Returns text with marks for removed and added words."""


def changes_summary(changes: GameChanges) -> str:
    """Return a summary such as ``2 added, 1 removed, 3 changed``."""
    counts = [
        (len(changes.added), "added"),
        (len(changes.removed), "removed"),
        (len(changes.altered), "changed"),
        (len(changes.rules), "changed among the game's rules and words"),
    ]
    return ", ".join(f"{number} {what}" for number, what in counts if number) or "nothing that has a name"


def kind_of_change(change: AlteredDefinition, changes: GameChanges) -> str:
    """Return whether a thing plays differently, prints differently, or both."""
    if change.plays and change.prints:
        return "plays and prints differently"
    if change.plays:
        return "plays differently, but prints the same"
    if changes.same_play or not changes.rules:
        return "prints differently, plays the same"
    return "prints differently; its own effect is the same, but the game's rules changed"


def name_with_title(listed: Listed | AlteredDefinition) -> str:
    """Return a name such as ``trick/gift “Gift of flies”``."""
    title = listed.titles.get("en") or next(iter(listed.titles.values()), "")
    return key_text(listed.key) + (f" “{title}”" if title else "")


def key_text(key: Key) -> str:
    """Return a key such as ``trick/gift``."""
    return "/".join(key)


def definition_line(listed: Listed, new: bool) -> str:
    """Return the line for a new or removed definition, with its likely former or later id."""
    if listed.other is None:
        return name_with_title(listed)
    return f"{name_with_title(listed)} – {'was' if new else 'is now'} {key_text(listed.other)}, it seems"


def excerpts(row: FactChange) -> list[Stretch]:
    """Return the changes of a text, with a few words around them."""
    stretches_found = stretches(row.before, row.after)
    last = len(stretches_found) - 1
    return [_shortened(stretch, at == 0, at == last) for at, stretch in enumerate(stretches_found)]


def _shortened(stretch: Stretch, first: bool, last: bool) -> Stretch:
    if stretch.sort != "same" or len(stretch.text) <= 2 * AROUND + 10:
        return stretch
    head = "" if first else stretch.text[:AROUND].rpartition(" ")[0]
    tail = "" if last else stretch.text[-AROUND:].partition(" ")[2]
    short = f"{head} … {tail}"
    short = short.lstrip() if first else short
    return Stretch("same", short.rstrip() if last else short)


def is_text(row: FactChange) -> bool:
    """Return whether a fact is compared word by word; numbers and the like are shown as a whole."""
    return row.sort in ("text", "told") and bool(row.before and row.after)


def _row(row: FactChange, marked: Marked, plain: Callable[[str], str]) -> str:
    """Return a change as one line, or several if its text has several."""
    where = plain(row.label) + (f" ({', '.join(row.languages)})" if row.languages else "")
    if row.sort == "look":
        return f"looks different: {where}"
    if is_text(row):
        return f"{where}: {marked(excerpts(row))}"
    if row.before and row.after:
        return f"{where}: {plain(row.before)} → {plain(row.after)}"
    return f"{where}: {marked(stretches(row.before, row.after))}"


# ── text ───────────────────────────────────────────────────────────────────────────────────────


def changes_to_text(changes: GameChanges, colour: bool = False) -> str:
    """Return the report for a terminal, with removed words in ``[-…-]`` and added ones in ``{+…+}``.

    With `colour`, these are also struck through and underlined.
    """
    if not changes:
        return "Nothing changes for the table.\n"
    return "\n".join(_text(changes, _struck if colour else _signed)) + "\n"


def _text(changes: GameChanges, marked: Marked) -> Iterator[str]:
    yield f"{changes_summary(changes)}."
    if changes.same_play:
        yield SAME_PLAY
    if changes.breaks:
        yield f"\n{BREAKS}:"
        yield from (f"  ! {break_.name}: {break_.reason}" for break_ in changes.breaks)
    if changes.added:
        yield "\nAdded:"
        yield from (f"  + {definition_line(listed, True)}" for listed in changes.added)
    if changes.removed:
        yield "\nRemoved:"
        yield from (f"  - {definition_line(listed, False)}" for listed in changes.removed)
    kind = ""
    for change in changes.altered:
        if change.key[0] != kind:
            kind = change.key[0]
            yield f"\nChanged, {kind}:"
        yield f"  ~ {name_with_title(change)}: {kind_of_change(change, changes)}"
        for row in change.shifts:
            yield from _hung(_row(row, marked, str), 6)
        yield from _tree(change, 6)
    if changes.rules:
        yield "\nAmong the game's rules and words:"
    for rule in changes.rules:
        yield f"  ~ {rule.name}"
        yield from _tree(rule, 6)


def _hung(text: str, indent: int) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield " " * indent + first
    yield from (" " * (indent + 2) + line for line in rest)


def _tree(change: AlteredDefinition | SharedChange, indent: int) -> Iterator[str]:
    yield from (f"{' ' * indent}- {line.strip()}" for line in change.gone)
    yield from (f"{' ' * indent}+ {line.strip()}" for line in change.new)


def _signed(stretches: Sequence[Stretch]) -> str:
    marks = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}
    return "".join(marks[stretch.sort].format(stretch.text) for stretch in stretches)


def _struck(stretches: Sequence[Stretch]) -> str:
    marks = {"same": "{}", "gone": "\x1b[9;31m[-{}-]\x1b[0m", "new": "\x1b[4;32m{{+{}+}}\x1b[0m"}
    return "".join(marks[stretch.sort].format(stretch.text) for stretch in stretches)


# ── Markdown ───────────────────────────────────────────────────────────────────────────────────

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_[]|~#"})


def _plain(text: str) -> str:
    """Return text with Markdown's special characters escaped."""
    return html.escape(text, quote=False).translate(_SPECIAL).replace("\n", "<br>")


def _edited(stretches: Sequence[Stretch]) -> str:
    marks = {"same": "{}", "gone": "<del>[-{}-]</del>", "new": "<ins>{{+{}+}}</ins>"}
    return "".join(marks[stretch.sort].format(_plain(stretch.text)) for stretch in stretches)


def to_markdown(changes: GameChanges, before: str, after: str) -> str:
    """Return the report for a comment of a review, with removed words struck through and added ones underlined.

    Its size is limited; it gives the number of changes that are left out.
    """
    lines = [f"### What changes for the table from {_plain(before)} to {_plain(after)}", ""]
    if not changes:
        return "\n".join([*lines, "Nothing.", ""])
    lines += [f"{changes_summary(changes)}.{f' {SAME_PLAY}' if changes.same_play else ''}", ""]
    blocks = list(_blocks(changes))
    room = MOST_BYTES - len("\n".join(lines).encode())
    written = 0
    for block in blocks:
        room -= len("\n".join(block).encode()) + 2
        if room < 0:
            break
        lines += [*block, ""]
        written += 1
    if written < len(blocks):
        lines += [
            f"… and {len(blocks) - written} more parts of the report, for which there is no room: `--format text`.",
            "",
        ]
    return "\n".join(lines)


def _blocks(changes: GameChanges) -> Iterator[list[str]]:
    if changes.breaks:
        rows = [f"- **{_plain(break_.name)}**: {_plain(break_.reason)}" for break_ in changes.breaks]
        yield [f"**⚠ {BREAKS}**", "", *_first(rows), "", _plain(HALF_DONE)]
    for head, some, new in (("Added", changes.added, True), ("Removed", changes.removed, False)):
        if some:
            yield [f"**{head}**", "", *_first([f"- {_plain(definition_line(listed, new))}" for listed in some])]
    kind = ""
    for change in changes.altered:
        if change.key[0] != kind:
            kind = change.key[0]
            yield [f"#### {_plain(kind)}"]
        rows = [f"- {_row(row, _edited, _plain)}" for row in change.shifts]
        yield [
            f"**{_plain(name_with_title(change))}**: {kind_of_change(change, changes)}",
            "",
            *_first(rows),
            *_fenced(change),
        ]
    for rule in changes.rules:
        yield [f"**{_plain(rule.name)}** (of the game)", *_fenced(rule)]


def _first(rows: Sequence[str]) -> list[str]:
    more = len(rows) - MOST_SHIFTS
    return [*rows[:MOST_SHIFTS], *([f"- … and {more} more"] if more > 0 else [])]


def _fenced(change: AlteredDefinition | SharedChange) -> list[str]:
    """Return lines of the typed tree as a diff block; no line of it can end the block."""
    lines = [*(f"- {line.strip()}" for line in change.gone), *(f"+ {line.strip()}" for line in change.new)]
    if not lines:
        return []
    more = len(lines) - MOST_SHIFTS
    return ["", "```diff", *lines[:MOST_SHIFTS], *([f"… and {more} more lines"] if more > 0 else []), "```"]


# ── data ───────────────────────────────────────────────────────────────────────────────────────


def to_data(changes: GameChanges) -> dict[str, Any]:
    """Return the whole report as JSON data."""
    return {
        "added": _data_of(changes.added),
        "removed": _data_of(changes.removed),
        "changed": [
            {
                "key": key_text(change.key),
                "titles": dict(change.titles),
                "plays": change.plays,
                "prints": change.prints,
                "changes": [_data_of_row(row) for row in change.shifts],
                "effect": {"gone": list(change.gone), "new": list(change.new)},
            }
            for change in changes.altered
        ],
        "rules": [{"name": rule.name, "gone": list(rule.gone), "new": list(rule.new)} for rule in changes.rules],
        "breaks": [{"name": break_.name, "reason": break_.reason} for break_ in changes.breaks],
        "same_play": changes.same_play,
    }


def _data_of(some: Iterable[Listed]) -> list[dict[str, Any]]:
    return [
        {
            "key": key_text(listed.key),
            "titles": dict(listed.titles),
            "as": key_text(listed.other) if listed.other else None,
        }
        for listed in some
    ]


def _data_of_row(row: FactChange) -> dict[str, Any]:
    out: dict[str, Any] = {"sort": row.sort, "label": row.label, "languages": list(row.languages)}
    out |= {"before": row.before, "after": row.after}
    if is_text(row):
        out["words"] = [[stretch.sort, stretch.text] for stretch in stretches(row.before, row.after)]
    return out
