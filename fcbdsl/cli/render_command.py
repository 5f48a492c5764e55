"""``fcb render``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.diagnostics import Diagnostic


@click.command("render", epilog="Example: fcb render --lang fr --paper a4 --to pdf -o out")
@click.argument("ids", nargs=-1)
@common.language_option("Language of the print.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", help="Size of the sheets.")
@click.option("--to", "form", type=click.Choice(["pdf", "html", "png"]), default="pdf", help="What to make.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder.")
@common.strict_option
@common.shipped_option
@click.pass_context
def command(
    ctx: click.Context, ids: tuple[str, ...], language: str | None, paper: str, form: str, output: Path, strict: bool
) -> None:
    """Print the cards, boards and sheets of the project, or only the definitions IDS.

    Of a project with errors nothing is printed. A card or a sheet whose text does not fit is left out and named, and
    the exit code is 1. Of several games each is printed into a folder of its own, or those that have the IDS.
    """
    from fcbdsl.render import render
    from fcbdsl.render.proofs import spoken

    loaders = common.loaded(tests=False)
    models = common.sound_models(loaders, strict)
    known = {definition.id: None for model in models for definition in model.definitions.values()}
    for wanted in ids:
        if wanted not in known:
            from fcbdsl.diagnostics import suggest

            near = suggest(wanted, sorted(known))
            raise click.UsageError(f"There is no definition {wanted!r}." + (f" Did you mean {near}?" if near else ""))
    problems: list[Diagnostic] = []
    left_out: list[str] = []
    printed = False
    for loader, model in zip(loaders, models, strict=True):
        own = {definition.id for definition in model.definitions.values()}
        chosen = [wanted for wanted in ids if wanted in own]
        if ids and not chosen:
            continue
        folder = output / loader.project.game if len(loaders) > 1 else output
        made = render(model, chosen, common.language_of(language, spoken(model)), paper, form, folder)
        common.report(list(made.problems))
        for file in made.files:
            click.echo(file)
        problems += made.problems
        left_out += made.left_out
        printed = printed or bool(made.files)
    if left_out:
        common.leave_with(f"Left out: {', '.join(left_out)}.")
    if not printed:
        common.leave_with("There was nothing to print.")
    ctx.exit(PROBLEMS if any(problem.severity == "error" or strict for problem in problems) else FINE)
