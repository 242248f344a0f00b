"""Categories: what this package gives to the host."""
