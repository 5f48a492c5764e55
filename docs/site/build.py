"""Builds the site of the documentation: ``python docs/site/build.py OUT``. A warning of Sphinx makes it fail."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def build(out: Path) -> int:
    """Build the site into a folder. Return the exit code of Sphinx: 0 without warnings."""
    from sphinx.cmd.build import main

    with tempfile.TemporaryDirectory() as trees:
        wanted = ["-q", "-E", "-W", "--keep-going", "-n", "-b", "html", "-c", str(HERE), "-d", trees]
        return main([*wanted, str(HERE.parents[1]), str(out)])


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
