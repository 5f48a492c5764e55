"""What `check` accepts, the verifier accepts: small systems put together at random."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fcbdsl.compiler import looking_problems, lower
from fcbdsl.vm.verify import verify
from tests.compiler.sources import model_of

HEAD = """
system own "Own":
  languages: en
  board: square
  players: 1..2
mark here, entry
die coin "coin":
  faces: 1..2
die bones "bones":
  faces: hit 2, miss 1
enum mood: calm, wild
status Wet "wet":
  on: pawn
  limit: 2
token fly "fly":
  limit: 3
kind pawn is piece:
  name: "pawn", plural "pawns"
  stat HP: number 0.., starts 3
  field rank: number, default 1
  zone hand of trick: limit 3
kind trick is card:
  name: "trick", plural "tricks"
  held by: pawn
  copies: 2
  field worth: formula, optional
  field fits: condition, optional
  field effect: effect, optional
event leap:
  takes: who (pawn)
  form: who jumps
verb tire:
  takes: who (pawn), amount (number, default 1)
  event: who tires by amount
  effect: who's HP - amount
measure luck:
  gives: number
  effect:
    roll x: coin
    answer x
measure strength:
  gives: number
  value: number of (pawn where HP > 1)
measure nearby:
  takes: of who (pawn)
  gives: many pawn
  value: pawn adjacent to who
relation lucky:
  takes: who (pawn)
  effect:
    if luck > 1: answer yes
    answer no
relation weak:
  takes: who (pawn)
  is: who's HP < 2
relation hurting:
  takes: who (pawn)
  effect:
    tire who
    answer yes
""".replace("effect: who's HP - amount", "effect: who's HP becomes who's HP - amount")

NUMBERS = (
    "0",
    "1",
    "strength",
    "luck",
    "number of pawn",
    "game's total",
    "(strength + 1) * 2",
    "lowest of 1, strength",
)
CONDITIONS = (
    "strength > 1", "luck > 1", "any pawn where it is weak", "every pawn is lucky", "no pawn with Wet",
    "any pawn where it is hurting", "total = 0 or strength > 2", "not (any pawn where HP > 2)",
)  # fmt: skip
TYPES = (
    "number", "flag", "mood", "pawn", "trick definition", "die", "space", "many pawn", "many number", "text", "player",
    "many trick definition", "condition", "formula", "effect", "many condition", "zone", "direction", "face",
)  # fmt: skip
EFFECTS = (
    "total +1", "for each pawn: tire pawn", "for each pawn, at once: tire pawn 2", "let x = luck", "let x = strength",
    "choose one: \n      \"A\": total +1\n      \"B\": total +2", "choose target: pawn where it is weak",
    "require luck > 1", "mark Wet on (number of pawn)", "for each pawn: mark Wet on pawn",
    "until leap:\n      pawn has +1 HP", "until leap:\n      pawn has + luck HP", "roll bones:\n      hit: total +1",
    "offer pawn", "if luck > 1: stop", "win", "add 3 to none", "repeat 2 times: total +1", "announce leap self",
)  # fmt: skip


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A system whose declarations are each possible by themselves, or nearly."""
    number, condition = st.sampled_from(NUMBERS), st.sampled_from(CONDITIONS)
    blocks: list[str] = []
    stats = draw(st.lists(st.sampled_from(TYPES), max_size=3))
    blocks.append("kind game:\n  stat total: number 0..")
    blocks[-1] += "".join(f"\n  stat s{at}: {type_}" for at, type_ in enumerate(stats))
    fields = draw(st.lists(st.sampled_from(TYPES), max_size=3))
    lines = "".join(f"\n  field f{at}: {type_}, optional" for at, type_ in enumerate(fields))
    blocks.append(f"kind prank is trick:\n  copies: 1{lines}")
    effect = "\n    ".join(draw(st.lists(st.sampled_from(EFFECTS), min_size=1, max_size=3)))
    blocks.append(f'action hop "Hop":\n  by: pawn\n  form: hops\n  needs: {draw(condition)}\n  effect:\n    {effect}')
    blocks.append(f"zone heap of trick: limit {draw(number)}")
    blocks.append(f'rule r "R":\n  when pawn jumps, if {draw(condition)}: total +1\n  while {draw(condition)}:')
    blocks[-1] += f"\n    pawn has + {draw(number)} HP"
    blocks.append(f'invariant calm "Calm.": {draw(condition)}')
    blocks.append(f'trick fool "Fool":\n  worth: {draw(number)}\n  fits: {draw(condition)}\n  effect: total +1')
    blocks.append('pawn ann "Ann"\nflow:\n  offer pawn, until done')
    art = "\n    art: |\n      +--+\n      |. |\n      +--+"
    blocks.append(f'test "t":\n  map square:{art}\n  given ann at A1\n  expect {draw(condition)}')
    kept = draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks)))
    return HEAD + "\n".join(block for at, block in enumerate(blocks) if kept[at] or at == 0) + "\n"


ACCEPTED: list[bool] = []


@settings(max_examples=150, deadline=None, derandomize=True)
@given(sources())
def test_what_is_accepted_may_run(text: str) -> None:
    model, errors = model_of("own.fcb", text.encode())
    if errors or looking_problems(model):
        ACCEPTED.append(False)
        return
    ACCEPTED.append(True)
    assert verify(lower(model, tests=True)) == []


def test_enough_was_accepted() -> None:
    """The test above says something only if many of its systems are sound."""
    if not ACCEPTED:
        test_what_is_accepted_may_run()
    assert sum(ACCEPTED) > len(ACCEPTED) // 10
