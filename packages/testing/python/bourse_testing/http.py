"""One request per connection, so that nothing is left open when the exchange stops."""

from __future__ import annotations

import http.client
import json
from typing import Any, Mapping, Optional, Tuple
from urllib.parse import urlencode, urlsplit

from .errors import ConnectionLost, ControlError
from .types import Query

#: An expectation may wait for minutes; a response that takes longer than this is lost.
CONTROL_TIMEOUT_S = 600.0


def send(
    method: str,
    url: str,
    body: Optional[bytes],
    headers: Mapping[str, str],
    timeout: float,
) -> Tuple[int, bytes]:
    parts = urlsplit(url)
    assert parts.hostname is not None, url
    secure = parts.scheme == "https"
    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=timeout)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    given = {**headers, **({} if body is None else {"Content-Type": "application/json"})}
    try:
        connection.request(method, target, body=body, headers=given)
        response = connection.getresponse()
        return response.status, response.read()
    except ConnectionRefusedError as error:
        message = f"No exchange at {parts.scheme}://{parts.netloc}: it was stopped, or its process has exited."
        raise ConnectionLost(message) from error
    except (OSError, http.client.HTTPException) as error:
        raise ConnectionLost(f"{method} {parts.path}: no response ({error or type(error).__name__}).") from error
    finally:
        connection.close()


def with_query(path: str, query: Query) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


class Control:
    """Calls of the control or operator API: returns the response or raises `ControlError`."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, query: Query = {}) -> Any:
        return self._send("GET", with_query(path, query))

    def post(self, path: str, body: Mapping[str, Any] = {}) -> Any:
        given = {name: value for name, value in body.items() if value is not None}
        return self._send("POST", path, json.dumps(given).encode())

    def delete(self, path: str, query: Query = {}) -> Any:
        return self._send("DELETE", with_query(path, query))

    def _send(self, method: str, path: str, body: Optional[bytes] = None) -> Any:
        status, data = send(method, self._url + path, body, self._headers, CONTROL_TIMEOUT_S)
        text = data.decode()
        answer = json.loads(text)
        if status >= 400:
            raise ControlError(status, answer.get("code", ""), answer.get("msg", text))
        return answer
