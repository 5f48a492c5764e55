"""The pages of the documentation that are made from the code: ``python -m fcbdsl.cli.pages docs``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from fcbdsl.cli.cookbook import cookbook_page
from fcbdsl.cli.reference import reference as commands_page
from fcbdsl.cli.wordbook import as_page, words_of
from fcbdsl.diagnostics import reference as diagnostics_page
from fcbdsl.diagnostics.problems import Problems
from fcbdsl.files import PROJECT_FILE, write_atomically
from fcbdsl.model.declarations import Form, Param
from fcbdsl.model.saying import type_text
from fcbdsl.model.whole import Model
from fcbdsl.mutation.reference import reference as mutation_page
from fcbdsl.project import check_project, checked, lies_in, load, read_projects, shipped
from fcbdsl.syntax.grammar import TABLES, place, tables_text
from fcbdsl.vm import fcbc
from fcbdsl.vm.reference import reference as bytecode_page

VOCABULARY = """# Vocabulary

Made from the declarations in `fcbdsl/systems` by `make docs`; a test compares.

The forms that every game has, by sort. Parameters stand in the order in which they are written; one behind a
preposition is written with it, one in brackets may be left out. `op` names the native op behind a form (see
[bytecode](bytecode.md)).
"""


def pages() -> dict[str, str]:
    """Return each page by its name below docs/."""
    return {
        "bytecode.md": bytecode_page(),
        "cli.md": commands_page(),
        "diagnostics.md": diagnostics_page(),
        "mutation.md": mutation_page(),
        "fcbc.schema.json": json.dumps(fcbc.schema(), indent=2, sort_keys=True) + "\n",
        "vocabulary.md": vocabulary_page(check_project([shipped("systems") / "core.fcb"])[0]),
    }


def word_pages() -> dict[str, str]:
    """Return a page of words for each shipped game, by its name below docs/; all of its content is read for them."""
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


def vocabulary_page(model: Model) -> str:
    """Return the page on a model's forms."""
    lines = [VOCABULARY]
    for sort in ("verb", "keyword", "relation", "measure"):
        forms = [form for form in model.forms if form.sort == sort]
        if forms:
            lines += [f"## {sort.capitalize()}s\n", "| form | gives | op | in print |", "|---|---|---|---|"]
            lines += [*_rows(forms), ""]
    return "\n".join(lines)


def _rows(forms: Iterable[Form]) -> Iterator[str]:
    for form in forms:
        params = list(form.params)
        subject = ""
        if form.sort == "relation" and params:
            subject = f"{_param(params.pop(0))} "
        written = " ".join([f"**{form.id}**", *map(_param, params)])
        gives = type_text(form.gives) if form.sort == "measure" else ""
        printed = "; ".join(f"{text.language}: {text.template}" for text in form.texts).replace("|", "\\|")
        yield f"| {subject}{written} | {gives} | {f'`{form.op}`' if form.op else ''} | {printed} |"


def _param(param: Param) -> str:
    before = f"{param.preposition} " if param.preposition else ""
    text = f"{before}*{param.name}* ({type_text(param.type)})"
    return f"[{text}]" if param.default is not None or param.optional else text


def main() -> None:
    """Write the pages into the folder given, and the tables of the grammar beside it."""
    folder = Path(sys.argv[1])
    made = {**pages(), **word_pages(), "cookbook.md": cookbook_page(folder / "cookbook")}
    for name, text in made.items():
        write_atomically(folder / name, text.encode())
        print(folder / name)
    write_atomically(place(TABLES), tables_text().encode())


if __name__ == "__main__":
    main()
