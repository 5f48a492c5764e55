"""A small model with every sort of printed thing, built by hand."""

from __future__ import annotations

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Cell, Definition, Layout, Tier, Track, Value
from fcbdsl.language.model.declarations import Die, Enum, Field, Form, Kind, Name, Terrain, Wording
from fcbdsl.language.model.whole import Model

SPAN = Span(Source("shop.fcb", ""), 0, 0)
PUSH = Form(
    "keyword",
    ("Shift",),
    SPAN,
    Name({"en": "Shift", "fr": "Décaler"}, reminder={"en": "It moves.", "fr": "Ça bouge !"}),
    texts=[Wording("en", None, "Shift everything", SPAN), Wording("fr", None, "Décalez tout", SPAN)],
)


def name(en: str, fr: str = "") -> Name:
    """Return a title in both languages."""
    return Name({"en": en, "fr": fr or en})


def number(value: int) -> ir.Const:
    """Return a literal number."""
    return ir.Const(value, ir.NUMBER, SPAN)


def body(*statements: ir.Stmt) -> ir.Body:
    """Return an effect."""
    return ir.Body(statements)


def shop() -> Model:
    """Return a model of two kinds of card with looks, a board, and a mission with a map, a track and a gauge."""
    model = Model(system="shop", title=name("The Shop", "La Boutique"), players=(2, 4))
    make = ir.Type("enum", "make")
    model.enums["make"] = Enum("make", {"iron": name("iron", "fer"), "wood": name("wood", "bois")}, SPAN)
    model.dice["red"] = Die("red", SPAN, name("red die", "dé rouge"))
    tool = Kind("tool", None, SPAN, name("tool", "outil"))
    tool.fields = {
        "weight": Field("weight", "tool", "field", ir.NUMBER, SPAN, name("Weight", "Poids")),
        "make": Field("make", "tool", "field", make, SPAN),
        "quick": Field("quick", "tool", "field", ir.FLAG, SPAN, name("Quick", "Rapide")),
        "effect": Field("effect", "tool", "field", ir.Type("effect"), SPAN),
    }
    use = Kind("use", None, SPAN, name("use", "usage"), part_of="tool", part_line=("die", "power"))
    use.fields = {
        "die": Field("die", "use", "field", ir.Type("die"), SPAN),
        "power": Field("power", "use", "field", ir.NUMBER, SPAN, name("power", "force")),
    }
    guard = Kind("guard", None, SPAN, name("guard", "garde"))
    guard.fields["health"] = Field("health", "guard", "field", ir.NUMBER, SPAN, name("HP", "PV"))
    mission = Kind("mission", None, SPAN, name("mission"))
    mission.fields["story"] = Field("story", "mission", "field", ir.TEXT, SPAN, name("Story", "Histoire"))
    mission.fields["grade"] = Field("grade", "mission", "field", ir.TEXT, SPAN, name("Grade", "Degré"))
    stock = ir.Type("definition", "tool").several()
    mission.fields["stock"] = Field("stock", "mission", "field", stock, SPAN, name("In stock", "En magasin"))
    chore = Kind("chore", None, SPAN, Name({"en": "chore", "fr": "corvée"}, {"en": "chores", "fr": "corvées"}))
    chore.fields = {
        "order": Field("order", "chore", "field", ir.NUMBER, SPAN, name("Order", "Ordre"), default=number(0)),
        "secret": Field("secret", "chore", "field", ir.FLAG, SPAN, name("Secret", "Secrète"), default=number(0)),
    }
    space = Kind("space", None, SPAN)
    space.fields["crate"] = Field("crate", "space", "token", ir.NUMBER, SPAN, name("Crate", "Caisse"), limit=1)
    space.fields["cache"] = Field("cache", "space", "token", ir.NUMBER, SPAN, name("Cache", "Cachette"), limit=9)
    model.kinds = {kind.id: kind for kind in (tool, use, guard, mission, space, chore)}
    model.forms.append(PUSH)
    model.terrains = {
        "rock": Terrain("rock", SPAN, name("rock", "rocher"), blocks_movement=True, gives_cover=True),
        "rim": Terrain("rim", SPAN, name("rim", "bord"), on_board=False),
    }
    model.barriers = {"wall": Terrain("wall", SPAN, name("wall", "mur"), blocks_movement=True, blocks_sight=True)}
    model.layouts = layouts()
    war = siege(mission)
    for made in (hammer(tool, use), rope(tool), warden(guard), war, *chores(chore, war)):
        model.definitions[(made.kind.id, made.id)] = made
    return model


def chores(kind: Kind, mission: Definition) -> list[Definition]:
    """Return actions of the mission: at any time, second, first, and third in secret."""
    made = []
    titles = [("sweep", "Sweep", "Balayer"), ("bar", "Bar the door", "Barrer la porte")]
    titles += [("knock", "Hear the knock", "Entendre frapper"), ("betray", "Open up", "Ouvrir")]
    for order, (identifier, english, french) in zip((0, 2, 1, 3), titles, strict=True):
        chore = Definition(identifier, kind, SPAN, name(english, french), target=mission)
        chore.text = {"en": "With a broom.", "fr": "Avec un balai."}
        if order:
            chore.values["order"] = Value(kind.fields["order"], number(order))
        if order == 3:
            chore.values["secret"] = Value(kind.fields["secret"], number(1))
        made.append(chore)
    return made


def layouts() -> dict[str, Layout]:
    """Return the looks of the kinds."""
    tool = {
        "color": (("#8c2f1b",),),
        "icon": (("gear",),),
        "type": (("make",),),
        "corner": (("weight",),),
        "badges": (("quick",),),
        "back": (("Tool",), ("fr", "Outil")),
        "back color": (("make",),),
    }
    guard = {
        "size": (("board",),),
        "dials": (("health",),),
        "areas": (("one",), ("two",)),
        "back": (("Guard",), ("fr", "Garde")),
    }
    symbols = {
        "iron": (("plain",), ("#37474f",)),
        "wood": (("plain",), ("#6d4c41",)),
        "red": (("die",), ("#c62828",), ("R",)),
        "one": (("plain",), ("#2e7d32",)),
        "two": (("plain",), ("#f2c200",)),
        "crate": (("crate",), ("#8a5a2b",)),
        "cache": (("plain",), ("#e8c46a",)),
        "hard": (("plain",), ("#c62828",)),
        "start": (("flag",), ("#1d4e89",), ("en", "Start"), ("fr", "Départ")),
    }
    mission = {"sections": (("story",), ("chore",), ("stock",)), "grade": (("grade",),)}
    chore = {"corner": (("order",),), "face down": (("secret",),), "back": (("Chore",), ("fr", "Corvée"))}
    kinds = {"tool": tool, "guard": guard, "mission": mission, "chore": chore, "symbols": symbols}
    return {kind: Layout(kind, SPAN, settings) for kind, settings in kinds.items()}


def hammer(tool: Kind, use: Kind) -> Definition:
    """Return a card with a part."""
    die = Value(use.fields["die"], ir.Def("die", "red", ir.Type("die"), SPAN))
    part = Definition("hammer/1", use, SPAN, values={"die": die, "power": Value(use.fields["power"], number(2))})
    made = card(tool, "hammer", name("Hammer", "Marteau"), 2, 0)
    made.parts.append(part)
    return made


def rope(tool: Kind) -> Definition:
    """Return a card with a text."""
    made = card(tool, "rope", name("Rope", "Corde"), 1, 1)
    made.values["effect"] = Value(tool.fields["effect"], body=body(ir.Do(PUSH, (), SPAN)))
    made.flags.append("quick")
    made.flavour = {"en": "<b>Strong</b> & #old", "fr": "Solide ; et vieille !"}
    return made


def card(tool: Kind, identifier: str, title: Name, weight: int, make: int) -> Definition:
    """Return a card of the kind."""
    values = {
        "weight": Value(tool.fields["weight"], number(weight)),
        "make": Value(tool.fields["make"], ir.Const(make, ir.Type("enum", "make"), SPAN)),
    }
    return Definition(identifier, tool, SPAN, title, values=values)


def warden(guard: Kind) -> Definition:
    """Return a board."""
    values = {"health": Value(guard.fields["health"], number(4))}
    return Definition("warden", guard, SPAN, name("Warden", "Gardien"), values=values)


def siege(mission: Kind) -> Definition:
    """Return a mission."""
    cells = [Cell(f"{'ABC'[x]}{y + 1}", x - y // 2, y, "plain") for y in range(2) for x in range(3)]
    cells[1].terrain = "rock"
    cells[2].terrain = "rim"
    cells[3].marks.append("start")
    cells[4].tokens["crate"] = 1
    cells[5].places.append("warden")
    board = Board("hex", cells, {("A1", "A2"): "wall"}, [], {}, SPAN)
    made = Definition("siege", mission, SPAN, name("The Siege", "Le Siège"), board=board)
    story = {"en": "They are coming.", "fr": "Ils arrivent !"}
    made.values["story"] = Value(mission.fields["story"], texts=story)
    made.values["grade"] = Value(mission.fields["grade"], texts={"en": "hard", "fr": "dur"})
    tools = tuple(ir.Def("tool", name, ir.Type("definition", "tool"), SPAN) for name in ("hammer", "rope"))
    made.values["stock"] = Value(
        mission.fields["stock"], ir.ListOf(tools, ir.Type("definition", "tool").several(), SPAN)
    )
    dusk = Track("dusk", "countdown", SPAN, name("Dusk", "Crépuscule"), 0, 4, [((2,), body(ir.Do(PUSH, (), SPAN)))])
    tier = Tier(1, name("Awake", "En éveil"), True, body(ir.Do(PUSH, (), SPAN)), None, [], [], SPAN)
    noise = Track("noise", "gauge", SPAN, name("Noise", "Bruit"), 0, 2, tiers=[tier])
    made.tracks += [dusk, noise]
    return made
