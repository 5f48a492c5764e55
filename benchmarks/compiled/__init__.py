"""The optional compiled build: see ``python -m benchmarks.compiled --help``."""
