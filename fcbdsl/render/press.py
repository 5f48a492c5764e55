"""The press: from a model and a list of names to files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fcbdsl.diagnostics import Diagnostic, Problems, suggest
from fcbdsl.diagnostics.print import MissingWording, TextOverflow, TextTooWide, UnknownPrintable
from fcbdsl.files import write_atomically
from fcbdsl.model.content import Definition
from fcbdsl.model.whole import Model
from fcbdsl.prose.reading import NOWHERE
from fcbdsl.render.cards import card_of, footer_of
from fcbdsl.render.glyphs import FONTS, missing_glyphs
from fcbdsl.render.imposition import PAPERS, impose
from fcbdsl.render.looks import check_looks
from fcbdsl.render.sheets import sheet_of
from fcbdsl.render.typesetting import Typeset, typeset
from fcbdsl.render.views import Card
from fcbdsl.render.web import page

FORMS = ("pdf", "png", "html")
MISSION = "mission"


@dataclass(frozen=True, slots=True)
class Rendered:
    """The files that were written, in order, and the problems found while making them."""

    files: tuple[Path, ...]
    problems: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """One printing in one language and form."""

    model: Model
    language: str
    paper: str
    form: str
    out: Path
    problems: Problems


def render(model: Model, ids: Sequence[str], language: str, paper: str, to: str, out: Path) -> Rendered:
    """Print definitions into the folder `out`.

    `ids` are ids (or ``kind/id``) of cards, boards and missions; none means all that can be printed. `language` is
    ``en`` or ``fr``, `paper` ``a4`` or ``letter``, `to` ``pdf``, ``png`` or ``html``. Cards go to ``cards.…``, each
    mission to ``mission-ID.…``; a PNG file is one page. Files are written whole or not at all; raises OSError if
    that fails. A text that doesn't fit is an error among the problems, and the files are written all the same.
    """
    if to not in FORMS or paper not in PAPERS:
        raise ValueError(f"cannot print {to!r} on {paper!r}")
    problems = Problems(check_looks(model))
    chosen = _chosen(model, ids, problems)
    job = _Job(model, language, paper, to, out, problems)
    cards = [d for d in chosen if not _is_mission(d)]
    files: list[Path] = []
    if cards:
        files += _cards(cards, job)
    for mission in chosen:
        if _is_mission(mission):
            files += _sheet(mission, job)
    if to == "html" and files:
        files += _fonts(out)
    return Rendered(tuple(files), tuple(_once(problems)))


def _once(problems: Problems) -> Iterator[Diagnostic]:
    """Report a missing wording where it is first needed, not on every card."""
    seen: list[object] = []
    for problem in problems.sorted():
        if isinstance(problem, MissingWording):
            wording = (problem.arguments["name"], problem.arguments["language"])
            if wording in seen:
                continue
            seen.append(wording)
        yield problem


def printable(model: Model) -> list[Definition]:
    """Every definition that has a look of its own or a title, in order of declaration."""
    parts = {part.id for definition in model.definitions.values() for part in definition.parts}
    return [
        d
        for d in model.definitions.values()
        if d.kind.part_of is None and d.id not in parts and (d.name.title or _has_layout(d, model))
    ]


def _has_layout(definition: Definition, model: Model) -> bool:
    return any(kind.id in model.layouts for kind in definition.kind.lineage())


def _is_mission(definition: Definition) -> bool:
    return any(kind.id == MISSION for kind in definition.kind.lineage())


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


def _cards(definitions: Sequence[Definition], job: _Job) -> list[Path]:
    """Make the views, check them, and write them in the form asked for."""
    cards: list[Card] = []
    by_key: dict[str, Definition] = {}
    for definition in definitions:
        card, found = card_of(definition, job.model, job.language)
        job.problems.extend(found)
        job.problems.extend(missing_glyphs(card, card.key, definition.span))
        by_key[card.key] = definition
        cards += [card]
    imposition = impose(cards, job.paper)
    title = footer_of(job.model, job.language) or job.model.system or "cards"
    form = "png" if job.form == "png" else "pdf"
    values = {"title": title, "language": job.language, "imposition": imposition, "pages": imposition.pages}
    made = typeset("cards.typ.j2", values, form)
    _report_fit(made, by_key, job.problems)
    if job.form == "html":
        html = page("cards.html.j2", {"title": title, "language": job.language, "cards": cards})
        return [_write(job.out / "cards.html", html.encode())]
    return _write_pages(made, job, "cards")


def _sheet(mission: Definition, job: _Job) -> list[Path]:
    sheet, found = sheet_of(mission, job.model, job.language)
    job.problems.extend(found)
    job.problems.extend(missing_glyphs(sheet, sheet.key, mission.span))
    name = f"mission-{mission.id}"
    drawn = page("map.svg.j2", {"map": sheet.map}) if sheet.map is not None else ""
    if job.form == "html":
        made = page("sheet.html.j2", {"sheet": sheet, "map_svg": drawn})
        return [_write(job.out / f"{name}.html", made.encode())]
    width, height = PAPERS[job.paper]
    values = {"sheet": sheet, "map_svg": drawn, "page_width": width, "page_height": height}
    return _write_pages(typeset("sheet.typ.j2", values, job.form), job, name)


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


def _report_fit(made: Typeset, by_key: dict[str, Definition], problems: Problems) -> None:
    """Turn what Typst measured into findings."""
    for record in made.measures:
        if not record["over"]:
            continue
        finding = TextTooWide if record["across"] else TextOverflow
        problems.add(
            finding(
                by_key[record["card"]].span,
                part=record["part"],
                card=f"`{record['card']}`",
                language=record["language"],
                need=f"{record['need']:.1f}",
                have=f"{record['have']:.1f}",
            )
        )
