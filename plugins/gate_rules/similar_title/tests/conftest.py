"""A site on which titles are all that two posts may not have in common."""

import pytest

from cms_host.testing import MakeSite, Site


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """A site without the rule that compares texts."""
    return await make_site(disabled=["gate-similar-content"])
