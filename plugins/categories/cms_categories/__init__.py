"""Categories of posts."""
