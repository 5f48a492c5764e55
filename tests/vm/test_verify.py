"""Every kind of finding has a case: a sound program with one error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from fcbdsl.machine.vm import program as tables
from fcbdsl.machine.vm.ops import NAMES
from fcbdsl.machine.vm.program import (
    Action,
    Barrier,
    Board,
    Cell,
    Code,
    Definition,
    Die,
    Ending,
    Event,
    Invariant,
    Kind,
    Lasting,
    Limit,
    Read,
    Requirement,
    Step,
    Switch,
    Terrain,
    Tier,
    Track,
    Verb,
)
from fcbdsl.machine.vm.verify.verifier import verify_program
from tests.vm.assembly import Book
from tests.vm.test_worlds import rich_book


def spoil(table: str, number: int = -1, **changes: Any) -> Callable[[Book], None]:
    """Return a function that changes columns of a row (the last one by default)."""

    def change(book: Book) -> None:
        book.tables[table][number] = replace(book.tables[table][number], **changes)

    return change


def append(table: str, row: Any) -> Callable[[Book], None]:
    return lambda book: book.tables[table].append(row)


def with_code(text: str, **more: Any) -> Callable[[Book], None]:
    def change(book: Book) -> None:
        book.code("bad", text, **more)

    return change


def with_ints(*ints: int, **more: Any) -> Callable[[Book], None]:
    return append("codes", Code("bad", ints, more.pop("n_r", 4), more.pop("n_s", 2), **more))


def with_step(step: Step) -> Callable[[Book], None]:
    return append("tests", tables.Test("t", (), -1, -1, (step,)))


def a_switch_set_to(value: int) -> Callable[[Book], None]:
    def change(book: Book) -> None:
        switch = book.add("switches", Switch("s", ("a", "b")))
        spoil("definitions", 6, overrides=((switch, value),))(book)

    return change


def with_requirement(code: int, span: int) -> Callable[[Book], None]:
    def change(book: Book) -> None:
        book.add("actions", Action("wave", book.code("wave", "STOP"), requires=(Requirement("x", code, span),)))

    return change


def setting(name: str, value: Any) -> Callable[[Book], None]:
    def change(book: Book) -> None:
        book.settings[name] = value

    return change


def used_as(use: Callable[[int], Callable[[Book], None]], text: str, params: int = 2) -> Callable[[Book], None]:
    """Write a code and use it somewhere."""

    def change(book: Book) -> None:
        use(book.code("bad", text, params))(book)

    return change


def lost_argument(book: Book) -> None:
    row = book.add("args", ((0, 0), (0, 77)))
    book.add("codes", Code("bad", (NAMES.index("CALL"), 0, row, RET), 4, 2))


def impure_through_calls(book: Book) -> None:
    book.code("deep", "LIT r2 0; ROLL r2 r2; RETV r2")
    spoil("fields", 1, starts=((0, book.code("bad", "CALLR r2 deep (r0 r1); RETV r2")),))(book)


def twice(change: Callable[[Book], None]) -> Callable[[Book], None]:
    def again(book: Book) -> None:
        change(book)
        change(book)

    return again


LOOP = "LNEW s0; LIT r2 -1; top:; ITER s0 r2 r3 @end; JMP @top; end:; RETV r3"
IMPURE = "must not change"
RET = NAMES.index("RET")
LIT = NAMES.index("LIT")
JMP = NAMES.index("JMP")
JF = NAMES.index("JF")


def named(book: Book, name: str, **changes: Any) -> None:
    """Return a function that changes the name of a kind."""
    spoil("kinds", book.find("kinds", name), **changes)(book)


def own_parent(book: Book) -> None:
    """Make the kind of a track its own parent."""
    kind = book.tables["definitions"][book.tables["tracks"][0].definition].kind
    spoil("kinds", kind, parent=kind)(book)


def below_spaces(book: Book) -> None:
    """Add a kind of things below the spaces."""
    kind = book.add("kinds", Kind("stone", book.find("kinds", "space")))
    book.add("definitions", Definition(kind, "stone"))


CASES: list[tuple[str, Callable[[Book], None], str]] = [
    ("things offered as definitions", with_code("SELECT s0 piece; ASK r2 s0 r0 0 definition -; RET"), "thing as a def"),
    ("definitions offered as things", with_code("SELDEFS s0 piece; ASK r2 s0 r0 0 thing -; RET"), "definition as a t"),
    ("zones offered as things", with_code("ZONE_HOLDING r2 r0; LNEW s0; LADD s0 r2; ASK r2 s0 r0 0 thing -; RET"),
     "zone as a thing"),
    ("things of another list", with_code("SELDEFS s0 piece; SELECT s1 piece; LJOIN s0 s1; LIT r2 1; "
     "ASKMANY s1 s0 r0 r2 definition -; RET"), "thing as a definition"),
    ("things by another way", with_code("SELDEFS s0 piece; JT r0 @ask; SELECT s0 piece; ask:; "
     "ASK r2 s0 r0 0 definition -; RET"), "thing as a definition"),
    ("title of a terrain", lambda book: append("terrains", Terrain("bog", title=99))(book), "points nowhere"),
    ("title of a barrier", lambda book: append("barriers", Barrier("wall", title=99))(book), "points nowhere"),
    ("tags of an event", append("events", tables.Event("e", (False,), words=("e",))), "of each parameter"),
    ("titles of an enum", append("enums", tables.Enum("e", ("a", "b"), (-1,))), "has its title"),
    ("faces of a die", append("dice", Die("d", (1, 2), shows=((0,),))), "each face"),
    ("kinds in a chain", lambda book: crowded(book), "descend from one another"),
    ("values of no sort", with_step(Step("play", tags=("thing", cast(Any, "nonsense")))), "`nonsense` is not known"),
    ("values read of no sort", with_step(Step("expect", reads=(Read("x", 0, cast(Any, "y")),))), "`y` is not known"),
    ("values read of no enum", with_step(Step("expect", reads=(Read("x", 0, "enum", 99),))), "enum: 99 points nowhere"),
    ("a step from nowhere", with_step(Step("dice", span=99)), "steps[0].span: 99 points nowhere"),
    # tables
    ("unknown op name", setting("ops", ("FLY", *NAMES[1:])), "there is no op `FLY`"),
    ("index beyond its table", spoil("verbs", code=999), "999 points nowhere"),
    ("index below none", spoil("verbs", event=-2), "-2 points nowhere"),
    ("index in a list", spoil("definitions", parts=(999,)), "points nowhere"),
    ("index in a row", spoil("fields", 1, starts=((0, 999),)), "points nowhere"),
    ("flow", setting("flow", 999), "flow: 999 points nowhere"),
    ("unknown word", spoil("fields", sort="thing"), "`thing` is not known"),
    ("players", setting("players", (3, 2)), "fewest first"),
    ("kind before its parent", spoil("kinds", 1, parent=5), "after its parent"),
    ("kind that is its own parent", spoil("kinds", 1, parent=1), "after its parent"),
    ("kind of a track that is its own parent", lambda book: own_parent(book), "after its parent"),
    ("tracks of players", lambda book: named(book, "track", policy="players"), "the policy of a track is definitions"),
    ("spaces of another name", lambda book: named(book, "hero", policy="spaces"), "only the kind space may be"),
    ("heroes below the spaces", lambda book: below_spaces(book), "numbered among spaces"),
    ("escape sequence in a text", append("texts", {"en": "a\x1b]0;b\x07"}), "control characters"),
    ("writing direction in a text", append("texts", {"en": "a\u202eb"}), "control characters"),
    ("line break in a name", append("dice", Die("a\nb", (1,))), "control characters"),
    ("escape sequence in a file", lambda book: book.settings.update(files=("a\x1b.fcb",)), "control characters"),
    ("two kinds of one name", append("kinds", Kind("piece", 0)), "two kinds have the same name"),
    ("strange built-in", spoil("fields", 0, sort="builtin"), "no built-in field `max`"),
    ("list stat", spoil("fields", 1, many=True), "only a const field can be a list"),
    ("stat of codes", spoil("fields", 1, codes="pure"), "can hold codes"),
    ("const that starts", spoil("fields", 0, starts=((0, 0),)), "only a stat has a first value"),
    ("stat with owners", spoil("fields", 1, owned=0), "only a marker can have owners"),
    ("definition of a space", append("definitions", Definition(3, "here")), "are not defined"),
    ("negative copies", spoil("definitions", 0, copies=-1), "make no sense"),
    ("several missions at once", spoil("definitions", 6, copies=2), "make no sense"),
    ("orphaned part", spoil("definitions", 3, owner=-1), "a part must belong"),
    ("value of a stat", spoil("definitions", 0, values=((1, 1),)), "no const field of single values"),
    ("value that is no code", spoil("definitions", 0, values=((6, 999),)), "points at no code"),
    ("zone that starts with no list", spoil("zones", 0, starts=0), "is no list of its owners"),
    ("list of a single field", spoil("definitions", 0, lists=((0, (1,)),)), "is no list"),
    ("override", spoil("definitions", 6, overrides=((9, 0),)), "definitions[6].overrides[0][0]: 9 points nowhere"),
    ("captured", spoil("lastings", captured=1), "registers can be captured"),
    ("die without faces", append("dice", Die("none", ())), "a die needs a face"),
    ("switch default", append("switches", Switch("s", ("a",), 1)), "not one of the values"),
    ("terrain cost", spoil("terrains", cost=1000), "a space costs"),
    ("scope owner", spoil("listeners", 0, owner=999), "999 points nowhere"),
    ("scope of no counter", spoil("listeners", 0, scope="counter", owner=0), "the field is no counter"),
    ("first parameter", spoil("listeners", 0, first=3), "the parameters must begin at register 2"),
    ("candidate", spoil("modifiers", it=2), "the candidate must be in register 3"),
    ("track of a piece", append("tracks", Track(0, 0, 5)), "below the kind track"),
    ("track upside down", spoil("tracks", low=9), "lowest value is above"),
    ("tier of nothing", append("tiers", Tier(9, 0)), "9 points nowhere"),
    ("limit of nothing", append("limits", Limit(99)), "99 points nowhere"),
    ("unknown limit", append("limits", Limit(0, cast(Any, "moon"))), "`moon` is not known"),
    ("announced event", setting("acted", 2), "must have 1 single parameters"),
    ("step of a test", with_step(Step(cast(Any, "sing"))), "`sing` is not known"),
    ("play of nobody", with_step(Step("play")), "`play` lacks somebody who acts"),
    ("references without a code", with_step(Step("answer", tags=("thing",), questions=("",))), "`answer` lacks a tag"),
    ("references without questions", with_step(Step("answer", 0, tags=("thing",))), "`answer` lacks a tag, a question"),
    ("known to nobody", with_step(Step("known", 0, tags=("thing",))), "`known` lacks what is known, or to whom"),
    ("count of nothing", with_step(Step("counted", 0, tags=("thing",), who=0)), "`counted` lacks a zone, who looks"),
    ("a crowd", append("tests", tables.Test("t", (), -1, -1, (), players=99)), "players: so many can't play"),
    ("no outcome", with_step(Step("outcome")), "`outcome` lacks how the game ends"),
    ("code of a test", with_step(Step("do", 999)), "steps[0].code: 999 points nowhere"),
    ("switch of a test", append("tests", tables.Test("t", (), -1, -1, (), ((9, 9),))), "9 points nowhere"),
    # boards
    ("crowded board", append("boards", Board("hex", (Cell("a", 0, 0), Cell("b", 0, 0)))), "same coordinates"),
    ("endless board", append("boards", Board("hex", (Cell("a", 0, 99999),))), "coordinates go from"),
    ("big board", append("boards", Board("graph", (Cell("a", 0, 0),) * 2000)), "more than 1024 spaces"),
    ("strange terrain", append("boards", Board("hex", (Cell("a", 0, 0, 9),))), "cells[0].terrain: 9 points nowhere"),
    ("stat as token", append("boards", Board("hex", (Cell("a", 0, 0, tokens=((1, 1),)),))), "a field that is no token"),
    ("variant set to nothing", a_switch_set_to(5), "set to what it can't be"),
    ("value of no space", append("boards", Board("hex", (Cell("a", 0, 0, values=((1, 1),)),))), "no stat of spaces"),
    ("no region", append("boards", Board("hex", (Cell("a", 0, 0),), regions=((0, (0,)),))), "is no region"),
    ("covered", append("boards", Board("areas", tuple(Cell(n, 0, 0, covers=((1, 1),)) for n in "ab"))), "the same"),
    ("beyond", append("boards", Board("areas", (Cell("a", 0, 0, covers=((-1, 0),)),))), "cover the same"),
    ("bare", append("boards", Board("areas", (Cell("a", 0, 0, covers=((1, 1),)), Cell("b", 0, 0)))), "nothing"),
    ("corner", append("boards", Board("areas", (), corners=((0, 1, -1, -1),))), "spaces meet that are not there"),
    ("value of no side", append("boards", Board("hex", (), side_values=((0, 1, 1, 1),))), "no stat of a side"),
    ("flag of no side", append("barriers", Barrier("gate", hinge=1)), "no stat of sides"),
    ("barrier nowhere", append("boards", Board("hex", (Cell("a", 0, 0),), ((0, 5, 0),))), "a barrier stands nowhere"),
    ("path to itself", append("boards", Board("graph", (Cell("a", 0, 0),), (), ((0, 0, -1),))), "a path leads nowhere"),
    ("join", append("boards", Board("hex", (Cell("A1", 0, 0),), joins=((0, 0, 9),))), "joins[0][2]: 9 points nowhere"),
    ("group", append("boards", Board("hex", (), areas=((9, ()),))), "areas[0][0]: 9 points nowhere"),
    ("winner", append("endings", Ending("won", 0)), "endings[0].team: it is not a team"),
    ("slot", append("events", Event("e", (False,), ("thing",), ("{0}", "{1}"))), "words: a slot names no parameter"),
    ("open slot", append("events", Event("e", (False,), ("thing",), ("{",))), "words: a slot names no parameter"),
    ("too many things", spoil("definitions", 0, copies=1 << 40), "more than 16384 things"),
    ("too many things together", twice(append("definitions", Definition(1, "x", 9000))), "more than 16384 things"),
    ("records", append("kinds", Kind("many", 0, "records", 1 << 50)), "more than 16384 things"),
    # codes
    ("unknown op", with_ints(999), "there is no op number 999"),
    ("cut off", with_ints(LIT, 2), "LIT lacks operands"),
    ("empty", with_ints(), "runs on past its end"),
    ("no end", with_ints(LIT, 2, 5), "runs on past its end"),
    ("register", with_ints(LIT, 9, 5, RET), "there is no such register"),
    ("list register", with_ints(NAMES.index("LNEW"), 9, RET), "there is no such list register"),
    ("jump out", with_ints(JMP, 7), "it leads out of the code"),
    ("jump back to a jump forward", with_ints(LIT, 2, 0, JMP, 2, JF, 2, 1, RET), "only JMP may go backward"),
    ("requirement of nothing", with_requirement(999, -1), "999 points nowhere"),
    ("requirement below nothing", with_requirement(-1, -1), "-1 points nowhere"),
    ("requirement from nowhere", with_requirement(0, 99), "99 points nowhere"),
    ("conditional jump back", with_ints(RET, JF, 0, 0, RET), "only JMP may go backward"),
    ("table operand", with_code("STAT r2 999 r0; RET"), "there is no such field"),
    ("text operand", with_code("LNEW s0; LIT r2 0; ASK r2 s0 r2 0 thing 999; RET"), "there is no such text"),
    ("tag operand", with_ints(NAMES.index("ASK"), 2, 0, 2, 0, 99, -1, RET), "there is no such tag"),
    ("too many registers", with_ints(RET, n_r=99999), "too many registers"),
    ("more constants than registers", with_ints(RET, n_r=2, constants=(1, 2, 3)), "too many registers"),
    ("a constant where a parameter is", with_ints(RET, n_r=2, constants=(1,)), "more parameters than registers"),
    ("a constant is written", with_ints(LIT, 3, 5, RET, constants=(1,)), "that register holds a constant"),
    ("parameters beyond registers", with_ints(RET, params=9), "more parameters than registers"),
    ("list parameter", with_ints(RET, lists=(9,)), "a list parameter has no register"),
    ("span", with_ints(RET, spans=(9,)), "spans[0]: 9 points nowhere"),
    ("argument count", with_code("DO hurt (r0 r1); RET"), "2 arguments are passed, 3 are taken"),
    ("argument bank", with_code("LNEW s2; DO hurt (r0 r1 s2); RET"), "argument 2 is a list"),
    ("argument register", lost_argument, "argument 1 has no register"),
    ("call arguments", with_code("CALL 0 (r0); RET"), "1 arguments are passed"),
    ("announced arguments", with_code("ANNOUNCE hit (r0 r1); RET"), "2 arguments are passed, 3 are taken"),
    ("list read as number", with_code("STAT r2 friends r0; RET"), "can be read"),
    ("number read as list", with_code("FIELDS s0 max r0; RET"), "can be lists"),
    ("stat of a definition", with_code("DFIELD r2 HP r0; RET"), "can be const"),
    ("written const", with_code("SET max r0 r1; RET"), "can be written"),
    ("owners of a stat", with_code("OWNED r2 HP r0 r1; RET"), "can be owned"),
    ("effect as condition", with_code("EVAL r2 text r0; RET"), "can be pure"),
    ("condition as effect", with_code("EFFECT r2 valid r0; RET"), "can be effect"),
    ("outcome", with_code("END 7 r0 -; "), "there is no such outcome"),
    ("read before written", with_code("MOV r3 r2; RET"), "r2 may be read before it is written"),
    ("list before written", with_code("LLEN r2 s0; RET"), "s0 may be read before it is written"),
    ("written on one path", with_code("JF r0 @end; LIT r2 1; end:; RETV r2"), "r2 may be read before it is written"),
    ("written in a loop only", with_code(LOOP), "r3 may be read"),
    ("list parameter read as number", with_code("RETV r2", params=3, lists=(2,)), "r2 may be read"),
    # uses
    ("flow with parameters", used_as(lambda code: setting("flow", code), "RET", 3), "takes 3 parameters"),
    ("listener", used_as(lambda code: spoil("listeners", 0, body=code), "RET"), "takes 2 parameters"),
    ("verb of an event", used_as(lambda code: append("verbs", Verb("v", code, 0)), "RET", 5), "takes 5 parameters"),
    ("verb without a list", used_as(lambda code: append("verbs", Verb("v", code, 2)), "RET", 3), "(lists: ())"),
    ("impure condition", used_as(lambda code: spoil("listeners", 0, condition=code), "SHUFFLE r0; RET", 3), IMPURE),
    ("impure through calls", impure_through_calls, IMPURE),
    ("impure outlook", used_as(lambda code: setting("outlook", code), "REMOVE r0; RET"), IMPURE),
    ("impure invariant", used_as(lambda code: append("invariants", Invariant("i", code)), "REMOVE r0; RET"), IMPURE),
    ("impure offers", used_as(lambda code: setting("offers", code), "CANCEL; RET"), IMPURE),
]  # fmt: skip


def crowded(book: Book) -> None:
    """Many kinds in one line of descent."""
    for number in range(40):
        book.tables["kinds"].append(Kind(f"k{number}", len(book.tables["kinds"]) - 1 if number else -1))


@pytest.mark.parametrize("table", ["definitions", "listeners", "modifiers", "lastings", "actions"])
@pytest.mark.parametrize("span", [999999, -5])
def test_spans_have_files(table: str, span: int) -> None:
    book = rich_book()
    if not book.tables[table]:
        book.tables[table].append(Action("wave", book.code("wave", "STOP")))
    spoil(table, span=span)(book)
    assert any("points nowhere" in finding.reason for finding in verify_program(book.unverified()))


@pytest.mark.parametrize(("change", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_invalid_program_has_finding(change: Callable[[Book], None], reason: str) -> None:
    book = rich_book()
    change(book)
    findings = [str(finding) for finding in verify_program(book.unverified())]
    assert any(reason in finding for finding in findings), findings


def test_valid_program_has_no_finding() -> None:
    assert verify_program(rich_book().unverified()) == []


def test_captured_values_are_numbers_or_lists() -> None:
    book = rich_book()
    lasting = book.add("lastings", Lasting(0, 4))
    book.listen("hit", "after", "LLEN r5 s3; ADD r5 r5 r2; ADD r5 r5 r4; RET", "lasting", lasting, first=4)
    book.program()


def test_barriers_have_no_numbers_to_check() -> None:
    book = rich_book()
    book.add("barriers", Barrier("fence"))
    book.program()
