"""Things and their values, modifiers, zones, records, tracks, dice, the board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fcbdsl.machine.vm import changes, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Barrier, Definition, Die, Ladder, Switch, Terrain, Tier, Track, Zone
from fcbdsl.machine.vm.world import BY_CHANCE, DICE_SCRIPTED, ORDER_KEPT
from tests.vm.assembly import Book


def table() -> Book:
    """Return two heroes (one of them small), cards with parts, a deck, a hand, a board with an obstacle and a wall."""
    book = Book()
    book.kind("hero", "piece")
    book.kind("child", "hero")
    book.kind("blow", "thing", policy="parts")
    book.field("max", "hero", "const")
    book.field("HP", "hero", low=0, high=20, starts=((book.find("kinds", "hero"), book.code("hp", READ_MAX)),))
    book.field("Sad", "hero", "status", limit=2)
    book.field("Seen", "hero", "status", limit=1, owned=book.find("kinds", "hero"))
    book.field("power", "blow", "const")
    book.field("friends", "hero", "const", many=True)
    book.field("text", "card", "const", codes="effect", empty=-1)
    book.field("valid", "card", "const", codes="pure", empty=1)
    for name in ("place", "zone", "holder", "controller", "definition", "bearer", "owner", "copy"):
        book.field(name, "thing", "builtin", empty=-1)
    book.field("value", "track", "builtin")
    book.field("terrain", "space", "builtin", empty=-1)
    book.field("fire", "space", "token", limit=1)
    book.add("zones", Zone("deck", secret=True))
    book.add("zones", Zone("hand", book.find("kinds", "hero"), book.code("two", "LIT r2 2; RETV r2")))
    book.define("ann", "hero", values=((0, 8),), lists=((5, (1, 2)),))
    book.define("tim", "child", values=((0, 3),), bearer=0)
    effect = book.code("effect of club", "CHG HP r0 r2; RET".replace("r2", "r3").replace("CHG", "LIT r3 -2; CHG"))
    valid = book.code("valid of club", "ISA r2 card r1; RETV r2")
    book.define("club", "card", copies=2, parts=(3, 4), values=((6, effect), (7, valid)))
    book.define("jab", "blow", owner=2, values=((4, 1),))
    book.define("swing", "blow", owner=2, values=((4, 3),))
    book.define("rock", "card", copies=3)
    book.add("terrains", Terrain("rubble", 1, blocks_movement=True, gives_cover=True))
    book.add("barriers", Barrier("wall", True, True))
    book.add("areas", "gate")
    book.add("marks", "exit")
    book.board(["....", ".#.."], areas=((0, (3, 7)),), sides=((2, 3, 0),))
    book.define("field", "mission", board=0)
    return book


READ_MAX = "STAT r2 0 r0; RETV r2"


class Session:
    """A staged game of a book, in which codes run one after the other."""

    def __init__(self, book: Book, codes: dict[str, str], mission: str = "field", flags: int = 0) -> None:
        self.numbers = {name: book.code(name, text) for name, text in codes.items()}
        self.image: Image = book.image()
        self.game: Game = setup.start_game(self.image, mission, 2, 7, flow=False)
        self.game.script((), flags)
        self.book = book

    def do(self, name: str, self_: int = -1, this: int = -1) -> None:
        self.game.begin(self.numbers[name], self_, this)
        self.game.run()
        assert self.game.world.fault is None, self.game.world.fault

    def ask(self, name: str, self_: int = -1, this: int = -1) -> int:
        return self.game.test(self.numbers[name], self_, this)

    def things(self, name: str, self_: int = -1) -> tuple[int, ...]:
        self.game.test(self.numbers[name], self_)
        return self.game.list_result

    def the(self, id: str, copy: int = 1) -> int:
        return self.image.layout.first[self.book.find("definitions", id)] + copy - 1

    def value(self, field: str, thing: int) -> int:
        return self.game.value(self.book.find("fields", field), thing)

    def space(self, cell: int) -> int:
        return self.image.layout.spaces_low + cell


def answer_of_code(text: str, self_: str = "", this: str = "", book: Book | None = None) -> int:
    """Return the answer of a code in a new game."""
    session = Session(book or table(), {"asked": text})
    return session.ask("asked", session.the(self_) if self_ else -1, session.the(this) if this else -1)


# ── things and values ──────────────────────────────────────────────────────────────────────────


def test_stats_start_from_code() -> None:
    session = Session(table(), {})
    assert (session.value("HP", session.the("ann")), session.value("HP", session.the("tim"))) == (8, 3)


def test_nothing_and_unknown_things_read_as_empty() -> None:
    session = Session(table(), {"set": "LIT r2 5; SET HP r0 r2; CHG Sad r1 r2; RET"})
    before = list(session.game.world.mem)
    session.do("set", -1, session.the("rock"))
    session.do("set", session.the("rock"), 1 << 40)
    assert list(session.game.world.mem) == before
    assert session.value("place", -1) == -1
    assert session.value("HP", session.the("rock")) == 0


def test_values_stay_within_bounds() -> None:
    session = Session(
        table(), {"up": ("LIT r2 50; CHG HP r0 r2; CHG Sad r0 r2; RET"), "down": "LIT r2 -99; CHG HP r0 r2; RET"}
    )
    ann = session.the("ann")
    session.do("up", ann)
    assert (session.value("HP", ann), session.value("Sad", ann)) == (20, 2)
    session.do("down", ann)
    assert session.value("HP", ann) == 0


def test_owned_markers_are_counted_per_owner() -> None:
    codes = {
        "mark": "LIT r2 3; CHGOWNED Seen r0 r1 r2; RET",
        "of": "OWNED r2 Seen r0 r1; RETV r2",
        "clear": "LIT r2 0; SETOWNED Seen r0 r1 r2; RET",
        "clear all": "LIT r2 0; SET Seen r0 r2; RET",
    }
    session = Session(table(), codes)
    ann, tim = session.the("ann"), session.the("tim")
    session.do("mark", ann, tim)
    session.do("mark", ann, ann)
    assert (session.ask("of", ann, tim), session.ask("of", tim, ann), session.value("Seen", ann)) == (1, 0, 2)
    session.do("clear", ann, ann)
    assert session.value("Seen", ann) == 1
    session.do("clear all", ann)
    assert session.ask("of", ann, tim) == 0


def test_owners_are_things_in_play() -> None:
    codes = {
        "mark": "LIT r2 1; CHGOWNED Seen r0 r1 r2; RET",
        "owners": "OWNERS s0 Seen r0; RETS s0",
        "place": "CELL r2 0; PLACE r0 r2; RET",
    }
    session = Session(table(), codes)
    ann, tim = session.the("ann"), session.the("tim")
    session.do("mark", ann, tim)
    assert session.things("owners", ann) == ()
    session.do("place", tim)
    assert session.things("owners", ann) == (tim,)
    assert session.things("owners", session.the("rock")) == ()


def test_counters_are_set_by_number() -> None:
    codes = {
        "add": (
            "LIT r2 2; LIT r3 -1; LIT r4 5; ADD_COUNTER r2 r0 r3 r4; LIT r2 3; LIT r4 1; ADD_COUNTER r2 r0 r1 r4; RET"
        ),
        "clear": "LIT r2 2; LIT r3 -1; CLEAR_COUNTER r2 r0 r3; LIT r2 3; CLEAR_COUNTER r2 r0 r1; RET",
        "none": "LIT r2 1; LIT r3 -1; LIT r4 5; ADD_COUNTER r2 r0 r3 r4; CLEAR_COUNTER r2 r0 r3; RET",
    }
    session = Session(table(), codes)
    ann, tim = session.the("ann"), session.the("tim")
    session.do("add", ann, tim)
    assert (session.value("Sad", ann), session.value("Seen", ann)) == (2, 1)
    session.do("none", ann)
    assert session.value("HP", ann) == 8
    session.do("clear", ann, tim)
    assert (session.value("Sad", ann), session.value("Seen", ann)) == (0, 0)


KNOWN = {
    "ISA of an ancestor": ("ISA r2 hero r0; RETV r2", "tim", 1),
    "ISA of a stranger": ("ISA r2 child r0; RETV r2", "ann", 0),
    "DEFISA": ("STAT r2 definition r0; DEFISA r3 hero r2; RETV r3", "tim", 1),
    "DEFISA of nothing": ("LIT r2 -1; DEFISA r3 hero r2; RETV r3", "tim", 0),
    "DFIELD": ("LIT r2 1; DFIELD r3 max r2; RETV r3", "", 3),
    "DFIELDS": ("LIT r2 0; DFIELDS s0 friends r2; LLEN r3 s0; RETV r3", "", 2),
    "FIELDS": ("FIELDS s0 friends r0; HIGHEST r3 s0; RETV r3", "ann", 2),
    "FIELDS of nothing": ("FIELDS s0 friends r1; LLEN r3 s0; RETV r3", "ann", 0),
    "bearer is a definition": ("STAT r2 bearer r0; RETV r2", "tim", 0),
    "copy": ("FIRST r2 rock 3; STAT r3 copy r2; RETV r3", "", 3),
    "FIRST beyond": ("FIRST r2 rock 4; RETV r2", "", -1),
    "PARTS": ("PARTS s0 blow r0; LLEN r2 s0; RETV r2", "club", 2),
    "PARTS of a kind": ("PARTS s0 hero r0; LLEN r2 s0; RETV r2", "club", 0),
    "PARTS of nothing": ("PARTS s0 blow r1; LLEN r2 s0; RETV r2", "club", 0),
    "SELDEFS": ("SELDEFS s0 hero; LLEN r2 s0; RETV r2", "", 2),
    "SELECT finds what is in play": ("SELECT s0 hero; LLEN r2 s0; RETV r2", "", 0),
    "SELECT spaces": ("SELECT s0 space; LLEN r2 s0; RETV r2", "", 8),
    "SELECT players": ("SELECT s0 player; LLEN r2 s0; RETV r2", "", 2),
    "PLAYERS": ("PLAYERS s0; LLEN r2 s0; RETV r2", "", 2),
    "SELECT the mission": ("SELECT s0 mission; LIT r2 0; LAT r2 s0 r2; PLAYED r3 mission; EQ r2 r2 r3; RETV r2", "", 1),
    "SINGLE": ("SINGLE r2 game; ISA r2 game r2; RETV r2", "", 1),
    "CELL beyond": ("CELL r2 8; RETV r2", "", -1),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_things_have_kinds(name: str) -> None:
    text, self_, expected = KNOWN[name]
    assert answer_of_code(text, self_) == expected


def test_parts_belong_to_instance() -> None:
    session = Session(table(), {"parts": "PARTS s0 blow r0; RETS s0"})
    for copy in (1, 2):
        club = session.the("club", copy)
        parts = session.things("parts", club)
        assert [session.value("power", part) for part in parts] == [1, 3]
        assert [session.value("owner", part) for part in parts] == [club, club]


def test_effects_run_for_holder() -> None:
    codes = {
        "take": "SET_HOLDER r1 r0; RET",
        "perform": "EFFECT r2 text r1; PERFORM r2; RET",
        "valid": "EVAL r2 valid r0; RETV r2",
    }
    session = Session(table(), codes)
    ann, club = session.the("ann"), session.the("club")
    session.do("take", ann, club)
    session.do("perform", -1, club)
    assert session.value("HP", ann) == 6
    session.do("perform", -1, session.the("rock"))
    session.do("perform", -1, -1)
    assert session.value("HP", ann) == 6
    assert (session.ask("valid", club), session.ask("valid", session.the("rock"))) == (1, 1)


def test_invalid_effect_number_is_not_performed() -> None:
    session = Session(table(), {"forged": "LIT r2 5; PERFORM r2; LIT r2 9007199254740991; PERFORM r2; RET"})
    before = session.game.digest()
    session.do("forged")
    assert session.game.digest() == before


def test_variants_belong_to_game() -> None:
    book = table()
    book.add("switches", Switch("night", ("no", "yes")))
    number = book.code("asked", "VARIANT r2 night; RETV r2")
    image = book.image()
    assert setup.start_game(image, "field", 1, 1).test(number) == 0
    assert setup.start_game(image, "field", 1, 1, {"night": "yes"}).test(number) == 1


# ── modifiers ──────────────────────────────────────────────────────────────────────────────────


def test_modifiers_apply_in_layers() -> None:
    book = table()
    for mode, amount in (("most", 12), ("double", 0), ("add", 2), ("set", 4), ("least", 1)):
        book.modify("HP", mode, f"LIT r3 {amount}; RETV r3", "hero")
    assert answer_of_code("STAT r2 HP r0; RETV r2", "ann", book=book) == 12  # (4 + 2) * 2
    assert answer_of_code("FIELD r2 HP r0; RETV r2", "ann", book=book) == 8


def test_modified_value_keeps_bounds() -> None:
    book = table()
    book.modify("HP", "add", "LIT r3 -50; RETV r3", "hero")
    assert answer_of_code("STAT r2 HP r0; RETV r2", "ann", book=book) == 0


def test_const_fields_can_be_modified() -> None:
    book = table()
    book.modify("max", "add", "LIT r3 1; RETV r3", "child")
    assert answer_of_code("STAT r2 max r0; RETV r2", "tim", book=book) == 4
    assert answer_of_code("STAT r2 max r0; RETV r2", "ann", book=book) == 8


@pytest.mark.parametrize("own", [True, False])
def test_card_modifies_while_held(own: bool) -> None:
    book = table()
    more = {} if own else {"where": "EQ r3 r2 r0; RETV r3"}
    rock = book.find("definitions", "rock")
    book.modify("HP", "add", "LIT r3 1; RETV r3", "hero", "definition", rock, own=own, **more)
    session = Session(book, {"take": "SET_HOLDER r1 r0; RET", "place": "CELL r2 0; PLACE r0 r2; RET"})
    ann = session.the("ann")
    assert session.value("HP", ann) == 8
    session.do("take", ann, session.the("rock", 3))
    assert session.value("HP", ann) == 8  # she is not in play, and what she holds does nothing
    session.do("take", -1, session.the("rock", 3))
    session.do("place", ann)
    session.do("take", ann, session.the("rock", 1))
    session.do("take", ann, session.the("rock", 2))
    assert (session.value("HP", ann), session.value("HP", session.the("tim"))) == (10, 3)
    session.do("take", -1, session.the("rock", 1))
    assert session.value("HP", ann) == 9


@pytest.mark.parametrize("own", [True, False])
def test_marker_modifies_bearer(own: bool) -> None:
    book = table()
    more = {} if own else {"where": "EQ r3 r2 r0; RETV r3"}
    sad = book.find("fields", "Sad")
    book.modify("HP", "add", "FIELD r3 Sad r0; NEG r3 r3; RETV r3", "hero", "counter", sad, own=own, **more)
    session = Session(book, {"sadden": "LIT r2 1; CHG Sad r0 r2; RET", "place": "CELL r2 0; PLACE r0 r2; RET"})
    session.do("sadden", session.the("ann"))
    assert session.value("HP", session.the("ann")) == 8  # she is not in play
    session.do("place", session.the("ann"))
    assert (session.value("HP", session.the("ann")), session.value("HP", session.the("tim"))) == (7, 3)


def test_circular_modifiers_are_bounded() -> None:
    book = table()
    book.modify("HP", "add", "STAT r3 HP r2; RETV r3", "hero")
    book.flow("FIRST r2 ann 1; STAT r3 HP r2; RET")
    image = book.image()
    game = setup.start_game(image, "field", 1, 7)
    game.run()
    assert game.world.fault is not None
    assert "too deeply" in game.world.fault.reason


# ── zones and records ──────────────────────────────────────────────────────────────────────────


ZONES = {
    "fill": (
        "ZONE r2 deck r0; FIRST r3 rock 1; PUT_TOP r3 r2; FIRST r3 rock 2;"
        " PUT_TOP r3 r2; FIRST r3 rock 3; PUT_BOTTOM r3 r2; RET"
    ),
    "deck": "ZONE r2 deck r0; CONTENTS s0 r2; RETS s0",
    "top": "ZONE r2 deck r0; TOP r3 r2; RETV r3",
    "size": "ZONE r2 deck r0; SIZE r3 r2; RETV r3",
    "draw": "ZONE r2 deck r0; TOP r3 r2; ZONE r4 hand r0; PUT_TOP r3 r4; RET",
    "hand": "ZONE r2 hand r0; CONTENTS s0 r2; RETS s0",
    "in hand": "ZONE r2 hand r0; IN_ZONE r3 r1 r2; RETV r3",
    "where": "ZONE_HOLDING r2 r0; RETV r2",
    "shuffle": "ZONE r2 deck r0; SHUFFLE r2; RET",
    "remove": "REMOVE r0; RET",
    "place": "PLACE r0 r1; RET",
    "selected": "SELECT s0 card; RETS s0",
}  # fmt: skip


def test_zones_are_ordered_and_held_by_owner() -> None:
    session = Session(table(), ZONES)
    rocks = [session.the("rock", copy) for copy in (1, 2, 3)]
    ann = session.the("ann")
    session.do("fill")
    assert session.things("deck") == (rocks[2], rocks[0], rocks[1])
    assert (session.ask("top"), session.ask("size")) == (rocks[1], 3)
    reveals = session.game.world.reveals
    session.do("draw", ann)
    assert session.game.world.reveals == reveals + 1
    assert (session.things("hand", ann), session.value("holder", rocks[1])) == ((rocks[1],), ann)
    assert session.ask("in hand", ann, rocks[1]) == 1
    assert session.things("selected") == tuple(rocks)


def test_full_zone_takes_nothing() -> None:
    session = Session(table(), ZONES)
    ann = session.the("ann")
    session.do("fill")
    for _ in range(3):
        session.do("draw", ann)
    assert (len(session.things("hand", ann)), session.ask("size")) == (2, 1)


def test_removed_things_are_in_box() -> None:
    session = Session(table(), ZONES)
    session.do("fill")
    rock = session.the("rock", 1)
    session.do("remove", rock)
    assert rock not in session.things("deck")
    assert (session.ask("where", rock), session.value("zone", rock)) == (-1, 0)
    assert rock not in session.things("selected")


def test_shuffle_uses_stream_of_deck_and_can_be_disabled() -> None:
    orders = set()
    for seed in range(12):
        session = Session(table(), ZONES)
        session.game.reseed(seed)
        session.do("fill")
        session.do("shuffle")
        orders.add(session.things("deck"))
    assert len(orders) > 3
    still = Session(table(), ZONES, flags=ORDER_KEPT)
    still.do("fill")
    before = still.things("deck")
    still.do("shuffle")
    assert still.things("deck") == before


def test_unknown_zone_or_thing_is_ignored() -> None:
    codes = {
        "put": ("PUT_TOP r0 r1; PUT_BOTTOM r0 r1; SHUFFLE r1; RET"),
        "size": "SIZE r2 r1; TOP r3 r1; ADD r2 r2 r3; RETV r2",
    }
    session = Session(table(), codes)
    before = session.game.digest()
    for thing, zone in ((-1, 1), (session.the("rock"), 9999), (session.space(0), 1), (session.the("rock"), -5)):
        session.do("put", thing, zone)
        assert session.ask("size", thing, zone) in (-1, 0)
    assert session.game.digest() == before


def test_records_are_allocated_and_freed() -> None:
    codes = {"new": "LIT r2 8; NEW_RECORD r2 r2; RET", "all": "SELECT s0 note; RETS s0", "drop": "DROP_RECORD r0; RET"}
    session = Session(table(), codes)
    for _ in range(3):
        session.do("new")
    notes = session.things("all")
    assert len(notes) == 3
    session.do("drop", notes[1])
    assert session.things("all") == (notes[0], notes[2])
    session.do("new")
    session.game.begin(session.numbers["new"], -1, -1)
    session.game.run()
    assert session.game.world.fault is not None
    assert "too many records" in session.game.world.fault.reason


def test_spare_finds_copy_in_box() -> None:
    session = Session(table(), {"take": "SPARE r2 r0; SET_HOLDER r2 r1; RET", "spare": "SPARE r2 r0; RETV r2"})
    rock = session.book.find("definitions", "rock")
    for copy in (1, 2, 3):
        assert session.ask("spare", rock) == session.the("rock", copy)
        session.do("take", rock, session.the("ann"))
    assert session.ask("spare", rock) == -1
    assert session.ask("spare", 9999) == -1


# ── tracks ─────────────────────────────────────────────────────────────────────────────────────


def track_book() -> Book:
    """Return a gauge 0..6 with a step at 3, an end at 6, tiers at 2 (with a modifier) and 4 (locked); steps write
    digits."""
    book = table()
    book.field("trace", "game")
    append = "SINGLE r3 game; STAT r4 trace r3; LIT r5 10; MUL r4 r4 r5; ADD r4 r4 r2; SET trace r3 r4; RET"
    book.code("append", append, 3)
    mission = book.find("definitions", "field")
    book.add("definitions", Definition(book.find("kinds", "track"), "alarm", owner=mission))

    def writes(number: int) -> int:
        return book.code(f"writes {number}", f"LIT r2 {number}; CALL append (r0 r1 r2); RET")

    number = book.find("definitions", "alarm")
    book.add("tracks", Track(number, 0, 6, ((3, writes(1)),), writes(9)))
    book.add("tiers", Tier(0, 2, False, writes(2), writes(3)))
    book.add("tiers", Tier(0, 4, True, writes(4), writes(5)))
    book.modify("max", "add", "LIT r3 5; RETV r3", "hero", "tier", 0)
    book.event("moved", False, False, False)
    book.settings["track_moved"] = 0
    book.listen(
        "moved",
        "after",
        "SUB r5 r4 r3; CALL append (r0 r1 r5); RET",
        condition=("JLTI r4 4 @no; LIT r5 0; RETV r5; no:; LIT r5 1; RETV r5"),
    )
    return book


TRACK = {
    "up": "FIRST r2 alarm 1; LIT r3 1; TRACK_ADD r2 r3; RET",
    "up 3": "FIRST r2 alarm 1; LIT r3 3; TRACK_ADD r2 r3; RET",
    "up 9": "FIRST r2 alarm 1; LIT r3 9; TRACK_ADD r2 r3; RET",
    "down 9": "FIRST r2 alarm 1; LIT r3 9; TRACK_SUB r2 r3; RET",
    "none": "LIT r3 9; TRACK_SUB r0 r3; LIT r3 0; FIRST r2 alarm 1; TRACK_ADD r2 r3; RET",
}


def trace(session: Session) -> int:
    return session.value("trace", session.image.layout.range_of("game")[0])


def test_track_passes_steps_one_by_one() -> None:
    session = Session(track_book(), TRACK)
    session.do("up 3")
    assert trace(session) == 213  # tier 2 entered, step 3, moved by 3
    assert session.value("value", session.the("alarm")) == 3
    session.do("down 9")
    assert session.value("value", session.the("alarm")) == 0
    assert trace(session) == 213 * 100 + 30 - 3  # tier 2 left, moved by -3


def test_end_of_track_comes_first_and_locked_tier_stays() -> None:
    session = Session(track_book(), TRACK)
    session.do("up 9")
    assert trace(session) == 2149
    session.do("down 9")
    assert session.value("value", session.the("alarm")) == 4
    assert trace(session) == 2149


def test_tier_modifies_while_on() -> None:
    session = Session(track_book(), TRACK)
    ann = session.the("ann")
    values = []
    for _ in range(3):
        values.append(session.value("max", ann))
        session.do("up")
    assert values == [8, 8, 13]


def test_other_thing_does_not_move_as_track() -> None:
    session = Session(track_book(), TRACK)
    before = session.game.digest()
    session.do("none", session.the("ann"))
    assert session.game.digest() == before


# ── dice ───────────────────────────────────────────────────────────────────────────────────────


def dice_book() -> Book:
    book = table()
    book.add("dice", Die("good", (1, 1, 0)))
    book.add("dice", Die("bad", (1, 0, 0)))
    book.add("dice", Die("above", (1,)))
    book.add("dice", Die("below", (0,)))
    book.add("dice", Die("six", (1, 2, 3, 4, 5, 6), True))
    book.add("ladders", Ladder((0, 1), 2, 3))
    return book


SHIFTS = [(0, 0, 0), (1, 1, 0), (0, 1, 2), (0, 5, 2), (0, -1, 1), (1, -1, 3), (2, -1, 0), (3, 1, 1), (4, 1, 4)]


@pytest.mark.parametrize(("die", "steps", "expected"), SHIFTS)
def test_dice_shift_along_ladder(die: int, steps: int, expected: int) -> None:
    assert answer_of_code(f"LIT r2 {die}; LIT r3 {steps}; LADDER_SHIFT r4 r2 r3; RETV r4", book=dice_book()) == expected


def test_ladder_rungs_and_dice_with_certain_result() -> None:
    for die, rung, sure in ((0, 0, 0), (1, 1, 0), (2, -1, 1), (3, 2, 1), (4, -1, 0)):
        assert answer_of_code(f"LIT r2 {die}; LADDER_RUNG r3 r2; RETV r3", book=dice_book()) == rung
        assert answer_of_code(f"LIT r2 {die}; DIE_SURE r3 r2; RETV r3", book=dice_book()) == sure


ROLLS = {
    "one": "LIT r2 4; ROLL r3 r2; SET HP r0 r3; RET",
    "sum": "LIT r2 4; LIT r4 3; ROLLSUM r3 r4 r2; SET HP r0 r3; RET",
    "many": "LIT r2 4; LIT r4 3; ROLLN s0 r4 r2; HIGHEST r3 s0; SET HP r0 r3; RET",
    "each": "LIT r2 4; LIT r4 3; ROLLEACH s0 r4 r2; LIT r5 2; LAT r3 s0 r5; SET HP r0 r3; RET",
    "sure": "LIT r2 2; ROLL r3 r2; SET HP r0 r3; RET",
}


def test_scripted_dice_show_given_faces() -> None:
    session = Session(dice_book(), ROLLS, flags=DICE_SCRIPTED)
    ann = session.the("ann")
    session.game.script((5, 1, 2, 6, 2, 4, 3, 6, 5, 1))
    for name, expected in (("one", 5), ("sum", 9), ("sure", 1), ("many", 4), ("each", 1)):
        session.do(name, ann)
        assert session.value("HP", ann) == expected
    assert session.game.world.script == []
    session.game.begin(session.numbers["one"], ann, -1)
    session.game.run()
    assert session.game.world.fault is not None
    assert "no die is scripted" in session.game.world.fault.reason


def test_scripted_face_must_be_on_die() -> None:
    session = Session(dice_book(), ROLLS)
    session.game.script((7,))
    session.game.begin(session.numbers["one"], session.the("ann"), -1)
    session.game.run()
    assert session.game.world.fault is not None
    assert "is not on the die" in session.game.world.fault.reason


def test_rolls_are_fair_and_reveal() -> None:
    session = Session(dice_book(), ROLLS)
    ann = session.the("ann")
    counts = dict.fromkeys(range(1, 7), 0)
    for _ in range(300):
        session.do("one", ann)
        counts[session.value("HP", ann)] += 1
    assert min(counts.values()) > 25
    assert session.game.world.reveals == 300


def test_game_stops_before_what_is_drawn() -> None:
    for number, (name, rolled) in enumerate([("one", 1), ("sum", 3), ("many", 3), ("each", 3)]):
        session = Session(dice_book(), ROLLS)
        game, ann = session.game, session.the("ann")
        game.reseed(number)
        before = session.value("HP", ann)
        game.stops_at_chance = True
        game.begin(session.numbers[name], ann, -1)
        assert game.run() is BY_CHANCE
        assert game.chance is not None
        states = game.world.rng[:]
        shown = game.chance.drawn(states)
        assert len(shown) == rolled
        assert (game.world.reveals, session.value("HP", ann)) == (0, before)
        game.go_on()
        expected = {"one": shown[0], "sum": sum(shown), "many": max(shown), "each": shown[-1]}
        assert (game.chance, session.value("HP", ann)) == (None, expected[name])
        assert (game.world.reveals, game.world.rng) == (rolled, states)


def test_game_does_not_stop_before_what_is_certain() -> None:
    for name, script in (("sure", ()), ("one", (5,))):
        session = Session(dice_book(), ROLLS)
        session.game.script(script)
        session.game.stops_at_chance = True
        session.do(name, session.the("ann"))
        assert session.game.chance is None
        assert session.game.world.reveals == 0


# ── the board ──────────────────────────────────────────────────────────────────────────────────

BOARD = {
    "BESIDE": ("CELL r2 0; CELL r3 1; BESIDE r4 r2 r3; RETV r4", 1),
    "LINKED stops at a wall": ("CELL r2 2; CELL r3 3; LINKED r4 r2 r3; RETV r4", 0),
    "CONNECTED goes round": ("CELL r2 2; CELL r3 3; CONNECTED r4 r2 r3; RETV r4", 1),
    "WITHIN": ("CELL r2 0; CELL r3 3; LIT r4 2; WITHIN r5 r2 r4 r3; RETV r5", 0),
    "RANGE": ("CELL r2 0; CELL r3 3; RANGE r4 r2 r3; RETV r4", 3),
    "SEES": ("CELL r2 0; CELL r3 2; LIT r4 0; SEES r5 r2 r3 r4; RETV r5", 1),
    "SEES not through a wall": ("CELL r2 0; CELL r3 3; LIT r4 0; SEES r5 r2 r3 r4; RETV r5", 0),
    "SCREENED": ("CELL r2 4; CELL r3 6; LIT r4 0; SCREENED r5 r2 r3 r4; RETV r5", 1),
    "CROSSED": ("CELL r2 1; CELL r3 0; CELL r4 2; CROSSED r5 r2 r3 r4; RETV r5", 1),
    "CROSSED by nothing": ("LIT r2 -1; CELL r3 0; CELL r4 2; CROSSED r5 r2 r3 r4; RETV r5", 0),
    "ON": ("CELL r2 3; LIT r3 0; GROUP s0 r3; ON r4 r2 s0; RETV r4", 1),
    "GROUP unknown": ("LIT r3 9; GROUP s0 r3; LLEN r4 s0; RETV r4", 0),
    "ON_BOARD": ("CELL r2 3; ON_BOARD r3 r2; ON_BOARD r4 r0; SUB r3 r3 r4; RETV r3", 1),
    "MARKED": ("CELL r2 3; LIT r3 0; MARKED r4 r2 r3; RETV r4", 0),
    "TERRAIN_IS": ("CELL r2 5; LIT r3 0; TERRAIN_IS r4 r2 r3; RETV r4", 1),
    "PASSABLE": ("CELL r2 5; LIT r3 0; PASSABLE r4 r2 r3; RETV r4", 0),
    "PASSABLE for who climbs": ("CELL r2 5; LIT r3 1; PASSABLE r4 r2 r3; RETV r4", 1),
    "NEIGHBOURS": ("CELL r2 0; NEIGHBOURS s0 r2; LLEN r3 s0; RETV r3", 2),
    "NEIGHBOURS of nothing": ("NEIGHBOURS s0 r0; LLEN r3 s0; RETV r3", 0),
    "AROUND": ("CELL r2 5; AROUND s0 r2; LLEN r3 s0; RETV r3", 4),
    "AROUND nothing": ("AROUND s0 r0; LLEN r3 s0; RETV r3", 0),
    "TOUCHES through a wall": ("CELL r2 2; CELL r3 3; TOUCHES r4 r2 r3; RETV r4", 1),
    "TOUCHES nothing": ("CELL r2 2; TOUCHES r4 r0 r2; RETV r4", 0),
    "RANGE_OVER_CORNERS": ("CELL r2 0; CELL r3 3; RANGE_OVER_CORNERS r4 r2 r3; RETV r4", 3),
    "AREA": ("CELL r2 0; LIT r3 1; AREA s0 r2 r3; LLEN r4 s0; RETV r4", 3),
    "DIRECTION and STEP": ((
        "CELL r2 0; CELL r3 2; DIRECTION r4 r2 r3;"
        " STEP r5 r4 r3; CELL r6 3; EQ r5 r5 r6; RETV r5"
    ), 1),
    "BEHIND": ("CELL r2 1; CELL r3 0; BEHIND r4 r2 r3; CELL r5 2; EQ r4 r4 r5; RETV r4", 1),
    "OPPOSITE": ("LIT r2 1; OPPOSITE r3 r2; RETV r3", 4),
    "TURNED": ("LIT r2 5; LIT r3 2; TURNED r4 r2 r3; RETV r4", 1),
    "TURNED from nowhere": ("LIT r3 2; TURNED r4 r0 r3; RETV r4", -1),
    "REGIONS_OF nothing": ("CELL r2 0; REGIONS_OF s0 r2; LLEN r3 s0; RETV r3", 0),
    "SPACES_OF nothing": ("SPACES_OF s0 r0; LLEN r3 s0; RETV r3", 0),
    "IN_REGION of nothing": ("CELL r2 0; IN_REGION r3 r2 r0; RETV r3", 0),
    "SIDES_OF nothing": ("SIDES_OF s0 r0; LLEN r3 s0; RETV r3", 0),
    "SIDE_BETWEEN nothing": ("CELL r2 0; SIDE_BETWEEN r3 r2 r0; RETV r3", -1),
    "SIDE_BETWEEN what is apart": ("CELL r2 0; CELL r3 3; SIDE_BETWEEN r4 r2 r3; RETV r4", -1),
    "SIDE_ENDS of a space": ("CELL r2 0; SIDE_ENDS s0 r2; LLEN r3 s0; RETV r3", 0),
    "BEARS nothing": ("LIT r2 0; BEARS r3 r0 r2; RETV r3", 0),
    "BESIDE_SIDE of a space": ("CELL r2 0; BESIDE_SIDE r3 r2 r2; RETV r3", 0),
    "BEHIND nothing": ("CELL r2 1; BEHIND r4 r2 r0; RETV r4", -1),
}  # fmt: skip


def test_spaces_are_found_by_mark() -> None:
    book = table()
    board = book.tables["boards"][0]
    cells = (board.cells[0], replace(board.cells[1], marks=(0,)), replace(board.cells[2], marks=(0,)))
    book.tables["boards"][0] = replace(board, cells=cells + board.cells[3:])
    codes = {"exits": "LIT r2 0; MARKED_SPACES s0 r2; RETS s0", "none": "LIT r2 7; MARKED_SPACES s0 r2; RETS s0"}
    session = Session(book, codes)
    assert session.things("exits") == (session.space(1), session.space(2))
    assert session.things("none") == ()


def test_spaces_are_found_by_present_terrain() -> None:
    book = table()
    codes = {
        "rough": "LIT r2 0; TERRAIN_SPACES s0 r2; RETS s0",
        "each": (
            "LIT r2 0; SELECT s0 space; LNEW s1; LIT r3 -1; top:; ITER s0 r3 r4 @end; TERRAIN_IS r5 r4 r2;"
            "JF r5 @top; LADD s1 r4; JMP @top; end:; RETS s1"
        ),
    }
    session = Session(book, codes)
    before = session.things("rough")
    assert before == session.things("each")
    changed = session.space(0)
    assert changed not in before
    changes.set_terrain(session.game, changed, 0, -1)
    assert session.things("rough") == session.things("each") == (changed, *before)


def test_mark_links_spaces_both_ways() -> None:
    book = table()
    board = book.tables["boards"][0]
    book.tables["boards"][0] = replace(board, joins=((0, 3, 0), (2, 0, 0)))
    codes = {
        "ends": "CELL r2 0; LIT r3 0; JOINED s0 r2 r3; RETS s0",
        "far": "CELL r2 3; LIT r3 0; JOINED s0 r2 r3; RETS s0",
    }
    codes |= {
        "nowhere": "LIT r2 -1; LIT r3 0; JOINED s0 r2 r3; RETS s0",
        "none": "CELL r2 1; LIT r3 0; JOINED s0 r2 r3; RETS s0",
    }
    session = Session(book, codes)
    assert session.things("ends") == (session.space(3), session.space(2))
    assert session.things("far") == (session.space(0),)
    assert session.things("nowhere") == session.things("none") == ()


@pytest.mark.parametrize("name", BOARD)
def test_board_queries_are_correct(name: str) -> None:
    text, expected = BOARD[name]
    assert answer_of_code(text) == expected


STOOD_ON = ((), (0,), (1,), (0, 1), (1, 0, 1), (3, 2, 1, 0))


@pytest.mark.parametrize("cells", STOOD_ON)
@pytest.mark.parametrize("places", [(0, 0), (0, 1), (1, 0), (2, 3), (-1, 1), (-1, -1)])
def test_pieces_on_spaces_are_listed_in_order(cells: tuple[int, ...], places: tuple[int, int]) -> None:
    where = "".join(f"CELL r3 {cell}; LADD s0 r3; " for cell in cells)
    codes = {
        "place": "PLACE r0 r1; RET",
        "listed": f"LNEW s0; {where}STANDING s1 s0; RETS s1",
        "told": (
            f"LNEW s0; {where}LNEW s1; SELECT s2 piece; LIT r3 -1; next:; ITER s2 r3 r2 @end;"
            " ON r4 r2 s0; JF r4 @next; LADD s1 r2; JMP @next; end:; RETS s1"
        ),
    }
    session = Session(table(), codes)
    heroes = [session.the("ann"), session.the("tim")]
    for hero, cell in zip(heroes, places, strict=True):
        session.do("place", hero, session.space(cell) if cell >= 0 else -1)
    standing = [hero for hero, cell in zip(heroes, places, strict=True) if cell in cells]
    assert session.things("listed") == session.things("told") == tuple(sorted(standing))


PIECES = {
    "place": "PLACE r0 r1; RET",
    "walk": "LIT r2 2; LIT r3 0; REACHABLE s0 r0 r2 r3 r3 r3; RETS s0",
    "cost": "LIT r3 0; WALK_COST r2 r0 r1 r3 r3 r3 r3; RETV r2",
    "step": "LIT r3 0; STEP_COST r2 r0 r1 r3 r3 r3; RETV r2",
    "toward": (
        "LNEW s1; LADD s1 r1; LIT r3 0; LIT r4 9; STEPS_TOWARD s0 s1 r0 r3 r3 r3 r3 r4; LIT r2 0; LAT r2 s0 r2; RETV r2"
    ),
    "at": "PIECE_AT r2 r1; RETV r2",
    "occupied": "OCCUPIED r2 r1; RETV r2",
    "ways": "LIT r2 0; LNEW s1; LIT r3 -1; SHOVE_WAYS s0 r0 r1 r2 s1 s1 r3; RETS s0",
    "jam": "LIT r2 0; LNEW s1; LIT r3 -1; SHOVE_JAM s0 r0 r1 r2 s1 s1 s1 r3; RETS s0",
    "wall": "LIT r2 0; SET_BARRIER r0 r1 r2; RET",
    "open": "LIT r2 -1; SET_BARRIER r0 r1 r2; RET",
    "rubble": "LIT r2 0; SET_TERRAIN r0 r2; RET",
    "burn": "LIT r2 3; CHG fire r0 r2; RET",
}


def test_pieces_walk_around_each_other() -> None:
    session = Session(table(), PIECES)
    ann, tim = session.the("ann"), session.the("tim")
    session.do("place", ann, session.space(0))
    assert session.things("walk", ann) == (session.space(1), session.space(4), session.space(2))
    session.do("place", tim, session.space(1))
    assert session.things("walk", ann) == (session.space(4),)
    assert session.ask("cost", ann, session.space(2)) == -1
    assert session.ask("at", -1, session.space(1)) == tim
    assert (session.ask("occupied", -1, session.space(1)), session.ask("occupied", -1, session.space(2))) == (1, 0)
    session.do("place", tim, session.space(7))
    assert session.ask("cost", ann, session.space(3)) == 4
    assert [session.ask("step", ann, session.space(cell)) for cell in (1, 3, 7)] == [1, -1, -1]
    assert session.ask("toward", ann, session.space(3)) == session.space(1)
    assert session.things("walk", session.the("rock")) == ()


def test_side_is_thing_and_can_open() -> None:
    book = table()
    side = book.kind("side", "thing", policy="sides")
    book.field("shut", "side", starts=((side, book.code("yes", "LIT r2 1; RETV r2")),))
    book.tables["barriers"][0] = Barrier("gate", True, True, hinge=book.find("fields", "shut"))
    asked = {
        "side": "SIDE_BETWEEN r2 r0 r1; RETV r2",
        "sides": "SIDES_OF s0 r0; RETS s0",
        "ends": "SIDE_ENDS s0 r0; RETS s0",
        "beside": "BESIDE_SIDE r2 r0 r1; RETV r2",
        "bears": "LIT r3 0; BEARS r2 r0 r3; RETV r2",
        "every": "SELECT s0 side; RETS s0",
        "linked": "LINKED r2 r0 r1; RETV r2",
        "shut": "STAT r2 shut r0; RETV r2",
        "turn": "STAT r2 shut r0; LIT r3 1; SUB r3 r3 r2; SET shut r0 r3; RET",
        "clear": "LIT r2 -1; SET_SIDE r0 r2; RET",
        "stray": "LIT r2 0; SET_SIDE r0 r2; RET",
    }
    session = Session(book, asked)
    a, b = session.space(2), session.space(3)
    gate = session.ask("side", a, b)
    assert gate == session.ask("side", b, a)
    assert gate in session.things("sides", a)
    assert session.things("ends", gate) == (a, b)
    assert [session.ask("beside", gate, space) for space in (a, b, session.space(0))] == [1, 1, 0]
    every = session.things("every")
    assert [thing for thing in every if session.ask("bears", thing)] == [gate]
    assert len(every) == len(session.game.shape().sides)
    assert (session.ask("shut", gate), session.ask("linked", a, b)) == (1, 0)
    session.do("turn", gate)
    assert (session.ask("shut", gate), session.ask("linked", a, b)) == (0, 1)
    session.do("turn", gate)
    assert session.ask("linked", a, b) == 0
    before = session.game.digest()
    session.do("stray", a)
    session.do("stray", gate + len(every))
    assert session.game.digest() == before
    session.do("clear", gate)
    assert (session.ask("bears", gate), session.ask("linked", a, b)) == (0, 1)


def test_kinds_define_blocking_of_their_pieces() -> None:
    asked = {
        "sees": "LIT r2 0; SEES r3 r0 r1 r2; RETV r3",
        "past": "LIT r2 0; SELECT s0 child; SEES_PAST r3 r0 r1 s0 r2; RETV r3",
        "none": "LIT r2 0; LNEW s0; SEES_PAST r3 r0 r1 s0 r2; RETV r3",
    }
    answers = []
    for says in ({}, {"blocks_sight": True}, {"blocks_movement": False}):
        book = table()
        child = book.find("kinds", "child")
        book.tables["kinds"][child] = replace(book.tables["kinds"][child], **says)
        session = Session(book, {**PIECES, **asked})
        session.do("place", session.the("ann"), session.space(0))
        session.do("place", session.the("tim"), session.space(1))
        ends = session.the("ann"), session.space(2)
        answers.append([session.ask(name, *ends) for name in ("cost", "sees", "past", "none")])
        assert session.ask("sees", session.the("ann"), session.the("tim")) == 1
    assert answers == [[-1, 1, 1, 1], [-1, 0, 1, 0], [2, 1, 1, 1]]


def test_pushed_piece_moves_and_blocked_one_jams() -> None:
    session = Session(table(), PIECES)
    ann = session.the("ann")
    session.do("place", ann, session.space(1))
    assert session.things("ways", ann) == ()
    session.game.test(session.numbers["ways"], ann, session.space(0))
    assert session.game.list_result == (session.space(2),)
    session.do("place", ann, session.space(2))
    session.game.test(session.numbers["jam"], ann, session.space(1))
    assert session.game.list_result == (ann,)


def test_changed_board_is_noticed() -> None:
    asked = {"linked": "LINKED r2 r0 r1; RETV r2", "passable": "LIT r3 0; PASSABLE r2 r0 r3; RETV r2"}
    session = Session(table(), {**PIECES, **asked})
    a, b = session.space(0), session.space(1)
    assert session.ask("linked", a, b) == 1
    session.do("wall", a, b)
    assert session.ask("linked", a, b) == 0
    session.do("open", b, a)
    assert session.ask("linked", a, b) == 1
    session.do("rubble", a)
    assert session.ask("passable", a) == 0
    session.do("wall", a, session.space(7))
    session.do("rubble", -1)
    session.do("burn", a)
    assert session.value("fire", a) == 1
