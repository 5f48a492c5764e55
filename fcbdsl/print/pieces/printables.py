"""The printed definitions of a model, and the languages of print."""

from __future__ import annotations

from fcbdsl.language.model.builtins import ENDING, TEAM
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.print.pieces.looks import NO_CARDS, look_of_kind

MISSION = "mission"


def printable(model: Model) -> list[Definition]:
    """Return every definition with a look or a title, in order of declaration; first the project's own, then shipped
    ones.

    Left out are regions (their titles are on maps), teams (their titles are in texts), endings without a layout (they
    are on the sheets of missions), and tokens (these are pieces to cut).
    """
    parts = {part.id for definition in model.definitions.values() for part in definition.parts}
    kinds = {d.kind.id: d.kind for d in model.definitions.values()}
    size = {name: look_of_kind(kind, model).size for name, kind in kinds.items()}
    definitions = [
        d
        for d in model.definitions.values()
        if d.kind.part_of is None
        and d.id not in parts
        and (_has_layout(d, model) or (d.name.title and not _is_only_named(d)))
        and size[d.kind.id] not in NO_CARDS
    ]
    return sorted(definitions, key=lambda definition: model.is_lent(definition.span))


def own(model: Model) -> list[Definition]:
    """Return the printed definitions of the project itself."""
    return [definition for definition in printable(model) if not model.is_lent(definition.span)]


def _has_layout(definition: Definition, model: Model) -> bool:
    return any(kind.id in model.layouts for kind in definition.kind.lineage())


def _is_only_named(definition: Definition) -> bool:
    return any(kind.id in ("region", TEAM, ENDING) for kind in definition.kind.lineage())


def is_sheet(definition: Definition) -> bool:
    """Return whether a definition is printed as a sheet; everything else is a card or a board."""
    return any(kind.id == MISSION for kind in definition.kind.lineage())


def printable_languages(model: Model) -> list[str]:
    """Return the languages of a model that can be printed."""
    return [language for language in model.languages if language in LANGUAGES]


def languages_on_request(model: Model) -> list[str]:
    """Return the languages in which a model can be printed on request.

    These include languages that only files of translations have, which need not be complete.
    """
    return list(dict.fromkeys([*printable_languages(model), *(code for code in model.translated if code in LANGUAGES)]))


def has_own_rules(model: Model) -> bool:
    """Return whether a project declares something that the rules reference explains in generated words: a game, or a
    pack with rules.

    Sheets explain the actions and verbs of missions.
    """
    if not model.lent:
        return True
    keywords = [form for form in model.forms if form.system or (form.sort == "keyword" and form.name.title)]
    fields = [field for kind in model.kinds.values() for field in kind.fields.values() if field.system]
    kinds = [kind for kind in model.kinds.values() if kind.system]
    steps = [] if model.flow is None else model.flow.statements
    actions = [action for action in model.actions.values() if action.system]
    things = [*actions, *keywords, *model.rules.values(), *kinds, *fields, *steps]
    return any(
        thing.span.source.text and not model.is_lent(thing.span) for thing in things
    )  # built-in kinds have no text
