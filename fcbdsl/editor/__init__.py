"""What an author sees while typing: the language server and the live preview."""
