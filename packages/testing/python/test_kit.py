"""Run by packages/testing/test/python.test.ts, with the package installed from its wheel."""

import pytest
from bourse_testing import (
    CCXT_ADDRESSES,
    ApiError,
    ConnectionLost,
    ControlError,
    ExpectationFailed,
    StartError,
    connect,
    start_exchange,
)

SYMBOL = "BTC-USDT"
BID = {"symbol": SYMBOL, "type": "limit", "side": "buy", "price": "20000", "size": "0.1"}


def test_an_order_ends_after_a_minute(exchange, alice):
    order_id = alice.place_order({**BID, "timeInForce": "GTT", "cancelAfter": 60})["orderId"]
    exchange.clock.advance(59_000)
    assert alice.order(SYMBOL, order_id)["active"]
    exchange.clock.advance(1_000)
    assert not alice.order(SYMBOL, order_id)["active"]


def test_each_test_begins_with_the_first_state(exchange, alice):
    assert alice.open_orders(SYMBOL) == []
    assert alice.done_orders(SYMBOL)["items"] == []


def test_a_lost_response(exchange, alice):
    match = {"user": "alice", "method": "POST", "route": "/api/v1/hf/orders"}
    fault = exchange.faults.add({"match": match, "effect": {"kind": "drop-reply"}, "times": 1})
    with pytest.raises(ConnectionLost):
        alice.place_order({**BID, "clientOid": "mine-1"})
    assert alice.order(SYMBOL, client_oid="mine-1")["price"] == "20000"
    assert [each["hits"] for each in exchange.faults.list()] == [1]
    exchange.faults.remove(fault)
    assert exchange.faults.list() == []


def test_expectations(exchange, alice, bob):
    start = exchange.seq()
    order_id = alice.place_order({**BID, "side": "sell", "price": "60000"})["orderId"]
    bob.place_order({"symbol": SYMBOL, "type": "market", "side": "buy", "size": "0.05"})
    fill = exchange.expect({"kind": "fill", "where": {"user": "alice", "orderId": order_id}}, from_=start)
    assert (fill["price"], fill["size"], fill["liquidity"]) == ("60000", "0.05", "maker")
    with pytest.raises(ExpectationFailed, match="No fill with .* within 1 ms; closest: ") as failed:
        exchange.expect({"kind": "fill", "where": {"user": "carol"}}, within_ms=1, from_=start)
    assert failed.value.closest
    assert exchange.report("alice")["user"]


def test_errors_say_what_is_wrong(exchange, alice):
    with pytest.raises(ApiError, match="increment") as refused:
        alice.place_order({**BID, "price": "20000.0000001"})
    assert refused.value.code == "400100"
    with pytest.raises(ControlError) as rejected:
        exchange.clock.advance(-1)
    assert rejected.value.status == 400
    with pytest.raises(KeyError, match="Unknown user 'nobody'"):
        exchange.user("nobody")
    with pytest.raises(StartError, match="clock: 'slow'"):
        start_exchange(clock="slow")
    with pytest.raises(StartError, match="data: start_exchange sets this itself"):
        start_exchange(settings={"data": "x"})


def test_users_fees_states_and_assertions(exchange):
    dora = exchange.new_user("dora", {"USDT": "500"})
    assert exchange.user("dora") == dora
    assert exchange.faucet("dora", "BTC", "2", account="trade") == "2"
    client = exchange.client("dora")
    assert {each["currency"] for each in client.accounts(type="trade")} == {"BTC", "USDT"}
    exchange.fees.set("0", "0.01", user="dora")
    assert len([rule for rule in exchange.fees.list() if rule["userId"] == dora["userId"]]) == 1
    exchange.fees.remove(user="dora")
    exchange.assertions.add("few orders", {"always": {"user": "dora", "openOrdersMax": 0}})
    exchange.assertions.verify()
    client.place_order({**BID, "price": "10", "size": "1"})
    with pytest.raises(AssertionError, match="'few orders' was broken by"):
        exchange.assertions.verify()
    exchange.symbols.halt(SYMBOL)
    with pytest.raises(ApiError):
        client.place_order({**BID, "price": "10", "size": "1"})
    exchange.symbols.open(SYMBOL)


def test_forks_and_connections(exchange, alice):
    with exchange.fork() as second:
        second.client("alice").place_order(BID)
        assert len(second.client("alice").open_orders(SYMBOL)) == 1
        assert alice.open_orders(SYMBOL) == []
    same = connect(exchange.connection)
    same.stop()
    assert same.overview()["seed"] == 1
    assert {name for name in exchange.ccxt("alice")["urls"]["api"]} == set(CCXT_ADDRESSES)


def test_market_scenarios_and_requests(exchange, alice):
    exchange.market.set(preset="calm", symbols=[SYMBOL])
    exchange.clock.advance(60_000)
    assert float(alice.ticker(SYMBOL)["price"]) > 0
    exchange.market.shock(0.9, symbol=SYMBOL)
    exchange.scenarios.start("stress")
    assert [each["name"] for each in exchange.scenarios.list() if each["running"]] == ["stress"]
    exchange.scenarios.end("stress")
    assert exchange.requests(user="alice", limit=1)[0]["status"] == 200
    assert exchange.clock.advance_until_idle(max_ms=1000)["isIdle"]
