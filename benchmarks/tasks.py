"""The tasks: each prints its number of seconds, or its rate. Run ``python -m benchmarks.tasks NAME``; tasks that play
take the file of a program as second argument.

Each measurement has a separate process, so that no cached data of an earlier one helps. Imports, the tool's own files
(grammar, prelude, systems) and the peer's schema are read before the clock starts. Seconds are those of the processor
(all threads), which other processes hardly affect. The cache of checked files is off, except in the task that measures
it.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.pack import SCHEMA, cards, write_cards, yaml_cards

CARDS = 5_000
GAME = "far-cry-beyond"
"""The measured game."""
GAMES = 40
ROOT = Path(__file__).resolve().parent.parent
PAGE = re.compile(rb"/Type\s*/Page(?!s)")


def check() -> float:
    """Read and check the pack."""
    from fcbdsl.project.project import check_project

    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder) / "warm.fcb"
        warm.write_text(cards(1), encoding="utf-8")
        files = write_cards(Path(folder), CARDS)
        check_project([warm])
        begin = time.process_time()
        _, problems = check_project(files)
        seconds = time.process_time() - begin
    assert problems == [], problems[:3]
    return seconds


def shipped_lines() -> float:
    """Return the lines of shipped content that are read and checked per second, tests included."""
    return line_rate(compiled=False)


def shipped_lines_compiled() -> float:
    """Return the lines of shipped content that are read, checked and compiled per second, to the bytes of the file."""
    return line_rate(compiled=True)


def line_rate(compiled: bool) -> float:
    """Return the lines of all shipped games that are checked, or checked and compiled, per second.

    The tool's own language (`core`) is read, too, and not counted. A generated game is checked and compiled before.
    """
    from benchmarks.scale import FEW, program
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.base.pausing import gc_disabled_until_exit
    from fcbdsl.language.compiler import program_without_hash
    from fcbdsl.machine.vm import fcbc
    from fcbdsl.project.paths import CORE
    from fcbdsl.project.project import check_loaded, load_project
    from fcbdsl.project.settings import read_projects

    fcbc.dump(program(**FEW))
    lines, seconds = 0, 0.0
    for project in read_projects(ROOT, Problems()):
        begin = time.process_time()
        with gc_disabled_until_exit():  # as the command does
            loader = load_project(root=ROOT, game=project.game)
            model, problems = check_loaded(loader)
            if compiled:
                fcbc.dump(program_without_hash(model))
            seconds += time.process_time() - begin
        assert problems == [], problems[:3]
        lines += sum(source.text.count("\n") for source in loader.sources if Path(source.name).stem != CORE)
    return lines / seconds


def recheck() -> float:
    """Check the unchanged pack again, in a process with a filled cache."""
    from fcbdsl.project.project import check_project

    with tempfile.TemporaryDirectory() as folder:
        os.environ["FCB_CACHE"] = folder
        files = write_cards(Path(folder), CARDS)
        check_project(files)
        begin = time.process_time()
        _, problems = check_project(files)
        seconds = time.process_time() - begin
    assert problems == []
    return seconds


def compile_pack() -> float:
    """Read, check and compile the pack, to the bytes of the file, as the command does."""
    from fcbdsl.language.compiler import program_without_hash
    from fcbdsl.machine.vm import fcbc
    from fcbdsl.project.project import check_project

    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder) / "warm.fcb"
        warm.write_text(cards(1), encoding="utf-8")
        files = write_cards(Path(folder), CARDS)
        fcbc.dump(program_without_hash(check_project([warm])[0]))
        begin = time.process_time()
        model, problems = check_project(files)
        data = fcbc.dump(program_without_hash(model))
        seconds = time.process_time() - begin
    assert problems == []
    assert data
    return seconds


def peer() -> float:
    """Load the same pack as YAML with the C loader and validate it against its JSON Schema."""
    import jsonschema
    import yaml

    text = yaml_cards(CARDS)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.validate(yaml.load(yaml_cards(1), Loader=yaml.CSafeLoader))
    begin = time.process_time()
    validator.validate(yaml.load(text, Loader=yaml.CSafeLoader))
    return time.process_time() - begin


def known(program: str) -> Any:
    """Return the program that this run has compiled into a file."""
    from fcbdsl.machine.vm import fcbc

    return fcbc.load_fcbc(Path(program).read_bytes(), sound=True)


def games(file: str) -> tuple[float, int]:
    """Return seconds and decisions of games between random bots, with the fewest players, on the countdown mission."""
    from benchmarks.player import countdown_mission
    from fcbdsl.machine.vm import setup
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.bots.bots import RandomBot
    from fcbdsl.play.session.playout import play_out

    program = known(file)
    image, mission, seats = Image(program), countdown_mission(program), program.players[0]

    def play(seed: int) -> int:
        return play_out(setup.start_game(image, mission, seats, seed, {}), [RandomBot(seed + n) for n in range(seats)])

    play(0)
    begin = time.process_time()
    decisions = sum(play(seed) for seed in range(1, GAMES + 1))
    return time.process_time() - begin, decisions


def decision_rate(file: str) -> float:
    """Return decisions per second."""
    seconds, decisions = games(file)
    return decisions / seconds


def game_rate(file: str) -> float:
    """Return games per second."""
    return GAMES / games(file)[0]


def clone(file: str) -> float:
    """Return the seconds to copy a world some decisions into a game."""
    from benchmarks.player import countdown_mission
    from fcbdsl.machine.vm import setup
    from fcbdsl.machine.vm.image import Image

    program = known(file)
    image = Image(program)
    game = setup.start_game(image, countdown_mission(program), program.players[0], 1, {})
    for _ in range(20):
        ask = game.run()
        assert ask is not None
        game.answer(0)
    game.run()
    rounds = 20_000
    begin = time.process_time()
    for _ in range(rounds):
        game.clone()
    return (time.process_time() - begin) / rounds


def page_rate() -> float:
    """Return the pages per second that are printed as PDF: all cards and boards, without missions, which are one
    document each."""
    from fcbdsl.print.pieces.printables import is_sheet, printable
    from fcbdsl.print.press.press import render
    from fcbdsl.print.typeset import worker_client
    from fcbdsl.project.project import check_project

    model, _ = check_project(game=GAME)
    ids = [f"{definition.kind.id}/{definition.id}" for definition in printable(model) if not is_sheet(definition)]
    with tempfile.TemporaryDirectory() as folder:
        begin = sum(os.times()[:4])
        made = render(model, ids, "en", "a4", "pdf", Path(folder))
        worker_client.end()  # the time of the typesetting process counts when it has ended
        seconds = sum(os.times()[:4]) - begin
        pages = sum(len(PAGE.findall(Path(file).read_bytes())) for file in made.files)
    assert pages
    return pages / seconds


TASKS: dict[str, Callable[..., float]] = {
    "check": check,
    "recheck": recheck,
    "compile": compile_pack,
    "lines": shipped_lines,
    "lines-compiled": shipped_lines_compiled,
    "peer": peer,
    "decisions": decision_rate,
    "games": game_rate,
    "clone": clone,
    "pages": page_rate,
}

if __name__ == "__main__":
    print(TASKS[sys.argv[1]](*sys.argv[2:]))
