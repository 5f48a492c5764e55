"""Programs, the images in which they are run, and games."""
