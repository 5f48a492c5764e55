"""``fcb lsp``."""

from __future__ import annotations

import click


@click.command("lsp", epilog="Example: fcb lsp  (your editor runs this)")
def command() -> None:
    """Start the language server for editors. It speaks over standard input and output.

    Problems as one types, completion, rules text beside a card, definitions, references, renaming across files, layout.
    """
    try:
        from fcbdsl.editor.server import make_server
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        from fcbdsl.origin import advice

        raise click.UsageError(f"The language server needs pygls. {advice('editor')}") from missing
    make_server().start_io()
