"""How a mail leaves: handed to a mail server, or put down as a file where there is none."""

import asyncio
import os
import secrets
from copy import deepcopy
from email.message import EmailMessage
from pathlib import Path
from typing import Protocol

from cms_host.api import Host, MailServer

#: Seconds that a mail server has for one mail.
PATIENCE = 30.0
_REFUSED_FOR_GOOD = range(500, 600)


class Undeliverable(Exception):
    """There is no use in trying again"""


class Carrier(Protocol):
    """Takes mails away."""

    async def carry(self, message: EmailMessage, to: str) -> None:
        """Returns when somebody else answers for the mail.

        :raises Undeliverable: nobody ever will. :raises Exception: not now.
        """


class MailServerCarrier:
    """Hands mails to a server by SMTP (RFC 5321)."""

    def __init__(self, server: MailServer, patience: float = PATIENCE) -> None:
        self._server = server
        self._patience = patience

    async def carry(self, message: EmailMessage, to: str) -> None:
        # Most processes never send a mail, and importing it takes long.
        import aiosmtplib

        server = self._server
        try:
            async with asyncio.timeout(self._patience):
                await aiosmtplib.send(
                    message,
                    sender=server.sender,
                    recipients=[to],
                    hostname=server.host,
                    port=server.port,
                    username=server.user or None,
                    password=server.password or None,
                    use_tls=server.security == "tls",
                    # Never None, which would go on without where the server does not offer it.
                    start_tls=server.security == "starttls",
                    timeout=self._patience,
                )
        except aiosmtplib.SMTPRecipientsRefused as error:
            codes = [each.code for each in error.recipients]
            if all(code in _REFUSED_FOR_GOOD for code in codes):
                raise Undeliverable(f"the mail server knows no such recipient: {codes}") from None
            raise RuntimeError(f"the mail server does not take the recipient now: {codes}") from None
        except aiosmtplib.SMTPNotSupported as error:
            raise Undeliverable(str(error)) from error


class FileCarrier:
    """Puts mails down as `.eml` files that only their owner can read, with the text as it reads and lines of Unix."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def carry(self, message: EmailMessage, to: str) -> None:
        await asyncio.to_thread(self._write, _readable(message))

    def _write(self, content: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = secrets.token_hex(8)
        unfinished = self._folder / f"{name}.part"
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.rename(unfinished.with_suffix(".eml"))
        # Only then does the name outlive a loss of power.
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _readable(message: EmailMessage) -> bytes:
    """The mail with its text in 8 bits (RFC 2045), so that a link is on one line and can be copied."""
    made = deepcopy(message)
    made.replace_header("Content-Transfer-Encoding", "8bit")
    # Bytes beyond ASCII wait in a payload as surrogates.
    made.set_payload(message.get_content().encode().decode("ascii", "surrogateescape"))
    return made.as_bytes(policy=message.policy.clone(linesep="\n"))


def carrier_of(host: Host) -> Carrier:
    """The one that the configuration asks for."""
    mail = host.config.mail
    return MailServerCarrier(mail) if mail.host else FileCarrier(host.data_dir / "mail")
