"""Runs the tests of content, and matches them with the rules that they cover."""
