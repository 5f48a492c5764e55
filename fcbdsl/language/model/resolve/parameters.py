"""Types, and the parameters of forms and events."""

from __future__ import annotations

from fcbdsl.base.diagnostics import suggest
from fcbdsl.base.diagnostics.phrases import Incomplete, NotAType
from fcbdsl.base.diagnostics.values import RangeBackwards
from fcbdsl.language.model.declarations import Enum, Name, Param
from fcbdsl.language.model.ir import SPACE, Type
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.expressions import primaries, sums
from fcbdsl.language.model.resolve.parse_state import NONE, ParseState
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.tokens import Readable, Tokens, strip_lead_keyword
from fcbdsl.language.model.resolve.vocabulary import BASES
from fcbdsl.language.syntax.tree import Clause, Group, Line, Part, Range

THING = Type("thing", "thing")
_USAGE = "NAME (TYPE), PREPOSITION NAME (TYPE, default VALUE)"


def type_of(resolver: Resolver, line: Line, node: Readable, enum_id: str = "") -> Type | None:
    """Read a type; report a phrase that is not one, and return None."""
    tokens = resolver.tokens(node)
    type_read = _type(resolver, tokens, enum_id, line)
    if type_read is None:
        phrase = line.source.text[line.offset + tokens.start : line.offset + tokens.end]
        model = resolver.words.model
        nearest = suggest(phrase, [*BASES, *model.kinds, *model.enums])
        span = line.span_of(tokens.nodes[0]) if len(tokens.nodes) == 1 else line.span
        resolver.report(NotAType(span, phrase=phrase, suggestion=nearest))
    return type_read


def _type(resolver: Resolver, tokens: Tokens, enum_id: str, line: Line) -> Type | None:
    words = tokens.texts[:-1]
    model = resolver.words.model
    if words[:1] == ("many",):
        single = _named(resolver, words[1:])
        return single.several() if single is not None else None
    if words[:2] == ("one", "of") and enum_id:
        values = [word for word in words[2:] if word is not None and word != ","]
        names = {value: Name({"en": value}) for value in values}
        model.enums[enum_id] = Enum(enum_id, names, line.span)
        resolver.words.add(model.enums[enum_id])
        return Type("enum", enum_id)
    return _named(resolver, words)


def _named(resolver: Resolver, words: tuple[str | None, ...]) -> Type | None:
    model = resolver.words.model
    if len(words) == 2 and words[1] == "definition" and words[0] in model.kinds:
        return Type("definition", words[0] or "")
    if len(words) == 3 and words[:2] == ("zone", "of") and words[2] in model.kinds:
        return Type("zone", words[2] or "")
    if len(words) != 1 or words[0] is None:
        return None
    word = words[0]
    if word == "definition":
        return Type("definition", "thing")
    if word in BASES:
        return Type(word)
    if word in model.kinds:
        return Type("thing", word)
    if word in model.enums or word in model.switches:
        return Type("enum", word)
    return None


def params(resolver: Resolver, line: Line, clause: Clause) -> list[Param]:
    """Read the parameters of a form or event."""
    out: list[Param] = []
    for part in strip_lead_keyword(clause).parts:
        param = _param(resolver, line, part)
        if param is not None:
            out.append(param)
    return out


def _param(resolver: Resolver, line: Line, part: Part) -> Param | None:
    tokens = resolver.tokens(part)
    nodes = tokens.nodes
    span = line.span_of(part)
    group = nodes[-1]
    words = [text for text in tokens.texts[:-1] if text]
    if not isinstance(group, Group) or len(words) != len(nodes) - 1 or len(words) not in (1, 2):
        resolver.report(Incomplete(span, lead="A parameter", what="a name and its type in parentheses", usage=_USAGE))
        return None
    tokens = resolver.tokens(group.parts[0])
    bounds = tokens.nodes[1] if tokens.texts[:1] == ("number",) and len(tokens.nodes) == 2 else None
    if isinstance(bounds, Range):
        type: Type | None = Type("number")
    else:
        bounds, type = None, type_of(resolver, line, group.parts[0])
    if type is None:
        type = THING
    param = Param(words[-1], type, words[0] if len(words) == 2 else None, span=span)
    if isinstance(bounds, Range):
        param.low, param.high = bounds.low, bounds.high
        if bounds.high is not None and bounds.high < bounds.low:
            resolver.report(RangeBackwards(line.span_of(bounds), low=bounds.low, high=bounds.high))
            param.low = param.high = None
    for option in group.parts[1:]:
        _option(resolver, line, option, param)
    return param


def _option(resolver: Resolver, line: Line, part: Part, param: Param) -> None:
    """Read ``default VALUE``, ``optional``, or a requirement of a space: ``standable`` or ``passable``."""
    tokens = resolver.tokens(part)
    if tokens.texts[:-1] in {("standable",), ("passable",)} and param.type.one() == SPACE:
        param.wants = tokens.texts[0] or ""
        return
    if tokens.texts[:-1] == ("optional",):
        param.optional = True
        return
    if tokens.texts[0] != "default" or len(tokens.nodes) < 2:
        resolver.report(
            Incomplete(line.span_of(part), lead="A parameter", what="`default VALUE` or `optional`", usage=_USAGE)
        )
        return

    def default(state: ParseState) -> list[tuple[object, int]]:
        read = primaries if param.type.many else sums
        return list(read(state, 1, param.type, NONE))

    scope = Scope(THING, THING, mode="pure")
    param.default = resolver.read(line, part, scope, ("default", param.type), default)
    param.slots = tuple(scope.frame.slots[2:])
