"""A model as readable text, in the order of declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Definition, Face, Preference, Reference, Test, Track, Value
from fcbdsl.language.model.declarations import Action, Event, Field, Form, Kind, Name, Param, Window, Zone
from fcbdsl.language.model.tree_text import body_lines, expr_text, listener_lines, modifier_text, type_text
from fcbdsl.language.model.whole import Model


def dump(model: Model) -> str:
    """Return everything that a model declares, with the meaning of its texts; it ends with a line end."""
    lines = [*shared_lines(model), *_definitions(model), *_tests(model)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def shared_lines(model: Model) -> Iterator[str]:
    """Yield the declarations of a model without definitions and tests, line by line; nested lines are indented."""
    yield f"system {model.system or '-'}, players {model.players[0]}..{model.players[1]}, board {model.board}"
    if model.board == "graph" and model.directions:
        yield f"directions {', '.join(model.directions)}"
    for section in (_kinds, _components, _forms, _play):
        yield from section(model)


def _indent(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _titled(head: str, name: Name) -> str:
    titles = ", ".join(f'{language} "{title}"' for language, title in name.title.items())
    return f"{head}  {titles}" if titles else head


# ── kinds ──────────────────────────────────────────────────────────────────────────────────────


def _kinds(model: Model) -> Iterator[str]:
    for kind in model.kinds.values():
        yield from _kind(kind)
    for zone in model.zones.values():
        yield _zone(zone)


def _kind(kind: Kind) -> Iterator[str]:
    parent = f" is {kind.parent.id}" if kind.parent else ""
    part = f", part of {kind.part_of} ({', '.join(kind.part_line)})" if kind.part_of else ""
    held = f", held by {kind.held}" if kind.held else ""
    blocks = f", blocks {' and '.join(kind.blocks) or 'nothing'}" if kind.blocks is not None else ""
    yield _titled(f"kind {kind.id}{parent}{part}{held}{blocks}{', offered' if kind.offered else ''}", kind.name)
    for column in kind.fields.values():
        yield f"  {_column(column)}"
        yield from _indent(_behaviour(column.listeners, column.modifiers))
    yield from _indent(_zone(zone) for zone in kind.zones.values())
    if kind.limit is not None:
        yield f"  limit: once per {kind.limit.id} per {kind.limit_per or 'instance'}"
    yield from _indent(_body("usable", kind.usable))
    yield from _indent(_body("spends", kind.spends))
    yield from _indent(_body("supposing", kind.supposing))
    yield from _indent(_behaviour(kind.listeners, kind.modifiers))


def _column(column: Field) -> str:
    span = "" if column.low is None and column.high is None else f" {_bound(column.low)}..{_bound(column.high)}"
    default = "" if column.default is None else f" = {expr_text(column.default)}"
    limit = "" if column.limit is None else f", limit {column.limit}"
    owner = "" if column.owned_by is None else f", owned by {column.owned_by}"
    required = ", required" if column.required else ""
    role = f", for {column.role}" if column.role else ""
    head = f"{column.sort} {column.id}: {type_text(column.type)}{span}{default}{limit}{owner}{role}{required}"
    return _titled(head, column.name)


def _bound(value: int | None) -> str:
    return "" if value is None else str(value)


def _zone(zone: Zone) -> str:
    limit = "" if zone.limit is None else f", limit {expr_text(zone.limit)}"
    starts = "" if zone.starts is None else f", starts {zone.starts.id}"
    return _titled(f"zone {zone.id} of {zone.holds}{limit}{starts}{secret_words(zone)}", zone.name)


def secret_words(column: Field | Zone) -> str:
    """Return who may know a secret column, in words."""
    whom = column.team or ("team" if column.allied else "nobody" if column.unseen else "")
    return "" if not column.secret else f", secret to {whom}" if whom else ", secret"


def _body(key: str, body: ir.Body | None) -> Iterator[str]:
    if body is not None:
        yield f"{key}:"
        yield from _indent(body_lines(body))


def _behaviour(listeners: Sequence[ir.Listener], modifiers: Sequence[ir.Modifier]) -> Iterator[str]:
    for listener in listeners:
        yield from listener_lines(listener)
    yield from (modifier_text(modifier) for modifier in modifiers)


# ── components ─────────────────────────────────────────────────────────────────────────────────


def _components(model: Model) -> Iterator[str]:
    for enum in model.enums.values():
        yield f"enum {enum.id}: {', '.join(enum.values)}"
    for switch in model.switches.values():
        yield f"variant {switch.id}: {', '.join(switch.values)}; set to {switch.values[switch.set_to]}"
    for die in model.dice.values():
        faces = [str(face[0]) if die.numbered else "+".join(die.symbols[s] for s in face) or "-" for face in die.faces]
        yield _titled(f"die {die.id}: {' '.join(faces)}", die.name)
    for ladder in model.ladders.values():
        yield f"ladder {ladder.id}: {', '.join(ladder.dice)}; above {ladder.above}, below {ladder.below}"
    for sort, declared in (("terrain", model.terrains), ("barrier", model.barriers)):
        for ground in declared.values():
            flags = ("blocks_movement", "blocks_sight", "gives_cover", "on_board", "footing", "shuts_corners")
            flagged = ", ".join(flag.replace("_", " ") for flag in flags if getattr(ground, flag))
            if ground.switch:
                flagged += f" while {ground.switch} is {model.switches[ground.switch].values[ground.setting]}"
            yield _titled(f"{sort} {ground.id}: cost {ground.cost}, {flagged}", ground.name)
    yield from (f"mark {mark}" for mark in model.marks)


# ── forms and play ─────────────────────────────────────────────────────────────────────────────


def _forms(model: Model) -> Iterator[str]:
    for event in model.events.values():
        yield _event(event)
    for form in model.forms:
        yield from _form(form)


def _params(params: Sequence[Param]) -> str:
    return ", ".join(
        f"{param.preposition + ' ' if param.preposition else ''}{param.name} ({type_text(param.type)}"
        f"{', optional' if param.optional else ''}"
        f"{'' if param.default is None else ', default ' + expr_text(param.default)})"
        for param in params
    )


def _event(event: Event) -> str:
    return f"event {event.id}({_params(event.params)}): {' '.join(event.pattern)}"


def _form(form: Form) -> Iterator[str]:
    gives = "" if form.gives.base == "nothing" else f" -> {type_text(form.gives)}"
    op = f" = op {form.op}" if form.op else ""
    yield _titled(f"{form.sort} {form.id}({_params(form.params)}){gives}{op}", form.name)
    yield from _indent(body_lines(form.body))


def _play(model: Model) -> Iterator[str]:
    for window in model.windows.values():
        yield from _window(window)
    for action in model.actions.values():
        yield from _action(action)
    for rule in model.rules.values():
        condition = "" if rule.condition is None else f" while {expr_text(rule.condition)}"
        yield _titled(f"rule {rule.id}{condition}", rule.name)
        yield from _indent(_behaviour(rule.listeners, rule.modifiers))
    for setup in model.setup:
        yield from _body("setup", setup)
    yield from _body("flow", model.flow)
    yield from _body("outlook", model.outlook)
    for preference in model.preferences:
        yield from _preference(preference)
    for invariant in model.invariants.values():
        target = f" for {invariant.kind.id}" if invariant.kind is not None else ""
        yield f'invariant {invariant.id} "{invariant.says}"{target}: {expr_text(invariant.condition)}'
    for prospect in model.prospects.values():
        yield f'prospect {prospect.id} "{prospect.says}" for {prospect.kind.id}: {expr_text(prospect.condition)}'


def _preference(preference: Preference) -> Iterator[str]:
    within = f" in {preference.action.id}" if preference.action is not None and preference.sort != "act" else ""
    what = (
        preference.action.id
        if preference.sort == "act" and preference.action is not None
        else f"{preference.sort} {preference.name}{within}"
    )
    yield f"preference {what}"
    yield from _indent([*_body("if", preference.condition), *_body("worth", preference.worth)])


def _window(window: Window) -> Iterator[str]:
    limit = f", once per {window.per}" if window.per else ""
    yield f"window {window.id}{limit}{', in turn' if window.in_turn else ''}"
    yield from _indent([*_body("order", window.order), *_body("forced", window.forced)])


def _action(action: Action) -> Iterator[str]:
    yield _titled(f"action {action.id} by {expr_text(action.by)}", action.name)
    if action.subject is not None:
        yield f"  with {action.subject_word}: {expr_text(action.subject)}"
    if action.listed_last:
        yield "  listed last"
    for column, amount in action.costs:
        yield f"  costs {expr_text(amount)} {column.id}"
    if action.limit is not None:
        yield f"  limit: once per {action.limit.id} per {action.limit_per or 'instance'}"
    if action.needs is not None:
        yield f"  needs {expr_text(action.needs)}"
    yield f"  form {' '.join(action.words)}"
    yield from _indent(_body("effect", action.body))


# ── definitions ────────────────────────────────────────────────────────────────────────────────


def _definitions(model: Model) -> Iterator[str]:
    for definition in model.definitions.values():
        yield from definition_lines(definition)


def definition_lines(definition: Definition) -> Iterator[str]:
    """Yield the content of a definition, line by line; nested lines are indented."""
    target = "" if definition.target is None else f" for {definition.target.id}"
    yield _titled(f"{definition.kind.id} {definition.id}{target}", definition.name)
    if definition.members is not None or definition.others:
        yield f"  players {'others' if definition.members is None else expr_text(definition.members)}"
    for value in definition.values.values():
        yield from _indent(_value(value))
    for part in definition.parts:
        yield from _indent(definition_lines(part))
    yield from _indent(_behaviour(definition.listeners, definition.modifiers))
    yield from (f"  variant {switch} = {value}" for switch, value in definition.overrides.items())
    for track in definition.tracks:
        yield from _indent(_track(track))
    if definition.board is not None:
        yield from _indent(_board(definition.board))


def _value(value: Value) -> Iterator[str]:
    if value.body is not None:
        yield from _body(value.field.id, value.body)
    elif value.texts is not None:
        texts = ", ".join(f'{language} "{text}"' for language, text in value.texts.items())
        yield f"{value.field.id}: {texts}"
    else:
        yield f"{value.field.id}: {expr_text(value.expr)}"


def _track(track: Track) -> Iterator[str]:
    yield _titled(f"{track.sort} {track.id} {track.low}..{track.high}", track.name)
    for values, body in track.steps:
        yield from _indent(_body(f"at {', '.join(map(str, values))}", body))
    yield from _indent(_body("at end", track.end))
    yield from _indent(_behaviour(track.listeners, []))
    for tier in track.tiers:
        yield _titled(f"  tier {tier.at}{' locked' if tier.locked else ''}", tier.name)
        lines = [*_body("on enter", tier.enter), *_body("on leave", tier.leave)]
        lines += _behaviour(tier.listeners, tier.modifiers)
        yield from _indent(_indent(lines))


def _board(board: Board) -> Iterator[str]:
    yield f"map {board.sort}"
    for cell in board.cells:
        tokens = [f"{name} {count}" for name, count in cell.tokens.items()]
        values = [f"{name} {expr_text(value.expr)}" for name, value in cell.values.items() if value.expr is not None]
        content = ", ".join([cell.terrain or "plain", *tokens, *cell.marks, *cell.places, *values])
        yield f"{_titled(f'  {cell.id}', cell.name)} ({cell.x}, {cell.y}): {content}"
    yield from (f"  {a}/{b}: {barrier}" for (a, b), barrier in board.sides.items())
    for (a, b), own in board.side_values.items():
        yield f"  {a}/{b}: " + ", ".join(f"{name} {expr_text(value.expr)}" for name, value in own.items() if value.expr)
    yield from (f"  {a}/{b}: {mark}" for a, b, mark in board.joins)
    yield from (f"  {a} {way} {b}" for a, b, way in board.links)
    yield from (f"  region {name}: {', '.join(spaces)}" for name, spaces in board.regions.items())
    yield from (f"  zone {name}: {', '.join(spaces)}" for name, spaces in board.zones.items())


# ── tests ──────────────────────────────────────────────────────────────────────────────────────


def _tests(model: Model) -> Iterator[str]:
    for test in model.tests:
        yield from _test(test)


def _test(test: Test) -> Iterator[str]:
    yield f'test "{test.title}" covers {", ".join(test.covers)}; {" ".join(test.mission or ("mission", "-"))}'
    yield from (f"  variant {switch} = {value}" for switch, value in test.overrides.items())
    if test.players:
        yield f"  players {test.players}"
    if test.board is not None:
        yield from _indent(_board(test.board))
    for step in test.steps:
        words = [" ".join(step.words), *(event.id for event in step.events), step.outcome]
        words += [_face(face) for face in step.faces]
        words += [_reference(reference) for reference in step.references]
        words += [expr_text(expr) for expr in (step.expr, step.who) if expr is not None]
        words += [str(step.count)] if step.sort == "counted" else []
        yield f"  {step.sort} {' '.join(word for word in words if word)}"
        yield from _indent(_indent(body_lines(step.body)))


def _face(face: Face) -> str:
    return " ".join(filter(None, (face.die, face.symbol or str(face.number))))


def _reference(reference: Reference) -> str:
    return (f"{reference.question} = " if reference.question else "") + expr_text(reference.expr)
