"""Games: sessions, bots, content tests, campaigns, simulations."""
