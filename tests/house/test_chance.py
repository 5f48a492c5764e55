"""FCB-DICE-08: chance is part of the state of a game. Only the command line may draw the seed of a new game, and
measure how long checks take."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from imports import nodes_of

PACKAGE = Path(__file__).parents[2] / "fcbdsl"
FOREIGN = {"random", "secrets", "time", "datetime", "uuid", "locale", "numpy"}
"""Modules whose results differ from call to call."""


def imported(path: Path) -> Iterator[str]:
    """Return the modules that a file imports anywhere."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


ALLOWED = {"cli/campaign_command.py": "secrets", "cli/play_command.py": "secrets", "cli/check_command.py": "time"}
ALLOWED["project/file_watcher.py"] = "time"  # between two looks at the files
ALLOWED["cli/common.py"] = "time"  # between two lines of progress
ALLOWED["cli/serve_command.py"] = "secrets"  # the token of the link
ALLOWED["editor/table/project_tables.py"] = "secrets"  # the same
ALLOWED["base/files.py"] = "time"  # the age of what killed processes have left
ALLOWED["cli/table_command.py"] = "secrets"  # the tokens of the links, and a new seed
ALLOWED["base/files.py"] = "time"  # the age of an unfinished file


def test_only_new_seed_and_time_come_from_outside() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 100
    imports = {(path.relative_to(PACKAGE).as_posix(), name) for path in files for name in imported(path)}
    assert {file: name for file, name in imports if name in FOREIGN} == ALLOWED
