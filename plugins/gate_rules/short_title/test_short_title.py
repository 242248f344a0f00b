"""Cases of short_title: the title as a reader sees it, and whether it is long enough."""

import pytest

from cms_gate_short_title import MINIMUM, ShortTitle
from cms_host.api import InvalidSetting
from cms_host.testing import check, settings_with

REFUSED = {
    "a_title_one_character_below_the_default": ("Nine char", {}, 9),
    "a_title_of_turkish_letters_one_below_the_default": ("İğnelişçö", {}, 9),
    "a_title_that_only_space_makes_long_enough": ("  A     title  ", {}, 7),
    "a_title_of_nothing_but_space": (" " * 20, {}, 0),
    "a_title_below_a_raised_minimum": ("Ten chars!", {MINIMUM.key: 11}, 10),
}
PASSED = {
    "a_title_of_exactly_the_default": ("Ten chars!", {}),
    "a_title_of_exactly_the_default_in_turkish_letters": ("İğnelişçöü", {}),
    "a_title_of_exactly_a_lowered_minimum": ("Ox", {MINIMUM.key: 2}),
    "any_title_where_nothing_is_required": ("A", {MINIMUM.key: 0}),
}


@pytest.mark.parametrize(("title", "settings", "measured"), REFUSED.values(), ids=REFUSED)
async def test_refuses(title: str, settings: dict[str, int], measured: int) -> None:
    (finding,) = await check(ShortTitle(settings_with([MINIMUM], settings)), title=title)

    required = settings.get(MINIMUM.key, 10)
    assert (finding.measured, finding.required, finding.field) == (measured, required, "title")


@pytest.mark.parametrize(("title", "settings"), PASSED.values(), ids=PASSED)
async def test_passes(title: str, settings: dict[str, int]) -> None:
    assert await check(ShortTitle(settings_with([MINIMUM], settings)), title=title) == []


async def test_says_what_was_measured_and_what_is_required() -> None:
    (finding,) = await check(ShortTitle(settings_with([MINIMUM])), title="Haberler")

    assert finding.message_tr == "Başlık 8 karakter; en az 10 karakter olmalı."
    assert finding.message_en == "The title has 8 of the 10 characters that are required."


@pytest.mark.parametrize("value", [-1, 201, "10", True])
def test_the_minimum_has_bounds(value: object) -> None:
    with pytest.raises(InvalidSetting):
        MINIMUM.parse(value)
