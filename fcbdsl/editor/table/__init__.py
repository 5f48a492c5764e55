"""The table in the browser: the server of one game."""
