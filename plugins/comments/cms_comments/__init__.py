"""Comments on posts."""
