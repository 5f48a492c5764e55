"""Mutated sources: each is checked to its end, and what has no errors compiles, verifies, plays and prints."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

from fcbdsl.base.diagnostics import report
from fcbdsl.language.compiler import looking_problems, lower
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.project.analysis import analysis_of
from fcbdsl.project.project import check_project, load_project
from fcbdsl.project.workspace import Workspace
from tests.fuzz import limits
from tests.fuzz.programs import SYSTEMS, run_bytes, run_program

GAMES = ("pond", "lanterns", "foxhunt", "parley", "souk")
WHOLE = 50
"""One input of so many is a project on the disk that runs every check of `fcb check`. The others are edits of an open
project, which are checked, compiled and played: an open project reads only what an edit has changed."""
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
        problems = list(analysis_of(load_project([root])).problems)
    report.findings_to_text(problems)
    if any(problem.severity == "error" for problem in problems):
        return "errors"
    return run_bytes(fcbc.dump(lower(model, tests=True)), seed)


def run_edit(workspace: Workspace, name: str, text: str, seed: int = 0) -> str:
    """Set the text of a file in an open project; compile and play the project if it has no errors."""
    workspace.change(name, text)
    problems = workspace.problems()
    report.findings_to_text(problems)
    if any(problem.severity == "error" for problem in problems) or looking_problems(workspace.model):
        return "errors"
    program = workspace.program(tests=True)
    assert not verify_program(program)
    return run_program(program, seed)


class Projects:
    """Copies of small games, one file of which changes from input to input. Files of small games change more often."""

    def __init__(self, games: tuple[str, ...] = GAMES) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="fcb-fuzz-"))
        self._files: list[tuple[Path, Path, str]] = []
        self._weights: list[float] = []
        self._open: dict[Path, tuple[Workspace, Path, str]] = {}
        """Open projects, the file that was edited last, and its text before."""
        for game in games:
            root = self._folder / game
            shutil.copytree(SYSTEMS / game, root)
            files = [(root, path, path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.fcb"))]
            self._files += files
            self._weights += [1 / sum(len(text) for _, _, text in files) / len(files)] * len(files)
            self._open[root] = Workspace([root]), files[0][1], files[0][2]

    def warm_up(self) -> None:
        """Edit each file, compile and play each game once: processes that run inputs need not do so again."""
        for root, path, text in self._files:
            self._run_edit(root, path, text + "\n", 0)
            self._run_edit(root, path, text.replace("\n", "\n# \n", 1), 0)

    def following(self, chance: random.Random, group: random.Random) -> limits.Input:
        """Return the next input. All of a group change one file."""
        ((root, path, text),) = group.choices(self._files, self._weights)
        other = mutated(text, chance)
        whole, seed = chance.randrange(WHOLE) == 0, chance.randrange(1 << 30)

        def run() -> str:
            return self._run_whole(root, path, other, seed) if whole else self._run_edit(root, path, other, seed)

        return limits.Input(f"{path.relative_to(self._folder)}, seed {seed}, whole: {whole}", run, other.encode)

    def _run_whole(self, root: Path, path: Path, text: str, seed: int) -> str:
        """Run a copy of the project, because other processes read this one."""
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            copy = Path(shutil.copytree(root, Path(folder) / root.name))
            (copy / path.relative_to(root)).write_text(text, encoding="utf-8", newline="\n")
            return run_project(copy, True, seed)

    def _run_edit(self, root: Path, path: Path, text: str, seed: int) -> str:
        """Edit the open project; what an earlier input has changed in another file is undone first.

        A project in which an edit failed is opened again for the next."""
        workspace, edited, before = self._open.pop(root, None) or (Workspace([root]), path, path.read_text("utf-8"))
        if edited != path:
            workspace.change(_name_in(workspace, edited), before)
            before = workspace.text(_name_in(workspace, path))
        result = run_edit(workspace, _name_in(workspace, path), text, seed)
        self._open[root] = workspace, path, before
        return result

    def close(self) -> None:
        """Remove the copies."""
        shutil.rmtree(self._folder)


def _name_in(workspace: Workspace, path: Path) -> str:
    return next(file for file in workspace.files if Path(file).resolve() == path.resolve())
