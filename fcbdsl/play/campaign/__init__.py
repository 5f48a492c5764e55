"""Campaigns: steps between missions, kept data, saves, and exploration of all courses."""
