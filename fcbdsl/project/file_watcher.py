"""Which files change while somebody works on them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from fcbdsl.base.files import PROJECT_FILE
from fcbdsl.project.project import Loader

PAUSE = 0.2
"""Seconds between two looks at the files."""
MOST_FILES = 20_000
"""Files that are looked at."""

State = Mapping[Path, tuple[int, int]]
"""When files were last written, and how large they are."""


def rest() -> None:
    """Wait a little."""
    time.sleep(PAUSE)


def watched(loaders: Iterable[Loader], without: Path | None = None) -> State:
    """The state of all files that some games are made of – project files, sources, pictures, translations – but of
    what lies in the folder `without`, where prints go."""
    out = without.resolve() if without is not None else None
    found: dict[Path, tuple[int, int]] = {}
    for loader in loaders:
        project = loader.project
        own = [] if project.root is None else [project.root / PROJECT_FILE]
        borrowed = [name for name in ("systems", "packs", project.translations) if name and project.root is not None]
        for path in _files([*own, *project.places(), *project.folders(borrowed)]):
            if len(found) < MOST_FILES and not (out is not None and path.resolve().is_relative_to(out)):
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


class Watcher:
    """Looks at files again and again. `look`: how they are now; `clock`: seconds."""

    def __init__(self, look: Callable[[], State], clock: Callable[[], float] = time.monotonic) -> None:
        self._look = look
        self._clock = clock
        self._before = self._now = look()
        self._last = clock()

    @property
    def count(self) -> int:
        """How many files there are."""
        return len(self._now)

    def stale(self) -> bool:
        """Whether something has changed since `take`; who asks all the time costs little, for the files are looked at
        once in a while."""
        if self._clock() - self._last >= PAUSE:
            self._now = self._look()
            self._last = self._clock()
        return self._now != self._before

    def take(self) -> list[Path]:
        """The files that have come, gone or changed since this was asked last."""
        before, now = self._before, self._look()
        self._before = self._now = now
        return sorted(path for path in {**before, **now} if before.get(path) != now.get(path))


def changes(watcher: Watcher, wait: Callable[[], None]) -> Iterator[list[Path]]:
    """Files that have come, gone or changed, each time that there are some. Ends when `wait` is interrupted
    (KeyboardInterrupt)."""
    while True:
        try:
            wait()
        except KeyboardInterrupt:
            return
        found = watcher.take()
        if found:
            yield found
