"""Edits of texts: renaming, fixes of problems, formatting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.editor.lsp.symbols import DeclaredName, ProjectNames
from fcbdsl.editor.lsp.word_places import in_file
from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.formatting import CannotFormat, format_source
from fcbdsl.language.syntax.tree import Line
from fcbdsl.project.workspace import Workspace

RENAMED = (
    "kind", "field", "zone", "form", "parameter", "local", "definition", "track", "group", "noun", "enum", "value",
    "symbol", "die", "ladder", "mark", "terrain", "barrier", "variant", "action", "rule", "invariant", "prospect",
)  # fmt: skip
"""Sorts of symbols that can be renamed."""

_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_RESERVED = ("and", "or", "not", "where", "self", "this", "it", "nothing", "none", "yes", "no")


class CannotRename(Exception):
    """A name that can't be changed; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class RowEdit:
    """A change of a file's text: rows and columns (from 0) of the replaced part."""

    name: str
    range: tuple[int, int, int, int]
    text: str


def renameable(names: ProjectNames, name: str, line: int, column: int) -> tuple[DeclaredName, Span]:
    """Return the symbol of the word at a place (from 1), and the word. Raise CannotRename if it can't be renamed."""
    mention = names.mention(name, line, column)
    if mention is None:
        raise CannotRename("There is no name here.")
    symbol = names.meant(mention)
    if symbol is None:
        raise CannotRename(f"`{mention.text}` is a word of the language, or what it names is not certain.")
    if symbol.sort not in RENAMED:
        raise CannotRename(f"A name of this sort ({symbol.sort}) can't be changed here.")
    if symbol.name != mention.text:
        raise CannotRename(f"`{symbol.name}` has several words, or other words stand for it here.")
    if not names.space.owns(symbol.span.source.name):
        raise CannotRename(f"`{symbol.name}` is declared in {symbol.span.source.name}, which comes with fcb.")
    return symbol, mention.span


def rename(names: ProjectNames, name: str, line: int, column: int, to: str) -> list[RowEdit]:
    """Return the edits that give the symbol at a place (from 1) another name everywhere.

    Raise CannotRename if it can't be renamed, or if the project with these edits has another meaning than before.
    """
    symbol, _ = renameable(names, name, line, column)
    if not _NAME.fullmatch(to) or to in _RESERVED:
        raise CannotRename(f"`{to}` can't be a name: letters, digits, `_`, joined by `-`; no reserved word.")
    if to == symbol.name:
        return []
    taken = names.symbols.get((symbol.key[0], symbol.key[1], to)) if symbol.sort != "local" else None
    if taken is not None:
        at = f"{taken.span.source.name}, line {taken.span.line}"
        raise CannotRename(f"There is already a {sort_and_name(taken)} ({at}). Choose another name.")
    spans = list(names.references(symbol))
    if symbol.sort == "parameter":
        spans += _in_templates(names.space, symbol)
    edits = [RowEdit(span.source.name, in_file(span), to) for span in spans]
    outside = sorted({edit.name for edit in edits if not names.space.owns(edit.name)})
    if outside:
        raise CannotRename(f"It is mentioned in {outside[0]}, which comes with fcb.")
    edits = list(dict.fromkeys(edits))
    _prove(names.space, symbol, to, edits)
    return edits


def sort_and_name(symbol: DeclaredName) -> str:
    """Return the sort and the name of a symbol, such as ``card `lamp` ``."""
    if symbol.sort in ("definition", "form"):
        return f"{symbol.of} `{symbol.name}`"
    return f"{symbol.sort} `{symbol.name}`" + (f" of {symbol.of}" if symbol.of else "")


def _in_templates(space: Workspace, symbol: DeclaredName) -> Iterator[Span]:
    """Yield the places where the printed words of a form mention its parameter."""
    word = re.compile(rf"(?<![\w-]){re.escape(symbol.name)}(?![\w-])")
    for declaration in space.declarations("verb", "keyword", "relation", "measure"):
        if declaration.line.source is symbol.span.source and declaration.id == symbol.of:
            for line in _below(declaration.line):
                if keyword_of(line) == "text":
                    text = line.source.text[line.offset : line.end]
                    for template in re.finditer(r"\{[^{}]*\}", text):
                        for match in word.finditer(text, template.start(), template.end()):
                            yield Span(line.source, line.offset + match.start(), line.offset + match.end())


def _below(line: Line) -> Iterator[Line]:
    for inner in line.block:
        yield inner
        yield from _below(inner)


def apply_row_edits(text: str, edits: Sequence[RowEdit]) -> str:
    """Return a file's text with edits applied."""
    rows = text.split("\n")
    for edit in sorted(edits, key=lambda edit: edit.range, reverse=True):
        first, start, last, end = edit.range
        rows[first : last + 1] = (rows[first][:start] + edit.text + rows[last][end:]).split("\n")
    return "\n".join(rows)


def _prove(space: Workspace, symbol: DeclaredName, to: str, edits: Sequence[RowEdit]) -> None:
    """Check the project with the edits. Raise CannotRename if it then has another meaning."""
    by_file: dict[str, list[RowEdit]] = {}
    for edit in edits:
        by_file.setdefault(edit.name, []).append(edit)
    texts: Mapping[str, str] = {name: apply_row_edits(space.text(name), edits) for name, edits in by_file.items()}
    model, problems = space.trial(texts)
    old = re.compile(rf"(?<![\w-]){re.escape(symbol.name)}(?![\w-])")

    def counted(problems: Sequence[Diagnostic]) -> Counter[tuple[str, str, int]]:
        return Counter((diagnostic.code, diagnostic.span.source.name, diagnostic.span.line) for diagnostic in problems)

    new = counted(problems) - counted(space.problems())
    if new:
        at = next(problem for problem in problems if (problem.code, problem.span.source.name, problem.span.line) in new)
        raise CannotRename(f"With that name {at.span.source.name}, line {at.span.line}, would be wrong: {at.message}")
    if old.sub(to, dump(space.model)) != old.sub(to, dump(model)):
        raise CannotRename(f"`{to}` would mean something else in some places, or `{symbol.name}` be left in others.")
    if symbol.sort in ("parameter", "form"):
        before, after = (_printed(model, symbol, name) for model, name in ((space.model, symbol.name), (model, to)))
        if [old.sub(to, text) for text in before] != [old.sub(to, text) for text in after]:
            raise CannotRename("Its words in print would not find what they speak of.")


def _printed(model: Model, symbol: DeclaredName, name: str) -> list[str]:
    """Return the printed text of a form that is renamed, or whose parameter is; and the problems with it."""
    from fcbdsl.language.prose import LANGUAGES, rules_text

    out: list[str] = []
    for form in model.forms:
        if form.id == (symbol.of if symbol.sort == "parameter" else name):
            for language in LANGUAGES:
                text = rules_text(form, model, language)
                out += [text.marked(), *(problem.code for problem in text.problems)]
    return out


# ── fixes ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Cure:
    """A fix of a problem: its title, the problem, and the edit."""

    title: str
    problem: Diagnostic
    edit: RowEdit


def cures(problems: Sequence[Diagnostic]) -> list[Cure]:
    """Return the fixes that problems contain, or that follow from their suggestions."""
    out: list[Cure] = []
    for problem in problems:
        if problem.fix is not None:
            replaced = problem.span.source.text[problem.fix.span.start : problem.fix.span.end]
            what = (
                f"Replace `{replaced}` by `{problem.fix.replacement}`"
                if replaced.strip()
                else f"Write `{problem.fix.replacement}`"
            )
            what = (
                what
                if problem.fix.replacement.strip()
                else "Take it away"
                if replaced.strip()
                else "Put the blanks right"
            )
            out.append(Cure(what, problem, _edit(problem.fix.span, problem.fix.replacement)))
        elif problem.suggestion is not None:
            span = _misspelt(problem)
            if span is not None:
                out.append(Cure(f"Change to `{problem.suggestion}`", problem, _edit(span, problem.suggestion)))
    return out


def _misspelt(problem: Diagnostic) -> Span | None:
    """Return the word that a suggestion replaces: the `name` or `word` of the problem, within its place."""
    span = problem.span
    text = span.source.text[span.start : span.end]
    word = problem.arguments.get("name") or problem.arguments.get("word") or text
    matches = list(re.finditer(rf"(?<![\w-]){re.escape(str(word))}(?![\w-])", text))
    if len(matches) != 1:
        return None
    return Span(span.source, span.start + matches[0].start(), span.start + matches[0].end())


def _edit(span: Span, text: str) -> RowEdit:
    return RowEdit(span.source.name, in_file(span), text)


def layout(name: str, text: str) -> str | None:
    """Return a file's text formatted; None if it has syntax errors."""
    try:
        return format_source(Source(name, text))
    except CannotFormat:
        return None
