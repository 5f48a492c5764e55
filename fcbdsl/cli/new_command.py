"""``fcb new``."""

from __future__ import annotations

import re
from pathlib import Path

import click

from fcbdsl.cli.main import FINE

TEMPLATES = ("mission", "cards", "game")
OWN_GAME = "game"
"""The template that is of no shipped game."""
RESERVED = {"and", "or", "not", "where", "for"}
"""Words that cannot be the name of a system."""


@click.command("new", epilog="Example: fcb new my-pack && cd my-pack && fcb check")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", metavar="NAME", help="The game it is for; the first of those that come with fcb unless said.")
@click.option("--template", type=click.Choice(TEMPLATES), default="mission", help="What to begin with.")
@click.option("--title", help="What is printed on every piece; the name of the folder unless said.")
@click.pass_context
def command(ctx: click.Context, folder: Path, game: str | None, template: str, title: str | None) -> None:
    """Begin a project in DIR, which is made, or is empty.

    What is begun with checks, tests, plays and prints at once: a `mission` with its map, its clock and its tests;
    `cards` with a mission to try them in; or a whole `game` with rules of its own. A README, settings for editors and
    a workflow for GitHub come with it. Other cards of the game are played by `use`, and not printed as yours.
    """
    from fcbdsl.files import write_atomically

    if template == OWN_GAME and game is not None:
        raise click.UsageError("--template game begins a game of its own: there is no --game to name.")
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty: name a folder that is, or is not there.")
    files = _files(_game(game), template)
    mission = next(Path(name).stem for name in files if name.startswith("missions/"))
    said = title or re.sub(r"[\W_]+", " ", folder.resolve().name).strip().capitalize() or "My pack"
    words = {"name": _name(folder.resolve().name), "title": said, "mission": mission}
    quoted = {**words, "title": _quoted(said)}
    for path, text in files.items():
        named = folder / _filled(path, words)
        write_atomically(named, _filled(text, words if named.suffix == ".md" else quoted).encode())
        click.echo(named)
    click.echo(f"\nNext: cd {folder}; fcb check; fcb test; fcb play {mission} --bot sensible; fcb render -o print")
    ctx.exit(FINE)


def _game(wanted: str | None) -> str:
    """The game that is meant, of those that come with fcb. Refuses others."""
    from fcbdsl.diagnostics import Problems, suggest
    from fcbdsl.project import PROJECT_FILE, read_projects, shipped

    games = [project.game for project in read_projects(shipped(PROJECT_FILE).parent, Problems())]
    if wanted is None or wanted in games:
        return wanted or games[0]
    near = suggest(wanted, games)
    hint = f"Did you mean {near}?" if near else f"There are: {', '.join(games)}."
    raise click.UsageError(f"There is no game {wanted!r}. {hint}")


def _files(game: str, template: str) -> dict[str, str]:
    """The texts of a template, by their paths in the project."""
    from fcbdsl.project import shipped

    starters = shipped("starters")
    out: dict[str, str] = {}
    for folder in (starters / "common", starters / template if template == OWN_GAME else starters / game / template):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = file.relative_to(folder).as_posix()
            out[re.sub(r"(^|/)dot-", r"\1.", name)] = file.read_text(encoding="utf-8")
    return out


def _filled(text: str, words: dict[str, str]) -> str:
    """A text of a template with ``@words@`` filled in."""
    return re.sub(r"@(\w+)@", lambda found: words[found[1]], text)


def _name(folder: str) -> str:
    """A name in the language, of that of a folder; none that a shipped system has."""
    from fcbdsl.project import shipped

    name = "-".join(re.findall(r"[^\W_]+", folder.lower()))
    taken = {path.stem for path in shipped("systems").iterdir()} | RESERVED
    return name if re.fullmatch(r"[^\W\d]\w*(?:-\w+)*", name) and name not in taken else f"my-{name or 'pack'}"


def _quoted(title: str) -> str:
    """A title as it stands between quotes, in TOML and in the language, on one line."""
    printable = "".join(one for one in title if one.isprintable())
    return printable.replace("\\", "\\\\").replace('"', '\\"')
