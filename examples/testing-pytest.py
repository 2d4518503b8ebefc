"""A bot's tests in Python, with only the standard library, against an exchange in another process:

    pytest examples/testing-pytest.py
    python3 -m unittest examples/testing-pytest.py
"""

import base64
import hashlib
import hmac
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from http.client import RemoteDisconnected

COMMAND = shlex.split(os.environ.get("BOURSE_COMMAND", "node_modules/.bin/bourse"))
SYMBOL = "BTC-USDT"


class Exchange:
    """Runs `bourse start` in a temporary directory, on a free port."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="bourse-testing-")
        options = ["--market", "quiet", "--clock", "manual", "--port", "0", "--json"]
        data = os.path.join(self.directory, "data")
        self.process = subprocess.Popen(
            [*COMMAND, "start", *options, "--data", data], stdout=subprocess.PIPE, text=True
        )
        self.connection = self._connection()
        self.users = {user["name"]: user for user in self.connection["users"]}

    def _connection(self):
        """The exchange prints one line of JSON when it is ready."""
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.stop()
        raise RuntimeError(f"the exchange did not start: {self.process.args}")

    def stop(self):
        """npx exits before its child; the exchange has stopped when its output ends."""
        self.process.terminate()
        self.process.stdout.read()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def control(self, method, path, body=None):
        """Calls the control API."""
        headers = {"Authorization": "Bearer " + self.connection["operatorToken"]}
        return send(method, self.connection["sandboxUrl"] + path, body, headers)

    def operator(self, method, path, body=None):
        """Calls the operator API."""
        headers = {"Authorization": "Bearer " + self.connection["operatorToken"]}
        return send(method, self.connection["operatorUrl"] + path, body, headers)

    def set_state(self, symbol, state):
        """`halted`, `cancel-only` or `open`."""
        return self.operator("POST", f"/v1/symbols/{symbol}/state", {"state": state, "reason": "test"})

    def set_fees(self, maker, taker, **of):
        """For a user (`userId`), a symbol (`symbol`), both, or everybody."""
        return self.operator("POST", "/v1/fees", {**of, "maker": maker, "taker": taker, "reason": "test"})

    def call(self, name, method, path, body=None):
        """Sends a request signed by a user."""
        user = self.users[name]
        now = str(int(time.time() * 1000))
        text = "" if body is None else json.dumps(body)
        headers = {
            "KC-API-KEY": user["apiKey"],
            "KC-API-SIGN": sign(user["apiSecret"], now + method + path + text),
            "KC-API-TIMESTAMP": now,
            "KC-API-PASSPHRASE": sign(user["apiSecret"], user["apiPassphrase"]),
            "KC-API-KEY-VERSION": "3",
        }
        answer = send(method, self.connection["compatUrl"] + path, body, headers)
        if answer["code"] != "200000":
            raise RuntimeError(answer)
        return answer["data"]


def sign(secret, text):
    digest = hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def send(method, url, body, headers):
    data = None if body is None else json.dumps(body).encode()
    if data is not None:
        headers = {**headers, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            raise RuntimeError(error.read().decode()) from None


class BotTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.exchange = Exchange()
        cls.addClassCleanup(cls.exchange.stop)

    def place(self, **more):
        order = {"symbol": SYMBOL, "type": "limit", "side": "buy", "price": "20000", "size": "0.1"}
        return self.exchange.call("alice", "POST", "/api/v1/hf/orders", {**order, **more})

    def order(self, name):
        return self.exchange.call("alice", "GET", f"/api/v1/hf/orders/{name}?symbol={SYMBOL}")

    def open_orders(self):
        return self.exchange.call("alice", "GET", f"/api/v1/hf/orders/active?symbol={SYMBOL}")

    def test_order_ends_after_a_minute(self):
        order_id = self.place(timeInForce="GTT", cancelAfter=60)["orderId"]
        self.exchange.control("POST", "/clock/advance", {"ms": 59000})
        self.assertTrue(self.order(order_id)["active"])
        self.exchange.control("POST", "/clock/advance", {"ms": 1000})
        self.assertFalse(self.order(order_id)["active"])

    def test_lost_answer_and_restore(self):
        before = self.exchange.control("POST", "/snapshots", {"name": "before"})
        match = {"user": "alice", "method": "POST", "route": "/api/v1/hf/orders"}
        rule = {"match": match, "effect": {"kind": "drop-reply"}, "times": 1}
        self.exchange.control("POST", "/faults", rule)
        with self.assertRaises(RemoteDisconnected):
            self.place(clientOid="mine-1")
        found = self.order("client-order/mine-1")
        self.assertEqual((found["active"], found["price"]), (True, "20000"))
        self.exchange.control("POST", f"/snapshots/{before['id']}/restore", {})
        self.assertEqual(self.open_orders(), [])


if __name__ == "__main__":
    unittest.main()
