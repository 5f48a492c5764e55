"""07: problems that keep a card or a sheet from being printed well."""

from __future__ import annotations

from collections.abc import Iterable

from fcbdsl.base.diagnostics.base import Diagnostic


class MissingWording(Diagnostic):
    """A text that is missing in a language.

    `filled`: the words of the sources are printed instead, so that there is no gap. `line`: the line to write.
    """

    code = "FCB0701"
    severity = "warning"
    title = "Missing text in a language"
    cause = "`{name}` on {card} has no text in {language}."
    help = "Add {line}."
    explanation = """
        fcb generates rules text from the effect, so each printed form, event and name needs words in each language.
        `fcb render` leaves out a card with a gap, and neither `fcb.toml` nor a comment can allow it. In a language that
        only has a file of translations, fcb prints the English text instead and reports a warning.
    """
    bad = """
        verb hurry:
          takes: who (hero)
          op: place
    """
    good = """
        verb hurry:
          takes: who (hero)
          op: place
          text en: "hurry {who}"
          text fr: "pressez {who}"
    """


def is_gap(finding: Diagnostic) -> bool:
    """Return whether a finding is a gap in printed words, for which `fcb render` leaves a piece out."""
    return isinstance(finding, MissingWording) and not finding.arguments["filled"]


def gaps_as_errors(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return findings with each gap in printed words as an error. The findings given stay as they are."""
    return [finding.as_error() if is_gap(finding) else finding for finding in problems]


class UnknownSlot(Diagnostic):
    code = "FCB0702"
    title = "Unknown slot in a text"
    cause = "The text has the slot `{{{name}}}`, but `{form}` has no such parameter."
    help = "Use its parameters: {parameters}."
    explanation = """
        A slot in a text prints the argument of a parameter: `text en: "hurry {who}"`.
    """
    bad = """
        verb hurry:
          takes: who (hero)
          text en: "hurry {whom}"
    """
    good = """
        verb hurry:
          takes: who (hero)
          text en: "hurry {who}"
    """


class UnknownPrintable(Diagnostic):
    code = "FCB0703"
    title = "Unknown card, board or mission"
    cause = "There is no card, board or mission called `{name}`."
    help = "Write the id of a definition, or `kind/id` if two kinds have the same id."
    explanation = """
        `fcb render` takes the ids of cards, boards and missions. Parts of cards and definitions without a title have no
        print of their own.
    """
    bad = "# fcb render bilhook -o out"
    good = "# fcb render billhook -o out"


class TextOverflow(Diagnostic):
    code = "FCB0704"
    title = "Text that does not fit its card"
    cause = "The {part} of {card} ({language}) needs {need} mm in height, but has {have} mm."
    help = "Shorten it, or give the card a shorter text with `text`."
    explanation = """
        fcb makes the type smaller step by step, down to a size that can be read at arm's length. The message gives the
        height at that smallest size.
    """
    bad = """
        stunt epic "Epic":
          flavour: "… three hundred words …"
    """
    good = """
        stunt epic "Epic":
          flavour: "Short."
    """


class MissingGlyph(Diagnostic):
    code = "FCB0705"
    title = "Character that the font lacks"
    cause = "No font of fcb has the character {character} (U+{code_point}), used on {card}."
    help = "Replace the character. The fonts have Latin letters, punctuation and arrows."
    explanation = """
        The printed card would show an empty box.
    """
    bad = """
        weapon katana "刀":
          hands: 2
    """
    good = """
        weapon katana "Katana":
          hands: 2
    """


class TitleGlyph(Diagnostic):
    code = "FCB0740"
    severity = "warning"
    title = "Letter that the title font lacks"
    cause = "The font “{font}” has no {letters}, used in the title of {card}."
    help = "Choose a title font with these letters in `layout style`, or change the title."
    explanation = """
        The press takes a letter that the title font lacks from another font, so it looks different from the letters
        beside it. Many display fonts have no accents, or no small letters.
    """
    bad = """
        layout fonts:
          stencil: "fonts/capitals-only.ttf", credit "A. Maker, OFL 1.1"
        layout style:
          font: "Capitals Only"
    """
    good = """
        layout fonts:
          stencil: "fonts/all-letters.ttf", credit "A. Maker, OFL 1.1"
        layout style:
          font: "All Letters"
    """


class UnknownLook(Diagnostic):
    code = "FCB0706"
    title = "Unknown entry in a layout"
    cause = "`{name}` in the layout of `{kind}` is not {expected}."
    help = "{known}"
    explanation = """
        A layout gives the place of each field on a card. `fcb help layouts` lists its entries.
    """
    bad = """
        layout weapon:
          corner: hand
    """
    good = """
        layout weapon:
          corner: hands
    """


class TextTooWide(Diagnostic):
    code = "FCB0707"
    title = "Text that is too wide"
    cause = "The {part} of {card} ({language}) needs {need} mm in width, but has {have} mm."
    help = "Shorten it."
    explanation = """
        fcb measures everything that it prints. It makes the type smaller where it can; the message gives the width at
        the smallest size. A longer text would run into the next one.
    """
    bad = """
        stunt epic "An exceedingly long title that no card of this size could ever carry":
          cost: 1
    """
    good = """
        stunt epic "Epic":
          cost: 1
    """


class SheetOverflow(Diagnostic):
    code = "FCB0708"
    title = "Mission sheet that does not fit its page"
    cause = "The {part} of {card} ({language}) needs {need} mm in height, but has {have} mm."
    help = "Shorten its story, rules, tracks or reminders, or use fewer marks on its map: they share one page."
    explanation = """
        fcb prints a mission on one page. It makes the type and the map smaller step by step, down to a size that can be
        read. The message gives the height at that smallest size.
    """
    bad = """
        mission epic "Epic":
          story: "… a thousand words …"
    """
    good = """
        mission epic "Epic":
          story: "Short."
    """


class OutsideSafeZone(Diagnostic):
    code = "FCB0709"
    title = "Text outside the safe zone of a print shop"
    cause = "The {part} of {card} ({language}) is {room} mm from the cut; {shop} needs {safe} mm."
    help = "Choose another shop or a larger `size` in the layout, or move the text in the template."
    explanation = """
        The cut of a print shop can be off by a millimeter or two. Text must keep a distance from it, the safe zone. fcb
        moves the text of a card inward up to a limit.
    """
    bad = """
        layout stunt:
          size: mini
    """
    good = """
        layout stunt:
          size: poker
    """


class UnsaidArgument(Diagnostic):
    code = "FCB0711"
    severity = "warning"
    title = "Text that leaves out an argument"
    cause = "The text of `{form}` ({language}) leaves out `{argument}`, which {card} gives."
    help = "Add a `text {language}` with the slot `{{{slot}}}` to `{form}`. fcb uses it where `{argument}` is given."
    explanation = """
        fcb uses the first text of a form whose condition is true and that has a slot for each argument that differs
        from its default. If there is none, the printed card says less than the effect does.
    """
    bad = """
        keyword Pull "Pull":
          takes: target (unit), from origin (space, default self's place)
          text en: "*Pull* {target}"

        loot lodestone "Lodestone":
          effect:
            choose heart: enemy in sight
            Pull enemy adjacent to heart from heart
    """
    good = """
        keyword Pull "Pull":
          takes: target (unit), from origin (space, default self's place)
          text en: "*Pull* {target}"
          text en: "*Pull* {target} toward {origin}"

        loot lodestone "Lodestone":
          effect:
            choose heart: enemy in sight
            Pull enemy adjacent to heart from heart
    """


class UntoldMatter(Diagnostic):
    code = "FCB0712"
    severity = "warning"
    title = "Custom text that leaves out an effect"
    cause = "The text of {card} ({language}) does not mention `{name}` from its effect."
    help = "Mention it (as: {words}), or allow the gap: write `untold: {name}` below the text."
    explanation = """
        A custom text replaces the generated one, so fcb compares it with the effect. Each verb, thing, marker, place,
        condition and number above 1 must occur in it, in each language. `untold: NAME, …` lists exceptions.
    """
    bad = """
        errand night-watch "Keep watch":
          text: "At the window. Roll orange."
          effect: spawn wolf at space marked gate
    """
    good = """
        errand night-watch "Keep watch":
          text: "At the window. Roll orange. Then a Wolf comes."
          untold: spawn, gate
          effect: spawn wolf at space marked gate
    """


class StrayNumber(Diagnostic):
    code = "FCB0719"
    severity = "warning"
    title = "Number in a custom text that the effect lacks"
    cause = "The text of {card} ({language}) says {number}, but its effect does not have it."
    help = "Correct the text or the effect, or allow it: write `untold: {number}` below the text."
    explanation = """
        A number in a custom text is easily forgotten when the effect changes. Each number above 1 must occur in the
        effect, in the values of the card or in the generated text. `fcb render --compare` shows both texts.
    """
    bad = """
        stunt hop "Hop":
          text: "Move 3 spaces."
          effect: move freely self 2
    """
    good = """
        stunt hop "Hop":
          text: "Move 2 spaces."
          effect: move freely self 2
    """


class IdleUntold(Diagnostic):
    code = "FCB0713"
    severity = "warning"
    title = "Unnecessary entry in `untold`"
    cause = "`untold` does not need `{name}`: the text mentions it, or the effect does not."
    help = "Remove it from `untold`."
    explanation = """
        `untold` lists the parts of an effect that a custom text leaves out on purpose.
    """
    bad = """
        stunt hop "Hop":
          text: "Jump 2 spaces."
          untold: 2
          effect: move freely self 2
    """
    good = """
        stunt hop "Hop":
          text: "Jump 2 spaces."
          effect: move freely self 2
    """


class NoSymbol(Diagnostic):
    code = "FCB0714"
    severity = "warning"
    title = "Map element without a symbol"
    cause = "`{name}` is on the map of {card} without a symbol, so fcb draws a letter."
    help = 'Give it a symbol in any file: `layout symbols:`, and below it `{name}: flag, "#1d4e89"` (drawing, color).'
    explanation = """
        Tokens, marks and terrain on a printed map have a symbol and an entry in its legend. `layout symbols:` can be in
        any file of the project, more than once. `fcb help layouts` lists the drawings.
    """
    bad = """
        token bell "Bell", goal:
          limit: 1
    """
    good = """
        token bell "Bell", goal:
          limit: 1

        layout symbols:
          bell: bell, "#b38600"
    """


class UnusablePicture(Diagnostic):
    code = "FCB0717"
    title = "Unusable picture"
    cause = "fcb cannot print the picture `{path}`: {why}."
    help = "Use an SVG, PNG or JPEG file in the folder of this source, or in a folder below it."
    explanation = """
        A picture has at most 8 MiB and 25 million pixels, all pictures of a project 200 million. An SVG only contains
        shapes and texts: no scripts, style sheets, pictures or references to other files. `fcb help layouts`
        lists the limits.
    """
    bad = """
        weapon club "Club":
          art: "../club.bmp"
    """
    good = """
        weapon club "Club":
          art: "art/club.svg", "A club with nails", fr "Un gourdin clouté", credit "A. Maker, CC BY 4.0"
    """


class MissingPictureWords(Diagnostic):
    code = "FCB0718"
    severity = "warning"
    title = "Picture without a description or credit"
    cause = "The picture `{path}` has no {what}."
    help = 'Describe it and name its maker: `art: "{path}", "…", fr "…", credit "…"`.'
    explanation = """
        Screen readers read the description. The list of contents prints the credit, so that everybody who prints the
        pack knows the maker and the license.
    """
    bad = """
        weapon club "Club":
          art: "art/club.svg"
    """
    good = """
        weapon club "Club":
          art: "art/club.svg", "A club with nails", fr "Un gourdin clouté", credit "A. Maker, CC BY 4.0"
    """


class UnusableFile(Diagnostic):
    code = "FCB0725"
    title = "Unusable drawing or font"
    cause = "fcb cannot use `{path}`: {why}."
    help = "Use an SVG of 24 × 24 units, or a TrueType or OpenType font, in the folder of this source or below."
    explanation = """
        A drawing (`layout icons:`) has at most 16 KiB and `viewBox="0 0 24 24"`, and only contains shapes and groups;
        `currentColor` takes the color of its place. A font (`layout fonts:`) has at most 4 MiB, one style and one
        weight. Its license must allow embedding.
    """
    bad = """
        layout icons:
          anchor: "icons/anchor.png", credit "A. Maker, CC BY 4.0"
    """
    good = """
        layout icons:
          anchor: "icons/anchor.svg", credit "A. Maker, CC BY 4.0"
    """


class UncreditedFile(Diagnostic):
    code = "FCB0726"
    severity = "warning"
    title = "Drawing or font without a credit"
    cause = "The drawing or font `{path}` has no credit."
    help = 'Add its maker and license: `credit "A. Maker, CC BY 4.0"`.'
    explanation = """
        The list of contents and the foot of the web page print the credit, so that everybody who prints the pack knows
        the license.
    """
    bad = """
        layout icons:
          anchor: "icons/anchor.svg"
    """
    good = """
        layout icons:
          anchor: "icons/anchor.svg", credit "A. Maker, CC BY 4.0"
    """


class PressName(Diagnostic):
    code = "FCB0727"
    title = "Name that the print layout already uses"
    cause = "fcb already has `{name}` among its {what}."
    help = "Choose another name."
    explanation = """
        Sizes, colors and the drawings `die` and `plain` mean the same in every pack. Other drawings can be replaced;
        `fcb render` reports that.
    """
    bad = """
        layout sizes:
          tarot: 60, 90
    """
    good = """
        layout sizes:
          oracle: 60, 90
    """


class MisreadColour(Diagnostic):
    code = "FCB0733"
    title = "Invalid color"
    cause = "`{name}` is not a color of six digits."
    help = 'Write `{name}: "#8c2f1b"`: two digits from 0 to f each for red, green and blue.'
    explanation = """
        Colors have the form `"#RRGGBB"`.
    """
    bad = """
        layout colors:
          rust: "red"
    """
    good = """
        layout colors:
          rust: "#8c2f1b"
    """


class MisreadSize(Diagnostic):
    code = "FCB0728"
    title = "Invalid size of a card"
    cause = "`{name}` must have 20 to 400 mm on each side, and type 0.5 to 3."
    help = 'Write `{name}: 59, 92`. Put fractions in quotes (`"57.5"`). For larger type: `59, 92, type "1.2"`.'
    explanation = """
        A size in `layout sizes:` has a width, a height and, if you want, the size of the type compared to a normal
        card.
    """
    bad = """
        layout sizes:
          euro: 59 by 92
    """
    good = """
        layout sizes:
          euro: 59, 92
    """


class UnknownDrawing(Diagnostic):
    code = "FCB0729"
    title = "Unknown drawing in a text"
    cause = "The text has the drawing `{{#{name}}}`, which does not exist."
    help = "Use a drawing of fcb (`fcb help layouts` lists them), or add your own to `layout icons:`."
    explanation = """
        A drawing in a text is printed as a symbol in the line.
    """
    bad = """
        verb hurry:
          takes: who (hero)
          text en: "hurry {who} {#bot}"
    """
    good = """
        verb hurry:
          takes: who (hero)
          text en: "hurry {who} {#boot}"
    """


class MisdrawnFace(Diagnostic):
    code = "FCB0731"
    title = "Error in a template"
    cause = "The template cannot draw {card}: {why}."
    help = "Correct the template. `fcb help looks` lists what it may contain."
    explanation = """
        A template is a small part of Jinja2 that writes an SVG, with at most 10,000 steps and 512 KiB. It has
        conditions, loops and some filters, but no macros, includes or calls. fcb sets the words of the card in the
        places that the drawing names.
    """
    bad = """
        <!-- layout weapon: … template: "weapon.svg.j2" -->
        <text x="4" y="9">{{ card.titel }}</text>
    """
    good = """
        <rect data-set="title" x="4" y="4" width="40" height="7"/>
    """


class LeftOutOfFace(Diagnostic):
    code = "FCB0732"
    title = "Template that leaves out part of a card"
    cause = "The template leaves out {what} of {card}."
    help = 'Add a place for it (`<rect data-set="…" …/>`), or write its words with `data-say`.'
    explanation = """
        A printed card must show everything that its effect uses. The foot of a card has its owner, number and version
        stamp.
    """
    bad = """
        <svg viewBox="0 0 63 88"><rect data-set="title" x="4" y="4" width="40" height="7"/></svg>
    """
    good = """
        <svg viewBox="0 0 63 88">
          <rect data-set="title" x="4" y="4" width="40" height="7"/>
          <rect data-set="text" x="4" y="40" width="55" height="40"/>
          <rect data-set="foot" x="4" y="83" width="55" height="3"/>
        </svg>
    """


class Unexplained(Diagnostic):
    code = "FCB0734"
    severity = "warning"
    title = "Action or step without rules text"
    cause = "The printed rules leave out `{name}`: no words in {language} for {lacking}."
    help = 'Explain it to players: write `reminder {language}: "…"` below {where}.'
    explanation = """
        The player aid and the rules reference print the reminder of an action or step, or else a text made from its
        effect. If a part of the effect has no words, they print nothing, because half a rule would be wrong.
    """
    bad = """
        action rest "Rest":
          by: hero
          form: rests
          effect: hurry self
    """
    good = """
        action rest "Rest":
          by: hero
          form: rests
          reminder en: "Skip your turn and hurry."
          effect: hurry self
    """


class UnprintedNumber(Diagnostic):
    code = "FCB0742"
    severity = "warning"
    title = "Number that no page prints"
    cause = "The game reads `{name}` of {thing}, {value}, and no page prints it."
    help = "{todo}. If a text of yours states the number: `# fcb: allow FCB0742`."
    explanation = """
        Players need every number that the game uses. The check changes the number and compares the cards, sheets, aid
        and reference (where a comment allows the code, only the nearest cards and sheets): none of them changes.
        Nothing prints the limit of a zone, status or token by itself, so a reminder or text with its title must contain
        a limit above 1.
    """
    bad = """
        kind guard is piece:
          name: "guard", plural "guards"
          field nerve: number 1..
        layout guard:
          size: card
        guard ward "Ward":
          nerve: 3
    """
    good = """
        kind guard is piece:
          name: "guard", plural "guards"
          field nerve "Nerve": number 1..
        layout guard:
          size: card
          stats: nerve
        guard ward "Ward":
          nerve: 3
    """


class SharedWording(Diagnostic):
    code = "FCB0735"
    severity = "warning"
    title = "Two meanings with the same words"
    cause = "The {sort} `{name}` prints the same words as `{other}` ({language}): “{words}”."
    help = "Change the words of one of them: their effects differ, but players cannot see it."
    explanation = """
        Players only have the printed text. Two forms or events with different meanings need different words, unless
        their parameters can never be the same thing.
    """
    bad = """
        relation hidden from:
          takes: a (hero), b (guard)
          is: a not in sight of b
          text en: "behind cover from {b}"
        relation safe from:
          takes: a (hero), b (guard)
          is: a not in sight of b or a behind wall of b
          text en: "behind cover from {b}"
    """
    good = """
        relation safe from:
          takes: a (hero), b (guard)
          is: a not in sight of b or a behind wall of b
          text en: "out of sight of {b} or behind cover from {b}"
    """


class BorrowedTitle(Diagnostic):
    code = "FCB0736"
    severity = "warning"
    title = "Text with the title of something else"
    cause = "`{form}` ({language}) says “{title}”, the title of the {sort} `{name}`, but means others."
    help = "Use the title of what `{form}` selects or changes, or rename `{name}`."
    explanation = """
        Players read the printed title of a kind, status or keyword as a term with one meaning. The check compares the
        words of each form with its effect.
    """
    bad = """
        kind hound (hero):
          name: "companion", plural "companions"
        measure nearest friend:
          takes: of a (hero)
          gives: hero
          value: hero except a, by range from a to it
          text en: "{a's} closest companion"
    """
    good = """
        measure nearest friend:
          takes: of a (hero)
          gives: hero
          value: hero except a, by range from a to it
          text en: "the hero closest to {a}"
    """


class SymbolsAlike(Diagnostic):
    code = "FCB0741"
    title = "Two symbols of one shape"
    cause = "`{name}` and `{other}` have the same drawing, `{drawing}`."
    help = (
        "Choose another drawing for `{name}`, such as {free}. If both mean the same thing, write `{name}: as {other}`."
    )
    explanation = """
        Without color, and for color-blind players, two symbols that differ by color alone look the same.
        Symbols with a letter are discs or dice with that letter, so their letters must differ in each language. A pack
        may use a drawing of its game for a thing of the pack; fcb then warns only if a map shows both.
    """
    bad = """
        layout symbols:
          damage: burst, "#b3261e"
          bomb: burst, "#e8710a"
    """
    good = """
        layout symbols:
          damage: burst, "#b3261e"
          bomb: bomb, "#e8710a"
    """


class RegionsAlike(Diagnostic):
    code = "FCB0744"
    title = "Too many kinds of regions on a map"
    cause = "The map of {card} has {count} kinds of regions, but bands have {most} patterns."
    help = "Make regions of some kinds variants of one kind, or leave out the regions of one kind."
    explanation = """
        Each kind of region has a band with its own pattern: solid, dashed, dotted, or dashes and dots. So players who
        see no colors, and those with a gray print, can tell them apart. There are no more patterns.
    """
    bad = """
        hall long: A1
        nook corner: B1
        yard back: C1
        porch front: D1
        shed wood: E1
    """
    good = """
        hall long: A1
        hall corner: B1
        yard back: C1
        porch front: D1
        yard wood: E1
    """


class MissingGender(Diagnostic):
    """A name whose gender is unknown, although printed words depend on it.

    `text`: these words; `card`: the card or sheet that prints them.
    """

    code = "FCB0743"
    severity = "warning"
    title = "Missing gender of a title"
    cause = "`{name}` has no gender in {language}, so {card} prints “{text}”."
    help = "Write the gender behind the title: {lines}."
    explanation = """
        French and German articles, adjectives and pronouns depend on the gender. A title without one is masculine. fcb
        reports it only if another gender would change a printed text or a line of the game log.
    """
    bad = """
        kind tool is card:
          name: "tool", plural "tools"
          fr: "clef"
    """
    good = """
        kind tool is card:
          name: "tool", plural "tools"
          fr: "clef", f
    """


class FailedTypesetting(Diagnostic):
    code = "FCB0738"
    title = "Document that cannot be typeset"
    cause = "fcb cannot typeset {what}: {why}."
    help = "Print its parts one by one (`fcb render ID`) to find the cause, then simplify its pictures."
    explanation = """
        fcb typesets in a child process with limits of memory and time. If that process fails, fcb tries each
        picture alone to find the cause. Here, each picture alone worked.
    """
    bad = """
        layout weapon:
          template: "ten-thousand-lines.svg.j2"
    """
    good = """
        layout weapon:
          template: "frame.svg.j2"
    """


class TooManyPieces(Diagnostic):
    code = "FCB0739"
    title = "Too many pieces in a print run"
    cause = "This prints {count} pieces, {copies} of them `{card}`; the limit is {most}."
    help = "Write a smaller number of `copies` for `{card}`: at most a few hundred."
    explanation = """
        Each copy of a card takes space on a sheet, and so memory and time.
    """
    bad = """
        weapon club "Club", 16000 copies
    """
    good = """
        weapon club "Club", 16 copies
    """
