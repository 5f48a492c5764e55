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
    "which": {"en": "{0}: which {1}?", "fr": "{0} : choisissez ({1})."},
    "which-space": {"en": "{0}: which space?", "fr": "{0} : quelle case ?"},
    "which-player": {"en": "{0}: which player?", "fr": "{0} : quel joueur ?"},
    "which-number": {"en": "{0}: how many?", "fr": "{0} : combien ?"},
    "for": {"en": "{0} – for {1}", "fr": "{0} – pour {1}"},
    "alone": {
        "en": "{0}, alone at the screen? Enter shows it: ",
        "fr": "{0}, à l'écran sans témoin ? Entrée l'affiche : ",
    },
    "choose-more": {"en": "{0}: choose more (so far: {1}).", "fr": "{0} : choisissez encore (déjà : {1})."},
    "option": {"en": "{0}: choose one.", "fr": "{0} : choisissez une option."},
    "action": {"en": "{0}: choose an action.", "fr": "{0} : choisissez une action."},
    "react": {"en": "{0}: react?", "fr": "{0} : réagir ?"},
    "chooses": {"en": "{0} chooses: {1}", "fr": "{0} choisit : {1}"},
    "and-more": {"en": "{0} and {1} more", "fr": "{0} et {1} de plus"},
    "because": {"en": "Why: {0}", "fr": "Pourquoi : {0}"},
    "does": {"en": "{0}: {1}", "fr": "{0} : {1}"},
    "with": {"en": "{0}: {1} – {2}", "fr": "{0} : {1} – {2}"},
    "changes": {"en": "{0} {1} → {2}", "fr": "{0} {1} → {2}"},
    "becomes-that": {"en": "{0} {1}", "fr": "{0} {1}"},
    "ends": {"en": "{0} {1} → –", "fr": "{0} {1} → –"},
    "colon": {"en": ":", "fr": " :"},
    "semicolon": {"en": "; ", "fr": " ; "},
    "turns": {"en": "{0} → {1}", "fr": "{0} → {1}"},
    "no-more": {"en": "no longer {0}", "fr": "n'est plus {0}"},
    "times": {"en": "{0} (×{1})", "fr": "{0} (×{1})"},
    "moves-to": {"en": "{0} → {1}", "fr": "{0} → {1}"},
    "leaves": {"en": "{0} leaves play", "fr": "{0} quitte le jeu"},
    "rolls": {"en": "{0}: {1}", "fr": "{0} : {1}"},
    "picks": {"en": "chance picks {0}", "fr": "le hasard désigne {0}"},
    "becomes": {"en": "{0} becomes {1}", "fr": "{0} devient {1}"},
    "a-card": {"en": "something", "fr": "quelque chose"},
    "is-open": {"en": "{0}, open", "fr": "{0} (ouvert)"},
    "is-shut": {"en": "{0}, shut", "fr": "{0} (fermé)"},
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
    "over": {
        "en": "{0}: {1} (decisions: {2}, seed: {3}, state: {4})",
        "fr": "{0} : {1} (décisions : {2}, graine : {3}, état : {4})",
    },
    "open": {"en": "Not over", "fr": "En cours"},
    "help": {
        "en": "NUMBER or NAME takes an option · >SPACE goes there (>WHO SPACE) · ?CARD reads a card · m mission · "
        "b board · l log · u take back · s save the log and leave · q leave · ? help",
        "fr": "NOMBRE ou NOM choisit · >CASE y va (>QUI CASE) · ?CARTE lit une carte · m mission · b plateau · "
        "l journal · u annuler · s sauver et quitter · q quitter · ? aide",
    },
    "prompt": {"en": "1–{0}, or ? for help: ", "fr": "1–{0}, ou ? pour l'aide : "},
    "which-one": {"en": "Which one: {0}?", "fr": "Quel choix : {0} ?"},
    "no-option": {"en": "There is no option {0}.", "fr": "Il n'y a pas d'option {0}."},
    "no-command": {"en": "{0} is no option and no command. {1}", "fr": "{0} n'est ni un choix ni une commande. {1}"},
    "no-card": {"en": "No card is called {0}.", "fr": "Aucune carte ne s'appelle {0}."},
    "which-card": {"en": "Which one: {0}?", "fr": "Laquelle : {0} ?"},
    "no-sources": {
        "en": "Cards are read where the sources are: without --program.",
        "fr": "Les cartes se lisent là où sont les sources : sans --program.",
    },
    "no-space": {"en": "There is no space {0}.", "fr": "Il n'y a pas de case {0}."},
    "which-piece": {"en": "Who goes: {0}? (>WHO SPACE)", "fr": "Qui y va : {0} ? (>QUI CASE)"},
    "no-piece": {"en": "Nobody who may go now is called {0}.", "fr": "Personne qui puisse y aller ne s'appelle {0}."},
    "no-way": {
        "en": "{0} can't get to {1} by one action again and again, with nothing rolled, drawn or asked of others.",
        "fr": "{0} ne peut atteindre {1} par une même action répétée, sans dé, sans pioche, sans question aux autres.",
    },
    "by-hand": {
        "en": "At the table: you roll and draw, and say what it was; an empty line leaves it to fcb. What is laid out "
        "at the beginning, or comes from a pile just shuffled anew, fcb says: lay it out so. u takes anything back; "
        "=WHO SPACE, =TRACK N, =WHO STAT N and =STAT N correct the position.",
        "fr": "À table : lancez et piochez, puis dites ce que c'était ; une ligne vide laisse faire fcb. Ce qui est "
        "disposé au début, ou vient d'une pile tout juste remélangée, fcb le dit : disposez-le ainsi. u revient sur "
        "toute étape ; =QUI CASE, =PISTE N, =QUI STAT N et =STAT N corrigent la position.",
    },
    "by-lot": {
        "en": "By lot: draw or roll for it, and say what it was.",
        "fr": "Au hasard : tirez au sort, et dites quoi.",
    },
    "set-up": {"en": "Set up the table:", "fr": "Mise en place :"},
    "set-up-piece": {"en": "{0} → {1}.", "fr": "{0} → {1}."},
    "set-up-track": {"en": "“{0}” stands at {1}.", "fr": "« {0} » est à {1}."},
    "set-up-number": {"en": "{0}.", "fr": "{0}."},
    "set-up-pile": {"en": "{0}: {1}, shuffled, face down.", "fr": "{0} : {1}, à mélanger, face cachée."},
    "set-up-cards": {"en": "{0}: {1}.", "fr": "{0} : {1}."},
    "set-up-otherwise": {
        "en": "Whatever lies otherwise on your table, say it now or whenever you see it: =WHO SPACE, =TRACK N, "
        "=WHO STAT N, =STAT N.",
        "fr": "Ce qui est autrement sur votre table, dites-le maintenant ou dès que vous le voyez : =QUI CASE, "
        "=PISTE N, =QUI STAT N, =STAT N.",
    },
    "roll-by-hand": {"en": "Roll: {0}. What does it show?", "fr": "Lancez : {0}. Que montre le dé ?"},
    "draw-by-hand": {"en": "Draw from: {0}. Which card is it?", "fr": "Piochez dans : {0}. Quelle carte est-ce ?"},
    "turn-by-hand": {"en": "Turn up: {0}. What is it?", "fr": "Retournez : {0}. Qu'est-ce ?"},
    "prompt-card": {"en": "Its name, or a part of it: ", "fr": "Son nom, ou une partie : "},
    "no-card-there": {"en": "No card called {0} can lie there.", "fr": "Aucune carte appelée {0} ne peut s'y trouver."},
    "no-piece-there": {"en": "Nothing in play is called {0}.", "fr": "Rien en jeu ne s'appelle {0}."},
    "corrected": {"en": "Corrected: {0}.", "fr": "Corrigé : {0}."},
    "correct-how": {
        "en": "A correction is =WHO SPACE, =TRACK N, =WHO STAT N, or =STAT N of the game itself.",
        "fr": "On corrige par =QUI CASE, =PISTE N, =QUI STAT N, ou =STAT N pour le jeu lui-même.",
    },
    "nothing-back": {"en": "There is nothing to take back.", "fr": "Il n'y a rien à annuler."},
    "shown-since": {
        "en": "That can't be taken back: chance or something secret has shown since.",
        "fr": "Impossible d'annuler : le hasard ou un secret s'est révélé depuis.",
    },
    "left": {"en": "Left; the log is kept in {0}.", "fr": "Partie quittée ; le journal est dans {0}."},
    "left-only": {"en": "Left.", "fr": "Partie quittée."},
    "page-board": {"en": "The board after this step", "fr": "Le plateau après cette étape"},
    "page-back": {"en": "Back", "fr": "Reculer"},
    "page-on": {"en": "Forward", "fr": "Avancer"},
    "page-why": {"en": "Why?", "fr": "Pourquoi ?"},
    "page-step": {"en": "Step", "fr": "Étape"},
    "page-keys": {"en": "← and → go from step to step.", "fr": "← et → vont d'une étape à l'autre."},
    "begins": {"en": "{0} (players: {1}, seed: {2})", "fr": "{0} (joueurs : {1}, graine : {2})"},
}


def say(language: str, word: str, *parts: str) -> str:
    """Return a phrase of the table, in English where the language is not known."""
    texts = WORDS[word]
    return texts.get(language, texts["en"]).format(*parts)
