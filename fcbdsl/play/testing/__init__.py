"""Runs the tests that content has, and says which rules they cover."""
