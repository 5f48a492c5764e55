"""Settings of a project: `fcb.toml`, its keys, and the project of each game in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import accumulate
from pathlib import Path
from typing import Any

from fcbdsl.base import bounds, locales
from fcbdsl.base.catalog import REFERENCE
from fcbdsl.base.diagnostics.files import (
    BadProjectFile,
    BadProjectSyntax,
    MissingPath,
    NewLanguage,
    OldLanguage,
    OutsideProject,
    UnreadableFile,
    UnsaidLanguage,
)
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.files import PROJECT_FILE, CannotRead, read_regular
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.base.versions import FIRST_LANGUAGE, LANGUAGE
from fcbdsl.base.visible import HIDDEN, visible
from fcbdsl.language.syntax.decoding import read_source
from fcbdsl.project import paths
from fcbdsl.project.paths import leads_below, shipped_path, shown_name

GAME = "{game}"
"""The placeholder for a game's name in the paths of a project file that lists `games`."""


@dataclass(frozen=True, slots=True)
class Project:
    """The content of ``fcb.toml``. `root` is None for loose files, which form a project without a folder.

    A file that lists `games` is one project for each of them; `game` is its name. A folder without a project file is a
    project with all the defaults, which includes the files in the folder itself (`bare`).
    """

    root: Path | None = None
    name: str = ""
    title: str = ""
    revision: str = ""
    paths: tuple[str, ...] = ("cards", "missions")
    tests: tuple[str, ...] = ("tests",)
    languages: tuple[str, ...] = ()
    variants: dict[str, str] = field(default_factory=dict)
    severity: dict[str, str] = field(default_factory=dict)
    coverage: dict[str, int] = field(default_factory=dict)
    wins: dict[str, tuple[int, int]] = field(default_factory=dict)
    rules: str = ""
    mutation: str = "mutation"
    translations: str = "translations"
    language: int = 0  # 0: not given
    bare: bool = False
    game: str = ""

    def folders(self, names: Iterable[str]) -> list[Path]:
        """Return those of some folders and files of the project that exist."""
        root = self.root or Path.cwd()
        return [root / name for name in names if (root / name).exists()]

    def content(self) -> list[Path]:
        """Return the folders and files of its content."""
        own = sorted(self.root.glob("*.fcb")) if self.root is not None and self.bare else []
        return [*self.folders(self.paths), *own]

    def catalogs(self, suffix: str) -> list[Path]:
        """Return the files of translations of the project, or of their hashes."""
        if self.root is None or not self.translations:
            return []
        return sorted((self.root / self.translations).glob(f"*{suffix}"))

    def systems(self) -> list[Path]:
        """Return the folders of systems: its own, then the shipped ones."""
        own = [self.root / "systems"] if self.root is not None else []
        return [*own, shipped_path("systems")]

    def system(self) -> Path | None:
        """Return the path of the system with the game's name; None if there is none."""
        places = (folder / name for folder in self.systems() for name in (self.game, f"{self.game}.fcb") if self.game)
        return next((path for path in places if path.exists()), None)

    def places(self) -> list[Path]:
        """Return all paths of the game itself: its content, its tests and its system."""
        system = self.system()
        return [*self.content(), *self.folders(self.tests), *([] if system is None else [system])]


def read_projects(root: Path, problems: Problems) -> tuple[Project, ...]:
    """Read ``fcb.toml``: a project for each game that it lists, else one. Wrong settings are reported and left out."""
    path = root / PROJECT_FILE
    source = read_project_file(path, bounds.SETTINGS_BYTES, problems)
    if source is None:
        return (Project(root),)
    try:
        data = _settings(source.text)
    except (ValueError, RecursionError) as error:
        problems.add(BadProjectSyntax(_toml_place(source, str(error)), what=f"it is not valid TOML: {error}"))
        return (Project(root),)
    good: dict[str, Any] = {}
    for key, value in data.items():
        span = span_of_key(source, key)
        if key not in KEYS:
            problems.add(BadProjectFile(span, what=f"`{key}` is not a key of this file", suggestion=suggest(key, KEYS)))
        elif key == "language":
            good[key] = _language(value, span, problems)
        elif key == "coverage" and isinstance(value, dict):
            good[key] = _coverage(value, source, problems)
        elif not isinstance(value, KEYS[key]) or not _are_words(value, deeper=key in PER_GAME and "games" in data):
            problems.add(BadProjectFile(span, what=f"`{key}` has the wrong type"))
        elif key == "severity" and isinstance(value, dict):
            good[key] = _severity(value, source, problems)
        elif key == "languages" and isinstance(value, list):
            good[key] = _languages(value, source, problems)
        elif key == "wins" and isinstance(value, dict):
            tables = value if "games" in data else {"": value}
            good[key] = {game: _wins(table, source, problems) for game, table in tables.items()}
        else:
            good[key] = tuple(value) if isinstance(value, list) else value
    if "language" not in data:
        problems.add(UnsaidLanguage(Span(source, 0, 0), current=LANGUAGE))
    folders = {key: _items(data[key]) for key in FOLDERS if key in good}
    if "games" not in data:
        settings = [{**good, "wins": good["wins"][""]} if "wins" in good else good]
    else:
        games = _games(good.pop("games", ()), source, problems)
        settings = [_of_game(game, good, games, source, problems) for game in games]
    projects = tuple(Project(root, **_within(root, setting)) for setting in settings)
    checked = ("paths",) if root == paths.PACKAGE else ("paths", "tests", "rules")  # a wheel has content without tests
    for key in checked:
        for name in folders.get(key, ()):
            if isinstance(name, str) and name:
                _look_for(name, key, projects, source, problems)
    for project in projects if "games" in data else ():
        if not (project.content() or project.system()):
            span = span_of_value(source, "games", project.game)
            what = f"the game `{project.game}` has neither a system nor content"
            problems.add(BadProjectFile(span, what=what, suggestion=_near_game(project)))
    return projects or (Project(root),)


KEYS: dict[str, type] = {
    "name": str,
    "title": str,
    "revision": str,
    "games": list,
    "paths": list,
    "tests": list,
    "languages": list,
    "variants": dict,
    "severity": dict,
    "coverage": dict,
    "wins": dict,
    "rules": str,
    "mutation": str,
    "translations": str,
    "language": int,
}
"""The keys of a project file, with their types."""


FOLDERS = ("paths", "tests", "rules", "mutation", "translations")
"""Keys that name files and folders of the project."""


PLACES: dict[str, Any] = {
    "paths": (f"cards/{GAME}", f"missions/{GAME}"),
    "tests": (f"tests/{GAME}",),
    "rules": f"docs/rules/{GAME}.md",
    "mutation": f"mutation/{GAME}",
    "translations": f"translations/{GAME}",
}
"""Default paths of each game in a project of several."""


PER_GAME = ("variants", "wins")
"""Tables that a file with several games has for each of them."""


AT_LEAST = "at-least"
"""The key in `coverage` for the lowest percentage of points that tests must reach."""


SEVERITIES = ("error", "warning", "off")
"""The severities that a project may set for a warning."""


def _severity(table: dict[str, str], source: Source, problems: Problems) -> dict[str, str]:
    """Return the severities of warnings; report codes that are no warning, and unknown severities."""
    from fcbdsl.base.diagnostics.registry import find_diagnostic, known_codes

    good: dict[str, str] = {}
    for code, gravity in table.items():
        cls = find_diagnostic(code)
        if cls is None or cls.severity == "error":
            near = suggest(code, known_codes()) if cls is None else None
            what = f"`{code}` is not the code of a warning"
            problems.add(BadProjectFile(span_of_key(source, code), what=what, suggestion=near))
        elif gravity not in SEVERITIES:
            what = f"`{code}` must be {', '.join(SEVERITIES[:-1])} or {SEVERITIES[-1]}"
            problems.add(
                BadProjectFile(span_of_value(source, code, gravity), what=what, suggestion=suggest(gravity, SEVERITIES))
            )
        else:
            good[code] = gravity
    return good


def _coverage(table: dict[str, Any], source: Source, problems: Problems) -> dict[str, int]:
    """Return the lowest coverage in percent; report other values."""
    for key, value in table.items():
        if key != AT_LEAST:
            what = f"`{key}` is not a key of `[coverage]`, which has `{AT_LEAST}`"
            problems.add(BadProjectFile(span_of_key(source, key), what=what, suggestion=suggest(key, [AT_LEAST])))
        elif type(value) is not int or not 0 <= value <= 100:
            problems.add(BadProjectFile(span_of_key(source, key), what=f"`{AT_LEAST}` must be a number from 0 to 100"))
        else:
            return {key: value}
    return {}


def _languages(codes: Sequence[str], source: Source, problems: Problems) -> tuple[str, ...]:
    """Return the languages that a project file lists; report an empty list, and codes that are misspelled or
    repeated."""
    good: dict[str, None] = {}
    for at, code in enumerate(codes):
        near = code.strip()[:2].lower()  # from `EN`, `fr-FR`, `english`
        if near != code and near in locales.rules_languages():
            what = f"`{code}` is not a language code"
            problems.add(BadProjectFile(span_of_value(source, "languages", code), what=what, suggestion=near))
            good[near] = None
        elif code in codes[:at]:
            what = f"`languages` lists `{code}` twice"
            problems.add(BadProjectFile(span_of_value(source, "languages", code), what=what))
        else:
            good[code] = None
    if not good:
        problems.add(BadProjectFile(span_of_key(source, "languages"), what="`languages` lists no language"))
    return tuple(good) or (REFERENCE,)


_BAND = re.compile(r"(\d{1,3})%?\.\.(\d{1,3})%?")


def _wins(table: dict[str, str], source: Source, problems: Problems) -> dict[str, tuple[int, int]]:
    """Return the target win rate of missions, in percent; report values that are no range."""
    good: dict[str, tuple[int, int]] = {}
    for name, band in table.items():
        match = _BAND.fullmatch(band)
        if match is None or not int(match[1]) <= int(match[2]) <= 100:
            what = f"`{name}` must be a range of win rates, such as `55%..75%`"
            problems.add(BadProjectFile(span_of_value(source, name, band), what=what))
        else:
            good[name] = int(match[1]), int(match[2])
    return good


_GAME_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")


def _games(names: Iterable[str], source: Source, problems: Problems) -> list[str]:
    """Return the games that a project file lists; report invalid and repeated names."""
    games: list[str] = []
    for name in names:
        if name in games:
            problems.add(BadProjectFile(span_of_value(source, "games", name), what=f"`games` lists `{name}` twice"))
        elif not _GAME_NAME.fullmatch(name):
            problems.add(
                BadProjectFile(span_of_value(source, "games", name), what=f"`{name}` cannot be the name of a game")
            )
        else:
            games.append(name)
    if not games:
        problems.add(BadProjectFile(span_of_key(source, "games"), what="`games` lists no game"))
    return games


def _of_game(
    game: str, good: dict[str, Any], games: Sequence[str], source: Source, problems: Problems
) -> dict[str, Any]:
    """Return the settings of one game of a project file that lists games."""
    tables: dict[str, dict[str, Any]] = {key: good.get(key, {}) for key in PER_GAME}
    for key, table in tables.items() if game == games[0] else ():
        for name in [name for name in table if name not in games]:
            what = f"`[{key}.{name}]` names no game of `games`"
            problems.add(BadProjectFile(span_of_key(source, name), what=what, suggestion=suggest(name, games)))
    own = {**PLACES, **good, "name": game, "game": game, **{key: table.get(game, {}) for key, table in tables.items()}}
    for key in FOLDERS:
        value = own[key]
        own[key] = value.replace(GAME, game) if isinstance(value, str) else tuple(v.replace(GAME, game) for v in value)
    return own


def _within(root: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings without paths that lead out of the project and, for several games, without missing rules."""
    out = dict(settings)
    for key in [key for key in FOLDERS if key in out]:
        value = out[key]
        if isinstance(value, tuple):
            out[key] = tuple(name for name in value if leads_below(root / name, root))
        elif not leads_below(root / value, root):
            out[key] = ""
    if "game" in out and out["rules"] and not (root / out["rules"]).exists():
        out["rules"] = ""
    return out


def _look_for(name: str, key: str, projects: Sequence[Project], source: Source, problems: Problems) -> None:
    """Report a path of a project file that leads out of the project or does not exist.

    A path with the placeholder for games is reported if it exists for none of them.
    """
    root = projects[0].root if projects else None
    if root is None:
        return
    names = [name.replace(GAME, project.game) for project in projects] if GAME in name and projects[0].game else [name]
    span = span_of_value(source, key, name)
    if not all(leads_below(root / each, root) for each in names):
        problems.add(OutsideProject(span, name=name))
    elif not any((root / each).exists() for each in names):
        problems.add(MissingPath(span, name=name, key=key, suggestion=_near(root, name)))


def _near_game(project: Project) -> str | None:
    """Return the system with the name nearest to that of a missing game."""
    folders = [folder for folder in project.systems() if folder.is_dir()]
    return suggest(project.game, [path.stem for folder in folders for path in sorted(folder.iterdir())])


def _are_words(value: object, deeper: bool) -> bool:
    """Return whether all items of a value are texts, or tables of texts if `deeper`."""
    items = _items(value)
    if deeper:
        return all(isinstance(item, dict) and _are_words(item, False) for item in items)
    return all(isinstance(item, str) for item in items)


def _settings(text: str) -> dict[str, Any]:
    """Read TOML of limited size. Raise ValueError or RecursionError if it is not valid."""
    plain = _TOML_STRING.sub("x", text)
    depth = max(accumulate(1 if bracket == "[" else -1 for bracket in re.findall(r"[][]", plain)), default=0)
    dots = rf"(?:[\w-]+[ \t]*\.[ \t]*){{{bounds.SETTINGS_DEPTH},}}"
    if depth > bounds.SETTINGS_DEPTH or plain.count("{") > bounds.SETTINGS_KEYS or re.search(dots, plain):
        raise ValueError(f"at most {bounds.SETTINGS_DEPTH} levels are read")
    if re.search(rf"[0-9_]{{{bounds.SETTINGS_DIGITS},}}", plain):
        raise ValueError(f"a number has at most {bounds.SETTINGS_DIGITS} digits")
    if plain.count("=") > bounds.SETTINGS_KEYS:
        raise ValueError(f"at most {bounds.SETTINGS_KEYS} keys are read")
    read = tomllib.loads(text)
    for string in _texts(read):
        if "\n" in string or "\t" in string or HIDDEN.search(string):
            raise ValueError(f"`{visible(string[:40])}` has an invisible character or a line break")
        if len(string.encode()) > bounds.SETTINGS_TEXT:
            raise ValueError(f"`{string[:40]}…` is too long: a text has at most {bounds.SETTINGS_TEXT} bytes")
    return read


def _texts(value: object) -> Iterator[str]:
    """Yield the keys and texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _toml_place(source: Source, error: str) -> Span:
    """Return the place that a message of the TOML reader gives, else the beginning."""
    match = re.search(r"\(at line (\d+), column (\d+)\)", error)
    if match is None:
        end = len(source.text.rstrip()) if "(at end of document)" in error else 0
        return Span(source, end, end)
    starts = [0, *(match.end() for match in re.finditer("\n", source.text))]
    at = min(starts[min(int(match[1]), len(starts)) - 1] + int(match[2]) - 1, len(source.text))
    return Span(source, at, at + len(source.text[at:].split("\n")[0]))


_TOML_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|\#.*')


def read_project_file(path: Path, most: int, problems: Problems, name: str = "") -> Source | None:
    """Read a file of a project; report one that is no text, or can't be read. `name`: its name in messages, if
    known."""
    name = name or shown_name(path)
    try:
        source, read_problems = read_source(name, read_regular(path, most))
    except CannotRead as error:
        problems.add(UnreadableFile(Span(Source(name, ""), 0, 0), why=error))
        return None
    problems.extend(read_problems)
    return source


def _language(value: object, span: Span, problems: Problems) -> int:
    """Return the version of the language in a project file; report one that fcb does not support."""
    if type(value) is not int or value < FIRST_LANGUAGE:
        problems.add(BadProjectFile(span, what="`language` must be the number of a version"))
        return 0
    if value != LANGUAGE:
        sort = OldLanguage if value < LANGUAGE else NewLanguage
        problems.add(sort(span, version=value, current=LANGUAGE))
    return value


def span_of_value(source: Source, key: str, name: str) -> Span:
    """Return the place of a path in the project file: its first mention in quotes after the key."""
    start = span_of_key(source, key).end
    at = max((source.text.find(f"{quote}{name}{quote}", start) for quote in "\"'"), default=-1)
    return Span(source, at + 1, at + 1 + len(name)) if at >= 0 else span_of_key(source, key)


def _near(root: Path, name: str) -> str | None:
    """Return the existing path nearest to a missing one, in the same folder."""
    folder = (root / name).parent
    beside = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    nearest = suggest(Path(name).name, beside)
    return (Path(name).parent / nearest).as_posix() if nearest else None


def span_of_key(source: Source, key: str) -> Span:
    """Return the place of a key in the project file: its first mention at the start of a line."""
    match = re.search(rf"^[ \t\[\"']*({re.escape(key)})", source.text, re.MULTILINE)
    return Span(source, match.start(1), match.end(1)) if match is not None else Span(source, 0, 0)


def _items(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, str):
        return [value]
    return list(value) if isinstance(value, list | tuple) else []
