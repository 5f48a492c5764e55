"""Plays many games of a mission and computes statistics of them."""
