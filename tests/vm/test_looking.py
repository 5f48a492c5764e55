"""Looking at a world from outside never changes it, and no program makes the machine raise."""

from __future__ import annotations

from fcbdsl.vm import setup
from tests.vm.assembly import Book
from tests.vm.test_state import table


def test_a_fault_in_a_look_leaves_the_world_as_it_was() -> None:
    book = table()
    endless = book.code("endless", "top:; JMP @top")
    listed = book.code("listed", "LNEW s0; LIT r2 0; DIV r2 r2 r2; RETS s0")
    book.modify("HP", "add", "STAT r3 HP r2; RETV r3", "hero")
    book.settings["outlook"] = endless
    book.settings["offers"] = endless
    image = book.image()
    game = setup.start(image, "field", 1, 7, flow=False)
    before = game.digest()
    ann = image.layout.first[book.find("definitions", "ann")]
    assert game.test(endless) == 0
    assert game.references(listed) == ()
    assert game.outlook() == 0
    assert game.actions((ann,)) == []
    assert game.value(book.find("fields", "HP"), ann) == 8
    assert game.digest() == before
    assert game.world.fault is None


def test_what_is_on_offer_must_be_actions() -> None:
    book = Book()
    book.settings["offers"] = book.code("offers", "LNEW s0; LIT r2 5; LADD s0 r2; RETS s0")
    book.define("ann")
    book.flow("LNEW s2; FIRST r3 ann 1; LADD s2 r3; LIT r4 -1; again:; OFFER s2 r4 @done; JMP @again; done:; RET")
    image = book.image()
    game = setup.start(image, "", 1, 7)
    assert game.run() is None
    assert game.world.fault is not None
    assert "no actions" in game.world.fault.reason


def test_an_outlook_is_somebodys() -> None:
    book = Book()
    book.settings["outlook"] = book.code("outlook", "ADDI r2 r0 1; RETV r2")
    image = book.image()
    game = setup.start(image, "", 2, 7)
    assert game.outlook() == 0
    assert game.outlook(1) == image.layout.players_low + 2


def test_a_program_without_an_outlook_values_nothing() -> None:
    assert setup.start(Book().image(), "", 1, 7).outlook() == 0
