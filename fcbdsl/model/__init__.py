"""What a model is: what an author has written, once it is understood."""
