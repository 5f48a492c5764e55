"""Fuzzers of sources and of compiled programs: `python -m tests.fuzz --help`."""
