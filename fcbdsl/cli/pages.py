"""Generates the pages of the documentation that are made from the code: ``python -m fcbdsl.cli.pages docs``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fcbdsl.base.diagnostics import reference as diagnostics_page
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.files import PROJECT_FILE, write_atomically
from fcbdsl.cli.reference import reference as commands_page
from fcbdsl.language.syntax.grammar import TABLES, grammar_path, tables_text
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.reference import reference as bytecode_page
from fcbdsl.play.table import table_protocol
from fcbdsl.project.paths import lies_in, shipped_path
from fcbdsl.project.project import check_loaded, load_project
from fcbdsl.project.settings import read_projects
from fcbdsl.tools.docs.cookbook import cookbook_page
from fcbdsl.tools.docs.language_pages import language_pages
from fcbdsl.tools.docs.word_reference import as_page, vocabulary_entries
from fcbdsl.tools.mutation.reference import reference as mutation_page


def pages() -> dict[str, str]:
    """Return each page by its name below docs/."""
    return {
        "bytecode.md": bytecode_page(),
        "cli.md": commands_page(),
        "diagnostics.md": diagnostics_page(),
        "mutation.md": mutation_page(),
        "fcbc.schema.json": json.dumps(fcbc.program_schema(), indent=2, sort_keys=True) + "\n",
        "table.schema.json": json.dumps(table_protocol.message_schema(), indent=2, sort_keys=True) + "\n",
    }


def word_pages() -> dict[str, str]:
    """Return a page of words for each shipped game, by its name below docs/. This reads all of their content."""
    root = shipped_path(PROJECT_FILE).parent
    out = {}
    for game in (project.game for project in read_projects(root, Problems())):
        loader = load_project(root=root, game=game, tests=False)
        model, _ = check_loaded(loader)
        content = [source for source in loader.sources if not lies_in(Path(source.name), [shipped_path("systems")])]
        system = {
            source.name for source in loader.sources if lies_in(Path(source.name), [shipped_path("systems") / game])
        }
        words = [entry for entry in vocabulary_entries(model, content) if entry.place.rpartition(":")[0] in system]
        out[f"words/{game}.md"] = as_page(model.title.title.get("en", game), words)
    return out


def main() -> None:
    """Write the pages into the given folder, and the tables of the grammar beside it."""
    folder = Path(sys.argv[1])
    texts = {**pages(), **word_pages(), "cookbook.md": cookbook_page(folder / "cookbook")}
    texts |= {f"language/{name}": text for name, text in language_pages(folder / "language").items()}
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())
        print(folder / name)
    write_atomically(grammar_path(TABLES), tables_text().encode())


if __name__ == "__main__":
    main()
