"""Runs SQL for the command ``winnow``, whose reader has no DuckDB of its own (packages/bridge/src/command/python-duckdb.ts).

Requests and replies are lines of JSON on standard input and output. It is started as a script, so that it imports nothing of ours.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any

if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this package: its modules are no one else's


class Server:
    """Answers one request after the other; the engine may ask back in the middle of one."""

    def __init__(self) -> None:
        self.lines: queue.Queue[Any] = queue.Queue()
        self.asking = threading.Lock()
        self.connection: Any = None
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in sys.stdin.buffer:
            self.lines.put(json.loads(line))
        os._exit(0)  # whoever asked is gone, even in the middle of a statement

    def write(self, reply: Any) -> None:
        sys.stdout.buffer.write(json.dumps(reply, default=str).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()

    def serve(self) -> None:
        while True:
            request = self.lines.get()
            try:
                reply = getattr(self, f"do_{request.pop('op')}")(**request)
            except ImportError:
                reply = {"error": "no duckdb"}
            except Exception as error:  # noqa: BLE001 - the other side tells the kinds apart by the first words
                reply = {"error": str(error)}
            self.write(reply)

    def do_open(self, path: str, settings: Any) -> Any:
        import duckdb

        self.connection = duckdb.connect(path, config=settings)
        return {}

    def do_run(self, sql: str, values: list[Any]) -> Any:
        given = [bytes.fromhex(each["hex"]) if isinstance(each, dict) else each for each in values]
        self.connection.execute(sql, given) if given else self.connection.execute(sql)
        return {"rows": self.connection.fetchall() if self.connection.description else []}

    def do_stream(self, sql: str) -> Any:
        self.connection.execute(sql)
        return {}

    def do_next(self, rows: int) -> Any:
        return {"rows": self.connection.fetchmany(rows)}

    def do_statements(self, sql: str) -> Any:
        import duckdb

        found = self.connection.extract_statements(sql)
        return {
            "statements": [
                {"isSelect": each.type == duckdb.StatementType.SELECT, "parameters": len(each.named_parameters)} for each in found
            ]
        }

    def do_function(self, name: str) -> Any:
        import duckdb

        pair = duckdb.struct_type({"item": "VARCHAR", "user": "VARCHAR"})
        try:
            self.connection.create_function(name, self.parse, ["VARCHAR"], pair, null_handling="special")
        except duckdb.NotImplementedException:
            pass  # it is there already
        return {}

    def parse(self, line: str | None) -> Any:
        if line is None:
            return None
        with self.asking:
            self.write({"parse": line})
            return self.lines.get()["parsed"]


if __name__ == "__main__":
    Server().serve()
