"""``fcb lsp``."""

from __future__ import annotations

import click


@click.command("lsp", epilog="Example: fcb lsp  (your editor runs this)")
def command() -> int:
    """Start the language server for editors. It speaks over standard input and output.

    It offers problems as you type, completion, rules text beside a card, definitions, references, rename across
    files, and formatting.
    """
    try:
        from fcbdsl.editor.lsp.server import make_server
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "lsprotocol":
            raise
        from fcbdsl.base.origin import install_advice

        raise click.UsageError(f"The language server needs lsprotocol. {install_advice('editor')}") from missing
    return make_server().start_io()
