"""What of a game's own sources its tests reach."""
