"""The engine: one process that answers over its standard input and output (packages/bridge/src/wire/frames.ts has the form of a message).

It starts with the first call, ends with this process, and is started again after a crash. A fork gets one of its own.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from ._errors import WinnowError, error_of
from ._node import find_node
from ._values import decode, encode

PROTOCOL = 1
_REQUEST, _REPLY, _FAILURE, _CALLBACK, _RETURNED, _THREW = 1, 2, 3, 4, 5, 6
_HEAD = struct.Struct("<4sHHIIII")
_LONGEST_TEXT = 2**29
_MOST_BUFFERS = 2**16
_LONGEST_BUFFER = 2**36
_PIPE_BYTES = 2**20
_ENGINE = Path(__file__).parent / "engine" / "engine.mjs"

Callback = Callable[..., Any]
Own = TypeVar("Own", bound="EngineObject")


class EngineStopped(WinnowError):
    """The engine's process ended in the middle of a call. The next call starts another one."""

    def __init__(self) -> None:
        super().__init__("engine-stopped", "The engine stopped before it answered.", next="Call again.")

    def __reduce__(self) -> tuple[Any, ...]:
        return (EngineStopped, ())


class _Process:
    """One process of the engine, and the messages to and from it."""

    def __init__(self) -> None:
        flags = ["--no-warnings", "--max-old-space-size=4096"]
        self.process = subprocess.Popen(
            [find_node(), *flags, str(_ENGINE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={name: value for name, value in os.environ.items() if name not in ("NODE_OPTIONS", "NODE_PATH")},
            start_new_session=sys.platform != "win32",  # Ctrl-C is for Python, which ends the engine
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input = self.process.stdin.fileno()
        self.output = self.process.stdout.fileno()
        self.numbers = itertools.count(1)
        self.dropped: list[int] = []
        for pipe in (self.input, self.output):
            _widen(pipe)

    def stop(self) -> None:
        process = self.process
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass
        process.kill()
        process.wait()

    def abandon(self) -> None:
        """In a fork: the process belongs to the parent; only our ends of its pipes are closed."""
        for pipe in (self.input, self.output):
            try:
                os.close(pipe)
            except OSError:
                pass
        # Neither waits for it nor closes the descriptors again.
        self.process.returncode = 0
        self.process.stdin = self.process.stdout = None

    def send(self, kind: int, number: int, body: Any, buffers: Sequence[memoryview]) -> None:
        text = json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")
        head = _HEAD.pack(b"wnow", PROTOCOL, kind, number, len(text), len(buffers), 0)
        sizes = struct.pack(f"<{len(buffers)}Q", *(part.nbytes for part in buffers))
        self._write(memoryview(head + sizes + text))
        for part in buffers:
            self._write(part)

    def _write(self, data: memoryview) -> None:
        while data.nbytes:
            try:
                done = os.write(self.input, data[:_AT_ONCE])
            except OSError as error:
                raise EngineStopped from error
            data = data[done:]

    def receive(self) -> tuple[int, int, Any, list[bytearray]]:
        magic, version, kind, number, length, count, rest = _HEAD.unpack(self._read(_HEAD.size))
        ours = magic == b"wnow" and version == PROTOCOL and rest == 0 and _REPLY <= kind <= _CALLBACK
        if not ours or length > _LONGEST_TEXT or count > _MOST_BUFFERS:
            raise EngineStopped
        sizes = struct.unpack(f"<{count}Q", self._read(8 * count))
        if any(size > _LONGEST_BUFFER for size in sizes):
            raise EngineStopped
        text = self._read(length)
        buffers = [self._read(size) for size in sizes]
        try:
            return kind, number, json.loads(text), buffers
        except ValueError as error:
            raise EngineStopped from error

    def _read(self, size: int) -> bytearray:
        data = bytearray(size)
        view, done = memoryview(data), 0
        while done < size:
            try:
                got = os.readv(self.output, [view[done:]]) if _HAS_READV else self._read_some(view[done:])
            except OSError as error:
                raise EngineStopped from error
            if got == 0:
                raise EngineStopped
            done += got
        return data

    def _read_some(self, view: memoryview) -> int:
        part = os.read(self.output, min(len(view), _PIPE_BYTES))
        view[: len(part)] = part
        return len(part)


_AT_ONCE = 2**30
_HAS_READV = hasattr(os, "readv")


def _widen(pipe: int) -> None:
    """A wide pipe is faster; where the system has none, the usual one does."""
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass


class Engine:
    """Starts processes and lets one thread after the other talk to the one that runs."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: _Process | None = None

    @contextmanager
    def _running(self) -> Iterator[_Process]:
        with self._lock:
            if self._process is not None and self._process.process.poll() is not None:
                self._end()
            if self._process is None:
                self._process = _Process()
                try:
                    self._greet(self._process)
                except BaseException:
                    self._end()
                    raise
            yield self._process

    def _greet(self, process: _Process) -> None:
        try:
            answer = self._exchange(process, {"op": "hello"})
        except EngineStopped as error:
            raise WinnowError(
                "no-engine", "The engine can't be started.", next="Check WINNOW_NODE: it must be Node 22.13 or later."
            ) from error
        if answer["protocol"] != PROTOCOL:
            raise WinnowError("no-engine", "The engine is of another version.", next="Install winnow-dp again.")

    def ask(self, request: dict[str, Any]) -> Any:
        """Sends a request and returns the answer."""
        with self._running() as process:
            if process.dropped:
                numbers, process.dropped = process.dropped, []
                self._exchange(process, {"op": "forget", "given": numbers})
            try:
                return self._exchange(process, request)
            except (EngineStopped, KeyboardInterrupt, SystemExit, GeneratorExit):
                self._end()  # the messages that are under way belong to a call that is over
                raise

    def _exchange(self, process: _Process, request: dict[str, Any]) -> Any:
        number = next(process.numbers) & 0xFFFFFFFF
        buffers: list[memoryview] = []
        callbacks: list[Callback] = []
        body = {**request, "given": encode(request.get("given", []), buffers, callbacks, process)}
        process.send(_REQUEST, number, body, buffers)
        thrown: BaseException | None = None
        while True:
            kind, answered, sent, parts = process.receive()
            if kind == _CALLBACK:
                thrown = self._call_back(process, answered, sent, parts, callbacks) or thrown
                continue
            if answered != number:
                raise EngineStopped
            if kind == _REPLY:
                return decode(sent, parts, process)
            raise thrown if thrown is not None and sent.get("type") == "callback" else error_of(sent)

    def _call_back(
        self, process: _Process, number: int, sent: Any, parts: list[bytearray], callbacks: list[Callback]
    ) -> BaseException | None:
        try:
            given = decode(sent["given"], parts, process)
            result = callbacks[sent["f"]](*given)
            buffers: list[memoryview] = []
            body = encode(result, buffers, callbacks, process)
        except (EngineStopped, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - it is raised again by the call that led here
            process.send(_THREW, number, None, [])
            return error
        process.send(_RETURNED, number, body, buffers)
        return None

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def stop(self) -> None:
        """Ends the process; the next call starts another one."""
        with self._lock:
            self._end()

    def after_fork(self) -> None:
        """In the child: the process is the parent's, and another thread may have held the lock."""
        self._lock = threading.RLock()
        process, self._process = self._process, None
        if process is not None:
            process.abandon()

    @property
    def pid(self) -> int:
        """The number of the process that runs, starting it if none does."""
        with self._running() as process:
            return process.process.pid


engine = Engine()
atexit.register(engine.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=engine.after_fork)


def call(name: str, given: Sequence[Any]) -> Any:
    """Calls a function of the library."""
    return engine.ask({"op": "call", "name": name, "given": given})


def new(name: str, given: Sequence[Any]) -> Reference:
    """Makes an object of a class of the library."""
    reference: Reference = engine.ask({"op": "new", "name": name, "given": given})
    return reference


class Reference:
    """An object that stays in the engine, by its number."""

    def __init__(self, process: _Process, number: int) -> None:
        self.process = process
        self.number = number
        weakref.finalize(self, process.dropped.append, number).atexit = False

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("An object of the engine belongs to its process: it can't be pickled.")


class EngineObject:
    """An object that stays in the engine. It is lost if the engine stops."""

    def __init__(self, reference: Reference) -> None:
        self._reference = reference

    @classmethod
    def _adopt(cls: type[Own], reference: Reference) -> Own:
        made = cls.__new__(cls)
        EngineObject.__init__(made, reference)
        return made

    def _method(self, name: str, given: Sequence[Any]) -> Any:
        return self._ask({"op": "method", "name": name, "given": given})

    def _field(self, name: str) -> Any:
        return self._ask({"op": "get", "name": name})

    def _ask(self, request: dict[str, Any]) -> Any:
        # The engine that has it must be the one that runs.
        if engine._process is not self._reference.process:
            raise WinnowError("engine-stopped", f"This {type(self).__name__} was lost when the engine stopped.", next="Make it again.")
        return engine.ask({**request, "on": self._reference.number})
