"""``fcb replay``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common

if TYPE_CHECKING:
    from collections.abc import Callable

    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.serialization import Json
    from fcbdsl.play.session.playout import Record
    from fcbdsl.play.session.story import Story


@click.command("replay", epilog="Example: fcb replay game.log.json --show --from 12 --to 20")
@click.argument("log", type=common.READABLE)
@common.program_option
@click.option("--show", is_flag=True, help="Show the game step by step; a step is one decision.")
@click.option("--from", "first", type=click.IntRange(0), default=0, help="Show it from this step.")
@click.option("--to", "last", type=click.IntRange(0), default=1 << 30, help="Show it up to this step.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a web page with the board.")
@click.option("--why", metavar="STEP.N", help="Show the causes of line STEP.N, with their source lines.")
@click.option(
    "--for", "seats", metavar="SEATS", callback=common.read_seats, help="Show only what these players may see."
)
@common.language_option("Language of the story.")
def command(
    log: Path,
    program_file: Path | None,
    show: bool,
    first: int,
    last: int,
    html: Path | None,
    why: str | None,
    seats: tuple[int, ...] | None,
    language: str | None,
) -> None:
    """Replay a game log, or show it. fcb confirms that the game ends in the same state; `--show`, `--html` and
    `--why` show what happened.

    Each line that `--show` prints has a number such as 12.3: line 3 of step 12. Use it for `--why`.
    """
    from fcbdsl.machine.vm.image import Image

    if why and seats:
        raise click.UsageError("Causes can be secret, so --why shows them to everybody; leave out --for.")
    record = common.record_of_log(log)
    program, made_of = common.game_of(program_file, "mission", record.mission)
    image = Image(program)
    common.replay_log(image, log, record)
    if not (show or html or why):
        decisions = common.count(len(record.decisions), "decision")
        click.echo(f"{log}: {decisions}, {record.outcome}, state {record.digest}: confirmed")
        return
    from fcbdsl.cli import stories

    spoken = common.checked_language(language, common.program_languages(image.program))
    drawn = drawn_boards(image, record, spoken, seats) if html is not None and made_of is not None else None
    story = replay_story(image, record, spoken, seats, drawn.note if drawn is not None else None)
    if why:
        click.echo(stories.why(story, why), nl=False)
    if show:
        click.echo(stories.story_text(story, first, last), nl=False)
    if html is not None:
        looks = drawn.looks(made_of.model) if drawn is not None and made_of is not None else None
        write_atomically(html, stories.render_story(story, spoken, first, last, looks).encode())
        click.echo(f"{html}: the story of {record.mission}")


def replay_story(
    image: Image,
    record: Record,
    language: str,
    seats: tuple[int, ...] | None = None,
    shown: Callable[[int, Game], None] | None = None,
) -> Story:
    """Play a record again and return its story, as `seats` may know it (None: as everybody does).

    `shown`: see `retold`.
    """
    from fcbdsl.play.session.story import retold
    from fcbdsl.play.session.view import View

    if seats and seats[-1] >= record.players:
        raise click.UsageError(f"There is no player {seats[-1] + 1} among {record.players}.")
    return retold(image, record, View(image, language, seats), shown or (lambda step, game: None))


def drawn_boards(image: Image, record: Record, language: str, seats: tuple[int, ...] | None) -> DrawnBoards:
    """Return a collector of the boards of a game, in the form that its page draws."""
    return DrawnBoards(image, record.mission, language, seats)


class DrawnBoards:
    """The board after each step, as data for the script of the page."""

    def __init__(self, image: Image, mission: str, language: str, seats: tuple[int, ...] | None) -> None:
        from fcbdsl.play.table.scene import SceneMaker

        self._maker = SceneMaker(image, language, seats)
        self._mission = mission
        self._language = language
        self._scenes: dict[str, Json] = {}
        self._last: Json = None

    def note(self, step: int, game: Game) -> None:
        """Record the board after a step if it differs from the one before."""
        from fcbdsl.machine.vm.serialization import encode

        scene = encode(self._maker.look(game, None))
        assert isinstance(scene, dict)
        shown: Json = {name: scene[name] for name in ("spaces", "sides", "pieces") if name in scene}
        if shown != self._last:
            self._scenes[str(step)] = self._last = shown

    def looks(self, model: Model) -> dict[str, object] | None:
        """Return the data with which the page draws the boards; None for a mission without a board."""
        import json

        from fcbdsl.base import resources
        from fcbdsl.print.export.dressing import dressing_of
        from fcbdsl.print.pieces.printables import is_sheet

        mission = next(
            definition
            for definition in model.definitions.values()
            if definition.id == self._mission and is_sheet(definition)
        )
        dressing = json.loads(dressing_of(mission, model, self._language).to_json())
        if "board" not in dressing:
            return None
        used = {piece["look"] for scene in self._scenes.values() for piece in scene.get("pieces", ())}  # type: ignore
        faceless = {name: {**look, "face": ""} for name, look in dressing["looks"].items() if name in used}
        web = resources.package_folder() / "editor" / "table" / "web"
        return {
            "data": {key: dressing[key] for key in ("board", "tokens", "barriers")} | {"looks": faceless},
            "scenes": self._scenes,
            "sprite": dressing["sprite"],
            "fonts": dressing["fonts"],
            "style": (web / "board.css").read_text(encoding="utf-8"),
            "script": (web / "board.js").read_text(encoding="utf-8").replace("\nexport ", "\n"),
        }
