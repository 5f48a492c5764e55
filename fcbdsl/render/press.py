"""The press: from a model and a list of names to files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fcbdsl.diagnostics import Diagnostic, Problems, suggest
from fcbdsl.diagnostics.print import UnknownPrintable
from fcbdsl.files import write_atomically
from fcbdsl.model.content import Definition
from fcbdsl.model.whole import Model
from fcbdsl.prose.reading import NOWHERE
from fcbdsl.render.cards import footer_of
from fcbdsl.render.glyphs import FONTS
from fcbdsl.render.imposition import PAPERS
from fcbdsl.render.looks import check_looks
from fcbdsl.render.proofs import (
    Proof,
    cards_values,
    drawn_map,
    misfits,
    once,
    printable,
    proof_of,
    sheet_values,
)
from fcbdsl.render.typesetting import Typeset, measured, typeset
from fcbdsl.render.views import Card, Sheet
from fcbdsl.render.web import page

FORMS = ("pdf", "png", "html")


@dataclass(frozen=True, slots=True)
class Rendered:
    """The files that were written, in order; the problems found while making them; and what was left out because of
    them, as ``kind/id``."""

    files: tuple[Path, ...]
    problems: tuple[Diagnostic, ...]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Job:
    """One printing in one language and form."""

    model: Model
    language: str
    paper: str
    form: str
    out: Path
    problems: Problems
    left_out: list[str]


def render(model: Model, ids: Sequence[str], language: str, paper: str, to: str, out: Path) -> Rendered:
    """Print definitions into the folder `out`.

    `ids` are ids (or ``kind/id``) of cards, boards and missions; none means all that can be printed. `language` is
    ``en`` or ``fr``, `paper` ``a4`` or ``letter``, `to` ``pdf``, ``png`` or ``html``. Cards go to ``cards.…``, each
    mission to ``mission-ID.…``; a PNG file is one page. Files are written whole or not at all; raises OSError if
    that fails. What an error is about – a text that doesn't fit, a template that can't be filled – is left out; if it
    is about layouts or `ids`, nothing is printed.
    """
    if to not in FORMS or paper not in PAPERS:
        raise ValueError(f"cannot print {to!r} on {paper!r}")
    problems = Problems(check_looks(model))
    chosen = _chosen(model, ids, problems)
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    job = _Job(model, language, paper, to, out, problems, [])
    proofs = [proof_of(definition, model, language) for definition in chosen]
    sound = [proof for proof in proofs if _accepted(proof, proof.problems, job)]
    files = _cards([proof for proof in sound if isinstance(proof.view, Card)], job)
    for proof in sound:
        if isinstance(proof.view, Sheet):
            files += _sheet(proof, proof.view, job)
    if to == "html" and files:
        files += _fonts(out)
    return Rendered(tuple(files), tuple(once(problems)), tuple(job.left_out))


def _accepted(proof: Proof, found: Sequence[Diagnostic], job: _Job) -> bool:
    """Note what is wrong with a piece; whether it can be printed all the same."""
    job.problems.extend(found)
    if any(problem.severity == "error" for problem in found):
        job.left_out.append(proof.view.key)
        return False
    return True


def _chosen(model: Model, ids: Sequence[str], problems: Problems) -> list[Definition]:
    everything = printable(model)
    if not ids:
        return everything
    chosen: list[Definition] = []
    names = [d.id for d in everything]
    for wanted in ids:
        kind, slash, name = wanted.rpartition("/")
        found = [d for d in everything if d.id == name and (not slash or d.kind.id == kind)]
        if not found:
            problems.add(UnknownPrintable(NOWHERE, name=wanted, suggestion=suggest(name, names)))
        chosen += [d for d in found if d not in chosen]
    return chosen


def _cards(proofs: Sequence[Proof], job: _Job) -> list[Path]:
    """Write cards and boards in the form asked for, without those that can't hold their texts."""
    title = footer_of(job.model, job.language) or job.model.system or "cards"
    by_key = {proof.view.key: proof.definition for proof in proofs}
    while proofs:
        cards = [proof.view for proof in proofs if isinstance(proof.view, Card)]
        values = cards_values(title, job.language, cards, job.paper)
        made = measured("cards.typ.j2", values) if job.form == "html" else typeset("cards.typ.j2", values, job.form)
        found = misfits(made, by_key)
        fitting = [proof for proof in proofs if _accepted(proof, found.get(proof.view.key, ()), job)]
        if len(fitting) < len(proofs):
            proofs = fitting  # what is left moves up
            continue
        if job.form != "html":
            return _write_pages(made, job, "cards")
        html = page("cards.html.j2", {"title": title, "language": job.language, "cards": cards})
        return [_write(job.out / "cards.html", html.encode())]
    return []


def _sheet(proof: Proof, sheet: Sheet, job: _Job) -> list[Path]:
    """Write a sheet in the form asked for, if it fits its page; in HTML it is as long as it needs."""
    name = f"mission-{proof.definition.id}"
    if job.form == "html":
        html = page("sheet.html.j2", {"sheet": sheet, "map_svg": drawn_map(sheet)})
        return [_write(job.out / f"{name}.html", html.encode())]
    made = typeset("sheet.typ.j2", sheet_values(sheet, job.paper), job.form)
    found = misfits(made, {sheet.key: proof.definition}, job.paper)
    return _write_pages(made, job, name) if _accepted(proof, found.get(sheet.key, ()), job) else []


def _write_pages(made: Typeset, job: _Job, name: str) -> list[Path]:
    if job.form == "pdf":
        return [_write(job.out / f"{name}.pdf", made.files[0])]
    return [_write(job.out / f"{name}-{at:02}.png", png) for at, png in enumerate(made.files, start=1)]


def _write(path: Path, data: bytes) -> Path:
    write_atomically(path, data)
    return path


def _fonts(out: Path) -> list[Path]:
    """The fonts that a page refers to, with their licences."""
    sources = sorted((*FONTS.glob("*.ttf"), *FONTS.glob("*.txt")))
    return [_write(out / "fonts" / path.name, path.read_bytes()) for path in sources]
