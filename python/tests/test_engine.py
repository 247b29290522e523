"""The process behind the library: it starts by itself, ends with its program, and nothing it is sent or sends makes it guess."""

from __future__ import annotations

import asyncio
import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import winnow_dp as winnow
from winnow_dp import _node
from winnow_dp._engine import _HEAD, PROTOCOL, EngineStopped, _Process
from winnow_dp.testing import seeded_entropy

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks")
SCORES = [5, 3, 9, 1]


def best(_: Any = None) -> list[int | None]:
    return [winner.candidate for winner in winnow.top_k([0, 1000, 0], k=1, epsilon=10).winners]


def test_it_starts_with_the_first_call_and_stays(fresh_engine: Any) -> None:
    assert fresh_engine._process is None
    assert best() == [1]
    first = fresh_engine.pid
    assert best() == [1]
    assert fresh_engine.pid == first


@POSIX
def test_after_a_kill_the_next_call_starts_another(fresh_engine: Any) -> None:
    first = fresh_engine.pid
    os.kill(first, signal.SIGKILL)
    fresh_engine._process.process.wait()
    assert best() == [1]
    assert fresh_engine.pid != first


@POSIX
def test_a_kill_in_the_middle_of_a_call_is_an_error_that_says_so(fresh_engine: Any) -> None:
    def killed(_: Any) -> int:
        os.kill(fresh_engine._process.process.pid, signal.SIGKILL)
        return 1

    with pytest.raises(EngineStopped) as caught:
        winnow.base2_exponential([1, 2], killed, eta=winnow.eta(1, 1), lower=0, upper=5, max_candidates=3)
    assert caught.value.code == "engine-stopped"
    assert best() == [1]


@POSIX
def test_objects_of_an_engine_that_ended_are_lost_and_say_so(fresh_engine: Any) -> None:
    stream = winnow.TopKStream(k=1, epsilon=1)
    stream.push("a", 1)
    fresh_engine.stop()
    with pytest.raises(winnow.WinnowError, match="was lost when the engine stopped"):
        stream.finish()
    assert best() == [1]
    with pytest.raises(winnow.WinnowError) as caught:
        stream.push("b", 2)
    assert caught.value.code == "engine-stopped"


@POSIX
def test_it_ends_when_its_program_is_killed(tmp_path: Path) -> None:
    script = "import winnow_dp._engine as e, sys, time; print(e.engine.pid, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=_env()) as program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        assert _runs(pid)
        program.kill()
        program.wait()
        deadline = time.monotonic() + 60
        while _runs(pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z"
    except FileNotFoundError:
        return False


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(winnow.__file__).parents[1])}


@POSIX
def test_a_fork_has_an_engine_of_its_own(fresh_engine: Any) -> None:
    ours = fresh_engine.pid
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover - the other process
        try:
            assert best() == [1]
            os.write(writer, struct.pack("<I", fresh_engine.pid))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    theirs = struct.unpack("<I", os.read(reader, 4))[0]
    os.close(reader)
    assert theirs != ours
    assert fresh_engine.pid == ours
    assert best() == [1]


def test_threads_take_turns() -> None:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(best, range(64))) == [[1]] * 64


def test_a_thread_inside_a_callback_does_not_mix_with_another() -> None:
    answers: list[Any] = []
    others = [threading.Thread(target=lambda: answers.append(best())) for _ in range(4)]

    def slow(value: int) -> int:
        for other in others:
            if other.ident is None:
                other.start()
        return value

    winnow.base2_exponential([1, 2], slow, eta=winnow.eta(1, 1), lower=0, upper=5, max_candidates=3)
    for other in others:
        other.join()
    assert answers == [[1]] * 4


@pytest.mark.parametrize("method", ["spawn"] if sys.platform == "win32" else ["spawn", "fork"])
def test_a_pool_of_processes_works(method: str) -> None:
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(best, range(4)) == [[1]] * 4


def test_it_works_under_asyncio() -> None:
    async def several() -> list[Any]:
        return list(await asyncio.gather(*(asyncio.to_thread(best) for _ in range(8))))

    assert asyncio.run(several()) == [[1]] * 8


def test_an_error_in_a_function_of_the_program_is_raised_again_and_the_engine_goes_on() -> None:
    class Ours(Exception):
        pass

    def fails(_: Any) -> int:
        raise Ours

    with pytest.raises(Ours):
        winnow.base2_exponential([1], fails, eta=winnow.eta(1, 1), lower=0, upper=5, max_candidates=3)
    assert best() == [1]


def test_outcomes_and_outputs_stay_what_they_are() -> None:
    outcomes = [object(), (1, 2), {3}]
    chosen = winnow.base2_exponential(
        outcomes, lambda each: outcomes.index(each), eta=winnow.eta(1, 1), lower=0, upper=5, max_candidates=3
    )
    assert chosen.outcome is outcomes[chosen.candidate]
    model = object()
    released = winnow.select_private_candidate(
        lambda _: {"output": model, "score": 1},
        loss=winnow.pure("0.1"),
        runs={"law": "poisson", "mean": 50},
        entropy=seeded_entropy(1),
    )
    assert released.output is model


def test_objects_that_no_one_holds_are_forgotten(fresh_engine: Any) -> None:
    best()
    process = fresh_engine._process
    for _ in range(10):
        winnow.make_noisy_top_k(k=1, measure="pure", scale=1)
    assert len(process.dropped) >= 1
    best()
    assert process.dropped == []


class TestMessages:
    """What no program of ours sends ends the engine; what no engine of ours sends ends the call."""

    def sent(self, data: bytes) -> int:
        process = _Process()
        try:
            os.write(process.input, data)
            assert process.process.stdin is not None
            process.process.stdin.close()
            return process.process.wait(60)
        finally:
            process.stop()

    def head(self, **changed: int) -> bytes:
        parts = {"version": PROTOCOL, "kind": 1, "number": 1, "length": 2, "count": 0, "rest": 0} | changed
        return _HEAD.pack(b"wnow", *parts.values())

    def test_a_request_is_answered(self) -> None:
        assert self.sent(self.head() + b"{}") == 0

    @pytest.mark.parametrize(
        "data",
        [
            b"GET / HTTP/1.1\r\nHost: engine\r\n\r\n",
            b"wnow",
            {"version": PROTOCOL + 1},
            {"kind": 9},
            {"kind": 2},
            {"rest": 1},
            {"length": 2**31},
            {"length": 3},
            {"count": 2**20},
            {"count": 1},
        ],
        ids=str,
    )
    def test_anything_else_ends_it(self, data: Any) -> None:
        message = self.head(**data) + b"{}" if isinstance(data, dict) else data
        assert self.sent(message) == 70

    def test_text_that_is_not_json_ends_it(self) -> None:
        assert self.sent(self.head() + b"{]") == 70

    @pytest.mark.parametrize("name", ["constructor", "__proto__", "toString", "hasOwnProperty", "Function", "nothing"])
    def test_only_what_the_library_exports_can_be_called(self, name: str) -> None:
        from winnow_dp._engine import call, new

        for way in (call, new):
            with pytest.raises(winnow.WinnowError) as caught:
                way(name, [])
            assert caught.value.code == "invalid-parameter"

    @pytest.mark.parametrize("answer", [b"", b"wnow" + bytes(20), b"HTTP" + bytes(40)], ids=["none", "zeros", "other"])
    def test_a_program_that_is_no_engine_is_refused(
        self, answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_engine: Any
    ) -> None:
        other = tmp_path / "node"
        other.write_text(f"#!{sys.executable}\nimport sys; sys.stdout.buffer.write({answer!r})\n")
        other.chmod(0o755)
        monkeypatch.setenv("WINNOW_NODE", str(other))
        with pytest.raises(winnow.WinnowError) as caught:
            best()
        assert caught.value.code == "no-engine"


class TestWhichNode:
    def test_winnow_node_comes_first(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        node = tmp_path / "mine"
        node.write_text("#!/bin/sh\n")
        node.chmod(0o755)
        monkeypatch.setenv("WINNOW_NODE", str(node))
        assert _node.find_node() == str(node)

    def test_one_that_is_not_there_is_refused_and_no_other_is_used(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("WINNOW_NODE", "/nowhere/node")
        with pytest.raises(winnow.WinnowError, match="WINNOW_NODE must be the path"):
            _node.find_node()

    @pytest.mark.parametrize(("version", "accepted"), [("v20.20.0", False), ("v22.12.9", False), ("v22.13.0", True), ("v24.1.0", True)])
    def test_one_on_the_path_must_be_new_enough(
        self, version: str, accepted: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        node = tmp_path / "node"
        node.write_text(f"#!/bin/sh\necho {version}\n")
        node.chmod(0o755)
        monkeypatch.delenv("WINNOW_NODE", raising=False)
        monkeypatch.setattr(_node, "_of_wheel", lambda: None)
        monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
        if accepted:
            assert _node.find_node() == str(node)
        else:
            with pytest.raises(winnow.WinnowError, match=r"22\.13 or later"):
                _node.find_node()


def test_an_error_can_be_pickled() -> None:
    with pytest.raises(winnow.WinnowError) as caught:
        winnow.top_k(SCORES, k=9, epsilon=1)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.field, str(again)) == (caught.value.code, "k", str(caught.value))


def test_the_environment_cannot_change_the_engine(monkeypatch: pytest.MonkeyPatch, fresh_engine: Any) -> None:
    monkeypatch.setenv("NODE_OPTIONS", "--require /nowhere.js")
    assert best() == [1]
