"""Builds the site of the documentation: ``python docs/site/build.py OUT``. A warning of Sphinx makes it fail."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from code_pages import FOLDER, code_pages, list_of_codes

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def build(out: Path) -> int:
    """Build the site into a folder. Return the exit code of Sphinx: 0 without warnings."""
    from sphinx.cmd.build import main

    with tempfile.TemporaryDirectory() as trees, tempfile.TemporaryDirectory() as sources:
        lay_out(Path(sources))
        wanted = ["-q", "-E", "-W", "--keep-going", "-n", "-b", "html", "-c", str(HERE), "-d", trees]
        return main([*wanted, sources, str(out)])


def lay_out(tree: Path) -> None:
    """Copy the pages into a folder, with a page for each diagnostic, beside links to all other files."""
    for path in ROOT.iterdir():
        if path.suffix == ".md":
            shutil.copy(path, tree)
        elif path.name != "docs" and not path.name.startswith("."):
            (tree / path.name).symlink_to(path)
    shutil.copytree(ROOT / "docs", tree / "docs")
    reference = tree / "docs" / "diagnostics.md"
    text = reference.read_text(encoding="utf-8")
    (tree / "docs" / FOLDER).mkdir()
    for code, page in code_pages(text).items():
        (tree / "docs" / FOLDER / f"{code}.md").write_text(page, encoding="utf-8")
    reference.write_text(list_of_codes(text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
