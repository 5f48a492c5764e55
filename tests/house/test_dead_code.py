"""Nothing of the package is there that nobody uses; `vulture` finds what is."""

from __future__ import annotations

import re
from pathlib import Path

from imports import ROOT
from vulture import Vulture

CALLED = ("@*.command", "@*.group", "@*.command*", "@*.group*", "@*.feature", "@*NOTES.of", "@NAMES.of")
"""What click, the language server and those who look nodes up by their classes call, by these decorators."""

BY_NAME = {
    "syntax/nodes.py": ROOT.parent / "grammar" / "fcb.lark",
    "cli/charts.py": ROOT / "cli" / "templates",
    "render/views.py": ROOT / "render" / "templates",
    "render/contents.py": ROOT / "render" / "templates",
    "render/imposition.py": ROOT / "render" / "templates",
    "render/storage.py": ROOT / "render" / "templates",
    "render/webpage.py": ROOT / "render" / "templates",
}
"""Files of which things are used by their names, and where these stand: callbacks of rules, what templates show."""

ALLOWED = {
    "format_commands": "click asks a group for it",
    "intercepted_binops": "jinja's sandbox asks an environment for it",
    "yaml_implicit_resolvers": "PyYAML asks a loader for it",
    "MAX_IMAGE_PIXELS": "Pillow's own bound, which the typesetter replaces",
    "SETUP": "one of a row of numbers",
    "L_ASK": "one of a row of numbers",
    "LOGGED": "says what the numbers below it are",
}
"""Everything else that nobody seems to use, and why it is there."""


def text_of(path: Path) -> str:
    files = [path] if path.is_file() else sorted(path.iterdir())
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def unused(*paths: Path) -> list[tuple[str, str]]:
    """What nobody uses in some files and folders: its file and its name."""
    found = Vulture(ignore_decorators=list(CALLED))
    found.scavenge(list(map(str, paths)))
    return [(Path(one.filename).as_posix(), one.name) for one in found.get_unused_code(min_confidence=60)]


def is_used_by_name(file: str, name: str) -> bool:
    """Whether something is an op, which programs name; is for editors; or stands where its file's names are used."""
    if "/vm/ops/" in file or file.endswith("fcbdsl/workspace.py"):
        return True
    return any(file.endswith(end) and re.search(rf"\b{name}\b", text_of(path)) for end, path in BY_NAME.items())


def test_nothing_is_unused() -> None:
    found = unused(ROOT, ROOT.parent / "benchmarks")
    assert len(found) > len(ALLOWED)
    left = [(file, name) for file, name in found if not is_used_by_name(file, name)]
    assert [(file, name) for file, name in left if name not in ALLOWED] == []
    assert sorted({name for _, name in left}) == sorted(ALLOWED)


def test_what_nobody_uses_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def used(): ...\ndef unused(): ...\nclass Op: ...\nused()\n", encoding="utf-8")
    assert [name for _, name in unused(tmp_path)] == ["unused", "Op"]
