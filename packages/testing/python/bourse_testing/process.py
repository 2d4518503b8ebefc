"""Starts an exchange in a child process, on a free port and in a temporary directory."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .errors import StartError
from .exchange import Exchange
from .types import Connection, MarketPreset

DEFAULTS: Dict[str, Any] = {"market": "quiet", "port": 0, "logLevel": "silent"}
#: The kit manages the directory itself; a venue has no control API, so it could not be used.
NOT_SETTABLE = ("data", "configOut", "venue")
STOP_TIMEOUT_S = 120


def start_exchange(
    market: Optional[MarketPreset] = None,
    clock: Optional[str] = None,
    seed: Optional[int] = None,
    time: Optional[int] = None,
    recordings: Optional[str] = None,
    settings: Mapping[str, Any] = {},
    command: Union[str, Sequence[str], None] = None,
) -> Exchange:
    """The options are those of the test kit for Node. `command` runs `bourse`; by default it is `BOURSE_COMMAND` of the
    environment, `node_modules/.bin/bourse` of this folder or one above it, or `bourse` in the path."""
    words = {"market": market, "clock": clock, "seed": seed, "time": time, "recordings": recordings}
    for name in settings:
        if name in NOT_SETTABLE:
            raise StartError(f"{name}: start_exchange sets this itself. Omit it.")
    given = {**DEFAULTS, **settings, **{name: value for name, value in words.items() if value is not None}}
    process = _Process(find_command(command), given)
    return Exchange(process.connection, process.stop)


def find_command(command: Union[str, Sequence[str], None] = None) -> List[str]:
    given = os.environ.get("BOURSE_COMMAND") if command is None else command
    if given is not None:
        return shlex.split(given) if isinstance(given, str) else list(given)
    folder = os.getcwd()
    while True:
        path = os.path.join(folder, "node_modules", ".bin", "bourse")
        if os.path.exists(path):
            return [path]
        if folder == os.path.dirname(folder):
            break
        folder = os.path.dirname(folder)
    found = shutil.which("bourse")
    if found is not None:
        return [found]
    raise StartError(
        "No bourse found: neither BOURSE_COMMAND, nor node_modules/.bin/bourse in this folder or above it, nor bourse "
        "in the path. Install the npm package @bourse/testing, or pass command=."
    )


class _Process:
    def __init__(self, command: Sequence[str], settings: Mapping[str, Any]) -> None:
        self._directory = tempfile.mkdtemp(prefix="bourse-testing-")
        config = os.path.join(self._directory, "start_exchange.json")
        with open(config, "w", encoding="utf-8") as file:
            json.dump(settings, file)
        data = os.path.join(self._directory, "data")
        line = [*command, "start", "--config", config, "--data", data, "--json"]
        self._errors = open(os.path.join(self._directory, "errors"), "w+b")
        # Settings come from this function alone, and options of another Node are not for this one.
        env = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("BOURSE_") and name != "NODE_OPTIONS"
        }
        # Node's channel to its parent: the exchange stops when it closes, so even if this process is killed.
        self._channel: Optional[socket.socket] = None
        theirs: Optional[socket.socket] = None
        if os.name == "posix":
            self._channel, theirs = socket.socketpair()
            env["NODE_CHANNEL_FD"] = str(theirs.fileno())
        try:
            self._child = subprocess.Popen(
                line,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                pass_fds=() if theirs is None else (theirs.fileno(),),
            )
        except OSError as error:
            self._clean()
            raise StartError(f"{command[0]} cannot be run: {error.strerror}.") from error
        finally:
            if theirs is not None:
                theirs.close()
        atexit.register(self.stop)
        self.connection = self._read_connection()

    def _read_connection(self) -> Connection:
        """The exchange prints one line of JSON when it is ready."""
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if line:
            return json.loads(line)
        code = self._child.wait()
        self._errors.seek(0)
        printed = self._errors.read().decode(errors="replace").strip()
        self._child.stdout.close()
        self._clean()
        raise StartError(printed or f"The exchange ended before it was ready ({code}).")

    def stop(self) -> None:
        if self._child.stdout is None or self._child.stdout.closed:
            return
        self._child.terminate()
        try:
            # A wrapper such as npx exits before the exchange, whose output ends when it has stopped.
            self._child.communicate(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
            self._child.stdout.close()
        self._clean()

    def _clean(self) -> None:
        if self._channel is not None:
            self._channel.close()
        self._errors.close()
        atexit.unregister(self.stop)
        shutil.rmtree(self._directory, ignore_errors=True)
