"""Objects with slots have no dict: plain Python then finds their methods faster."""

from __future__ import annotations

import pytest

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops import OPS
from tests.vm.test_superinstructions import PAIRS, book
from tests.vm.test_worlds import rich_book


def roomy(*things: object) -> list[str]:
    """Return the classes of objects that have a dict beside their slots."""
    return sorted({type(thing).__name__ for thing in things if hasattr(thing, "__dict__")})


def run_of(image: Image) -> list[Op]:
    """Return all ops of an image, as they run."""
    return [op for number in range(len(image.codes)) for op in image.code(number)]


@pytest.mark.parametrize("name", OPS)
def test_op_names_its_attributes_in_slots(name: str) -> None:
    """Its operands, and what it finds out when it is linked, are named in `__slots__`."""
    assert roomy(OPS[name]()) == []


def test_linked_ops_name_their_attributes_in_slots() -> None:
    made = book()
    for name, text in PAIRS.items():
        made.code(name, text, 4)
    assert roomy(*run_of(made.image())) == []


def test_games_and_images_name_their_attributes_in_slots() -> None:
    game = setup.start_game(rich_book().image(), "field", 2, 3)
    image = game.image
    assert roomy(game, game.world, game.ground(), game.shape(), image, image.layout, *image.codes, *run_of(image)) == []
    assert roomy(*image.fields, *image.actions, *image.listeners, *image.modifiers, *image.tiers, *image.tracks) == []
