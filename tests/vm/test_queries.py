"""Queries leave the world unchanged, and no program makes the machine raise an exception."""

from __future__ import annotations

import pytest

from fcbdsl.machine.vm import changes, loading, setup
from fcbdsl.machine.vm.frames import new_frame, pure_frame, push
from fcbdsl.machine.vm.loading import BadSave
from fcbdsl.machine.vm.world import Frame
from tests.vm.assembly import Book
from tests.vm.test_state import table


def test_fault_in_pure_code_leaves_world_unchanged() -> None:
    book = table()
    endless = book.code("endless", "top:; JMP @top")
    listed = book.code("listed", "LNEW s0; LIT r2 0; DIV r2 r2 r2; RETS s0")
    book.modify("HP", "add", "STAT r3 HP r2; RETV r3", "hero")
    book.settings["outlook"] = endless
    book.settings["offers"] = endless
    image = book.image()
    game = setup.start_game(image, "field", 1, 7, flow=False)
    before = game.digest()
    ann = image.layout.first[book.find("definitions", "ann")]
    assert game.test(endless) == 0
    assert game.references(listed) == ()
    assert game.outlook() == 0
    assert game.actions((ann,)) == []
    assert game.value(book.find("fields", "HP"), ann) == 8
    assert game.digest() == before
    assert game.world.fault is None


def test_offer_must_contain_actions() -> None:
    book = Book()
    book.settings["offers"] = book.code("offers", "LNEW s0; LIT r2 5; LADD s0 r2; RETS s0")
    book.define("ann")
    book.flow("LNEW s2; FIRST r3 ann 1; LADD s2 r3; LIT r4 -1; again:; OFFER s2 r4 @done; JMP @again; done:; RET")
    image = book.image()
    game = setup.start_game(image, "", 1, 7)
    changes.set_holder(game, image.layout.first[0], image.layout.players_low, -1)
    assert game.run() is None
    assert game.world.fault is not None
    assert "no actions" in game.world.fault.reason


def test_value_function_belongs_to_player() -> None:
    book = Book()
    book.settings["outlook"] = book.code("outlook", "ADDI r2 r0 1; RETV r2")
    image = book.image()
    game = setup.start_game(image, "", 2, 7)
    assert game.outlook() == 0
    assert game.outlook(1) == image.layout.players_low + 2


def test_program_without_value_function_has_no_values() -> None:
    assert setup.start_game(Book().image(), "", 1, 7).outlook() == 0


def test_pure_code_reuses_frame() -> None:
    book = Book()
    text = "LNEW s1; LADD s1 r0; LADD s1 r1; LLEN r2 s1; ADD r3 r0 r1; ADD r3 r3 r4; RETV r3"
    number = book.code("sum", text, constants=(100,))
    game = setup.start_game(book.image(), "", 1, 7)
    row = game.image.codes[number]
    assert game.test(number, 5, 6) == 111
    spare = row.spare
    assert spare is not None
    assert [game.test(number, 7, 8), game.test(number, -1, -1)] == [115, 98]
    assert row.spare is spare


def test_pure_code_can_be_called_recursively() -> None:
    """An amount asks for the same stat of another, and then finds its own registers as it left them."""
    book = table()
    text = "FIRST r3 ann 1; JEQ r2 r3 @ann; LIT r4 2; STAT r5 HP r3; ADD r4 r4 r5; RETV r4; ann:; LIT r4 1; RETV r4"
    book.modify("HP", "add", text, "hero")
    image = book.image()
    game = setup.start_game(image, "field", 2, 7, flow=False)
    ann, tim = [image.layout.first[book.find("definitions", name)] for name in ("ann", "tim")]
    for _ in range(2):
        assert [game.value(book.find("fields", "HP"), hero) for hero in (ann, tim)] == [9, 3 + 2 + 9]


def test_effect_starts_in_own_frame() -> None:
    """Saved data does not depend on earlier runs: an effect may be below a question on the stack."""
    book = Book()
    number = book.code("nothing", "LIT r2 9; RET")
    game = setup.start_game(book.image(), "", 1, 7)
    for _ in range(2):
        game.test(number, 1, 2)
        game.begin(number, 3, 4)
        frame = game.world.stack.pop()
        assert isinstance(frame, Frame)
        assert list(frame.r) == [3, 4, 0]
        assert frame is not game.image.codes[number].spare


def test_pending_change_prevents_reuse() -> None:
    """Listeners to changes may ask before a pure code continues: the world is saved with its frame."""
    book = Book()
    number = book.code("sum", "ADD r2 r0 r1; RETV r2")
    game = setup.start_game(book.image(), "", 1, 7)
    game.test(number, 1, 2)
    row = game.image.codes[number]
    game.has_new_changes = True
    assert list(pure_frame(game, row, 0).r) == [0, 0, 0]
    game.has_new_changes = False
    assert pure_frame(game, row, 0) is not row.spare


def test_save_with_other_constants_is_refused() -> None:
    """Its frame would serve other games of the image once it is over."""
    book = Book()
    number = book.code("more", "ADD r2 r0 r3; RETV r2", constants=(100,))
    game = setup.start_game(book.image(), "", 1, 7)
    frame = new_frame(game, number, [1, 2], [], -1)
    push(game, frame)
    loaded = loading.load_game(game.image, game.save()).world.stack[-1]
    assert isinstance(loaded, Frame)
    assert list(loaded.r) == [1, 2, 0, 100]
    frame.r[3] = 99
    with pytest.raises(BadSave):
        loading.load_game(game.image, game.save())
