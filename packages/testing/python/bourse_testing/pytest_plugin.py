"""Fixtures for pytest, found by themselves once the package is installed.

Each test has the exchange as it was at the start: the same process, restored to its first snapshot.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator

import pytest

from .client import Client
from .exchange import Exchange
from .process import start_exchange


@pytest.fixture(scope="session")
def bourse_options() -> Dict[str, Any]:
    """The options of `start_exchange`. Override it in `conftest.py` for another market or clock."""
    return {"clock": "manual"}


@pytest.fixture(scope="session")
def bourse_process(bourse_options: Dict[str, Any]) -> Iterator[Exchange]:
    """One exchange for all tests, with whatever they left in it."""
    with start_exchange(**bourse_options) as running:
        running.snapshots.take("start")
        yield running


@pytest.fixture
def exchange(bourse_process: Exchange) -> Iterator[Exchange]:
    """The exchange as it was at the start, without faults and assertions."""
    yield bourse_process
    bourse_process.faults.clear()
    for assertion in bourse_process.assertions.list():
        bourse_process.assertions.remove(assertion["name"])
    bourse_process.snapshots.restore("start")


@pytest.fixture
def alice(exchange: Exchange) -> Client:
    return exchange.client("alice")


@pytest.fixture
def bob(exchange: Exchange) -> Client:
    return exchange.client("bob")
