"""French."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from fcbdsl.prose.language import Language, abbreviated, headed
from fcbdsl.prose.phrase import Noun, NounPhrase
from fcbdsl.prose.text import ARTICLE, BOLD, CLAUSE, HARD, ICON, LIGHT, NARROW

WORDS = {
    # statements
    "if": "si {condition}, {then}",
    "if block": "si {condition} :",
    "if chosen": "dans ce cas, {then}",
    "if chosen block": "dans ce cas :",
    "if chosen by": "dans ce cas, {then}",
    "if chosen by block": "dans ce cas :",
    "if declined": "sinon, {then}",
    "if declined block": "sinon :",
    "if declined by": "sinon, {then}",
    "if declined by block": "sinon :",
    "otherwise": "sinon, {then}",
    "otherwise block": "sinon :",
    "otherwise if": "sinon, si {condition}, {then}",
    "for each": "pour {each}, {then}",
    "for each block": "pour {each} :",
    "for each at once": "en même temps, pour {each}, {then}",
    "for each at once block": "en même temps, pour {each} :",
    "for each in secret": "en secret, pour {each}, {then}",
    "for each in secret block": "en secret, pour {each} :",
    "all chosen": "quand tous ont choisi, {then}",
    "all chosen block": "quand tous ont choisi :",
    "done": "si c’est fait, {then}",
    "done block": "si c’est fait :",
    "done if willing": "dans ce cas, {then}",
    "done if willing block": "dans ce cas :",
    "steps": "dans l’ordre de votre choix :",
    "steps by": "dans un ordre que {by} [choisit|choisissent|choisissez] :",
    "in any order": "{each}, dans l’ordre de votre choix",
    "in any order by": "{each}, dans un ordre que {by} [choisit|choisissent|choisissez]",
    "repeat": "{times} fois : {then}",
    "repeat block": "{times} fois :",
    "repeat twice": "deux fois : {then}",
    "repeat twice block": "deux fois :",
    "repeat for ever": "sans cesse :",
    "choose": "choisissez {options}",
    "choose by": "{by} [choisit|choisissent|choisissez] {options}",
    "may choose": "vous pouvez choisir {options}",
    "may choose by": "{by} [peut|peuvent|pouvez] choisir {options}",
    "choose up to": "choisissez jusqu’à {limit} {options}",
    "choose up to by": "{by} [choisit|choisissent|choisissez] jusqu’à {limit} {options}",
    "at random": "désignez *au hasard* {options}",
    "choose one": "choisissez :",
    "choose one by": "{by} [choisit|choisissent|choisissez] :",
    "may choose one": "vous pouvez choisir :",
    "may choose one by": "{by} [peut|peuvent|pouvez] choisir :",
    "may": "si vous le souhaitez, {then}",
    "may by": "si {by} le [souhaite|souhaitent|souhaitez] : {then}",
    "may block": "si vous le souhaitez :",
    "may block by": "si {by} le [souhaite|souhaitent|souhaitez] :",
    "roll": "lancez {dice} :",
    "roll against": "lancez {dice} contre {other} :",
    "roll value": "lancez {dice}",
    "roll on": "lancez sur la table « {table} »",
    "reroll": "relancez {dice} qui montre {what}",
    "play": "jouez {mission}",
    "play rows": "jouez {mission} :",
    "won": "en cas de victoire",
    "lost": "en cas de défaite",
    "drawn": "en cas de partie nulle",
    "won by": "si {team} [gagne|gagnent]",
    "row": "{label} : {then}",
    "titled row": "{label} ({title})",
    "row block": "{label} :",
    "row else": "autre résultat",
    "win": "supérieur",
    "tie": "égal",
    "lose": "inférieur",
    "nothing happens": "rien ne se passe",
    "require": "seulement si {condition}",
    "nothing": "ne faites rien",
    "stop": "arrêtez-vous là",
    "break": "restez-en là",
    "cancel": "annulez {what}",
    "cancelled": "cela",
    "answer": "le résultat est {value}",
    "until": "{moment}, {then}",
    "until event": "jusqu’au moment où {event}",
    "until block": "{moment} :",
    "offer": "{actors} [peut|peuvent|pouvez] agir",
    "offer by": "{actors} [peut|peuvent|pouvez] agir : {by} [décide|décident|décidez]",
    "offer once": "{actors} [peut|peuvent|pouvez] effectuer une action",
    "offer once by": "{actors} [peut|peuvent|pouvez] effectuer une action : {by} [décide|décident|décidez]",
    "win game": "vous gagnez",
    "lose game": "vous perdez",
    "draw game": "la partie est nulle",
    "win game side": "{side} [gagne|gagnent|gagnez]",
    "lose game side": "{side} [perd|perdent|perdez]",
    "gain": "{subject} [gagne|gagnent|gagnez] {amount}",
    "you gain": "gagnez {amount}",
    "suffer": "{subject} [perd|perdent|perdez] {amount}",
    "you lose": "perdez {amount}",
    "raises": "augmentez {what} de {amount}",
    "lowers": "diminuez {what} de {amount}",
    "becomes": "fixez {what} à {value}",
    "turns to": "{what} [devient|deviennent|devenez] {value}",
    "becomes thing": "{value} [devient|deviennent|devenez] {what}",
    "gain status": "{subject} [devient|deviennent|devenez] *{status}* {whose}",
    "gain status times": "{subject} [devient|deviennent|devenez] *{status}* (×{count}) {whose}",
    "gain status more": "{subject} [devient|deviennent|devenez] *{status}* (+{count}) {whose}",
    "lose status": "retirez *{status}* {whose} à {subject}",
    "let": "notez {value}",
    # what the text has mentioned
    "chosen": "{noun} choisi[e][s]",
    "noted": "{noun} noté[e][s]",
    "number 1": "[premier|première|premiers|premières] {noun}",
    "number 2": "deuxième[s] {noun}",
    "number 3": "troisième[s] {noun}",
    "number 4": "quatrième[s] {noun}",
    "number 5": "cinquième[s] {noun}",
    "number": "{noun} numéro {n}",
    "raise": "augmentez {what} de {amount}",
    "lower": "réduisez {what} de {amount}",
    "add": "ajoutez {value} à {what}",
    "doubled": "doublez {what}",
    "halved": "divisez {what} par deux (arrondi à l’inférieur)",
    "heading": "{title} :",
    # what waits
    "when": "quand {event} : {then}",
    "when block": "quand {event} :",
    "at": "{event} : {then}",
    "at block": "{event} :",
    "first": "quand {event}, d’abord : {then}",
    "first block": "quand {event}, d’abord :",
    "instead": "quand {event}, au lieu de cela : {then}",
    "instead block": "quand {event}, au lieu de cela :",
    "instead one": "quand {event}, au lieu de cela : {then}",
    "instead one block": "quand {event}, au lieu de cela :",
    "may instead": "quand {event}, au lieu de cela vous pouvez faire ceci : {then}",
    "may instead block": "quand {event}, au lieu de cela vous pouvez faire ceci :",
    "may instead one": "quand {event}, au lieu de cela vous pouvez faire ceci : {then}",
    "may instead one block": "quand {event}, au lieu de cela vous pouvez faire ceci :",
    "event if": "{event}, si {condition}",
    "supposed if": "{event}, si {condition}",
    "limit": "{event} ({often})",
    "once until": "une fois {moment}",
    "whenever": "chaque fois que {condition} : {then}",
    "whenever block": "chaque fois que {condition} :",
    "as soon as": "dès que {condition} : {then}",
    "as soon as block": "dès que {condition} :",
    "cost": "coût : {amount}",
    "while": "tant que {condition}, {then}",
    # changes
    "change": "{subject} [a|ont|avez] {amount}",
    "change value": "{subject} [a|ont|avez] {stat} {amount}",
    "double": "{what} [est|sont] doublé[e][s]",
    "least": "{what} [vaut|valent] au moins {amount}",
    "most": "{what} [vaut|valent] au plus {amount}",
    # conditions
    "is": "{subject} <[est|sont|êtes]|n’[est|sont|êtes] pas> {predicate}",
    "can": "{subject} <[peut|peuvent|pouvez]|ne [peut|peuvent|pouvez] pas> {predicate}",
    "equal": "{left} <[est|sont|êtes]|n’[est|sont|êtes] pas> {right}",
    "<": "{left} [est|sont] inférieur[e][s] à {right}",
    "<=": "{left} [est|sont] d’au plus {right}",
    ">": "{left} [est|sont] supérieur[e][s] à {right}",
    ">=": "{left} [est|sont] d’au moins {right}",
    "=": "{left} [est|sont] [égal|égale|égaux|égales] à {right}",
    "!=": "{left} n’[est|sont] pas [égal|égale|égaux|égales] à {right}",
    "has <": "{owner} [a|ont|avez] moins de {amount}",
    "has <=": "{owner} [a|ont|avez] au plus {amount}",
    "has >": "{owner} [a|ont|avez] plus de {amount}",
    "has >=": "{owner} [a|ont|avez] au moins {amount}",
    "has =": "{owner} [a|ont|avez] exactement {amount}",
    "has !=": "{owner} n’[a|ont|avez] pas exactement {amount}",
    "stands <": "{owner} [est|sont] au-dessous de {amount}",
    "stands <=": "{owner} [est|sont] à {amount} ou moins",
    "stands >": "{owner} [est|sont] au-dessus de {amount}",
    "stands >=": "{owner} [est|sont] à {amount} ou plus",
    "stands =": "{owner} [est|sont] à {amount}",
    "stands !=": "{owner} n’[est|sont] pas à {amount}",
    "with <": "ayant moins de {amount}",
    "with <=": "ayant au plus {amount}",
    "with >": "ayant plus de {amount}",
    "with >=": "ayant au moins {amount}",
    "with =": "ayant exactement {amount}",
    "with !=": "n’ayant pas exactement {amount}",
    "has less than": "{owner} [a|ont|avez] {relation} {other}",
    "with less than": "ayant {relation} {other}",
    "than <": "moins de {left} que de",
    "than >": "plus de {left} que de",
    "than =": "autant de {left} que de",
    "than <=": "au plus autant de {left} que de",
    "than >=": "au moins autant de {left} que de",
    "than !=": "un nombre de {left} différent de",
    "has token": "il <y a {token}|n’y a pas de {bare}> sur {owner}",
    "has status": "{owner} <[a|ont|avez] *{status}*|n’[a|ont|avez] pas *{status}*> {whose}",
    "is status": "{owner} <[est|sont|êtes]|n’[est|sont|êtes] pas> *{status}* {whose}",
    "with status": "<avec|sans> *{status}* {whose}",
    "with token": "<avec {token}|sans {bare}>",
    "being status": "<|non> *{status}* {whose}",
    "marked by": "venant de {by}",
    "turned by": "par {by}",
    "has one": "{owner} <[a|ont|avez] {one}|n’[a|ont|avez] pas de {bare}>",
    "exists": "{what} <[existe|existent]|n’[existe|existent] pas>",
    "there is": "il <y|n’y> a {what}",
    "leave none": "ne laissez {what}",
    "there is one": "il <y en a un[e]|n’y en a pas>",
    "there are <": "il y a moins de {amount}",
    "there are <=": "il y a au plus {amount}",
    "there are >": "il y a plus de {amount}",
    "there are >=": "il y a au moins {amount}",
    "there are =": "il y a exactement {amount}",
    "there are !=": "il n’y a pas exactement {amount}",
    "that": "qui {clause}",
    "that is": "qui <est|n’est pas> {predicate}",
    "not": "non {predicate}",
    "which": "qui",
    "such that": "où {condition}",
    "other than": "autre que {other}",
    "which is": "qui est {other}",
    "other": "autre {noun}",
    "others": "autres {noun}",
    "and": " et ",
    "or": " ou ",
    "without": "sans ",
    "nor": " ni ",
    "comma": ", ",
    "then": ", puis ",
    "semicolon": " ; ",
    # values
    "sum": "{left} plus {right}",
    "difference": "{left} moins {right}",
    "negative": "moins {right}",
    "product": "{left} fois {right}",
    "quotient": "{left} divisé[e][s] par {right} (arrondi à l’inférieur)",
    "quotient inside": "{left} divisé[e][s] par {right}, arrondi à l’inférieur",
    "brackets": "({inside})",
    "lowest of": "le plus petit entre {left} et {right}",
    "highest of": "le plus grand entre {left} et {right}",
    "standing on": "sur {space}",
    "number of": "le nombre de {what}",
    "per": "{amount} pour {each}",
    "fewest": "ayant le moins de {key}",
    "most of": "ayant le plus de {key}",
    "fewest quality": "ayant [le|la] plus bas[se] {key}",
    "most of quality": "ayant [le|la] plus haut[e] {key}",
    "has quality": "{owner} [a|ont|avez] {what} {measure}",
    "with quality": "ayant {what} {measure}",
    "quality <": "inférieur{^noun}[e] à {amount}",
    "quality <=": "de {amount} ou moins",
    "quality >": "supérieur{^noun}[e] à {amount}",
    "quality >=": "de {amount} ou plus",
    "quality =": "de {amount}",
    "quality !=": "autre que {amount}",
    "lying in": "dans {zone}",
    "tied fewest": "le moins de {key}",
    "tied most of": "le plus de {key}",
    "tied": "(à égalité : {criteria})",
    "ascending": "par ordre croissant de {key}",
    "descending": "par ordre décroissant de {key}",
    "first of all": "{superlative} d’abord",
    "region": "{sort} {title}",
    "taken from": "de {zone}",
    "among": "parmi {group}",
    "lying": "{token} sur le plateau",
    "end of track": "Fin.",
    "each of": "chacun[e] de {group}",
    "one of": "[un|une] de {group}",
    "all of": "[tous|toutes] {group}",
    "seat": f"le{ARTICLE}joueur {{number}}",
    "countdown": f"la{ARTICLE}piste « {{title}} »",
    "gauge": "« {title} »",
    "scale": "{what} {numbers}",
    "piece at": "{piece} en {place}",
    "choose among": "choisissez {noun} parmi {options}",
    "where": "{clause}, {letter} étant {meaning}",
    "by": "selon {key}",
    "dice": "{count} {die}",
    "top": "la première carte de {pile}",
    "yes": "oui",
    "no": "non",
    "nobody": "personne",
    "none": "rien",
    "open count": "des",
    "range": "{low} à {high}",
    "open range": "{low} et plus",
    "this card": "cette carte",
    "ground cost": "y entrer coûte {n} au lieu de 1",
    "ground shut": "personne ne peut y entrer",
    "ground sight": "la ligne de vue y est bloquée",
    "ground corners": "là où deux d’entre elles se touchent, personne ne passe par le coin",
    "ground corners sight": "là où deux d’entre elles se touchent, personne ne voit par le coin",
    "ground cover": "on y trouve une couverture",
    "ground nowhere": "personne ne s’y tient jamais",
    "ground no footing": "on passe au-dessus d’une seule traite, sans s’y arrêter",
    "ground open": "comme toute autre case",
    "barrier shut": "personne ne peut passer",
    "barrier hinged": "tant qu’[il|elle] <|n’>est <|pas >{state}, {told}",
    "barrier open": "on passe librement",
    "ruling": "« {rule} »",
    "ruled": "la règle {rule} <s’applique|ne s’applique pas>",
}

NOUNS = {
    "thing": Noun("élément", "éléments"),
    "piece": Noun("pièce", "pièces", "f"),
    "space": Noun("case", "cases", "f"),
    "incomplete": Noun("hors de la carte", "hors de la carte"),
    "route": Noun("parcours", "parcours"),
    "side": Noun("côté", "côtés"),
    "player": Noun("joueur", "joueurs"),
    "team": Noun("équipe", "équipes", "f"),
    "controller": Noun("joueur", "joueurs"),
    "card": Noun("carte", "cartes", "f"),
    "mission": Noun("mission", "missions", "f"),
    "track": Noun("piste", "pistes", "f"),
    "game": Noun("partie", "parties", "f"),
    "record": Noun("action", "actions", "f"),
    "die": Noun("dé", "dés"),
    "face": Noun("face", "faces", "f"),
    "zone": Noun("pioche", "pioches", "f"),
    "direction": Noun("direction", "directions", "f"),
    "region": Noun("région", "régions", "f"),
    "holder": Noun("détenteur", "détenteurs"),
    "number": Noun("nombre", "nombres"),
    "definition": Noun("sorte", "sortes", "f"),
    "bearer": Noun("porteur", "porteurs"),
    "copy": Noun("numéro d’exemplaire", "numéros d’exemplaire"),
    "copies": Noun("nombre d’exemplaires", "nombres d’exemplaires"),
    "terrain": Noun("terrain", "terrains"),
    "value": Noun("valeur", "valeurs", "f"),
    "effect": Noun("effet", "effets"),
    "noted": Noun("valeur notée", "valeurs notées", "f"),
    "result": Noun("résultat", "résultats"),
    "rolled": Noun("face obtenue", "faces obtenues", "f"),
}

_DETERMINERS = {
    "a": ("un", "une"),
    "the": ("le", "la"),
    "this": ("ce", "cette"),
    "that": ("ce", "cette"),
    "each": ("chaque", "chaque"),
    "no": ("aucun", "aucune"),
}
_MANY = {
    "every": ("tous les", "toutes les"),
    "all": ("tous les", "toutes les"),
    "the many": ("les", "les"),
    "those": ("ces", "ces"),
}

_WITH_H = (
    "hach hacke haddock hagard haie haillon hain halage haler halet halle halte halèt hamac hameau hampe "
    "hamster hanche handball handicap hangar hanneton hante hanti happ harangu haras harcel harcèl harde "
    "hardi harem hareng hargn haricot harnach harnais haro harpe harpi harpon hasard haschi hauban haubert "
    "hausse haut havre hayon haïr haïss heaum hein henn hernie herse heurt hibou hideu hippie hiss hiérarch hobby "
    "hoche hockey holland homard hongr honni honte hoquet horde hors hotte houblon houe houille houl houppe "
    "hourra houspill housse houx hublot huche huguenot huitai huiti hulott hulul hune huppe hurl huron hussard hutte "
    "huée hâbl hâle hâlé hâte hâti hâve hèle hère héler hélé hérau hériss héron héros hêtre onze onzi oui "
    "ouistiti "
)
_WHOLE_WORDS = (
    "héro hall halls halo halos hase hases hure hures humer huit hub hubs husky huskys hit hits hobbit hobbits hot "
    "hard hacker hackers haka hakas haïku haïkus hold hun huns hulk hooligan hooligans hamburger hamburgers uhlan "
    "uhlans ululement ululements"
)  # not l’héroïne, l’huitre
_WHOLE = frozenset(_WHOLE_WORDS.split())
_ASPIRATED = tuple(_WITH_H.split())
"""Words, and beginnings of words, before which nothing is elided (h aspiré and the like)."""
_WITH_Y = ("yeux", "yeuse", "yeuses", "yèble", "yèbles", "yonne", "yeu", "yerres")
"""Words that begin with y and a vowel before which an article is elided; before a y and a consonant it always is."""
_WORD = re.compile(r"[^\W\d_]+")

_VOWEL = "aeiouyàâäéèêëîïôöùûüœæh"
_MARK = f"[{BOLD}{LIGHT}]?"
_ELIDED = re.compile(
    rf"(?<![\w’-])(de|le|la|que|ne|se|me|te|je|jusque|lorsque|puisque|quoique|ce(?=[ ]est))([ {ARTICLE}])"
    rf"(?={_MARK}[{_VOWEL}])",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(rf"(?<![\w’-])(de|à) (le|les){ARTICLE}", re.IGNORECASE)
_CONTRACTIONS = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}

_YOUR = {
    "du": "de votre",
    "de la": "de votre",
    "de l’": "de votre",
    "le": "votre",
    "la": "votre",
    "l’": "votre",
    "les": "vos",
    "des": "de vos",
    "au": "à votre",
    "à la": "à votre",
    "à l’": "à votre",
}
_YOURS = re.compile(
    r"(?<![\w’-])(du |de la |de l’|le |la |l’|les |des |au |à la |à l’)(\w+(?: de \w+)?) de vous\b", re.IGNORECASE
)

_LINKS = (
    "à au aux contre dans de depuis des du en entre est et jusqu’à l’un mais moins ne ou où par pour puis que "
    "qui sans selon si sont sur vers"
)
_NUMERALS = "un deux trois quatre cinq six sept huitai huiti neuf dix onze douze"
_FILLERS = (
    "avec aux cette ces ceux chaque dans des elle elles entre est etes les leur leurs mais non pas par plus pour que "
    "qui sans ses son sont sur tous toute toutes tout une vers vos votre vous"
)


_ORDER = re.compile(rf"(?P<mark>{_MARK})(?P<verb>[^\W\d]+ez|faites)(?=[^\w]|$)(?P<own>(?:-vous\b)?)")
_NO_ORDERS = ("chez", "assez")
_STEMS = """
    mettre:mett remettre:remett prendre:pren perdre:perd rendre:rend choisir:choisiss bondir:bondiss subir:subiss
    remplir:rempliss franchir:franchiss ouvrir:ouvr découvrir:découvr interrompre:interromp rompre:romp recevoir:recev
    réduire:réduis détruire:détruis suivre:suiv agir:agiss inscrire:inscriv répartir:répartiss saisir:saisiss
    finir:finiss sortir:sort tenir:ten obtenir:obten abattre:abatt
"""
_INFINITIVES = {f"{stem}ez": verb for verb, stem in (pair.split(":") for pair in _STEMS.split())} | {"faites": "faire"}
"""The infinitives of orders that are not those of the verbs in -er."""


class French(Language):
    """French wording: « vous », imperatives, and the spelling habits of print."""

    code: ClassVar[str] = "fr"
    words: ClassVar[Mapping[str, str]] = WORDS
    nouns: ClassVar[Mapping[str, Noun]] = NOUNS
    moments: ClassVar[tuple[str, ...]] = ("à ", "au ", "aux ", "à l")
    articles: ClassVar[re.Pattern[str]] = re.compile("^(?:les? |la |l['’])")
    own_article: ClassVar[re.Pattern[str]] = re.compile("^(?:les? |la |l['’]|une? )", re.IGNORECASE)
    able: ClassVar[re.Pattern[str]] = re.compile("(?P<un>in)?capables? (?:de |d['’])(?P<act>.*)")
    links: ClassVar[frozenset[str]] = frozenset(_LINKS.split())
    lacking: ClassVar[re.Pattern[str]] = re.compile(f"il n’y a (?:pas de|aucune?)[ {ARTICLE}](.+)")
    neither: ClassVar[tuple[str, str]] = ("il n’y a ni ", " ni ")
    presences: ClassVar[Mapping[str, str]] = {"il y a ": "il y a "}
    absences: ClassVar[tuple[str, str, str]] = ("il n’y a aucun", "il n’y a ", " ni ")
    numerals: ClassVar[Mapping[str, int]] = {word: at for at, word in enumerate(_NUMERALS.split(), start=1)}
    plurals: ClassVar[str] = "nplurals=2; plural=(n > 1);"
    fillers: ClassVar[frozenset[str]] = frozenset(_FILLERS.split())

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """``[e]``, ``[s]``; ``[m|f]``; ``[il|ils|vous]``; ``[m|f|m pl|f pl]``."""
        feminine, several = phrase.gender == "f", phrase.plural
        if len(options) == 1:
            wanted = several if options[0] in {"s", "x"} else feminine
            return options[0] if wanted else ""
        if len(options) == 2:
            # Two forms of a verb (est|sont) agree in number, two of an adjective in gender.
            return options[several if _verbal(options) else feminine]
        if len(options) == 3:
            return options[2 if phrase.person == 2 else several]
        return options[2 * several + feminine]

    def determined(self, determiner: str, noun: Noun) -> NounPhrase:
        noun = self.without_article(noun)
        feminine = noun.gender == "f"
        if determiner in _MANY:
            return NounPhrase(_MANY[determiner][feminine] + ARTICLE + noun.many, noun.gender, plural=True)
        if determiner == "count":
            return NounPhrase(noun.many, noun.gender, plural=True)
        word = _DETERMINERS[determiner][feminine]
        if word == "ce" and _elides(noun.one):
            word = "cet"
        return NounPhrase(word + ARTICLE + noun.one, noun.gender)

    def yonder(self, noun: Noun) -> NounPhrase:
        """« cet ennemi » is this one or that one, « cet ennemi-là » is that one."""
        phrase = self.determined("that", noun)
        return phrase.saying(f"{phrase.text}-là")

    def several(self, number: int) -> bool:
        return abs(number) >= 2

    def counted(self, number: int, noun: Noun) -> NounPhrase:
        several = self.several(number)
        return NounPhrase(f"{number} {noun.many if several else noun.one}", noun.gender, plural=several)

    def you(self) -> NounPhrase:
        return NounPhrase("vous", person=2)

    def owned(self, owner: NounPhrase, noun: Noun) -> NounPhrase:
        noun = self.without_article(noun)
        several = noun.collective or (noun.one == noun.many and noun.one.split()[0].isupper())
        word = noun.many if several else noun.one
        if owner.person == 2:
            return NounPhrase(f"{'vos' if several else 'votre'} {word}", noun.gender, several)
        article = "les" if several else _DETERMINERS["the"][noun.gender == "f"]
        return NounPhrase(f"{article}{ARTICLE}{word} de {owner.text}", noun.gender, several)

    def its(self, noun: Noun, *, several: bool) -> NounPhrase:
        feminine = noun.gender == "f" and not _elides(noun.one)
        return NounPhrase(f"{'leur' if several else 'sa' if feminine else 'son'} {noun.one}", noun.gender)

    openings: ClassVar[tuple[str, ...]] = ("de", "que")

    def opens(self, title: str) -> bool:
        return _elides(title)

    def many(self, title: str) -> str:
        return _many(title)

    def single(self, title: str) -> str:
        head, rest = headed(title, _COMPLEMENT)
        words = head.split(" ")
        kept = len(words) > 1 and words[-1][:1].isupper()  # a name: Jetons Réanimer
        made = " ".join([*map(_single, words[:-1]), words[-1] if kept else _single(words[-1])]) + rest
        return made if _many(made) == title or kept else title

    def spaced(self, text: str) -> str:
        return spaced(text)

    def named(self, title: str) -> str:
        """``Le sergent Haske`` → ``le sergent Haske``, whose article contracts: ``du sergent``."""
        title = re.sub(r"^L(?=['’])", "l", title)
        return re.sub(r"^(Les?|La) ", lambda found: found[1].lower() + ARTICLE, title)

    def impersonal(self, clause: str) -> str:
        """``déplacez-vous vers la cible`` → ``se déplacer vers la cible``."""
        if clause == self.words["nothing"]:
            return "ne rien faire"
        found = _ORDER.match(clause)
        if found is None or found["verb"].lower() in _NO_ORDERS:
            return clause
        verb = _INFINITIVES.get(found["verb"].lower(), found["verb"][:-1] + "r")
        if found["verb"][0].isupper():
            verb = verb[:1].upper() + verb[1:]
        own = "se " if found["own"] else ""
        return own + found["mark"] + verb + clause[found.end() :]

    def pronoun(self, phrase: NounPhrase) -> NounPhrase:
        return phrase.saying(("elle" if phrase.gender == "f" else "il") + "s" * phrase.plural)

    def possessive(self, phrase: NounPhrase) -> str:
        return "de " + phrase.text

    def clitic(self, phrase: NounPhrase) -> str | None:
        return "vous " if phrase.person == 2 else None

    def ranked(self, noun: str, superlative: str) -> str:
        return f"{noun} {superlative}" if superlative.startswith(("le ", "la ", "les ")) else ""

    def adjective(self, qualification: str) -> str:
        word = qualification.removeprefix("qui est ")
        return word if " " not in word else ""

    def attributed(self, noun: str, adjective: str) -> str:
        return f"{noun} {adjective}"

    def provided(self, condition: str) -> str:
        return re.sub(f"{CLAUSE}(,? et|,? ou|,) ", r"\1 si ", condition)

    def articled(self, text: str) -> str:
        return re.sub(r"^(le|la|les) ", rf"\1{ARTICLE}", text)

    def gender(self, text: str) -> str:
        return {"le": "m", "la": "f"}.get(text.partition(" ")[0], "")

    def appositive(self, qualification: str) -> str:
        if qualification.startswith("qui n’est pas "):
            return qualification.replace("qui n’est pas", "non", 1)
        return qualification.removeprefix("qui est ")

    def until(self, moment: str) -> str:
        return "jusqu’" + moment if moment.startswith("à") else "jusqu’" + moment.replace("au ", "au ", 1)

    def finish(self, marked: str) -> str:
        text = marked.replace("'", "’")
        text = _elide(text)
        text = _CONTRACTED.sub(_contraction, text)
        text = re.sub(r"\b([Ss])i (ils?)\b", r"\1’\2", text)
        text = re.sub(rf"ez({_MARK}) vous(?=[\s.,;:]|$)", r"ez\1-vous", text)
        text = text.replace(ARTICLE, " ").replace(" sur les cases dans ", " dans ")
        text = _YOURS.sub(lambda found: f"{_YOUR[found.group(1).lower().strip()]} {found.group(2)}", text)
        return self.bound(spaced(re.sub(r" {2,}", " ", text)))


_COMPLEMENT = re.compile(r"(?<=\w) (?:(?:de|du|des|à|au|aux|en|sur|sous|pour|par|avec|sans|contre) |d['’])")
"""Where what hangs on the head of a title begins."""


_INVARIABLE = ("orange", "marron", "debout", "sans", "non")
"""Words of titles that don't change: colors that are things, adverbs."""
_PLAIN_AL = ("bal", "carnaval", "chacal", "festival", "récital", "régal", "banal", "fatal", "final", "natal", "naval")
_PLAIN_U = ("bleu", "pneu", "landau")
"""Words that take an -s where others take an -x."""


@lru_cache(maxsize=4096)  # a title is told often
def _many(title: str) -> str:
    head, rest = headed(title, _COMPLEMENT)
    *before, last = head.split(" ")
    if abbreviated(title):
        return title
    if before and last[:1].isupper() and not before[-1][:1].isupper():  # a name: marqueurs Provocation
        return " ".join(map(_plural, before)) + f" {last}{rest}"
    return " ".join(map(_plural, [*before, last])) + rest  # what follows a noun agrees with it


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "z")) or word in _INVARIABLE:
        return word
    if word.endswith("al") and word not in _PLAIN_AL:
        return word[:-1] + "ux"
    if word.endswith(("au", "eu")) and word not in _PLAIN_U:
        return word + "x"
    return word + "s"


_SAME = (
    "accès bois bras cas choix corps cours croix dos fils jus mois noix os parcours pas pays poids procès progrès "
    "puits repas secours succès tas temps voix"
)
_SAME_IN_BOTH = frozenset(_SAME.split())
"""Words that end as plurals do and are singulars, too."""


def _single(word: str) -> str:
    if word.lower() in _SAME_IN_BOTH:
        return word
    for ending, singular in (("aux", "au"), ("eux", "eu"), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + singular
    return word


def spaced(text: str) -> str:
    """Set the spaces that French print wants before ; ! ? : and inside « »."""
    text = re.sub(r"[ \u00a0\u202f]*([;!?]+)", NARROW + r"\1", text)
    text = re.sub(r"(?<=\S)[ \u00a0\u202f]+:", HARD + ":", text)
    text = re.sub(r"«[ \u00a0\u202f]*", "«" + HARD, text)
    return re.sub(r"[ \u00a0\u202f]*»", HARD + "»", text)


def _verbal(options: list[str]) -> bool:
    """Whether two options are the singular and plural of a verb."""
    return options[1].endswith(("nt",)) and not options[0].endswith(("nt",))


def _elides(word: str) -> bool:
    """Whether an article is elided before the word."""
    found = _WORD.match(word.lstrip(BOLD + LIGHT + "«" + HARD + NARROW + " ").lower())
    if found is None:
        return False
    bare = found[0]
    if bare[0] == "y":
        return bare in _WITH_Y or bare[1:2] not in tuple(_VOWEL)
    return bare[0] in _VOWEL and bare not in _WHOLE and not bare.startswith(_ASPIRATED)


def _elide(text: str) -> str:
    made: list[str] = []
    at = 0
    for found in _ELIDED.finditer(text):
        following = text[found.end() :].lstrip(BOLD + LIGHT)
        if ICON in text[found.end() : found.end() + 1] or not _elides(following):
            continue
        # « de un », « que un » elide although « un » as a numeral would not.
        word = found.group(1)
        made.append(text[at : found.start()] + word[:-1] + "’")
        at = found.end()
    made.append(text[at:])
    return "".join(made)


def _contraction(found: re.Match[str]) -> str:
    word = _CONTRACTIONS[f"{found.group(1)} {found.group(2)}".lower()]
    return (word.capitalize() if found.group(1)[0].isupper() else word) + " "
