"""Cases of short_content: the visible text of the candidate, and whether it is long enough."""

import pytest

from cms_gate_short_content import MINIMUM, ShortContent
from cms_host.api import InvalidSetting
from cms_host.testing import check, settings_with

REFUSED = {
    "a_text_one_character_below_the_default": ("x" * 1499, {}),
    "an_empty_text": ("", {}),
    "a_text_below_a_raised_minimum": ("x" * 1999, {MINIMUM.key: 2000}),
    "a_text_of_turkish_letters_one_below_the_minimum": ("ığüşöçİ" * 7, {MINIMUM.key: 50}),
}
PASSED = {
    "a_text_of_exactly_the_default": ("x" * 1500, {}),
    "a_text_of_exactly_a_lowered_minimum": ("x" * 20, {MINIMUM.key: 20}),
    "a_text_of_exactly_the_minimum_in_turkish_letters": ("ığüşöçİ" * 7, {MINIMUM.key: 49}),
    "an_empty_text_where_nothing_is_required": ("", {MINIMUM.key: 0}),
}


@pytest.mark.parametrize(("text", "settings"), REFUSED.values(), ids=REFUSED)
async def test_refuses(text: str, settings: dict[str, int]) -> None:
    (finding,) = await check(ShortContent(settings_with([MINIMUM], settings)), text=text)

    required = settings.get(MINIMUM.key, 1500)
    assert (finding.measured, finding.required, finding.field) == (len(text), required, "content")


@pytest.mark.parametrize(("text", "settings"), PASSED.values(), ids=PASSED)
async def test_passes(text: str, settings: dict[str, int]) -> None:
    assert await check(ShortContent(settings_with([MINIMUM], settings)), text=text) == []


async def test_measures_what_a_reader_sees_and_not_the_html() -> None:
    rule = ShortContent(settings_with([MINIMUM]))

    assert await check(rule, html="<p>" + "<b></b>" * 1000 + "short</p>", text="short") != []


async def test_says_what_was_measured_and_what_is_required() -> None:
    (finding,) = await check(ShortContent(settings_with([MINIMUM])), text="x" * 812)

    assert finding.message_tr == "İçeriğin görünen metni 812 karakter; en az 1500 karakter olmalı."
    assert finding.message_en == "The visible text has 812 of the 1500 characters that are required."


@pytest.mark.parametrize("value", [-1, 100_001, "1500", 1.5])
def test_the_minimum_has_bounds(value: object) -> None:
    with pytest.raises(InvalidSetting):
        MINIMUM.parse(value)
