"""What schemathesis can't know by itself: what an image is, and which of our refusals no schema can say."""

import schemathesis
from hypothesis import strategies as st

from cms_media.judging import FORMATS
from cms_media.testing import picture

#: Parts of the messages of a 400 that a request may get though it is as the document says. All other text, type or
#: number that is refused with 400 is one that the document must exclude.
BEYOND_SCHEMAS = (
    # Contract 2, of any part of a request: OpenAPI could only say it of each field, and not of fields that are ignored.
    "holds a NUL character",
    "holds an integer of more than 64 bits",
    # Contract 2: empty is 400. What a sanitiser leaves of a text is not in the reach of a pattern.
    "Nothing is left of it once it is sanitised",
    "Must not be empty once its tags are removed",
    # Contract 1: there to be refused.
    "Missing post id",
    # Contract 2: a setting has a type of its own.
    "Must be of type",
    # A form whose schema lets further fields be there can't say that their names must not be empty.
    "Each part of the form must have a name",
)

for _format, (_mime_type, _) in FORMATS.items():
    schemathesis.openapi.media_type(_mime_type, st.just(picture(_format)))


@schemathesis.check
def bad_request_is_documented(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """What is as the document says is no bad request, but for reasons that no document can tell."""
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.headers["content-type"][0].startswith("text/plain"):
        return
    # Names of the parts of a form are written into headers as they are, where most controls make no sense.
    if case.media_type == "multipart/form-data" and not all(map(str.isprintable, case.body)):
        return
    message = response.json()["error"]["message"]
    assert any(each in message for each in BEYOND_SCHEMAS), f"A well-formed request is called a bad one: {message}"


@schemathesis.check
def unavailable_is_busy(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """Nothing is 503 but what waits for the workers in vain (contract 2)."""
    if response.status_code == 503:
        assert response.json()["error"]["message"] == "Busy, try again"


@schemathesis.check
def plain_text_is_of_the_parser(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """A 400 without an envelope is aiohttp's, of an address or a header that is too long (contract 2)."""
    if response.status_code == 400 and response.headers["content-type"][0].startswith("text/plain"):
        assert b"bytes when reading" in response.content
