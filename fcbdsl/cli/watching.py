"""Printing again whatever has changed, for as long as somebody works on it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcbdsl.model.whole import Model
    from fcbdsl.project import Loader

PAUSE = 0.4
"""Seconds between two looks at the files."""
MOST_FILES = 20_000
"""Files that are looked at."""

State = Mapping[Path, tuple[int, int]]
"""When files were last written, and how large they are."""


def rest() -> None:
    """Wait a little."""
    time.sleep(PAUSE)


def watched(loaders: Iterable[Loader], without: Path) -> State:
    """The state of all files that prints of some games are made of – project files, sources, pictures – but of what
    lies in the folder `without`, where prints go."""
    found: dict[Path, tuple[int, int]] = {}
    for loader in loaders:
        root = loader.project.root
        for path in _files([*([root / "fcb.toml"] if root is not None else []), *loader.project.places()]):
            if len(found) < MOST_FILES and not path.resolve().is_relative_to(without.resolve()):
                try:
                    state = path.stat()
                except OSError:
                    continue  # it has gone this moment: that is a change, too
                found[path] = (state.st_mtime_ns, state.st_size)
    return found


def _files(places: Iterable[Path]) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            for folder, folders, names in os.walk(place):
                folders.sort()
                yield from (Path(folder) / name for name in sorted(names))
        elif place.is_file():
            yield place


def changes(before: State, look: Callable[[], State], wait: Callable[[], None]) -> Iterator[list[Path]]:
    """Files that have come, gone or changed since `before`, each time that there are some. Ends when `wait` is
    interrupted (KeyboardInterrupt)."""
    while True:
        try:
            wait()
        except KeyboardInterrupt:
            return
        now = look()
        found = sorted(path for path in {**before, **now} if before.get(path) != now.get(path))
        before = now
        if found:
            yield found


@dataclass(slots=True)
class LastPrint:
    """What was printed last of each game: of each piece and sheet, by its key, all that stands on it in short."""

    marks: dict[str, dict[str, str]] = field(default_factory=dict)

    def changed(self, game: str, model: Model, language: str) -> list[str] | None:
        """The keys of what is printed otherwise now or not any more; None: nothing of that game was printed yet."""
        before = self.marks.get(game)
        now = self.marks[game] = _marks(model, language)
        if before is None:
            return None
        return [key for key in {**before, **now} if before.get(key) != now.get(key)]


def _marks(model: Model, language: str) -> dict[str, str]:
    from fcbdsl.render.aids import aid_of, reference_of
    from fcbdsl.render.pieces import PieceRegister
    from fcbdsl.render.proofs import printable, proof_of
    from fcbdsl.render.stamps import stamp_of
    from fcbdsl.render.views import Card

    things = printable(model)
    register = PieceRegister(model, things)
    found: dict[str, str] = {}
    for one in things:
        view = proof_of(one, model, language).view
        found[view.key] = register.piece(one, view, "game").card.mark if isinstance(view, Card) else stamp_of(view)
    for make in (aid_of, reference_of):
        aid, _ = make(model, language)
        found[AIDS] = found.get(AIDS, "") + repr(aid)
    return found


AIDS = "aids"
"""Stands for player aid, reference and tokens among the keys of pieces."""


def still_wanted(chosen: Mapping[str, bool], changed: Sequence[str]) -> list[str]:
    """Which of some pieces and sheets to print again: sheets that have changed; the pieces all or none, for they share
    one document. `chosen`: their keys, and whether each is a sheet."""
    pieces = any(not chosen.get(key) and key != AIDS for key in changed)
    return [key for key, is_sheet in chosen.items() if (key in changed if is_sheet else pieces)]
