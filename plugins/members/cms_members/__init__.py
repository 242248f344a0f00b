"""Members: people who register themselves."""
