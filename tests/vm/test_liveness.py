"""Dead registers are not written, unless other code could read them."""

from __future__ import annotations

from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.linker import link_fused, link_unfused, only_looks
from fcbdsl.machine.vm.liveness import read_later
from tests.vm.assembly import Book
from tests.vm.test_state import table

SEEN = "STAT r2 HP r3; JT r2 @yes; RETV r1; yes:; RETV r2"
UNSEEN = "STAT r2 HP r3; JT r2 @yes; RETV r1; yes:; RETV r3"


def writes_register(made: Book, number: int) -> bool:
    """Return whether the first op of a code, which reads and tests a value, writes it to its register."""
    is_live: bool = link_fused(made.image(), number)[0].is_read_later  # type: ignore[attr-defined]
    return is_live


def test_value_read_on_one_branch_is_live() -> None:
    made = table()
    seen, unseen = made.code("seen", SEEN, 4), made.code("unseen", UNSEEN, 4)
    assert writes_register(made, seen)
    assert not writes_register(made, unseen)


def test_value_read_in_next_iteration_is_live() -> None:
    made = table()
    loop = "ADD r1 r1 r4; STAT r4 HP r2; JT r4 @top; JMP @top"
    number = made.code("around", f"SELECT s0 hero; top:; ITER s0 r0 r2 @end; {loop}; end:; RETV r1", 5)
    image: Image = made.image()
    later = read_later(image, link_unfused(image, number), True)
    assert later[3] >> 4 & 1


def test_code_that_calls_asking_code_has_effects() -> None:
    made = table()
    asking = made.code("asking", "SELECT s0 hero; ASK r2 s0 r3 0 thing -1; RET", 4)
    looking = made.code("looking", UNSEEN, 4)
    calls = made.code("calls", f"CALL asking (r0 r1 r2 r3); {UNSEEN}", 4)
    looks = made.code("looks", f"CALL looking (r0 r1 r2 r3); {UNSEEN}", 4)
    image = made.image()
    assert [only_looks(image, number) for number in (asking, looking, calls, looks)] == [False, True, False, True]
    assert not any(later != -1 for later in read_later(image, link_unfused(image, calls), False))


def test_recursive_codes_count_as_having_effects() -> None:
    made = table()
    number = made.code("before", "RET", 2) + 1
    assert made.code("circle", f"CALL {number} (r0 r1); RET", 2) == number
    image = made.image()
    assert not only_looks(image, number)
