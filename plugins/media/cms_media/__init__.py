"""Media: uploaded images and their variants."""
