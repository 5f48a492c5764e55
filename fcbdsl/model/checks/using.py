"""Files that speak of what a system or pack declares without saying `use`: only another file's `use` lets them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from fcbdsl.diagnostics.base import Fix
from fcbdsl.diagnostics.declarations import ForgottenUse
from fcbdsl.model import ir
from fcbdsl.model.declaring.collect import system_of
from fcbdsl.model.declaring.context import Context
from fcbdsl.model.ir import walk
from fcbdsl.model.lines import head_atoms, key_of, single_word
from fcbdsl.model.roots import roots
from fcbdsl.source import Span
from fcbdsl.syntax.tree import File

_ALWAYS = "core"
_PACKS = "packs"

Mention = tuple[Span, str, str]
"""Where something is mentioned, what it is called, and the name of the file that declares it."""


def check_uses(context: Context, files: Sequence[File]) -> None:
    """Report the first mention of what each system or pack that a file does not use declares."""
    unit_of = {file.source.name: _unit(file) for file in files}
    named = {file.source.name: _named(file) for file in files}
    below: dict[str, dict[str, None]] = {}
    for file in files:
        below.setdefault(unit_of[file.source.name], {}).update(named[file.source.name])
    units = [unit for unit in below if unit and unit != _ALWAYS]
    lacking: dict[str, list[str]] = {}
    for file in files:
        visible = _closure([unit_of[file.source.name], *named[file.source.name]], below)
        missing = [unit for unit in units if unit not in visible]
        if missing:
            lacking[file.source.name] = missing
    if not lacking:
        return
    first: dict[tuple[str, str], Mention] = {}
    for span, word, declared in _mentions(context):
        unit = unit_of.get(declared, "")
        key = (span.source.name, unit)
        known = first.get(key)
        if unit in lacking.get(span.source.name, ()) and (known is None or span.start < known[0].start):
            first[key] = (span, word, declared)
    for (_, unit), (span, word, _) in first.items():
        top = Span(span.source, 0, 0)
        context.report(ForgottenUse(span, word=word, unit=unit, fix=Fix(top, f"use {unit}\n")))


def _unit(file: File) -> str:
    """The system or pack that a file belongs to; empty for other content."""
    folders = PurePath(file.source.name).parts
    pack = folders[folders.index(_PACKS) + 1] if _PACKS in folders[:-2] else ""
    return system_of(file) or pack


def _named(file: File) -> dict[str, None]:
    """The systems and packs that a file uses."""
    lines = [line for line in file.lines if not line.broken and key_of(line) == "use" and line.tail]
    words = [single_word(line.tail[0].parts[0]) for line in lines if line.tail[0].parts]
    return {word.text: None for word in words if word is not None}


def _closure(begun: Sequence[str], below: dict[str, dict[str, None]]) -> dict[str, None]:
    found: dict[str, None] = {}
    queue = [*begun]
    while queue:
        unit = queue.pop()
        if unit not in found:
            found[unit] = None
            queue += below.get(unit, {}) if unit else ()
    return found


def _mentions(context: Context) -> Iterator[Mention]:
    """All that files mention of what may be declared elsewhere: kinds, fields, forms and events."""
    model = context.model
    for declaration in context.index.all:
        kind = model.kinds.get(declaration.sort)
        found = head_atoms(declaration.line)
        if kind is not None and found:
            yield declaration.line.span_of(found[0]), kind.id, kind.span.source.name
    for definition in model.definitions.values():
        for value in definition.values.values():
            if value.span is not None:
                yield value.span, value.field.id, value.field.span.source.name
    for _, root in roots(model):
        for node in walk(root):
            match node:
                case ir.Do(form=form, span=span) | ir.Apply(form=form, span=span):
                    yield span, form.id, form.span.source.name
                case ir.Get(field=column, span=span):
                    yield span, column.id, column.span.source.name
                case ir.Listener(event=event, span=span) | ir.Announce(event=event, span=span):
                    yield span, event.id, event.span.source.name
                case _:
                    pass
