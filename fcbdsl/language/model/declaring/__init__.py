"""What lines of a file declare: one module for each sort of declaration, each adding to the model of its `context`.

`collect` finds the declarations, `blocks` reads their lines one by one; phrases in them are read by `context.reader`.
"""
