"""Cards and boards from definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from zlib import crc32

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, Paragraph, RulesText, clause, reminders, rules_text
from fcbdsl.language.prose.rules_text import paragraph
from fcbdsl.print.layout.views import Back, Card, CardPart, Chip, Dial
from fcbdsl.print.pieces.assets import LARGE, drawing_of, drawings, sizes_of
from fcbdsl.print.pieces.chips import PrintedFields, colour_of
from fcbdsl.print.pieces.looks import (
    BEARER,
    TITLE,
    Look,
    declared_drawing,
    has_own_back,
    ink_on,
    layout_of,
    look_of_kind,
    style_of,
    symbol_of,
    symbol_title,
)
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.print.pieces.pictures import picture_of
from fcbdsl.print.pieces.templating import TEMPLATE
from fcbdsl.print.pieces.tree_walk import keywords_of


def card_of(
    definition: Definition, model: Model, language: str, facts: ModelFacts | None = None
) -> tuple[Card, list[Diagnostic]]:
    """Return the view of a card in a language, and its problems."""
    data = PrintedFields(definition, model, language)
    look = look_of_kind(definition.kind, model)
    problems: list[Diagnostic] = []
    colour = colour_of(definition, model)
    lines = [_line(part, definition.target, model, language, problems) for part in definition.parts]
    wording = rules_text(definition, model, language, stepwise=look.fields.get("steps", ()))
    problems += wording.problems
    key = f"{definition.kind.id}/{definition.id}"
    seed = crc32(key.encode())
    keywords = keywords_of(definition) if facts is None else facts.keywords(definition)
    card = Card(
        key=key,
        language=language,
        style=style_of(model, look.scene, seed) if facts is None else facts.style(look.scene, seed),
        seed=seed,
        picture=picture_of(definition, language),
        size=look.size,
        title=data.headline(definition),
        type_line=_type_line(definition, look, data),
        badges=tuple(_badges(definition, look, data)),
        colour=colour,
        ink=ink_on(colour),
        drawing=drawing_for(definition, data),
        corner=corner_of(look, data),
        stats=tuple(
            _labelled(chip) for word in look.fields.get("stats", ()) if (chip := _stat(word, data)) is not None
        ),
        condition=_conditions(definition, look, model, language, problems),
        lines=tuple(lines),
        text=wording.paragraphs,
        dials=tuple(_dials(look, data)),
        notes=tuple(_chips(look, "notes", data)),
        areas=_areas(look, model, language),
        small=_small(keywords, model, language, problems),
        flavour=data.naming.language.finish(definition.flavour.get(language, "")),
        back=_back(look, data, colour),
        footer=footer_of(model, language),
        around=tuple(_around(look, data)),
        framed=tuple(_framed(definition, look, data)),
        wheels=look.wheels,
        tucked=data.naming.language.finish(look.tucked.get(language, "")),
        window=window_of(look, model),
    )
    layout = layout_of(definition.kind, model)
    if layout is not None and TEMPLATE in layout.settings:
        from fcbdsl.print.pieces.custom_templates import own_face

        face, face_problems = own_face(card, data, layout)
        card, problems = replace(card, own=face), problems + face_problems
    return card, problems + data.problems


WINDOW = 0.34
"""The height of a picture, as a share of that of its piece."""


def window_of(look: Look, model: Model) -> float:
    """Return the height of the picture of a kind in millimeters: from its look, else a share of its size.

    0 means that the picture fills the room that the words leave. Pieces with their text at the foot and boards use it.
    """
    size = sizes_of(model)[look.size]
    if look.window >= 0:
        return float(look.window)
    return 0.0 if look.tucked or look.wheels or size.scale >= LARGE else float(round(size.height * WINDOW))


def drawing_for(definition: Definition, data: PrintedFields) -> str:
    """Return the drawing of a definition.

    It is the declared one, or else the first in the look of its kind: a drawing, or the symbol of a field's value.
    """
    declared = declared_drawing(data.model, definition.id)
    if declared:
        return declared
    for word in look_of_kind(definition.kind, data.model).icon:
        chip = data.chip(word)
        if word in drawings(data.model):
            return drawing_of(data.model, word)
        if chip is not None and chip.symbol is not None and chip.symbol.drawing not in {"die", "plain"}:
            return chip.symbol.drawing
    return ""


def _stat(word: str, data: PrintedFields) -> Chip | None:
    """Return a field as a chip; None if it is 0 only because it has no value."""
    chip, value = data.chip(word), data.expr(word)
    unset = word not in data.definition.values and value is not None and evaluate_constant(value) == 0
    return None if unset else chip


def _badges(definition: Definition, look: Look, data: PrintedFields) -> Iterator[str]:
    """Yield flags that are set, and whether the card answers events."""
    yield from (chip.value for chip in _chips(look, "badges", data))
    if look.reacts and any(listener.offered for listener in definition.listeners):
        yield data.naming.language.finish(look.reacts.get(data.language, ""))


def _around(look: Look, data: PrintedFields) -> Iterator[tuple[str, str]]:
    """Yield what is placed at each side: cards of a kind, or a text of the look in the language."""
    for side, word, *more in look.around:
        kind = data.model.kinds.get(word)
        if kind is not None:
            yield side, data.naming.language.finish(with_capital(data.naming.kind(kind).many))
        elif word == data.language:
            yield side, data.naming.language.finish(" ".join(more))


def _framed(definition: Definition, look: Look, data: PrintedFields) -> Iterator[str]:
    """Yield the headings of the effects with a separate frame."""
    for word in look.fields.get("framed", ()):
        field = definition.kind.find(word)
        if field is not None and field.name.title:
            yield _heading(data.title(field.name, word), data.language)


def corner_of(look: Look, data: PrintedFields) -> Chip | None:
    """Return the datum in the corner: the first that exists.

    A number that is 0 without having been set is not shown; a flag has only its symbol.
    """
    chip = next(iter(_chips(look, "corner", data)), None)
    unset = all(word not in data.definition.values for word in look.fields.get("corner", ()))
    if chip is not None and chip.symbol is not None and chip.value == chip.label:
        return replace(chip, value="")
    return None if chip is None or (chip.value == "0" and unset) else _labelled(chip)


def _labelled(chip: Chip) -> Chip:
    """Return a chip with a capital in its label, for use on its own."""
    return Chip(with_capital(chip.label), chip.value, chip.symbol, chip.runs)


def _type_line(definition: Definition, look: Look, data: PrintedFields) -> str:
    """Return kind and classes: ``Tool · sharp``, with what it belongs to: ``… · Rat``. A kind in the title is left
    out."""
    feminine = definition.kind.name.feminine.get(data.naming.language.code, "")
    if definition.name.gender.get(data.naming.language.code) != "f" or not feminine:
        feminine = data.naming.kind(definition.kind).one
    kind = data.naming.language.finish(with_capital(feminine))
    words = [] if kind.casefold() == data.headline(definition).casefold() else [kind]
    words += [chip.value for chip in _chips(look, "type", data)]
    if definition.target is not None:
        words.append(data.title(definition.target.name, definition.target.id))
    return " · ".join(words)


def _chips(look: Look, key: str, data: PrintedFields) -> list[Chip]:
    return [chip for chip in (data.chip(word) for word in look.fields.get(key, ())) if chip is not None]


def footer_of(model: Model, language: str) -> str:
    """Return the title of the project, else of the game. It is a proper name, so the English one is a fallback."""
    title = model.pack or model.title.title.get(language) or model.title.title.get("en", "")
    return LANGUAGES[language].finish(title)


def _line(
    part: Definition, bearer: Definition | None, model: Model, language: str, problems: list[Diagnostic]
) -> CardPart:
    """Return a part of a card for `bearer`: its positional data as chips, then other data that is set, and its text."""
    data = PrintedFields(part, model, language)
    order = list(part.kind.part_line)
    order += [word for word in part.values if word not in order and part.values[word].expr is not None]
    chips = [chip for chip in (data.chip(word) for word in order) if chip is not None]
    wording = rules_text(part, model, language, bearer=bearer)
    problems += wording.problems
    problems += data.problems
    return CardPart(tuple(chips), wording.paragraphs)


def _conditions(
    definition: Definition, look: Look, model: Model, language: str, problems: list[Diagnostic]
) -> tuple[Paragraph, ...]:
    """Return the condition of a card as a sentence; several conditions each follow their name."""
    paragraphs: list[Paragraph] = []
    words = look.fields.get("condition", ())
    for word in words:
        value = definition.values.get(word)
        field = definition.kind.find(word)
        headed = len(words) > 1 and field is not None and bool(field.name.title)
        wording = RulesText(())
        if value is not None and value.body is not None:
            answer = value.body.statements[-1]
            if isinstance(answer, ir.Answer):
                wording = clause(answer.value, value.body.slots, model, language, definition.target, headed=headed)
        elif value is not None and value.expr is not None and not isinstance(value.expr, ir.Const):
            wording = clause(value.expr, (), model, language, headed=headed)
        if wording.paragraphs and headed and field is not None:
            heading = _heading(PrintedFields(definition, model, language).title(field.name, word), language)
            first, *rest = wording.paragraphs
            paragraphs += [Paragraph(paragraph("", heading=heading).runs + first.runs, first.level), *rest]
        else:
            paragraphs += wording.paragraphs
        problems += wording.problems
    return tuple(paragraphs)


def _heading(title: str, language: str) -> str:
    """Return a title as a heading."""
    words = LANGUAGES[language]
    return words.finish(words.words["heading"].format(title=title))


def _dials(look: Look, data: PrintedFields) -> Iterator[Dial]:
    """Yield numbered rows up to the value of a field, or to the number in the look."""
    for word in look.fields.get("dials", ()):
        chip = data.chip(word)
        if chip is not None and chip.value.isdecimal():
            start = int(chip.value)
            last = max(start, look.dials.get(word, 0))
            yield Dial(chip.label, chip.symbol, tuple(str(at) for at in range(last + 1)), start)


def _areas(look: Look, model: Model, language: str) -> tuple[Chip, ...]:
    """Return areas for markers: titled, or numbered if they have only a color."""
    chips: list[Chip] = []
    for at, word in enumerate(look.areas):
        title = symbol_title(model, word, language)
        chips.append(Chip(title, "" if title else str(at + 1), symbol_of(model, word, title, language)))
    return tuple(chips)


def _small(keywords: Sequence[Form], model: Model, language: str, problems: list[Diagnostic]) -> tuple[Paragraph, ...]:
    """Return reminders of the keywords that a card uses."""
    paragraphs: list[Paragraph] = []
    for title, wording in reminders(keywords, model, language):
        problems += wording.problems
        for at, words in enumerate(wording.paragraphs):
            heading = LANGUAGES[language].finish(LANGUAGES[language].words["heading"].format(title=title))
            lead = paragraph("", heading=heading).runs if at == 0 else ()
            paragraphs.append(Paragraph(lead + words.runs, words.level))
    return tuple(paragraphs)


def _back(look: Look, data: PrintedFields, colour: str) -> Back:
    back_colour = data.colour(look.back_colour) if look.back_colour else colour
    title = look.back_title.get(data.language) or look.back_title.get("en", "")
    kind = data.definition.kind
    if has_own_back(kind, data.model):
        title = data.naming.kind(kind).one
        title = with_capital(title)
    shown = [wording for word in look.fields.get("back shows", ()) if (wording := _on_back(word, data))]
    number = next((wording for wording in shown if wording.isdecimal()), "")
    words = tuple(wording for wording in shown if not wording.isdecimal())
    named = next((word for word in look.icon if word in drawings(data.model)), "")  # the same on all backs of a deck
    drawing = drawing_of(data.model, named) if named else ""
    return Back(data.naming.language.finish(title), back_colour, ink_on(back_colour), drawing, number, words)


def _on_back(word: str, data: PrintedFields) -> str:
    """Return what a back shows of a card: a field's value, or the title of the card or of its target; empty if
    nothing."""
    if word in {BEARER, TITLE}:
        of = data.definition if word == TITLE else data.definition.target
        return data.headline(of) if of is not None else ""
    chip = data.chip(word)
    unset = chip is not None and chip.value == "0" and word not in data.definition.values
    return "" if chip is None or unset else with_capital(chip.value)
