"""A site on which texts are all that two posts may not have in common."""

import pytest

from cms_host.testing import MakeSite, Site


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    """A site without the rules that compare titles, and without a least length of texts."""
    site = await make_site(disabled=["gate-similar-title", "gate-duplicate-title"])
    await site.set(**{"gate.short_content.minimum": 0})
    return site
