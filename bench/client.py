"""A small client of the service for what is not measured: preparing, and proving that answers are right."""

import http.client
import json
import secrets
from typing import Any, Self


class BenchError(Exception):
    """The run can't go on; the message is one line that says why."""


class WrongAnswerError(BenchError):
    """The service answered, but not what its contract says."""


class Client:
    """One kept-alive connection to the service on the loopback, for one thread."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._key = key

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def get(self, path: str) -> Any:
        """Return the `data` of a successful answer; raise WrongAnswerError for any other."""
        return self._call("GET", path, None, {}, 200)

    def has(self, path: str) -> bool:
        """Whether the service has something at a path: False for an answer 404."""
        self._connection.request("GET", path, headers={"X-API-Key": self._key})
        answer = self._connection.getresponse()
        answer.read()
        return answer.status != http.client.NOT_FOUND

    def post(self, path: str, body: dict[str, Any] | None = None, *, status: int = 200) -> Any:
        """Send `body` as JSON, return the `data` of an answer with `status`; else raise WrongAnswerError."""
        if body is None:
            return self._call("POST", path, None, {}, status)
        headers = {"Content-Type": "application/json"}
        return self._call("POST", path, json.dumps(body, ensure_ascii=False).encode(), headers, status)

    def upload(self, path: str, name: str, content: bytes, content_type: str) -> Any:
        """Send a file as the multipart field `file` and return the `data` of the answer 201."""
        boundary = secrets.token_hex(16)
        disposition = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        head = f"--{boundary}\r\n{disposition}\r\nContent-Type: {content_type}\r\n\r\n"
        body = head.encode() + content + f"\r\n--{boundary}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        return self._call("POST", path, body, headers, 201)

    def _call(self, method: str, path: str, body: bytes | None, headers: dict[str, str], status: int) -> Any:
        self._connection.request(method, path, body, {"X-API-Key": self._key, **headers})
        answer = self._connection.getresponse()
        text = answer.read()
        found = json.loads(text) if answer.headers.get_content_type() == "application/json" else None
        if answer.status != status or not isinstance(found, dict) or found.get("success") is not True:
            raise WrongAnswerError(f"{method} {path}: {answer.status} {text[:300].decode(errors='replace')}")
        return found["data"]
