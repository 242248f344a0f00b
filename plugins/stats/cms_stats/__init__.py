"""Figures of the site."""
