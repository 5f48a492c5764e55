"""Mutation testing: small changes to the sources of a game, and whether its tests notice them.

A `Mutant` is one edit of one file, made by one of a closed list of operators (`operators`). A `Trial` compiles mutants
and runs the tests that can notice them, which `reach` knows; `testing.mutate` tries a sample and makes a `Report`.
"""
