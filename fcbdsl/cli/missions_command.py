"""``fcb missions``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.project.analysis import Analysis
    from fcbdsl.project.project import Loader

Listing = tuple[list[str], list[tuple[str, dict[str, str]]]]
"""The languages of a game, and for each mission its id and its titles by language."""


@click.command("missions", epilog="Example: fcb missions --long")
@common.program_option
@click.option("-l", "--long", "titles", is_flag=True, help="Show titles.")
@common.language_option("Language of the titles.")
def command(program_file: Path | None, titles: bool, language: str | None) -> None:
    """List the missions of a project. Each line is an id for `fcb play`.

    In a project of several games, missions are listed game by game; `--long` shows the game of each.
    """
    listings = _listings(program_file)
    for game, (languages, missions) in listings:
        spoken = common.checked_language(language, languages)
        width = max((len(id) for id, _ in missions), default=0)
        if titles:
            common.heading(listings, game)
        for id, texts in missions:
            title = texts.get(spoken) or texts.get("en") or next(iter(texts.values()), "")
            click.echo(f"{id:<{width}}  {title}".rstrip() if titles else id)


def _listings(file: Path | None) -> list[tuple[str, Listing]]:
    """Return the missions of the program in `file`, or those of all games of the project, each with the game's name."""
    if file is not None:
        return [("", _listing(common.of_file(file)))]
    loaders = common.load_scope(tests=False)
    analyses = common.sound(loaders)
    return [
        (loader.project.game, _missions_of(loader, analysis))
        for loader, analysis in zip(loaders, analyses, strict=True)
    ]


def _missions_of(loader: Loader, analysis: Analysis) -> Listing:
    """Return the missions of a game. For unchanged sources they come from the cache, without compiling."""
    from fcbdsl.base import cache
    from fcbdsl.project.project import project_key

    key, shape = project_key(loader, "missions"), tuple[list[str], list[tuple[str, dict[str, str]]]]
    listing: Listing | None = cache.load_result(key, lambda stored: cache.has_shape(stored, shape) and bool(stored[0]))
    if listing is None:
        listing = _listing(common.compile_game(analysis))
        cache.store_result(key, listing)
    return listing


def _listing(program: Program) -> Listing:
    """Return the languages of a program, and the id and titles of each mission."""
    rows = common.missions_of(program)
    titles = [(row.id, dict(program.texts[row.title]) if row.title >= 0 else {}) for row in rows]
    return common.program_languages(program), titles
