"""The cookbook: recipes, each a file with its tests and its printed text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Name
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, RulesText, ground, reminder, rules_text
from fcbdsl.language.prose.titles import without_agreement
from fcbdsl.project.project import check_loaded, load_project
from fcbdsl.project.settings import Project, read_projects

INTRODUCTION = "introduction.txt"
"""The file with the head of the page, in the folder of the recipes' project."""
PARTS = {
    "1": "Targets and selections",
    "2": "Choices and costs",
    "3": "Triggers and replacement effects",
    "4": "Limits, durations and auras",
    "5": "Dice and random tables",
    "6": "Missions, tracks and maps",
    "7": "Cards, decks and hands",
}
"""The parts of the page, by the first figure of the names of their files."""
_MISSION = re.compile(r"^mission ", re.MULTILINE)
TEST = re.compile(r'^(?=test ")', re.MULTILINE)


def cookbook_page(folder: Path) -> str:
    """Return the page on the recipes of all games of a project; the test files of the project are the recipes."""
    recipes = [recipe for project in read_projects(folder, Problems()) for recipe in _recipes(folder, project)]
    lines = [(folder / INTRODUCTION).read_text(encoding="utf-8")]
    part = ""
    for path, source, model in sorted(recipes, key=lambda recipe: recipe[0].name):
        if PARTS[path.name[0]] != part:
            part = PARTS[path.name[0]]
            lines += [f"## {part}", ""]
        lines += [_recipe(source, model), ""]
    return "\n".join(lines).rstrip() + "\n"


def _recipes(folder: Path, project: Project) -> Iterator[tuple[Path, Source, Model]]:
    """Yield the recipes of one game, with their sources and the model of the game."""
    loader = load_project(root=folder, game=project.game)
    model, _ = check_loaded(loader)
    sources = {Path(source.name).name: source for source in loader.sources}
    for tests in project.folders(project.tests):
        for path in tests.glob("*.fcb"):
            yield path, sources[path.name], model


def _recipe(source: Source, model: Model) -> str:
    """Return a recipe: a title and a remark, the file with its declarations, the printed text, the file with its tests.

    Title and remark are the comments at the head of the source.
    """
    head, *_ = source.text.partition("\n\n")
    title, *remark = [line.removeprefix("#").strip() for line in head.splitlines()]
    (declares, declared), (proves, proof) = recipe_files(source.text, Path(source.name).stem).items()
    quoted = "\n\n".join(f"> {line}" for line in _printed(source, model))
    return (
        f"### {title}\n\n{' '.join(remark)}\n\n`{declares}`\n```fcb\n{declared}```\n\n{quoted}\n\n"
        f"<details><summary>Test</summary>\n\n`{proves}`\n```fcb\n{proof}```\n\n</details>\n"
    )


def recipe_files(text: str, stem: str) -> dict[str, str]:
    """Return the two files of a recipe in a pack, by their paths: its declarations, and its tests."""
    _, uses, body = text.split("\n\n", 2)
    declared, *tests = TEST.split(body)
    name = stem.partition("-")[2]
    folder = "missions" if _MISSION.search(declared) else "cards"
    texts = {f"{folder}/{name}.fcb": declared, f"tests/{name}.fcb": "".join(tests)}
    return {path: f"{uses}\n\n{part.strip()}\n" for path, part in texts.items()}


def _printed(source: Source, model: Model) -> Iterator[str]:
    """Yield the printed texts of all declarations of a file, by language."""
    for language in model.languages:
        yield "<br>".join(
            _marked(texts)
            if _led(texts)
            else f"**{LANGUAGES[language].finish(without_agreement(title))}** – {_marked(texts)}"
            for title, texts in _rules_of_file(source, model, language)
        )


def _led(texts: Sequence[RulesText]) -> bool:
    """Return whether the text begins with its own title."""
    return texts[0].paragraphs[0].runs[0].style == "heading"


def _marked(texts: Iterable[RulesText]) -> str:
    """Return rules texts as Markdown, on one line."""
    lines = [line.strip() for text in texts for line in text.marked().splitlines()]
    return "<br>".join(re.sub(r"__(.+?) ?__", r"**\1** ", line) for line in lines)


def _rules_of_file(source: Source, model: Model, language: str) -> list[tuple[str, list[RulesText]]]:
    """Return the titles and texts of a file's declarations, in order."""
    rows: list[tuple[Span, Name, list[RulesText]]] = []

    def here(node: object) -> bool:
        span = getattr(node, "span", None)
        return isinstance(span, Span) and span.source.name == source.name

    for definition in filter(here, model.definitions.values()):
        rows.append((definition.span, definition.name, [rules_text(definition, model, language)]))
        for track in definition.tracks:
            rows.append((track.span, track.name, [rules_text(track, model, language, board=definition.board)]))
            for tier in track.tiers:
                held: list[ir.Body | ir.Listener | ir.Modifier] = [*tier.modifiers, *tier.listeners]
                held += [body for body in (tier.enter, tier.leave) if body is not None]
                texts = [rules_text(body, model, language, board=definition.board) for body in held]
                rows.append((tier.span, tier.name, texts))
    for form in filter(here, model.forms):
        if form.name.title and form.sort == "verb":  # a table
            rows.append((form.span, form.name, [rules_text(form, model, language)]))
    for action in filter(here, model.actions.values()):
        rows.append((action.span, action.name, [rules_text(action, model, language)]))
    for terrain in filter(here, model.terrains.values()):
        rows.append((terrain.span, terrain.name, [ground(terrain, model, language)]))
    for kind in model.kinds.values():
        for field in filter(here, kind.fields.values()):
            if field.sort in {"status", "token"}:
                hooks: list[ir.Listener | ir.Modifier] = [*field.modifiers, *field.listeners]
                texts = [rules_text(hook, model, language) for hook in hooks]
                rows.append(
                    (field.span, field.name, [reminder(field, model, language)] if field.name.reminder else texts)
                )
    rows.sort(key=lambda row: row[0].line)
    return [(name.title.get(language, ""), texts) for _, name, texts in rows if any(text.paragraphs for text in texts)]
