"""Run-time settings of inbound webhooks."""

from cms_host.api import Role, Setting, Transaction
from cms_webhooks.signing import secrets_in
from cms_webhooks.store import find_account

#: Shortest secret, in bytes.
SHORTEST = 24


def check_secrets(value: str) -> None:
    """:raises ValueError: one of the secrets is too easily guessed."""
    if value and any(len(secret) < SHORTEST for secret in secrets_in(value)):
        raise ValueError(f"must be at least {SHORTEST} bytes long, each of those that commas part")


async def check_user(tx: Transaction, username: str) -> None:
    """:raises ValueError: nobody is called so, or it is an administrator."""
    if not username:
        return
    account = await find_account(tx, username)
    if account is None:
        raise ValueError("must be the username of an account")
    if account.role is Role.ADMIN:
        raise ValueError("must not be an administrator, whose reach nobody should have without a key")


INBOUND_SECRET = Setting(
    "webhook.inbound_secret",
    "",
    "Key of the signatures of inbound webhooks, 24 bytes or more; while it is changed both, parted by a comma. Empty "
    "refuses signatures.",
    maximum=1_000,
    secret=True,
    check=check_secrets,
)
INBOUND_USER = Setting(
    "webhook.inbound_user",
    "",
    "Username of the account that signed calls act as; no administrator. Empty refuses signatures.",
    maximum=64,
    admit=check_user,
)
REQUIRE_TIMESTAMP = Setting(
    "webhook.require_timestamp", False, "Refuse signed calls that do not carry X-Webhook-Timestamp."
)
