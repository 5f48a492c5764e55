"""A small hand-built vocabulary, and ways to read phrases with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from fcbdsl.diagnostics import Problems
from fcbdsl.model import ir
from fcbdsl.model.builtins import declare_builtins
from fcbdsl.model.declarations import (
    Definition,
    Die,
    Enum,
    Event,
    Field,
    Form,
    Kind,
    Model,
    Name,
    Param,
    Switch,
    Terrain,
    Track,
    Zone,
)
from fcbdsl.model.ir import FLAG, NOTHING, NUMBER, SPACE, Type
from fcbdsl.model.reader import Reader
from fcbdsl.model.scope import Scope
from fcbdsl.model.vocabulary import Vocabulary
from fcbdsl.source import Source, Span
from fcbdsl.syntax import parse
from fcbdsl.syntax.tree import Line

HERE = Span(Source("sample", ""), 0, 0)
UNIT, HERO, ENEMY = Type("thing", "unit"), Type("thing", "hero"), Type("thing", "enemy")
SWORD = Type("thing", "blade")


def lines(text: str) -> tuple[Line, ...]:
    """Parse lines that stand at the top of a file."""
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
        self.reader = Reader(self.words, self.problems)

    def scope(self, **more: object) -> Scope:
        params = more.pop("params", [("target", UNIT), ("count", NUMBER)])
        return Scope(HERO, SWORD, params, **more)  # type: ignore[arg-type]

    def expression(self, text: str, want: Type | None = None, scope: Scope | None = None) -> ir.Expr | None:
        line = lines(f"value: {text}\n")[0]
        return self.reader.expression(line, line.tail[0], scope or self.scope(), want)

    def condition(self, text: str, scope: Scope | None = None) -> ir.Expr | None:
        return self.expression(text, FLAG, scope)

    def body(self, text: str, scope: Scope | None = None) -> ir.Body:
        return self.reader.body(lines(text), scope or self.scope())

    def codes(self) -> list[str]:
        return [finding.code for finding in self.problems.sorted()]

    def form(self, sort: str, words: str, takes: str, gives: Type = NOTHING, op: str = "native") -> Form:
        params = self.reader.params(*_takes(takes)) if takes else []
        form = Form(sort, tuple(words.split()), HERE, params=params, gives=gives, op=op)
        self.model.forms.append(form)
        self.words.add(form)
        return form

    def event(self, name: str, takes: str, pattern: str) -> Event:
        params: list[Param] = self.reader.params(*_takes(takes)) if takes else []
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
    """The vocabulary that the tests of the reader share."""
    model = Model()
    declare_builtins(model)
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
