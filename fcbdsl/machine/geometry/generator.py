"""The one source of chance: SplitMix64, in named streams.

A state is an int below 2**64. States live in a plain list, one per stream, so that the world can own, save
and compare them; the functions below change that list in place. Everything is masked to 64 bits: the same
seed gives the same numbers on every platform, interpreted or compiled.

Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014), with
the constants of `java.util.SplittableRandom`. Names are hashed with 64-bit FNV-1a.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from struct import unpack
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

COMPILED: Final = not __file__.endswith((".py", ".pyc"))

MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
GAMMA: Final = 0x9E37_79B9_7F4A_7C15
FNV_BASIS: Final = 0xCBF2_9CE4_8422_2325
FNV_PRIME: Final = 0x0000_0100_0000_01B3


FIRST_FACTOR: Final = 0xBF58_476D_1CE4_E5B9
SECOND_FACTOR: Final = 0x94D0_49BB_1331_11EB
LANE: Final = 128
"""Bits per number in one large integer that contains several; the product of two of them fits."""
FEW: Final = 4
"""Up to this many numbers, drawing one by one is faster than in parallel."""


def mix_bits(state: int) -> int:
    """Return the number a state shows: SplitMix64's finalizer (Stafford's variant 13)."""
    z = ((state ^ (state >> 30)) * FIRST_FACTOR) & MASK
    z = ((z ^ (z >> 27)) * SECOND_FACTOR) & MASK
    return z ^ (z >> 31)


@functools.lru_cache(128)
def _lanes(count: int) -> tuple[int, int, int]:
    """Return a 1 in each of `count` lanes; the increments of the state for each lane; and the mask of the lanes."""
    steps = [(number * GAMMA & MASK).to_bytes(LANE // 8, "little") for number in range(1, count + 1)]
    ones = ((1 << LANE * count) - 1) // ((1 << LANE) - 1)
    return ones, int.from_bytes(b"".join(steps), "little"), ones * MASK


def _following(state: int, count: int) -> tuple[int, ...]:
    """Return the next numbers of a stream, like `mix_bits`, but computed in parallel in one large integer."""
    ones, steps, lanes = _lanes(count)
    z = (state * ones + steps) & lanes
    z = (((z ^ (z >> 30)) & lanes) * FIRST_FACTOR) & lanes
    z = (((z ^ (z >> 27)) & lanes) * SECOND_FACTOR) & lanes
    z = (z ^ (z >> 31)) & lanes
    words: tuple[int, ...] = unpack(f"<{2 * count}Q", z.to_bytes(LANE // 8 * count, "little"))
    return words[::2]


@functools.lru_cache(64)
def fnv1a(name: str) -> int:
    """Return the 64-bit FNV-1a hash of a name in UTF-8."""
    value = FNV_BASIS
    for byte in name.encode("utf-8"):
        value = ((value ^ byte) * FNV_PRIME) & MASK
    return value


def stream_state(seed: int, name: str) -> int:
    """Return the first state of the stream `name` of a game: ``mix(mix(seed) ^ fnv1a(name))``.

    Only the lowest 64 bits of the seed count.
    """
    return mix_bits(mix_bits(seed & MASK) ^ fnv1a(name))


def stream_states(seed: int, names: Sequence[str]) -> list[int]:
    """Return the start states of several streams of a game."""
    mixed = mix_bits(seed & MASK)
    return [mix_bits(mixed ^ fnv1a(name)) for name in names]


def next64(states: list[int], stream: int) -> int:
    """Advance a stream and return its next number, 0 to 2**64 - 1."""
    state = (states[stream] + GAMMA) & MASK
    states[stream] = state
    return mix_bits(state)


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
    count = len(items) - 1
    if count > FEW:
        numbers = _following(states[stream], count)
        if max(numbers) <= MASK - len(items):  # each of them is in the range that `draw` accepts
            states[stream] = (states[stream] + count * GAMMA) & MASK
            for number in numbers:
                other = number % (count + 1)
                items[count], items[other] = items[other], items[count]
                count -= 1
            return
    for last in range(count, 0, -1):
        other = draw(states, stream, last + 1)
        items[last], items[other] = items[other], items[last]


# ── drawing with machine integers, in the compiled build, where they wrap ───────────────────────

BELOW_MOST: Final = 1 << 32
"""Largest bound for which numbers are drawn with machine integers."""
WRAP: Final = 1 << 64
WRAPPED_GAMMA: Final = 0x9E37_79B9_7F4A_7C15 - (1 << 64)
WRAPPED_FIRST: Final = 0xBF58_476D_1CE4_E5B9 - (1 << 64)
WRAPPED_SECOND: Final = 0x94D0_49BB_1331_11EB - (1 << 64)
"""The constants above, as signed machine integers."""


def _wrapped(state: int) -> int:
    """Return a number below 2**64 as a signed machine integer: from 2**63 on, less 2**64."""
    return state - WRAP if state >> 63 else state


def _wrapped_mix(z: i64) -> i64:
    """Return the result of `mix_bits` for a signed integer; the copies of the sign from a shift are masked out."""
    z = (z ^ ((z >> 30) & 0x3_FFFF_FFFF)) * WRAPPED_FIRST
    z = (z ^ ((z >> 27) & 0x1F_FFFF_FFFF)) * WRAPPED_SECOND
    return z ^ ((z >> 31) & 0x1_FFFF_FFFF)


class Generator:
    """A single stream of random numbers outside a world (for bots)."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, name: str) -> None:
        self._state: i64 = _wrapped(stream_state(seed, name))

    @property
    def state(self) -> int:
        """Return the state of the stream."""
        return int(self._state) & MASK

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, each equally likely."""
        if COMPILED and 0 < bound <= BELOW_MOST:
            return self._wrapped_below(bound)
        states = [self.state]
        number = draw(states, 0, bound)
        self._state = _wrapped(states[0])
        return number

    def _wrapped_below(self, bound: i64) -> i64:
        """Return a number below `bound`, with machine integers.

        Like `draw`, it rejects the last, incomplete run of `bound` numbers below 2**64. As signed integers, these are
        the highest negative ones.
        """
        left = (0x7FFF_FFFF_FFFF_FFFF % bound * 2 + 2) % bound  # 2**64 % bound
        while True:
            self._state += WRAPPED_GAMMA
            number = _wrapped_mix(self._state)
            if number >= 0:
                return number % bound
            if number < -left:
                return (number % bound + left) % bound

    def skip(self, count: int) -> None:
        """Advance a stream by `count` numbers."""
        self._state = _wrapped((self.state + count * GAMMA) & MASK)

    def shuffle(self, items: list[int]) -> None:
        """Shuffle `items` in place."""
        states = [self.state]
        shuffle(states, 0, items)
        self._state = _wrapped(states[0])
