"""Declarations of a system are in the model, as written."""

from __future__ import annotations

import pytest
from small import checked, codes, sound

from fcbdsl.language.model import ir
from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.ir import FLAG, NUMBER, Type
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.looks import check_looks, look_of_kind

DUEL = """
system duel "Duel":
  players: 2
  board: square
  languages: en, fr
  win order: win first
  outlook: number of fighter
kind fighter is piece:
  name: "fighter", plural "fighters"
  fr: "duelliste", m, plural "duellistes"
  field strength: number 1..9
  field brave: flag, default no
  field style: one of long, short
  field kit: many tool definition, optional
  field motto: text, optional
  stat stamina: number 0.., starts strength
  stat foe: fighter
  zone hand of tool: limit 2, secret
kind champion is fighter:
  copies: 2
kind tool is card:
  held by: fighter
  answers: offered
  usable: self is fresh
  limit: once per bout begins per player
  spends: remove this
  part strike: harm, sort; many
    field harm: number 0..
    field sort: kind-of-strike
    field reach: number, default 1
    field effect: effect, optional
  field bonus: formula, default 1
  field ready: condition, default yes
  when self tires: stop
enum kind-of-strike: cut, thrust
  cut "cut", fr "taille"
status Tired:
  on: fighter
  limit: 3
  owned by: fighter
  while always: stop
status Winded:
  on: fighter
  always: self has -1 strength
  when self tires: stop
token sand:
  limit: 4
terrain bog:
  cost: 2
  blocks: sight
  gives cover
die coin "coin":
  fr: "pièce", f
  faces: heads 2, tails
  heads: "heads", fr "face"
die d4:
  faces: 1..4
die pair:
  face: heads, tails
  face: nothing
ladder luck: coin, pair
  above: heads
  below: tails
variant weather: dry, wet
zone chest of tool: any
noun rival: fighter where it is not self
event bout begins:
  form: bout begins
relation fresh:
  takes: a (fighter)
  is: a's stamina > 0
measure vigour:
  takes: of a (fighter, default self)
  gives: number
  value: a's stamina + 1
verb tire:
  takes: target (fighter), by amount (number, default 1)
  event: target tires
  text en, amount = 1: "tire {target}"
  text en: "tire {target} by {amount}"
  effect: target's stamina becomes target's stamina - amount
action lunge "Lunge":
  fr: "Fente"
  by: fighter where it is fresh
  with: tool in hand of self
  costs: 1 stamina
  limit: once per bout begins per figure
  needs: self is fresh
  form: lunges with
  effect: tire self
invariant stands "Nobody is less than standing." covers D-3, D-4: no fighter where strength < 0
rule mud "Mud" covers D-1, D-2:
  fr: "Boue"
  while: weather is wet
  always: every fighter has -1 strength
setup: announce bout begins
flow:
  repeat 3 times: announce bout begins
tool rapier "Rapier":
  fr: "Rapière"
  flavour: "En garde."
  flavour fr: "En garde."
  bonus: vigour
  strike: 2, thrust
  strike: 1, cut, reach 2
    tire self
  when rival tires: stop
champion ann "Ann", brave:
  fr: "Anne"
  strength: 5
  style: short
  kit: rapier
  motto: "Steady."
  motto fr: "Calme."
""".replace("  while always: stop\n", "")


@pytest.fixture(scope="module")
def duel() -> Model:
    return sound(DUEL)


def test_symbols_of_several_places_are_joined() -> None:
    model = sound('layout symbols:\n  bell: bell, "#b38600"\nlayout symbols:\n  ford: drop, en "Ford"\n')
    assert model.layouts["symbols"].settings == {
        "bell": (("bell",), ("#b38600",)),
        "ford": (("drop",), ("en", "Ford")),
    }


def test_duplicate_symbol_is_reported() -> None:
    _, problems = checked("layout symbols:\n  bell: bell\nlayout symbols:\n  ford: drop\n  bell: gate\n")
    assert [(problem.code, problem.span.line, problem.related[0].span.line) for problem in problems] == [
        ("FCB0311", 5, 2)
    ]


def test_mark_can_have_title() -> None:
    model = sound('mark ford "Ford", goal:\n  fr: "Gué"\n')
    assert (model.marks["ford"].name.title, model.marks["ford"].goal) == ({"en": "Ford", "fr": "Gué"}, True)


def test_every_titled_declaration_can_have_reminder() -> None:
    titles = '  fr: "titre"\n  reminder: "It is."\n  reminder fr: "C\'est."\n'
    nested = titles.replace("  ", "    ")
    model = sound(
        f'mark ford "f":\n{titles}terrain bog "b":\n{titles}barrier hedge "h":\n{titles}token sand "s":\n{titles}'
        f'kind rower is piece:\n  name: "r"\n{titles}  stat vim "v": number\n{nested}  '
        f'zone box "b" of card: any\n{nested}'
        f'status Wet "w":\n  on: rower\n{titles}die d4 "d":\n  faces: 1..4\n{titles}'
        f'verb rest "R":\n{titles}  takes: who (rower)\n  effect: stop\n'
        f'action row "A":\n{titles}  by: rower\n  effect: stop\n'
        f'rule calm "C":\n{titles}  always: every rower has +1 vim\n'
    )
    rower = model.kinds["rower"]
    names = [model.marks["ford"].name, model.terrains["bog"].name, model.barriers["hedge"].name, rower.name]
    names += [model.kinds["space"].fields["sand"].name, rower.fields["vim"].name, rower.fields["Wet"].name]
    names += [rower.zones["box"].name, model.dice["d4"].name, model.actions["row"].name, model.rules["calm"].name]
    names += [form.name for form in model.forms if form.words == ("rest",)]
    assert [name.reminder for name in names] == [{"en": "It is.", "fr": "C'est."}] * 12


def test_reminder_is_given_once_per_language() -> None:
    assert codes('mark ford "f":\n  reminder: "a"\n  reminder en: "b"\n  reminder 5: "c"\n') == [
        (3, "FCB0311"),
        (4, "FCB0303"),
    ]


def test_system_declaration_is_read(duel: Model) -> None:
    assert (duel.system, duel.title.title) == ("duel", {"en": "Duel"})
    assert (duel.players, duel.board, duel.loss_first) == ((2, 2), "square", False)
    assert duel.languages == ("en", "fr")
    assert duel.outlook is not None
    assert duel.outlook.statements


def test_kinds_and_columns_are_read(duel: Model) -> None:
    fighter, tool, champion = (duel.kinds[name] for name in ("fighter", "tool", "champion"))
    assert [kind.id for kind in champion.lineage()] == ["champion", "fighter", "piece", "thing"]
    assert fighter.name.gender == {"fr": "m"}
    strength = fighter.fields["strength"]
    assert (strength.type, strength.low, strength.high, strength.required) == (NUMBER, 1, 9, True)
    assert fighter.fields["style"].type == Type("enum", "fighter.style")
    assert list(duel.enums["fighter.style"].values) == ["long", "short"]
    assert fighter.fields["kit"].type == Type("definition", "tool", True)
    assert isinstance(fighter.fields["stamina"].default, ir.Get)
    assert fighter.zones["hand"].secret
    assert champion.fields["copies"].default == ir.Const(2, NUMBER, champion.fields["copies"].default.span)  # type: ignore[union-attr]
    assert (tool.held, tool.offered, tool.limit_per) == ("fighter", True, "player")
    assert tool.limit is duel.events["bout begins"]
    assert tool.usable is not None
    assert tool.spends is not None
    assert len(tool.listeners) == 1


def test_parts_are_separate_kinds(duel: Model) -> None:
    strike = duel.kinds["strike"]
    assert (strike.part_of, strike.part_line, strike.part_many) == ("tool", ("harm", "sort"), True)
    assert duel.kinds["tool"].fields["strike"].type == Type("thing", "strike", True)
    assert strike.fields["part-of"].type == Type("thing", "tool")


def test_counters_are_columns_with_triggers(duel: Model) -> None:
    tired, winded = duel.kinds["fighter"].fields["Tired"], duel.kinds["fighter"].fields["Winded"]
    assert (tired.sort, tired.limit, tired.owned_by) == ("status", 3, "fighter")
    assert (len(winded.listeners), len(winded.modifiers)) == (1, 1)
    assert duel.kinds["space"].fields["sand"].limit == 4


def test_dice_are_read(duel: Model) -> None:
    assert duel.dice["coin"].faces == [(0,), (0,), (1,)]
    assert duel.dice["coin"].names["heads"].title == {"en": "heads", "fr": "face"}
    assert duel.dice["d4"].numbered
    assert duel.dice["d4"].faces == [(1,), (2,), (3,), (4,)]
    assert duel.dice["pair"].faces == [(0, 1), ()]
    assert (duel.ladders["luck"].above, duel.ladders["luck"].below) == ("heads", "tails")


def test_terrain_is_read(duel: Model) -> None:
    bog = duel.terrains["bog"]
    assert (bog.cost, bog.blocks_movement, bog.blocks_sight, bog.gives_cover) == (2, False, True, True)


def test_forms_are_read(duel: Model) -> None:
    tire = next(form for form in duel.forms if form.id == "tire")
    assert [(param.name, param.preposition, param.default is None) for param in tire.params] == [
        ("target", None, True),
        ("amount", "by", False),
    ]
    assert tire.event is duel.events["tire"]
    assert duel.events["tire"].pattern == ("target", "tires")
    assert [text.condition is None for text in tire.texts] == [False, True]
    fresh = next(form for form in duel.forms if form.id == "fresh")
    assert (fresh.gives, fresh.sort) == (FLAG, "relation")


def test_actions_know_their_subject_by_noun(duel: Model) -> None:
    lunge = duel.actions["lunge"]
    assert (lunge.subject_word, lunge.words) == ("tool", ("lunges", "with"))
    assert lunge.costs[0][0] is duel.kinds["fighter"].fields["stamina"]
    assert (lunge.limit, lunge.limit_per) == (duel.events["bout begins"], "figure")
    assert lunge.body.slots[:2] == (("self", Type("thing", "fighter")), ("this", Type("thing", "tool")))


def test_rules_and_programs_are_read(duel: Model) -> None:
    assert duel.rules["mud"].covers == ["D-1", "D-2"]
    assert duel.rules["mud"].condition is not None
    assert len(duel.rules["mud"].modifiers) == 1
    assert len(duel.setup) == 1
    assert duel.flow is not None


def test_invariants_are_read(duel: Model) -> None:
    stands = duel.invariants["stands"]
    assert (stands.says, stands.covers) == ("Nobody is less than standing.", ["D-3", "D-4"])
    assert stands.condition is not None
    assert 'invariant stands "Nobody is less than standing.": ' in dump(duel)


def test_definitions_are_read(duel: Model) -> None:
    ann, rapier = duel.definitions["champion", "ann"], duel.definitions["tool", "rapier"]
    assert ann.flags == ["brave"]
    assert ann.values["motto"].texts == {"en": "Steady.", "fr": "Calme."}
    kit = ann.values["kit"].expr
    assert isinstance(kit, ir.ListOf)
    assert isinstance(kit.items[0], ir.Def)
    assert rapier.flavour == {"en": "En garde.", "fr": "En garde."}
    assert rapier.values["bonus"].body is not None
    assert [part.id for part in rapier.parts] == ["rapier.strike-1", "rapier.strike-2"]
    second = rapier.parts[1].values
    assert sorted(second) == ["effect", "harm", "reach", "sort"]
    assert second["effect"].body is not None
    assert second["effect"].body.slots[:2] == (("self", Type("thing", "fighter")), ("this", Type("thing", "tool")))
    assert rapier.listeners[0].offered


def test_table_is_verb_that_rolls() -> None:
    model = sound("die d6:\n  faces: 1..6\ntable weather-table: d6\n  1..3: stop\n  4..6: stop\n")
    form = next(form for form in model.forms if form.id == "weather-table")
    assert form.body is not None
    roll = form.body.statements[0]
    assert isinstance(roll, ir.Roll)
    assert [(row.low, row.high) for row in roll.rows] == [(1, 3), (4, 6)]


def test_layout_keeps_words() -> None:
    text = 'kind tool is card:\n  field n: number\nlayout tool:\n  size: card\n  text: n, "Big", 2\n'
    assert sound(text).layouts["tool"].settings == {"size": (("card",),), "text": (("n",), ("Big",), ("2",))}


PAINTED = """
kind tool is card:
  field n: number
layout {0}s:
  rust: "#8a3b1a"
layout tool:
  {0}: rust
  back {0}: "#1d4e2f"
"""


def test_british_spelling_of_color_is_alias() -> None:
    for spelling in ("color", "colour"):
        model = sound(PAINTED.format(spelling))
        look = look_of_kind(model.kinds["tool"], model)
        assert (look.colour, look.back_colour) == ("#8a3b1a", "#1d4e2f"), spelling
        assert not check_looks(model), spelling


def test_color_in_both_spellings_is_repeated_line() -> None:
    text = PAINTED.format("color") + "  colour: rust\n"
    assert codes(text) == [(text.count("\n"), "FCB0311")]


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("corner: n, wieght, n", "wieght"),
        ("icon: anvli", "anvli"),
        ("icon: n, anvli", "anvli"),
        ("scene: moon", "moon"),
        ("size: huge", "huge"),
        ("color: blue", "blue"),
        ("back colour: blue", "blue"),
        ("losses: n deer", "n deer"),
        ("shape: round", "shape"),
    ],
)
def test_unknown_name_in_layout_is_reported_at_name(line: str, at: str) -> None:
    text = f"kind tool is card:\n  field n: number\nlayout tool:\n  {line}\n"
    (problem,) = check_looks(sound(text))
    assert text[problem.span.start : problem.span.end] == at


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ('font: "Comic"', '"Comic"'),
        ("paper: blue", "blue"),
        ("scene: moon", "moon"),
        ("icon: bell", "icon"),
    ],
)
def test_unknown_name_in_style_is_reported_at_name(line: str, at: str) -> None:
    text = f"layout style:\n  {line}\n"
    (problem,) = check_looks(sound(text))
    assert text[problem.span.start : problem.span.end] == at


def test_symbol_without_drawing_is_reported_at_symbol() -> None:
    text = 'layout symbols:\n  bell: bell\n  iron: anvli, "#b38600"\n'
    (problem,) = check_looks(sound(text))
    assert text[problem.span.start : problem.span.end] == "anvli"


@pytest.mark.parametrize("part", ["n + 1", "n = 1", "(n)", "not n", "n#2"])
def test_layout_part_must_be_words(part: str) -> None:
    text = f"kind tool is card:\n  field n: number\nlayout tool:\n  stats: n, {part}\n"
    (problem,) = checked(text)[1]
    assert problem.code == "FCB0303"
    assert text[problem.span.start : problem.span.end] == part


def test_project_sets_variants() -> None:
    text = "variant weather: dry, wet\nrelation slippery:\n  takes: a (thing)\n  is: weather is wet\n"
    assert sound(text).switches["weather"].set_to == 0
    assert sound(text, switches={"weather": "wet"}).switches["weather"].set_to == 1
    assert codes(text, switches={"weather": "hot"}) == [(1, "FCB0306")]
    assert codes(text, switches={"whether": "wet"}) == [(1, "FCB0306")]


def test_titles_are_required_in_project_languages() -> None:
    text = 'kind tool is card:\n  field n: number\ntool axe "Axe":\n  n: 1\n'
    assert codes(text) == []
    assert codes(text, spoken=("en", "fr")) == [(3, "FCB0315")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # one mistake in a declaration is not repeated where it is used
        ("kind unit is pice:\n  field a: number\nunit x:\n  a: 1", [(1, "FCB0306")]),
        ("kind unit:\n  field a: numbr\nunit x:\n  a: 1", [(2, "FCB0418")]),
        ("enum hue: red, (\nkind unit:\n  field a: hue\nunit x:\n  a: red", [(1, "FCB0208")]),
        (
            "verb sing to who:\n  takes: a (thing\n  effect: stop\nverb act:\n  effect: sing to who self",
            [(2, "FCB0210")],
        ),
        ("kind unit:\n  field (a: number\nunit x:\n  a: 1", [(2, "FCB0210")]),
        ("unitt x:\n  a: 1\nunitt y:\n  a: 1\nkind unit:\n  field a: number", [(1, "FCB0301")]),
        # several mistakes are reported at once
        (
            "kind unit:\n  field reach: number 0..3\nunit x:\n  reach: 4\n  price: 1\nunit y:\n  price: 2",
            [(4, "FCB0502"), (5, "FCB0308"), (6, "FCB0309"), (7, "FCB0308")],
        ),
        # a misspelt field counts as given
        ("kind unit:\n  field reach: number\nunit x:\n  raech: 1", [(4, "FCB0308")]),
        ("kind unit:\n  stat HP: number\n  stat HP: number", [(3, "FCB0302")]),
        ("kind unit:\n  field n: number, default no", [(2, "FCB0403")]),
        ("status Dizzy:\n  on: unitt", [(2, "FCB0306")]),
        ("kind card-of-mine is card:\n  held by: nobody", [(2, "FCB0306")]),
        ("die d:\n  faces: 1, hit", [(1, "FCB0522")]),
        ("die d:\n  faces: 1..4\n  face: nothing", [(1, "FCB0522")]),
        ("ladder l: red", [(1, "FCB0306")]),
        (
            "mission m:\n  countdown c:\n    length: 5\n    at 2: stop\nmission n:\n  countdown c:\n    length: 5",
            [(6, "FCB0302")],
        ),
        ("mission m:\n  gauge g:\n    range: 3..1", [(3, "FCB0504")]),
        ("mission m:\n  gauge g:\n    range: 0..3\n    tier 4:\n      on enter: stop", [(4, "FCB0520")]),
        ("kind unit:\n  field n: number\n  countdown c:\n    length: 2", [(3, "FCB0310")]),
        ("rule r:\n  stat x: number", [(2, "FCB0310")]),
        ('kind unit:\n  stat n: number\ninvariant i "i": no unit where n < 0\n  stop', [(4, "FCB0310")]),
        ("system a:\n  board: hexagon", [(2, "FCB0303")]),
        ("system a:\n  players: 3..2", [(2, "FCB0504")]),
        ("system a:\n  players: 2\nsystem b:\n  players: 2", [(3, "FCB0318")]),
    ],
)
def test_mistakes_are_reported(text: str, wanted: list[tuple[int, str]]) -> None:
    assert codes(text + "\n") == wanted
