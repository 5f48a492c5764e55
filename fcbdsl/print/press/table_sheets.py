"""Print for the table besides cards and sheets: aids, the rules reference, tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from fcbdsl.base.diagnostics import Diagnostic, Problems
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.print.layout.formats import papers
from fcbdsl.print.layout.views import Aid, AidEntry, CampaignSheet, PlayMap, StorySheet, Supplies
from fcbdsl.print.pieces.aids import aid_of, reference_of, span_of
from fcbdsl.print.pieces.campaign_sheets import campaign_of, is_campaign, story_sheet
from fcbdsl.print.pieces.looks import check_looks
from fcbdsl.print.pieces.play_maps import play_map_of
from fcbdsl.print.pieces.printables import is_sheet, languages_on_request, printable_languages
from fcbdsl.print.pieces.selection import edition_of
from fcbdsl.print.pieces.token_pieces import supplies_of
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import Rendered, write_pages
from fcbdsl.print.press.proofs import LABEL, LABEL_LATER, Tell, failure, include, misfit, once, silent, undrawn
from fcbdsl.print.typeset.glyphs import missing_glyphs
from fcbdsl.print.typeset.typesetting import CannotTypeset, literal, measure_document, typeset


def render_aids(
    model: Model,
    language: str,
    to: str,
    out: Path,
    options: Options,
    without: Container[str] = (),
    examples: Sequence[AidEntry] = (),
    mission: Definition | None = None,
) -> Rendered:
    """Print the player aid (``aid.…``) and the rules reference (``reference.…``) of a game into the folder `out`, as
    `press.render` prints its cards and sheets. Of the `options` paper and resolution matter. `without`: names of those
    that are not printed. `examples`: the worked examples of the reference. `mission`: the one whose map it shows."""
    job = TableJob(model, to, out, options)
    if job.problems.errors:
        return job.rendered()
    for name, make in (("aid", aid_of), ("reference", partial(reference_of, examples=examples, mission=mission))):
        if name in without:
            continue
        aid, problems = make(model, language)
        if aid.blocks:
            document = _Document(aid, problems, span_of(model), "aid.typ.j2", partial(aid_values, aid))
            press_document(document, name + edition_of(model, language, options.paper), job)
    return job.rendered()


def aid_digests(model: Model, language: str) -> dict[str, str]:
    """Return a digest of the aid, the reference and the tokens of a game, without their titles and footers.

    The ends of missions do not count: each mission prints its own on its sheet."""
    views: dict[str, Aid | Supplies] = {
        "aid": aid_of(model, language, missions=False)[0],
        "reference": reference_of(model, language, missions=False)[0],
        "tokens": supplies_of(model, language)[0],
    }
    return {
        name: hashlib.blake2b(literal(replace(view, title="", footer="")).encode(), digest_size=16).hexdigest()
        for name, view in views.items()
    }


def render_tokens(
    model: Model,
    language: str,
    to: str,
    out: Path,
    options: Options,
    mission: Definition | None = None,
    players: int = 0,
) -> Rendered:
    """Print tokens, trackers and tables of dice (``tokens.…``), and folding figures (``standees.…``).

    For a `mission` and `players` it prints what their table needs (``tokens-MISSION-PLAYERS.…``), else all of the game.
    """
    job = TableJob(model, to, out, options)
    if job.problems.errors:
        return job.rendered()
    supplies, problems = supplies_of(model, language, mission, players)
    ending = ("" if mission is None else f"-{mission.id}-{players}") + edition_of(model, language, options.paper)
    values = partial(supplies_values, supplies)
    tokens = _Document(supplies, problems, span_of(model), "tokens.typ.j2", values)
    if press_document(tokens, f"tokens{ending}", job) and _has_standees(supplies):
        standees = _Document(supplies, (), span_of(model), "standees.typ.j2", values)
        press_document(standees, f"standees{ending}", job, f"standees/{supplies.key}")
    return job.rendered()


def render_stories(
    model: Model, language: str, to: str, out: Path, options: Options, missions: Sequence[Definition]
) -> Rendered:
    """Print the texts to read aloud of missions (``story-MISSION.…``): before the mission on the front, after it on the
    back.

    Missions without such texts have no sheet.
    """
    job = TableJob(model, to, out, options)
    if job.problems.errors:
        return job.rendered()
    for mission in missions:
        sheet, problems = story_sheet(mission, model, language)
        if sheet.before or sheet.after:
            document = _Document(sheet, problems, mission.span, "story.typ.j2", partial(_sheet_values, sheet))
            press_document(document, f"story-{mission.id}{edition_of(model, language, options.paper)}", job)
    return job.rendered()


def render_campaigns(model: Model, language: str, to: str, out: Path, options: Options) -> Rendered:
    """Print the map (``campaign-ID.…``) and the log (``log-ID.…``) of each campaign of a game."""
    job = TableJob(model, to, out, options)
    if job.problems.errors:
        return job.rendered()
    for definition in model.definitions.values():
        if is_campaign(definition):
            sheet, problems = campaign_of(definition, model, language)
            for name in ("campaign", "log") if sheet.sites else ("log",):
                document = _Document(sheet, problems, definition.span, f"{name}.typ.j2", partial(_sheet_values, sheet))
                press_document(document, f"{name}-{definition.id}{edition_of(model, language, options.paper)}", job)
    return job.rendered()


def render_maps(
    model: Model, language: str, to: str, out: Path, options: Options, missions: Sequence[Definition]
) -> Rendered:
    """Print the maps of missions at playing scale (``map-MISSION.…``), on as many sheets as needed."""
    job = TableJob(model, to, out, options)
    if job.problems.errors:
        return job.rendered()
    for mission in missions:
        play_map, problems = play_map_of(mission, model, language, papers()[options.paper])
        if play_map is None:
            job.problems.extend(problems)
            job.notes.append(f"{mission.id} has no map.")
        else:
            document = _Document(play_map, problems, mission.span, "playmap.typ.j2", partial(play_map_values, play_map))
            press_document(document, f"map-{mission.id}{edition_of(model, language, options.paper)}", job)
    return job.rendered()


class TableJob:
    """One print of documents for the table: its options, and its results so far."""

    def __init__(self, model: Model, to: str, out: Path, options: Options) -> None:
        self.to, self.out, self.options = to, out, options
        self.problems = Problems(check_looks(model))
        self.files: list[Path] = []
        self.left_out: list[str] = []
        self.notes: list[str] = []

    def rendered(self) -> Rendered:
        """Return the written files, the problems, the documents left out and the notes."""
        return Rendered(tuple(self.files), tuple(once(self.problems)), tuple(self.left_out), tuple(self.notes))


def press_document(document: _Document, name: str, job: TableJob, key: str = "") -> bool:
    """Typeset a document and write it under a name. Return whether it was written.

    A document with an error is left out as `key`, by default the key of its view."""
    paper, view = job.options.paper, document.view
    typeset_document = typeset(document.template, document.values(paper), job.to, job.options.dpi, ink=job.options.ink)
    problems = [*document.found, *missing_glyphs(view, view.key, document.span)]
    problems += [misfit(record, document.span, paper) for record in typeset_document.measures if record["over"]]
    if not include(key or view.key, problems, job.problems, job.left_out):
        return False
    job.files += write_pages(typeset_document, job.to, job.out, name, job.notes, sight=job.options.sight)
    return True


def _has_standees(supplies: Supplies) -> bool:
    """Return whether there are figures to fold."""
    return any(disc.figure and disc.drawing for disc in supplies.discs)


def play_map_values(play_map: PlayMap, paper: str) -> dict[str, object]:
    """Return the values of the template of maps at playing scale."""
    drawn = [fill_page("map.svg.j2", {"map": part.map, "label": LABEL}) for part in play_map.parts]
    on = papers()[paper]
    whole = fill_page("map.svg.j2", {"map": play_map.map, "label": LABEL})
    text_only = replace(
        play_map,
        map=undrawn(play_map.map),
        parts=tuple(replace(part, map=undrawn(part.map)) for part in play_map.parts),
    )
    return {"made": text_only, "whole": whole, "drawn": drawn, "page_width": on.width, "page_height": on.height}


def supplies_values(supplies: Supplies, paper: str) -> dict[str, object]:
    """Return the values of the template of tokens."""
    on = papers()[paper]
    return {"supplies": supplies, "page_width": on.width, "page_height": on.height}


def table_problems(
    model: Model,
    definitions: Sequence[Definition],
    tell: Tell = silent,
    lent: Container[tuple[str, str]] = (),
) -> list[Diagnostic]:
    """Return the problems with aids, tokens, stories, sheets of campaigns and maps of a sound model.

    They concern the words in each language, and whether the pages fit on each paper. `definitions`: the missions and
    campaigns to check. `tell`: see `fit_problems`. `lent`: languages and names of aids that a game has checked itself.
    """
    problems = Problems()
    for language in languages_on_request(model):
        for document in _documents(model, definitions, language):
            if language in printable_languages(model):
                reported = [*document.found, *missing_glyphs(document.view, document.view.key, document.span)]
                problems.extend(
                    problem for problem in reported if not model.proof_of(problem.span)
                )  # tests have places of their own
            if document.of_game and (language, document.of_game) in lent:
                continue
            for paper in papers():
                tell(f"{document.view.key}, {language}, {papers()[paper].title}")
                try:
                    measured = measure_document(document.template, document.values(paper))
                except CannotTypeset as failed:
                    what = f"`{document.view.key}` ({language}, {papers()[paper].title})"
                    problems.extend([failure(failed, model, what, document.span)])
                    continue
                problems.extend(misfit(record, document.span, paper) for record in measured.measures if record["over"])
    return list(once(problems))


@dataclass(frozen=True, slots=True)
class _Document:
    """A printed document that is neither a card nor a mission sheet.

    `view`: its content. `found`: its problems. `span`: the place of messages about it. `template`: its Typst template.
    `values`: the variables of the template for a paper. `of_game`: its name in `aid_digests`, if any.
    """

    view: Aid | Supplies | StorySheet | CampaignSheet | PlayMap
    found: Sequence[Diagnostic]
    span: Span
    template: str
    values: Callable[[str], Mapping[str, object]]
    of_game: str = ""


def _documents(model: Model, definitions: Sequence[Definition], language: str) -> Iterator[_Document]:
    """Yield all documents of a game, each with its largest content."""
    place = span_of(model)
    for name, make in (("aid", aid_of), ("reference", reference_of)):
        aid, problems = make(model, language)
        if aid.blocks:
            yield _Document(aid, problems, place, "aid.typ.j2", partial(aid_values, aid), name)
    missions = [definition for definition in definitions if is_sheet(definition)]
    for mission in (None, *missions):
        supplies, problems = supplies_of(model, language, mission, 1)
        about = mission.span if mission is not None else place
        of_game = "tokens" if mission is None else ""
        yield _Document(supplies, problems, about, "tokens.typ.j2", partial(supplies_values, supplies), of_game)
        if mission is None and _has_standees(supplies):
            yield _Document(supplies, (), about, "standees.typ.j2", partial(supplies_values, supplies), of_game)
    for mission in missions:
        story, problems = story_sheet(mission, model, language)
        if story.before or story.after:
            yield _Document(story, problems, mission.span, "story.typ.j2", partial(_sheet_values, story))
        yield from _maps(mission, model, language)
    for definition in definitions:
        if is_campaign(definition):
            sheet, problems = campaign_of(definition, model, language)
            for template in ("campaign.typ.j2", "log.typ.j2") if sheet.sites else ("log.typ.j2",):
                yield _Document(sheet, problems, definition.span, template, partial(_sheet_values, sheet))


def _maps(mission: Definition, model: Model, language: str) -> Iterator[_Document]:
    """Yield the map of a mission at playing scale, if it has one."""
    play_map, problems = play_map_of(mission, model, language, next(iter(papers().values())))
    if play_map is None:
        return

    def values(paper: str) -> dict[str, object]:
        laid, _ = play_map_of(mission, model, language, papers()[paper])
        assert laid is not None
        return play_map_values(laid, paper)

    yield _Document(play_map, problems, mission.span, "playmap.typ.j2", values)


def _sheet_values(sheet: StorySheet | CampaignSheet, paper: str) -> dict[str, object]:
    on = papers()[paper]
    return {"sheet": sheet, "page_width": on.width, "page_height": on.height}


def aid_values(aid: Aid, paper: str) -> dict[str, object]:
    """Return the values of the template of an aid."""
    on, setup = papers()[paper], aid.setup
    pictured = {entry.title: entry.map for block in aid.blocks for entry in block.entries if entry.map is not None}
    blocks = tuple(
        replace(block, entries=tuple(replace(entry, map=entry.map and undrawn(entry.map)) for entry in block.entries))
        for block in aid.blocks
    )
    return {
        "aid": replace(aid, blocks=blocks, setup=setup and replace(setup, map=undrawn(setup.map))),
        "boards": {
            title: fill_page("map.svg.j2", {"map": drawn, "label": LABEL_LATER}) for title, drawn in pictured.items()
        },
        "map_svg": fill_page("map.svg.j2", {"map": setup.map, "label": LABEL_LATER}) if setup is not None else "",
        "page_width": on.width,
        "page_height": on.height,
    }
