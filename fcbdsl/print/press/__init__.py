"""Sheets of paper: imposition, print shops, measured fit, files."""
