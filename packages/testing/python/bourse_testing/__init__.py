"""An exchange in a test: its clock, snapshots, faults and expectations as methods. Needs only the standard library.

    from bourse_testing import start_exchange

    with start_exchange(clock="manual") as exchange:
        exchange.client("alice").place_order({"symbol": "BTC-USDT", ...})
"""

from .client import Client
from .errors import ApiError, ConnectionLost, ControlError, ExpectationFailed, StartError
from .exchange import CCXT_ADDRESSES, Exchange, connect
from .process import start_exchange
from .types import Connection, User

__all__ = [
    "CCXT_ADDRESSES",
    "ApiError",
    "Client",
    "Connection",
    "ConnectionLost",
    "ControlError",
    "Exchange",
    "ExpectationFailed",
    "StartError",
    "User",
    "connect",
    "start_exchange",
]
