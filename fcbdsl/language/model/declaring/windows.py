"""Windows: the order in which players may answer an event, and how often."""

from __future__ import annotations

from functools import partial

from fcbdsl.base.diagnostics.declarations import NoDecider
from fcbdsl.base.words import SHARES, one_of
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.declarations import Event, Window
from fcbdsl.language.model.declaring.blocks import read_block
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir import NUMBER, Answer, Body, Type
from fcbdsl.language.model.lines import atoms, tail_parts, tail_words
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.syntax.tree import Line, Word

UNCONTROLLED = ("space", "side", "region", "game", "mission", "campaign", "track")
"""Kinds whose things no player controls."""
ANY = "any"
"""The window of all events without a separate one."""


def declare_windows(context: Context) -> None:
    """Declare windows; their events are known, and forms are read later."""
    for declaration in context.index.of("window"):
        if not declaration.broken:
            _window(context, declaration)


def _window(context: Context, declaration: Declaration) -> None:
    event: Event | None = None
    if declaration.id != ANY:
        event = context.model.events.get(declaration.id)
        if event is None:
            context.unknown(declaration.span, "event", declaration.id, [*context.model.events, ANY])
            return
    window = Window(declaration.id, event, declaration.span)
    context.model.windows[declaration.id] = window

    def limit(line: Line) -> None:
        match tail_words(line):
            case ("once", "per", share) if len(tail_parts(line)) == 1:
                window.per = one_of(SHARES, share) or ""
                if not window.per or (share == TEAM and TEAM not in context.model.kinds):
                    shares = [allowed for allowed in SHARES if allowed != TEAM or TEAM in context.model.kinds]
                    context.unknown(line.span, "share of a window", share, shares)
            case _:
                context.malformed(line.span, "the limit of a window", "limit: once per player")

    def order(line: Line) -> None:
        parts = list(tail_parts(line))
        words = [atom.text if isinstance(atom, Word) else "" for atom in atoms(parts[-1])] if parts else []
        if words == ["in", "turn"]:
            window.in_turn = True
            parts = parts[:-1]
        if len(parts) == 1:
            context.later.append(partial(_order, context, window, line))
        elif parts or not window.in_turn:
            context.malformed(line.span, "the order of a window", "order: MEASURE, in turn")

    def forced(line: Line) -> None:
        if len(tail_parts(line)) == 1:
            context.later.append(partial(_forced, context, window, line))
        else:
            context.malformed(line.span, "the player who orders triggers", "forced: PLAYER")

    if not declaration.line.block:
        context.malformed(
            declaration.line.span, "a window", "window EVENT: with `limit:`, `order:` or `forced:` below it"
        )
    read_block(context, declaration.line, "a window", {"limit": limit, "order": order, "forced": forced})


def _forced(context: Context, window: Window, line: Line) -> None:
    """Read who orders the automatic triggers: a player, a team or a figure; the parameters of the event are known."""
    params = [] if window.event is None else [(param.name, param.type) for param in window.event.params]
    scope = Scope(None, None, params, "pure")
    who = context.reader.expression(line, tail_parts(line), scope, None)
    if who is None:
        return
    if not _may_decide(context, who.type):
        deciders = ", ".join([f"`{name}`" for name, type in params if _may_decide(context, type)])
        cure = f"Write one of {deciders}, or `player 1`." if deciders else "Write a player, such as `player 1`."
        phrase = who.span.source.text[who.span.start : who.span.end]
        context.report(NoDecider(who.span, phrase=phrase, found=type_words(who.type), cure=cure))
        return
    window.forced = Body((Answer(who, who.span),), scope.slots())


def _may_decide(context: Context, type: Type) -> bool:
    """Return whether a value may be a player, a team, or a thing that one of them controls."""
    if type.base != "thing" or type.many:
        return False
    kind = context.model.kinds.get(type.name)
    return kind is None or not any(above.id in UNCONTROLLED for above in kind.lineage())


def _order(context: Context, window: Window, line: Line) -> None:
    """Read the value by which players are asked: `self` is the player; the parameters of the event are known."""
    params = [] if window.event is None else [(param.name, param.type) for param in window.event.params]
    scope = Scope(Type("thing", "player"), None, params, "pure")
    window.order = context.reader.answer(line, tail_parts(line)[:1], scope, NUMBER)
