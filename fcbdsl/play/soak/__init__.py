"""Random games, what must hold in them, and the shortest that breaks it."""
