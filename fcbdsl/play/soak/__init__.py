"""Random games, the rules that they must keep, and the shortest game that breaks one."""
