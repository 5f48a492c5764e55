"""The few words of the table's own voice, in each language. Everything else is named by the program's texts."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "nothing": {"en": "nothing", "fr": "rien"},
    "decline": {"en": "None", "fr": "Aucun choix"},
    "done": {"en": "Done", "fr": "Terminé"},
    "yes": {"en": "Yes", "fr": "Oui"},
    "won": {"en": "{0} was won", "fr": "{0} : mission gagnée"},
    "lost": {"en": "{0} was lost", "fr": "{0} : mission perdue"},
    "drawn": {"en": "{0} ended in a draw", "fr": "{0} : partie nulle"},
    "won-by": {"en": "{0} was won by {1}", "fr": "{0} : victoire, {1}"},
    "mission": {"en": "{0}: how did the mission end?", "fr": "{0} : comment la mission s'est-elle terminée ?"},
    "no": {"en": "No", "fr": "Non"},
    "player": {"en": "Player {0}", "fr": "Joueur {0}"},
    "team": {"en": "The team", "fr": "L'équipe"},
    "of": {"en": "{0} of {1}", "fr": "{0} : {1}"},
    "side": {"en": "{0} side {1}", "fr": "{0} côté {1}"},
    "direction": {"en": "direction {0}", "fr": "direction {0}"},
    "choose": {"en": "{0}: choose.", "fr": "{0} : choisissez."},
    "choose-what": {"en": "{0}: choose {1}.", "fr": "{0} : choisissez ({1})."},
    "choose-more": {"en": "{0}: choose more (so far: {1}).", "fr": "{0} : choisissez encore (déjà : {1})."},
    "option": {"en": "{0}: choose one.", "fr": "{0} : choisissez une option."},
    "action": {"en": "{0}: choose an action.", "fr": "{0} : choisissez une action."},
    "react": {"en": "{0}: react?", "fr": "{0} : réagir ?"},
    "because": {"en": "Why: {0}", "fr": "Pourquoi : {0}"},
    "does": {"en": "{0}: {1}", "fr": "{0} : {1}"},
    "with": {"en": "{0}: {1} – {2}", "fr": "{0} : {1} – {2}"},
    "changes": {"en": "{0}: {1} {2} → {3}", "fr": "{0} : {1} {2} → {3}"},
    "becomes-from": {"en": "{0} {1} → {2}", "fr": "{0} {1} → {2}"},
    "times": {"en": "{0} (×{1})", "fr": "{0} (×{1})"},
    "moves-to": {"en": "{0} → {1}", "fr": "{0} → {1}"},
    "leaves": {"en": "{0} leaves play", "fr": "{0} quitte le jeu"},
    "rolls": {"en": "{0}: {1}", "fr": "{0} : {1}"},
    "picks": {"en": "chance picks {0}", "fr": "le hasard désigne {0}"},
    "becomes": {"en": "{0} becomes {1}", "fr": "{0} devient {1}"},
    "a-card": {"en": "something", "fr": "quelque chose"},
    "plain": {"en": "plain", "fr": "dégagé"},
    "leads": {"en": "opens up", "fr": "donne accès à"},
    "leads-at-once": {"en": "leads on at once", "fr": "mène aussitôt à"},
    "leads-won": {"en": "won by {0}", "fr": "victoire : {0}"},
    "leads-drawn": {"en": "after a draw", "fr": "après une partie nulle"},
    "leads-lost": {"en": "if it is lost", "fr": "en cas de défaite"},
    "leads-key": {"en": "brings what is needed there", "fr": "apporte ce qu'il y faut"},
    "win": {"en": "Won", "fr": "Victoire"},
    "lose": {"en": "Lost", "fr": "Défaite"},
    "draw": {"en": "Drawn", "fr": "Partie nulle"},
    "fault": {"en": "Stopped by a fault of the content", "fr": "Arrêt : le contenu est fautif"},
    "stuck": {"en": "There is nothing left to do", "fr": "Il n'y a plus rien à faire"},
    "due": {"en": "Next, {0}: fcb campaign play", "fr": "À jouer, {0} : fcb campaign play"},
    "open": {"en": "Not over", "fr": "En cours"},
    "help": {
        "en": "NUMBER takes an option · b board · l log · u take back · s save the log and leave · q leave · ? help",
        "fr": "NOMBRE choisit · b plateau · l journal · u annuler · s sauver et quitter · q quitter · ? aide",
    },
    "prompt": {"en": "1–{0}, or ? for help: ", "fr": "1–{0}, ou ? pour l'aide : "},
    "no-option": {"en": "There is no option {0}.", "fr": "Il n'y a pas d'option {0}."},
    "no-command": {"en": "{0} is no number and no command. {1}", "fr": "{0} n'est ni un nombre ni une commande. {1}"},
    "nothing-back": {"en": "There is nothing to take back.", "fr": "Il n'y a rien à annuler."},
    "shown-since": {
        "en": "That can't be taken back: chance or something secret has shown since.",
        "fr": "Impossible d'annuler : le hasard ou un secret s'est révélé depuis.",
    },
    "left": {"en": "Left; the log is kept in {0}.", "fr": "Partie quittée ; le journal est dans {0}."},
    "left-only": {"en": "Left.", "fr": "Partie quittée."},
    "begins": {"en": "{0} (players: {1}, seed: {2})", "fr": "{0} (joueurs : {1}, graine : {2})"},
}


def say(language: str, word: str, *parts: str) -> str:
    """Return a phrase of the table, in English where the language is not known."""
    texts = WORDS[word]
    return texts.get(language, texts["en"]).format(*parts)
