"""Coverage: which parts of a game's own sources its tests reach."""
