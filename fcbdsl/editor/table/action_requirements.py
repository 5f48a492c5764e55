"""The requirements of a model's actions, with their words in each language."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.locales import interface_texts
from fcbdsl.language.compiler import lower, offer_code
from fcbdsl.language.compiler.lowering_context import Unit
from fcbdsl.language.compiler.walk import source_text
from fcbdsl.language.model.declarations import Action
from fcbdsl.language.model.ir import Expr, Type
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.reading import reader_of
from fcbdsl.language.prose.rules_text import paragraph
from fcbdsl.language.prose.titles import GAP, Naming
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.table.reasons import ActionReasons


def reasons_of(model: Model, languages: Sequence[str]) -> ActionReasons:
    """Compile the requirements of a model without errors, and word them."""
    program, unit = lower(model, tests=True), Unit(model)
    needed = [offer_code.conditions_on_actor(unit, action) for action in model.actions.values()]
    return ActionReasons(Image(program), {language: _texts(model, program, needed, language) for language in languages})


def _texts(model: Model, program: Program, needed: list[list[Expr]], language: str) -> list[list[str]]:
    out = []
    for action, row, tests in zip(model.actions.values(), program.actions, needed, strict=True):
        conditions = [_worded(model, action, test, language) for test in tests]
        out.append(
            [*conditions, *(interface_texts("table", language)["no-effect"] for _ in row.requires[len(conditions) :])]
        )
    return out


def _worded(model: Model, action: Action, test: Expr, language: str) -> str:
    """Return a condition in words; its source text if the game has no words for a part of it."""
    if language not in LANGUAGES:
        return source_text(test)
    naming = Naming(model, LANGUAGES[language], action.id, test.span)
    reader = reader_of(naming, [("self", Type("thing", offer_code.actors(action)[0]))])
    text = reader.condition(test)
    if not text or naming.problems or GAP in text:
        return source_text(test)
    return "".join(run.text for run in paragraph(LANGUAGES[language].finish(text)).runs)
