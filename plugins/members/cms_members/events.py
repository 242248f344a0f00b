"""What receivers are told of members (spec, Events; contract 7)."""

from dataclasses import dataclass

from cms_host.api import Event


@dataclass(frozen=True, slots=True)
class MemberRegistered(Event):
    """A new member has confirmed the e-mail address."""

    kind = "member_registered"
    id: int
    name: str
    email: str
