"""Declarations in the lines of a file: one module for each sort, each adding to the model of its `context`.

`collect` finds the declarations, and `blocks` reads their lines; `context.reader` reads the phrases in them.
"""
