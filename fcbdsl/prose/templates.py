"""What is wrong with the templates of forms and events as they stand, whether anything printed uses them or not."""

from __future__ import annotations

from fcbdsl.diagnostics import Diagnostic
from fcbdsl.model.declarations import Param, Wording
from fcbdsl.model.whole import Model
from fcbdsl.prose.languages import LANGUAGES
from fcbdsl.prose.naming import Naming


def template_problems(model: Model) -> list[Diagnostic]:
    """Report the slots that no parameter fills."""
    problems: list[Diagnostic] = []
    texts: list[tuple[Wording, list[Param], str]] = []
    texts += [(text, form.params, form.id) for form in model.forms for text in form.texts]
    texts += [(text, event.params, event.id) for event in model.events.values() for text in event.texts]
    for text, params, called in texts:
        if text.language in LANGUAGES:
            naming = Naming(model, LANGUAGES[text.language], f"`{called}`", text.span, problems)
            naming.check_slots(text, params, called)
    return problems
