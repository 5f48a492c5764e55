"""A small hand-built vocabulary, and functions that read phrases with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from fcbdsl.base.diagnostics import Problems
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import declare_builtins
from fcbdsl.language.model.content import Definition, Track
from fcbdsl.language.model.declarations import Die, Enum, Event, Field, Form, Kind, Name, Param, Switch, Terrain, Zone
from fcbdsl.language.model.identity_cache import IdentityCache
from fcbdsl.language.model.ir import FLAG, NOTHING, NUMBER, SPACE, Type
from fcbdsl.language.model.resolve import parameters, statements
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import Line

HERE = Span(Source("sample", ""), 0, 0)
UNIT, HERO, ENEMY = Type("thing", "unit"), Type("thing", "hero"), Type("thing", "enemy")
SWORD = Type("thing", "blade")


def lines(text: str) -> tuple[Line, ...]:
    """Parse lines at the top of a file."""
    file, problems = parse(Source("test.fcb", text))
    assert not problems, problems
    return file.lines


@dataclass
class Sample:
    """A model, its vocabulary, and a reader that collects problems."""

    model: Model
    words: Vocabulary
    problems: Problems = field(default_factory=Problems)

    def __post_init__(self) -> None:
        self.reader = Resolver(self.words, self.problems)

    def scope(self, **more: object) -> Scope:
        params = more.pop("params", [("target", UNIT), ("count", NUMBER)])
        return Scope(HERO, SWORD, params, **more)  # type: ignore[arg-type]

    def expression(self, text: str, want: Type | None = None, scope: Scope | None = None) -> ir.Expr | None:
        line = lines(f"value: {text}\n")[0]
        return self.reader.expression(line, line.tail[0], scope or self.scope(), want)

    def condition(self, text: str, scope: Scope | None = None) -> ir.Expr | None:
        return self.expression(text, FLAG, scope)

    def body(self, text: str, scope: Scope | None = None) -> ir.Body:
        return statements.lines_body(self.reader, lines(text), scope or self.scope())

    def codes(self) -> list[str]:
        return [finding.code for finding in self.problems.sorted()]

    def form(self, sort: str, words: str, takes: str, gives: Type = NOTHING, op: str = "native") -> Form:
        params = parameters.params(self.reader, *_takes(takes)) if takes else []
        form = Form(sort, tuple(words.split()), HERE, params=params, gives=gives, op=op)
        self.model.forms.append(form)
        self.words.add(form)
        return form

    def event(self, name: str, takes: str, pattern: str) -> Event:
        params: list[Param] = parameters.params(self.reader, *_takes(takes)) if takes else []
        event = Event(name, params, tuple(pattern.split()), HERE)
        self.model.events[name] = event
        self.words.add(event)
        return event


def _takes(text: str):  # type: ignore[no-untyped-def]
    line = lines(f"takes: {text}\n")[0]
    return line, line.tail[0]


def _column(kind: Kind, name: str, sort: str, type: Type, **more: object) -> None:
    kind.fields[name] = Field(name, kind.id, sort, type, HERE, **more)  # type: ignore[arg-type]


def _kinds(model: Model) -> None:
    def kind(name: str, parent: str, **more: object) -> Kind:
        model.kinds[name] = Kind(name, model.kinds[parent], HERE, **more)  # type: ignore[arg-type]
        return model.kinds[name]

    unit = kind("unit", "piece")
    _column(unit, "rank", "field", NUMBER)
    _column(unit, "HP", "stat", NUMBER)
    _column(unit, "target", "stat", UNIT)
    _column(unit, "shaken", "stat", FLAG)
    _column(unit, "Stunned", "status", NUMBER)
    _column(unit, "Mark", "status", NUMBER, owned_by="unit")
    unit.zones["hand"] = Zone("hand", "unit", "blade", HERE)
    kind("hero", "unit")
    kind("enemy", "unit")
    blade = kind("blade", "card", held="hero")
    _column(blade, "family", "field", Type("enum", "family"))
    _column(blade, "edge", "stat", NUMBER)
    _column(blade, "valid", "field", Type("condition"))
    _column(blade, "effect", "field", Type("effect"))
    _column(model.kinds["space"], "fire", "token", NUMBER)
    _column(model.kinds["game"], "round", "stat", NUMBER)
    stab = kind("stab", "thing", part_of="blade")
    _column(stab, "reach", "field", NUMBER)
    _column(blade, "stab", "part", Type("thing", "stab", True))


def sample() -> Sample:
    """Return the vocabulary that the tests of the reader share."""
    model = Model()
    declare_builtins(model, IdentityCache())
    _kinds(model)
    model.enums["family"] = Enum("family", {"long": Name(), "short": Name()}, HERE)
    model.dice["coin"] = Die("coin", HERE, symbols=["heads", "tails"], faces=[(0,), (1,)])
    model.dice["d6"] = Die("d6", HERE, numbered=True, faces=[(n,) for n in range(1, 7)])
    model.switches["night"] = Switch("night", ["off", "on"], HERE)
    model.terrains["rock"] = Terrain("rock", HERE)
    model.marks["exit"] = HERE
    model.zones["deck"] = Zone("deck", None, "blade", HERE)
    for kind, name in (("enemy", "gunner"), ("hero", "boris"), ("blade", "knife")):
        model.definitions[kind, name] = Definition(name, model.kinds[kind], HERE)
    made = Sample(model, Vocabulary(model))
    made.words.add(Track("alarm", "gauge", HERE))
    _forms(made)
    _events(made)
    return made


def _forms(made: Sample) -> None:
    made.form("relation", "adjacent to", "a (thing), b (thing)", FLAG)
    made.form("relation", "within", "a (thing), distance (number), of b (thing, default self)", FLAG)
    made.form("relation", "sees", "a (thing), b (thing), strictly strict (flag, default no)", FLAG)
    made.form("relation", "on", "a (thing), spot (many space)", FLAG)
    made.form("relation", "in", "a (thing), place (zone)", FLAG)
    made.form("relation", "free", "spot (space)", FLAG)
    made.form("relation", "marked", "spot (space), label (mark)", FLAG, op="marked")
    made.form("relation", "filled with", "spot (thing), ground (terrain)", FLAG, op="terrain-is")
    made.form("relation", "among", "a (thing), group (many thing)", FLAG)
    made.form("measure", "range", "from a (thing), to b (thing)", NUMBER)
    made.form("measure", "damage", "of a (unit, default self)", NUMBER)
    made.form("measure", "allies", "a (unit)", Type("thing", "unit", True))
    made.form("measure", "top", "pile (zone)", Type("thing", "thing"))
    made.form("measure", "lowest", "values (many number)", NUMBER)
    made.form("measure", "new", "sort (kind)", Type("thing", "thing"))
    made.form("measure", "space behind", "b (thing), from a (thing)", SPACE)
    made.form("verb", "hurt", "target (unit), amount (number, default 1), by culprit (unit, default nothing)")
    made.form("verb", "place", "what (piece), on spot (space)")
    made.form("verb", "put", "what (thing), into pile (zone)")
    made.form("verb", "mark", "sort (counter), on what (thing), by owner (thing, default nothing)")
    made.form("verb", "spawn", "sort (enemy definition), at spots (many space)")
    made.form("verb", "perform", "what (effect)")
    made.form("keyword", "Push", "target (unit), distance (number, default 1), from origin (thing, default self)")


def _events(made: Sample) -> None:
    made.event("turn start", "who (unit)", "turn of who starts")
    made.event("attack", "attacker (unit), target (unit)", "attacker attacks target")
    made.event("harm", "victim (unit), amount (number), source (unit)", "victim takes amount from source")
    made.event("step", "mover (unit), spot (space)", "mover enters spot")
    made.event("dawn", "", "dawn breaks")


# ── typed trees as text ───────────────────────────────────────────────────────────────────────


def show(node: object) -> str:
    """Return a typed tree as a short text: ``enemy{within(it, 2, self)}``, ``target.HP``."""
    match node:
        case None:
            return "-"
        case ir.Const():
            return node.label or str(node.value)
        case ir.Text():
            return f'"{node.value}"'
        case ir.Var():
            return node.name
        case ir.Def():
            return f"<{node.id}>"
        case ir.Instance():
            return f"{node.id}#{node.copy}"
        case ir.Variant():
            return f"?{node.id}"
        case ir.Get():
            owner = f"[{show(node.owner)}]" if node.owner is not None else ""
            return f"{show(node.of)}.{node.field.id}{owner}"
        case ir.ZoneOf():
            return f"{show(node.of)}/{node.zone}"
        case ir.Apply():
            return f"{node.form.id}({', '.join(map(show, node.args))})"
        case ir.Binary():
            return f"({show(node.left)} {node.op} {show(node.right)})"
        case ir.Not():
            return f"not {show(node.operand)}"
        case ir.IsA():
            return f"({show(node.of)} is a {node.kind})"
        case ir.Select():
            return _select(node)
        case ir.Quantified():
            test = f": {show(node.test)}" if node.test is not None else ""
            return f"{node.quantifier} {show(node.select)}{test}"
        case ir.ListOf():
            return f"[{', '.join(map(show, node.items))}]"
        case ir.Dice():
            return f"{'faces of ' if node.each else ''}{show(node.count) if node.count else 1}d{show(node.die)}"
        case ir.Body():
            return "; ".join(map(show, node.statements))
        case _:
            return _statement(node)


def _select(node: ir.Select) -> str:
    kind = ("definition of " if node.type.base == "definition" else "") + node.type.name
    source = show(node.source) if node.source is not None else node.noun or kind
    if node.source is None and node.type.base == "definition":
        source = kind
    where = f"{{{show(node.where)}}}" if node.where is not None else ""
    how = "in order of" if node.sorted else "by"
    order = "".join(f" {how} {'most ' if term.most else ''}{show(term.key)}" for term in node.order)
    return source + where + order


def _statement(node: object) -> str:
    match node:
        case ir.Do():
            return f"{node.form.id}({', '.join(map(show, node.args))})"
        case ir.Let():
            return f"{node.var.name} := {show(node.value)}"
        case ir.Assign():
            return f"{show(node.target)} {node.op} {show(node.value)}"
        case ir.Announce():
            return f"announce {node.event.id}({', '.join(map(show, node.args))})"
        case ir.If():
            other = f" else {{{show(node.otherwise)}}}" if node.otherwise.statements else ""
            return f"if {show(node.condition)} {{{show(node.then)}}}{other}"
        case ir.Then():
            other = f" else {{{show(node.otherwise)}}}" if node.otherwise.statements else ""
            return f"{{{show(node.tried)}}} then {{{show(node.then)}}}{other}"
        case ir.AnyOrder():
            steps = " | ".join(f"{step.label.get('en', '')}{{{show(step.body)}}}" for step in node.steps)
            by = f" by {show(node.by)}" if node.by is not None else ""
            return f"in any order{by} {steps}"
        case ir.ForEach():
            together = " at once" if node.together else ""
            by = f" by {show(node.by)}" if node.by is not None else ""
            order = f" in any order{by}" if node.any_order else ""
            return f"for {node.var.name} in {show(node.items)}{together}{order} {{{show(node.body)}}}"
        case ir.Repeat():
            return f"repeat {show(node.times)} {{{show(node.body)}}}"
        case ir.Choose():
            terms = [f"by {show(node.by)}"] if node.by is not None else []
            terms += ["optional"] if node.optional else []
            how = "exactly" if node.exactly else "up to"
            terms += [f"{how} {show(node.up_to)}"] if node.up_to is not None else []
            terms += ["at random"] if node.chance else []
            return " ".join([f"choose {node.var.name} from {show(node.options)}", *terms])
        case ir.ChooseOne():
            options = " | ".join(f"{option.label.get('en', '')}{{{show(option.body)}}}" for option in node.options)
            by = f" by {show(node.by)}" if node.by is not None else ""
            return f"one of {options}{by}{' optional' if node.optional else ''}"
        case ir.Roll():
            var = f"{node.var.name} := " if node.var is not None else ""
            against = f" against {show(node.against)}" if node.against is not None else ""
            rows = "".join(f" {row.label}={_range(row)}{{{show(row.body)}}}" for row in node.rows)
            instead = f" instead of {show(node.instead)}" if node.instead is not None else ""
            return f"{var}roll {show(node.dice)}{against}{instead}{rows}"
        case ir.Require():
            return f"require {show(node.condition)}"
        case ir.Answer():
            return f"answer {show(node.value)}"
        case ir.Until():
            parts = [*map(show, node.modifiers), *map(show, node.listeners)]
            return f"until {node.until.id}({show(node.subject)}) {{{'; '.join(parts)}}}"
        case ir.Offer():
            free = "" if node.free is None else f" until done if {show(node.free)}"
            return f"offer {show(node.actors)} by {show(node.by)}{' once' if node.once else ''}{free}"
        case ir.End():
            return f"{node.outcome} {show(node.side)} {node.why.get('en', '')}".strip()
        case ir.Listener():
            binds = ", ".join(f"{binding.noun}:{show(binding.condition)}" for binding in node.binds)
            test = f" if {show(node.condition)}" if node.condition is not None else ""
            limit = f" once per {node.limit.id}" if node.limit is not None else ""
            may = "may " if node.may else ""
            return f"{may}{node.timing} {node.event.id}({binds}){test}{limit} {{{show(node.body)}}}"
        case ir.Modifier():
            test = f" while {show(node.condition)}" if node.condition is not None else ""
            return f"{node.kind.id}{{{show(node.where)}}} {node.mode} {show(node.amount)} {node.field.id}{test}"
        case _:
            return type(node).__name__.lower()


def _range(row: ir.Row) -> str:
    return str(list(row.faces)) if row.faces else f"{row.low}..{row.high}"
