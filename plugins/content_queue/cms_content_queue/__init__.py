"""The content queue."""
