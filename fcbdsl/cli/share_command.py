"""``fcb share``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("share", epilog="Example: fcb share MISSION -o mission.html --players 2 --human 1,2")
@click.argument("mission")
@common.shipped_option
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="Write this HTML file, or this folder."
)
@click.option("--folder", is_flag=True, help="Write a folder for a web server instead of one file.")
@common.bot_option("Bot for every seat that no person plays.", default=common.DEFAULT_BOT, name="bot_name")
@common.human_option("Seats played by people. [default: 1]")
@common.player_number_option
@click.option("--seed", type=click.IntRange(0), help="Random seed of every game. [default: random]")
@common.variant_option
@click.option(
    "--pyodide",
    "core",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the files of Pyodide. [default: FCB_PYODIDE, build/pyodide or node_modules]",
)
@common.language_option("First language of the file; its reader can change it.")
def command(
    mission: str,
    output: Path,
    folder: bool,
    bot_name: str,
    humans: tuple[int, ...] | None,
    players: int | None,
    seed: int | None,
    settings: dict[str, str],
    core: Path | None,
    language: str | None,
) -> None:
    """Write a mission as an offline web page.

    The page is one HTML file. It opens by a double click in Chromium, and plays without fcb and without a network. It
    contains Python for browsers (Pyodide), which is not part of fcb: `npm install pyodide` gets it. A file that plays
    alone contains everything: nothing in it is secret.

    `--folder` writes the page and its parts as files. Put them on a web server: browsers load the parts once.
    """
    from fcbdsl.base.files import write_atomically
    from fcbdsl.editor.table import onefile, pyodide
    from fcbdsl.machine.vm import fcbc
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record
    from fcbdsl.play.table.alone import GamePlan
    from fcbdsl.print.export.dressing import dressing_of
    from fcbdsl.print.pieces.printables import is_sheet

    try:
        python = pyodide.find_pyodide(core)
        pyodide.read_pyodide(python)
    except pyodide.NoPyodide as error:
        raise click.UsageError(str(error)) from error
    program, made_of = common.game_of(None, "mission", mission)
    common.known_sides(program, bot_name)
    mission = common.known_mission(program, mission)
    number = players or program.players[0]
    common.start_record(Image(program), Record(program.hash, mission, number, seed or 0, settings))
    persons = humans if humans is not None else (0,)
    if persons and persons[-1] >= number:
        raise click.UsageError(f"There is no player {persons[-1] + 1} among {number}.")
    data, seal = fcbc.file_and_hash(program)
    refused = fcbc.load_fcbc(data)
    if isinstance(refused, fcbc.Refused):
        common.leave_with(f"The program cannot be shared: {refused}.")
    available = common.program_languages(program)
    first = common.checked_language(language, available)
    assert made_of is not None
    definition = next(
        definition
        for definition in made_of.model.definitions.values()
        if definition.id == mission and is_sheet(definition)
    )
    dressed = [
        dressing_of(definition, made_of.model, code) for code in (first, *(code for code in available if code != first))
    ]
    plan = GamePlan(
        mission,
        number,
        persons,
        bot_name,
        {dressing.language: dressing.name() for dressing in dressed},
        settings,
        seed,
    )
    dressings = {dressing.name(): dressing.to_json() for dressing in dressed}
    if output.exists() and output.is_dir() != folder:
        raise click.UsageError(f"{output} is a {'folder' if output.is_dir() else 'file'}. Choose another --output.")
    try:
        if folder:
            files = onefile.static_folder(plan, dressed[0].title, data, dressings, python)
            for name, content in files.items():
                write_atomically(output / name, content)
            total = sum(map(len, files.values()))
            click.echo(f"{output}: {len(files)} files, {total / 1e6:.1f} MB, program {seal}")
            click.echo("The files contain the whole game: nothing in them is secret.")
            return
        file = onefile.one_file(plan, dressed[0].title, data, dressings, python)
    except (onefile.NoSources, onefile.FileTooLarge) as error:
        common.leave_with(str(error))
    write_atomically(output, file.html)
    sizes = {"Python": 0, "fcb": file.parts["fcb.zip"], "game": file.parts["program"], "board and cards": 0}
    for part, size in file.parts.items():
        if part in pyodide.FILES:
            sizes["Python"] += size
        elif part.startswith("dressing-"):
            sizes["board and cards"] += size
    parts = ", ".join(f"{what} {size / 1e6:.2f}" for what, size in sizes.items())
    click.echo(f"{output}: {len(file.html) / 1e6:.1f} MB (compressed: {parts}), program {seal}")
    click.echo("The file contains the whole game: nothing in it is secret.")
