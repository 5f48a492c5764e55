"""Check, test, play and print something of each game, and write one page to show."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from demo.page import Corner, page
from fcbdsl.base.files import write_atomically

HERE = Path(__file__).parent
SEED = "7"
LANGUAGES = {"en": "English", "fr": "French"}


def run(corner: Corner, what: str, *arguments: str) -> None:
    """Run ``fcb`` and store the command and its output in the corner, under the title `what`."""
    done = subprocess.run([sys.executable, "-m", "fcbdsl", *arguments], capture_output=True, text=True)
    output = "\n".join((done.stdout + done.stderr).strip().splitlines())
    corner.said[what] = "fcb " + " ".join(arguments), output
    corner.fine = corner.fine and done.returncode == 0
    last = output.splitlines()[-1] if output else "done"
    print(f"{corner.game}: {what}: {last if done.returncode == 0 else output}", flush=True)


def corner_of(game: str, wanted: dict[str, Any], out: Path) -> Corner:
    """Check a game, run some of its tests, play a mission and show it, and print it with some cards."""
    corner = Corner(game, wanted)
    folder = out / game
    log = str(folder / "game.log.json")
    mission, own = wanted["mission"], ("--game", game)
    run(corner, "checked", "check", *own)
    run(corner, "tested", "test", *own, "-k", wanted["tests"], "-j", "1")
    table = ("--players", str(wanted["players"]), "--seed", SEED, "--bot", wanted["bot"])
    run(corner, "played", "play", mission, *own, *table, "--log", log)
    run(corner, "story", "replay", log, *own, "--show", "--html", str(folder / "story.html"))
    for language, name in LANGUAGES.items():
        what = (f"mission/{mission}", *wanted["pieces"], *own, "--lang", language)
        how = ("--to", "png", "--dpi", "110", "--one-up", "--bleed", "0", "--copies", "one")
        run(corner, f"printed in {name}", "render", *what, *how, "-o", str(folder / language))
    if "campaign" in wanted:
        run(corner, "campaign map", "campaign", "graph", wanted["campaign"], *own, "-o", str(folder / "campaign.svg"))
    return corner


def main() -> int:
    """Show every game of `demo.toml`, two at a time, and print where the page is."""
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    wanted: dict[str, dict[str, Any]] = tomllib.loads((HERE / "demo.toml").read_text(encoding="utf-8"))
    for game in wanted:
        (out / game).mkdir(parents=True)
    print("Checking, testing, playing and printing a part of each game; `make demo-all` does everything.", flush=True)
    with ThreadPoolExecutor(min(len(wanted), os.cpu_count() or 1)) as pool:
        corners = list(pool.map(lambda game: corner_of(game, wanted[game], out), wanted))
    write_atomically(out / "index.html", page(corners, out, HERE.parent / "cards").encode())
    print(f"Open {out / 'index.html'}.")
    return 0 if all(corner.fine for corner in corners) else 1


if __name__ == "__main__":
    sys.exit(main())
