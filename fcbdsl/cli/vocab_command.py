"""``fcb vocab``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE

if TYPE_CHECKING:
    from fcbdsl.project.project import Loader
    from fcbdsl.tools.docs.word_reference import VocabEntry


@click.command("vocab", epilog="Example: fcb vocab place --format json")
@click.argument("word", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Format of the report. [default: text]",
)
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, word: str | None, form: str) -> None:
    """Look up the words of a game. fcb shows how to write each, what it means and prints, and an example.

    WORD is a word, its title in any language, or a part of either. Without WORD, fcb lists all words of the game
    and of the language.
    """
    matches: list[tuple[str, VocabEntry]] = []
    ids: dict[str, None] = {}
    for loader in common.load_scope(tests=False):
        words = _words(loader)
        ids |= dict.fromkeys(entry.id for entry in words)
        matches += [(loader.project.game, entry) for entry in (words if word is None else _matching(words, word))]
    if not matches:
        from fcbdsl.base.diagnostics import suggest

        near = suggest(word or "", list(ids))
        raise click.UsageError(f"There is no word {word!r}." + (f" Did you mean {near}?" if near else ""))
    if form == "json":
        rows = [({"game": game} if game else {}) | asdict(entry) for game, entry in matches]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        _print_words(matches, word is None)
    ctx.exit(FINE)


def _print_words(matches: list[tuple[str, VocabEntry]], listed: bool) -> None:
    """Print words: each with all of its facts, or only its syntax."""
    from fcbdsl.tools.docs.word_reference import entry_text

    games = dict.fromkeys(game for game, _ in matches)
    for game in games:
        common.heading(list(games), game)
        for _, entry in (row for row in matches if row[0] == game):
            click.echo(f"{entry.sort:<9} {entry.written}" if listed else f"{entry_text(entry)}\n")


def _words(loader: Loader) -> list[VocabEntry]:
    """Return the words of a game, with examples from its content."""
    from fcbdsl.project.paths import lies_in, shipped_path
    from fcbdsl.project.project import check_loaded
    from fcbdsl.tools.docs.word_reference import vocabulary_entries

    systems = [*loader.project.systems(), shipped_path("systems")]
    content = [source for source in loader.sources if not lies_in(Path(source.name), systems)]
    return vocabulary_entries(check_loaded(loader)[0], content)


def _matching(words: list[VocabEntry], wanted: str) -> list[VocabEntry]:
    """Return the words with that id or title; without one, those whose id, title or syntax contains it."""
    low = wanted.casefold()
    names = [(word, [name.casefold() for name in (word.id, *word.titles.values())]) for word in words]
    return [entry for entry, spellings in names if low in spellings] or [
        entry
        for entry, spellings in names
        if any(low in name for name in spellings) or low in entry.written.casefold().split()
    ]
