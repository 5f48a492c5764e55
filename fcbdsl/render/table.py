"""What a table needs besides cards and sheets: aids, the reference of the rules, tokens."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.diagnostics import Diagnostic, Problems
from fcbdsl.model.content import Definition
from fcbdsl.model.whole import Model
from fcbdsl.render.aids import aid_of, reference_of, span_of
from fcbdsl.render.formats import papers
from fcbdsl.render.glyphs import missing_glyphs
from fcbdsl.render.looks import check_looks
from fcbdsl.render.options import Options
from fcbdsl.render.press import Rendered, write_pages
from fcbdsl.render.proofs import HOME_PAPERS, misfit, once, spoken
from fcbdsl.render.selection import edition_of
from fcbdsl.render.tokens import supplies_of
from fcbdsl.render.typesetting import measured, typeset
from fcbdsl.render.views import Aid, Supplies


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
        if not any(aid.sides):
            continue
        made = typeset("aid.typ.j2", aid_values(aid, options.paper), to, options.dpi)
        wrong = [misfit(record, span_of(model), options.paper) for record in made.measures if record["over"]]
        problems.extend([*found, *wrong])
        if wrong:
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
    """Print tokens, trackers and tables of dice (``tokens.…``): for a `mission` and that many `players` what its table
    needs (``tokens-MISSION-PLAYERS.…``), else what the game has."""
    problems = Problems(check_looks(model))
    if problems.errors:
        return Rendered((), tuple(problems.sorted()))
    supplies, found = supplies_of(model, language, mission, players)
    made = typeset("tokens.typ.j2", supplies_values(supplies, options.paper), to, options.dpi)
    wrong = [misfit(record, span_of(model), options.paper) for record in made.measures if record["over"]]
    problems.extend([*found, *missing_glyphs(supplies, supplies.key, span_of(model)), *wrong])
    if wrong:
        return Rendered((), tuple(once(problems)), (supplies.key,))
    notes: list[str] = []
    name = "tokens" if mission is None else f"tokens-{mission.id}-{players}"
    files = write_pages(made, to, out, name + edition_of(model, language, options.paper), notes)
    return Rendered(tuple(files), tuple(once(problems)), (), tuple(notes))


def supplies_values(supplies: Supplies, paper: str) -> dict[str, object]:
    """The values of the template of tokens."""
    on = papers()[paper]
    return {"supplies": supplies, "page_width": on.width, "page_height": on.height}


def aid_problems(model: Model) -> list[Diagnostic]:
    """What is wrong with the words of the aids of a sound model, and where they don't fit, in each language and on each
    paper."""
    problems = Problems()
    for language in spoken(model):
        for make in (aid_of, reference_of):
            aid, found = make(model, language)
            problems.extend([*found, *missing_glyphs(aid, aid.key, span_of(model))])
            for paper in HOME_PAPERS if any(aid.sides) else ():
                made = measured("aid.typ.j2", aid_values(aid, paper))
                problems.extend(misfit(record, span_of(model), paper) for record in made.measures if record["over"])
        supplies, found = supplies_of(model, language)
        problems.extend([*found, *missing_glyphs(supplies, supplies.key, span_of(model))])
        made = measured("tokens.typ.j2", supplies_values(supplies, "a4"))
        problems.extend(misfit(record, span_of(model), "a4") for record in made.measures if record["over"])
    return list(once(problems))


def aid_values(aid: Aid, paper: str) -> dict[str, object]:
    """The values of the template of an aid."""
    on = papers()[paper]
    return {"aid": aid, "page_width": on.width, "page_height": on.height}
