"""The looks of a mission at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from fcbdsl.editor.table.server import Looks
    from fcbdsl.language.model.whole import Model


def looks_of(model: Model | None, mission: str) -> Callable[[str], Looks | None]:
    """Return a function that makes the dressing of a mission in a language; without sources it makes none."""

    def made(language: str) -> Looks | None:
        from fcbdsl.editor.table.server import Looks
        from fcbdsl.print.export.dressing import dressing_of
        from fcbdsl.print.pieces.printables import is_mission

        if model is None:
            return None
        found = next(one for one in model.definitions.values() if one.id == mission and is_mission(one))
        dressing = dressing_of(found, model, language)
        return Looks(dressing.name(), dressing.to_json())

    return made
