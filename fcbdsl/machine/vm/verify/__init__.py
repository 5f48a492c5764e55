"""Verify a program before it runs: its tables, its codes, its columns and its tags."""
