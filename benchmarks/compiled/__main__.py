"""``python -m benchmarks.compiled``: build the wheel with compiled packages, and unpack it into a folder for
PYTHONPATH.

It is what ``FCB_BUILD=compiled pip install`` gives (``hatch_build.py``); an editable install runs plain Python. At the
end both builds read all shipped content and play the same games. The run fails unless all problems, typed trees,
programs, texts and final states are the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from benchmarks.compiled import results

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Build, compare, and print the command that uses the build."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiled", description=__doc__)
    parser.add_argument(
        "out", type=Path, nargs="?", default=ROOT / "build" / "fast", help="folder (default build/fast)"
    )
    out = parser.parse_args().out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel(Path(folder), "compiled")) as made:
        made.extractall(out)
    if not (out / "fcbdsl" / "results").is_dir():
        raise SystemExit("the compiled build contains no results about the shipped games")
    compare(out)
    print(f"Built and compared. To use it: PYTHONPATH={os.path.relpath(out)} fcb …")


def wheel(folder: Path, kind: str) -> Path:
    """Build the wheel, "compiled" or "plain", in a folder, and return its path. Exit with the error if that fails."""
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    command = [sys.executable, "-c", build, str(folder)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "FCB_BUILD": kind})
    if done.returncode:
        raise SystemExit("the wheel cannot be built")
    return folder / done.stdout.split()[-1]


def compare(out: Path) -> None:
    """Read and play with the build and with the sources. Exit if any result differs."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", results.__name__],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(out), str(ROOT)]), "FCB_CACHE": ""},
    )
    if done.returncode:
        raise SystemExit(f"the compiled build cannot read and play:\n{done.stderr}")
    reader, machine, *theirs = done.stdout.split()
    if any(file.endswith(".py") for file in (reader, machine)) or theirs != results.all_digests():
        raise SystemExit(f"the compiled build ({reader}, {machine}) does not read and play as its sources do")


if __name__ == "__main__":
    main()
