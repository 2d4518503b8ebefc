"""A bot in Python on simulated time: it buys what fell and sells what rose, in `calm` for an hour.

    pip install dist/bourse_testing-0.1.0-py3-none-any.whl
    python3 examples/bot-python.py calm 1
"""

import sys

from bourse_testing import start_exchange

SYMBOL, SIZE, HELD_MAX = "BTC-USDT", 0.1, 0.5
#: Rounds over which the average is taken, and how far from it the price must be.
ROUNDS, DISTANCE = 20, 0.0005

market, hours = (sys.argv[1:] + ["calm", "1"][len(sys.argv) - 1 :])[:2]
with start_exchange(market=market, clock="manual") as exchange:
    alice = exchange.client("alice")
    start = exchange.clock.read()["time"]
    prices, held = [], 0.0
    for _ in range(int(float(hours) * 360)):
        price = float(alice.ticker(SYMBOL)["price"])
        prices = [*prices, price][-ROUNDS:]
        away = price / (sum(prices) / len(prices)) - 1
        side = "buy" if away < -DISTANCE and held < HELD_MAX else "sell" if away > DISTANCE and held > -HELD_MAX else None
        if side is not None:
            alice.place_order_sync({"symbol": SYMBOL, "type": "market", "side": side, "size": str(SIZE)})
            held += SIZE if side == "buy" else -SIZE
        exchange.clock.advance(10_000)
    report = exchange.report("alice", from_=start)
    fills, pnl = report["fills"]["count"], report["pnl"]
    print(f"{fills} fills, fees {float(pnl['fees']):.2f} USDT, earned {float(pnl['trading']):.2f} USDT")
