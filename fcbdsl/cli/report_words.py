"""The words of a report's own, in each language. Games are named by their program's texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcbdsl.simulation.worth import Worth

NB = "\u202f"
"""A narrow space at which no line breaks."""

WORDS: dict[str, dict[str, str]] = {
    "title": {"en": "How the missions play", "fr": "Comment se jouent les missions"},
    "title-one": {"en": "How “{0}” plays", "fr": f"Comment se joue «{NB}{{0}}{NB}»"},
    "about": {
        "en": "Played by bots ({0}); game n has seed n. {1} in all.",
        "fr": f"Parties jouées par des bots ({{0}}){NB}; la partie n a la graine n. {{1}} en tout.",
    },
    "yardstick": {
        "en": "A bot is a yardstick, no person: compare missions, versions and numbers of players, and mistrust a rate "
        "that stands alone.",
        "fr": "Un bot est un étalon, pas une personne : comparez des missions, des versions et des nombres de joueurs, "
        "et méfiez-vous d'un taux isolé.",
    },
    "stopped": {
        "en": "The run was stopped: of what was asked for, {0} not begun, and the last one is told as far as it was "
        "played.",
        "fr": "L'exécution a été arrêtée : {0}, et la dernière montrée ne l'est que jusqu'où elle a été jouée.",
    },
    "overview": {"en": "At a glance", "fr": "En un coup d'œil"},
    "wins": {"en": "Wins", "fr": "Victoires"},
    "won": {"en": "Won {0} of {1}", "fr": "{0} sur {1} gagnées"},
    "interval": {"en": "95 % interval: {0} to {1}", "fr": "intervalle à 95 % : de {0} à {1}"},
    "drawn": {
        "en": "The bar is the share of games won, the whisker its 95 % interval (Wilson's).",
        "fr": "La barre est la part des parties gagnées, la moustache son intervalle à 95 % (de Wilson).",
    },
    "wanted": {"en": "wanted: {0} to {1}", "fr": "souhaité : de {0} à {1}"},
    "band": {"en": "The framed band is what is wanted.", "fr": "La bande encadrée est ce qui est souhaité."},
    "inside": {"en": "inside the band", "fr": "dans la bande"},
    "outside": {"en": "surely outside the band", "fr": "sûrement hors de la bande"},
    "open-verdict": {
        "en": "inside the band or not: more games tell",
        "fr": "dans la bande ou non : davantage de parties le diront",
    },
    "ends": {"en": "How games ended", "fr": "Comment les parties se sont terminées"},
    "seed": {"en": "first with seed {0}", "fr": "d'abord avec la graine {0}"},
    "length": {"en": "How long games were", "fr": "Durée des parties"},
    "decisions": {"en": "Decisions", "fr": "Décisions"},
    "spread": {
        "en": "half of the games: {0} to {2}; the middle one: {1}",
        "fr": "la moitié des parties : de {0} à {2} ; au milieu : {1}",
    },
    "spread-one": {"en": "at least half of the games: {0}", "fr": "au moins la moitié des parties : {0}"},
    "tracks": {"en": "Where tracks ended", "fr": "Où les pistes se sont arrêtées"},
    "bar": {"en": "{0}: {1}", "fr": "{0} : {1}"},
    "map": {"en": "Where one went", "fr": "Où l'on est allé"},
    "map-says": {
        "en": "The number in a space says how often it was entered, in {0} together.",
        "fr": "Le nombre dans une case dit combien de fois on y est entré, en tout sur {0}.",
    },
    "stood": {"en": "Where one stood", "fr": "Où l'on se tenait"},
    "stood-says": {
        "en": "How often a space held a piece of a kind that moves: when a part of the story began ({0}), and at the "
        "end.",
        "fr": "Combien de fois une case portait une pièce d'une sorte qui se déplace : au début d'une étape ({0}) et à "
        "la fin.",
    },
    "stood-at-end": {
        "en": "How often a space held a piece of a kind that moves when a game was over.",
        "fr": "Combien de fois une case portait une pièce d'une sorte qui se déplace quand une partie a fini.",
    },
    "stood-here": {"en": "stood there so often:", "fr": "nombre de fois :"},
    "times": {"en": "entered so often:", "fr": "nombre d'entrées :"},
    "net-says": {
        "en": "Places are drawn as a net: their ways are true, their shapes are not.",
        "fr": "Les lieux sont dessinés en réseau : les chemins sont justes, les formes non.",
    },
    "never-entered": {"en": "Never entered:", "fr": "Jamais atteint :"},
    "course": {
        "en": "after so many parts ({0}), and at the end of each game: half of them lie in the band",
        "fr": "après tant d'étapes ({0}), et à la fin de chaque partie : la moitié d'entre elles est dans la bande",
    },
    "unreached": {"en": "Never reached:", "fr": "Jamais atteint :"},
    "happenings": {"en": "What happened, and where", "fr": "Ce qui est arrivé, et où"},
    "happened": {"en": "{0} a game, in {1}", "fr": "{0} par partie, dans {1}"},
    "happened-here": {"en": "so often here:", "fr": "nombre de fois ici :"},
    "silent": {"en": "Never happened in these games:", "fr": "Jamais arrivé dans ces parties :"},
    "unmet": {
        "en": "In play, and nothing ever happened to:",
        "fr": "En jeu, sans que rien n'y soit jamais arrivé :",
    },
    "unmet-many": {
        "en": "In play, and nothing ever happened to {0} of them",
        "fr": "En jeu, sans que rien n'y soit jamais arrivé : {0}",
    },
    "exchanges": {"en": "Who takes what from whom", "fr": "Qui prend quoi à qui"},
    "of": {"en": "{0}: {1}", "fr": "{0} : {1}"},
    "number": {"en": "Number", "fr": "Valeur"},
    "source": {"en": "By", "fr": "Par"},
    "lost": {"en": "Lost a game", "fr": "Perdu par partie"},
    "gained": {"en": "Gained a game", "fr": "Gagné par partie"},
    "more-rows": {"en": "{0} more, smaller ones", "fr": "{0} de plus, moins importants"},
    "exchange-says": {
        "en": "Numbers that change by what is done in the name of somebody or something else: damage dealt and taken, "
        "and all else of that kind.",
        "fr": "Les valeurs qui changent par ce qui est fait au nom de quelqu'un ou de quelque chose d'autre : dégâts "
        "infligés et subis, et tout ce qui y ressemble.",
    },
    "closest": {"en": "The closest defeat", "fr": "La défaite la plus serrée"},
    "uses": {"en": "What was used", "fr": "Ce qui a servi"},
    "use": {"en": "Action or card", "fr": "Action ou carte"},
    "offered": {"en": "Offered", "fr": "Proposé"},
    "used": {"en": "Used", "fr": "Utilisé"},
    "effects": {"en": "Effects", "fr": "Effets"},
    "so-many-of": {"en": "{0} of {1}", "fr": "{0} sur {1}"},
    "barren": {
        "en": "Carried out, and nothing ever came of it:",
        "fr": "Exécuté, sans que rien n'en soit jamais sorti :",
    },
    "content": {"en": "What came into it:", "fr": "Ce qui a compté :"},
    "met-definitions": {
        "en": "{0} of {1} cards, figures and other pieces in play",
        "fr": "{0} cartes, figurines et autres pièces en jeu sur {1}",
    },
    "met-events": {"en": "{0} of {1} kinds of events", "fr": "{0} sortes d'événements sur {1}"},
    "met-spaces": {"en": "{0} of {1} spaces", "fr": "{0} cases sur {1}"},
    "a-game": {"en": "a game", "fr": "par partie"},
    "games-with": {"en": "In games", "fr": "Parties avec"},
    "won-with": {"en": "Won with", "fr": "Gagné avec"},
    "won-without": {"en": "Won without", "fr": "Gagné sans"},
    "confounded": {
        "en": "What wins may be used because one is winning: compare such rates with care. A rate is left out (–) "
        "where fewer than {0} games stand on one side. Offered: how many questions had it on offer. Effects: of so "
        "many that were carried out, how many changed anything; what chance turns up is chosen by nobody, but longer "
        "games turn up more.",
        "fr": "Ce qui accompagne la victoire sert peut-être parce qu'on gagne déjà : comparez ces taux avec prudence. "
        "Un taux manque (–) là où l'un des côtés compte moins de {0} parties. Proposé : nombre de questions "
        "où le choix existait. Effets : sur tous ceux qui ont été exécutés, combien ont changé quelque chose ; ce que "
        "le hasard révèle, personne ne l'a choisi, mais une longue partie en révèle plus.",
    },
    "worth-asked": {
        "en": "What each one is worth, the same seeds without it tell: {0}.",
        "fr": "Ce que vaut chacun, les mêmes graines sans lui le disent : {0}.",
    },
    "worths": {"en": "What each one is worth", "fr": "Ce que vaut chacun"},
    "worth-said": {
        "en": "what each one is worth (points: won with it less won without it, on the same seeds; 99.9 % interval; "
        "games compared, those of them played again):",
        "fr": "ce que vaut chacun (points : gagné avec moins gagné sans, sur les mêmes graines ; intervalle à 99,9 % ; "
        "parties comparées, dont rejouées) :",
    },
    "worth-open": {"en": "nothing is shown of: {0}", "fr": "rien n'est montré pour : {0}"},
    "worth-little": {"en": "worth less than 5 points: {0}", "fr": "moins de 5 points : {0}"},
    "worth-verdict": {"en": "Shown", "fr": "Montré"},
    "verdict-helps": {"en": "helps", "fr": "aide"},
    "verdict-hinders": {"en": "hinders", "fr": "gêne"},
    "verdict-little": {"en": "less than 5 points", "fr": "moins de 5 points"},
    "verdict-open": {"en": "nothing", "fr": "rien"},
    "worth-points": {"en": "Points", "fr": "Points"},
    "worth-pairs": {"en": "Games (played again)", "fr": "Parties (rejouées)"},
    "worth-more": {"en": "{0} of which little or nothing is shown", "fr": "{0} sans grand effet montré"},
    "worth-says": {
        "en": "{0} left be in turn ({1}), unless there was nothing else to do. Names of which enough is known get "
        "fewer games, so intervals are of 99.9 %; of a hundred names worth nothing, chance shows at most one. It "
        "is what a name is worth to these bots, one at a time: a person finds another way, and of two that stand in "
        "for each other each seems to be worth little.",
        "fr": "{0} tour à tour ({1}), sauf s'il n'y avait rien d'autre à faire. Ce que l'on connaît assez reçoit "
        "moins de parties, d'où des intervalles à 99,9 % ; sur cent noms sans valeur, le hasard en montre un au plus. "
        "C'est ce que vaut un nom pour ces bots, un à la fois : une personne trouve un autre moyen, et de deux qui se "
        "remplacent, chacun semble valoir peu.",
    },
    "by-everybody": {"en": "by everybody", "fr": "par tous"},
    "by-side": {"en": "by: {0}", "fr": "par : {0}"},
    "points": {"en": "{0} ({1} to {2})", "fr": "{0} (de {1} à {2})"},
    "more-uses": {"en": "{0} more, used less often", "fr": "{0} de plus, moins utilisés"},
    "seldom": {
        "en": "Used in at most one game of twenty:",
        "fr": "Utilisé dans au plus une partie sur vingt :",
    },
    "never-taken": {"en": "On offer and never taken:", "fr": "Proposé et jamais pris :"},
    "told": {"en": "Games told", "fr": "Parties racontées"},
    "shortest": {"en": "The shortest game", "fr": "La partie la plus courte"},
    "typical": {"en": "A typical game", "fr": "Une partie typique"},
    "longest": {"en": "The longest game", "fr": "La partie la plus longue"},
    "told-as": {"en": "seed {0}, {1}", "fr": "graine {0}, {1}"},
    "cut": {"en": "{0} are left out here. All of it:", "fr": "{0} sont omises ici. Tout lire :"},
    "untold": {"en": "Not told on this page. To read it:", "fr": "Non racontée sur cette page. Pour la lire :"},
    "cell": {
        "en": "{0}: won {1} of {2} ({3}; 95 % interval {4} to {5})",
        "fr": "{0} : {1} parties gagnées sur {2} ({3} ; intervalle à 95 % : de {4} à {5})",
    },
    "unsound": {
        "en": "{0}: this rate says nothing of the mission.",
        "fr": "{0} : ce taux ne dit rien de la mission.",
    },
    "unsound-still": {
        "en": "what the win asks for never came nearer in any game: {0}",
        "fr": "ce que la victoire demande ne s'est rapproché dans aucune partie : {0}",
    },
    "unsound-random": {
        "en": "random players win more often ({0} of {1})",
        "fr": "des joueurs au hasard gagnent plus souvent ({0} sur {1})",
    },
    "unsound-none": {
        "en": "the bots won none of {0}: more skill may win, and easier or harder numbers show no difference",
        "fr": "les bots n'ont gagné aucune des {0} parties : il faudrait jouer mieux pour voir une différence",
    },
    "unsound-all": {
        "en": "the bots won all {0}: harder or easier numbers show no difference",
        "fr": "les bots ont gagné les {0} parties : aucune différence ne peut se voir",
    },
    "unsound-cure": {
        "en": "Give the bots `progress` and `preferences` for this mission, or try another --bot (docs: Bots).",
        "fr": "Donnez aux bots `progress` et `preferences` pour cette mission, ou essayez un autre --bot (doc : Bots).",
    },
    "aims": {"en": "what a win asks for:", "fr": "ce que la victoire demande :"},
    "aim-never": {"en": "{0}: never came nearer", "fr": "{0} : jamais rapproché"},
    "aim-never-rises": {"en": "{0}: never rose", "fr": "{0} : n'a jamais augmenté"},
    "aim-never-falls": {"en": "{0}: never fell", "fr": "{0} : n'a jamais diminué"},
    "aim-moved": {
        "en": "{0}: came nearer in {1} of {2} games, was reached in {3}",
        "fr": "{0} : rapproché dans {1} parties sur {2}, atteint dans {3}",
    },
    "aim-mover": {
        "en": "“{0}” on offer {1} times, taken {2} times, moved it {3} times",
        "fr": "« {0} » proposé {1} fois, pris {2} fois, l'a fait avancer {3} fois",
    },
    "aim-no-mover": {"en": "no action moves it directly", "fr": "aucune action ne le change directement"},
    "control": {
        "en": "random players won {0} of {1}",
        "fr": "des joueurs au hasard ont gagné {0} parties sur {1}",
    },
    "made-of": {
        "en": "program {0}, fcb {1}, seeds from {2}{3}",
        "fr": "programme {0}, fcb {1}, graines à partir de {2}{3}",
    },
    "is-win": {"en": "win", "fr": "victoire"},
    "is-lose": {"en": "lose", "fr": "défaite"},
    "is-draw": {"en": "draw", "fr": "match nul"},
    "is-fault": {"en": "fault", "fr": "erreur du contenu"},
    "over-at": {"en": "the game is over at: {0}", "fr": "la partie est finie à : {0}"},
    "at-decision": {"en": "decision {0}", "fr": "décision {0}"},
    "seeds": {"en": "seeds to look at: {0}", "fr": "graines à regarder : {0}"},
    "is-shortest": {"en": "shortest", "fr": "la plus courte"},
    "is-typical": {"en": "typical", "fr": "typique"},
    "is-longest": {"en": "longest", "fr": "la plus longue"},
    "is-closest": {"en": "closest", "fr": "la plus serrée"},
    "wins-of": {"en": "wins: {0}", "fr": "victoires : {0}"},
    "done-without": {"en": "without {0}", "fr": "sans {0}"},
    "from-to": {"en": "{0} to {1}", "fr": "de {0} à {1}"},
    "track-ended": {"en": "{0} at the end: {1}", "fr": "{0} à la fin : {1}"},
    "track-ran": {
        "en": "after 0, 1, 2 … parts ({1}): {0}",
        "fr": "après 0, 1, 2 … étapes ({1}) : {0}",
    },
    "and-more": {"en": "and {0} more, in --format json", "fr": "et {0} de plus, dans --format json"},
    "used-most": {
        "en": "used most (times a game; offered a game; effects that changed something; won with it, without it):",
        "fr": "le plus utilisé (fois par partie ; proposé par partie ; effets qui ont changé quelque chose ; "
        "gagné avec, sans) :",
    },
    "turned-up": {
        "en": "chosen by nobody (effects a game; those that changed something; won with it, without it):",
        "fr": "choisi par personne (effets par partie ; ceux qui ont changé quelque chose ; gagné avec, sans) :",
    },
    "what-happened": {
        "en": "what happened (times a game; in games):",
        "fr": "ce qui est arrivé (fois par partie ; parties) :",
    },
    "is-silent": {"en": "never happened:", "fr": "jamais arrivé :"},
    "what-changed": {
        "en": "what was lost or gained by others' doing (a game):",
        "fr": "ce qui a été perdu ou gagné du fait d'autrui (par partie) :",
    },
    "changed-by": {"en": "{0}, by {1}: {2}", "fr": "{0}, par {1} : {2}"},
    "with-care": {
        "en": "What wins may be used because one is winning: compare such rates with care. What nobody chooses turns "
        "up more often in longer games.",
        "fr": "Ce qui accompagne la victoire sert peut-être parce qu'on gagne déjà : comparez ces taux avec prudence. "
        "Ce que personne ne choisit survient plus souvent dans une longue partie.",
    },
}  # fmt: skip

COUNTED: dict[str, dict[str, tuple[str, str]]] = {
    "games": {"en": ("1 game", "{0} games"), "fr": ("{0} partie", "{0} parties")},
    "players": {"en": ("1 player", "{0} players"), "fr": ("{0} joueur", "{0} joueurs")},
    "decisions": {"en": ("1 decision", "{0} decisions"), "fr": ("{0} décision", "{0} décisions")},
    "names": {"en": ("1 name was", "{0} names were"), "fr": ("{0} nom a été écarté", "{0} noms ont été écartés")},
    "lines": {"en": ("1 line", "{0} lines"), "fr": ("{0} ligne", "{0} lignes")},
    "cells": {
        "en": ("1 cell was", "{0} cells were"),
        "fr": ("{0} cellule n'a pas été commencée", "{0} cellules n'ont pas été commencées"),
    },
}
"""One of something, and several. In French 0 is one of them."""


def say(language: str, word: str, *parts: str) -> str:
    """Return a phrase of a report, in English where the language is not known; with French spacing."""
    texts = WORDS[word]
    return spaced(language, texts.get(language, texts["en"])).format(*parts)


def counted(language: str, word: str, number: int) -> str:
    """So many of something."""
    texts = COUNTED[word]
    one, several = texts.get(language, texts["en"])
    single = number == 1 or (language == "fr" and number == 0)
    return (one if single else several).format(grouped(language, number))


def grouped(language: str, number: int) -> str:
    """A number with its thousands set apart."""
    return f"{number:,}".replace(",", NB) if language == "fr" else f"{number:,}"


def percent(language: str, share: float) -> str:
    """A share in whole per cent."""
    return f"{share * 100:.0f}{NB if language == 'fr' else ''}%"


def average(language: str, value: float) -> str:
    """A number with one decimal."""
    return f"{value:.1f}".replace(".", ",") if language == "fr" else f"{value:.1f}"


def points(language: str, worth: Worth) -> str:
    """What a name is worth in points of a hundred, with its interval."""
    shift = worth.wins
    return say(language, "points", *(signed(share) for share in (shift.value, shift.low, shift.high)))


def worths_note(language: str, names: int, side: str) -> str:
    """What is to be known of what so many names are worth, left be by a side (its title; empty: by everybody)."""
    by = say(language, "by-side", side) if side else say(language, "by-everybody")
    return say(language, "worth-says", counted(language, "names", names), by)


def signed(share: float) -> str:
    """A difference in whole points of a hundred, with its sign."""
    return f"{'+' if share > 0 else '−' if share < 0 else '±'}{abs(round(100 * share))}"


def spaced(language: str, text: str) -> str:
    """French has narrow spaces before high signs of punctuation; elsewhere only a per cent sign keeps its number."""
    signs = ";:!?%" if language == "fr" else "%"
    for sign in signs:
        text = text.replace(f" {sign}", f"{NB}{sign}")
    return text
