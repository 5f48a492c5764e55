"""Mistakes in names and declarations."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class UnknownDeclaration(Diagnostic):
    code = "FCB0301"
    title = "Unknown kind of declaration"
    cause = "No system declares a kind `{word}`, and the language has no such declaration."
    help = "Write `use SYSTEM` for the system that has it, or declare it: `kind {word}:`."
    explanation = """
        A line at the left edge begins with a word of the language, such as `verb` or `mark`, or with a kind that a
        system declares, such as `weapon`.
    """
    bad = 'wepon club "Club":\n  hands: 1'
    good = 'kind weapon:\n  field hands: number\nweapon club "Club":\n  hands: 1'


class DuplicateDeclaration(Diagnostic):
    code = "FCB0302"
    title = "Declared twice"
    cause = "There is another {sort} called `{name}`."
    help = "Rename one of the two."
    explanation = """
        An id means the same thing in all files of a project, including the files of the game.
    """
    bad = "mark gate\nmark gate"
    good = "mark gate\nmark exit"


class MalformedDeclaration(Diagnostic):
    code = "FCB0303"
    title = "Invalid declaration or line"
    cause = "fcb cannot read this as {what}."
    help = "Write `{form}`."
    explanation = """
        Each declaration and each line in it has a fixed form. Words in capitals are placeholders of your own names.
    """
    bad = "kind hero is:\n  field might: number"
    good = "kind unit:\n  field might: number\nkind hero is unit:\n  field wit: number"


class DroppedClause(Diagnostic):
    code = "FCB0322"
    title = "Extra words after `;`"
    cause = "This line takes one value, but more follows after the `;`."
    help = "Separate options with commas: `one of a, b, default a`. A `;` only separates statements."
    bad = "kind hero:\n  field mood: one of calm, wild; default calm"
    good = "kind hero:\n  field mood: one of calm, wild, default calm"


class TakenName(Diagnostic):
    code = "FCB0323"
    title = "Name that the language uses"
    cause = "{sort:A} cannot be called `{name}`: {why}."
    help = "Choose another name. The printed title can stay."
    explanation = """
        Some words begin a declaration or a statement. fcb could not tell such a name from them.
    """
    bad = 'kind rule is card:\n  name: "rule", plural "rules"'
    good = 'kind house-rule is card:\n  name: "rule", plural "rules"'


class UnfitColumn(Diagnostic):
    code = "FCB0324"
    title = "Type that a field or stat cannot have"
    cause = "`{name}` cannot be {what}: {why}."
    help = (
        "Use a `zone` for things that come and go, a `field` for values that never change, or a `stat` for values "
        "that do."
    )
    explanation = """
        A `stat` is one value that changes in play. A `field` is printed and stays the same, or fcb computes it. A
        `zone` is a list of things.
    """
    bad = "kind hero is piece:\n  stat friends: many hero"
    good = "kind hero is piece:\n  field friends: many hero definition, optional"


class ValuelessField(Diagnostic):
    code = "FCB0350"
    title = "Field without a value"
    cause = "`{name}` never has a value, because {kind:a} has no definition that could give one."
    help = "Write `field {name}: number, default 5`, or `stat {name}: number, starts 5` if it changes in play."
    explanation = """
        The definitions of a kind give its fields their values. Players, the game and records have no definitions, so
        their fields need a default.
    """
    bad = "kind player:\n  field hand-limit: number"
    good = "kind player:\n  field hand-limit: number, default 5"


class LookalikeIds(Diagnostic):
    code = "FCB0351"
    severity = "warning"
    title = "Ids that look the same"
    cause = "The {sort} `{name}` looks like the {sort} `{other}`."
    help = "Rename one of them, so that they differ in more than capitals or similar letters."
    explanation = """
        fcb treats these ids as two things, but a reader cannot tell them apart. On Windows and macOS their printed
        files would have the same name.
    """
    bad = "kind club is card\nclub oak\nclub Oak"
    good = "kind club is card\nclub oak\nclub elm"


class SameTitle(Diagnostic):
    code = "FCB0353"
    severity = "warning"
    title = "Two things with the same title"
    cause = "The {sort} `{name}` and the {sort} `{other}` have the same title, “{title}”."
    help = "Give one of them another title, such as “{title} 2”."
    explanation = """
        Players know things by their titles, and these have the same one. Cards for different figures
        may have the same title, and so may cards whose printed values differ.
    """
    bad = 'kind club is card\nclub oak "Club"\nclub elm "Club"'
    good = 'kind club is card\nclub oak "Oak Club"\nclub elm "Elm Club"'


class NoDecider(Diagnostic):
    code = "FCB0352"
    title = "Order of triggers that no player decides"
    cause = "`forced:` needs a player, but `{phrase}` is {found}."
    help = "{cure}"
    explanation = """
        `forced: WHO` in a window lets a player choose the order of automatic triggers. WHO is a player, a team, or a
        figure or card that one of them controls, such as a parameter of the event.
    """
    bad = """
        kind hero is piece:
          copies: 1
        event storm:
          takes: who (hero), spot (space)
          form: storm hits who on spot
        window storm:
          forced: spot
        flow: stop
        """
    good = """
        kind hero is piece:
          copies: 1
        event storm:
          takes: who (hero), spot (space)
          form: storm hits who on spot
        window storm:
          forced: who
        flow: stop
        """


class UnknownSystem(Diagnostic):
    code = "FCB0304"
    title = "Unknown system or pack"
    cause = "There is no system or pack called `{name}`."
    help = 'Correct the name, or create `systems/{name}.fcb` with the line `system {name} "Title":`.'
    explanation = """
        `use` takes the name of a system that comes with fcb, or of a folder or file in `systems/` or `packs/` of the
        project.
    """
    bad = "use chess-boxing"
    good = "mark gate"


class ImportCycle(Diagnostic):
    code = "FCB0305"
    title = "Systems that use each other"
    cause = "{chain}: these systems use each other."
    help = "Move the shared declarations into another system, and let each of them use it."
    explanation = """
        fcb reads a system after all the systems that it uses. Two systems that use each other have no such order.
    """
    bad = ""
    good = "mark gate"


class UnknownName(Diagnostic):
    code = "FCB0306"
    title = "Unknown name"
    cause = "There is no {sort} called `{name}`."
    help = "Correct the name, or declare it."
    explanation = """
        This line needs the name of a declaration of a certain sort, such as a kind, a die or a verb.
    """
    bad = "kind club is weapon:\n  field hands: number"
    good = "kind weapon:\n  field hands: number\nkind club is weapon:\n  field reach: number"


class KindCycle(Diagnostic):
    code = "FCB0307"
    title = "Kind that is based on itself"
    cause = "The kind `{name}` is based on itself: {chain}."
    help = "Remove one `is` from this chain."
    explanation = """
        `kind owl is bird` gives an owl all fields and stats of a bird. One kind has to be the first.
    """
    bad = "kind cat is dog:\n  field a: number\nkind dog is cat:\n  field b: number"
    good = "kind dog:\n  field b: number\nkind cat is dog:\n  field a: number"


class UnknownField(Diagnostic):
    code = "FCB0308"
    title = "Unknown field"
    cause = "{kind:A} has no field `{name}`."
    help = "Correct the name, or add `field {name}: TYPE` to `kind {kind}`."
    explanation = """
        A card can only have the fields and stats of its kind. `fcb vocab KIND` lists them.
    """
    bad = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 1\n  hnads: 1"
    good = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 1"


class MissingField(Diagnostic):
    code = "FCB0309"
    title = "Missing field"
    cause = "{kind} `{id}` has no value for {fields}."
    help = "Add {lines} below its first line."
    explanation = """
        A definition must give each field of its kind a value, except fields with a `default` and fields that are
        `optional`.
    """
    bad = "kind weapon:\n  field hands: number\n  field price: number\nweapon club:\n  price: 1"
    good = "kind weapon:\n  field hands: number\n  field price: number\nweapon club:\n  price: 1\n  hands: 1"


class UnexpectedLine(Diagnostic):
    code = "FCB0310"
    title = "Unexpected line"
    cause = "`{word}` is not a line of {where}."
    help = "Lines that can be here: {allowed}."
    explanation = """
        Each block has its own set of lines. A line of another block often only needs other indentation.
    """
    bad = "terrain swamp:\n  smells: bad"
    good = "terrain swamp:\n  cost: 2"


class RepeatedLine(Diagnostic):
    code = "FCB0311"
    title = "Repeated line or value"
    cause = "`{name}` is given twice here."
    help = "Remove one of the two."
    explanation = """
        A value that is given twice would hide a mistake: fcb could only use one of them.
    """
    bad = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 1\n  hands: 2"
    good = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 2"


class NoBody(Diagnostic):
    code = "FCB0312"
    title = "Form without an effect"
    cause = "The {sort} `{name}` has no {body} and no `op:`."
    help = "Add {body} below its first line."
    explanation = """
        A form defines what happens or what is true. A form of the machine names its native op instead: `op: NAME`.
    """
    bad = "verb dance:\n  takes: who (piece)"
    good = "verb dance:\n  takes: who (piece)\n  effect: stop"


class TwoBodies(Diagnostic):
    code = "FCB0313"
    title = "Form with two bodies"
    cause = "`{name}` has both `{first}` and `{second}`."
    help = "Remove one of them."
    explanation = """
        A form has one body: `effect:`, `is:`, `value:` or `op:`.
    """
    bad = "relation tall:\n  takes: a (piece)\n  is: 1 = 1\n  op: occupied"
    good = "relation tall:\n  takes: a (piece)\n  is: 1 = 1"


class UnmarkedRecursion(Diagnostic):
    code = "FCB0314"
    title = "Form that calls itself"
    cause = "`{name}` calls itself: {chain}."
    help = "If this is intended, add the line `recursive` to `{name}`. Else remove one of the calls."
    explanation = """
        A form that calls itself can run forever. `recursive` allows it; the game then stops at a depth limit.
    """
    bad = "verb dance:\n  effect: sing\nverb sing:\n  effect: dance"
    good = "verb dance:\n  recursive\n  effect: sing\nverb sing:\n  effect: dance"


class MissingTranslation(Diagnostic):
    code = "FCB0315"
    severity = "warning"
    title = "Missing title in a language"
    cause = "{sort} `{name}` has no title in {language}."
    help = 'Add the line `{language}: "…"`, or add `{language} "…"` to the line with the title.'
    explanation = """
        Names that are printed or shown need a title in each language of `languages` in `fcb.toml`.
    """
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
    help = "Correct the word, or declare `field {name}: flag` in `kind {kind}`."
    explanation = """
        The words after a title switch on fields of the type `flag`: `trick feint "Feint", flash:`.
    """
    bad = 'kind trick:\n  field flash: flag, default no\ntrick feint "Feint", flsh:\n  flash: no'
    good = 'kind trick:\n  field flash: flag, default no\ntrick feint "Feint", flash:\n  copies: 2'


class UnheardEvent(Diagnostic):
    code = "FCB0317"
    severity = "warning"
    title = "Event that nothing announces"
    cause = "This waits for `{name}`, but nothing announces it."
    help = "Write `announce {name}` where it happens, or wait for another event."
    explanation = """
        A trigger on such an event never happens.
    """
    bad = 'event dusk:\n  form: dusk falls\nrule night:\n  when dusk falls: win "Dark."'
    good = 'event dusk:\n  form: dusk falls\nrule night:\n  when dusk falls: win "Dark."\nflow: announce dusk'


class WrongPlace(Diagnostic):
    code = "FCB0318"
    title = "Declaration in the wrong place"
    cause = "{what}"
    help = "{cure}"
    explanation = """
        Some declarations belong to a system, some to a mission or its map, and a project has one game.
    """
    bad = "part of nowhere\nmark gate"
    good = "mark gate"


class UntestedVariant(Diagnostic):
    code = "FCB0319"
    severity = "warning"
    title = "Variant that changes nothing"
    cause = "No effect or rule uses the variant `{name}`."
    help = "Write a condition on it (`{name} is {value}`), or remove the variant."
    explanation = """
        Players could choose this variant, but the game would stay the same.
    """
    bad = "variant weather: dry, wet"
    good = "variant weather: dry, wet\nrelation slippery:\n  takes: a (piece)\n  is: weather is wet"


class BareKind(Diagnostic):
    code = "FCB0320"
    title = "Declaration without a name"
    cause = "{sort:A} needs a name."
    help = 'Write `{sort} NAME "Title":`.'
    explanation = """
        Effects, decks and maps refer to a card by its name. The title is what fcb prints.
    """
    bad = 'kind weapon:\n  field hands: number\nweapon "Club":\n  hands: 1'
    good = 'kind weapon:\n  field hands: number\nweapon club "Club":\n  hands: 1'


class UndefinedThings(Diagnostic):
    code = "FCB0331"
    title = "Definition of a built-in thing"
    cause = "`{kind}` cannot have definitions: {kind:a} is {above:a}, and {why}."
    help = "Base the kind on `piece`, `card` or `thing`, or remove this definition."
    explanation = """
        Definitions describe pieces, cards and other things. Spaces and sides belong to the map. The game itself,
        players and records exist only during play.
    """
    bad = 'kind hall is space:\n  field size: number\nhall cellar "Cellar":\n  size: 2'
    good = 'kind hall is card:\n  field size: number\nhall cellar "Cellar":\n  size: 2'


class NeedlessUse(Diagnostic):
    code = "FCB0332"
    severity = "warning"
    title = "Needless `use` line"
    cause = "This file needs no `use {unit}`: {why}."
    help = "Remove this line."
    explanation = """
        One `use` line makes a system or pack known in a whole file. `core` and the system to which a file belongs are
        always known.
    """
    bad = "use core"
    good = "mark gate, entry"


class SameInTwoLanguages(Diagnostic):
    code = "FCB0334"
    severity = "warning"
    title = "Text that is not translated"
    cause = "The text of `{name}` is the same in {language} as in the first language."
    help = "Write the text in {language}, or remove its line for {language} until you have one."
    explanation = """
        A text of four words or more is rarely the same in two languages. Often somebody has copied a line to translate
        it later.
    """
    bad = """
        system duel "Duel":
          languages: en, fr
        kind hero is piece:
          name: "hero"
          fr: "héros", m
        hero bo "Bo of the Marsh":
          fr: "Bo of the Marsh"
        """
    good = """
        system duel "Duel":
          languages: en, fr
        kind hero is piece:
          name: "hero"
          fr: "héros", m
        hero bo "Bo of the Marsh":
          fr: "Bo du marais"
        """


class ForgottenUse(Diagnostic):
    code = "FCB0330"
    severity = "warning"
    title = "Missing `use` line"
    cause = "This file uses `{word}` from `{unit}`, but has no `use {unit}`."
    help = "Write `use {unit}` at the top of the file."
    explanation = """
        `use NAME` makes the words of a system or pack known in a file. Without it, this file only works as long as
        another file of the project has the line.
    """
    bad = ""
    good = "mark gate"
