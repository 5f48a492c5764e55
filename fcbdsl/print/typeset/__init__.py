"""Typesetting: from views to pages, with Typst and Pillow in a separate process."""
