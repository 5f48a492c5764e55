"""Reading of the shipped sources that a pack uses, once for all packs that use them.

A pack reads the same text of its game as every other pack. So fcb keeps the state of reading and lowering that text
alone, and a pack begins with this state. The package contains the states for the packs that `fcb new` makes
(`base.shipped_results`); others are in the cache.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fcbdsl.base import cache, shipped_results
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.language.compiler import BothLowerings, KeptLowering
from fcbdsl.language.model.check import Checker, KeptCheck, KeptDeclarations
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.units import KeptUnit
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.pieces import FilePiece, read_pieces
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.project.paths import CORE, LENT, lies_in, shipped_path
from fcbdsl.project.project import Loader, cached_model, lent_to, project_key

ReadingState = tuple[Mapping[str, Sequence[FilePiece]], KeptCheck | None, KeptLowering | None]
"""Files in pieces, the check of them, and the lowering of their game."""
NOTHING_READ: ReadingState = ({}, None, None)

READ = "reading of shipped sources"
"""The purpose in the cache key of such a state."""


def without_pack(loader: Loader) -> Loader | None:
    """Return a loader that has read only what a pack uses of the shipped content; None if it uses none."""
    lent = lent_to(loader)
    if not lent or len(lent) == len(loader.sources):
        return None
    project = replace(loader.project, tests=(), paths=(), title="", revision="")
    sources = [source for source in loader.sources if source.name in lent]
    shared = [shipped_path("systems"), shipped_path("translations")]
    catalogs = [catalog for catalog in loader.catalogs if lies_in(Path(catalog.name), shared)]
    return replace(loader, project=project, sources=sources, catalogs=catalogs, seals=[])


def shipped_reading(loader: Loader, make: bool) -> ReadingState | None:
    """Return the state of reading the shipped sources that a pack uses, from the package or the cache; `make` and cache
    it if it is not there.

    Return None if there is none, if the project uses no shipped game, or if nothing can be cached.
    """
    plain = _readable(loader)
    state = None if plain is None else _packaged(plain)
    if plain is None or state is not None:
        return state
    key = project_key(plain, READ)
    state = cache.load_result(key, is_reading)
    if state is None and make:
        state = _read(plain)
        cache.store_result(key, state)
    return state


def packaged_reading(loader: Loader) -> ReadingState | None:
    """Return the state of reading the shipped sources that a pack uses, if the package contains it.

    In a checkout, a missing state is made and becomes part of the package.
    """
    plain = _readable(loader)
    return None if plain is None else _packaged(plain)


def _readable(loader: Loader) -> Loader | None:
    """Return a loader of the shipped sources that a pack uses; None if it uses no game, or nothing can be cached."""
    plain = without_pack(loader)
    if plain is None or len(plain.sources) == len(plain.files_of(CORE)) or cache.cache_folder() is None:
        return None
    return plain


def _packaged(plain: Loader) -> ReadingState | None:
    places = package_places(plain)
    name = packaged_name(plain, places, READ)
    state: ReadingState | None = shipped_results.load_packaged(name, is_reading, places)
    if state is None and shipped_results.writable():
        state = _read(plain)
        shipped_results.store_packaged(name, state, places)
    return state


def package_places(plain: Loader) -> dict[str, str]:
    """Return the places in the package of shipped sources and translations, by their names in this run."""
    roots = {folder: shipped_path(folder).resolve() for folder in (*LENT, "translations")}
    places = {}
    for source in (*plain.sources, *plain.catalogs):
        path = Path(source.name).resolve()
        within = [f"{name}/{path.relative_to(root).as_posix()}" for name, root in roots.items() if root in path.parents]
        places[source.name] = within[0] if within else source.name
    return places


def packaged_name(plain: Loader, places: Mapping[str, str], purpose: str, more_code: tuple[str, ...] = ()) -> str:
    """Return the name of a result about shipped sources that the package may contain: the same in each installation.

    `more_code`: see `shipped_results.result_name`.
    """
    project = plain.project
    settings = repr((purpose, project.languages, sorted(project.variants.items()), len(plain.sources)))
    files = (*plain.sources, *plain.catalogs)
    return shipped_results.result_name([settings, *(f"{places[file.name]}\n{file.text}" for file in files)], more_code)


def shipped_model(loader: Loader) -> Model | None:
    """Return the model of the shipped sources that a pack uses; None if it uses none, or if they have errors."""
    plain = without_pack(loader)
    if plain is None:
        return None
    state = shipped_reading(loader, make=False)
    if state is None:
        model, problems = cached_model(plain)
        return None if any(problem.severity == "error" for problem in problems) else model
    files, check_state, lowered = state
    if check_state is None or lowered is None:
        return None
    checker = _checker(plain)
    checker.restore(check_state)
    model = checker.update(
        [read_pieces(source, files.get(source.name, ()), frozenset()).file() for source in plain.sources]
    )
    model.lent, model.pack, model.revision = lent_to(plain), plain.project.title, plain.project.revision
    return model


def _checker(plain: Loader) -> Checker:
    project = plain.project
    return Checker(project.variants, project.languages, (), plain.translations(), lent_to(plain))


def _read(plain: Loader) -> ReadingState:
    """Read shipped sources, and lower their game if they have no errors and its program is sound."""
    checker = _checker(plain)
    files = {source.name: read_pieces(source, (), frozenset()) for source in plain.sources}
    model = checker.update([file.file() for file in files.values()])
    problems: list[Diagnostic] = [*checker.problems()]
    for file in files.values():
        problems += file.problems()
    lowered = None
    if all(diagnostic.severity != "error" for diagnostic in problems):
        both = BothLowerings(model)
        if not verify_program(both.program):
            lowered = both.snapshot()
            lowered = None if verify_program(both.tested(), both.shared) else lowered
    return {name: file.pieces for name, file in files.items()}, checker.snapshot(with_words=True), lowered


def is_reading(data: object) -> bool:
    """Return whether cached data is a state of reading: files in pieces, the check, and the lowering."""
    match data:
        case (dict(files), KeptCheck() as check_state, None | KeptLowering()):
            pieces = all(isinstance(piece, FilePiece) for file in files.values() for piece in file)
            heads = all(isinstance(head, Declaration) for head in check_state.heads)
            declared = isinstance(check_state.declared, KeptDeclarations | None)
            return pieces and heads and declared and all(isinstance(unit, KeptUnit) for unit in check_state.units)
    return False
