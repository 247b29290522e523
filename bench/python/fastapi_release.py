"""The same release as `winnow serve` makes, with FastAPI and OpenDP: a noisy top k from counts in memory, stored under its
idempotency key with a durable insert into SQLite before it is answered. The key is compared in constant time; there is no
ledger chain, no cap and no time grid. Usage: fastapi_release.py rows.csv items.txt database
"""
import asyncio
import csv
import hmac
import json
import socket
import sqlite3
import sys
from collections import defaultdict

import opendp.prelude as dp
import uvicorn
from fastapi import FastAPI, Header, Request, Response

dp.enable_features("contrib")
rows, items, database = sys.argv[1:4]
names = open(items, encoding="utf-8").read().split("\n")
users = defaultdict(set)
with open(rows, encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        users[row["item"]].add(row["user"])
counts = [len(users.get(name, ())) for name in names]
del users

store = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
store.execute("PRAGMA journal_mode = WAL")
store.execute("PRAGMA synchronous = FULL")
store.execute("CREATE TABLE releases (id TEXT PRIMARY KEY, question TEXT, answer TEXT)")
app = FastAPI()


@app.get("/ready")
async def ready():
    return {"status": "ok"}


@app.post("/v1/datasets/visits/releases")
async def release(request: Request, authorization: str = Header(), idempotency_key: str = Header()):
    if not hmac.compare_digest(authorization[:7], "Bearer "):
        return Response(status_code=401)
    ask = await request.json()
    question = json.dumps(ask, sort_keys=True)
    found = store.execute("SELECT question, answer FROM releases WHERE id = ?", (idempotency_key,)).fetchone()
    if found is not None:
        return Response(found[1], media_type="application/json") if found[0] == question else Response(status_code=409)
    scale = ask["k"] / ratio(ask["epsilon"])
    measure = dp.m.make_noisy_top_k(
        dp.vector_domain(dp.atom_domain(T=int)),
        dp.linf_distance(T=int, monotonic=True),
        dp.max_divergence(),
        k=ask["k"],
        scale=scale,
    )
    winners = await asyncio.get_running_loop().run_in_executor(None, measure, counts)
    answer = json.dumps({"winners": [names[index] for index in winners], "epsilon": ask["epsilon"]})
    store.execute("INSERT INTO releases VALUES (?, ?, ?)", (idempotency_key, question, answer))
    return Response(answer, status_code=201, media_type="application/json")


def ratio(text):
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
