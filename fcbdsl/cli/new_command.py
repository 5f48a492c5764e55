"""``fcb new``."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from fcbdsl.cli.main import FINE
from fcbdsl.cli.starter_languages import STARTED, in_languages

TEMPLATES = ("mission", "cards", "game")
OWN_GAME = "game"
"""The template without a shipped game."""
SOURCE = ".fcb"
LANG_HELP = "Languages of the project, such as en, fr or en,fr; the first is the default of print and play."
LANGUAGE_NAMES = {"en": "English", "fr": "French"}
FOLDERS = {
    "fcb.toml": "the project's title and languages",
    "cards/": "cards, with a commented example of each kind",
    "missions/": "missions, with a commented example",
    "systems/": "the rules of the game",
    "tests/": "tests, which `fcb test` runs; they are not printed",
    ".github/workflows/": "the same checks for every change that is pushed to GitHub",
}
"""Descriptions in a README of the files and folders that a project may have."""
UNREACHABLE = (
    "This fcb was installed from this machine, where GitHub cannot get it. Fill in FCB_SOURCE in "
    ".github/workflows/check.yml before GitHub runs it."
)
RESERVED = {"and", "or", "not", "where", "for"}
"""Words that cannot be the name of a system."""


@click.command("new", epilog="Example: fcb new my-pack && cd my-pack && fcb check")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", metavar="NAME", help="Game of the project. [default: the first that comes with fcb]")
@click.option(
    "--template", type=click.Choice(TEMPLATES), default="mission", help="Content of the new project. [default: mission]"
)
@click.option("--lang", "said_languages", metavar="LANGUAGES", default=STARTED[0], show_default=True, help=LANG_HELP)
@click.option("--title", help="Title that is printed on every piece. [default: the name of the folder]")
@click.pass_context
def command(
    ctx: click.Context, folder: Path, game: str | None, template: str, said_languages: str, title: str | None
) -> None:
    """Start a new project. DIR is a new or empty folder.

    The project checks, tests, plays and prints at once. It is a `mission` with its map, its clock and its tests;
    `cards` with a mission to try them in; or a whole `game` with its own rules. It comes with a README, settings
    for editors and a workflow for GitHub. fcb prints only your pieces, not those of the game that you use.
    """
    from fcbdsl.base.origin import Origin

    if template == OWN_GAME and game is not None:
        raise click.UsageError("--template game starts a new game; leave out --game.")
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty. Name an empty or a new folder.")
    languages = _languages(said_languages)
    files = _files(_game(game), template)
    mission = next(Path(name).stem for name in files if name.startswith("missions/"))
    name = title or re.sub(r"[\W_]+", " ", folder.resolve().name).strip().capitalize() or "My pack"
    source = Origin.of_installation().requirement()
    words = {"name": _name(folder.resolve().name), "title": name, "mission": mission, "source": source or ""}
    words["languages"] = ", ".join(f'"{language}"' for language in languages)
    words |= _of_readme(mission, languages, files, source)
    quoted = {**words, "title": _quoted(name)}
    texts: dict[Path, bytes] = {}
    for path, text in files.items():
        named = folder / _filled(path, words)
        text = in_languages(text, languages) if named.suffix == SOURCE else text
        texts[named] = _filled(text, words if named.suffix == ".md" else quoted).encode()
    _write_all(folder, texts)
    for named in texts:
        click.echo(named)
    if source is None:
        click.echo(f"\n{UNREACHABLE}", err=True)
    click.echo(f"\nNext: cd {shlex.quote(str(folder))}; {'; '.join(_commands(mission))}")
    ctx.exit(FINE)


def _write_all(folder: Path, texts: Mapping[Path, bytes]) -> None:
    """Write all files of a new project before printing anything; if one fails, remove those written before it."""
    from fcbdsl.base.files import write_atomically

    existed = folder.exists()
    try:
        for path, content in texts.items():
            write_atomically(path, content)
    except BaseException:
        for below in list(folder.iterdir()) if folder.exists() else ():
            if below.is_dir():
                shutil.rmtree(below, ignore_errors=True)
            else:
                below.unlink(missing_ok=True)
        if not existed and folder.exists():
            folder.rmdir()
        raise


def _commands(mission: str) -> dict[str, str]:
    """Return the first commands to run, each with its description."""
    return {
        "fcb check": "finds every problem in every file",
        "fcb test": "runs the tests in tests/",
        f"fcb play {mission} --bot sensible": "lets bots play; without --bot you play",
        "fcb render -o print": "prints PDF files",
    }


def _of_readme(mission: str, languages: Sequence[str], files: Iterable[str], source: str | None) -> dict[str, str]:
    """Return the parts of the README that depend on the project: its commands, its folders, how to get fcb."""
    from fcbdsl.base.origin import HOME, INSTALL_PAGE

    commands = _commands(mission)
    commands |= {
        f"fcb render --lang {language} -o print": f"prints in {LANGUAGE_NAMES[language]}" for language in languages[1:]
    }
    width = max(map(len, commands))
    tops = {path.partition("/")[0] for path in files if "/" in path}
    shown = {name: purpose for name, purpose in FOLDERS.items() if name.partition("/")[0] in {*tops, "fcb.toml"}}
    page = f"[how to install it]({INSTALL_PAGE})"
    return {
        "commands": "\n".join(f"{command:<{width}}  # {purpose}" for command, purpose in commands.items()),
        "folders": "\n".join(f"| `{name}` | {purpose} |" for name, purpose in shown.items()),
        "install": f"see {page}." if source is None else f'`python -m pip install "{source}"` ({page}).',
        "documentation": f"{HOME}/blob/main/docs/index.md",
    }


def _languages(codes: str) -> list[str]:
    """Return the languages that ``en,fr`` lists. Refuse others than those of starters."""
    codes_listed = list(dict.fromkeys(code.strip().lower() for code in codes.split(",")))
    for code in codes_listed:
        if code not in STARTED:
            starters = " and ".join(STARTED)
            raise click.UsageError(
                f"fcb has no starter in {code!r}, only in {starters}. To add a language, see `fcb i18n`."
            )
    return codes_listed


def _game(wanted: str | None) -> str:
    """Return the wanted game of those that come with fcb. Refuse others."""
    from fcbdsl.base.diagnostics import Problems, suggest
    from fcbdsl.base.files import PROJECT_FILE
    from fcbdsl.project.paths import shipped_path
    from fcbdsl.project.settings import read_projects

    games = [project.game for project in read_projects(shipped_path(PROJECT_FILE).parent, Problems())]
    if wanted is None or wanted in games:
        return wanted or games[0]
    near = suggest(wanted, games)
    hint = f"Did you mean {near}?" if near else f"There are: {', '.join(games)}."
    raise click.UsageError(f"There is no game {wanted!r}. {hint}")


def _files(game: str, template: str) -> dict[str, str]:
    """Return the texts of a template, by their paths in the project."""
    from fcbdsl.project.paths import shipped_path

    starters = shipped_path("starters")
    out: dict[str, str] = {}
    for folder in (starters / "common", starters / template if template == OWN_GAME else starters / game / template):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = file.relative_to(folder).as_posix()
            out[re.sub(r"(^|/)dot-", r"\1.", name)] = file.read_text(encoding="utf-8")
    return out


def _filled(text: str, words: dict[str, str]) -> str:
    """Return a text of a template with ``@words@`` filled in."""
    return re.sub(r"@(\w+)@", lambda match: words[match[1]], text)


def _name(folder: str) -> str:
    """Return a name in the language, from that of a folder; none that a shipped system has."""
    from fcbdsl.project.paths import shipped_path

    name = "-".join(re.findall(r"[^\W_]+", folder.lower()))
    taken = {path.stem for path in shipped_path("systems").iterdir()} | RESERVED
    return name if re.fullmatch(r"[^\W\d]\w*(?:-\w+)*", name) and name not in taken else f"my-{name or 'pack'}"


def _quoted(title: str) -> str:
    """Return a title for use between quotes, in TOML and in the language, on one line."""
    printable = "".join(letter for letter in title if letter.isprintable())
    return printable.replace("\\", "\\\\").replace('"', '\\"')
