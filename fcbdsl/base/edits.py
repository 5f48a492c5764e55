"""Edits of a text: new text for spans of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class TextEdit:
    """New text for a span of a source; everything else, comments and layout included, stays unchanged."""

    span: Span
    text: str


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """Return the text with all the edits made. Raises ValueError if two of them overlap."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < at:
            raise ValueError(f"two edits overlap at {edit.span.start}")
        out += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*out, text[at:]])
