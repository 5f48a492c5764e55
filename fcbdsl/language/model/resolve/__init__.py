"""Stage 3 of reading: turn flat phrases into the typed tree, with the declared vocabulary.

Modules in dependency order, each importing only earlier ones. `scope`, `tokens`, `vocabulary` and `wording` come first.
`parse_state` is one attempt to parse a row of tokens. `fitting`, `failing`, `names` and `expressions` handle values.
`error_selection` chooses the problem to report. `core` reads phrases and caches the results. `parameters`, `modifiers`,
`actions`, `dice`, `events` and `terms` (of choices) come next; `statements` with their blocks and listeners come last.
"""
