"""A mission as one HTML file that plays without a network: Pyodide, the part of fcb that plays, a program, its looks.

Everything that sources or translations can determine is in the file as base64. So no text of a pack can become markup
or code of the page, and the Content-Security-Policy of the page allows only its own scripts and no connection.
"""

from __future__ import annotations

import ast
import base64
import functools
import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from fcbdsl.base import resources
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.editor.table import pyodide
from fcbdsl.machine.vm.serialization import encode
from fcbdsl.play.table.alone import GamePlan

ENTRY = "fcbdsl.play.table.alone"
"""The module that plays in the page; the file contains what it imports."""
MOST_BYTES = 24 << 20
"""Most bytes of a file that fcb writes."""
POLICY = (
    "default-src 'none'; {opens}script-src {hashes} blob: 'wasm-unsafe-eval'; worker-src data:; "
    "style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
)


class NoSources(Exception):
    """An installation without the sources of the part that plays, such as one of bytecode only."""


class FileTooLarge(Exception):
    """A file with more than `MOST_BYTES`."""


@dataclass(frozen=True, slots=True)
class SharedFile:
    """An HTML file. `parts`: the compressed size of each part in bytes, for the report."""

    html: bytes
    parts: dict[str, int]


def one_file(plan: GamePlan, title: str, program: bytes, dressings: Mapping[str, bytes], core: Path) -> SharedFile:
    """Make the file. `program`: a verified program file; `dressings`: by name; `core`: the folder of Pyodide.

    Raises NoPyodide, NoSources, FileTooLarge."""
    packed = _packed(plan, program, dressings, core)
    html = _page(title, next(iter(plan.dressings)), packed).encode()
    if len(html) > MOST_BYTES:
        raise FileTooLarge(f"The file would have {len(html):,} bytes, and fcb writes at most {MOST_BYTES:,}.")
    return SharedFile(html, {name: len(data) for name, data in packed.items()})


def static_folder(
    plan: GamePlan, title: str, program: bytes, dressings: Mapping[str, bytes], core: Path
) -> dict[str, bytes]:
    """Make the files of a folder for a web server: a page, and its parts as files that browsers keep. See `one_file`.

    Raises NoPyodide, NoSources."""
    packed = _packed(plan, program, dressings, core)
    page = _page(title, next(iter(plan.dressings)), {}).encode()
    return {"index.html": page, **{f"parts/{name}.bin": data for name, data in packed.items()}}


def _packed(plan: GamePlan, program: bytes, dressings: Mapping[str, bytes], core: Path) -> dict[str, bytes]:
    """Return the compressed parts by name."""
    files = pyodide.read_pyodide(core)
    settings = {"plan": encode(plan), "seal": hashlib.sha256(program).hexdigest()}
    parts = {
        "settings": json.dumps(settings).encode(),
        "pyodide.mjs": files["pyodide.mjs"],
        "pyodide.asm.mjs": files["pyodide.asm.mjs"],
        "pyodide.asm.wasm": files["pyodide.asm.wasm"],
        "pyodide-lock.json": pyodide.lock_file(files["pyodide-lock.json"]),
        "python_stdlib.zip": pyodide.standard_library(files["python_stdlib.zip"]),
        "fcb.zip": player(),
        "program": program,
        "worker": _web("worker.js").encode(),
        **{f"dressing-{name}": data for name, data in dressings.items()},
    }
    return {name: gzip.compress(data, 9, mtime=0) for name, data in parts.items()}


def _page(title: str, language: str, packed: Mapping[str, bytes]) -> str:
    """Put the page of the table, its script and the parts into one file. Without parts the page loads them."""
    texts = interface_texts("table", language)
    table = _web("table.js").replace('import { Board, PLAYERS, facts, fill, icon } from "./board.js";\n', "")
    scripts = [_web("alone.js"), _web("board.js").replace("\nexport ", "\n") + table]
    hashes = [f"'sha256-{_base64(hashlib.sha256(script.encode()).digest())}'" for script in scripts]
    opens = "" if packed else "connect-src 'self'; "
    policy = (
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(hashes=" ".join(hashes), opens=opens)}">'
    )
    data = "".join(
        f'<script type="application/octet-stream" id="part-{name}">{_base64(content)}</script>\n'
        for name, content in packed.items()
    )
    page = _web("table.html")
    for old, new in (
        ("<html lang=\"en\">", f'<html lang="{escape(language)}">'),
        ('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}'),
        ("<title>fcb</title>", f"<title>{escape(title)}</title>"),
        ('<link rel="stylesheet" href="web/board.css">', f"<style>{_web('board.css')}</style>"),
        ('<link rel="stylesheet" href="web/table.css">', f"<style>{_web('table.css')}</style>"),
        ('<h1 id="title"></h1>', f'<h1 id="title">{escape(title)}</h1>'),
        ('<h2 id="asked"></h2>', f'<h2 id="asked">{escape(texts["loading"])}</h2>'),
        (
            '<script type="module" src="web/table.js"></script>',
            f'{data}<script>{scripts[0]}</script>\n<script type="module">{scripts[1]}</script>',
        ),
        ('<body data-tab="board">', f'<body data-tab="board" data-trouble="{escape(texts["trouble"])}">'),
    ):  # fmt: skip
        assert page.count(old) == 1, old
        page = page.replace(old, new)
    return page


def _web(name: str) -> str:
    return (resources.package_folder() / "editor" / "table" / "web" / name).read_text(encoding="utf-8")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


# ── the part of fcb that plays ─────────────────────────────────────────────────────────────────


@functools.cache
def player() -> bytes:
    """Return the modules that play a game and the texts of fcb, as a zip. Raises NoSources."""
    sources = {name: data for name, data in resources.code_files() if name.endswith(".py")}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as out:
        for name in player_files(sources):
            out.writestr(zipfile.ZipInfo(f"fcbdsl/{name}"), sources[name])
        for path in sorted((resources.package_folder() / "base" / "locales").glob("*.toml")):
            out.writestr(zipfile.ZipInfo(f"fcbdsl/base/locales/{path.name}"), path.read_bytes())
    return archive.getvalue()


def player_files(sources: Mapping[str, bytes]) -> list[str]:
    """Return the files that `ENTRY` imports, directly or not, with the packages around them. `sources`: all files of
    the package by their place in it. Raises NoSources."""
    modules = {_module(name): name for name in sources}
    if ENTRY not in modules:
        raise NoSources("This installation of fcb has no sources of its own, which the file would contain.")
    needed: set[str] = set()
    waiting = [ENTRY]
    while waiting:
        module = waiting.pop()
        while module and module not in modules:
            module = module.rpartition(".")[0]  # a name in a module
        if module and module not in needed:
            needed.add(module)
            waiting += [
                module.rpartition(".")[0],
                *imports_of_source(sources[modules[module]], module, modules[module]),
            ]
    return sorted(modules[module] for module in needed)


def _module(name: str) -> str:
    return f"fcbdsl.{name.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")


def imports_of_source(source: bytes, module: str, file: str) -> Iterator[str]:
    """Yield what a source file imports when it runs, also inside functions; of ``from a import b`` it is `a.b`."""
    package = module if file.endswith("__init__.py") else module.rpartition(".")[0]
    yield from _imports(ast.parse(source), package)


def _imports(node: ast.AST, package: str) -> Iterator[str]:
    for below in ast.iter_child_nodes(node):
        if isinstance(below, ast.If) and ast.unparse(below.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for statement in below.orelse:
                yield from _imports(statement, package)
        elif isinstance(below, ast.Import):
            yield from (name.name for name in below.names)
        elif isinstance(below, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - below.level + 1] if below.level else []
            base = ".".join([*above, *([below.module] if below.module else [])])
            yield from (f"{base}.{name.name}" for name in below.names)
        else:
            yield from _imports(below, package)
