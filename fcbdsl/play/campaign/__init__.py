"""Campaigns: what happens between missions, what is kept, how it is saved, and what can become of it."""
