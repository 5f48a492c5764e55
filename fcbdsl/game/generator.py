"""The one source of chance: SplitMix64, in named streams.

A state is an int below 2**64. States live in a plain list, one per stream, so that the world can own, save
and compare them; the functions below change that list in place. Everything is masked to 64 bits: the same
seed gives the same numbers on every platform, interpreted or compiled.

Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014), with
the constants of `java.util.SplittableRandom`. Names are hashed with 64-bit FNV-1a.
"""

from __future__ import annotations

from typing import Final

MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
GAMMA: Final = 0x9E37_79B9_7F4A_7C15
FNV_BASIS: Final = 0xCBF2_9CE4_8422_2325
FNV_PRIME: Final = 0x0000_0100_0000_01B3


def mix(state: int) -> int:
    """The number a state shows: SplitMix64's finaliser (Stafford's variant 13)."""
    z = state & MASK
    z = ((z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return z ^ (z >> 31)


def fnv1a(name: str) -> int:
    """The 64-bit FNV-1a hash of a name in UTF-8."""
    value = FNV_BASIS
    for byte in name.encode("utf-8"):
        value = ((value ^ byte) * FNV_PRIME) & MASK
    return value


def stream_state(seed: int, name: str) -> int:
    """The first state of the stream `name` of a game: ``mix(mix(seed) ^ fnv1a(name))``.

    Only the lowest 64 bits of the seed count.
    """
    return mix(mix(seed) ^ fnv1a(name))


def next64(states: list[int], stream: int) -> int:
    """Advance a stream and return its next number, 0 to 2**64 - 1."""
    state = (states[stream] + GAMMA) & MASK
    states[stream] = state
    return mix(state)


def draw(states: list[int], stream: int, bound: int) -> int:
    """Advance a stream and return a number from 0 to bound - 1, each equally likely.

    Numbers in the last, incomplete run of `bound` numbers below 2**64 are thrown away.
    """
    if bound <= 0:
        raise ValueError(f"a draw needs at least one possibility, not {bound}")
    number = next64(states, stream)
    if number > MASK - bound:  # among the last of all numbers, perhaps in the incomplete run
        limit = MASK - (MASK + 1) % bound
        while number > limit:
            number = next64(states, stream)
    return number % bound


def shuffle(states: list[int], stream: int, items: list[int]) -> None:
    """Put `items` in an order drawn from the stream (Fisher-Yates, from the last place down)."""
    for last in range(len(items) - 1, 0, -1):
        other = draw(states, stream, last + 1)
        items[last], items[other] = items[other], items[last]


class Generator:
    """One stream on its own, for chance outside a world (a bot's)."""

    __slots__ = ("states",)

    def __init__(self, seed: int, name: str) -> None:
        self.states = [stream_state(seed, name)]

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely."""
        return draw(self.states, 0, bound)

    def shuffle(self, items: list[int]) -> None:
        """Put `items` in an order of this stream's choosing."""
        shuffle(self.states, 0, items)
