"""The `use` lines of files: missing ones, for which another file's `use` does not count, and useless ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePath

from fcbdsl.base.diagnostics.base import Fix
from fcbdsl.base.diagnostics.declarations import ForgottenUse, NeedlessUse
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.facts import Facts, Mention, is_naming, note_names
from fcbdsl.language.model.checks.named import Named, declared_in, named_beside
from fcbdsl.language.model.content import Test
from fcbdsl.language.model.declaring.collect import system_of
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.lines import head_atoms, keyword_of, single_word
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import File, Line

_ALWAYS = "core"
_PACKS = "packs"


Needless = tuple[Line, str, str]
"""A `use` line without effect, the name in it, and the reason."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A file, the system or pack that it belongs to, and those that it uses. `needless`: see `_needless`."""

    file: File
    unit: str
    uses: dict[str, None]
    needless: tuple[Needless, ...]


class Uses:
    """The unit and the `use` lines of each file, cached while the file is unchanged."""

    def __init__(self) -> None:
        self._known: dict[str, _Named] = {}  # by the names of the files

    def check(self, context: Context, files: Sequence[File], all: Sequence[Facts]) -> None:
        """Report the first mention of each system or pack that a file does not use.

        `all`: the facts of the whole model.
        """
        self._known = {file.source.name: self._named(file) for file in files}
        for file in files:
            if file.source.name not in context.model.lent:
                for line, name, why in self._known[file.source.name].needless:
                    fix = Fix(_row(line), "")
                    context.report(NeedlessUse(line.span, unit=name, why=why, fix=fix))
        lacking = _lacking(self._known.values())
        if not lacking:
            return
        first: dict[tuple[str, str], Mention] = {}
        for name, declared, mention in _mentions(context, all, lacking):
            unit = self._known[declared].unit if declared in self._known else ""
            if unit in lacking[name]:
                first_mention = first.get((name, unit))
                if first_mention is None or mention[0].place < first_mention[0].place:
                    first[name, unit] = mention
        for (_, unit), (span, word, _) in first.items():
            top = Span(self._known[span.source.name].file.source, 0, 0)
            context.report(ForgottenUse(span, word=word, unit=unit, fix=Fix(top, f"use {unit}\n")))

    def strangers(self, files: Sequence[File]) -> Collection[str]:
        """Return the names of the files that do not use all systems and packs."""
        return _lacking([self._named(file) for file in files]).keys()

    def _named(self, file: File) -> _Named:
        cached = self._known.get(file.source.name)
        if cached is not None and cached.file is file:
            return cached
        unit = _unit(file)
        return _Named(file, unit, _named(file), tuple(_needless(file, unit)))


def _lacking(files: Collection[_Named]) -> dict[str, list[str]]:
    """Return the systems and packs that each file does not use."""
    below: dict[str, dict[str, None]] = {}
    for file in files:
        below.setdefault(file.unit, {}).update(file.uses)
    units = [unit for unit in below if unit and unit != _ALWAYS]
    closures: dict[tuple[str, ...], list[str]] = {}
    out: dict[str, list[str]] = {}
    for file in files:
        begun = file.unit, *file.uses
        if begun not in closures:
            visible = _closure(begun, below)
            closures[begun] = [unit for unit in units if unit not in visible]
        if closures[begun]:
            out[file.file.source.name] = closures[begun]
    return out


def _unit(file: File) -> str:
    """Return the system or pack that a file belongs to; empty for other content."""
    folders = PurePath(file.source.name).parts
    pack = folders[folders.index(_PACKS) + 1] if _PACKS in folders[:-2] else ""
    return system_of(file) or pack


def _named(file: File) -> dict[str, None]:
    """Return the systems and packs that a file uses."""
    return {name: None for _, name in _use_lines(file)}


def _use_lines(file: File) -> Iterator[tuple[Line, str]]:
    """Yield the `use` lines of a file, and the systems and packs that they name."""
    for line in file.lines:
        if not line.broken and keyword_of(line) == "use" and line.tail and line.tail[0].parts:
            word = single_word(line.tail[0].parts[0])
            if word is not None:
                yield line, word.text


def _needless(file: File, unit: str) -> Iterator[Needless]:
    """Yield the `use` lines that name what a file, which belongs to `unit`, knows anyway."""
    seen: dict[str, None] = {}
    for line, name in _use_lines(file):
        why = ""
        if name in seen:
            why = "another line above it says the same"
        elif name == _ALWAYS:
            why = f"every file knows `{_ALWAYS}`"
        elif name == unit and PurePath(file.source.name).parent.name == unit:
            why = f"it is a part of `{unit}`"
        seen[name] = None
        if why:
            yield line, name, why


def _row(line: Line) -> Span:
    """Return the place of a line with its end."""
    text = line.source.text
    end = text.find("\n", line.end)
    return Span(line.source, line.offset, len(text) if end < 0 else end + 1)


def _closure(begun: Sequence[str], below: dict[str, dict[str, None]]) -> dict[str, None]:
    reached: dict[str, None] = {}
    queue = [*begun]
    while queue:
        unit = queue.pop()
        if unit not in reached:
            reached[unit] = None
            queue += below.get(unit, {}) if unit else ()
    return reached


def _mentions(
    context: Context, all: Sequence[Facts], files: Mapping[str, object]
) -> Iterator[tuple[str, str, Mention]]:
    """Yield the mentions in some files of names declared elsewhere: the file, the declaring file, and the mention."""
    model = context.model
    homes: dict[Named, str] = {}
    everywhere = any(is_naming(default) for default in _defaults(model, files))
    for facts in all:
        if isinstance(facts.owner, Test) and (everywhere or facts.owner.span.source.name in files):
            note_names(facts)
    spoken = [facts for facts in all if any(file in files for file in facts.files)]
    named = [(span, name) for facts in spoken for (file, name), span in facts.named.items() if file in files]
    for span, name in [*named, *((span, name) for name, span in named_beside(model, files))]:
        if name not in homes:
            homes[name] = declared_in(model, name)
        if homes[name]:
            yield span.source.name, homes[name], (span, name[1], homes[name])
    for declaration in context.index.all:
        file = declaration.line.source.name
        kind = model.kinds.get(declaration.sort) if file in files else None
        head = head_atoms(declaration.line) if kind is not None else ()
        if kind is not None and head:
            declared = kind.span.source.name
            yield file, declared, (declaration.line.span_of(head[0]), kind.id, declared)
    for facts in spoken:
        for (file, declared), mention in facts.mentions.items():
            if file in files:
                yield file, declared, mention


def _defaults(model: Model, files: Mapping[str, object]) -> Iterator[ir.Expr]:
    """Yield the default values of parameters in some files. Each use of the parameter contains them, with their
    places."""
    forms = [form.params for form in model.forms if form.span.source.name in files]
    events = [event.params for event in model.events.values() if event.span.source.name in files]
    for param in chain.from_iterable([*forms, *events]):
        if param.default is not None:
            yield param.default
