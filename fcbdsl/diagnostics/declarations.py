"""Mistakes in names and declarations."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class UnknownDeclaration(Diagnostic):
    code = "FCB0301"
    title = "Unknown kind of declaration"
    cause = "`{word}` is no kind that is declared, nor one of the language's own declarations."
    help = "Declare it with `kind {word}:`, or say with `use` which system declares it."
    bad = 'wepon club "Club":\n  hands: 1'
    good = 'kind weapon:\n  field hands: number\nweapon club "Club":\n  hands: 1'


class DuplicateDeclaration(Diagnostic):
    code = "FCB0302"
    title = "Declared twice"
    cause = "There is another {sort} called `{name}`."
    help = "Give one of them another name."
    explanation = "All files of a project share one namespace for each kind: an id means one thing everywhere."
    bad = "mark gate\nmark gate"
    good = "mark gate\nmark exit"


class MalformedDeclaration(Diagnostic):
    code = "FCB0303"
    title = "Declaration not understood"
    cause = "This does not read as {what}."
    help = "It is written `{form}`."
    bad = "kind hero is:\n  field might: number"
    good = "kind unit:\n  field might: number\nkind hero is unit:\n  field wit: number"


class DroppedClause(Diagnostic):
    code = "FCB0322"
    title = "Nothing reads what follows the `;`"
    cause = "This line takes one value; what follows the `;` is not part of it."
    help = "`;` stands between statements. Options of a declaration follow a comma: `one of a, b, default a`."
    bad = "kind hero:\n  field mood: one of calm, wild; default calm"
    good = "kind hero:\n  field mood: one of calm, wild, default calm"


class TakenName(Diagnostic):
    code = "FCB0323"
    title = "A name that the language needs itself"
    cause = "No {sort} can be called `{name}`: {why}."
    help = "Give it another name; the title that is printed may stay."
    bad = 'kind rule is card:\n  name: "rule", plural "rules"'
    good = 'kind house-rule is card:\n  name: "rule", plural "rules"'


class UnfitColumn(Diagnostic):
    code = "FCB0324"
    title = "A column that cannot hold such values"
    cause = "`{name}` can't hold {what}: {why}."
    help = "Things that come and go stand in a `zone`; what never changes, or is computed, is a `field`."
    bad = "kind hero is piece:\n  stat friends: many hero"
    good = "kind hero is piece:\n  field friends: many hero definition, optional"


class ValuelessField(Diagnostic):
    code = "FCB0350"
    title = "Field that never has a value"
    cause = "`{name}` never has a value: no definition describes {kind:a}."
    help = "Give it a value: `field {name}: number, default 5`. If it changes, write `stat {name}: number, starts 5`."
    explanation = """
        A `field` is a value that each definition of a kind gives. Players, the game and records have no definitions,
        so the only value of their fields is the default.
    """
    bad = "kind player:\n  field hand-limit: number"
    good = "kind player:\n  field hand-limit: number, default 5"


class LookalikeIds(Diagnostic):
    code = "FCB0351"
    severity = "warning"
    title = "Ids that read alike"
    cause = "The {sort} `{name}` reads like the {sort} `{other}`."
    help = "Rename one of them, so that they differ in more than capitals or letters that look the same."
    explanation = """
        Such ids are two things to fcb and one to a reader. What they print goes into files of the same name on Windows
        and macOS, where capitals do not count.
    """
    bad = "kind club is card\nclub oak\nclub Oak"
    good = "kind club is card\nclub oak\nclub elm"


class UnknownSystem(Diagnostic):
    code = "FCB0304"
    title = "Unknown system"
    cause = "There is no system or pack called `{name}`."
    help = 'A system is a folder or a file in `systems/`, with a declaration `system {name} "Title":`.'
    bad = "use chess-boxing"
    good = "use core"


class ImportCycle(Diagnostic):
    code = "FCB0305"
    title = "Systems use each other"
    cause = "{chain}: each needs the other to be read first."
    help = "Move what both need into a third system, and let both use that."
    bad = ""
    good = "use core"


class UnknownName(Diagnostic):
    code = "FCB0306"
    title = "Unknown name in a declaration"
    cause = "There is no {sort} called `{name}`."
    help = ""
    bad = "kind club is weapon:\n  field hands: number"
    good = "kind weapon:\n  field hands: number\nkind club is weapon:\n  field reach: number"


class KindCycle(Diagnostic):
    code = "FCB0307"
    title = "A kind descends from itself"
    cause = "`{name}` descends from itself: {chain}."
    help = "Take one `is` out of the circle."
    bad = "kind cat is dog:\n  field a: number\nkind dog is cat:\n  field b: number"
    good = "kind dog:\n  field b: number\nkind cat is dog:\n  field a: number"


class UnknownField(Diagnostic):
    code = "FCB0308"
    title = "Unknown field"
    cause = "{kind:A} has no field called `{name}`."
    help = "The fields of {kind:a} stand in its `kind` declaration."
    bad = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 1\n  hnads: 1"
    good = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 1"


class MissingField(Diagnostic):
    code = "FCB0309"
    title = "Field missing"
    cause = "{kind} `{id}` says nothing of {fields}."
    help = "Add {lines} below its head."
    explanation = """
        A definition must say every field of its kind that has no default. Whoever writes the kind decides that: a
        field may have a `default` there, or be `optional`.
        """
    bad = "kind weapon:\n  field hands: number\n  field price: number\nweapon club:\n  price: 1"
    good = "kind weapon:\n  field hands: number\n  field price: number\nweapon club:\n  price: 1\n  hands: 1"


class UnexpectedLine(Diagnostic):
    code = "FCB0310"
    title = "Line out of place"
    cause = "`{word}` means nothing in {where}."
    help = "What may stand here: {allowed}."
    bad = "terrain swamp:\n  smells: bad"
    good = "terrain swamp:\n  cost: 2"


class RepeatedLine(Diagnostic):
    code = "FCB0311"
    title = "Said twice"
    cause = "`{name}` is given twice here."
    help = "Keep one of the lines."
    bad = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 1\n  hands: 2"
    good = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 2"


class NoBody(Diagnostic):
    code = "FCB0312"
    title = "Nothing to do"
    cause = "The {sort} `{name}` says neither what it does nor which native op does it."
    help = "Give it {body}, or `op: NAME`."
    bad = "verb dance:\n  takes: who (piece)"
    good = "verb dance:\n  takes: who (piece)\n  effect: stop"


class TwoBodies(Diagnostic):
    code = "FCB0313"
    title = "Two bodies"
    cause = "`{first}` and `{second}` both say what `{name}` does."
    help = "Keep one of them."
    bad = "relation tall:\n  takes: a (piece)\n  is: 1 = 1\n  op: occupied"
    good = "relation tall:\n  takes: a (piece)\n  is: 1 = 1"


class UnmarkedRecursion(Diagnostic):
    code = "FCB0314"
    title = "A form calls itself"
    cause = "`{name}` calls itself: {chain}."
    help = "If that is meant, say `recursive` in its declaration; the machine then bounds its depth."
    bad = "verb dance:\n  effect: sing\nverb sing:\n  effect: dance"
    good = "verb dance:\n  recursive\n  effect: sing\nverb sing:\n  effect: dance"


class MissingTranslation(Diagnostic):
    code = "FCB0315"
    severity = "warning"
    title = "No title in a language of the project"
    cause = "{sort} `{name}` has no title in {language}."
    help = 'Add a line `{language}: "…"`, or `{language} "…"` to the line that has the title.'
    bad = """
        system duel "Duel":
          languages: en, fr
        kind trick:
          field n: number
        trick parry "Parry":
          n: 1
        """
    good = """
        system duel "Duel":
          languages: en, fr
        kind trick:
          field n: number
        trick parry "Parry":
          fr: "Parade"
          n: 1
        """


class UnknownFlag(Diagnostic):
    code = "FCB0316"
    title = "Unknown flag"
    cause = "{kind:A} has no flag `{name}`."
    help = "After its title, a definition may name fields of type `flag` that it switches on."
    bad = 'kind trick:\n  field flash: flag, default no\ntrick feint "Feint", flsh:\n  flash: no'
    good = 'kind trick:\n  field flash: flag, default no\ntrick feint "Feint", flash:\n  copies: 2'


class UnheardEvent(Diagnostic):
    code = "FCB0317"
    severity = "warning"
    title = "Nobody announces the event"
    cause = "This waits for `{name}`, which nothing announces."
    help = "Announce it somewhere with `announce {name}`, or wait for something else."
    bad = 'event dusk:\n  form: dusk falls\nrule night:\n  when dusk falls: win "Dark."'
    good = 'event dusk:\n  form: dusk falls\nrule night:\n  when dusk falls: win "Dark."\nflow: announce dusk'


class WrongPlace(Diagnostic):
    code = "FCB0318"
    title = "Declaration in the wrong place"
    cause = "{what}"
    help = "{cure}"
    bad = "part of nowhere\nmark gate"
    good = "mark gate"


class UntestedVariant(Diagnostic):
    code = "FCB0319"
    severity = "warning"
    title = "A switch without effect"
    cause = "Nothing asks for the variant `{name}`."
    help = "Test it with `{name} is {value}`, or take it away."
    bad = "variant weather: dry, wet"
    good = "variant weather: dry, wet\nrelation slippery:\n  takes: a (piece)\n  is: weather is wet"


class BareKind(Diagnostic):
    code = "FCB0320"
    title = "No definition of a kind without a name"
    cause = "{sort:A} needs a name of its own."
    help = 'Write `{sort} NAME "Title":`.'
    bad = 'kind weapon:\n  field hands: number\nweapon "Club":\n  hands: 1'
    good = 'kind weapon:\n  field hands: number\nweapon club "Club":\n  hands: 1'


class UndefinedThings(Diagnostic):
    code = "FCB0331"
    title = "A definition of what is not defined"
    cause = "Things of the kind `{kind}` are not defined one by one: {kind:a} is {above:a}, and {why}."
    help = "Let the kind descend from another one (`piece`, `card`, `thing`), or leave this out."
    bad = 'kind hall is space:\n  field size: number\nhall cellar "Cellar":\n  size: 2'
    good = 'kind hall is card:\n  field size: number\nhall cellar "Cellar":\n  size: 2'


class ForgottenUse(Diagnostic):
    code = "FCB0330"
    severity = "warning"
    title = "System that is spoken of and not used"
    cause = "This file speaks of `{word}`, which `{unit}` declares, but does not use it."
    help = "Write `use {unit}` at the top of the file."
    explanation = """
        `use NAME` makes visible what a system or a pack declares. Where a file leaves it out, its words are known only
        as long as some other file of the project says it: taken by itself, or in another project, the file means
        nothing. Each file uses what it speaks of, or something that uses it.
        """
    bad = ""
    good = "use core"
