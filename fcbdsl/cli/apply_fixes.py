"""Applies the fixes that findings propose."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.edits import TextEdit, apply_edits
from fcbdsl.base.files import rewrite_text
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file before its fixes, its text with them, and their number."""

    before: Source
    text: str
    count: int

    def difference(self) -> str:
        """Return the changes as a unified diff."""
        before, after = (text.splitlines(keepends=True) for text in (self.before.text, self.text))
        name = self.before.name
        return "".join(difflib.unified_diff(before, after, fromfile=name, tofile=name))

    def write(self) -> None:
        """Write the file. Raise OSError if that fails."""
        rewrite_text(Path(self.before.name), self.text)


def fixed_files(findings: Iterable[Diagnostic], sources: Sequence[Source]) -> list[FixedFile]:
    """Return each file of `sources` with the proposed fixes applied.

    If fixes overlap, it applies the first; another run may apply the others. A file that would then have more syntax
    errors stays unchanged.
    """
    wanted: dict[str, list[TextEdit]] = {}
    for finding in findings:
        if finding.fix is not None:
            wanted.setdefault(finding.fix.span.source.name, []).append(
                TextEdit(finding.fix.span, finding.fix.replacement)
            )
    out = []
    for source in sources:
        edits = _apart(wanted.get(source.name, ()))
        if edits:
            text = apply_edits(source.text, edits)
            if text != source.text and _mistakes(Source(source.name, text)) <= _mistakes(source):
                out.append(FixedFile(source, text, len(edits)))
    return out


def _apart(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Return the edits that do not touch an earlier one."""
    apart: list[TextEdit] = []
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if not apart or edit.span.start > apart[-1].span.end:
            apart.append(edit)
    return apart


def _mistakes(source: Source) -> int:
    from fcbdsl.language.syntax.parser import parse

    return len(parse(source)[1])
