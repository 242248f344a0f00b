"""The words of pages and mails, in Turkish and English."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

#: The first one is for whoever understands neither.
LANGUAGES = ("en", "tr")
_RANGE = re.compile(
    r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*)?"
)
#: More of the header than any browser sends is not looked at.
_MOST = 500


@cache
def texts(language: str) -> Mapping[str, Any]:
    """All of them, by the page or mail that they are on."""
    return tomllib.loads((files("cms_members") / "locale" / f"{language}.toml").read_text("utf-8"))


def preferred(accepted: str) -> str:
    """The language that an `Accept-Language` header asks for, by its weights and then its order (RFC 9110, 12.5.4)."""
    weights: dict[str, float] = {}
    for part in accepted[:_MOST].split(","):
        found = _RANGE.fullmatch(part)
        if found:
            weights.setdefault(found[1].lower(), float(found[2] or 1))
    best = max(weights, key=lambda each: weights[each] if each in LANGUAGES else 0, default="")
    return best if best in LANGUAGES and weights[best] > 0 else LANGUAGES[0]
