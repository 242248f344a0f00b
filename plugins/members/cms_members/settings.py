"""Run-time settings of members."""

from cms_host.api import Setting

TRIES_PER_CLIENT = Setting(
    "members.tries_per_client",
    20,
    "Registrations that one client address may send in an hour.",
    minimum=1,
    maximum=100_000,
)
MAILS_PER_ADDRESS = Setting(
    "members.mails_per_address",
    3,
    "Registrations in a day, with one e-mail address, that cause a mail; further ones are ignored.",
    minimum=1,
    maximum=1_000,
)
