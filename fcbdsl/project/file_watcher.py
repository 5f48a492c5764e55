"""Watches files for changes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from fcbdsl.base.files import PROJECT_FILE
from fcbdsl.project.project import Loader

PAUSE = 0.2
"""Seconds between two checks of the files."""
MOST_FILES = 20_000
"""Most files that are watched."""

State = Mapping[Path, tuple[int, int]]
"""The time of the last change, and the size, of each file."""


def rest() -> None:
    """Wait until the next check."""
    time.sleep(PAUSE)


def files_state(loaders: Iterable[Loader], without: Path | None = None) -> State:
    """Return the state of all files of some games: project files, sources, pictures, translations.

    Files in the folder `without`, the output of print, are left out.
    """
    out = without.resolve() if without is not None else None
    states: dict[Path, tuple[int, int]] = {}
    for loader in loaders:
        project = loader.project
        own = [] if project.root is None else [project.root / PROJECT_FILE]
        borrowed = [name for name in ("systems", "packs", project.translations) if name and project.root is not None]
        for path in _files([*own, *project.places(), *project.folders(borrowed)]):
            if len(states) < MOST_FILES and not (out is not None and path.resolve().is_relative_to(out)):
                try:
                    state = path.stat()
                except OSError:
                    continue  # it has just been removed: that is a change, too
                states[path] = (state.st_mtime_ns, state.st_size)
    return states


def _files(places: Iterable[Path]) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            for folder, folders, names in os.walk(place):
                folders.sort()
                yield from (Path(folder) / name for name in sorted(names))
        elif place.is_file():
            yield place


class Watcher:
    """Compares the state of files again and again. `look` returns their present state; `clock` returns seconds."""

    def __init__(self, look: Callable[[], State], clock: Callable[[], float] = time.monotonic) -> None:
        self._look = look
        self._clock = clock
        self._before = self._now = look()
        self._last = clock()

    @property
    def count(self) -> int:
        """Return the number of files."""
        return len(self._now)

    def stale(self) -> bool:
        """Return whether a file has changed since `take`. Frequent calls are cheap: the files are checked at
        intervals."""
        if self._clock() - self._last >= PAUSE:
            self._now = self._look()
            self._last = self._clock()
        return self._now != self._before

    def take(self) -> list[Path]:
        """Return the files that were added, removed or changed since the last call."""
        before, now = self._before, self._look()
        self._before = self._now = now
        return sorted(path for path in {**before, **now} if before.get(path) != now.get(path))


def file_changes(watcher: Watcher, wait: Callable[[], None]) -> Iterator[list[Path]]:
    """Yield the files that were added, removed or changed, whenever there are any. It ends when `wait` is interrupted
    (KeyboardInterrupt)."""
    while True:
        try:
            wait()
        except KeyboardInterrupt:
            return
        paths = watcher.take()
        if paths:
            yield paths
