"""Many games of a mission, and what can be said of them."""
