"""How boards lie, and what can be searched on them; chance."""
