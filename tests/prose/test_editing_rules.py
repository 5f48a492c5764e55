"""Each rule of `docs/wording.md`, on a card that needs it."""

from __future__ import annotations

from functools import cache
from textwrap import indent

import pytest
import small_vocabulary as v
from card_shop import made_of

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Kind, Name
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import clause, rules_text

HABITS: list[tuple[str, str, str, str]] = [
    (
        "what is not oneself is another",
        "when enemy attacks ally except self: Downgrade",
        "When an enemy attacks another ally: **Downgrade** the attack die.",
        "Quand un ennemi attaque un autre allié : **Détériorez** le dé d’attaque.",
    ),
    (
        "… and if the condition says so; an adjective stands with its noun",
        "when enemy attacks ally, if ally is not self and enemy is wounded: Downgrade",
        "When a wounded enemy attacks another ally: **Downgrade** the attack die.",
        "Quand un ennemi blessé attaque un autre allié : **Détériorez** le dé d’attaque.",
    ),
    (
        "what is asked of whom an event names last stands behind him",
        "when ally attacks enemy, if enemy within 2 of self and ally is not self: Downgrade",
        "When another ally attacks an enemy within Range 2 of you: **Downgrade** the attack die.",
        "Quand un autre allié attaque un ennemi à Portée 2 de vous : **Détériorez** le dé d’attaque.",
    ),
    (
        "… but of nobody in the middle of the event",
        "when enemy attacks ally, if enemy within 2 of self: Downgrade",
        "When an enemy attacks an ally, if that enemy is within Range 2 of you: **Downgrade** the attack die.",
        "Quand un ennemi attaque un allié, si cet ennemi est à Portée 2 de vous : **Détériorez** le dé d’attaque.",
    ),
    (
        "… unless the rule acts before the event, when nothing has moved",
        "before enemy attacks ally, if enemy within 2 of self: Downgrade",
        "When an enemy within Range 2 of you attacks an ally, first: **Downgrade** the attack die.",
        "Quand un ennemi à Portée 2 de vous attaque un allié, d’abord : **Détériorez** le dé d’attaque.",
    ),
    (
        "… and a place after the event stands behind it",
        "when enemy is knocked out, if enemy within 2 of self: Heal self 1",
        "When an enemy is knocked out within Range 2 of you: **Heal** 1 HP.",
        "Quand un ennemi est mis K.O. à Portée 2 de vous : **Récupérez** 1 PV.",
    ),
    (
        "… nor what is asked of two",
        "when enemy attacks ally, if ally is adjacent to enemy: Downgrade",
        "When an enemy attacks an ally, if that ally is adjacent to that enemy: **Downgrade** the attack die.",
        "Quand un ennemi attaque un allié, si cet allié est adjacent à cet ennemi : **Détériorez** le dé d’attaque.",
    ),
    (
        "… nor a condition on more than who it is",
        "when enemy attacks ally, if ally is wounded or self is wounded: Downgrade",
        "When an enemy attacks an ally, if that ally is wounded or you are wounded: **Downgrade** the attack die.",
        "Quand un ennemi attaque un allié, si cet allié est blessé ou si vous êtes blessé : **Détériorez** le dé "
        "d’attaque.",
    ),
    (
        "another than one who is known",
        "when enemy attacks ally:\n  choose foe: enemy adjacent to ally where it is not enemy\n  Push foe\n  Pull foe",
        "When an enemy attacks an ally: **Push** another enemy adjacent to that ally, then **Pull** that other enemy.",
        "Quand un ennemi attaque un allié : **Poussez** un autre ennemi adjacent à cet allié, puis **Attirez** "
        "cet autre ennemi.",
    ),
    (
        "what an event does not name is told of behind it",
        "when self attacks unit, if strike is from afar: Upgrade",
        "When you attack with a Ranged weapon: **Upgrade** the attack die.",
        "Quand vous attaquez avec une arme à distance : **Surclassez** le dé d’attaque.",
    ),
    (
        "… and what it is not",
        "when self attacks unit, if strike is not from afar: Upgrade",
        "When you attack without a Ranged weapon: **Upgrade** the attack die.",
        "Quand vous attaquez sans arme à distance : **Surclassez** le dé d’attaque.",
    ),
    (
        "a marked space has a name of its own",
        "when ally enters space, if space marked exit: Heal ally 1",
        "When an ally enters an Exit: **Heal** that ally by 1 HP.",
        "Quand un allié entre sur une Sortie : **Rendez** 1 PV à cet allié.",
    ),
    (
        "whose space is marked stands on the mark",
        "when round ends, if self marked exit: Heal self 1",
        "At the end of the round, if you are on an Exit: **Heal** 1 HP.",
        "À la fin de la manche, si vous êtes sur une Sortie : **Récupérez** 1 PV.",
    ),
    (
        "what a space bears is told of the space",
        "when self enters space, if crate on space > 0: Heal self 1",
        "When you enter a space with a Loot token: **Heal** 1 HP.",
        "Quand vous entrez sur une case avec un jeton Objet : **Récupérez** 1 PV.",
    ),
    (
        "what another chooses in a row is said once of him",
        "when ally attacks enemy:\n  choose prey: enemy adjacent to self, by ally\n"
        "  choose spot: space where it is free, by ally\n  place prey on spot",
        "When an ally attacks an enemy: that ally chooses an enemy adjacent to you and a free space; place the "
        "chosen enemy on that space.",
        "Quand un allié attaque un ennemi : cet allié choisit un ennemi adjacent à vous et une case libre ; placez "
        "l’ennemi choisi sur cette case.",
    ),
    (
        "an event that several rules wait for is said once",
        "when round ends, if self is wounded: Heal self 1\nwhen round ends: Guard self\n"
        "when player turn starts: Guard self",
        "At the end of the round:\n• If you are wounded, **Heal** 1 HP.\n• Gain **Shield 1**.\n"
        "At the start of the player turn: gain **Shield 1**.",
        "À la fin de la manche :\n• Si vous êtes blessé, **Récupérez** 1 PV.\n• Gagnez **Bouclier 1**.\n"
        "Au début du tour des joueurs : gagnez **Bouclier 1**.",
    ),
    (
        "what is cancelled has a name",
        "before enemy hits self: cancel",
        "When an enemy hits you, first: cancel that hit.",
        "Quand un ennemi vous touche, d’abord : annulez ce coup.",
    ),
    (
        "what is prevented would have come about",
        "instead of self is knocked out: Heal self 1",
        "If you would be knocked out, **Heal** 1 HP instead.",
        "Si vous deviez être mis K.O., **Récupérez** 1 PV à la place.",
    ),
    (
        "… if something is so, which is not said by a second if",
        "instead of self is knocked out, if self is wounded: Heal self 1",
        "If you would be knocked out while you are wounded, **Heal** 1 HP instead.",
        "Si vous deviez être mis K.O. alors que vous êtes blessé, **Récupérez** 1 PV à la place.",
    ),
    (
        "who does it goes without saying if anybody may",
        "before self takes any: amount -1",
        "When you take damage, first: reduce that number by 1.",
        "Quand vous subissez des dégâts, d’abord : réduisez ce nombre de 1.",
    ),
    (
        "… but not if it is read",
        "when self takes any from unit: Push unit",
        "When you take damage from a character: **Push** that character.",
        "Quand vous subissez des dégâts d’un personnage : **Poussez** ce personnage.",
    ),
    (
        "who must be of one definition is called by its title",
        "when gunner is defeated: Heal self 1",
        "When a Gunner is defeated: **Heal** 1 HP.",
        "Quand un Artilleur est éliminé : **Récupérez** 1 PV.",
    ),
    (
        "… before and instead of an event, too",
        "before gunner hits self: cancel\ninstead of gunner is knocked out: Heal gunner 1",
        "When a Gunner hits you, first: cancel that hit.\n"
        "If a Gunner would be knocked out, **Heal** that Gunner by 1 HP instead.",
        "Quand un Artilleur vous touche, d’abord : annulez ce coup.\n"
        "Si un Artilleur devait être mis K.O., **Rendez** 1 PV à cet Artilleur à la place.",
    ),
    (
        "… with all else that is asked of it",
        "when gunner adjacent to self attacks ally: Heal self 1",
        "When a Gunner adjacent to you attacks an ally: **Heal** 1 HP.",
        "Quand un Artilleur adjacent à vous attaque un allié : **Récupérez** 1 PV.",
    ),
    (
        "… and if another is of it",
        "when self attacks unit, if unit is gunner: Upgrade",
        "When you attack a Gunner: **Upgrade** the attack die.",
        "Quand vous attaquez un Artilleur : **Surclassez** le dé d’attaque.",
    ),
    (
        "… or is not",
        "when enemy is knocked out, if enemy is not gunner: Heal self 1",
        "When an enemy is knocked out, if that enemy is not a Gunner: **Heal** 1 HP.",
        "Quand un ennemi est mis K.O., si cet ennemi n’est pas un Artilleur : **Récupérez** 1 PV.",
    ),
    (
        "a number that is replaced is told as it is replaced",
        "before self takes any: amount becomes amount * 2\nbefore self takes any: amount becomes amount / 2\n"
        "before self takes any: amount becomes 3 * amount - 1\nbefore self takes any: amount becomes 1",
        "When you take damage, first:\n• Double that number.\n• Halve that number (rounded down).\n"
        "• That number becomes (3 times that number) minus 1.\n• That number becomes 1.",
        "Quand vous subissez des dégâts, d’abord :\n• Doublez ce nombre.\n"
        "• Divisez ce nombre par deux (arrondi à l’inférieur).\n"
        "• Ce nombre devient (3 fois ce nombre) moins 1.\n• Ce nombre devient 1.",
    ),
    (
        "what is asked of whom the words of an event leave out is a condition",
        "when self takes any, if self is wounded: Heal self 1",
        "When you take damage, if you are wounded: **Heal** 1 HP.",
        "Quand vous subissez des dégâts, si vous êtes blessé : **Récupérez** 1 PV.",
    ),
]
"""A rule, a trigger of a card, and its wording in each language."""

EFFECTS: list[tuple[str, str, str, str]] = [
    (
        "who is told where he stands is on the board",
        "choose foe: enemy on board where it within 2 of self and it is wounded\nPush foe",
        "**Push** a wounded enemy within Range 2 of you.",
        "**Poussez** un ennemi blessé à Portée 2 de vous.",
    ),
    (
        "… and so is who is told by what lies beside him, but not who is told by what he is",
        "for each enemy on board where it is wounded: Push enemy",
        "**Push** each wounded enemy on the board.",
        "**Poussez** chaque ennemi blessé sur le plateau.",
    ),
    (
        "what there is none of is said in one",
        "if no enemy and no fixture: Heal self 1",
        "If there is no enemy and no fixture, **Heal** 1 HP.",
        "S’il n’y a aucun ennemi ni aucune installation, **Récupérez** 1 PV.",
    ),
    (
        "… but not a choice of what there is none of",
        "if no enemy or no fixture: Heal self 1",
        "If there is no enemy or no fixture, **Heal** 1 HP.",
        "S’il n’y a aucun ennemi ou s’il n’y a aucune installation, **Récupérez** 1 PV.",
    ),
    (
        "whom two conditions are about is named once",
        "for each enemy: if enemy is wounded or enemy within 2 of self: Push enemy",
        "For each enemy, if that enemy is wounded or is within Range 2 of you, **Push** that enemy.",
        "Pour chaque ennemi, si cet ennemi est blessé ou est à Portée 2 de vous, **Poussez** cet ennemi.",
    ),
    (
        "a label that says the verb alone goes without saying",
        'choose one:\n  "Heal", fr "Récupérer": Heal self 1\n  "Push", fr "Pousser":\n'
        "    choose foe: enemy\n    Push foe",
        "Choose one:\n• **Heal** 1 HP.\n• **Push** an enemy.",
        "Au choix :\n• **Récupérez** 1 PV.\n• **Poussez** un ennemi.",
    ),
    (
        "… but not if another tells more",
        'choose one:\n  "Heal", fr "Soigner": Heal self 1\n  "Away", fr "Au loin":\n'
        "    choose foe: enemy\n    Push foe",
        "Choose one:\n• Heal: **Heal** 1 HP.\n• Away: **Push** an enemy.",
        "Au choix :\n• Soigner : **Récupérez** 1 PV.\n• Au loin : **Poussez** un ennemi.",
    ),
    (
        "what is required is said once",
        "require self is wounded\nrequire not adrift\nHeal self 1",
        "Only if you are wounded and you are not in the middle of a jump. **Heal** 1 HP.",
        "Seulement si vous êtes blessé et si vous n’êtes pas en plein saut. **Récupérez** 1 PV.",
    ),
    (
        "three conditions are a list",
        "require self is wounded and self marked exit and not adrift\nHeal self 1",
        "Only if you are wounded, you are on an Exit and you are not in the middle of a jump. **Heal** 1 HP.",
        "Seulement si vous êtes blessé, si vous êtes sur une Sortie et si vous n’êtes pas en plein saut. "
        "**Récupérez** 1 PV.",
    ),
    (
        "a choice in a choice stands apart",
        "if self is wounded and (self marked exit or self marked gate): Heal self 1",
        "If you are wounded, and you are on an Exit or you are on a Gate, **Heal** 1 HP.",
        "Si vous êtes blessé, et si vous êtes sur une Sortie ou si vous êtes sur une Entrée, **Récupérez** 1 PV.",
    ),
    (
        "one of a rank that is told of twice is chosen first",
        "choose prey: standing-hero, by most HP\nPush prey 2 from prey's place",
        "Choose the standing hero with the highest HP. **Push** that hero by 2 spaces away from that hero’s space.",
        "Choisissez le héros debout ayant le plus de PV. **Poussez** ce héros de 2 cases à l’opposé de la case de "
        "ce héros.",
    ),
    (
        "who stands within a radius needs no spaces",
        "for each unit on (area of self radius 2): wound unit",
        "Deal 1 damage to each character within Radius 2 of you.",
        "Infligez 1 dégât à chaque personnage dans un Rayon 2 autour de vous.",
    ),
    (
        "in French, who is on a space is present there",
        "for each unit on self's place: wound unit",
        "Deal 1 damage to each character on your space.",
        "Infligez 1 dégât à chaque personnage présent sur votre case.",
    ),
    (
        "… but not where the text only says that somebody is there",
        "if any enemy on self's place: Heal self 1",
        "If there is an enemy on your space, **Heal** 1 HP.",
        "S’il y a un ennemi sur votre case, **Récupérez** 1 PV.",
    ),
    (
        "a choice is named in what is tried, if it comes last there",
        "choose foe: enemy within 3 of self where it is in sight of self\nStun foe\nthen: Push foe",
        "**Stun** an enemy within Range 3 of you and in your line of sight. If that succeeds, **Push** that enemy.",
        "**Assommez** un ennemi à Portée 3 de vous et dans votre ligne de vue. En cas de succès, **Poussez** cet "
        "ennemi.",
    ),
    (
        "each of the spaces is each space",
        "for each space in area of self radius 2: clear fire from space",
        "Remove a Fire token from each space within Radius 2 of you.",
        "Retirez un jeton Feu de chaque case dans un Rayon 2 autour de vous.",
    ),
    (
        "what somebody has of a sort is his",
        "for each weapon in weapons of self: Ready weapon",
        "**Ready** each of your Weapons.",
        "**Apprêtez** chacune de vos armes.",
    ),
    (
        "… and one of it",
        "choose arm: weapon in weapons of self\nReady arm",
        "**Ready** one of your Weapons.",
        "**Apprêtez** une de vos armes.",
    ),
    (
        "whoever stands on a space is where that is",
        "for each enemy where it's place is adjacent to self: Push enemy",
        "**Push** each enemy adjacent to you.",
        "**Poussez** chaque ennemi adjacent à vous.",
    ),
    (
        "a relation has its own words for what is not so",
        "choose spot: space where it is free and it not filled with obstacle, at random\nMine spot",
        "Pick **at random** a free space without an obstacle. Place a **Mine** on that space.",
        "Désignez **au hasard** une case libre sans obstacle. Placez une **Mine** sur cette case.",
    ),
    (
        "what is done again is said once",
        "Heal self 1\nHeal self 1\nHeal self 1\nGuard self\nGuard self",
        "3 times: **Heal** 1 HP. Twice: gain **Shield 1**.",
        "3 fois : **Récupérez** 1 PV. Deux fois : gagnez **Bouclier 1**.",
    ),
    (
        "who is placed places himself",
        "choose spot: space marked exit\nplace self on spot",
        "Place yourself on an Exit.",
        "Placez-vous sur une Sortie.",
    ),
    (
        "one of either sort is one or the other",
        "if any enemy where it is wounded or it is elevated: Heal self 1",
        "If there is a wounded enemy or an elevated enemy, **Heal** 1 HP.",
        "S’il y a un ennemi blessé ou un ennemi surélevé, **Récupérez** 1 PV.",
    ),
    (
        "more than 3 is at least 4",
        "if range from self to self's target > 3: Heal self 1",
        "If the distance from you to the target is at least 4, **Heal** 1 HP.",
        "Si votre distance à la cible est d’au moins 4, **Récupérez** 1 PV.",
    ),
    (
        "who is told of at length stands apart from what follows",
        "choose target: unit within 4 of self where it is in sight of self and it is not self\nPull target 3",
        "Choose another character within Range 4 of you and in your line of sight. **Pull** that character by 3 "
        "spaces.",
        "**Attirez** de 3 cases un autre personnage à Portée 4 de vous et dans votre ligne de vue.",
    ),
    (
        "a ground by which spaces are chosen is what they are called",
        "for each obstacle within 2 of self: clear fire from obstacle",
        "Remove a Fire token from each obstacle within Range 2 of you.",
        "Retirez un jeton Feu de chaque obstacle à Portée 2 de vous.",
    ),
    (
        "what the reader may leave he does, or not",
        "may Push self's target\nthen: Heal self 1",
        "You may **Push** the target. If you do, **Heal** 1 HP.",
        "Vous pouvez **Pousser** la cible. Dans ce cas, **Récupérez** 1 PV.",
    ),
    (
        "there are so many at least, whatever follows them",
        "if number of (enemy within 2 of self) >= 2: Heal self 1",
        "If there are at least 2 enemies within Range 2 of you, **Heal** 1 HP.",
        "S’il y a au moins 2 ennemis à Portée 2 de vous, **Récupérez** 1 PV.",
    ),
    (
        "a figure has a neighbor",
        "if any enemy adjacent to self where it is wounded: Heal self 1",
        "If you are adjacent to a wounded enemy, **Heal** 1 HP.",
        "Si vous êtes adjacent à un ennemi blessé, **Récupérez** 1 PV.",
    ),
    (
        "… or has none",
        "if no enemy adjacent to self: Heal self 1",
        "If you are not adjacent to an enemy, **Heal** 1 HP.",
        "Si vous n’êtes pas adjacent à un ennemi, **Récupérez** 1 PV.",
    ),
    (
        "what there is is said in one",
        "if (any enemy within 2 of self) or (any loot in bag): Heal self 1",
        "If there is an enemy within Range 2 of you or a Loot card in the team’s bag, **Heal** 1 HP.",
        "S’il y a un ennemi à Portée 2 de vous ou une carte Objet dans le sac de l’équipe, **Récupérez** 1 PV.",
    ),
    (
        "… but what there is not apart from it",
        "if (any enemy within 2 of self) or (no enemy within 4 of self): Heal self 1",
        "If there is an enemy within Range 2 of you or there is no enemy within Range 4 of you, **Heal** 1 HP.",
        "S’il y a un ennemi à Portée 2 de vous ou s’il n’y a aucun ennemi à Portée 4 de vous, **Récupérez** 1 PV.",
    ),
    (
        "what is lacking is lacking in one",
        "choose spot: space where it is free and fire on it = 0 and crate on it = 0\nMine spot",
        "Place a **Mine** on a free space without a Fire token or a Loot token.",
        "Placez une **Mine** sur une case libre sans jeton Feu ni jeton Objet.",
    ),
    (
        "what is chosen is taken from where it lies",
        "choose new: weapon in reserve\nput new into weapons of self\nif any loot in bag: Heal self 1",
        "Put a Weapon from the team’s reserve into your Weapons. If there is a Loot card in the team’s bag, "
        "**Heal** 1 HP.",
        "Mettez une arme de la réserve de l’équipe dans vos armes. S’il y a une carte Objet dans le sac de l’équipe, "
        "**Récupérez** 1 PV.",
    ),
    (
        "a measure with a title is had",
        "if damage of self >= 2: Heal self 1",
        "If you have at least 2 damage, **Heal** 1 HP.",
        "Si vous avez au moins 2 dégâts, **Récupérez** 1 PV.",
    ),
    (
        "what is of a definition is one of it",
        "choose foe: enemy within 2 of self\nif foe is gunner: Heal foe 1\nelse: Push foe",
        "Choose an enemy within Range 2 of you. If that enemy is a Gunner, **Heal** that enemy by 1 HP. Otherwise, "
        "**Push** that enemy.",
        "Choisissez un ennemi à Portée 2 de vous. Si cet ennemi est un Artilleur, **Rendez** 1 PV à cet ennemi. "
        "Sinon, **Poussez** cet ennemi.",
    ),
    (
        "… or another",
        "choose foe: enemy within 2 of self where it is not gunner\nPush foe",
        "**Push** an enemy within Range 2 of you and other than a Gunner.",
        "**Poussez** un ennemi à Portée 2 de vous et autre qu’un Artilleur.",
    ),
    (
        "another than the one chosen is told apart from it",
        "choose target: enemy within 2 of self\n"
        "for each enemy within 1 of target except target:\n  wound enemy\n  wound target",
        "Choose an enemy within Range 2 of you. For each other enemy within Range 1 of that enemy, deal 1 damage to "
        "that other enemy, then deal 1 damage to that enemy.",
        "Choisissez un ennemi à Portée 2 de vous. Pour chaque autre ennemi à Portée 1 de cet ennemi, infligez 1 dégât "
        "à cet autre ennemi, puis infligez 1 dégât à cet ennemi.",
    ),
    (
        "… and so is the one of a loop",
        "choose target: enemy within 2 of self\nfor each enemy within 1 of target:\n  wound enemy\n  wound target",
        "Choose an enemy within Range 2 of you. For each enemy within Range 1 of that enemy, deal 1 damage to that "
        "enemy, then deal 1 damage to the chosen enemy.",
        "Choisissez un ennemi à Portée 2 de vous. Pour chaque ennemi à Portée 1 de cet ennemi, infligez 1 dégât à cet "
        "ennemi, puis infligez 1 dégât à l’ennemi choisi.",
    ),
    (
        "several of a noun are numbered",
        "choose one: enemy within 2 of self\nchoose two: enemy within 3 of one\n"
        "choose three: enemy within 1 of two where it is not one\nPush one\nPull two\nPush three\nPush one\nPush one",
        "Choose an enemy within Range 2 of you. Choose an enemy within Range 3 of that enemy. Choose an enemy within "
        "Range 1 of the second enemy and other than the first enemy. **Push** the first enemy. **Pull** the second "
        "enemy. **Push** the third enemy. Twice: **Push** the first enemy.",
        "Choisissez un ennemi à Portée 2 de vous. Choisissez un ennemi à Portée 3 de cet ennemi. Choisissez un ennemi "
        "à Portée 1 du deuxième ennemi et autre que le premier ennemi. **Poussez** le premier ennemi. **Attirez** le "
        "deuxième ennemi. **Poussez** le troisième ennemi. Deux fois : **Poussez** le premier ennemi.",
    ),
    (
        "the one of an event is not the one chosen before",
        "choose friend: hero within 2 of self where it is not self\n"
        "until round ends:\n  when hero suffers, if hero is friend: Heal self 1",
        "Choose another hero within Range 2 of you. Until the end of the round, when a hero suffers damage, if that "
        "hero is the chosen hero: **Heal** 1 HP.",
        "Choisissez un autre héros à Portée 2 de vous. Jusqu’à la fin de la manche, quand un héros subit des dégâts, "
        "si ce héros est le héros choisi : **Récupérez** 1 PV.",
    ),
    (
        "two results are numbered, and two rolls are no repetition",
        "roll one: orange\nroll two: orange\nif one = two: Heal self 1",
        "Roll the orange die. Roll the orange die. If the first result is the second result, **Heal** 1 HP.",
        "Lancez le dé orange. Lancez le dé orange. Si le premier résultat est le deuxième résultat, "
        "**Récupérez** 1 PV.",
    ),
    (
        "« another » excepts one, and the others are named",
        "choose friend: hero except self\nchoose mate: hero except self where it is not friend\n"
        "Heal friend 1\nHeal mate 1",
        "Choose another hero. Choose another hero other than you. **Heal** that hero by 1 HP. **Heal** that "
        "other hero by 1 HP.",
        "Choisissez un autre héros. Choisissez un autre héros autre que vous. **Rendez** 1 PV à ce héros. "
        "**Rendez** 1 PV à cet autre héros.",
    ),
    (
        "the target of another is not the target",
        "choose foe: enemy within 2 of self\nwound foe's target",
        "Choose an enemy within Range 2 of you. Deal 1 damage to that enemy’s target.",
        "Choisissez un ennemi à Portée 2 de vous. Infligez 1 dégât à la cible de cet ennemi.",
    ),
    (
        "a value that differs where it is used is noted before",
        "let count = number of (enemy within 2 of self)\nfor each enemy within 2 of self: remove enemy\n"
        "wound self count",
        "Note the number of enemies within Range 2 of you. Remove each enemy within Range 2 of you. Take X damage, "
        "where X is the noted value.",
        "Notez le nombre d’ennemis à Portée 2 de vous. Retirez chaque ennemi à Portée 2 de vous. Subissez X dégâts, "
        "X étant la valeur notée.",
    ),
    (
        "… but not one that is the same there",
        "let count = number of (enemy within 2 of self)\nwound self count",
        "Take X damage, where X is the number of enemies within Range 2 of you.",
        "Subissez X dégâts, X étant le nombre d’ennemis à Portée 2 de vous.",
    ),
    (
        "… and so is a space that is left",
        "let from = self's place\nchoose spot: space within 2 of self where it is free\nplace self on spot\n"
        "clear fire from from",
        "Note your space. Place yourself on a free space within Range 2 of you. Remove a Fire token from the noted "
        "space.",
        "Notez votre case. Placez-vous sur une case libre à Portée 2 de vous. Retirez un jeton Feu de la case notée.",
    ),
    (
        "… and a stat that changes",
        "let before = MP\nMP +2\nwound self before",
        "Note your MP. Gain 2 MP. Take X damage, where X is the noted value.",
        "Notez vos PM. Gagnez 2 PM. Subissez X dégâts, X étant la valeur notée.",
    ),
    (
        "… and a sum that grows",
        "let sum = 0\nfor each hero: let sum = sum + hero's HP\nwound self sum",
        "Note 0. For each hero, increase the noted value by X, where X is that hero’s HP. Take X damage, where X is "
        "the noted value.",
        "Notez 0. Pour chaque héros, augmentez la valeur notée de X, X étant les PV de ce héros. Subissez X dégâts, "
        "X étant la valeur notée.",
    ),
    (
        "… and a list that grows",
        "let look = none\nrepeat 3 times:\n  choose next: hero, by HP\n  add next to look\nchoose x: look, or none\n"
        "if x is not nothing: Heal x 1",
        "3 times: choose the hero with the lowest HP, then add that hero to the noted heroes. You may choose a hero "
        "among the noted heroes. If you do, **Heal** that hero by 1 HP.",
        "3 fois : choisissez le héros ayant le moins de PV, puis ajoutez ce héros aux héros notés. Vous pouvez "
        "choisir un héros parmi les héros notés. Dans ce cas, **Rendez** 1 PV à ce héros.",
    ),
]


def card(at: int, lines: str, *, effect: bool) -> str:
    """Return the source of a card."""
    inner = f"  effect:\n{indent(lines, '    ')}\n" if effect else f"{indent(lines, '  ')}\n"
    sort = "loot" if effect else "mutation"
    more = "  type: offense\n" if effect else ""
    return f'{sort} card-{at}{"e" * effect} "Card {at}":\n  fr: "Carte {at}"\n{more}{inner}'


@cache
def shop() -> Model:
    """Return the shipped game with a card for each habit."""
    waiting = [card(at, lines, effect=False) for at, (_, lines, _, _) in enumerate(HABITS)]
    return made_of("".join(waiting + [card(at, lines, effect=True) for at, (_, lines, _, _) in enumerate(EFFECTS)]))


CASES = [
    pytest.param(key, case, id=case[0])
    for sort, cases in (("mutation", HABITS), ("loot", EFFECTS))
    for at, case in enumerate(cases)
    for key in [(sort, f"card-{at}{'e' * (sort == 'loot')}")]
]


@pytest.mark.parametrize(("key", "case"), CASES)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_card_is_worded_like_published_rules(
    key: tuple[str, str], case: tuple[str, str, str, str], language: str
) -> None:
    text = rules_text(shop().definitions[key], shop(), language)
    assert text.problems == ()
    printed = text.marked().replace("\u00a0", " ").replace("\u202f", " ")
    assert printed == case[2 if language == "en" else 3]


@pytest.mark.parametrize(
    ("english", "french", "wins"),
    [
        ("foxes", "renards", ("The foxes win.", "Les renards gagnent.")),
        ("the Foxes", "les Renards", ("The Foxes win.", "Les Renards gagnent.")),
        ("the Crown", "la Couronne", ("The Crown wins.", "La Couronne gagne.")),
        ("the I.S.C", "l’I.S.C", ("The I.S.C wins.", "L’I.S.C gagne.")),
        ("Kosmos", "Kosmos", ("Kosmos wins.", "Kosmos gagne.")),
    ],
)
def test_side_title_that_is_noun_has_article(english: str, french: str, wins: tuple[str, str]) -> None:
    model = v.model()
    several = {"en": english, "fr": french} if english.casefold().endswith("foxes") else {}
    many = {"en": english + "s", "fr": french + "s", **several}
    gender = {"fr": "f" if french.startswith(("la ", "l’")) else "m"}
    model.kinds["team"] = Kind("team", v.THING, v.SPAN)
    named = Name({"en": english, "fr": french}, many, gender)
    model.definitions["team", "side"] = Definition("side", model.kinds["team"], v.SPAN, named)
    end = ir.End("win", ir.Instance("team", "side", 1, v.thing("team"), v.SPAN), {}, v.SPAN)
    body = ir.Body((end,), (("self", v.thing("hero")), ("this", v.thing("card"))))
    assert tuple(rules_text(body, model, code).plain() for code in ("en", "fr")) == wins


ORDERS: list[tuple[str, str]] = [
    ("aim at foes, by HP", "Cibler le personnage joueur ayant le moins de PV."),
    ("get sight of target\nattack target", "Se déplacer jusqu’à voir la cible. Attaquer la cible."),
    ("Push target 2\nPoison target 1", "**Pousser** la cible de 2 cases. La cible subit **Poison 1**."),
    (
        "if self is wounded: spawn gunner at self's place",
        "Si cet ennemi est blessé, faire apparaître un Artilleur sur la case de cet ennemi.",
    ),
    (
        "if self is wounded: nothing\nelse: Push target 2",
        "Si cet ennemi est blessé, ne rien faire. Sinon, **Pousser** la cible de 2 cases.",
    ),
    (
        "choose foe: enemy within 2 of self\nHeal foe 2\nif foe is wounded: Heal self 1",
        "**Rendre** 2 PV à un ennemi à Portée 2 de cet ennemi. Si cet ennemi-là est blessé, **Rendre** 1 PV à cet "
        "ennemi.",
    ),
]
"""Orders of enemy cards, which French words impersonally."""


@cache
def barracks() -> Model:
    """Return the shipped game with an enemy card for each order."""
    cards = [
        f'behavior order-{at} "Order {at}" for gunner:\n  fr: "Ordre {at}"\n  effect:\n{indent(lines, "    ")}\n'
        for at, (lines, _) in enumerate(ORDERS)
    ]
    return made_of("".join(cards))


@pytest.mark.parametrize("at", range(len(ORDERS)))
def test_french_orders_to_figures_use_infinitive(at: int) -> None:
    text = rules_text(barracks().definitions["behavior", f"order-{at}"], barracks(), "fr")
    assert text.problems == ()
    assert text.marked().replace("\u00a0", " ") == ORDERS[at][1]


AIMS: list[tuple[str, str, str]] = [
    (
        "everybody out and no enemy on board and no space where fire on it > 0",
        "Get every standing hero onto an Exit, leave no enemy on the board and leave no Fire token on the board",
        "Amenez tous les héros debout sur une Sortie, ne laissez aucun ennemi sur le plateau et ne laissez aucun "
        "jeton Feu sur le plateau",
    ),
    (
        "everybody out and any enemy on board",
        "Every standing hero is on an Exit and there is an enemy on the board",
        "Tous les héros debout sont sur une Sortie et il y a un ennemi sur le plateau",
    ),
]
"""Goals of a mission as orders, or as states if a part of them cannot be ordered."""


@pytest.mark.long
@pytest.mark.parametrize(("wanted", "english", "french"), AIMS)
def test_objective_is_imperative(wanted: str, english: str, french: str) -> None:
    made = made_of(f'mission ford "The Ford":\n  fr: "Le gué"\n  objective: {wanted}\n')
    body = made.definitions["mission", "ford"].values["objective"].body
    assert body is not None
    answer = body.statements[-1]
    assert isinstance(answer, ir.Answer)
    texts = [clause(answer.value, body.slots, made, code, wanted=True).plain() for code in ("en", "fr")]
    assert [text.replace("\u00a0", " ") for text in texts] == [english, french]
    states = clause(answer.value, body.slots, made, "en").plain()
    assert states.startswith("Every standing hero is on an Exit")


STANDS = [
    ("= 2", "“Flame” is at 2", "« Flamme » est à 2"),
    ("!= 2", "“Flame” is not at 2", "« Flamme » n’est pas à 2"),
    (">= 2", "“Flame” is at 2 or more", "« Flamme » est à 2 ou plus"),
    ("> 2", "“Flame” is at 3 or more", "« Flamme » est à 3 ou plus"),
    ("<= 2", "“Flame” is at 2 or less", "« Flamme » est à 2 ou moins"),
    ("< 2", "“Flame” is below 2", "« Flamme » est au-dessous de 2"),
]
"""Comparisons of a gauge, and their wording."""


@cache
def fords() -> Model:
    """Return a game with a mission for each comparison."""
    missions = [
        f'mission ford-{at} "The Ford {at}":\n  fr: "Le gué {at}"\n  objective: flame-{at}\'s value {compared}\n'
        f'  gauge flame-{at} "Flame":\n    fr: "Flamme"\n    range: 0..3\n'
        for at, (compared, _, _) in enumerate(STANDS)
    ]
    return made_of("".join(missions))


@pytest.mark.parametrize("at", range(len(STANDS)))
def test_track_is_at_its_value(at: int) -> None:
    body = fords().definitions["mission", f"ford-{at}"].values["objective"].body
    assert body is not None
    answer = body.statements[-1]
    assert isinstance(answer, ir.Answer)
    texts = [clause(answer.value, body.slots, fords(), code).plain() for code in ("en", "fr")]
    assert [text.replace("\u00a0", " ").replace("\u202f", " ") for text in texts] == [*STANDS[at][1:]]


FRAMES = [
    ("damage >= 3", "Damage 3+", "Dégâts 3+"),
    ("damage < 3", "Damage 0–2", "Dégâts 0–2"),
    ("damage <= 3", "Damage 0–3", "Dégâts 0–3"),
    ("damage < 1", "Damage 0", "Dégâts 0"),
    ("damage = 2", "Damage 2", "Dégâts 2"),
    ("damage of self's target < 3", "The target has fewer than 3 damage", "La cible a moins de 3 dégâts"),
]
"""Conditions of a behavior on damage, and the wording of their frames."""


@cache
def marksmen() -> Model:
    """Return a game with a behavior for each."""
    behaviors = [
        f'behavior aim-{at} "Aim {at}" for gunner:\n  fr: "Viser {at}"\n  valid: {valid}\n  effect: attack target\n'
        for at, (valid, _, _) in enumerate(FRAMES)
    ]
    return made_of("".join(behaviors))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("at", range(len(FRAMES)))
def test_measure_in_frame_is_scale(at: int) -> None:
    body = marksmen().definitions["behavior", f"aim-{at}"].values["valid"].body
    assert body is not None
    answer = body.statements[-1]
    assert isinstance(answer, ir.Answer)
    texts = [clause(answer.value, body.slots, marksmen(), code).plain().replace("\u00a0", " ") for code in ("en", "fr")]
    assert texts == [*FRAMES[at][1:]]


TABLE = """\
die fate "fate die":
  fr: "dé du destin", m
  faces: 1..6
table weather "Weather": fate
  fr: "Météo"
  1..3: nothing
  4..6: for each hero: wound hero 1
loot sky "Sky":
  fr: "Ciel"
  type: offense
  effect: weather
loot wind "Wind":
  fr: "Vent"
  type: offense
  effect:
    roll fate:
      1..2 "Calm", fr "Calme": nothing
      3..6 "Storm", fr "Tempête": wound self 1
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "rolled", "row"),
    [
        ("en", "Roll on the “Weather” table.", "• 3–6 (Storm): take 1 damage."),
        ("fr", "Lancez sur la table « Météo ».", "• 3–6 (Tempête) : subissez 1 dégât."),
    ],
)
def test_tables_are_named_and_rows_keep_numbers(language: str, rolled: str, row: str) -> None:
    model = made_of(TABLE)
    sky, wind = (rules_text(model.definitions["loot", name], model, language) for name in ("sky", "wind"))
    assert sky.problems == wind.problems == ()
    plain = [rules.marked().replace("\u00a0", " ").replace("\u202f", " ") for rules in (sky, wind)]
    assert plain[0] == rolled
    assert plain[1].splitlines()[-1] == row


QUARTERS = """
kind quarter is region:
  name: "quarter", plural "quarters"
  fr: "quartier", m, plural "quartiers"
quarter docks "Docks":
  fr: "Docks"
quarter old "Old Quarter":
  fr: "Vieux Quartier"
quarter hill "The Hill":
  fr: "La Colline"
"""


REGIONS = [
    ("docks", "in the Docks quarter", "dans le quartier Docks"),
    ("old", "in the Old Quarter", "dans le Vieux Quartier"),
    ("hill", "in the Hill", "dans la Colline"),
]
"""A region, and its wording."""


@cache
def tides() -> Model:
    """Return a game with a card for each."""
    cards = [
        f'loot tide-{at} "Tide {at}":\n  fr: "Marée {at}"\n  type: offense\n'
        f"  effect:\n    if self in {region}: Heal self 1\n"
        for at, (region, _, _) in enumerate(REGIONS)
    ]
    return made_of(QUARTERS + "".join(cards))


@pytest.mark.parametrize("at", range(len(REGIONS)))
def test_region_label_omits_kind_if_title_contains_it(at: int) -> None:
    _, english, french = REGIONS[at]
    texts = [rules_text(tides().definitions["loot", f"tide-{at}"], tides(), code).plain() for code in ("en", "fr")]
    assert [text.replace("\u00a0", " ").partition(",")[0] for text in texts] == [
        f"If you are {english}",
        f"Si vous êtes {french}",
    ]


WEATHER = """
kind game:
  stat wind "wind": number 0..
    fr: "vent", m
  stat calm "calm": flag
    fr: "calme"
"""


GUSTS = [
    ("wind +1", "Raise the wind by 1.", "Augmentez le vent de 1."),
    ("wind -2", "Lower the wind by 2.", "Diminuez le vent de 2."),
    ("wind becomes 4", "Set the wind to 4.", "Fixez le vent à 4."),
    (
        "if wind > 2 and calm: Heal self 1",
        "If the wind is at 3 or more and the game is calm, Heal 1 HP.",
        "Si le vent est à 3 ou plus et si la partie est calme, Récupérez 1 PV.",
    ),
    (
        "if wind < mission's heat: Heal self 1",
        "If the wind is below the mission’s heat, Heal 1 HP.",
        "Si le vent est au-dessous de la chaleur de la mission, Récupérez 1 PV.",
    ),
]
"""Changes of the game's own numbers, and their wording."""


@cache
def gusts() -> Model:
    """Return a game with a card for each."""
    heat = 'kind mission:\n  field heat "heat": number, default 1\n    fr: "chaleur", f\n'
    cards = [
        f'loot gust-{at} "Gust {at}":\n  fr: "Rafale {at}"\n  type: offense\n  effect:\n    {effect}\n'
        for at, (effect, _, _) in enumerate(GUSTS)
    ]
    return made_of(WEATHER + heat + "".join(cards))


@pytest.mark.parametrize("at", range(len(GUSTS)))
def test_game_values_have_no_owner_in_text(at: int) -> None:
    texts = [rules_text(gusts().definitions["loot", f"gust-{at}"], gusts(), code) for code in ("en", "fr")]
    assert [text.problems for text in texts] == [(), ()]
    assert [text.plain().replace("\u00a0", " ") for text in texts] == [*GUSTS[at][1:]]


RULES = """
keyword Fog "Fog":
  fr: "Brume"
  text en: "the *Fog* rules apply"
  text fr: "les règles *Brume* s'appliquent"
  effect: stop
keyword Ice "Ice":
  fr: "Glace"
  text en: "the *Ice* rules apply"
  text fr: "les règles *Glace* s'appliquent"
  effect: stop
"""


def test_equal_rules_for_several_words_are_merged() -> None:
    card = 'loot frost "Frost":\n  fr: "Gel"\n  type: offense\n  effect:\n    Fog\n    Ice\n'
    made = made_of(RULES + card)
    texts = [rules_text(made.definitions["loot", "frost"], made, code).plain() for code in ("en", "fr")]
    assert texts == ["The Fog and Ice rules apply.", "Les règles Brume et Glace s’appliquent."]


KEG = 'fixture keg "Keg":\n  fr: "Baril", m\n  max-HP: 1\n  when self is wrecked:\n'


@pytest.mark.parametrize(
    ("lines", "english", "french"),
    [
        (
            "    remove self",
            "When this fixture is wrecked: remove it.",
            "Quand cette installation est mise hors d’usage : retirez cette installation.",
        ),
        (
            "    choose near-one: unit within 1 of self\n    wound near-one\n    remove self",
            "When this fixture is wrecked: deal 1 damage to a character within Range 1 of this fixture, then remove "
            "this fixture.",
            "Quand cette installation est mise hors d’usage : infligez 1 dégât à un personnage à Portée 1 de cette "
            "installation, puis retirez cette installation.",
        ),
    ],
)
def test_figure_named_alone_by_an_event_is_it(lines: str, english: str, french: str) -> None:
    """French objects need a pronoun before or after their verb, so the noun is repeated."""
    model = made_of(KEG + lines + "\n")
    keg = model.definitions["fixture", "keg"]
    texts = [rules_text(keg, model, code).plain() for code in ("en", "fr")]
    assert [text.replace("\u00a0", " ").replace("\u202f", " ") for text in texts] == [english, french]
