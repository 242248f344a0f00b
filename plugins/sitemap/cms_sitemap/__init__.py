"""The sitemap."""
