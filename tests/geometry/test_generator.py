"""The generator gives the published numbers, and fair bounded draws."""

from __future__ import annotations

import pytest

from fcbdsl.machine.geometry import generator
from fcbdsl.machine.geometry.generator import Generator, draw, fnv1a, mix_bits, next64, shuffle, stream_state


def test_generator_gives_published_numbers() -> None:
    """FCB-DICE-08: SplitMix64 from seed 1234567, as listed for the reference C code."""
    states = [1234567]
    assert [next64(states, 0) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize(
    ("name", "value"), [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)]
)
def test_hash_gives_published_values(name: str, value: int) -> None:
    assert fnv1a(name) == value


def test_streams_differ_by_name_and_seed() -> None:
    states = {stream_state(seed, name) for seed in range(20) for name in ("dice", "decks", "dicé")}
    assert len(states) == 60
    assert stream_state(5, "dice") == stream_state(5 + 2**64, "dice")
    assert 0 <= stream_state(-1, "dice") < 2**64


def test_streams_are_independent() -> None:
    states = [1, 2, 3]
    draw(states, 1, 6)
    assert states[0] == 1
    assert states[1] != 2
    assert states[2] == 3


def test_bounded_draw_rejects_incomplete_range() -> None:
    """With 2**63 + 1 possibilities nearly every second number is out of bounds."""
    bound = 2**63 + 1
    states, raw = [42], [42]
    for _ in range(50):
        number = next64(raw, 0)
        while number >= bound:
            number = next64(raw, 0)
        assert draw(states, 0, bound) == number
    assert states == raw


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 1000, 2**31 + 11, 2**32 - 5, 2**32, 2**32 + 1, 2**63 + 1])
def test_single_stream_draws_equally(bound: int) -> None:
    """The compiled build draws with machine integers, up to some bound."""
    for seed in range(40):
        alone, states = Generator(seed, "bot"), [stream_state(seed, "bot")]
        assert [alone.below(bound) for _ in range(20)] == [draw(states, 0, bound) for _ in range(20)]
        alone.skip(7)
        states[0] = (states[0] + 7 * generator.GAMMA) & generator.MASK
        assert alone.state == states[0]


def before(number: int) -> int:
    """Return the state of a stream that shows this number next."""
    for shift, factor in ((31, generator.SECOND_FACTOR), (27, generator.FIRST_FACTOR), (30, 1)):
        shown = number
        for _ in range(64 // shift + 1):
            number = shown ^ (number >> shift)
        number = number * pow(factor, -1, 2**64) & generator.MASK
    return (number - generator.GAMMA) & generator.MASK


def test_single_stream_rejects_equally() -> None:
    for bound in (3, 5, 7, 2**31 + 11, 2**32 - 5, 2**32):
        left = 2**64 % bound
        for number in (0, 2**63 - 1, 2**63, 2**64 - left - 1, (2**64 - left) % 2**64, 2**64 - 2, 2**64 - 1):
            states = [before(number)]
            assert mix_bits((states[0] + generator.GAMMA) & generator.MASK) == number
            alone = Generator(0, "bot")
            alone.skip((states[0] - alone.state) * pow(generator.GAMMA, -1, 2**64) % 2**64)
            assert alone.state == states[0]
            assert (alone.below(bound), alone.state) == (draw(states, 0, bound), states[0])


def drawn(states: list[int], items: list[int]) -> None:
    """Return items in the defined order of a shuffle: a draw for each place, from the last down."""
    for last in range(len(items) - 1, 0, -1):
        other = draw(states, 0, last + 1)
        items[last], items[other] = items[other], items[last]


def showing(number: int) -> int:
    """Return the state that shows a number."""

    def unshifted(shifted: int, by: int) -> int:
        z = shifted
        for _ in range(64 // by):
            z = shifted ^ (z >> by)
        return z

    z = unshifted(number, 31) * pow(0x94D0_49BB_1331_11EB, -1, 2**64) % 2**64
    return unshifted(unshifted(z, 27) * pow(0xBF58_476D_1CE4_E5B9, -1, 2**64) % 2**64, 30)


@pytest.mark.parametrize("seed", range(3))
def test_shuffle_draws_position_by_position(seed: int) -> None:
    for count in range(60):
        one, other = [stream_state(seed, "cards")], [stream_state(seed, "cards")]
        items, same = list(range(count)), list(range(count))
        shuffle(one, 0, items)
        drawn(other, same)
        assert (items, one) == (same, other)


@pytest.mark.parametrize("place", range(9))
def test_shuffle_rejects_like_draws(place: int) -> None:
    """The greatest number of all is in the last, incomplete run of all numbers of possibilities but powers of two."""
    before = (showing(2**64 - 1) - (place + 1) * 0x9E37_79B9_7F4A_7C15) % 2**64
    one, other = [before], [before]
    items, same = list(range(10)), list(range(10))
    shuffle(one, 0, items)
    drawn(other, same)
    assert (items, one) == (same, other)
    thrown_away = place not in (10 - 2, 10 - 4, 10 - 8)
    assert one == [(before + (9 + thrown_away) * 0x9E37_79B9_7F4A_7C15) % 2**64]


@pytest.mark.parametrize("bound", [0, -1])
def test_draw_needs_possibility(bound: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        draw([1], 0, bound)


def test_draws_are_uniform() -> None:
    states = [stream_state(7, "dice")]
    counts = [0] * 6
    for _ in range(6000):
        counts[draw(states, 0, 6)] += 1
    assert all(850 < count < 1150 for count in counts)


def test_shuffles_are_uniform_and_keep_items() -> None:
    states = [stream_state(3, "decks")]
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(2400):
        items = [1, 2, 3, 4]
        shuffle(states, 0, items)
        assert sorted(items) == [1, 2, 3, 4]
        counts[tuple(items)] = counts.get(tuple(items), 0) + 1
    assert len(counts) == 24
    assert all(60 < count < 145 for count in counts.values())


def test_generators_are_independent_streams() -> None:
    one, same, other = Generator(1, "bot"), Generator(1, "bot"), Generator(1, "cat")
    numbers = [one.below(1000) for _ in range(10)]
    assert numbers == [same.below(1000) for _ in range(10)]
    assert numbers != [other.below(1000) for _ in range(10)]
    items = list(range(9))
    one.shuffle(items)
    assert sorted(items) == list(range(9))
