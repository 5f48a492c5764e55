"""Pages of the documentation that are made from declarations and recipes."""
