"""Loading the files of a project, and checking them. Its settings are in `settings`, its places in `paths`."""

from __future__ import annotations

import contextlib
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fcbdsl.base import bounds, cache, locales
from fcbdsl.base.catalog import REFERENCE, SEALS, SUFFIX, Catalog, language_of_catalog, read_catalog
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.declarations import ImportCycle, UnknownSystem
from fcbdsl.base.diagnostics.files import (
    BadProjectFile,
    OutsideProject,
    SkippedFile,
    UnavailableLanguage,
    UnportableName,
    UnreadableFile,
    UnusedSystem,
)
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.files import PROJECT_FILE
from fcbdsl.base.pausing import collector_paused
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.project.paths import (
    CORE,
    LENT,
    fcb_files,
    files_below,
    find_project,
    is_hidden,
    lies_in,
    shipped_path,
    shown_name,
    target_of,
)
from fcbdsl.project.settings import (
    Project,
    read_project_file,
    read_projects,
    span_of_key,
    span_of_value,
)

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.language.syntax.tree import File


class NoProject(Exception):
    """There is nothing to work on: neither a project file upward nor content files below."""


class UnknownGame(Exception):
    """A project does not have a game with that `name` among its `games`."""

    def __init__(self, name: str, games: Sequence[str]) -> None:
        super().__init__(f"no game {name!r} among {', '.join(games) or 'none'}")
        self.name = name
        self.games = tuple(games)


class SeveralGames(Exception):
    """One game is needed, and it could be any of these `games`."""

    def __init__(self, games: Sequence[str]) -> None:
        super().__init__(f"one of {', '.join(games)}")
        self.games = tuple(games)


# ── loading ────────────────────────────────────────────────────────────────────────────────────


_FILLED = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)
"""Matches the start of a line that is neither empty nor a comment."""


def _filled_lines(source: Source) -> int:
    """Return the number of lines that are neither empty nor comments."""
    return len(_FILLED.findall(source.text))


_USE = re.compile(r"\nuse[ ]+([^\W\d]\w*(?:-\w+)*)[ ]*(?:#.*)?(?=\n|\Z)")
"""Matches a line ``use NAME``, and the end of the line before. It finds used files without parsing, since an unchanged
project is not parsed."""


def names_used(text: str) -> list[str]:
    """Return the names of the systems and packs that a text uses, in order."""
    return _USE.findall(f"\n{text}")


_LANGUAGES = re.compile(r"^[ ]+languages:[ ]*([^\n#]*)", re.MULTILINE)
_CODE = re.compile(r"[a-z]{2}\b")
"""Matches the languages of a system: its line ``languages: en, fr``."""


def _unavailable(code: str, languages: Sequence[str], span: Span) -> Diagnostic:
    """Return the problem of a language that the game does not have, with the way to get it."""
    spoken = locales.rules_languages()
    if code in spoken:
        way = (
            f"To translate it, run `fcb i18n export {code} -o translations/{code}.po` and fill in that file; "
            f"else remove `{code}`."
        )
    else:
        way = f"fcb writes rules in {', '.join(spoken)}. Remove `{code}`."
    return UnavailableLanguage(span, code=code, known=", ".join(languages), way=way)


ALL: Final = "all"
"""The key of `[wins]` for all missions."""
LONGEST_NAME = 200
"""Bytes in the name of a system or pack: no file system has names of more than 255 bytes."""


@dataclass(slots=True)
class Loader:
    """Reads files and the systems and packs that they use, each once; `sources` are in order of dependence.

    `unsaved`: texts that replace those of files, by name. `catalogs`: files of translations, those of systems first;
    `lent_catalogs`: the names of those that come with fcb; `seals`: hashes of reviewed translations in sources.
    `unused`: systems and packs of the project that no file uses, while another system is used.
    """

    project: Project
    problems: Problems = field(default_factory=Problems)
    sources: list[Source] = field(default_factory=list)
    unsaved: Mapping[str, str] = field(default_factory=dict)
    catalogs: list[Source] = field(default_factory=list)
    lent_catalogs: list[str] = field(default_factory=list)
    seals: list[Source] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    _read: dict[Path, str] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)
    _done: dict[str, None] = field(default_factory=dict)
    _folders: tuple[Path, ...] = ()
    _lines: int = 0
    _roughly: list[Source] = field(default_factory=list)

    def copy(self) -> Loader:
        """Return an independent loader that has read the same files and has no problems."""
        return replace(
            self,
            problems=Problems(),
            sources=list(self.sources),
            catalogs=list(self.catalogs),
            lent_catalogs=list(self.lent_catalogs),
            seals=list(self.seals),
            unused=list(self.unused),
            _read=dict(self._read),
            _open=list(self._open),
            _done=dict(self._done),
            _roughly=list(self._roughly),
        )

    def read(self, path: Path, named: bool = False) -> None:
        """Read a file, after everything that it uses. It must be in the project, or be shipped, unless the user has
        `named` it."""
        place = target_of(path)
        if not named and not self._may_read(place):
            self._leave_out(path)
            return
        path = path if place is None else place
        if path in self._read:
            return
        name = self._read[path] = shown_name(path, follow=place is None)
        written = self.unsaved.get(name)
        if written is not None:
            source: Source | None = Source(name, written)
        else:
            source = read_project_file(path, bounds.FILE_BYTES, self.problems, name)
        if source is None or self._is_too_long(source):
            return
        for match in _USE.finditer(f"\n{source.text}"):
            self.use(match[1], Span(source, match.start(1) - 1, match.end(1) - 1))
        self.sources.append(source)

    def _is_too_long(self, source: Source) -> bool:
        """Report a source that would exceed the limit of lines for a file or the game; count the lines of others.

        Comments and empty lines count only in `_roughly` counted sources: far from the limit that is enough.
        """
        lines = source.text.count("\n") + 1
        if lines <= bounds.FILE_LINES and self._lines + lines <= bounds.PROJECT_LINES:
            self._lines += lines
            self._roughly.append(source)
            return False
        for other in self._roughly:
            self._lines += _filled_lines(other) - other.text.count("\n") - 1
        self._roughly.clear()
        lines = _filled_lines(source)
        if lines > bounds.FILE_LINES:
            why = f"it has more than {bounds.FILE_LINES:,} lines without comments"
        elif source.text.count("\n") > bounds.WHOLE_LINES:
            why = f"it has more than {bounds.WHOLE_LINES:,} lines"
        elif self._lines + lines > bounds.PROJECT_LINES:
            why = f"the game now has more than {bounds.PROJECT_LINES:,} lines without comments"
        else:
            self._lines += lines
            return False
        self.problems.add(UnreadableFile(Span(Source(source.name, ""), 0, 0), why=why))
        return True

    def _leave_out(self, path: Path) -> None:
        """Report a file that is not read because it is outside the project."""
        nowhere = Span(Source(shown_name(path, follow=False), ""), 0, 0)
        self.problems.add(OutsideProject(nowhere, name=shown_name(path, follow=False)))

    def _translation(self, path: Path) -> Source | None:
        """Read a file of translations or their hashes, if it is in the project or is shipped."""
        if self._may_read(target_of(path)):
            return read_project_file(path, bounds.FILE_BYTES, self.problems)
        self._leave_out(path)
        return None

    def _may_read(self, place: Path | None) -> bool:
        """Return whether the target of a path is in the project, or in a shipped folder."""
        root = self.project.root
        if root is None or place is None:
            return True  # without a place, it is a loop of links, or no path at all: it leads nowhere
        try:
            if not self._folders:
                self._folders = tuple(
                    folder.resolve() for folder in (root, *map(shipped_path, (*LENT, "translations")))
                )
        except (OSError, RuntimeError):
            return True  # as above
        return any(place.is_relative_to(folder) for folder in self._folders)

    def names_in(self, folders: Iterable[Path]) -> list[str]:
        """Return the names of the files that were read and are in some folders."""
        places = [folder.resolve() for folder in folders]
        inside = {
            name: None for path, name in self._read.items() if any(path.is_relative_to(place) for place in places)
        }
        return [source.name for source in self.sources if source.name in inside]

    def use(self, name: str, span: Span | None = None) -> None:
        """Read a system or a pack; report one that does not exist, and systems that use each other."""
        if name in self._done:
            return
        if name in self._open:
            if span is not None and self._open[-1] != name:
                chain = " uses ".join(f"`{file}`" for file in [*self._open[self._open.index(name) :], name])
                self.problems.add(ImportCycle(span, chain=chain))
            return
        paths = self.files_of(name)
        if not paths:
            if span is not None:
                self.problems.add(UnknownSystem(span, name=name, suggestion=suggest(name, self.usable_names())))
            return
        self._open.append(name)
        for path in paths:
            self.read(path)
        self._open.pop()
        self._done[name] = None

    def read_all(self, paths: Sequence[Path], tests: bool) -> None:
        """Read `core`, the game's system, and the files at `paths` (see `load_project`)."""
        project = self.project
        self.use(CORE)
        if project.system() is not None:
            self.use(project.game)
        proofs = project.folders(project.tests)
        content = project.content()
        if tests or any(lies_in(path, proofs) for path in paths):
            content += proofs
        inside = any(lies_in(path, [*content, *self.files_of(project.game)]) for path in paths)
        for path in fcb_files(content if inside or not paths else ()):
            self.read(path)
        for path in fcb_files(paths):
            self.read(path, named=True)
        if (inside or not paths) and project.root is not None and not project.game:
            self._read_unused(project.root)
        if not paths and project.root is not None and not project.game:
            self._report_skipped(project.root)
        if not paths and project.root is not None and project.wins:
            self._check_wins(project.root)
        self._put_shipped_first()
        self.read_catalogs()

    def _check_wins(self, root: Path) -> None:
        """Report target win rates for something that is no mission and no value of an enum, such as a difficulty."""
        path = root / PROJECT_FILE
        for name in self.project.wins:
            word = rf"{re.escape(name)}(?![\w-])"
            head = re.compile(rf"^(?:[^\W\d][\w-]*[ ]+{word}|enum[ ].*(?<![\w-]){word})", re.MULTILINE)
            if name == ALL or any(name in source.text and head.search(source.text) for source in self.sources):
                continue
            source = read_project_file(path, bounds.SETTINGS_BYTES, Problems())
            span = Span(Source(shown_name(path), ""), 0, 0) if source is None else span_of_key(source, name)
            problem = BadProjectFile(span, what=f"`[wins]` names `{name}`, which is no mission")
            problem.severity = "warning"
            self.problems.add(problem)

    def _put_shipped_first(self) -> None:
        """Move shipped files before those of a pack, so that the pack continues the reading of the shipped ones.

        Own systems and packs can take the place of shipped ones, so their order stays.
        """
        lent = dict.fromkeys(lent_to(self))
        if lent and not self.names_in(self.project.folders(("systems", "packs"))):
            self.sources.sort(key=lambda source: source.name not in lent)

    def _read_unused(self, root: Path) -> None:
        """Read the project's own systems if no file uses a system; else report those of them that no file uses."""
        begun = len(self._done) > 1  # `core` is one
        for folder in ("systems", "packs"):
            unused = [name for name in _names_in(root / folder) if name not in self._done]
            for name in unused:
                if begun:
                    files = self.files_of(name)
                    if files:
                        self.unused.append(name)
                        self.problems.add(UnusedSystem(Span(Source(shown_name(files[0]), ""), 0, 0), name=name))
                else:
                    self.use(name)

    def _report_skipped(self, root: Path) -> None:
        """Report files of the language in the project that are not read, and why."""
        project = self.project
        folders = [*project.content(), *project.folders((*project.tests, "systems", "packs"))]
        names: dict[tuple[str, str], Path] = {}  # by folder, and as systems compare them that ignore capitals
        for path, reason in _skipped(root, [folder.resolve() for folder in folders], project.bare):
            span = Span(Source(shown_name(path, follow=False), ""), 0, 0)
            if reason is not None:
                why, cure = reason
                self.problems.add(SkippedFile(span, why=why, cure=cure.format(name=f"{_stem(path)}.fcb")))
                continue
            alike = unicodedata.normalize("NFC", str(path.parent)), unicodedata.normalize("NFC", path.name).casefold()
            first = names.setdefault(alike, path)
            if first != path:
                why = f"on Windows and macOS it is the same name as `{first.name}`"
                self.problems.add(UnportableName(span, name=path.name, why=why))
            elif _UNUSABLE.match(path.name):
                self.problems.add(UnportableName(span, name=path.name, why="Windows does not allow it"))

    def read_catalogs(self) -> None:
        """Read the translations of the project and of its systems, and those of `core` in the same languages."""
        own = [path for name in self._done if name != CORE for path in self.catalogs_of(name)]
        lent = [path for name in self._done for path in self._lent_catalogs(name)]
        own += [*lent, *self.project.catalogs(SUFFIX)]
        wanted = dict.fromkeys([*self.project.languages, *(language_of_catalog(path.name) for path in own)])
        core = [path for path in self.catalogs_of(CORE) if language_of_catalog(path.name) in wanted]
        for path in [*core, *own]:
            source = self._translation(path)
            if source is not None:
                self.catalogs.append(source)
                if path in lent:
                    self.lent_catalogs.append(source.name)
        self._check_languages([language_of_catalog(path.name) for path in own])
        for path in self.project.catalogs(SEALS):
            source = self._translation(path)
            if source is not None:
                self.seals.append(source)

    def translations(self, problems: Problems | None = None) -> list[Catalog]:
        """Parse the files of translations, as far as possible; their problems are added to `problems`."""
        noted = Problems() if problems is None else problems
        catalogs = [read_catalog(source, noted) for source in self.catalogs]
        lent = self.lent_catalogs
        return [replace(catalog, lent=catalog.source.name in lent) for catalog in catalogs if catalog is not None]

    def _lent_catalogs(self, name: str) -> list[Path]:
        """Return the shipped translations of a shipped game, in the languages that the project lists."""
        folder = shipped_path("translations")
        root = self.project.root
        if root is None or root.resolve() == folder.parent.resolve():
            return []
        return [path for path in sorted((folder / name).glob(f"*{SUFFIX}")) if path.stem in self.project.languages]

    def _check_languages(self, brought: Sequence[str]) -> None:
        """Report listed languages that neither the game nor a translation provides; continue without them."""
        if self.project.root is None or not self.project.languages:
            return
        texts = [source.text for source in self.sources if "languages:" in source.text]
        lines = [line for text in texts for line in _LANGUAGES.findall(text)]
        had = dict.fromkeys(code for line in lines for code in _CODE.findall(line))
        provided = {REFERENCE: None} | had | dict.fromkeys(brought)
        available = [code for code in provided if code in locales.rules_languages()]
        wrong = [code for code in self.project.languages if code not in available]
        if not wrong:
            return
        path = self.project.root / PROJECT_FILE
        source = read_project_file(path, bounds.SETTINGS_BYTES, Problems())
        for code in wrong:
            span = (
                Span(Source(shown_name(path), ""), 0, 0) if source is None else span_of_value(source, "languages", code)
            )
            self.problems.add(_unavailable(code, available, span))
        usable = tuple(code for code in self.project.languages if code in available)
        self.project = replace(self.project, languages=usable or (REFERENCE,))

    def catalogs_of(self, name: str) -> list[Path]:
        """Return the files of translations of a system or pack: in its folder, or beside its only file
        (``NAME.de.po``)."""
        for folder in self.project.systems():
            if (folder / name).is_dir():
                return sorted((folder / name).glob(f"*{SUFFIX}"))
            if (folder / f"{name}.fcb").is_file():
                return sorted(folder.glob(f"{name}.*{SUFFIX}"))
        return []

    def files(self) -> list[File]:
        """Parse the sources that were read."""
        return parse_all(self.sources, self.problems)

    def files_of(self, name: str) -> list[Path]:
        """Return the files of a system ``systems/NAME/`` or ``systems/NAME.fcb``, or of a pack of the project."""
        if len(name.encode()) > LONGEST_NAME:
            return []
        for folder in self.project.systems():
            if (folder / name).is_dir():
                return files_below(folder / name)
            if (folder / f"{name}.fcb").is_file():
                return [folder / f"{name}.fcb"]
        if self.project.root is not None and (self.project.root / "packs" / name).is_dir():
            return files_below(self.project.root / "packs" / name)
        return shipped_packs().get(name, [])

    def names_in_use(self) -> list[str]:
        """Return the names of the systems and packs that were read."""
        return list(self._done)

    def usable_names(self) -> list[str]:
        """Return the names that `use` accepts."""
        folders = [folder for folder in self.project.systems() if folder.is_dir()]
        return [*(path.stem for folder in folders for path in sorted(folder.iterdir())), *shipped_packs()]


HIDDEN: Final = (
    "its name begins with a dot, or it is in `__MACOSX`",
    "Delete it if another program left it there. If it is yours, give it a name without the dot.",
)
CAPITALS: Final = ("its name must end in `.fcb`, in small letters", "Rename it to `{name}`.")
SETTINGS: Final = (
    f"the settings of a project must be in a file called `{PROJECT_FILE}`",
    f"Rename it to `{PROJECT_FILE}`, or replace the link or folder by the file.",
)
RENAMED: Final = ("its name must end in `.fcb`, not in `.txt`", "Rename it to `{name}`.")
ELSEWHERE: Final = (
    "fcb does not read this folder of the project",
    "Move it to `cards`, `missions` or `tests`, add its folder to `paths` in `fcb.toml`, or delete it.",
)


_UNUSABLE: Final = re.compile(r'(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|.*[<>:"|?*\\]|.*[ .]$', re.IGNORECASE)
"""Names that no file can have on Windows."""


def _skipped(root: Path, folders: Sequence[Path], bare: bool) -> Iterator[tuple[Path, tuple[str, str] | None]]:
    """Yield the files of the language in a folder that are not read, with the reason and the fix; links are not
    followed. Files and folders that are read have no reason."""
    waiting, seen = [root.resolve()], 0
    while waiting:
        folder = waiting.pop()
        read = any(folder.is_relative_to(place) for place in folders)
        with contextlib.suppress(OSError):
            for path in sorted(folder.iterdir()):
                seen += 1
                if seen > bounds.FILES_LOOKED_AT:
                    return
                hidden = any(map(is_hidden, path.relative_to(root.resolve()).parts))
                if folder == root.resolve() and _is_misplaced(path):
                    yield path, SETTINGS
                    continue
                if path.is_dir() and not path.is_symlink():
                    if (read or not hidden) and not _is_foreign(path):
                        waiting.append(path)
                        if not hidden:
                            yield path, None
                elif path.suffix.lower() == ".fcb" and path.is_file():
                    if hidden:
                        yield path, HIDDEN
                    elif path.suffix != ".fcb":
                        yield path, CAPITALS
                    elif not read and path not in folders and not (bare and folder == root.resolve()):
                        yield path, ELSEWHERE
                    else:
                        yield path, None
                elif read and path.name.lower().endswith(".fcb.txt") and path.is_file() and not hidden:
                    yield path, RENAMED


def _is_misplaced(path: Path) -> bool:
    """Return whether somebody meant a path to be the settings of the project, which fcb does not find there."""
    if path.name == PROJECT_FILE:
        return not path.is_file()
    return path.name.lower() in (PROJECT_FILE, f"{PROJECT_FILE}.txt") and not (path.parent / PROJECT_FILE).is_file()


def _stem(path: Path) -> str:
    """Return the name of a source without its endings."""
    at = path.name.lower().find(".fcb")
    return path.name if at < 0 else path.name[:at]


def _is_foreign(folder: Path) -> bool:
    """Return whether a folder is another project, an environment of Python, or an installation of fcb."""
    marks = (PROJECT_FILE, "pyvenv.cfg", f"systems/{CORE}.fcb")
    return any((folder / mark).exists() for mark in marks)


def _names_in(folder: Path) -> list[str]:
    """Return the names of the systems or packs in a folder: folders with sources, and sources."""
    if not folder.is_dir():
        return []
    paths = [path for path in sorted(folder.iterdir()) if not is_hidden(path.name)]
    return [path.stem for path in paths if path.suffix == ".fcb" or (path.is_dir() and files_below(path))]


@lru_cache(maxsize=1)
def shipped_packs() -> Mapping[str, list[Path]]:
    """Return the packs of shipped content, by name: the files of each, with those that it needs.

    A file of cards is a pack with the name ``GAME-FILE``; ``packs.toml`` beside them lists which need others.
    """
    cards = shipped_path("cards")
    needs: dict[str, dict[str, list[str]]] = tomllib.loads((cards / "packs.toml").read_text(encoding="utf-8"))
    out: dict[str, list[Path]] = {}
    for file in sorted(cards.rglob("*.fcb")):
        game = file.parent.name
        needed = [shipped_path(need.partition("/")[0]).parent / need for need in needs.get(game, {}).get(file.stem, ())]
        out[f"{game}-{file.stem}"] = [*needed, file]
    return out


@collector_paused()
def parse_all(sources: Iterable[Source], problems: Problems) -> list[File]:
    """Parse sources and add their problems to `problems`."""
    from fcbdsl.language.syntax.parser import parse  # not needed, and slow to import, when the cache knows the result

    files: list[File] = []
    for source in sources:
        file, parse_problems = parse(source)
        problems.extend(parse_problems)
        files.append(file)
    return files


def own_files(projects: Iterable[Project]) -> list[Path]:
    """Return all files that some projects own: content, tests, systems and packs. Shipped files belong only to fcb's
    project."""
    paths: dict[Path, None] = {}
    for project in projects:
        folders = [*project.places(), *project.folders(("systems", "packs"))]
        for path in fcb_files([*folders, shipped_path("systems")]):
            if is_own_file(path, project):
                paths[path.absolute()] = None
    return list(paths)


def is_own_file(path: Path, project: Project) -> bool:
    """Return whether a file does not come with fcb, or the project is the one that it comes from."""
    return project.root == shipped_path(PROJECT_FILE).parent or not lies_in(path, [shipped_path(name) for name in LENT])


def projects_of(paths: Sequence[Path], problems: Problems) -> tuple[Project, ...]:
    """Return the projects around some paths, one for each game; without paths, around the working folder.

    Without a project file upward, the working folder is a project if it contains all files; other files are loose.
    Raise NoProject if there are no paths and no content in the working folder.
    """
    start = paths[0] if paths else Path.cwd()
    root = find_project(start if start.is_dir() else start.parent)
    if root is not None:
        return read_projects(root, problems)
    here = Path.cwd()
    if not all(lies_in(path, [here]) for path in paths):
        return (Project(),)
    project = Project(here, bare=True)
    if not paths and not fcb_files([*project.content(), *project.folders(project.tests)]):
        raise NoProject(here)
    return (project,)


def load_project(
    paths: Sequence[Path] = (),
    tests: bool = True,
    root: Path | None = None,
    game: str = "",
    unsaved: Mapping[str, str] | None = None,
) -> Loader:
    """Read the files at `paths` (none: the whole project), `core`, and everything that they use.

    Files of a project are read with the rest of it, whose names they may mention. Without `tests`, its test files and
    their declarations are left out, unless one of `paths` is among them. `root`: the folder of the project, if it is
    not the one around the paths. `game`: the game, if the paths do not determine it. `unsaved`: see `Loader`.

    Raise NoProject as `projects_of` does, UnknownGame, and SeveralGames if files belong to several games.
    """
    loaders = load_all(paths, tests, root, game, unsaved)
    if len(loaders) != 1:
        raise SeveralGames([loader.project.game for loader in loaders if loader.project.game])
    return loaders[0]


def load_all(
    paths: Sequence[Path] = (),
    tests: bool = True,
    root: Path | None = None,
    game: str = "",
    unsaved: Mapping[str, str] | None = None,
) -> list[Loader]:
    """Read what `load_project` reads, for each game that the paths concern; without paths, for all. Raise NoProject and
    UnknownGame as it does."""
    noted = Problems()
    projects = projects_of(paths, noted) if root is None else read_projects(root, noted)
    loaders = []
    for project, own in _concerned(projects, paths, game):
        problems = Problems()
        problems.extend(noted)
        loader = Loader(project, problems, unsaved=unsaved or {})
        loader.read_all(own, tests)
        loaders.append(loader)
    return loaders


def _concerned(projects: Sequence[Project], paths: Sequence[Path], game: str) -> list[tuple[Project, Sequence[Path]]]:
    """Return the projects that some paths concern, each with its paths.

    Files of no game belong to the only game among the other paths, if there is just one; else they form a separate
    project. Raise UnknownGame.
    """
    games = [project for project in projects if project.game]
    if game:
        named = [project for project in games if project.game == game]
        if not named:
            raise UnknownGame(game, [project.game for project in games])
        return [(named[0], paths)]
    if not paths or not games:
        return [(project, paths) for project in projects]
    places = [place for project in games for place in project.places()]
    loose = [file for file in fcb_files(paths) if not lies_in(file, places)]
    groups: list[tuple[Project, Sequence[Path]]] = []
    for project in games:
        own = [path for path in paths if lies_in(path, project.places())]
        own += [place for place in project.places() if lies_in(place, paths) and place not in own]
        if own:
            groups.append((project, own))
    if len(groups) == 1:
        return [(groups[0][0], [*groups[0][1], *loose])]
    if loose or not groups:
        alone = replace(games[0], game="", name="", paths=(), tests=(), rules="", mutation="", variants={})
        groups.append((alone, loose))
    return groups


def check_project(
    paths: Sequence[Path] = (), tests: bool = True, root: Path | None = None, game: str = ""
) -> tuple[Model, list[Diagnostic]]:
    """Load and check the files at `paths`, or the project around the working folder; return model and problems.

    `tests`, `root`, `game`: see `load_project`. Raise what it raises, and OSError for files that can't be read.
    """
    return check_loaded(load_project(paths, tests, root, game))


def check_loaded(loader: Loader) -> tuple[Model, list[Diagnostic]]:
    """Parse and check the sources of a loader; return the model and every problem."""
    model, problems = cached_model(loader)
    loader.problems.extend(problems)
    return model, loader.problems.sorted()


def cached_model(loader: Loader) -> tuple[Model, list[Diagnostic]]:
    """Parse and check the sources of a loader, or take the result from the cache. Return the model and the problems."""
    with collector_paused():
        result = known_model(loader)
        if result is None:
            result = _checked(loader)
            store_model(loader, *result)
    model, problems = result
    model.pack, model.revision = loader.project.title, loader.project.revision
    model.lent = lent_to(loader)
    return model, problems


def known_model(loader: Loader) -> tuple[Model, list[Diagnostic]] | None:
    """Return the model of the sources of a loader and its problems from the cache; None if it is not there."""
    with collector_paused():
        result: tuple[Model, list[Diagnostic]] | None = cache.load_result(project_key(loader), _is_result)
    if result is not None:
        model, _ = result
        model.pack, model.revision = loader.project.title, loader.project.revision
    return result


def store_model(loader: Loader, model: Model, problems: list[Diagnostic]) -> None:
    """Cache the model of the sources of a loader, and its problems."""
    cache.store_result(project_key(loader), (model, problems))


def _is_result(value: object) -> bool:
    """Return whether cached data is a model with its problems."""
    from fcbdsl.language.model.whole import Model

    match value:
        case (Model() as model, list(problems)):
            whole = all(hasattr(model, name) for name in Model.__dataclass_fields__)
            return whole and all(isinstance(problem, Diagnostic) for problem in problems)
    return False


def project_key(loader: Loader, purpose: str = "", parts: Iterable[str] | None = None) -> str:
    """Return the cache key for a result that is computed, for some purpose, from all sources of a loader.

    With `parts` it depends on these instead of the sources; they must include their places.
    """
    project = loader.project
    settings = repr((purpose, project.game, project.languages, sorted(project.variants.items()), project.tests))
    settings += _translations(loader)
    settings += repr([mark for source in loader.sources for mark in asset_times(source)])
    if parts is None:
        parts = (f"{source.name}\n{source.text}" for source in loader.sources)
    return cache.result_key([settings.encode(), *(part.encode() for part in parts)])


_BRINGS = ("art:", "icons:", "fonts:", "template:")
_FILE = re.compile(r'\n *(?:art|[\w-]+(?=: *"[^"\n]*\.\w+")): *"([^"\n]*)"')
"""Matches the line end before a line that may name a file. `re` finds a character faster than the start of a line."""


def asset_paths(source: Source) -> Iterator[tuple[str, Path]]:
    """Yield the files that a source may name, with their names: pictures, drawings, fonts, templates."""
    for name in _named_files(source.text):
        yield name, Path(source.name).parent / name


@lru_cache(maxsize=1024)
def _named_files(text: str) -> tuple[str, ...]:
    """Return the names of the files that a text may name; the keys of several results need them."""
    return tuple(_FILE.findall("\n" + text)) if any(word in text for word in _BRINGS) else ()


def asset_times(source: Source) -> Iterator[tuple[object, ...]]:
    """Yield the time and size of the files that a source names; for a missing file, only its name."""
    for name, path in asset_paths(source):
        try:
            left = path.stat()
        except (OSError, ValueError):
            yield (source.name, name)
        else:
            yield (source.name, name, left.st_size, left.st_mtime_ns)


def latest(loader: Loader, purpose: str) -> str:
    """Return the cache key for the last result of a project for some purpose, with any texts.

    The reader must check which parts of the result are still valid.
    """
    project = loader.project
    settings = (project.root, project.game, project.languages, sorted(project.variants.items()))
    settings_text = repr((purpose, *settings, project.tests, project.paths)) + _translations(loader)
    return cache.result_key([settings_text.encode()])


def _translations(loader: Loader) -> str:
    """Return the texts of a loader's translations; empty if there are none."""
    files = [*loader.catalogs, *loader.seals]
    return repr([(file.name, file.text) for file in files]) if files else ""


def files_of_tests(loader: Loader) -> list[str]:
    """Return the names of the loaded files with the project's tests."""
    return loader.names_in(loader.project.folders(loader.project.tests))


def own_sources(loader: Loader) -> list[str]:
    """Return the names of the loaded files, without those of shipped content that the project only uses."""
    lent = lent_to(loader)
    return [source.name for source in loader.sources if source.name not in lent]


def lent_to(loader: Loader) -> tuple[str, ...]:
    """Return the names of the shipped files that a project uses, unless it is fcb's own project."""
    root = loader.project.root
    if root is None or root.resolve() == shipped_path(PROJECT_FILE).parent.resolve():
        return ()
    return tuple(loader.names_in(shipped_path(name) for name in LENT))


def _checked(loader: Loader) -> tuple[Model, list[Diagnostic]]:
    """Parse and check; return the problems found."""
    from fcbdsl.language.model.check import check  # as in `parse_all`

    problems = Problems()
    files = parse_all(loader.sources, problems)
    project = loader.project
    proofs, catalogs = files_of_tests(loader), loader.translations()
    model, findings = check(
        files,
        switches=project.variants,
        spoken=project.languages,
        proofs=proofs,
        catalogs=catalogs,
        lent=lent_to(loader),
    )
    problems.extend(without_consequences(findings, problems))
    return model, problems.sorted()


def without_consequences(problems: Iterable[Diagnostic], read: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return findings of a check without the errors of lines with syntax errors (`read` contains these).

    The part of a line before a syntax error counts as read, unless the error concerns the whole line (`whole_line`).
    """
    misread: dict[tuple[str, int], int] = {}
    for diagnostic in read:
        if diagnostic.once_per_line and diagnostic.severity == "error":
            start = 0 if diagnostic.whole_line else diagnostic.span.place[1]
            misread[_line(diagnostic)] = min(start, misread.get(_line(diagnostic), start))
    return [
        diagnostic
        for diagnostic in problems
        if diagnostic.severity != "error"
        or diagnostic.span.place[2] <= misread.get(_line(diagnostic), diagnostic.span.place[2])
    ]


def _line(finding: Diagnostic) -> tuple[str, int]:
    return finding.span.source.name, finding.span.line
