"""What an editor asks of an open project: features as plain functions, and a server that hands them on."""
