"""Checks, tests, plays and prints something of each game, and writes a page on what was found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from fcbdsl.files import write_atomically

HERE = Path(__file__).parent
SEED = "7"
LANGUAGES = {"en": "English", "fr": "Français"}


@dataclass(slots=True)
class Corner:
    """What is shown of a game: the commands that were run, what each said, and whether it was fine."""

    game: str
    said: dict[str, tuple[str, str]] = field(default_factory=dict)
    fine: bool = True

    def run(self, what: str, *arguments: str) -> None:
        """Run ``fcb`` and keep what it says."""
        done = subprocess.run([sys.executable, "-m", "fcbdsl", *arguments], capture_output=True, text=True)
        output = "\n".join((done.stdout + done.stderr).strip().splitlines())
        self.said[what] = "fcb " + " ".join(arguments), output
        self.fine = self.fine and done.returncode == 0
        last = output.splitlines()[-1] if output else "done"
        print(f"{self.game}: {what}: {last if done.returncode == 0 else output}", flush=True)


def corner_of(game: str, wanted: dict[str, Any], out: Path) -> Corner:
    """Check a game, run some of its tests, play and tell a mission, and print that with some cards."""
    corner = Corner(game)
    folder = out / game
    log = str(folder / "game.log.json")
    mission, own = wanted["mission"], ("--game", game)
    corner.run("checked", "check", *own)
    corner.run("tested", "test", *own, "-k", wanted["tests"], "-j", "1")
    table = ("--players", str(wanted["players"]), "--seed", SEED, "--bot", wanted["bot"])
    corner.run("played", "play", mission, *own, *table, "--log", log)
    corner.run("told", "replay", log, *own, "--html", str(folder / "story.html"))
    for language, name in LANGUAGES.items():
        pieces = (f"mission/{mission}", *wanted["pieces"])
        to = ("--lang", language, "--to", "png", "--dpi", "110", "-o", str(folder / language))
        corner.run(f"printed in {name}", "render", *pieces, *own, *to)
    if "campaign" in wanted:
        corner.run("mapped", "campaign", "graph", wanted["campaign"], *own, "-o", str(folder / "campaign.svg"))
    return corner


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; color: #1d2b3a; }
h2 { border-top: 2px solid #8a5a2b; margin-top: 3rem; padding-top: 1rem; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre { background: #f4f1ea; overflow: auto; padding: .6rem; max-height: 16rem; }
td { padding: .2rem .8rem .2rem 0; vertical-align: top; }
iframe { border: 1px solid #aaa; width: 100%; height: 34rem; }
.prints { display: flex; flex-wrap: wrap; gap: 1rem; }
.prints img { border: 1px solid #aaa; max-width: calc(50% - 1rem); }
.campaign { max-width: 100%; }
"""


def page(corners: list[Corner], out: Path) -> str:
    """The page on everything."""
    body = ["<h1>fcb: what was checked, tested, played and printed</h1>", "<table>"]
    for corner in corners:
        body.append(f'<tr><td><a href="#{corner.game}">{corner.game}</a></td>')
        for what in ("checked", "tested", "played"):
            output = corner.said[what][1].splitlines()
            body.append(f"<td>{escape(output[-1] if output else '')}</td>")
        body.append(f"<td>{'all fine' if corner.fine else '<b>something failed</b>'}</td></tr>")
    body.append("</table><p>This is a part of it. <code>make demo-all</code> runs every test, plays every mission and")
    body.append("prints everything.</p>")
    for corner in corners:
        folder = out / corner.game
        body.append(f'<h2 id="{corner.game}">{corner.game}</h2>')
        for language, name in LANGUAGES.items():
            pictures = sorted((folder / language).rglob("*.png"))
            links = "".join(_picture(path.relative_to(out).as_posix(), name) for path in pictures)
            body.append(f'<h3>Printed: {name}</h3><div class="prints">{links}</div>')
        if (folder / "story.html").exists():
            body.append(f'<h3>Played and told</h3><iframe src="{corner.game}/story.html"></iframe>')
        if (folder / "campaign.svg").exists():
            source = f"{corner.game}/campaign.svg"
            body.append(f'<h3>Its campaign</h3><img class="campaign" src="{source}" alt="Which place leads to which">')
        body.append("<h3>What was run</h3>")
        for command, output in corner.said.values():
            body.append(
                f"<details><summary><code>{escape(command)}</code></summary><pre>{escape(output)}</pre></details>"
            )
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>fcb</title><style>{STYLE}</style>'
    return head + "\n".join(body) + "</html>\n"


def _picture(source: str, name: str) -> str:
    return f'<a href="{source}"><img src="{source}" loading="lazy" alt="{Path(source).stem}, {name}"></a>'


def main() -> int:
    """Show every game of `demo.toml`, two at a time, and say where the page is."""
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    wanted: dict[str, dict[str, Any]] = tomllib.loads((HERE / "demo.toml").read_text(encoding="utf-8"))
    for game in wanted:
        (out / game).mkdir(parents=True)
    print(
        "Checking, testing, playing and printing something of each game; the rest is for `make demo-all`.", flush=True
    )
    with ThreadPoolExecutor(min(len(wanted), os.cpu_count() or 1)) as pool:
        corners = list(pool.map(lambda item: corner_of(*item, out), wanted.items()))
    write_atomically(out / "index.html", page(corners, out).encode())
    print(f"Open {out / 'index.html'}.")
    return 0 if all(corner.fine for corner in corners) else 1


if __name__ == "__main__":
    sys.exit(main())
