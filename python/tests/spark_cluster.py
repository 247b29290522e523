"""A cluster of Spark on this machine, for the tests and for `bench/python/measure.py`."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@contextlib.contextmanager
def cluster(folder: Path, memory: str = "512m") -> Iterator[str]:
    """A standalone master and two workers, each a process of its own, on this machine's loopback."""
    start = str(Path(pyspark.__file__).parent / "bin/spark-class")
    port = free_port()
    address = f"spark://127.0.0.1:{port}"
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "SPARK_DAEMON_MEMORY": "256m"}
    master = ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"]
    worker = ["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", memory]
    logs: list[Path] = []
    running: list[subprocess.Popen[bytes]] = []

    def run(name: str, words: list[str]) -> None:
        logs.append(folder / f"{name}.log")
        with logs[-1].open("wb") as log:
            running.append(subprocess.Popen([start, *words], stdout=log, stderr=log, env=environment))

    def wait_for(log: Path, words: str) -> None:
        for _ in range(600):
            if re.search(words, log.read_text(encoding="utf8", errors="replace")):
                return
            time.sleep(0.2)
        raise TimeoutError(log.read_text(encoding="utf8", errors="replace")[-2000:])

    try:
        run("master", master)
        wait_for(logs[0], "New state: ALIVE")
        for name in ("one", "two"):
            run(name, [*worker, "--work-dir", str(folder / name), address])
        for log in logs[1:]:
            wait_for(log, "Successfully registered with master")
        yield address
    finally:
        for process in running:
            process.kill()
        for process in running:
            process.wait()
