"""Inbound webhooks."""
