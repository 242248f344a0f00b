"""Which declarations a `style` attribute keeps: alignment, sizes, colours and weights, and nothing that can load, run,
or leave its place on the page."""

import re

_LENGTH = r"(?:0|auto|\d{1,5}(?:\.\d{1,4})?(?:px|em|rem|ex|ch|pt|%|vw))"
_COLOUR = (
    r"(?:#[0-9a-f]{3,8}|[a-z]{3,24}|rgba?\(\s*\d{1,3}%?(?:\s*,\s*\d{1,3}%?){2}(?:\s*,\s*(?:0|1|0?\.\d{1,4}))?\s*\))"
)
_ALLOWED = {
    name: re.compile(pattern, re.ASCII)
    for names, pattern in (
        ("text-align", "left|right|center|justify|start|end"),
        ("vertical-align", "baseline|top|middle|bottom|sub|super|text-top|text-bottom"),
        ("float", "left|right|none"),
        ("clear", "left|right|both|none"),
        ("direction", "ltr|rtl"),
        ("width height max-width min-width max-height", _LENGTH),
        ("aspect-ratio", r"\d{1,4}(?:\s*/\s*\d{1,4})?"),
        ("color background-color", _COLOUR),
        ("font-weight", "normal|bold|bolder|lighter|[1-9]00"),
        ("font-style", "normal|italic|oblique"),
        ("text-decoration", "none|underline|line-through|overline"),
        ("text-transform", "none|uppercase|lowercase|capitalize"),
        ("white-space", "normal|nowrap|pre|pre-wrap|pre-line"),
        ("list-style-type", "[a-z]{2,20}(?:-[a-z]{2,20}){0,2}"),
    )
    for name in names.split()
}


def clean_style(style: str) -> tuple[str, bool]:
    """Give what is kept of a `style` attribute, in one canonical form, and whether that is all of it.

    Linear in time, and idempotent. There is no CSS parser: a value that is not plainly one of the allowed ones (quotes,
    escapes, comments, functions) goes.
    """
    kept: list[str] = []
    complete = True
    for declaration in style.split(";"):
        name, _, value = (part.strip().lower() for part in declaration.partition(":"))
        if name in _ALLOWED and _ALLOWED[name].fullmatch(value):
            kept.append(f"{name}: {value}")
        elif declaration.strip():
            complete = False
    return "; ".join(kept), complete
