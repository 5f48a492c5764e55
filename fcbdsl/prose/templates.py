"""What is wrong with the templates of forms and events as they stand, whether anything printed uses them or not."""

from __future__ import annotations

from fcbdsl.diagnostics import Diagnostic
from fcbdsl.model.declarations import Event, Form, Wording
from fcbdsl.model.whole import Model
from fcbdsl.prose.languages import LANGUAGES
from fcbdsl.prose.values import unknown_slots


def template_problems(model: Model) -> list[Diagnostic]:
    """Report the slots that no parameter fills."""
    texts: list[tuple[Wording, Form | Event]] = []
    texts += [(text, form) for form in model.forms for text in form.texts]
    texts += [(text, event) for event in model.events.values() for text in event.texts]
    return [one for text, of in texts if text.language in LANGUAGES for one in unknown_slots(text, of)]
