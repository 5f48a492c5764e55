"""``fcb render``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS


@click.command("render", epilog="Example: fcb render --lang fr --paper a4 --to pdf -o out")
@click.argument("ids", nargs=-1)
@click.option("--lang", "language", type=click.Choice(["en", "fr"]), default="en", help="Language of the print.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", help="Size of the sheets.")
@click.option("--to", "form", type=click.Choice(["pdf", "html", "png"]), default="pdf", help="What to make.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@common.strict_option
@common.shipped_option
@click.pass_context
def command(
    ctx: click.Context, ids: tuple[str, ...], language: str, paper: str, form: str, output: Path, strict: bool
) -> None:
    """Print the cards, boards and sheets of the project, or only the definitions IDS.

    Of a project with errors nothing is printed. A card or a sheet whose text does not fit is left out and named, and
    the exit code is 1.
    """
    from fcbdsl.render import render

    model = common.sound_model([], strict=strict)
    known = {definition.id for definition in model.definitions.values()}
    for wanted in ids:
        if wanted not in known:
            from fcbdsl.diagnostics import suggest

            near = suggest(wanted, sorted(known))
            raise click.UsageError(f"There is no definition {wanted!r}." + (f" Did you mean {near}?" if near else ""))
    made = render(model, list(ids), language, paper, form, output)
    common.report(list(made.problems))
    for file in made.files:
        click.echo(file)
    if made.left_out:
        common.leave_with(f"Left out: {', '.join(made.left_out)}.")
    if not made.files:
        common.leave_with("There was nothing to print.")
    ctx.exit(PROBLEMS if any(problem.severity == "error" or strict for problem in made.problems) else FINE)
