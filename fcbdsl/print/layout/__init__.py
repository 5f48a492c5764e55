"""Sizes, outlines and places: the geometry of print."""
