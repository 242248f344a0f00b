"""Tags of posts."""
