"""Groups of commands: suggestions for misspelled names, and whole summaries in the overview."""

from __future__ import annotations

import click


def summary_of(command: click.Command) -> str:
    """Return the first sentence of a command's help, without its period."""
    first = (command.help or "").partition("\n\n")[0]
    return " ".join(first.split()).partition(". ")[0].removesuffix(".")


class SuggestingGroup(click.Group):
    """A group that suggests the command that was probably meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that `args` name. Raise UsageError with a suggestion if there is none."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            from fcbdsl.base.diagnostics.suggestions import suggest

            meant = suggest(name, self.list_commands(ctx))
            raise click.UsageError(f"No such command '{name}'." + (f" Did you mean `{meant}`?" if meant else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, each with its whole summary."""
        rows = [
            (name, summary_of(command)) for name in self.list_commands(ctx) if (command := self.get_command(ctx, name))
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
