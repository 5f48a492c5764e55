"""What somebody sees while he writes: problems, the tests that a change concerns, print, random games."""
