"""Cards of a small game, in the wording that a proofreader expects."""

from __future__ import annotations

from functools import cache
from textwrap import indent

import pytest

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.language.syntax.parser import parse
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SYSTEM = """\
system fairground "The Fair":
  fr: "La Foire"
  players: 1..4
  board: square
  languages: en, fr

die coinflip "fair die":
  fr: "dé de foire", m
  faces: 1..6

enum guild: smith, baker, envoy
  envoy "Envoy", fr "Envoyé"
  smith "Smith", fr "Forgeron"
  baker "Baker", fr "Boulanger"

kind game:
  stat wind "wind": number -5..5, starts 0
    fr: "vent", m
  stat debts "debt": number 0..
    name: "debt", plural "debts"
    fr: "dette", f, plural "dettes"
  stat hour "the hour": number 0..
    fr: "l'heure", f
  zone log "fair book" of note: any
    fr: "livre de la foire", m
kind player:
  stat coins "coin": number 0.., starts 3
    fr: "pièce", f, plural "pièces"
  stat honor "honor": number 0.., starts 0
    fr: "honneur", m
kind folk is piece:
  name: "villager", plural "villagers"
  fr: "villageois", m, plural "villageois"
  stat HP "HP": number 0.., starts 3
    fr: "PV", m
  stat hours "hour": number 0.., starts 0
    name: "hour", plural "hours"
    fr: "heure", f, plural "heures"
  stat steps: number 0.., starts 2
    name: "step", plural "steps"
    fr: "pas", m, plural "pas"
  field rank "Rank": number, default 1
    fr: "Rang", m
  field trade "Trade": guild, optional
    fr: "Métier", m
kind actor is folk:
  name: "artist", plural "artists"
  fr: "artiste", m, plural "artistes"
  stat gems "gem", plural "gemstones", fr "gemme", f, plural "gemmes": number 0..
  zone hand "hand" of ware: any
    fr: "main", f
  zone heap "discard pile" of ware: any
    fr: "défausse", f
  zone deck "deck" of ware: any
    fr: "pioche", f
kind owl is folk:
  name: "owl", plural "owls"
  fr: "hibou", m, plural "hiboux"
kind ogre is folk:
  name: "ogre", plural "ogres"
  fr: "ogresse", f, plural "ogresses"
kind ware is card:
  name: "ware", plural "wares"
  fr: "article", m, plural "articles"
  held by: actor
  field cost "Cost": number, default 2
    fr: "Coût", m
  field effect: effect, optional
kind note is card:
  name: "note", plural "notes"
  fr: "note", f, plural "notes"
  field effect: effect, optional
kind mission:
  field goal: number 0.., default 3
status Tired "Tired":
  fr: "Épuisé[e]"
  on: folk
  limit: 1
status Fever "Fever":
  fr: "Fièvre", f
  on: folk
  limit: 3

zone row "market" of ware: any
  fr: "marché", m

relation near:
  takes: a (folk), b (folk)
  is: a's place adjacent to b's place
  text en: "near {b}"
  text fr: "près de {b}"
relation hurt:
  takes: a (folk)
  is: a's HP < 3
  text en: "hurt"
  text fr: "blessé[e][s]"

relation idle:
  takes: a (folk)
  is: a is not Tired
  text en: ""
  text fr: ""

event turn start:
  form: turn starts
  text en: "At the start of a turn / once per turn"
  text fr: "Au début d'un tour / une fois par tour"
event bite:
  takes: biter (folk), prey (folk), harm (number)
  form: biter bites prey
  text en: "{biter} [bites|bite] {prey}"
  text fr: "{biter} {^prey}[mord|mordent|mordez] {prey}"

verb nip:
  takes: target (folk), amount (number)
  effect: target's HP becomes target's HP - amount
  text en: "deal {amount} damage to {target}"
  text fr: "infligez {amount} dégât[s] à {target}"
verb wound:
  takes: target (folk), amount (number)
  event: target suffers amount
  effect: target's HP becomes target's HP - amount
  text en: "{target} [takes|take] {amount} wound[s]"
  text fr: "{target} [subit|subissent|subissez] {amount} blessure[s]"
verb meet:
  takes: one (guild)
  effect: wind +1
  text en: "meet a {one}"
  text fr: "rencontrez un {one}"
verb settle:
  effect: wind +1
  text en: ""
  text fr: ""
verb draw:
  takes: amount (number), by who (actor, default self)
  effect: repeat amount times: put top of deck of who into hand of who
  text en, amount = 1 and who = self: "draw a ware"
  text en, who = self: "draw {amount} ware[s]"
  text en: "{who} [draws|draw] {amount} ware[s]"
  text fr, amount = 1 and who = self: "piochez un article"
  text fr, who = self: "piochez {amount} article[s]"
  text fr: "{who} [pioche|piochent|piochez] {amount} article[s]"

action act "Act":
  fr: "Agir"
  by: actor
  form: acts
  effect: wind +1

flow:
  repeat:
    announce turn start
    offer actor, until done
"""
PIECES = """\
use fairground

actor rex "Rex":
  fr: "Rex", m
owl hoo "Hoo":
  fr: "Hoo", m
owl uhu "Uhu":
  fr: "Uhu", m
  copies: 3
note burned "the house was burned":
  fr: "la maison a brûlé", f
note freed "The drowned are free":
  fr: "Les noyés sont libres", f
mission glade "The Glade":
  fr: "La Clairière"
  map square:
    art: |
      +--+
      |. |
      +--+
"""
CARDS: list[tuple[str, str, str]] = [
    (
        "effect: nothing",
        "Nothing happens.",
        "Rien ne se passe.",
    ),
    (
        "effect:\n  choose a: owl near self\n  choose b: owl except a\n  nip a 1\n  nip b 2",
        "Choose an owl near you. Choose another owl. Deal 1 damage to that owl. Deal 2 damage to that other owl.",
        "Choisissez un hibou près de vous. Choisissez un autre hibou. Infligez 1 dégât à ce hibou. "
        "Infligez 2 dégâts à cet autre hibou.",
    ),
    (
        "effect:\n  let n = number of (owl where it is hurt)\n  for each owl: nip owl 1\n  draw (n)",
        "Note the number of hurt owls. Deal 1 damage to each owl. Draw X wares, where X is the noted value.",
        "Notez le nombre de hiboux blessés. Infligez 1 dégât à chaque hibou. Piochez X articles, X "
        "étant la valeur notée.",
    ),
    (
        "effect: draw ((self's HP + self's hours) * 2)",
        "Draw X wares, where X is (your HP plus your hours) times 2.",
        "Piochez X articles, X étant (vos PV plus vos heures) fois 2.",
    ),
    (
        "before self suffers any: amount becomes amount * 2",
        "When you take wounds, first: double that number.",
        "Quand vous subissez des blessures, d’abord : doublez ce nombre.",
    ),
    (
        "effect:\n  wind -2\n  if wind < 0: wind becomes -1",
        "Lower the wind by 2. If the wind is below 0, set the wind to −1.",
        "Diminuez le vent de 2. Si le vent est au-dessous de 0, fixez le vent à −1.",
    ),
    (
        "effect:\n"
        "  choose x: ware where it in hand of self or it in heap of self or it in row\n"
        "  put x into deck of self",
        "Choose a ware from your hand, from your discard pile or from the market. Put that ware into your deck.",
        "Choisissez un article de votre main, de votre défausse ou du marché. Mettez cet article-là dans votre pioche.",
    ),
    (
        "effect:\n"
        "  choose x: ware in row where it's cost <= self's hours\n"
        "  self's hours becomes self's hours - x's cost\n"
        "  put x into hand of self",
        "Choose a ware from the market whose Cost is at most your hours. Lose X hours, where X is "
        "that ware’s Cost. Put that ware into your hand.",
        "Choisissez un article du marché dont le Coût est inférieur ou égal à vos heures. Perdez X "
        "heures, X étant le Coût de cet article-là. Mettez cet article-là dans votre main.",
    ),
    (
        "effect:\n  if self is hurt:\n    if self is not Tired: nip self 1\n    else: draw 1\n  else: draw 2",
        "If you are hurt:\n"
        "• If you are not Tired, deal 1 damage to you.\n"
        "• Otherwise, draw a ware.\n"
        "Otherwise, draw 2 wares.",
        "Si vous êtes blessé :\n"
        "• Si vous n’êtes pas Épuisé, infligez 1 dégât à vous.\n"
        "• Sinon, piochez un article.\n"
        "Sinon, piochez 2 articles.",
    ),
    (
        "effect:\n  for each owl:\n    for each other in ogre near owl: nip other owl's HP",
        "For each owl, deal X damage to each ogre near that owl, where X is that owl’s HP.",
        "Pour chaque hibou, infligez X dégâts à chaque ogresse près de ce hibou, X étant les PV de ce hibou.",
    ),
    (
        "effect:\n  may: nip self 1\n  then: draw 2\n  else: nip self 2",
        "You may deal 1 damage to you. If you do, draw 2 wares. Otherwise, deal 2 damage to you.",
        "Vous pouvez infliger 1 dégât à vous. Dans ce cas, piochez 2 articles. Sinon, infligez 2 dégâts à vous.",
    ),
    (
        "when owl bites ogre, if owl is hurt and ogre is not hurt: nip owl 1",
        "When a hurt owl bites an ogre that is not hurt: deal 1 damage to that owl.",
        "Quand un hibou blessé mord une ogresse non blessée : infligez 1 dégât à ce hibou.",
    ),
    (
        "effect:\n"
        "  if number of owl = 0: draw 1\n"
        "  if number of owl = 1: draw 1\n"
        "  if number of owl >= 2: draw 1\n"
        "  if number of owl <= 1: draw 1\n"
        "  if self's hours = 0: draw 1\n"
        "  if self's hours = 1: draw 1\n"
        "  if self's hours < 1: draw 1",
        "If there is no owl, draw a ware. If there is exactly 1 owl, draw a ware. If there are at "
        "least 2 owls, draw a ware. If there is at most 1 owl, draw a ware. If you have no hours, "
        "draw a ware. If you have exactly 1 hour, draw a ware. If you have no hours, draw a ware.",
        "S’il n’y a aucun hibou, piochez un article. S’il y a exactement 1 hibou, piochez un article."
        " S’il y a au moins 2 hiboux, piochez un article. S’il y a au plus 1 hibou, piochez un "
        "article. Si vous n’avez aucune heure, piochez un article. Si vous avez exactement 1 heure, "
        "piochez un article. Si vous n’avez aucune heure, piochez un article.",
    ),
    (
        "effect:\n  if hour >= 3: hour +1\n  debts +1\n  if debts = 0: debts becomes 2",
        "If the hour is at 3 or more, raise the hour by 1. Raise the debts by 1. If the debts are at "
        "0, set the debts to 2.",
        "Si l’heure est à 3 ou plus, augmentez l’heure de 1. Augmentez les dettes de 1. Si les dettes"
        " sont à 0, fixez les dettes à 2.",
    ),
    (
        "effect:\n"
        "  if any note in log where it is freed: draw 1\n"
        "  if any note in log where it is burned: draw 1\n"
        "  if no note in log where it is burned: draw 1",
        "If “The drowned are free” is in the fair book, draw a ware. If “the house was burned” is in "
        "the fair book, draw a ware. If “the house was burned” is not in the fair book, draw a ware.",
        "Si « Les noyés sont libres » est dans le livre de la foire, piochez un article. Si « la "
        "maison a brûlé » est dans le livre de la foire, piochez un article. Si « la maison a brûlé »"
        " n’est pas dans le livre de la foire, piochez un article.",
    ),
    (
        "effect:\n  choose x: owl where it's HP <= self's HP\n  nip x 1",
        "Deal 1 damage to an owl whose HP is at most your HP.",
        "Infligez 1 dégât à un hibou dont les PV sont inférieurs ou égaux à vos PV.",
    ),
    (
        "effect:\n  choose x: owl where it's HP <= self's HP and it's rank > self's rank\n  nip x 1",
        "Deal 1 damage to an owl whose HP is at most your HP and whose Rank is greater than your Rank.",
        "Infligez 1 dégât à un hibou dont les PV sont inférieurs ou égaux à vos PV et dont le Rang "
        "est supérieur à votre Rang.",
    ),
    (
        "effect:\n  choose x: folk where it is owl or it is ogre\n  nip x 1",
        "Deal 1 damage to a villager that is an owl or is an ogre.",
        "Infligez 1 dégât à un villageois qui est un hibou ou est une ogresse.",
    ),
    (
        "effect:\n  choose x: folk where it is hurt or it is Tired\n  nip x 1",
        "Deal 1 damage to a villager that is hurt or is Tired.",
        "Infligez 1 dégât à un villageois qui est blessé ou est Épuisé.",
    ),
    (
        "effect:\n  choose x: owl where any ogre is near it\n  nip x 1",
        "Deal 1 damage to an owl that has an ogre near it.",
        "Infligez 1 dégât à un hibou qui a une ogresse près de lui.",
    ),
    (
        "effect:\n  choose x: owl where not any ogre is near it\n  nip x 1",
        "Deal 1 damage to an owl that has no ogre near it.",
        "Infligez 1 dégât à un hibou qui n’a aucune ogresse près de lui.",
    ),
    (
        "effect:\n  choose x: ware in row where it's cost = 0\n  put x into hand of self",
        "Choose a ware with a Cost of 0 from the market. Put that ware into your hand.",
        "Mettez un article du marché ayant un Coût de 0 dans votre main.",
    ),
    (
        "when hoo bites self: nip hoo 1",
        "When Hoo bites you: deal 1 damage to Hoo.",
        "Quand Hoo vous mord : infligez 1 dégât à Hoo.",
    ),
    (
        "effect:\n"
        "  self's HP becomes self's HP * 2\n"
        "  self's HP becomes self's HP / 2\n"
        "  self's hours becomes 0\n"
        "  self's hours becomes self's HP",
        "Double your HP. Halve your HP (rounded down). Set your hours to 0. Set your hours to your HP.",
        "Doublez vos PV. Divisez vos PV par deux (arrondi à l’inférieur). Fixez vos heures à 0. Fixez"
        " vos heures à vos PV.",
    ),
    (
        "effect:\n"
        "  if self's HP > self's hours: draw 1\n"
        "  if self's HP = self's hours * 2: draw 1\n"
        "  if self's HP - 1 > self's hours + 2: draw 1",
        "If you have more HP than hours, draw a ware. If your HP is equal to your hours times 2, draw a ware. "
        "If your HP minus 1 is greater than your hours plus 2, draw a ware.",
        "Si vous avez plus de PV que d’heures, piochez un article. Si vos PV sont égaux à vos heures "
        "fois 2, piochez un article. Si vos PV moins 1 sont supérieurs à vos heures plus 2, piochez "
        "un article.",
    ),
    (
        "effect:\n"
        "  choose x: owl, by most HP, then fewest hours\n"
        "  nip x 1\n"
        "  choose y: owl except x, by fewest HP\n"
        "  nip y 1",
        "Deal 1 damage to the owl with the highest HP (tie: fewest hours). Deal 1 damage to the other"
        " owl with the lowest HP.",
        "Infligez 1 dégât au hibou ayant le plus de PV (à égalité : le moins d’heures). Infligez 1 "
        "dégât à l’autre hibou ayant le moins de PV.",
    ),
    (
        "effect:\n"
        "  for each uhu near self: nip uhu 1\n"
        "  if any uhu near self: draw 1\n"
        "  if any hoo near self: draw 1\n"
        "  if no hoo near self: draw 2",
        "Deal 1 damage to each Uhu near you. If there is an Uhu near you, draw a ware. If Hoo is near"
        " you, draw a ware. If Hoo is not near you, draw 2 wares.",
        "Infligez 1 dégât à chaque Uhu près de vous. S’il y a un Uhu près de vous, piochez un "
        "article. Si Hoo est près de vous, piochez un article. Si Hoo n’est pas près de vous, piochez"
        " 2 articles.",
    ),
    (
        "effect:\n  let a = self's HP\n  let b = a + 1\n  nip self 1\n  draw (a)\n  draw (b)",
        "Note your HP. Deal 1 damage to you. Draw X wares, where X is the noted value. Draw X wares, "
        "where X is the noted value plus 1.",
        "Notez vos PV. Infligez 1 dégât à vous. Piochez X articles, X étant la valeur notée. Piochez "
        "X articles, X étant la valeur notée plus 1.",
    ),
    (
        "effect:\n  let a = self's HP\n  for each owl:\n    nip owl a\n    self's HP -1",
        "Note your HP. For each owl, deal X damage to that owl, where X is the noted value; lose 1 HP.",
        "Notez vos PV. Pour chaque hibou, infligez X dégâts à ce hibou, X étant la valeur notée ; perdez 1 PV.",
    ),
    (
        "before any suffers any: amount becomes highest of amount - 2, 1",
        "When a villager takes wounds, first: that number becomes the highest of (that number minus 2) and 1.",
        "Quand un villageois subit des blessures, d’abord : ce nombre devient la plus grande valeur "
        "parmi (ce nombre moins 2) et 1.",
    ),
    (
        "effect:\n"
        "  choose x: ware where (it in hand of self or it in heap of self) and it's cost >= 2\n"
        "  put x into deck of self",
        "Choose a ware with a Cost of 2 or more from your hand or from your discard pile. Put that "
        "ware into your deck.",
        "Choisissez un article de votre main ou de votre défausse ayant un Coût de 2 ou plus. Mettez "
        "cet article-là dans votre pioche.",
    ),
    (
        "effect:\n"
        "  for each owl near self:\n"
        "    for each ogre near owl:\n"
        "      if ogre is hurt: nip ogre 1\n"
        "      nip owl 1",
        "For each owl near you:\n"
        "• For each ogre near that owl:\n"
        "  • If that ogre is hurt, deal 1 damage to that ogre.\n"
        "  • Deal 1 damage to that owl.",
        "Pour chaque hibou près de vous :\n"
        "• Pour chaque ogresse près de ce hibou :\n"
        "  • Si cette ogresse est blessée, infligez 1 dégât à cette ogresse.\n"
        "  • Infligez 1 dégât à ce hibou.",
    ),
    (
        "effect:\n  for each owl:\n    for each mate in owl near owl except owl:\n      nip mate 1\n      nip owl 2",
        "For each owl, for each other owl near that owl, deal 1 damage to that other owl, then deal 2"
        " damage to that owl.",
        "Pour chaque hibou, pour chaque autre hibou près de ce hibou, infligez 1 dégât à cet autre "
        "hibou, puis infligez 2 dégâts à ce hibou.",
    ),
    (
        "effect:\n"
        "  choose x: owl\n"
        "  choose y: ogre near x\n"
        "  choose z: owl near y except x\n"
        "  nip x 1\n"
        "  nip y 2\n"
        "  nip z 3",
        "Choose an owl. Choose an ogre near that owl. Choose another owl near that ogre. Deal 1 "
        "damage to that owl. Deal 2 damage to that ogre. Deal 3 damage to that other owl.",
        "Choisissez un hibou. Choisissez une ogresse près de ce hibou. Choisissez un autre hibou près"
        " de cette ogresse. Infligez 1 dégât à ce hibou. Infligez 2 dégâts à cette ogresse. Infligez "
        "3 dégâts à cet autre hibou.",
    ),
    (
        "when turn starts, if wind >= 3 or any owl near self: draw 1",
        "At the start of a turn, if the wind is at 3 or more or there is an owl near you: draw a ware.",
        "Au début d’un tour, si le vent est à 3 ou plus ou s’il y a un hibou près de vous : piochez un article.",
    ),
    (
        "effect:\n"
        "  if not (any owl near self or self is Tired): draw 1\n"
        "  if not any owl near self and not (self is hurt): draw 1\n"
        "  if any owl near self or self is hurt and self is Tired: draw 2",
        "If there is no owl near you and you are not Tired, draw a ware. If there is no owl near you "
        "and you are not hurt, draw a ware. If there is an owl near you, or you are hurt and you are "
        "Tired, draw 2 wares.",
        "S’il n’y a aucun hibou près de vous et si vous n’êtes pas Épuisé, piochez un article. S’il "
        "n’y a aucun hibou près de vous et si vous n’êtes pas blessé, piochez un article. S’il y a un"
        " hibou près de vous, ou si vous êtes blessé et si vous êtes Épuisé, piochez 2 articles.",
    ),
    (
        "effect:\n"
        "  choose x: owl where it's trade is smith\n"
        "  nip x 1\n"
        "  choose y: owl where it's trade is not smith\n"
        "  nip y 1\n"
        "  if self's trade is baker: draw 1",
        "Deal 1 damage to an owl whose Trade is Smith. Deal 1 damage to an owl whose Trade is not "
        "Smith. If your Trade is Baker, draw a ware.",
        "Infligez 1 dégât à un hibou dont le Métier est Forgeron. Infligez 1 dégât à un hibou dont le"
        " Métier n’est pas Forgeron. Si votre Métier est Boulanger, piochez un article.",
    ),
    (
        "effect:\n  choose x: owl where it's HP = self's HP, by most hours\n  nip x 1",
        "Deal 1 damage to the owl whose HP is equal to your HP, with the most hours.",
        "Infligez 1 dégât au hibou dont les PV sont égaux à vos PV, ayant le plus d’heures.",
    ),
    (
        "effect:\n"
        "  choose x: owl where it's hours = 0\n"
        "  nip x 1\n"
        "  choose y: owl where it's HP <= 1 and it near self\n"
        "  nip y 1",
        "Deal 1 damage to an owl with no hours. Deal 1 damage to an owl with at most 1 HP and near you.",
        "Infligez 1 dégât à un hibou n’ayant aucune heure. Infligez 1 dégât à un hibou ayant au plus "
        "1 PV et près de vous.",
    ),
    (
        "effect:\n  roll r: coinflip\n    1..2: nip self r\n    3..: draw (r - 2)",
        "Roll the fair die:\n"
        "• 1–2: deal X damage to you, where X is the result.\n"
        "• 3 or more: draw X wares, where X is the result minus 2.",
        "Lancez le dé de foire :\n"
        "• 1–2 : infligez X dégâts à vous, X étant le résultat.\n"
        "• 3 et plus : piochez X articles, X étant le résultat moins 2.",
    ),
    (
        "effect:\n  roll a: coinflip\n  roll b: coinflip\n  if a > b: draw (a - b)",
        "Roll the fair die. Roll the fair die. If the first result is greater than the second result,"
        " draw X wares, where X is the first result minus the second result.",
        "Lancez le dé de foire. Lancez le dé de foire. Si le premier résultat est supérieur au "
        "deuxième résultat, piochez X articles, X étant le premier résultat moins le deuxième "
        "résultat.",
    ),
    (
        "effect:\n  choose x: owl near self, or none\n  if x is nothing: draw 1\n  else: nip x 1",
        "You may choose an owl near you. If you do, deal 1 damage to that owl. Otherwise, draw a ware.",
        "Vous pouvez choisir un hibou près de vous. Dans ce cas, infligez 1 dégât à ce hibou. Sinon, "
        "piochez un article.",
    ),
    (
        "effect:\n"
        "  if self's HP >= 2 and (self's hours >= 1 or self is hurt): draw 1\n"
        "  if self's HP >= 2 or (self's hours >= 1 and self is hurt): draw 2",
        "If you have at least 2 HP, and you have at least 1 hour or you are hurt, draw a ware. If you"
        " have at least 2 HP, or you have at least 1 hour and you are hurt, draw 2 wares.",
        "Si vous avez au moins 2 PV, et si vous avez au moins 1 heure ou si vous êtes blessé, piochez"
        " un article. Si vous avez au moins 2 PV, ou si vous avez au moins 1 heure et si vous êtes "
        "blessé, piochez 2 articles.",
    ),
    (
        "effect:\n"
        "  let best = none\n"
        "  for each owl near self:\n"
        "    if owl is hurt: add owl to best\n"
        "  for each x in best: nip x 1",
        "For each owl near you, if that owl is hurt, add that owl to the noted owls. Deal 1 damage to"
        " each of the noted owls.",
        "Pour chaque hibou près de vous, si ce hibou est blessé, ajoutez ce hibou aux hiboux notés. "
        "Infligez 1 dégât à chacun des hiboux notés.",
    ),
    (
        "effect:\n  let n = 0\n  for each owl near self: let n = n + 1\n  draw (n)",
        "Note 0. For each owl near you, increase the noted value by 1. Draw X wares, where X is the noted value.",
        "Notez 0. Pour chaque hibou près de vous, augmentez la valeur notée de 1. Piochez X articles,"
        " X étant la valeur notée.",
    ),
    (
        "effect:\n  let n = self's HP\n  if self is hurt: let n = n + 2\n  draw (n)",
        "Note your HP. If you are hurt, increase the noted value by 2. Draw X wares, where X is the noted value.",
        "Notez vos PV. Si vous êtes blessé, augmentez la valeur notée de 2. Piochez X articles, X "
        "étant la valeur notée.",
    ),
    (
        "effect:\n  choose x: owl near self, or none\n  if x is not nothing:\n    nip x 1\n    draw 1",
        "You may choose an owl near you. If you do, deal 1 damage to that owl, then draw a ware.",
        "Vous pouvez choisir un hibou près de vous. Dans ce cas, infligez 1 dégât à ce hibou, puis piochez un article.",
    ),
    (
        "effect:\n"
        "  if self's hours >= wind: draw 1\n"
        "  if wind > self's hours: draw 1\n"
        "  if wind = 0: draw 1\n"
        "  if debts != 0: draw 1\n"
        "  if debts >= 1: draw 1",
        "If your hours are at least the wind, draw a ware. If the wind is above your hours, draw a "
        "ware. If the wind is at 0, draw a ware. If the debts are not at 0, draw a ware. If the debts"
        " are at 1 or more, draw a ware.",
        "Si vos heures sont supérieures ou égales au vent, piochez un article. Si le vent est au-"
        "dessus de vos heures, piochez un article. Si le vent est à 0, piochez un article. Si les "
        "dettes ne sont pas à 0, piochez un article. Si les dettes sont à 1 ou plus, piochez un "
        "article.",
    ),
    (
        "instead of owl suffers any, if owl is hoo: nip self amount",
        "If Hoo would take wounds, do this instead: deal X damage to you, where X is that number.",
        "Si Hoo devait subir des blessures, faites ceci à la place : infligez X dégâts à vous, X étant ce nombre.",
    ),
    (
        "when owl bites folk, if folk is self or folk is ogre: draw 1",
        "When an owl bites a villager, if that villager is you or is an ogre: draw a ware.",
        "Quand un hibou mord un villageois, si ce villageois est vous ou est une ogresse : piochez un article.",
    ),
    (
        "effect:\n  choose x: owl where it's HP > 1 or it is Tired\n  nip x 1",
        "Deal 1 damage to an owl that has at least 2 HP or is Tired.",
        "Infligez 1 dégât à un hibou qui a au moins 2 PV ou est Épuisé.",
    ),
    (
        "effect:\n  choose x: owl where (it's HP > 1 or it is Tired) and it near self\n  nip x 1",
        "Deal 1 damage to an owl near you that has at least 2 HP or is Tired.",
        "Infligez 1 dégât à un hibou près de vous qui a au moins 2 PV ou est Épuisé.",
    ),
    (
        "effect:\n  choose x: owl where not (it is hurt and it is Tired)\n  nip x 1",
        "Deal 1 damage to an owl that is not hurt or is not Tired.",
        "Infligez 1 dégât à un hibou qui n’est pas blessé ou n’est pas Épuisé.",
    ),
    (
        "effect:\n  choose x: owl where it is not hurt and it is not Tired\n  nip x 1",
        "Deal 1 damage to an owl that is not hurt and not Tired.",
        "Infligez 1 dégât à un hibou non blessé et non Épuisé.",
    ),
    (
        "effect:\n  choose x: space\n  for each owl where it's place = x: nip owl 1",
        "Choose a space. Deal 1 damage to each owl on that space.",
        "Choisissez une case. Infligez 1 dégât à chaque hibou sur cette case.",
    ),
    (
        "effect:\n"
        "  choose one:\n"
        '    "Pay", fr "Payer":\n'
        "      require self's hours >= 2\n"
        "      self's hours -2\n"
        "      draw 3\n"
        '    "Refuse", fr "Refuser":\n'
        "      for each owl near self: nip owl 1\n"
        "      nip self 1",
        "Choose one:\n"
        "• Pay: only if you have at least 2 hours, lose 2 hours, then draw 3 wares.\n"
        "• Refuse: deal 1 damage to each owl near you, then deal 1 damage to you.",
        "Au choix :\n"
        "• Payer : seulement si vous avez au moins 2 heures, perdez 2 heures, puis piochez 3 articles.\n"
        "• Refuser : infligez 1 dégât à chaque hibou près de vous, puis infligez 1 dégât à vous.",
    ),
    (
        "effect:\n  roll coinflip:\n    1..2:\n      if self is hurt: draw 1\n      else: draw 2\n    3..: draw 1",
        "Roll the fair die:\n• 1–2: if you are hurt, draw a ware; otherwise, draw 2 wares.\n• 3 or more: draw a ware.",
        "Lancez le dé de foire :\n"
        "• 1–2 : si vous êtes blessé, piochez un article ; sinon, piochez 2 articles.\n"
        "• 3 et plus : piochez un article.",
    ),
    (
        "while self is hurt: self has +1 rank",
        "While you are hurt, you have +1 Rank.",
        "Tant que vous êtes blessé, vous avez +1 Rang.",
    ),
    (
        "effect:\n  put freed into log\n  choose x: note in log where it is not freed\n  put x into log",
        "Put “The drowned are free” into the fair book. Choose a note other than “The drowned are "
        "free” from the fair book. Put that note into the fair book.",
        "Mettez « Les noyés sont libres » dans le livre de la foire. Choisissez une note du livre de "
        "la foire autre que « Les noyés sont libres ». Mettez cette note dans le livre de la foire.",
    ),
    (
        "effect:\n  let old = self's HP\n  self's HP becomes self's hours\n  self's hours becomes old",
        "Note your HP. Set your HP to your hours. Set your hours to the noted value.",
        "Notez vos PV. Fixez vos PV à vos heures. Fixez vos heures à la valeur notée.",
    ),
    (
        "effect:\n"
        "  repeat (number of (owl near self)) times: draw 1\n"
        "  repeat self's hours times:\n"
        "    nip self 1\n"
        "    draw 1",
        "X times: draw a ware, where X is the number of owls near you. X times, where X is your hours:\n"
        "• Deal 1 damage to you.\n"
        "• Draw a ware.",
        "X fois : piochez un article, X étant le nombre de hiboux près de vous. X fois, X étant vos heures :\n"
        "• Infligez 1 dégât à vous.\n"
        "• Piochez un article.",
    ),
    (
        "effect:\n"
        "  repeat self's hours times:\n"
        "    choose x: owl near self\n"
        "    nip x (self's HP)\n"
        "    draw 1\n"
        "  if number of (owl near self) > self's hours:\n"
        "    nip self (self's HP)\n"
        "    draw (self's hours)\n"
        "    draw 1\n"
        "    draw 2",
        "X times, where X is your hours:\n"
        "• Deal Y damage to an owl near you, where Y is your HP.\n"
        "• Draw a ware.\n"
        "If there are more than X owls near you, where X is your hours:\n"
        "• Deal Y damage to you, where Y is your HP.\n"
        "• Draw X wares.\n"
        "• Draw a ware.\n"
        "• Draw 2 wares.",
        "X fois, X étant vos heures :\n"
        "• Infligez Y dégâts à un hibou près de vous, Y étant vos PV.\n"
        "• Piochez un article.\n"
        "S’il y a plus de X hiboux près de vous, X étant vos heures :\n"
        "• Infligez Y dégâts à vous, Y étant vos PV.\n"
        "• Piochez X articles.\n"
        "• Piochez un article.\n"
        "• Piochez 2 articles.",
    ),
    (
        "effect:\n  if self's place = rex's place: draw 1\n  if self's place is not rex's place: draw 1",
        "If you are on Rex’s space, draw a ware. If you are not on Rex’s space, draw a ware.",
        "Si vous êtes sur la case de Rex, piochez un article. Si vous n’êtes pas sur la case de Rex, "
        "piochez un article.",
    ),
    (
        "effect: for each owl, at once: wound owl 1",
        "All owls take 1 wound.",
        "Tous les hiboux subissent 1 blessure.",
    ),
    (
        "effect:\n  for each owl near self, at once: nip owl owl's HP",
        "At the same time, for each owl near you, deal X damage to that owl, where X is that owl’s HP.",
        "En même temps, pour chaque hibou près de vous, infligez X dégâts à ce hibou, X étant les PV de ce hibou.",
    ),
    (
        "effect: for each owl: draw owl's HP",
        "For each owl, draw X wares, where X is that owl’s HP.",
        "Pour chaque hibou, piochez X articles, X étant les PV de ce hibou.",
    ),
    (
        "effect: for each owl: self's HP becomes self's HP - owl's rank",
        "For each owl, lose X HP, where X is that owl’s Rank.",
        "Pour chaque hibou, perdez X PV, X étant le Rang de ce hibou.",
    ),
    (
        "effect:\n  choose o: owl\n  nip o o's HP",
        "Choose an owl. Deal X damage to that owl, where X is that owl’s HP.",
        "Choisissez un hibou. Infligez X dégâts à ce hibou, X étant les PV de ce hibou.",
    ),
    (
        "effect:\n  let gang = owl near self\n  for each owl in gang: wound owl 2",
        "Each owl near you takes 2 wounds.",
        "Chaque hibou près de vous subit 2 blessures.",
    ),
    (
        "effect:\n  let gang = owl near self\n  nip self (number of gang)",
        "Deal X damage to you, where X is the number of owls near you.",
        "Infligez X dégâts à vous, X étant le nombre de hiboux près de vous.",
    ),
    (
        "effect:\n  repeat 3 times:\n    draw 1\n    if wind < 0: break",
        "3 times: draw a ware; if the wind is below 0, stop here, without repeating this.",
        "3 fois : piochez un article ; si le vent est au-dessous de 0, arrêtez ici, sans recommencer.",
    ),
    (
        "effect:\n  for each owl:\n    nip owl 1\n    if owl is hurt: break\n    draw 1",
        "For each owl:\n• Deal 1 damage to that owl.\n• If that owl is hurt, stop here, without going on to the "
        "others.\n• Draw a ware.",
        "Pour chaque hibou :\n• Infligez 1 dégât à ce hibou.\n• Si ce hibou est blessé, arrêtez ici, sans passer aux "
        "autres.\n• Piochez un article.",
    ),
    (
        "effect:\n  meet envoy\n  self's gems +2",
        "Meet an Envoy. Gain 2 gemstones.",
        "Rencontrez un Envoyé. Gagnez 2 gemmes.",
    ),
    (
        "effect:\n  choose a: owl\n  choose b: owl where it is not a\n  choose c: owl where it is not a and it is "
        "not b\n  nip a 1\n  nip c 2\n  nip b 3",
        "Choose an owl. Choose another owl. Choose an owl other than the first owl and other than the second owl. "
        "Deal 1 damage to the first owl. Deal 2 damage to the third owl. Deal 3 damage to the second owl.",
        "Choisissez un hibou. Choisissez un autre hibou. Choisissez un hibou autre que le premier hibou et autre que "
        "le deuxième hibou. Infligez 1 dégât au premier hibou. Infligez 2 dégâts au troisième hibou. "
        "Infligez 3 dégâts au deuxième hibou.",
    ),
    (
        "effect: if uhu#1 is hurt or uhu#2 is hurt: draw 1",
        "If Uhu is hurt or the Uhu number 2 is hurt, draw a ware.",
        "Si Uhu est blessé ou si l’Uhu numéro 2 est blessé, piochez un article.",
    ),
    (
        "effect:\n  let bag = none\n  for each owl:\n    let bag = bag, owl\n  for each owl in bag: nip owl 1",
        "For each owl, add that owl to the noted owls. Deal 1 damage to each of the noted owls.",
        "Pour chaque hibou, ajoutez ce hibou aux hiboux notés. Infligez 1 dégât à chacun des hiboux notés.",
    ),
    (
        "effect:\n  for each owl where it is not Tired, at once: draw owl's HP",
        "At the same time, for each owl that is not Tired, draw X wares, where X is that owl’s HP.",
        "En même temps, pour chaque hibou non Épuisé, piochez X articles, X étant les PV de ce hibou.",
    ),
    (
        "effect:\n  if self is idle: draw 1\n  require self is idle\n  for each owl: settle\n"
        "  if self is hurt: settle\n  repeat 3 times: settle",
        "Draw a ware.",
        "Piochez un article.",
    ),
    (
        "effect:\n  if self is hurt: settle\n  else: draw 1\n  if self is Tired: draw 2\n  else: settle",
        "If you are not hurt, draw a ware. If you are Tired, draw 2 wares.",
        "Si vous n’êtes pas blessé, piochez un article. Si vous êtes Épuisé, piochez 2 articles.",
    ),
    (
        "effect:\n  if self is hurt: settle\n  else if self is Tired: draw 1\n  else: draw 2",
        "If you are not hurt:\n• If you are Tired, draw a ware.\n• Otherwise, draw 2 wares.",
        "Si vous n’êtes pas blessé :\n• Si vous êtes Épuisé, piochez un article.\n• Sinon, piochez 2 articles.",
    ),
    (
        'effect:\n  choose one:\n    "Wait", fr "Attendre": settle\n    "Deal", fr "Négocier": draw 1',
        "Choose one:\n• Wait: nothing happens.\n• Deal: draw a ware.",
        "Au choix :\n• Attendre : rien ne se passe.\n• Négocier : piochez un article.",
    ),
    (
        "when owl bites folk, if owl is idle: draw 1",
        "When an owl bites a villager: draw a ware.",
        "Quand un hibou mord un villageois : piochez un article.",
    ),
    (
        "instead of owl suffers any: settle",
        "If an owl would take wounds, nothing happens instead.",
        "Si un hibou devait subir des blessures, rien ne se passe à la place.",
    ),
    (
        "while self is idle: self has +1 rank",
        "You have +1 Rank.",
        "Vous avez +1 Rang.",
    ),
    (
        "effect:\n  let others = owl near self\n  choose target: others\n  remove target from others\n"
        "  let others = others where it is hurt\n  for each owl in others: nip owl 1",
        "Note all owls near you. Choose an owl among the noted owls. Remove that owl from the noted owls. The noted "
        "owls become all hurt owls among the noted owls. Deal 1 damage to each of the noted owls.",
        "Notez tous les hiboux près de vous. Choisissez un hibou parmi les hiboux notés. Retirez ce hibou des hiboux "
        "notés. Les hiboux notés deviennent tous les hiboux blessés parmi les hiboux notés. Infligez 1 dégât à chacun "
        "des hiboux notés.",
    ),
    (
        "effect:\n  roll gap: coinflip + 2 against coinflip\n  if gap > 0: draw gap",
        "Roll the fair die plus 2 against the fair die; the result is the first roll minus the second. If the result "
        "is at least 1, draw X wares, where X is the result.",
        "Lancez le dé de foire plus 2 contre le dé de foire ; le résultat est le premier lancer moins le second. Si le "
        "résultat est d’au moins 1, piochez X articles, X étant le résultat.",
    ),
    (
        "effect:\n  for each side in sides of self: draw 1",
        "For each side around you, draw a ware.",
        "Pour chaque côté autour de vous, piochez un article.",
    ),
    (
        "effect:\n  may:\n    nip self 1\n    may: nip self 2\n    then: draw 1\n  then: draw 3",
        "You may:\n• Deal 1 damage to you.\n• You may deal 2 damage to you.\n• If you do, draw a ware.\n"
        "If you do, draw 3 wares.",
        "Si vous le souhaitez :\n• Infligez 1 dégât à vous.\n• Vous pouvez infliger 2 dégâts à vous.\n"
        "• Dans ce cas, piochez un article.\nDans ce cas, piochez 3 articles.",
    ),
    (
        "while self is hurt and self is not Tired: self has +1 rank",
        "While you are hurt and you are not Tired, you have +1 Rank.",
        "Tant que vous êtes blessé et que vous n’êtes pas Épuisé, vous avez +1 Rang.",
    ),
    (
        "whenever wind > 3 or any owl near self or self is hurt, once: draw 1",
        "As soon as the wind is at 4 or more, there is an owl near you or you are hurt: draw a ware.",
        "Dès que le vent est à 4 ou plus, qu’il y a un hibou près de vous ou que vous êtes blessé : piochez un "
        "article.",
    ),
    (
        "instead of folk suffers any, if folk is owl or folk is self and amount > 1: draw 1",
        "If a villager would take wounds while that villager is an owl, or that villager is you and that number is at "
        "least 2, draw a ware instead.",
        "Si un villageois devait subir des blessures alors que ce villageois est un hibou, ou que ce villageois est "
        "vous et que ce nombre est d’au moins 2, piochez un article à la place.",
    ),
    (
        "effect:\n  offer self, until done if any owl near self\n  offer self",
        "You may act and may stop only while there is an owl near you. You may take one action.",
        "Vous pouvez agir ; on ne peut s’arrêter que s’il y a un hibou près de vous. Vous pouvez effectuer une action.",
    ),
    (
        "effect:\n  offer (self, hoo)",
        "You and Hoo may take one action.",
        "Vous et Hoo pouvez effectuer une action.",
    ),
    (
        "effect:\n  self's steps becomes 0\n  hoo's steps becomes hoo's steps * 2\n  self's steps +1\n"
        "  draw self's steps",
        "Set your steps to 0. Double Hoo’s steps. Gain 1 step. Draw X wares, where X is your steps.",
        "Fixez vos pas à 0. Doublez les pas d’Hoo. Gagnez 1 pas. Piochez X articles, X étant vos pas.",
    ),
]
"""The effect of a card, and its text in English and in French."""


UNSAID = [
    "effect: if self is idle and self is hurt: draw 1",
    "effect: if self is not idle: draw 1",
    "effect: if self is idle or self is hurt: draw 1",
    "effect: if self is hurt or self is idle and self is idle: draw 1",
    "effect: if any owl where it is not idle: draw 1",
    "effect:\n  if self is idle: draw 1\n  else: draw 2",
    "effect: if every owl is idle: draw 1",
    "whenever self is idle: draw 1",
    "effect:\n  may: settle\n  then: draw 1",
]
"""Effects with a relation or verb without words; all but the first need these words."""


@cache
def fairground() -> Model:
    """Return the small game with a card for each effect."""
    loader = Loader(Project())
    loader.use("core")
    cards = [
        f'ware card-{at} "Ware":\n  fr: "Article"\n{indent(lines, "  ")}\n' for at, (lines, _, _) in enumerate(CARDS)
    ]
    cards += [f'ware unsaid-{at} "Ware":\n  fr: "Article"\n{indent(lines, "  ")}\n' for at, lines in enumerate(UNSAID)]
    files, wrong = list(loader.files()), []
    for name, text in (
        ("fairground.fcb", SYSTEM),
        ("pieces.fcb", PIECES),
        ("cards.fcb", "use fairground\n" + "".join(cards)),
    ):
        file, problems = parse(Source(name, text))
        files.append(file)
        wrong += problems
    model, reported = check(files)
    assert [problem.message for problem in [*wrong, *reported] if problem.severity == "error"] == []
    return model


@pytest.mark.parametrize("at", range(len(CARDS)), ids=[lines.partition("\n")[2] or lines for lines, _, _ in CARDS])
def test_card_has_proofread_text(at: int) -> None:
    for language, expected in zip(("en", "fr"), CARDS[at][1:], strict=True):
        text = rules_text(fairground().definitions["ware", f"card-{at}"], fairground(), language)
        assert text.problems == ()
        assert text.plain().replace("\u00a0", " ").replace("\u202f", " ") == expected


@pytest.mark.parametrize("language", ["en", "fr"])
def test_form_without_words_is_reported_where_its_text_is_needed(language: str) -> None:
    cards = [fairground().definitions["ware", f"unsaid-{at}"] for at in range(len(UNSAID))]
    problems_of_cards = [rules_text(card, fairground(), language).problems for card in cards]
    named = [{(problem.code, problem.arguments["name"]) for problem in problems} for problems in problems_of_cards]
    assert named == [set(), *[{("FCB0701", "idle")}] * (len(UNSAID) - 2), {("FCB0701", "settle")}]
