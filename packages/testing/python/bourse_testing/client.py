"""The most common endpoints as methods; `call` reaches all others. Orders have the fields of the API."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Optional, Sequence
from urllib.parse import quote

from .errors import ApiError
from .http import send, with_query
from .types import Json, JsonList, Query, User

ORDERS = "/api/v1/hf/orders"
TIMEOUT_S = 30.0


class Client:
    """Signs requests with a user's key. `timeout` is in seconds of wall time."""

    def __init__(self, compat_url: str, user: User, timeout: float = TIMEOUT_S) -> None:
        self._url = compat_url
        self._user = user
        self._timeout = timeout

    def call(
        self, method: str, path: str, query: Query = {}, body: Optional[Mapping[str, Any]] = None
    ) -> Any:
        """Sends a signed request and returns the `data` of the response."""
        target = with_query(path, query)
        text = "" if body is None else json.dumps(body)
        now = str(int(time.time() * 1000))
        secret = self._user["apiSecret"]
        headers = {
            "KC-API-KEY": self._user["apiKey"],
            "KC-API-SIGN": _sign(secret, now + method + target + text),
            "KC-API-TIMESTAMP": now,
            "KC-API-PASSPHRASE": _sign(secret, self._user["apiPassphrase"]),
            "KC-API-KEY-VERSION": "3",
        }
        data = None if body is None else text.encode()
        status, received = send(method, self._url + target, data, headers, self._timeout)
        try:
            answer = json.loads(received)
        except ValueError:
            raise ApiError(status, "", f"The response is not JSON: {received[:200]!r}") from None
        if answer.get("code") != "200000":
            detail = answer.get("detail")
            message = answer.get("msg", "") + (f" {detail}" if detail else "")
            raise ApiError(status, answer.get("code", ""), message)
        return answer["data"]

    def server_time(self) -> int:
        """Milliseconds since 1970."""
        return self.call("GET", "/api/v1/timestamp")

    def symbols(self) -> JsonList:
        return self.call("GET", "/api/v2/symbols")

    def ticker(self, symbol: str) -> Json:
        return self.call("GET", "/api/v1/market/orderbook/level1", {"symbol": symbol})

    def depth(self, symbol: str, levels: int = 20) -> Json:
        """The best 20 or 100 levels of each side."""
        return self.call("GET", f"/api/v1/market/orderbook/level2_{levels}", {"symbol": symbol})

    def book(self, symbol: str) -> Json:
        """Every level."""
        return self.call("GET", "/api/v3/market/orderbook/level2", {"symbol": symbol})

    def book_snapshot(self, symbol: str) -> Json:
        """The initial state of an order book."""
        return self.book(symbol)

    def trades(self, symbol: str) -> JsonList:
        return self.call("GET", "/api/v1/market/histories", {"symbol": symbol})

    def candles(
        self, symbol: str, type: str, start_at: Optional[int] = None, end_at: Optional[int] = None
    ) -> Sequence[Sequence[str]]:
        """Newest first; `type` such as 1min, 1hour, 1day; times in seconds."""
        query: Query = {"symbol": symbol, "type": type, "startAt": start_at, "endAt": end_at}
        return self.call("GET", "/api/v1/market/candles", query)

    def accounts(self, currency: Optional[str] = None, type: Optional[str] = None) -> JsonList:
        return self.call("GET", "/api/v1/accounts", {"currency": currency, "type": type})

    def transfer(self, order: Mapping[str, Any]) -> Json:
        """Between the user's own accounts: `clientOid`, `currency`, `amount`, `from`, `to`."""
        return self.call("POST", "/api/v2/accounts/inner-transfer", body=order)

    def place_order(self, order: Mapping[str, Any]) -> Json:
        return self.call("POST", ORDERS, body=order)

    def place_order_sync(self, order: Mapping[str, Any]) -> Json:
        """Returns after matching, with the result."""
        return self.call("POST", f"{ORDERS}/sync", body=order)

    def place_orders(self, order_list: Sequence[Mapping[str, Any]]) -> JsonList:
        """Up to five orders, each with its own result."""
        return self.call("POST", f"{ORDERS}/multi", body={"orderList": list(order_list)})

    def test_order(self, order: Mapping[str, Any]) -> Json:
        """Validates an order without placing it."""
        return self.call("POST", f"{ORDERS}/test", body=order)

    def cancel_order(
        self, symbol: str, order_id: Optional[str] = None, client_oid: Optional[str] = None
    ) -> Json:
        return self.call("DELETE", f"{ORDERS}/{_name(order_id, client_oid)}", {"symbol": symbol})

    def cancel_order_sync(
        self, symbol: str, order_id: Optional[str] = None, client_oid: Optional[str] = None
    ) -> Json:
        return self.call("DELETE", f"{ORDERS}/sync/{_name(order_id, client_oid)}", {"symbol": symbol})

    def cancel_orders(self, symbol: str) -> str:
        """All orders of one symbol."""
        return self.call("DELETE", ORDERS, {"symbol": symbol})

    def alter_order(self, change: Mapping[str, Any]) -> Json:
        """Cancels an order and places one with another price or size, atomically."""
        return self.call("POST", f"{ORDERS}/alter", body=change)

    def order(self, symbol: str, order_id: Optional[str] = None, client_oid: Optional[str] = None) -> Json:
        return self.call("GET", f"{ORDERS}/{_name(order_id, client_oid)}", {"symbol": symbol})

    def open_orders(self, symbol: str) -> JsonList:
        return self.call("GET", f"{ORDERS}/active", {"symbol": symbol})

    def done_orders(self, symbol: str, last_id: Optional[int] = None, limit: Optional[int] = None) -> Json:
        return self.call("GET", f"{ORDERS}/done", {"symbol": symbol, "lastId": last_id, "limit": limit})

    def fills(
        self,
        symbol: str,
        order_id: Optional[str] = None,
        start_at: Optional[int] = None,
        end_at: Optional[int] = None,
        last_id: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Json:
        """Times are milliseconds of exchange time; both ends are included."""
        query: Query = {
            "symbol": symbol,
            "orderId": order_id,
            "startAt": start_at,
            "endAt": end_at,
            "lastId": last_id,
            "limit": limit,
        }
        return self.call("GET", "/api/v1/hf/fills", query)

    def set_dead_mans_switch(self, timeout_sec: int, symbols: Sequence[str] = ()) -> Any:
        """Cancels all orders unless it is called again within `timeout_sec`; -1 turns the switch off."""
        body = {"timeout": timeout_sec, **({"symbols": ",".join(symbols)} if symbols else {})}
        return self.call("POST", f"{ORDERS}/dead-cancel-all", body=body)

    def feed_token(self) -> Json:
        """A token for all topics of the feed."""
        return self.call("POST", "/api/v1/bullet-private")


def _sign(secret: str, text: str) -> str:
    digest = hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def _name(order_id: Optional[str], client_oid: Optional[str]) -> str:
    if order_id is not None:
        return quote(order_id, safe="")
    if client_oid is not None:
        return f"client-order/{quote(client_oid, safe='')}"
    raise TypeError("Neither order_id nor client_oid is given. Name the order by one of them.")
