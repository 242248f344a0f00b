"""Text from outside, made harmless for terminals, logs and tables: one line, no escapes, no reordering."""

import re

#: Controls (C0, DEL, C1), the line separators of Unicode, its bidirectional controls, and lone surrogates.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(text: str) -> str:
    """The text with everything unprintable written as `\\x1b` or `\\u202e` is in Python."""
    return UNPRINTABLE.sub(_written, text) if not text.isprintable() else text


def _written(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
