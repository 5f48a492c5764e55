"""A small vocabulary, built by hand, so that wording can be tested without reading any file."""

from __future__ import annotations

import re

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Action, Die, Event, Field, Form, Kind, Name, Param, Wording
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text

SPAN = Span(Source("test.fcb", ""), 0, 0)


def name(en: str, en_many: str = "", fr: str = "", fr_many: str = "", gender: str = "m") -> Name:
    """Return a name in both languages; an empty gender means none was given."""
    plural = {code: many for code, many in (("en", en_many), ("fr", fr_many)) if many}
    return Name({"en": en, "fr": fr}, plural, {"fr": gender} if gender else {})


def texts(en: str, fr: str) -> list[Wording]:
    """Return one text in each language."""
    return [Wording("en", None, en, SPAN), Wording("fr", None, fr, SPAN)]


THING = Kind("thing", None, SPAN)
UNIT = Kind("unit", THING, SPAN, name("character", "characters", "personnage", "personnages"))
HERO = Kind("hero", UNIT, SPAN, name("hero", "heroes", "héros", "héros"))
ENEMY = Kind("enemy", UNIT, SPAN, name("enemy", "enemies", "ennemi", "ennemis"))
CARD = Kind("card", THING, SPAN, name("card", "cards", "carte", "cartes", "f"), held="hero")
BEAST_CARD = Kind("beast-card", THING, SPAN, name("card", "cards", "carte", "cartes", "f"), held="enemy")
PLACE = Kind("place", THING, SPAN, name("town", "towns", "ville", "villes", "f"))


def thing(kind: str) -> ir.Type:
    """Return the type of an instance of a kind."""
    return ir.Type("thing", kind)


def me(kind: str = "hero") -> ir.Var:
    """Return `self`."""
    return ir.Var("self", 0, thing(kind), SPAN)


def local(word: str, slot: int, kind: str = "unit") -> ir.Var:
    """Return a local that holds a thing."""
    return ir.Var(word, slot, thing(kind), SPAN)


def compare(op: str, left: ir.Expr, right: ir.Expr) -> ir.Binary:
    """Return a comparison."""
    return ir.Binary(op, left, right, ir.FLAG, SPAN)


HP = Field("HP", "unit", "stat", ir.NUMBER, SPAN, name("HP", "", "PV", ""))
TARGET = Field("target", "unit", "stat", ir.Type("thing", "unit"), SPAN, name("target", "", "cible", "", "f"))
OPPONENT = Field("foe", "unit", "stat", ir.Type("thing", "unit"), SPAN, name("opponent", "", "adversaire", "", "f"))
DAZED = Field("Dazed", "unit", "status", ir.NUMBER, SPAN, name("Dazed", "", "Sonné[e]", "", ""))
POISON = Field("Poison", "unit", "status", ir.NUMBER, SPAN, name("Poison", "", "Poison", ""))
FIRE = Field("fire", "place", "token", ir.NUMBER, SPAN, name("fire", "fires", "feu", "feux"))
FAR = ir.Binary(">", ir.Var("distance", 3, ir.NUMBER, SPAN), ir.Const(1, ir.NUMBER, SPAN), ir.FLAG, SPAN)

PUSH = Form(
    "keyword",
    ("Push",),
    SPAN,
    name("Push", "", "Pousser", ""),
    [Param("target", thing("unit")), Param("distance", ir.NUMBER, default=ir.Const(1, ir.NUMBER, SPAN))],
    texts=[
        Wording("en", FAR, "Push {target} {distance} space[s]", SPAN),
        Wording("fr", FAR, "Poussez {target} de {distance} case[s]", SPAN),
        *texts("Push {target}", "Poussez {target}"),
    ],
)
HEAL = Form(
    "verb",
    ("heal",),
    SPAN,
    params=[Param("who", thing("unit")), Param("amount", ir.NUMBER)],
    texts=texts("heal {amount} HP to {who}", "rendez {amount} PV à {who}"),
)
ADJACENT = Form(
    "relation",
    ("adjacent",),
    SPAN,
    params=[Param("a", thing("unit")), Param("b", thing("unit"), "to")],
    texts=texts("adjacent to {b}", "adjacent[e][s] à {b}"),
)
WOUNDED = Form(
    "relation",
    ("wounded",),
    SPAN,
    params=[Param("a", thing("unit"))],
    texts=texts("wounded", "blessé[e][s]"),
)
SEES = Form(
    "relation",
    ("sees",),
    SPAN,
    params=[Param("a", thing("unit")), Param("b", thing("unit"))],
    texts=texts(
        "{a} <[sees|see]|[does|do] not see> {b}", "{a} <{^b}[voit|voient|voyez]|ne {^b}[voit|voient|voyez] pas> {b}"
    ),
)
RANGE = Form(
    "measure",
    ("range",),
    SPAN,
    params=[Param("a", thing("unit"), "from"), Param("b", thing("unit"), "to")],
    gives=ir.NUMBER,
    texts=texts(
        "the distance from {a} to {b} / closest to {b}",
        "la distance de {a} à {b} / [le|la|les|les] plus proche[s] de {b}",
    ),
)
CLOSEST = Form(
    "measure",
    ("nearest",),
    SPAN,
    params=[Param("a", thing("unit"))],
    gives=ir.NUMBER,
    texts=texts("the distance / closest", "la distance / [le|la|les|les] plus proche[s]"),
)
AROUND = Form(
    "measure",
    ("around",),
    SPAN,
    params=[Param("a", thing("unit"), "of")],
    gives=thing("place").several(),
    texts=texts("the towns around {a}", "les villes autour de {a}"),
)
ATTACKS = Event(
    "attacks",
    [Param("attacker", thing("unit")), Param("target", thing("unit"))],
    ("attacker", "attacks", "target"),
    SPAN,
    texts=texts("{attacker} [attacks|attack] {target}", "{attacker} {^target}[attaque|attaquent|attaquez] {target}"),
)
TURN_END = Event(
    "turn end",
    [Param("who", thing("unit"))],
    ("turn", "of", "who", "ends"),
    SPAN,
    texts=texts("At the end of the turn of {who} / once per turn", "À la fin du tour de {who} / une fois par tour"),
)


BURN = Form(
    "verb", ("burn",), SPAN, params=[Param("spot", thing("place"))], texts=texts("burn {spot}", "brûlez {spot}")
)
TO_YOU = compare("=", local("who", 2), me("unit"))
HURT = Form(
    "verb",
    ("hurt",),
    SPAN,
    params=[Param("who", thing("unit"))],
    texts=[
        Wording("en", TO_YOU, "take 1 damage", SPAN),
        Wording("fr", TO_YOU, "subissez 1 dégât", SPAN),
        *texts("hurt {who}", "blessez {who}"),
    ],
)
GRANT = Form(
    "verb",
    ("grant",),
    SPAN,
    params=[Param("sort", ir.Type("definition", "enemy")), Param("count", ir.NUMBER)],
    texts=texts(
        "gain “{title sort}”: {count} {many sort} come", "recevez « {title sort} » : {count} {many sort} viennent"
    ),
)


def model() -> Model:
    """Return the vocabulary as a model; heroes act by choice."""
    made = Model()
    made.kinds = {kind.id: kind for kind in (THING, UNIT, HERO, ENEMY, CARD, BEAST_CARD, PLACE)}
    imp = Definition("imp", ENEMY, SPAN, name("Imp", "Imps", "Diablotin", "Diablotins"))
    oven = Definition("oven", ENEMY, SPAN, name("oven", "ovens", "four", "fours"))
    made.definitions = {("enemy", enemy.id): enemy for enemy in (imp, oven)}
    made.dice["red"] = Die(
        "red",
        SPAN,
        name("red die", "red dice", "dé rouge", "dés rouges"),
        names={"hit": name("hit", "", "touché", ""), "miss": name("miss", "", "raté", "")},
    )
    actor = ir.Select(None, 2, None, (), thing("hero"), SPAN, "hero")
    made.actions["act"] = Action("act", SPAN, by=actor)
    return made


def number(value: int) -> ir.Const:
    """Return a literal number."""
    return ir.Const(value, ir.NUMBER, SPAN)


def hp(of: ir.Expr) -> ir.Get:
    """Return the HP of somebody."""
    return ir.Get(of, HP, ir.NUMBER, SPAN)


def reference(field: Field, of: ir.Expr) -> ir.Get:
    """Return the thing that a field of somebody refers to."""
    return ir.Get(of, field, field.type, SPAN)


def status(field: Field, of: ir.Expr) -> ir.Binary:
    """Return the condition that somebody has that status."""
    return compare(">", ir.Get(of, field, ir.NUMBER, SPAN), number(0))


def select(kind: str, where: ir.Expr | None = None, order: tuple[ir.Criterion, ...] = (), it: int = 9) -> ir.Select:
    """Return a selection; the candidate is in slot `it`."""
    return ir.Select(None, it, where, order, thing(kind).several(), SPAN, kind)


def apply(form: Form, *args: ir.Expr | None) -> ir.Apply:
    """Return the application of a relation or measure."""
    return ir.Apply(form, args, ir.FLAG if form.sort == "relation" else form.gives, SPAN)


def do(form: Form, *args: ir.Expr | None) -> ir.Do:
    """Return the call of a verb."""
    return ir.Do(form, args, SPAN)


def choose(slot: int, options: ir.Expr, *, optional: bool = False) -> ir.Choose:
    """Return a choice into a slot."""
    return ir.Choose(local("chosen", slot), options, None, optional, None, SPAN)


def say(language: str, *statements: ir.Stmt, own: str = "hero") -> str:
    """Return the generated text of some statements."""
    body = ir.Body(statements, (("self", thing(own)), ("this", thing("card"))))
    text = rules_text(body, model(), language)
    assert not text.problems
    return loose(text.marked())


def loose(text: str) -> str:
    """Return a text with plain spaces between numbers and words, as tests are written."""
    return re.sub(r"(?<=[\dXYZW])\u00a0|\u00a0(?=[+−-]?[\dXYZW])", " ", text)


def named(identifier: str) -> ir.Def:
    """Return a definition by its id."""
    return ir.Def("enemy", identifier, ir.Type("definition", "enemy"), SPAN)


def instance(identifier: str, copy: int) -> ir.Instance:
    """Return one of the pieces of a definition."""
    return ir.Instance("enemy", identifier, copy, thing("enemy"), SPAN)
