"""The language reference: its pages with the parts that are generated from declarations and examples."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from textwrap import indent

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.entries import anchor
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.registry import find_diagnostic
from fcbdsl.base.files import PROJECT_FILE, write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition, Rule
from fcbdsl.language.model.declarations import Action, Event, Form
from fcbdsl.language.model.resolve.type_wording import usage
from fcbdsl.language.model.tree_text import type_text
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.project.project import check_project
from fcbdsl.project.settings import read_projects

GAME = "example"
"""The folder, beside the pages, of the game that the examples use."""
BLOCK = re.compile(r"^```(fcb|toml)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FORM = re.compile(r"^(### `([^`\n]+)`\n\n)(Form:[^\n]*\n\n)?", re.MULTILINE)
_CODE = re.compile(r"\[(FCB[0-9]{4})\](?:\([^)\n]*\))?")
_WRAPPED = {
    "": "use cove\n\n{0}",
    "system": "part of cove\n\n{0}",
    "kind": "part of cove\n\nkind example-{2} is piece:\n{1}",
    "effect": 'use cove\n\ntrick example-{2} "Example {2}":\n  effect:\n{3}',
    "card": 'use cove\n\ntrick example-{2} "Example {2}":\n{1}',
    "mission": 'use cove\n\nmission example-{2} "Example {2}":\n{1}',
    "test": 'use cove\n\ntest "Example {2}":\n{1}',
}
"""Templates that make an example a file, by the word after `fcb` in its fence. A `game` is a complete system."""


@dataclass(frozen=True, slots=True)
class Example:
    """A block of code on a page: its number there, its sort (the word behind `fcb`) and its text."""

    number: int
    sort: str
    text: str

    @property
    def source(self) -> str:
        """Return the file that the example makes."""
        if self.sort == "game" or self.text.startswith(("use ", "part of ")):
            return self.text
        text = self.text
        if self.sort == "test" and not re.search(r"^(?:use|map)\b", text, re.MULTILINE):
            text = f"use mission bay\n{text}"
        return _WRAPPED[self.sort].format(text, indent(text, "  "), self.number, indent(text, "    "))


def examples_of(page: str) -> list[Example]:
    """Return the examples of a page, in order."""
    blocks = BLOCK.findall(page)
    return [
        Example(at, sort.strip() or ("toml" if of == "toml" else ""), text)
        for at, (of, sort, text) in enumerate(blocks, 1)
    ]


def checked_examples(page: str, game: Path) -> tuple[Model, list[Diagnostic]]:
    """Return the model of the example game with the examples of a page, and the errors in them."""
    errors: list[Diagnostic] = []
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        files = {path.relative_to(game): path.read_text(encoding="utf-8") for path in sorted(game.rglob("*.fcb"))}
        system = files.pop(Path("systems/cove.fcb"))
        files |= {Path("systems/cove/cove.fcb"): system, Path(PROJECT_FILE): (game / PROJECT_FILE).read_text("utf-8")}
        for example in examples_of(page):
            if example.sort == "game":
                errors += _errors_of_game(example, root / f"game-{example.number}")
            elif example.sort == "toml":
                errors += _errors_of_settings(example, root / f"settings-{example.number}")
            else:
                folder = (
                    "systems/cove"
                    if example.source.startswith("part of")
                    else "tests"
                    if example.sort == "test"
                    else "cards"
                )
                files[Path(f"{folder}/example-{example.number}.fcb")] = example.source
        _written(root / "pack", files)
        model, problems = check_project(root=root / "pack")
    return model, errors + [problem for problem in problems if problem.severity == "error"]


def _written(root: Path, files: dict[Path, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(root / path, text.encode())


def _errors_of_game(example: Example, root: Path) -> list[Diagnostic]:
    """Return the errors of a whole system, checked as a separate project."""
    _written(
        root,
        {
            Path(PROJECT_FILE): "language = 2\n",
            Path("systems/sample.fcb"): example.text,
            Path("cards/a.fcb"): "use sample\n",
        },
    )
    return [problem for problem in check_project(root=root)[1] if problem.severity == "error"]


def _errors_of_settings(example: Example, root: Path) -> list[Diagnostic]:
    """Return the errors of a project file, with its folders created."""
    problems = Problems()
    _written(root, {Path(PROJECT_FILE): example.text})
    for project in read_projects(root, Problems()):
        if project.game:
            _written(root, {Path(f"systems/{project.game}.fcb"): f'system {project.game} "T":\n'})
        for name in (*project.paths, *project.tests, project.rules):
            (root / name).mkdir(parents=True, exist_ok=True)
    read_projects(root, problems)
    return problems.sorted()


def generate_parts(page: str, model: Model) -> str:
    """Return a page with its generated parts: forms, printed texts, links of codes. `model`: for its examples."""
    page = _FORM.sub(lambda match: match[1] + _form_line(match[2], model), page)
    page = _CODE.sub(lambda match: f"[{match[1]}]({_address(match[1])})", page)
    at = 0
    out = []
    for example, match in zip(examples_of(page), BLOCK.finditer(page), strict=True):
        out.append(page[at : match.end() + 1])
        at = match.end() + 1
        quoted = re.match(r"> [^\n]*\n", page[at:])
        rules = rules_of_example(example, model) if quoted or example.sort == "effect" else ""
        at += quoted.end() if quoted else 0
        gap = "" if page[at : at + 1] in ("", "\n") else "\n"  # Markdown would join the next line to the quote
        out += [f"> {rules}\n{gap}"] if rules else []
    return "".join([*out, page[at:]])


def rules_of_example(example: Example, model: Model) -> str:
    """Return the English rules text of an example's declarations, on one line."""
    name = f"/example-{example.number}.fcb"
    declared: list[Action | Definition | Rule] = [
        *model.definitions.values(),
        *model.actions.values(),
        *model.rules.values(),
    ]
    texts = [rules_text(item, model, "en") for item in declared if item.span.source.name.endswith(name)]
    lines = [line.strip() for text in texts for line in text.marked().splitlines()]
    return "<br>".join(re.sub(r"__(.+?) ?__", r"**\1** ", line) for line in lines if line)


def _form_line(words: str, model: Model) -> str:
    """Return the line with the syntax of a form; empty if no form or event of `core` has these words."""
    forms = forms_of(words, model)
    return f"Form: {forms}\n\n" if forms else ""


def forms_of(words: str, model: Model) -> str:
    """Return the syntax of each form, or of the event, with these words, and the types of its parameters."""
    rows = [_form(form) for form in model.forms if form.id == words and form.system == "core"]
    rows += [_event(event) for event in model.events.values() if event.id == words and event.verb is None]
    return "<br>".join(rows)


def _form(form: Form) -> str:
    types = ", ".join(f"{param.name.upper()} ({type_text(param.type)})" for param in form.params)
    gives = f" → {type_text(form.gives)}" if form.sort == "measure" else ""
    return f"`{usage(form)}`{gives}" + (f", with {types}" if types else "")


def _event(event: Event) -> str:
    types = ", ".join(f"{param.name.upper()} ({type_text(param.type)})" for param in event.params)
    names = {param.name for param in event.params}
    pattern = " ".join(word.upper() if word in names else word for word in event.pattern)
    return f"`{pattern}`" + (f", with {types}" if types else "")


def _address(code: str) -> str:
    cls = find_diagnostic(code)
    assert cls is not None, f"there is no diagnostic {code}"
    return f"../diagnostics.md#{anchor(f'{code} {cls.title}')}"


def language_pages(folder: Path) -> dict[str, str]:
    """Return each page of the reference, with its generated parts, by its name below the folder."""
    out = {}
    for path in sorted(folder.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        model, errors = checked_examples(page, folder / GAME)
        for error in errors:
            print(path.name, repr(error))
        out[path.name] = generate_parts(page, model)
    return out
