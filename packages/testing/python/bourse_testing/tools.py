"""The control API in groups, one method per call."""

from __future__ import annotations

import json
from typing import Any, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote

from .http import Control
from .types import Advanced, Assertion, ClockMode, ClockState, Fault, Json, JsonList, MarketPreset, Position, Snapshot

#: The reason in the audit trail.
REASON = "test"


def _named(path: str, name: str) -> str:
    return f"{path}/{quote(name, safe='')}"


def _id(thing: Union[str, Mapping[str, Any]]) -> str:
    return thing if isinstance(thing, str) else thing["id"]


class Tool:
    def __init__(self, control: Control) -> None:
        self._control = control


class ClockTool(Tool):
    def read(self) -> ClockState:
        return self._control.get("/clock")

    def set(self, mode: ClockMode, speed: Optional[float] = None) -> ClockState:
        """`speed` only for a scaled clock. Time continues from where it is."""
        return self._control.post("/clock", {"mode": mode, "speed": speed})

    def advance(self, ms: int) -> Position:
        """Only for a manual clock. Returns when everything due in between has happened."""
        return self._control.post("/clock/advance", {"ms": ms})

    def advance_until_idle(
        self, step_ms: Optional[int] = None, quiet_ms: Optional[int] = None, max_ms: Optional[int] = None
    ) -> Advanced:
        """Advances a manual clock in steps while the bot under test sends requests or has some in flight; ends after
        `quiet_ms` of wall time without any."""
        body = {"stepMs": step_ms, "quietMs": quiet_ms, "maxMs": max_ms}
        return self._control.post("/clock/advance-until-idle", body)


class MarketTool(Tool):
    def read(self) -> Json:
        return self._control.get("/market")

    def set(
        self,
        preset: Optional[MarketPreset] = None,
        seed: Optional[int] = None,
        symbols: Optional[Sequence[str]] = None,
    ) -> Json:
        return self._control.post("/market", {"preset": preset, "seed": seed, "symbols": symbols})

    def shock(self, factor: float, symbol: Optional[str] = None, currency: Optional[str] = None) -> Any:
        """Multiplies the value of a symbol, or of a currency in all symbols."""
        body = {"factor": factor, "symbol": symbol, "currency": currency}
        return self._control.post("/market/shock", body)

    def start_replay(self, symbol: str, file: str, speed: Optional[float] = None) -> Json:
        """Recordings in other symbols keep playing."""
        return self._control.post("/market/replay", {"symbol": symbol, "file": file, "speed": speed})

    def replay(self) -> Json:
        return self._control.get("/market/replay")

    def stop_replay(self, symbol: Optional[str] = None) -> Json:
        """In one symbol, or in all of them."""
        return self._control.delete("/market/replay", {"symbol": symbol})


class SnapshotTool(Tool):
    def take(self, name: Optional[str] = None) -> Snapshot:
        return self._control.post("/snapshots", {"name": name})

    def restore(self, snapshot: Union[str, Snapshot]) -> Position:
        """By id or name. Restores the complete state; sockets are closed with 1012."""
        return self._control.post(f"{_named('/snapshots', _id(snapshot))}/restore")

    def list(self) -> List[Snapshot]:
        return self._control.get("/snapshots")

    def remove(self, snapshot: Union[str, Snapshot]) -> None:
        self._control.delete(_named("/snapshots", _id(snapshot)))


class SymbolTool(Tool):
    """The trading state of a symbol, as an operator sets it."""

    def halt(self, symbol: str) -> Any:
        """Rejects every order and cancellation."""
        return self._set(symbol, "halted")

    def cancel_only(self, symbol: str) -> Any:
        """Rejects orders, accepts cancellations."""
        return self._set(symbol, "cancel-only")

    def open(self, symbol: str) -> Any:
        return self._set(symbol, "open")

    def _set(self, symbol: str, state: str) -> Any:
        return self._control.post(f"{_named('/v1/symbols', symbol)}/state", {"state": state, "reason": REASON})


class FeeTool(Tool):
    """Maker and taker rates. Open orders keep the rates they were placed with."""

    def list(self) -> JsonList:
        return self._control.get("/v1/fees")

    def set(self, maker: str, taker: str, user: Optional[str] = None, symbol: Optional[str] = None) -> JsonList:
        """For a user, a symbol, both, or everybody; 0.001 is a tenth of a per cent."""
        body = {"maker": maker, "taker": taker, "userId": user, "symbol": symbol, "reason": REASON}
        return self._control.post("/v1/fees", body)

    def remove(self, user: Optional[str] = None, symbol: Optional[str] = None) -> JsonList:
        """Removes the rule for exactly this user, symbol, both or neither."""
        return self._control.delete("/v1/fees", {"userId": user, "symbol": symbol, "reason": REASON})


class FaultTool(Tool):
    def add(self, rule: Mapping[str, Any]) -> Fault:
        """`match`, `effect`, `probability`, `after`, `every`, `times`, `seed`."""
        return self._control.post("/faults", rule)

    def list(self) -> List[Fault]:
        return self._control.get("/faults")

    def remove(self, fault: Union[str, Fault]) -> None:
        self._control.delete(_named("/faults", _id(fault)))

    def clear(self) -> None:
        """All faults, including those of scenarios."""
        self._control.delete("/faults")


class ScenarioTool(Tool):
    def list(self) -> JsonList:
        return self._control.get("/scenarios")

    def start(self, name: str) -> None:
        self._control.post(_named("/scenarios", name))

    def end(self, name: str) -> None:
        self._control.delete(_named("/scenarios", name))


class AssertionTool(Tool):
    def add(self, name: str, rule: Mapping[str, Any]) -> Assertion:
        """Checked at every event from now on: `always` must hold, `never` must not occur."""
        return self._control.post("/assertions", {"name": name, **rule})

    def list(self) -> List[Assertion]:
        return self._control.get("/assertions")

    def remove(self, name: str) -> None:
        self._control.delete(_named("/assertions", name))

    def verify(self) -> None:
        """Raises `AssertionError` unless all hold; it names the event that broke each one."""
        broken = [each for each in self.list() if not each["holds"]]
        if broken:
            raise AssertionError(
                "\n".join(f"'{each['name']}' was broken by {json.dumps(each['brokenBy'])}" for each in broken)
            )
