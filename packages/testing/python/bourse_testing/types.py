"""What the exchange returns. Times and durations are milliseconds of exchange time, amounts are decimals as text."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, TypedDict, Union

MarketPreset = Literal["calm", "busy", "thin", "wild", "one-sided", "crash", "quiet"]
ClockMode = Literal["real", "scaled", "manual"]
#: Parameters and results that have the same fields as in the documentation of the sandbox's calls.
Json = Dict[str, Any]
JsonList = List[Json]
Query = Mapping[str, Union[str, int, None]]


class User(TypedDict):
    name: str
    userId: str
    #: The master's name, for a sub-account.
    parent: Optional[str]
    apiKey: str
    apiSecret: str
    apiPassphrase: str
    permissions: List[str]


class Connection(TypedDict):
    """The connection file of a sandbox, as `bourse start --config-out` writes it."""

    baseUrl: str
    compatUrl: str
    operatorUrl: str
    operatorToken: str
    sandboxUrl: str
    users: List[User]
    seed: int
    market: str
    clock: str


class Position(TypedDict):
    """A position in the log."""

    seq: int
    time: int


class ClockState(TypedDict):
    mode: ClockMode
    speed: float
    time: int


class Advanced(Position):
    advancedMs: int
    #: False if requests still arrived after `max_ms`.
    isIdle: bool


class Snapshot(Position):
    id: str
    name: str


class Fault(TypedDict):
    id: str
    effect: Json
    #: How many requests or messages it was applied to.
    hits: int


class Assertion(TypedDict):
    name: str
    holds: bool
    #: The first event that broke it.
    brokenBy: Optional[Json]
