"""Reading of the shipped sources that a pack uses, once for all packs that use them.

A pack reads the same text of its game as every other pack. So fcb caches the state of reading and lowering that text
alone, and a pack begins with this state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.language.compiler import BothLowerings, KeptLowering
from fcbdsl.language.model.check import Checker, KeptCheck
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.units import KeptUnit
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.pieces import FilePiece, read_pieces
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.project.paths import CORE, lies_in, shipped_path
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
    """Return the state of reading the shipped sources that a pack uses, from the cache; `make` and cache it if it is
    not there.

    Return None if there is none, if the project uses no shipped game, or if nothing can be cached.
    """
    plain = without_pack(loader)
    if plain is None or len(plain.sources) == len(plain.files_of(CORE)) or cache.cache_folder() is None:
        return None
    key = project_key(plain, READ)
    state: ReadingState | None = cache.load_result(key, is_reading)
    if state is None and make:
        state = _read(plain)
        cache.store_result(key, state)
    return state


def shipped_model(loader: Loader) -> Model | None:
    """Return the model of the shipped sources that a pack uses; None if it uses none, or if they have errors."""
    plain = without_pack(loader)
    if plain is None:
        return None
    state = shipped_reading(loader, make=False)
    if state is None:
        model, found = cached_model(plain)
        return None if any(one.severity == "error" for one in found) else model
    files, kept, lowered = state
    if kept is None or lowered is None:
        return None
    checker = _checker(plain)
    checker.take_up(kept)
    model = checker.update([read_pieces(one, files.get(one.name, ()), frozenset()).file() for one in plain.sources])
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
    found: list[Diagnostic] = [*checker.problems()]
    for file in files.values():
        found += file.problems()
    lowered = None
    if all(one.severity != "error" for one in found):
        both = BothLowerings(model)
        lowered = None if verify_program(both.program) else both.kept()
    return {name: file.pieces for name, file in files.items()}, checker.kept(), lowered


def is_reading(found: object) -> bool:
    """Return whether cached data is a state of reading: files in pieces, the check, and the lowering."""
    match found:
        case (dict(files), KeptCheck() as kept, None | KeptLowering()):
            pieces = all(isinstance(one, FilePiece) for file in files.values() for one in file)
            declared = all(isinstance(head, Declaration) for head in kept.heads)
            return pieces and declared and all(isinstance(unit, KeptUnit) for unit in kept.units)
    return False
