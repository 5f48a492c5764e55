"""``python -m benchmarks.printing``: the cost of printing compared with Typst alone.

It measures processor seconds of whole processes in turn. One is ``fcb render`` of some cards of a checked project; the
other imports Typst and compiles the same Typst sources to PDF.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.__main__ import ROOT, command

CARDS = 90
GAME = "far-cry-beyond"
BARE = """
import sys, typst
for name in sys.argv[2:]:
    compiler = typst.Compiler(name, root=sys.argv[1], font_paths=[sys.argv[1]], ignore_system_fonts=True)
    open(name + ".pdf", "wb").write(compiler.compile(format="pdf", pdf_standards=["ua-1"]))
"""


def sources(count: int, folder: Path) -> tuple[list[str], list[Path]]:
    """Return the ids of that many cards and boards, and the Typst sources of their documents, with all files that these
    need."""
    from fcbdsl.print.pieces.printables import is_sheet, printable
    from fcbdsl.print.press.options import Options
    from fcbdsl.print.press.press import render
    from fcbdsl.print.typeset import folders, typesetting
    from fcbdsl.project.project import check_project

    model, _ = check_project(root=ROOT, game=GAME)
    ids = [f"{definition.kind.id}/{definition.id}" for definition in printable(model) if not is_sheet(definition)][
        :count
    ]
    made: list[str] = []
    compile_to = typesetting.typst_source

    def noted(template: str, values: Any) -> str:
        made.append(compile_to(template, values))
        return made[-1]

    typesetting.typst_source = noted
    try:
        render(model, ids, "en", "a4", "pdf", folder / "made", Options(copies="one"))
    finally:
        typesetting.typst_source = compile_to
    for path in (
        *folders.TEMPLATES.glob("*.typ"),
        *folders.ICONS.glob("*.svg"),
        *typesetting.FONTS.glob("*.ttf"),
    ):
        (folder / path.name).write_bytes(path.read_bytes())
    files = []
    for at, source in enumerate(made):
        files.append(folder / f"main{at}.typ")
        files[-1].write_text(source, encoding="utf-8")
    return ids, files


def bare(folder: Path, files: list[Path]) -> float:
    """Return the processor seconds of Typst alone."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", BARE, str(folder), *map(str, files)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=3)
    turns = parser.parse_args().turns
    print("| measure | fcb render | bare Typst | ratio | over |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        kept = Path(name) / "cache"
        kept.mkdir(mode=0o700)
        for count in (CARDS, 1):
            folder = Path(name) / str(count)
            folder.mkdir()
            ids, files = sources(count, folder)
            asked = ("render", *ids, "--game", GAME, "--copies", "one", "-o", str(folder / "out"))
            command(ROOT, kept, *asked)
            rows = [(command(ROOT, kept, *asked)[0], bare(folder, files)) for _ in range(turns)]
            ours, theirs = median(row[0] for row in rows), median(row[1] for row in rows)
            over = median(one - 1.5 * other for one, other in rows)
            what = "1 card" if count == 1 else f"{count} cards and boards, and their list"
            print(f"| {what} | {ours:.2f} s | {theirs:.2f} s | {ours / theirs:.2f} | 1.5 × {over:+.2f} s |")


if __name__ == "__main__":
    main()
