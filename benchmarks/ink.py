"""The peer for compiling: ink's compiler in JavaScript (`inkjs`), if `make bench` could install it (it needs npm)."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "peers" / "node_modules" / "inkjs"

SCRIPT = """
const { Compiler } = require(process.argv[1] + "/dist/ink-full.js");
const { readFileSync } = require("fs");
const compile = name => new Compiler(readFileSync(name, "utf-8")).Compile().ToJson();
compile(process.argv[2]);
const begun = process.cpuUsage();
compile(process.argv[3]);
const used = process.cpuUsage(begun);
console.log((used.user + used.system) / 1e6);
"""

KNOTS = 2_000


def missing() -> str:
    """Return why the peer is not available; empty if it is."""
    if shutil.which("node") is None:
        return "there is no Node.js (`node`)"
    if not (PLACE / "package.json").is_file():
        return f"npm has not installed it in {PLACE.parent.parent.relative_to(ROOT)} (`make bench` asks it to)"
    return ""


def version() -> str:
    """Return the installed version."""
    return str(json.loads((PLACE / "package.json").read_text(encoding="utf-8"))["version"])


def story(count: int) -> str:
    """Return a story with variables, conditions and choices: eight lines for each knot."""
    lines = ["VAR strength = 3", "-> specimen_0", ""]
    for n in range(count):
        lines += [
            f"=== specimen_{n} ===",
            f"Specimen {n} lies before you.",
            f"{{ strength > {n % 4}: You can lift it. |It is too heavy. }}",
            "+ [Push it]",
            f"  ~ strength = strength - {n % 3}",
            f"+ {{ strength < {n % 5 + 1} }} [Leave it] You leave specimen {n}.",
            f"- -> {f'specimen_{n + 1}' if n + 1 < count else 'END'}",
            "",
        ]
    return "\n".join(lines)


def line_rate() -> float:
    """Return the lines that it compiles per second of processor time, after a small warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("warm.ink", "story.ink")]
        for file, count in zip(files, (20, KNOTS), strict=True):
            file.write_text(story(count), encoding="utf-8")
        done = subprocess.run(
            ["node", "-e", SCRIPT, str(PLACE), *map(str, files)], check=True, capture_output=True, text=True
        )
        return story(KNOTS).count("\n") / float(done.stdout)
