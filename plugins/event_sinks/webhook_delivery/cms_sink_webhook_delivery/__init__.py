"""Signed JSON to addresses that operators enter."""
