"""Reports of simulations, coverage and failed tests, as text and pages."""
