"""Stage 3 of reading: flat phrases, read with the declared vocabulary into the typed tree.

From the ground up, each importing only those before it: `scope`, `tokens`, `vocabulary` and `wording`; `parse_state`,
an attempt at a row of tokens; `fitting`, `failing`, `names` and `expressions`, what has a value; `error_selection`,
which problem to report; `core`, how a phrase is read and what is kept of it; `parameters`, `modifiers`, `actions`,
`dice`, `events` and `terms` (of choices); `statements`, with their blocks and the behaviour that waits.
"""
