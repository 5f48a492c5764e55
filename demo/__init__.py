"""A demo of fcb with the content that it ships: ``python -m demo build/demo``."""
