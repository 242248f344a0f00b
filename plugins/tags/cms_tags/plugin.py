"""Tags: what this package gives to the host."""
