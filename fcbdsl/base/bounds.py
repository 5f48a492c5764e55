"""Upper limits of all sizes. They are counts, never times, so that a source is refused everywhere or nowhere.

They are far above the needs of any game, and low enough that a short file cannot use all memory or many minutes.
"""

from __future__ import annotations

# ── files ──────────────────────────────────────────────────────────────────────────────────────

FILES_LOOKED_AT = 20_000
"""Most files and folders that fcb searches for misplaced sources."""
FILE_BYTES = 4 << 20
"""Bytes of one file of a project."""
FILE_LINES = 20_000
"""Lines of one source, without comments and empty lines."""
WHOLE_LINES = 200_000
"""Lines of one source, with comments and empty lines."""
PROJECT_LINES = 100_000
"""Lines of all sources of a game, without comments and empty lines."""
SETTINGS_BYTES = 1 << 16
"""Bytes of ``fcb.toml``."""
SETTINGS_DEPTH = 8
"""Parts of a key of ``fcb.toml``, and nesting of lists or tables."""
SETTINGS_KEYS = 200
"""Keys of ``fcb.toml``."""
SETTINGS_DIGITS = 20
"""Digits of a number in ``fcb.toml``."""
SETTINGS_TEXT = 255
"""Bytes of a text in ``fcb.toml``: a longer name of a file does not exist on any system."""

RECORDS = 20_000
"""Records that are imported at once."""
RECORD_DEPTH = 32
"""Nesting of lists and objects in a file of records."""
RECORD_KEYS = 1_000
"""Keys of a record, with those of objects in it."""
TRANSLATIONS = 20_000
"""Entries of a file of translations."""
GUARDS_BYTES = 8 << 20
"""Bytes of a file of guards."""
TRANSLATION = 400
"""Characters that a translation may have beyond four times those of its text."""

# ── reports ────────────────────────────────────────────────────────────────────────────────────

SHOWN_PROBLEMS = 200
"""Problems that are printed as text; the rest are counted."""
LISTED_PROBLEMS = 2000
"""Problems that a report for tools lists; the rest are counted."""
LETTERS_COMPARED = 1_000_000
"""Pairs of letters that a check compares to find the correct spelling of unknown names."""

# ── source ─────────────────────────────────────────────────────────────────────────────────────

NUMBER = 1_000_000_000
"""The largest number in a source. Sums and products with sensible numbers stay exact everywhere."""
KIND_LEVELS = 32
"""Length of a chain of kinds, each based on the next."""
FACES = 1000
"""Faces of a die."""
INLINED_NODES = 2000
"""Most nodes of an expression after inlining."""
INLINED_OPS = 1500
"""Most ops of a code in which calls are inlined."""

# ── games ──────────────────────────────────────────────────────────────────────────────────────

PLAYERS = 16
SPACES = 1024
"""Spaces of a map."""
DRAWING = 64 * SPACES
"""Characters of the drawing of a map."""
COORDINATE = 1000
"""Columns or rows from the first space of a map."""
STEPS = 200
"""Steps of a countdown or gauge: all are printed."""
STEP_COST = 100
"""Cost of a step onto a space."""
DIRECTIONS = 32
"""Directions of the paths of a map."""
THINGS = 1 << 14
"""Things of a game: instances of definitions, players, spaces, records."""

# ── print ──────────────────────────────────────────────────────────────────────────────────────

PRINTED = 5000
"""Pieces of one print run, including copies."""
PIXELS = 200_000_000
"""Pixels of all pictures of a project."""
