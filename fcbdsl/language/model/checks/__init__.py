"""What can only be seen in a whole model: `lints` and `dead` of all of it, `missions` of what is played."""
