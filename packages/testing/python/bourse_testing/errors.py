"""The errors that a test can catch."""

from __future__ import annotations

from typing import Any, Mapping, Sequence


class StartError(Exception):
    """The exchange did not start. The message is what it printed."""


class ConnectionLost(ConnectionError):
    """The connection ended before a response arrived: the request may have taken effect."""


class ControlError(Exception):
    """The control or operator API rejected a call."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class ApiError(Exception):
    """The exchange rejected a request of a user."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code


class ExpectationFailed(AssertionError):
    """The expected event did not arrive in time."""

    def __init__(self, message: str, closest: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(message)
        #: Events of the kind that arrived, best match first.
        self.closest = closest
