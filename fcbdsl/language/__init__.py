"""From sources to a program and to rules text: syntax, model, compiler, prose."""
