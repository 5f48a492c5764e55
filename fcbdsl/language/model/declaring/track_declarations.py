"""Countdowns and gauges."""

from __future__ import annotations

from fcbdsl.base.bounds import STEPS
from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.declarations import RepeatedLine, UnexpectedLine
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.diagnostics.values import BeyondTrack, EndlessTrack, OutOfRange, OverBound, RangeBackwards
from fcbdsl.language.model.builtins import ENDING
from fcbdsl.language.model.content import Tier, Track
from fcbdsl.language.model.declarations import Kind, Name
from fcbdsl.language.model.declaring.behaviour import WAITING, read_listener
from fcbdsl.language.model.declaring.blocks import read_block
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir import Type
from fcbdsl.language.model.ir.operators import bounds_of
from fcbdsl.language.model.lines import (
    atoms,
    clause_words,
    head_atoms,
    keyword_of,
    single_number,
    single_range,
    tail_clause,
    tail_parts,
)
from fcbdsl.language.model.resolve import modifiers, statements
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.syntax.tree import Line, Number, String, Word

TRACKS = ("countdown", "gauge")


def declare_track(context: Context, line: Line) -> Track | None:
    """Declare a track by its head ``gauge alert "Alert":``."""
    match head_atoms(line):
        case (Word(text=sort), Word(text=id) as word, String(value=title)):
            name = Name({"en": title})
        case (Word(text=sort), Word(text=id) as word):
            name = Name()
        case _:
            context.malformed(line.span, "a track", f'{keyword_of(line)} NAME "Title":')
            return None
    return Track(id, sort, line.span_of(word), name)


def track_scope(owner: Kind) -> Scope:
    """Return the scope of a track's texts; `self` is its owner."""
    mission = Type("thing", owner.id)
    return Scope(mission, None)


def read_track(context: Context, track: Track, line: Line, owner: Kind) -> None:
    """Read a track's block. Its end is read first, because the steps are compared with it."""
    _bounds(context, track, line)

    def ready(_: Line) -> None:
        """Ignore the line, which `_bounds` has read."""

    def step(inner: Line) -> None:
        _step(context, track, inner, owner)

    def listen(inner: Line) -> None:
        if inner.head is not None and inner.head.lead == "at" and _is_step(inner):
            step(inner)
        else:
            read_listener(context, inner, track_scope(owner), track.listeners)

    once = {"length": ready} if track.sort == "countdown" else {"range": ready}
    often = dict.fromkeys(WAITING, listen)
    if track.sort == "gauge":
        often["tier"] = lambda inner: _tier(context, track, inner, owner)
    read_block(context, line, a(track.sort), once, often, track.name)


def _bounds(context: Context, track: Track, line: Line) -> None:
    key = "length" if track.sort == "countdown" else "range"
    bounds = next((inner for inner in line.block if keyword_of(inner) == key), None)
    if bounds is None:
        if not any(inner.broken for inner in line.block):
            example = "length: 8" if key == "length" else "range: 0..9"
            context.report(EndlessTrack(track.span, sort=track.sort, name=track.id, key=example))
        track.high = 1 << 30
        return
    parts = tail_parts(bounds)
    limits = single_range(parts[0]) if len(parts) == 1 else None
    track.high = 1 << 30
    if limits is None or limits.high is None or (key == "length" and single_number(parts[0]) is None):
        context.malformed(bounds.span, f"the {key} of a track", "length: 8" if key == "length" else "range: 0..9")
    elif key == "length" and limits.high < 1:
        context.report(OutOfRange(bounds.span_of(limits), field=key, bounds=bounds_of(1, None), value=limits.high))
    elif limits.high < limits.low:
        context.report(RangeBackwards(bounds.span_of(limits), low=limits.low, high=limits.high))
    else:
        low = 0 if key == "length" else limits.low
        if limits.high - low > STEPS:
            what, number = f"The {track.sort} `{track.id}` has", limits.high - low
            context.report(OverBound(bounds.span_of(limits), what=what, found=number, things="steps", most=STEPS))
        else:
            track.low, track.high = low, limits.high


def _is_step(line: Line) -> bool:
    """Return whether a line is ``at 3, 5:`` or ``at end:``, not a trigger."""
    assert line.head is not None
    step_parts = [atoms(part) for part in line.head.parts]
    if [atom.text for atom in (step_parts[0] if step_parts else ()) if isinstance(atom, Word)] == ["end"]:
        return len(step_parts) == 1 and len(step_parts[0]) == 1
    return bool(step_parts) and all(len(part) == 1 and isinstance(part[0], Number) for part in step_parts)


def _step(context: Context, track: Track, line: Line, owner: Kind) -> None:
    assert line.head is not None
    values: list[int] = []
    for part in line.head.parts:
        number = single_number(part)
        if number is None:
            continue
        if number in values:
            context.report(RepeatedLine(line.span_of(part), name=str(number)))
        elif track.low < number <= track.high:
            values.append(number)
        else:
            what, high = "Step", track.high
            context.report(BeyondTrack(line.span_of(part), what=what, value=number, low=track.low, high=high))
    body = statements.clauses_body(context.reader, line, line.tail, line.block, track_scope(owner))
    if clause_words(line.head)[1:] == ("end",):
        if track.end is not None:
            context.report(RepeatedLine(line.span, name="at end"))
        track.end = body
    else:
        track.steps.append((tuple(values), body))


def _tier(context: Context, track: Track, line: Line, owner: Kind) -> None:
    """Read ``tier 3 "Suspicious", locked:``."""
    match head_atoms(line):
        case (Word(), Number(value=at) as number, String(value=title)):
            name = Name({"en": title})
        case (Word(), Number(value=at) as number):
            name = Name()
        case _:
            context.malformed(line.span, "a tier", 'tier 3 "Title":')
            return
    if any(tier.at == at for tier in track.tiers):
        context.report(RepeatedLine(line.span_of(number), name=f"tier {at}"))
    elif not track.low <= at <= track.high:
        context.report(BeyondTrack(line.span_of(number), what="Tier", value=at, low=track.low, high=track.high))
    clause = line.head or line.tail[0]
    locked = False
    for part in clause.parts[1:]:
        flag = [atom.text for atom in atoms(part) if isinstance(atom, Word)]
        if flag != ["locked"]:
            context.malformed(line.span_of(part), "a property of a tier", "locked")
        locked = True
    tier = Tier(at, name, locked, None, None, [], [], line.span)
    track.tiers.append(tier)
    _tier_block(context, tier, line, owner)


def _tier_block(context: Context, tier: Tier, line: Line, owner: Kind) -> None:
    def on(inner: Line) -> None:
        words = clause_words(inner.head) if inner.head is not None else ()
        body = statements.clauses_body(context.reader, inner, inner.tail, inner.block, track_scope(owner))
        if words in (("on", "enter"), ("on", "leave")):
            if (tier.enter if words[1] == "enter" else tier.leave) is not None:
                context.report(RepeatedLine(inner.span, name=" ".join(words)))
            if words[1] == "enter":
                tier.enter = body
            else:
                tier.leave = body
        else:
            context.malformed(inner.span, "a trigger of a tier", "on enter: or on leave:")

    def here(inner: Line) -> None:
        if inner.head is None or clause_words(inner.head) != ("while", "here"):
            context.malformed(inner.span, "an effect during a tier", "while here:")
            return
        _while_here(context, tier, inner, owner)

    read_block(context, line, "a tier", {"while": here}, {"on": on}, tier.name)


def _while_here(context: Context, tier: Tier, line: Line, owner: Kind) -> None:
    """Read the modifiers and listeners of a tier; a single modifier can follow the colon."""
    reader = context.reader
    if tail_clause(line) is not None:
        inline = Line(line.source, line.offset, line.end, None, line.tail)
        tier.modifiers += modifiers.lines(reader, [inline], None, track_scope(owner))
    for inner in line.block:
        if keyword_of(inner) in WAITING:
            read_listener(context, inner, track_scope(owner), tier.listeners)
        elif keyword_of(inner) in {"while", "always"}:
            tier.modifiers += modifiers.read_conditional(reader, inner, track_scope(owner))
        elif not inner.broken:
            tier.modifiers += modifiers.lines(reader, [inner], None, track_scope(owner))


def unexpected_ending(context: Context, line: Line, kind: Kind) -> None:
    """Report a named ending inside of a mission."""
    allowed = f'an ending is declared beside it, with `for` and its name: `{ENDING} NAME "Title" for MISSION:`'
    where = a(kind.id)
    context.report(UnexpectedLine(line.span, word=ENDING, where=where, allowed=allowed))


def unexpected_track(context: Context, line: Line, kind: Kind) -> None:
    """Report a track outside of a mission."""
    word = keyword_of(line)
    suggestion = suggest(word, list(kind.fields))
    where, allowed = a(kind.id), "tracks belong in a mission"
    context.report(UnexpectedLine(line.span, word=word, where=where, allowed=allowed, suggestion=suggestion))
