"""The live preview: problems, the tests that a change concerns, print, and random games, while an author writes."""
