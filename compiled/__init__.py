"""The optional compiled build: see ``python -m compiled --help``."""
