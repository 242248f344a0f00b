"""Search over everything that is public."""
