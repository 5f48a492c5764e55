"""Systems and the small components of a game: enums, dice, ladders, variants, marks, ground, print layouts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import RepeatedLine, WrongPlace
from fcbdsl.base.diagnostics.values import BadDie, RangeBackwards
from fcbdsl.base.source import Span
from fcbdsl.base.words import GRIDS, SHAPES
from fcbdsl.language.model.builtins import compass
from fcbdsl.language.model.content import COMMON_LAYOUTS, LAYOUT_ALIASES, Layout
from fcbdsl.language.model.declarations import Die, Enum, Ladder, Mark, Name, Terrain
from fcbdsl.language.model.declaring.blocks import REMINDER, names_listed, read_block, read_text
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.setting import plain_value, sample_value
from fcbdsl.language.model.declaring.variants import chosen_value, declare_variants
from fcbdsl.language.model.ir import FLAG
from fcbdsl.language.model.lines import (
    atoms,
    clause_words,
    head_atoms,
    keyword_of,
    leading_words,
    read_more_titles,
    read_titles,
    single_number,
    single_range,
    single_word,
    tail_parts,
    tail_words,
)
from fcbdsl.language.syntax.tree import Atom, Line, Number, Part, Range, String, Word
from fcbdsl.machine.geometry.coordinates import HEX_COMPASS, SQUARE_COMPASS

_FLAGS_OF_MARKS = ("entry", "goal")


def languages(context: Context, asked: Sequence[str]) -> None:
    """Determine the languages in which titles may be written, and those in which they must be.

    The latter are the ones requested by the project, else those that the game's system names.
    """
    languages_known = {"en": None}
    wanted = {"en": None}
    for declaration in context.index.of("system"):
        for line in declaration.line.block:
            if not line.broken and spoken_key(line) == "languages":
                listed = dict.fromkeys(word.text for part in tail_parts(line) if (word := single_word(part)))
                languages_known |= listed
                wanted |= listed if declaration.id != "core" else {}
    context.known_languages = tuple(languages_known | dict.fromkeys(asked))
    context.model.languages = tuple(dict.fromkeys(asked) if asked else wanted)


def spoken_key(line: Line) -> str:
    """Return all words of a line's head."""
    return " ".join(clause_words(line.head)) if line.head is not None else ""


def declare_systems(context: Context) -> None:
    """Read the data of the game's system; `core` is every game's, so the last one that is not core counts."""
    model = context.model
    chosen: Declaration | None = None
    for declaration in context.index.of("system"):
        if chosen is not None and chosen.id != "core" and declaration.id != "core":
            what = f"`{chosen.id}` and `{declaration.id}` are two games, but a project has one."
            context.report(WrongPlace(declaration.span, what=what, cure="Remove the `use` line of one of them."))
        if chosen is None or declaration.id != "core":
            chosen = declaration
    for declaration in context.index.of("system"):
        name = declaration.named()
        _system(context, declaration, name, chosen is declaration)
        if chosen is declaration:
            model.system, model.title = declaration.id, name


def _system(context: Context, declaration: Declaration, name: Name, chosen: bool) -> None:
    model = context.model

    def players(line: Line) -> None:
        counts = read_players(context, line)
        if counts is not None and chosen:
            model.players = counts

    def board(line: Line) -> None:
        word = " ".join(tail_words(line))
        if word not in SHAPES:
            context.malformed(line.span, "a sort of board", "board: hex")
        elif chosen:
            model.board = word

    def order(line: Line) -> None:
        text = " ".join(tail_words(line))
        if spoken_key(line) != "win order" or text not in {"loss first", "win first"}:
            context.malformed(line.span, "the order of ends", "win order: loss first")
        elif chosen:
            model.loss_first = text == "loss first"

    def directions(line: Line) -> None:
        directions_read = _directions(context, line)
        if directions_read is not None and chosen:
            lines.append(line)
            model.directions = directions_read

    lines: list[Line] = []
    handlers = {"players": players, "board": board, "win": order, "languages": _languages_line, "outlook": _later}
    handlers |= {"directions": directions}
    read_block(context, declaration.line, "a system", handlers, {"variant": _later}, name)
    if chosen and model.board != "graph":
        model.directions = compass(
            HEX_COMPASS if model.board == "hex" else SQUARE_COMPASS if model.board in GRIDS else ()
        )
        for line in lines:
            what = f"Only a graph can declare directions, and the boards of this system are {model.board}."
            context.report(
                WrongPlace(
                    line.span, what=what, cure="Remove the line. Other boards have the directions of the compass."
                )
            )


def _directions(context: Context, line: Line) -> dict[str, Name] | None:
    """Read ``directions: N-S, E-W``: pairs of opposites; first the first of each, then the second, in turning order."""
    pairs: list[tuple[str, str]] = []
    for part in tail_parts(line):
        word = single_word(part)
        first, _, second = word.text.partition("-") if word is not None else ("", "", "")
        names = [name for pair in pairs for name in pair]
        if not first or not second or "-" in second or first == second or {first, second} & {*names}:
            context.malformed(line.span_of(part), "two opposite directions", "directions: N-S, E-W")
            return None
        pairs.append((first, second))
    if not pairs or not context.within(line.span, bounds.DIRECTIONS, "There would be", 2 * len(pairs), "directions"):
        return None
    enum = Enum("direction", compass([pair[at] for at in (0, 1) for pair in pairs]), line.span)
    for inner in line.block:
        if not inner.broken:
            _value_titles(context, inner, enum)
    return enum.values


def _languages_line(line: Line) -> None:
    """Ignore the line, which `languages` has read before."""


def _later(line: Line) -> None:
    """Ignore the line, which is read when everything that it refers to is declared."""


def read_players(context: Context, line: Line) -> tuple[int, int] | None:
    """Read ``players: 2..4``."""
    parts = tail_parts(line)
    players = single_range(parts[0]) if len(parts) == 1 else None
    if players is None or players.high is None or players.low < 1:
        context.malformed(line.span, "a number of players", "players: 2..4")
        return None
    if players.low > players.high:
        context.report(RangeBackwards(line.span_of(players), low=players.low, high=players.high))
        return None
    if not context.within(line.span_of(players), bounds.PLAYERS, "The game is for up to", players.high, "players"):
        return None
    return players.low, players.high


# ── enums, variants, marks ─────────────────────────────────────────────────────────────────────


def declare_components(context: Context) -> None:
    """Declare the components that refer to no other declarations."""
    for declaration in context.index.of("enum"):
        _enum(context, declaration)
    declare_variants(context)
    for declaration in context.index.of("mark"):
        _mark(context, declaration)
    for declaration in context.index.of("terrain", "barrier"):
        _terrain(context, declaration)
    for declaration in context.index.of("die"):
        _die(context, declaration)
    for declaration in context.index.of("ladder"):
        _ladder(context, declaration)
    for declaration in context.index.of("layout"):
        _layout(context, declaration)


def _enum(context: Context, declaration: Declaration) -> None:
    values = names_listed(context, declaration)
    if values is None:
        context.model.enums[declaration.id] = Enum(declaration.id, {}, declaration.span)
        return
    enum = Enum(declaration.id, {value: Name() for value in values}, declaration.span)
    context.model.enums[declaration.id] = enum
    for line in declaration.line.block:
        if not line.broken:
            _value_titles(context, line, enum)


def _value_titles(context: Context, line: Line, enum: Enum) -> None:
    """Read a line ``melee "Melee", fr "Corps-à-corps"`` below an enum."""
    head = head_atoms(line)
    if not (len(head) == 2 and isinstance(head[0], Word) and isinstance(head[1], String)) or line.head is not None:
        context.malformed(line.span, "the title of a value", 'VALUE "Title", fr "Titre"')
    elif head[0].text not in enum.values:
        context.unknown(line.span_of(head[0]), f"value of `{enum.id}`", head[0].text, enum.values)
    else:
        name = enum.values[head[0].text]
        name.title["en"] = head[1].value
        if not read_more_titles(name, line.tail[0].parts[1:], "en"):
            context.malformed(line.span, "the title of a value", 'VALUE "Title", fr "Titre"')


def _mark(context: Context, declaration: Declaration) -> None:
    """Read ``mark start, entry``."""
    mark = context.model.marks[declaration.id] = Mark(declaration.id, declaration.span, declaration.named())
    for word in declaration.flags:
        if word.text in _FLAGS_OF_MARKS:
            setattr(mark, word.text, True)
        else:
            context.unknown(declaration.line.span_of(word), "flag of a mark", word.text, _FLAGS_OF_MARKS)
    read_block(context, declaration.line, "a mark", {}, name=mark.name)


# ── ground ─────────────────────────────────────────────────────────────────────────────────────


def _terrain(context: Context, declaration: Declaration) -> None:
    terrain = Terrain(declaration.id, declaration.span, declaration.named(), system=declaration.system)
    into = context.model.terrains if declaration.sort == "terrain" else context.model.barriers
    into[declaration.id] = terrain

    side = declaration.sort == "barrier"

    def blocks(line: Line) -> None:
        for part in tail_parts(line):
            words = leading_words(atoms(part))
            if side and words[1:2] == ("while",) and len(words) == 3 + ("not" in words):
                terrain.ajar = words[2] == "not"
                context.keeping.append(partial(_hinge, context, terrain, line, atoms(part)[-1]))
                words = words[:1]
            if words == ("movement",):
                terrain.blocks_movement = True
            elif words == ("sight",):
                terrain.blocks_sight = True
            else:
                form = "blocks: movement, sight" + (" while FLAG" if side else "")
                context.malformed(line.span_of(part), "something that can be blocked", form)

    def value(line: Line) -> None:
        context.keeping.append(lambda: _side_value(context, terrain, line))

    def gives(line: Line) -> None:
        terrain.gives_cover = leading_words(head_atoms(line)) == ("gives", "cover")
        if not terrain.gives_cover or line.head is not None:
            context.malformed(line.span, "a line of a terrain", "gives cover")

    def cost(line: Line) -> None:
        parts = tail_parts(line)
        number = single_number(parts[0]) if len(parts) == 1 else None
        if number is None or number < 0:
            context.malformed(line.span, "the cost of a step", "cost: 2")
        elif context.within(line.span, bounds.STEP_COST, "A step would cost", number, "points"):
            terrain.cost = number

    def off_board(line: Line) -> None:
        terrain.on_board = False
        if leading_words(head_atoms(line)) != ("off", "board"):
            context.malformed(line.span, "a space outside the board", "off board")

    def no_footing(line: Line) -> None:
        terrain.footing = False
        if leading_words(head_atoms(line)) != ("no", "footing"):
            context.malformed(line.span, "a space without footing", "no footing")

    def corners(line: Line) -> None:
        words = head_atoms(line)
        terrain.shuts_corners = leading_words(words[:2]) == ("shuts", "corners") and not side and line.head is None
        match words[2:]:
            case () if terrain.shuts_corners:
                pass
            case (Word(text="while"), Word() as name, Word(text="is"), Word() as value) if terrain.shuts_corners:
                terrain.switch, terrain.setting = chosen_value(context, line, name, value) or ("", 0)
            case _:
                context.malformed(line.span, "a line about corners", "shuts corners [while VARIANT is VALUE]")

    def never_opens(line: Line) -> None:
        terrain.never_opens = leading_words(head_atoms(line)) == ("never", "opens")
        if not terrain.never_opens or line.head is not None:
            context.malformed(line.span, "a permanent barrier", "never opens")

    handlers = {
        "blocks": blocks,
        "gives": gives,
        "cost": cost,
        "off": off_board,
        "no": no_footing,
        "never": never_opens,
        "shuts": corners,
    }
    often = dict.fromkeys(_side_columns(context) if side else (), value)
    read_block(context, declaration.line, a(declaration.sort), handlers, often, name=terrain.name)


def _side_columns(context: Context) -> list[str]:
    """Return the names of the columns of sides, which are declared later."""
    blocks = [declaration.line.block for declaration in context.index.of("kind") if declaration.id == "side"]
    first_words = [leading_words(head_atoms(line)) for block in blocks for line in block if not line.broken]
    return [words[1] for words in first_words if len(words) > 1 and words[0] in {"field", "stat"}]


def _hinge(context: Context, barrier: Terrain, line: Line, atom: Atom) -> None:
    """Read ``blocks: movement while shut``: the flag of sides on which a barrier depends."""
    name = atom.text if isinstance(atom, Word) else ""
    columns = context.model.kinds["side"].fields
    if name in columns and columns[name].type == FLAG and columns[name].sort in {"field", "stat"}:
        barrier.hinge = name
    elif context.complete(context.model.kinds["side"]):
        flags = [column.id for column in columns.values() if column.type == FLAG]
        context.unknown(line.span_of(atom), "flag of sides", name, flags)


def _side_value(context: Context, barrier: Terrain, line: Line) -> None:
    """Read ``lock: 2`` of a barrier: a start value of the sides that have it."""
    field = context.model.kinds["side"].find(spoken_key(line))
    parts = tail_parts(line)
    if field is None:
        return  # its own declaration was reported
    value_atoms = atoms(parts[0]) if len(parts) == 1 and len(line.tail) == 1 and not line.block else ()
    expr = plain_value(context, field, line, value_atoms[0]) if len(value_atoms) == 1 else None
    if expr is None:
        context.malformed(line.span, f"a value of `{field.id}`", f"{field.id}: {sample_value(context, field)}")
    elif any(other is field for other, _ in barrier.values):
        context.report(RepeatedLine(line.span, name=field.id))
    else:
        barrier.values.append((field, expr))


# ── dice ───────────────────────────────────────────────────────────────────────────────────────


def _die(context: Context, declaration: Declaration) -> None:
    die = Die(declaration.id, declaration.span, declaration.named())
    context.model.dice[declaration.id] = die
    problem = False
    for line in declaration.line.block:
        if line.broken:
            problem = True
            continue
        key = spoken_key(line)
        if key == "faces":
            problem |= not _faces(context, line, die)
        elif key == "face":
            problem |= not _face(context, line, die)
        elif context.title_line(line, die.name, key):
            continue
        elif keyword_of(line) == REMINDER:
            read_text(context, line, die.name.reminder)
        elif key in die.symbols:
            name = Name()
            if not tail_parts(line) or not read_titles(name, tail_parts(line), "en"):
                context.malformed(line.span, "the title of a symbol", f'{key}: "title", fr "titre"')
            die.names[key] = name
        else:
            context.unexpected(line, "a die", ["faces", "face", "name", *context.known_languages[1:], *die.symbols])
    if die.numbered and (die.symbols or () in die.faces):
        context.report(BadDie(declaration.span, what=f"The die `{die.id}` mixes numbers and symbols."))
        die.faces, die.numbered = [], False
    elif not die.faces and not problem:
        context.report(BadDie(declaration.span, what=f"The die `{die.id}` has no faces."))


def _symbol(die: Die, word: str) -> int:
    if word not in die.symbols:
        die.symbols.append(word)
    return die.symbols.index(word)


def _faces(context: Context, line: Line, die: Die) -> bool:
    """Read ``faces: hit 5, miss 1``, ``faces: 1..6`` or ``faces: 1, 1, 2, 3``."""
    for part in tail_parts(line):
        part_atoms = atoms(part)
        faces = len(die.faces) + _number_of_faces(part_atoms)
        if not context.within(line.span_of(part), bounds.FACES, "The die would have", faces, "faces"):
            return False
        match part_atoms:
            case (Range(low=low, high=int(high)),) if low <= high:
                die.faces += [(value,) for value in range(low, high + 1)]
                die.numbered = True
            case (Number(value=value),):
                die.faces.append((value,))
                die.numbered = True
            case (Word(text=word), Number(value=count)) if count > 0:
                die.faces += [(_symbol(die, word),)] * count
            case (Word(text=word),):
                die.faces.append((_symbol(die, word),))
            case _:
                context.report(BadDie(line.span_of(part), what="fcb cannot read this as faces of a die."))
                return False
    return True


def _number_of_faces(atoms: tuple[Atom, ...]) -> int:
    """Return the number of faces that a part of ``faces:`` declares."""
    match atoms:
        case (Range(low=low, high=int(high)),):
            return high - low + 1
        case (_, Number(value=count)):
            return count
    return 1


def _face(context: Context, line: Line, die: Die) -> bool:
    """Read ``face: melee, bullet``: one face with these symbols; ``face: nothing`` has none."""
    symbols_named = [single_word(part) for part in tail_parts(line)]
    if not symbols_named or None in symbols_named:
        context.report(BadDie(line.span, what="fcb cannot read this as a face of a die."))
        return False
    symbols = [_symbol(die, word.text) for word in symbols_named if word is not None and word.text != "nothing"]
    die.faces.append(tuple(symbols))
    return True


def _ladder(context: Context, declaration: Declaration) -> None:
    dice = names_listed(context, declaration) or []
    symbols: dict[str, None] = {}
    for part in tail_parts(declaration.line):
        word = single_word(part)
        if word is not None and word.text not in context.model.dice:
            context.unknown(declaration.line.span_of(word), "die", word.text, context.model.dice)
            dice = [die for die in dice if die != word.text]
    for die in dice:
        symbols.update(dict.fromkeys(context.model.dice[die].symbols))
    ladder = Ladder(declaration.id, dice, "", "", declaration.span)
    context.model.ladders[declaration.id] = ladder

    def end(line: Line) -> str:
        words = tail_words(line)
        if len(words) != 1 or words[0] not in symbols:
            context.unknown(line.span, "symbol of these dice", " ".join(words), symbols)
            return ""
        return words[0]

    def above(line: Line) -> None:
        ladder.above = end(line)

    def below(line: Line) -> None:
        ladder.below = end(line)

    if not declaration.broken:
        read_block(context, declaration.line, "a ladder", {"above": above, "below": below}, name=Name())


# ── print ──────────────────────────────────────────────────────────────────────────────────────


def _shadows(context: Context, one: Span, other: Span) -> bool:
    """Return whether a line of a layout replaces another one: a project's line replaces a shipped one."""
    return context.model.is_lent(other) and not context.model.is_lent(one)


def _layout(context: Context, declaration: Declaration) -> None:
    layout = context.model.layouts.setdefault(declaration.id, Layout(declaration.id, declaration.span))
    for line in declaration.line.block:
        if line.broken:
            continue
        if line.head is None or line.block or len(line.tail) != 1:
            context.malformed(line.span, "a line of a layout", "KEY: value, value")
            continue
        key, place = spoken_key(line), line.span_of(line.head)
        if declaration.id not in COMMON_LAYOUTS:
            key = LAYOUT_ALIASES.get(key, key)
        if key in layout.settings and _shadows(context, layout.spans[key], declaration.span):
            continue  # the project has replaced this line
        if key in layout.settings and not _shadows(context, declaration.span, layout.spans[key]):
            related = [Related(layout.spans[key], "it is given here first")]
            context.report(RepeatedLine(place, name=key, related=related))
            continue
        parts = [(part, _plain(part)) for part in line.tail[0].parts]
        if not parts:  # words that begin something else, such as a statement
            context.malformed(line.span, "a line of a layout", "KEY: value, value")
            continue
        for part in (part for part, words in parts if not words):
            context.malformed(line.span_of(part), "a part of a line of a layout", "KEY: value, value")
        if all(words for _, words in parts):
            layout.settings[key] = tuple(words for _, words in parts)
            layout.spans[key], layout.places[key] = place, tuple(line.span_of(part) for part, _ in parts)
    if declaration.id not in COMMON_LAYOUTS and declaration.id not in context.model.kinds:
        context.unknown(declaration.span, "kind", declaration.id, [*context.model.kinds, *COMMON_LAYOUTS])


def _plain(part: Part) -> tuple[str, ...]:
    """Return the words of a part: strings by value, numbers as written; empty if it contains anything else."""
    out: list[str] = []
    for atom in atoms(part):
        match atom:
            case Word(text=text):
                out.append(text)
            case String(value=value):
                out.append(value)
            case Number(value=number):
                out.append(str(number))
            case Range(low=low, high=high):
                out.append(f"{low}..{'' if high is None else high}")
            case _:
                return ()
    return tuple(out)
