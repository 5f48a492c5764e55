"""``fcb render``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("render", epilog="Example: fcb render --lang fr --paper a4 --to pdf -o out")
@click.argument("ids", nargs=-1)
@click.option("--lang", "language", type=click.Choice(["en", "fr"]), default="en", help="Language of the print.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", help="Size of the sheets.")
@click.option("--to", "form", type=click.Choice(["pdf", "html", "png"]), default="pdf", help="What to make.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
def command(ids: tuple[str, ...], language: str, paper: str, form: str, output: Path) -> None:
    """Print the cards, boards and sheets of the project, or only the definitions IDS."""
    from fcbdsl.render import render

    model = common.sound_model([])
    known = {definition.id for definition in model.definitions.values()}
    for wanted in ids:
        if wanted not in known:
            from fcbdsl.diagnostics import suggest

            near = suggest(wanted, sorted(known))
            raise click.UsageError(f"There is no definition {wanted!r}." + (f" Did you mean {near}?" if near else ""))
    made = render(model, list(ids), language, paper, form, output)
    common.report(list(made.problems))
    if not made.files:
        common.leave_with("There was nothing to print.")
    for file in made.files:
        click.echo(file)
