"""Things in a zone of a held thing act for the holder of their host: bearer, listeners, modifiers."""

from __future__ import annotations

import pytest

from fcbdsl.machine.vm import changes, loading, setup
from fcbdsl.machine.vm.program import Zone
from fcbdsl.machine.vm.subscribers import MOST_ATTACHED
from tests.vm.assembly import Book


class Table:
    """A table where a bit gives its bearer +1 HP and listens to `hit` of any thing: it then adds 1 to its bearer's
    `heard`."""

    def __init__(self) -> None:
        book = Book()
        book.field("HP", empty=5)
        book.field("heard")
        book.kind("tool", "card", held=True)
        book.kind("bit", "card", held=True)
        for kind in ("tool", "bit"):
            book.add("zones", Zone(f"slots of {kind}", book.find("kinds", kind)))
        book.add("zones", Zone("stock", secret=True))
        book.define("ann")
        book.define("bob")
        book.define("hammer", "tool", copies=2)
        bit = book.define("nail", "bit", copies=MOST_ATTACHED + 2)
        book.event("hit")
        book.verb("strike", "RET", 2, "hit")
        book.listen("hit", "after", "LIT r2 1; CHG heard r0 r2; RET", "definition", bit)
        book.modify("HP", "add", "LIT r3 1; RETV r3", "piece", "definition", bit, own=True)
        book.define("field", "mission", board=book.board(["..."]))
        self.strike = book.code("blow", "DO strike (r0 r1); RET")
        self.image = book.image()
        self.game = setup.start_game(self.image, "field", 1, 7, flow=False)
        for cell, hero in enumerate(("ann", "bob")):
            changes.place_thing(self.game, self.the(hero), self.game.space(cell), -1)

    def the(self, id: str, copy: int = 1) -> int:
        rows = self.image.program.definitions
        return self.image.layout.first[next(n for n, row in enumerate(rows) if row.id == id)] + copy - 1

    def hand(self, thing: int, holder: int) -> None:
        changes.set_holder(self.game, thing, holder, -1)

    def fit(self, bit: int, host: int) -> None:
        changes.put(self.game, bit, self.image.layout.zones_of[host][0], True, -1)

    def value(self, field: str, thing: int) -> int:
        number = next(n for n, row in enumerate(self.image.program.fields) if row.name == field)
        return self.game.value(number, thing)

    def blow(self) -> tuple[int, int]:
        """Announce a hit; return how often the bits of ann and of bob have heard one so far."""
        self.game.begin(self.strike, -1, -1)
        assert self.game.run() is None
        assert self.game.world.fault is None
        return self.value("heard", self.the("ann")), self.value("heard", self.the("bob"))


@pytest.fixture
def table() -> Table:
    return Table()


def test_attachment_acts_for_holder_of_host(table: Table) -> None:
    ann, hammer, nail = table.the("ann"), table.the("hammer"), table.the("nail")
    table.hand(hammer, ann)
    assert (table.value("HP", ann), table.blow()) == (5, (0, 0))
    table.fit(nail, hammer)
    assert table.game.bearer(nail) == ann
    assert (table.value("HP", ann), table.blow()) == (6, (1, 0))


def test_attachment_moves_with_host(table: Table) -> None:
    ann, bob, hammer, nail = table.the("ann"), table.the("bob"), table.the("hammer"), table.the("nail")
    table.hand(hammer, ann)
    table.fit(nail, hammer)
    table.hand(hammer, bob)
    assert table.game.bearer(nail) == bob
    assert (table.value("HP", ann), table.value("HP", bob), table.blow()) == (5, 6, (0, 1))


def test_unheld_host_silences_attachment(table: Table) -> None:
    ann, hammer, nail = table.the("ann"), table.the("hammer"), table.the("nail")
    table.fit(nail, hammer)
    assert table.game.bearer(nail) == -1
    assert table.blow() == (0, 0)
    table.hand(hammer, ann)
    assert table.blow() == (1, 0)
    table.hand(hammer, -1)
    assert (table.value("HP", ann), table.blow()) == (5, (1, 0))


def test_absent_holder_silences_attachment(table: Table) -> None:
    ann, hammer = table.the("ann"), table.the("hammer")
    table.hand(hammer, ann)
    table.fit(table.the("nail"), hammer)
    changes.place_thing(table.game, ann, -1, -1)
    assert table.blow() == (0, 0)
    changes.place_thing(table.game, ann, table.game.space(2), -1)
    assert table.blow() == (1, 0)


def test_attachments_add_up_and_hear_once(table: Table) -> None:
    ann, hammer = table.the("ann"), table.the("hammer")
    table.hand(hammer, ann)
    for copy in (1, 2, 3):
        table.fit(table.the("nail", copy), hammer)
    assert (table.value("HP", ann), table.blow()) == (8, (3, 0))
    table.fit(table.the("nail", 2), table.the("hammer", 2))  # to another tool without a holder
    assert (table.value("HP", ann), table.blow()) == (7, (5, 0))


def test_nested_attachment_has_same_bearer(table: Table) -> None:
    ann, hammer = table.the("ann"), table.the("hammer")
    table.fit(table.the("nail", 2), table.the("nail", 1))
    table.fit(table.the("nail", 1), hammer)
    table.hand(hammer, ann)
    assert table.game.bearer(table.the("nail", 2)) == ann
    assert (table.value("HP", ann), table.blow()) == (7, (2, 0))


def test_chain_of_hosts_is_bounded(table: Table) -> None:
    """Counted from the bit: hosts up to MOST_ATTACHED, the hero among them."""
    ann, hammer = table.the("ann"), table.the("hammer")
    table.hand(hammer, ann)
    table.fit(table.the("nail", 1), hammer)
    for copy in range(2, MOST_ATTACHED + 1):
        table.fit(table.the("nail", copy), table.the("nail", copy - 1))
    bearers = [table.game.bearer(table.the("nail", copy)) for copy in range(1, MOST_ATTACHED + 1)]
    assert bearers == [ann] * (MOST_ATTACHED - 1) + [-1]


def test_loaded_world_has_same_listeners(table: Table) -> None:
    ann, hammer = table.the("ann"), table.the("hammer")
    table.hand(hammer, ann)
    table.fit(table.the("nail"), hammer)
    table.game = loading.load_game(table.image, table.game.save())
    assert (table.value("HP", ann), table.blow()) == (6, (1, 0))


def test_attachment_without_zone_moves_with_host(table: Table) -> None:
    ann, bob, hammer, nail = table.the("ann"), table.the("bob"), table.the("hammer"), table.the("nail")
    table.hand(nail, hammer)
    assert table.blow() == (0, 0)
    table.hand(hammer, ann)
    assert (table.value("HP", ann), table.blow()) == (6, (1, 0))
    table.hand(hammer, bob)
    assert (table.value("HP", ann), table.blow()) == (5, (1, 1))
    table.hand(hammer, -1)
    assert table.blow() == (1, 1)
