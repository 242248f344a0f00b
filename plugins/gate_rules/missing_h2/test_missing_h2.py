"""Cases of missing_h2."""

import pytest

from cms_gate_missing_h2 import MissingH2
from cms_host.testing import check

Headings = tuple[tuple[int, str], ...]
WARNED: dict[str, Headings] = {
    "content_without_headings": (),
    "content_with_other_headings": ((1, "Foxes"), (3, "Dogs"), (6, "Owls")),
    "content_whose_only_h2_is_empty": ((2, ""), (3, "Dogs")),
    "content_whose_only_h2_is_blank": ((2, " \u00a0"),),
}
PASSED: dict[str, Headings] = {
    "content_with_one_h2": ((2, "Foxes"),),
    "content_with_an_h2_after_other_headings": ((1, "Animals"), (3, "Foxes"), (2, "Dogs")),
    "content_with_an_h2_in_turkish": ((2, "Iğdır'ın ağaçları"),),
    "content_with_an_empty_h2_before_a_good_one": ((2, ""), (2, "Foxes")),
}


@pytest.mark.parametrize("headings", WARNED.values(), ids=WARNED)
async def test_warns_about(headings: Headings) -> None:
    (finding,) = await check(MissingH2(), headings=headings)

    assert (finding.measured, finding.required, finding.field) == (0, 1, "content")


@pytest.mark.parametrize("headings", PASSED.values(), ids=PASSED)
async def test_passes(headings: Headings) -> None:
    assert await check(MissingH2(), headings=headings) == []


async def test_says_what_was_measured_and_what_is_recommended() -> None:
    (finding,) = await check(MissingH2(), headings=())

    assert finding.message_tr == "İçerikte H2 başlığı yok; en az 1 tane önerilir."
    assert finding.message_en == "The content has no H2 heading; at least 1 is recommended."


def test_never_blocks() -> None:
    assert MissingH2.kind == "warning"
