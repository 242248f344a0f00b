"""Whoever follows docs/write-a-gate-rule.md has a rule that refuses."""

import pytest

from tests.journeys.newcomer import Newcomer


@pytest.mark.slow
def test_a_stranger_s_rule_refuses_a_post_by_following_the_page(newcomer: Newcomer) -> None:
    shown = newcomer.read("write-a-gate-rule.md")

    assert shown.count("json") == 2
