"""Comparison of handwritten rules with the generated ones, in each language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.files import write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, Paragraph, RulesText, rules_text
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.export.webpage import dressing
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import write_pages
from fcbdsl.print.typeset.typesetting import typeset


@dataclass(frozen=True, slots=True)
class ComparedText:
    """Both texts in a language, and the problems of the handwritten one."""

    language: str
    written: tuple[Paragraph, ...]
    generated: tuple[Paragraph, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparedPiece:
    """A definition with a handwritten text: its name, its title, its place, and both texts in each language."""

    key: str
    title: str
    place: str
    texts: tuple[ComparedText, ...]


def comparisons(model: Model, definitions: Sequence[Definition], languages: Sequence[str]) -> list[ComparedPiece]:
    """Return the comparisons of some definitions.

    A language without a handwritten text prints the generated one, and has no row.
    """
    pieces: list[ComparedPiece] = []
    for definition in definitions:
        texts = []
        for language in languages:
            if not definition.text.get(language) or language not in LANGUAGES:
                continue
            written = rules_text(definition, model, language)
            generated = rules_text(definition, model, language, generated=True)
            texts.append(
                ComparedText(
                    language, written.paragraphs, generated.paragraphs, tuple(map(_problem_line, written.problems))
                )
            )
        if texts:
            naming = Naming(model, LANGUAGES[texts[0].language], definition.id, definition.span)
            place = f"{definition.span.source.name}:{definition.span.line}"
            title = naming.title(definition.name, definition.id) if definition.name.title else definition.id
            pieces.append(ComparedPiece(f"{definition.kind.id}/{definition.id}", title, place, tuple(texts)))
    return pieces


def _problem_line(problem: Diagnostic) -> str:
    return f"{problem.code}: {problem.message}"


def with_parts(definitions: Sequence[Definition]) -> list[Definition]:
    """Return definitions, each followed by its parts, which may have handwritten texts, too."""
    unique: dict[int, Definition] = {}
    for definition in definitions:
        for each in (definition, *with_parts(definition.parts)):
            unique.setdefault(id(each), each)
    return list(unique.values())


def comparison_text(piece: ComparedPiece) -> str:
    """Return a comparison as text."""
    lines = [f"{piece.key} “{piece.title}” ({piece.place})"]
    for text in piece.texts:
        lines += [f"  {text.language}", *_block("by hand", text.written), *_block("generated", text.generated)]
        lines += [f"    ! {problem}" for problem in text.problems]
    return "\n".join(lines)


def _block(title: str, paragraphs: tuple[Paragraph, ...]) -> list[str]:
    lines = RulesText(paragraphs).plain().splitlines() or ["–"]
    return [f"    {title if at == 0 else '':10} {line}" for at, line in enumerate(lines)]


def write_comparison(
    pieces: Sequence[ComparedPiece], title: str, language: str, to: str, out: Path, options: Options
) -> list[Path]:
    """Write comparisons as a page (``compare.html``), or typeset (``compare.pdf``, or a PNG for each page)."""
    values = {"pieces": pieces, "title": title, "language": language}
    if to == "html":
        html = fill_page("compare.html.j2", {**values, **dressing([pieces, title])})
        write_atomically(out / "compare.html", html.encode())
        return [out / "compare.html"]
    paper = papers()[options.paper]
    document = typeset("compare.typ.j2", {**values, "paper": paper}, to, options.dpi)
    return write_pages(document, to, out, "compare", [])
