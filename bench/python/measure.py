"""What Winnow costs in Python, beside what the rows' own engine takes for the same count.

    python bench/python/measure.py calls                 first and later calls, ten million scores
    python bench/python/measure.py frames --rows 20000000     Parquet through Polars and DuckDB
    python bench/python/measure.py spark --rows 10000000      Spark in this process's JVM; with --cluster on a master with two workers
    python bench/python/measure.py install               an empty environment to a released top ten (uses the package index)

Each figure is a ratio within one run, or a time of this machine. Run it on a quiet one.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

PYTHON = Path(__file__).parents[2] / "python"
sys.path.insert(0, str(PYTHON / "src"))

GROUPS = 10_000


def seconds(work: Callable[[], Any], times: int = 5) -> float:
    """The median of several, after one to warm up."""
    work()
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def calls(_: argparse.Namespace) -> None:
    script = "import time, winnow_dp as w\nt = time.perf_counter()\nw.top_k([3, 2, 1], k=1, epsilon=1)\nprint(time.perf_counter() - t)"
    environment = {**os.environ, "PYTHONPATH": str(PYTHON / "src")}
    firsts = [float(subprocess.check_output([sys.executable, "-c", script], env=environment)) for _ in range(5)]
    print(f"first call after the import: {statistics.median(firsts) * 1000:.0f} ms")

    import numpy

    import winnow_dp as winnow

    # The time of the engine alone is taken in the same Node, on the same numbers.
    for many, limit in ((10_000, 200), (10_000_000, 7)):
        scores = numpy.random.default_rng(1).pareto(1.2, many) * 100
        ours = seconds(lambda scores=scores: winnow.top_k(scores, k=10, epsilon=1), limit)
        alone = engine_alone(many, limit)
        print(f"{many:,} float64 scores: {ours * 1000:.2f} ms, of which the engine needs {alone * 1000:.2f} ms")


def engine_alone(many: int, times: int) -> float:
    from winnow_dp._node import find_node

    core = (PYTHON.parent / "packages/core/dist/index.js").as_uri()
    script = f"""
import {{ topK }} from "{core}";
const scores = new Float64Array({many}).map((_, i) => 100 * (Math.random() ** (-1 / 1.2) - 1));
topK(scores, {{ k: 10, epsilon: 1 }});
const found = Array.from({{ length: {times} }}, () => {{
  const start = performance.now();
  topK(scores, {{ k: 10, epsilon: 1 }});
  return performance.now() - start;
}});
console.log(found.sort((a, b) => a - b)[found.length >> 1] / 1000);
"""
    return float(subprocess.check_output([find_node(), "--input-type=module", "-e", script], stderr=subprocess.DEVNULL))


def write_visits(path: str, rows: int) -> None:
    """Visits of a fifth as many people to ten thousand pages, some far more visited than others."""
    import duckdb

    duckdb.sql("SELECT setseed(0.5)")
    duckdb.sql(f"""COPY (SELECT 'u' || (random() * {rows // 5})::BIGINT AS "user", 'page ' || (random() ** 3 * {GROUPS})::BIGINT AS page
        FROM range({rows})) TO '{path}' (FORMAT parquet)""")


def frames(given: argparse.Namespace) -> None:
    import duckdb
    import polars

    import winnow_dp as winnow

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/visits.parquet"
        write_visits(path, given.rows)
        session = winnow.Session(f"{folder}/visits.ledger")
        scan, relation = polars.scan_parquet(path), duckdb.sql(f"FROM '{path}'")
        counts = duckdb.sql(f"""SELECT page, count(DISTINCT "user") AS users FROM '{path}' GROUP BY page ORDER BY users DESC LIMIT 1010""")
        own = {
            "Polars": lambda: scan.group_by("page").agg(polars.col("user").n_unique()).top_k(1010, by="user").collect(),
            "DuckDB": counts.fetchall,
        }
        ours: dict[str, Any] = {"Polars": scan, "DuckDB": relation}

        def release(frame: Any) -> Any:
            return session.top(frame, item="page", user="user", k=10, epsilon=1, delta="1e-6", yes=True)

        for name, count in own.items():
            alone = seconds(count, 3)
            whole = seconds(lambda frame=ours[name]: release(frame), 3)
            print(f"{name}: {given.rows:,} rows in {whole:.2f} s, its own group_by in {alone:.2f} s: {whole / alone:.2f} times")


def spark(given: argparse.Namespace) -> None:
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as sql

    import winnow_dp as winnow

    warnings.simplefilter("ignore")
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        master = "local[*]"
        if given.cluster:
            sys.path.insert(0, str(PYTHON / "tests"))
            from spark_cluster import cluster

            master = stack.enter_context(cluster(Path(folder), "2g"))
        builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false").config("spark.driver.memory", "6g")
        builder = builder.config("spark.executor.memory", "2g").config("spark.driver.bindAddress", "127.0.0.1")
        engine = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
        stack.callback(engine.stop)
        path = f"{folder}/visits.parquet"
        write_visits(path, given.rows)
        frame = engine.read.parquet(path)
        session = winnow.Session(f"{folder}/visits.ledger")

        def alone_once() -> Any:  # made anew: Spark would skip the shuffles of a query that it has run
            pairs = frame.where('page IS NOT NULL AND page <> "" AND user IS NOT NULL AND user <> ""').distinct()
            counts = pairs.groupBy("page").agg(sql.count(sql.lit(1)).alias("users"))
            return counts.orderBy(sql.col("users").desc(), "page").limit(1010).collect()

        alone = seconds(alone_once, 3)
        whole = seconds(lambda: session.top(frame, item="page", user="user", k=10, epsilon=1, delta="1e-6", yes=True), 3)
        print(f"Spark at {master}: {given.rows:,} rows in {whole:.2f} s, the same query alone in {alone:.2f} s: {whole / alone:.2f} times")


def install(_: argparse.Namespace) -> None:
    """From nothing to a released top ten of a pandas frame, with the wheel of these sources."""
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        subprocess.run(build, cwd=PYTHON, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = Path(folder).glob("*.whl")
        script = f"{folder}/first.py"
        Path(script).write_text(FIRST, encoding="utf8")
        start = time.perf_counter()
        commands = f"{sys.executable} -m venv {folder}/e && {folder}/e/bin/pip -q install {wheel} pandas && {folder}/e/bin/python {script}"
        print(subprocess.check_output(["sh", "-c", commands], cwd=folder, text=True, stderr=subprocess.DEVNULL).strip())
        print(f"from an empty environment in {time.perf_counter() - start:.0f} s")


FIRST = """
import pandas, warnings
import winnow_dp as winnow
warnings.simplefilter("ignore")
visits = pandas.DataFrame({"user": [f"u{place % 997}" for place in range(20_000)], "area": [f"area {place ** 2 % 83 % 23}" for place in range(20_000)]})
print(winnow.Session("visits.ledger").top(visits, item="area", user="user", k=10, epsilon=1, delta="1e-6"))
"""

PARTS = {"calls": calls, "frames": frames, "spark": spark, "install": install}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--cluster", action="store_true")
    asked = parser.parse_args()
    PARTS[asked.part](asked)
