"""From a declaration to its rules text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.print import IdleUntold, MissingWording, StrayNumber, UntoldMatter
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Definition, Rule, Track
from fcbdsl.language.model.declarations import CHANGE, Action, Die, Field, Form, Kind, Mark, Switch, Terrain
from fcbdsl.language.model.ir.operators import holds, reads_slot
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.antecedents import Discourse, Referent
from fcbdsl.language.prose.clauses import SpokenClause
from fcbdsl.language.prose.filters import conjunction
from fcbdsl.language.prose.language import Language
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.listeners import Reader
from fcbdsl.language.prose.phrase import NounPhrase
from fcbdsl.language.prose.rules_text import (
    BOLD,
    LIGHT,
    Paragraph,
    RulesText,
    author_paragraphs,
    capitalize,
    join_with_last,
    paragraph,
)
from fcbdsl.language.prose.text_comparison import AuthorText, Matter
from fcbdsl.language.prose.text_templates import fill_template
from fcbdsl.language.prose.titles import GAP, Naming

CLOSING = LIGHT + "”»\u00a0\u202f"
"""Characters that may follow the mark that ends a sentence."""
NOWHERE = Span(Source("", ""), 0, 0)

Named = Action | Die | Field | Form | Kind | Mark | Rule | Terrain
"""Declarations that may have a reminder."""
Readable = Action | Definition | Form | Rule | Track | ir.Listener | ir.Modifier | ir.Body


def rules_text(
    thing: Readable,
    model: Model,
    language: str,
    *,
    generated: bool = False,
    stepwise: Sequence[str] = (),
    bearer: Definition | None = None,
    board: Board | None = None,
    besides: Sequence[ir.Listener | ir.Modifier] = (),
    elsewhere: Sequence[str] = (),
) -> RulesText:
    """Return the rules text of a declaration in a language (``en`` or ``fr``).

    An author's text wins over the generated one unless `generated` is set. Effects of the fields `stepwise` become
    numbered steps. `bearer`: the thing that the card of a part is for. `board`: the map that a rule refers to.
    `besides`: behavior that is described elsewhere. `elsewhere`: formulas that are printed elsewhere. Missing words in
    the language are a problem of the result and an ellipsis in the text.
    """
    if isinstance(thing, Definition) and not generated and thing.text.get(language):
        return RulesText(own_words(thing.text[language], language), tuple(_compared(thing, model, language)))
    naming = Naming(model, LANGUAGES[language], subject_of(thing), getattr(thing, "span", NOWHERE), board=board)
    if isinstance(thing, Definition):
        bearer = thing.target or bearer
        naming.board = _board_of(thing) or board
    if bearer is not None:
        naming.bearer = bearer.kind
    match thing:
        case Definition():
            paragraphs = _definition(thing, naming, stepwise, besides, elsewhere)
        case Action():
            paragraphs = _action(thing, naming)
        case Form():
            paragraphs = paragraphs_of(thing.body, naming) if thing.body is not None else []
        case Rule():
            paragraphs = _waiting(thing.listeners, thing.modifiers, naming)
        case Track():
            paragraphs = _track(thing, naming)
        case ir.Listener():
            paragraphs = _waiting([thing], [], naming)
        case ir.Modifier():
            paragraphs = _waiting([], [thing], naming)
        case ir.Body():
            paragraphs = paragraphs_of(thing, naming)
    if isinstance(thing, Definition) and not generated:
        naming.problems.extend(_compared(thing, model, language))
    if naming.in_progress and any(isinstance(problem, MissingWording) for problem in naming.problems):
        whole = rules_text(
            thing,
            model,
            REFERENCE,
            stepwise=stepwise,
            bearer=bearer,
            board=board,
            besides=besides,
            elsewhere=elsewhere,
        )
        return RulesText(whole.paragraphs, _filled(naming, whole))  # half a sentence would not help
    return RulesText(tuple(paragraphs), tuple(naming.problems))


def _compared(thing: Definition, model: Model, language: str) -> Iterator[Diagnostic]:
    """Report parts of the effect that an author's text does not mention, and unneeded entries in its list of
    omissions."""
    first = bool(thing.untold) and language == model.languages[0]  # the first reports unneeded entries
    codes = [code for code in model.languages if first or code == language]
    compared = {code: _comparison(thing, model, code) for code in codes if thing.text.get(code)}
    left_out = {code: matters for code, (matters, _) in compared.items()}
    stray = {code: numbers for code, (_, numbers) in compared.items()}
    for number in stray.get(language, ()):
        if str(number) not in thing.untold:
            yield StrayNumber(thing.span, number=number, card=subject_of(thing), language=language)
    for matter in left_out.get(language, ()):
        if matter.name not in thing.untold:
            yield UntoldMatter(
                matter.span, name=matter.name, card=subject_of(thing), language=language, words=" ".join(matter.words)
            )
    if first:
        idle = thing.untold.keys() - {matter.name for matters in left_out.values() for matter in matters}
        idle -= {str(number) for numbers in stray.values() for number in numbers}
        for name in (name for name in thing.untold if name in idle):
            yield IdleUntold(thing.untold[name], name=name, card=subject_of(thing))


def _comparison(thing: Definition, model: Model, language: str) -> tuple[list[Matter], list[int]]:
    """Return what an author's text leaves out of its effect, and the numbers that are only in the text."""
    naming = _comparing(thing, model, language)
    reader = reader_of(naming, (), thing.kind)
    author = AuthorText(thing, thing.text[language], reader)

    def generated() -> str:
        return " ".join(paragraph.plain() for paragraph in _definition(thing, naming.quietly(), (), ()))

    return author.missing_subjects(), author.strays(generated)


def _comparing(thing: Definition, model: Model, language: str) -> Naming:
    """Return the names for words that are not printed, but compared with the text of a definition."""
    subject = subject_of(thing)
    return Naming(model, LANGUAGES[language], subject, thing.span, board=_board_of(thing), compared=True)


def _board_of(thing: Definition) -> Board | None:
    """Return the map that a definition refers to: its own, or that of the mission that it is for."""
    return thing.board or (thing.target.board if thing.target is not None else None)


def clause(
    condition: ir.Expr,
    slots: Sequence[tuple[str, ir.Type]],
    model: Model,
    language: str,
    bearer: Definition | None = None,
    *,
    wanted: bool = False,
    headed: bool = False,
) -> RulesText:
    """Return a condition as a sentence without its end: ``You have fewer than 3 HP``.

    `bearer`: the thing it is for. `wanted`: the reader must make it true, so it is an instruction if possible.
    `headed`: it continues a sentence that begins in its heading.
    """
    naming = Naming(model, LANGUAGES[language], "a condition", condition.span)
    naming.bearer = bearer.kind if bearer is not None else None
    reader = reader_of(naming, slots)
    reader.brief = True
    clause = reader.explained((wanted and reader.order(condition)) or reader.condition(condition))
    words = LANGUAGES[language].finish(clause if headed else capitalize(clause))
    return RulesText((paragraph(words),), tuple(naming.problems))


def switches(definition: Definition, model: Model, language: str) -> RulesText:
    """Return the texts of the variant switches that may surprise in a mission.

    These differ from their defaults (by the mission, or by the project for all missions), or are reset to them against
    the project's setting.
    """
    naming = Naming(model, LANGUAGES[language], subject_of(definition), definition.span)
    settings = model.settings() | definition.overrides
    paragraphs: list[Paragraph] = []
    for switch in model.switches.values():
        if settings[switch.id] != 0 or switch.set_to != 0:
            paragraphs += _switch(switch, settings, naming)
    return RulesText(tuple(paragraphs), tuple(naming.problems))


def switch_texts(model: Model, language: str) -> RulesText:
    """Return the text of every variant switch in the project's setting; switches without texts are skipped."""
    naming = Naming(model, LANGUAGES[language], "the rulings", NOWHERE)
    settings = model.settings()
    worded = [switch for switch in model.switches.values() if switch.texts]
    paragraphs = [paragraph for switch in worded for paragraph in _switch(switch, settings, naming)]
    return RulesText(tuple(paragraphs), tuple(naming.problems))


def reminders(forms: Iterable[Form], model: Model, language: str) -> list[tuple[str, RulesText]]:
    """Return title and reminder of each form that has one, by title; parameters in it are letters such as X."""
    titled: list[tuple[str, RulesText]] = []
    for form in forms:
        if form.name.reminder.get(language):
            naming = Naming(model, LANGUAGES[language], form.id, form.span)
            titled.append((naming.title(form.name, form.id, form.span), reminder(form, model, language)))
    return sorted(titled, key=lambda pair: pair[0].casefold())


def reminder(thing: Named, model: Model, language: str) -> RulesText:
    """Return the reminder of a declaration; empty if it has none in any language."""
    naming = Naming(model, LANGUAGES[language], thing.id, thing.span)
    text = thing.name.reminder.get(language, "")
    if not text and thing.name.reminder:
        gap = naming.missing(thing.id, thing.span, thing.name.reminder.get(REFERENCE, ""))
        if gap != GAP:
            whole = reminder(thing, model, REFERENCE)
            return RulesText(whole.paragraphs, _filled(naming, whole))
        return RulesText((paragraph(gap),), tuple(naming.problems))
    if isinstance(thing, Form):  # of forms alone it is a template: they have parameters
        text = fill_template(text, _unknowns(thing, naming), naming.language)
    words = naming.language.finish(text)
    return RulesText(own_words(words, language), tuple(naming.problems))


def _filled(naming: Naming, instead: RulesText) -> tuple[Diagnostic, ...]:
    """Return the missing words of a text that the one in the sources replaces; words missing there, too, are gaps."""
    gaps = [problem.arguments["name"] for problem in instead.problems if isinstance(problem, MissingWording)]
    for problem in naming.problems:
        if isinstance(problem, MissingWording):
            problem.arguments["filled"] = problem.arguments["name"] not in gaps
    return tuple(naming.problems)


def terms_text(action: Action, model: Model, language: str) -> RulesText:
    """Return the costs and limits of an action; empty if there are none."""
    naming = Naming(model, LANGUAGES[language], subject_of(action), action.span)
    terms = naming.language.words["comma"].join(_terms(action, reader_of(naming, action.body.slots)))
    words = naming.language.finish(terms)
    return RulesText((paragraph(words),) if words else (), tuple(naming.problems))


def _unknowns(form: Form, naming: Naming) -> dict[str, Callable[[], NounPhrase]]:
    """Return the phrases of a form's parameters if nothing is known about them."""
    readers: dict[str, Callable[[], NounPhrase]] = {}
    for param in form.params:
        if param.type == ir.NUMBER:
            phrase = NounPhrase("X", plural=True)
        else:
            phrase = naming.language.determined("that", naming.of_type(param.type))
        readers[param.name] = lambda phrase=phrase: phrase  # type: ignore[misc]
    return readers


def _definition(
    definition: Definition,
    naming: Naming,
    stepwise: Sequence[str],
    besides: Sequence[ir.Listener | ir.Modifier],
    elsewhere: Sequence[str] = (),
) -> list[Paragraph]:
    paragraphs: list[Paragraph] = []
    for value in definition.values.values():
        formula = value.field.type.base == "formula" and bool(value.field.name.title)
        formula = formula and value.field.id not in elsewhere
        if value.body is None or not (formula or value.field.type.base == "effect"):
            continue
        if value.field.id in stepwise:
            paragraphs += _steps(value.body, naming, definition.kind)
            continue
        heading = ""
        if value.field.name.title:
            title = naming.single(value.field)
            heading = naming.language.finish(naming.language.words["heading"].format(title=title))
        if formula:
            paragraphs += _formula(value.body, naming, definition.kind, heading)
        elif all(isinstance(statement, ir.Nothing) for statement in value.body.statements):
            idle = [SpokenClause(naming.language.words["nothing happens"])] if value.body.statements else []
            paragraphs += laid_out(idle, naming.language, heading)
        else:
            paragraphs += paragraphs_of(value.body, naming, definition.kind, heading)
    left_out = [id(beside) for beside in besides]
    listeners = [listener for listener in definition.listeners if id(listener) not in left_out]
    modifiers = [modifier for modifier in definition.modifiers if id(modifier) not in left_out]
    return paragraphs + _waiting(listeners, modifiers, naming, definition.kind)


def _formula(body: ir.Body, naming: Naming, kind: Kind, heading: str) -> list[Paragraph]:
    """Return a number that is computed, under the title of its field."""
    answer = body.statements[0] if len(body.statements) == 1 else None
    if not isinstance(answer, ir.Answer):
        return paragraphs_of(body, naming, kind, heading)
    reader = reader_of(naming, body.slots, kind)
    text = reader.explained(reader.value(answer.value).text)
    return laid_out([SpokenClause(text)], naming.language, heading)


def _steps(body: ir.Body, naming: Naming, kind: Kind) -> list[Paragraph]:
    """Return the statements with numbers; a single one has none."""
    reader = reader_of(naming, body.slots, kind)
    following = [*body.statements[1:], None]
    clauses = [reader.statement(statement, after) for statement, after in zip(body.statements, following, strict=True)]
    steps = [pieces for pieces in clauses if pieces]
    paragraphs: list[Paragraph] = []
    for at, pieces in enumerate(steps, start=1):
        paragraphs += laid_out(pieces, naming.language, f"{at}." if len(steps) > 1 else "")
    return paragraphs


def _action(action: Action, naming: Naming) -> list[Paragraph]:
    """Return the requirements, cost, limit and effect of an action, under its title."""
    language = naming.language
    reader = reader_of(naming, action.body.slots)
    terms = _terms(action, reader)
    pieces: list[SpokenClause] = []
    about_subject = action.needs is not None and reads_slot(action.needs, 1)
    if not about_subject:
        pieces += _required(_needs(action, reader), reader)
    if action.subject is not None:
        pieces.append(SpokenClause(reader.say("choose", options=reader.value(action.subject))))
        noun = reader.plain_noun(action.subject) if isinstance(action.subject, ir.Select) else None
        reader.scope.referents[1] = Referent(noun=noun)
    if about_subject:  # « that card » must have been introduced
        pieces += _required(_needs(action, reader), reader)
    pieces += reader.body(action.body.statements)
    title = naming.title(action.name, action.id, action.span)
    heading = f"{title} ({join_with_last(terms, language.words['comma'], language.words['comma'])})" if terms else title
    return laid_out(pieces, language, language.finish(f"{heading}."))


def _terms(action: Action, reader: Reader) -> list[str]:
    words = reader.language.words
    costs = [reader.amount_of(amount, reader.naming.field(field)) for field, amount in action.costs]
    costs_text = [reader.say("cost", amount=join_with_last(costs, words["comma"], words["and"]))] if costs else []
    return costs_text if action.limit is None else [*costs_text, reader.how_often(action.limit)]


def _required(needs: str, reader: Reader) -> list[SpokenClause]:
    return [SpokenClause(reader.say("require", condition=needs))] if needs else []


def _needs(action: Action, reader: Reader) -> str:
    """Return the requirements of an action, including those of its actor."""
    conditions = [] if action.needs is None else [action.needs]
    if isinstance(action.by, ir.Select) and action.by.where is not None:
        actor = ir.Var("self", 0, action.by.type, action.by.span)
        conditions.insert(0, ir.substitute(action.by.where, ir.Substitution(values={action.by.it: actor})))
    return reader.condition(conjunction(conditions)) if conditions else ""


def fill_sentence(template: str, things: Sequence[Definition], model: Model, language: str) -> RulesText:
    """Return a sentence of a layout about some definitions, any of them: ``{it} [loses|lose] the last HP.``"""
    naming = Naming(model, LANGUAGES[language], subject_of(things[0]), things[0].span)
    reader = reader_of(naming, ())
    named = [
        reader.value(ir.Def(thing.kind.id, thing.id, ir.Type("definition", thing.kind.id), thing.span))
        for thing in things
    ]
    it = named[-1].saying(
        join_with_last([phrase.text for phrase in named], *[naming.language.words[w] for w in ("comma", "or")])
    )
    words = naming.language.finish(capitalize(fill_template(template, {"it": lambda: it}, naming.language)))
    return RulesText((paragraph(words),), tuple(naming.problems))


def subject_of(thing: Readable) -> str:
    """Return the name of a thing in messages."""
    if isinstance(thing, Definition):
        return f"{thing.kind.id} `{thing.id}`"
    return f"`{thing.id}`" if isinstance(thing, Action | Form | Rule | Track) else "a rule"


def ground(terrain: Terrain, model: Model, language: str) -> RulesText:
    """Return the effects of a kind of space, or of side between spaces, under its title."""
    naming = Naming(model, LANGUAGES[language], f"`{terrain.id}`", terrain.span)
    reader = reader_of(naming, ())
    side = terrain.id in model.barriers
    pinches = terrain.shuts_corners and (not terrain.switch or model.settings()[terrain.switch] == terrain.setting)
    facts = {
        "ground nowhere": not terrain.on_board,
        "barrier shut" if side else "ground shut": terrain.blocks_movement,
        "ground cost": terrain.cost != 1 and terrain.passable(),
        "ground no footing": not terrain.footing,
        "ground sight": terrain.blocks_sight,
        "ground cover": terrain.gives_cover,
        "ground corners": pinches and terrain.blocks_movement,
        "ground corners sight": pinches and terrain.blocks_sight and model.board == "areas",
    }
    facts_worded = [reader.say(key, n=reader.number(terrain.cost)) for key, holds in facts.items() if holds]
    facts_worded = facts_worded or [reader.say("barrier open" if side else "ground open")]
    heading = naming.language.finish(capitalize(naming.title(terrain.name, terrain.id, terrain.span)) + ".")
    words = naming.language.words["semicolon"].join(facts_worded)
    pieces = [SpokenClause(_hinged(terrain, words, model, reader) if terrain.hinge else words)]
    return RulesText(tuple(laid_out(pieces, naming.language, heading)), tuple(naming.problems))


def _hinged(barrier: Terrain, text: str, model: Model, reader: Reader) -> str:
    """Return the text of a barrier after the state of its side on which it depends."""
    flag = model.kinds["side"].fields[barrier.hinge]
    noun = reader.naming.noun(barrier.name, barrier.id, barrier.span)
    it = NounPhrase(noun.one, noun.gender)
    state = fill_template(reader.naming.field(flag).one, {"subject": lambda: it}, reader.language)
    return reader.say_with("barrier hinged", {"subject": it, "state": state, "told": text}, denied=barrier.ajar)


def _track(track: Track, naming: Naming) -> list[Paragraph]:
    paragraphs: list[Paragraph] = []
    for values, body in sorted(track.steps, key=lambda row: min(row[0], default=0)):
        paragraphs += paragraphs_of(body, naming, heading=", ".join(map(str, values)) + ".")
    if track.end is not None:
        paragraphs += paragraphs_of(track.end, naming, heading=naming.language.words["end of track"])
    return paragraphs + _waiting(track.listeners, [], naming)


def paragraphs_of(body: ir.Body, naming: Naming, kind: Kind | None = None, heading: str = "") -> list[Paragraph]:
    """Return the statements of a body in words. `kind`: the kind of the thing with the text."""
    reader = reader_of(naming, body.slots, kind)
    return laid_out(reader.body(body.statements), naming.language, heading)


def _waiting(
    listeners: Sequence[ir.Listener], modifiers: Sequence[ir.Modifier], naming: Naming, kind: Kind | None = None
) -> list[Paragraph]:
    paragraphs: list[Paragraph] = []
    for _, group in groupby(modifiers, lambda modifier: _changed_alone(modifier, naming, kind)):
        together = tuple(group)
        reader = reader_of(naming, together[0].slots, kind)
        paragraphs += laid_out(
            [SpokenClause(reader.explained(reader.modifiers(together, alone=True)))], naming.language
        )
    for alike in _by_event(listeners, naming, kind):
        trials = [naming.quietly() for _ in alike]
        pieces = [
            reader_of(trial, each.body.slots, kind).listener(each) for trial, each in zip(trials, alike, strict=True)
        ]
        worded = [at for at, piece in enumerate(pieces) if piece.text]  # the whole effect of others needs no words
        if not worded:
            continue
        some = [alike[at] for at in worded]
        piece = pieces[worded[0]]
        if len(some) == 1:
            naming.take_over(trials[worded[0]])
        else:
            piece = reader_of(naming, some[0].body.slots, kind).together_on(some)
        title = some[0].title.get(naming.language.code)
        heading = naming.language.finish(title + ".") if title else ""
        paragraphs += laid_out([piece], naming.language, heading)
    return paragraphs


def _by_event(listeners: Sequence[ir.Listener], naming: Naming, kind: Kind | None) -> Iterator[Sequence[ir.Listener]]:
    """Yield listeners in a row that can share a sentence."""
    if len(listeners) < 2:
        yield from [listeners] if listeners else []
        return
    for _, near in groupby(listeners, lambda listener: (listener.timing, listener.event.id)):
        candidates = list(near)
        if len(candidates) == 1:  # its words need not be compared
            yield candidates
            continue
        for _, alike in groupby(candidates, lambda listener: _answered_alone(listener, naming, kind)):
            yield list(alike)


def _answered_alone(listener: ir.Listener, naming: Naming, kind: Kind | None) -> Hashable:
    """Return a key of a listener's event and its words, if it can share a sentence; else a unique key."""
    limited = listener.limit is not None or listener.may or listener.timing == "instead"
    if listener.event is CHANGE or limited or listener.title:
        return id(listener)
    event, _ = reader_of(naming.quietly(), listener.body.slots, kind).occasion(listener)
    return listener.timing, listener.event.id, event.text, *[ir.shape(bind, {}) for bind in listener.binds]


def _changed_alone(modifier: ir.Modifier, naming: Naming, kind: Kind | None) -> Hashable:
    """Return a key of the things that a modifier changes, if it can share a sentence; else a unique key."""
    reader = reader_of(naming, modifier.slots, kind)
    if modifier.condition is not None or reader.gained(modifier) is None or reader.scope.unknowns:
        return id(modifier)
    where = None if modifier.where is None else ir.shape(modifier.where, {modifier.it: "it"})
    return reader.changed(modifier).text, modifier.kind.id, where


def reader_of(naming: Naming, slots: Sequence[tuple[str, ir.Type]], kind: Kind | None = None) -> Reader:
    """Return a reader that knows the names of `self` and `this`."""
    language = naming.language
    types = dict(slots[:2])
    own = types["self"].name if "self" in types else (kind.held or kind.id if kind is not None else "")
    if naming.bearer is not None and any(ancestor.id == own for ancestor in naming.bearer.lineage()):
        own = naming.bearer.id
    if is_addressed(own, naming.model):
        self_phrase = language.you()
    else:
        self_phrase = language.determined("this", naming.kind_called(own))
    this = types["this"].name if "this" in types else (kind.id if kind is not None else "")
    is_kind = this in naming.model.kinds
    this_phrase = (
        language.determined("this", naming.kind_called(this)) if is_kind else NounPhrase(language.words["this card"])
    )
    reader = Reader(naming, Discourse(self_phrase, this_phrase))
    reader.impersonal = kind is not None and self_phrase.person == 3 and _of_a_figure(kind, naming.model)
    return reader


def is_addressed(kind: str, model: Model) -> bool:
    """Return whether the rules address things of that kind as « you »: it or a kind below it takes actions by
    choice."""
    ancestor = model.kinds.get(kind)
    ancestors: list[str] = []
    while ancestor is not None:
        if ancestor.third:
            return False
        ancestors.append(ancestor.id)
        ancestor = ancestor.parent
    acting = dict.fromkeys([action.by.type.name for action in model.actions.values() if action.by is not None])
    if not ancestors or not acting:
        return True
    return any(name in ancestors or _descends(name, kind, model) for name in acting)


def _of_a_figure(kind: Kind, model: Model) -> bool:
    """Return whether cards of a kind belong to a figure on the board."""
    whole = model.kinds.get(kind.part_of or "", kind)
    held = next((ancestor.held for ancestor in whole.lineage() if ancestor.held), "")
    return _descends(held, "piece", model)


def _descends(name: str, ancestor: str, model: Model) -> bool:
    kind = model.kinds.get(name)
    while kind is not None and kind.id != ancestor:
        kind = kind.parent
    return kind is not None


def _switch(switch: Switch, settings: dict[str, int], naming: Naming) -> list[Paragraph]:
    code = naming.language.code
    for text in switch.texts:
        if text.language == code and holds(text.condition, {}, settings):
            return [*own_words(text.template, code)]
    first = [text for text in switch.texts if text.language == REFERENCE and holds(text.condition, {}, settings)]
    wording = naming.missing(switch.id, switch.span, first[0].template if first else "")
    return [*own_words(wording, code)]


@lru_cache(maxsize=1024)  # reminders are on many cards
def own_words(text: str, language: str) -> tuple[Paragraph, ...]:
    """Return an author's text as paragraphs, set for print."""
    return tuple([set_in(each, language) for each in author_paragraphs(text)])


def set_in(text: Paragraph, language: str) -> Paragraph:
    """Give an author's own words the apostrophes and spaces that the language's print wants."""
    marked = "".join(f"{BOLD}{run.text}{LIGHT}" if run.style == "keyword" else run.text for run in text.runs)
    marked = marked.replace("'", "’")
    marked = LANGUAGES[language].bound(LANGUAGES[language].spaced(marked))
    return paragraph(marked, text.level)


def laid_out(pieces: Sequence[SpokenClause], language: Language, heading: str = "") -> list[Paragraph]:
    """Return sentences in one paragraph; lists come below their lead."""
    paragraphs: list[Paragraph] = []
    _lay_out(pieces, language, 0, heading, paragraphs)
    return paragraphs


def _lay_out(
    pieces: Sequence[SpokenClause], language: Language, level: int, heading: str, paragraphs: list[Paragraph]
) -> None:
    sentences: list[str] = []
    for at, piece in enumerate(pieces):
        sentences.append(language.finish(capitalize(piece.text)))
        if not piece.items:
            sentences[-1] += "" if sentences[-1].rstrip(CLOSING).endswith((".", "!", "?", "…")) else "."
        if piece.items or at == len(pieces) - 1:
            paragraphs.append(paragraph(" ".join(sentences), level, heading))
            sentences, heading = [], ""
        for item in piece.items:
            _lay_out(item, language, level + 1, "", paragraphs)
