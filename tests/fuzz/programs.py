"""Mutated programs: each is refused, or plays without an internal error in everything that shows it."""

from __future__ import annotations

import json
import random
import typing
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import disasm, fcbc, serialization, setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import FORMAT, Program, content_hash, program_from_content
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session import log_text
from fcbdsl.play.session.playout import Record, close_record
from fcbdsl.play.session.story import retold
from fcbdsl.play.session.view import View
from fcbdsl.play.testing import content_tests
from fcbdsl.project.project import check_project
from tests.fuzz import limits

DECISIONS = 16
FEW = 4
"""Decisions of most games: three of four end after them."""
SHOWN = 0.25
"""Share of the questions that are shown in every form. The first and the last table always are."""
WHOLE = 0.004
"""Share of the inputs that are loaded from the bytes of a file, as commands load one."""
SYSTEMS = Path(__file__).parent.parent / "systems"
GAMES = ("pond", "lanterns", "foxhunt", "knucklebones", "parley", "souk", "fair")


def base(game: str, tests: bool = True) -> bytes:
    """Return the file of a small game."""
    model, problems = check_project([SYSTEMS / game])
    assert not [problem for problem in problems if problem.severity == "error"], problems[0]
    return fcbc.dump(lower(model, tests=tests))


def mutated(content: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return a program's content with one to four changes. Unchanged parts are shared."""
    out = content
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        out = _changed(out, chance)
    return out


def _changed(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value:
        name = chance.choice(sorted(value))
        return {**value, name: _changed(value[name], chance)}
    if isinstance(value, list) and value:
        at = chance.randrange(len(value))
        match chance.randrange(12):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value[:at], value[at], *value[at:]]
            case 2:
                other = chance.randrange(len(value))
                swapped = list(value)
                swapped[at], swapped[other] = swapped[other], swapped[at]
                return swapped
        return [*value[:at], _changed(value[at], chance), *value[at + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        near = (value + 1, value - 1, -value, value ^ 1, -1, 0, 1, 2, 255, 1 << 20, serialization.BOUND - 1)
        return chance.choice((*near, chance.randrange(-2, 200), chance.randrange(-2, 20)))
    if isinstance(value, str):
        return chance.choice(
            ("", value + "x", value[:-1], "thing", "space", "player", "stat", "\x1b[31m", "::error::x")
        )
    return chance.choice((0, -1, 1, None, [], {}))


def bytes_of(content: dict[str, Any]) -> bytes:
    """Return the file of a mutated content, with a right hash."""
    with suppress(serialization.Mismatch):
        return fcbc.dump(program_from_content(content))
    whole = {"format": FORMAT, "hash": "", "program": content}
    return json.dumps(whole, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def content_of(data: bytes) -> dict[str, Any]:
    """Return the content of a file."""
    content: dict[str, Any] = json.loads(data)["program"]
    return content


FIELDS = typing.get_type_hints(Program)


class Base(NamedTuple):
    """A sound program: its content, and its fields and rows as records, by the identity of their content."""

    name: str
    content: dict[str, Any]
    records: dict[tuple[str, int], Any]


def base_of(name: str, data: bytes) -> Base:
    """Return a file as a base of wrong programs."""
    content, program = content_of(data), fcbc.load_fcbc(data)
    assert isinstance(program, Program)
    records = {}
    for field, value in content.items():
        records[field, id(value)] = getattr(program, field)
        if isinstance(value, list) and typing.get_args(FIELDS[field])[1:] == (...,):
            records |= {(field, id(row)): made for row, made in zip(value, getattr(program, field), strict=True)}
    return Base(name, content, records)


def decoded(base: Base, content: dict[str, Any]) -> Program:
    """Return a mutated content as a program; read only what differs from its base.

    Raises Mismatch as `program_from_content`.
    """
    values = {}
    for name, value in content.items():
        record = base.records.get((name, id(value)))
        if record is None and isinstance(value, list) and typing.get_args(FIELDS[name])[1:] == (...,):
            row = typing.get_args(FIELDS[name])[0]
            rows = [(base.records.get((name, id(item))), item) for item in value]
            record = tuple(
                [serialization.decode_value(row, item, name) if made is None else made for made, item in rows]
            )
        values[name] = serialization.decode_value(FIELDS[name], value, name) if record is None else record
    return Program(**values, hash="0" * 32)


def run_content(base: Base, content: dict[str, Any], seed: int) -> str:
    """Verify a content, and play it if it is sound: without the detour through bytes, except for a few."""
    if random.Random(seed).random() < WHOLE:
        return run_bytes(bytes_of(content), seed)
    try:
        program = decoded(base, content)
    except serialization.Mismatch:
        return "refused"
    if verify_program(program):
        return "refused"
    return run_program(program, seed)


def run_bytes(data: bytes, seed: int = 0) -> str:
    """Load a file as every command does, and play it if it is sound."""
    program = fcbc.load_fcbc(data)
    if isinstance(program, fcbc.Refused):
        return "refused"
    assert content_hash(program.content()) == program.hash
    return run_program(program, seed)


def run_program(program: Program, seed: int) -> str:
    """Use a sound program for all that commands use one for."""
    chance = random.Random(seed)
    image = Image(program)
    if chance.random() < WHOLE:
        disasm.disassemble(program)
    if program.tests:
        content_tests.run_test(image, chance.randrange(len(program.tests)))
    missions = [row.id for row in program.definitions if program.kinds[row.kind].policy in ("mission", "campaign")]
    return _play(image, chance.choice(missions or [""]), chance)


def _play(image: Image, mission: str, chance: random.Random) -> str:
    """Play a game with a random answer to every question; show each, as people and bots see it."""
    fewest, most = image.program.players
    players = chance.randint(max(fewest, 0), max(most, fewest, 0))
    seed = chance.randrange(1 << 20)
    try:
        game = setup.start_game(image, mission, players, seed, {})
    except setup.CannotStart:
        return "refused at start"
    views = [View(image, "en"), View(image, "fr", (0,))]
    record = Record(image.program.hash, mission, players, seed)
    bot = make_bot(chance.choice(("random", "sensible")), seed)
    most = chance.choice((DECISIONS, FEW, FEW, FEW))
    ask = game.run()
    while ask is not None and len(record.decisions) < most:
        if not record.decisions or chance.random() < SHOWN:
            view = chance.choice(views)
            view.table(game)
            view.set_up(game)
            view.question(game, ask)
            view.asked(game, ask, log_text.occasion(view, game, ask))
            view.options(game, ask)
            game.clone().digest()
        choice = bot.choose(game, ask) if chance.random() < 0.05 else chance.randrange(len(ask.options))
        record.decisions.append(choice)
        game.answer(choice)
        ask = game.run()
    for view in views:
        view.table(game)
        view.outcome(game)
        view.kept(game)
        log_text.happenings(view, game)
    close_record(game, record)
    if chance.random() < 0.2:
        retold(image, record, views[0])
    return "played"


class Programs:
    """Programs of small games, with and without their tests, to make wrong ones from. Small ones come more often."""

    def __init__(self, games: tuple[str, ...] = GAMES) -> None:
        files = [(game, tests, base(game, tests)) for game in games for tests in (False, True)]
        self._bases = [base_of(game if tests else f"{game} without tests", data) for game, tests, data in files]
        self._weights = [1 / len(data) for _, _, data in files]

    def following(self, chance: random.Random, group: random.Random) -> limits.Input:
        """Return the next input. It does not depend on its group."""
        (base,) = chance.choices(self._bases, self._weights)
        other, seed = mutated(base.content, chance), chance.randrange(1 << 30)
        return limits.Input(
            f"{base.name}, seed {seed}", lambda: run_content(base, other, seed), lambda: bytes_of(other)
        )

    def warm_up(self) -> None:
        """Play each game once: processes that run inputs need not load modules and link ops again."""
        for base in self._bases:
            run_content(base, base.content, 0)

    def close(self) -> None:
        """Do nothing: there are no files."""
