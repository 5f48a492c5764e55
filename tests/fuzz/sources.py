"""Mutated sources: each is checked to its end, and what has no errors compiles, verifies, plays and prints."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

from fcbdsl.base.diagnostics import report
from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import fcbc
from fcbdsl.project.analysis import analysis_of
from fcbdsl.project.project import check_project, load
from tests.fuzz import limits
from tests.fuzz.programs import SYSTEMS, run_bytes

GAMES = ("pond", "lanterns", "foxhunt", "parley", "souk")
WHOLE = 10
"""One input of so many runs every check; the others are parsed, checked, compiled and played."""
ODD = ("\x00", "\t", "\r", "\u202e", "\ufeff", "é", "🎲", "{", "}", "[", "]", '"', ":", "->", "#", "# fcb: allow",
       "9" * 25, "-1", "0", "1000000", "''", "..", "/", "\\", "\x1b[31m", "::error::x", "##[error]")  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    """Return a source with one to four changes of lines, words or characters."""
    lines = text.split("\n")
    for _ in range(chance.choice((1, 1, 2, 3, 4))):
        at = chance.randrange(len(lines))
        other = chance.randrange(len(lines))
        words = lines[at].split(" ")
        word = chance.randrange(len(words))
        match chance.randrange(10):
            case 0:
                del lines[at : at + chance.choice((1, 1, 2, 5))]
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = chance.choice(("  ", "    ", " ", "\t")) + lines[at]
            case 4:
                lines[at] = lines[at].removeprefix("  ")
            case 5:
                words[word] = chance.choice(ODD)
                lines[at] = " ".join(words)
            case 6:
                words[word] = chance.choice(lines[other].split(" "))
                lines[at] = " ".join(words)
            case 7:
                del words[word]
                lines[at] = " ".join(words)
            case 8:
                place = chance.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:place] + chance.choice(ODD) + lines[at][place + chance.randrange(2) :]
            case 9:
                words[word] *= chance.choice((2, 2, 300))
                lines[at] = " ".join(words)
        lines = lines or [""]
    return "\n".join(lines)


def run_project(root: Path, whole: bool = False, seed: int = 0) -> str:
    """Check a project; compile and play it if it has no errors."""
    model, problems = check_project([root])
    if whole:
        problems = list(analysis_of(load([root])).problems)
    report.to_text(problems)
    if any(one.severity == "error" for one in problems):
        return "errors"
    return run_bytes(fcbc.dump(lower(model, tests=True)), seed)


class Projects:
    """Copies of small games, one file of which changes from input to input. Files of small games change more often."""

    def __init__(self, games: tuple[str, ...] = GAMES) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="fcb-fuzz-"))
        self._files: list[tuple[Path, Path, str]] = []
        self._weights: list[float] = []
        for game in games:
            root = self._folder / game
            shutil.copytree(SYSTEMS / game, root)
            files = [(root, path, path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.fcb"))]
            self._files += files
            self._weights += [1 / sum(len(text) for _, _, text in files) / len(files)] * len(files)

    def following(self, chance: random.Random) -> limits.Input:
        """Return the next input."""
        ((root, path, text),) = chance.choices(self._files, self._weights)
        other = mutated(text, chance)
        whole, seed = chance.randrange(WHOLE) == 0, chance.randrange(1 << 30)

        def run() -> str:
            _write(path, other)
            try:
                return run_project(root, whole, seed)
            finally:
                _write(path, text)

        return limits.Input(f"{path.relative_to(self._folder)}, seed {seed}, whole: {whole}", run, other.encode)

    def restore(self) -> None:
        """Undo the changes of a process that has ended in the middle of an input."""
        for _, path, text in self._files:
            _write(path, text)

    def close(self) -> None:
        """Remove the copies."""
        shutil.rmtree(self._folder)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
