"""Reading the block of a declaration line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import RepeatedLine
from fcbdsl.language.model.declarations import Field, Name, Texts, Wording
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.lines import (
    atoms,
    head_atoms,
    keyword_of,
    single_string,
    single_word,
    tail_clause,
    tail_parts,
)
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.syntax.tree import Line, Word

Handler = Callable[[Line], None]

REMINDER = "reminder"
"""First word of the line with the reminder text of a declaration."""


def read_block(
    context: Context,
    line: Line,
    where: str,
    once: Mapping[str, Handler],
    often: Mapping[str, Handler] | None = None,
    name: Name | None = None,
) -> None:
    """Pass each line of a block to the handler of its first word; `once`: words that can occur a single time.

    With `name`, lines ``name:`` and ``fr:`` are read as titles, and ``reminder:`` as the reminder text. Lines without a
    handler are reported.
    """
    seen: dict[str, Line] = {}
    for inner in line.block:
        if inner.broken:
            if name is not None:
                name.broken = True
            continue
        key = keyword_of(inner)
        if name is not None and context.title_line(inner, name, key):
            continue
        if name is not None and key == REMINDER and key not in once:
            read_text(context, inner, name.reminder)
            continue
        if (key in once or (often is not None and key in often)) and _lacks_colon(context, inner, key):
            if name is not None:
                name.broken = True
            continue
        if often is not None and key in often:
            often[key](inner)
        elif key in once:
            if key in seen:
                related = [Related(seen[key].span, "it is given here first")]
                context.report(RepeatedLine(inner.span, name=key, related=related))
                continue
            seen[key] = inner
            once[key](inner)
        else:
            titles = ["name", *context.known_languages[1:], REMINDER] if name is not None else []
            context.unexpected(inner, where, [*once, *(often or ()), *titles])


def _lacks_colon(context: Context, line: Line, key: str) -> bool:
    """Report a line of a declaration that continues after its word without a colon; return whether it does."""
    words = head_atoms(line)
    if line.head is not None or len(words) < 2 or key not in COLONS:
        return False
    rest = line.source.text[line.span_of(words[0]).end : line.span.end].split("\n")[0].strip()
    if key == "takes":
        context.vocabulary.unsound |= {word.text for word in words if isinstance(word, Word)} - {key}
    context.malformed(line.span, f"the line `{key}`: its colon is missing", f"{key}: {rest}")
    return True


COLONS = frozenset({"effect", "takes", "is", "value", "event", "form", "needs", "by", "costs", "op"})
"""Words of a declaration's block that a colon always follows; only asked for membership."""


def no_block(context: Context, line: Line, where: str) -> None:
    """Report lines below one that opens no block."""
    for inner in line.block:
        context.unexpected(inner, where, ["nothing"])


def read_wording(context: Context, line: Line, scope: Scope) -> Wording | None:
    """Read ``text en[, CONDITION]: "template"``."""
    clause, value = line.head, tail_clause(line)
    language = _language(line)
    string = single_string(value) if value is not None else None
    if clause is None or language is None or string is None:
        context.malformed(line.span, "a wording", 'text en, CONDITION: "words"')
        return None
    condition = None
    if len(clause.parts) > 1:
        condition = context.reader.condition(line, clause.parts[1:], scope)
    return Wording(language, condition, string.value, line.span_of(string))


DOC = "doc"
"""First word of the line that describes a column to authors."""


def doc_of(context: Context, column: Field) -> dict[str, Handler]:
    """Return the handler of ``doc: "…"`` below a column."""

    def read(line: Line) -> None:
        parts = tail_parts(line)
        string = single_string(parts[0]) if len(parts) == 1 and len(head_atoms(line)) == 1 else None
        if string is None:
            context.malformed(line.span, "the note of a column", 'doc: "What it is for."')
        else:
            column.doc = string.value

    return {DOC: read}


def read_text(context: Context, line: Line, into: Texts) -> None:
    """Read ``flavour: "…"``, ``flavour fr: "…"`` or ``reminder en: "…"`` into texts by language."""
    parts = tail_parts(line)
    string = single_string(parts[0]) if len(parts) == 1 else None
    language = _language(line)
    if string is None or language is None:
        context.malformed(line.span, "a text", f'{keyword_of(line)} fr: "…"')
    elif language in into:
        context.report(RepeatedLine(line.span, name=f"{keyword_of(line)} {language}"))
    else:
        into[language] = string.value


def _language(line: Line) -> str | None:
    """Return the language named after the first word of a line's head; English if none is named."""
    assert line.head is not None or line.tail
    clause = line.head
    if clause is None:
        return None
    clause_atoms = atoms(clause) if clause.lead else atoms(clause)[1:]
    if not clause_atoms:
        return "en"
    word = clause_atoms[0]
    return word.text if len(clause_atoms) == 1 and isinstance(word, Word) and len(word.text) == 2 else None


def names_listed(context: Context, declaration: Declaration) -> list[str] | None:
    """Return the names after the colon (``a, b, c``); None (and a report) if there is anything else."""
    if declaration.broken:
        context.vocabulary.unsound.add(declaration.id)
        return None
    parts = tail_parts(declaration.line)
    names = [word for part in parts if (word := single_word(part)) is not None]
    if not parts or len(names) < len(parts) or len(declaration.line.tail) > 1:
        sort = declaration.sort
        context.malformed(declaration.line.span, f"a list of names for {sort}", f"{sort} NAME: a, b")
        return None
    for at, word in enumerate(names):
        if word.text in {earlier.text for earlier in names[:at]}:
            context.malformed(declaration.line.span_of(word), "a new name", "each name once")
    return list(dict.fromkeys(word.text for word in names))
