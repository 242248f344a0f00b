"""What is read most of late."""
