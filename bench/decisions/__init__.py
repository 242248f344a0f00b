"""What the records in docs/decisions measured, to be run again: `python -m bench.decisions.<name>`."""
