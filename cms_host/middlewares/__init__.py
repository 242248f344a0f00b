"""What a request passes, in this order: errors, rate_limit, authenticate, (routing), authorize, idempotency (POST)."""
