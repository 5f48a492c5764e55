"""07: what keeps a card or a sheet from being printed well."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class MissingWording(Diagnostic):
    """`filled`: the words of the sources stand there instead, else there is a gap."""

    code = "FCB0701"
    severity = "warning"
    title = "No wording in a language"
    cause = "`{name}` is printed on {card} but has no text in {language}."
    help = (
        'Give its declaration a `text {language}: "…"` line (or `{language}: "…"` beside a title), or write the whole '
        "`text {language}` on the card."
    )
    explanation = """
        Rules text is generated from the effect itself. For that every form, event and name that occurs on a printed
        piece needs words in every language of the project. An internal name is never printed, and a gap neither:
        `fcb render` leaves out what has one in the language that it prints, and `fcb check`, `fcb ci` and the editor
        report the same error. Neither `fcb.toml` nor a comment can allow it. You can still play, test and simulate what
        you are writing. If the declaration comes with fcb, the error points at your line that uses it. In a language
        that only files of translations know, the words of the sources stand there instead: that is a warning.
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


class UnknownSlot(Diagnostic):
    code = "FCB0702"
    title = "Unknown slot in a text"
    cause = "The text has a slot `{{{name}}}`, but `{form}` takes no such parameter."
    help = "Its parameters: {parameters}."
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
    title = "Nothing printable by that name"
    cause = "There is no card, board or mission called `{name}`."
    help = "Name a definition by its id, or `kind/id` where two kinds share one."
    explanation = """
        The names given to `fcb render` are ids of cards, boards and missions. Parts of cards (their attacks) and
        definitions without a title are not printed by themselves.
    """
    bad = "# fcb render bilhook -o out"
    good = "# fcb render billhook -o out"


class TextOverflow(Diagnostic):
    code = "FCB0704"
    title = "Text does not fit its card"
    cause = "The {part} of {card} ({language}) needs {need} mm in height at its smallest size but has {have} mm."
    help = "Shorten it, or give the card a `text` of its own."
    explanation = """
        Text is set smaller step by step, down to a size that can still be read at arm's length. What does not fit
        then would be cut off, so it is an error: it names the card, the language, and the millimetres.
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
    title = "Character without a glyph"
    cause = "The fonts of the press have no glyph for {character} (U+{code_point}), used on {card}."
    help = "Replace the character; Latin letters, punctuation and arrows are covered."
    bad = """
        weapon katana "刀":
          hands: 2
    """
    good = """
        weapon katana "Katana":
          hands: 2
    """


class UnknownLook(Diagnostic):
    code = "FCB0706"
    title = "Unknown entry in a layout"
    cause = "`{name}` in the layout of `{kind}` is not {expected}."
    help = "{known}"
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
    title = "Words that do not fit their line"
    cause = "The {part} of {card} ({language}) needs {need} mm in width at its smallest size but has {have} mm."
    help = "Shorten it."
    explanation = """
        Everything that is printed is measured: titles, rows of data, cells of tables, labels, legends, backs, and each
        word of running text, which no line end parts. Type is made smaller where it may be; what is still too wide
        would run into what stands beside it, so it is an error.
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
    title = "Sheet does not fit its page"
    cause = "The {part} of {card} ({language}) needs {need} mm in height at its smallest size but has {have} mm."
    help = "Shorten its texts: story, rules, tracks and the reminders of the keywords share one page."
    explanation = """
        A mission is printed on one page, so that it lies on the table beside the board. Type and map are made smaller
        step by step, down to sizes that can still be read. What does not fit then would run on to a second page, so
        it is an error: it names the mission, the language, the paper and the millimetres.
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
    title = "Words outside a print shop's safe zone"
    cause = "The {part} of {card} ({language}) lies {room} mm from the cut; {shop} asks for {safe} mm."
    help = "Print it for another shop, give its layout a larger `size` that the shop makes, or move it in its template."
    explanation = """
        A shop's knife may stray by a millimetre or two. What must not be cut off keeps to a safe zone; how wide that is
        the shop says. Faces are drawn in for it, but only so far: a wider zone would leave no room for words.
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
    title = "A text leaves out what the effect says"
    cause = "The text of `{form}` ({language}) leaves out `{argument}`, which {card} gives here."
    help = "Give `{form}` a `text {language}` with the slot `{{{slot}}}`; it is used where `{argument}` is given."
    explanation = """
        What is printed must not say less than what is played. Of the texts of a form the first is used whose
        condition holds and that has a slot for (or a condition on) every argument which was given and differs from
        its default. If there is none such, the first whose condition holds is printed, and this warning says what it
        leaves out.
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
    title = "A card's own text does not mention what its effect does"
    cause = "The text of {card} ({language}) does not mention `{name}`, of which the effect speaks here."
    help = "Mention it (as: {words}), or say that it is meant: `untold: {name}` below the text."
    explanation = """
        An author's own text replaces the one that is made of the effect, and nobody would notice if the two said
        different things. So it is compared with the effect: every keyword and verb, every thing, marker and place,
        every condition, and every number above 1 that the effect speaks of must be mentioned by one of its words, in
        each language. What a text leaves out on purpose, or says in words of its own, is named by `untold: NAME, …`.
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
    title = "A number that the effect does not have"
    cause = "The text of {card} ({language}) says {number}, which its effect does not have."
    help = "Correct the text or the effect, or say that it is meant: `untold: {number}` below the text."
    explanation = """
        An author's own text replaces the one that is made of the effect. When the effect is balanced anew, a number in
        the text is easily forgotten: each above 1 must be one of the effect, of the card's values, or of the text that
        would be generated. `fcb render --compare` shows both texts side by side.
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
    title = "Nothing is left untold"
    cause = "`{name}` need not be named here: the text of {card} mentions it, or its effect does not speak of it."
    help = "Take it out of `untold`."
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
    title = "No symbol on the map"
    cause = "`{name}` lies on the map of {card} but has no symbol; a letter is drawn for it."
    help = 'Give it one in any file: `layout symbols:` and below it `{name}: flag, "#1d4e89"` (drawing, colour).'
    explanation = """
        Everything on a printed map is drawn and stands in its legend. Tokens and marks, and grounds that are drawn
        like another one of the same map, need a symbol of their own; what has none gets a letter on a disc.
        `layout symbols:` may stand in any file of a project, also more than once; docs/language.md lists the drawings.
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
    title = "A picture that cannot be printed"
    cause = "The picture `{path}` can't be printed: {why}."
    help = "Name an SVG, PNG or JPEG file of the pack, as seen from the folder of this source."
    explanation = """
        A picture lies in the folder of the source that names it, or below. It may have 8 MiB and 25 million pixels; all
        pictures of a project may have 200 million. An SVG may draw and nothing else: no script, no style sheet, no
        picture in the picture, no reference to anything outside itself. It must draw something. References may lead
        from one to the next 8 times and draw 20,000 elements, 500 texts and 20,000 letters. fcb prints what is seen of
        PNG and JPEG files, without their metadata.
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
    title = "A picture without words"
    cause = "The picture `{path}` has no {what}."
    help = 'Write what it shows and whose it is: `art: "FILE", "…", fr "…", credit "…"`.'
    explanation = """
        Whoever can't see a picture reads what it shows; and whoever prints a pack must know whose pictures are in it.
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
    title = "A drawing or a font that cannot be used"
    cause = "`{path}` can't be used: {why}."
    help = "Name an SVG of 24 by 24 units, or a TrueType or OpenType font, as seen from the folder of this source."
    explanation = """
        Drawings and fonts of a pack lie in the folder of the source that names them, or below. A drawing
        (`layout icons:`) has at most 16 KiB and `viewBox="0 0 24 24"`; it holds shapes and groups, whose paint is
        said by attributes: `currentColor` (or nothing) takes the color of where it is used. A font (`layout fonts:`)
        has at most 4 MiB, one cut and one weight, and its maker allows it to be embedded.
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
    title = "A drawing or a font without a credit"
    cause = "It is not said whose `{path}` is."
    help = 'Say it: `credit "A. Maker, CC BY 4.0"`.'
    explanation = """
        Whoever prints a pack must know whose drawings and fonts are in it, and under which license: it stands in the
        list of contents and at the foot of the page.
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
    title = "A name of the press's own"
    cause = "The press has `{name}` among its {what} already."
    help = "Give it another name."
    explanation = """
        Sizes, colors, and the drawings `die` and `plain` mean the same everywhere. A pack may have a drawing of its own
        where the press has one of that name, though: it is taken instead, which `fcb render` says.
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
    title = "A color that can't be read"
    cause = "`{name}` is no color: it has no six digits."
    help = 'Write `{name}: "#8c2f1b"`: red, green and blue, two digits from 0 to f each.'
    bad = """
        layout colours:
          rust: "red"
    """
    good = """
        layout colours:
          rust: "#8c2f1b"
    """


class MisreadSize(Diagnostic):
    code = "FCB0728"
    title = "A size that can't be read"
    cause = "`{name}` is no size: width and height are from 20 to 400 mm each, and type from 0.5 to 3 times a card's."
    help = 'Write `{name}: 59, 92`, with fractions in quotation marks (`"57.5"`); larger type: `59, 92, type "1.2"`.'
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
    cause = "The text has a drawing `{{#{name}}}`, which there is not."
    help = "There are those of the press (docs/language.md lists them) and those of `layout icons:`."
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
    title = "A template that can't draw a face"
    cause = "The template can't draw {card}: {why}."
    help = "docs/looks.md tells what a template may hold, and what it is filled with."
    explanation = """
        A template is a small part of Jinja2 that writes an SVG: data, conditions, loops, a few filters; no macros, no
        includes, no calls. It takes 10,000 steps and writes 512 KiB at most. What it writes draws and does nothing
        else: no script, no style sheet, no reference to anything outside. It has no words of its own, either: the press
        sets them in the places that the drawing names, so that they are measured and can be read aloud.
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
    title = "A template leaves out what a card has"
    cause = "The template shows nothing of {what}, which {card} has."
    help = 'Give it a place (`<rect data-set="…" …/>`), or say its words by `data-say`.'
    explanation = """
        Print and play must not disagree: what a card has, its face shows. The foot tells whose a piece is, its number
        and its stamp.
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
    title = "Action or step that no page explains"
    cause = "The printed rules leave out `{name}`: no words in {language} for {lacking}."
    help = 'Explain what players do: write `reminder {language}: "…"` below {where}.'
    explanation = """
        The player aid and the rules reference print the reminder of an action or step, or else words made from its
        effect. If a part of the effect has no words, they print nothing: half of a rule would be another rule.
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


class SharedWording(Diagnostic):
    code = "FCB0735"
    severity = "warning"
    title = "Two meanings with the same words"
    cause = "The {sort} `{name}` prints the same words as `{other}` ({language}): “{words}”."
    help = "Give one of them other words: their effects differ, and nobody can tell that from the page."
    explanation = """
        Rules text is all that players have. Two relations, verbs, measures, keywords, statuses or events with different
        meanings need different words. Declarations whose parameters can never be the same thing may share words: what
        is printed in their slots tells them apart.
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
    title = "A wording uses the title of something else"
    cause = "The words of `{form}` ({language}) say “{title}”, the title of the {sort} `{name}`, but it means others."
    help = "Use the title of what `{form}` selects or changes, or give `{name}` another title."
    explanation = """
        The printed title of a kind, status or keyword is a term: readers take it to mean just that. The check compares
        the words of each verb, keyword, relation and measure with what its effect speaks of.
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


class FailedTypesetting(Diagnostic):
    code = "FCB0738"
    title = "Document that cannot be typeset"
    cause = "{what} can't be typeset: {why}."
    help = "Print its parts one by one (`fcb render ID`) to find the one at fault, then simplify its drawings."
    explanation = """
        fcb typesets in a process of its own, with limits of memory and processor time. If that process crashes or
        reaches a limit, fcb draws the pictures of the document one by one to find the picture at fault. This problem
        is reported if each of them can be drawn alone.
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
    cause = "{count} pieces are to be printed, with {copies} of `{card}`; {most} at once is the most."
    help = "Lower the number of its copies: `{card}` needs at most a few hundred."
    explanation = """
        Every copy of a card takes its place on a sheet, and so memory and time. No game has that many.
    """
    bad = """
        weapon club "Club", 16000 copies
    """
    good = """
        weapon club "Club", 16 copies
    """
