"""``python -m benchmarks.serving``: the cost of the language server's answers, in milliseconds of processor time.

The project is opened as the server does. Lines of a file of cards lose their last letters, one line after another, as
if somebody were typing. The time of an edit ends when all problems are known again. Each request follows such an edit
at its place, so that no cached answer applies.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.pack import cards
from benchmarks.tasks import GAME
from benchmarks.typing import CARDS
from fcbdsl.editor.lsp import completion, hover, structure
from fcbdsl.editor.lsp.sessions import EditorSession
from fcbdsl.project.workspace import Workspace

Asked = Callable[[EditorSession, str, int, int], object]

PROBLEMS = "problems after an edit"

ANSWERS: dict[str, Asked] = {
    "completion": lambda session, name, line, column: completion.complete(session.space, name, line, column),
    "signature": lambda session, name, line, column: hover.signature_at(session.space, "Push target "),
    "hover": lambda session, name, line, column: hover.hover(session.names, name, line, 4),
    "definition": lambda session, name, line, column: session.names.at(name, line, 5),
    "outline": lambda session, name, line, column: structure.outline(session.space.tree(name)),
    "semantic tokens": lambda session, name, line, column: structure.tokens(session.names, name),
}
"""The requests, with a session, a file, its line (from 1) and column (from 0)."""


def measured(space: Workspace, name: str, count: int, random: Random) -> dict[str, list[float]]:
    """Return the seconds of each sort of answer, while lines of a file are being written."""
    session = EditorSession(space)
    found: dict[str, list[float]] = {PROBLEMS: []} | {what: [] for what in ANSWERS}
    whole = space.text(name)
    rows = whole.split("\n")
    lines = [at for at, row in enumerate(rows) if row.startswith("  ")]
    for number in range(count):
        line = random.choice(lines)
        column = len(rows[line]) - number % 3
        begin = time.process_time()
        session.change(name, "\n".join([*rows[:line], rows[line][:column], *rows[line + 1 :]]))
        session.problems()
        found[PROBLEMS].append(time.process_time() - begin)
        what = list(ANSWERS)[number % len(ANSWERS)]
        begin = time.process_time()
        ANSWERS[what](session, name, line + 1, column)
        found[what].append(time.process_time() - begin)
        session.change(name, whole)
        session.problems()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving", description=__doc__)
    parser.add_argument("--edits", type=int, default=240, help="edits for each project (default 240)")
    count = parser.parse_args().edits
    print("| project | answer | median | 95 % |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack.fcb"
        pack.write_text(cards(CARDS), encoding="utf-8")
        space = Workspace(game=GAME)
        largest = max(
            (name for name in space.files if name.startswith("cards/")), key=lambda name: len(space.text(name))
        )
        opened = [
            (f"{CARDS:,} cards in one file", Workspace([pack]), pack.as_posix()),
            ("shipped content", space, largest),
        ]
        for title, space, name in opened:
            for what, each in measured(space, name, count, Random(1)).items():
                median, late = statistics.median(each), sorted(each)[int(len(each) * 0.95)]
                print(f"| {title} | {what} | {median * 1000:.1f} ms | {late * 1000:.1f} ms |", flush=True)


if __name__ == "__main__":
    main()
