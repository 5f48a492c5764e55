"""The looks of a mission at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from fcbdsl.editor.table.table_server import Looks
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.print.export.dressing import Dressing


def looks_of(model: Model | None, mission: str) -> Callable[[str], Looks | None]:
    """Return a function that makes the dressing of a mission in a language; without sources it makes none."""

    def made(language: str) -> Looks | None:
        from fcbdsl.editor.table.table_server import Looks
        from fcbdsl.print.export.dressing import dressing_of
        from fcbdsl.print.pieces.printables import is_sheet

        if model is None:
            return None
        definition = next(
            definition for definition in model.definitions.values() if definition.id == mission and is_sheet(definition)
        )
        dressing = dressing_of(definition, model, language)
        return Looks(dressing.name(), dressing.to_json())

    return made


def looks_of_campaign(model: Model | None, present: Callable[[], str]) -> Callable[[str], Looks | None]:
    """Return a function as `looks_of` does, for the mission whose id `present` returns. Between missions, `present`
    returns another id, and the looks have cards but no board."""
    from functools import cache

    @cache
    def made(mission: str, language: str) -> Looks | None:
        from dataclasses import replace

        from fcbdsl.editor.table.table_server import Looks
        from fcbdsl.print.export.dressing import dressing_of
        from fcbdsl.print.pieces.printables import is_sheet

        if model is None:
            return None
        sheets = [definition for definition in model.definitions.values() if is_sheet(definition)]
        definition = next((definition for definition in sheets if definition.id == mission), None)
        if definition is not None:
            dressing = dressing_of(definition, model, language)
        else:
            dressing = replace(
                dressing_of(sheets[0], model, language), mission=mission, board=None, passages=(), title=""
            )
        return Looks(dressing.name(), dressing.to_json())

    return lambda language: made(present(), language)


def dressings_of(model: Model, languages: Sequence[str]) -> Iterator[Dressing]:
    """Yield the dressings of all missions of a model."""
    from fcbdsl.print.export.dressing import dressing_of
    from fcbdsl.print.pieces.printables import is_sheet

    for definition in model.definitions.values():
        if is_sheet(definition):
            yield from (dressing_of(definition, model, language) for language in languages)


def looks_beside(program_file: Path, program: Program, mission: str) -> Callable[[str], Looks | None]:
    """Return what `looks_of` returns, for a program from a file. If there are no looks beside the file, print how to
    make them; the table then has no board."""
    import click

    from fcbdsl.editor.table.table_server import Looks
    from fcbdsl.print.export.looks_file import BadLooks, beside, dressing_from

    try:
        dressing_of_language = dressing_from(beside(program_file), program.hash, mission)
    except BadLooks as error:
        click.echo(f"{error} The table shows no board and no cards: `fcb compile --looks` writes them.", err=True)
        return lambda language: None

    def made(language: str) -> Looks | None:
        dressing = dressing_of_language(language)
        return Looks(dressing.name(), dressing.to_json()) if dressing is not None else None

    return made
