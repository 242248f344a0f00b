"""The pages of docs/ that are made from the code are what the code makes of them."""

import pytest

from docs.generate import PAGES

from .tree import ROOT


@pytest.mark.parametrize("page", PAGES)
def test_a_generated_page_is_up_to_date(page: str) -> None:
    assert (ROOT / "docs" / f"{page}.md").read_text("utf-8") == PAGES[page](), f"run: python -m docs.generate {page}"
