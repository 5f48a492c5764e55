"""From views to pages: Typst and Pillow in a process of their own."""
