"""Hover and signature help: the meaning of a word, its printed text, its syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fcbdsl.base.diagnostics.entries import FOLDER, WORDS, entry_of_form
from fcbdsl.base.origin import HOME
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.editor.lsp.symbols import DeclaredName, ProjectNames, symbol_summary
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition, Rule, Track
from fcbdsl.language.model.declarations import (
    Action,
    Declared,
    Enum,
    Event,
    Field,
    Form,
    Kind,
    Name,
    Param,
    Switch,
    Zone,
)
from fcbdsl.language.model.resolve.type_wording import usage
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.tree_text import expr_text, modifier_text, type_text
from fcbdsl.language.prose import LANGUAGES, Paragraph
from fcbdsl.language.prose.rules_text import escape_markdown
from fcbdsl.project.paths import CORE
from fcbdsl.project.workspace import Workspace

if TYPE_CHECKING:
    from fcbdsl.print.layout.views import Chip

_BEGINNING = re.compile(r"(?:^\s*|: |; )([a-z]+)(?![\w-])")
"""Matches a word where a statement, a step or a declaration can begin."""
MOST_MODIFIERS = 12
"""Most modifiers of a column that are listed; the text gives the number of the rest."""


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown, and the word that it describes."""

    markdown: str
    span: Span


def hover(names: ProjectNames, name: str, line: int, column: int) -> Hover | None:
    """Return the description of the word at a place (from 1); None if there is none."""
    mention = names.mention(name, line, column)
    symbol = names.meant(mention) if mention is not None else None
    if mention is None or symbol is None:
        return _of_the_language(names, name, line, column)
    symbol = replace(symbol, thing=names.thing(symbol))
    parts = [f"```fcb\n{usage_line(symbol)}\n```", *_further_facts(names.space, symbol)]
    return Hover("\n\n".join(part for part in parts if part), mention.span)


def _of_the_language(names: ProjectNames, name: str, line: int, column: int) -> Hover | None:
    """Return the link of a word that begins a statement, a step or a declaration; None for another word."""
    source = names.space.tree(name).source
    for match in _BEGINNING.finditer(source.line_text(line)):
        if match.start(1) < column <= match.end(1) + 1 and match[1] in WORDS:
            start = source.offset(line, match.start(1) + 1)
            return Hover(_link(match[1], WORDS[match[1]]), Span(source, start, start + len(match[1])))
    return None


def _link(word: str, entry: str) -> str:
    return f"[`{word}` in the language reference]({HOME}/blob/main/docs/{FOLDER}/{entry})"


def usage_line(symbol: DeclaredName) -> str:
    """Return how a symbol is declared or used, in a line."""
    match symbol.thing:
        case Form() as form:
            gives = "" if form.gives == ir.NOTHING else f"  # gives {type_text(form.gives)}"
            return f"{form.sort} {usage(form)}{gives}"
        case Field() as column:
            limits = (
                f" {column.low if column.low is not None else ''}..{column.high if column.high is not None else ''}"
            )
            bounded = limits if column.low is not None or column.high is not None else ""
            starts = f", default {expr_text(column.default)}" if column.default is not None else ""
            return f"{column.sort} {column.id} of {column.kind}: {type_text(column.type)}{bounded}{starts}"
        case Zone() as zone:
            return f"zone {zone.id} of {zone.holds}" + (f"  # of each {zone.kind}" if zone.kind else "")
        case Param() as param:
            return f"{param.name} ({type_text(param.type)})  # of {symbol.of}"
        case ir.Var() as var:
            return f"{var.name} ({type_text(var.type)})"
        case Definition() as definition:
            return f"{definition.kind.id} {definition.id}"
        case Kind() as kind:
            return f"kind {kind.id}" + (f" is {kind.parent.id}" if kind.parent is not None else "")
        case Enum() as enum:
            return f"enum {enum.id}: {', '.join(enum.values)}"
        case Switch() as switch:
            return f"variant {switch.id}: {', '.join(switch.values)}"
        case Event() as event:
            return f"event {event.id}: {' '.join(event.pattern)}"
    return f"{symbol_summary(symbol)} {symbol.name}"


def _further_facts(space: Workspace, symbol: DeclaredName) -> Iterator[str]:
    """Yield further facts: titles, printed words, modifiers of a column."""
    thing = symbol.thing
    name = getattr(thing, "name", None)
    if isinstance(name, Name):
        yield " · ".join(f"{title} *({language})*" for language, title in name.title.items())
        yield "\n".join(f"- {reminder}" for reminder in name.reminder.values())
    if isinstance(thing, Form) and thing.system == CORE:
        yield _link(thing.id, entry_of_form(thing.id))
    if isinstance(thing, Form) and thing.texts:
        yield _wordings(space, thing)
    elif isinstance(thing, Form) and thing.name.reminder:
        pass  # the printed text contains the reminder
    elif isinstance(thing, Action | Definition | Form | Rule | Track):
        yield _printed(space, thing)
    if isinstance(thing, Field):
        yield thing.doc
        yield _modified(space, thing)


def _wordings(space: Workspace, form: Form) -> str:
    """Return the `text` lines of a form, in each language of the project."""
    rows: list[str] = []
    for language in space.model.languages:
        for wording in form.texts:
            if wording.language == language:
                when = f" if `{expr_text(wording.condition)}`" if wording.condition is not None else ""
                rows.append(f"- *({language})* `{wording.template}`{when}")
    return "\n".join(rows)


def _printed(space: Workspace, declared: Declared) -> str:
    """Return the printed text of a declaration, in each language of the project that has a grammar."""
    out: list[str] = []
    for language in space.model.languages:
        if language not in LANGUAGES:
            continue  # no generated text exists in this language
        if isinstance(declared, Definition):
            rows = list(_of_card(declared, space, language))
        else:
            text = space.rules_text(declared, language)
            if isinstance(declared, Form) and text.problems:
                continue  # fcb prints the call of a form, not its body; a body with gaps is of no use
            rows = list(_quoted(text.paragraphs))
        if rows:
            out.append("\n".join([f"**{language}**", "", *rows]))
    return "\n\n".join(out)


def _quoted(paragraphs: Iterable[Paragraph], deeper: int = 0) -> Iterator[str]:
    """Yield rows of a Markdown quotation. `deeper`: levels by which list items are indented."""
    for paragraph in paragraphs:
        level = (paragraph.level or (1 if paragraph.label else 0)) + deeper
        if level:
            yield f"> {'  ' * (level - 1)}- {paragraph.markdown()}"
        else:
            yield ">"  # without an empty row Markdown would join the paragraph to the previous one
            yield f"> {paragraph.markdown()}"


def _of_card(definition: Definition, space: Workspace, language: str) -> Iterator[str]:
    """Yield the printed content of a definition's card: its type, data, conditions, parts and rules text."""
    from fcbdsl.print.pieces.cards import card_of

    card, _ = card_of(definition, space.model, language)
    chips = [chip for chip in (card.corner, *card.stats, *card.notes) if chip is not None]
    data = dict.fromkeys([card.type_line, *card.badges, *(_datum(chip, language) for chip in chips)])
    if any(data):
        yield ">"
        yield f"> {escape_markdown(' · '.join(filter(None, data)))}"
    yield from _quoted(card.condition)
    for part in card.lines:
        row = escape_markdown(" · ".join(_datum(chip, language) for chip in part.chips))
        short = len(part.text) == 1 and not part.text[0].level and not part.text[0].label
        yield f"> - {row} – {part.text[0].markdown()}" if short and row else f"> - {row or '–'}"
        if not short or not row:
            yield from _quoted(part.text, 2)
    yield from _quoted((*card.text, *card.small))


def _datum(chip: Chip, language: str) -> str:
    """Return a datum of a card in words."""
    value = chip.value or (chip.symbol.alt if chip.symbol is not None else "")
    if not value or not chip.label or chip.label == value:
        return value or chip.label
    words = LANGUAGES[language]
    return f"{words.finish(words.words['heading'].format(title=chip.label))} {value}"


def _modified(space: Workspace, column: Field) -> str:
    """Return the modifiers of a column's value, as a list."""
    modifiers: list[str] = []
    for owner, root in roots(space.model):
        for node in ir.walk(root):
            if isinstance(node, ir.Modifier) and node.field is column:
                whose = getattr(owner, "id", "") or getattr(owner, "title", "")
                modifiers.append(f"- `{modifier_text(node)}` ({whose})")
    more = f"\n- … and {len(modifiers) - MOST_MODIFIERS} more" if len(modifiers) > MOST_MODIFIERS else ""
    return ("Changed by:\n" + "\n".join(modifiers[:MOST_MODIFIERS]) + more) if modifiers else ""


# ── signatures ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a form: its label, the words of its parameters in it, and the index of the present one."""

    label: str
    parameters: tuple[str, ...]
    active: int


def signature_at(space: Workspace, before: str) -> Signature | None:
    """Return the form whose parameter the cursor is in, from the text of a line up to the cursor."""
    words = before.replace(":", " : ").replace(";", " ; ").split()
    start = max((at + 1 for at, word in enumerate(words) if word in (":", ";")), default=0)
    words = words[start:]
    best: tuple[int, int, Form] | None = None
    for form in space.model.forms:
        size = len(form.words)
        if not form.params:
            continue
        for at in range(len(words) - size, -1, -1):
            if tuple(words[at : at + size]) == form.words:
                if best is None or (at, size) > best[:2]:
                    best = at, size, form
                break
    if best is None or (before and not before[-1].isspace() and best[0] + best[1] == len(words)):
        return None
    at, size, form = best
    params = list(form.params)
    shown = [usage_of(param) for param in params]
    behind = words[at + size :]
    prepositions = {param.preposition: number for number, param in enumerate(params) if param.preposition}
    marked = [prepositions[word] for word in behind if word in prepositions]
    plain = [number for number, param in enumerate(params) if param.preposition is None]
    if form.sort == "relation" and plain:
        plain = plain[1:]
    done = len(behind) - (0 if before[-1:].isspace() else 1)
    active = marked[-1] if marked else (plain[min(max(done, 0), len(plain) - 1)] if plain else 0)
    label = usage(form)
    return Signature(label, tuple(shown), active)


def usage_of(param: Param) -> str:
    """Return a parameter as the usage of its form shows it."""
    return param.name.upper()
