"""A running exchange in a test: its addresses, its users, and everything that can be done to it."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Type, Union
from urllib.parse import quote

from .client import Client
from .errors import ExpectationFailed
from .http import Control
from .tools import (
    AssertionTool,
    ClockTool,
    FaultTool,
    FeeTool,
    MarketTool,
    ScenarioTool,
    SnapshotTool,
    SymbolTool,
)
from .types import Connection, Json, JsonList, MarketPreset, User

#: ccxt has an address for each part of KuCoin's API. An omitted one would be KuCoin's own.
CCXT_ADDRESSES = (
    "public",
    "private",
    "futuresPublic",
    "futuresPrivate",
    "webExchange",
    "broker",
    "earn",
    "uta",
    "utaV2",
    "utaPrivate",
)
WITHIN_MS = 5000


class Exchange:
    """As a context manager it stops at the end of the block."""

    def __init__(self, connection: Connection, end: Callable[[], None]) -> None:
        #: As in `bourse start --config-out`: addresses, keys, and the settings of the start.
        self.connection = connection
        #: The address of the literal dialect.
        self.base_url = connection["baseUrl"]
        #: The address of the family dialect, which ccxt and our client speak.
        self.compat_url = connection["compatUrl"]
        control = Control(connection["sandboxUrl"], connection["operatorToken"])
        operator = Control(connection["operatorUrl"], connection["operatorToken"])
        self.clock = ClockTool(control)
        self.market = MarketTool(control)
        self.symbols = SymbolTool(operator)
        self.fees = FeeTool(operator)
        self.snapshots = SnapshotTool(control)
        self.faults = FaultTool(control)
        self.scenarios = ScenarioTool(control)
        self.assertions = AssertionTool(control)
        self._control = control
        self._users: Dict[str, User] = {user["name"]: user for user in connection["users"]}
        self._end = end
        self._stopped = False

    def __enter__(self) -> Exchange:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.stop()

    @property
    def users(self) -> List[User]:
        """The initial users, and those added by `new_user`."""
        return list(self._users.values())

    def user(self, name: str) -> User:
        if name in self._users:
            return self._users[name]
        known = ", ".join(self._users)
        raise KeyError(f"Unknown user '{name}'. Expected one of: {known}; new_user adds more.")

    def ccxt(self, name: str) -> Json:
        """For `ccxt.kucoin(options)` and `ccxt.pro.kucoin(options)`."""
        user = self.user(name)
        return {
            "apiKey": user["apiKey"],
            "secret": user["apiSecret"],
            "password": user["apiPassphrase"],
            "urls": {"api": {part: self.compat_url for part in CCXT_ADDRESSES}},
        }

    def client(self, name: str) -> Client:
        return Client(self.compat_url, self.user(name))

    def overview(self) -> Json:
        return self._control.get("/")

    def seq(self) -> int:
        """The sequence of the last record in the log; use it as `from_` of an expectation."""
        return self.overview()["seq"]

    def faucet(self, user: str, currency: str, amount: str, account: Optional[str] = None) -> str:
        """Funds a user, and returns the new balance. `account` is `main` by default, or `trade`."""
        body = {"user": user, "currency": currency, "amount": amount, "account": account}
        return self._control.post("/faucet", body)["balance"]

    def new_user(self, name: str, balances: Mapping[str, str] = {}) -> User:
        """Adds a user with a key that has all permissions, and these balances in the TRADE account."""
        user: User = self._control.post("/users", {"name": name, "balances": dict(balances)})
        self._users[name] = user
        return user

    def requests(
        self,
        user: Optional[str] = None,
        api_key: Optional[str] = None,
        route: Optional[str] = None,
        status: Optional[int] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> JsonList:
        """The most recent matching requests, newest last."""
        query: Dict[str, Union[str, int, None]] = {
            "user": user,
            "apiKey": api_key,
            "route": route,
            "status": status,
            "after": after,
            "limit": limit,
        }
        return self._control.get("/requests", query)

    def report(
        self,
        user: str,
        from_: Optional[int] = None,
        until: Optional[int] = None,
        currency: Optional[str] = None,
    ) -> Json:
        """A user's report from the log: orders, fills, fees, PnL, inventory, slippage, rejections, rate limits."""
        query = {"user": user, "from": from_, "until": until, "currency": currency}
        return self._control.get("/report", query)

    def expect(
        self,
        event: Mapping[str, Any],
        within_ms: int = WITHIN_MS,
        clock: str = "wall",
        from_: Optional[int] = None,
    ) -> Json:
        """Returns the event (`kind`, `where`), or raises `ExpectationFailed` with the closest one."""
        body = {"event": event, "withinMs": within_ms, "clock": clock, "from": from_}
        met = self._control.post("/expect", body)
        if met["met"]:
            return met["event"]
        kind, closest = event["kind"], met["closest"]
        nearest = f"closest: {json.dumps(closest[0])}." if closest else f"no {kind} at all."
        where = json.dumps(event.get("where", {}))
        raise ExpectationFailed(f"No {kind} with {where} within {within_ms} ms; {nearest}", closest)

    def fork(
        self,
        from_: Union[str, int, None] = None,
        market: Optional[MarketPreset] = None,
        clock: Optional[str] = None,
        seed: Optional[int] = None,
        port: Optional[int] = None,
    ) -> Exchange:
        """Forks a second exchange from here, or from a snapshot. It stops with its own `stop()` or with this one."""
        body = {"from": from_, "market": market, "clock": clock, "seed": seed, "port": port}
        answer = self._control.post("/forks", body)
        path = f"/forks/{quote(answer.pop('id'), safe='')}"
        connection: Connection = answer
        known = {user["name"]: user for user in [*connection["users"], *self.users]}
        connection["users"] = list(known.values())

        def end() -> None:
            if not self._stopped:
                self._control.delete(path)

        return Exchange(connection, end)

    def stop(self) -> None:
        """Returns when everything is cleaned up. A second call does nothing."""
        if not self._stopped:
            self._stopped = True
            self._end()


def connect(connection: Connection) -> Exchange:
    """The same methods for an exchange that runs already, such as one of `bourse start --config-out FILE`.

    `stop()` does nothing here: the exchange belongs to whoever started it."""
    if "sandboxUrl" not in connection:
        raise ValueError(
            "The connection has no sandboxUrl. Venues, clusters and services behind a proxy have no control API."
        )
    return Exchange(connection, lambda: None)
