"""Generates the pages of the documentation that are made from the code: ``python -m fcbdsl.cli.pages docs``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fcbdsl.base.diagnostics import reference as diagnostics_page
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.files import PROJECT_FILE, write_atomically
from fcbdsl.cli.reference import reference as commands_page
from fcbdsl.language.syntax.grammar import TABLES, place, tables_text
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.reference import reference as bytecode_page
from fcbdsl.play.table import protocol
from fcbdsl.project.paths import lies_in, shipped
from fcbdsl.project.project import checked, load
from fcbdsl.project.settings import read_projects
from fcbdsl.tools.docs.cookbook import cookbook_page
from fcbdsl.tools.docs.language_pages import language_pages
from fcbdsl.tools.docs.words import as_page, words_of
from fcbdsl.tools.mutation.reference import reference as mutation_page


def pages() -> dict[str, str]:
    """Return each page by its name below docs/."""
    return {
        "bytecode.md": bytecode_page(),
        "cli.md": commands_page(),
        "diagnostics.md": diagnostics_page(),
        "mutation.md": mutation_page(),
        "fcbc.schema.json": json.dumps(fcbc.schema(), indent=2, sort_keys=True) + "\n",
        "table.schema.json": json.dumps(protocol.schema(), indent=2, sort_keys=True) + "\n",
    }


def word_pages() -> dict[str, str]:
    """Return a page of words for each shipped game, by its name below docs/. This reads all of their content."""
    root = shipped(PROJECT_FILE).parent
    out = {}
    for game in (project.game for project in read_projects(root, Problems())):
        loader = load(root=root, game=game, tests=False)
        model, _ = checked(loader)
        content = [one for one in loader.sources if not lies_in(Path(one.name), [shipped("systems")])]
        system = {one.name for one in loader.sources if lies_in(Path(one.name), [shipped("systems") / game])}
        words = [one for one in words_of(model, content) if one.place.rpartition(":")[0] in system]
        out[f"words/{game}.md"] = as_page(model.title.title.get("en", game), words)
    return out


def main() -> None:
    """Write the pages into the given folder, and the tables of the grammar beside it."""
    folder = Path(sys.argv[1])
    made = {**pages(), **word_pages(), "cookbook.md": cookbook_page(folder / "cookbook")}
    made |= {f"language/{name}": text for name, text in language_pages(folder / "language").items()}
    for name, text in made.items():
        write_atomically(folder / name, text.encode())
        print(folder / name)
    write_atomically(place(TABLES), tables_text().encode())


if __name__ == "__main__":
    main()
