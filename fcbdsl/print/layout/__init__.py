"""Sizes, outlines and places: the geometry of what is printed."""
