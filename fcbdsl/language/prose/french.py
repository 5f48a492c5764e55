"""French rules text: articles, contractions, genders, plurals and agreement."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import ClassVar

from fcbdsl.base.typography import HARD, NARROW, add_no_break_spaces
from fcbdsl.language.prose.language import Language, has_abbreviation, head_and_complement
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import ARTICLE, BOLD, CANDIDATE, CLAUSE, ICON, LIGHT, single_spaces

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
    "ending": Noun("fin", "fins", "f"),
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
"""Words, and beginnings of words, before which nothing is elided (h aspiré and similar)."""
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
_IF_HE = re.compile(r"\b([Ss])i (ils?)\b")
_NOT_ELIDED = re.compile(r"\b([Nn])’(?=[bcdfgjklmnpqrstvwxz])")
_ORDER_TO_YOU = re.compile(rf"(?<!ous pouv)ez({_MARK}) vous(?=[\s.,;:]|$)")
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
"""Infinitives of imperatives that do not end in -er."""
_AFTER = re.compile(rf"(, puis |, | et )(?={_MARK}[^\W\d]+ez\b|{_MARK}faites\b)")
"""The joint between two orders."""
_OBJECT = re.compile(r"-(le|la|les|lui|leur|y|en)\b")
_VERB = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)(?:\|([^\[\]|]+))?\]")
"""The forms of a verb in a template: for it, for them, and perhaps for « vous »."""
_SUBJUNCTIVES = {
    "est": ("soit", "soient", "soyez"),
    "a": ("ait", "aient", "ayez"),
    "fait": ("fasse", "fassent", "fassiez"),
    "va": ("aille", "aillent", "alliez"),
    "peut": ("puisse", "puissent", "puissiez"),
    "veut": ("veuille", "veuillent", "vouliez"),
    "sait": ("sache", "sachent", "sachiez"),
}
_STANDING = re.compile(r"\bprésente?s? sur ")
_WITHIN = re.compile(r"(?: présente?s?)? sur les cases dans ")
_AUXILIARIES = {"êtes": "être", "avez": "avoir", "pouvez": "pouvoir", "allez": "aller"}


class French(Language):
    """French wording: « vous », imperatives, and French spelling rules."""

    code: ClassVar[str] = "fr"
    marks: ClassVar[Mapping[str, str]] = {"article": ARTICLE}
    nouns: ClassVar[Mapping[str, Noun]] = NOUNS
    genders: ClassVar[str] = "mf"
    moments: ClassVar[tuple[str, ...]] = ("à ", "au ", "aux ", "à l")
    articles: ClassVar[re.Pattern[str]] = re.compile("^(?:les? |la |l['’])")
    own_article: ClassVar[re.Pattern[str]] = re.compile("^(?:les? |la |l['’]|une? )", re.IGNORECASE)
    able: ClassVar[re.Pattern[str]] = re.compile("(?P<un>in)?capables? (?:de |d['’])(?P<act>.*)")
    sums_agree: ClassVar[bool] = True
    finite: ClassVar[re.Pattern[str]] = re.compile(
        r"(?<=\w) (?:est|sont|était|étaient|fut|furent|sera|seront|a|ont|avait|avaient) ", re.IGNORECASE
    )
    links: ClassVar[frozenset[str]] = frozenset(_LINKS.split())
    lacking: ClassVar[re.Pattern[str]] = re.compile(f"il n’y a (?:pas de|aucune?)[ {ARTICLE}](.+)")
    neither: ClassVar[tuple[str, str]] = ("il n’y a ni ", " ni ")
    presences: ClassVar[Mapping[str, str]] = {"il y a ": "il y a "}
    absences: ClassVar[tuple[str, str, str]] = ("il n’y a aucun", "il n’y a ", " ni ")
    numerals: ClassVar[Mapping[str, int]] = {word: at for at, word in enumerate(_NUMERALS.split(), start=1)}
    plurals: ClassVar[str] = "nplurals=2; plural=(n > 1);"
    fillers: ClassVar[frozenset[str]] = frozenset(_FILLERS.split())

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """Return the option: ``[e]``, ``[s]``; ``[m|f]``; ``[il|ils|vous]``; ``[m|f|m pl|f pl]``."""
        feminine, several = phrase.gender == "f", phrase.plural
        if len(options) == 1:
            wanted = several if options[0] in {"s", "x"} else feminine
            return options[0] if wanted else ""
        if len(options) == 2:
            # Two forms of a verb (est|sont) agree in number, two of an adjective in gender.
            return options[several if _verbal(options) else feminine]
        if len(options) == 3:
            return options[2 if phrase.person == 2 or phrase.with_you else several]
        return options[2 * several + feminine]

    def determined(self, determiner: str, noun: Noun) -> NounPhrase:
        if self.is_name(determiner, noun):
            return NounPhrase(self.named(noun.one), noun.gender)
        noun = self.without_article(noun)
        feminine = noun.gender == "f"
        if determiner in _MANY:
            return NounPhrase(_MANY[determiner][feminine] + ARTICLE + noun.many, noun.gender, plural=True)
        if determiner == "count":
            return NounPhrase(noun.many, noun.gender, plural=True)
        word = _DETERMINERS["no" if determiner == "none of" else determiner][feminine]
        if word == "ce" and _elides(noun.one):
            word = "cet"
        return NounPhrase(word + ARTICLE + noun.one, noun.gender)

    def yonder(self, noun: Noun) -> NounPhrase:
        """Return « cet ennemi-là », which is unambiguous; « cet ennemi » could be this one or that one."""
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
        head, rest = head_and_complement(title, _COMPLEMENT)
        words = head.split(" ")
        is_name = len(words) > 1 and words[-1][:1].isupper()  # a name: Jetons Réanimer
        single = " ".join([*map(_single, words[:-1]), words[-1] if is_name else _single(words[-1])]) + rest
        return single if _many(single) == title or is_name else title

    def spaced(self, text: str) -> str:
        return add_no_break_spaces("fr", text)

    def named(self, title: str) -> str:
        """Return a name with a lower-case article that contracts: ``Le sergent Haske`` → ``le sergent Haske``, ``du
        sergent``."""
        title = re.sub(r"^L(?=['’])", "l", title)
        return re.sub(r"^(Les?|La) ", lambda match: match[1].lower() + ARTICLE, title)

    def impersonal(self, clause: str) -> str:
        """Return the infinitive: ``déplacez-vous vers la cible`` → ``se déplacer vers la cible``."""
        if clause == self.words["nothing"]:
            return "ne rien faire"
        match = _ORDER.match(clause)
        if match is None or match["verb"].lower() in _NO_ORDERS:
            return clause
        verb = _INFINITIVES.get(match["verb"].lower(), match["verb"][:-1] + "r")
        if match["verb"][0].isupper():
            verb = verb[:1].upper() + verb[1:]
        own = "se " if match["own"] else ""
        return own + match["mark"] + verb + clause[match.end() :]

    def optional(self, clause: str) -> str:
        """Return orders as an offer: ``déplacez-vous de 1`` → ``vous pouvez vous déplacer de 1``."""
        parts = _AFTER.split(clause)
        verbs = [self._permitted(part) for part in parts[::2]]
        if not all(verbs):
            return ""
        return "vous pouvez " + "".join(verb + joint for verb, joint in zip(verbs, [*parts[1::2], ""], strict=True))

    def _permitted(self, clause: str) -> str:
        """Return the infinitive of an order to the reader (« vous déplacer de 1 »), or nothing if it is not one."""
        match = _ORDER.match(clause)
        if match is None or match["verb"].lower() in _NO_ORDERS:
            return ""
        rest = clause[match.end() :]
        if re.search(r"(?<!vous )\b(?!(?:chez|assez|nez|rez)\b)[^\W\d_]+ez\b", rest):
            return ""
        verb = _INFINITIVES.get(match["verb"].lower(), match["verb"][:-1] + "r")
        verb = verb[:1].upper() + verb[1:] if match["verb"][0].isupper() else verb
        pronoun = "vous " if match["own"] else ""
        given = _OBJECT.match(rest)
        if given is not None:
            pronoun, rest = f"{given[1]} ", rest[given.end() :]
        return pronoun + match["mark"] + verb + rest

    def supposed(self, template: str) -> str:
        """Return an event that something prevents: ``[est|sont|êtes] tué`` → ``[devait|devaient|deviez] être tué``."""

        def due(match: re.Match[str]) -> str:
            order = match[3] or ""
            if not re.fullmatch(r"[^\W\d_]+(?:ez|tes)", order):
                return match[0]
            verb = _AUXILIARIES.get(order) or _INFINITIVES.get(order, order[:-1] + "r")
            return f"[devait|devaient|deviez] {verb}"

        return _VERB.sub(due, template, count=1)

    def awaited(self, template: str) -> str:
        """Return an event in the subjunctive, for « jusqu’à ce que »."""
        clause = _VERB.sub(_subjunctive, template)
        return clause if clause != template or _VERB.search(template) else f"vienne le moment où {template}"

    def pronoun(self, phrase: NounPhrase) -> NounPhrase:
        return phrase.saying(("elle" if phrase.gender == "f" else "il") + "s" * phrase.plural)

    def possessive(self, phrase: NounPhrase) -> str:
        return "de " + phrase.text

    def clitic(self, phrase: NounPhrase) -> str | None:
        return "vous " if phrase.person == 2 else None

    def ranked(self, noun: str, superlative: str) -> str:
        return f"{noun} {superlative}" if superlative.startswith(("le ", "la ", "les ")) else ""

    def adjective(self, qualification: str) -> str:
        word = qualification.removeprefix("qui est ").removeprefix("qui sont ")
        return word if " " not in word else ""

    def attributed(self, noun: str, adjective: str) -> str:
        return f"{noun} {adjective}"

    def relative(self, clause: str, head: NounPhrase) -> str:
        if CLAUSE in clause:
            return ""
        owned = re.match(rf"((?:les?|la){ARTICLE}[\w’ ]+?) de {CANDIDATE} ", clause)
        if owned is not None:
            relative_clause = f"dont {owned[1]} {clause[owned.end() :]}"
        elif clause.startswith(f"{CANDIDATE} "):
            relative_clause = clause.replace(CANDIDATE, "qui", 1)
        elif CANDIDATE in clause and (match := re.match("il (n’)?y a ", clause)):
            has = "ont" if head.plural else "a"
            relative_clause = f"qui {'n’' if match[1] else ''}{has} {clause[match.end() :]}"
        else:
            return ""
        relative_clause = re.sub(
            rf"(?:les?|la){ARTICLE}([\w’]+) de {CANDIDATE}", partial(_its, several=head.plural), relative_clause
        )
        feminine = head.gender == "f"
        return relative_clause.replace(
            CANDIDATE, ("elles" if feminine else "eux") if head.plural else "elle" if feminine else "lui"
        )

    def provided(self, condition: str, before: str) -> str:
        conjunction = before.split()[-1]
        if conjunction not in ("si", "que"):
            return condition
        return re.sub(f"{CLAUSE}(,? et|,? ou|,) ", rf"\1 {conjunction} ", condition)

    def articled(self, text: str) -> str:
        return re.sub(r"^(le|la|les) ", rf"\1{ARTICLE}", text)

    def gender(self, text: str) -> str:
        return {"le": "m", "la": "f"}.get(text.partition(" ")[0], "")

    def standing(self, place: str, head: NounPhrase) -> str:
        if not place.startswith("sur "):
            return place
        return f"présent{'e' * (head.gender == 'f')}{'s' * head.plural} {place}"

    def existing(self, phrase: NounPhrase) -> NounPhrase:
        return phrase.saying(_STANDING.sub("sur ", phrase.text))

    def appositive(self, qualification: str) -> str:
        if qualification.startswith(("qui n’est pas ", "qui ne sont pas ")):
            return qualification.replace("qui n’est pas", "non", 1).replace("qui ne sont pas", "non", 1)
        return qualification.removeprefix("qui est ").removeprefix("qui sont ")

    def until(self, moment: str) -> str:
        return "jusqu’" + moment if moment.startswith("à") else "jusqu’" + moment.replace("au ", "au ", 1)

    def contract_articles(self, marked: str) -> str:
        text = marked.replace("'", "’")
        text = _elide(text)
        if ARTICLE in text:
            text = _CONTRACTED.sub(_contraction, text)
        if "i il" in text:
            text = _IF_HE.sub(r"\1’\2", text)
        if "n’" in text or "N’" in text:
            text = _NOT_ELIDED.sub(r"\1e ", text)
        if " vous" in text:
            text = _ORDER_TO_YOU.sub(r"ez\1-vous", text)
        text = text.replace(ARTICLE, " ")
        if " sur les cases dans " in text:
            text = _WITHIN.sub(" dans ", text)
        if " de vous" in text.casefold():
            text = _YOURS.sub(lambda match: f"{_YOUR[match.group(1).lower().strip()]} {match.group(2)}", text)
        return self.bound(self.spaced(single_spaces(text)))


def _subjunctive(verb_match: re.Match[str]) -> str:
    """Return the subjunctive of a verb in a template; other choices stay as they are."""
    one, many, you = verb_match[1], verb_match[2], verb_match[3]
    if not _verbal([one, many]):
        return verb_match[0]
    forms = _SUBJUNCTIVES.get(one)
    if forms is None:
        stem = many.removesuffix("nt") if many.endswith("ent") else one
        forms = (stem, many, re.sub("ez$", "iez", you or ""))
    return "[" + "|".join(forms if you else forms[:2]) + "]"


_COMPLEMENT = re.compile(r"(?<=\w) (?:(?:de|du|des|à|au|aux|en|sur|sous|pour|par|avec|sans|contre) |d['’])")
"""The start of the complement of a title's head."""


_INVARIABLE = ("orange", "marron", "debout", "sans", "non")
"""Invariable words in titles: colors named after things, adverbs."""
_PLAIN_AL = ("bal", "carnaval", "chacal", "festival", "récital", "régal", "banal", "fatal", "final", "natal", "naval")
_PLAIN_U = ("bleu", "pneu", "landau")
"""Words that take an -s where similar ones take an -x."""
_AU = ("boyau", "étau", "joyau", "noyau", "préau", "tuyau")
"""Words whose plural in -aux is not of a word in -al."""
_OUX = ("bijou", "caillou", "chou", "genou", "hibou", "joujou", "pou")
_AIL = ("bail", "corail", "émail", "soupirail", "travail", "vantail", "vitrail")
_IRREGULAR = {word: word + "x" for word in _OUX} | {word: word[:-2] + "ux" for word in _AIL}
_IRREGULAR |= {"œil": "yeux", "ciel": "cieux", "aïeul": "aïeux"}
_SINGULARS = {plural: word for word, plural in _IRREGULAR.items()} | {word + "x": word for word in _AU}


@lru_cache(maxsize=4096)  # titles are used often
def _many(title: str) -> str:
    head, rest = head_and_complement(title, _COMPLEMENT)
    *before, last = head.split(" ")
    if has_abbreviation(title):
        return title
    if before and last[:1].isupper() and not before[-1][:1].isupper():  # a name: marqueurs Provocation
        return " ".join(map(_plural, before)) + f" {last}{rest}"
    return " ".join(map(_plural, [*before, last])) + rest  # what follows a noun agrees with it


def _with_case(word: str, form: str) -> str:
    """Return a form of a word, with a capital if the word has one."""
    return form[:1].upper() + form[1:] if word[:1].isupper() else form


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "z")) or word in _INVARIABLE:
        return word
    if word.lower() in _IRREGULAR:
        return _with_case(word, _IRREGULAR[word.lower()])
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
"""Words that end like plurals but are also singular."""


def _single(word: str) -> str:
    if word.lower() in _SAME_IN_BOTH:
        return word
    if word.lower() in _SINGULARS:
        return _with_case(word, _SINGULARS[word.lower()])
    for ending, singular in (("eaux", "eau"), ("aux", "al"), ("eux", "eu"), ("s", "")):
        if word.endswith(ending) and len(word) > max(len(ending), 2):
            return word.removesuffix(ending) + singular
    return word


def _verbal(options: list[str]) -> bool:
    """Return whether two options are the singular and plural of a verb."""
    return options[1].endswith(("nt",)) and not options[0].endswith(("nt",))


def _elides(word: str) -> bool:
    """Return whether an article is elided before the word."""
    match = _WORD.match(word.lstrip(BOLD + LIGHT + "«" + HARD + NARROW + " ").lower())
    if match is None:
        return False
    bare = match[0]
    if bare[0] == "y":
        return bare in _WITH_Y or bare[1:2] not in tuple(_VOWEL)
    return bare[0] in _VOWEL and bare not in _WHOLE and not bare.startswith(_ASPIRATED)


def _elide(text: str) -> str:
    pieces: list[str] = []
    at = 0
    for match in _ELIDED.finditer(text):
        following = text[match.end() :].lstrip(BOLD + LIGHT)
        if ICON in text[match.end() : match.end() + 1] or not _elides(following):
            continue
        # « de un », « que un » elide although « un » as a numeral would not.
        word = match.group(1)
        pieces.append(text[at : match.start()] + word[:-1] + "’")
        at = match.end()
    pieces.append(text[at:])
    return "".join(pieces)


def _its(match: re.Match[str], *, several: bool) -> str:
    """Return the possessive: « la case de lui » → « sa case »."""
    plural = match[0].startswith("les")
    if several:
        return f"{'leurs' if plural else 'leur'} {match[1]}"
    feminine = match[0].startswith("la") and not _elides(match[1])
    return f"{'ses' if plural else 'sa' if feminine else 'son'} {match[1]}"


def _contraction(match: re.Match[str]) -> str:
    word = _CONTRACTIONS[f"{match.group(1)} {match.group(2)}".lower()]
    return (word.capitalize() if match.group(1)[0].isupper() else word) + " "
