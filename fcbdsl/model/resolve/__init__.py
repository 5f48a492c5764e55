"""Stage 3 of reading: flat phrases, read with the declared vocabulary into the typed tree.

`reader` is the way in, `vocabulary` what it reads with; `expressions`, `conditions`, `selections` and `forms` read
values, `statements` and what it hands to (`actions`, `choices`, `rolls`, `listeners`, `modifiers`, `lasting`) effects.
"""
