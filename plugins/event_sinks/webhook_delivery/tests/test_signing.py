"""Signatures, beside vectors that others have published."""

import hashlib
import hmac

import pytest

from cms_sink_webhook_delivery.signing import check_secret, new_secret, signed_headers


@pytest.mark.shows("events.signature")
def test_the_simple_signature_is_that_of_the_published_vector() -> None:
    """GitHub, Validating webhook deliveries."""
    headers = signed_headers("It's a Secret to Everybody", "1", 1, b"Hello, World!")

    told = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert headers["X-Service-Signature"] == f"sha256={told}"


@pytest.mark.shows("events.signature", "delivery.headers")
def test_the_standard_signature_is_that_of_the_published_vector() -> None:
    """Standard Webhooks, the specification's example."""
    secret, sent = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    headers = signed_headers(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, sent)

    assert headers["webhook-id"] == "msg_p5jXN8AQM9LWM0D4loKWxJek"
    assert headers["webhook-timestamp"] == "1614265330"
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    # The simple one is keyed with the secret as it is written, whatever it begins with.
    assert headers["X-Service-Signature"] == f"sha256={hmac.new(secret.encode(), sent, hashlib.sha256).hexdigest()}"


def test_a_new_secret_is_good_and_never_the_same() -> None:
    assert check_secret(new_secret()) != new_secret()


@pytest.mark.parametrize("secret", ["", "x" * 23, "whsec_", "whsec_bm90IGxvbmc=", "whsec_" + "%" * 40])
def test_a_secret_that_could_be_guessed_or_read_in_two_ways_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="must"):
        check_secret(secret)
