"""Content tests: boards, givens, scripted dice and plays, expectations."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field, replace

from fcbdsl.base.diagnostics import Diagnostic, Related
from fcbdsl.base.diagnostics.declarations import MissingField, RepeatedLine
from fcbdsl.base.diagnostics.phrases import Misplaced
from fcbdsl.base.diagnostics.steps import (
    BrokenTitle,
    ExpectsNothing,
    FaceOfAnotherDie,
    FaultOfNothing,
    NoPlaceToPlay,
    NoSeatLeft,
    NothingToCarry,
    NotSoManyPlayers,
    NoZoneFor,
    OfAnotherTest,
    UnknownAction,
    UnknownScriptedFace,
    UnknownStep,
)
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import STAGED, TEAM
from fcbdsl.language.model.content import Board, Definition, Face, Reference, Step, Test
from fcbdsl.language.model.declarations import BLANK, Event, Name, Zone
from fcbdsl.language.model.declaring.boards import read_board
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.components import read_players
from fcbdsl.language.model.declaring.context import THING, Context
from fcbdsl.language.model.declaring.variants import override
from fcbdsl.language.model.ir import FLAG, NUMBER, Type, walk
from fcbdsl.language.model.lines import (
    WORD,
    atoms,
    clause_words,
    head_atoms,
    keyword_of,
    read_titles,
    tail_parts,
    without_first_word,
)
from fcbdsl.language.model.resolve import event_phrases, statements
from fcbdsl.language.model.resolve.actions import is_changeable, not_changeable
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.statement_heads import reached_ending
from fcbdsl.language.model.texts import REFERENCE
from fcbdsl.language.syntax.tree import (
    Atom,
    Binary,
    Clause,
    Copy,
    Line,
    Negation,
    Node,
    Number,
    Part,
    Phrase,
    String,
    Word,
)

SETTING = ("use", "map", "players", "example")
"""First words of lines that are no steps: the mission, the map, the number of players and the title of an example."""
STEPS = ("given", "dice", "play", "do", "answer", "decline", "refuse", "expect", "as", "carry", "lot")
_STATEMENTS = ("for", "if", "repeat", "let")
"""Lead words of statements that can be separate steps."""
_LED = ("announce", "offer", "roll", "may")
"""Lead words of statements without a block that can follow ``do``."""

_JOINTS = frozenset(["with", "on", "to", "at", "from", "using", "into", "in", "by", "for", "of"])
"""Words between the references of a play; they are skipped."""

_OUTCOMES = ("win", "lose", "draw")
_WINNERS = ("player", TEAM)

_LOOKS = ("asks", "options", "offered")
"""First words of expectations of the pending question."""

_QUIET = {("no", "question"): "quiet", ("no", "change"): "unchanged"}
"""Expectations of two words."""

_KNOWN = {("is", "known"): "known", ("is", "unknown"): "unknown"}
"""Ends of expectations about a player's knowledge after ``as PLAYER:``."""

_CAN_FAIL = ("given", "do", "play", "answer", "decline", "lot")
"""Steps that a fault may stop."""

SEATS = "given PIECE at SPACE for player 2"
"""Usage of the line that gives a figure to a player."""


def declare_test(context: Context, declaration: Declaration) -> Test:
    """Declare a test and read its map."""
    test = _declared(declaration)
    if declaration.title is None or declaration.id:
        context.malformed(declaration.line.span, "a test", 'test "Title" covers RULE-ID:')
    elif "\n" in declaration.title:
        context.report(BrokenTitle(declaration.line.span))
    settings = [line for line in declaration.line.block if not line.broken and keyword_of(line) in SETTING]
    for line in settings:
        if keyword_of(line) != "players":
            _setting(context, test, line)
    for line in settings:
        if keyword_of(line) == "players":
            _played_by(context, test, line)
    most = _allowed(context, test)[1]
    if not test.players and most != context.model.players[1]:
        test.players = most
    return test


def _declared(declaration: Declaration) -> Test:
    """Return a test with nothing but its head."""
    test = Test(declaration.title or "", list(declaration.covers), declaration.line.span, None, None, [])
    for line in declaration.line.block:
        if not line.broken and keyword_of(line) == "example":
            read_titles(test.example, tail_parts(line), REFERENCE)
    return test


def declared_again(
    context: Context,
    declaration: Declaration,
    mission: tuple[str, str] | None,
    board: Board | None,
    players: int,
) -> Test:
    """Declare a test again whose mission, map and number of players are known."""
    test = _declared(declaration)
    test.mission, test.board, test.players = mission, board, players
    if board is not None:
        context.vocabulary.add_areas(board.zones)
    return test


def _setting(context: Context, test: Test, line: Line) -> None:
    """Read ``use mission NAME``, ``use campaign NAME`` or ``map hex:``; check ``example: "Title"``."""
    if keyword_of(line) == "example":
        if not read_titles(Name(), tail_parts(line), REFERENCE):
            context.malformed(line.span, "the title of an example", 'example: "A search", fr "Une fouille"')
    elif test.mission is not None or test.board is not None:
        context.report(RepeatedLine(line.span, name="map"))
    elif keyword_of(line) == "map":
        test.board = read_board(context, line)
        if test.board is not None:
            context.vocabulary.add_areas(test.board.zones)
    else:
        match head_atoms(line):
            case (Word(text=("mission" | "campaign") as sort), Word(text=name) as word) if line.head is None:
                if (sort, name) in context.model.definitions:
                    test.mission = sort, name
                else:
                    ids = [id for kind, id in context.model.definitions if kind == sort]
                    context.unknown(line.span_of(word), sort, name, ids)
            case _:
                context.malformed(line.span, "the mission of a test", "use mission NAME")


def _played_by(context: Context, test: Test, line: Line) -> None:
    """Read ``players: 2``: a number of players that the game and the test's mission allow."""
    fewest, most = _allowed(context, test)
    counts = read_players(context, line)
    if test.players:
        context.report(RepeatedLine(line.span, name="players"))
    elif counts is not None and counts[0] != counts[1]:
        context.malformed(line.span, "the number of players of a test", f"players: {counts[0]}")
    elif counts is not None and not fewest <= counts[0] <= most:
        context.report(_not_so_many(context, test, line, counts[0]))
    elif counts is not None:
        test.players = counts[0]


def _allowed(context: Context, test: Test) -> tuple[int, int]:
    """Return the fewest and the most players of a test."""
    return _allowed_by_mission(context, test) or context.model.players


def _allowed_by_mission(context: Context, test: Test) -> tuple[int, int] | None:
    """Return the fewest and the most players of the test's mission, as far as its game has them."""
    own = context.model.definitions[test.mission].players if test.mission is not None else None
    if own is None:
        return None
    low, high = max(own[0], context.model.players[0]), min(own[1], context.model.players[1])
    return (low, high) if low <= high else None


def _not_so_many(context: Context, test: Test, line: Line, players: int) -> NotSoManyPlayers:
    """Return the finding that the test's mission, or else its game, is not for that number of players."""
    fewest, most = _allowed(context, test)
    what, related = "This game", []
    if test.mission is not None and _allowed_by_mission(context, test) is not None:
        what = f"The {test.mission[0]} `{test.mission[1]}`"
        span = context.model.definitions[test.mission].players_span
        related = [Related(span, "its number of players is set here")] if span is not None else []
    counts = f"{fewest} to {most} players" if fewest < most else f"{most} player{'s' if most > 1 else ''}"
    return NotSoManyPlayers(line.span, what=what, counts=counts, players=players, most=most, related=related)


def read_test(context: Context, test: Test, declaration: Declaration) -> None:
    """Read the steps of a test."""
    board = test.board
    if test.mission is not None:
        board = context.model.definitions[test.mission].board
    nowhere = not any(keyword_of(line) in ("use", "map") for line in declaration.line.block)
    script, before = _Script(context, test, board, nowhere), len(context.problems.errors)
    for line in declaration.line.block:
        if not line.broken and keyword_of(line) not in SETTING:
            script.line(line)
    checked = any(step.sort in ("expect", "refuse") for step, _ in reversed(test.rows))  # most end with one
    if not checked and not _checks(declaration.line) and len(context.problems.errors) == before:
        context.report(ExpectsNothing(test.span, title=test.title))
    _own(context, test)


def _checks(line: Line) -> bool:
    """Return whether a line or its block checks something, or could not be read."""
    if line.broken or any(map(_checks, line.block)):
        return True
    clauses = [line.head, *line.tail] if line.head is not None else line.tail
    return any(words[:1] in (("expect",), ("refuse",)) for words in map(clause_words, clauses))


def _own(context: Context, test: Test) -> None:
    """Report what a test names that another file of tests declares for itself."""
    of_tests, own = context.of_tests(), test.span.source.name
    reported: list[tuple[str, str]] = []
    for row in test.rows if of_tests else ():
        step, _ = row
        cached = context.own_names.get(id(step))
        if cached is None or cached[0] is not step:
            files = frozenset([file for _, file, _ in _names_of_tests(of_tests, step)])
            cached = context.own_names[id(step)] = step, files
        if not cached[1] <= {own}:
            for key, file, span in _names_of_tests(of_tests, test.step(row)):
                if file != own and key not in reported:
                    reported.append(key)
                    context.report(OfAnotherTest(span, name=key[1], file=file))


def _names_of_tests(of_tests: dict[tuple[str, str], str], step: Step) -> Iterator[tuple[tuple[str, str], str, Span]]:
    """Yield what a step names that a file of tests declares for itself: its kind and id, the file, and the place."""
    for root in (step.body, step.expr, *[reference.expr for reference in step.references]):
        for node in () if root is None else walk(root):
            match node:
                case ir.Instance(kind=kind, id=id, span=span) | ir.Def(kind=kind, id=id, span=span):
                    file = of_tests.get((kind, id))
                    if file is not None:
                        yield (kind, id), file, span


def _other_file(context: Context, test: Test, node: ir.Expr) -> str:
    """Return the other file of tests that declares what an expression names, or nothing."""
    file = context.of_tests().get((node.kind, node.id), "") if isinstance(node, ir.Instance | ir.Def) else ""
    return "" if file == test.span.source.name else file


_DEPENDENT = ("carry", "fault", "variant")
"""Words of lines that depend on other lines of their test."""
_SEATING = ("at", "by")
"""Words of `given` lines that may give a figure to a player."""


@dataclass(slots=True, eq=False)
class _Reading:
    """The steps of a line that was read without a finding.

    `offset`: the place of the line. `cells`, `others`: its words that must be, or must not be, spaces of the board.
    `seats`: figures to which it gave a player.
    """

    offset: int
    steps: list[Step]
    cells: frozenset[str]
    others: frozenset[str]
    seats: dict[tuple[str, int], int]
    is_read: bool


@dataclass(slots=True, eq=False)
class _EqualLines:
    """The readings of lines with the same text, by everything else on which they depend besides spaces.

    `words`: their words. `local`: one of these names what a file of tests declares for itself. `seating`: they may give
    a figure to a player, which depends on the seats that are taken. `dependent`: they depend on other lines of their
    test, so that each is read.
    """

    words: frozenset[str]
    local: bool
    seating: bool
    dependent: bool
    readings: dict[Hashable, list[_Reading]] = field(default_factory=dict)


class _Script:
    """Reads the steps of one test into it. `nowhere`: the test has no mission and no map."""

    def __init__(self, context: Context, test: Test, board: Board | None, nowhere: bool) -> None:
        self.context, self.test, self.board, self.nowhere = context, test, board, nowhere
        self.unknown_actions: list[str] = []
        self.spaces = {cell.id for cell in board.cells} if board is not None else set()
        self.players = test.players or context.model.players[1]
        self.seats: dict[tuple[str, int], int] = {}
        """The number of the player of each figure that was assigned."""
        self.asks_seats = False  # whether the last line depends on the players and their figures
        self.surroundings = (board is None, nowhere)

    def scope(self, self_type: Type | None = None) -> Scope:
        """Return a fresh scope for one step."""
        return Scope(self_type, mode="test", board=self.board)

    def line(self, line: Line) -> None:
        """Read a line, or take the steps of an equal line, of which a test has many."""
        text = line.source.text[line.offset : line.end]
        lines: dict[str, _EqualLines] = self.context.lines
        equal = lines.get(text)
        if equal is None:
            equal = lines[text] = self.equal_lines(text)
        if equal.dependent or line.block:
            self.read(line)
            return
        keys: list[Hashable] = [(self.surroundings, line.source.name) if equal.local else self.surroundings]
        if equal.seating:
            keys.append((keys[0], self.players, tuple(self.seats.items())))
        rows, spaces = self.test.rows, self.spaces
        for key in keys:
            for reading in equal.readings.get(key, ()):
                if reading.cells <= spaces and reading.others.isdisjoint(spaces):
                    shift = line.offset - reading.offset
                    for step in reading.steps:
                        rows.append((step, shift))
                    if reading.seats:
                        self.seats |= reading.seats
                    if reading.is_read:
                        self.context.reader.has_read(line)
                    return
        first, findings = len(rows), self.context.problems.recorded
        seated = dict(self.seats) if equal.seating else self.seats
        self.asks_seats = False
        self.read(line)
        if self.context.problems.recorded == findings and not self.unknown_actions:
            steps = [step for step, _ in rows[first:]]
            seats = {figure: seat for figure, seat in self.seats.items() if seated.get(figure) != seat}
            cells = equal.words & spaces
            is_read = self.context.reader.is_read(line)
            reading = _Reading(line.offset, steps, cells, equal.words - cells, seats, is_read)
            equal.readings.setdefault(keys[-1] if self.asks_seats else keys[0], []).append(reading)

    def equal_lines(self, text: str) -> _EqualLines:
        """Return the readings of lines with a new text: none so far."""
        words = frozenset(WORD.findall(text))
        local = not words.isdisjoint(self.context.names_of_tests())
        seating = "given" in words and not words.isdisjoint(_SEATING)
        return _EqualLines(words, local, seating, not words.isdisjoint(_DEPENDENT))

    def read(self, line: Line) -> None:
        """Read a line: ``given A; B`` are two steps, ``dice: …`` one."""
        lead = keyword_of(line)
        if lead in _STATEMENTS:
            self.add("do", line, body=statements.lines_body(self.context.reader, [line], self.scope()))
            return
        if lead not in STEPS:
            suggestion = suggest(lead, STEPS)
            self.context.report(UnknownStep(line.span, word=lead or "This", suggestion=suggestion))
            return
        if lead == "dice":
            self.dice(line)
            return
        if lead == "lot":
            self.lot(line)
            return
        if lead == "as":
            self.looking_on(line)
            return
        if lead == "carry":
            self.carry(line)
            return
        if line.head is not None and lead != "do":
            self.context.malformed(line.span, "a step of a test", f"{lead} …, without a colon")
            return
        if lead == "do" and line.head is not None:
            self.do(line, line.head)
            return
        self.context.reader.has_read(line)
        for clause in line.tail:
            self.step(line, lead, clause)

    def step(self, line: Line, lead: str, clause: Clause) -> None:
        """Read one clause of a line; later clauses continue the first one's sort unless they name another."""
        sort = clause.lead or lead
        if clause.lead is None and clause_words(clause)[:1] == ("decline",):
            sort = "decline"
        match sort:
            case "given":
                self.given(line, clause)
            case "play" | "refuse":
                self.play(line, sort, clause)
            case "answer":
                parts = clause.parts
                self.add("answer", line, references=self.references(line, parts), who=self.asked(line, parts))
            case "decline":
                self.decline(line, clause)
            case "expect":
                self.expect(line, clause)
            case _:
                self.do(line, clause)

    def add(self, sort: str, line: Line, **values: object) -> None:
        """Add a step."""
        self.test.rows.append((Step(sort, line.span, **values), 0))  # type: ignore[arg-type]

    def carry(self, line: Line) -> None:
        """Read ``carry over``: the next part of a campaign begins."""
        words = [atom.text if isinstance(atom, Word) else "" for clause in line.tail for atom in atoms(clause)]
        if line.head is not None or words != ["carry", "over"] or len(line.tail) > 1:
            self.context.malformed(line.span, "the next part of a campaign", "carry over")
        elif self.test.mission is None or self.test.mission[0] != "campaign":
            self.context.report(NothingToCarry(line.span))
        else:
            self.add("carry", line)

    def lot(self, line: Line) -> None:
        """Read ``lot: A, B``: the results of random choices, in order."""
        references = [reference for clause in line.tail for reference in self.references(line, clause.parts)]
        if line.head is None or not references or len(atoms(line.head)) > 1:
            self.context.malformed(line.span, "the cards that chance draws", "lot: NAME, NAME")
        else:
            self.add("lot", line, references=references)

    # ── dice ───────────────────────────────────────────────────────────────────────────────────

    def dice(self, line: Line) -> None:
        """Read ``dice: hit, green block, 4``: a face, optionally with its die.

        Several symbols of one face are written ``melee bullet``, and a face without symbols ``nothing``.
        """
        faces: list[Face] = []
        symbols = self.context.vocabulary.symbols()
        for clause in line.tail if line.head is not None else ():
            for part in clause.parts:
                part_atoms = atoms(part)
                words = [atom.text for atom in part_atoms if isinstance(atom, Word)]
                die = words[0] if len(part_atoms) > 1 and words and words[0] in self.context.model.dice else ""
                part_atoms, words = part_atoms[bool(die) :], words[bool(die) :]
                match part_atoms:
                    case (Number(value=value),):
                        face = Face(die, "", value)
                    case _ if words == [BLANK]:
                        face = Face(die, BLANK)
                    case _ if words and len(words) == len(part_atoms) and all(name in symbols for name in words):
                        face = Face(die, self.context.model.shown(words))
                    case _:
                        only = part_atoms[0] if len(part_atoms) == 1 else None
                        name = only.text if isinstance(only, Word) else "this"
                        suggestion = suggest(name, symbols)
                        self.context.report(UnknownScriptedFace(line.span_of(part), name=name, suggestion=suggestion))
                        continue
                shown = face.symbol or str(face.number)
                if die and not self.shows(die, face):
                    self.context.report(FaceOfAnotherDie(line.span_of(part), die=die, face=shown))
                elif not any(self.shows(die, face) for die in self.context.model.dice):
                    self.context.report(UnknownScriptedFace(line.span_of(part), name=shown))
                faces.append(face)
        self.add("dice", line, faces=faces)

    def shows(self, die: str, face: Face) -> bool:
        """Return whether a die has a face."""
        of = self.context.model.dice[die]
        if of.numbered:
            return not face.symbol and any(face.number == number for number, *_ in of.faces)
        return any(self.context.model.shown([of.symbols[at] for at in shown]) == face.symbol for shown in of.faces)

    # ── given ──────────────────────────────────────────────────────────────────────────────────

    def given(self, line: Line, clause: Clause) -> None:
        """Read ``X at SPACE with CARDS``, ``X in ZONE``, ``X played by player 2``, ``variant NAME is VALUE``, or a
        state.

        A state is, for example, ``x's HP = 2`` or ``Tired on x``.
        """
        clause_atoms = atoms(clause)
        words = [atom.text if isinstance(atom, Word) else "" for atom in clause_atoms]
        if words[:1] == ["variant"]:
            self.rules(line, words)
        elif "at" in words:
            self.placed(line, clause, clause_atoms, words.index("at"))
        elif "in" in words and len(clause.parts) == 1:
            self.laid(line, clause_atoms[: words.index("in")], clause_atoms[words.index("in") + 1 :])
        elif words[-4:-1] == ["played", "by", "player"] and len(clause.parts) == 1:
            self.played(line, clause_atoms)
        else:
            self.state(line, clause)

    def rules(self, line: Line, words: list[str]) -> None:
        """Read ``variant NAME is VALUE``; it holds for the whole test, so it must come first and once."""
        why = cure = ""
        if any(step.sort not in {"given", "dice"} for step, _ in self.test.rows):
            why, cure = "the rules of a test hold from its beginning", "Move the line before the first step."
        elif len(words) > 1 and words[1] in self.test.overrides:
            why, cure = f"the test already sets `{words[1]}`", "Remove one of the two lines."
        if why:
            self.context.report(Misplaced(line.span, lead="given variant", why=why, cure=cure))
        else:
            override(self.context, line, self.test.overrides)

    def placed(self, line: Line, clause: Clause, clause_atoms: tuple[Atom, ...], at: int) -> None:
        """Read ``X at SPACE with CARD, CARD for player 2``."""
        rest = [atoms(part) for part in clause.parts[1:]]
        last, seat = self.seat(line, rest[-1] if rest else clause_atoms)
        if rest:
            rest[-1] = last
        else:
            clause_atoms = last
        words = [atom.text if isinstance(atom, Word) else "" for atom in clause_atoms]
        end = words.index("with") if "with" in words else len(clause_atoms)
        if not 0 < at < end - 1:
            self.context.malformed(line.span_of(clause), "the place of a piece", "given PIECE at SPACE with CARD")
            return
        if self.board is None:
            if self.nowhere:
                self.context.report(NoPlaceToPlay(line.span))
            return
        scope = self.scope()
        what = self.reference(line, clause_atoms[:at], THING)
        spot = self.space(line, clause_atoms[at + 1 : end], scope)
        place = self.context.vocabulary.by_op.get("place")
        if what is None or spot is None or place is None:
            return
        span = line.span
        statements: list[ir.Stmt] = [*self.seated(span, what, seat), ir.Do(place, (what, spot), span)]
        for card in (clause_atoms[end + 1 :], *rest):
            statements += self.dealt(line, what, card)
        self.add("given", line, body=ir.Body(tuple(statements), scope.slots()))

    def space(self, line: Line, name_atoms: tuple[Atom, ...], scope: Scope) -> ir.Expr | None:
        """Read a space. Plain coordinates, which are the most frequent, are not read as a phrase."""
        only = name_atoms[0] if len(name_atoms) == 1 else None
        if (
            isinstance(only, Word)
            and not only.possessive
            and only.text in self.spaces
            and self.context.vocabulary.means_only_space(only.text)
        ):
            return ir.Instance("space", only.text, 1, ir.SPACE, line.span_of(only))
        return self.context.reader.expression(line, _phrase(name_atoms), scope, ir.SPACE)

    def seat(self, line: Line, clause_atoms: tuple[Atom, ...]) -> tuple[tuple[Atom, ...], int | None]:
        """Remove ``for player N`` from the end of some atoms; the number is None if they do not end so."""
        match clause_atoms[-3:]:
            case (Word(text="for"), Word(text="player"), Number(value=number)):
                most, self.asks_seats = self.players, True
                if not 1 <= number <= most:
                    self.context.malformed(line.span_of(clause_atoms[-1]), f"a player from 1 to {most}", SEATS)
                return clause_atoms[:-3], number
        return clause_atoms, None

    def seated(self, span: Span, what: ir.Expr, number: int | None) -> list[ir.Stmt]:
        """Give a figure to the named player.

        Without a number, a figure of a kind that players play goes to the next player without one, unless it has a
        player already.
        """
        if not isinstance(what, ir.Instance):
            return []
        figure = (what.id, what.copy)
        named = number is not None
        if number is None:
            kind = self.context.model.kinds.get(what.kind)
            if kind is None or not any(above.seated for above in kind.lineage()):
                return []
            self.asks_seats = True
            if figure in self.seats:
                return []
            free = [n for n in range(1, self.players + 1) if n not in self.seats.values()]
            if not free:
                self.context.report(NoSeatLeft(span, name=what.id, players=self.players))
                return []
            number = free[0]
        self.seats[figure] = number
        take = self.context.vocabulary.by_op.get("set-holder")
        controller = self.context.model.kinds["thing"].fields["controller"]
        if take is None:
            return []
        owner = ir.Instance("player", "player", number, Type("thing", "player"), span)
        given = ir.Body((ir.Do(take, (what, owner), span),), ())
        if named:
            return list(given.statements)
        master = ir.Get(what, controller, controller.type, span)
        idle = ir.Binary("=", master, ir.Const(-1, controller.type, span), ir.FLAG, span)
        return [ir.If(idle, given, ir.Body((), ()), span)]

    def dealt(self, line: Line, holder: ir.Expr, card: Sequence[Atom]) -> list[ir.Stmt]:
        """Put a card into the first zone of its holder that takes such cards."""
        if not card:
            return []
        if isinstance(card[0], Word) and card[0].text in {"with", "holding", "and"}:
            card = card[1:]
        what = self.reference(line, card, THING)
        put = self.context.vocabulary.by_op.get("put-top")
        if what is None or put is None:
            return []
        zone = self.zone_for(holder.type.name, what.type.name)
        if zone is None:
            span = line.span_of(_phrase(card))
            self.context.report(NoZoneFor(span, kind=holder.type.name, held=what.type.name))
            return []
        pile = ir.ZoneOf(holder, zone.id, Type("zone", zone.holds), line.span)
        return [ir.Do(put, (what, pile), line.span)]

    def laid(self, line: Line, what: Sequence[Atom], where: Sequence[Atom]) -> None:
        """Read ``given CARD in ZONE of X``: put the card on top of that zone."""
        thing = self.reference(line, what, THING)
        put = self.context.vocabulary.by_op.get("put-top")
        if thing is None or put is None or not where:
            if not what or not where:
                self.context.malformed(line.span, "the content of a zone", "given CARD in ZONE of PIECE")
            return
        scope = self.scope()
        pile = self.context.reader.expression(line, _phrase(where), scope, Type("zone", thing.type.name))
        if pile is not None:
            self.add("given", line, body=ir.Body((ir.Do(put, (thing, pile), line.span),), scope.slots()))

    def played(self, line: Line, clause_atoms: tuple[Atom, ...]) -> None:
        """Read ``given PIECE played by player 2``, which does not move the piece."""
        *piece, by, player, number_atom = clause_atoms
        last, number = self.seat(line, (*piece, Word(by.start, by.end, "for"), player, number_atom))
        what = self.reference(line, last[:-1], THING) if number is not None else None
        if isinstance(what, ir.Instance):
            self.add("given", line, body=ir.Body(tuple(self.seated(line.span, what, number)), ()))
        elif number is None or what is not None:
            self.context.malformed(line.span, "the player of a figure", "given PIECE played by player 2")

    def zone_for(self, holder: str, held: str) -> Zone | None:
        """Return the nearest zone of a kind that holds things of another."""
        kind = self.context.model.kinds.get(holder)
        for above in kind.lineage() if kind is not None else ():
            for zone in above.zones.values():
                if self.context.vocabulary.is_a(held, zone.holds):
                    return zone
        return None

    def state(self, line: Line, clause: Clause) -> None:
        """Read a condition to make true: ``x's HP = 2``, ``Tired on x``, ``x is not face-down``."""
        scope = self.scope()
        condition = self.context.reader.condition(line, clause.parts, scope)
        if condition is None:
            return
        assigned = _made_true(condition)
        if assigned is None:
            self.context.malformed(line.span_of(clause), "a state", "given PIECE at SPACE, or given STAT of PIECE = 2")
            return
        target = assigned.target
        if not (is_changeable(target) or (target.field.sort == "builtin" and target.field.id in STAGED)):
            self.context.report(not_changeable(target, target.span))
            return
        self.add("given", line, body=ir.Body((assigned,), scope.slots()))

    # ── do, expect ─────────────────────────────────────────────────────────────────────────────

    def do(self, line: Line, clause: Clause, acting: ir.Expr | None = None) -> None:
        """Read ``do STATEMENT``: `self` is the named actor, else the first thing named."""
        actor = acting if acting is not None else self.first_named(line, clause)
        bare = _led(clause)
        scope = self.scope(actor.type if actor is not None else None)
        body = statements.clauses_body(self.context.reader, line, [bare], line.block, scope)
        named = [Reference(actor)] if actor is not None else []
        self.add("do", line, body=body, references=named, who=acting)

    def first_named(self, line: Line, clause: Clause) -> ir.Expr | None:
        """Return the first thing that a clause names by its id, unless it is of another file of tests."""
        for part in clause.parts:
            for atom in atoms(part):
                if isinstance(atom, Copy) or (isinstance(atom, Word) and atom.text not in self.spaces):
                    instance = self.instance(line, atom)
                    if instance is not None and _other_file(self.context, self.test, instance) == "":
                        return instance
        return None

    def expect(self, line: Line, clause: Clause) -> None:
        """Read ``expect COND``, ``expect win``, or an expectation about the pending question."""
        bare = Clause(clause.start, clause.end, None, clause.parts)
        words = clause_words(bare)
        alone = len(clause.parts) == 1 and len(atoms(clause)) == len(words)
        if words[:1] and words[0] in _OUTCOMES and len(clause.parts) == 1:
            self.ended(line, words[0], atoms(clause)[1:])
        elif alone and words in _QUIET:
            self.add(_QUIET[words], line)
        elif words[:1] and words[0] in _LOOKS:
            self.look(line, words[0], clause.parts)
        elif words[:1] == ("fault",):
            self.fault(line, atoms(clause)[1:])
        elif words[:1] == ("happened",):
            self.happened(line, clause.parts)
        elif words[:1] == ("told",):
            self.read_log_line(line, "told", atoms(clause))
        elif clause.parts and isinstance(clause.parts[0].expr, Negation) and _first_word(clause.parts[0]) == "told":
            self.read_log_line(line, "untold", atoms(replace(clause.parts[0], expr=clause.parts[0].expr.operand)))
        elif words[1:2] == ("shows",) and words[0] in self.context.model.dice:
            self.faces(line, words[0], clause.parts)
        elif clause.parts and isinstance(clause.parts[0].expr, Negation) and _first_word(clause.parts[0]) == "offered":
            first = clause.parts[0]
            affirmed = Part(first.start, first.end, first.lead, first.expr.operand)  # type: ignore[union-attr]
            self.look(line, "withheld", (affirmed, *clause.parts[1:]))
        else:
            scope = self.scope()
            condition = self.context.reader.condition(line, clause.parts, scope)
            if condition is not None:
                self.add("expect", line, expr=condition, body=ir.Body((), scope.slots()))

    def fault(self, line: Line, rest: Sequence[Atom]) -> None:
        """Read ``expect fault`` or ``expect fault "…"``: the step before it faults."""
        match rest:
            case () | (String(),):
                if not self.test.rows or self.test.rows[-1][0].sort not in _CAN_FAIL:
                    self.context.report(FaultOfNothing(line.span))
                self.add("fault", line, words=tuple(atom.value for atom in rest if isinstance(atom, String)))
            case _:
                self.context.malformed(line.span, "a fault", 'expect fault, or expect fault "part of its message"')

    def read_log_line(self, line: Line, sort: str, line_atoms: Sequence[Atom]) -> None:
        """Read ``expect told PLAYER "…"`` or ``expect not told PLAYER "…"``, about the log lines that the player
        sees."""
        text = line_atoms[-1] if line_atoms and isinstance(line_atoms[-1], String) else None
        who = self.player(line, line_atoms[1:-1]) if text is not None and len(line_atoms) > 2 else None
        if text is None or not text.value.strip() or who is None:
            self.context.malformed(line.span, "a line that a player sees", 'expect told player 2 "part of a line"')
        else:
            self.add(sort, line, who=who, words=(text.value,))

    def happened(self, line: Line, parts: Sequence[Part]) -> None:
        """Read ``expect happened EVENT, then EVENT``: in this order, in the last step."""
        first = without_first_word(parts[0])
        named = [first, *parts[1:]] if first is not None else []
        if not named or any(part.lead not in (None, "then") for part in named):
            self.context.malformed(line.span, "a list of events", "expect happened EVENT, then EVENT")
            return
        events: list[Event] = []
        spots: list[tuple[int, int]] = []
        references: list[Reference] = []
        for number, part in enumerate(named):
            event = event_phrases.happening(self.context.reader, line, _phrase(atoms(part)), self.scope())
            if event is None:
                return
            events.append(event[0])
            for at, value in enumerate(event[1]):
                if value is not None:
                    spots.append((number, at))
                    references.append(Reference(value))
        self.add("happened", line, events=events, spots=spots, references=references)

    def ended(self, line: Line, outcome: str, whose: Sequence[Atom]) -> None:
        """Read ``expect win``, ``expect win PLAYER`` or ``expect win TEAM``, each also with ``as ENDING``."""
        at = next((at for at, atom in enumerate(whose) if isinstance(atom, Word) and atom.text == "as"), len(whose))
        ending: ir.Expr | None = None
        if at < len(whose):
            ending = self.ending(line, whose[at], whose[at + 1 :])
            if ending is None:
                return
            whose = whose[:at]
        references = [Reference(ending)] if ending is not None else []
        who = self.player(line, whose) if whose else None
        kinds = self.context.vocabulary
        if who is not None and (outcome == "draw" or not any(kinds.is_a(who.type.name, winner) for winner in _WINNERS)):
            self.context.malformed(line.span, "the end of a game", "expect win, expect win player 2, or expect draw")
        elif who is not None or not whose:
            self.add("outcome", line, outcome=outcome, who=who, references=references)

    def ending(self, line: Line, lead: Atom, name: Sequence[Atom]) -> ir.Expr | None:
        """Return the ending behind ``as``; report a name that is none."""
        return reached_ending(self.context.reader, line, lead, name)

    def faces(self, line: Line, die: str, parts: Sequence[Part]) -> None:
        """Read ``expect orange shows hit 3, miss 3``: all faces with their numbers; or ``expect d6 shows 1, 2, 3``."""
        numbered = self.context.model.dice[die].numbered
        symbols = self.context.vocabulary.symbols()
        faces: list[Face] = []
        for number, part in enumerate(parts):
            part_atoms = atoms(part)[2 * (number == 0) :]
            words = [atom.text for atom in part_atoms if isinstance(atom, Word)]
            counted = part_atoms[len(words) :]
            match counted:
                case (Number(value=value),) if numbered and not words:
                    shown = [Face(die, "", value)]
                case () | (Number(),) if not numbered and words and (words == [BLANK] or set(words) <= set(symbols)):
                    face = Face(die, BLANK if words == [BLANK] else self.context.model.shown(words))
                    shown = [face] * (counted[0].value if counted and isinstance(counted[0], Number) else 1)
                case _:
                    self.context.malformed(line.span_of(part), "a face of a die", f"expect {die} shows FACE 3, FACE 3")
                    return
            if not all(self.shows(die, face) for face in shown):
                face = shown[0]
                self.context.report(FaceOfAnotherDie(line.span_of(part), die=die, face=face.symbol or face.number))
            faces += shown
        self.add("faces", line, faces=faces)

    def look(self, line: Line, sort: str, parts: Sequence[Part]) -> None:
        """Read ``expect asks PLAYER``, ``expect options A, B`` (exactly these), or ``expect [not] offered A``."""
        first = without_first_word(parts[0])
        named = [first, *parts[1:]] if first is not None else [*parts[1:]]
        if sort == "asks":
            who = self.player(line, atoms(named[0])) if len(named) == 1 else None
            if who is None:
                self.context.malformed(
                    line.span, "the player who is asked", "expect asks player 2, or a figure of that player, or team"
                )
            else:
                self.add("asks", line, who=who)
            return
        references = self.references(line, named)
        if not references:
            self.context.malformed(
                line.span, "what is offered", f"expect {'not offered' if sort == 'withheld' else sort} NAME"
            )
        self.add(sort, line, references=references, who=self.asked(line, named))

    def decline(self, line: Line, clause: Clause) -> None:
        """Read ``decline``, or ``decline A, by PLAYER``: one of the offered things, and the player who is asked."""
        parts = clause.parts
        if parts and _first_word(parts[0]) == "decline":
            first = without_first_word(parts[0])
            parts = parts[1:] if first is None else (first, *parts[1:])
        self.add("decline", line, references=self.references(line, parts), who=self.asked(line, parts))

    def asked(self, line: Line, parts: Sequence[Part]) -> ir.Expr | None:
        """Return the player in ``…, by PLAYER``, if any."""
        words = [part for part in parts if part.lead == "by"]
        return self.player(line, atoms(words[0])) if words else None

    def player(self, line: Line, player_atoms: Sequence[Atom]) -> ir.Expr | None:
        """Read a player: ``player 2``, a figure of theirs, or ``team`` for no particular player."""
        match player_atoms:
            case (Word(text="team"),):
                return ir.Const(-1, THING, line.span_of(player_atoms[0]))
            case (Word(text="player") as word, Number(value=number)):
                return ir.Instance("player", "player", number, Type("thing", "player"), line.span_of(word))
        return self.reference(line, player_atoms, THING)

    def looking_on(self, line: Line) -> None:
        """Read ``as PLAYER: expect x's STAT is unknown`` (or a thing or zone; or ``is known``), or ``expect ZONE shows
        3``.

        It also reads ``as PIECE: do …``.
        """
        form = "as player 2: expect X is unknown"
        who = self.player(line, head_atoms(line)[1:])
        if who is None or line.head is None or not line.tail:
            self.context.malformed(line.span, "the view of a player", form)
            return
        for clause in line.tail:
            if clause.lead == "do":
                self.do(line, clause, who)
                continue
            clause_atoms = atoms(clause)
            if clause.lead in (None, "expect") and self.counted(line, clause_atoms, who):
                continue
            ends = tuple(atom.text for atom in clause_atoms[-2:] if isinstance(atom, Word))
            if clause.lead not in (None, "expect") or ends not in _KNOWN or len(clause_atoms) < 3:
                self.context.malformed(line.span_of(clause), "the view of a player", form)
                continue
            value = self.context.reader.expression(line, _phrase(clause_atoms[:-2]), self.scope(), None)
            if value is not None and not (isinstance(value, ir.Get) or value.type.base in ("thing", "zone")):
                self.context.malformed(line.span_of(clause), "a stat, a thing or a zone", form)
            elif value is not None:
                self.add(_KNOWN[ends], line, expr=value, who=who)

    def counted(self, line: Line, clause_atoms: Sequence[Atom], who: ir.Expr) -> bool:
        """Read ``as PLAYER: expect ZONE shows 3``, the number of hidden things there; return False for other lines."""
        match clause_atoms[-2:]:
            case (Word(text="shows"), Number(value=count, signed=False)) if len(clause_atoms) > 2:
                value = self.context.reader.expression(line, _phrase(clause_atoms[:-2]), self.scope(), None)
                if value is not None and value.type.base != "zone":
                    self.context.malformed(line.span, "a zone", "as player 2: expect ZONE shows 3")
                elif value is not None:
                    self.add("counted", line, expr=value, who=who, count=count)
                return True
        return False

    # ── play ───────────────────────────────────────────────────────────────────────────────────

    def play(self, line: Line, sort: str, clause: Clause) -> None:
        """Read ``play ACTOR WORDS REFERENCE, REFERENCE``."""
        clause_atoms = atoms(clause)
        actor = self.reference(line, clause_atoms[:1], THING) if clause_atoms else None
        if actor is None:
            if not clause_atoms:
                self.context.malformed(line.span_of(clause), "a play", f"{sort} ACTOR WORDS")
            return
        texts = [atom.text if isinstance(atom, Word) else "" for atom in clause_atoms[1:]]
        actions = self.context.model.actions.values()
        forms = [action.words for action in actions if action.words == tuple(texts[: len(action.words)])]
        words = max(forms, key=len, default=())
        if not words:
            phrases = sorted({" ".join(action.words) for action in actions if action.words})
            span = line.span_of(_phrase(clause_atoms[1:])) if len(clause_atoms) > 1 else line.span
            phrase = " ".join(word for word in texts if word)
            if phrase in self.unknown_actions:
                return  # an action of these words is reported once
            self.unknown_actions.append(phrase)
            named = self.context.model.actions.get(phrase)
            if named is not None and not named.words:
                form = "`form: WORDS` (what a test calls it)"
                problem: Diagnostic = MissingField(span, kind="The action", id=named.id, fields="`form`", lines=form)
            else:
                near = " ".join(named.words) if named is not None else suggest(phrase, phrases)
                problem = UnknownAction(span, words=phrase, known=", ".join(phrases), suggestion=near)
            self.context.report(problem)
            return
        rest = clause_atoms[1 + len(words) :]
        references = [Reference(actor)]
        if rest:
            phrase_part = _phrase(rest)
            references += self.references(line, (Part(phrase_part.start, phrase_part.end, None, phrase_part),))
        absent = sort == "refuse" and _is_absent(clause.parts[-1])
        references += self.references(line, clause.parts[1 : len(clause.parts) - absent])
        self.add(sort, line, references=references, words=words, absent=absent)

    def references(self, line: Line, parts: Sequence[Part]) -> list[Reference]:
        """Read the answers to the next questions: things, spaces, faces, numbers, texts; ``QUESTION = A`` names one."""
        out: list[Reference] = []
        for part in parts:
            if part.lead == "by":
                continue
            question, answer = _named_answer(part)
            answer_atoms = atoms(answer)
            won = self.won(line, answer_atoms[-3:])
            if won is not None:
                out.append(Reference(won, question))
                answer_atoms = answer_atoms[:-3]
                if not answer_atoms:
                    continue
            face = self.face(line, answer_atoms)
            if face is not None:
                out.append(Reference(face, question))
                continue
            if not answer_atoms:
                self.context.malformed(line.span_of(part), "a reference", "names, numbers or texts")
            for atom in answer_atoms:
                if isinstance(atom, Word) and atom.text in _JOINTS:
                    continue
                reference = self.reference(line, (atom,), None)
                if reference is not None:
                    out.append(Reference(reference, question))
        return out

    def face(self, line: Line, face_atoms: Sequence[Atom]) -> ir.Expr | None:
        """Return the face with exactly these symbols (``melee bullet``, ``melee``), or for ``nothing`` the one without
        any.

        A name of something else is never a face.
        """
        model = self.context.model
        words = [atom.text for atom in face_atoms if isinstance(atom, Word)]
        if not words or len(words) != len(face_atoms):
            return None
        symbols = self.context.vocabulary.symbols()
        if words != [BLANK] and not all(word in symbols for word in words):
            return None
        name = BLANK if words == [BLANK] else model.shown(words)
        faces = [*model.symbols(), *model.faces_shown()]
        first, last = face_atoms[0], face_atoms[-1]
        if name not in faces or (name != BLANK and first is last and self.named(line, first) is not None):
            return None
        return ir.Const(faces.index(name), Type("face"), line.span_of(Node(first.start, last.end)), name)

    def won(self, line: Line, answer_atoms: Sequence[Atom]) -> ir.Expr | None:
        """Return the end of a mission in ``won by TEAM`` and ``won as ENDING``."""
        match answer_atoms:
            case (Word(text="won" | "lost" | "drawn" as end), Word(text="as") as lead, Word() as name):
                ending = self.ending(line, lead, (name,))
                if isinstance(ending, ir.Instance):
                    return replace(ending, type=Type(end))
                return ir.Const(0, Type(end), line.span, end)
            case (Word(text="won"), Word(text="by"), Word(text=name)) if (TEAM, name) in self.context.model.definitions:
                return ir.Instance(TEAM, name, 1, Type("won"), line.span_of(answer_atoms[2]))
        return None

    def reference(self, line: Line, name_atoms: Sequence[Atom], expected: Type | None) -> ir.Expr | None:
        """Return the value of a name in a test: a space of its board, an instance, an enum's value, an answer."""
        if len(name_atoms) == 1:
            value = self.named(line, name_atoms[0])
            if value is not None:
                return value
        return self.context.reader.expression(line, _phrase(name_atoms), self.scope(), expected) if name_atoms else None

    def named(self, line: Line, atom: Atom) -> ir.Expr | None:
        """Return a single atom that plainly names something."""
        match atom:
            case Number(value=value, signed=False):
                return ir.Const(value, NUMBER, line.span_of(atom))
            case String(value=text):
                return ir.Text(text, ir.TEXT, line.span_of(atom))
            case Word(text=("done" | "won" | "lost" | "drawn") as answer):
                return ir.Const(0, Type(answer), line.span_of(atom), answer)
            case Word(text=("yes" | "no") as answer):
                return ir.Const(int(answer == "yes"), FLAG, line.span_of(atom), answer)
            case Word(text=name) if name in self.spaces:
                return ir.Instance("space", name, 1, ir.SPACE, line.span_of(atom))
            case Word(possessive=False) | Copy(possessive=False):
                return self.instance(line, atom) or self.value(line, atom)
            case _:
                return None

    def instance(self, line: Line, atom: Word | Copy) -> ir.Expr | None:
        """Return the instance ``rat#2``, or for ``rat`` the first copy."""
        name, number = (atom.name, atom.number) if isinstance(atom, Copy) else (atom.text, 1)
        definitions: list[Definition] = self.context.vocabulary.called(name, line.source.name)
        if not definitions:
            return None
        kind = definitions[0].kind.id
        return ir.Instance(kind, name, number, Type("thing", kind), line.span_of(atom))

    def value(self, line: Line, atom: Word | Copy) -> ir.Expr | None:
        """Return a value of an enum."""
        if isinstance(atom, Word):
            for enum in self.context.model.enums.values():
                if atom.text in enum.values:
                    number = list(enum.values).index(atom.text)
                    return ir.Const(number, Type("enum", enum.id), line.span_of(atom), atom.text)
        return None


def _first_word(part: Part) -> str:
    """Return the first word of a part after a negation, if any."""
    expr = part.expr.operand if isinstance(part.expr, Negation) else part.expr
    first = expr.atoms[0] if isinstance(expr, Phrase) else None
    return first.text if isinstance(first, Word) else ""


def _led(clause: Clause) -> Clause:
    """Return the statement after ``do``, whose first word may be a lead word."""
    lead = _first_word(clause.parts[0]) if clause.parts else ""
    if lead not in _LED:
        return Clause(clause.start, clause.end, None, clause.parts)
    first = without_first_word(clause.parts[0])
    return Clause(clause.start, clause.end, lead, clause.parts[1:] if first is None else (first, *clause.parts[1:]))


def _is_absent(part: Part) -> bool:
    """Return whether a part is ``out of play``: the refused thing does not exist."""
    return [atom.text for atom in atoms(part) if isinstance(atom, Word)] == ["out", "of", "play"]


def _named_answer(part: Part) -> tuple[str, Part]:
    """Return the question that a reference names (``spot = A1``), or "", and the answer."""
    match part.expr:
        case Binary(op="=", left=Phrase(atoms=(Word(text=question),)), right=Phrase() as right):
            return question, Part(right.start, right.end, part.lead, right)
    return "", part


def _phrase(phrase_atoms: Sequence[Atom]) -> Phrase:
    return Phrase(phrase_atoms[0].start, phrase_atoms[-1].end, tuple(phrase_atoms))


def _made_true(condition: ir.Expr) -> ir.Assign | None:
    """Return the assignment that makes a condition true, if there is a simple one."""
    match condition:
        case ir.Get():
            return ir.Assign(condition, "=", ir.Const(1, condition.type, condition.span), condition.span)
        case ir.Not(operand=ir.Get() as get):
            return ir.Assign(get, "=", ir.Const(0, get.type, condition.span), condition.span)
        case ir.Not(operand=ir.Binary(op=">", left=ir.Get() as get)):
            return ir.Assign(get, "=", ir.Const(0, NUMBER, condition.span), condition.span)
        case ir.Binary(op=">", left=ir.Get() as get, right=ir.Const(value=0)):
            return ir.Assign(get, "=", ir.Const(1, NUMBER, condition.span), condition.span)
        case ir.Binary(op="=", left=ir.Get() as get, right=value):
            return ir.Assign(get, "=", value, condition.span)
        case _:
            return None
