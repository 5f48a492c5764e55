"""``fcb i18n``."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.groups import SuggestingGroup
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.base.catalog import Catalog
    from fcbdsl.language.model.whole import Model
    from fcbdsl.project.project import Loader
    from fcbdsl.tools.translation.progress import Standing, Work


def _language(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Read a code of two letters other than that of the source language."""
    if value is not None and (not re.fullmatch("[a-z]{2}", value) or value == "en"):
        raise click.BadParameter("write two letters, such as fr or de; en is the language of the sources.")
    return value


@click.group(
    "i18n",
    cls=SuggestingGroup,
    epilog="Example: fcb i18n export de -o de.po && fcb i18n import de.po && fcb i18n status de",
)
def command() -> None:
    """Translate a game with PO files.

    Export all texts, translate them, and import the file. A translation can change only the words of a text, never
    the game. See "Translate a game" in the documentation.
    """


@command.command("export", epilog="Example: fcb i18n export de --game escape -o de.po")
@click.argument("language", metavar="LANG", callback=_language)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file. [default: standard output]",
)
@click.option("--open", "open_only", is_flag=True, help="Export only texts that are missing, stale or fuzzy.")
@common.shipped_option
def _export(language: str, output: Path | None, open_only: bool) -> None:
    """Write the texts of a game as PO. The file contains the translations so far.

    The name of an entry (msgctxt) says what the text belongs to. Comments show its place, its rules text, and how
    its words are translated elsewhere. A text that has changed since its translation is fuzzy, and the entry
    contains the old text.
    """
    from fcbdsl.base.files import write_atomically
    from fcbdsl.tools.translation.export import sent

    loader, model = _sound(language)
    text = sent(loader, model, language, open_only=open_only)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text.encode("utf-8"))
        click.echo(output)


@command.command("import", epilog="Example: fcb i18n import de.po --game escape")
@click.argument("file", type=common.READABLE)
@click.option("--check", "only_check", is_flag=True, help="Show the changes; write nothing.")
@common.shipped_option
@click.pass_context
def _import(ctx: click.Context, file: Path, only_check: bool) -> None:
    """Import translations from a PO file.

    fcb changes a text between its quotes if the source has it in that language. It writes all others to
    translations/LANG.po. It skips fuzzy entries. It also skips entries whose text has changed or can't be printed;
    it then names them and exits with 1.
    """
    from fcbdsl.tools.translation.import_texts import NoPlace, import_catalog

    loader, model = _sound()
    catalog = _catalog(file)
    try:
        intake = import_catalog(loader, model, catalog)
    except NoPlace:
        raise click.UsageError("Files without a fcb.toml have no folder for translations.") from None
    paths = [source.path for source in intake.sources] + list(intake.catalogs)
    for path in paths if only_check else intake.write():
        click.echo(_seen(path))
    for key, why in intake.refused:
        click.echo(f"{key}: {why}", err=True)
    counts = [(intake.edited, "changed in sources"), (intake.kept, "already in the translation files")]
    counts += [(intake.unchanged, "as before"), (intake.empty, "missing"), (intake.fuzzy, "fuzzy: left out")]
    counts += [(len(intake.refused), "refused")]
    click.echo("; ".join(f"{number} {what}" for number, what in counts if number) + ".", err=True)
    ctx.exit(PROBLEMS if intake.refused else FINE)


@command.command("status", epilog="Example: fcb i18n status de --game escape --strict")
@click.argument("languages", metavar="[LANG]...", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Format of the report. [default: text]",
)
@click.option("--list", "listed", is_flag=True, help="List every text without an up-to-date translation.")
@click.option("--strict", is_flag=True, help="Exit with 1 if a text is missing, stale or fuzzy.")
@common.shipped_option
@click.pass_context
def _status(ctx: click.Context, languages: tuple[str, ...], form: str, listed: bool, strict: bool) -> None:
    """Count translated, missing and stale texts. The table has a row for each language and file.

    A translation is stale if its text has changed since. LANG defaults to all languages of the project.
    """
    from fcbdsl.tools.translation.progress import countable_texts, work_by_file, work_of

    for code in languages:
        _language(ctx, ctx.command.params[0], code)
    loaders = common.load_scope(tests=False)
    models = common.sound_models(loaders)
    data = []
    wanting = False
    for loader, model in zip(loaders, models, strict=True):
        codes = dict.fromkeys([*model.languages, *model.translated])
        for language in languages or [code for code in codes if code != model.unlabelled()]:
            work = countable_texts(work_of(loader, model, language))
            files = work_by_file(work)
            row = {"game": loader.project.game, "language": language, "total": len(work), "files": files}
            row["open"] = {text.telling.key: text.standing for text in work if text.standing != "translated"}
            data.append(row)
            wanting = wanting or bool(row["open"])
            if form == "text":
                _print_progress(loader.project.game, language, files, work, listed)
    if form == "json":
        click.echo(json.dumps(data, ensure_ascii=False, indent=1))
    elif not data:
        click.echo("The project has one language: there is nothing to translate. `fcb i18n export LANG` adds one.")
    ctx.exit(PROBLEMS if strict and wanting else FINE)


def _print_progress(
    game: str, language: str, files: dict[str, dict[Standing, int]], work: Sequence[Work], listed: bool
) -> None:
    """Print the progress of a language."""
    from fcbdsl.tools.translation.progress import STANDINGS

    done = sum(row["translated"] for row in files.values())
    whose = f"{game}, " if game else ""
    share = f"{100 * done // len(work)} %" if work else "nothing to translate"
    click.echo(f"{whose}{language}: {done} of {len(work)} texts ({share})")
    open_ = [text for text in work if text.standing != "translated"]
    if not open_:
        return
    width = max(len(name) for name in files)
    click.echo(f"  {'':{width}}  " + "  ".join(f"{standing:>10}" for standing in STANDINGS))
    for name, row in files.items():
        if row["translated"] < sum(row.values()):
            click.echo(f"  {name:{width}}  " + "  ".join(f"{row[standing] or '':>10}" for standing in STANDINGS))
    for text in open_ if listed else ():
        click.echo(f"  {text.standing}: {text.telling.key}")


@command.command("seal", epilog="Example: fcb i18n seal fr")
@click.argument("language", metavar="LANG", callback=_language)
@common.shipped_option
def _seal(language: str) -> None:
    """Mark all translations as up to date. fcb keeps a hash of each translation and its original.

    From then on a translation is stale if only its original changes. `fcb check` warns of it, and `fcb i18n status`
    counts it.
    """
    from fcbdsl.base.files import write_atomically
    from fcbdsl.tools.translation.import_texts import NoPlace, seals_file

    loaders = common.load_scope(tests=False)
    for loader, model in zip(loaders, common.sound_models(loaders), strict=True):
        try:
            path, text = seals_file(loader, model, language)
        except NoPlace:
            raise click.UsageError("Files without a fcb.toml have no folder for translations.") from None
        write_atomically(path, text.encode("utf-8"))
        click.echo(f"{_seen(path)}: {common.count(text.count(chr(10)) - 1, 'text')}")


def _seen(path: Path) -> Path:
    """Return a path relative to the working folder, if it is inside."""
    path, here = path.resolve(), Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _sound(missing: str = "") -> tuple[Loader, Model]:
    """Return the game in the scope, without errors. The unavailable language `missing` is no error."""
    from fcbdsl.base.diagnostics.files import UnavailableLanguage

    loader = common.only_loader(common.load_scope(tests=False))
    for problem in loader.problems.taken():
        if not isinstance(problem, UnavailableLanguage) or problem.arguments["code"] != missing:
            loader.problems.add(problem)
    return loader, common.sound_models([loader])[0]


def _catalog(file: Path) -> Catalog:
    """Read a file of translations; if it has errors, report them and leave."""
    from fcbdsl.base import bounds
    from fcbdsl.base.catalog import read_catalog
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.language.syntax.decoding import read_source

    source, read_problems = read_source(str(file), common.read_up_to(file, bounds.FILE_BYTES))
    problems = Problems(read_problems)
    catalog = read_catalog(source, problems) if source is not None else None
    common.report(problems.sorted())
    if catalog is None or any(problem.severity == "error" for problem in problems):
        common.leave_with(f"{file} was not imported.")
    if catalog.language == "en":
        raise click.UsageError("English texts are in the sources; change them there.")
    return catalog
