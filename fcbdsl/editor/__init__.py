"""Tools for authors while they type: the language server and the live preview."""
