"""A site whose media are to be in a bucket, without the library for that."""

import sys

import pytest

from cms_host.api import MediaStorage
from cms_host.testing import MakeSite


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_missing_library_refuses_the_start_by_name(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    monkeypatch.delitem(sys.modules, "cms_media.s3_store", raising=False)
    with pytest.raises(Exception, match=r"^media .* obstore is not installed: pip install 'cms-media\[s3\]'"):
        await make_site(media=MediaStorage("s3", bucket="uploads"))
