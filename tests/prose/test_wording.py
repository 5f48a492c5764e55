"""Wording of statements, selections and conditions in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest
import small_vocabulary as v
from small_vocabulary import (
    ADJACENT,
    DAZED,
    HEAL,
    POISON,
    PUSH,
    RANGE,
    SEES,
    apply,
    choose,
    compare,
    do,
    local,
    me,
    say,
)

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Cell, Definition, Value
from fcbdsl.language.model.declarations import CHANGE, Action, Field
from fcbdsl.language.prose import LANGUAGES, reminders, rules_text

it = local("it", 9)
chosen = local("chosen", 2)
beside_me = apply(ADJACENT, it, me())

CASES: list[tuple[str, tuple[ir.Stmt, ...], str, str]] = [
    (
        "a choice is said where it is used",
        (choose(2, v.select("unit", beside_me)), do(PUSH, chosen, None)),
        "**Push** a character adjacent to you.",
        "**Poussez** un personnage adjacent à vous.",
    ),
    (
        "numbers agree",
        (choose(2, v.select("enemy")), do(PUSH, chosen, v.number(2)), do(HEAL, chosen, v.number(1))),
        "**Push** an enemy 2 spaces. Heal 1 HP to that enemy.",
        "**Poussez** un ennemi de 2 cases. Rendez 1 PV à cet ennemi.",
    ),
    (
        "a condition on a stat",
        (ir.If(compare("<", v.hp(me()), v.number(3)), ir.Body((do(HEAL, me(), v.number(1)),)), ir.Body(()), v.SPAN),),
        "If you have fewer than 3 HP, heal 1 HP to you.",
        "Si vous avez moins de 3 PV, rendez 1 PV à vous.",
    ),
    (
        "a denied relation and an exception",
        (
            ir.ForEach(
                chosen,
                v.select(
                    "enemy",
                    ir.Binary(
                        "and", ir.Not(apply(SEES, it, me()), ir.FLAG, v.SPAN), compare("!=", it, me()), ir.FLAG, v.SPAN
                    ),
                ),
                ir.Body((do(PUSH, chosen, None),)),
                v.SPAN,
            ),
        ),
        "**Push** each other enemy that does not see you.",
        "**Poussez** chaque autre ennemi qui ne vous voit pas.",
    ),
    (
        "what the candidate refers to is its own",
        (
            do(
                PUSH,
                v.select(
                    "enemy",
                    ir.Binary(
                        "and",
                        apply(ADJACENT, it, v.reference(v.TARGET, it)),
                        compare("!=", it, v.reference(v.TARGET, me())),
                        ir.FLAG,
                        v.SPAN,
                    ),
                ),
                None,
            ),
        ),
        "**Push** an enemy adjacent to its target and other than the target.",
        "**Poussez** un ennemi adjacent à sa cible et autre que la cible.",
    ),
    (
        "what each of several refers to is theirs",
        (
            do(
                HEAL,
                me(),
                ir.Quantified(
                    "number",
                    v.select("enemy", apply(ADJACENT, it, v.reference(v.OPPONENT, it))),
                    9,
                    None,
                    ir.NUMBER,
                    v.SPAN,
                ),
            ),
            do(PUSH, v.select("enemy", apply(ADJACENT, it, v.reference(v.OPPONENT, it))), None),
        ),
        "Heal X HP to you, where X is the number of enemies adjacent to their opponent. "
        "**Push** an enemy adjacent to its opponent.",
        "Rendez X PV à vous, X étant le nombre d’ennemis adjacents à leur adversaire. "
        "**Poussez** un ennemi adjacent à son adversaire.",
    ),
    (
        "a superlative",
        (do(PUSH, v.select("enemy", None, (ir.Criterion(apply(RANGE, it, me()), False, v.SPAN),)), None),),
        "**Push** the enemy closest to you.",
        "**Poussez** l’ennemi le plus proche de vous.",
    ),
    (
        "statuses are nouns or adjectives",
        (
            ir.If(
                ir.Binary("and", v.status(POISON, me()), v.status(DAZED, me()), ir.FLAG, v.SPAN),
                ir.Body((ir.Stop(v.SPAN),)),
                ir.Body((do(PUSH, v.select("unit", v.status(DAZED, it)), None),)),
                v.SPAN,
            ),
        ),
        "If you have **Poison** and you are **Dazed**, stop there. Otherwise, **Push** a **Dazed** character.",
        "Si vous avez **Poison** et si vous êtes **Sonné**, arrêtez-vous là. "
        "Sinon, **Poussez** un personnage **Sonné**.",
    ),
    (
        "a computed number is named",
        (do(HEAL, me(), ir.Quantified("number", v.select("enemy", beside_me), 9, None, ir.NUMBER, v.SPAN)),),
        "Heal X HP to you, where X is the number of enemies adjacent to you.",
        "Rendez X PV à vous, X étant le nombre d’ennemis adjacents à vous.",
    ),
    (
        "gains and losses",
        (
            ir.Assign(v.hp(me()), "+", v.number(1), v.SPAN),
            choose(2, v.select("hero")),
            ir.Assign(v.hp(chosen), "+", v.number(-2), v.SPAN),
        ),
        "Gain 1 HP. Choose a hero. That hero loses 2 HP.",
        "Gagnez 1 PV. Choisissez un héros. Ce héros perd 2 PV.",
    ),
    (
        "a list of options",
        (
            ir.ChooseOne(
                tuple(ir.Option({}, ir.Body((do(HEAL, me(), v.number(n)),)), v.SPAN) for n in (1, 2)),
                None,
                False,
                v.SPAN,
            ),
        ),
        "Choose one:\n• Heal 1 HP to you.\n• Heal 2 HP to you.",
        "Au choix\u00a0:\n• Rendez 1 PV à vous.\n• Rendez 2 PV à vous.",
    ),
    (
        "a roll",
        (
            ir.Roll(
                None,
                ir.Dice(None, ir.Def("die", "red", ir.Type("die"), v.SPAN), ir.Type("face"), v.SPAN),
                None,
                (
                    ir.Row(None, None, (0,), "hit", {}, ir.Body((do(PUSH, me(), None),)), v.SPAN),
                    ir.Row(None, None, (), "else", {}, ir.Body(()), v.SPAN),
                ),
                v.SPAN,
            ),
        ),
        "Roll the red die:\n• Hit: **Push** you.\n• Anything else: nothing happens.",
        "Lancez le dé rouge\u00a0:\n• Touché\u00a0: **Poussez**-vous.\n• Autre résultat\u00a0: rien ne se passe.",
    ),
]

CASES += [
    (
        "the end and its reason",
        (ir.End("lose", None, {"en": "Too late.", "fr": "Trop tard."}, v.SPAN),),
        "You lose. Too late.",
        "Vous perdez. Trop tard.",
    ),
    (
        "the same again and more",
        (
            ir.ForEach(
                chosen,
                v.select("hero"),
                ir.Body(
                    (
                        ir.Assign(
                            v.hp(chosen), "=", ir.Binary("+", v.hp(chosen), v.number(1), ir.NUMBER, v.SPAN), v.SPAN
                        ),
                    )
                ),
                v.SPAN,
            ),
        ),
        "Each hero gains 1 HP.",
        "Chaque héros gagne 1 PV.",
    ),
    (
        "no one but",
        (
            ir.If(
                ir.Quantified("no", v.select("hero", ir.Not(beside_me, ir.FLAG, v.SPAN)), 9, None, ir.FLAG, v.SPAN),
                ir.Body((ir.Stop(v.SPAN),)),
                ir.Body(()),
                v.SPAN,
            ),
        ),
        "If each hero is adjacent to you, stop there.",
        "Si chaque héros est adjacent à vous, arrêtez-vous là.",
    ),
    (
        "nobody",
        (
            ir.If(
                ir.Quantified("no", v.select("enemy"), 9, None, ir.FLAG, v.SPAN),
                ir.Body((ir.Stop(v.SPAN),)),
                ir.Body(()),
                v.SPAN,
            ),
        ),
        "If there is no enemy, stop there.",
        "S’il n’y a aucun ennemi, arrêtez-vous là.",
    ),
]


CASES += [
    (
        "only what follows « si » repeats it",
        (
            ir.If(
                compare("=", v.hp(me()), v.number(1)),
                ir.Body(
                    (
                        ir.Require(
                            ir.Binary("and", v.status(POISON, me()), v.status(DAZED, me()), ir.FLAG, v.SPAN), v.SPAN
                        ),
                        do(
                            PUSH,
                            v.select("unit", ir.Binary("and", beside_me, apply(SEES, it, me()), ir.FLAG, v.SPAN)),
                            None,
                        ),
                    )
                ),
                ir.Body(()),
                v.SPAN,
            ),
        ),
        "If you have exactly 1 HP, only if you have **Poison** and you are **Dazed**, "
        "then **Push** a character adjacent to you and that sees you.",
        "Si vous avez exactement 1 PV, seulement si vous avez **Poison** et si vous êtes **Sonné**, "
        "puis **Poussez** un personnage adjacent à vous et qui vous voit.",
    ),
    (
        "an adjective stands by its noun",
        (
            do(
                PUSH,
                v.select(
                    "unit",
                    ir.Binary(
                        "and",
                        ir.Binary("and", beside_me, compare("!=", it, me()), ir.FLAG, v.SPAN),
                        apply(v.WOUNDED, it),
                        ir.FLAG,
                        v.SPAN,
                    ),
                ),
                None,
            ),
        ),
        "**Push** another wounded character adjacent to you.",
        "**Poussez** un autre personnage blessé adjacent à vous.",
    ),
    (
        "a denied adjective does not",
        (do(PUSH, v.select("enemy", ir.Not(apply(v.WOUNDED, it), ir.FLAG, v.SPAN)), None),),
        "**Push** an enemy that is not wounded.",
        "**Poussez** un ennemi non blessé.",
    ),
    (
        "a superlative stands by its noun, too, and what it is chosen from follows",
        (
            do(
                PUSH,
                v.select("enemy", beside_me, (ir.Criterion(apply(v.CLOSEST, it), False, v.SPAN),)),
                None,
            ),
        ),
        "**Push** the closest enemy adjacent to you.",
        "**Poussez** l’ennemi le plus proche adjacent à vous.",
    ),
    (
        "what is done to each at once, several statements",
        (
            ir.ForEach(
                chosen,
                v.select("hero"),
                ir.Body((do(PUSH, chosen, None), do(HEAL, chosen, v.number(1)))),
                v.SPAN,
                together=True,
            ),
        ),
        "At the same time, for each hero, **Push** that hero, then heal 1 HP to that hero.",
        "En même temps, pour chaque héros, **Poussez** ce héros, puis rendez 1 PV à ce héros.",
    ),
    (
        "each of a list",
        (
            ir.ForEach(
                local("town", 2, "place"),
                apply(v.AROUND, me()),
                ir.Body((do(v.BURN, local("town", 2, "place")),)),
                v.SPAN,
            ),
        ),
        "Burn each of the towns around you.",
        "Brûlez chacune des villes autour de vous.",
    ),
    (
        "a token lies on its space",
        (
            ir.If(
                v.status(v.FIRE, local("spot", 5, "place")),
                ir.Body(
                    (
                        ir.If(
                            ir.Not(v.status(v.FIRE, local("spot", 5, "place")), ir.FLAG, v.SPAN),
                            ir.Body((ir.Stop(v.SPAN),)),
                            ir.Body(()),
                            v.SPAN,
                        ),
                    )
                ),
                ir.Body(()),
                v.SPAN,
            ),
        ),
        "If there is a fire on that town and there is no fire on that town, stop there.",
        "S’il y a un feu sur cette ville et s’il n’y a pas de feu sur cette ville, arrêtez-vous là.",
    ),
    (
        "what is done to you may have words of its own",
        (do(v.HURT, me()), do(v.HURT, v.select("enemy"))),
        "Take 1 damage. Hurt an enemy.",
        "Subissez 1 dégât. Blessez un ennemi.",
    ),
    (
        "cards are named by their titles, pieces counted",
        (do(v.GRANT, v.named("imp"), v.number(2)),),
        "Gain “Imp”. 2 Imps come.".replace(". 2", ": 2"),
        "Recevez « Diablotin » : 2 Diablotins viennent.",
    ),
    (
        "a title in small letters is a common noun",
        (do(PUSH, v.named("oven"), None), do(PUSH, v.named("imp"), None)),
        "**Push** the oven and Imp.",
        "**Poussez** le four et Diablotin.",
    ),
]


def test_effect_on_other_person_uses_common_words() -> None:
    assert say("en", do(v.HURT, me("enemy")), own="enemy") == "Hurt this enemy."


def test_piece_of_several_is_named_by_its_space() -> None:
    model = v.model()
    cells = [
        Cell(place, at, 0, "plain", places=[who])
        for at, (place, who) in enumerate((("A1", "imp"), ("B1", "oven"), ("C1", "imp")))
    ]
    board = Board("hex", cells, {}, [], {}, v.SPAN)
    gone = [do(PUSH, v.instance(who, copy), None) for who, copy in (("imp", 2), ("oven", 1), ("imp", 3))]
    body = ir.Body(tuple(gone), (("self", v.thing("hero")),))
    raid = Definition(
        "raid",
        v.HERO,
        v.SPAN,
        board=board,
        listeners=[ir.Listener(v.TURN_END, "after", (), None, None, False, body, v.SPAN)],
    )
    raid.listeners[0] = replace(raid.listeners[0], binds=(ir.Slot(2, None, ""),))
    texts = [v.loose(rules_text(raid, model, language).marked()).split(": ")[-1] for language in ("en", "fr")]
    assert texts[0] == "**Push** the Imp on C1, the oven and Imp."
    assert texts[1].endswith("**Poussez** le Diablotin en C1, le four et Diablotin.")


def test_graph_place_is_named_by_title() -> None:
    model = v.model()
    mill = Cell("mill", 0, 0, "plain", name=v.name("Mill", fr="Moulin"))
    weir = Cell("weir", 1, 0, "plain", name=v.name("weir", fr="barrage"))
    board = Board("graph", [mill, weir], {}, [("mill", "weir", "")], {}, v.SPAN)
    gone = [do(PUSH, ir.Instance("space", place, 1, ir.SPACE, v.SPAN), None) for place in ("mill", "weir")]
    body = ir.Body(tuple(gone), (("self", v.thing("hero")),))
    heard = ir.Listener(v.TURN_END, "after", (ir.Slot(2, None, ""),), None, None, False, body, v.SPAN)
    raid = Definition("raid", v.HERO, v.SPAN, board=board, listeners=[heard])
    texts = [v.loose(rules_text(raid, model, language).marked()).split(": ")[-1] for language in ("en", "fr")]
    assert texts[0] == "**Push** Mill and the weir."
    assert texts[1].endswith("**Poussez** Moulin et le barrage.")


def test_space_is_named_by_coordinate() -> None:
    for language, expected in (("en", "**Push** D4."), ("fr", "**Poussez** D4.")):
        assert say(language, do(PUSH, ir.Instance("space", "D4", 1, ir.SPACE, v.SPAN), None)) == expected


def test_action_with_subject_names_choice() -> None:
    act = Action(
        "act", v.SPAN, v.name("Shove", "", "Bousculer", ""), body=ir.Body((do(PUSH, local("enemy", 1, "enemy"), None),))
    )
    act.subject, act.subject_word = v.select("enemy", beside_me), "enemy"
    texts = [v.loose(rules_text(act, v.model(), language).plain()) for language in ("en", "fr")]
    assert texts == [
        "Shove. Choose an enemy adjacent to you. Push that enemy.",
        "Bousculer. Choisissez un ennemi adjacent à vous. Poussez cet ennemi.",
    ]


def test_action_prints_requirements_of_actor() -> None:
    dazed = v.status(DAZED, local("it", 9, "hero"))
    needs = compare("<", v.hp(me()), v.number(3))
    act = Action("act", v.SPAN, v.name("Rest", "", "Repos", ""), by=v.select("hero", dazed), needs=needs)
    act.body = ir.Body((ir.Stop(v.SPAN),))
    texts = [v.loose(rules_text(act, v.model(), language).plain()) for language in ("en", "fr")]
    assert texts == [
        "Rest. Only if you are Dazed and you have fewer than 3 HP. Stop there.",
        "Repos. Seulement si vous êtes Sonné et si vous avez moins de 3 PV. Arrêtez-vous là.",
    ]


FOE = v.reference(v.OPPONENT, me())
MANY = v.select("enemy")


def options(*bodies: ir.Stmt, by: ir.Expr | None = None, optional: bool = False) -> ir.ChooseOne:
    """Return a choice of one of several statements."""
    made = tuple(ir.Option({}, ir.Body((body,)), v.SPAN) for body in bodies)
    return ir.ChooseOne(made, by, optional, v.SPAN)


def given(condition: ir.Expr) -> ir.If:
    """Return an `if` without `else`."""
    return ir.If(condition, ir.Body((ir.Stop(v.SPAN),)), ir.Body(()), v.SPAN)


def markers(field: Field, of: ir.Expr, by: ir.Expr | None) -> ir.Get:
    """Return the number of markers that somebody has, of one owner or of all."""
    return ir.Get(of, field, ir.NUMBER, v.SPAN, by)


def some(field: Field, of: ir.Expr, by: ir.Expr | None, op: str = ">", count: int = 0) -> ir.Binary:
    """Return the condition that somebody has that many markers."""
    return compare(op, markers(field, of, by), v.number(count))


def sets(field: Field, op: str, value: ir.Expr, by: ir.Expr | None = None) -> ir.Assign:
    """Return a change of the reader's own counters."""
    return ir.Assign(markers(field, me(), by), op, value, v.SPAN)


def quantified(quantifier: str, of: ir.Expr, test: ir.Expr | None = None) -> ir.Quantified:
    """Return any, no or every of a selection or list."""
    return ir.Quantified(quantifier, of, 8, test, ir.FLAG, v.SPAN)


other_it, AROUND = local("it", 8), apply(v.AROUND, me())
PICK = choose(2, MANY)

SAID: list[tuple[ir.Stmt, str, str]] = [
    # who decides
    (replace(PICK, by=FOE), "The opponent chooses an enemy.", "L’adversaire choisit un ennemi."),
    (replace(PICK, by=FOE, optional=True), "The opponent may choose an enemy.", "L’adversaire peut choisir un ennemi."),
    (
        replace(PICK, by=FOE, up_to=v.number(2)),
        "The opponent chooses up to 2 enemies.",
        "L’adversaire choisit jusqu’à 2 ennemis.",
    ),
    (replace(PICK, by=me(), up_to=v.number(2)), "Choose up to 2 enemies.", "Choisissez jusqu’à 2 ennemis."),
    (
        options(ir.Stop(v.SPAN), ir.Break(v.SPAN), by=FOE, optional=True),
        "The opponent may choose one:\n• Stop there.\n• Stop here, without repeating this.",
        "L’adversaire peut choisir\u00a0:\n• Arrêtez-vous là.\n• Arrêtez ici, sans recommencer.",
    ),
    (
        options(
            ir.Roll(
                None,
                ir.Dice(None, ir.Def("die", "red", ir.Type("die"), v.SPAN), ir.NUMBER, v.SPAN),
                None,
                (ir.Row(None, None, (0,), "hit", {}, ir.Body(()), v.SPAN),),
                v.SPAN,
            ),
            by=FOE,
            optional=True,
        ),
        "The opponent may:\n• Roll the red die:\n  • Hit: nothing happens.",
        "Si l’adversaire le souhaite\u00a0:\n• Lancez le dé rouge\u00a0:\n  • Touché\u00a0: rien ne se passe.",
    ),
    (ir.Offer(MANY, None, False, None, v.SPAN), "All enemies may act.", "Tous les ennemis peuvent agir."),
    (
        ir.Offer(MANY, FOE, False, None, v.SPAN),
        "All enemies may act: the opponent decides.",
        "Tous les ennemis peuvent agir\u00a0: l’adversaire décide.",
    ),
    (
        ir.Offer(MANY, FOE, True, None, v.SPAN),
        "All enemies may take one action: the opponent decides.",
        "Tous les ennemis peuvent effectuer une action\u00a0: l’adversaire décide.",
    ),
    # whose markers
    (
        given(some(POISON, me(), FOE)),
        "If you have **Poison** placed by the opponent, stop there.",
        "Si vous avez **Poison** venant de l’adversaire, arrêtez-vous là.",
    ),
    (
        given(some(POISON, me(), FOE, "=")),
        "If you have no **Poison** placed by the opponent, stop there.",
        "Si vous n’avez pas **Poison** venant de l’adversaire, arrêtez-vous là.",
    ),
    (
        given(some(DAZED, me(), FOE)),
        "If you are **Dazed** by the opponent, stop there.",
        "Si vous êtes **Sonné** par l’adversaire, arrêtez-vous là.",
    ),
    (
        given(some(POISON, me(), FOE, ">=", 3)),
        "If you have at least 3 Poisons placed by the opponent, stop there.",
        "Si vous avez au moins 3 Poisons venant de l’adversaire, arrêtez-vous là.",
    ),
    (
        do(HEAL, me(), markers(POISON, me(), FOE)),
        "Heal X HP to you, where X is your Poison placed by the opponent.",
        "Rendez X PV à vous, X étant votre Poison venant de l’adversaire.",
    ),
    (
        do(PUSH, v.select("enemy", some(POISON, it, me())), None),
        "**Push** an enemy with **Poison** placed by you.",
        "**Poussez** un ennemi avec **Poison** venant de vous.",
    ),
    (
        do(PUSH, v.select("enemy", some(DAZED, it, me())), None),
        "**Push** an enemy that is **Dazed** by you.",
        "**Poussez** un ennemi **Sonné** par vous.",
    ),
    (
        do(PUSH, v.select("enemy", some(POISON, it, me(), ">=", 2)), None),
        "**Push** an enemy with at least 2 Poisons placed by you.",
        "**Poussez** un ennemi ayant au moins 2 Poisons venant de vous.",
    ),
    (
        do(PUSH, v.select("enemy", None, (ir.Criterion(markers(POISON, it, me()), True, v.SPAN),)), None),
        "**Push** the enemy with the highest Poisons placed by you.",
        "**Poussez** l’ennemi ayant le plus de Poisons venant de vous.",
    ),
    # how many
    (sets(POISON, "=", v.number(3)), "Set your Poison to 3.", "Fixez votre Poison à 3."),
    (sets(POISON, "=", v.number(0)), "Remove **Poison** from you.", "Retirez **Poison** à vous."),
    (sets(POISON, "+", v.number(1)), "Gain 1 Poison.", "Gagnez 1 Poison."),
    (
        sets(POISON, "+", v.hp(me())),
        "Gain X Poisons, where X is your HP.",
        "Gagnez X Poisons, X étant vos PV.",
    ),
    (sets(DAZED, "=", v.number(1)), "You become **Dazed**.", "Vous devenez **Sonné**."),
    (sets(DAZED, "=", v.number(3)), "You become **Dazed** (×3).", "Vous devenez **Sonné** (×3)."),
    (sets(DAZED, "+", v.number(2)), "You become **Dazed** (+2).", "Vous devenez **Sonné** (+2)."),
    (sets(DAZED, "+", v.number(-1)), "Lose 1 Dazed.", "Perdez 1 Sonné."),
    (
        sets(POISON, "+", v.number(2), FOE),
        "Gain 2 Poisons placed by the opponent.",
        "Gagnez 2 Poisons venant de l’adversaire.",
    ),
    (
        sets(POISON, "=", v.number(0), FOE),
        "Remove **Poison** placed by the opponent from you.",
        "Retirez **Poison** venant de l’adversaire à vous.",
    ),
    (
        sets(DAZED, "=", v.number(1), FOE),
        "You become **Dazed** by the opponent.",
        "Vous devenez **Sonné** par l’adversaire.",
    ),
    # lists, and what is denied of all
    (
        given(quantified("no", AROUND)),
        "If there is no town among the towns around you, stop there.",
        "S’il n’y a aucune ville parmi les villes autour de vous, arrêtez-vous là.",
    ),
    (
        given(ir.Not(quantified("any", AROUND), ir.FLAG, v.SPAN)),
        "If there is no town among the towns around you, stop there.",
        "S’il n’y a aucune ville parmi les villes autour de vous, arrêtez-vous là.",
    ),
    (
        given(quantified("every", AROUND, some(v.FIRE, other_it, None))),
        "If there is a fire on each town among the towns around you, stop there.",
        "S’il y a un feu sur chaque ville parmi les villes autour de vous, arrêtez-vous là.",
    ),
    (
        given(quantified("any", AROUND, compare("=", other_it, FOE))),
        "If the opponent is among the towns around you, stop there.",
        "Si l’adversaire est parmi les villes autour de vous, arrêtez-vous là.",
    ),
    (
        given(ir.Not(quantified("every", MANY, some(POISON, other_it, None)), ir.FLAG, v.SPAN)),
        "If an enemy has no **Poison**, stop there.",
        "Si un ennemi n’a pas **Poison**, arrêtez-vous là.",
    ),
    (
        given(quantified("no", MANY, some(POISON, other_it, None))),
        "If there is no enemy with **Poison**, stop there.",
        "S’il n’y a aucun ennemi avec **Poison**, arrêtez-vous là.",
    ),
    # whose moment
    (
        ir.Until(
            v.TURN_END, None, (ir.Modifier(v.HP, v.ENEMY, 9, None, "add", v.number(1), None, (), v.SPAN),), (), v.SPAN
        ),
        "Until the end of the turn of a character, each enemy has +1 HP.",
        "Jusqu’à la fin du tour d’un personnage, chaque ennemi a +1 PV.",
    ),
]


@pytest.mark.parametrize(("statement", "english", "french"), SAID, ids=[case[1][:40] for case in SAID])
def test_every_part_of_statement_is_worded(statement: ir.Stmt, english: str, french: str) -> None:
    assert say("en", statement) == english
    assert say("fr", statement) == french


@pytest.mark.parametrize(("title", "statements", "english", "french"), CASES, ids=[case[0] for case in CASES])
def test_statement_has_expected_words(title: str, statements: tuple[ir.Stmt, ...], english: str, french: str) -> None:
    assert say("en", *statements) == english
    assert say("fr", *statements) == french


def test_non_players_are_not_addressed() -> None:
    wound = ir.Assign(v.hp(me("enemy")), "+", v.number(-1), v.SPAN)
    assert say("en", wound, own="enemy") == "This enemy loses 1 HP."
    assert say("fr", wound, own="enemy") == "Cet ennemi perd 1 PV."


def listener(own: ir.Expr | None, timing: str = "after") -> ir.Listener:
    """Return a listener: when an enemy attacks somebody, push the attacker."""
    attacker = local("attacker", 2, "enemy")
    near = apply(ADJACENT, attacker, me())
    binds = (
        ir.Slot(2, ir.Binary("and", ir.IsA(attacker, "enemy", ir.FLAG, v.SPAN), near, ir.FLAG, v.SPAN), "enemy"),
        ir.Slot(3, None if own is None else compare("=", local("target", 3), own), ""),
    )
    body = ir.Body((do(PUSH, attacker, None),), (("self", v.thing("hero")), ("this", v.thing("card"))))
    return ir.Listener(v.ATTACKS, timing, binds, None, None, False, body, v.SPAN)


def test_trigger_introduces_its_things() -> None:
    texts = [v.loose(rules_text(listener(me()), v.model(), language).marked()) for language in ("en", "fr")]
    assert texts == [
        "When an enemy adjacent to you attacks you: **Push** that enemy.",
        "Quand un ennemi adjacent à vous vous attaque\u00a0: **Poussez** cet ennemi.",
    ]


def test_replacement_has_expected_words() -> None:
    texts = [v.loose(rules_text(listener(None, "instead"), v.model(), language).marked()) for language in ("en", "fr")]
    assert texts == [
        "If an enemy adjacent to you would attack a character, **Push** that enemy instead.",
        "Si un ennemi adjacent à vous devait attaquer un personnage, **Poussez** cet ennemi à la place.",
    ]


def test_lasting_effects_print_their_end() -> None:
    modifier = ir.Modifier(v.HP, v.ENEMY, 9, None, "add", v.number(1), None, (), v.SPAN)
    lasting = ir.Until(v.TURN_END, me(), (modifier,), (), v.SPAN)
    assert say("en", lasting) == "Until the end of your turn, each enemy has +1 HP."
    assert say("fr", lasting) == "Jusqu’à la fin de votre tour, chaque ennemi a +1 PV."


def test_form_without_text_is_reported_and_not_printed() -> None:
    silent = v.Form("verb", ("frobnicate",), v.SPAN, params=[])
    text = rules_text(ir.Body((do(silent),)), v.model(), "fr")
    assert text.plain() == "…"
    assert [problem.code for problem in text.problems] == ["FCB0701"]


def test_changes_of_one_subject_share_clause() -> None:
    changes = tuple(
        ir.Modifier(field, v.ENEMY, 9, None, mode, v.number(2), None, (), v.SPAN)
        for field, mode in ((v.HP, "add"), (v.POISON, "set"))
    )
    lasting = ir.Until(v.TURN_END, me(), changes, (), v.SPAN)
    assert say("en", lasting) == "Until the end of your turn, each enemy has +2 HP and 2 Poisons."


def test_several_steps_are_numbered() -> None:
    kind = v.HERO
    field = Field("plan", "hero", "field", ir.Type("effect"), v.SPAN)
    one, two = do(PUSH, me(), None), ir.Stop(v.SPAN)
    texts = []
    for statements in ((one, two), (one,)):
        card = Definition("x", kind, v.SPAN, values={"plan": Value(field, body=ir.Body(statements))})
        texts.append(v.loose(rules_text(card, v.model(), "en", stepwise=("plan",)).marked()))
    assert texts == ["__1. __**Push** you.\n__2. __Stop there.", "**Push** you."]


def test_card_for_kind_refers_to_bearer() -> None:
    field = Field("plan", "card", "field", ir.Type("effect"), v.SPAN)
    body = ir.Body((do(PUSH, me("unit"), None),), (("self", v.thing("unit")), ("this", v.thing("card"))))
    texts = []
    for target in (None, Definition("imp", v.ENEMY, v.SPAN), Definition("ann", v.HERO, v.SPAN)):
        card = Definition("x", v.CARD, v.SPAN, target=target, values={"plan": Value(field, body=body)})
        texts.append(v.loose(rules_text(card, v.model(), "en").marked()))
    assert texts == ["**Push** you.", "**Push** this enemy.", "**Push** you."]


def test_third_person_is_never_you() -> None:
    quiet = replace(v.HERO, third=True)
    model = v.model()
    model.kinds["hero"] = quiet
    body = ir.Body((do(PUSH, me(), None),), (("self", v.thing("hero")),))
    assert v.loose(rules_text(body, model, "en").marked()) == "**Push** this hero."


def test_authored_text_replaces_generated_text() -> None:
    field = Field("plan", "hero", "field", ir.Type("effect"), v.SPAN)
    body = ir.Body((ir.Stop(v.SPAN),))
    card = Definition("x", v.HERO, v.SPAN, values={"plan": Value(field, body=body)}, text={"fr": "Ça suffit !"})
    assert v.loose(rules_text(card, v.model(), "fr").plain()) == "Ça suffit\u202f!"
    assert v.loose(rules_text(card, v.model(), "fr", generated=True).plain()) == "Arrêtez-vous là."


def test_reminders_use_x() -> None:
    title = v.name("Shift", "", "Décaler", "")
    title.reminder["fr"] = "Jusqu'à {count} case[s] !"
    shift = v.Form("keyword", ("Shift",), v.SPAN, title, [v.Param("count", ir.NUMBER)])
    ((title, reminder),) = reminders([shift], v.model(), "fr")
    assert (title, reminder.plain()) == ("Décaler", "Jusqu’à X\u00a0cases\u202f!")


def test_unfilled_slot_is_reported() -> None:
    hurry = v.Form(
        "verb", ("hurry",), v.SPAN, params=[v.Param("who", v.thing("hero"))], texts=v.texts("hurry {whom}", "")
    )
    text = rules_text(ir.Body((do(hurry, me()),)), v.model(), "en")
    assert [(problem.code, problem.suggestion) for problem in text.problems] == [("FCB0702", "who")]


def test_unfilled_bold_slot_is_reported() -> None:
    text = rules_text(ir.Body((do(_shift("*shift {whom}*"), me(), v.number(1)),)), v.model(), "en")
    assert [problem.code for problem in text.problems] == ["FCB0702"]


def _shift(*templates: str) -> v.Form:
    """Return a verb with a distance whose default is 1, and with texts in English."""
    params = [v.Param("who", v.thing("unit")), v.Param("distance", ir.NUMBER, default=v.number(1))]
    texts = [v.Wording("en", None, template, v.SPAN) for template in templates]
    return v.Form("verb", ("shift",), v.SPAN, params=params, texts=texts)


@pytest.mark.parametrize(
    ("templates", "distance", "expected", "unsaid"),
    [
        (("shift {who}",), 1, "Shift you.", []),
        (("shift {who}",), 2, "Shift you.", ["distance"]),
        (("shift {who}{-distance}",), 2, "Shift you.", []),
        (("shift {who}", "shift {who} by *{distance}*"), 1, "Shift you.", []),
        (("shift {who}", "shift {who} by *{distance}*"), 2, "Shift you by\u00a0**2**.", []),
        (("shift {who}", ""), 2, "Shift you.", ["distance"]),
        (("", "shift {who} by {distance}"), 2, "", []),
    ],
)
def test_first_wording_that_covers_arguments_is_used(
    templates: tuple[str, ...], distance: int, expected: str, unsaid: list[str]
) -> None:
    far = ir.Const(distance, ir.NUMBER, v.Span(v.SPAN.source, 0, 1))
    text = rules_text(ir.Body((do(_shift(*templates), me(), far),)), v.model(), "en")
    assert [problem.arguments["argument"] for problem in text.problems] == unsaid
    assert {problem.code for problem in text.problems} <= {"FCB0711"}
    assert v.loose(text.marked()) == expected


@pytest.mark.parametrize(
    ("once", "english", "french"),
    [
        (
            False,
            "Whenever you have fewer than 3 HP: heal 1 HP to you.",
            "Chaque fois que vous avez moins de 3 PV : rendez 1 PV à vous.",
        ),
        (
            True,
            "As soon as you have fewer than 3 HP: heal 1 HP to you.",
            "Dès que vous avez moins de 3 PV : rendez 1 PV à vous.",
        ),
    ],
)
def test_whenever_has_expected_words(once: bool, english: str, french: str) -> None:
    body = ir.Body((do(HEAL, me(), v.number(1)),))
    hurt = compare("<", v.hp(me()), v.number(3))
    heard = ir.Listener(CHANGE, "after", (), hurt, None, False, body, v.SPAN, once=once)
    texts = [v.loose(rules_text(heard, v.model(), language).marked()) for language in ("en", "fr")]
    assert texts == [english, french]


def test_trigger_condition_must_be_in_event_wording() -> None:
    attack = replace(v.ATTACKS, texts=v.texts("{attacker} [strikes|strike]", "{attacker} frappe"))
    nearby = apply(ADJACENT, local("target", 3), me())
    for condition, codes in ((nearby, ["FCB0711"]), (None, [])):
        binds = (ir.Slot(2, None, "unit"), ir.Slot(3, condition, "unit"))
        push = do(PUSH, local("target", 3), None)
        heard = ir.Listener(attack, "after", binds, None, None, False, ir.Body((push,)), v.SPAN)
        assert [problem.code for problem in rules_text(heard, v.model(), "en").problems] == codes


def test_event_arguments_must_be_in_event_wording() -> None:
    silent = replace(v.TURN_END, texts=v.texts("At the end of a turn", "À la fin d’un tour"))
    change = ir.Modifier(v.HP, v.ENEMY, 9, None, "add", v.number(1), None, (), v.SPAN)
    for statement, codes in (
        (ir.Announce(v.TURN_END, (me(),), v.SPAN), []),
        (ir.Announce(silent, (me(),), v.SPAN), ["FCB0711"]),
        (ir.Until(silent, me(), (change,), (), v.SPAN), ["FCB0711"]),
        (ir.Until(silent, None, (change,), (), v.SPAN), []),
    ):
        text = rules_text(ir.Body((statement,)), v.model(), "en")
        assert [problem.code for problem in text.problems] == codes


def test_empty_wording_prints_nothing() -> None:
    ready = v.Form("relation", ("ready",), v.SPAN, params=[v.Param("a", v.thing("hero"))], texts=v.texts("", ""))
    both = ir.Binary("and", apply(ready, me()), v.status(DAZED, me()), ir.FLAG, v.SPAN)
    act = Action("act", v.SPAN, v.name("Rest", "", "Repos", ""), needs=both, body=ir.Body((ir.Stop(v.SPAN),)))
    act.limit = v.TURN_END
    act.costs = [(v.HP, v.number(2))]
    texts = [v.loose(rules_text(act, v.model(), language).plain()) for language in ("en", "fr")]
    assert texts == [
        "Rest (cost: 2 HP, once per turn). Only if you are Dazed. Stop there.",
        "Repos (coût\u00a0: 2 PV, une fois par tour). Seulement si vous êtes Sonné. Arrêtez-vous là.",
    ]


@pytest.mark.parametrize(
    ("language", "text", "bound"),
    [
        ("en", "(pink, 3 of 5)", "(pink, 3\u00a0of\u00a05)"),
        ("fr", "(rose, 3 sur 5)", "(rose, 3\u00a0sur\u00a05)"),
        ("de", "(rosa, 3 von 5)", "(rosa, 3\u00a0von\u00a05)"),
        ("en", "lose 3 of your cards", "lose\u00a03 of your cards"),
    ],
)
def test_no_break_spaces_join_two_numbers_and_word_between(language: str, text: str, bound: str) -> None:
    assert LANGUAGES[language].bound(text) == bound
