"""What a table needs besides cards and sheets: aids, the reference of the rules, tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from fcbdsl.diagnostics import Diagnostic, Problems
from fcbdsl.model.content import Definition
from fcbdsl.model.whole import Model
from fcbdsl.records import dataclass
from fcbdsl.render.aids import aid_of, reference_of, span_of
from fcbdsl.render.campaigns import campaign_of, story_of
from fcbdsl.render.formats import papers
from fcbdsl.render.glyphs import missing_glyphs
from fcbdsl.render.looks import check_looks
from fcbdsl.render.options import Options
from fcbdsl.render.playing import play_map_of
from fcbdsl.render.press import Rendered, write_pages
from fcbdsl.render.proofs import (
    LABEL,
    Tell,
    failure,
    is_mission,
    is_unfit,
    misfit,
    offered,
    once,
    silent,
    spoken,
    undrawn,
)
from fcbdsl.render.selection import edition_of
from fcbdsl.render.tokens import supplies_of
from fcbdsl.render.typesetting import CannotTypeset, measured, typeset
from fcbdsl.render.views import Aid, CampaignSheet, PlayMap, StorySheet, Supplies
from fcbdsl.render.web import page
from fcbdsl.source import Span


def render_aids(model: Model, language: str, to: str, out: Path, options: Options) -> Rendered:
    """Print the player aid (``aid.…``) and the rules reference (``reference.…``) of a game into the folder `out`, as
    `press.render` prints its cards and sheets. Of the `options` paper and resolution matter."""
    problems = Problems(check_looks(model))
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    files: list[Path] = []
    left_out: list[str] = []
    notes: list[str] = []
    for name, make in (("aid", aid_of), ("reference", reference_of)):
        aid, found = make(model, language)
        found += missing_glyphs(aid, aid.key, span_of(model))
        if not aid.blocks:
            continue
        made = typeset("aid.typ.j2", aid_values(aid, options.paper), to, options.dpi, ink=options.ink)
        found += [misfit(record, span_of(model), options.paper) for record in made.measures if record["over"]]
        unfit = is_unfit(found)
        problems.extend(found)
        if unfit:
            left_out.append(aid.key)
        else:
            files += write_pages(made, to, out, name + edition_of(model, language, options.paper), notes)
    return Rendered(tuple(files), tuple(once(problems)), tuple(left_out), tuple(notes))


def render_tokens(
    model: Model,
    language: str,
    to: str,
    out: Path,
    options: Options,
    mission: Definition | None = None,
    players: int = 0,
) -> Rendered:
    """Print tokens, trackers and tables of dice (``tokens.…``), and figures to fold (``standees.…``): for a `mission`
    and that many `players` what its table needs (``tokens-MISSION-PLAYERS.…``), else what the game has."""
    problems = Problems(check_looks(model))
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    supplies, found = supplies_of(model, language, mission, players)
    made = typeset("tokens.typ.j2", supplies_values(supplies, options.paper), to, options.dpi, ink=options.ink)
    found += missing_glyphs(supplies, supplies.key, span_of(model))
    found += [misfit(record, span_of(model), options.paper) for record in made.measures if record["over"]]
    unfit = is_unfit(found)
    problems.extend(found)
    if unfit:
        return Rendered((), tuple(once(problems)), (supplies.key,))
    notes: list[str] = []
    ending = ("" if mission is None else f"-{mission.id}-{players}") + edition_of(model, language, options.paper)
    files = write_pages(made, to, out, f"tokens{ending}", notes)
    if any(disc.figure and disc.drawing for disc in supplies.discs):
        standing = typeset(
            "standees.typ.j2", supplies_values(supplies, options.paper), to, options.dpi, ink=options.ink
        )
        wrong = [misfit(record, span_of(model), options.paper) for record in standing.measures if record["over"]]
        problems.extend(wrong)
        if wrong:
            return Rendered(tuple(files), tuple(once(problems)), (f"standees/{supplies.key}",), tuple(notes))
        files += write_pages(standing, to, out, f"standees{ending}", notes)
    return Rendered(tuple(files), tuple(once(problems)), (), tuple(notes))


def render_stories(
    model: Model, language: str, to: str, out: Path, options: Options, missions: Sequence[Definition]
) -> Rendered:
    """Print what is read aloud of missions (``story-MISSION.…``): what comes before them on the front, what follows on
    the back. Missions that tell nothing have no such sheet."""
    made = [(mission, *story_of(mission, model, language)) for mission in missions]
    told = [(mission, sheet, found) for mission, sheet, found in made if sheet.before or sheet.after]
    jobs = [
        (f"story-{mission.id}{edition_of(model, language, options.paper)}", mission, "story.typ.j2", sheet, found)
        for mission, sheet, found in told
    ]
    return _sheets(jobs, model, to, out, options)


def render_campaigns(model: Model, language: str, to: str, out: Path, options: Options) -> Rendered:
    """Print the map (``campaign-ID.…``) and the log (``log-ID.…``) of each campaign of a game."""
    jobs: list[tuple[str, Definition, str, StorySheet | CampaignSheet, list[Diagnostic]]] = []
    for one in model.definitions.values():
        ending = one.id + edition_of(model, language, options.paper)
        if any(kind.id == "campaign" for kind in one.kind.lineage()):
            sheet, found = campaign_of(one, model, language)
            if sheet.sites:
                jobs.append((f"campaign-{ending}", one, "campaign.typ.j2", sheet, found))
            jobs.append((f"log-{ending}", one, "log.typ.j2", sheet, found))
    return _sheets(jobs, model, to, out, options)


def _sheets(
    jobs: Sequence[tuple[str, Definition, str, StorySheet | CampaignSheet, list[Diagnostic]]],
    model: Model,
    to: str,
    out: Path,
    options: Options,
) -> Rendered:
    """Set and write some sheets, each by its name, what it is about, its template, and what was missing for it."""
    problems = Problems(check_looks(model))
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    files: list[Path] = []
    notes: list[str] = []
    left_out: list[str] = []
    for name, about, template, sheet, found in jobs:
        made = typeset(template, _sheet_values(sheet, options.paper), to, options.dpi, ink=options.ink)
        found += missing_glyphs(sheet, sheet.key, about.span)
        found += [misfit(record, about.span, options.paper) for record in made.measures if record["over"]]
        unfit = is_unfit(found)
        problems.extend(found)
        if unfit:
            left_out.append(sheet.key)
        else:
            files += write_pages(made, to, out, name, notes)
    return Rendered(tuple(files), tuple(once(problems)), tuple(left_out), tuple(notes))


def render_maps(
    model: Model, language: str, to: str, out: Path, options: Options, missions: Sequence[Definition]
) -> Rendered:
    """Print the maps of missions at playing scale (``map-MISSION.…``), over as many sheets as they take."""
    problems = Problems(check_looks(model))
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    files: list[Path] = []
    notes: list[str] = []
    left_out: list[str] = []
    for mission in missions:
        made, found = play_map_of(mission, model, language, papers()[options.paper])
        if made is None:
            problems.extend(found)
            notes.append(f"{mission.id} has no map.")
            continue
        set_as = typeset("playmap.typ.j2", play_map_values(made, options.paper), to, options.dpi, ink=options.ink)
        found += missing_glyphs(made, made.key, mission.span)
        found += [misfit(record, mission.span, options.paper) for record in set_as.measures if record["over"]]
        unfit = is_unfit(found)
        problems.extend(found)
        if unfit:
            left_out.append(made.key)
        else:
            files += write_pages(
                set_as, to, out, f"map-{mission.id}{edition_of(model, language, options.paper)}", notes
            )
    return Rendered(tuple(files), tuple(once(problems)), tuple(left_out), tuple(notes))


def play_map_values(made: PlayMap, paper: str) -> dict[str, object]:
    """The values of the template of maps at playing scale."""
    drawn = [page("map.svg.j2", {"map": part.map, "label": LABEL}) for part in made.parts]
    on = papers()[paper]
    whole = page("map.svg.j2", {"map": made.map, "label": LABEL})
    told = replace(made, map=undrawn(made.map), parts=tuple(replace(one, map=undrawn(one.map)) for one in made.parts))
    return {"made": told, "whole": whole, "drawn": drawn, "page_width": on.width, "page_height": on.height}


def supplies_values(supplies: Supplies, paper: str) -> dict[str, object]:
    """The values of the template of tokens."""
    on = papers()[paper]
    return {"supplies": supplies, "page_width": on.width, "page_height": on.height}


def table_problems(model: Model, definitions: Sequence[Definition], tell: Tell = silent) -> list[Diagnostic]:
    """What is wrong with the words of the aids and tokens of a sound model, in each language; and where these, stories,
    sheets of campaigns and maps at playing scale don't fit, in each language and on each paper. `definitions`: the
    missions and campaigns among these. `tell`: see `fit_problems`."""
    problems = Problems()
    for language in offered(model):
        for document in _documents(model, definitions, language):
            if language in spoken(model):
                said = [*document.found, *missing_glyphs(document.view, document.view.key, document.span)]
                problems.extend(one for one in said if not model.proof_of(one.span))  # tests have places of their own
            for paper in papers():
                tell(f"{document.view.key}, {language}, {papers()[paper].title}")
                try:
                    made = measured(document.template, document.values(paper))
                except CannotTypeset as failed:
                    what = f"`{document.view.key}` ({language}, {papers()[paper].title})"
                    problems.extend([failure(failed, model, what, document.span)])
                    continue
                problems.extend(misfit(record, document.span, paper) for record in made.measures if record["over"])
    return list(once(problems))


@dataclass(frozen=True, slots=True)
class _Document:
    """What is printed besides cards and sheets of missions: its view, what was missing for it, where messages about it
    point, its template, and what fills that for a paper."""

    view: Aid | Supplies | StorySheet | CampaignSheet | PlayMap
    found: Sequence[Diagnostic]
    span: Span
    template: str
    values: Callable[[str], Mapping[str, object]]


def _documents(model: Model, definitions: Sequence[Definition], language: str) -> Iterator[_Document]:
    """All such documents of a game, of each as much as it ever holds."""
    place = span_of(model)
    for make in (aid_of, reference_of):
        aid, found = make(model, language)
        if aid.blocks:
            yield _Document(aid, found, place, "aid.typ.j2", partial(aid_values, aid))
    missions = [one for one in definitions if is_mission(one)]
    for mission in (None, *missions):
        supplies, found = supplies_of(model, language, mission, 1)
        about = mission.span if mission is not None else place
        yield _Document(supplies, found, about, "tokens.typ.j2", partial(supplies_values, supplies))
        if mission is None and any(disc.figure and disc.drawing for disc in supplies.discs):
            yield _Document(supplies, (), about, "standees.typ.j2", partial(supplies_values, supplies))
    for mission in missions:
        story, found = story_of(mission, model, language)
        if story.before or story.after:
            yield _Document(story, found, mission.span, "story.typ.j2", partial(_sheet_values, story))
        yield from _maps(mission, model, language)
    for one in definitions:
        if any(kind.id == "campaign" for kind in one.kind.lineage()):
            sheet, found = campaign_of(one, model, language)
            for template in ("campaign.typ.j2", "log.typ.j2") if sheet.sites else ("log.typ.j2",):
                yield _Document(sheet, found, one.span, template, partial(_sheet_values, sheet))


def _maps(mission: Definition, model: Model, language: str) -> Iterator[_Document]:
    """The map of a mission at playing scale, if it has one."""
    made, found = play_map_of(mission, model, language, next(iter(papers().values())))
    if made is None:
        return

    def values(paper: str) -> dict[str, object]:
        laid, _ = play_map_of(mission, model, language, papers()[paper])
        assert laid is not None
        return play_map_values(laid, paper)

    yield _Document(made, found, mission.span, "playmap.typ.j2", values)


def _sheet_values(sheet: StorySheet | CampaignSheet, paper: str) -> dict[str, object]:
    on = papers()[paper]
    return {"sheet": sheet, "page_width": on.width, "page_height": on.height}


def aid_values(aid: Aid, paper: str) -> dict[str, object]:
    """The values of the template of an aid."""
    on = papers()[paper]
    return {"aid": aid, "page_width": on.width, "page_height": on.height}
