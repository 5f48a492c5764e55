"""``fcb render``."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcbdsl.base.records import dataclass
from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fcbdsl.cli.reprinting import LastPrint
    from fcbdsl.language.model.content import Definition
    from fcbdsl.language.model.whole import Model
    from fcbdsl.print.press.options import Options
    from fcbdsl.print.press.press import Rendered, Since
    from fcbdsl.project.project import Loader
    from fcbdsl.project.settings import Project

PAPERS = ("a4", "letter", "a3")
BACKS = ("long", "short", "fold", "separate", "none")
CUT, SIGHTS = "cut", ("gray", "deutan")
"""Copies of values of the press, so that `--help` need not import it; a test compares them."""


def _offset(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float]:
    """Read an offset such as ``0.5,-1``: millimeters to the right and down."""
    if value is None:
        return (0.0, 0.0)
    match = re.fullmatch(r"(-?\d{1,2}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)", value)
    if match is None:
        raise click.BadParameter("write millimeters to the right and down, such as 0.5,-1")
    return (float(match[1]), float(match[2]))


@click.command("render", epilog="Example: fcb render loot/ hero/1-3 --lang fr --cut gutter --backs short -o out")
@click.argument("ids", nargs=-1)
@common.language_option("Language of the print.")
@click.option("--paper", type=click.Choice(PAPERS), default="a4", help="Paper size. [default: a4]")
@click.option(
    "--to",
    "form",
    type=click.Choice(["pdf", "html", "png", "tts"]),
    help="File format; html is one web page, tts is for Tabletop Simulator. [default: pdf]",
)
@click.option(
    "--copies",
    type=click.Choice(["game", "one"]),
    default="game",
    help="Print all copies, or one of each piece. [default: game]",
)
@click.option(
    "--backs",
    type=click.Choice(BACKS),
    default="long",
    help="How backs are printed: turn over the long or short edge, fold, separate file, or none. [default: long]",
)
@click.option(
    "--cut",
    type=click.Choice(["butt", "gutter"]),
    default="butt",
    help="Space between pieces: none (butt) or a gap (gutter). [default: butt]",
)
@click.option("--bleed", type=click.FloatRange(0, 10), help="Bleed in millimeters. [default: as much as fits]")
@click.option(
    "--ink",
    type=click.Choice(["full", "save"]),
    default="full",
    help="Print in full color, or outlines only. [default: full]",
)
@click.option("--offset", callback=_offset, metavar="X,Y", help="Move backs right and down, in millimeters.")
@click.option("--one-up", is_flag=True, help="Make one page with bleed for each side of a piece.")
@click.option(
    "--shop", default="", metavar="NAME", help="Make files for this print shop; an unknown NAME lists the shops."
)
@click.option(
    "--proof",
    type=click.Choice([CUT, *SIGHTS]),
    is_flag=False,
    flag_value=CUT,
    help="Draw the cut and the safe zone (cut), or show pages in gray or as color-blind players see them. [alone: cut]",
)
@click.option("--calibrate", is_flag=True, help="Print only a page that measures your printer.")
@click.option("--prepress", is_flag=True, help="Print text in black ink only, and report the ink use.")
@click.option(
    "--profile",
    type=common.READABLE,
    help="ICC profile of the press; with --prepress fcb makes PDF/X-4.",
)
@click.option("--cut-paths", is_flag=True, help="Also write SVG files for cutting machines.")
@click.option("--boxes", is_flag=True, help="Also print a folding box for each deck.")
@click.option("--dividers", is_flag=True, help="Also print a divider for each deck.")
@click.option(
    "--thickness",
    type=click.FloatRange(0.1, 5),
    default=0.32,
    help="Thickness of a card for boxes, in millimeters. [default: 0.32]",
)
@click.option(
    "--sleeve",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Thickness of a sleeve's film for boxes, in millimeters. [default: 0]",
)
@click.option("--since", "revision", metavar="REV", help="Print only pieces that changed since this git revision.")
@click.option("--dpi", type=click.IntRange(36, 1200), default=300, help="Pixels per inch of PNG files. [default: 300]")
@click.option("--watch", is_flag=True, help="Print again after each change, until Ctrl-C.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Write the files to this folder."
)
@click.option("--compare", is_flag=True, help="Show texts written by hand beside the generated ones.")
@click.option("--aids", is_flag=True, help="Print player aid, rules reference and tokens, alone or with the IDS.")
@click.option("--maps", is_flag=True, help="Print maps at playing scale, alone or with the IDS.")
@click.option("--for", "mission", metavar="MISSION", help="Print everything that a table needs for this mission.")
@click.option("--players", type=click.IntRange(1, 16), help="Number of players for --for. [default: the most]")
@click.option("--base-url", default="", metavar="URL", help="Address of the pictures for --to tts.")
@common.strict_option
@common.shipped_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    ids: tuple[str, ...],
    language: str | None,
    form: str | None,
    output: Path | None,
    compare: bool,
    aids: bool,
    maps: bool,
    mission: str | None,
    players: int | None,
    base_url: str,
    strict: bool,
    calibrate: bool,
    watch: bool,
    revision: str | None,
    proof: str | None,
    **choices: Any,
) -> None:
    """Print cards, boards, sheets and player aids. Without IDS fcb prints the whole project.

    IDS are ids (rope, tool/rope), printed numbers of a kind (tool/3, tool/3-7), or all of a kind (tool/). fcb
    prints nothing while the project has errors. It names a piece whose text does not fit, leaves it out, and exits
    with 1. Each game of a project has its own folder. See "Print at home" in the documentation.
    """
    from fcbdsl.print.press.options import Options as Chosen
    from fcbdsl.print.press.options import refusals
    from fcbdsl.print.press.shops import shops

    options = Chosen(proof=proof == CUT, sight=proof if proof in SIGHTS else "", **choices)
    form = form or (shops()[options.shop].form if options.shop in shops() else "pdf")
    for refusal in refusals(options, form):
        raise click.UsageError(refusal)
    if watch and (compare or calibrate):
        raise click.UsageError("Use --watch without --compare and --calibrate.")
    if compare:
        _compare(options, ids, language, form, output, strict)
        return
    if form == "tts" and (mission is None or watch or revision is not None):
        raise click.UsageError("--to tts sets up one mission: name it with --for, and leave out --watch and --since.")
    if options.shop and (aids or maps):
        raise click.UsageError("--shop prints only cards and boards. Use --aids and --maps without it.")
    if base_url and form != "tts":
        raise click.UsageError("--base-url is the address of the pictures of --to tts; use both together.")
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output': the folder.")
    if calibrate:
        _calibrate(options, ids, language, form, output)
        return
    if watch and revision is not None:
        raise click.UsageError("Use either --watch (later changes) or --since (earlier changes).")
    job = _Job(ids, language, form, output, aids, maps, mission, players, strict, revision, options, base_url)
    if watch:
        _watch(job)
    else:
        ctx.exit(_print(job, None))


@dataclass(frozen=True, slots=True)
class _Job:
    """A print job: what to print, where and how."""

    ids: tuple[str, ...]
    language: str | None
    form: str
    output: Path
    aids: bool
    maps: bool
    mission: str | None
    players: int | None
    strict: bool
    revision: str | None
    options: Options
    base_url: str


def _watch(job: _Job) -> None:
    """Print, and print changed pieces again after each change, until interrupted. Errors are reported, not fatal."""
    from fcbdsl.cli.reprinting import LastPrint
    from fcbdsl.project import file_watcher

    last = LastPrint()
    loaders = common.load_scope(tests=False)
    watcher = file_watcher.Watcher(lambda: file_watcher.files_state(loaders, job.output))
    try:
        _tried(job, last)
        click.echo(f"Watching {common.count(watcher.count, 'file')}; Ctrl-C ends it.", err=True)
        for files in file_watcher.file_changes(watcher, file_watcher.rest):
            click.echo(f"Changed: {', '.join(path.name for path in files)}.", err=True)
            _tried(job, last)
    except KeyboardInterrupt:
        pass
    click.echo("No longer watching.", err=True)


def _tried(job: _Job, last: LastPrint) -> None:
    """Print; report a refusal without leaving."""
    try:
        _print(job, last)
    except click.exceptions.Exit:
        pass  # it has printed the reason
    except click.ClickException as refused:
        refused.show()


MUCH_MEMORY = 150
"""Megabytes of this process from which it gives back what only checks need. Typst needs as much at the same time."""


def _print(job: _Job, last: LastPrint | None) -> int:
    """Print a job and report it; return the exit code. `last`: print only changes since then, and update it."""
    import gc

    from fcbdsl.base.diagnostics import Problems
    from fcbdsl.base.memory import memory_in_use, return_memory
    from fcbdsl.cli import kept_prints
    from fcbdsl.cli.reprinting import AIDS, still_wanted
    from fcbdsl.language.model.ir.node import forget_walks
    from fcbdsl.print.pieces.printables import is_sheet, languages_on_request, own, printable
    from fcbdsl.print.pieces.selection import selected_definitions as chosen_of
    from fcbdsl.print.pieces.selection import selection_name
    from fcbdsl.print.pieces.sets import needed_for
    from fcbdsl.print.press.cutting import NoRoomForMarks
    from fcbdsl.print.press.imposition import TooLargeForPaper
    from fcbdsl.print.press.options import ON_SCREENS
    from fcbdsl.print.press.press import Rendered, render, try_to_print
    from fcbdsl.project.analysis import no_test

    ids, language, form, output, options = job.ids, job.language, job.form, job.output, job.options
    aids, mission, players, strict, revision = job.aids, job.mission, job.players, job.strict, job.revision
    loaders = common.load_scope(tests=False)
    analyses = common.sound(loaders, strict, needed=no_test, keeps_model=True)
    if players is not None and mission is None:
        raise click.UsageError("--players needs a mission: name it with --for.")
    if mission is not None and ids:
        raise click.UsageError("--for selects everything that its mission needs; leave out IDS.")
    keys = _keys(job, loaders) if last is None else []
    stored_prints = [kept_prints.load_print(key) for key in keys]
    if stored_prints and None not in stored_prints:
        again = [
            kept_prints.write_print(prints or (), output / loader.project.game)
            for prints, loader in zip(stored_prints, loaders, strict=True)
        ]
        return _finish(job, [rendered for prints in again for rendered in prints])
    models = [analysis.model for analysis in analyses]
    if memory_in_use() > MUCH_MEMORY:
        for analysis in analyses:
            analysis.forget_programs()
        forget_walks()
        gc.collect()
        return_memory()
    ids = (f"mission/{mission}",) if mission is not None else ids
    _check_selected(ids, models)
    printed: list[Rendered] = []
    same = False
    for at, (loader, model) in enumerate(zip(loaders, models, strict=True)):
        chosen = [wanted for wanted in ids if _has(model, wanted)]
        if ids and not chosen:
            if keys:
                kept_prints.store_print(keys[at], (), output)
            continue
        folder = output / loader.project.game
        spoken = common.checked_language(language, languages_on_request(model))
        since = _since(loader.project, model, revision, spoken) if revision is not None else None
        scene = model.definitions["mission", mission] if mission is not None else None
        table = 0
        if scene is not None:
            table = _players(model, scene, players)
            on_table = needed_for(scene, model)
            chosen = [
                f"{definition.kind.id}/{definition.id}" for definition in printable(model) if definition in on_table
            ]
        printings: list[Rendered] = []
        game = f"{model.system or 'cards'}"
        cards = f"cards-for-{mission}" if mission else ""
        for_home = scene is not None and not options.shop
        with_aids = aids or for_home
        changed = last.changed(loader.project.game, model, spoken) if last is not None else None
        if changed is not None:
            within = chosen_of(model, chosen, Problems()) if chosen or not aids else []
            sheets = {f"{definition.kind.id}/{definition.id}": is_sheet(definition) for definition in within}
            changed = [key for key in changed if key in sheets or not ids or (with_aids and key == AIDS)]
            if not changed:
                click.echo("Nothing prints differently.", err=True)
                same = True
                continue
            click.echo(f"Prints differently: {', '.join(changed)}.", err=True)
            if form != "html":
                cards = cards or selection_name(chosen)
                chosen = still_wanted(sheets, changed)
        anew = changed is None or AIDS in changed
        try:
            if form == "tts" and scene is not None:
                from fcbdsl.print.export.tabletop_simulator import render_tabletop

                printings.append(
                    try_to_print(
                        game, partial(render_tabletop, model, scene, table, spoken, folder, job.base_url), model
                    )
                )
            elif form == "html":
                from fcbdsl.print.export.webpage import render_page

                called = f"{model.system}-for-{mission}" if mission else ""
                alone = language is not None
                printings.append(render_page(model, chosen, spoken, folder, options, since, called, with_aids, alone))
            elif (ids or not (aids or job.maps)) and (chosen or changed is None):
                printed_by = partial(render, model, chosen, spoken, options.paper, form, folder, options, since, cards)
                printings.append(try_to_print(game, printed_by, model))
        except TooLargeForPaper as large:
            raise click.UsageError(
                f"A {large.size.name} with its bleed is too large for {large.paper.title}."
            ) from large
        except NoRoomForMarks:
            raise click.UsageError("The pieces leave no room for registration marks: try --paper or --cut.") from None
        everything = not (ids or job.maps or since or options.shop or options.one_up)
        if form not in ON_SCREENS:
            about = [scene] if scene is not None else [definition for definition in own(model) if is_sheet(definition)]
            if anew and (with_aids or everything):
                from fcbdsl.print.press.table_sheets import render_aids, render_campaigns, render_stories, render_tokens
                from fcbdsl.project.examples import worked_examples

                lent = () if with_aids else _unchanged_aids(loader, model, spoken)
                read = analyses[at].model_with_tests
                examples, wrong = worked_examples(loader, spoken, read) if "reference" not in lent else ((), [])
                if wrong:
                    printings.append(Rendered((), tuple(wrong), ()))
                aids_of = partial(render_aids, model, spoken, form, folder, options, lent, examples, scene)
                printings.append(try_to_print("aids", aids_of, model))
                if "tokens" not in lent:
                    tokens = partial(render_tokens, model, spoken, form, folder, options, scene, table)
                    printings.append(try_to_print("tokens", tokens, model))
                if lent:
                    names = ", ".join(_AIDS[aid] for aid in lent)
                    note = f"Not printed, as they are those of the game: {names}. --aids prints them."
                    printings.append(Rendered((), (), (), (note,)))
                stories = partial(render_stories, model, spoken, form, folder, options, about)
                printings.append(try_to_print("stories", stories, model))
                if scene is None:
                    campaigns = partial(render_campaigns, model, spoken, form, folder, options)
                    printings.append(try_to_print("campaigns", campaigns, model))
            if job.maps or for_home:
                from fcbdsl.print.press.table_sheets import render_maps

                wanted_maps = [definition for definition in about if not ids or _is_wanted(definition, chosen)]
                maps = partial(render_maps, model, spoken, form, folder, options, wanted_maps)
                printings.append(try_to_print("maps", maps, model))
        elif form == "html" and (with_aids or job.maps or everything):
            click.echo("A web page has no tokens and no maps at playing scale.", err=True)
        if keys:
            kept_prints.store_print(keys[at], printings, folder)
        for rendered in printings:
            _report(rendered)
        printed += printings
    return _finish(job, printed, reported=True, same=same)


_AIDS = {"aid": "player aid", "reference": "rules reference", "tokens": "tokens"}
"""The words for the aids of a game in messages, by the name of the aid."""


def _unchanged_aids(loader: Loader, model: Model, language: str) -> tuple[str, ...]:
    """Return which aids of its game a pack does not change."""
    from fcbdsl.project.analysis.lent_aids import unchanged_aids
    from fcbdsl.project.examples import own_example_files

    unchanged = unchanged_aids(loader, model, [language])
    unchanged_aids_named = [aid for aid in _AIDS if (language, aid) in unchanged]
    return tuple(aid for aid in unchanged_aids_named if aid != "reference" or not own_example_files(loader))


def _keys(job: _Job, loaders: Sequence[Loader]) -> list[str]:
    """Return the keys under which the prints of a job are kept.

    There are none if the prints depend on more than sources and options, or may remove files of an earlier print.
    """
    from fcbdsl.cli import kept_prints
    from fcbdsl.project.examples import examples_text

    if job.form != "pdf" or job.revision is not None or job.options.profile is not None or job.options.cut_paths:
        return []
    settings = repr((job.ids, job.language, job.aids, job.maps, job.mission, job.players, job.options))
    keys = [kept_prints.key_of_print(loader, settings + examples_text(loader)) for loader in loaders]
    return [key for key in keys if key is not None] if None not in keys else []


def _report(rendered: Rendered) -> None:
    """Print the problems, files and notes of a print."""
    common.report(list(rendered.problems))
    for file in rendered.files:
        click.echo(file)
    for note in rendered.notes:
        click.echo(note, err=True)


def _finish(job: _Job, printed: Sequence[Rendered], reported: bool = False, same: bool = False) -> int:
    """Return the exit code of a job; leave with PROBLEMS if pieces were left out or nothing was printed.

    `reported`: its prints are reported already; `same`: nothing has changed since the last print."""
    for rendered in () if reported else printed:
        _report(rendered)
    left_out = [key for rendered in printed for key in rendered.left_out]
    if left_out:
        common.leave_with(f"Left out: {', '.join(left_out)}.")
    if not same and not any(rendered.files for rendered in printed):
        since = f"Nothing has changed since {job.revision}." if job.revision else "There is nothing to print."
        common.leave_with(since)
    problems = [problem for rendered in printed for problem in rendered.problems]
    return PROBLEMS if any(problem.severity == "error" or job.strict for problem in problems) else FINE


def _since(project: Project, model: Model, revision: str, language: str) -> Since:
    """Return what was printed at a revision, and report the pieces removed since. Refuse unknown revisions."""
    from fcbdsl.print.pieces.printables import printable
    from fcbdsl.print.press.press import since_of
    from fcbdsl.project.revisions import NoHistory, commit_of, model_at

    try:
        commit = commit_of(project, revision)
        since = since_of(commit.name, model_at(project, commit.name), language)
    except NoHistory as nothing:
        raise click.UsageError(f"--since {revision}: {nothing}.") from nothing
    here = {(definition.kind.id, definition.id) for definition in printable(model)}
    gone = [f"{kind}/{id}" for kind, id in since.stamps if (kind, id) not in here]
    if gone:
        click.echo(f"Not printed any more since {commit.name}: {', '.join(gone)}.", err=True)
    return since


def _compare(
    options: Options, ids: Sequence[str], language: str | None, form: str, output: Path | None, strict: bool
) -> None:
    """Print handwritten texts beside the generated ones."""
    from fcbdsl.print.export.comparison import comparison_text, comparisons, with_parts, write_comparison
    from fcbdsl.print.pieces.printables import languages_on_request
    from fcbdsl.print.pieces.selection import matching
    from fcbdsl.print.typeset.typesetting import CannotTypeset

    loaders = common.load_scope(tests=False)
    models = common.sound_models(loaders, strict)
    _check_selected(ids, models)
    for loader, model in zip(loaders, models, strict=True):
        chosen = with_parts(list(model.definitions.values()))
        named = [{id(part) for part in with_parts(matching(chosen, wanted))} for wanted in ids]
        if ids and not any(named):
            continue
        spoken = (
            languages_on_request(model)
            if language is None
            else [common.checked_language(language, languages_on_request(model))]
        )
        pieces = comparisons(
            model,
            [definition for definition in chosen if not ids or any(id(definition) in each for each in named)],
            spoken,
        )
        common.heading(loaders, loader.project.game)
        click.echo("\n".join(map(comparison_text, pieces)) if pieces else "None: no text is written by hand.")
        if output is not None:
            folder = output / loader.project.game
            title = "Texts by hand"
            try:
                files = write_comparison(pieces, title, spoken[0], form, folder, options)
            except CannotTypeset as failed:
                common.leave_with(f"The comparison cannot be typeset: {failed}.")
            for file in files:
                click.echo(file)


def _calibrate(options: Options, ids: Sequence[str], language: str | None, form: str, output: Path) -> None:
    """Print the calibration page."""
    from fcbdsl.base import locales
    from fcbdsl.print.press.press import calibrate

    if ids or options.shop or options.one_up or form == "html":
        raise click.UsageError("--calibrate prints one page as PDF or PNG; leave out options for anything else.")
    if options.backs in ("fold", "none"):
        raise click.UsageError(f"--calibrate is for two-sided sheets, and --backs {options.backs} prints none.")
    for file in calibrate(
        options, common.checked_language(language, list(locales.languages_with("calibration"))), form, output
    ):
        click.echo(file)


def _players(model: Model, mission: Definition, wanted: int | None) -> int:
    """Return the number of players of a mission: the wanted one if allowed, or the most by default."""
    low, high = mission.players or model.players
    if wanted is not None and not low <= wanted <= high:
        raise click.UsageError(f"{mission.id} is for {low} to {high} players.")
    return wanted or high


def _is_wanted(definition: Definition, wanted: Sequence[str]) -> bool:
    """Return whether words select a definition."""
    from fcbdsl.print.pieces.selection import matching

    return any(matching([definition], word) for word in wanted)


def _has(model: Model, wanted: str) -> bool:
    """Return whether a word selects something of a game; the press reports what can't be printed."""
    from fcbdsl.print.pieces.selection import matching

    return bool(matching(list(model.definitions.values()), wanted))


def _check_selected(ids: Sequence[str], models: Sequence[Model]) -> None:
    """Refuse words that select nothing in any game."""
    from fcbdsl.base.diagnostics import suggest

    for wanted in ids:
        if any(_has(model, wanted) for model in models):
            continue
        kind, slash, name = wanted.rpartition("/")
        defined = [definition for model in models for definition in model.definitions.values()]
        kinds = sorted({kind.id for definition in defined for kind in definition.kind.lineage()})
        names = sorted({definition.id for definition in defined})
        if slash and kind not in kinds:
            near = suggest(kind, kinds)
            raise click.UsageError(f"There is no kind {kind!r}." + (f" Did you mean {near}?" if near else ""))
        near = suggest(name, names)
        raise click.UsageError(f"There is no definition {wanted!r}." + (f" Did you mean {near}?" if near else ""))
